#include "support_matmul.h"

#include <math.h>

Matrix make_matrix(Fixture *fixture, netcl_dtype dtype, uint32_t rank, const int64_t *shape,
                     int plain) {
  Matrix operand;
  int64_t stored[NETCL_RANK_MAX];
  netcl_range ranges[NETCL_RANK_MAX];
  uint32_t axes[NETCL_RANK_MAX];
  const int swap = !plain && rank >= 2 && random_in(0, 1);
  for (uint32_t d = 0; d < rank; ++d) axes[d] = d;
  if (swap) {
    axes[rank - 1] = rank - 2;
    axes[rank - 2] = rank - 1;
  }
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t extent = shape[axes[d]];
    const int64_t step = plain || random_in(0, 3) > 0 ? 1 : 2;
    stored[d] = extent * step;
    ranges[d] = (netcl_range){0, extent, step};
    if (!plain && extent > 0 && random_in(0, 3) == 0) {
      ranges[d] = (netcl_range){(extent - 1) * step, extent, -step};
    }
  }
  const int64_t count = product(rank, stored);
  operand.storage = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  fill_random(dtype, operand.storage, count, 1);
  netcl_tensor *base = make_tensor(fixture->device, dtype, rank, stored, operand.storage);
  netcl_tensor *sliced = NULL;
  Model model = model_packed(dtype, rank, stored, operand.storage);
  model = model_slice(&model, ranges);
  operand.model = model_permute(&model, axes);
  OK(netcl_tensor_slice(base, ranges, rank, &sliced));
  OK(netcl_tensor_permute(sliced, axes, rank, &operand.tensor));
  netcl_tensor_release(base);
  netcl_tensor_release(sliced);
  return operand;
}

void free_matrix(Matrix *operand) {
  netcl_tensor_release(operand->tensor);
  free(operand->storage);
}

long double matrix_element(const Model *model, int64_t flat) {
  return load_double(model->dtype, model->data, model_index(model, flat));
}

netcl_dtype random_matrix_dtype(const Fixture *fixture) {
  const netcl_dtype dtype = (netcl_dtype)random_in(NETCL_F16, NETCL_F64);
  return dtype == NETCL_F64 && !fixture->capabilities.fp64 ? NETCL_F32 : dtype;
}

static long double clip(long double x, long double low, long double high) {
  return x < low ? low : x > high ? high : x;
}

static long double sigmoid(long double x) { return 1 / (1 + expl(-x)); }

long double reference_activation(netcl_activation activation, double alpha, double beta,
                                 long double x) {
  switch (activation) {
    case NETCL_ACTIVATION_RELU: return x < 0 ? 0 : x;
    case NETCL_ACTIVATION_LEAKY_RELU: return x < 0 ? alpha * x : x;
    case NETCL_ACTIVATION_ELU: return x < 0 ? alpha * expm1l(x) : x;
    case NETCL_ACTIVATION_SIGMOID: return sigmoid(x);
    case NETCL_ACTIVATION_TANH: return tanhl(x);
    case NETCL_ACTIVATION_SILU: return x * sigmoid(x);
    case NETCL_ACTIVATION_GELU: return 0.5L * x * erfcl(-x * 0.707106781186547524400844L);
    case NETCL_ACTIVATION_GELU_TANH:
      return x * sigmoid(2 * 0.797884560802865355879892L * (x + 0.044715L * x * x * x));
    case NETCL_ACTIVATION_SOFTPLUS: return (x < 0 ? 0 : x) + log1pl(expl(-fabsl(x)));
    case NETCL_ACTIVATION_HARD_SIGMOID: return clip(alpha * x + beta, 0, 1);
    case NETCL_ACTIVATION_HARD_SWISH: return x * clip(x / 6 + 0.5L, 0, 1);
    case NETCL_ACTIVATION_CLIP: return clip(x, alpha, beta);
    default: return x;
  }
}

/* How fast the function may change, and its own error in units of the accumulator's. */
static double steepness(const netcl_epilogue *e) {
  const double alpha = fabs(e->alpha);
  return e->activation == NETCL_ACTIVATION_NONE ? 1 : 1.6 > alpha ? 1.6 : alpha;
}

static double own_error(const netcl_epilogue *e, double x) {
  if (e->activation == NETCL_ACTIVATION_NONE) return 0;
  return e->activation == NETCL_ACTIVATION_GELU || e->activation == NETCL_ACTIVATION_GELU_TANH
             ? 2 * (24 + x * x + 4 * fabs(x))
             : 20;
}

