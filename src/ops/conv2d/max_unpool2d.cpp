#include "ops/conv2d/max_unpool2d.hpp"

#include "core/number.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/move/scatter.hpp"

namespace netcl::ops {

namespace {

int64_t checked_extent(int64_t value, const char* argument) {
  if (value >= 0 && value <= INT32_MAX) return value;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is 0 to %lld", argument,
       static_cast<long long>(value), static_cast<long long>(INT32_MAX));
}

void check_operands(const Tensor& x, const Tensor& indices) {
  if (x.layout().rank != 4) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has rank %u; max_unpool2d takes [N, C, OH, OW]",
         x.layout().rank);
  }
  if (indices.dtype() != NETCL_I64 && indices.dtype() != NETCL_I32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "indices is %s; indices are i64 or i32",
         dtype_facts(indices.dtype()).name);
  }
  if (!indices.layout().same_shape(x.layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "indices has shape %s; x has %s",
         shape_text(indices).c_str(), shape_text(x).c_str());
  }
}

TensorRef as_list(const Tensor& packed) {
  const int64_t count = packed.element_count();
  return reshape_view(packed, packed_layout(1, &count));
}

}  // namespace

std::string unpool_text(int64_t height, int64_t width, bool column_major) {
  // Beyond all elements that there can be.
  const std::string none = number_text(int64_t{1} << 58);
  const std::string index = "i64(v0)";
  if (!column_major) return index + " < 0 ? " + none + " : " + index;
  const std::string high = number_text(height), wide = number_text(width);
  const std::string area = number_text(height * width);
  const std::string within = "(" + index + " % " + area + ")";
  return index + " < 0 ? " + none + " : " + index + " - " + within + " + " + within + " % " + high +
         " * " + wide + " + " + within + " / " + high;
}

TensorRef max_unpool2d(const TensorRef& x, const TensorRef& indices, int64_t height, int64_t width,
                       bool column_major, const TensorRef& into, const Run& run) {
  check_operands(*x, *indices);
  const Layout& layout = x->layout();
  const int64_t shape[4] = {layout.shape[0], layout.shape[1], checked_extent(height, "height"),
                            checked_extent(width, "width")};
  require_device(*x, run, "x");
  require_device(*indices, run, "indices");
  refuse_sharing(into, *x, "x");
  refuse_sharing(into, *indices, "indices");
  const TensorRef result = result_tensor(into, 4, shape, x->dtype(), run);
  if (result->empty()) return result;
  const Element zero{};
  if (x->empty()) {
    fill(*result, zero.data(), run);
    return result;
  }
  const Run declared = with_work(run, [&] {
    return work_of("max_unpool2d", x->dtype(), 0.0, {x.get(), indices.get()}, {result.get()});
  });
  const bool packed = result->layout().is_c_contiguous();
  const TensorRef target = packed ? result : new_tensor(x->dtype(), 4, shape, run);
  const TensorRef places = new_tensor(NETCL_I64, 4, layout.shape.data(), run);
  const std::string text = unpool_text(height, width, column_major);
  expression(*ExpressionCache::instance().get(text.c_str()), {&indices, 1}, NETCL_I64,
             NETCL_VARIANT_AUTO, places, declared.part());
  const TensorRef values = contiguous(x, nullptr, declared.part());
  // Drivers' fills are recorded as what they are: of the zeros one element is filled.
  const TensorRef one = new_tensor(x->dtype(), 0, nullptr, run);
  fill(*one, zero.data(), declared.part());
  Run last = declared;
  last.declared = true;
  const TensorRef list = as_list(*target);
  scatter(broadcast(*one, 1, list->layout().shape.data()), *as_list(*places), *as_list(*values), 0,
          NETCL_SCATTER_ASSIGN, false, list, packed ? last : declared.part());
  if (!packed) copy_into(*target, *result, last);
  return result;
}

}  // namespace netcl::ops
