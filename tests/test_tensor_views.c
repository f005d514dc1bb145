/* Views: slices, permutations, broadcasts, reshapes, and views of views against a model. */
#include "support.h"

static netcl_tensor *count_up(Fixture *fixture, uint32_t rank, const int64_t *shape) {
  const int64_t count = product(rank, shape);
  int32_t *values = malloc((size_t)count * sizeof *values + 1);
  for (int64_t i = 0; i < count; ++i) values[i] = (int32_t)i;
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_I32, rank, shape, values);
  free(values);
  return tensor;
}

static void slices(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {4, 6};
  netcl_tensor *base = count_up(fixture, 2, shape), *view = NULL;
  const netcl_range ranges[] = {{3, 2, -2}, {1, 3, 2}};
  const int32_t wanted[] = {19, 21, 23, 7, 9, 11};
  OK(netcl_tensor_slice(base, ranges, 2, &view));
  const netcl_tensor_info info = tensor_info(view);
  assert_int_equal(info.offset, 19);
  assert_int_equal(info.strides[0], -12);
  assert_int_equal(info.strides[1], 2);
  assert_int_equal(info.contiguous, 0);
  CHECK_TENSOR(view, wanted);
  netcl_tensor_release(view);
  struct Case {
    netcl_range range;
    int fits;
  } cases[] = {{{0, 6, 1}, 1}, {{5, 6, -1}, 1}, {{0, 7, 1}, 0}, {{1, 6, 1}, 0}, {{-1, 1, 1}, 0},
               {{6, 1, 1}, 0}, {{6, 0, 1}, 1}, {{0, 0, 1}, 1}, {{0, 1, 0}, 0}, {{0, -1, 1}, 0},
               {{0, 3, 3}, 0}, {{0, 2, 5}, 1}, {{5, 2, -5}, 1}, {{4, 2, -5}, 0},
               {{0, 2, INT64_MAX}, 0}, {{5, 2, INT64_MIN}, 0}, {{INT64_MAX, 1, 1}, 0},
               {{INT64_MIN, 1, 1}, 0}, {{0, INT64_MAX, 1}, 0}, {{1, INT64_MAX, INT64_MAX}, 0},
               {{5, 1, INT64_MIN}, 1}, {{0, 1, 1000}, 1}};
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    const netcl_range both[] = {{0, 4, 1}, cases[i].range};
    view = NULL;
    const netcl_status status = netcl_tensor_slice(base, both, 2, &view);
    CHECK(status == (cases[i].fits ? NETCL_OK : NETCL_ERROR_INVALID_ARGUMENT),
          "case %zu gives %s: %s", i, netcl_status_name(status), netcl_last_error_message());
    if (cases[i].fits) {
      free(read_tensor(view));
    } else {
      CHECK(strstr(netcl_last_error_message(), "ranges[1]") != NULL, "case %zu says \"%s\"", i,
            netcl_last_error_message());
      assert_null(view);
    }
    netcl_tensor_release(view);
  }
  view = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "ranges_count",
             netcl_tensor_slice(base, ranges, 1, &view));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "ranges_count",
             netcl_tensor_slice(base, ranges, 3, &view));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "ranges", netcl_tensor_slice(base, NULL, 2, &view));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_slice(base, ranges, 2, NULL));
  assert_null(view);
  netcl_tensor_release(base);
}

static void permutations(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2, 3, 4};
  netcl_tensor *base = count_up(fixture, 3, shape), *view = NULL;
  const uint32_t axes[] = {2, 0, 1};
  int32_t wanted[24];
  for (int i = 0; i < 24; ++i) wanted[i] = i % 6 * 4 + i / 6;
  OK(netcl_tensor_permute(base, axes, 3, &view));
  CHECK_TENSOR(view, wanted);
  netcl_tensor_release(view);
  view = NULL;
  const uint32_t wrong[][3] = {{0, 1, 1}, {0, 1, 3}, {0, 1, UINT32_MAX}, {0, 0, 0}};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "axes[",
               netcl_tensor_permute(base, wrong[i], 3, &view));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "axes_count",
             netcl_tensor_permute(base, axes, 2, &view));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "axes", netcl_tensor_permute(base, NULL, 3, &view));
  assert_null(view);
  netcl_tensor_release(base);
}

