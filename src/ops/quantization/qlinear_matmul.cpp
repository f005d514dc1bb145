#include "ops/elementwise/elementwise.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/quantization/qlinear.hpp"
#include "ops/quantization/quantize.hpp"

namespace netcl::ops {
namespace {

// A scale of a's rows or of b's columns as what broadcasts to the result: one element, a vector, or
// a stack of columns or rows whose other dimension is 1. The result of an a of rank 1 has no rows,
// that of a b of rank 1 no columns.
class ScaleOf {
 public:
  ScaleOf(const Tensor& a, const Tensor& b, const Layout& result)
      : drops_row_(a.layout().rank == 1), drops_column_(b.layout().rank == 1), result_(result) {}

  TensorRef rows(const Tensor& scale, const char* argument) const {
    return placed(scale, argument, true);
  }
  TensorRef columns(const Tensor& scale, const char* argument) const {
    return placed(scale, argument, false);
  }

 private:
  TensorRef placed(const Tensor& scale, const char* argument, bool of_rows) const {
    if (scale.element_count() == 1) return one_element(scale);
    Layout layout = scale.layout();
    const uint32_t along = layout.rank == 1 ? 0 : of_rows ? layout.rank - 2 : layout.rank - 1;
    const bool vector = layout.rank == 1;
    const uint32_t across = of_rows ? layout.rank - 1 : layout.rank - 2;
    // Without the dimension that it lies along, the result has room for a stack alone.
    const bool gone = of_rows ? drops_row_ : drops_column_;
    bool fits = layout.rank > 0 && (vector || layout.shape[across] == 1) &&
                !(gone && layout.shape[along] != 1);
    if (fits && vector && of_rows && !drops_column_) {
      layout.rank = 2;
      layout.shape[1] = 1;
      layout.strides[1] = 0;
    } else if (fits && !vector) {
      if (drops_column_) remove(&layout, layout.rank - 1);
      if (drops_row_) remove(&layout, layout.rank - (drops_column_ ? 1 : 2));
    }
    const uint32_t lead = result_.rank - layout.rank;
    fits = fits && layout.rank <= result_.rank;
    for (uint32_t d = 0; fits && d < layout.rank; ++d) {
      fits = layout.shape[d] == 1 || layout.shape[d] == result_.shape[lead + d];
    }
    if (!fits) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s has shape %s, which fits no %s of the result's %s: it takes one element, a vector, "
           "or [..., %s]",
           argument, shape_text(scale).c_str(), of_rows ? "rows" : "columns",
           shape_text(result_).c_str(), of_rows ? "M, 1" : "1, N");
    }
    return std::make_shared<Tensor>(scale.buffer(), scale.dtype(), layout);
  }

  static void remove(Layout* layout, uint32_t dimension) {
    for (uint32_t d = dimension; d + 1 < layout->rank; ++d) {
      layout->shape[d] = layout->shape[d + 1];
      layout->strides[d] = layout->strides[d + 1];
    }
    --layout->rank;
  }

  const bool drops_row_;
  const bool drops_column_;
  const Layout& result_;
};

void check_factor(const Tensor& factor, const Tensor& scale, const char* name,
                  const char* scale_name, const TensorRef& into, const Run& run) {
  if (!is_matmul_byte(factor.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "%s is %s; qlinear_matmul takes i8 and u8", name,
         dtype_facts(factor.dtype()).name);
  }
  require_device(factor, run, name);
  refuse_sharing(into, factor, name);
  require_scale_dtype(scale, scale_name);
  require_device(scale, run, scale_name);
  refuse_sharing(into, scale, scale_name);
}

}  // namespace

TensorRef qlinear_matmul(const TensorRef& a, const TensorRef& a_scale, const TensorRef& b,
                         const TensorRef& b_scale, const TensorRef& y_scale,
                         const QlinearMatmulSettings& settings, const TensorRef& into,
                         const Run& run) {
  check_factor(*a, *a_scale, "a", "a_scale", into, run);
  check_factor(*b, *b_scale, "b", "b_scale", into, run);
  check_result_scale(*y_scale, settings.y_zero_point, into, run);
  const netcl_dtype dtype = byte_result_dtype(settings.dtype, settings.y_zero_point,
                                              "options->y_zero_point", into, a->dtype());
  MatmulParameters parameters;
  parameters.a_zero_point = settings.a_zero_point;
  parameters.b_zero_point = settings.b_zero_point;
  const Layout shape = matmul_result(*a, *b, parameters, into, run);
  const ScaleOf scale(*a, *b, shape);
  RequantizeScales scales;
  scales.left = scale.rows(*a_scale, "a_scale");
  scales.right = scale.columns(*b_scale, "b_scale");
  scales.result = one_element(*y_scale);
  if (settings.y_zero_point != nullptr) scales.zero_point = one_element(*settings.y_zero_point);
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), dtype, run);
  if (result->empty()) return result;
  const Run declared = with_work(run, [&] {
    const int64_t k = a->layout().shape[a->layout().rank - 1];
    return work_of(
        "qlinear_matmul", NETCL_I32,
        2.0 * static_cast<double>(k) * static_cast<double>(result->element_count()),
        {a.get(), b.get(), a_scale.get(), b_scale.get(), y_scale.get(), settings.a_zero_point.get(),
         settings.b_zero_point.get(), settings.y_zero_point.get()},
        {result.get()});
  });
  const TensorRef sums = matmul(*a, *b, parameters, nullptr, declared.part());
  requantize(sums, scales, *result, last_of(declared));
  return result;
}

}  // namespace netcl::ops
