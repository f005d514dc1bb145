/* Attention: rows that see nothing, what is hidden, sequences that cannot be, messages, bits. */
#include <math.h>
#include <stdio.h>

#include "support_attention.h"
#include "support_graph.h"
#include "support_process.h"

/* Rows of every path: few queries, and tiles of them. */
static const int64_t kRows[] = {1, 3, 20};

static Attention problem(int64_t rows, int parts) {
  Attention a = {0};
  a.dtype = a.bias_dtype = NETCL_F32;
  a.batch = a.heads = 2;
  a.kv_heads = 1;
  a.rows = rows;
  a.keys = 40;
  a.size = 16;
  a.value_size = 12;
  a.before = a.after = -1;
  a.parts = parts;
  if (parts & ATTENTION_PAGES) {
    a.page_size = 8;
    a.entries = 5;
    a.pages = 6;
  }
  return a;
}

/* All by masks, by -inf of the bias, by a window that lies behind the keys, and without keys. */
static void nothing_seen(void **state) {
  Fixture *fixture = *state;
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    for (int how = 0; how < 4; ++how) {
      const int parts[4] = {ATTENTION_MASK, ATTENTION_BIAS, ATTENTION_CAUSAL | ATTENTION_POSITION,
                            0};
      Attention a = problem(kRows[r], parts[how]);
      a.position = -100;
      a.after = 0;
      if (how == 3) a.keys = 0;
      attention_fill(&a, 1.0);
      if (how == 0) memset(a.mask, 0, (size_t)product(a.mask_rank, a.mask_shape));
      for (int64_t i = 0; how == 1 && i < product(a.bias_rank, a.bias_shape); ++i) {
        ((float *)a.bias)[i] = -INFINITY;
      }
      AttentionWanted wanted = attention_reference(&a);
      assert_true(wanted.lse[0] == -INFINITY && wanted.result[0] == 0);
      attention_wanted_free(&wanted);
      check_attention(fixture, &a);
      attention_free(&a);
    }
  }
}

/* NaN and infinities in keys and values reach those that see them, and nobody else. */
static void hidden_numbers(void **state) {
  Fixture *fixture = *state;
  static const float kOdd[] = {NAN, INFINITY, -INFINITY};
  static const int kParts[] = {ATTENTION_CAUSAL, ATTENTION_MASK, ATTENTION_WINDOW,
                               ATTENTION_KEY_LENGTHS, 0};
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    for (size_t p = 0; p < COUNT_OF(kParts); ++p) {
      if (left_out(fixture, 3)) continue;
      for (int values = 0; values < 2; ++values) {
        Attention a = problem(kRows[r], kParts[p]);
        a.before = 9;
        a.after = 4;
        attention_fill(&a, 1.0);
        for (int i = 0; i < 6; ++i) {
          const int64_t b = random_in(0, 1), n = random_in(15, 39);
          const int64_t size = values ? a.value_size : a.size;
          float *const line = (float *)(values ? a.v : a.k) + attention_key(&a, b, 0, n, size);
          line[random_in(0, size - 1)] = kOdd[random_in(0, 2)];
        }
        check_attention(fixture, &a);
        attention_free(&a);
      }
    }
  }
}

/* Lengths and pages out of range: that sequence is NaN, the other is not. */
static void unsound_sequences(void **state) {
  Fixture *fixture = *state;
  static const int32_t kWrong[] = {-1, 41, INT32_MAX, INT32_MIN};
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    for (size_t w = 0; w < COUNT_OF(kWrong); ++w) {
      for (int what = 0; what < 3; ++what) {
        const int parts[3] = {ATTENTION_KEY_LENGTHS, ATTENTION_QUERY_LENGTHS,
                              ATTENTION_KEY_LENGTHS | ATTENTION_PAGES};
        Attention a = problem(kRows[r], parts[what]);
        attention_fill(&a, 1.0);
        const int64_t b = random_in(0, 1);
        int32_t *const list = what == 0   ? a.key_lengths
                              : what == 1 ? a.query_lengths
                                          : a.table + b * a.entries;
        if (what == 2) {
          a.key_lengths[b] = (int32_t)random_in(17, 40);
          a.key_lengths[1 - b] = 0; /* whose pages are not looked at */
          for (int64_t e = 0; e < a.entries; ++e) list[e] = (int32_t)random_in(0, a.pages - 1);
          list[random_in(0, 2)] = kWrong[w];
        } else {
          list[b] = kWrong[w];
        }
        AttentionWanted wanted = attention_reference(&a);
        assert_true(isnan(wanted.lse[b * a.heads * a.rows]));
        attention_wanted_free(&wanted);
        check_attention(fixture, &a);
        attention_free(&a);
      }
    }
  }
}

