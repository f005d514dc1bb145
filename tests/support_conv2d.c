#include "support_conv2d.h"

#include <math.h>

/* An operand: a model for the reference and a tensor of the same elements. */
typedef struct Operand {
  Model model;
  netcl_tensor* tensor;
  netcl_tensor* base; /* all of its memory */
  unsigned char* storage;
  int64_t stored; /* elements of storage */
} Operand;

static int64_t or_one(int64_t value) { return value == 0 ? 1 : value; }

int64_t conv_out(const ConvCase* c, int axis) {
  const int64_t padded = c->size[axis] + c->padding[axis] + c->padding[axis + 2];
  return (padded - or_one(c->dilations[axis]) * (c->kernel[axis] - 1) - 1) /
             or_one(c->strides[axis]) +
         1;
}

int conv_winograd_fits(const ConvCase* c) {
  return c->kernel[0] == 3 && c->kernel[1] == 3 && or_one(c->strides[0]) == 1 &&
         or_one(c->strides[1]) == 1 && or_one(c->dilations[0]) == 1 &&
         or_one(c->dilations[1]) == 1 && or_one(c->groups) == 1;
}

static void choose_axes(ConvLayout layout, uint32_t* axes) {
  static const uint32_t last[4] = {0, 3, 1, 2};
  for (uint32_t d = 0; d < 4; ++d) axes[d] = layout == CONV_CHANNELS_LAST ? last[d] : d;
  if (layout != CONV_STRIDED) return;
  for (uint32_t d = 3; d > 0; --d) {
    const uint32_t other = (uint32_t)random_in(0, d), kept = axes[d];
    axes[d] = axes[other];
    axes[other] = kept;
  }
}

static Operand make_operand(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                            const int64_t* shape, ConvLayout layout, double magnitude) {
  Operand operand;
  int64_t stored[4];
  netcl_range ranges[4];
  uint32_t axes[4] = {0, 1, 2, 3};
  netcl_tensor* sliced = NULL;
  if (rank == 4) choose_axes(layout, axes);
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t extent = shape[d];
    const int64_t step = layout == CONV_STRIDED && random_in(0, 2) == 0 ? 2 : 1;
    stored[axes[d]] = extent * step;
    ranges[axes[d]] = (netcl_range){0, extent, step};
    if (layout == CONV_STRIDED && extent > 0 && random_in(0, 3) == 0) {
      ranges[axes[d]] = (netcl_range){(extent - 1) * step, extent, -step};
    }
  }
  const uint32_t repeated = layout == CONV_BROADCAST ? (uint32_t)random_in(0, rank - 1) : rank;
  if (repeated < rank && shape[repeated] > 0) {
    stored[repeated] = 1;
    ranges[repeated] = (netcl_range){0, 1, 1};
  }
  operand.stored = product(rank, stored);
  operand.storage = malloc((size_t)operand.stored * netcl_dtype_size(dtype) + 1);
  fill_random(dtype, operand.storage, operand.stored, magnitude);
  operand.base = make_tensor(fixture->device, dtype, rank, stored, operand.storage);
  Model model = model_packed(dtype, rank, stored, operand.storage);
  model = model_slice(&model, ranges);
  operand.model = model_permute(&model, axes);
  OK(netcl_tensor_slice(operand.base, ranges, rank, &sliced));
  OK(netcl_tensor_permute(sliced, axes, rank, &operand.tensor));
  netcl_tensor_release(sliced);
  if (repeated < rank && shape[repeated] > 0) {
    netcl_tensor* one = operand.tensor;
    operand.model = model_broadcast(&operand.model, rank, shape);
    OK(netcl_tensor_broadcast(one, rank, shape, &operand.tensor));
    netcl_tensor_release(one);
  }
  return operand;
}

static void free_operand(Operand* operand) {
  netcl_tensor_release(operand->tensor);
  netcl_tensor_release(operand->base);
  free(operand->storage);
}

static double* doubles_of(const Operand* operand) {
  const int64_t count = product(operand->model.rank, operand->model.shape);
  double* values = malloc((size_t)count * sizeof *values + 1);
  for (int64_t i = 0; i < count; ++i) {
    values[i] =
        load_double(operand->model.dtype, operand->model.data, model_index(&operand->model, i));
  }
  return values;
}

