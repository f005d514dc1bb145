/* Transposition, concatenation, splitting and padding: every element is where it belongs, bit for
 * bit, in every dtype and through strides of every kind. */
#include "support_process.h"
#include "support_strided.h"

/* Bits of element `from` of x become element `to` of y. */
static void move_element(netcl_dtype dtype, void* y, int64_t to, const void* x, int64_t from) {
  const size_t size = netcl_dtype_size(dtype);
  memcpy((char*)y + (size_t)to * size, (const char*)x + (size_t)from * size, size);
}

static void check_transpose(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                            const int64_t* shape, const uint32_t* axes, uint32_t axes_count) {
  const int64_t count = product(rank, shape);
  void *x = malloc((size_t)count * 8 + 1), *y = malloc((size_t)count * 8 + 1);
  int64_t turned[NETCL_RANK_MAX] = {0};
  fill_bits(dtype, x, count);
  for (uint32_t d = 0; d < rank; ++d) turned[d] = shape[axes_count > 0 ? axes[d] : rank - 1 - d];
  for (int64_t i = 0; i < count; ++i) {
    int64_t at[NETCL_RANK_MAX], from[NETCL_RANK_MAX];
    unravel(rank, turned, i, at);
    for (uint32_t d = 0; d < rank; ++d) from[axes_count > 0 ? axes[d] : rank - 1 - d] = at[d];
    move_element(dtype, y, i, x, ravel(rank, shape, from));
  }
  Strided source = make_strided(fixture->device, dtype, rank, shape, x);
  Strided target = make_strided(fixture->device, dtype, rank, turned, NULL);
  netcl_tensor *packed = make_tensor(fixture->device, dtype, rank, shape, x), *result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_transpose(source.view, axes, axes_count, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_transpose(packed, axes, axes_count, NULL, &result));
  assert_int_equal(tensor_info(result).contiguous, 1);
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  netcl_tensor_release(packed);
  release_strided(&source);
  release_strided(&target);
  free(x);
  free(y);
}

/* Results of 16 MiB and more: CPUs write them past the caches, in whole lines of 64 bytes, each
 * line of the result beginning at another place of one. Once packed, once within more elements. */
static void large_transpose(Fixture* fixture, netcl_dtype dtype, int64_t p, int64_t gap) {
  const int64_t size = (int64_t)netcl_dtype_size(dtype), batches = random_in(1, 2);
  const int64_t q = ((int64_t)17 << 20) / size / batches / p + random_in(0, 40);
  const int64_t shape[] = {batches, q, p}, wide[] = {batches, p, q + gap};
  const int64_t count = batches * p * q, all = batches * p * (q + gap);
  const int64_t offset = random_in(0, gap);
  const uint32_t swap[] = {0, 2, 1};
  char *x = malloc((size_t)(count * size)), *y = malloc((size_t)(count * size));
  char *holed = malloc((size_t)(all * size)), *read = malloc((size_t)(all * size));
  fill_bits(dtype, x, count);
  fill_bits(dtype, holed, all);
  netcl_tensor* const whole = make_tensor(fixture->device, dtype, 3, wide, holed);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t line = i / q, from = (line / p * q + i % q) * p + line % p;
    move_element(dtype, y, i, x, from);
    move_element(dtype, holed, line * (q + gap) + offset + i % q, x, from);
  }
  netcl_tensor* const source = make_tensor(fixture->device, dtype, 3, shape, x);
  netcl_tensor *result = NULL, *part = NULL;
  OK(netcl_op_transpose(source, swap, 3, NULL, &result));
  CHECK_TENSOR(result, y);
  const netcl_range ranges[] = {{0, batches, 1}, {0, p, 1}, {offset, q, 1}};
  OK(netcl_tensor_slice(whole, ranges, 3, &part));
  const netcl_run_options run = run_into(part);
  OK(netcl_op_transpose(source, swap, 3, &run, NULL));
  OK(netcl_tensor_read(whole, read, (size_t)(all * size), NULL, NETCL_WAIT_FOREVER));
  assert_memory_equal(read, holed, (size_t)(all * size));
  netcl_tensor_release(part);
  netcl_tensor_release(result);
  netcl_tensor_release(source);
  netcl_tensor_release(whole);
  free(read);
  free(holed);
  free(y);
  free(x);
}

