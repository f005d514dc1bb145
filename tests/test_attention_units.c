/* Attention of the shapes that matrix units take, against double precision on every device. */
#include <math.h>

#include "support_attention.h"

static int64_t one_of(const int64_t *list, size_t count) {
  return list[random_in(0, (int64_t)count - 1)];
}

/* They are large: few of them where there are no matrix units. */
static int cases(const Fixture *fixture, int many) {
  return fixture->capabilities.matrix_units != NETCL_MATRIX_UNITS_NONE ? many : (many + 11) / 12;
}

/* With `many`, tiles enough that keys need not be cut into chunks to keep a GPU busy. */
static Attention problem(int parts, int many) {
  static const int64_t kRows[] = {1,  1,   2,   5,   16,  17,  63,  64, 65,
                                  127, 128, 129, 191, 192, 193, 300, 400};
  static const int64_t kKeys[] = {64, 65, 127, 128, 129, 200, 256, 383, 384, 385, 640};
  static const int64_t kSizes[] = {8, 16, 24, 64, 64, 72, 128, 128, 136, 192, 200, 256};
  Attention a = {0};
  a.dtype = a.bias_dtype = random_in(0, 1) ? NETCL_F16 : NETCL_BF16;
  a.batch = random_in(1, 2);
  a.kv_heads = random_in(1, 2);
  a.heads = a.kv_heads * random_in(1, 3);
  a.rows = one_of(kRows, COUNT_OF(kRows));
  a.keys = one_of(kKeys, COUNT_OF(kKeys));
  a.size = one_of(kSizes, COUNT_OF(kSizes));
  a.value_size = random_in(0, 3) ? a.size : one_of(kSizes, COUNT_OF(kSizes));
  a.packed = 1;
  if (many) {
    const int64_t group = random_in(1, 3), tiles = 150;
    a.batch = 2;
    a.rows = random_in(65, 200);
    a.keys = one_of(kKeys, 7);
    a.kv_heads = tiles / a.batch / ((a.rows + 127) / 128) / group + 1;
    a.heads = a.kv_heads * group;
  } else if (a.rows < 16) {
    a.keys = random_in(64, 3000); /* a cache that is cut into chunks */
  }
  a.parts = parts;
  a.scale = random_real(0.01, 0.5);
  a.position = random_in(-a.rows, a.keys + 2);
  a.before = random_in(-1, a.keys / 2);
  a.after = parts & ATTENTION_CAUSAL ? random_in(-1, 0) : random_in(-1, a.keys / 2);
  return a;
}

