/* Gradients of elementwise ops, products, reductions, normalisations and ops that move elements. */
#include <math.h>

#include "support_gradients.h"
#include "support_graph.h"

static int64_t extent(void) { return random_in(1, 5); }

/* ---- Elementwise ops ------------------------------------------------------------------------- */

typedef struct Formula {
  const char* text;
  uint32_t count;
} Formula;

static netcl_status formula_call(void* context, netcl_tensor* const* x,
                                 const netcl_run_options* run, netcl_tensor** y) {
  const Formula* formula = context;
  return netcl_op_expression_text(formula->text, x, formula->count, NULL, run, y);
}

static void expressions(void** state) {
  Fixture* fixture = *state;
  static Formula kFormulas[] = {{"v0 * v1 + v2", 3},
                                {"tanh(v0) * sigmoid(v1) - v0", 2},
                                {"v0 > v1 ? v0 * v0 : exp(v1)", 2},
                                {"where(v0 < 0, 0 - v0, sqrt(v0 + 3)) / (v1 * v1 + 1)", 2},
                                {"3 * v0", 1},
                                {"v1 + 0 * v0", 2}};
  for (size_t i = 0; i < COUNT_OF(kFormulas); ++i) {
    const int64_t a = extent(), b = extent(), c = extent();
    const GradientInput inputs[] = {
        {3, {a, b, c}, 0, 0, 0, NULL}, {2, {b, 1}, 0, 0, 0, NULL}, {1, {c}, 0, 0, 0, NULL}};
    CHECK_GRADIENTS(fixture, kFormulas[i].text, formula_call, &kFormulas[i], inputs,
                    kFormulas[i].count);
    const GradientInput turned[] = {
        {0, {0}, 0, 0, 0, NULL}, inputs[0], {3, {1, b, 1}, 0, 0, 0, NULL}};
    CHECK_GRADIENTS(fixture, kFormulas[i].text, formula_call, &kFormulas[i], turned,
                    kFormulas[i].count);
  }
}

static netcl_status elementwise_call(void* context, netcl_tensor* const* x,
                                     const netcl_run_options* run, netcl_tensor** y) {
  const netcl_elementwise op = *(netcl_elementwise*)context;
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  uint32_t count = op == NETCL_ELEMENTWISE_ADD || op == NETCL_ELEMENTWISE_DIV ||
                           op == NETCL_ELEMENTWISE_POW || op == NETCL_ELEMENTWISE_MUL
                       ? 2
                       : 1;
  return netcl_op_elementwise(op, x, count, &options, run, y);
}

static void operators(void** state) {
  Fixture* fixture = *state;
  static netcl_elementwise kOps[] = {NETCL_ELEMENTWISE_ADD,        NETCL_ELEMENTWISE_DIV,
                                     NETCL_ELEMENTWISE_POW,        NETCL_ELEMENTWISE_MUL,
                                     NETCL_ELEMENTWISE_TANH,       NETCL_ELEMENTWISE_GELU,
                                     NETCL_ELEMENTWISE_LEAKY_RELU, NETCL_ELEMENTWISE_ELU};
  for (size_t i = 0; i < COUNT_OF(kOps); ++i) {
    const GradientInput inputs[] = {{2, {extent(), 4}, 0.5, 2, 0, NULL}, {1, {4}, 1, 2, 0, NULL}};
    CHECK_GRADIENTS(fixture, netcl_elementwise_name(kOps[i]), elementwise_call, &kOps[i], inputs,
                    i < 4 ? 2 : 1);
  }
}

static netcl_status bias_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  return netcl_op_bias_add(x[0], x[1], *(int32_t*)context, run, y);
}

static void biases(void** state) {
  Fixture* fixture = *state;
  for (int32_t axis = -3; axis < 3; ++axis) {
    GradientInput inputs[] = {{3, {extent(), extent(), extent()}, 0, 0, 0, NULL},
                              {1, {0}, 0, 0, 0, NULL}};
    inputs[1].shape[0] = inputs[0].shape[(axis + 3) % 3];
    CHECK_GRADIENTS(fixture, "bias_add", bias_call, &axis, inputs, 2);
  }
}

/* ---- Products -------------------------------------------------------------------------------- */

typedef struct Product {
  int bias, residual, scaled;
  netcl_activation activation;
} Product;

