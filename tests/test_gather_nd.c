/* gather_nd and scatter_nd against plain loops over places of several dimensions, in every dtype
 * and through strides of every kind, and what gradients they have. */
#include "support_gradients.h"

typedef struct Problem {
  netcl_dtype dtype, index_dtype;
  netcl_scatter_mode mode;
  uint32_t atomics, rank, batch_dims, depth, list_rank; /* of the list: without the places */
  int64_t shape[NETCL_RANK_MAX], list[NETCL_RANK_MAX];
} Problem;

/* The shape of the indices, and that of what is picked. */
static void shapes_of(const Problem* p, int64_t* indices, int64_t* picked, uint32_t* rank) {
  for (uint32_t d = 0; d < p->list_rank; ++d) indices[d] = picked[d] = p->list[d];
  indices[p->list_rank] = p->depth;
  *rank = p->list_rank;
  for (uint32_t d = p->batch_dims + p->depth; d < p->rank; ++d) picked[(*rank)++] = p->shape[d];
}

/* From the end too, and some out of range. */
static void fill_places(const Problem* p, void* data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const int64_t extent = p->shape[p->batch_dims + i % p->depth];
    int64_t k = random_in(-extent, extent > 0 ? extent - 1 : 0);
    if (random_in(0, 20) == 0) k = random_in(0, 1) ? extent : -extent - 1;
    if (random_in(0, 40) == 0) k = random_in(0, 1) ? INT32_MAX : INT32_MIN;
    if (p->index_dtype == NETCL_I32) {
      ((int32_t*)data)[i] = (int32_t)k;
    } else {
      ((int64_t*)data)[i] = random_in(0, 60) ? k : random_in(0, 1) ? INT64_MIN : INT64_MAX;
    }
  }
}

/* Which element of x element i of what is picked is; -1: none. */
static int64_t source_of(const Problem* p, const void* indices, uint32_t rank,
                         const int64_t* picked, int64_t i) {
  int64_t at[NETCL_RANK_MAX] = {0}, from[NETCL_RANK_MAX] = {0};
  unravel(rank, picked, i, at);
  const int64_t line = ravel(p->list_rank, p->list, at) * p->depth;
  for (uint32_t d = 0; d < p->batch_dims; ++d) from[d] = at[d];
  for (uint32_t d = 0; d < p->depth; ++d) {
    const int64_t extent = p->shape[p->batch_dims + d];
    int64_t k = p->index_dtype == NETCL_I32 ? ((const int32_t*)indices)[line + d]
                                            : ((const int64_t*)indices)[line + d];
    if (k < 0) k += extent;
    if (k < 0 || k >= extent) return -1;
    from[p->batch_dims + d] = k;
  }
  for (uint32_t d = p->batch_dims + p->depth; d < p->rank; ++d) {
    from[d] = at[p->list_rank + d - p->batch_dims - p->depth];
  }
  return ravel(p->rank, p->shape, from);
}

static void check_gather(Fixture* fixture, const Problem* p) {
  int64_t list[NETCL_RANK_MAX] = {0}, out[NETCL_RANK_MAX] = {0};
  uint32_t rank = 0;
  shapes_of(p, list, out, &rank);
  const int64_t count = product(p->rank, p->shape), total = product(rank, out);
  const int64_t entries = product(p->list_rank + 1, list);
  const size_t size = netcl_dtype_size(p->dtype);
  char *x = malloc((size_t)count * 8 + 1), *y = calloc((size_t)total * 8 + 1, 1);
  void* k = malloc((size_t)entries * 8 + 1);
  fill_bits(p->dtype, x, count);
  fill_places(p, k, entries);
  for (int64_t i = 0; i < total; ++i) {
    const int64_t from = source_of(p, k, rank, out, i);
    if (from >= 0) memcpy(y + (size_t)i * size, x + (size_t)from * size, size);
  }
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->shape, x);
  Strided indices = make_strided(fixture->device, p->index_dtype, p->list_rank + 1, list, k);
  Strided target = make_strided(fixture->device, p->dtype, rank, out, NULL);
  netcl_tensor* packed = make_tensor(fixture->device, p->dtype, p->rank, p->shape, x);
  netcl_tensor* result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_gather_nd(source.view, indices.view, p->batch_dims, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_gather_nd(packed, indices.view, p->batch_dims, NULL, &result));
  CHECK_TENSOR(result, y);
  netcl_tensor_release(result);
  netcl_tensor_release(packed);
  release_strided(&target);
  release_strided(&indices);
  release_strided(&source);
  free(k);
  free(y);
  free(x);
}

