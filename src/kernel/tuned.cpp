#include "kernel/tuned.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "core/integer.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "kernel/launch.hpp"
#include "kernel/scalars.hpp"
#include "store/database.hpp"

namespace netcl {

namespace {

bool is_local_name(const std::string& name) {
  return std::any_of(std::begin(kTunedLocal), std::end(kTunedLocal),
                     [&](const char* local) { return name == local; });
}

// The macros that a configuration sets, with the values that they had when it was tuned.
Macros macros_of(const store::Record& record) {
  Macros macros;
  for (const auto& [name, value] : record.config.items()) {
    const bool unset =
        std::find(record.unset.begin(), record.unset.end(), name) != record.unset.end();
    if (is_local_name(name) || (unset && record.integer(name.c_str()) == 0)) continue;
    macros.emplace_back(name, value.is_string()         ? value.get<std::string>()
                              : value.is_boolean()      ? (value.get<bool>() ? "1" : "0")
                              : value.is_number_float() ? number_text(value.get<double>())
                                                        : value.dump());
  }
  return macros;
}

// What a kernel keeps of itself does not own it, and costs no counting.
std::shared_ptr<Kernel> itself(Kernel& kernel) { return {std::shared_ptr<void>(), &kernel}; }

bool has_elements(const LaunchArgument& argument) {
  return argument.tensor != nullptr && !argument.tensor->empty();
}

// From the lowest to the highest.
int64_t elements_of(const LaunchArgument& argument) {
  const Span span = touched_span(argument.tensor->layout());
  return span.last - span.first;
}

// Changes when anything does that a note of the launch holds.
Hash128 form_of(std::span<const LaunchArgument> arguments, uint32_t rank, const uint64_t* global,
                bool round_up) {
  struct {
    uint64_t global[3];
    uint64_t form;
    uint64_t arguments[NETCL_ARGS_MAX];
  } words;
  std::fill_n(words.global, 3, 0);
  for (uint32_t d = 0; d < rank; ++d) words.global[d] = global[d];
  words.form = rank + (round_up ? 8 : 0) + 16 * arguments.size();
  for (size_t i = 0; i < arguments.size(); ++i) {
    uint64_t word = static_cast<uint64_t>(arguments[i].arg->kind) << 56;
    if (has_elements(arguments[i])) {
      word ^= static_cast<uint64_t>(arguments[i].tensor->dtype()) << 48;
      word ^= static_cast<uint64_t>(arguments[i].arg->reinterpret) << 47;
      word ^= static_cast<uint64_t>(elements_of(arguments[i]));
    } else if (arguments[i].arg->kind == NETCL_ARG_LOCAL) {
      word ^= arguments[i].arg->size;
    } else {
      word ^= static_cast<uint64_t>(arguments[i].arg->dtype) << 48;
      const std::string_view bytes = plain_bytes(arguments[i]);
      // Most scalars fit a word, which is as good as a hash of them.
      if (bytes.size() <= 4) {
        uint32_t value = 0;
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(&value));
        word ^= value + (static_cast<uint64_t>(bytes.size()) << 32);
      } else {
        word ^= hash128(bytes.data(), bytes.size()).low;
      }
    }
    words.arguments[i] = word;
  }
  return hash128(&words, (4 + arguments.size()) * sizeof(uint64_t));
}

std::array<uint64_t, 4> size_key(uint32_t rank, const uint64_t* global) {
  std::array<uint64_t, 4> key{rank};
  std::copy_n(global, rank, key.begin() + 1);
  return key;
}

// The key of a launch by its arguments.
store::Key key_of_launch(const Kernel& kernel, std::span<const LaunchArgument> arguments,
                         uint32_t rank, const uint64_t* global, bool round_up) {
  std::string dtypes;
  for (const LaunchArgument& argument : arguments) {
    if (!has_elements(argument)) continue;
    dtypes += (dtypes.empty() ? "" : ",") + std::string(dtype_facts(argument.tensor->dtype()).name);
  }
  const Scalars scalars(kernel, arguments);
  return launch_key(kernel, dtypes, scalars.all(), rank, global, round_up);
}

// A size that no longer fits is passed over: the device may have another limit than the one that
// tuned it, and the source may demand another size.
bool take_local(const Kernel& kernel, const store::Record& record, bool exact, uint32_t rank,
                const uint64_t* global, bool round_up, uint64_t* local) {
  const netcl_device_capabilities& caps = kernel.device().capabilities();
  const uint64_t* required = kernel.facts().required_local;
  uint64_t items = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    const auto value = record.integer(kTunedLocal[d]);
    if (!value || *value <= 0) return false;
    local[d] = static_cast<uint64_t>(*value);
    if (local[d] > caps.max_work_item_sizes[d]) return false;
    if (!round_up && global[d] % local[d] != 0) {
      if (exact) return false;
      local[d] = largest_divisor_up_to(global[d], local[d]);
    }
    if (required[0] != 0 && required[d] != local[d]) return false;
    if (__builtin_mul_overflow(items, local[d], &items)) return false;
  }
  return items <= kernel.facts().max_local_size;
}