static double activated(const ConvCase* c, double x) {
  switch (c->activation) {
    case NETCL_ACTIVATION_RELU:
      return x > 0 ? x : 0;
    case NETCL_ACTIVATION_LEAKY_RELU:
      return x < 0 ? c->alpha * x : x;
    case NETCL_ACTIVATION_ELU:
      return x < 0 ? c->alpha * expm1(x) : x;
    case NETCL_ACTIVATION_SIGMOID:
      return 1 / (1 + exp(-x));
    case NETCL_ACTIVATION_TANH:
      return tanh(x);
    case NETCL_ACTIVATION_SILU:
      return x / (1 + exp(-x));
    case NETCL_ACTIVATION_GELU:
      return 0.5 * x * (1 + erf(x * sqrt(0.5)));
    case NETCL_ACTIVATION_GELU_TANH:
      return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
    case NETCL_ACTIVATION_SOFTPLUS:
      return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
    case NETCL_ACTIVATION_HARD_SIGMOID:
      return fmin(fmax(c->alpha * x + c->beta, 0), 1);
    case NETCL_ACTIVATION_HARD_SWISH:
      return x * fmin(fmax(x / 6 + 0.5, 0), 1);
    case NETCL_ACTIVATION_CLIP:
      return fmin(fmax(x, c->alpha), c->beta);
    default:
      return x;
  }
}

/* What a convolution is made of, in double precision. */
typedef struct Reference {
  const ConvCase* c;
  int64_t shape[4];
  double *x, *w, *residual, *bias, *scale, *shift, *mean, *variance;
  double largest_x;
  double* filter_sums; /* sum |w| of each filter */
} Reference;

/* The sum of one output, and the sum of its absolute products. */
static double sum_of(const Reference* r, int64_t n, int64_t f, int64_t oy, int64_t ox,
                     double* size) {
  const ConvCase* c = r->c;
  const int64_t channels = c->channels * or_one(c->groups);
  const int64_t first = f / c->filters * c->channels;
  double sum = 0;
  *size = 0;
  for (int64_t k = 0; k < c->channels; ++k) {
    for (int64_t ky = 0; ky < c->kernel[0]; ++ky) {
      const int64_t y = oy * or_one(c->strides[0]) - c->padding[0] + ky * or_one(c->dilations[0]);
      if (y < 0 || y >= c->size[0]) continue;
      for (int64_t kx = 0; kx < c->kernel[1]; ++kx) {
        const int64_t x = ox * or_one(c->strides[1]) - c->padding[1] + kx * or_one(c->dilations[1]);
        if (x < 0 || x >= c->size[1]) continue;
        const double term = r->x[((n * channels + first + k) * c->size[0] + y) * c->size[1] + x] *
                            r->w[((f * c->channels + k) * c->kernel[0] + ky) * c->kernel[1] + kx];
        sum += term;
        *size += fabs(term);
      }
    }
  }
  return sum;
}

