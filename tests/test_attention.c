/* Scaled dot-product attention against double precision. */
#include "support_attention.h"

static netcl_dtype random_float(const Fixture *fixture) {
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64};
  return kFloats[random_in(0, fixture->capabilities.fp64 ? 3 : 2)];
}

static int64_t one_of(const int64_t *list, size_t count) {
  return list[random_in(0, (int64_t)count - 1)];
}

static int64_t random_size(void) {
  static const int64_t kSizes[] = {1, 2, 3, 7, 16, 17, 31, 32, 33, 40, 63, 64, 65, 127, 128, 129};
  return random_in(0, 9) == 0 ? random_in(250, 256) : one_of(kSizes, COUNT_OF(kSizes));
}

/* Options by chance; everything that is off has no effect. */
static void random_parts(Attention *a, int more) {
  a->parts = 0;
  for (int part = ATTENTION_CAUSAL; part <= ATTENTION_SCALE; part *= 2) {
    if (part != ATTENTION_PAGES && random_in(0, 3) < more) a->parts |= part;
  }
  a->bias_dtype = random_in(0, 1) ? a->dtype : NETCL_F32;
  a->scale = random_in(0, 4) == 0 ? 0.0 : random_real(-0.5, 0.5);
  a->softcap = random_real(0.5, 3.0);
  a->position = random_in(-4, a->keys + 2);
  a->before = random_in(-1, a->keys / 2);
  a->after = a->parts & ATTENTION_CAUSAL ? random_in(-1, 0) : random_in(-1, a->keys / 2);
}

static void random_cases(void **state) {
  Fixture *fixture = *state;
  static const int64_t kRows[] = {1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 97};
  static const int64_t kKeys[] = {1, 2, 3, 7, 8, 13, 31, 32, 33, 63, 65, 95, 96, 97, 127, 193, 257};
  for (int round = 0; round < rounds(fixture, 250); ++round) {
    if (left_out(fixture, 2)) continue;
    Attention a = {0};
    a.dtype = random_float(fixture);
    a.batch = random_in(1, 3);
    a.kv_heads = random_in(1, 3);
    a.heads = a.kv_heads * random_in(1, random_in(0, 3) ? 2 : 7);
    a.rows = one_of(kRows, COUNT_OF(kRows));
    a.keys = one_of(kKeys, COUNT_OF(kKeys));
    a.size = random_size();
    a.value_size = random_in(0, 1) ? a.size : random_size();
    random_parts(&a, round % 3);
    attention_fill(&a, 1.0 + 2.0 * (round % 2));
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

static void pages(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 120); ++round) {
    if (left_out(fixture, 2)) continue;
    Attention a = {0};
    a.dtype = random_float(fixture);
    a.batch = random_in(1, 4);
    a.kv_heads = random_in(1, 2);
    a.heads = a.kv_heads * random_in(1, 3);
    a.rows = random_in(0, 2) ? random_in(1, 4) : random_in(5, 40);
    a.page_size = random_in(0, 2) ? random_in(1, 9) : 16;
    a.entries = random_in(1, 20);
    a.pages = random_in(1, 30);
    a.keys = a.entries * a.page_size;
    a.size = random_size();
    a.value_size = random_in(0, 1) ? a.size : random_size();
    random_parts(&a, round % 2);
    a.parts |= ATTENTION_PAGES | ATTENTION_KEY_LENGTHS;
    attention_fill(&a, 1.5);
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

/* Long caches beside short ones, whose later pieces have no keys. */
static void uneven_caches(void **state) {
  Fixture *fixture = *state;
  static const int64_t kRows[] = {1, 8, 9, 33};
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    for (int round = 0; round < 2; ++round) {
      Attention a = {0};
      a.dtype = round ? NETCL_F16 : NETCL_F32;
      a.batch = 3;
      a.kv_heads = a.heads = 1;
      a.rows = kRows[r];
      a.page_size = 16;
      a.entries = 160;
      a.pages = 170;
      a.keys = a.entries * a.page_size;
      a.size = a.value_size = 32;
      a.uneven = 1;
      random_parts(&a, 0);
      a.parts = ATTENTION_KEY_LENGTHS | ATTENTION_QUERY_LENGTHS |
                (round ? ATTENTION_MASK | ATTENTION_BIAS : ATTENTION_PAGES);
      attention_fill(&a, 1.5);
      check_attention(fixture, &a);
      attention_free(&a);
    }
  }
}

/* Few queries over many keys, which are cut and joined. */
static void long_caches(void **state) {
  Fixture *fixture = *state;
  static const int64_t kRows[] = {1, 2, 8, 9, 33};
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    for (int round = 0; round < (fixture->opencl || only_sanitized() ? 1 : 3); ++round) {
      Attention a = {0};
      a.dtype = random_float(fixture);
      a.batch = 1 + (int64_t)(r % 2);
      a.kv_heads = random_in(1, 2);
      a.heads = a.kv_heads * random_in(1, 2);
      a.rows = kRows[r];
      a.keys = random_in(0, 1) ? random_in(1025, 4000) : 3072;
      a.size = random_in(0, 1) ? 64 : random_size();
      a.value_size = a.size;
      random_parts(&a, round);
      attention_fill(&a, 1.5);
      check_attention(fixture, &a);
      attention_free(&a);
    }
  }
}

/* Parts of several tiles of queries. */
static void many_queries(void **state) {
  Fixture *fixture = *state;
  static const int64_t kRows[] = {191, 192, 193, 384, 501};
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    if (left_out(fixture, 2)) continue;
    Attention a = {0};
    a.dtype = r % 2 ? NETCL_F32 : random_float(fixture);
    a.batch = a.kv_heads = 1;
    a.heads = 1 + (int64_t)(r % 3);
    a.rows = kRows[r];
    a.keys = random_in(150, 420);
    a.size = a.value_size = r % 2 ? 64 : 24;
    random_parts(&a, 1);
    a.parts |= ATTENTION_CAUSAL;
    a.after = 0;
    attention_fill(&a, 1.5);
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

/* Scores of hundreds, so that weights underflow and maxima move. */
static void large_scores(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 20); ++round) {
    Attention a = {0};
    a.dtype = random_float(fixture);
    a.batch = a.kv_heads = 1;
    a.heads = 2;
    a.rows = random_in(0, 1) ? random_in(1, 3) : random_in(10, 40);
    a.keys = random_in(300, 700);
    a.size = a.value_size = 16;
    a.parts = ATTENTION_SCALE;
    a.scale = 4.0;
    attention_fill(&a, 6.0);
    check_attention(fixture, &a);
    attention_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_cases), DEVICE_TEST(pages), DEVICE_TEST(long_caches),
      DEVICE_TEST(uneven_caches), DEVICE_TEST(many_queries), DEVICE_TEST(large_scores),
      DEVICE_TEST(as_kernels)};
  seed_random("attention");
  return cmocka_run_group_tests_name("attention", tests, NULL, NULL);
}