// The work size of a result that has one. Macros, global and local size belong together: either all
// of them hold here, or none is used.
bool take_work_size(const Kernel& kernel, const store::Record& record, uint32_t rank,
                    bool round_up, TunedLaunch* out) {
  const netcl_device_capabilities& caps = kernel.device().capabilities();
  const uint64_t* required = kernel.facts().required_local;
  out->has_local = !record.local.empty();
  if (record.global.size() != rank) return false;
  if (out->has_local ? record.local.size() != rank : required[0] == 0) return false;
  uint64_t items = 1, group = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    if (record.global[d] < 1 || (out->has_local && record.local[d] < 1)) return false;
    const auto global = static_cast<uint64_t>(record.global[d]);
    const uint64_t local = out->has_local ? static_cast<uint64_t>(record.local[d]) : required[d];
    if (local > caps.max_work_item_sizes[d]) return false;
    if (!round_up && global % local != 0) return false;
    if (required[0] != 0 && required[d] != local) return false;
    if (__builtin_mul_overflow(items, global, &items)) return false;
    if (__builtin_mul_overflow(group, local, &group)) return false;
    out->global[d] = global;
    out->local[d] = local;
  }
  return group <= kernel.facts().max_local_size;
}

}  // namespace

TunedLaunches::TunedLaunches() = default;
TunedLaunches::~TunedLaunches() = default;

std::string source_with_macros(const Macros& macros, const std::string& source) {
  std::string text;
  for (const auto& [name, value] : macros) text += "#define " + name + " " + value + "\n";
  if (!text.empty()) text += kSourceBegins;
  return text + source;
}

std::string flags_without_macros(const std::string& flags, const Macros& macros) {
  std::string out;
  for (size_t at = 0; at < flags.size();) {
    const size_t end = std::min(flags.find(' ', at), flags.size());
    const std::string flag = flags.substr(at, end - at);
    at = end + 1;
    const bool replaced = std::any_of(macros.begin(), macros.end(), [&](const auto& macro) {
      return flag == "-D" + macro.first || flag.rfind("-D" + macro.first + "=", 0) == 0;
    });
    if (!flag.empty() && !replaced) out += (out.empty() ? "" : " ") + flag;
  }
  return out;
}

store::Key launch_key(const Kernel& kernel, const std::string& dtypes,
                      std::span<const int64_t> scalars, uint32_t rank, const uint64_t* global,
                      bool round_up) {
  store::Key key;
  key.scalars.assign(scalars.begin(), scalars.end());
  key.kernel = kernel.spec().name;
  key.source = hex_text(hash128(kernel.spec().request.text));
  key.flags = kernel.spec().request.options;
  key.dtypes = dtypes;
  key.layout = round_up ? "round_up" : "";
  key.part = kernel.device().part();
  key.driver = kernel.device().driver();
  for (uint32_t d = 0; d < rank; ++d) key.shape.push_back(static_cast<int64_t>(global[d]));
  return key;
}

