/* Rotary position embeddings against plain loops. */
#include <math.h>

#include "support_graph.h"
#include "support_strided.h"

typedef struct Rotary {
  netcl_dtype dtype, cache_dtype, id_dtype; /* id_dtype 0: a row of the caches for each token */
  int64_t batch, heads, tokens, size, rotated, positions;
  int flat;                                 /* x is [batch, tokens, heads * size] */
  int interleaved, inverse;
  int bad;                                  /* some positions are out of range */
  void *x, *cosines, *sines, *ids;          /* in C order */
} Rotary;

static uint32_t shape_of(const Rotary *p, int64_t *shape) {
  const int64_t flat[3] = {p->batch, p->tokens, p->heads * p->size};
  const int64_t apart[4] = {p->batch, p->heads, p->tokens, p->size};
  memcpy(shape, p->flat ? flat : apart, p->flat ? sizeof flat : sizeof apart);
  return p->flat ? 3 : 4;
}
static uint32_t cache_shape_of(const Rotary *p, int64_t *shape) {
  const int64_t listed[2] = {p->positions, p->rotated / 2};
  const int64_t whole[3] = {p->batch, p->tokens, p->rotated / 2};
  memcpy(shape, p->id_dtype ? listed : whole, p->id_dtype ? sizeof listed : sizeof whole);
  return p->id_dtype ? 2 : 3;
}
static int64_t x_count(const Rotary *p) { return p->batch * p->heads * p->tokens * p->size; }
static int64_t x_at(const Rotary *p, int64_t b, int64_t h, int64_t t, int64_t i) {
  return p->flat ? ((b * p->tokens + t) * p->heads + h) * p->size + i
                 : ((b * p->heads + h) * p->tokens + t) * p->size + i;
}

static int64_t id_at(const Rotary *p, int64_t i) {
  return p->id_dtype == NETCL_I64 ? ((const int64_t *)p->ids)[i] : ((const int32_t *)p->ids)[i];
}
static void store_id(const Rotary *p, int64_t i, int64_t value) {
  if (p->id_dtype == NETCL_I64) {
    ((int64_t *)p->ids)[i] = value;
  } else {
    ((int32_t *)p->ids)[i] = (int32_t)value;
  }
}

static void fill_ids(Rotary *p) {
  static const int64_t kFar[] = {INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX};
  p->ids = calloc((size_t)(p->batch * p->tokens) + 1, 8);
  for (int64_t i = 0; p->id_dtype && i < p->batch * p->tokens; ++i) {
    int64_t value = random_in(0, p->positions - 1);
    if (p->bad && random_in(0, 2) == 0) {
      value = random_in(0, 1) ? -random_in(1, p->positions + 1) : p->positions + random_in(0, 2);
      if (random_in(0, 3) == 0) value = kFar[random_in(0, p->id_dtype == NETCL_I64 ? 3 : 1)];
    }
    store_id(p, i, value);
  }
}

static void fill_rotary(Rotary *p) {
  int64_t shape[4];
  const uint32_t rank = cache_shape_of(p, shape);
  const int64_t angles = product(rank, shape);
  p->x = calloc((size_t)x_count(p) + 1, 8);
  p->cosines = calloc((size_t)angles + 1, 8);
  p->sines = calloc((size_t)angles + 1, 8);
  fill_random(p->dtype, p->x, x_count(p), 4);
  for (int64_t i = 0; i < angles; ++i) {
    const double angle = random_real(-4, 4);
    store_double(p->cache_dtype, p->cosines, i, cos(angle));
    store_double(p->cache_dtype, p->sines, i, sin(angle));
  }
  fill_ids(p);
}
static void free_rotary(Rotary *p) {
  free(p->x);
  free(p->cosines);
  free(p->sines);
  free(p->ids);
}

/* Each product and each sum rounded by itself. */
static double difference_of(netcl_dtype dtype, double a, double b, double c, double d) {
  if (dtype == NETCL_F64) return a * b - c * d;
  const float left = (float)a * (float)b, right = (float)c * (float)d;
  return left - right;
}

