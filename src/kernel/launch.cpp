#include "kernel/launch.hpp"

#include <algorithm>
#include <cstring>

#include "core/integer.hpp"
#include "core/small_array.hpp"

namespace netcl {

namespace {

// CL_DEVICE_MAX_PARAMETER_SIZE is 1 KiB to 32 KiB on the devices seen; what a device does not take
// it refuses itself, but drivers copy any size first.
constexpr uint32_t kArgumentBytesMax = 65536;

void check_global(const Device& device, const uint64_t* global, uint32_t count) {
  if (count < 1 || count > NETCL_LAUNCH_RANK_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "global_count is %u; a launch has 1 to %d dimensions", count,
         NETCL_LAUNCH_RANK_MAX);
  }
  if (global == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "global is NULL");
  uint64_t items = 1;
  for (uint32_t d = 0; d < count; ++d) {
    if (global[d] == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "global[%u] is 0; a launch needs at least one work item",
           d);
    }
    if (__builtin_mul_overflow(items, global[d], &items)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "global[%u] is %llu; the work items exceed 2^64 on %s", d,
           static_cast<unsigned long long>(global[d]), device.info().name);
    }
  }
}

// NVIDIA's driver was seen to cut global offsets to 32 bits and to run the kernel all the same.
void check_offset(const Device& device, const WorkSize& size) {
  if (std::strstr(device.info().vendor, "NVIDIA") == nullptr) return;
  for (uint32_t d = 0; d < size.rank; ++d) {
    if (size.offset[d] <= UINT32_MAX) continue;
    fail(NETCL_ERROR_UNSUPPORTED,
         "options->offset[%u] is %llu; the driver of %s takes offsets of 32 bits", d,
         static_cast<unsigned long long>(size.offset[d]), device.info().name);
  }
}

// A size that the caller gave, in the call or in the specification, or that the source requires.
void use_given_local(const Kernel& kernel, const uint64_t* local, const char* name, bool round_up,
                     WorkSize* size) {
  const netcl_device_capabilities& caps = kernel.device().capabilities();
  uint64_t items = 1;
  for (uint32_t d = 0; d < size->rank; ++d) {
    if (local[d] == 0 || local[d] > caps.max_work_item_sizes[d] ||
        __builtin_mul_overflow(items, local[d], &items)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%u] is %llu; the device takes 1 to %llu", name, d,
           static_cast<unsigned long long>(local[d]),
           static_cast<unsigned long long>(caps.max_work_item_sizes[d]));
    }
    size->local[d] = local[d];
    if (size->global[d] % local[d] == 0) continue;
    if (!round_up) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%u] is %llu, which does not divide global[%u] = %llu",
           name, d, static_cast<unsigned long long>(local[d]), d,
           static_cast<unsigned long long>(size->global[d]));
    }
    if (__builtin_add_overflow(size->global[d], local[d] - size->global[d] % local[d],
                               &size->global[d])) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "global[%u] rounded up to %s[%u] = %llu exceeds 2^64", d,
           name, d, static_cast<unsigned long long>(local[d]));
    }
  }
  if (items > kernel.facts().max_local_size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has %llu items; kernel %s runs with at most %llu here",
         name, static_cast<unsigned long long>(items), kernel.spec().name.c_str(),
         static_cast<unsigned long long>(kernel.facts().max_local_size));
  }
  const uint64_t* required = kernel.facts().required_local;
  if (required[0] != 0 && !std::equal(required, required + size->rank, local)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; kernel %s is compiled for exactly %s", name,
         shape_text(size->rank, reinterpret_cast<const int64_t*>(local)).c_str(),
         kernel.spec().name.c_str(),
         shape_text(size->rank, reinterpret_cast<const int64_t*>(required)).c_str());
  }
}

// True when elements of a dtype are what a parameter of another takes by custom: OpenCL C has no
// bool in memory, and the two half formats are stored as ushort.
bool stored_as(netcl_dtype dtype, netcl_dtype parameter) {
  return dtype == parameter ||
         (dtype == NETCL_BOOL && (parameter == NETCL_I8 || parameter == NETCL_U8)) ||
         ((dtype == NETCL_F16 || dtype == NETCL_BF16) && parameter == NETCL_U16);
}