static void random_cases(void **state) {
  Fixture *fixture = *state;
  static const int kParts[] = {ATTENTION_CAUSAL,      ATTENTION_POSITION,
                               ATTENTION_WINDOW,      ATTENTION_QUERY_LENGTHS,
                               ATTENTION_KEY_LENGTHS, ATTENTION_SCALE};
  for (int round = 0; round < cases(fixture, 36); ++round) {
    int parts = 0;
    for (size_t i = 0; round % 4 != 0 && i < COUNT_OF(kParts); ++i) {
      if (random_in(0, 2) == 0) parts |= kParts[i];
    }
    Attention a = problem(parts, round % 2);
    attention_fill(&a, 1.0 + round % 3);
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

/* What is not finite reaches those that see it, and nobody else: in a tile that others see, behind
 * the keys of a sequence, and in queries. */
static void odd_numbers(void **state) {
  Fixture *fixture = *state;
  static const double kOdd[] = {NAN, INFINITY, -INFINITY};
  static const int kParts[] = {ATTENTION_CAUSAL, ATTENTION_WINDOW, ATTENTION_KEY_LENGTHS, 0};
  for (int round = 0; round < cases(fixture, 24); ++round) {
    Attention a = problem(kParts[round % 4], round % 8 >= 4);
    if (a.batch < 2) a.batch = 2;
    attention_fill(&a, 1.0);
    void *const all[] = {a.q, a.k, a.v};
    const int64_t counts[] = {a.batch * a.heads * a.rows * a.size, attention_k_count(&a),
                              attention_v_count(&a)};
    const int which = (int)random_in(0, 2);
    for (int i = 0; i < 3; ++i) {
      store_double(a.dtype, all[which], random_in(0, counts[which] - 1), kOdd[random_in(0, 2)]);
    }
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

/* Lengths out of range: that sequence is NaN, the other is not. */
static void unsound_lengths(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < cases(fixture, 8); ++round) {
    Attention a = problem(ATTENTION_KEY_LENGTHS | ATTENTION_QUERY_LENGTHS, round % 2);
    if (a.batch < 2) a.batch = 2;
    attention_fill(&a, 1.0);
    int32_t *const list = round % 4 < 2 ? a.key_lengths : a.query_lengths;
    list[random_in(0, 1)] = round % 8 < 4 ? -1 : 100000;
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

/* Weights that underflow, and maxima that move from block to block. */
static void large_scores(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < cases(fixture, 8); ++round) {
    Attention a = problem(ATTENTION_SCALE | (round % 2 ? ATTENTION_CAUSAL : 0), round % 4 >= 2);
    a.after = 0;
    a.scale = 4.0;
    attention_fill(&a, 6.0);
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

/* Scores whose product with the scale has no digits left behind the point: all keys are alike, so
 * the result is their value. */
static void equal_large_scores(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < 8; round += only_sanitized() ? 7 : 1) {
    Attention a = problem(ATTENTION_SCALE, round % 2);
    a.scale = round < 4 ? 0.0883883 : 1.0;
    if (round == 7) a.scale = 3e38;
    attention_fill(&a, 1.0);
    const double x = round == 7 ? 0.0 : (double)(32 * random_in(100, 300));
    for (int64_t i = 0; i < a.batch * a.heads * a.rows * a.size; ++i) {
      store_double(a.dtype, a.q, i, x);
    }
    for (int64_t i = 0; i < attention_k_count(&a); ++i) store_double(a.dtype, a.k, i, x);
    for (int64_t i = 0; i < attention_v_count(&a); ++i) store_double(a.dtype, a.v, i, 0.75);
    AttentionTensors t = attention_tensors(fixture, &a);
    netcl_tensor *result = NULL;
    OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &result, NULL));
    void *const got = read_tensor(result);
    for (int64_t i = 0; i < a.batch * a.heads * a.rows * a.value_size; ++i) {
      const double y = load_double(a.dtype, got, i);
      CHECK(fabs(y - 0.75) < 0.01, "element %lld is %g", (long long)i, y);
    }
    free(got);
    netcl_tensor_release(result);
    attention_tensors_free(&t);
    attention_free(&a);
  }
}

/* Work of another queue on values or keys comes after what reads them. */
static void overwritten(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < cases(fixture, 12); ++round) {
    Attention a = problem(0, 0);
    a.batch = 2;
    a.heads = a.kv_heads = 8;
    a.rows = round % 2 ? 1 : 600;
    a.keys = round % 2 ? 8000 : 2000;
    if (fixture->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) a.keys = 300;
    a.size = a.value_size = 64;
    attention_fill(&a, 1.0);
    AttentionTensors t = attention_tensors(fixture, &a);
    netcl_tensor *const changed = round % 3 == 0 ? t.k.view : t.v.view;
    netcl_tensor *other = NULL, *result = NULL, *again = NULL;
    netcl_queue *queue = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_op_expression_text("v0 * 2 + 1", (netcl_tensor *[]){changed}, 1, NULL, NULL, &other));
    OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &result, NULL));
    void *const wanted = read_tensor(result);
    OK(netcl_queue_create(fixture->device, NULL, &queue));
    OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &again, NULL));
    run.queue = queue;
    run.into = changed;
    OK(netcl_op_copy(other, &run, NULL));
    CHECK_TENSOR(again, wanted);
    free(wanted);
    netcl_tensor_release(other);
    netcl_tensor_release(result);
    netcl_tensor_release(again);
    netcl_queue_release(queue);
    attention_tensors_free(&t);
    attention_free(&a);
  }
}

static void not_by_units(const Attention *a, const AttentionTensors *t, const char *why) {
  const int64_t shape[4] = {a->batch, a->heads, a->rows, a->value_size};
  netcl_device *device = NULL;
  OK(netcl_tensor_get_device(t->q.view, &device));
  Strided into = make_strided(device, a->dtype, 4, shape, NULL);
  void *const before = read_tensor(into.view);
  netcl_run_options run = run_into(into.view);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, why,
             netcl_op_attention(t->q.view, t->k.view, t->v.view, &t->options, &run, NULL, NULL));
  CHECK_TENSOR(into.view, before);
  free(before);
  release_strided(&into);
  netcl_device_release(device);
}