/* What the header promises, bit for bit; checked here to be near the exact rotation as well. */
static void *rotary_reference(const Rotary *p) {
  void *const y = calloc((size_t)x_count(p) + 1, 8);
  const int64_t pairs = p->rotated / 2;
  memcpy(y, p->x, (size_t)x_count(p) * netcl_dtype_size(p->dtype));
  for (int64_t row = 0; row < p->batch * p->heads * p->tokens; ++row) {
    const int64_t t = row % p->tokens, h = row / p->tokens % p->heads;
    const int64_t b = row / p->tokens / p->heads, token = b * p->tokens + t;
    const int64_t at = p->id_dtype ? id_at(p, token) : token;
    const int sound = !p->id_dtype || (at >= 0 && at < p->positions);
    for (int64_t i = 0; !sound && i < p->size; ++i) {
      store_double(p->dtype, y, x_at(p, b, h, t, i), NAN);
    }
    for (int64_t i = 0; sound && i < pairs; ++i) {
      const int64_t one = x_at(p, b, h, t, p->interleaved ? 2 * i : i);
      const int64_t two = x_at(p, b, h, t, p->interleaved ? 2 * i + 1 : i + pairs);
      const double u = load_double(p->dtype, p->x, one), v = load_double(p->dtype, p->x, two);
      const double c = load_double(p->cache_dtype, p->cosines, at * pairs + i);
      const double sine = load_double(p->cache_dtype, p->sines, at * pairs + i);
      const double s = p->inverse ? -sine : sine;
      const double first = difference_of(p->dtype, u, c, v, s);
      const double second = difference_of(p->dtype, v, c, -u, s);
      const double eps = 2 * unit_roundoff(p->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
      CHECK(fabs(first - (u * c - v * s)) <= 2 * eps * (fabs(u * c) + fabs(v * s)) &&
                fabs(second - (v * c + u * s)) <= 2 * eps * (fabs(v * c) + fabs(u * s)),
            "the promised bits are not within the promised bound");
      store_double(p->dtype, y, one, first);
      store_double(p->dtype, y, two, second);
    }
  }
  return y;
}

static void check_alike(const Rotary *p, const netcl_tensor *got, const void *wanted,
                        const char *what) {
  const size_t size = netcl_dtype_size(p->dtype);
  unsigned char *const all = read_tensor(got);
  for (int64_t i = 0; i < x_count(p); ++i) {
    const unsigned char *const own = (const unsigned char *)wanted + (size_t)i * size;
    CHECK(same_element(p->dtype, all + (size_t)i * size, own),
          "%s: %s [%lld, %lld, %lld, %lld]%s, %lld rotated%s%s, caches %s: element %lld is %.9g, "
          "not %.9g", what, netcl_dtype_name(p->dtype), (long long)p->batch, (long long)p->heads,
          (long long)p->tokens, (long long)p->size, p->flat ? " flat" : "", (long long)p->rotated,
          p->interleaved ? " interleaved" : "", p->inverse ? " inverse" : "",
          netcl_dtype_name(p->cache_dtype), (long long)i,
          load_double(p->dtype, all + (size_t)i * size, 0), load_double(p->dtype, own, 0));
  }
  free(all);
}

typedef struct RotaryTensors {
  Strided x, cosines, sines, ids;
  netcl_rotary_embedding_options options;
} RotaryTensors;

static RotaryTensors rotary_tensors(Fixture *fixture, const Rotary *p) {
  const netcl_rotary_embedding_options init = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  RotaryTensors t = {.options = init};
  int64_t shape[4], cache_shape[4];
  const int64_t id_shape[2] = {p->batch, p->tokens};
  const uint32_t rank = shape_of(p, shape), cache_rank = cache_shape_of(p, cache_shape);
  t.x = make_strided(fixture->device, p->dtype, rank, shape, p->x);
  t.cosines = make_strided(fixture->device, p->cache_dtype, cache_rank, cache_shape, p->cosines);
  t.sines = make_strided(fixture->device, p->cache_dtype, cache_rank, cache_shape, p->sines);
  if (p->id_dtype) t.ids = make_strided(fixture->device, p->id_dtype, 2, id_shape, p->ids);
  t.options.position_ids = t.ids.view;
  t.options.num_heads = p->flat || random_in(0, 1) ? p->heads : 0;
  t.options.rotary_embedding_dim = p->rotated == p->size && random_in(0, 1) ? 0 : p->rotated;
  t.options.interleaved = (uint32_t)p->interleaved;
  t.options.inverse = (uint32_t)p->inverse;
  return t;
}
static void free_rotary_tensors(RotaryTensors *t) {
  release_strided(&t->x);
  release_strided(&t->cosines);
  release_strided(&t->sines);
  release_strided(&t->ids);
}

/* Into a view with poison around it, into a new tensor, and in place. */
static void check_rotary(Fixture *fixture, const Rotary *p) {
  RotaryTensors t = rotary_tensors(fixture, p);
  void *const wanted = rotary_reference(p);
  int64_t shape[4];
  const uint32_t rank = shape_of(p, shape);
  Strided target = make_strided(fixture->device, p->dtype, rank, shape, NULL);
  netcl_run_options run = run_into(target.view);
  netcl_tensor *made = NULL;
  OK(netcl_op_rotary_embedding(t.x.view, t.cosines.view, t.sines.view, &t.options, &run, NULL));
  check_alike(p, target.view, wanted, "into a view");
  void *got = read_tensor(target.view);
  CHECK_STRIDED(&target, got);
  OK(netcl_op_rotary_embedding(t.x.view, t.cosines.view, t.sines.view, &t.options, NULL, &made));
  check_alike(p, made, wanted, "new");
  run.into = t.x.view;
  CHECK_STRIDED(&t.x, p->x);
  OK(netcl_op_rotary_embedding(t.x.view, t.cosines.view, t.sines.view, &t.options, &run, NULL));
  check_alike(p, t.x.view, wanted, "in place");
  free(got);
  got = read_tensor(t.x.view);
  CHECK_STRIDED(&t.x, got);
  free(got);
  free(wanted);
  netcl_tensor_release(made);
  release_strided(&target);
  free_rotary_tensors(&t);
}

static netcl_dtype random_float(const Fixture *fixture) {
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64};
  return kFloats[random_in(0, fixture->capabilities.fp64 ? 3 : 2)];
}

