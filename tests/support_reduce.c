#include "support_reduce.h"

#include <math.h>

static int finds_place(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_ARGMAX || kind == NETCL_REDUCTION_ARGMIN;
}
static int finds_extreme(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_MAX || kind == NETCL_REDUCTION_MIN;
}
static int tests_truth(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_ANY || kind == NETCL_REDUCTION_ALL;
}
static int gives_float(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_MEAN || kind == NETCL_REDUCTION_L2 ||
         kind == NETCL_REDUCTION_LOG_SUM || kind == NETCL_REDUCTION_LOG_SUM_EXP;
}

static void fill_for(netcl_reduction kind, netcl_dtype dtype, void *data, int64_t count) {
  const int real = is_float_dtype(dtype);
  fill_random(dtype, data, count, 100);
  for (int64_t i = 0; i < count; ++i) {
    if (kind == NETCL_REDUCTION_PROD && real) {
      store_double(dtype, data, i, random_real(0.97, 1.03) * (random_in(0, 1) ? 1 : -1));
    } else if (kind == NETCL_REDUCTION_LOG_SUM && real) {
      store_double(dtype, data, i, random_real(0, 2));
    } else if (kind == NETCL_REDUCTION_LOG_SUM) {
      store_double(dtype, data, i, (double)random_in(1, 9));
    } else if (kind == NETCL_REDUCTION_LOG_SUM_EXP && !real) {
      store_double(dtype, data, i, (double)random_in(0, 60));
    } else if (tests_truth(kind)) {
      const int rare = random_in(0, 40) == 0;
      store_double(dtype, data, i, (kind == NETCL_REDUCTION_ANY) == rare ? 1 : 0);
    } else if (finds_place(kind) && random_in(0, 1)) {
      store_double(dtype, data, i, (double)random_in(0, 3));
    }
  }
  if (real && (finds_place(kind) || finds_extreme(kind)) && random_in(0, 2) == 0) {
    for (int k = 0; k < 3; ++k) store_double(dtype, data, random_in(0, count - 1), NAN);
  }
}

Operand plain_operand(Fixture *fixture, netcl_dtype dtype, uint32_t rank, const int64_t *shape,
                      netcl_reduction kind) {
  Operand operand;
  const int64_t count = product(rank, shape);
  operand.storage = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  fill_for(kind, dtype, operand.storage, count);
  operand.tensor = make_tensor(fixture->device, dtype, rank, shape, operand.storage);
  operand.model = model_packed(dtype, rank, shape, operand.storage);
  return operand;
}

Operand make_operand(Fixture *fixture, netcl_dtype dtype, uint32_t rank, const int64_t *shape,
                     netcl_reduction kind) {
  if (rank == 0 || random_in(0, 3) == 0) return plain_operand(fixture, dtype, rank, shape, kind);
  Operand operand;
  int64_t stored[NETCL_RANK_MAX], from[NETCL_RANK_MAX];
  netcl_range ranges[NETCL_RANK_MAX];
  uint32_t axes[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < rank; ++d) axes[d] = d;
  for (uint32_t d = rank; d-- > 1;) {
    const uint32_t other = (uint32_t)random_in(0, d);
    const uint32_t kept = axes[d];
    axes[d] = axes[other];
    axes[other] = kept;
  }
  const uint32_t repeated = random_in(0, 3) == 0 ? (uint32_t)random_in(0, rank - 1) : rank;
  for (uint32_t d = 0; d < rank; ++d) from[axes[d]] = d == repeated ? 1 : shape[d];
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t step = random_in(0, 3) > 0 ? 1 : 2;
    stored[d] = from[d] * step;
    ranges[d] = (netcl_range){0, from[d], step};
    if (random_in(0, 3) == 0) ranges[d] = (netcl_range){(from[d] - 1) * step, from[d], -step};
  }
  const int64_t count = product(rank, stored);
  operand.storage = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  fill_for(kind, dtype, operand.storage, count);
  netcl_tensor *base = make_tensor(fixture->device, dtype, rank, stored, operand.storage);
  netcl_tensor *sliced = NULL, *turned = NULL;
  Model model = model_packed(dtype, rank, stored, operand.storage);
  model = model_slice(&model, ranges);
  model = model_permute(&model, axes);
  operand.model = model_broadcast(&model, rank, shape);
  OK(netcl_tensor_slice(base, ranges, rank, &sliced));
  OK(netcl_tensor_permute(sliced, axes, rank, &turned));
  OK(netcl_tensor_broadcast(turned, rank, shape, &operand.tensor));
  netcl_tensor_release(base);
  netcl_tensor_release(sliced);
  netcl_tensor_release(turned);
  return operand;
}

