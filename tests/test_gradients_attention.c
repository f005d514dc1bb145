/* The gradient of attention, which is that of products and a softmax. */
#include "support_gradients.h"
#include "support_graph.h"

#include <math.h>

typedef struct Form {
  netcl_attention_options options;
  int biased, sums; /* x[3] is the bias; the log-sum-exp is what is given */
} Form;

static netcl_status attention_call(void* context, netcl_tensor* const* x,
                                   const netcl_run_options* run, netcl_tensor** y) {
  Form form = *(const Form*)context;
  netcl_tensor *result = NULL, *lse = NULL;
  if (form.biased) form.options.bias = x[3];
  if (!form.sums) return netcl_op_attention(x[0], x[1], x[2], &form.options, run, y, NULL);
  const netcl_run_options plain = NETCL_RUN_OPTIONS_INIT;
  netcl_run_options own = run != NULL ? *run : plain;
  form.options.lse_into = own.into;
  own.into = NULL;
  const netcl_status status =
      netcl_op_attention(x[0], x[1], x[2], &form.options, &own, &result, y != NULL ? &lse : NULL);
  netcl_tensor_release(result);
  if (y != NULL) *y = lse;
  return status;
}

static void any_options(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 30); ++round) {
    const int64_t batch = random_in(1, 2), kv = random_in(1, 2), heads = kv * random_in(1, 3);
    const int64_t m = random_in(1, 4), n = random_in(1, 5), size = random_in(1, 5);
    const GradientInput inputs[] = {{4, {batch, heads, m, size}, 0, 0, 0, NULL},
                                    {4, {batch, kv, n, size}, 0, 0, 0, NULL},
                                    {4, {batch, kv, n, random_in(1, 4)}, 0, 0, 0, NULL},
                                    {3, {random_in(0, 1) ? heads : 1, m, n}, 0, 0, 0, NULL}};
    const int64_t shape[2] = {m, n};
    unsigned char seen[32];
    Form form = {NETCL_ATTENTION_OPTIONS_INIT, round % 3 == 1, round % 5 == 4};
    netcl_attention_options* const o = &form.options;
    for (int i = 0; i < 32; ++i) seen[i] = random_in(0, 3) != 0;
    if (random_in(0, 1)) o->causal = 1;
    if (random_in(0, 2) == 0) o->softcap = 1.5;
    if (random_in(0, 2) == 0) o->scale = -0.7;
    if (random_in(0, 2) == 0) {
      o->has_position = 1;
      o->position = random_in(0, 2);
    }
    if (random_in(0, 2) == 0) {
      o->has_window = 1;
      o->window_before = random_in(-1, 2);
      o->window_after = o->causal ? 0 : random_in(-1, 2);
    }
    /* The log-sum-exp of a row that sees nothing is -inf: no differences. */
    if (form.sums) {
      o->causal = o->has_window = 0;
    } else if (random_in(0, 1)) {
      o->mask = make_tensor(fixture->device, NETCL_BOOL, 2, shape, seen);
    }
    CHECK_GRADIENTS(fixture, "attention", attention_call, &form, inputs, form.biased ? 4 : 3);
    netcl_tensor_release(o->mask);
  }
}

/* What a row that sees nothing gives is a constant; f16 is computed in f32. */
static void nothing_seen(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[4] = {1, 1, 2, 2};
  const double values[4] = {0.5, -1, 2, 0.25};
  static const netcl_dtype kNarrow[] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  for (size_t i = 0; i < COUNT_OF(kNarrow); ++i) {
    netcl_run_options run = recorded(fixture);
    netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
    unsigned char data[32];
    netcl_tensor *y = NULL, *total, *grad, *single = NULL;
    for (int k = 0; k < 4; ++k) store_double(kNarrow[i], data, k, values[k]);
    netcl_tensor* x = make_tensor(fixture->device, kNarrow[i], 4, shape, data);
    netcl_tensor* v = make_tensor(fixture->device, kNarrow[i], 4, shape, data);
    /* The first query sees nothing, the second one the first key: its weight is 1. */
    options.causal = options.has_position = 1;
    options.position = -1;
    OK(netcl_op_attention(x, x, v, &options, &run, &y, NULL));
    OK(netcl_op_cast(y, NETCL_F32, &run, &single));
    total = sum_of(single, &run);
    grad = gradient(&run, total, v);
    GIVES(grad, 1, 1, 0, 0);
    RELEASE(grad);
    grad = gradient(&run, total, x);
    GIVES(grad, 0, 0, 0, 0);
    RELEASE(x, v, y, total, grad, single);
    netcl_graph_release(run.graph);
  }
}