static Rotary random_rotary(const Fixture *fixture) {
  static const netcl_dtype kIds[] = {0, NETCL_I32, NETCL_I64};
  Rotary p = {0};
  p.dtype = random_float(fixture);
  p.cache_dtype = random_in(0, 1) ? p.dtype : NETCL_F32;
  p.id_dtype = kIds[random_in(0, 2)];
  p.batch = random_in(1, 3);
  p.heads = random_in(1, 5);
  p.tokens = random_in(1, 9);
  p.size = random_in(0, 3) ? 2 * random_in(1, 40) : random_in(1, 140);
  p.rotated = p.size % 2 == 0 && random_in(0, 1) ? p.size : 2 * random_in(0, p.size / 2);
  if (p.rotated == 0) p.size = p.rotated = 2;
  p.positions = random_in(1, 12);
  p.flat = random_in(0, 1) == 1;
  p.interleaved = random_in(0, 1) == 1;
  p.inverse = random_in(0, 3) == 0;
  p.bad = random_in(0, 2) == 0;
  return p;
}

static void random_cases(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 400); ++round) {
    Rotary p = random_rotary(fixture);
    fill_rotary(&p);
    check_rotary(fixture, &p);
    free_rotary(&p);
  }
}

/* More rows than one part of the work has, cut in the middle of a token. */
static void many_rows(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < 4; ++round) {
    Rotary p = random_rotary(fixture);
    p.dtype = round % 2 ? NETCL_F16 : NETCL_F32;
    p.cache_dtype = NETCL_F32;
    p.batch = 2;
    p.heads = 7;
    p.tokens = 150 + round;
    p.size = 128;
    p.rotated = round < 2 ? 128 : 96;
    p.positions = 300;
    fill_rotary(&p);
    check_rotary(fixture, &p);
    free_rotary(&p);
  }
}