/* Position 0 is PyTorch's is_causal: query m sees keys 0 to m. By default the last one sees all. */
static void where_queries_stand(void **state) {
  Fixture *fixture = *state;
  const int64_t q_shape[4] = {1, 1, 2, 1}, k_shape[4] = {1, 1, 4, 1};
  const float q[2] = {0, 0}, k[4] = {1, 2, 3, 4}, v[4] = {4, 8, 24, 64};
  const float start[2] = {4, 6}, end[2] = {12, 25};
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  netcl_tensor *queries = make_tensor(fixture->device, NETCL_F32, 4, q_shape, q);
  netcl_tensor *keys = make_tensor(fixture->device, NETCL_F32, 4, k_shape, k);
  netcl_tensor *values = make_tensor(fixture->device, NETCL_F32, 4, k_shape, v);
  netcl_tensor *result = NULL;
  options.causal = 1;
  OK(netcl_op_attention(queries, keys, values, &options, NULL, &result, NULL));
  check_and_release(&result, 2, (const double[]){end[0], end[1]}, 1e-5, __LINE__);
  options.has_position = 1;
  OK(netcl_op_attention(queries, keys, values, &options, NULL, &result, NULL));
  check_and_release(&result, 2, (const double[]){start[0], start[1]}, 1e-5, __LINE__);
  /* Beyond all numbers of keys. */
  options.position = INT64_MAX;
  OK(netcl_op_attention(queries, keys, values, &options, NULL, &result, NULL));
  check_and_release(&result, 2, (const double[]){25, 25}, 1e-5, __LINE__);
  options.position = INT64_MIN;
  OK(netcl_op_attention(queries, keys, values, &options, NULL, &result, NULL));
  check_and_release(&result, 2, (const double[]){0, 0}, 1e-5, __LINE__);
  options = (netcl_attention_options)NETCL_ATTENTION_OPTIONS_INIT;
  options.has_window = 1;
  options.window_before = options.window_after = INT64_MAX;
  OK(netcl_op_attention(queries, keys, values, &options, NULL, &result, NULL));
  check_and_release(&result, 2, (const double[]){25, 25}, 1e-5, __LINE__);
  RELEASE(queries, keys, values);
}

static netcl_tensor *zeros(Fixture *fixture, netcl_dtype dtype, uint32_t rank, int64_t a, int64_t b,
                           int64_t c, int64_t d) {
  const int64_t shape[4] = {a, b, c, d};
  netcl_tensor *made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &made));
  return made;
}

/* q [2, 4, 3, 8], k [2, 2, 5, 8], v [2, 2, 5, 6]. */
typedef struct Trio {
  netcl_tensor *q, *k, *v;
} Trio;

static Trio make_trio(Fixture *fixture) {
  const Trio trio = {zeros(fixture, NETCL_F32, 4, 2, 4, 3, 8),
                     zeros(fixture, NETCL_F32, 4, 2, 2, 5, 8),
                     zeros(fixture, NETCL_F32, 4, 2, 2, 5, 6)};
  return trio;
}

static void refuses(const Trio *t, netcl_status status, const char *text,
                    const netcl_attention_options *options) {
  netcl_tensor *result = NULL, *lse = NULL;
  FAILS_WITH(status, text, netcl_op_attention(t->q, t->k, t->v, options, NULL, &result, &lse));
  assert_null(result);
  assert_null(lse);
}

