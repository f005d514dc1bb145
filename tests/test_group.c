/* Groups: what each collective gives, for ranks that are threads of this process. */
#include "support_group.h"
#include "support_process.h"

#include <stdio.h>

static double small_value(uint32_t rank, int64_t i, netcl_dtype dtype) {
  return (double)((uint64_t)(i * 7 + rank * 5 + i / 11) % (dtype == NETCL_BOOL ? 2 : 3));
}

/* What `size` ranks give for element i, as the dtype holds it. */
static double joined(netcl_dtype dtype, netcl_reduction kind, uint32_t size, int64_t i) {
  double all = small_value(0, i, dtype);
  for (uint32_t r = 1; r < size; r++) {
    const double next = small_value(r, i, dtype);
    if (dtype == NETCL_BOOL) {
      all = kind == NETCL_REDUCTION_SUM || kind == NETCL_REDUCTION_MAX ? all != 0 || next != 0
                                                                       : all != 0 && next != 0;
    } else if (kind == NETCL_REDUCTION_PROD) {
      all *= next;
    } else if (kind == NETCL_REDUCTION_MIN || kind == NETCL_REDUCTION_MAX) {
      all = (kind == NETCL_REDUCTION_MIN) == (next < all) ? next : all;
    } else {
      all += next;
    }
  }
  if (kind == NETCL_REDUCTION_MEAN) {
    uint64_t bits = 0;
    all = dtype == NETCL_F64 ? all / size : (float)all / (float)size;
    store_double(dtype, &bits, 0, all);
    all = load_double(dtype, &bits, 0);
  }
  return all;
}

/* The counts go with the header, in one piece, and in parts of several pieces. */
static const int64_t kCounts[] = {0, 1, 37, 9001, 200003};
enum { LONGEST = 200003 };

static void all_reduce_one(Rank* rank, netcl_dtype dtype, netcl_reduction kind, int64_t count) {
  double* const values = malloc((LONGEST + 1) * sizeof(double));
  netcl_tensor *in, *out;
  RANK_CHECK(rank, values != NULL);
  for (int64_t i = 0; i < count; i++) values[i] = small_value(rank->rank, i, dtype);
  in = rank_tensor(rank, dtype, 1, &count, values);
  for (int64_t i = 0; i < count; i++) values[i] = -1;
  out = rank_tensor(rank, dtype, 1, &count, values);
  for (int64_t i = 0; i < count; i++) values[i] = joined(dtype, kind, rank->size, i);
  RANK_OK(rank, netcl_group_all_reduce(rank->group, in, out, kind, NULL));
  RANK_CHECK(rank, rank_holds(out, values));
  RANK_OK(rank, netcl_group_all_reduce(rank->group, in, in, kind, NULL));
  RANK_CHECK(rank, rank_holds(in, values));
  netcl_tensor_release(in);
  netcl_tensor_release(out);
  free(values);
}

static void all_kinds(Rank* rank) {
  static const netcl_reduction kKinds[] = {NETCL_REDUCTION_SUM, NETCL_REDUCTION_PROD,
                                           NETCL_REDUCTION_MIN, NETCL_REDUCTION_MAX,
                                           NETCL_REDUCTION_MEAN};
  const int slow = *(const int*)rank->state;
  for (size_t d = 0; d < DTYPES; d++) {
    for (size_t k = 0; k < COUNT_OF(kKinds); k++) {
      if (kKinds[k] == NETCL_REDUCTION_MEAN && !is_float_dtype(kDtypes[d])) continue;
      /* All of them for one kind of each dtype alone: the way of the bytes is that of all. Other
       * devices only have the bytes read and written. */
      const int all = k == d % 5;
      if (slow && !all) continue;
      for (size_t c = all ? 0 : 2; c < (all ? COUNT_OF(kCounts) : 4); c++) {
        all_reduce_one(rank, kDtypes[d], kKinds[k], kCounts[c]);
        if (rank->problem[0] != '\0') return;
      }
    }
  }
}

static void every_dtype_and_kind(void** state) {
  Fixture* fixture = *state;
  for (uint32_t size = 1; size <= 4; size++) {
    run_ranks(fixture->device, size, LONG_WAIT, all_kinds, &fixture->opencl);
  }
}