static void broadcasts(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 1}, target[] = {2, 3, 4};
  netcl_tensor *base = count_up(fixture, 2, shape), *view = NULL, *again = NULL;
  int32_t wanted[24];
  for (int i = 0; i < 24; ++i) wanted[i] = i / 4 % 3;
  OK(netcl_tensor_broadcast(base, 3, target, &view));
  assert_int_equal(tensor_info(view).strides[0], 0);
  assert_int_equal(tensor_info(view).strides[2], 0);
  CHECK_TENSOR(view, wanted);
  OK(netcl_op_contiguous(view, NULL, &again));
  assert_int_equal(tensor_info(again).contiguous, 1);
  CHECK_TENSOR(again, wanted);
  netcl_tensor_release(again);
  netcl_tensor_release(view);
  view = NULL;
  const int64_t wrong[][3] = {{2, 4, 4}, {2, 1, 4}, {2, 0, 4}, {-1, 3, 1}, {2, 3, -4}};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_broadcast(base, 3, wrong[i], &view));
  }
  const int64_t huge[] = {INT64_MAX, 3, 1}, nine[9] = {1, 1, 1, 1, 1, 1, 1, 3, 1};
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_broadcast(base, 3, huge, &view));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "rank", netcl_tensor_broadcast(base, 9, nine, &view));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_broadcast(base, 1, shape, &view));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape", netcl_tensor_broadcast(base, 3, NULL, &view));
  assert_null(view);
  /* An extent of 1 may also become 0. */
  const int64_t none[] = {3, 0};
  OK(netcl_tensor_broadcast(base, 2, none, &view));
  assert_int_equal(tensor_info(view).element_count, 0);
  netcl_tensor_release(view);
  netcl_tensor_release(base);
}

/* A reshape is a view exactly when a write through the base shows in it. */
static int reshape_is_view(netcl_tensor *tensor, uint32_t rank, const int64_t *shape) {
  netcl_tensor *result = NULL;
  OK(netcl_tensor_reshape(tensor, rank, shape, NULL, &result));
  int32_t *before = read_tensor(tensor), *moved = read_tensor(result);
  const size_t bytes = (size_t)tensor_info(tensor).byte_count;
  assert_memory_equal(before, moved, bytes);
  const int32_t marker = -77;
  OK(netcl_op_fill(tensor, &marker, NULL));
  int32_t *after = read_tensor(result);
  const int is_view = after[0] == marker;
  OK(netcl_tensor_write(tensor, before, bytes, NULL, LONG_WAIT));
  free(before);
  free(moved);
  free(after);
  netcl_tensor_release(result);
  return is_view;
}

static void reshapes(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {4, 6};
  netcl_tensor *base = count_up(fixture, 2, shape), *transposed = NULL, *rows = NULL;
  const uint32_t axes[] = {1, 0};
  const netcl_range every_other[] = {{0, 2, 2}, {0, 6, 1}};
  const int64_t flat[] = {24}, guess[] = {2, -1, 3}, split[] = {6, 2, 2}, merged[] = {12},
                row_split[] = {2, 2, 3};
  OK(netcl_tensor_permute(base, axes, 2, &transposed));
  OK(netcl_tensor_slice(base, every_other, 2, &rows));
  assert_int_equal(reshape_is_view(base, 1, flat), 1);
  assert_int_equal(reshape_is_view(base, 3, guess), 1);
  assert_int_equal(reshape_is_view(transposed, 3, split), 1);
  assert_int_equal(reshape_is_view(transposed, 1, flat), 0);
  assert_int_equal(reshape_is_view(rows, 3, row_split), 1);
  assert_int_equal(reshape_is_view(rows, 1, merged), 0);
  netcl_tensor *result = NULL;
  OK(netcl_tensor_reshape(base, 3, guess, NULL, &result));
  assert_int_equal(tensor_info(result).shape[1], 4);
  netcl_tensor_release(result);
  result = NULL;
  const int64_t wrong[][3] = {{-1, -1, 24}, {5, -1, 1}, {0, -1, 1}, {2, 3, 5}, {-2, -3, 4},
                              {24, 1, 0}, {INT64_MAX, -1, 1}, {(int64_t)1 << 32, -1, 1}};
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape",
               netcl_tensor_reshape(base, 3, wrong[i], NULL, &result));
  }
  const int64_t wraps[] = {(int64_t)1 << 32, (int64_t)1 << 32, 24};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "4294967296, 4294967296, 24",
             netcl_tensor_reshape(base, 3, wraps, NULL, &result));
  const int64_t second[] = {-1, -5, 2};
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shape[1] is -5",
             netcl_tensor_reshape(base, 3, second, NULL, &result));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_reshape(base, 0, NULL, NULL, &result));
  assert_null(result);
  /* Empty and 0-d tensors reshape too. */
  const int64_t one[] = {1, 1}, none[] = {0, 3}, other_none[] = {7, 0, 2};
  netcl_tensor *scalar = count_up(fixture, 0, NULL), *empty = count_up(fixture, 2, none);
  OK(netcl_tensor_reshape(scalar, 2, one, NULL, &result));
  assert_int_equal(tensor_info(result).rank, 2);
  netcl_tensor_release(scalar);
  OK(netcl_tensor_reshape(result, 0, NULL, NULL, &scalar));
  assert_int_equal(tensor_info(scalar).rank, 0);
  netcl_tensor_release(result);
  OK(netcl_tensor_reshape(empty, 3, other_none, NULL, &result));
  netcl_tensor_release(result);
  netcl_tensor_release(scalar);
  netcl_tensor_release(empty);
  netcl_tensor_release(base);
  netcl_tensor_release(transposed);
  netcl_tensor_release(rows);
}

