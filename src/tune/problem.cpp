#include "tune/problem.hpp"

#include <algorithm>
#include <cstring>

#include "ops/move/move.hpp"
#include "ops/random/random.hpp"
#include "tensor/transfer.hpp"
#include "tune/compare.hpp"
#include "tune/fill.hpp"

namespace netcl::tune {

namespace {

// A row of a tile that is one too many should still land in it.
constexpr uint64_t kGuardBytes = 65536;

uint64_t guard_bytes(const Device& device) {
  const uint64_t align = std::max<uint64_t>(device.capabilities().mem_base_align_bytes, 1);
  return (kGuardBytes + align - 1) / align * align;
}

// Bytes that no kernel writes by chance, different at each place.
std::string make_pattern(uint64_t size) {
  std::string pattern(size, '\0');
  uint32_t state = 0x9e3779b9u;
  for (char& byte : pattern) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<char>(state >> 24);
  }
  return pattern;
}

TransferPlan plan_for(Queue& queue) {
  TransferPlan plan;
  plan.queue = &queue;
  return plan;
}

// Each argument has a stream of random numbers of its own.
uint64_t argument_seed(uint64_t seed, size_t index) {
  uint64_t mixed = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

bool depends_on_seed(const JobArgument& argument) {
  const Fill::Kind kind = argument.fill.kind;
  return kind == Fill::Kind::uniform || kind == Fill::Kind::normal ||
         (kind == Fill::Kind::scaled && is_float(argument.dtype));
}

// Half of the contents that a caller gave up to all of them. Signs, zeros, order and bounds stay,
// so that what is sound for the kernel stays sound.
double scale_of(uint64_t seed) {
  if (seed == Fill::kPlainSeed) return 1.0;
  return 0.5 + 0.4375 * static_cast<double>(argument_seed(seed, 0) >> 11) * 0x1p-53;
}

}  // namespace

Problem::Problem(Queue& queue, std::vector<JobArgument> arguments)
    : queue_(queue), arguments_(std::move(arguments)), slots_(arguments_.size()) {
  pattern_ = make_pattern(guard_bytes(queue.device()));
  args_.resize(arguments_.size());
  launch_.resize(arguments_.size());
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const JobArgument& argument = arguments_[i];
    netcl_arg& arg = args_[i];
    arg = NETCL_ARG_INIT;
    arg.reinterpret = argument.reinterpret ? 1 : 0;
    switch (argument.kind) {
      case JobArgument::Kind::tensor:
        // Also an input is passed as something that may be written: whether it was is looked at.
        arg.kind = NETCL_ARG_TENSOR;
        allocate(i);
        break;
      case JobArgument::Kind::scalar:
        arg.kind = NETCL_ARG_DATA;
        arg.size = static_cast<uint32_t>(argument.scalar.size());
        arg.data = argument.scalar.data();
        break;
      case JobArgument::Kind::local:
        arg.kind = NETCL_ARG_LOCAL;
        arg.size = static_cast<uint32_t>(argument.local_bytes);
        break;
      case JobArgument::Kind::null:
        arg.kind = NETCL_ARG_NULL;
        break;
    }
    launch_[i].arg = &args_[i];
    launch_[i].tensor = slots_[i].tensor;
  }
}

void Problem::allocate(size_t index) {
  const JobArgument& argument = arguments_[index];
  Slot& slot = slots_[index];
  Device& device = queue_.device();
  Layout layout =
      packed_layout(static_cast<uint32_t>(argument.shape.size()), argument.shape.data());
  slot.payload = argument.byte_count();
  slot.guard = pattern_.size();
  layout.offset = static_cast<int64_t>(slot.guard / dtype_size(argument.dtype));
  uint64_t bytes = 0;
  if (__builtin_add_overflow(slot.payload, 2 * slot.guard, &bytes)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "argument %zu has %llu bytes, more than memory has room for",
         index, static_cast<unsigned long long>(slot.payload));
  }
  slot.buffer = Buffer::lease(PoolSet::of(device).own(NETCL_POOL_PERSISTENT),
                              device.shared_from_this(), bytes, true);
  slot.tensor = std::make_shared<Tensor>(slot.buffer, argument.dtype, layout);
}

void Problem::write_guards(Slot* slot) {
  if (slot->guarded) return;
  write_bytes({slot->buffer.get(), 0, slot->guard}, pattern_.data(), plan_for(queue_));
  write_bytes({slot->buffer.get(), slot->guard + slot->payload, slot->guard}, pattern_.data(),
              plan_for(queue_));
  slot->guarded = true;
}

void Problem::fill(size_t index, uint64_t seed) {
  const JobArgument& argument = arguments_[index];
  Slot& slot = slots_[index];
  const Fill& fill = argument.fill;
  if (slot.payload == 0) return;
  if (fill.kind == Fill::Kind::uniform || fill.kind == Fill::Kind::normal) {
    netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
    options.seed = argument_seed(seed, index);
    if (fill.kind == Fill::Kind::uniform) {
      options.distribution = NETCL_UNIFORM;
      options.low = fill.a;
      options.high = fill.b;
    } else {
      options.distribution = NETCL_NORMAL;
      options.mean = fill.a;
      options.deviation = fill.b;
    }
    ops::random(make_random_plan(argument.dtype, options), *slot.tensor, {queue_, {}});
    return;
  }
  const ByteSpan span{slot.buffer.get(), slot.guard, slot.payload};
  const double factor = fill.kind == Fill::Kind::scaled ? scale_of(seed) : 1.0;
  if (fill.kind == Fill::Kind::bytes || (fill.kind == Fill::Kind::scaled && factor == 1.0)) {
    write_bytes(span, fill.bytes->data(), plan_for(queue_));
    return;
  }
  if (fill.kind == Fill::Kind::scaled) {
    const std::string bytes = scaled_bytes(argument, factor);
    write_bytes(span, bytes.data(), plan_for(queue_));
    return;
  }
  const std::string bytes = fill_bytes(argument);
  write_bytes(span, bytes.data(), plan_for(queue_));
}