/* Whole numbers, so that results are exact in every dtype, and fractions of floats that are
 * combined in f32, whose order shows in the bits. */
static void fill_values(const Problem* p, void* data, int64_t count) {
  if (p->mode == NETCL_SCATTER_ASSIGN) {
    fill_bits(p->dtype, data, count);
    return;
  }
  const int exact = p->atomics || p->dtype != NETCL_F32;
  for (int64_t i = 0; i < count; ++i) {
    double value = exact ? (double)random_in(0, 3) : random_real(-100, 100);
    if (p->mode == NETCL_SCATTER_MUL) value = exact ? (double)random_in(0, 1) : random_real(-2, 2);
    if (p->dtype == NETCL_BOOL) value = (double)random_in(0, 1);
    store_double(p->dtype, data, i, value);
  }
}

static double combined(const Problem* p, double a, double b) {
  if (p->mode == NETCL_SCATTER_MAX) return a > b ? a : b;
  if (p->mode == NETCL_SCATTER_MIN) return a < b ? a : b;
  const int multiplies = p->mode == NETCL_SCATTER_MUL;
  if (p->dtype == NETCL_BOOL) return multiplies ? a * b : a + b != 0;
  if (p->dtype != NETCL_F32) return multiplies ? a * b : a + b;
  const volatile float made = multiplies ? (float)a * (float)b : (float)a + (float)b;
  return made;
}

static void scatter_reference(const Problem* p, const void* k, uint32_t rank, const int64_t* shape,
                              const char* u, char* y) {
  const size_t size = netcl_dtype_size(p->dtype);
  const int64_t count = product(p->rank, p->shape);
  double* values = malloc((size_t)count * sizeof *values + 1);
  for (int64_t i = 0; i < count; ++i) values[i] = load_double(p->dtype, y, i);
  for (int64_t i = 0; i < product(rank, shape); ++i) {
    const int64_t to = source_of(p, k, rank, shape, i);
    if (to < 0) continue;
    if (p->mode == NETCL_SCATTER_ASSIGN) {
      memcpy(y + (size_t)to * size, u + (size_t)i * size, size);
      continue;
    }
    values[to] = combined(p, values[to], load_double(p->dtype, u, i));
  }
  for (int64_t i = 0; p->mode != NETCL_SCATTER_ASSIGN && i < count; ++i) {
    store_double(p->dtype, y, i, values[i]);
  }
  free(values);
}

