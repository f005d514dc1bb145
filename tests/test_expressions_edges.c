/* Several expressions in one call: what is refused, results that lie where inputs do, results that
 * share a tensor, limits. */
#include <stdio.h>

#include "support_strided.h"

static netcl_tensor* part(netcl_tensor* base, int64_t first, int64_t count, int64_t step) {
  const netcl_range range = {first, count, step};
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(base, &range, 1, &view));
  return view;
}

static netcl_tensor* zeros(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                           const int64_t* shape) {
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &tensor));
  return tensor;
}

/* The call with two results into given tensors. */
static netcl_status two_into(const char* first, const char* second, netcl_tensor* const* inputs,
                             uint32_t count, netcl_tensor* a, netcl_tensor* b) {
  netcl_tensor* const into[] = {a, b};
  const char* const texts[] = {first, second};
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  options.results_into = into;
  options.results_into_count = 2;
  return netcl_op_expressions(texts, 2, inputs, count, &options, NULL, NULL);
}

#define REFUSED(text, count, inputs, inputs_count, options) \
  FAILS_WITH(                                               \
      NETCL_ERROR_INVALID_ARGUMENT, text,                   \
      netcl_op_expressions(texts, (count), (inputs), (inputs_count), (options), NULL, results))

static void refused_texts(void** state) {
  Fixture* fixture = *state;
  const int64_t shapes[][2] = {{3, 4}, {4, 3}};
  netcl_tensor *x = zeros(fixture, NETCL_F32, 2, shapes[0]),
               *y = zeros(fixture, NETCL_F32, 2, shapes[1]);
  netcl_tensor *results[NETCL_RESULTS_MAX + 1] = {NULL}, *both[] = {x, y};
  const char* texts[NETCL_RESULTS_MAX + 1];
  for (size_t k = 0; k < COUNT_OF(texts); ++k) texts[k] = "v0 + 1";
  REFUSED("texts_count is 0; it is from 1 to 16", 0, &x, 1, NULL);
  REFUSED("texts_count is 17; it is from 1 to 16", NETCL_RESULTS_MAX + 1, &x, 1, NULL);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "texts is NULL while texts_count is 2",
             netcl_op_expressions(NULL, 2, &x, 1, NULL, NULL, results));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "results is NULL and options->results_into is not set",
             netcl_op_expressions(texts, 2, &x, 1, NULL, NULL, NULL));
  texts[1] = NULL;
  REFUSED("texts[1] is NULL", 2, &x, 1, NULL);
  texts[1] = "v0 + * 2";
  REFUSED("texts[1]: expression column 6: ", 2, &x, 1, NULL);
  texts[1] = "v0 + v2";
  REFUSED("texts[1]: inputs_count is 1; the expression uses v2", 2, &x, 1, NULL);
  texts[1] = "v0 & 1";
  REFUSED("texts[1]: expression: operator & needs integers; it got f32", 2, &x, 1, NULL);
  texts[1] = "v0 - 1";
  REFUSED("inputs[1] has shape [4, 3], which does not broadcast", 2, both, 2, NULL);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 65; the limit is 64",
             netcl_op_expressions(texts, 2, NULL, 65, NULL, NULL, results));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "neither options->results_into nor run->queue",
             netcl_op_expressions(texts, 2, NULL, 0, NULL, NULL, results));
  netcl_run_options run = run_into(y);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into is set",
             netcl_op_expressions(texts, 2, &x, 1, NULL, &run, results));
  for (size_t k = 0; k < COUNT_OF(results); ++k) {
    CHECK(results[k] == NULL, "result %zu of a call that failed", k);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(y);
}

static netcl_tensor* rows_of(netcl_tensor* matrix, int64_t count) {
  const netcl_range ranges[2] = {{0, count, 1}, {0, 4, 1}};
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(matrix, ranges, 2, &view));
  return view;
}

