// The probes of OpenCL devices, kernels/roofline/ceilings.cl.
#include <algorithm>
#include <bit>

#include "kernel/op_kernels.hpp"
#include "ops/frame/variant.hpp"
#include "roofline/probes.hpp"

namespace netcl::roofline {

namespace {

using Argument = backend::KernelArgument;

constexpr uint64_t kLocal = 256;
constexpr uint64_t kItemsPerUnit = 2048;
constexpr uint32_t kVectorsPerRound = 4;  // of an item, see WALK in the kernels

// How the kernels of a program are built.
struct Form {
  const char* type;
  uint32_t size;  // of an element
  uint32_t width;
  bool fused = false;
  bool memory = false;

  uint64_t vector_bytes() const { return uint64_t{size} * width; }
  std::string flags(bool blocked) const {
    std::string text = format("-DT=%s -DWIDTH=%u -DBLOCKED=%d -DFUSED=%d", type, width,
                              blocked ? 1 : 0, fused ? 1 : 0);
    if (size == 2) text += " -DHALF";
    if (size == 8) text += " -DDOUBLE";
    text += memory ? " -DMEMORY=1" : " -DMEMORY=0";
    return text;
  }
};

// Where a walk over memory begins and how it goes on.
struct MemoryPass {
  uint64_t items = 1;
  uint64_t local = 1;
  uint32_t mask = 0;
  uint32_t rounds = 1;
  uint32_t shift = 0;
  double bytes = 0;  // of a pass
};

class KernelProbes {
 public:
  explicit KernelProbes(ProbeDevice& probes)
      : probes_(probes),
        blocked_(probes.device().info().type == NETCL_DEVICE_CPU),
        units_(std::max<uint64_t>(probes.device().capabilities().compute_units, 1)),
        local_(blocked_ ? 1
                        : std::min<uint64_t>(
                              kLocal,
                              std::bit_floor(probes.device().capabilities().max_work_group_size))) {
  }

  std::vector<Limit> limits();

 private:
  Limit compute(netcl_dtype dtype, std::initializer_list<Form> forms) const;
  Limit tensor(netcl_dtype dtype, const char* type, uint32_t one) const;
  bool has_mma() const;
  Limit access(netcl_ceiling_kind kind, uint64_t working_set) const;
  void add_access(Limit* limit, const char* kernel, const Form& form, uint64_t waves) const;
  MemoryPass walk_over(uint64_t bytes, const Form& form, uint64_t waves, bool alone) const;
  backend::Launch launch_of(const OpKernels::KernelPointer& kernel, uint64_t items,
                            uint64_t local) const;
  OpKernels::KernelPointer kernel(const char* name, const Form& form) const {
    return OpKernels::of(probes_.device()).embedded("ceilings.cl", form.flags(blocked_), name);
  }