static void large_transposes(void** state) {
  static const netcl_dtype kSizes[] = {NETCL_U8, NETCL_F16, NETCL_F32, NETCL_F64};
  Fixture* fixture = *state;
  const int some = only_sanitized() || (fixture->kernels && !process_full());
  for (size_t i = 0; i < COUNT_OF(kSizes); ++i) {
    if (some && random_in(0, 3) != 0) continue;
    large_transpose(fixture, kSizes[i], random_in(9, 300), random_in(1, 200));
    large_transpose(fixture, kSizes[i], random_in(4100, 5000), 64);
  }
}

/* Elements of 8 and 16 bits that kernels take by 32: lines begin at multiples of them, and end
 * anywhere, on both sides. */
static void short_transposes(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kShort[] = {NETCL_U8, NETCL_F16, NETCL_I8, NETCL_BF16};
  const uint32_t swap[] = {1, 0};
  for (int round = 0; round < 24; ++round) {
    const netcl_dtype dtype = kShort[round % 4];
    const int64_t size = (int64_t)netcl_dtype_size(dtype);
    const int64_t p = random_in(8, 300), q = random_in(8, 300), skip = 4 * random_in(0, 3);
    const int64_t x_line = (p + 3) / 4 * 4 + skip, y_line = (q + 3) / 4 * 4 + skip;
    const int64_t x_shape[] = {q, x_line}, y_shape[] = {p, y_line};
    char *x = malloc((size_t)(q * x_line * size)), *y = malloc((size_t)(p * y_line * size));
    char* read = malloc((size_t)(p * y_line * size));
    fill_bits(dtype, x, q * x_line);
    fill_bits(dtype, y, p * y_line);
    netcl_tensor* const source = make_tensor(fixture->device, dtype, 2, x_shape, x);
    netcl_tensor* const target = make_tensor(fixture->device, dtype, 2, y_shape, y);
    for (int64_t i = 0; i < p * q; ++i) {
      move_element(dtype, y, i / q * y_line + skip + i % q, x, i % q * x_line + skip + i / q);
    }
    netcl_tensor *from = NULL, *to = NULL;
    const netcl_range x_part[] = {{0, q, 1}, {skip, p, 1}}, y_part[] = {{0, p, 1}, {skip, q, 1}};
    OK(netcl_tensor_slice(source, x_part, 2, &from));
    OK(netcl_tensor_slice(target, y_part, 2, &to));
    const netcl_run_options run = run_into(to);
    OK(netcl_op_transpose(from, swap, 2, &run, NULL));
    OK(netcl_tensor_read(target, read, (size_t)(p * y_line * size), NULL, NETCL_WAIT_FOREVER));
    assert_memory_equal(read, y, (size_t)(p * y_line * size));
    netcl_tensor_release(from);
    netcl_tensor_release(to);
    netcl_tensor_release(source);
    netcl_tensor_release(target);
    free(x);
    free(y);
    free(read);
  }
}

static void transposes(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[][2] = {{1, 1},   {1, 50},   {7, 9},   {8, 8},
                                       {16, 16}, {17, 33},  {64, 64}, {65, 31},
                                       {100, 3}, {128, 70}, {0, 5},   {253, 67}};
  for (size_t s = 0; s < COUNT_OF(kShapes); ++s) {
    check_transpose(fixture, kDtypes[s % DTYPES], 2, kShapes[s], NULL, 0);
  }
  for (size_t t = 0; t < DTYPES; ++t) {
    const int64_t shape[] = {3, 37, 70};
    const uint32_t swap[] = {0, 2, 1}, turn[] = {2, 0, 1}, front[] = {1, 0, 2};
    check_transpose(fixture, kDtypes[t], 3, shape, swap, 3);
    check_transpose(fixture, kDtypes[t], 3, shape, turn, 3);
    check_transpose(fixture, kDtypes[t], 3, shape, front, 3);
  }
  /* Short lines, whose memory kernels move in pieces: of several pieces, and of one. */
  for (int round = 0; round < rounds(fixture, 24); ++round) {
    const int64_t few = random_in(2, 33), many = random_in(60, round % 4 < 2 ? 5000 : 200);
    const int64_t shape[] = {random_in(1, 3), round % 2 ? few : many, round % 2 ? many : few};
    const uint32_t swap[] = {0, 2, 1};
    check_transpose(fixture, kDtypes[random_in(0, DTYPES - 1)], 3, shape, swap, 3);
  }
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    const uint32_t rank = (uint32_t)random_in(0, 6);
    int64_t shape[NETCL_RANK_MAX] = {0};
    uint32_t axes[NETCL_RANK_MAX] = {0};
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(round % 9 == 0 ? 0 : 1, 12);
    for (uint32_t d = 0; d < rank; ++d) axes[d] = d;
    for (uint32_t d = rank; d > 1; --d) {
      const uint32_t other = (uint32_t)random_in(0, d - 1), kept = axes[d - 1];
      axes[d - 1] = axes[other];
      axes[other] = kept;
    }
    check_transpose(fixture, kDtypes[random_in(0, DTYPES - 1)], rank, shape, axes, rank);
  }
}

