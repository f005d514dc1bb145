/* Gradients of convolutions, pooling and batch normalisation. */
#include <math.h>

#include "support_gradients.h"

static int64_t extent(void) { return random_in(1, 4); }

typedef struct Convolution {
  netcl_conv2d_options options;
  netcl_activation activation;
  int bias, residual, norm, norm_scale, norm_bias;
} Convolution;

static netcl_status conv2d_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Convolution* convolution = context;
  netcl_conv2d_options options = convolution->options;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_conv2d_batchnorm norm = NETCL_CONV2D_BATCHNORM_INIT;
  int next = 2;
  epilogue.activation = convolution->activation;
  if (convolution->bias) epilogue.bias = x[next++];
  if (convolution->residual) epilogue.residual = x[next++];
  if (convolution->norm) {
    norm.mean = x[next++];
    norm.variance = x[next++];
    if (convolution->norm_scale) norm.scale = x[next++];
    if (convolution->norm_bias) norm.bias = x[next++];
    norm.has_epsilon = 1;
    norm.epsilon = 0.01;
    options.batchnorm = &norm;
  }
  options.epilogue = &epilogue;
  return netcl_op_conv2d(x[0], x[1], &options, run, y);
}

static int64_t result_extent(const Convolution* c, const GradientInput* x, const GradientInput* w,
                             int i) {
  const netcl_conv2d_options* o = &c->options;
  return (x->shape[2 + i] + o->padding[i] + o->padding[2 + i] -
          o->dilations[i] * (w->shape[2 + i] - 1) - 1) /
             o->strides[i] +
         1;
}

static void check_convolution(Fixture* fixture, int form) {
  static const netcl_activation kActivations[] = {NETCL_ACTIVATION_NONE, NETCL_ACTIVATION_SIGMOID,
                                                  NETCL_ACTIVATION_SILU,
                                                  NETCL_ACTIVATION_LEAKY_RELU};
  Convolution c = {.options = NETCL_CONV2D_OPTIONS_INIT};
  const int64_t groups = form % 3 == 0 ? random_in(2, 3) : 1, filters = extent() * groups;
  GradientInput inputs[GRADIENT_INPUTS_MAX] = {
      {4, {extent(), extent() * groups, random_in(4, 7), random_in(4, 7)}, 0, 0, 0, NULL}};
  inputs[1] = (GradientInput){
      4, {filters, inputs[0].shape[1] / groups, random_in(1, 3), random_in(1, 3)}, 0, 0, 0, NULL};
  c.options.groups = groups;
  for (int i = 0; i < 2; ++i) {
    c.options.dilations[i] =
        inputs[1].shape[2 + i] == 1 ? random_in(1, 2) : random_in(1, 4 / inputs[1].shape[2 + i]);
    if (c.options.dilations[i] == 0) c.options.dilations[i] = 1;
    c.options.strides[i] = random_in(1, 3);
    c.options.padding[i] = random_in(0, 2);
    c.options.padding[2 + i] = random_in(0, 2);
  }
  uint32_t count = 2;
  c.activation = kActivations[form % 4];
  c.bias = form % 2;
  c.residual = form % 5 == 1;
  c.norm = form % 4 == 2;
  c.norm_scale = c.norm && random_in(0, 1);
  c.norm_bias = c.norm && random_in(0, 1);
  if (c.bias) inputs[count++] = (GradientInput){1, {filters}, 0, 0, 0, NULL};
  if (c.residual) {
    inputs[count++] =
        (GradientInput){4,
                        {inputs[0].shape[0], filters, result_extent(&c, &inputs[0], &inputs[1], 0),
                         result_extent(&c, &inputs[0], &inputs[1], 1)},
                        0,
                        0,
                        0,
                        NULL};
  }
  for (int i = 0; i < 2 * c.norm + c.norm_scale + c.norm_bias; ++i) {
    inputs[count++] = (GradientInput){1, {filters}, 0.5, 2, 0, NULL};
  }
  CHECK_GRADIENTS(fixture, "conv2d", conv2d_call, &c, inputs, count);
}

static void convolutions(void** state) {
  for (int form = 0; form < 14; ++form) check_convolution(*state, form);
}

typedef struct Pool {
  netcl_pooling kind;
  netcl_pool2d_options options;
} Pool;
static netcl_status pool2d_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Pool* pool = context;
  return netcl_op_pool2d(x[0], pool->kind, &pool->options, run, y);
}

static void pools(void** state) {
  for (int form = 0; form < 12; ++form) {
    const GradientInput input = {
        4, {extent(), extent(), random_in(5, 8), random_in(5, 8)}, -2, 2, 1, NULL};
    Pool pool = {form % 2 ? NETCL_POOLING_MAX : NETCL_POOLING_AVERAGE, NETCL_POOL2D_OPTIONS_INIT};
    for (int i = 0; form > 1 && i < 2; ++i) {
      pool.options.window[i] = random_in(1, 3);
      pool.options.strides[i] = random_in(0, 3);
      pool.options.dilations[i] = random_in(0, 2);
      const int64_t span = (pool.options.window[i] - 1) * (pool.options.dilations[i] > 1 ? 2 : 1);
      pool.options.padding[i] = random_in(0, span);
      pool.options.padding[2 + i] = random_in(0, span);
    }
    pool.options.ceil_mode = (uint32_t)random_in(0, 1);
    pool.options.count_include_pad = (uint32_t)(form % 4 / 2);
    CHECK_GRADIENTS(*state, form % 2 ? "max pool" : "average pool", pool2d_call, &pool, &input, 1);
  }
}