void free_operand(Operand *operand) {
  netcl_tensor_release(operand->tensor);
  free(operand->storage);
}

void choose_axes(ReduceCase *test) {
  const uint32_t rank = test->x.model.rank;
  test->axes_count = 0;
  if (rank == 0) return;
  if (finds_place(test->kind)) {
    if (random_in(0, 2) == 0) return;
    test->axes[0] = (int32_t)random_in(-(int64_t)rank, rank - 1);
    test->axes_count = 1;
    return;
  }
  for (uint32_t d = rank; d-- > 0;) {
    if (random_in(0, 1)) {
      test->axes[test->axes_count++] = (int32_t)d - (random_in(0, 1) ? (int32_t)rank : 0);
    }
  }
}

/* ---- The reference --------------------------------------------------------------------------- */

typedef struct Row {
  const unsigned char *x;  /* gathered in C order */
  netcl_dtype dtype;
  int64_t count;
  const int64_t *places;   /* of the elements of this output */
} Row;

static long double value_at(const Row *row, int64_t i) {
  return load_double(row->dtype, row->x, row->places[i]);
}

static uint64_t integer_at(const Row *row, int64_t i) {
  const Value value = load_value(row->dtype, row->x, row->places[i]);
  return value.kind == VALUE_SIGNED ? (uint64_t)value.integer : value.natural;
}

static uint64_t integer_result(netcl_reduction kind, const Row *row) {
  uint64_t sum = kind == NETCL_REDUCTION_PROD;
  for (int64_t i = 0; i < row->count; ++i) {
    const uint64_t x = integer_at(row, i);
    const int negative = is_signed_dtype(row->dtype) && (int64_t)x < 0;
    if (kind == NETCL_REDUCTION_PROD) sum *= x;
    if (kind == NETCL_REDUCTION_SUM) sum += x;
    if (kind == NETCL_REDUCTION_SUM_SQUARE) sum += x * x;
    if (kind == NETCL_REDUCTION_L1) sum += negative ? 0 - x : x;
  }
  return sum;
}

/* Compares as the places do: NaN ahead of everything. */
static int ahead(netcl_dtype dtype, const Row *row, int64_t i, int64_t best, int largest) {
  if (is_float_dtype(dtype)) {
    const long double a = value_at(row, i), b = value_at(row, best);
    if (isnan(a) || isnan(b)) return (isnan(a) != 0) - (isnan(b) != 0);
    return largest ? (a > b) - (a < b) : (a < b) - (a > b);
  }
  const uint64_t a = integer_at(row, i), b = integer_at(row, best);
  int order = (a > b) - (a < b);
  if (is_signed_dtype(dtype)) order = ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
  return largest ? order : -order;
}

static int64_t best_place(const Row *row, int largest, int last) {
  int64_t best = 0;
  for (int64_t i = 1; i < row->count; ++i) {
    const int order = ahead(row->dtype, row, i, best, largest);
    if (order > 0 || (last && order == 0)) best = i;
  }
  return best;
}