/* The shapes of ONNX's own tests, with its formula: numbers that anyone can check. */
static void by_hand(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[4] = {1, 1, 2, 4}, caches[2] = {3, 2}, ids[2] = {1, 2};
  const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, cosines[6] = {1, 1, 0, 0.5f, -1, 2};
  const float sines[6] = {0, 0, 1, 2, 3, -0.5f};
  const int32_t places[2] = {1, 2};
  netcl_rotary_embedding_options options = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  netcl_tensor *in = make_tensor(fixture->device, NETCL_F32, 4, shape, x), *result = NULL;
  netcl_tensor *c = make_tensor(fixture->device, NETCL_F32, 2, caches, cosines);
  netcl_tensor *s = make_tensor(fixture->device, NETCL_F32, 2, caches, sines);
  options.position_ids = make_tensor(fixture->device, NETCL_I32, 2, ids, places);
  OK(netcl_op_rotary_embedding(in, c, s, &options, NULL, &result));
  /* Pairs (1, 3), (2, 4) of row 1 and (5, 7), (6, 8) of row 2. */
  check_and_release(&result, 8, (const double[]){-3, -7, 1, 6, -26, 16, 8, 13}, 0, __LINE__);
  options.interleaved = 1;
  OK(netcl_op_rotary_embedding(in, c, s, &options, NULL, &result));
  /* Pairs (1, 2), (3, 4) and (5, 6), (7, 8). */
  check_and_release(&result, 8, (const double[]){-2, 1, -6.5, 8, -23, 9, 18, 12.5}, 0, __LINE__);
  RELEASE(in, c, s, options.position_ids);
}

/* Angles of zero leave all bits; a rotation and its inverse leave the numbers. */
static void undone(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 40); ++round) {
    Rotary p = random_rotary(fixture);
    p.dtype = p.cache_dtype = NETCL_F32;
    p.bad = p.inverse = 0;
    fill_rotary(&p);
    RotaryTensors t = rotary_tensors(fixture, &p);
    netcl_tensor *there = NULL, *back = NULL;
    OK(netcl_op_rotary_embedding(t.x.view, t.cosines.view, t.sines.view, &t.options, NULL, &there));
    t.options.inverse = 1;
    OK(netcl_op_rotary_embedding(there, t.cosines.view, t.sines.view, &t.options, NULL, &back));
    const float *got = read_tensor(back);
    for (int64_t i = 0; i < x_count(&p); ++i) {
      const double wanted = ((const float *)p.x)[i];
      CHECK(fabs(got[i] - wanted) <= 1e-5, "element %lld is %g, not %g", (long long)i, got[i],
            wanted);
    }
    free((void *)got);
    netcl_tensor *ones = NULL, *zeros = NULL;
    OK(netcl_op_expression_text("v0 * 0 + 1", &t.cosines.view, 1, NULL, NULL, &ones));
    OK(netcl_op_expression_text("v0 * 0", &t.sines.view, 1, NULL, NULL, &zeros));
    RELEASE(there, back);
    OK(netcl_op_rotary_embedding(t.x.view, ones, zeros, &t.options, NULL, &there));
    check_alike(&p, there, p.x, "by angles of 0");
    RELEASE(there, ones, zeros);
    free_rotary_tensors(&t);
    free_rotary(&p);
  }
}