Hash128 TunedLaunches::question(const Kernel& kernel, std::span<const LaunchArgument> arguments,
                                uint32_t rank, const uint64_t* global, bool round_up) {
  if (!has_prefix_.load(std::memory_order_acquire)) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!has_prefix_.load(std::memory_order_relaxed)) {
      const uint64_t none[3] = {0, 0, 0};
      prefix_ = hash128(launch_key(kernel, "", {}, 0, none, false).text());
      has_prefix_.store(true, std::memory_order_release);
    }
  }
  struct {
    Hash128 prefix;
    uint64_t global[3];
    uint64_t form;
    uint64_t types[NETCL_ARGS_MAX / 16];
    int64_t scalars[Scalars::kMost];
  } words = {};
  words.prefix = prefix_;
  for (uint32_t d = 0; d < rank; ++d) words.global[d] = global[d];
  words.form = rank + (round_up ? 8 : 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!has_elements(arguments[i])) continue;
    words.types[i / 16] |= static_cast<uint64_t>(arguments[i].tensor->dtype()) << (4 * (i % 16));
  }
  const Scalars scalars(kernel, arguments);
  words.form += scalars.count << 8;
  std::copy_n(scalars.values, scalars.count, words.scalars);
  return hash128(&words, offsetof(decltype(words), scalars) + scalars.count * sizeof(int64_t));
}

void TunedLaunches::note(const Hash128& form, std::span<const LaunchArgument> arguments,
                         uint32_t rank, const uint64_t* global, bool round_up) {
  const std::lock_guard<std::mutex> lock(mutex_);
  last_low_.store(form.low, std::memory_order_relaxed);
  last_high_.store(form.high, std::memory_order_relaxed);
  LaunchNote& kept = notes_.insert(size_key(rank, global), {});
  if (kept.form == form && kept.rank == rank) return;
  LaunchNote note;
  note.form = form;
  note.rank = rank;
  std::copy(global, global + rank, note.global);
  note.round_up = round_up;
  for (const LaunchArgument& argument : arguments) {
    NotedArgument noted;
    noted.kind = argument.arg->kind;
    if (has_elements(argument)) {
      noted.dtype = argument.tensor->dtype();
      noted.reinterpret = argument.arg->reinterpret != 0;
      noted.elements = elements_of(argument);
    } else if (noted.kind == NETCL_ARG_LOCAL) {
      noted.local_bytes = argument.arg->size;
    } else {
      noted.bytes = plain_bytes(argument);
      noted.dtype = argument.arg->dtype;
    }
    note.arguments.push_back(std::move(noted));
  }
  kept = std::move(note);
}

LaunchNote TunedLaunches::last(uint32_t rank, const uint64_t* global) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const LaunchNote* const note = notes_.find(size_key(rank, global));
  return note == nullptr ? LaunchNote() : *note;
}

std::shared_ptr<Kernel> TunedLaunches::variant_of(Kernel& kernel, const store::Record& record) {
  const Macros macros = macros_of(record);
  if (macros.empty()) return itself(kernel);
  if (kernel.spec().request.form != SourceForm::source) return nullptr;
  const std::string name = source_with_macros(macros, "");
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const std::shared_ptr<Kernel>* found = variants_.find(name)) return *found;
  }
  // A build takes seconds, in which launches of other threads must go on.
  // The very text that was tuned, so that the program is in the cache.
  KernelSpec spec = kernel.spec();
  spec.request.text = source_with_macros(macros, spec.request.text);
  spec.request.options = flags_without_macros(spec.request.options, macros);
  auto made = std::make_shared<Kernel>(kernel.device(), std::move(spec));
  try {
    made->build();
  } catch (const Error& error) {
    // Another compiler than the one it was tuned with: the kernel itself runs.
    Log& log = process().log;
    if (log.wants(NETCL_LOG_WARNING)) {
      log.append(NETCL_LOG_WARNING,
                 format("a stored configuration is not used: %s", error.what()).c_str());
    }
    made.reset();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const std::shared_ptr<Kernel>* found = variants_.find(name)) return *found;
  return variants_.insert(name, std::move(made));
}

TunedLaunch TunedLaunches::find(Kernel& kernel, std::span<const LaunchArgument> arguments,
                                uint32_t rank, const uint64_t* global, bool round_up) {
  const Hash128 hash = question(kernel, arguments, rank, global, round_up);
  const uint64_t generation = store::Database::shared().generation();
  {
    // Reading a record takes longer than a launch should; most launches are like the one before.
    const std::unique_lock<std::mutex> lock(kept_mutex_, std::try_to_lock);
    if (lock.owns_lock() && kept_generation_ == generation && kept_.question == hash) return kept_;
  }
  const TunedLaunch out = read(kernel, hash, arguments, rank, global, round_up);
  const std::lock_guard<std::mutex> lock(kept_mutex_);
  kept_ = out;
  kept_generation_ = generation;
  return out;
}