static void refused_options(void** state) {
  Fixture* fixture = *state;
  static const char* const texts[] = {"v0 + 1", "v0 - 1"};
  const int64_t shapes[][2] = {{3, 4}, {4, 3}};
  netcl_tensor *x = zeros(fixture, NETCL_F32, 2, shapes[0]),
               *y = zeros(fixture, NETCL_F32, 2, shapes[1]),
               *more = zeros(fixture, NETCL_F32, 2, shapes[0]), *wide = NULL;
  netcl_tensor *results[2] = {NULL}, *into[2] = {x, more};
  netcl_dtype dtypes[2] = {NETCL_F32, 77};
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  options.variant = NETCL_VARIANT_MATMUL_NAIVE;
  REFUSED("options->variant is 1", 2, &x, 1, &options);
  options.variant = 0;
  options.dtypes = dtypes;
  options.dtypes_count = 1;
  REFUSED("options->dtypes_count is 1; it is 0 or texts_count, 2", 2, &x, 1, &options);
  options.dtypes_count = 2;
  REFUSED("options->dtypes[1] is 77", 2, &x, 1, &options);
  options.dtypes = NULL;
  REFUSED("options->dtypes is NULL", 2, &x, 1, &options);
  options.dtypes = dtypes;
  dtypes[1] = NETCL_I32;
  options.results_into = into;
  options.results_into_count = 1;
  REFUSED("options->results_into_count is 1; it is 0 or texts_count, 2", 2, &x, 1, &options);
  options.results_into_count = 2;
  REFUSED("options->dtypes[1] is i32; options->results_into[1] is f32", 2, &x, 1, &options);
  options.dtypes_count = 0;
  options.dtypes = NULL;
  into[1] = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "options->results_into[1] is NULL",
             netcl_op_expressions(texts, 2, &x, 1, &options, NULL, results));
  into[1] = x;
  REFUSED("options->results_into[1] may share memory with options->results_into[0]", 2, &x, 1,
          &options);
  into[1] = y;
  REFUSED("options->results_into[1] has shape [4, 3]; options->results_into[0] has [3, 4]", 2, &x,
          1, &options);
  into[0] = y, into[1] = more;
  REFUSED("options->results_into[1] has shape [3, 4]; options->results_into[0] has [4, 3]", 2, &y,
          1, &options);
  netcl_tensor* line = rows_of(x, 1);
  OK(netcl_tensor_broadcast(line, 2, shapes[0], &wide));
  into[0] = more, into[1] = wide;
  REFUSED("options->results_into[1] has strides", 2, &x, 1, &options);
  into[0] = rows_of(more, 2), into[1] = rows_of(x, 2);
  REFUSED("the broadcast of inputs, for options->results_into,", 2, &x, 1, &options);
  CHECK(results[0] == NULL && results[1] == NULL, "a result of a call that failed");
  netcl_tensor* const all[] = {into[0], into[1], line, wide, x, y, more};
  for (size_t k = 0; k < COUNT_OF(all); ++k) netcl_tensor_release(all[k]);
}

/* As many different nodes in all texts together as one may have. */
static void node_limit(void** state) {
  Fixture* fixture = *state;
  enum { TERMS = 300, BYTES = 16 };
  const float value = 2;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 0, NULL, &value),
               *results[NETCL_RESULTS_MAX] = {NULL};
  char* texts[NETCL_RESULTS_MAX];
  for (int k = 0; k < NETCL_RESULTS_MAX; ++k) {
    texts[k] = malloc(TERMS * BYTES);
    int at = snprintf(texts[k], BYTES, "v0");
    for (int i = 0; i < TERMS; ++i) {
      at += snprintf(texts[k] + at, BYTES, " + %d.5", 1000 * k + i + 1);
    }
  }
  const netcl_status status = netcl_op_expressions((const char* const*)texts, NETCL_RESULTS_MAX, &x,
                                                   1, NULL, NULL, results);
  CHECK(status == NETCL_ERROR_INVALID_ARGUMENT &&
            strstr(netcl_last_error_message(), "texts[6]: expression has more than 4096") != NULL,
        "%s", netcl_last_error_message());
  OK(netcl_op_expressions((const char* const*)texts, 2, &x, 1, NULL, NULL, results));
  for (int k = 0; k < 2; ++k) netcl_tensor_release(results[k]);
  for (int k = 0; k < NETCL_RESULTS_MAX; ++k) free(texts[k]);
  netcl_tensor_release(x);
}

