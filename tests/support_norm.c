#include "support_norm.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static void shuffle(uint32_t* order, uint32_t count) {
  for (uint32_t i = count; i > 1; --i) {
    const uint32_t k = (uint32_t)random_in(0, i - 1);
    const uint32_t kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
  }
}

static netcl_tensor* swap_view(netcl_tensor* old, netcl_tensor* view) {
  netcl_tensor_release(old);
  return view;
}

/* Slices and permutes what was made as a larger tensor, until it has the shape. */
static void make_view(NormTensor* made, uint32_t rank, const int64_t* shape, const uint32_t* order,
                      const netcl_range* ranges) {
  uint32_t back[NETCL_RANK_MAX];
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(made->tensor, ranges, rank, &view));
  made->tensor = swap_view(made->tensor, view);
  made->model = model_slice(&made->model, ranges);
  for (uint32_t d = 0; d < rank; ++d) back[order[d]] = d;
  OK(netcl_tensor_permute(made->tensor, back, rank, &view));
  made->tensor = swap_view(made->tensor, view);
  made->model = model_permute(&made->model, back);
  OK(netcl_tensor_broadcast(made->tensor, rank, shape, &view));
  made->tensor = swap_view(made->tensor, view);
  made->model = model_broadcast(&made->model, rank, shape);
}

NormTensor norm_random(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                       NormLayout layout, double center, double spread) {
  NormTensor made;
  uint32_t order[NETCL_RANK_MAX]; /* base dimension i is dimension order[i] of the result */
  int64_t base[NETCL_RANK_MAX];
  netcl_range ranges[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < rank; ++d) order[d] = layout == NORM_LAST_FIRST ? rank - 1 - d : d;
  if ((layout == NORM_VIEW || layout == NORM_BROADCAST) && random_in(0, 2) != 0) {
    shuffle(order, rank);
  }
  for (uint32_t i = 0; i < rank; ++i) {
    const int repeats = layout == NORM_BROADCAST && shape[order[i]] > 0 && random_in(0, 2) == 0;
    const int64_t extent = repeats ? 1 : shape[order[i]];
    const int plain = layout == NORM_PACKED || layout == NORM_LAST_FIRST || random_in(0, 1) == 0;
    int64_t step = 1;
    if (!plain) step = random_in(0, 2) == 0 ? random_in(2, 3) : random_in(0, 1) ? -1 : 1;
    const int64_t before = plain ? 0 : random_in(0, 2);
    const int64_t reach = extent == 0 ? 0 : (extent - 1) * llabs(step) + 1;
    base[i] = before + reach + (plain ? 0 : random_in(0, 2));
    ranges[i].start = step < 0 && extent > 0 ? before + reach - 1 : before;
    ranges[i].extent = extent;
    ranges[i].step = step;
  }
  const int64_t count = product(rank, base);
  made.storage = malloc((size_t)(count + 1) * netcl_dtype_size(dtype));
  assert_non_null(made.storage);
  for (int64_t i = 0; i < count; ++i) {
    store_double(dtype, made.storage, i, center + random_real(-spread, spread));
  }
  made.tensor = make_tensor(fixture->device, dtype, rank, base, made.storage);
  made.model = model_packed(dtype, rank, base, made.storage);
  if (rank > 0) make_view(&made, rank, shape, order, ranges);
  return made;
}

void norm_free(NormTensor* tensor) {
  netcl_tensor_release(tensor->tensor);
  free(tensor->storage);
}

double* norm_values(const NormTensor* tensor) {
  const int64_t count = product(tensor->model.rank, tensor->model.shape);
  void* packed = model_gather(&tensor->model);
  double* values = malloc((size_t)(count + 1) * sizeof *values);
  assert_non_null(values);
  for (int64_t i = 0; i < count; ++i) values[i] = load_double(tensor->model.dtype, packed, i);
  free(packed);
  return values;
}

void norm_write(NormTensor* tensor, const double* values) {
  const netcl_dtype dtype = tensor->model.dtype;
  const int64_t count = product(tensor->model.rank, tensor->model.shape);
  const size_t bytes = (size_t)count * netcl_dtype_size(dtype);
  void* packed = malloc(bytes + 1);
  assert_non_null(packed);
  for (int64_t i = 0; i < count; ++i) store_double(dtype, packed, i, values[i]);
  model_scatter(&tensor->model, packed);
  OK(netcl_tensor_write(tensor->tensor, packed, bytes, NULL, NETCL_WAIT_FOREVER));
  free(packed);
}

double* norm_read(const netcl_tensor* tensor, netcl_dtype dtype, int64_t count) {
  const netcl_tensor_info info = tensor_info(tensor);
  CHECK(info.dtype == dtype, "dtype %d, not %d", info.dtype, dtype);
  CHECK(info.element_count == count, "%lld elements, not %lld", (long long)info.element_count,
        (long long)count);
  void* packed = read_tensor(tensor);
  double* values = malloc((size_t)(count + 1) * sizeof *values);
  assert_non_null(values);
  for (int64_t i = 0; i < count; ++i) values[i] = load_double(dtype, packed, i);
  free(packed);
  return values;
}

/* Where each dtype costs its own compilations there are two: f32, and one that the seed picks. */
netcl_dtype norm_float_dtype(const Fixture* fixture) {
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64};
  static netcl_dtype other;
  netcl_dtype dtype = kFloats[random_in(0, 3)];
  if (dtype == NETCL_F64 && !fixture->capabilities.fp64) dtype = NETCL_BF16;
  if (!compiles_slowly(fixture) || rounds(fixture, 5) == 5) return dtype;
  if (other == 0) other = dtype;
  return random_in(0, 1) ? other : NETCL_F32;
}

double norm_compute_roundoff(netcl_dtype dtype) {
  return unit_roundoff(dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
}

double norm_rounding(netcl_dtype dtype, double value) {
  const double least = dtype == NETCL_F16    ? 0x1p-24
                       : dtype == NETCL_BF16 ? 0x1p-133
                       : dtype == NETCL_F32  ? 0x1p-149
                                             : 0x1p-1074;
  return fabs(value) * unit_roundoff(dtype) + least;
}

double norm_ulp(netcl_dtype dtype, double value) {
  int exponent;
  const int digits = dtype == NETCL_F64 ? 53 : 24;
  const int lowest = dtype == NETCL_F64 ? -1074 : -149;
  if (value == 0 || !isfinite(value)) return ldexp(1, lowest);
  frexp(value, &exponent);
  return ldexp(1, exponent - digits < lowest ? lowest : exponent - digits);
}