/* The result and how far off it may be; rounding to `dtype` is added by the caller. */
static long double real_result(netcl_reduction kind, const Row *row, double eps,
                               long double *bound) {
  const long double n = (long double)row->count;
  const long double factor = (log2l(n) + 64) * eps;
  long double sum = kind == NETCL_REDUCTION_PROD, size = 0, most = -INFINITY;
  if (kind == NETCL_REDUCTION_LOG_SUM_EXP) {
    for (int64_t i = 0; i < row->count; ++i) most = fmaxl(most, value_at(row, i));
  }
  for (int64_t i = 0; i < row->count; ++i) {
    long double term = value_at(row, i);
    if (kind == NETCL_REDUCTION_PROD) {
      sum *= term;
      continue;
    }
    if (kind == NETCL_REDUCTION_L1) term = fabsl(term);
    if (kind == NETCL_REDUCTION_L2 || kind == NETCL_REDUCTION_SUM_SQUARE) term *= term;
    if (kind == NETCL_REDUCTION_LOG_SUM_EXP) term = expl(term - most);
    sum += term;
    size += fabsl(term);
  }
  *bound = factor * size;
  switch (kind) {
    case NETCL_REDUCTION_PROD:
      /* Factors that are wider than the product are rounded too. */
      *bound = (eps > unit_roundoff(row->dtype) ? 2 : 1) * n * eps * fabsl(sum);
      return sum;
    case NETCL_REDUCTION_MEAN:
      *bound /= n;
      return sum / n;
    case NETCL_REDUCTION_L2:
      *bound = sum > 0 ? *bound / (2 * sqrtl(sum)) + 4 * eps * sqrtl(sum) : 0;
      return sqrtl(sum);
    case NETCL_REDUCTION_LOG_SUM:
      *bound = sum > 0 ? *bound / sum + 4 * eps * fabsl(logl(sum)) + eps : 0;
      return logl(sum);
    case NETCL_REDUCTION_LOG_SUM_EXP:
      /* The differences and their exponentials are rounded too. */
      *bound = *bound / sum + eps * (160 + 4 * fabsl(most));
      return most + logl(sum);
    default:
      return sum;
  }
}

