/* Gradients of convolutions, pooling and batch normalisations: of gradients, in narrow dtypes, of
 * large, broadcast and empty tensors, and what has none. */
#include <math.h>

#include "support_gradients_conv.h"
#include "support_graph.h"

static GradientInput images(int64_t n, int64_t c, int64_t h, int64_t w) {
  return (GradientInput){4, {n, c, h, w}, 0, 0, 0, NULL};
}

/* Strides, dilations, uneven padding and 2 groups; the result of x [1, 4, 5, 4] with filters
 * [F, 2, 2, 3] is [1, F, 4, 2]. */
static Convolution some_convolution(void) {
  Convolution conv = {.options = NETCL_CONV2D_OPTIONS_INIT};
  conv.options.groups = 2;
  conv.options.strides[1] = conv.options.dilations[0] = 2;
  conv.options.padding[0] = conv.options.padding[3] = 1;
  return conv;
}

/* ---- Gradients of gradients ------------------------------------------------------------------ */

static void second_derivatives_of_conv2d(void** state) {
  Fixture* fixture = *state;
  Convolution conv = some_convolution();
  conv.activation = NETCL_ACTIVATION_TANH;
  conv.bias = 1;
  /* With 4 filters for 8 places all images are one product, with 2 they are several. */
  const GradientInput inputs[] = {images(1, 4, 5, 4), images(4, 2, 2, 3), per_channel(4, 0),
                                  images(1, 4, 4, 2)};
  for (uint32_t which = 0; which < 3; ++which) {
    Twice twice = {fixture, conv2d_call, &conv, 3, which};
    CHECK_GRADIENTS(fixture, "gradient of conv2d", gradient_call, &twice, inputs, 4);
  }
  conv.activation = NETCL_ACTIVATION_SIGMOID;
  conv.bias = 0;
  conv.norm = conv.norm_scale = 1;
  const GradientInput normal[] = {inputs[0],         images(2, 2, 2, 3),  per_channel(2, 0),
                                  per_channel(2, 0), per_channel(2, 0.5), images(1, 2, 4, 2)};
  for (uint32_t which = 0; which < 5; ++which) {
    Twice twice = {fixture, conv2d_call, &conv, 5, which};
    CHECK_GRADIENTS(fixture, "gradient of conv2d with batchnorm", gradient_call, &twice, normal, 6);
  }
}

/* The pooling of squares, so that its gradient depends on x. */
static netcl_status square_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  netcl_tensor* square = NULL;
  OK(netcl_op_expression_text("v0 * v0", x, 1, NULL, run, &square));
  const netcl_status status = pool_call(context, &square, run, y);
  netcl_tensor_release(square);
  return status;
}

static void second_derivatives_of_others(void** state) {
  Fixture* fixture = *state;
  Batchnorm norm = {0, 1, 1, 1, NETCL_ACTIVATION_SIGMOID};
  const GradientInput x = {3, {2, 2, 3}, 0, 0, 0, NULL};
  const GradientInput normal[] = {
      x, per_channel(2, 0), per_channel(2, 0.5), per_channel(2, 0), per_channel(2, 0), x};
  for (norm.training = 0; norm.training < 2; ++norm.training) {
    Twice twice = {fixture, batchnorm_call, &norm, 5, 0};
    CHECK_GRADIENTS(fixture, "gradient of batchnorm", gradient_call, &twice, normal, 6);
  }
  Pooling pool = {{0}, NETCL_POOLING_MAX};
  pool.options.window[0] = pool.options.window[1] = pool.options.strides[1] = 2;
  pool.options.padding[3] = 1;
  for (; pool.kind <= NETCL_POOLING_LP; ++pool.kind) {
    const GradientInput inputs[] = {{4, {1, 2, 4, 5}, 0.1, 2, 1, NULL}, images(1, 2, 3, 3)};
    Twice twice = {fixture, square_call, &pool, 1, 0};
    CHECK_GRADIENTS(fixture, "gradient of pool", gradient_call, &twice, inputs, 2);
  }
}

/* ---- Narrow dtypes --------------------------------------------------------------------------- */

