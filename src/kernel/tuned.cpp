#include "kernel/tuned.hpp"

#include <algorithm>
#include <cstring>

#include "core/process.hpp"
#include "kernel/launch.hpp"
#include "store/database.hpp"

namespace netcl {

namespace {

uint64_t largest_divisor_up_to(uint64_t value, uint64_t limit) {
  for (uint64_t candidate = std::min(value, limit); candidate > 1; --candidate) {
    if (value % candidate == 0) return candidate;
  }
  return 1;
}

bool is_local_name(const std::string& name) {
  return std::any_of(std::begin(kTunedLocal), std::end(kTunedLocal),
                     [&](const char* local) { return name == local; });
}

// The macros that a configuration sets; 0 leaves a macro to the source.
std::vector<std::pair<std::string, std::string>> macros_of(const store::Record& record) {
  std::vector<std::pair<std::string, std::string>> macros;
  for (const auto& [name, value] : record.config.items()) {
    if (is_local_name(name) || (value.is_number_integer() && value.get<int64_t>() == 0)) continue;
    macros.emplace_back(name, value.is_string()    ? value.get<std::string>()
                              : value.is_boolean() ? (value.get<bool>() ? "1" : "0")
                                                   : value.dump());
  }
  return macros;
}

bool has_elements(const LaunchArgument& argument) {
  return argument.tensor != nullptr && !argument.tensor->empty();
}

// A size that no longer fits is passed over: the device may have another limit than the one that
// tuned it.
bool take_local(const Kernel& kernel, const store::Record& record, bool exact, uint32_t rank,
                const uint64_t* global, bool round_up, uint64_t* local) {
  const netcl_device_capabilities& caps = kernel.device().capabilities();
  uint64_t items = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    const auto value = record.integer(kTunedLocal[d]);
    if (!value || *value <= 0) return false;
    local[d] = static_cast<uint64_t>(*value);
    if (!round_up && global[d] % local[d] != 0) {
      if (exact) return false;
      local[d] = largest_divisor_up_to(global[d], local[d]);
    }
    if (local[d] > caps.max_work_item_sizes[d]) return false;
    items *= local[d];
  }
  return items <= kernel.facts().max_local_size;
}

}  // namespace

TunedLaunches::TunedLaunches() = default;
TunedLaunches::~TunedLaunches() = default;

std::string flags_with_macros(const std::string& flags,
                              const std::vector<std::pair<std::string, std::string>>& macros) {
  std::string out;
  const auto add = [&](const std::string& flag) { out += (out.empty() ? "" : " ") + flag; };
  for (size_t at = 0; at < flags.size();) {
    const size_t end = std::min(flags.find(' ', at), flags.size());
    const std::string flag = flags.substr(at, end - at);
    at = end + 1;
    const bool replaced = std::any_of(macros.begin(), macros.end(), [&](const auto& macro) {
      return flag == "-D" + macro.first || flag.rfind("-D" + macro.first + "=", 0) == 0;
    });
    if (!flag.empty() && !replaced) add(flag);
  }
  for (const auto& [name, value] : macros) add("-D" + name + "=" + value);
  return out;
}

store::Key launch_key(const Kernel& kernel, const std::string& dtypes, uint32_t rank,
                      const uint64_t* global, bool round_up) {
  store::Key key;
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
      prefix_ = hash128(launch_key(kernel, "", 0, none, false).text());
      has_prefix_.store(true, std::memory_order_release);
    }
  }
  struct {
    Hash128 prefix;
    uint64_t global[3];
    uint64_t form;
    uint64_t types[NETCL_ARGS_MAX / 16];
  } words = {};
  words.prefix = prefix_;
  for (uint32_t d = 0; d < rank; ++d) words.global[d] = global[d];
  words.form = rank + (round_up ? 8 : 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!has_elements(arguments[i])) continue;
    words.types[i / 16] |= static_cast<uint64_t>(arguments[i].tensor->dtype()) << (4 * (i % 16));
  }
  return hash128(&words, sizeof words);
}

void TunedLaunches::note(const Hash128& question, std::span<const LaunchArgument> arguments,
                         uint32_t rank, const uint64_t* global, bool round_up) {
  const std::lock_guard<std::mutex> lock(mutex_);
  note_ = LaunchNote();
  note_.rank = rank;
  std::copy(global, global + rank, note_.global);
  note_.round_up = round_up;
  for (const LaunchArgument& argument : arguments) {
    NotedArgument noted;
    noted.kind = argument.arg->kind;
    if (has_elements(argument)) {
      const Span span = touched_span(argument.tensor->layout());
      noted.dtype = argument.tensor->dtype();
      noted.elements = span.last - span.first;
    } else if (noted.kind == NETCL_ARG_SCALAR) {
      noted.bytes.assign(reinterpret_cast<const char*>(argument.arg->value),
                         std::min<size_t>(argument.arg->size, sizeof argument.arg->value));
    } else if (noted.kind == NETCL_ARG_DATA && argument.arg->data != nullptr) {
      noted.bytes.assign(static_cast<const char*>(argument.arg->data), argument.arg->size);
    } else if (noted.kind == NETCL_ARG_LOCAL) {
      noted.local_bytes = argument.arg->size;
    }
    note_.arguments.push_back(std::move(noted));
  }
  last_low_.store(question.low, std::memory_order_relaxed);
  last_high_.store(question.high, std::memory_order_relaxed);
}

LaunchNote TunedLaunches::last() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return note_;
}

Kernel* TunedLaunches::variant_of(Kernel& kernel, const store::Record& record) {
  const auto macros = macros_of(record);
  if (macros.empty()) return &kernel;
  if (kernel.spec().request.form != SourceForm::source) return nullptr;
  const std::string flags = flags_with_macros(kernel.spec().request.options, macros);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = variants_.find(flags);
  if (found != variants_.end()) return found->second.get();
  KernelSpec spec = kernel.spec();
  spec.request.options = flags;
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
  variants_[flags] = made;
  return made.get();
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
  const store::Answer answer = store::Database::shared().lookup(hash, [&] {
    std::string dtypes;
    for (const LaunchArgument& argument : arguments) {
      if (!has_elements(argument)) continue;
      dtypes +=
          (dtypes.empty() ? "" : ",") + std::string(dtype_facts(argument.tensor->dtype()).name);
    }
    return launch_key(kernel, dtypes, rank, global, round_up);
  });
  if (answer.record == nullptr) return out;
  const bool exact = answer.match != NETCL_MATCH_NEAREST_SHAPE;
  // Macros were checked for the shape that they were tuned on, and for no other.
  Kernel* chosen = exact ? variant_of(kernel, *answer.record) : &kernel;
  if (chosen == nullptr) return out;
  out.kernel = chosen;
  out.exact = answer.match == NETCL_MATCH_EXACT;
  out.has_local = take_local(*chosen, *answer.record, exact, rank, global, round_up, out.local);
  return out;
}

void TunedLaunches::launched(const TunedLaunch& launch, std::span<const LaunchArgument> arguments,
                             uint32_t rank, const uint64_t* global, bool round_up) {
  if (last_low_.load(std::memory_order_relaxed) == launch.question.low &&
      last_high_.load(std::memory_order_relaxed) == launch.question.high) {
    return;
  }
  note(launch.question, arguments, rank, global, round_up);
}

}  // namespace netcl
