#include "graph/recorded.hpp"

namespace netcl::graph {

TensorRef recorded_formula(const Caller& caller, const char* text,
                           std::span<const TensorRef> inputs, netcl_dtype dtype,
                           const TensorRef& into) {
  const auto tree = ops::ExpressionCache::instance().get(text);
  return recorded<ops::expression>(caller, "expression", into, *tree, inputs, dtype,
                                   netcl_variant{NETCL_VARIANT_AUTO});
}

TensorRef summed_to(const Caller& caller, const TensorRef& tensor, const Layout& shape,
                    netcl_dtype dtype) {
  const Layout& wide = tensor->layout();
  const uint32_t more = wide.rank - shape.rank;
  std::vector<int32_t> axes;
  for (uint32_t d = 0; d < wide.rank; ++d) {
    const int64_t extent = d < more ? 1 : shape.shape[d - more];
    if (extent != wide.shape[d]) axes.push_back(static_cast<int32_t>(d));
  }
  TensorRef sum = tensor;
  if (!axes.empty()) {
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_SUM;
    request.axes = axes;
    request.keepdims = true;
    request.dtype = dtype;
    sum = recorded<ops::reduce>(caller, "reduce", TensorRef(), *tensor, request);
  } else if (sum->dtype() != dtype) {
    sum = recorded<ops::cast>(caller, "cast", TensorRef(), *tensor, dtype);
  }
  Layout layout = shape;
  layout.offset = sum->layout().offset;
  for (uint32_t d = 0; d < shape.rank; ++d) layout.strides[d] = sum->layout().strides[d + more];
  return std::make_shared<Tensor>(sum->buffer(), dtype, layout);
}

}  // namespace netcl::graph
