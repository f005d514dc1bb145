/* Gradients of 2-d convolutions, pooling and batch normalisations. */
#include <math.h>

#include "support_gradients_conv.h"
#include "support_graph.h"

/* ---- Convolutions ---------------------------------------------------------------------------- */

/* Random sizes and options; x, w and the shape of the result. */
static Convolution random_convolution(GradientInput* inputs, int64_t* result) {
  Convolution conv = {.options = NETCL_CONV2D_OPTIONS_INIT};
  const int64_t groups = random_in(1, 3);
  conv.options.groups = groups;
  inputs[0] = (GradientInput){4, {random_in(1, 2), groups * random_in(1, 2)}, 0, 0, 0, NULL};
  inputs[1] = (GradientInput){
      4, {groups * random_in(1, 3), inputs[0].shape[1] / groups}, 0, 0, 0, NULL};
  result[0] = inputs[0].shape[0];
  result[1] = inputs[1].shape[0];
  for (int side = 0; side < 2; ++side) {
    const int64_t stride = random_in(1, 4), dilation = random_in(1, 4), kernel = random_in(1, 3);
    const int64_t before = random_in(0, 3), after = random_in(0, 3);
    const int64_t reach = dilation * (kernel - 1) + 1;
    const int64_t least = reach - before - after;
    const int64_t extent = random_in(least < 1 ? 1 : least, 7 > least ? 7 : least);
    conv.options.strides[side] = stride;
    conv.options.dilations[side] = dilation;
    conv.options.padding[side] = before;
    conv.options.padding[side + 2] = after;
    inputs[0].shape[2 + side] = extent;
    inputs[1].shape[2 + side] = kernel;
    result[2 + side] = (extent + before + after - reach) / stride + 1;
  }
  return conv;
}

static void convolutions(void** state) {
  Fixture* fixture = *state;
  const int tries = rounds(fixture, 40);
  for (int i = 0; i < tries; ++i) {
    GradientInput inputs[GRADIENT_INPUTS_MAX];
    int64_t result[4];
    uint32_t count = 2;
    Convolution conv = random_convolution(inputs, result);
    conv.activation = i % (NETCL_ACTIVATION_CLIP + 1);
    conv.bias = i % 2;
    conv.residual = i % 3 == 0;
    if (conv.bias) inputs[count++] = per_channel(result[1], 0);
    if (conv.residual) {
      inputs[count++] =
          (GradientInput){4, {result[0], result[1], result[2], result[3]}, 0, 0, 0, NULL};
    }
    CHECK_GRADIENTS(fixture, "conv2d", conv2d_call, &conv, inputs, count);
  }
}

static void normalised_convolutions(void** state) {
  Fixture* fixture = *state;
  const int tries = rounds(fixture, 20);
  for (int i = 0; i < tries; ++i) {
    GradientInput inputs[GRADIENT_INPUTS_MAX];
    int64_t result[4];
    uint32_t count = 2;
    Convolution conv = random_convolution(inputs, result);
    conv.activation = i % 3 == 0 ? NETCL_ACTIVATION_SILU : NETCL_ACTIVATION_TANH * (i % 3 - 1);
    conv.norm = 1;
    conv.bias = i % 2;
    conv.residual = i % 4 == 1;
    conv.norm_scale = !conv.residual && i % 8 != 6;
    conv.norm_bias = !conv.bias;
    if (conv.bias) inputs[count++] = per_channel(result[1], 0);
    if (conv.residual) {
      inputs[count++] =
          (GradientInput){4, {result[0], result[1], result[2], result[3]}, 0, 0, 0, NULL};
    }
    if (conv.norm_scale) inputs[count++] = per_channel(result[1], 0);
    if (conv.norm_bias) inputs[count++] = per_channel(result[1], 0);
    inputs[count++] = per_channel(result[1], 0);
    inputs[count++] = per_channel(result[1], 0.5);
    CHECK_GRADIENTS(fixture, "conv2d with batchnorm", conv2d_call, &conv, inputs, count);
  }
}

/* ---- Pooling --------------------------------------------------------------------------------- */

/* Windows over padding alone give what has no differences: padding is less than a dilation. */
static Pooling random_pooling(GradientInput* input, int i) {
  static const netcl_pooling kKinds[] = {NETCL_POOLING_AVERAGE, NETCL_POOLING_MAX,
                                         NETCL_POOLING_LP};
  static const int kAxes[] = {2, 1, 3, 2};
  Pooling pool = {{.axes = kAxes[i / 3 % 4]}, kKinds[i % 3]};
  const int axes = pool.options.axes;
  const uint32_t rank = (uint32_t)(2 + axes);
  *input = (GradientInput){rank, {random_in(1, 2), random_in(1, 3)}, -2, 2, 1, NULL};
  /* Powers have large derivatives next to 0, or none there. */
  if (pool.kind == NETCL_POOLING_LP) {
    pool.options.p = i % 2 ? 0 : random_in(0, 1) ? 3 : 1.5;
    input->low = 0.5;
  }
  for (int side = 0; side < axes; ++side) {
    const int64_t dilation = random_in(1, 3), window = random_in(1, 4);
    const int64_t reach = dilation * (window - 1) + 1;
    const int64_t extent = random_in(3, axes == 3 ? 4 : 8);
    pool.options.window[side] = window;
    pool.options.dilations[side] = dilation;
    pool.options.strides[side] = random_in(0, 3);
    int64_t before = random_in(0, 2), after = random_in(0, 2);
    if (before >= reach) before = reach - 1;
    if (after >= reach) after = reach - 1;
    if (extent + before + after < reach) pool.options.window[side] = 0;
    if (pool.options.window[side] == 0) pool.options.dilations[side] = before = after = 0;
    pool.options.padding[side] = before;
    pool.options.padding[side + axes] = after;
    input->shape[2 + side] = extent;
  }
  pool.options.ceil_mode = (uint32_t)random_in(0, 1);
  pool.options.count_include_pad = (uint32_t)random_in(0, 1);
  return pool;
}