void check_dtype(const Kernel& kernel, size_t index, const LaunchArgument& argument,
                 const backend::Parameter& parameter) {
  const netcl_arg& arg = *argument.arg;
  const bool is_tensor = argument.tensor != nullptr;
  const netcl_dtype dtype = is_tensor ? argument.tensor->dtype() : arg.dtype;
  if (dtype == 0 || parameter.dtype == 0 || arg.reinterpret != 0) return;
  if (stored_as(dtype, parameter.dtype)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "args[%zu].%s is %s; parameter %s %s of kernel %s has elements of %s: give it a %s of that "
       "dtype, or set args[%zu].reinterpret to 1 where the bytes are meant to be seen so",
       index, is_tensor ? "tensor" : "dtype", dtype_facts(dtype).name, parameter.type_name.c_str(),
       parameter.name.c_str(), kernel.spec().name.c_str(), dtype_facts(parameter.dtype).name,
       is_tensor ? "tensor" : "scalar", index);
}

// What an argument is in words; a number of no kind is refused later.
const char* kind_text(netcl_arg_kind kind) {
  switch (kind) {
    case NETCL_ARG_TENSOR:
    case NETCL_ARG_TENSOR_READ_ONLY:
      return ", a tensor";
    case NETCL_ARG_SCALAR:
      return ", a number or a struct";
    case NETCL_ARG_DATA:
      return ", data of the host";
    case NETCL_ARG_LOCAL:
      return ", local memory";
    case NETCL_ARG_NULL:
      return ", a NULL buffer";
    default:
      return "";
  }
}

// The dtype of a number of another size, where it is known.
std::string dtype_text(const netcl_arg& arg, const backend::Parameter& parameter) {
  const DtypeFacts* const facts =
      arg.kind == NETCL_ARG_SCALAR ? dtype_facts_or_null(arg.dtype) : nullptr;
  if (facts == nullptr) return "";
  const bool literal = arg.dtype == NETCL_F64 && parameter.type_name == "float";
  return format("; the number is of %s%s", facts->name,
                literal ? ", as 1.0 is, and 1.0f is of f32" : "");
}

void check_argument(const Kernel& kernel, size_t index, const netcl_arg& arg,
                    const backend::Parameter& parameter) {
  const bool wants_buffer = parameter.is_buffer;
  const char* expected = wants_buffer         ? "a tensor"
                         : parameter.is_local ? "local memory (NETCL_ARG_LOCAL)"
                                              : "a scalar";
  bool fits = false;
  switch (arg.kind) {
    case NETCL_ARG_TENSOR:
    case NETCL_ARG_TENSOR_READ_ONLY:
    case NETCL_ARG_NULL:
      fits = wants_buffer;
      break;
    case NETCL_ARG_LOCAL:
      fits = parameter.is_local;
      break;
    default:
      fits = !wants_buffer && !parameter.is_local;
  }
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "args[%zu].kind is %d%s; parameter %s %s of kernel %s needs %s", index, arg.kind,
         kind_text(arg.kind), parameter.type_name.c_str(), parameter.name.c_str(),
         kernel.spec().name.c_str(), expected);
  }
  const bool is_scalar = arg.kind == NETCL_ARG_SCALAR || arg.kind == NETCL_ARG_DATA;
  if (is_scalar && parameter.size != 0 && parameter.size != arg.size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "args[%zu].size is %u; parameter %s %s of kernel %s has %u bytes%s", index, arg.size,
         parameter.type_name.c_str(), parameter.name.c_str(), kernel.spec().name.c_str(),
         parameter.size, dtype_text(arg, parameter).c_str());
  }
}

void check_parameter(const Kernel& kernel, size_t index, const LaunchArgument& argument) {
  const backend::Parameter& parameter = kernel.facts().parameters[index];
  check_argument(kernel, index, *argument.arg, parameter);
  check_dtype(kernel, index, argument, parameter);
}

backend::KernelArgument tensor_argument(const Kernel& kernel, size_t index, const Tensor& tensor) {
  if (&tensor.device() != &kernel.device()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%zu].tensor lives on device %s; the kernel on %s",
         index, tensor.device().text().c_str(), kernel.device().text().c_str());
  }
  backend::KernelArgument out;
  if (tensor.memory() == nullptr || tensor.empty()) return out;
  out.kind = backend::KernelArgument::Kind::buffer;
  out.buffer = tensor.memory()->buffer.get();
  out.offset_bytes =
      static_cast<uint64_t>(touched_span(tensor.layout()).first) * tensor.element_size();
  const uint64_t align = kernel.device().capabilities().mem_base_align_bytes;
  if (out.offset_bytes % align != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "args[%zu].tensor begins %llu bytes into its memory; device %s addresses multiples of "
         "%llu: "
         "pass the whole tensor and an index, or netcl_op_contiguous",
         index, static_cast<unsigned long long>(out.offset_bytes), kernel.device().info().name,
         static_cast<unsigned long long>(align));
  }
  return out;
}