/* A rotation of two tensors where they lie, of sizes that are written past the caches too. */
static void in_place(void** state) {
  Fixture* fixture = *state;
  const int64_t counts[] = {7, 1500, 70000, fixture->kernels ? 9 : 4200000};
  for (size_t c = 0; c < COUNT_OF(counts); ++c) {
    const int64_t count = counts[c];
    float *a = malloc((size_t)count * 4), *b = malloc((size_t)count * 4);
    for (int64_t i = 0; i < count; ++i) {
      a[i] = (float)random_in(-1000, 1000);
      b[i] = (float)random_in(-1000, 1000);
    }
    netcl_tensor* x[] = {make_tensor(fixture->device, NETCL_F32, 1, &count, a),
                         make_tensor(fixture->device, NETCL_F32, 1, &count, b)};
    OK(two_into("v0 * 3 - v1 * 4", "v0 * 4 + v1 * 3", x, 2, x[0], x[1]));
    for (int64_t i = 0; i < count; ++i) {
      const float before = a[i];
      a[i] = before * 3 - b[i] * 4;
      b[i] = before * 4 + b[i] * 3;
    }
    CHECK_TENSOR(x[0], a);
    CHECK_TENSOR(x[1], b);
    OK(two_into("v1", "v0 + v1", x, 2, x[0], x[1]));
    for (int64_t i = 0; i < count; ++i) {
      const float before = a[i];
      a[i] = b[i];
      b[i] = before + b[i];
    }
    CHECK_TENSOR(x[0], a);
    CHECK_TENSOR(x[1], b);
    for (int k = 0; k < 2; ++k) netcl_tensor_release(x[k]);
    free(a);
    free(b);
  }
}

/* Results that overlap inputs in other places, of one dtype and of two. */
static void overlaps(void** state) {
  Fixture* fixture = *state;
  enum { COUNT = 1300 };
  for (int round = 0; round < rounds(fixture, 20); ++round) {
    const int64_t count = COUNT, part_count = random_in(1, 600);
    const int64_t from = random_in(0, COUNT - part_count), to = random_in(0, COUNT - part_count);
    float values[COUNT], wanted[COUNT], second[COUNT];
    for (int i = 0; i < COUNT; ++i) wanted[i] = values[i] = (float)random_in(-100, 100);
    netcl_tensor* base = make_tensor(fixture->device, NETCL_F32, 1, &count, values);
    const int64_t step = random_in(0, 3) == 0 && to + part_count * 2 <= COUNT ? 2 : 1;
    netcl_tensor *in = part(base, from, part_count, 1), *out = part(base, to, part_count, step);
    netcl_tensor* other = zeros(fixture, NETCL_F32, 1, &part_count);
    const int first = (int)random_in(0, 1);
    OK(first ? two_into("v0 * 2", "v0 - 1", &in, 1, out, other)
             : two_into("v0 - 1", "v0 * 2", &in, 1, other, out));
    for (int64_t i = 0; i < part_count; ++i) {
      wanted[to + i * step] = values[from + i] * 2;
      second[i] = values[from + i] - 1;
    }
    CHECK_TENSOR(base, wanted);
    CHECK_TENSOR(other, second);
    netcl_tensor_release(in);
    netcl_tensor_release(out);
    netcl_tensor_release(other);
    netcl_tensor_release(base);
  }
}

/* Halves, columns and every other element of one tensor are memory of their own. */
static void parts_of_one(void** state) {
  Fixture* fixture = *state;
  enum { COUNT = 3000 };
  const int64_t count = COUNT, half = COUNT / 2, square[2] = {30, 50}, wide[2] = {30, 100};
  float values[COUNT / 2], wanted[COUNT];
  for (int i = 0; i < COUNT / 2; ++i) values[i] = (float)random_in(-100, 100);
  for (int way = 0; way < 3; ++way) {
    const int columns = way == 2;
    const netcl_range sides[2][2] = {{{0, 30, 1}, {0, 50, 1}}, {{0, 30, 1}, {50, 50, 1}}};
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, columns ? 2 : 1,
                                  columns ? square : &half, values),
                 *all = zeros(fixture, NETCL_F32, columns ? 2 : 1, columns ? wide : &count),
                 *into[2];
    for (int k = 0; k < 2; ++k) {
      if (columns) {
        OK(netcl_tensor_slice(all, sides[k], 2, &into[k]));
      } else {
        into[k] = part(all, way == 0 ? k * half : k, half, way == 0 ? 1 : 2);
      }
    }
    OK(two_into("v0 + 1", "v0 * 2", &x, 1, into[0], into[1]));
    for (int i = 0; i < COUNT / 2; ++i) {
      const int at = way == 0 ? i : way == 1 ? 2 * i : i / 50 * 100 + i % 50;
      wanted[at] = values[i] + 1;
      wanted[at + (way == 0 ? COUNT / 2 : way == 1 ? 1 : 50)] = values[i] * 2;
    }
    CHECK_TENSOR(all, wanted);
    for (int k = 0; k < 2; ++k) netcl_tensor_release(into[k]);
    netcl_tensor_release(x);
    netcl_tensor_release(all);
  }
  netcl_tensor* all = zeros(fixture, NETCL_F32, 1, &count);
  netcl_tensor *first = part(all, 0, half, 1), *second = part(all, half - 1, half, 1);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "may share memory",
             two_into("v0", "v0 + 1", &all, 0, first, second));
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_tensor_release(all);
}