static void check_scatter(Fixture* fixture, const Problem* p) {
  if (p->dtype == NETCL_F64 && !fixture->capabilities.fp64) return;
  int64_t list[NETCL_RANK_MAX] = {0}, shape[NETCL_RANK_MAX] = {0};
  uint32_t rank = 0;
  shapes_of(p, list, shape, &rank);
  const int64_t count = product(p->rank, p->shape), updates = product(rank, shape);
  const int64_t entries = product(p->list_rank + 1, list);
  char *x = malloc((size_t)count * 8 + 1), *y = malloc((size_t)count * 8 + 1);
  void *u = malloc((size_t)updates * 8 + 1), *k = malloc((size_t)entries * 8 + 1);
  fill_values(p, x, count);
  fill_values(p, u, updates);
  fill_places(p, k, entries);
  memcpy(y, x, (size_t)count * netcl_dtype_size(p->dtype));
  scatter_reference(p, k, rank, shape, u, y);
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = p->mode;
  options.atomics = p->atomics;
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->shape, x);
  Strided indices = make_strided(fixture->device, p->index_dtype, p->list_rank + 1, list, k);
  Strided values = make_strided(fixture->device, p->dtype, rank, shape, u);
  Strided target = make_strided(fixture->device, p->dtype, p->rank, p->shape, NULL);
  netcl_tensor *packed = make_tensor(fixture->device, p->dtype, p->rank, p->shape, x);
  netcl_tensor *line = make_tensor(fixture->device, p->dtype, rank, shape, u), *result = NULL;
  const netcl_run_options run = run_into(target.view), own = run_into(source.view);
  const netcl_run_options itself = run_into(packed);
  const uint32_t b = p->batch_dims;
  OK(netcl_op_scatter_nd(source.view, indices.view, values.view, b, &options, &run, NULL));
  CHECK_STRIDED(&target, y);
  OK(netcl_op_scatter_nd(packed, indices.view, line, b, &options, NULL, &result));
  CHECK_TENSOR(result, y);
  CHECK_TENSOR(packed, x);
  OK(netcl_op_scatter_nd(packed, indices.view, values.view, b, &options, &itself, NULL));
  CHECK_TENSOR(packed, y);
  CHECK_STRIDED(&source, x);
  OK(netcl_op_scatter_nd(source.view, indices.view, line, b, &options, &own, NULL));
  CHECK_STRIDED(&source, y);
  netcl_tensor_release(result);
  netcl_tensor_release(line);
  netcl_tensor_release(packed);
  release_strided(&target);
  release_strided(&values);
  release_strided(&indices);
  release_strided(&source);
  free(k);
  free(u);
  free(y);
  free(x);
}

static Problem random_problem(int round, netcl_dtype dtype) {
  Problem p = {dtype, random_in(0, 1) ? NETCL_I32 : NETCL_I64,
               (netcl_scatter_mode)random_in(NETCL_SCATTER_ASSIGN, NETCL_SCATTER_MIN),
               0, (uint32_t)random_in(1, 5), 0, 0, 0, {0}, {0}};
  p.batch_dims = (uint32_t)random_in(0, p.rank > 2 ? 2 : p.rank - 1);
  p.depth = (uint32_t)random_in(1, p.rank - p.batch_dims);
  p.list_rank = p.batch_dims + (uint32_t)random_in(0, 2);
  for (uint32_t d = 0; d < p.rank; ++d) p.shape[d] = random_in(round % 15 == 0 ? 0 : 1, 5);
  for (uint32_t d = 0; d < p.list_rank; ++d) {
    p.list[d] = d < p.batch_dims ? p.shape[d] : random_in(round % 12 == 0 ? 0 : 1, 6);
  }
  return p;
}

static void gathers(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 10 * DTYPES); ++round) {
    const Problem p = random_problem(round, kDtypes[round % DTYPES]);
    check_gather(fixture, &p);
  }
  /* Zeros of an x that has nothing, long slices, single elements, all dimensions that there are. */
  const Problem nothing = {NETCL_F32, NETCL_I64, 0, 0, 3, 0, 2, 1, {0, 4, 3}, {5}};
  const Problem slices = {NETCL_F16, NETCL_I32, 0, 0, 3, 1, 1, 2, {3, 11, 1003}, {3, 40}};
  const Problem elements = {NETCL_U8, NETCL_I64, 0, 0, 2, 0, 2, 1, {60, 70}, {20011}};
  const Problem deep = {NETCL_F32, NETCL_I32, 0, 0, 8, 0, 8, 7, {2, 3, 2, 1, 2, 3, 2, 2},
                        {2, 1, 2, 3, 1, 2, 2}};
  const Problem wide = {NETCL_I64, NETCL_I64, 0, 0, 8, 1, 1, 2, {2, 3, 2, 1, 2, 3, 2, 2}, {2, 4}};
  check_gather(fixture, &nothing);
  check_gather(fixture, &slices);
  check_gather(fixture, &elements);
  check_gather(fixture, &deep);
  check_gather(fixture, &wide);
}