backend::KernelArgument plain_argument(const Kernel& kernel, size_t index, const netcl_arg& arg) {
  backend::KernelArgument out;
  out.kind = backend::KernelArgument::Kind::bytes;
  out.size = arg.size;
  switch (arg.kind) {
    case NETCL_ARG_SCALAR:
      if (arg.size == 0 || arg.size > sizeof arg.value) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%zu].size is %u; a scalar has 1 to %zu bytes",
             index, arg.size, sizeof arg.value);
      }
      out.data = arg.value;
      return out;
    case NETCL_ARG_DATA:
      if (arg.size == 0 || arg.data == nullptr) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%zu].data is %p with %u bytes", index, arg.data,
             arg.size);
      }
      if (arg.size > kArgumentBytesMax) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%zu].size is %u; an argument has at most %u bytes",
             index, arg.size, kArgumentBytesMax);
      }
      out.data = arg.data;
      return out;
    case NETCL_ARG_LOCAL: {
      const uint64_t most = kernel.device().capabilities().local_memory_bytes;
      if (arg.size == 0 || arg.size > most) {
        fail(NETCL_ERROR_INVALID_ARGUMENT,
             "args[%zu].size is %u; local memory takes 1 to %llu bytes", index, arg.size,
             static_cast<unsigned long long>(most));
      }
      out.kind = backend::KernelArgument::Kind::local;
      return out;
    }
    case NETCL_ARG_NULL:
      out.kind = backend::KernelArgument::Kind::null;
      return out;
    default:
      fail(NETCL_ERROR_INVALID_ARGUMENT, "args[%zu].kind is %d, which is no netcl_arg_kind", index,
           arg.kind);
  }
}

}  // namespace

void suggest_local_size(const Device& device, uint64_t largest, uint32_t rank,
                        const uint64_t* global, uint64_t* local) {
  const netcl_device_capabilities& caps = device.capabilities();
  const bool cpu = device.info().type == NETCL_DEVICE_CPU;
  const uint64_t most = cpu && rank > 1 ? 256 : 64;
  const uint64_t items = std::min<uint64_t>({most, largest, caps.max_work_group_size});
  const uint64_t width = std::min<uint64_t>(std::max<uint32_t>(caps.subgroup_size, 1), items);
  uint64_t wanted[3] = {std::min<uint64_t>(items, 64), 1, 1};
  if (cpu) {
    wanted[1] = 4;
  } else if (rank == 2) {
    wanted[0] = std::max<uint64_t>(width, 8);
    wanted[1] = std::max<uint64_t>(items / wanted[0], 1);
  } else if (rank == 3) {
    wanted[0] = wanted[1] = wanted[2] = 4;
  }
  uint64_t left = items;
  for (uint32_t d = 0; d < rank; ++d) {
    local[d] = std::max<uint64_t>(std::min({wanted[d], left, caps.max_work_item_sizes[d]}), 1);
    // A group wider than the work would only hold idle items.
    while (local[d] > 1 && local[d] / 2 >= global[d]) local[d] /= 2;
    left /= local[d];
  }
}

