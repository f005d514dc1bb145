#include "ops/rows/norm_parameter.hpp"

namespace netcl::ops {

NormParameter norm_parameter(const TensorRef& tensor, const Layout& x, uint32_t axis,
                             const char* argument) {
  if (tensor == nullptr) return {};
  return {tensor,
          broadcast_layout(tensor->layout(), x.rank - axis, x.shape.data() + axis, argument)};
}

netcl::cpu::RowNumbers NormParameter::numbers() const {
  netcl::cpu::RowNumbers numbers;
  if (tensor == nullptr) return numbers;
  numbers.dtype = tensor->dtype();
  numbers.layout = layout;
  return numbers;
}

PackedParameter packed(const NormParameter& parameter, int64_t count, const Run& run) {
  PackedParameter packed;
  if (parameter.tensor == nullptr) return packed;
  packed.memory = parameter.access();
  packed.offset = parameter.layout.offset;
  packed.dtype = parameter.tensor->dtype();
  if (parameter.layout.is_c_contiguous()) return packed;
  packed.owner = new_memory(static_cast<uint64_t>(count) * dtype_size(packed.dtype), run);
  Layout layout = parameter.layout;
  coalesce(&layout, 1);
  KernelCall call{"norm_pack.cl", "netcl_norm_pack",
                  format("-DX=%s", dtype_facts(packed.dtype).name)};
  call.global[0] = static_cast<uint64_t>(ceil_div(count, 64) * 64);
  call.local[0] = 64;
  Arguments arguments;
  arguments.memory(packed.memory);
  arguments.layout(layout);
  arguments.memory(writing(*packed.owner));
  arguments.scalar(count);
  enqueue_kernel(call, arguments, run.without_event());
  packed.memory = reading(*packed.owner);
  packed.offset = 0;
  return packed;
}

std::string PackedParameter::flags(const char* name) const {
  if (dtype == 0) return "";
  return format(" -D%s=%s", name, dtype_facts(dtype).name);
}

void PackedParameter::add_to(Arguments* list) const {
  if (dtype == 0) return;
  list->memory(memory);
  list->scalar(offset);
}

}  // namespace netcl::ops