static void shapes(void **state) {
  Fixture *fixture = *state;
  const struct {
    int64_t k[4], v[4];
    netcl_status status;
    const char *text;
  } kCases[] = {
      {{3, 2, 5, 8}, {3, 2, 5, 6}, NETCL_ERROR_INVALID_ARGUMENT,
       "k has shape [3, 2, 5, 8]; its extent 0 is 2, as q's"},
      {{2, 2, 5, 8}, {1, 2, 5, 6}, NETCL_ERROR_INVALID_ARGUMENT,
       "v has shape [1, 2, 5, 6]; its extent 0 is 2, as q's"},
      {{2, 2, 5, 7}, {2, 2, 5, 6}, NETCL_ERROR_INVALID_ARGUMENT,
       "k has shape [2, 2, 5, 7]; its extent 3 is 8, as q's"},
      {{2, 2, 5, 8}, {2, 1, 5, 6}, NETCL_ERROR_INVALID_ARGUMENT,
       "v has shape [2, 1, 5, 6]; its extent 1 is 2, as k's"},
      {{2, 2, 5, 8}, {2, 2, 4, 6}, NETCL_ERROR_INVALID_ARGUMENT,
       "v has shape [2, 2, 4, 6]; its extent 2 is 5, as k's"},
      {{2, 3, 5, 8}, {2, 3, 5, 6}, NETCL_ERROR_INVALID_ARGUMENT, "k has 3 heads and q has 4"},
      {{2, 0, 5, 8}, {2, 0, 5, 6}, NETCL_ERROR_INVALID_ARGUMENT, "k has 0 heads and q has 4"},
      {{2, 2, 5, 8}, {2, 2, 5, 257}, NETCL_ERROR_UNSUPPORTED,
       "v has shape [2, 2, 5, 257]; heads of 1 to 256"},
      {{2, 2, 5, 8}, {2, 2, 5, 0}, NETCL_ERROR_UNSUPPORTED, "v has shape [2, 2, 5, 0]"}};
  Trio t = {zeros(fixture, NETCL_F32, 4, 2, 4, 3, 8), NULL, NULL};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, kCases[i].k, NULL, NULL, &t.k));
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, kCases[i].v, NULL, NULL, &t.v));
    refuses(&t, kCases[i].status, kCases[i].text, NULL);
    RELEASE(t.k, t.v);
  }
  t.k = zeros(fixture, NETCL_F32, 3, 2, 2, 5, 0);
  t.v = zeros(fixture, NETCL_F16, 4, 2, 2, 5, 6);
  refuses(&t, NETCL_ERROR_INVALID_ARGUMENT, "k has shape [2, 2, 5]; attention needs rank 4", NULL);
  RELEASE(t.k);
  t.k = zeros(fixture, NETCL_F32, 4, 2, 2, 5, 8);
  refuses(&t, NETCL_ERROR_INVALID_ARGUMENT, "v is f16 and q is f32; they have one dtype", NULL);
  RELEASE(t.q);
  t.q = zeros(fixture, NETCL_I32, 4, 2, 4, 3, 8);
  refuses(&t, NETCL_ERROR_UNSUPPORTED, "q is i32; attention takes f16, bf16, f32 and f64", NULL);
  RELEASE(t.q);
  t.q = zeros(fixture, NETCL_F32, 4, 2, 4, 3, 300);
  refuses(&t, NETCL_ERROR_INVALID_ARGUMENT, "v is f16", NULL);
  RELEASE(t.v);
  t.v = zeros(fixture, NETCL_F32, 4, 2, 2, 5, 6);
  refuses(&t, NETCL_ERROR_UNSUPPORTED, "q has shape [2, 4, 3, 300]; heads of 1 to 256", NULL);
  RELEASE(t.q, t.k, t.v);
}