static void scatters(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 12 * DTYPES); ++round) {
    const Problem p = random_problem(round, kDtypes[round % DTYPES]);
    check_scatter(fixture, &p);
  }
  for (netcl_scatter_mode mode = NETCL_SCATTER_ASSIGN; mode <= NETCL_SCATTER_MIN; ++mode) {
    /* Many updates meet in few places: their order counts. */
    const Problem met = {NETCL_F32, NETCL_I32, mode, 0, 2, 0, 2, 1, {7, 9}, {5003}};
    const Problem rows = {NETCL_F32, NETCL_I64, mode, 0, 3, 1, 1, 2, {3, 5, 70}, {3, 200}};
    check_scatter(fixture, &met);
    check_scatter(fixture, &rows);
  }
  const netcl_dtype dtypes[] = {NETCL_F32, NETCL_I32, NETCL_U32};
  for (size_t t = 0; t < COUNT_OF(dtypes); ++t) {
    const Problem p = {dtypes[t], NETCL_I32, NETCL_SCATTER_ADD, 1, 3, 0, 2, 1, {4, 5, 3}, {900}};
    check_scatter(fixture, &p);
  }
}

typedef struct Form {
  netcl_tensor* indices;
  uint32_t batch_dims;
  netcl_scatter_mode mode;
} Form;
static netcl_status gather_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Form* form = context;
  return netcl_op_gather_nd(x[0], form->indices, form->batch_dims, run, y);
}
static netcl_status scatter_call(void* context, netcl_tensor* const* x,
                                 const netcl_run_options* run, netcl_tensor** y) {
  const Form* form = context;
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = form->mode;
  return netcl_op_scatter_nd(x[0], form->indices, x[1], form->batch_dims, &options, run, y);
}

