/* Quantising by the range of the elements, recording, gradients, and what is refused. */
#include <math.h>

#include "support_graph.h"
#include "support_quantization.h"

/* ---- By the range ---- */

typedef struct Wanted {
  float scale;
  uint8_t zero_point;
} Wanted;

/* Every step rounded to f32. */
static Wanted wanted_range(const float *x, int64_t count) {
  Wanted wanted;
  float low = 0, high = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (isnan(x[i])) low = high = NAN;
    if (x[i] < low) low = x[i];
    if (x[i] > high) high = x[i];
  }
  const double range = rounded_to(NETCL_F32, (double)high - (double)low);
  wanted.scale = low == high ? 1.0f : (float)rounded_to(NETCL_F32, range / 255.0);
  const double steps = rounded_to(NETCL_F32, (double)low / (double)wanted.scale);
  wanted.zero_point = (uint8_t)quantised(0.0 - steps, 0, NETCL_U8);
  return wanted;
}

static void check_range(Fixture *fixture, const float *x, uint32_t rank, const int64_t *shape,
                        int into) {
  const int64_t count = product(rank, shape);
  netcl_dynamic_quantize_linear_options options = NETCL_DYNAMIC_QUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_tensor *result = NULL, *scale = NULL, *zero = NULL;
  Strided source = make_strided(fixture->device, NETCL_F32, rank, shape, x);
  Strided target = make_strided(fixture->device, NETCL_U8, rank, shape, NULL);
  const float poison = -5;
  const uint8_t byte = POISON;
  netcl_run_options run = run_into(target.view);
  if (into) {
    options.scale_into = make_tensor(fixture->device, NETCL_F32, 0, NULL, &poison);
    options.zero_point_into = make_tensor(fixture->device, NETCL_U8, 0, NULL, &byte);
  }
  OK(netcl_op_dynamic_quantize_linear(source.view, &options, into ? &run : NULL, &result, &scale,
                                      &zero));
  if (into) {
    check_same_bits(options.scale_into, scale, "the scale's tensor", 0);
    check_same_bits(options.zero_point_into, zero, "the zero point's tensor", 0);
    RELEASE(options.scale_into, options.zero_point_into);
  }
  const Wanted wanted = wanted_range(x, count);
  float *got_scale = read_tensor(scale);
  uint8_t *got_zero = read_tensor(zero), *got = read_tensor(result);
  assert_int_equal(tensor_info(scale).rank, 0);
  assert_int_equal(tensor_info(zero).dtype, NETCL_U8);
  CHECK(same_element(NETCL_F32, got_scale, &wanted.scale), "the scale is %.9g, not %.9g",
        *got_scale, wanted.scale);
  CHECK(*got_zero == wanted.zero_point, "the zero point is %d, not %d", *got_zero,
        wanted.zero_point);
  uint8_t *all = malloc((size_t)count + 1);
  for (int64_t i = 0; i < count; ++i) {
    const double quotient = rounded_to(NETCL_F32, (double)x[i] / (double)wanted.scale);
    all[i] = (uint8_t)quantised(quotient, wanted.zero_point, NETCL_U8);
    CHECK(got[i] == all[i], "element %lld of %g is %d, not %d", (long long)i, x[i], got[i],
          all[i]);
  }
  if (into) CHECK_STRIDED(&target, all);
  free(all);
  free(got);
  free(got_scale);
  free(got_zero);
  RELEASE(result, scale, zero);
  release_strided(&source);
  release_strided(&target);
}

static void random_ranges(void **state) {
  Fixture *fixture = *state;
  for (int round = rounds(fixture, fixture->kernels ? 50 : 100); round > 0; --round) {
    const uint32_t rank = (uint32_t)random_in(0, 4);
    int64_t shape[4] = {1, 1, 1, 1};
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(0, 15) == 0 ? 0 : random_in(1, 12);
    const int64_t count = product(rank, shape);
    const double low = random_in(0, 2) == 0 ? 0 : random_real(-5, 0);
    const double high = random_in(0, 2) == 0 ? 0 : random_real(0, 300);
    float *x = malloc(((size_t)count + 1) * sizeof *x);
    for (int64_t i = 0; i < count; ++i) x[i] = (float)random_real(low, high);
    check_range(fixture, x, rank, shape, (int)random_in(0, 1));
    free(x);
  }
}

