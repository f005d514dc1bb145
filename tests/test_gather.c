/* gather, gather_elements and embedding against plain loops. */
#include "support_strided.h"

/* Random indices for an extent: some from the end, some out of range. */
static void fill_indices(netcl_dtype dtype, void* data, int64_t count, int64_t extent) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t k = random_in(-extent, extent > 0 ? extent - 1 : 0);
    if (random_in(0, 9) == 0) k = random_in(0, 1) ? extent : -extent - 1;
    if (random_in(0, 30) == 0) k = random_in(0, 1) ? INT32_MAX : INT32_MIN;
    if (dtype == NETCL_I32) {
      ((int32_t*)data)[i] = (int32_t)k;
    } else {
      ((int64_t*)data)[i] = random_in(0, 40) == 0 ? INT64_MIN : k;
    }
  }
}

/* The place along an axis that an index means, -1 when there is none. */
static int64_t place_of(netcl_dtype dtype, const void* data, int64_t i, int64_t extent) {
  int64_t k = dtype == NETCL_I32 ? ((const int32_t*)data)[i] : ((const int64_t*)data)[i];
  if (k < 0) k += extent;
  return k >= 0 && k < extent ? k : -1;
}

static void pick(netcl_dtype dtype, void* y, int64_t to, const void* x, int64_t from) {
  const size_t size = netcl_dtype_size(dtype);
  if (from < 0) {
    memset((char*)y + (size_t)to * size, 0, size);
  } else {
    memcpy((char*)y + (size_t)to * size, (const char*)x + (size_t)from * size, size);
  }
}

typedef struct Problem {
  netcl_dtype dtype, index_dtype;
  uint32_t rank, index_rank, axis;
  int64_t shape[NETCL_RANK_MAX], index_shape[NETCL_RANK_MAX];
} Problem;

static void check_gather(Fixture* fixture, const Problem* p) {
  const uint32_t rank = p->rank - 1 + p->index_rank;
  int64_t out[2 * NETCL_RANK_MAX] = {0};
  for (uint32_t d = 0; d < rank; ++d) {
    out[d] = d < p->axis                   ? p->shape[d]
             : d < p->axis + p->index_rank ? p->index_shape[d - p->axis]
                                           : p->shape[d - p->index_rank + 1];
  }
  const int64_t count = product(p->rank, p->shape), total = product(rank, out);
  const int64_t picks = product(p->index_rank, p->index_shape);
  void *x = malloc((size_t)count * 8 + 1), *y = malloc((size_t)total * 8 + 1);
  void* k = malloc((size_t)picks * 8 + 1);
  fill_bits(p->dtype, x, count);
  fill_indices(p->index_dtype, k, picks, p->shape[p->axis]);
  for (int64_t i = 0; i < total; ++i) {
    int64_t at[2 * NETCL_RANK_MAX], from[NETCL_RANK_MAX];
    unravel(rank, out, i, at);
    const int64_t j = ravel(p->index_rank, p->index_shape, at + p->axis);
    const int64_t place = place_of(p->index_dtype, k, j, p->shape[p->axis]);
    for (uint32_t d = 0; d < p->rank; ++d) {
      from[d] = d < p->axis ? at[d] : d == p->axis ? place : at[d + p->index_rank - 1];
    }
    pick(p->dtype, y, i, x, place < 0 ? -1 : ravel(p->rank, p->shape, from));
  }
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->shape, x);
  Strided indices = make_strided(fixture->device, p->index_dtype, p->index_rank, p->index_shape, k);
  Strided target = make_strided(fixture->device, p->dtype, rank, out, NULL);
  netcl_tensor* packed = make_tensor(fixture->device, p->dtype, p->rank, p->shape, x);
  netcl_tensor* result = NULL;
  const netcl_run_options run = run_into(target.view);
  const int32_t axis = (int32_t)p->axis - (random_in(0, 1) ? (int32_t)p->rank : 0);
  OK(netcl_op_gather(source.view, indices.view, axis, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_gather(packed, indices.view, axis, NULL, &result));
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  if (p->rank == 2 && p->axis == 0) {
    OK(netcl_op_embedding(packed, indices.view, NULL, &result));
    CHECK_TENSOR(result, y);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(packed);
  release_strided(&source);
  release_strided(&indices);
  release_strided(&target);
  free(x);
  free(y);
  free(k);
}

static void gathers(void** state) {
  Fixture* fixture = *state;
  for (size_t t = 0; t < DTYPES; ++t) {
    const Problem rows = {kDtypes[t], t % 2 ? NETCL_I32 : NETCL_I64, 2, 2, 0, {50, 33}, {3, 7}};
    const Problem columns = {kDtypes[t], NETCL_I32, 3, 1, 2, {4, 3, 20}, {11}};
    check_gather(fixture, &rows);
    check_gather(fixture, &columns);
  }
  const Problem scalar = {NETCL_F32, NETCL_I64, 2, 0, 1, {5, 6}, {0}};
  const Problem no_source = {NETCL_F32, NETCL_I64, 2, 1, 0, {0, 6}, {3}};
  const Problem no_index = {NETCL_F32, NETCL_I64, 2, 1, 0, {4, 6}, {0}};
  const Problem large = {NETCL_F32, NETCL_I32, 2, 1, 0, {97, 1001}, {113}};
  check_gather(fixture, &scalar);
  check_gather(fixture, &no_source);
  check_gather(fixture, &no_index);
  check_gather(fixture, &large);
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    Problem p = {kDtypes[random_in(0, DTYPES - 1)],
                 random_in(0, 1) ? NETCL_I32 : NETCL_I64,
                 (uint32_t)random_in(1, 4),
                 (uint32_t)random_in(0, 3),
                 0,
                 {0},
                 {0}};
    for (uint32_t d = 0; d < p.rank; ++d) p.shape[d] = random_in(1, 7);
    for (uint32_t d = 0; d < p.index_rank; ++d) p.index_shape[d] = random_in(1, 5);
    p.axis = (uint32_t)random_in(0, p.rank - 1);
    check_gather(fixture, &p);
  }
}