/* Sums that show in what they are computed, and that integers wrap around. */
static void sums_of_limits(Rank* rank) {
  static const struct {
    netcl_dtype dtype;
    double first, others, sum;
  } kSums[] = {{NETCL_F16, 2048, 1, 2050},
               {NETCL_BF16, 256, 1, 258},
               {NETCL_F32, 1, 0x1p-24, 1},
               {NETCL_F64, 1, 0x1p-30, 1 + 0x1p-29},
               {NETCL_I8, 100, 100, 44},
               {NETCL_U8, 200, 100, 144},
               {NETCL_I16, 30000, 30000, 24464},
               {NETCL_U16, 60000, 5000, 4464},
               {NETCL_I32, 2147483647, 1, -2147483647},
               {NETCL_U32, 4294967295.0, 1, 1}};
  const int64_t one = 1;
  for (size_t i = 0; i < COUNT_OF(kSums); i++) {
    netcl_tensor* tensor = rank_tensor(rank, kSums[i].dtype, 1, &one,
                                       rank->rank == 0 ? &kSums[i].first : &kSums[i].others);
    RANK_OK(rank, netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
    RANK_CHECK(rank, rank_holds(tensor, &kSums[i].sum));
    netcl_tensor_release(tensor);
  }
}

static void how_sums_are_kept(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, LONG_WAIT, sums_of_limits, NULL);
}

/* The same bits whatever the size of the message: those of a sum from rank 0 on. */
static void sum_in_order(Rank* rank) {
  const int64_t count = 100000;
  float* const values = malloc((size_t)count * sizeof(float));
  float* const sums = malloc((size_t)count * sizeof(float));
  RANK_CHECK(rank, values != NULL && sums != NULL);
  for (int64_t i = 0; i < count; i++) {
    sums[i] = 0;
    for (uint32_t r = 0; r < rank->size; r++) {
      const float value = 1.0f / (float)(1 + (i * 31 + r * 17) % 1009);
      sums[i] = r == 0 ? value : sums[i] + value;
      if (r == rank->rank) values[i] = value;
    }
  }
  static const int64_t kLengths[] = {1, 100, 3000, 100000};
  for (size_t i = 0; i < COUNT_OF(kLengths); i++) {
    const int64_t length = kLengths[i];
    const size_t bytes = (size_t)length * sizeof(float);
    netcl_tensor* tensor = NULL;
    float* got = malloc(bytes);
    RANK_OK(rank, netcl_tensor_create_from_host(rank->device, NETCL_F32, 1, &length, NULL, values,
                                                bytes, NULL, &tensor));
    RANK_OK(rank, netcl_group_all_reduce(rank->group, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
    RANK_OK(rank, netcl_tensor_read(tensor, got, bytes, NULL, LONG_WAIT));
    RANK_CHECK(rank, memcmp(got, sums, bytes) == 0);
    netcl_tensor_release(tensor);
    free(got);
  }
  free(values);
  free(sums);
}

static void the_same_bits(void** state) {
  Fixture* fixture = *state;
  for (uint32_t size = 2; size <= 4; size++) {
    run_ranks(fixture->device, size, LONG_WAIT, sum_in_order, NULL);
  }
}

/* A transposed view of new memory. */
static netcl_tensor* transposed(Rank* rank, int64_t rows, int64_t columns, const double* values) {
  static const uint32_t kSwap[2] = {1, 0};
  const int64_t shape[2] = {columns, rows};
  double* turned = malloc((size_t)(rows * columns) * sizeof(double));
  netcl_tensor *whole, *view = NULL;
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t c = 0; c < columns; c++) turned[c * rows + r] = values[r * columns + c];
  }
  whole = rank_tensor(rank, NETCL_F32, 2, shape, turned);
  if (netcl_tensor_permute(whole, kSwap, 2, &view) != NETCL_OK) {
    rank_problem(rank, __FILE__, __LINE__, "netcl_tensor_permute");
  }
  netcl_tensor_release(whole);
  free(turned);
  return view;
}