static void raw_views(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {100};
  netcl_tensor *base = count_up(fixture, 1, shape), *part = NULL, *view = NULL;
  const netcl_range range = {20, 10, 2};
  OK(netcl_tensor_slice(base, &range, 1, &part));
  /* Offsets count from the view's first element, and may reach back into the whole memory. */
  const int64_t two[] = {2, 2}, strides[] = {10, -1};
  const int32_t wanted[] = {15, 14, 25, 24};
  OK(netcl_tensor_view(part, 2, two, strides, -5, &view));
  CHECK_TENSOR(view, wanted);
  netcl_tensor_release(view);
  struct Case {
    int64_t extent, stride, offset;
    int fits;
  } cases[] = {{100, 1, -20, 1}, {101, 1, -20, 0}, {1, 1, -21, 0}, {1, 1, 79, 1}, {1, 1, 80, 0},
               {81, -1, 60, 1}, {82, -1, 60, 0}, {1000000, 0, 0, 1}, {0, 1, 0, 1},
               {2, INT64_MAX, 0, 0}, {2, INT64_MIN, 0, 0}, {1, 1, INT64_MAX, 0},
               {1, 1, INT64_MIN, 0}, {INT64_MAX, 1, 0, 0}};
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    view = NULL;
    const netcl_status status = netcl_tensor_view(part, 1, &cases[i].extent, &cases[i].stride,
                                                  cases[i].offset, &view);
    CHECK(status == (cases[i].fits ? NETCL_OK : NETCL_ERROR_INVALID_ARGUMENT),
          "case %zu gives %s: %s", i, netcl_status_name(status), netcl_last_error_message());
    CHECK(cases[i].fits ? view != NULL : view == NULL, "case %zu: output", i);
    netcl_tensor_release(view);
  }
  netcl_tensor_release(part);
  netcl_tensor_release(base);
}

/* One random view of a view; the model follows. Returns 0 when this kind does not apply. */
static int random_view(netcl_tensor *from, const Model *model, netcl_tensor **view, Model *out) {
  const uint32_t rank = model->rank;
  *view = NULL;
  switch (random_in(0, 4)) {
    case 0: {
      netcl_range ranges[NETCL_RANK_MAX];
      for (uint32_t d = 0; d < rank; ++d) {
        const int64_t extent = model->shape[d];
        if (extent == 0) {
          ranges[d] = (netcl_range){0, 0, 1};
          continue;
        }
        const int64_t step = random_in(1, 3);
        const int64_t count = random_in(random_in(0, 15) == 0 ? 0 : 1, (extent - 1) / step + 1);
        const int64_t reach = count > 0 ? (count - 1) * step : 0;
        const int64_t low = random_in(0, extent - 1 - reach);
        ranges[d] = (netcl_range){low, count, step};
        if (random_in(0, 2) == 0) ranges[d] = (netcl_range){low + reach, count, -step};
      }
      *out = model_slice(model, ranges);
      OK(netcl_tensor_slice(from, ranges, rank, view));
      return 1;
    }
    case 1: {
      uint32_t axes[NETCL_RANK_MAX];
      for (uint32_t d = 0; d < rank; ++d) axes[d] = d;
      for (uint32_t d = rank; d > 1; --d) {
        const uint32_t other = (uint32_t)random_in(0, d - 1), kept = axes[d - 1];
        axes[d - 1] = axes[other];
        axes[other] = kept;
      }
      *out = model_permute(model, axes);
      OK(netcl_tensor_permute(from, axes, rank, view));
      return 1;
    }
    case 2: {
      if (rank >= NETCL_RANK_MAX || product(rank, model->shape) > 2000) return 0;
      int64_t shape[NETCL_RANK_MAX];
      shape[0] = random_in(1, 3);
      for (uint32_t d = 0; d < rank; ++d) {
        shape[d + 1] = model->shape[d] == 1 ? random_in(1, 3) : model->shape[d];
      }
      *out = model_broadcast(model, rank + 1, shape);
      OK(netcl_tensor_broadcast(from, rank + 1, shape, view));
      return 1;
    }
    case 3: {
      OK(netcl_tensor_view(from, rank, model->shape, model->strides, 0, view));
      *out = *model;
      return 1;
    }
    default:
      return 0;
  }
}

