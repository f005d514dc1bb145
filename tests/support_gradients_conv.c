#include "support_gradients_conv.h"

#include <math.h>

#include "support_graph.h"

GradientInput per_channel(int64_t count, double low) {
  return (GradientInput){1, {count}, low, low == 0 ? 0 : 2, 0, NULL};
}

netcl_status conv2d_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Convolution* conv = context;
  netcl_conv2d_options options = conv->options;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_conv2d_batchnorm norm = NETCL_CONV2D_BATCHNORM_INIT;
  uint32_t next = 2;
  if (conv->bias) epilogue.bias = x[next++];
  if (conv->residual) epilogue.residual = x[next++];
  epilogue.activation = conv->activation;
  if (conv->activation == NETCL_ACTIVATION_CLIP) {
    epilogue.has_parameters = 1;
    epilogue.alpha = -1;
    epilogue.beta = 1.5;
  }
  options.epilogue = &epilogue;
  if (conv->norm) {
    if (conv->norm_scale) norm.scale = x[next++];
    if (conv->norm_bias) norm.bias = x[next++];
    norm.mean = x[next++];
    norm.variance = x[next++];
    norm.epsilon = 0.1;
    options.batchnorm = &norm;
  }
  return netcl_op_conv2d(x[0], x[1], &options, run, y);
}

netcl_status pool_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Pooling* pool = context;
  const netcl_pooling_options options = pooling_options(&pool->options);
  return netcl_op_pool(x[0], pool->kind, &options, run, y);
}

netcl_status batchnorm_call(void* context, netcl_tensor* const* x,
                                   const netcl_run_options* run, netcl_tensor** y) {
  const Batchnorm* norm = context;
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_tensor *mean = NULL, *variance = NULL, *normal = NULL, *wide[2] = {NULL, NULL};
  options.training = (uint32_t)norm->training;
  options.activation = norm->activation;
  options.epsilon = 0.1;
  options.momentum = 0.7;
  if (norm->scale) options.scale = x[3];
  if (norm->bias) options.bias = x[3 + norm->scale];
  OK(netcl_op_copy(x[1], run, &mean));
  OK(netcl_op_copy(x[2], run, &variance));
  const netcl_status status =
      netcl_op_batchnorm(x[0], mean, variance, &options, run, norm->statistics ? &normal : y);
  if (norm->statistics && status == NETCL_OK) {
    const int64_t shape[] = {tensor_info(mean).shape[0], 1, 1, 1};
    const uint32_t rank = tensor_info(x[0]).rank - 1;
    OK(netcl_tensor_reshape(mean, rank, shape, run, &wide[0]));
    OK(netcl_tensor_reshape(variance, rank, shape, run, &wide[1]));
    OK(netcl_op_expression_text("v0 * v1 + square(v2)",
                                (netcl_tensor*[]){normal, wide[0], wide[1]}, 3, NULL, run, y));
  }
  RELEASE(mean, variance, normal, wide[0], wide[1]);
  return status;
}

netcl_status gradient_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                           netcl_tensor** y) {
  const Twice* twice = context;
  netcl_run_options own = run != NULL ? *run : recorded(twice->fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  options.seeds = &x[twice->count];
  options.seeds_count = 1;
  OK(twice->call(twice->context, x, &own, &result));
  const netcl_status status =
      netcl_graph_add_gradients(own.graph, &result, 1, &x[twice->which], 1, &options, y);
  netcl_tensor_release(result);
  if (run == NULL) netcl_graph_release(own.graph);
  return status;
}

/* Random values that every float dtype holds. */
static netcl_tensor* exact_tensor(Fixture* fixture, uint32_t rank, const int64_t* shape, double low,
                                  double high) {
  const int64_t n = product(rank, shape);
  double* values = malloc((size_t)n * sizeof *values + 1);
  for (int64_t i = 0; i < n; ++i) values[i] = round(random_real(low, high) * 64) / 64;
  netcl_tensor* tensor = make_tensor(fixture->device, NETCL_F64, rank, shape, values);
  free(values);
  return tensor;
}

/* The gradients, as f64. The first call makes the seed. Parameters may be f32 beside 16 bits. */
static void gradients_in(Fixture* fixture, netcl_dtype dtype, GradientCall call, void* context,
                         netcl_tensor* const* x, uint32_t count, netcl_tensor** seed,
                         double** grads) {
  netcl_run_options run = recorded(fixture);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *cast[GRADIENT_INPUTS_MAX], *made[GRADIENT_INPUTS_MAX], *y = NULL, *grad = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    const int wide = tensor_info(x[i]).rank == 1 && dtype != NETCL_F64 && random_in(0, 1);
    cast[i] = NULL;
    OK(netcl_op_cast(x[i], wide ? NETCL_F32 : dtype, NULL, &cast[i]));
  }
  OK(call(context, cast, &run, &y));
  const netcl_tensor_info info = tensor_info(y);
  if (*seed == NULL) *seed = exact_tensor(fixture, info.rank, info.shape, -1, 1);
  OK(netcl_op_cast(*seed, dtype, NULL, &grad));
  options.seeds = &grad;
  options.seeds_count = 1;
  OK(netcl_graph_add_gradients(run.graph, &y, 1, cast, count, &options, made));
  for (uint32_t i = 0; i < count; ++i) {
    netcl_tensor* wide = NULL;
    OK(netcl_op_cast(made[i], NETCL_F64, NULL, &wide));
    grads[i] = read_tensor(wide);
    RELEASE(wide, made[i], cast[i]);
  }
  RELEASE(grad, y);
  netcl_graph_release(run.graph);
}

void check_narrow(Fixture* fixture, netcl_dtype dtype, double slack, const char* name,
                  GradientCall call, void* context, const GradientInput* inputs, uint32_t count,
                  const char* file, int line) {
  netcl_tensor *x[GRADIENT_INPUTS_MAX] = {NULL}, *seed = NULL;
  double *wanted[GRADIENT_INPUTS_MAX], *got[GRADIENT_INPUTS_MAX];
  for (uint32_t i = 0; i < count; ++i) {
    const int any = inputs[i].low == inputs[i].high;
    x[i] = exact_tensor(fixture, inputs[i].rank, inputs[i].shape, any ? -2 : inputs[i].low,
                        any ? 2 : inputs[i].high);
  }
  gradients_in(fixture, NETCL_F64, call, context, x, count, &seed, wanted);
  gradients_in(fixture, dtype, call, context, x, count, &seed, got);
  for (uint32_t i = 0; i < count; ++i) {
    for (int64_t k = 0; k < product(inputs[i].rank, inputs[i].shape); ++k) {
      const double apart = fabs(got[i][k] - wanted[i][k]);
      if (!(apart <= 1.001 * unit_roundoff(dtype) * fabs(wanted[i][k]) + slack)) {
        fail_at(file, line, "%s: gradient of input %u, element %lld, is %.9g, not %.9g", name, i,
                (long long)k, got[i][k], wanted[i][k]);
      }
    }
    free(wanted[i]);
    free(got[i]);
    netcl_tensor_release(x[i]);
  }
  netcl_tensor_release(seed);
}