static void concatenations(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    enum { MOST = 5 };
    const netcl_dtype dtype = kDtypes[round % DTYPES];
    const uint32_t rank = (uint32_t)random_in(1, 4), axis = (uint32_t)random_in(0, rank - 1);
    const int inputs_count = (int)random_in(1, MOST);
    int64_t shape[NETCL_RANK_MAX] = {0}, parts[MOST];
    netcl_tensor *inputs[MOST], *result = NULL, *views[MOST] = {NULL};
    Strided strided[MOST];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, 9);
    shape[axis] = 0;
    for (int i = 0; i < inputs_count; ++i) shape[axis] += parts[i] = random_in(0, 7);
    const int64_t count = product(rank, shape);
    void *whole = malloc((size_t)count * 8 + 1), *part = malloc((size_t)count * 8 + 1);
    fill_bits(dtype, whole, count);
    int64_t start = 0;
    for (int i = 0; i < inputs_count; ++i) {
      int64_t own[NETCL_RANK_MAX];
      memcpy(own, shape, sizeof own);
      own[axis] = parts[i];
      for (int64_t e = 0; e < product(rank, own); ++e) {
        int64_t at[NETCL_RANK_MAX];
        unravel(rank, own, e, at);
        at[axis] += start;
        move_element(dtype, part, e, whole, ravel(rank, shape, at));
      }
      start += parts[i];
      strided[i] = make_strided(fixture->device, dtype, rank, own, part);
      inputs[i] = strided[i].view;
    }
    const int32_t signed_axis = round % 2 ? (int32_t)axis : (int32_t)axis - (int32_t)rank;
    OK(netcl_op_concat(inputs, (uint32_t)inputs_count, signed_axis, NULL, &result));
    CHECK_TENSOR(result, whole);
    Strided target = make_strided(fixture->device, dtype, rank, shape, NULL);
    const netcl_run_options run = run_into(target.view);
    OK(netcl_op_concat(inputs, (uint32_t)inputs_count, signed_axis, &run, NULL));
    CHECK_STRIDED(&target, whole);
    /* Splitting gives the parts back, as views of the same memory. */
    OK(netcl_tensor_split(target.view, signed_axis, parts, (uint32_t)inputs_count, views));
    for (int i = 0; i < inputs_count; ++i) {
      void* wanted = read_tensor(inputs[i]);
      CHECK_TENSOR(views[i], wanted);
      free(wanted);
      netcl_tensor_release(views[i]);
      release_strided(&strided[i]);
    }
    release_strided(&target);
    netcl_tensor_release(result);
    free(whole);
    free(part);
  }
}

static int64_t pad_place(int64_t i, int64_t extent, netcl_pad_mode mode) {
  if (i >= 0 && i < extent) return i;
  if (mode == NETCL_PAD_CONSTANT) return -1;
  if (mode == NETCL_PAD_EDGE) return i < 0 ? 0 : extent - 1;
  /* Back and forth, one step at a time. */
  int64_t at = 0, step = 1;
  if (extent == 1) return 0;
  if (mode == NETCL_PAD_WRAP) {
    while (i < 0) i += extent;
    while (i >= extent) i -= extent;
    return i;
  }
  for (int64_t left = i < 0 ? -i : i; left > 0; --left) {
    if (at + step < 0 || at + step >= extent) step = -step;
    at += step;
  }
  return at;
}

