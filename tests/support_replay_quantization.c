/* The calls of test_replay_options.c that quantise: the member at an offset of the options has one
 * of two values, all others what suits it. */
#include "support_replay_options.h"

/* For FIRST nothing, else the tensor. */
#define UNLESS_FIRST(tensor) (which == FIRST ? NULL : (tensor))
#define IS(type, member) (at == offsetof(type, member))

static netcl_tensor* as_bytes(netcl_tensor* x, const char* text) {
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  options.dtype = NETCL_I8;
  OK(netcl_op_expression_text(text, &x, 1, &options, NULL, &made));
  return made;
}

static netcl_tensor* filled(const Set* s, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                            double value) {
  netcl_device* device = NULL;
  netcl_tensor* made = NULL;
  unsigned char bytes[8];
  OK(netcl_tensor_get_device(s->square, &device));
  store_double(dtype, bytes, 0, value);
  OK(netcl_tensor_create_full(device, dtype, rank, shape, NULL, bytes, NULL, &made));
  netcl_device_release(device);
  return made;
}

static void release_all(netcl_tensor* const* tensors, size_t count) {
  for (size_t i = 0; i < count; ++i) netcl_tensor_release(tensors[i]);
}

netcl_status with_quantize_linear(const Set* s, size_t at, int which, netcl_tensor** result) {
  static const int64_t kBlocks[2] = {4, 16};
  netcl_quantize_linear_options options = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
  const int blocks = IS(netcl_quantize_linear_options, block_size);
  netcl_tensor* const made[2] = {filled(s, NETCL_F32, blocks ? 2 : 0, kBlocks, 0.001),
                                 filled(s, NETCL_U16, 0, NULL, 7)};
  netcl_tensor* steps = NULL;
  options.dtype = NETCL_U16;
  if (IS(netcl_quantize_linear_options, zero_point)) options.zero_point = UNLESS_FIRST(made[1]);
  if (IS(netcl_quantize_linear_options, dtype) && which != FIRST) options.dtype = NETCL_U8;
  if (IS(netcl_quantize_linear_options, precision) && which != FIRST) {
    options.precision = NETCL_BF16;
  }
  /* Each row of scales is another one. */
  OK(netcl_op_expression_text("v0 * (1 + v1 * v1)", (netcl_tensor* const[]){made[0], s->row}, 2,
                              NULL, NULL, &steps));
  if (blocks) {
    static const int64_t kParts[2] = {1, 3};
    netcl_tensor *rows[2], *joined = NULL, *coarse = NULL;
    OK(netcl_tensor_split(steps, 0, kParts, 2, rows));
    OK(netcl_op_expression_text("v0 * 3", &rows[0], 1, NULL, NULL, &coarse));
    OK(netcl_op_concat((netcl_tensor* const[]){coarse, rows[1]}, 2, 0, NULL, &joined));
    netcl_tensor* const gone[4] = {rows[0], rows[1], coarse, steps};
    release_all(gone, 4);
    steps = joined;
    options.block_size = which == FIRST ? 4 : 5;
  }
  const netcl_status status = netcl_op_quantize_linear(
      s->square, blocks ? steps : made[0], 0, &options, NULL, result);
  netcl_tensor_release(steps);
  release_all(made, 2);
  return status;
}

netcl_status with_dequantize_linear(const Set* s, size_t at, int which, netcl_tensor** result) {
  static const int64_t kBlocks[2] = {7, 4};
  netcl_dequantize_linear_options options = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  const int blocks = IS(netcl_dequantize_linear_options, block_size);
  netcl_tensor* const made[3] = {as_bytes(s->indices, "v0 - 8"),
                                 filled(s, NETCL_F32, blocks ? 2 : 0, kBlocks, 0.3),
                                 filled(s, NETCL_I8, 0, NULL, 3)};
  netcl_tensor *scale = NULL, *half = NULL;
  static const netcl_range kHalf[2] = {{0, 7, 1}, {0, 4, 1}};
  OK(netcl_tensor_slice(s->updates, kHalf, 2, &half));
  OK(netcl_op_expression_text("v0 + v1 * v1", (netcl_tensor* const[]){made[1], half}, 2, NULL,
                              NULL, &scale));
  if (IS(netcl_dequantize_linear_options, zero_point)) options.zero_point = UNLESS_FIRST(made[2]);
  if (IS(netcl_dequantize_linear_options, dtype) && which != FIRST) options.dtype = NETCL_F16;
  if (blocks) options.block_size = which == FIRST ? 4 : 5;
  const netcl_status status = netcl_op_dequantize_linear(made[0], blocks ? scale : made[1], 1,
                                                         &options, NULL, result);
  netcl_tensor_release(scale);
  netcl_tensor_release(half);
  release_all(made, 3);
  return status;
}