static void narrow_dtypes(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32};
  for (size_t i = 0; i < COUNT_OF(kFloats); ++i) {
    const netcl_dtype dtype = kFloats[i];
    /* What is not rounded but at the end is exact to f32; 16 bits hold some of the steps else. */
    const double exact = 1e-4, steps = 200 * unit_roundoff(dtype) + exact;
    Convolution conv = {.options = NETCL_CONV2D_OPTIONS_INIT, .bias = 1};
    conv.options.strides[0] = conv.options.strides[1] = 2;
    const GradientInput inputs[] = {images(4, 6, 17, 17), images(5, 6, 3, 3), per_channel(5, 0),
                                    per_channel(5, 0.5), per_channel(5, 0.5)};
    CHECK_NARROW(fixture, dtype, 10 * exact, "conv2d", conv2d_call, &conv, inputs, 3);
    conv.norm = 1;
    CHECK_NARROW(fixture, dtype, steps, "conv2d with batchnorm", conv2d_call, &conv, inputs, 5);
    Pooling pool = {{0}, NETCL_POOLING_MAX};
    pool.options.window[0] = pool.options.window[1] = 3;
    for (; pool.kind <= NETCL_POOLING_LP; ++pool.kind) {
      CHECK_NARROW(fixture, dtype, exact, "pool", pool_call, &pool, inputs, 1);
    }
    Batchnorm norm = {0, 1, 1, 0, NETCL_ACTIVATION_NONE};
    const GradientInput normal[] = {images(8, 5, 9, 9), per_channel(5, 0.5), per_channel(5, 0.5),
                                    per_channel(5, 0), per_channel(5, 0)};
    CHECK_NARROW(fixture, dtype, 10 * exact, "batchnorm", batchnorm_call, &norm, normal, 5);
  }
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Windows that do not fit side by side at once: with one number for the gradients of each image and
 * filters of one channel, the gradient of a filter is the sum of what it lies on, times that. */
static void many_windows(void** state) {
  Fixture* fixture = *state;
  enum { kImages = 3, kEdge = 420, kTaps = 7, kPlaces = kEdge - kTaps + 1 };
  static float values[kImages * kEdge * kEdge];
  static const int64_t kShape[] = {kImages, 1, kEdge, kEdge}, kFilter[] = {1, 1, kTaps, kTaps};
  static const float kZeros[kTaps * kTaps], kFactors[kImages] = {1, -2, 3};
  double wanted[kTaps * kTaps] = {0};
  for (size_t i = 0; i < COUNT_OF(values); ++i) values[i] = (float)random_in(-2, 2);
  for (int tap = 0; tap < kTaps * kTaps; ++tap) {
    for (int image = 0; image < kImages; ++image) {
      for (int row = 0; row < kPlaces; ++row) {
        const float* line = values + (image * kEdge + row + tap / kTaps) * kEdge + tap % kTaps;
        for (int column = 0; column < kPlaces; ++column) {
          wanted[tap] += (double)kFactors[image] * (double)line[column];
        }
      }
    }
  }
  netcl_run_options run = recorded(fixture);
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 4, kShape, values);
  netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 4, kFilter, kZeros);
  netcl_tensor* factors =
      make_tensor(fixture->device, NETCL_F32, 4, (int64_t[]){kImages, 1, 1, 1}, kFactors);
  netcl_tensor* y = NULL;
  OK(netcl_op_conv2d(x, w, NULL, &run, &y));
  netcl_tensor *scaled = formula("v0 * v1", y, factors, &run), *sum = sum_of(scaled, &run);
  netcl_tensor* grad = gradient(&run, sum, w);
  check_elements(grad, kTaps * kTaps, wanted, __LINE__);
  RELEASE(x, w, factors, y, scaled, sum, grad);
  netcl_graph_release(run.graph);
}

/* x is repeated along its images and rows. */
static netcl_status repeated_call(void* context, netcl_tensor* const* x,
                                  const netcl_run_options* run, netcl_tensor** y) {
  static const int64_t kShape[] = {2, 2, 4, 5};
  const int kind = *(int*)context;
  const netcl_pooling_options options = pooling_of(one_size(2), NULL);
  netcl_tensor* wide = NULL;
  OK(netcl_tensor_broadcast(x[0], 4, kShape, &wide));
  const netcl_status status = kind == 0
                                  ? netcl_op_conv2d(wide, x[1], NULL, run, y)
                                  : netcl_op_pool(wide, kind, &options, run, y);
  netcl_tensor_release(wide);
  return status;
}