static netcl_status product_call(void* context, netcl_tensor* const* x,
                                 const netcl_run_options* run, netcl_tensor** y) {
  const Product* product = context;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  uint32_t next = 2;
  if (product->bias) epilogue.bias = x[next++];
  if (product->residual) epilogue.residual = x[next++];
  epilogue.activation = product->activation;
  if (product->activation == NETCL_ACTIVATION_CLIP) {
    epilogue.has_parameters = 1;
    epilogue.alpha = -1;
    epilogue.beta = 1.5;
  }
  options.epilogue = &epilogue;
  options.has_scale = product->scaled;
  options.alpha = product->scaled ? -1.5 : 0;
  return netcl_op_matmul(x[0], x[1], &options, run, y);
}

static void products(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i <= NETCL_ACTIVATION_CLIP; ++i) {
    const int64_t m = extent(), k = extent(), n = extent(), batch = extent();
    Product product = {i % 2, i % 3 == 0, i % 4 == 1, i};
    uint32_t count = 2;
    GradientInput inputs[4] = {{2, {m, k}, 0, 0, 0, NULL}, {2, {k, n}, 0, 0, 0, NULL}};
    if (product.bias) inputs[count++] = (GradientInput){1, {n}, 0, 0, 0, NULL};
    if (product.residual) inputs[count++] = (GradientInput){2, {m, n}, 0, 0, 0, NULL};
    CHECK_GRADIENTS(fixture, "matmul", product_call, &product, inputs, count);
    /* A batch in front of one operand or both, and a bias of one element. */
    inputs[0] = (GradientInput){3, {batch, m, k}, 0, 0, 0, NULL};
    if (product.bias) inputs[2] = (GradientInput){1, {1}, 0, 0, 0, NULL};
    if (product.residual) inputs[count - 1] = (GradientInput){3, {batch, m, n}, 0, 0, 0, NULL};
    CHECK_GRADIENTS(fixture, "matmul of a batch", product_call, &product, inputs, count);
    inputs[1] = (GradientInput){3, {i % 2 ? batch : 1, k, n}, 0, 0, 0, NULL};
    CHECK_GRADIENTS(fixture, "matmul of batches", product_call, &product, inputs, count);
  }
  Product plain = {0, 0, 1, 0};
  const GradientInput vectors[] = {
      {1, {4}, 0, 0, 0, NULL}, {2, {4, 3}, 0, 0, 0, NULL}, {1, {4}, 0, 0, 0, NULL}};
  CHECK_GRADIENTS(fixture, "vector by matrix", product_call, &plain, vectors, 2);
  CHECK_GRADIENTS(fixture, "vector by vector", product_call, &plain,
                  ((GradientInput[]){vectors[0], vectors[2]}), 2);
  CHECK_GRADIENTS(fixture, "matrices by vector", product_call, &plain,
                  ((GradientInput[]){{3, {2, 3, 4}, 0, 0, 0, NULL}, vectors[0]}), 2);
}

/* ---- Reductions and rows --------------------------------------------------------------------- */

typedef struct Rows {
  netcl_reduction kind;
  int32_t axes[2];
  uint32_t axes_count;
  int flag, other;
} Rows;

static netcl_status reduce_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Rows* rows = context;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = rows->axes;
  options.axes_count = rows->axes_count;
  options.keepdims = (uint32_t)rows->flag;
  return netcl_op_reduce(x[0], rows->kind, &options, run, y);
}

static void reductions(void** state) {
  Fixture* fixture = *state;
  for (netcl_reduction kind = NETCL_REDUCTION_SUM; kind <= NETCL_REDUCTION_LOG_SUM_EXP; ++kind) {
    for (int form = 0; form < 4; ++form) {
      Rows rows = {
          kind, {form == 3 ? -1 : 1, 0}, form < 3 ? (uint32_t)form : 1, (int)random_in(0, 1), 0};
      const GradientInput input = {
          3,   {extent(), extent(), extent()}, kind == NETCL_REDUCTION_LOG_SUM ? 0.2 : -2, 2, 1,
          NULL};
      CHECK_GRADIENTS(fixture, "reduce", reduce_call, &rows, &input, 1);
    }
  }
  /* The product of others is known where one or two of them are 0. */
  static const double kZeros[] = {2, 0, 3, 0, 0, 1.5};
  Rows rows = {NETCL_REDUCTION_PROD, {1}, 1, 0, 0};
  const GradientInput zeros = {2, {2, 3}, 0, 0, 0, kZeros};
  CHECK_GRADIENTS(fixture, "product with zeros", reduce_call, &rows, &zeros, 1);
}