WorkSize make_work_size(const Kernel& kernel, const uint64_t* global, uint32_t global_count,
                        const uint64_t* local, uint32_t local_count,
                        const netcl_launch_options& options) {
  check_global(kernel.device(), global, global_count);
  WorkSize size;
  size.rank = global_count;
  std::copy(global, global + global_count, size.global);
  std::copy(options.offset, options.offset + global_count, size.offset);
  check_offset(kernel.device(), size);
  for (uint32_t d = global_count; d < NETCL_LAUNCH_RANK_MAX; ++d) {
    if (options.offset[d] == 0) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->offset[%u] is %llu while global_count is %u; there is no such dimension", d,
         static_cast<unsigned long long>(options.offset[d]), global_count);
  }
  if (local == nullptr && local_count != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "local is NULL while local_count is %u", local_count);
  }
  if (local != nullptr) {
    if (local_count != global_count) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "local_count is %u; global_count is %u and both must agree", local_count, global_count);
    }
    use_given_local(kernel, local, "local", options.round_up != 0, &size);
    return size;
  }
  const uint64_t* required = kernel.facts().required_local;
  if (required[0] != 0) {
    use_given_local(kernel, required, "reqd_work_group_size", options.round_up != 0, &size);
    return size;
  }
  const uint64_t* own = kernel.spec().local_size;
  if (own[0] != 0) {
    uint64_t padded[3] = {own[0], std::max<uint64_t>(own[1], 1), std::max<uint64_t>(own[2], 1)};
    for (uint32_t d = global_count; d < 3; ++d) {
      if (padded[d] == 1) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "global_count is %u while the specification's local_size[%u] is %llu", global_count, d,
           static_cast<unsigned long long>(padded[d]));
    }
    use_given_local(kernel, padded, "the specification's local_size", options.round_up != 0, &size);
    return size;
  }
  suggest_local_size(kernel.device(), kernel.facts().max_local_size, size.rank,
                     size.global, size.local);
  for (uint32_t d = 0; d < size.rank; ++d) {
    size.local[d] = largest_divisor_up_to(size.global[d], size.local[d]);
  }
  return size;
}

void check_argument_count(const Kernel& kernel, size_t count) {
  if (!kernel.built()) return;
  const size_t wanted = kernel.facts().parameters.size();
  if (count == wanted) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "args_count is %zu; kernel %s has %zu parameters", count,
       kernel.spec().name.c_str(), wanted);
}

void check_launch_arguments(const Kernel& kernel, std::span<const LaunchArgument> arguments) {
  check_argument_count(kernel, arguments.size());
  const bool known = kernel.built() && kernel.facts().parameters_known;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const netcl_arg& arg = *arguments[i].arg;
    const bool is_tensor = arg.kind == NETCL_ARG_TENSOR || arg.kind == NETCL_ARG_TENSOR_READ_ONLY;
    if (!is_tensor) (void)plain_argument(kernel, i, arg);
    if (known) check_parameter(kernel, i, arguments[i]);
  }
}

bool launch_arguments_fit(const Kernel& kernel, std::span<const LaunchArgument> arguments) {
  try {
    check_launch_arguments(kernel, arguments);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void launch_kernel(Kernel& kernel, const WorkSize& size, std::span<const LaunchArgument> arguments,
                   EnqueueLaunch enqueue) {
  const backend::KernelFacts& facts = kernel.facts();
  check_argument_count(kernel, arguments.size());
  SmallArray<backend::KernelArgument, 12> resolved(arguments.size());
  SmallArray<Access, 12> accesses(arguments.size());
  size_t access_count = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const netcl_arg& arg = *arguments[i].arg;
    const bool is_tensor = arg.kind == NETCL_ARG_TENSOR || arg.kind == NETCL_ARG_TENSOR_READ_ONLY;
    if (!is_tensor) resolved[i] = plain_argument(kernel, i, arg);
    if (facts.parameters_known) check_parameter(kernel, i, arguments[i]);
    if (!is_tensor) continue;
    resolved[i] = tensor_argument(kernel, i, *arguments[i].tensor);
    if (resolved[i].buffer == nullptr) continue;
    const bool reads_only = arg.kind == NETCL_ARG_TENSOR_READ_ONLY ||
                            (facts.parameters_known && facts.parameters[i].is_const);
    accesses[access_count++] = {arguments[i].tensor->memory(), !reads_only};
  }
  backend::Launch launch;
  launch.kernel = &kernel.backend_kernel();
  launch.rank = size.rank;
  std::copy(size.global, size.global + 3, launch.global);
  std::copy(size.local, size.local + 3, launch.local);
  std::copy(size.offset, size.offset + 3, launch.offset);
  launch.arguments = {resolved.data(), arguments.size()};
  enqueue({accesses.data(), access_count},
          [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
            stream.launch(launch, waits, event);
          });
}

void launch_kernel(Kernel& kernel, Queue& queue, const WorkSize& size,
                   std::span<const LaunchArgument> arguments, backend::WaitList waits,
                   backend::EventRef* event, const Work& work) {
  launch_kernel(kernel, size, arguments,
                [&](std::span<const Access> accesses, Queue::Submit submit) {
                  queue.enqueue({accesses, waits, event, work}, submit);
                });
}

}  // namespace netcl