static void special_ranges(void **state) {
  static const float kLists[][4] = {
      {0, 0, 0, 0},           {-0.0f, 0, -0.0f, 0},      {1, 2, 3, 4},
      {-1, -2, -3, -4},       {NAN, 1, -1, 2},           {1, 2, NAN, NAN},
      {INFINITY, 1, 2, 0},    {-INFINITY, 1, 2, 0},      {-INFINITY, INFINITY, 0, 1},
      {3e38f, -3e38f, 0, 1},  {-0.5f, 254.5f, 0.5f, 1.5f}, {-1, 254, 0.5f, 2.5f}};
  const int64_t four = 4, none = 0, large = 100000;
  Fixture *fixture = *state;
  for (size_t i = 0; i < COUNT_OF(kLists); ++i) {
    check_range(fixture, kLists[i], 1, &four, (int)(i % 2));
  }
  check_range(fixture, kLists[0], 1, &none, 0);
  check_range(fixture, kLists[0], 1, &none, 1);
  float *x = malloc((size_t)large * sizeof *x);
  for (int64_t i = 0; i < large; ++i) x[i] = (float)random_real(-3, 7);
  check_range(fixture, x, 1, &large, 0);
  free(x);
}

/* Results that nobody wants. */
static void without_scalars(void **state) {
  Fixture *fixture = *state;
  const float values[3] = {-1, 0, 254};
  const uint8_t wanted[3] = {0, 1, 255};
  netcl_tensor *x = graph_vector(fixture, 3, values), *result = NULL, *zero = NULL;
  OK(netcl_op_dynamic_quantize_linear(x, NULL, NULL, &result, NULL, NULL));
  CHECK_TENSOR(result, wanted);
  netcl_tensor_release(result);
  OK(netcl_op_dynamic_quantize_linear(x, NULL, NULL, &result, NULL, &zero));
  CHECK_TENSOR(zero, wanted + 1);
  RELEASE(x, result, zero);
}

/* ---- Graphs ---- */

/* Quantised, dequantised, and a formula behind: one step, with the bits of three calls. */
static netcl_tensor *there_and_back(netcl_tensor *x, netcl_tensor *scale, netcl_tensor *zero,
                                    int64_t block, const netcl_run_options *run) {
  netcl_quantize_linear_options quantize = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_dequantize_linear_options dequantize = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_tensor *small = NULL, *back = NULL;
  quantize.zero_point = dequantize.zero_point = zero;
  quantize.block_size = dequantize.block_size = block;
  OK(netcl_op_quantize_linear(x, scale, 0, &quantize, run, &small));
  OK(netcl_op_dequantize_linear(small, scale, 0, &dequantize, run, &back));
  netcl_tensor *made = formula("relu(v0) + 1.0", back, NULL, run);
  RELEASE(small, back);
  return made;
}

static void compiled(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {6, 50}, places[1] = {6}, blocks[2] = {2, 50};
  float values[300], scales[100];
  int8_t zeros[100];
  for (int i = 0; i < 300; ++i) values[i] = (float)random_real(-20, 20);
  for (int i = 0; i < 100; ++i) scales[i] = (float)random_scale(NETCL_F32);
  fill_whole(NETCL_I8, zeros, 100);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  for (int form = 0; form < 2; ++form) {
    const uint32_t rank = form == 0 ? 1 : 2;
    const int64_t *extents = form == 0 ? places : blocks, block = form == 0 ? 0 : 4;
    netcl_tensor *scale = make_tensor(fixture->device, NETCL_F32, rank, extents, scales);
    netcl_tensor *zero = make_tensor(fixture->device, NETCL_I8, rank, extents, zeros);
    netcl_tensor *wanted = there_and_back(x, scale, zero, block, NULL), *got = NULL;
    netcl_run_options run = captured_calls(fixture);
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    netcl_tensor *output = there_and_back(x, scale, zero, block, &run);
    OK(netcl_graph_compile(run.graph, &x, 1, &output, 1, NULL));
    OK(netcl_graph_get_info(run.graph, &info));
    if (form == 0) assert_int_equal(info.step_count, 1);
    got = poisoned_like(fixture, wanted);
    for (int again = 0; again < 3; ++again) OK(netcl_graph_run(run.graph, &x, 1, &got, 1, NULL));
    check_same_bits(got, wanted, "a compiled graph", form);
    RELEASE(scale, zero, wanted, output, got);
    netcl_graph_release(run.graph);
  }
  netcl_tensor_release(x);
}