static void check_pad(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                      const int64_t* pads, netcl_pad_mode mode, const void* value) {
  int64_t kept[NETCL_RANK_MAX] = {0}, cut[NETCL_RANK_MAX] = {0}, out[NETCL_RANK_MAX] = {0};
  int64_t before[NETCL_RANK_MAX] = {0};
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t begin = pads[d], end = pads[rank + d];
    cut[d] = begin < 0 ? -begin : 0;
    before[d] = begin > 0 ? begin : 0;
    kept[d] = shape[d] - cut[d] + (end < 0 ? end : 0);
    out[d] = shape[d] + begin + end;
  }
  const int64_t count = product(rank, shape), total = product(rank, out);
  void *x = malloc((size_t)count * 8 + 1), *y = malloc((size_t)total * 8 + 1);
  static const uint64_t kZero = 0;
  fill_bits(dtype, x, count);
  for (int64_t i = 0; i < total; ++i) {
    int64_t at[NETCL_RANK_MAX];
    int inside = 1;
    unravel(rank, out, i, at);
    for (uint32_t d = 0; d < rank; ++d) {
      at[d] = pad_place(at[d] - before[d], kept[d], mode);
      inside = inside && at[d] >= 0;
      at[d] += cut[d];
    }
    if (inside) {
      move_element(dtype, y, i, x, ravel(rank, shape, at));
    } else {
      move_element(dtype, y, i, value != NULL ? value : &kZero, 0);
    }
  }
  netcl_pad_options options = NETCL_PAD_OPTIONS_INIT;
  options.mode = mode;
  options.value = value;
  Strided source = make_strided(fixture->device, dtype, rank, shape, x);
  Strided target = make_strided(fixture->device, dtype, rank, out, NULL);
  netcl_tensor* result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_pad(source.view, pads, 2 * rank, &options, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_pad(source.view, pads, 2 * rank, &options, NULL, &result));
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  release_strided(&source);
  release_strided(&target);
  free(x);
  free(y);
}