static void strided(Rank* rank) {
  enum { ROWS = 30, COLUMNS = 70, ALL = ROWS * COLUMNS };
  double values[ALL], wanted[ALL];
  netcl_event* event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  for (int i = 0; i < ALL; i++) values[i] = i + 1000 * (double)rank->rank;
  for (int i = 0; i < ALL; i++) {
    wanted[i] = (double)i * rank->size + 500.0 * rank->size * (rank->size - 1);
  }
  netcl_tensor* in = transposed(rank, ROWS, COLUMNS, values);
  netcl_tensor* out = transposed(rank, ROWS, COLUMNS, values);
  run.event = &event;
  RANK_OK(rank, netcl_group_all_reduce(rank->group, in, out, NETCL_REDUCTION_SUM, &run));
  RANK_OK(rank, netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  RANK_CHECK(rank, rank_holds(out, wanted));
  RANK_CHECK(rank, rank_holds(in, values));
  RANK_OK(rank, netcl_group_broadcast(rank->group, in, rank->size - 1, NULL));
  for (int i = 0; i < ALL; i++) wanted[i] = i + 1000 * (double)(rank->size - 1);
  RANK_CHECK(rank, rank_holds(in, wanted));
  netcl_tensor_release(in);
  netcl_tensor_release(out);
}

static void any_strides(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, LONG_WAIT, strided, NULL);
}

static void roots(Rank* rank) {
  static const int64_t kLengths[] = {5, 30000, 300000};
  for (size_t n = 0; n < COUNT_OF(kLengths); n++) {
    const int64_t count = kLengths[n];
    double* values = malloc((size_t)count * sizeof(double));
    for (uint32_t root = 0; root < rank->size; root++) {
      for (int64_t i = 0; i < count; i++) values[i] = (double)(i % 100 + rank->rank);
      netcl_tensor* in = rank_tensor(rank, NETCL_I32, 1, &count, values);
      netcl_tensor* out =
          root == rank->rank ? rank_tensor(rank, NETCL_I32, 1, &count, values) : NULL;
      RANK_OK(rank, netcl_group_reduce(rank->group, in, out, NETCL_REDUCTION_MAX, root, NULL));
      RANK_CHECK(rank, rank_holds(in, values));
      for (int64_t i = 0; i < count; i++) values[i] = (double)(i % 100 + rank->size - 1);
      if (out != NULL) RANK_CHECK(rank, rank_holds(out, values));
      RANK_OK(rank, netcl_group_broadcast(rank->group, in, root, NULL));
      for (int64_t i = 0; i < count; i++) values[i] = (double)(i % 100 + root);
      RANK_CHECK(rank, rank_holds(in, values));
      netcl_tensor_release(in);
      netcl_tensor_release(out);
    }
    free(values);
  }
}

static void roots_of_all_ranks(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, LONG_WAIT, roots, NULL);
}

/* Ranks exchange tensors by turns, the large ones in pieces, while the third does something else.
 */
static void ring(Rank* rank) {
  static const int64_t kLengths[] = {0, 3, 100001};
  const uint32_t next = (rank->rank + 1) % rank->size;
  const uint32_t previous = (rank->rank + rank->size - 1) % rank->size;
  for (size_t n = 0; n < COUNT_OF(kLengths); n++) {
    const int64_t count = kLengths[n];
    double* values = malloc((size_t)(count + 1) * sizeof(double));
    for (int64_t i = 0; i < count; i++) values[i] = (double)(i % 1000 * 10 + rank->rank);
    netcl_tensor* mine = rank_tensor(rank, NETCL_F64, 1, &count, values);
    netcl_tensor* got = rank_tensor(rank, NETCL_F64, 1, &count, values);
    if (rank->rank != 0) RANK_OK(rank, netcl_group_receive(rank->group, got, previous, NULL));
    RANK_OK(rank, netcl_group_send(rank->group, mine, next, NULL));
    if (rank->rank == 0) RANK_OK(rank, netcl_group_receive(rank->group, got, previous, NULL));
    for (int64_t i = 0; i < count; i++) values[i] = (double)(i % 1000 * 10 + previous);
    RANK_CHECK(rank, rank_holds(got, values));
    netcl_tensor_release(mine);
    netcl_tensor_release(got);
    free(values);
  }
}

static void sends_and_receives(void** state) {
  Fixture* fixture = *state;
  for (uint32_t size = 2; size <= 4; size++) {
    run_ranks(fixture->device, size, LONG_WAIT, ring, NULL);
  }
}

/* Nobody leaves a barrier before all have come to it, by the clock that all share. */
static void come_and_leave(Rank* rank) {
  const int64_t one = 1;
  for (int turn = 0; turn < 50; turn++) {
    double last = 0;
    if (turn % (int)rank->size == (int)rank->rank) process_sleep_ms(2);
    const double came = process_now();
    RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
    const double left = process_now();
    netcl_tensor* time = rank_tensor(rank, NETCL_F64, 1, &one, &came);
    RANK_OK(rank, netcl_group_all_reduce(rank->group, time, time, NETCL_REDUCTION_MAX, NULL));
    RANK_OK(rank, netcl_tensor_read(time, &last, sizeof last, NULL, LONG_WAIT));
    netcl_tensor_release(time);
    RANK_CHECK(rank, left >= last);
  }
}