/* All ops in one capture, which has no device memory of its own until it runs. */
static void captured_ranges(void **state) {
  Fixture *fixture = *state;
  const float values[6] = {-1, 3, 0.25f, 7, -2, 5}, other[6] = {9, -3, 1, 1, 0.5f, 2};
  netcl_tensor *x = graph_vector(fixture, 6, values), *y = graph_vector(fixture, 6, other);
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *all[3] = {NULL, NULL, NULL}, *got[3], *wanted[3] = {NULL, NULL, NULL};
  OK(netcl_op_dynamic_quantize_linear(x, NULL, &run, &all[0], &all[1], &all[2]));
  OK(netcl_graph_compile(run.graph, &x, 1, all, 3, NULL));
  OK(netcl_op_dynamic_quantize_linear(y, NULL, NULL, &wanted[0], &wanted[1], &wanted[2]));
  for (int i = 0; i < 3; ++i) got[i] = poisoned_like(fixture, wanted[i]);
  OK(netcl_graph_run(run.graph, &y, 1, got, 3, NULL));
  for (int i = 0; i < 3; ++i) check_same_bits(got[i], wanted[i], "a compiled graph", i);
  release_tensors(all, 3);
  release_tensors(got, 3);
  release_tensors(wanted, 3);
  RELEASE(x, y);
  netcl_graph_release(run.graph);
}

static void gradients(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {2, 3}, two = 2, blocks[2] = {1, 3};
  const int8_t bytes[6] = {1, -2, 3, 10, 20, -30}, zeros[2] = {1, -2};
  const float scales[3] = {0.5f, 0.25f, 2}, reals[6] = {1, 2, 3, 4, 5, 6};
  netcl_dequantize_linear_options options = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_I8, 2, shape, bytes), *made = NULL;
  netcl_tensor *scale = make_tensor(fixture->device, NETCL_F32, 1, &two, scales);
  netcl_tensor *zero = make_tensor(fixture->device, NETCL_I8, 1, &two, zeros);
  options.zero_point = zero;
  netcl_run_options run = recorded(fixture);
  OK(netcl_op_dequantize_linear(x, scale, 0, &options, &run, &made));
  netcl_tensor *sum = sum_of(made, &run), *grad = gradient(&run, sum, scale);
  GIVES(grad, 1 - 1 + -2 - 1 + 3 - 1, 10 + 2 + 20 + 2 + -30 + 2);
  RELEASE(made, sum, grad);
  OK(netcl_graph_clear(run.graph));
  made = NULL;

  /* Whole numbers are constants, whatever they were made of. */
  netcl_tensor *real = make_tensor(fixture->device, NETCL_F32, 2, shape, reals), *small = NULL;
  netcl_quantize_linear_options to_i8 = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
  to_i8.dtype = NETCL_I8;
  OK(netcl_op_quantize_linear(real, scale, 0, &to_i8, &run, &small));
  OK(netcl_op_dequantize_linear(small, scale, 0, NULL, &run, &made));
  sum = sum_of(made, &run);
  grad = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no output depends on inputs[0]",
             netcl_graph_add_gradients(run.graph, &sum, 1, &real, 1, NULL, &grad));
  assert_null(grad);
  grad = gradient(&run, sum, scale);
  GIVES(grad, 2 + 4 + 6, 16 + 20 + 24);
  RELEASE(made, sum, small, grad);
  grad = NULL;
  OK(netcl_graph_clear(run.graph));
  made = NULL;

  netcl_tensor *block_scale = make_tensor(fixture->device, NETCL_F32, 2, blocks, scales);
  netcl_dequantize_linear_options in_blocks = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  in_blocks.block_size = 2;
  OK(netcl_op_dequantize_linear(x, block_scale, 0, &in_blocks, &run, &made));
  sum = sum_of(made, &run);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "it has blocks",
             netcl_graph_add_gradients(run.graph, &sum, 1, &block_scale, 1, NULL, &grad));
  RELEASE(made, sum, x, scale, zero, real, block_scale);
  netcl_graph_release(run.graph);
}

/* ---- What is refused ---- */

typedef struct Refused {
  Fixture *fixture;
  netcl_tensor *x, *scale, *zero, *into, *result;
  netcl_status status;
  const char *text;
} Refused;