static netcl_status scan_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  const Rows* rows = context;
  netcl_scan_options options = NETCL_SCAN_OPTIONS_INIT;
  options.exclusive = (uint32_t)rows->flag;
  options.reverse = (uint32_t)rows->other;
  return netcl_op_scan(x[0], rows->kind, rows->axes[0], &options, run, y);
}
static netcl_status softmax_call(void* context, netcl_tensor* const* x,
                                 const netcl_run_options* run, netcl_tensor** y) {
  const Rows* rows = context;
  return rows->flag ? netcl_op_log_softmax(x[0], rows->axes[0], run, y)
                    : netcl_op_softmax(x[0], rows->axes[0], run, y);
}
static netcl_status norm_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  const Rows* rows = context;
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  options.has_epsilon = 1;
  options.epsilon = 0.01;
  if (rows->other) options.scale = x[1];
  if (rows->other && !rows->flag) options.bias = x[2];
  return rows->flag ? netcl_op_rmsnorm(x[0], rows->axes[0], &options, run, y)
                    : netcl_op_layernorm(x[0], rows->axes[0], &options, run, y);
}

/* The result and the statistics of rows, each with a weight of its own: bits 0 to 2 of `other` say
 * which. */
static netcl_status statistics_call(void* context, netcl_tensor* const* x,
                                    const netcl_run_options* run, netcl_tensor** y) {
  const Rows* rows = context;
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_tensor *normal = NULL, *statistics[2] = {NULL, NULL};
  netcl_device* device = NULL;
  const netcl_tensor_info info = tensor_info(x[0]);
  const int64_t shape[3] = {info.shape[0], 1, 1};
  const netcl_dtype wide = info.dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  OK(netcl_tensor_get_device(x[0], &device));
  for (int i = 0; i < 2; ++i) {
    OK(netcl_tensor_create(device, wide, 3, shape, NULL, NULL, &statistics[i]));
  }
  netcl_device_release(device);
  options.epsilon = 0.1;
  if (rows->other & 1) options.mean_into = statistics[0];
  if (rows->other & 2) options.inverse_deviation_into = statistics[1];
  OK(rows->flag ? netcl_op_rmsnorm(x[0], 1, &options, run, &normal)
                : netcl_op_layernorm(x[0], 1, &options, run, &normal));
  netcl_tensor* const all[3] = {normal, statistics[rows->other & 1 ? 0 : 1],
                                statistics[rows->other & 2 ? 1 : 0]};
  const netcl_status status =
      rows->other & 4 ? netcl_op_expression_text("v0 * v1 + 3 * v1 - v2 * v1", all, 3, NULL, run, y)
                      : netcl_op_expression_text("v0 * v1 + v1 * v1", all + 1, 2, NULL, run, y);
  RELEASE(normal, statistics[0], statistics[1]);
  return status;
}

static void statistics(void** state) {
  Fixture* fixture = *state;
  for (int form = 1; form < 8; ++form) {
    if ((form & 3) == 0) continue;
    const GradientInput input = {3, {extent(), extent(), random_in(2, 5)}, 0, 0, 0, NULL};
    Rows rows = {NETCL_REDUCTION_SUM, {1}, 1, 0, form};
    CHECK_GRADIENTS(fixture, "statistics", statistics_call, &rows, &input, 1);
    rows.flag = 1;
    rows.other = (form & 4) | 2;
    CHECK_GRADIENTS(fixture, "statistics of rmsnorm", statistics_call, &rows, &input, 1);
  }
}

static void rows(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 4; ++form) {
    const int64_t a = extent(), b = extent(), c = random_in(2, 5);
    Rows rows = {NETCL_REDUCTION_SUM, {(int32_t)random_in(-3, 2)}, 1, form % 2, form / 2};
    const GradientInput inputs[] = {
        {3, {a, b, c}, 0, 0, 0, NULL}, {1, {c}, 0, 0, 0, NULL}, {2, {b, c}, 0, 0, 0, NULL}};
    CHECK_GRADIENTS(fixture, "scan", scan_call, &rows, inputs, 1);
    CHECK_GRADIENTS(fixture, "softmax", softmax_call, &rows, inputs, 1);
    rows.axes[0] = 1;
    CHECK_GRADIENTS(fixture, "norm", norm_call, &rows, inputs,
                    rows.other ? (rows.flag ? 2 : 3) : 1);
  }
}