static void gradients(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < 20; ++round) {
    Problem p = {NETCL_F64, NETCL_I64, round % 5, 0, 3, (uint32_t)(round % 2), 1, 0, {0}, {0}};
    p.depth = (uint32_t)random_in(1, 3 - p.batch_dims);
    p.list_rank = p.batch_dims + 1;
    for (int d = 0; d < 3; ++d) p.shape[d] = random_in(1, 3);
    p.list[0] = p.shape[0];
    p.list[p.list_rank - 1] = random_in(2, 6);
    int64_t list[NETCL_RANK_MAX] = {0}, shape[NETCL_RANK_MAX] = {0}, data[256];
    uint32_t rank = 0;
    shapes_of(&p, list, shape, &rank);
    fill_places(&p, data, product(p.list_rank + 1, list));
    Form form = {make_tensor(fixture->device, NETCL_I64, p.list_rank + 1, list, data),
                 p.batch_dims, p.mode};
    GradientInput inputs[] = {{3, {p.shape[0], p.shape[1], p.shape[2]}, 0, 0, 0, NULL},
                              {rank, {shape[0], shape[1], shape[2]}, 0, 0, 0, NULL}};
    CHECK_GRADIENTS(fixture, "gather_nd", gather_call, &form, inputs, 1);
    if (p.mode > NETCL_SCATTER_MUL) inputs[0].apart = inputs[1].apart = 1;
    CHECK_GRADIENTS(fixture, "scatter_nd", scatter_call, &form, inputs, 2);
    netcl_tensor_release(form.indices);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 3}, pairs[] = {5, 2}, triples[] = {5, 3}, none[] = {5, 0};
  const int64_t line[] = {5}, single[] = {5, 1}, deep[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *k = NULL, *far = NULL, *no = NULL, *u = NULL, *h = NULL;
  netcl_tensor *eight = NULL, *lines = NULL;
  netcl_tensor* result = NULL;
  netcl_device* device = fixture->device;
  OK(netcl_tensor_create_zeros(device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(device, NETCL_I32, 2, pairs, NULL, NULL, &k));
  OK(netcl_tensor_create_zeros(device, NETCL_I64, 2, triples, NULL, NULL, &far));
  OK(netcl_tensor_create_zeros(device, NETCL_I64, 2, none, NULL, NULL, &no));
  OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, line, NULL, NULL, &u));
  OK(netcl_tensor_create_zeros(device, NETCL_F16, 1, line, NULL, NULL, &h));
  OK(netcl_tensor_create_zeros(device, NETCL_I64, 8, deep, NULL, NULL, &eight));
  OK(netcl_tensor_create_zeros(device, NETCL_I64, 2, single, NULL, NULL, &lines));
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  const netcl_run_options into_x = run_into(x), into_u = run_into(u);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "indices is f32", netcl_op_gather_nd(x, u, 0, NULL, &result));
  FAILS_WITH(bad, "batch_dims is 2; x has shape [4, 3], indices has shape [5, 2]",
             netcl_op_gather_nd(x, k, 2, NULL, &result));
  FAILS_WITH(bad, "batch_dims is 1", netcl_op_gather_nd(x, k, 1, NULL, &result));
  FAILS_WITH(bad, "batch_dims is 4294967295", netcl_op_gather_nd(x, k, UINT32_MAX, NULL, &result));
  FAILS_WITH(bad, "indices has shape [5, 3]; the last extent is 1 to 2",
             netcl_op_gather_nd(x, far, 0, NULL, &result));
  FAILS_WITH(bad, "indices has shape [5, 0]", netcl_op_gather_nd(x, no, 0, NULL, &result));
  FAILS_WITH(bad, "the result would have rank 14, more than 8",
             netcl_op_gather_nd(eight, eight, 0, NULL, &result));
  FAILS_WITH(bad, "run->into shares its memory with x", netcl_op_gather_nd(x, k, 0, &into_x, NULL));
  FAILS_WITH(bad, "run->into has shape [5]; the result has [5, 3]",
             netcl_op_gather_nd(x, lines, 0, &into_u, NULL));
  FAILS_WITH(bad, "result is NULL", netcl_op_gather_nd(x, k, 0, NULL, NULL));
  FAILS_WITH(bad, "updates is f16; x is f32",
             netcl_op_scatter_nd(x, k, h, 0, NULL, NULL, &result));
  FAILS_WITH(bad,
             "updates has shape [4, 3]; x of shape [4, 3] and indices of shape [5, 2] need [5]",
             netcl_op_scatter_nd(x, k, x, 0, NULL, NULL, &result));
  FAILS_WITH(bad, "run->into shares its memory with updates",
             netcl_op_scatter_nd(x, k, u, 0, NULL, &into_u, NULL));
  options.mode = 5;
  FAILS_WITH(bad, "options->mode is 5", netcl_op_scatter_nd(x, k, u, 0, &options, NULL, &result));
  options.mode = NETCL_SCATTER_MAX;
  options.atomics = 1;
  FAILS_WITH(bad, "atomics are for ADD", netcl_op_scatter_nd(x, k, u, 0, &options, NULL, &result));
  options.atomics = 2;
  FAILS_WITH(bad, "options->atomics is 2",
             netcl_op_scatter_nd(x, k, u, 0, &options, NULL, &result));
  assert_null(result);
  netcl_tensor_release(lines);
  netcl_tensor_release(eight);
  netcl_tensor_release(h);
  netcl_tensor_release(u);
  netcl_tensor_release(no);
  netcl_tensor_release(far);
  netcl_tensor_release(k);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(gathers),  DEVICE_TEST(scatters),   DEVICE_TEST(gradients),
      DEVICE_TEST(mistakes), DEVICE_TEST(as_kernels),
  };
  seed_random("gather_nd");
  return cmocka_run_group_tests_name("gather_nd", tests, NULL, NULL);
}