static void numbers(void **state) {
  Fixture *fixture = *state;
  const netcl_attention_options init = NETCL_ATTENTION_OPTIONS_INIT;
  const Trio t = make_trio(fixture);
  netcl_attention_options o = init;
#define REFUSED(member, value, status, text) \
  do {                                       \
    o = init;                                \
    o.has_window = 1;                        \
    o.member = value;                        \
    refuses(&t, status, text, &o);           \
  } while (0)
  REFUSED(scale, INFINITY, NETCL_ERROR_INVALID_ARGUMENT, "options->scale is inf");
  REFUSED(scale, NAN, NETCL_ERROR_INVALID_ARGUMENT, "options->scale is nan");
  REFUSED(variant, NETCL_VARIANT_MATMUL_TILED, NETCL_ERROR_INVALID_ARGUMENT,
          "options->variant is matmul_tiled (2); attention takes attention_portable, "
          "attention_matrix_units");
  REFUSED(reserved, 7, NETCL_ERROR_INVALID_ARGUMENT, "options->reserved");
  REFUSED(softcap, -1.0, NETCL_ERROR_INVALID_ARGUMENT, "options->softcap is -1");
  REFUSED(softcap, NAN, NETCL_ERROR_INVALID_ARGUMENT, "options->softcap is nan");
  REFUSED(softcap, INFINITY, NETCL_ERROR_INVALID_ARGUMENT, "options->softcap is inf");
  /* Numbers that f32, in which scores are, does not hold. */
  REFUSED(scale, 1e39, NETCL_ERROR_INVALID_ARGUMENT, "options->scale is 1e+39");
  REFUSED(softcap, 1e39, NETCL_ERROR_INVALID_ARGUMENT, "options->softcap is 1e+39");
  REFUSED(softcap, 1e-46, NETCL_ERROR_INVALID_ARGUMENT, "options->softcap is 1e-46");
  REFUSED(softcap, 3e38, NETCL_ERROR_INVALID_ARGUMENT, "options->scale by softcap is 1.1");
  REFUSED(window_before, -2, NETCL_ERROR_INVALID_ARGUMENT, "options->window_before is -2");
  REFUSED(window_after, INT64_MIN, NETCL_ERROR_INVALID_ARGUMENT, "options->window_after is -9223");
  REFUSED(has_scale, 2, NETCL_ERROR_INVALID_ARGUMENT, "options->has_scale");
  REFUSED(has_position, 2, NETCL_ERROR_INVALID_ARGUMENT, "options->has_position");
  REFUSED(has_window, 2, NETCL_ERROR_INVALID_ARGUMENT, "options->has_window");
  REFUSED(causal, 2, NETCL_ERROR_INVALID_ARGUMENT, "options->causal");
  o = init;
  o.has_window = o.causal = 1;
  o.window_after = 3;
  refuses(&t, NETCL_ERROR_INVALID_ARGUMENT, "options->window_after is 3 with causal", &o);
  RELEASE(t.q, t.k, t.v);
}

