#include "ops/frame/result.hpp"

#include <algorithm>

#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

uint32_t checked_axis(int32_t axis, uint32_t rank, const char* argument) {
  const int64_t extent = rank;
  if (axis < -extent || axis >= extent) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %d; the tensor has rank %u", argument, axis, rank);
  }
  return static_cast<uint32_t>(axis < 0 ? axis + extent : axis);
}

TensorRef new_tensor(netcl_dtype dtype, const Layout& layout, const Run& run) {
  return Tensor::allocate(run.device(), dtype, layout,
                          [&](uint64_t bytes) { return new_memory(bytes, run); });
}

TensorRef new_tensor(netcl_dtype dtype, uint32_t rank, const int64_t* shape, const Run& run) {
  return new_tensor(dtype, make_layout(rank, shape, nullptr, dtype_size(dtype)), run);
}

TensorRef result_tensor(const TensorRef& into, uint32_t rank, const int64_t* shape,
                        netcl_dtype dtype, const Run& run) {
  if (into == nullptr) return new_tensor(dtype, rank, shape, run);
  const Layout wanted = make_layout(rank, shape, nullptr, dtype_size(dtype));
  if (!into->layout().same_shape(wanted)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape %s; the result has %s",
         shape_text(*into).c_str(), shape_text(rank, shape).c_str());
  }
  if (into->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into is %s; the result is %s",
         dtype_facts(into->dtype()).name, dtype_facts(dtype).name);
  }
  return into;
}

bool may_share(const Tensor& a, const Tensor& b) {
  if (a.memory() == nullptr || b.memory() == nullptr || !a.memory()->may_be(*b.memory())) {
    return false;
  }
  // Two wraps of one memory: where each lies in it is not known.
  if (a.memory() != b.memory()) return true;
  const Span left = touched_span(a.layout());
  const Span right = touched_span(b.layout());
  const auto scaled = [](const Tensor& tensor, int64_t index) {
    return index * static_cast<int64_t>(tensor.element_size());
  };
  return scaled(a, left.first) < scaled(b, right.last) &&
         scaled(b, right.first) < scaled(a, left.last);
}

bool same_elements(const Tensor& a, const Tensor& b) {
  return a.memory() == b.memory() && a.dtype() == b.dtype() &&
         a.layout().offset == b.layout().offset && a.layout().same_shape(b.layout()) &&
         std::equal(a.layout().strides.begin(), a.layout().strides.begin() + a.layout().rank,
                    b.layout().strides.begin());
}

void refuse_sharing(const TensorRef& into, const Tensor& input, const char* argument,
                    bool in_place) {
  if (into == nullptr || !may_share(*into, input)) return;
  if (in_place && same_elements(*into, input)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into shares its memory with %s%s", argument,
       in_place ? " and is not the same elements" : "");
}

void require_device(const Tensor& tensor, const Run& run, const char* argument) {
  // Memory that there is not yet is for calls that are recorded, which a sink does.
  if (run.sink == nullptr && tensor.buffer()->planned()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s is a value of a graph that is a capture; it has no content outside of that: give each "
         "op of the graph's function call->run",
         argument);
  }
  if (&tensor.device() == &run.device()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s lives on device %s; the op runs on %s", argument,
       tensor.device().text().c_str(), run.device().text().c_str());
}

void require_f64(const Run& run, netcl_dtype dtype, const char* argument) {
  if (dtype != NETCL_F64 || run.device().capabilities().fp64 != 0) return;
  fail(NETCL_ERROR_UNSUPPORTED, "%s is f64; device %s cannot compute in f64", argument,
       run.device().info().name);
}

}  // namespace netcl::ops