/* Of equal elements the first of the window has it all. */
static void ties(void** state) {
  Fixture* fixture = *state;
  static const float kSame[] = {1, 1, 0, 1, 1, 1, NAN, 0, NAN};
  const int64_t shape[] = {1, 1, 3, 3};
  netcl_pool2d_options options = NETCL_POOL2D_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, shape, kSame), *y = NULL, *s = NULL;
  netcl_tensor* dx = NULL;
  options.window[0] = options.window[1] = 2;
  OK(netcl_graph_create(fixture->device, &run.graph));
  OK(netcl_op_pool2d(x, NETCL_POOLING_MAX, &options, &run, &y));
  OK(netcl_op_expression_text("isnan(v0) ? 2.0 : 1.0", &y, 1, NULL, NULL, &s));
  netcl_gradients_options seeded = NETCL_GRADIENTS_OPTIONS_INIT;
  seeded.seeds = &s;
  seeded.seeds_count = 1;
  OK(netcl_graph_add_gradients(run.graph, &y, 1, &x, 1, &seeded, &dx));
  CHECK_TENSOR(dx, ((float[]){1, 1, 0, 0, 0, 0, 2, 0, 2}));
  netcl_tensor* const all[] = {x, y, s, dx};
  for (int i = 0; i < 4; ++i) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
}

typedef struct Norm {
  int training, scale, bias;
  netcl_activation activation;
  Fixture* fixture;
  int64_t channels;
} Norm;
static netcl_status batchnorm_call(void* context, netcl_tensor* const* x,
                                   const netcl_run_options* run, netcl_tensor** y) {
  const Norm* norm = context;
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor *mean = NULL, *variance = NULL;
  int next = norm->training ? 1 : 3;
  options.has_epsilon = 1;
  options.epsilon = 0.01;
  options.training = (uint32_t)norm->training;
  options.activation = norm->activation;
  if (norm->scale) options.scale = x[next++];
  if (norm->bias) options.bias = x[next++];
  if (!norm->training) return netcl_op_batchnorm(x[0], x[1], x[2], &options, run, y);
  OK(netcl_tensor_create_zeros(norm->fixture->device, NETCL_F64, 1, &norm->channels, NULL, NULL,
                               &mean));
  OK(netcl_tensor_create_zeros(norm->fixture->device, NETCL_F64, 1, &norm->channels, NULL, NULL,
                               &variance));
  const netcl_status status = netcl_op_batchnorm(x[0], mean, variance, &options, run, y);
  netcl_tensor_release(mean);
  netcl_tensor_release(variance);
  return status;
}

static void norms(void** state) {
  static const netcl_activation kActivations[] = {NETCL_ACTIVATION_NONE, NETCL_ACTIVATION_TANH,
                                                  NETCL_ACTIVATION_GELU};
  for (int form = 0; form < 12; ++form) {
    const int64_t channels = extent();
    Norm norm = {form % 2, form / 2 % 2, form / 4 % 2, kActivations[form % 3], *state, channels};
    GradientInput inputs[5] = {
        {form % 3 == 0 ? 2 : 4, {random_in(2, 4), channels, extent(), extent()}, 0, 0, 0, NULL}};
    uint32_t count = 1;
    for (int i = 0; i < 2 * !norm.training + norm.scale + norm.bias; ++i) {
      inputs[count++] = (GradientInput){1, {channels}, 0.5, 2, 0, NULL};
    }
    CHECK_GRADIENTS(*state, norm.training ? "batchnorm in training" : "batchnorm", batchnorm_call,
                    &norm, inputs, count);
  }
}

/* What training makes of the running statistics is no way for a gradient. */
static void running_statistics(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2, 3, 5};
  const int64_t shape[] = {2, 2}, channels = 2;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values), *mean = NULL;
  netcl_tensor *variance = NULL, *y = NULL, *sums[2] = {NULL, NULL}, *made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &channels, NULL, NULL, &mean));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &channels, NULL, NULL, &variance));
  OK(netcl_graph_create(fixture->device, &run.graph));
  options.training = 1;
  OK(netcl_op_batchnorm(x, mean, variance, &options, &run, &y));
  OK(netcl_op_reduce(mean, NETCL_REDUCTION_SUM, NULL, &run, &sums[0]));
  OK(netcl_op_reduce(y, NETCL_REDUCTION_SUM_SQUARE, NULL, &run, &sums[1]));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED,
             "batchnorm (call 0) has no derivative: of what training makes",
             netcl_graph_add_gradients(run.graph, &sums[0], 1, &x, 1, NULL, &made));
  OK(netcl_graph_add_gradients(run.graph, &sums[1], 1, &x, 1, NULL, &made));
  netcl_tensor* const all[] = {x, mean, variance, y, sums[0], sums[1], made};
  for (int i = 0; i < 7; ++i) netcl_tensor_release(all[i]);
  netcl_graph_release(run.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(convolutions),       DEVICE_TEST(pools), DEVICE_TEST(ties), DEVICE_TEST(norms),
      DEVICE_TEST(running_statistics),
  };
  seed_random("gradients_conv");
  return cmocka_run_group_tests_name("gradients_conv", tests, NULL, NULL);
}