static void barriers(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 3, LONG_WAIT, come_and_leave, NULL);
}

static void parts_of_a_group(Rank* rank) {
  const int64_t one = 1;
  const uint32_t colors[4] = {7, 3, 7, 7};
  const double mine = 1 << rank->rank;
  const double sum = rank->rank == 1 ? 2 : 1 + 4 + 8;
  const double all = 1 + 2 + 4 + 8;
  netcl_group *part = NULL, *whole = NULL;
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_tensor* tensor = rank_tensor(rank, NETCL_F32, 1, &one, &mine);
  netcl_tensor* total = rank_tensor(rank, NETCL_F32, 1, &one, &mine);
  RANK_OK(rank, netcl_group_split(rank->group, colors, 4, &part));
  RANK_OK(rank, netcl_group_get_info(part, &info));
  RANK_CHECK(rank, info.size == (rank->rank == 1 ? 1u : 3u));
  RANK_CHECK(rank, info.rank == (rank->rank < 2 ? 0u : rank->rank - 1));
  RANK_OK(rank, netcl_group_all_reduce(part, tensor, tensor, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, rank_holds(tensor, &sum));
  /* The group goes on beside its parts, and parts can be parted. */
  RANK_OK(rank, netcl_group_all_reduce(rank->group, total, total, NETCL_REDUCTION_SUM, NULL));
  RANK_CHECK(rank, rank_holds(total, &all));
  RANK_OK(rank, netcl_group_split(part, (const uint32_t[]){5, 5, 5}, info.size, &whole));
  netcl_group_release(part);
  RANK_OK(rank, netcl_group_barrier(whole, NULL));
  netcl_group_release(whole);
  netcl_tensor_release(tensor);
  netcl_tensor_release(total);
}

static void split_by_colors(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 4, LONG_WAIT, parts_of_a_group, NULL);
}

static void facts(Rank* rank) {
  netcl_group_info info = NETCL_GROUP_INFO_INIT;
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_device_info own = NETCL_DEVICE_INFO_INIT, told = NETCL_DEVICE_INFO_INIT;
  netcl_device* device = NULL;
  RANK_OK(rank, netcl_group_barrier(rank->group, NULL));
  RANK_OK(rank, netcl_group_get_info(rank->group, &info));
  RANK_CHECK(rank, info.rank == rank->rank && info.size == rank->size && info.failure == NETCL_OK &&
                       info.timeout_ns == LONG_WAIT && info.calls == 1);
  RANK_OK(rank, netcl_group_get_error(rank->group, &error));
  RANK_CHECK(rank, error.status == NETCL_OK && error.message[0] == '\0');
  RANK_OK(rank, netcl_device_get_info(rank->device, &own));
  for (uint32_t r = 0; r < rank->size; r++) {
    RANK_OK(rank, netcl_group_describe_device(rank->group, r, &told));
    RANK_CHECK(rank, strcmp(told.name, own.name) == 0 && told.type == own.type);
  }
  RANK_FAILS(rank, NETCL_ERROR_INVALID_ARGUMENT, "index is 2; the group has 2 ranks",
             netcl_group_describe_device(rank->group, 2, &told));
  RANK_OK(rank, netcl_group_get_device(rank->group, &device));
  RANK_OK(rank, netcl_device_get_info(device, &told));
  RANK_CHECK(rank, strcmp(told.name, own.name) == 0);
  netcl_device_release(device);
  RANK_OK(rank, netcl_group_retain(rank->group));
  netcl_group_release(rank->group);
}

static void facts_of_a_group(void** state) {
  Fixture* fixture = *state;
  run_ranks(fixture->device, 2, LONG_WAIT, facts, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_dtype_and_kind),
      DEVICE_TEST(how_sums_are_kept),
      DEVICE_TEST(the_same_bits),
      DEVICE_TEST(any_strides),
      DEVICE_TEST(roots_of_all_ranks),
      DEVICE_TEST(sends_and_receives),
      DEVICE_TEST(barriers),
      DEVICE_TEST(split_by_colors),
      DEVICE_TEST(facts_of_a_group),
  };
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