static void tensors_of_options(void **state) {
  Fixture *fixture = *state;
  const netcl_attention_options init = NETCL_ATTENTION_OPTIONS_INIT;
  const Trio t = make_trio(fixture);
  netcl_attention_options o;
#define TENSOR_REFUSED(member, dtype, rank, a, b, c, d, status, text)                      \
  do {                                                                                     \
    o = init;                                                                              \
    o.member = zeros(fixture, dtype, rank, a, b, c, d);                                    \
    refuses(&t, status, text, &o);                                                         \
    netcl_tensor_release(o.member);                                                        \
  } while (0)
  TENSOR_REFUSED(bias, NETCL_F32, 2, 3, 6, 0, 0, NETCL_ERROR_INVALID_ARGUMENT, "options->bias");
  TENSOR_REFUSED(bias, NETCL_F16, 2, 3, 5, 0, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->bias is f16; it is f32 or as q, f32");
  TENSOR_REFUSED(mask, NETCL_BOOL, 2, 2, 5, 0, 0, NETCL_ERROR_INVALID_ARGUMENT, "options->mask");
  TENSOR_REFUSED(mask, NETCL_U8, 2, 3, 5, 0, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->mask is u8; it is bool");
  TENSOR_REFUSED(query_lengths, NETCL_I64, 1, 2, 0, 0, 0, NETCL_ERROR_UNSUPPORTED,
                 "options->query_lengths is i64; it is i32");
  TENSOR_REFUSED(query_lengths, NETCL_I32, 1, 3, 0, 0, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->query_lengths has shape [3]; it is [2], as q has 2 sequences");
  TENSOR_REFUSED(key_lengths, NETCL_F32, 1, 2, 0, 0, 0, NETCL_ERROR_UNSUPPORTED,
                 "options->key_lengths is f32; it is i32");
  TENSOR_REFUSED(key_lengths, NETCL_I32, 2, 2, 1, 0, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->key_lengths has shape [2, 1]; it is [2]");
  TENSOR_REFUSED(block_table, NETCL_I32, 1, 2, 0, 0, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->block_table has shape [2]; it is [2, P]");
  TENSOR_REFUSED(block_table, NETCL_I32, 2, 2, 3, 0, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->block_table is set and options->key_lengths is NULL");
  TENSOR_REFUSED(lse_into, NETCL_F32, 3, 2, 4, 4, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->lse_into has shape [2, 4, 4]; the log-sum-exp has [2, 4, 3]");
  TENSOR_REFUSED(lse_into, NETCL_F16, 3, 2, 4, 3, 0, NETCL_ERROR_INVALID_ARGUMENT,
                 "options->lse_into is f16; the log-sum-exp is f32");
  /* Pages of no keys. */
  netcl_tensor *empty = zeros(fixture, NETCL_F32, 4, 6, 2, 0, 8);
  const Trio none = {t.q, empty, empty};
  o = init;
  o.key_lengths = zeros(fixture, NETCL_I32, 1, 2, 0, 0, 0);
  o.block_table = zeros(fixture, NETCL_I32, 2, 2, 3, 0, 0);
  refuses(&none, NETCL_ERROR_INVALID_ARGUMENT, "a page has 1 key or more", &o);
  RELEASE(empty, o.key_lengths, o.block_table, t.q, t.k, t.v);
}

/* Results in the memory of inputs, and in each other's; places for none. */
static void places(void **state) {
  Fixture *fixture = *state;
  netcl_attention_options o = NETCL_ATTENTION_OPTIONS_INIT;
  netcl_tensor *x = zeros(fixture, NETCL_F32, 4, 2, 2, 5, 8), *sums = NULL, *made = NULL;
  const int64_t shape[3] = {2, 2, 5}, strides[3] = {80, 40, 8};
  netcl_run_options run = run_into(x);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into shares its memory with q",
             netcl_op_attention(x, x, x, &o, &run, NULL, NULL));
  OK(netcl_tensor_view(x, 3, shape, strides, 0, &sums));
  o.lse_into = sums;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->lse_into shares its memory with q",
             netcl_op_attention(x, x, x, &o, NULL, &made, NULL));
  run.into = zeros(fixture, NETCL_F32, 4, 2, 2, 5, 8);
  netcl_tensor_release(sums);
  OK(netcl_tensor_view(run.into, 3, shape, strides, 0, &sums));
  o.lse_into = sums;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->lse_into shares its memory with run->into",
             netcl_op_attention(x, x, x, &o, &run, NULL, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "result is NULL",
             netcl_op_attention(x, x, x, NULL, NULL, NULL, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "result and lse are the same address",
             netcl_op_attention(x, x, x, NULL, NULL, &made, &made));
  assert_null(made);
  RELEASE(x, sums, run.into);
}

static void empty_results(void **state) {
  Fixture *fixture = *state;
  const int64_t shapes_of_q[][4] = {{0, 2, 3, 8}, {1, 0, 3, 8}, {1, 2, 0, 8}};
  for (size_t i = 0; i < COUNT_OF(shapes_of_q); ++i) {
    const int64_t *const s = shapes_of_q[i];
    netcl_tensor *q = NULL, *result = NULL, *lse = NULL;
    netcl_tensor *k = zeros(fixture, NETCL_F32, 4, s[0], s[1] > 0 ? s[1] : 1, 5, 8);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 4, s, NULL, NULL, &q));
    OK(netcl_op_attention(q, k, k, NULL, NULL, &result, &lse));
    assert_int_equal(tensor_info(result).element_count, 0);
    assert_int_equal(tensor_info(lse).element_count, 0);
    RELEASE(q, k, result, lse);
  }
}

/* Compiled, it gives what the call gives. */
static void in_graphs(void **state) {
  Fixture *fixture = *state;
  Attention a = problem(5, ATTENTION_CAUSAL | ATTENTION_BIAS);
  attention_fill(&a, 1.0);
  AttentionTensors t = attention_tensors(fixture, &a);
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *made[2] = {NULL, NULL}, *wanted[2] = {NULL, NULL}, *given[2] = {NULL, NULL};
  netcl_tensor *inputs[3] = {t.q.view, t.k.view, t.v.view};
  t.options.causal = 1;
  OK(netcl_op_attention(inputs[0], inputs[1], inputs[2], &t.options, NULL, &wanted[0], &wanted[1]));
  OK(netcl_op_attention(inputs[0], inputs[1], inputs[2], &t.options, &run, &made[0], &made[1]));
  OK(netcl_graph_compile(run.graph, inputs, 3, made, 2, NULL));
  for (int i = 0; i < 2; ++i) given[i] = poisoned_like(fixture, wanted[i]);
  OK(netcl_graph_run(run.graph, inputs, 3, given, 2, NULL));
  for (int i = 0; i < 2; ++i) check_same_bits(given[i], wanted[i], "compiled result", i);
  netcl_graph_release(run.graph);
  RELEASE(made[0], made[1], wanted[0], wanted[1], given[0], given[1]);
  attention_tensors_free(&t);
  attention_free(&a);
}

static void print_hash(const netcl_tensor *tensor) {
  unsigned char *bytes = read_tensor(tensor);
  uint64_t hash = 1469598103934665603u;
  for (uint64_t i = 0; i < tensor_info(tensor).byte_count; ++i) {
    hash = (hash ^ bytes[i]) * 1099511628211u;
  }
  printf("%016llx\n", (unsigned long long)hash);
  free(bytes);
}

/* Prints results and sums: of many queries, of few over cut keys, and of small problems. */
static int print_bits(void) {
  static const int64_t kShapes[][4] = {{1, 4, 500, 500}, {2, 4, 1, 9000}, {1, 1, 40, 5000},
                                       {9, 8, 3, 5}};
  Fixture fixture = {0};
  if (netcl_device_open("builtin", NULL, &fixture.device) != NETCL_OK) return 1;
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    const int64_t *const s = kShapes[i];
    const int64_t q[4] = {s[0], s[1], s[2], 64}, k[4] = {s[0], s[1], s[3], 64};
    netcl_tensor *all[5] = {NULL};
    netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
    options.causal = 1;
    for (int j = 0; j < 3; ++j) {
      OK(netcl_tensor_create_random(fixture.device, NETCL_F32, 4, j == 0 ? q : k, NULL, NULL, NULL,
                                    &all[j]));
    }
    OK(netcl_op_attention(all[0], all[1], all[2], &options, NULL, &all[3], &all[4]));
    print_hash(all[3]);
    print_hash(all[4]);
    release_tensors(all, COUNT_OF(all));
  }
  netcl_device_release(fixture.device);
  return 0;
}

static void same_bits(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("threads are the built-in device's");
  process_expect_same_output("bits", 8 * 17);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"bits", print_bits}};
  const int code = process_child_main(argc, argv, modes, 1);
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(nothing_seen),        DEVICE_TEST(hidden_numbers), DEVICE_TEST(unsound_sequences),
      DEVICE_TEST(where_queries_stand), DEVICE_TEST(shapes),         DEVICE_TEST(numbers),
      DEVICE_TEST(tensors_of_options),  DEVICE_TEST(places),         DEVICE_TEST(empty_results),
      DEVICE_TEST(in_graphs),           DEVICE_TEST(same_bits),      DEVICE_TEST(as_kernels)};
  seed_random("attention_edges");
  return cmocka_run_group_tests_name("attention_edges", tests, NULL, NULL);
}