/* What is asked for is what runs: portable kernels keep their smaller bound, and the units give the
 * bits that the rule's choice gives. */
static void by_request(void **state) {
  Fixture *fixture = *state;
  const int units = fixture->capabilities.matrix_units != NETCL_MATRIX_UNITS_NONE;
  for (int round = 0; round < cases(fixture, 12); ++round) {
    Attention a = problem(round % 3 ? ATTENTION_CAUSAL : 0, round % 2);
    attention_fill(&a, 1.0);
    a.variant = NETCL_VARIANT_ATTENTION_PORTABLE;
    check_attention(fixture, &a);
    a.variant = NETCL_VARIANT_ATTENTION_MATRIX_UNITS;
    AttentionTensors t = attention_tensors(fixture, &a);
    if (units) {
      netcl_tensor *asked = NULL, *chosen = NULL, *other = NULL;
      check_attention(fixture, &a);
      OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &asked, NULL));
      t.options.variant = NETCL_VARIANT_AUTO;
      OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &chosen, NULL));
      t.options.variant = NETCL_VARIANT_ATTENTION_PORTABLE;
      OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &other, NULL));
      const size_t bytes = 2 * (size_t)(a.batch * a.heads * a.rows * a.value_size);
      void *const got = read_tensor(asked), *const portable = read_tensor(other);
      CHECK_TENSOR(chosen, got);
      /* Weights are rounded there, so that some of many elements differ. */
      if (bytes > 100000) assert_memory_not_equal(got, portable, bytes);
      free(got);
      free(portable);
      netcl_tensor_release(asked);
      netcl_tensor_release(chosen);
      netcl_tensor_release(other);
    } else {
      not_by_units(&a, &t, "attention_matrix_units was asked for by options->variant: ");
    }
    attention_tensors_free(&t);
    attention_free(&a);
  }
}

static void refused_by_units(void **state) {
  Fixture *fixture = *state;
  const int native = !fixture->kernels;
  static const struct {
    int parts;
    netcl_dtype dtype;
    int64_t keys, size;
    double scale;
    const char *why;
  } kCases[] = {{0, NETCL_F32, 128, 64, 0.5, "q is neither f16 nor bf16"},
                {ATTENTION_BIAS, NETCL_F16, 128, 64, 0.5, "there is a bias"},
                {ATTENTION_MASK, NETCL_BF16, 128, 64, 0.5, "there is a mask"},
                {ATTENTION_SOFTCAP, NETCL_F16, 128, 64, 0.5, "there is a softcap"},
                {0, NETCL_F16, 63, 64, 0.5, "there are fewer than 64 keys"},
                {ATTENTION_SCALE, NETCL_F16, 64, 64, -0.5, "the scale is not above 0"},
                {0, NETCL_F16, 64, 60, 0.5, "q does not lie at multiples of 16 bytes"}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    Attention a = {.dtype = kCases[i].dtype,
                   .bias_dtype = kCases[i].dtype,
                   .batch = 1,
                   .heads = 2,
                   .kv_heads = 1,
                   .rows = 3,
                   .keys = kCases[i].keys,
                   .size = kCases[i].size,
                   .value_size = 64,
                   .parts = kCases[i].parts,
                   .packed = 1,
                   .scale = kCases[i].scale,
                   .softcap = 2.0,
                   .variant = NETCL_VARIANT_ATTENTION_MATRIX_UNITS};
    attention_fill(&a, 1.0);
    AttentionTensors t = attention_tensors(fixture, &a);
    not_by_units(&a, &t, native ? "the built-in loops use no matrix units" : kCases[i].why);
    attention_tensors_free(&t);
    attention_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_cases), DEVICE_TEST(odd_numbers),
                                     DEVICE_TEST(unsound_lengths), DEVICE_TEST(large_scores),
                                     DEVICE_TEST(equal_large_scores), DEVICE_TEST(overwritten),
                                     DEVICE_TEST(by_request), DEVICE_TEST(refused_by_units)};
  seed_random("attention_units");
  return cmocka_run_group_tests_name("attention_units", tests, NULL, NULL);
}