static void paddings(void** state) {
  Fixture* fixture = *state;
  const int64_t line[] = {5}, wide[] = {13, 9}, image[] = {2, 3, 17, 31};
  const int64_t image_pads[] = {0, 0, 1, 2, 0, 0, 3, 1};
  for (netcl_pad_mode mode = NETCL_PAD_CONSTANT; mode <= NETCL_PAD_WRAP; ++mode) {
    const uint64_t value = 0x0123456789abcdefu;
    check_pad(fixture, NETCL_F32, 1, line, wide, mode, &value);
    check_pad(fixture, NETCL_F32, 4, image, image_pads, mode, NULL);
    for (size_t t = 0; t < DTYPES; ++t) {
      const int64_t shape[] = {4, 7}, pads[] = {2, -1, 0, 5};
      check_pad(fixture, kDtypes[t], 2, shape, pads, mode,
                kDtypes[t] == NETCL_BOOL ? NULL : &value);
    }
    const int64_t one[] = {1, 3}, one_pads[] = {4, 0, 2, 0};
    check_pad(fixture, NETCL_U8, 2, one, one_pads, mode, &value);
    const int64_t nothing[] = {3, 3}, all_gone[] = {-3, 0, 0, 0}, same[] = {0, 0, 0, 0};
    check_pad(fixture, NETCL_U16, 2, nothing, all_gone, mode, &value);
    check_pad(fixture, NETCL_U16, 2, nothing, same, mode, &value);
  }
  const int64_t empty[] = {2, 0}, more[] = {1, 2, 0, 3};
  check_pad(fixture, NETCL_I32, 2, empty, more, NETCL_PAD_CONSTANT, NULL);
  check_pad(fixture, NETCL_I32, 0, NULL, NULL, NETCL_PAD_EDGE, NULL);
  for (int round = 0; round < rounds(fixture, 80); ++round) {
    const uint32_t rank = (uint32_t)random_in(1, 5);
    int64_t shape[NETCL_RANK_MAX], pads[2 * NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) {
      shape[d] = random_in(1, 8);
      pads[d] = random_in(-shape[d] / 2, 5);
      pads[rank + d] = random_in(-(shape[d] - 1) / 2, 5);
    }
    const uint64_t value = random_bits() & 0x0101010101010101u;
    check_pad(fixture, kDtypes[random_in(0, DTYPES - 1)], rank, shape, pads,
              (netcl_pad_mode)random_in(0, 3), round % 2 ? &value : NULL);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3}, other[] = {2, 4}, sizes[] = {1, 1}, minus[] = {4, -1};
  const int64_t pads[] = {-1, 0, -2, 0}, none_left[] = {-2, 0, 1, 0}, huge[] = {INT64_MAX, 0, 1, 0};
  const uint32_t axes[] = {0, 0};
  netcl_tensor *x = NULL, *y = NULL, *u = NULL, *result = NULL, *views[2] = {NULL};
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, other, NULL, NULL, &y));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_U8, 2, shape, NULL, NULL, &u));
  const netcl_run_options into_x = run_into(x), into_y = run_into(y), into_u = run_into(u);
  netcl_pad_options edge = NETCL_PAD_OPTIONS_INIT, wrong = NETCL_PAD_OPTIONS_INIT;
  netcl_tensor *mixed[] = {x, u}, *uneven[] = {x, y};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  edge.mode = NETCL_PAD_EDGE;
  wrong.mode = 4;
  FAILS_WITH(bad, "axes[1] is 0", netcl_op_transpose(x, axes, 2, NULL, &result));
  FAILS_WITH(bad, "axes_count is 1", netcl_op_transpose(x, axes, 1, NULL, &result));
  FAILS_WITH(bad, "run->into has shape [2, 4]; the result has [3, 2]",
             netcl_op_transpose(x, NULL, 0, &into_y, NULL));
  FAILS_WITH(bad, "result is NULL", netcl_op_transpose(x, NULL, 0, NULL, NULL));
  FAILS_WITH(bad, "inputs[1] is u8; inputs[0] is f32", netcl_op_concat(mixed, 2, 0, NULL, &result));
  FAILS_WITH(bad, "inputs[1] has shape [2, 4]; inputs[0] has shape [2, 3]",
             netcl_op_concat(uneven, 2, 0, NULL, &result));
  FAILS_WITH(bad, "axis is 2", netcl_op_concat(uneven, 2, 2, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 0", netcl_op_concat(uneven, 0, 0, NULL, &result));
  FAILS_WITH(bad, "shares its memory with inputs[0]", netcl_op_concat(&x, 1, 0, &into_x, NULL));
  FAILS_WITH(bad, "run->into is u8; the result is f32", netcl_op_concat(&x, 1, 0, &into_u, NULL));
  FAILS_WITH(bad, "sizes add up to 2; axis 1 has extent 3",
             netcl_tensor_split(x, 1, sizes, 2, views));
  FAILS_WITH(bad, "sizes[1] is -1", netcl_tensor_split(x, 1, minus, 2, views));
  FAILS_WITH(bad, "axis is -3", netcl_tensor_split(x, -3, sizes, 2, views));
  assert_null(views[0]);
  FAILS_WITH(bad, "pads_count is 2", netcl_op_pad(x, pads, 2, NULL, NULL, &result));
  FAILS_WITH(bad, "pads is NULL", netcl_op_pad(x, NULL, 4, NULL, NULL, &result));
  FAILS_WITH(bad, "axis 0 has extent 2", netcl_op_pad(x, pads, 4, NULL, NULL, &result));
  FAILS_WITH(bad, "no element left", netcl_op_pad(x, none_left, 4, &edge, NULL, &result));
  edge.mode = NETCL_PAD_WRAP;
  FAILS_WITH(bad, "no element left", netcl_op_pad(x, none_left, 4, &edge, NULL, &result));
  FAILS_WITH(bad, "pads[0]", netcl_op_pad(x, huge, 4, NULL, NULL, &result));
  FAILS_WITH(bad, "options->mode is 4", netcl_op_pad(x, pads, 4, &wrong, NULL, &result));
  assert_null(result);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(transposes), DEVICE_TEST(large_transposes), DEVICE_TEST(short_transposes),
      DEVICE_TEST(concatenations),
      DEVICE_TEST(paddings),   DEVICE_TEST(mistakes),         DEVICE_TEST(as_kernels),
  };
  seed_random("move");
  return cmocka_run_group_tests_name("move", tests, NULL, NULL);
}