/* Everything one product is made of. */
typedef struct Product {
  Matrix a, b, c, bias, residual;
  netcl_epilogue epilogue;
  netcl_matmul_options options;
  int has_into, has_bias, has_residual, in_place;
  int64_t batch;
  netcl_dtype out_dtype;
  uint32_t bias_rank;
  int64_t bias_shape[3];
} Product;

static void random_epilogue(Fixture *fixture, const ProductCase *what, Product *p) {
  const int64_t shape[3] = {p->batch, what->m, what->n};
  const netcl_dtype dtypes[2] = {what->dtype, p->out_dtype};
  p->epilogue.activation = (netcl_activation)random_in(0, NETCL_ACTIVATION_CLIP);
  p->epilogue.alpha = random_real(-0.5, 0.5);
  p->epilogue.beta = random_real(0.5, 2);
  if (random_in(0, 1)) {
    p->has_bias = 1;
    p->bias_rank = (uint32_t)random_in(0, 3);
    for (uint32_t d = 0; d < p->bias_rank; ++d) {
      p->bias_shape[d] = random_in(0, 2) == 0 ? 1 : shape[3 - p->bias_rank + d];
    }
    p->bias = make_matrix(fixture, dtypes[random_in(0, 1)], p->bias_rank, p->bias_shape,
                           what->plain);
    p->epilogue.bias = p->bias.tensor;
  }
  if (random_in(0, 1)) {
    p->has_residual = 1;
    p->in_place = p->has_into && random_in(0, 1);
    if (!p->in_place) {
      p->residual = make_matrix(fixture, dtypes[random_in(0, 1)], 3, shape, what->plain);
    }
    p->epilogue.residual = p->in_place ? p->c.tensor : p->residual.tensor;
  }
  p->options.epilogue = &p->epilogue;
}

static void make_product(Fixture *fixture, const ProductCase *what, Product *p) {
  const int64_t batch = random_in(0, 3) == 0 ? random_in(2, 4) : 1;
  const int64_t shape_a[] = {random_in(0, 1) ? batch : 1, what->m, what->k};
  const int64_t shape_b[] = {shape_a[0] == batch && random_in(0, 1) ? 1 : batch, what->k, what->n};
  const int narrow = what->dtype == NETCL_F16 || what->dtype == NETCL_BF16;
  const netcl_epilogue no_epilogue = NETCL_EPILOGUE_INIT;
  const netcl_matmul_options no_options = NETCL_MATMUL_OPTIONS_INIT;
  memset(p, 0, sizeof *p);
  p->epilogue = no_epilogue;
  p->options = no_options;
  p->batch = shape_a[0] > shape_b[0] ? shape_a[0] : shape_b[0];
  p->a = make_matrix(fixture, what->dtype, 3, shape_a, what->plain);
  p->b = make_matrix(fixture, what->dtype, 3, shape_b, what->plain);
  p->out_dtype = narrow && random_in(0, 1) ? NETCL_F32 : what->dtype;
  if (random_in(0, 1) || p->out_dtype != what->dtype) p->options.dtype = p->out_dtype;
  p->has_into = (int)random_in(0, 1);
  if (p->has_into) {
    const int64_t shape_c[] = {p->batch, what->m, what->n};
    p->c = make_matrix(fixture, p->out_dtype, 3, shape_c, what->plain && random_in(0, 1));
    p->options.has_scale = 1;
    p->options.alpha = random_in(0, 3) == 0 ? 0 : random_real(-2, 2);
    p->options.beta = random_in(0, 3) == 0 ? 0 : random_in(0, 5) == 0 ? -1 : random_real(-2, 2);
  }
  if (what->epilogue) random_epilogue(fixture, what, p);
  p->options.variant = what->variant;
}

static long double bias_at(const Product *p, int64_t x, int64_t row, int64_t column) {
  const int64_t at[3] = {x, row, column};
  int64_t flat = 0;
  for (uint32_t d = 0; d < p->bias_rank; ++d) {
    const int64_t extent = p->bias_shape[d];
    flat = flat * extent + (extent == 1 ? 0 : at[3 - p->bias_rank + d]);
  }
  return matrix_element(&p->bias.model, flat);
}

/* The elements in C order; the caller frees them. */
static double *all_elements(const Model *model) {
  const int64_t count = product(model->rank, model->shape);
  double *values = malloc(((size_t)count + 1) * sizeof *values);
  for (int64_t i = 0; i < count; ++i) values[i] = (double)matrix_element(model, i);
  return values;
}