/* A bias of the lowest number is one, and that of -inf hides the key. */
static void low_biases(void** state) {
  Fixture* fixture = *state;
  const int64_t shape_q[4] = {1, 1, 1, 2}, shape_k[4] = {1, 1, 2, 2}, shape_v[4] = {1, 1, 2, 1};
  const int64_t shape_bias[2] = {1, 2};
  const float q_data[2] = {0.5f, -1}, k_data[4] = {1, 2, 0.25f, -2}, v_data[2] = {3, 4};
  const float biases[2][2] = {{-3.4028235e38f, -3.4028235e38f}, {-INFINITY, 1}};
  for (int i = 0; i < 2; ++i) {
    netcl_run_options run = recorded(fixture);
    netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
    netcl_tensor *y = NULL, *total, *grad;
    netcl_tensor* q = make_tensor(fixture->device, NETCL_F32, 4, shape_q, q_data);
    netcl_tensor* k = make_tensor(fixture->device, NETCL_F32, 4, shape_k, k_data);
    netcl_tensor* v = make_tensor(fixture->device, NETCL_F32, 4, shape_v, v_data);
    options.bias = make_tensor(fixture->device, NETCL_F32, 2, shape_bias, biases[i]);
    OK(netcl_op_attention(q, k, v, &options, &run, &y, NULL));
    total = sum_of(y, &run);
    grad = gradient(&run, total, v);
    if (i == 0) {
      GIVES(grad, 0.5, 0.5);
    } else {
      GIVES(grad, 0, 1);
    }
    RELEASE(q, k, v, y, total, grad, options.bias);
    netcl_graph_release(run.graph);
  }
}

static void lengths_have_none(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[4] = {1, 1, 2, 2}, one[2] = {1, 1};
  const float data[4] = {1, 2, 3, 4};
  const int32_t count = 2, page = 0;
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 4, shape, data);
  netcl_tensor* counts = make_tensor(fixture->device, NETCL_I32, 1, one, &count);
  netcl_tensor* table = make_tensor(fixture->device, NETCL_I32, 2, one, &page);
  for (int which = 0; which < 3; ++which) {
    static const char* const kWhy[] = {"options->query_lengths is set",
                                       "options->key_lengths is set",
                                       "options->block_table is set"};
    netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
    netcl_run_options run = recorded(fixture);
    netcl_tensor *y = NULL, *grad = NULL;
    if (which == 0) options.query_lengths = counts;
    if (which > 0) options.key_lengths = counts;
    if (which == 2) options.block_table = table;
    OK(netcl_op_attention(x, x, x, &options, &run, &y, NULL));
    netcl_tensor* total = sum_of(y, &run);
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, kWhy[which],
               netcl_graph_add_gradients(run.graph, &total, 1, &x, 1, NULL, &grad));
    assert_null(grad);
    RELEASE(y, total);
    netcl_graph_release(run.graph);
  }
  RELEASE(x, counts, table);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(any_options), DEVICE_TEST(nothing_seen),
                                     DEVICE_TEST(low_biases), DEVICE_TEST(lengths_have_none),
                                     DEVICE_TEST(as_kernels)};
  seed_random("gradients_attention");
  return cmocka_run_group_tests_name("gradients_attention", tests, NULL, NULL);
}