static void refuse_quantize(Refused *r, int32_t axis, netcl_quantize_linear_options options) {
  netcl_run_options run = run_into(r->into);
  options.zero_point = r->zero;
  FAILS_WITH(r->status, r->text,
             netcl_op_quantize_linear(r->x, r->scale, axis, &options,
                                      r->into != NULL ? &run : NULL, &r->result));
  assert_null(r->result);
}

static netcl_tensor *any_tensor(Fixture *fixture, netcl_dtype dtype, uint32_t rank, int64_t a,
                                int64_t b) {
  const int64_t shape[8] = {a, b, 1, 1, 1, 1, 1, 1};
  netcl_tensor *made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &made));
  return made;
}

typedef struct RefusedRow {
  netcl_dtype x, scale, zero, into;          /* 0: not given */
  int64_t scale_rank, scale_a, scale_b, zero_a;
  int32_t axis;
  int64_t block;
  netcl_dtype dtype, precision;
  netcl_status status;
  const char *text;
} RefusedRow;

/* x is [4, 6]. */
static void refusals(void **state) {
  enum { F = NETCL_F32, I = NETCL_I8, BAD = NETCL_ERROR_INVALID_ARGUMENT,
         NOT = NETCL_ERROR_UNSUPPORTED };
  static const RefusedRow rows[] = {
      {NETCL_F64, F, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, NOT, "x is f64; quantize_linear takes f32"},
      {F, NETCL_F64, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, NOT, "scale is f64; scales are f32, f16 or"},
      {F, NETCL_I32, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, BAD, "scale is i32 and x is f32"},
      {F, F, 0, 0, 1, 4, 1, 0, 1, 0, 0, 0, BAD, "scale has shape [4]; x has shape [4, 6], so it"},
      {F, F, 0, 0, 2, 4, 1, 0, 0, 0, 0, 0, BAD, "scale has shape [4, 1]; x has shape [4, 6]"},
      {F, F, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, BAD, "scale has shape [0]; x has shape [4, 6]"},
      {F, F, 0, 0, 1, 4, 1, 0, 2, 0, 0, 0, BAD, "axis is 2; the tensor has rank 2"},
      {F, F, 0, 0, 1, 4, 1, 0, -3, 0, 0, 0, BAD, "axis is -3; the tensor has rank 2"},
      {F, F, 0, 0, 2, 4, 3, 0, 1, -2, 0, 0, BAD, "options->block_size is -2; it is 0 or more"},
      {F, F, 0, 0, 2, 4, 3, 0, 1, 4, 0, 0, BAD, "options->block_size = 4 makes 2 blocks"},
      {F, F, 0, 0, 2, 4, 3, 0, 0, 2, 0, 0, BAD, "makes 2 blocks along axis 0"},
      {F, F, 0, 0, 1, 3, 1, 0, 1, 2, 0, 0, BAD, "scale has shape [3]; x has shape [4, 6], which"},
      {F, F, 0, 0, 0, 1, 1, 0, 1, 2, 0, 0, BAD, "scale has shape []; x has shape [4, 6], which"},
      {F, F, I, 0, 1, 4, 1, 6, 0, 0, 0, 0, BAD, "options->zero_point has shape [6]; scale has [4"},
      {F, F, I, 0, 1, 4, 1, 4, 0, 0, NETCL_U8, 0, BAD, "options->zero_point is i8; the result is"},
      {F, F, F, 0, 1, 4, 1, 4, 0, 0, 0, 0, BAD, "options->zero_point is f32; quantize_linear giv"},
      {F, F, 0, 0, 1, 4, 1, 0, 0, 0, NETCL_I32, 0, BAD, "options->dtype is i32; quantize_linear"},
      {F, F, 0, 0, 1, 4, 1, 0, 0, 0, 77, 0, BAD, "options->dtype is 77"},
      {F, F, 0, 0, 1, 4, 1, 0, 0, 0, 0, NETCL_I8, BAD, "options->precision is i8; it is f32"},
      {F, F, 0, 0, 1, 4, 1, 0, 0, 0, 0, -1, BAD, "options->precision is -1"},
      {F, F, 0, F, 1, 4, 1, 0, 0, 0, 0, 0, BAD, "run->into is f32; quantize_linear gives"},
      {F, F, 0, I, 1, 4, 1, 0, 0, 0, NETCL_U8, 0, BAD, "run->into is i8; the result is u8"},
  };
  Fixture *fixture = *state;
  for (size_t i = 0; i < COUNT_OF(rows); ++i) {
    const RefusedRow *row = &rows[i];
    netcl_quantize_linear_options options = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
    Refused r = {fixture, NULL, NULL, NULL, NULL, NULL, row->status, row->text};
    if (row->x == NETCL_F64 && fixture->capabilities.fp64 == 0) continue;
    r.x = any_tensor(fixture, row->x, 2, 4, 6);
    r.scale = any_tensor(fixture, row->scale, (uint32_t)row->scale_rank, row->scale_a,
                         row->scale_b);
    if (row->zero != 0) r.zero = any_tensor(fixture, row->zero, 1, row->zero_a, 1);
    if (row->into != 0) r.into = any_tensor(fixture, row->into, 2, 4, 6);
    options.block_size = row->block;
    options.dtype = row->dtype;
    options.precision = row->precision;
    refuse_quantize(&r, row->axis, options);
    RELEASE(r.x, r.scale, r.zero, r.into);
  }
}