/* Checks `got` against the formula of the header, with `old` the earlier elements of into. */
static void check_result(const ProductCase *what, const Product *p, const void *old,
                         const void *got) {
  const Model *a = &p->a.model, *b = &p->b.model;
  const int64_t m = what->m, n = what->n, k = what->k;
  const double eps = unit_roundoff(what->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  const double alpha = p->options.has_scale ? p->options.alpha : 1;
  const double beta = p->options.has_scale ? p->options.beta : 0;
  double *values_a = all_elements(a), *values_b = all_elements(b);
  for (int64_t i = 0; i < p->batch * m * n; ++i) {
    const int64_t x = i / (m * n), row = i / n % m, column = i % n;
    const int64_t at_a = a->shape[0] == 1 ? 0 : x, at_b = b->shape[0] == 1 ? 0 : x;
    long double sum = 0, size = 0;
    for (int64_t q = 0; q < k; ++q) {
      const long double term = (long double)values_a[(at_a * m + row) * k + q] *
                               values_b[(at_b * k + q) * n + column];
      sum += term;
      size += fabsl(term);
    }
    sum *= alpha;
    size *= fabs(alpha);
    long double others = 0, sizes = 0;
    const long double addends[] = {
        beta != 0 ? beta * load_double(p->out_dtype, old, i) : 0,
        p->has_bias ? bias_at(p, x, row, column) : 0,
        !p->has_residual ? 0
        : p->in_place    ? load_double(p->out_dtype, old, i)
                         : matrix_element(&p->residual.model, i)};
    for (size_t j = 0; j < COUNT_OF(addends); ++j) {
      others += addends[j];
      sizes += fabsl(addends[j]);
    }
    if (p->in_place) sizes += 2 * fabsl(addends[2]); /* beta + 1 is rounded too */
    const long double before = sum + others;
    const double wanted = (double)reference_activation(p->epilogue.activation, p->epilogue.alpha,
                                            p->epilogue.beta, before);
    const double sums = (double)(2 * (double)k * eps * size + 6 * eps * (size + sizes));
    const double bound = steepness(&p->epilogue) * sums +
                         own_error(&p->epilogue, (double)before) * eps * fabs(wanted) +
                         unit_roundoff(p->out_dtype) * fabs(wanted) * (1 + 1e-3) +
                         (p->out_dtype == NETCL_F16 ? 0x1p-25 : 0) + 4 * eps;
    const double limit = p->epilogue.activation == 0 ? bound - 4 * eps : bound;
    const double value = load_double(p->out_dtype, got, i);
    CHECK(fabs(value - wanted) <= limit,
          "%s %s [%lld x %lld] . [%lld x %lld], batch %lld, alpha %g, beta %g, activation %d, bias "
          "%d, residual %d: element %lld is %.9g, not %.9g: off by %g, more than %g",
          netcl_variant_name(what->variant), netcl_dtype_name(what->dtype), (long long)m,
          (long long)k, (long long)k, (long long)n, (long long)p->batch, alpha, beta,
          p->epilogue.activation, p->has_bias, p->has_residual + p->in_place, (long long)i, value,
          wanted, fabs(value - wanted), limit);
  }
  free(values_a);
  free(values_b);
}

int check_random_product(Fixture *fixture, const ProductCase *what) {
  Product p;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL;
  void *old = NULL;
  make_product(fixture, what, &p);
  if (p.has_into) {
    run.into = p.c.tensor;
    old = model_gather(&p.c.model);
  }
  const netcl_status status = netcl_op_matmul(p.a.tensor, p.b.tensor, &p.options,
                                              p.has_into ? &run : NULL, &result);
  if (status == NETCL_ERROR_UNSUPPORTED && what->variant != 0) {
    check_message("was asked for by options->variant: ", "netcl_op_matmul", __FILE__, __LINE__);
  } else {
    check_status(status, NETCL_OK, "netcl_op_matmul", __FILE__, __LINE__);
    assert_int_equal(tensor_info(result).dtype, p.out_dtype);
    assert_int_equal(tensor_info(result).rank, 3);
    void *got = read_tensor(result);
    check_result(what, &p, old, got);
    free(got);
    netcl_tensor_release(result);
  }
  free(old);
  free_matrix(&p.a);
  free_matrix(&p.b);
  if (p.has_into) free_matrix(&p.c);
  if (p.has_bias) free_matrix(&p.bias);
  if (p.has_residual && !p.in_place) free_matrix(&p.residual);
  return status == NETCL_OK;
}