  ProbeDevice& probes_;
  const bool blocked_;
  const uint64_t units_;
  const uint64_t local_;
};

Argument buffer_argument(backend::Buffer& buffer, uint64_t offset) {
  Argument argument;
  argument.kind = Argument::Kind::buffer;
  argument.buffer = &buffer;
  argument.offset_bytes = offset;
  return argument;
}

template <class T>
Argument value_argument(const T& value) {
  Argument argument;
  argument.kind = Argument::Kind::bytes;
  argument.data = &value;
  argument.size = sizeof value;
  return argument;
}

backend::Launch KernelProbes::launch_of(const OpKernels::KernelPointer& made, uint64_t items,
                                        uint64_t local) const {
  backend::Launch launch;
  launch.kernel = made.get();
  launch.global[0] = items;
  launch.local[0] = local;
  return launch;
}

// `waves` times as many items as the device holds at once, but never more than there is work for.
// With `alone` no two items touch the same place in a pass.
MemoryPass KernelProbes::walk_over(uint64_t bytes, const Form& form, uint64_t waves,
                                   bool alone) const {
  const uint64_t vectors = bytes / form.vector_bytes();
  const uint64_t fours = std::max<uint64_t>(vectors / kVectorsPerRound, 1);
  MemoryPass walk;
  walk.local = local_;
  if (blocked_) {
    // A block per unit keeps what a unit works on in its own caches, unless the memory is meant:
    // then smaller blocks share the work better.
    walk.items = std::min(units_ * waves, fours);
  } else {
    walk.items = units_ * kItemsPerUnit * waves / local_ * local_;
    if (alone || waves > 1) walk.items = std::min(walk.items, fours / local_ * local_);
    walk.items = std::max(walk.items, local_);
  }
  walk.rounds = static_cast<uint32_t>(std::max<uint64_t>(fours / walk.items, 1));
  walk.mask = static_cast<uint32_t>(vectors - 1);
  walk.shift = static_cast<uint32_t>(kVectorsPerRound * local_ * 5);
  walk.bytes = static_cast<double>(walk.items) * walk.rounds * kVectorsPerRound *
               static_cast<double>(form.vector_bytes());
  return walk;
}

void KernelProbes::add_access(Limit* limit, const char* name, const Form& form,
                              uint64_t waves) const {
  const bool reads =
      limit->kind == NETCL_CEILING_MEMORY_READ || limit->kind == NETCL_CEILING_CACHE_READ;
  const bool copies =
      limit->kind == NETCL_CEILING_MEMORY_COPY || limit->kind == NETCL_CEILING_CACHE_COPY;
  const uint64_t all = limit->working_set != 0 ? limit->working_set : probes_.memory().bytes();
  const uint64_t bytes = copies ? all / 2 : all;
  const MemoryPass walk = walk_over(bytes, form, waves, !reads);
  // Reads have their sums written behind the part that is read, or into their own memory.
  const uint64_t result_bytes = walk.items * form.size;
  const backend::BufferRef sums =
      reads ? probes_.device().backend().allocate(result_bytes, backend::MemoryKind::device)
            : nullptr;
  const uint64_t behind = copies ? probes_.half_bytes() : 0;
  Way way;
  way.name =
      format("%s of %llu bytes, width %u, %llu items", name, static_cast<unsigned long long>(all),
             form.width, static_cast<unsigned long long>(walk.items));
  // Passes within one launch share a GPU's cache where more groups are to run than fit at once: the
  // first ones are passes ahead of the last.
  const bool one_each = limit->working_set == 0 && !blocked_;
  way.run = [=, this, name = std::string(name)](uint64_t passes) {
    const OpKernels::KernelPointer made = kernel(name.c_str(), form);
    const uint32_t count = one_each ? 1 : static_cast<uint32_t>(passes);
    std::vector<Argument> arguments;
    arguments.push_back(buffer_argument(probes_.memory(), 0));
    if (sums != nullptr) arguments.push_back(buffer_argument(*sums, 0));
    if (copies) arguments.push_back(buffer_argument(probes_.memory(), behind));
    for (const uint32_t* value : {&walk.mask, &walk.rounds, &count, &walk.shift}) {
      arguments.push_back(value_argument(*value));
    }
    backend::Launch launch = launch_of(made, walk.items, walk.local);
    launch.arguments = arguments;
    double ns = 0.0;
    for (uint64_t done = 0; done < passes; done += count) {
      ns += probes_.time_on_device([&](backend::Stream& stream, backend::EventRef* event) {
        stream.launch(launch, {}, event);
      });
    }
    const double moved = walk.bytes * (copies ? 2.0 : 1.0);
    return Timed{moved * static_cast<double>(passes), ns};
  };
  limit->ways.push_back(std::move(way));
}

Limit KernelProbes::access(netcl_ceiling_kind kind, uint64_t working_set) const {
  Limit limit{kind};
  limit.working_set = working_set;
  const bool memory = working_set == 0;
  limit.weight = memory ? 4.0 : 1.0;
  const bool reads = kind == NETCL_CEILING_MEMORY_READ || kind == NETCL_CEILING_CACHE_READ;
  const bool writes = kind == NETCL_CEILING_MEMORY_WRITE || kind == NETCL_CEILING_CACHE_WRITE;
  const char* const name = reads    ? "netcl_ceiling_read"
                           : writes ? "netcl_ceiling_write"
                                    : "netcl_ceiling_copy";
  const char* const past = writes ? "netcl_ceiling_write_past" : "netcl_ceiling_copy_past";
  const Form wide{"float", 4, blocked_ ? 16u : 4u, false, true};
  add_access(&limit, name, wide, 1);
  if (!memory) return limit;
  add_access(&limit, name, wide, 8);
  if (!blocked_) {
    add_access(&limit, name, wide, 32);
    add_access(&limit, name, {"float", 4, 1, false, true}, 8);
  }
  if (!reads && blocked_) add_access(&limit, past, wide, 8);
  if (kind == NETCL_CEILING_MEMORY_COPY) {
    limit.ways.push_back(
        {"the driver's copy", [this](uint64_t passes) {
           const uint64_t half = probes_.half_bytes();
           double ns = 0.0;
           for (uint64_t i = 0; i < passes; ++i) {
             ns += probes_.time_on_device([&](backend::Stream& stream, backend::EventRef* event) {
               stream.copy(probes_.memory(), 0, probes_.memory(), half, half, {}, event);
             });
           }
           return Timed{2.0 * static_cast<double>(half * passes), ns};
         }});
  }
  return limit;
}

Limit KernelProbes::compute(netcl_dtype dtype, std::initializer_list<Form> forms) const {
  constexpr double kPerRound = 2.0 * 10.0 * 8.0;  // operations per element, see the kernel
  Limit limit{NETCL_CEILING_COMPUTE};
  limit.dtype = dtype;
  limit.weight = 3.0;
  const uint64_t items = blocked_ ? units_ : units_ * kItemsPerUnit * 4 / local_ * local_;
  for (const Form& form : forms) {
    if (items * form.vector_bytes() > probes_.memory().bytes()) continue;
    Way way;
    way.name = format("multiply-adds of %s, width %u%s", form.type, form.width,
                      form.fused ? ", by fma()" : "");
    way.run = [this, form, items](uint64_t passes) {
      const OpKernels::KernelPointer made = kernel("netcl_ceiling_compute", form);
      const bool integer = form.type[0] == 'i';
      const float factor = integer ? 5.0f : -0.9995f;
      const float summand = integer ? 3.0f : 0.5f;
      const auto rounds = static_cast<uint32_t>(16 * passes);
      const Argument arguments[] = {buffer_argument(probes_.memory(), 0), value_argument(factor),
                                    value_argument(summand), value_argument(rounds)};
      backend::Launch launch = launch_of(made, items, local_);
      launch.arguments = arguments;
      const double ns =
          probes_.time_on_device([&](backend::Stream& stream, backend::EventRef* event) {
            stream.launch(launch, {}, event);
          });
      return Timed{kPerRound * form.width * rounds * static_cast<double>(items), ns};
    };
    limit.ways.push_back(std::move(way));
  }
  return limit;
}

// Inline PTX is NVIDIA's; its 16 x 8 x 16 products came with Ampere.
bool KernelProbes::has_mma() const {
  const Device& device = probes_.device();
  const ops::DeviceClass found = ops::device_class({device.info(), device.capabilities()});
  return found == ops::DeviceClass::ampere || found == ops::DeviceClass::hopper;
}

// `one` holds two values of 1.
Limit KernelProbes::tensor(netcl_dtype dtype, const char* type, uint32_t one) const {
  constexpr double kPerRound = 8.0 * 2.0 * 16.0 * 8.0 * 16.0 / 32.0;  // operations per item
  Limit limit{NETCL_CEILING_TENSOR};
  limit.dtype = dtype;
  limit.weight = 3.0;
  const uint64_t items = units_ * kItemsPerUnit / local_ * local_;
  Way way;
  way.name = format("products of matrices of %s", type);
  way.run = [this, type, one, items](uint64_t passes) {
    const OpKernels::KernelPointer made =
        OpKernels::of(probes_.device())
            .embedded("ceilings_mma.cl", format("-DMMA_TYPE=%s", type), "netcl_ceiling_mma");
    const auto rounds = static_cast<uint32_t>(16 * passes);
    const Argument arguments[] = {buffer_argument(probes_.memory(), 0), value_argument(one),
                                  value_argument(one), value_argument(rounds)};
    backend::Launch launch = launch_of(made, items, local_);
    launch.arguments = arguments;
    const double ns =
        probes_.time_on_device([&](backend::Stream& stream, backend::EventRef* event) {
          stream.launch(launch, {}, event);
        });
    return Timed{kPerRound * rounds * static_cast<double>(items), ns};
  };
  limit.ways.push_back(std::move(way));
  return limit;
}

std::vector<Limit> KernelProbes::limits() {
  const netcl_device_capabilities& caps = probes_.device().capabilities();
  std::vector<Limit> all;
  if (blocked_) {
    all.push_back(compute(NETCL_F32, {{"float", 4, 16}, {"float", 4, 8}}));
    if (caps.fp64 != 0) all.push_back(compute(NETCL_F64, {{"double", 8, 8}, {"double", 8, 4}}));
    if (caps.fp16 != 0) all.push_back(compute(NETCL_F16, {{"half", 2, 16}}));
    all.push_back(compute(NETCL_I32, {{"int", 4, 16}, {"int", 4, 8}}));
  } else {
    all.push_back(
        compute(NETCL_F32, {{"float", 4, 1}, {"float", 4, 1, true}, {"float", 4, 2, true}}));
    if (caps.fp64 != 0) all.push_back(compute(NETCL_F64, {{"double", 8, 1, true}}));
    // Half-precision units often work on pairs.
    if (caps.fp16 != 0) {
      all.push_back(
          compute(NETCL_F16, {{"half", 2, 2}, {"half", 2, 2, true}, {"half", 2, 4, true}}));
    }
    all.push_back(compute(NETCL_I32, {{"int", 4, 1}, {"int", 4, 2}}));
    if (has_mma()) {
      all.push_back(tensor(NETCL_F16, "f16", 0x3c003c00));
      all.push_back(tensor(NETCL_BF16, "bf16", 0x3f803f80));
    }
  }
  for (int i = 0; i < 3; ++i) all.push_back(access(NETCL_CEILING_MEMORY_READ + i, 0));
  for (const uint64_t bytes : kWorkingSets) {
    if (bytes > probes_.memory().bytes()) break;
    for (int i = 0; i < 3; ++i) all.push_back(access(NETCL_CEILING_CACHE_READ + i, bytes));
  }
  return all;
}

}  // namespace

std::vector<Limit> kernel_limits(ProbeDevice& probes) {
  // The ways refer to the object that made them.
  const auto maker = std::make_shared<KernelProbes>(probes);
  std::vector<Limit> limits = maker->limits();
  for (Limit& limit : limits) {
    for (Way& way : limit.ways) {
      way.run = [maker, run = std::move(way.run)](uint64_t passes) { return run(passes); };
    }
  }
  return limits;
}

}  // namespace netcl::roofline