void Problem::prepare(uint64_t seed, uint32_t round) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    const JobArgument& argument = arguments_[i];
    Slot& slot = slots_[i];
    if (slot.tensor == nullptr) continue;
    write_guards(&slot);
    // What ran since may have written to the copy.
    slot.saved_valid = false;
    if (argument.access == JobArgument::Access::out) {
      poison(i, round);
      continue;
    }
    const bool same_values = slot.seed == seed || !depends_on_seed(argument);
    if (slot.filled && same_values) continue;
    fill(i, seed);
    slot.seed = seed;
    // Nobody is expected to write an input; an inout argument is never what it was after a run.
    slot.filled = argument.access == JobArgument::Access::in;
  }
}

void Problem::poison(size_t index, uint32_t round) {
  if (slots_[index].payload == 0) return;
  unsigned char pattern[8];
  std::memset(pattern, poison_byte(arguments_[index].dtype, round), sizeof pattern);
  ops::fill(*slots_[index].tensor, pattern, {queue_, {}});
}

void Problem::refresh(uint32_t round) {
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.tensor == nullptr || arguments_[i].access == JobArgument::Access::in) continue;
    if (arguments_[i].access == JobArgument::Access::out) {
      poison(i, round);
    } else if (!slot.saved_valid) {
      slot.saved = ops::copy(*slot.tensor, nullptr, {queue_, {}});
      slot.saved_valid = true;
    } else {
      ops::copy_into(*slot.saved, *slot.tensor, {queue_, {}});
    }
  }
}

std::string Problem::read(size_t index, uint64_t first, uint64_t size) {
  const Slot& slot = slots_[index];
  std::string bytes(size, '\0');
  if (size == 0) return bytes;
  read_bytes({slot.buffer.get(), slot.guard + first, size}, bytes.data(), plan_for(queue_));
  return bytes;
}

std::string Problem::name_of(size_t index, const backend::KernelFacts* facts) const {
  std::string name = arguments_[index].name;
  if (name.empty() && facts != nullptr && index < facts->parameters.size()) {
    name = facts->parameters[index].name;
  }
  const std::string number = format("argument %zu", index);
  if (name.empty()) return number;
  // Without the quotation marks: a name is a word.
  const std::string word = quoted(name.c_str());
  return number + " (" + word.substr(1, word.size() - 2) + ")";
}

std::string Problem::guard_damage(size_t index, const backend::KernelFacts& facts) {
  Slot& slot = slots_[index];
  std::string zone(slot.guard, '\0');
  for (const bool behind : {true, false}) {
    const uint64_t at = behind ? slot.guard + slot.payload : 0;
    read_bytes({slot.buffer.get(), at, slot.guard}, zone.data(), plan_for(queue_));
    if (zone == pattern_) continue;
    slot.guarded = false;
    const std::string name = name_of(index, &facts);
    if (behind) {
      const auto first = std::mismatch(zone.begin(), zone.end(), pattern_.begin()).first;
      return format("%s was written outside: byte %lld past its end", name.c_str(),
                    static_cast<long long>(first - zone.begin()));
    }
    const auto last = std::mismatch(zone.rbegin(), zone.rend(), pattern_.rbegin()).first;
    return format("%s was written outside: byte %lld before its beginning", name.c_str(),
                  static_cast<long long>(last - zone.rbegin() + 1));
  }
  return "";
}

std::string Problem::damage(const backend::KernelFacts& facts) {
  std::string found;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].tensor == nullptr) continue;
    const std::string text = guard_damage(i, facts);
    if (found.empty()) found = text;
  }
  if (!found.empty()) {
    // What ran over one tensor may have hit others.
    distrust();
    return found;
  }
  for (size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (slot.tensor == nullptr || arguments_[i].access != JobArgument::Access::in) continue;
    if (slot.payload == 0 || input_unchanged(i)) continue;
    slot.filled = false;
    if (found.empty()) found = name_of(i, &facts) + " is an input and was written";
  }
  return found;
}

// The first look fills the input anew beside what is there now, which costs a fill once for each
// seed.
bool Problem::input_unchanged(size_t index) {
  Slot& slot = slots_[index];
  const Hash128 now = hash128(read(index));
  const uint64_t seed = depends_on_seed(arguments_[index]) ? slot.seed : 0;
  auto known = slot.hashes.find(seed);
  if (known == slot.hashes.end()) {
    fill(index, slot.seed);
    known = slot.hashes.emplace(seed, hash128(read(index))).first;
  }
  return now == known->second;
}

void Problem::distrust() noexcept {
  for (Slot& slot : slots_) {
    slot.filled = false;
    slot.saved_valid = false;
    slot.guarded = false;
  }
}

Hash128 problem_hash(const std::vector<JobArgument>& arguments) {
  Job job;
  job.arguments = arguments;
  return job_hash(job);
}

}  // namespace netcl::tune