/* Checks one element of the result. */
static void check_element(const Reference* r, int64_t at, double got) {
  const ConvCase* c = r->c;
  const int64_t ox = at % r->shape[3], oy = at / r->shape[3] % r->shape[2];
  const int64_t f = at / r->shape[3] / r->shape[2] % r->shape[1];
  const int64_t n = at / r->shape[3] / r->shape[2] / r->shape[1];
  const double eps = unit_roundoff(c->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  const double depth = (double)(c->channels * c->kernel[0] * c->kernel[1]);
  double size = 0;
  const double sum = sum_of(r, n, f, oy, ox, &size);
  double bound = 2 * depth * eps * size;
  if (c->variant == NETCL_VARIANT_CONV2D_WINOGRAD || c->variant == 0) {
    const double factor = c->tile == 2 ? 16 : 128;
    const double other = factor * eps * r->largest_x * r->filter_sums[f] * sqrt(depth);
    if (conv_winograd_fits(c) && other > bound) bound = other;
  }
  double scale = 1, value = sum, more = 0;
  if (r->bias != NULL) {
    value += r->bias[f];
    more += fabs(r->bias[f]);
  }
  if (r->mean != NULL) {
    scale = (r->scale != NULL ? r->scale[f] : 1) / sqrt(r->variance[f] + 1e-5);
    value = (value - r->mean[f]) * scale;
    more = (more + fabs(r->mean[f])) * fabs(scale);
    if (r->shift != NULL) {
      value += r->shift[f];
      more += fabs(r->shift[f]);
    }
  }
  if (r->residual != NULL) {
    value += r->residual[at];
    more += fabs(r->residual[at]);
  }
  bound = bound * fabs(scale) + 8 * eps * (fabs(scale * sum) + more);
  const double slope = 1.2 * fmax(1, fmax(fabs(c->alpha), c->activation == 3 ? 1 : 0));
  const double wanted = activated(c, value);
  bound = bound * slope + 8 * eps * (fabs(wanted) + (c->activation > 2 ? fmin(fabs(value), 1) : 0));
  bound += unit_roundoff(c->dtype) * (fabs(wanted) + bound) * 1.001 +
           (c->dtype == NETCL_F16   ? 0x1p-25
            : c->dtype == NETCL_F64 ? 0
                                    : 0x1p-126);
  if (fabs(got - wanted) <= bound) return;
  FAIL_WITH(
      "%s, %s tile %u: x [%lld, %lld x %lld, %lld, %lld], %lld filters per group of %lld x "
      "%lld, strides %lld %lld, dilations %lld %lld, padding %lld %lld %lld %lld, layouts %d "
      "%d %d, into %d, activation %d: element [%lld, %lld, %lld, %lld] is %.9g, expected "
      "%.9g within %.3g",
      netcl_dtype_name(c->dtype), netcl_variant_name(c->variant), c->tile, (long long)c->batch,
      (long long)or_one(c->groups), (long long)c->channels, (long long)c->size[0],
      (long long)c->size[1], (long long)c->filters, (long long)c->kernel[0],
      (long long)c->kernel[1], (long long)c->strides[0], (long long)c->strides[1],
      (long long)c->dilations[0], (long long)c->dilations[1], (long long)c->padding[0],
      (long long)c->padding[1], (long long)c->padding[2], (long long)c->padding[3], c->x_layout,
      c->w_layout, c->into_layout, c->into, c->activation, (long long)n, (long long)f,
      (long long)oy, (long long)ox, got, wanted, bound);
}

static void prepare_reference(Reference* r, const ConvCase* c, const Operand* x, const Operand* w) {
  const int64_t filters = c->filters * or_one(c->groups);
  const int64_t depth = c->channels * c->kernel[0] * c->kernel[1];
  const int64_t count = product(4, x->model.shape);
  memset(r, 0, sizeof *r);
  r->c = c;
  r->shape[0] = c->batch;
  r->shape[1] = filters;
  r->shape[2] = conv_out(c, 0);
  r->shape[3] = conv_out(c, 1);
  r->x = doubles_of(x);
  r->w = doubles_of(w);
  for (int64_t i = 0; i < count; ++i) r->largest_x = fmax(r->largest_x, fabs(r->x[i]));
  r->filter_sums = calloc((size_t)filters + 1, sizeof *r->filter_sums);
  for (int64_t i = 0; i < filters * depth; ++i) r->filter_sums[i / depth] += fabs(r->w[i]);
}

static void free_reference(Reference* r) {
  double* const all[] = {r->x,     r->w,    r->residual, r->bias,       r->scale,
                         r->shift, r->mean, r->variance, r->filter_sums};
  for (size_t i = 0; i < COUNT_OF(all); ++i) free(all[i]);
}

/* Tensors [filters] of the epilogue; tensor members that stay NULL are not used. */
typedef struct Extras {
  Operand bias, scale, shift, mean, variance, residual;
  netcl_epilogue epilogue;
  netcl_conv2d_batchnorm batchnorm;
} Extras;

static double* make_extra(Fixture* fixture, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                          Operand* operand, netcl_tensor** place) {
  *operand =
      make_operand(fixture, dtype, rank, shape, random_in(0, 1) ? CONV_STRIDED : CONV_C_ORDER, 2);
  *place = operand->tensor;
  return doubles_of(operand);
}

/* The dtype of a tensor [filters]. */
static netcl_dtype per_filter(const ConvCase* c) { return random_in(0, 1) ? NETCL_F32 : c->dtype; }

static void make_extras(Fixture* fixture, const ConvCase* c, Reference* r, Extras* extras,
                        const Operand* into) {
  const int64_t* filters = &r->shape[1];
  memset(extras, 0, sizeof *extras);
  extras->epilogue = (netcl_epilogue)NETCL_EPILOGUE_INIT;
  extras->batchnorm = (netcl_conv2d_batchnorm)NETCL_CONV2D_BATCHNORM_INIT;
  extras->epilogue.activation = c->activation;
  extras->epilogue.alpha = c->alpha;
  extras->epilogue.beta = c->beta;
  if (c->bias) {
    r->bias = make_extra(fixture, per_filter(c), 1, filters, &extras->bias, &extras->epilogue.bias);
  }
  if (c->batchnorm) {
    r->mean =
        make_extra(fixture, per_filter(c), 1, filters, &extras->mean, &extras->batchnorm.mean);
    /* Variances are not negative. */
    const netcl_dtype dtype = per_filter(c);
    extras->variance = make_operand(fixture, dtype, 1, filters, CONV_C_ORDER, 2);
    for (int64_t i = 0; i < *filters; ++i) {
      const double value = load_double(dtype, extras->variance.storage, i);
      store_double(dtype, extras->variance.storage, i, fabs(value) + 0.25);
    }
    OK(netcl_tensor_write(extras->variance.tensor, extras->variance.storage,
                          (uint64_t)*filters * netcl_dtype_size(dtype), NULL, NETCL_WAIT_FOREVER));
    extras->batchnorm.variance = extras->variance.tensor;
    r->variance = doubles_of(&extras->variance);
    if (c->batchnorm_full) {
      r->scale =
          make_extra(fixture, per_filter(c), 1, filters, &extras->scale, &extras->batchnorm.scale);
      r->shift =
          make_extra(fixture, per_filter(c), 1, filters, &extras->shift, &extras->batchnorm.bias);
    }
  }
  if (c->residual == 2 && c->into) {
    extras->epilogue.residual = into->tensor;
    r->residual = doubles_of(into);
  } else if (c->residual) {
    r->residual =
        make_extra(fixture, c->dtype, 4, r->shape, &extras->residual, &extras->epilogue.residual);
  }
}

static void free_extras(Extras* extras) {
  Operand* const all[] = {&extras->bias, &extras->scale,    &extras->shift,
                          &extras->mean, &extras->variance, &extras->residual};
  for (size_t i = 0; i < COUNT_OF(all); ++i) {
    if (all[i]->tensor != NULL) free_operand(all[i]);
  }
}

static void check_result(const Reference* r, const Operand* into, const netcl_tensor* result) {
  const netcl_tensor_info info = tensor_info(result);
  for (int d = 0; d < 4; ++d) {
    CHECK(info.shape[d] == r->shape[d], "extent %d of the result is %lld, not %lld", d,
          (long long)info.shape[d], (long long)r->shape[d]);
  }
  void* got = read_tensor(result);
  const int64_t count = product(4, r->shape);
  for (int64_t i = 0; i < count; ++i) check_element(r, i, load_double(r->c->dtype, got, i));
  if (into != NULL) {
    /* What lies between the elements of the result is as it was. */
    model_scatter(&into->model, got);
    CHECK_TENSOR(into->base, into->storage);
  }
  free(got);
}

int conv_check(Fixture* fixture, const ConvCase* c, int must_run) {
  const int64_t groups = or_one(c->groups);
  const int64_t x_shape[4] = {c->batch, groups * c->channels, c->size[0], c->size[1]};
  const int64_t w_shape[4] = {groups * c->filters, c->channels, c->kernel[0], c->kernel[1]};
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  Operand x = make_operand(fixture, c->dtype, 4, x_shape, c->x_layout, 1);
  Operand w = make_operand(fixture, c->dtype, 4, w_shape, c->w_layout, 1);
  Operand into;
  Reference reference;
  Extras extras;
  memset(&into, 0, sizeof into);
  prepare_reference(&reference, c, &x, &w);
  if (c->into) {
    into = make_operand(fixture, c->dtype, 4, reference.shape, c->into_layout, 3);
    run.into = into.tensor;
  }
  make_extras(fixture, c, &reference, &extras, &into);
  memcpy(options.strides, c->strides, sizeof options.strides);
  memcpy(options.dilations, c->dilations, sizeof options.dilations);
  memcpy(options.padding, c->padding, sizeof options.padding);
  options.groups = c->groups;
  options.variant = c->variant;
  options.winograd_tile = c->tile;
  options.epilogue = &extras.epilogue;
  if (c->batchnorm) options.batchnorm = &extras.batchnorm;
  const netcl_status status =
      netcl_op_conv2d(x.tensor, w.tensor, &options, &run, c->into ? NULL : &result);
  const int refused = status == NETCL_ERROR_UNSUPPORTED && !must_run;
  CHECK(status == NETCL_OK || refused, "%s: %s: %s", netcl_variant_name(c->variant),
        netcl_status_name(status), netcl_last_error_message());
  if (refused) {
    check_message(netcl_variant_name(c->variant), "netcl_op_conv2d", __FILE__, __LINE__);
  } else {
    check_result(&reference, c->into ? &into : NULL, c->into ? into.tensor : result);
  }
  netcl_tensor_release(result);
  free_extras(&extras);
  free_reference(&reference);
  free_operand(&x);
  free_operand(&w);
  if (c->into) free_operand(&into);
  return !refused;
}

ConvCase conv_random_case(int64_t most) {
  ConvCase c;
  memset(&c, 0, sizeof c);
  c.dtype = NETCL_F32;
  c.groups = random_in(0, 3) == 0 ? random_in(2, 4) : 0;
  c.batch = random_in(1, 3);
  c.channels = random_in(1, most);
  c.filters = random_in(1, most);
  for (int axis = 0; axis < 2; ++axis) {
    c.kernel[axis] = random_in(0, 1) ? 3 : random_in(1, 5);
    c.strides[axis] = random_in(0, 2) == 0 ? random_in(2, 3) : 0;
    c.dilations[axis] = random_in(0, 3) == 0 ? random_in(2, 3) : 0;
    c.padding[axis] = random_in(0, 4);
    c.padding[axis + 2] = random_in(0, 4);
    const int64_t least = or_one(c.dilations[axis]) * (c.kernel[axis] - 1) + 1 - c.padding[axis] -
                          c.padding[axis + 2];
    c.size[axis] = random_in(least > 1 ? least : 1, most + 6);
    if (c.size[axis] < least) c.size[axis] = least;
  }
  if (random_in(0, 2) == 0) {
    c.kernel[0] = c.kernel[1] = 3;
    memset(c.strides, 0, sizeof c.strides);
    memset(c.dilations, 0, sizeof c.dilations);
    c.groups = 0;
    for (int axis = 0; axis < 2; ++axis) {
      if (c.size[axis] + c.padding[axis] + c.padding[axis + 2] < 3) c.size[axis] = 3;
    }
  }
  return c;
}

void conv_randomise_extras(ConvCase* c) {
  c->x_layout = (ConvLayout)random_in(CONV_C_ORDER, CONV_BROADCAST);
  c->w_layout = (ConvLayout)random_in(CONV_C_ORDER, CONV_BROADCAST);
  c->into = (int)random_in(0, 1);
  c->into_layout = (ConvLayout)random_in(CONV_C_ORDER, CONV_STRIDED);
  c->bias = (int)random_in(0, 1);
  c->batchnorm = random_in(0, 2) == 0;
  c->batchnorm_full = (int)random_in(0, 1);
  c->residual = (int)random_in(0, 2);
  c->activation = (netcl_activation)random_in(NETCL_ACTIVATION_NONE, NETCL_ACTIVATION_CLIP);
  c->alpha = c->activation == NETCL_ACTIVATION_CLIP ? random_real(-2, 0) : random_real(0, 1);
  c->beta = random_real(0.25, 2);
}