/* What it is for: products of queries with keys depend on how far they are apart. */
static void distances(void **state) {
  Fixture *fixture = *state;
  enum { SIZE = 16, TOKENS = 12 };
  const int64_t shape[4] = {1, 1, TOKENS, SIZE}, caches[3] = {1, TOKENS, SIZE / 2};
  float x[2][TOKENS * SIZE], cosines[TOKENS * SIZE / 2], sines[TOKENS * SIZE / 2];
  float row[2][SIZE], *rotated[2];
  for (int i = 0; i < 2 * SIZE; ++i) row[i / SIZE][i % SIZE] = (float)random_real(-1, 1);
  for (int t = 0; t < TOKENS; ++t) {
    for (int i = 0; i < SIZE / 2; ++i) {
      const double angle = t * pow(10000, -2.0 * i / SIZE);
      cosines[t * SIZE / 2 + i] = (float)cos(angle);
      sines[t * SIZE / 2 + i] = (float)sin(angle);
    }
    for (int k = 0; k < 2; ++k) memcpy(x[k] + t * SIZE, row[k], sizeof row[k]);
  }
  netcl_tensor *c = make_tensor(fixture->device, NETCL_F32, 3, caches, cosines);
  netcl_tensor *s = make_tensor(fixture->device, NETCL_F32, 3, caches, sines);
  for (int k = 0; k < 2; ++k) {
    netcl_tensor *in = make_tensor(fixture->device, NETCL_F32, 4, shape, x[k]), *out = NULL;
    OK(netcl_op_rotary_embedding(in, c, s, NULL, NULL, &out));
    rotated[k] = read_tensor(out);
    RELEASE(in, out);
  }
  double first[2 * TOKENS] = {0};
  for (int a = 0; a < TOKENS; ++a) {
    for (int b = 0; b < TOKENS; ++b) {
      double sum = 0;
      for (int i = 0; i < SIZE; ++i) {
        sum += (double)rotated[0][a * SIZE + i] * rotated[1][b * SIZE + i];
      }
      const int apart = a - b + TOKENS;
      if (a == 0 || b == 0) first[apart] = sum;
      CHECK(fabs(first[apart] - sum) < 1e-4, "%d and %d: %g, not %g", a, b, sum, first[apart]);
    }
  }
  free(rotated[0]);
  free(rotated[1]);
  RELEASE(c, s);
}

/* Compiled once, with positions that come with each run; also in place within the capture. */
static void in_graphs(void **state) {
  Fixture *fixture = *state;
  for (int in_place = 0; in_place < 2; ++in_place) {
    Rotary p = random_rotary(fixture);
    p.id_dtype = NETCL_I32;
    p.bad = 1;
    p.positions = 9;
    fill_rotary(&p);
    RotaryTensors t = rotary_tensors(fixture, &p);
    netcl_run_options run = captured_calls(fixture);
    netcl_tensor *inputs[2] = {t.x.view, t.ids.view}, *made = NULL, *copy = NULL;
    if (in_place) {
      OK(netcl_op_expression_text("v0 + 0", &t.x.view, 1, NULL, &run, &copy));
      run.into = copy;
      OK(netcl_op_rotary_embedding(copy, t.cosines.view, t.sines.view, &t.options, &run, NULL));
      run.into = NULL;
      made = copy;
    } else {
      OK(netcl_op_rotary_embedding(t.x.view, t.cosines.view, t.sines.view, &t.options, &run,
                                   &made));
    }
    OK(netcl_graph_compile(run.graph, inputs, 2, &made, 1, NULL));
    netcl_tensor *given = poisoned_like(fixture, t.x.view);
    for (int round = 0; round < 3; ++round) {
      free(p.ids);
      fill_ids(&p);
      OK(netcl_tensor_write(t.ids.view, p.ids, (size_t)(p.batch * p.tokens) * 4, NULL, LONG_WAIT));
      void *const wanted = rotary_reference(&p);
      OK(netcl_graph_run(run.graph, inputs, 2, &given, 1, NULL));
      check_alike(&p, given, wanted, in_place ? "in place in a graph" : "in a graph");
      free(wanted);
    }
    netcl_graph_release(run.graph);
    RELEASE(made, given);
    free_rotary_tensors(&t);
    free_rotary(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_cases), DEVICE_TEST(many_rows), DEVICE_TEST(by_hand),
      DEVICE_TEST(undone),       DEVICE_TEST(distances), DEVICE_TEST(in_graphs),
      DEVICE_TEST(as_kernels)};
  seed_random("rotary_embedding");
  return cmocka_run_group_tests_name("rotary_embedding", tests, NULL, NULL);
}