static void poolings(void** state) {
  Fixture* fixture = *state;
  const int tries = rounds(fixture, 40);
  for (int i = 0; i < tries; ++i) {
    GradientInput input;
    Pooling pool = random_pooling(&input, i);
    CHECK_GRADIENTS(fixture, pool.kind == NETCL_POOLING_MAX ? "maximum" : "sums", pool_call, &pool,
                    &input, 1);
  }
  for (int i = 0; i < 2; ++i) {
    Pooling pool = {{0}, i % 2 ? NETCL_POOLING_MAX : NETCL_POOLING_AVERAGE};
    const GradientInput input = {4, {2, 3, random_in(1, 6), random_in(1, 6)}, -2, 2, 1, NULL};
    CHECK_GRADIENTS(fixture, "global pooling", pool_call, &pool, &input, 1);
  }
}

/* The gradient of a norm is 0 where all of a window is, not NaN. */
static void zero_norms(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShape[] = {1, 1, 6};
  static const double kPowers[] = {1, 2, 3};
  for (size_t i = 0; i < COUNT_OF(kPowers); ++i) {
    netcl_run_options run = recorded(fixture);
    netcl_pooling_options options = pooling_of(one_size(2), one_size(2));
    options.p = kPowers[i];
    netcl_tensor* x =
        make_tensor(fixture->device, NETCL_F32, 3, kShape, (float[]){0, 0, 3, 0, 0, -2});
    netcl_tensor* y = NULL;
    OK(netcl_op_pool(x, NETCL_POOLING_LP, &options, &run, &y));
    netcl_tensor* sum = sum_of(y, &run);
    netcl_tensor* grad = gradient(&run, sum, x);
    check_elements(grad, 6, (double[]){0, 0, 1, 0, 0, -1}, __LINE__);
    RELEASE(x, y, sum, grad);
    netcl_graph_release(run.graph);
  }
}

/* The gradient of the sum over the maxima of 2 windows of 2 x 2, or of the one of 2 x 4. */
static void check_maxima(Fixture* fixture, int global, const float* values, const double* wanted) {
  static const int64_t kShape[] = {1, 1, 2, 4};
  netcl_run_options run = recorded(fixture);
  static const int64_t kTwo[] = {2, 2}, kStrides[] = {1, 2};
  netcl_pooling_options options = NETCL_POOLING_OPTIONS_INIT;
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 4, kShape, values);
  netcl_tensor* y = NULL;
  if (!global) {
    options.window = kTwo;
    options.strides = kStrides;
    options.window_count = options.strides_count = 2;
  }
  OK(netcl_op_pool(x, NETCL_POOLING_MAX, &options, &run, &y));
  netcl_tensor* sum = sum_of(y, &run);
  netcl_tensor* grad = gradient(&run, sum, x);
  check_elements(grad, 8, wanted, __LINE__);
  RELEASE(x, y, sum, grad);
  netcl_graph_release(run.graph);
}

static void first_maxima(void** state) {
  Fixture* fixture = *state;
  check_maxima(fixture, 0, (float[]){1, 5, 7, 7, 5, 5, 7, 7}, (double[]){0, 1, 1, 0, 0, 0, 0, 0});
  check_maxima(fixture, 1, (float[]){1, 5, 6, 2, 7, 7, 3, 7}, (double[]){0, 0, 0, 0, 1, 0, 0, 0});
  check_maxima(fixture, 0, (float[]){1, 5, 9, NAN, 7, 2, NAN, 4},
               (double[]){0, 0, 0, 1, 1, 0, 0, 0});
  check_maxima(fixture, 1, (float[]){1, 5, 9, 3, NAN, NAN, 3, 4},
               (double[]){0, 0, 0, 0, 1, 0, 0, 0});
  check_maxima(fixture, 0,
               (float[]){-INFINITY, -INFINITY, 1, 1, -INFINITY, -INFINITY, 2, INFINITY},
               (double[]){1, 0, 0, 0, 0, 0, 0, 1});
}

/* ---- Batch normalisations -------------------------------------------------------------------- */

static void batchnorms(void** state) {
  Fixture* fixture = *state;
  const int tries = rounds(fixture, 40);
  for (int i = 0; i < tries; ++i) {
    const int64_t channels = random_in(1, 4);
    Batchnorm norm = {i % 2, i / 2 % 2, i / 4 % 2, i % 3 == 0, i % NETCL_ACTIVATION_CLIP};
    /* Without the running statistics nothing depends on them in training. */
    if (norm.training) norm.statistics = 1;
    const GradientInput inputs[] = {
        {(uint32_t)random_in(2, 5), {random_in(2, 3), channels, random_in(1, 4), 2, 2}, 0, 0, 0,
         NULL},
        per_channel(channels, 0),
        per_channel(channels, 0.5),
        per_channel(channels, 0),
        per_channel(channels, 0)};
    CHECK_GRADIENTS(fixture, norm.training ? "batchnorm in training" : "batchnorm", batchnorm_call,
                    &norm, inputs, (uint32_t)(3 + norm.scale + norm.bias));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(convolutions), DEVICE_TEST(normalised_convolutions), DEVICE_TEST(poolings),
      DEVICE_TEST(first_maxima), DEVICE_TEST(zero_norms), DEVICE_TEST(batchnorms),
  };
  seed_random("gradients_conv");
  return cmocka_run_group_tests_name("gradients_conv", tests, NULL, NULL);
}
