#include "graph/primitive_gradient.hpp"

#include <vector>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "graph/primitive_call.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/frame/result.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::graph {

namespace {

void check_result_shape(const Tensor& tensor, const Layout& shape, const char* argument) {
  if (tensor.layout().same_shape(shape)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; inputs broadcast to %s", argument,
       shape_text(tensor).c_str(), shape_text(shape).c_str());
}

// Sums `wide`, which has the broadcast shape, into `result`, which has the input's.
void sum_to(const Tensor& wide, const Tensor& result, const ops::Run& run) {
  const uint32_t more = wide.layout().rank - result.layout().rank;
  // The result with a dimension for each of the wide one.
  Layout kept = result.layout();
  kept.rank = wide.layout().rank;
  std::vector<int32_t> axes;
  for (uint32_t d = 0; d < kept.rank; ++d) {
    kept.shape[d] = d < more ? 1 : result.layout().shape[d - more];
    kept.strides[d] = d < more ? 0 : result.layout().strides[d - more];
    if (kept.shape[d] != wide.layout().shape[d]) axes.push_back(static_cast<int32_t>(d));
  }
  // Leading extents of 1 leave nothing to sum but one element; no axes would mean all of them.
  if (axes.empty()) axes.push_back(0);
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = axes;
  request.keepdims = true;
  request.dtype = result.dtype();
  const auto view = std::make_shared<Tensor>(result.buffer(), result.dtype(), kept);
  ops::reduce(wide, request, view, run);
}

}  // namespace

TensorRef primitive(const PrimitiveCall& call, std::span<const TensorRef> inputs,
                    const TensorRef& into, const ops::Run& run) {
  return ops::expression(call.tree(), inputs, 0, NETCL_VARIANT_AUTO, into, run);
}

TensorRef primitive_gradient(const expression::Tree& tree, std::span<const TensorRef> inputs,
                             uint32_t input, const TensorRef& grad, const TensorRef& out,
                             const TensorRef& into, const ops::Run& run) {
  const Tensor& x = *inputs[input];
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "inputs[%u] is %s; only inputs of float dtypes have gradients",
         input, dtype_facts(x.dtype()).name);
  }
  ops::require_device(*grad, run, "grad");
  if (out != nullptr) ops::require_device(*out, run, "out");
  const Layout shape = ops::broadcast_shape(inputs);
  check_result_shape(*grad, shape, "grad");
  if (out != nullptr) check_result_shape(*out, shape, "out");
  const TensorRef result =
      ops::result_tensor(into, x.layout().rank, x.layout().shape.data(), x.dtype(), run);
  std::vector<TensorRef> operands(inputs.begin(), inputs.end());
  operands.push_back(grad);
  if (out != nullptr) operands.push_back(out);
  if (x.layout().same_shape(shape)) {
    return ops::expression(tree, operands, 0, NETCL_VARIANT_AUTO, result, run);
  }
  // A gradient that is one of the tensors, such as that of a sum, needs no pass of its own.
  const expression::TreeNode& root = tree.nodes()[tree.root()];
  TensorRef wide = root.op == expression::Op::input ? operands[root.input] : nullptr;
  if (wide == nullptr || !wide->layout().same_shape(shape) || !is_float(wide->dtype()) ||
      ops::may_share(*wide, *result)) {
    const netcl_dtype dtype = x.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
    wide = ops::expression(tree, operands, dtype, NETCL_VARIANT_AUTO, nullptr, run.without_event());
  }
  sum_to(*wide, *result, run);
  return result;
}

}  // namespace netcl::graph