static void views_of_views(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 150); ++round) {
    const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 1)];
    const uint32_t rank = (uint32_t)random_in(0, 5);
    int64_t shape[NETCL_RANK_MAX];
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, 7);
    const int64_t count = product(rank, shape);
    unsigned char *data = malloc((size_t)count * 8);
    fill_random(dtype, data, count, 120);
    netcl_tensor *base = make_tensor(fixture->device, dtype, rank, shape, data);
    Model model = model_packed(dtype, rank, shape, data);
    netcl_tensor *now = base;
    int broadcast = 0;
    OK(netcl_tensor_retain(base));
    for (int depth = 0; depth < 5; ++depth) {
      netcl_tensor *view = NULL;
      Model next;
      if (!random_view(now, &model, &view, &next)) continue;
      netcl_tensor_release(now);
      now = view;
      model = next;
      for (uint32_t d = 0; d < model.rank; ++d) {
        broadcast |= model.strides[d] == 0 && model.shape[d] > 1;
        CHECK(tensor_info(now).strides[d] == model.strides[d] || model.shape[d] <= 1,
              "stride %lld, not %lld", (long long)tensor_info(now).strides[d],
              (long long)model.strides[d]);
      }
      void *wanted = model_gather(&model);
      CHECK_TENSOR(now, wanted);
      netcl_tensor *flat = NULL;
      const int64_t any[] = {product(model.rank, model.shape)};
      OK(netcl_tensor_reshape(now, 1, any, NULL, &flat));
      CHECK_TENSOR(flat, wanted);
      netcl_tensor_release(flat);
      free(wanted);
    }
    if (!broadcast) {
      /* A write through the view lands where the model says, and nowhere else. */
      const int64_t elements = product(model.rank, model.shape);
      unsigned char *fresh = malloc((size_t)elements * 8 + 1);
      fill_random(dtype, fresh, elements, 120);
      OK(netcl_tensor_write(now, fresh, (size_t)tensor_info(now).byte_count, NULL, LONG_WAIT));
      model_scatter(&model, fresh);
      free(fresh);
    }
    netcl_tensor_release(now);
    CHECK_TENSOR(base, data);
    netcl_tensor_release(base);
    free(data);
  }
}

/* A view keeps the memory when everything it was made from is released. */
static void views_keep_memory(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {1000};
  netcl_tensor *base = count_up(fixture, 1, shape), *view = NULL, *noise[16];
  const netcl_range range = {999, 10, -100};
  OK(netcl_tensor_slice(base, &range, 1, &view));
  netcl_tensor_release(base);
  const int32_t marker = -1;
  for (int i = 0; i < 16; ++i) {
    OK(netcl_tensor_create_full(fixture->device, NETCL_I32, 1, shape, NULL, &marker, NULL,
                                &noise[i]));
  }
  const int32_t wanted[] = {999, 899, 799, 699, 599, 499, 399, 299, 199, 99};
  CHECK_TENSOR(view, wanted);
  for (int i = 0; i < 16; ++i) netcl_tensor_release(noise[i]);
  netcl_tensor_release(view);
}

/* A tensor in C order is given back itself, another one as a copy; there is nothing to write to. */
static void in_c_order(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {2, 3};
  const uint32_t axes[2] = {1, 0};
  const float data[6] = {1, 2, 3, 4, 5, 6}, turned_data[6] = {1, 4, 2, 5, 3, 6};
  netcl_tensor *const x = make_tensor(fixture->device, NETCL_F32, 2, shape, data);
  netcl_tensor *turned = NULL, *same = NULL, *copy = NULL;
  OK(netcl_tensor_permute(x, axes, 2, &turned));
  OK(netcl_op_contiguous(x, NULL, &same));
  OK(netcl_op_contiguous(turned, NULL, &copy));
  CHECK_TENSOR(copy, turned_data);
  assert_int_equal(tensor_info(copy).contiguous, 1);
  const netcl_run_options run = run_into(copy);
  netcl_tensor *none = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->into is set",
             netcl_op_contiguous(turned, &run, &none));
  assert_null(none);
  /* What is written to the tensor is seen through the one that was given back, not in the copy. */
  const float seven = 7, sevens[6] = {7, 7, 7, 7, 7, 7};
  OK(netcl_op_fill(x, &seven, NULL));
  CHECK_TENSOR(same, sevens);
  CHECK_TENSOR(copy, turned_data);
  netcl_tensor_release(copy);
  netcl_tensor_release(same);
  netcl_tensor_release(turned);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(slices),         DEVICE_TEST(permutations),   DEVICE_TEST(broadcasts),
      DEVICE_TEST(reshapes),       DEVICE_TEST(raw_views),      DEVICE_TEST(views_of_views),
      DEVICE_TEST(views_keep_memory), DEVICE_TEST(in_c_order),
  };
  seed_random("tensor_views");
  return cmocka_run_group_tests_name("tensor_views", tests, NULL, NULL);
}