static void refusals_of_others(void **state) {
  Fixture *fixture = *state;
  netcl_tensor *x = any_tensor(fixture, NETCL_F32, 2, 4, 6), *result = NULL, *other = NULL;
  netcl_tensor *bytes = any_tensor(fixture, NETCL_U8, 2, 4, 6);
  netcl_tensor *scale = any_tensor(fixture, NETCL_F32, 0, 1, 1);
  netcl_tensor *deep = any_tensor(fixture, NETCL_F32, 8, 4, 6);
  netcl_tensor *zero = any_tensor(fixture, NETCL_I8, 0, 1, 1);
  netcl_quantize_linear_options blocks = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_dequantize_linear_options back = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_dynamic_quantize_linear_options dynamic = NETCL_DYNAMIC_QUANTIZE_LINEAR_OPTIONS_INIT;
  netcl_tensor *floats = any_tensor(fixture, NETCL_F32, 2, 4, 6);
  netcl_run_options into = run_into(floats);
  netcl_tensor *deep_scale = any_tensor(fixture, NETCL_F32, 8, 2, 6);
  blocks.block_size = 2;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "blocks take ranks up to 7",
             netcl_op_quantize_linear(deep, deep_scale, 0, &blocks, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is f32; dequantize_linear takes i8",
             netcl_op_dequantize_linear(x, scale, 0, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "scale is u8; scales are",
             netcl_op_dequantize_linear(bytes, bytes, 0, NULL, NULL, &result));
  back.dtype = NETCL_F64;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is f64; dequantize_linear gives f32",
             netcl_op_dequantize_linear(bytes, scale, 0, &back, NULL, &result));
  back.dtype = 0;
  back.zero_point = zero;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->zero_point is i8; x is u8",
             netcl_op_dequantize_linear(bytes, scale, 0, &back, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is u8; dynamic_quantize_linear takes f32",
             netcl_op_dynamic_quantize_linear(bytes, NULL, NULL, &result, NULL, NULL));
  into.into = floats;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into is f32; the result is u8",
             netcl_op_dynamic_quantize_linear(x, NULL, &into, NULL, NULL, NULL));
  dynamic.scale_into = x;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->scale_into shares its memory with x",
             netcl_op_dynamic_quantize_linear(x, &dynamic, NULL, &result, NULL, NULL));
  dynamic.scale_into = deep;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->scale_into has shape [4, 6, 1, 1, 1, 1, 1",
             netcl_op_dynamic_quantize_linear(x, &dynamic, NULL, &result, NULL, NULL));
  dynamic.scale_into = zero;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->scale_into is i8; it is f32",
             netcl_op_dynamic_quantize_linear(x, &dynamic, NULL, &result, NULL, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "scale and zero_point are the same address",
             netcl_op_dynamic_quantize_linear(x, NULL, NULL, &result, &other, &other));
  assert_null(result);
  assert_null(other);
  RELEASE(x, bytes, scale, deep, deep_scale, zero, floats);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(random_ranges), DEVICE_TEST(special_ranges),  DEVICE_TEST(without_scalars),
      DEVICE_TEST(compiled),      DEVICE_TEST(captured_ranges), DEVICE_TEST(gradients),
      DEVICE_TEST(refusals),      DEVICE_TEST(refusals_of_others), DEVICE_TEST(as_kernels)};
  seed_random("quantization_edges");
  return cmocka_run_group_tests_name("quantization_edges", tests, NULL, NULL);
}