/* Results in a larger shape than the inputs have; references to what was given. */
static void wider_results(void** state) {
  Fixture* fixture = *state;
  const int64_t row = 3, shape[2] = {2, 3};
  const float values[] = {1, 2, 3}, sums[] = {2, 3, 4, 2, 3, 4};
  const int32_t products[] = {2, 4, 6, 2, 4, 6};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 1, &row, values);
  netcl_tensor* into[] = {zeros(fixture, NETCL_F32, 2, shape), zeros(fixture, NETCL_I32, 2, shape)};
  netcl_tensor* results[2];
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  options.results_into = into;
  options.results_into_count = 2;
  OK(netcl_op_expressions((const char* const[]){"v0 + 1", "v0 * 2"}, 2, &x, 1, &options, NULL,
                          results));
  for (int k = 0; k < 2; ++k) netcl_tensor_release(into[k]);
  CHECK_TENSOR(results[0], sums);
  CHECK_TENSOR(results[1], products);
  for (int k = 0; k < 2; ++k) netcl_tensor_release(results[k]);
  netcl_tensor_release(x);
}

/* Calls that differ in a text alone are told apart, also where they come again and again. */
static void texts_tell_calls_apart(void** state) {
  Fixture* fixture = *state;
  static const char* const kLists[][2] = {{"v0 + 1", "v0 * 2"}, {"v0 + 1", "v0 - 2"}};
  const int64_t count = 3;
  const float values[] = {1, 2, 3}, wanted[][3] = {{2, 4, 6}, {-1, 0, 1}};
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 1, &count, values);
  for (int call = 0; call < 8; ++call) {
    netcl_tensor* results[2];
    OK(netcl_op_expressions(kLists[call % 2], 2, &x, 1, NULL, NULL, results));
    CHECK_TENSOR(results[0], ((const float[]){2, 3, 4}));
    CHECK_TENSOR(results[1], wanted[call % 2]);
    for (int k = 0; k < 2; ++k) netcl_tensor_release(results[k]);
  }
  netcl_tensor_release(x);
}

/* The variant that is asked for is the one that is taken, or refused. */
static void variants(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {40, 50};
  netcl_tensor *x = zeros(fixture, NETCL_F32, 2, shape), *turned = NULL, *results[2] = {NULL};
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  static const char* const kTexts[] = {"v0 + 1", "v0 - 1"};
  OK(netcl_tensor_permute(x, (uint32_t[]){1, 0}, 2, &turned));
  options.variant = NETCL_VARIANT_ELEMENTWISE_VECTORIZED;
  OK(netcl_op_expressions(kTexts, 2, &x, 1, &options, NULL, results));
  for (int k = 0; k < 2; ++k) netcl_tensor_release(results[k]);
  if (fixture->kernels) {
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->variant is elementwise_vectorized",
               netcl_op_expressions(kTexts, 2, &turned, 1, &options, NULL, results));
  }
  netcl_tensor_release(turned);
  netcl_tensor_release(x);
}

int main(void) {
  seed_random("expressions_edges");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(refused_texts), DEVICE_TEST(refused_options),
      DEVICE_TEST(node_limit),    DEVICE_TEST(in_place),
      DEVICE_TEST(overlaps),      DEVICE_TEST(parts_of_one),
      DEVICE_TEST(wider_results), DEVICE_TEST(texts_tell_calls_apart),
      DEVICE_TEST(variants),      DEVICE_TEST(as_kernels),
  };
  return cmocka_run_group_tests_name("expressions_edges", tests, NULL, NULL);
}