static void check_element(const ReduceCase *test, const Row *row, netcl_dtype dtype,
                          const void *got, int64_t output) {
  const netcl_reduction kind = test->kind;
  uint64_t wanted = 0, bits = 0;
  const size_t size = netcl_dtype_size(dtype);
  memcpy(&bits, (const unsigned char *)got + (size_t)output * size, size);
  if (finds_place(kind)) {
    wanted = (uint64_t)best_place(row, kind == NETCL_REDUCTION_ARGMAX, (int)test->select_last);
  } else if (tests_truth(kind)) {
    wanted = kind == NETCL_REDUCTION_ALL;
    for (int64_t i = 0; i < row->count; ++i) {
      const int truth = value_at(row, i) != 0;
      if (truth == (kind == NETCL_REDUCTION_ANY)) wanted = (uint64_t)truth;
    }
  } else if (finds_extreme(kind)) {
    const int64_t best = best_place(row, kind == NETCL_REDUCTION_MAX, 0);
    const double extreme = load_double(dtype, got, output);
    if (is_float_dtype(dtype)) {
      const double x = (double)value_at(row, best);
      CHECK(isnan(x) ? isnan(extreme) : x == extreme, "kind %d of %s by %s: output %lld of %lld "
            "elements is %g, not %g", kind, netcl_dtype_name(row->dtype),
            netcl_variant_name(test->variant), (long long)output, (long long)row->count, extreme,
            x);
      return;
    }
    wanted = integer_at(row, best);
  } else if (!is_float_dtype(dtype)) {
    wanted = integer_result(kind, row);
  } else {
    const double eps = unit_roundoff(dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
    long double bound = 0;
    const long double exact = real_result(kind, row, eps, &bound);
    const double value = load_double(dtype, got, output);
    bound += unit_roundoff(dtype) * fabsl(exact) * (1 + 1e-3L) + 1e-38L;
    if (dtype == NETCL_F16) bound += 0x1p-25L;
    if (dtype == NETCL_F16 && fabsl(exact) + bound >= 65504 && isinf(value)) return;
    CHECK(fabsl(value - exact) <= bound || (isinf(exact) && value == (double)exact),
          "kind %d of %s to %s by %s: output %lld of %lld elements is %.9g, not %.9Lg: off by "
          "%Lg, more than %Lg", kind, netcl_dtype_name(row->dtype), netcl_dtype_name(dtype),
          netcl_variant_name(test->variant), (long long)output, (long long)row->count, value,
          exact, fabsl(value - exact), bound);
    return;
  }
  if (size < 8) wanted &= ((uint64_t)1 << (8 * size)) - 1;
  CHECK(bits == wanted, "kind %d of %s to %s by %s: output %lld of %lld elements is 0x%llx, not "
        "0x%llx", kind, netcl_dtype_name(row->dtype), netcl_dtype_name(dtype),
        netcl_variant_name(test->variant), (long long)output, (long long)row->count,
        (unsigned long long)bits, (unsigned long long)wanted);
}

static netcl_dtype default_dtype(netcl_reduction kind, netcl_dtype x) {
  if (finds_place(kind)) return NETCL_I64;
  if (tests_truth(kind)) return NETCL_BOOL;
  if (gives_float(kind) && !is_float_dtype(x)) return NETCL_F32;
  return x == NETCL_BOOL && !finds_extreme(kind) ? NETCL_I64 : x;
}

static void reduced_axes(const ReduceCase *test, int reduced[NETCL_RANK_MAX]) {
  const uint32_t rank = test->x.model.rank;
  for (uint32_t d = 0; d < rank; ++d) reduced[d] = test->axes_count == 0;
  for (uint32_t i = 0; i < test->axes_count; ++i) {
    reduced[test->axes[i] < 0 ? test->axes[i] + (int32_t)rank : test->axes[i]] = 1;
  }
}

/* Where element `index` of output `output` lies in C order of x. */
static int64_t place_of(const Model *x, const int *reduced, int64_t output, int64_t index) {
  int64_t at = 0, stride = 1;
  for (uint32_t d = x->rank; d-- > 0;) {
    int64_t *const rest = reduced[d] ? &index : &output;
    at += *rest % x->shape[d] * stride;
    *rest /= x->shape[d];
    stride *= x->shape[d];
  }
  return at;
}

void check_reduction(Fixture *fixture, const ReduceCase *test) {
  const Model *x = &test->x.model;
  const netcl_dtype dtype = test->dtype != 0 ? test->dtype : default_dtype(test->kind, x->dtype);
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL, *base = NULL;
  int reduced[NETCL_RANK_MAX];
  int64_t shape[NETCL_RANK_MAX], count = 1;
  uint32_t rank = 0;
  reduced_axes(test, reduced);
  for (uint32_t d = 0; d < x->rank; ++d) {
    if (reduced[d]) count *= x->shape[d];
    if (!reduced[d]) shape[rank++] = x->shape[d];
    if (reduced[d] && test->keepdims) shape[rank++] = 1;
  }
  options.axes = test->axes_count > 0 ? test->axes : NULL;
  options.axes_count = test->axes_count;
  options.keepdims = test->keepdims;
  options.dtype = test->dtype;
  options.variant = test->variant;
  options.select_last = test->select_last;
  if (test->into) {
    /* Every other element of the last dimension, or the whole of a scalar. */
    int64_t wide[NETCL_RANK_MAX];
    netcl_range ranges[NETCL_RANK_MAX];
    memcpy(wide, shape, sizeof wide);
    if (rank > 0) wide[rank - 1] *= 2;
    for (uint32_t d = 0; d < rank; ++d) ranges[d] = (netcl_range){0, shape[d], 1};
    if (rank > 0) ranges[rank - 1] = (netcl_range){wide[rank - 1] - 1, shape[rank - 1], -2};
    OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, wide, NULL, NULL, &base));
    OK(netcl_tensor_slice(base, ranges, rank, &result));
    run.into = result;
    OK(netcl_op_reduce(test->x.tensor, test->kind, &options, &run, NULL));
  } else {
    OK(netcl_op_reduce(test->x.tensor, test->kind, &options, NULL, &result));
  }
  const netcl_tensor_info info = tensor_info(result);
  assert_int_equal(info.dtype, dtype);
  assert_int_equal(info.rank, rank);
  for (uint32_t d = 0; d < rank; ++d) assert_int_equal(info.shape[d], shape[d]);
  unsigned char *const values = model_gather(x);
  void *const got = read_tensor(result);
  int64_t *const places = malloc((size_t)count * sizeof *places);
  for (int64_t output = 0; output < info.element_count; ++output) {
    for (int64_t i = 0; i < count; ++i) places[i] = place_of(x, reduced, output, i);
    const Row row = {values, x->dtype, count, places};
    check_element(test, &row, dtype, got, output);
  }
  free(places);
  free(values);
  free(got);
  netcl_tensor_release(base);
  netcl_tensor_release(result);
}
