#include <algorithm>

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/quantization/integer_windows.hpp"
#include "ops/quantization/qlinear.hpp"
#include "ops/quantization/quantize.hpp"

namespace netcl::ops {
namespace {

Work convolution_work(const char* name, const IntegerConvolution& conv,
                      std::initializer_list<const Tensor*> read, const Tensor& result) {
  return work_of(
      name, NETCL_I32,
      2.0 * static_cast<double>(conv.depth()) * static_cast<double>(result.element_count()), read,
      {&result});
}

void check_scale(const Tensor& scale, const char* argument, const TensorRef& into, const Run& run) {
  require_scale_dtype(scale, argument);
  require_device(scale, run, argument);
  refuse_sharing(into, scale, argument);
}

void check_conv_bias(const TensorRef& bias, int64_t filters, const TensorRef& into,
                     const Run& run) {
  if (bias == nullptr) return;
  const char* const argument = "options->bias";
  require_device(*bias, run, argument);
  refuse_sharing(into, *bias, argument);
  if (bias->dtype() != NETCL_I32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; it is i32", argument,
         dtype_facts(bias->dtype()).name);
  }
  const Layout& layout = bias->layout();
  if (layout.rank == 1 && layout.shape[0] == filters) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; w has %lld filters, so it is [%lld]",
       argument, shape_text(layout).c_str(), static_cast<long long>(filters),
       static_cast<long long>(filters));
}

// One element for each filter as what broadcasts to [N, F, OH, OW].
TensorRef along_filters(const Tensor& tensor) {
  if (tensor.element_count() == 1) return one_element(tensor);
  const int64_t shape[3] = {tensor.layout().shape[0], 1, 1};
  return reshape_view(tensor, packed_layout(3, shape));
}

}  // namespace

TensorRef conv2d_integer(const TensorRef& x, const TensorRef& w,
                         const IntegerConv2dSettings& settings, const TensorRef& into,
                         const Run& run) {
  IntegerConvolution conv("conv2d_integer", x, w, settings, into, run);
  const TensorRef result = result_tensor(into, 4, conv.shape().data(), NETCL_I32, run);
  if (result->empty()) return result;
  const Run declared = with_work(run, [&] {
    return convolution_work(
        "conv2d_integer", conv,
        {x.get(), w.get(), settings.x_zero_point.get(), settings.w_zero_point.get()}, *result);
  });
  conv.prepare(declared.part());
  const int64_t images = conv.shape()[0];
  for (int64_t first = 0; first < images; first += conv.images()) {
    const int64_t count = std::min(conv.images(), images - first);
    conv.sums(first, nullptr, *images_of(*result, first, count),
              first + count < images ? declared.part() : last_of(declared));
  }
  return result;
}

TensorRef qlinear_conv2d(const TensorRef& x, const TensorRef& x_scale, const TensorRef& w,
                         const TensorRef& w_scale, const TensorRef& y_scale,
                         const QlinearConv2dSettings& settings, const TensorRef& into,
                         const Run& run) {
  IntegerConvolution conv("qlinear_conv2d", x, w, settings.conv, into, run);
  check_scale(*x_scale, "x_scale", into, run);
  require_one_element(*x_scale, "x_scale");
  check_scale(*w_scale, "w_scale", into, run);
  require_per_filter(*w_scale, "w_scale", conv.shape()[1]);
  check_result_scale(*y_scale, settings.y_zero_point, into, run);
  check_conv_bias(settings.bias, conv.shape()[1], into, run);
  const netcl_dtype dtype = byte_result_dtype(settings.dtype, settings.y_zero_point,
                                              "options->y_zero_point", into, x->dtype());
  const TensorRef result = result_tensor(into, 4, conv.shape().data(), dtype, run);
  if (result->empty()) return result;
  const Run declared = with_work(run, [&] {
    return convolution_work("qlinear_conv2d", conv,
                            {x.get(), w.get(), x_scale.get(), w_scale.get(), y_scale.get(),
                             settings.bias.get(), settings.conv.x_zero_point.get(),
                             settings.conv.w_zero_point.get(), settings.y_zero_point.get()},
                            *result);
  });
  RequantizeScales scales;
  scales.left = one_element(*x_scale);
  scales.right = along_filters(*w_scale);
  scales.result = one_element(*y_scale);
  if (settings.y_zero_point != nullptr) scales.zero_point = one_element(*settings.y_zero_point);
  const Run part = declared.part();
  conv.prepare(part);
  std::array<int64_t, 4> shape = conv.shape();
  shape[0] = conv.images();
  const TensorRef sums = new_tensor(NETCL_I32, 4, shape.data(), part);
  const int64_t images = conv.shape()[0];
  for (int64_t first = 0; first < images; first += conv.images()) {
    const int64_t count = std::min(conv.images(), images - first);
    const TensorRef some = images_of(*sums, 0, count);
    conv.sums(first, settings.bias, *some, part);
    requantize(some, scales, *images_of(*result, first, count),
               first + count < images ? part : last_of(declared));
  }
  return result;
}

}  // namespace netcl::ops