TunedLaunch TunedLaunches::read(Kernel& kernel, const Hash128& hash,
                                std::span<const LaunchArgument> arguments, uint32_t rank,
                                const uint64_t* global, bool round_up) {
  TunedLaunch out;
  out.question = hash;
  const store::Answer answer = store::Database::shared().lookup(
      hash, [&] { return key_of_launch(kernel, arguments, rank, global, round_up); });
  if (answer.record == nullptr) return out;
  const bool exact = answer.match != NETCL_MATCH_NEAREST_SHAPE;
  const bool has_size = !answer.record->global.empty();
  if (has_size && !exact) return out;
  // Macros were checked for the shape that they were tuned on, and for no other.
  std::shared_ptr<Kernel> chosen = exact ? variant_of(kernel, *answer.record) : itself(kernel);
  if (chosen == nullptr) return out;
  if (has_size) {
    out.has_global = take_work_size(*chosen, *answer.record, rank, round_up, &out);
    if (!out.has_global) out.has_local = false;
    if (!out.has_global) return out;
  }
  out.exact = answer.match == NETCL_MATCH_EXACT;
  if (!has_size) {
    out.has_local = take_local(*chosen, *answer.record, exact, rank, global, round_up, out.local);
  }
  out.kernel = std::move(chosen);
  return out;
}

TunedFacts TunedLaunches::explain(Kernel& kernel, std::span<const LaunchArgument> arguments,
                                  uint32_t rank, const uint64_t* global, bool round_up,
                                  const TunedLaunch& found) {
  store::Database& database = store::Database::shared();
  const store::Key key = key_of_launch(kernel, arguments, rank, global, round_up);
  const store::Answer answer = database.lookup(key);
  TunedFacts out;
  if (answer.record == nullptr) {
    out.reason = database.near_miss(key);
    if (out.reason.empty()) {
      out.reason = "no result is stored for this kernel, these dtypes and a size and integer "
                   "arguments near these";
    }
    return out;
  }
  out.match = answer.match;
  out.record = answer.record;
  const bool default_won = answer.record->config.size() == 0 && answer.record->global.empty();
  if (default_won) {
    out.reason = answer.match == NETCL_MATCH_NEAREST_SHAPE
                     ? database.near_miss(key) + ": nothing of it, since the default was best there"
                     : "tuned for this size: the default is best";
    return out;
  }
  if (answer.match == NETCL_MATCH_NEAREST_SHAPE && !answer.record->global.empty()) {
    out.reason = database.near_miss(key) +
                 ": nothing of it, since its work size holds for that size and those integer "
                 "arguments alone";
  } else if (answer.match == NETCL_MATCH_NEAREST_SHAPE) {
    out.reason = database.near_miss(key) +
                 ": its local size, reduced to divisors, and not its macros, which were checked "
                 "for that size and those integer arguments alone";
  } else {
    out.reason = answer.match == NETCL_MATCH_EXACT
                     ? "tuned for this size with this driver"
                     : "tuned for this size with the driver " +
                           quoted(answer.record->key.driver.c_str());
    if (found.kernel == nullptr) {
      out.reason += answer.record->global.empty()
                        ? "; it is not used, since its macros do not build here"
                        : "; it is not used, since its macros do not build or its work size does "
                          "not fit here";
      return out;
    }
    for (const auto& [name, value] : macros_of(*answer.record)) {
      out.macros += (out.macros.empty() ? "" : " ") + name + "=" + value;
    }
  }
  if (found.has_global) {
    out.reason += "; its work size takes the place of the one that the call gives";
  } else if (!found.has_local && found.kernel != nullptr) {
    out.reason += "; it has no local size that fits";
  }
  return out;
}

void TunedLaunches::launched(std::span<const LaunchArgument> arguments, uint32_t rank,
                             const uint64_t* global, bool round_up) {
  const Hash128 form = form_of(arguments, rank, global, round_up);
  if (last_low_.load(std::memory_order_relaxed) == form.low &&
      last_high_.load(std::memory_order_relaxed) == form.high) {
    return;
  }
  note(form, arguments, rank, global, round_up);
}

}  // namespace netcl