static void repeated_images(void** state) {
  Fixture* fixture = *state;
  const GradientInput inputs[] = {images(1, 2, 1, 5), images(3, 2, 2, 3)};
  int kind = 0;
  CHECK_GRADIENTS(fixture, "conv2d", repeated_call, &kind, inputs, 2);
  kind = NETCL_POOLING_AVERAGE;
  CHECK_GRADIENTS(fixture, "average", repeated_call, &kind, inputs, 1);
}

static void nothing_to_sum(void** state) {
  Fixture* fixture = *state;
  /* Without channels the result is the bias. */
  Convolution conv = {.options = NETCL_CONV2D_OPTIONS_INIT, .bias = 1};
  const GradientInput inputs[] = {images(1, 0, 4, 5), images(3, 0, 2, 3), per_channel(3, 0)};
  CHECK_GRADIENTS(fixture, "conv2d without channels", conv2d_call, &conv, inputs, 3);
  /* An empty batch keeps the running statistics. */
  netcl_run_options run = recorded(fixture);
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  static const int64_t kShape[] = {0, 2, 3}, kChannels[] = {2};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 3, kShape, NULL);
  netcl_tensor* mean = make_tensor(fixture->device, NETCL_F32, 1, kChannels, (float[]){3, 5});
  netcl_tensor* variance = make_tensor(fixture->device, NETCL_F32, 1, kChannels, (float[]){1, 2});
  netcl_tensor *running = NULL, *y = NULL;
  options.training = 1;
  OK(netcl_op_copy(mean, &run, &running));
  OK(netcl_op_batchnorm(x, running, variance, &options, &run, &y));
  netcl_tensor* square = formula("v0 * v0", running, NULL, &run);
  netcl_tensor* sum = sum_of(square, &run);
  netcl_tensor* grad = gradient(&run, sum, mean);
  GIVES(grad, 6, 10);
  RELEASE(x, mean, variance, running, y, square, sum, grad);
  netcl_graph_release(run.graph);
}

/* ---- Values that are gone -------------------------------------------------------------------- */

static void overwrite(netcl_tensor* tensor) {
  OK(netcl_op_fill(tensor, &(float){0}, NULL));
}

typedef struct Case {
  netcl_run_options run;
  netcl_tensor *x, *w, *residual, *sum;
} Case;

/* The sum over a convolution of 1 x 1 that is written to its residual. */
static Case in_place(Fixture* fixture, netcl_activation activation) {
  static const int64_t kShape[] = {1, 1, 1, 2}, kFilter[] = {1, 1, 1, 1};
  Case made = {recorded(fixture), NULL, NULL, NULL, NULL};
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  made.x = make_tensor(fixture->device, NETCL_F32, 4, kShape, (float[]){3, -2});
  made.w = make_tensor(fixture->device, NETCL_F32, 4, kFilter, (float[]){0.5f});
  made.residual = make_tensor(fixture->device, NETCL_F32, 4, kShape, (float[]){1, -4});
  epilogue.activation = activation;
  epilogue.residual = made.residual;
  options.epilogue = &epilogue;
  netcl_run_options run = made.run;
  run.into = made.residual;
  OK(netcl_op_conv2d(made.x, made.w, &options, &run, NULL));
  made.sum = sum_of(made.residual, &made.run);
  return made;
}

static void release_case(Case* made) {
  RELEASE(made->x, made->w, made->residual, made->sum);
  netcl_graph_release(made->run.graph);
}

