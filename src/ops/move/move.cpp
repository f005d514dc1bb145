#include "ops/move/move.hpp"

#include <cstring>

#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/copy_between.hpp"
#include "ops/move/transpose.hpp"

namespace netcl::ops {

namespace {

// True when the tensor covers one span of its memory without gaps, in whatever order.
bool covers_span(const Tensor& tensor) {
  const Span span = touched_span(tensor.layout());
  return span.last - span.first == tensor.element_count() && !may_overlap_itself(tensor.layout());
}

}  // namespace

Element make_element(const void* value, size_t size) {
  Element element{};
  if (value != nullptr) std::memcpy(element.data(), value, size);
  return element;
}

void copy_into(const Tensor& source, const Tensor& target, const Run& run) {
  if (target.empty()) return;
  if (&source.device() != &target.device()) return copy_between_devices(source, target, run);
  if (copy_by_tiles(source, target, run)) return;
  cast_into(source, target, run);
}

void copy_packed(const Tensor& source, const Tensor& target, const Run& run) {
  if (target.empty()) return;
  const Access accesses[] = {reading(source), writing(target)};
  run.enqueue(accesses, [&](backend::Stream& stream, backend::WaitList waits,
                            backend::EventRef* event) {
    stream.copy(*source.memory()->buffer, source.offset_bytes(), *target.memory()->buffer,
                target.offset_bytes(), target.byte_count(), waits, event);
  });
}

void cast_into(const Tensor& source, const Tensor& target, const Run& run) {
  const netcl_dtype dtype = source.dtype();
  const TypedExpressionRef typed =
      typed_expression(*ExpressionCache::instance().identity(), &dtype, 1, target.dtype());
  if (typed->tree.needs_f64 && run.device().capabilities().fp64 == 0) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "a conversion between %s and %s computes in f64, which device %s "
         "cannot",
         dtype_facts(source.dtype()).name, dtype_facts(target.dtype()).name,
         run.device().info().name);
  }
  const TensorRef input = std::make_shared<Tensor>(source);
  run_expression(*typed, {&input, 1}, target, NETCL_VARIANT_AUTO, run);
}

TensorRef copy(const Tensor& source, const TensorRef& into, const Run& run) {
  const Layout& layout = source.layout();
  const TensorRef result =
      result_tensor(into, layout.rank, layout.shape.data(), source.dtype(), run);
  copy_into(source, *result, run);
  return result;
}

TensorRef contiguous(const TensorRef& source, const TensorRef& into, const Run& run) {
  return source->layout().is_c_contiguous() ? source : copy(*source, into, run);
}

TensorRef cast(const Tensor& source, netcl_dtype dtype, const TensorRef& into, const Run& run) {
  dtype_facts(dtype);
  const Layout& layout = source.layout();
  const TensorRef result = result_tensor(into, layout.rank, layout.shape.data(), dtype, run);
  cast_into(source, *result, run);
  return result;
}

void fill(const Tensor& target, const void* value, const Run& run) {
  if (target.empty()) return;
  const size_t size = target.element_size();
  if (covers_span(target)) {
    const uint64_t first = static_cast<uint64_t>(touched_span(target.layout()).first) * size;
    const Access access = writing(target);
    run.enqueue({&access, 1}, [&](backend::Stream& stream, backend::WaitList waits,
                                  backend::EventRef* event) {
      stream.fill(*target.memory()->buffer, first, target.byte_count(), value, size, waits, event);
    });
    return;
  }
  // With gaps between the elements: one element, broadcast.
  const TensorRef one = new_tensor(target.dtype(), 0, nullptr, run);
  fill(*one, value, run.without_event());
  copy_into(*one, target, run);
}

TensorRef filled(const Element& value, const TensorRef& into, const Run& run) {
  fill(*into, value.data(), run);
  return into;
}

}  // namespace netcl::ops