static void check_elements(Fixture* fixture, const Problem* p) {
  const int64_t count = product(p->rank, p->shape), picks = product(p->rank, p->index_shape);
  void *x = malloc((size_t)count * 8 + 1), *y = malloc((size_t)picks * 8 + 1);
  void* k = malloc((size_t)picks * 8 + 1);
  fill_bits(p->dtype, x, count);
  fill_indices(p->index_dtype, k, picks, p->shape[p->axis]);
  for (int64_t i = 0; i < picks; ++i) {
    int64_t at[NETCL_RANK_MAX];
    unravel(p->rank, p->index_shape, i, at);
    at[p->axis] = place_of(p->index_dtype, k, i, p->shape[p->axis]);
    pick(p->dtype, y, i, x, at[p->axis] < 0 ? -1 : ravel(p->rank, p->shape, at));
  }
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->shape, x);
  Strided indices = make_strided(fixture->device, p->index_dtype, p->rank, p->index_shape, k);
  Strided target = make_strided(fixture->device, p->dtype, p->rank, p->index_shape, NULL);
  netcl_tensor* result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_gather_elements(source.view, indices.view, (int32_t)p->axis, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_gather_elements(source.view, indices.view, (int32_t)p->axis, NULL, &result));
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  release_strided(&source);
  release_strided(&indices);
  release_strided(&target);
  free(x);
  free(y);
  free(k);
}

static void elements(void** state) {
  Fixture* fixture = *state;
  for (size_t t = 0; t < DTYPES; ++t) {
    const Problem p = {kDtypes[t], t % 2 ? NETCL_I32 : NETCL_I64, 2, 2, 1, {9, 30}, {9, 40}};
    check_elements(fixture, &p);
  }
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    Problem p = {kDtypes[random_in(0, DTYPES - 1)],
                 random_in(0, 1) ? NETCL_I32 : NETCL_I64,
                 (uint32_t)random_in(1, 4),
                 0,
                 0,
                 {0},
                 {0}};
    p.axis = (uint32_t)random_in(0, p.rank - 1);
    for (uint32_t d = 0; d < p.rank; ++d) {
      p.shape[d] = random_in(1, 7);
      p.index_shape[d] = d == p.axis ? random_in(0, 9) : random_in(1, p.shape[d]);
    }
    check_elements(fixture, &p);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 3}, more[] = {5, 3}, line[] = {4};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *k = NULL, *longer = NULL, *floats = NULL, *vector = NULL;
  netcl_tensor* result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 2, shape, NULL, NULL, &k));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I64, 2, more, NULL, NULL, &longer));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, line, NULL, NULL, &floats));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, line, NULL, NULL, &vector));
  const netcl_run_options into_x = run_into(x), into_k = run_into(k);
  FAILS_WITH(bad, "axis is 2", netcl_op_gather(x, k, 2, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "indices is f32",
             netcl_op_gather(x, floats, 0, NULL, &result));
  FAILS_WITH(bad, "indices has shape [5, 3]; x has shape [4, 3]",
             netcl_op_gather_elements(x, longer, 1, NULL, &result));
  FAILS_WITH(bad, "indices has shape [4]", netcl_op_gather_elements(x, vector, 0, NULL, &result));
  FAILS_WITH(bad, "run->into shares its memory with x",
             netcl_op_gather_elements(x, k, 0, &into_x, NULL));
  FAILS_WITH(bad, "run->into shares its memory with indices",
             netcl_op_gather_elements(x, k, 0, &into_k, NULL));
  FAILS_WITH(bad, "run->into has shape [4, 3]; the result has [4]",
             netcl_op_gather(vector, vector, 0, &into_k, NULL));
  FAILS_WITH(bad, "weights has shape [4]", netcl_op_embedding(vector, k, NULL, &result));
  assert_null(result);
  netcl_tensor_release(x);
  netcl_tensor_release(k);
  netcl_tensor_release(longer);
  netcl_tensor_release(floats);
  netcl_tensor_release(vector);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(gathers),
      DEVICE_TEST(elements),
      DEVICE_TEST(mistakes),
      DEVICE_TEST(as_kernels),
  };
  seed_random("gather");
  return cmocka_run_group_tests_name("gather", tests, NULL, NULL);
}