static void values_that_are_gone(void** state) {
  Fixture* fixture = *state;
  netcl_tensor* grad = NULL;
  Case made = in_place(fixture, NETCL_ACTIVATION_RELU);
  grad = gradient(&made.run, made.sum, made.w);
  GIVES(grad, 3);
  netcl_tensor_release(grad);
  release_case(&made);
  made = in_place(fixture, NETCL_ACTIVATION_SILU);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "that conv2d (call 0) has overwritten since",
             netcl_graph_add_gradients(made.run.graph, &made.sum, 1, &made.w, 1, NULL, &grad));
  release_case(&made);
  /* The filters are enough for the gradient of x, which is gone. */
  made = in_place(fixture, NETCL_ACTIVATION_NONE);
  overwrite(made.x);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "gradient of conv2d (call 0) needs a tensor of shape",
             netcl_graph_add_gradients(made.run.graph, &made.sum, 1, &made.w, 1, NULL, &grad));
  release_case(&made);
  made = in_place(fixture, NETCL_ACTIVATION_NONE);
  overwrite(made.w);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "gradient of conv2d (call 0) needs a tensor of shape",
             netcl_graph_add_gradients(made.run.graph, &made.sum, 1, &made.x, 1, NULL, &grad));
  release_case(&made);
}

/* Where a maximum was is found again in what was pooled; the maximum itself may be gone. */
static void maxima_that_are_gone(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShape[] = {1, 2, 1, 2};
  for (int which = 0; which < 2; ++which) {
    netcl_run_options run = recorded(fixture);
    netcl_tensor* base = make_tensor(fixture->device, NETCL_F32, 4, kShape, (float[]){1, 2, 3, 4});
    netcl_tensor *x = formula("v0 * 2", base, NULL, &run), *y = NULL, *grad = NULL;
    OK(netcl_op_pool(x, NETCL_POOLING_MAX, NULL, &run, &y));
    netcl_tensor* sum = sum_of(y, &run);
    overwrite(which ? x : y);
    if (which) {
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
                 "gradient of pool (call 1) needs a tensor of shape",
                 netcl_graph_add_gradients(run.graph, &sum, 1, &base, 1, NULL, &grad));
    } else {
      grad = gradient(&run, sum, base);
      GIVES(grad, 0, 2, 0, 2);
    }
    RELEASE(base, x, y, sum, grad);
    netcl_graph_release(run.graph);
  }
}

/* A normalisation in place has the gradients that do not need its x. */
static void batchnorm_in_place(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShape[] = {3, 1}, kChannels[] = {1};
  netcl_run_options run = recorded(fixture), there;
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 2, kShape, (float[]){1, 2, 4});
  netcl_tensor* mean = make_tensor(fixture->device, NETCL_F32, 1, kChannels, (float[]){1});
  netcl_tensor* variance = make_tensor(fixture->device, NETCL_F32, 1, kChannels, (float[]){4});
  netcl_tensor* scale = make_tensor(fixture->device, NETCL_F32, 1, kChannels, (float[]){6});
  netcl_tensor* bias = make_tensor(fixture->device, NETCL_F32, 1, kChannels, (float[]){0});
  netcl_tensor *const inputs[] = {mean, bias}, *grads[2], *grad = NULL;
  options.scale = scale;
  options.bias = bias;
  options.has_epsilon = 1;
  there = run;
  there.into = x;
  OK(netcl_op_batchnorm(x, mean, variance, &options, &there, NULL));
  netcl_tensor* sum = sum_of(x, &run);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "gradient of batchnorm (call 0) needs a tensor of shape",
             netcl_graph_add_gradients(run.graph, &sum, 1, &scale, 1, NULL, &grad));
  OK(netcl_graph_add_gradients(run.graph, &sum, 1, inputs, 2, NULL, grads));
  GIVES(grads[0], -9);
  GIVES(grads[1], 3);
  RELEASE(x, mean, variance, scale, bias, sum, grads[0], grads[1]);
  netcl_graph_release(run.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(second_derivatives_of_conv2d),
      DEVICE_TEST(second_derivatives_of_others),
      DEVICE_TEST(narrow_dtypes),
      DEVICE_TEST(many_windows),
      DEVICE_TEST(repeated_images),
      DEVICE_TEST(nothing_to_sum),
      DEVICE_TEST(values_that_are_gone),
      DEVICE_TEST(maxima_that_are_gone),
      DEVICE_TEST(batchnorm_in_place),
  };
  seed_random("gradients_conv_edges");
  return cmocka_run_group_tests_name("gradients_conv_edges", tests, NULL, NULL);
}
