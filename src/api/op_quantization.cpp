#include "api/call_op.hpp"
#include "ops/quantization/dynamic_quantize.hpp"
#include "ops/quantization/qlinear.hpp"
#include "ops/quantization/quantize.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// What both convolutions have in common.
template <class Options>
ops::IntegerConv2dSettings read_convolution(const Options& options) {
  ops::IntegerConv2dSettings settings;
  settings.x_zero_point = optional_tensor(options.x_zero_point, "options->x_zero_point");
  settings.w_zero_point = optional_tensor(options.w_zero_point, "options->w_zero_point");
  for (int i = 0; i < 2; ++i) {
    if (options.strides[i] != 0) settings.strides[i] = options.strides[i];
    if (options.dilations[i] != 0) settings.dilations[i] = options.dilations[i];
  }
  for (int i = 0; i < 4; ++i) settings.padding[i] = options.padding[i];
  if (options.groups != 0) settings.groups = options.groups;
  return settings;
}

// Where the scalars of a dynamic quantisation go, which no other output may be.
void check_outputs(netcl_tensor** result, netcl_tensor** scale, netcl_tensor** zero_point) {
  const auto same = [](netcl_tensor** a, netcl_tensor** b) { return a != nullptr && a == b; };
  if (same(result, scale)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "result and scale are the same address");
  }
  if (same(result, zero_point) || same(scale, zero_point)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s and zero_point are the same address",
         same(result, zero_point) ? "result" : "scale");
  }
}

// All handles are made before any output is written.
void give_outputs(ResolvedRun& resolved, ops::DynamicQuantizeResult made, netcl_tensor** result,
                  netcl_tensor** scale, netcl_tensor** zero_point) {
  netcl_tensor* scales = nullptr;
  netcl_tensor* zeros = nullptr;
  try {
    if (scale != nullptr) scales = make_handle<netcl_tensor>(std::move(made.scale));
    if (zero_point != nullptr) zeros = make_handle<netcl_tensor>(std::move(made.zero_point));
    give_result(resolved, std::move(made.result), result);
  } catch (...) {
    release_handle(scales);
    release_handle(zeros);
    throw;
  }
  if (scale != nullptr) *scale = scales;
  if (zero_point != nullptr) *zero_point = zeros;
}

}  // namespace

extern "C" {

netcl_status netcl_op_quantize_linear(netcl_tensor* x, netcl_tensor* scale, int32_t axis,
                                      const netcl_quantize_linear_options* options,
                                      const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef input = pin(x, "x").shared();
    const TensorRef scales = pin(scale, "scale").shared();
    const netcl_quantize_linear_options checked = read_options(options, "options");
    const ops::QuantizeSettings settings{optional_tensor(checked.zero_point, "options->zero_point"),
                                         checked.block_size, checked.dtype, checked.precision};
    call_op<ops::quantize_linear>("quantize_linear", run, result, input, scales, axis, settings);
  });
}

netcl_status netcl_op_dequantize_linear(netcl_tensor* x, netcl_tensor* scale, int32_t axis,
                                        const netcl_dequantize_linear_options* options,
                                        const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef input = pin(x, "x").shared();
    const TensorRef scales = pin(scale, "scale").shared();
    const netcl_dequantize_linear_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    const ops::DequantizeSettings settings{
        optional_tensor(checked.zero_point, "options->zero_point"), checked.block_size,
        checked.dtype};
    call_op<ops::dequantize_linear>("dequantize_linear", run, result, input, scales, axis,
                                    settings);
  });
}

netcl_status netcl_op_dynamic_quantize_linear(netcl_tensor* x,
                                              const netcl_dynamic_quantize_linear_options* options,
                                              const netcl_run_options* run, netcl_tensor** result,
                                              netcl_tensor** scale, netcl_tensor** zero_point) {
  return guarded([&] {
    const TensorRef input = pin(x, "x").shared();
    const netcl_dynamic_quantize_linear_options checked = read_options(options, "options");
    require_result(run, result);
    check_outputs(result, scale, zero_point);
    ops::DynamicQuantizeResult into;
    into.scale = optional_tensor(checked.scale_into, "options->scale_into");
    into.zero_point = optional_tensor(checked.zero_point_into, "options->zero_point_into");
    ResolvedRun resolved(run, input->device());
    into.result = resolved.into();
    ops::DynamicQuantizeResult made = call_into<ops::dynamic_quantize_linear>(
        resolved, "dynamic_quantize_linear", into, input, scale != nullptr, zero_point != nullptr);
    give_outputs(resolved, std::move(made), result, scale, zero_point);
  });
}

netcl_status netcl_op_qlinear_matmul(netcl_tensor* a, netcl_tensor* a_scale, netcl_tensor* b,
                                     netcl_tensor* b_scale, netcl_tensor* y_scale,
                                     const netcl_qlinear_matmul_options* options,
                                     const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef left = pin(a, "a").shared();
    const TensorRef left_scale = pin(a_scale, "a_scale").shared();
    const TensorRef right = pin(b, "b").shared();
    const TensorRef right_scale = pin(b_scale, "b_scale").shared();
    const TensorRef result_scale = pin(y_scale, "y_scale").shared();
    const netcl_qlinear_matmul_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    const ops::QlinearMatmulSettings settings{
        optional_tensor(checked.a_zero_point, "options->a_zero_point"),
        optional_tensor(checked.b_zero_point, "options->b_zero_point"),
        optional_tensor(checked.y_zero_point, "options->y_zero_point"), checked.dtype};
    call_op<ops::qlinear_matmul>("qlinear_matmul", run, result, left, left_scale, right,
                                 right_scale, result_scale, settings);
  });
}

netcl_status netcl_op_conv2d_integer(netcl_tensor* x, netcl_tensor* w,
                                     const netcl_conv2d_integer_options* options,
                                     const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef image = pin(x, "x").shared();
    const TensorRef kernel = pin(w, "w").shared();
    const netcl_conv2d_integer_options checked = read_options(options, "options");
    call_op<ops::conv2d_integer>("conv2d_integer", run, result, image, kernel,
                                 read_convolution(checked));
  });
}

netcl_status netcl_op_qlinear_conv2d(netcl_tensor* x, netcl_tensor* x_scale, netcl_tensor* w,
                                     netcl_tensor* w_scale, netcl_tensor* y_scale,
                                     const netcl_qlinear_conv2d_options* options,
                                     const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef image = pin(x, "x").shared();
    const TensorRef image_scale = pin(x_scale, "x_scale").shared();
    const TensorRef kernel = pin(w, "w").shared();
    const TensorRef kernel_scale = pin(w_scale, "w_scale").shared();
    const TensorRef result_scale = pin(y_scale, "y_scale").shared();
    const netcl_qlinear_conv2d_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    const ops::QlinearConv2dSettings settings{
        read_convolution(checked), optional_tensor(checked.y_zero_point, "options->y_zero_point"),
        optional_tensor(checked.bias, "options->bias"), checked.dtype};
    call_op<ops::qlinear_conv2d>("qlinear_conv2d", run, result, image, image_scale, kernel,
                                 kernel_scale, result_scale, settings);
  });
}

}  // extern "C"