/* Given by the caller, or made: that scalar is what is compared. */
netcl_status with_dynamic_quantize_linear(const Set* s, size_t at, int which,
                                          netcl_tensor** result) {
  netcl_dynamic_quantize_linear_options options = NETCL_DYNAMIC_QUANTIZE_LINEAR_OPTIONS_INIT;
  const int scales = IS(netcl_dynamic_quantize_linear_options, scale_into);
  netcl_tensor *made = NULL, *scalar = NULL;
  if (which != FIRST) {
    scalar = filled(s, scales ? NETCL_F32 : NETCL_U8, 0, NULL, 99);
    *(scales ? &options.scale_into : &options.zero_point_into) = scalar;
  }
  const int asks = which == FIRST;
  const netcl_status status = netcl_op_dynamic_quantize_linear(
      s->square, &options, NULL, &made, asks && scales ? &scalar : NULL,
      asks && !scales ? &scalar : NULL);
  netcl_tensor_release(made);
  *result = scalar;
  return status;
}

netcl_status with_qlinear_matmul(const Set* s, size_t at, int which, netcl_tensor** result) {
  static const uint32_t kTurned[2] = {1, 0};
  netcl_qlinear_matmul_options options = NETCL_QLINEAR_MATMUL_OPTIONS_INIT;
  netcl_tensor *b = NULL, *a = as_bytes(s->indices, "v0 - 8");
  OK(netcl_tensor_permute(a, kTurned, 2, &b));
  netcl_tensor* const made[5] = {filled(s, NETCL_F32, 0, NULL, 0.25),
                                 filled(s, NETCL_F32, 0, NULL, 2), filled(s, NETCL_I8, 0, NULL, 3),
                                 a, b};
  if (IS(netcl_qlinear_matmul_options, a_zero_point)) options.a_zero_point = UNLESS_FIRST(made[2]);
  if (IS(netcl_qlinear_matmul_options, b_zero_point)) options.b_zero_point = UNLESS_FIRST(made[2]);
  if (IS(netcl_qlinear_matmul_options, y_zero_point)) options.y_zero_point = UNLESS_FIRST(made[2]);
  if (IS(netcl_qlinear_matmul_options, dtype) && which != FIRST) options.dtype = NETCL_U8;
  const netcl_status status =
      netcl_op_qlinear_matmul(a, made[0], b, made[1], made[0], &options, NULL, result);
  release_all(made, 5);
  return status;
}

/* Images and filters of i8; for two groups the filters have half of the channels. */
static void make_images(const Set* s, int groups, netcl_tensor** x, netcl_tensor** w) {
  static const netcl_range kHalf[4] = {{0, 4, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}};
  *x = as_bytes(s->image, "round(v0 * 40)");
  *w = as_bytes(s->filters, "round(v0 * 40)");
  if (groups != 2) return;
  netcl_tensor* const whole = *w;
  OK(netcl_tensor_slice(whole, kHalf, 4, w));
  netcl_tensor_release(whole);
}

#define SET_CONVOLUTION(type)                                                    \
  if (IS(type, x_zero_point)) options.x_zero_point = UNLESS_FIRST(zero);         \
  if (IS(type, w_zero_point)) options.w_zero_point = UNLESS_FIRST(zero);         \
  if (IS(type, strides)) options.strides[0] = which == FIRST ? 1 : 2;            \
  if (IS(type, dilations)) options.dilations[1] = which == FIRST ? 1 : 2;        \
  if (IS(type, padding)) options.padding[which == FIRST ? 0 : 2] = 1;            \
  if (IS(type, groups)) options.groups = which == FIRST ? 1 : 2;                 \
  make_images(s, (int)options.groups, &x, &w)

netcl_status with_conv2d_integer(const Set* s, size_t at, int which, netcl_tensor** result) {
  netcl_conv2d_integer_options options = NETCL_CONV2D_INTEGER_OPTIONS_INIT;
  netcl_tensor *x = NULL, *w = NULL, *zero = filled(s, NETCL_I8, 0, NULL, 3);
  SET_CONVOLUTION(netcl_conv2d_integer_options);
  const netcl_status status = netcl_op_conv2d_integer(x, w, &options, NULL, result);
  netcl_tensor* const made[3] = {x, w, zero};
  release_all(made, 3);
  return status;
}

netcl_status with_qlinear_conv2d(const Set* s, size_t at, int which, netcl_tensor** result) {
  static const int64_t kFour[1] = {4};
  netcl_qlinear_conv2d_options options = NETCL_QLINEAR_CONV2D_OPTIONS_INIT;
  netcl_tensor *x = NULL, *w = NULL, *zero = filled(s, NETCL_I8, 0, NULL, 3);
  netcl_tensor* const one = filled(s, NETCL_F32, 0, NULL, 1);
  netcl_tensor* const coarse = filled(s, NETCL_F32, 0, NULL, 100);
  netcl_tensor* const bias = filled(s, NETCL_I32, 1, kFour, 1000);
  SET_CONVOLUTION(netcl_qlinear_conv2d_options);
  if (IS(netcl_qlinear_conv2d_options, y_zero_point)) options.y_zero_point = UNLESS_FIRST(zero);
  if (IS(netcl_qlinear_conv2d_options, bias)) options.bias = UNLESS_FIRST(bias);
  if (IS(netcl_qlinear_conv2d_options, dtype) && which != FIRST) options.dtype = NETCL_U8;
  const netcl_status status =
      netcl_op_qlinear_conv2d(x, one, w, one, coarse, &options, NULL, result);
  netcl_tensor* const made[6] = {x, w, zero, one, coarse, bias};
  release_all(made, 6);
  return status;
}