/* ---- Ops that move elements ------------------------------------------------------------------ */

static netcl_status transpose_call(void* context, netcl_tensor* const* x,
                                   const netcl_run_options* run, netcl_tensor** y) {
  return netcl_op_transpose(x[0], context, context == NULL ? 0 : 3, run, y);
}
static netcl_status concat_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  return netcl_op_concat(x, 3, *(int32_t*)context, run, y);
}
static netcl_status copy_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  netcl_tensor* copied = NULL;
  (void)context;
  netcl_status status = netcl_op_copy(x[0], run, &copied);
  if (status == NETCL_OK) status = netcl_op_contiguous(copied, run, y);
  netcl_tensor_release(copied);
  return status;
}
/* Each part is treated differently, and parts of parts; a reshape may copy. */
static netcl_status views_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                               netcl_tensor** y) {
  static const int64_t kSizes[] = {2, 3, 1}, kFlat[] = {18}, kWide[] = {3, 3, 6};
  static const uint32_t kAxes[] = {1, 0};
  netcl_tensor *both = NULL, *parts[3], *turned = NULL, *joined = NULL, *flat = NULL, *wide = NULL;
  (void)context;
  OK(netcl_op_expression_text("v0 * v0", x, 1, NULL, run, &both)); /* [3, 6] */
  OK(netcl_tensor_split(both, 1, kSizes, 3, parts));
  netcl_tensor* scaled[3];
  OK(netcl_op_expression_text("v0 * v1", (netcl_tensor*[]){parts[0], parts[2]}, 2, NULL, run,
                              &scaled[0]));
  OK(netcl_op_expression_text("sin(v0)", &parts[1], 1, NULL, run, &scaled[1]));
  OK(netcl_op_expression_text("3 * v0", &parts[2], 1, NULL, run, &scaled[2]));
  OK(netcl_op_concat(scaled, 3, 1, run, &joined));
  OK(netcl_tensor_permute(joined, kAxes, 2, &turned));
  OK(netcl_tensor_reshape(turned, 1, kFlat, run, &flat));
  OK(netcl_tensor_broadcast(both, 3, kWide, &wide));
  netcl_tensor* sum = NULL;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  OK(netcl_op_reduce(wide, NETCL_REDUCTION_SUM_SQUARE, &options, run, &sum));
  const netcl_status status = netcl_op_expression_text(
      "v0 * cos(v1) + v2", (netcl_tensor*[]){flat, flat, sum}, 3, NULL, run, y);
  netcl_tensor_release(sum);
  netcl_tensor* all[] = {both, turned, joined, flat, wide};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  for (int i = 0; i < 3; ++i) {
    netcl_tensor_release(parts[i]);
    netcl_tensor_release(scaled[i]);
  }
  return status;
}

static void moves(void** state) {
  Fixture* fixture = *state;
  const int64_t a = extent(), b = extent(), c = extent();
  const GradientInput inputs[] = {{3, {a, b, c}, 0, 0, 0, NULL}};
  static uint32_t kAxes[] = {2, 0, 1};
  CHECK_GRADIENTS(fixture, "transpose", transpose_call, NULL, inputs, 1);
  CHECK_GRADIENTS(fixture, "transpose", transpose_call, kAxes, inputs, 1);
  CHECK_GRADIENTS(fixture, "copy", copy_call, NULL, inputs, 1);
  for (int32_t axis = -2; axis < 2; ++axis) {
    GradientInput parts[] = {
        {2, {a, b}, 0, 0, 0, NULL}, {2, {a, b}, 0, 0, 0, NULL}, {2, {a, b}, 0, 0, 0, NULL}};
    for (int i = 0; i < 3; ++i) parts[i].shape[(axis + 2) % 2] = extent();
    CHECK_GRADIENTS(fixture, "concat", concat_call, &axis, parts, 3);
  }
  const GradientInput matrix = {2, {3, 6}, 0, 0, 0, NULL};
  CHECK_GRADIENTS(fixture, "views", views_call, NULL, &matrix, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(expressions), DEVICE_TEST(operators),  DEVICE_TEST(biases),
      DEVICE_TEST(products),    DEVICE_TEST(reductions), DEVICE_TEST(rows),
      DEVICE_TEST(statistics),  DEVICE_TEST(moves),
  };
  seed_random("gradients");
  return cmocka_run_group_tests_name("gradients", tests, NULL, NULL);
}
