#include "support_conv2d_variants.h"

#include <math.h>
#include <stdio.h>

static int64_t element_size(netcl_dtype dtype) {
  return dtype == NETCL_F64 ? 8 : dtype == NETCL_F32 ? 4 : 2;
}

/* Layout 0: C order; 1: dimension 1 innermost; 2: any order, with gaps and from the end. */
static Operand make_operand(Fixture* fixture, netcl_dtype dtype, const int64_t* shape, int layout,
                            double magnitude) {
  static const uint32_t kOrders[3][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {2, 0, 3, 1}};
  Operand operand;
  int64_t physical[4], count = product(4, shape);
  netcl_range ranges[4];
  netcl_tensor* permuted = NULL;
  memset(&operand, 0, sizeof operand);
  for (int d = 0; d < 4; ++d) {
    const uint32_t at = kOrders[layout][d];
    const int gap = layout == 2 && shape[d] > 0;
    const int64_t step = gap ? (d == 3 ? -1 : d == 1 ? 2 : 1) : 1;
    physical[at] = gap ? shape[d] * (step < 0 ? -step : step) + 1 : shape[d];
    ranges[d].extent = shape[d];
    ranges[d].step = step;
    ranges[d].start = step < 0 ? physical[at] - 1 : gap ? 1 : 0;
  }
  operand.elements = product(4, physical);
  operand.memory = malloc((size_t)(operand.elements * element_size(dtype)) + 1);
  operand.values = malloc((size_t)(count * element_size(dtype)) + 1);
  memset(operand.memory, POISON, (size_t)(operand.elements * element_size(dtype)));
  fill_random(dtype, operand.values, count, magnitude);
  const Model packed = model_packed(dtype, 4, physical, operand.memory);
  const Model turned = model_permute(&packed, kOrders[layout]);
  operand.view = model_slice(&turned, ranges);
  operand.reals = malloc((size_t)count * sizeof(double) + 1);
  for (int64_t i = 0; i < count; ++i) operand.reals[i] = load_double(dtype, operand.values, i);
  if (magnitude > 0) model_scatter(&operand.view, operand.values);
  operand.base = make_tensor(fixture->device, dtype, 4, physical, operand.memory);
  OK(netcl_tensor_permute(operand.base, kOrders[layout], 4, &permuted));
  OK(netcl_tensor_slice(permuted, ranges, 4, &operand.tensor));
  netcl_tensor_release(permuted);
  return operand;
}

void drop_conv2d_operand(Operand* operand) {
  netcl_tensor_release(operand->base);
  netcl_tensor_release(operand->tensor);
  free(operand->memory);
  free(operand->values);
  free(operand->reals);
}

/* A tensor of one element per filter; with stride 2 when asked for. */
static Operand make_vector(Fixture* fixture, netcl_dtype dtype, int64_t count, double low,
                           double high) {
  Operand operand;
  const int64_t doubled = 2 * count;
  const netcl_range range = {0, count, 2};
  memset(&operand, 0, sizeof operand);
  operand.memory = malloc((size_t)(doubled * element_size(dtype)));
  operand.values = malloc((size_t)(count * element_size(dtype)));
  for (int64_t i = 0; i < doubled; ++i) {
    store_double(dtype, operand.memory, i, random_real(low, high));
    if (i % 2 == 0) {
      store_double(dtype, operand.values, i / 2, load_double(dtype, operand.memory, i));
    }
  }
  operand.base = make_tensor(fixture->device, dtype, 1, &doubled, operand.memory);
  OK(netcl_tensor_slice(operand.base, &range, 1, &operand.tensor));
  return operand;
}

static const char* describe(const Case* c) {
  static char text[400];
  snprintf(text, sizeof text,
           "%s m=%u dtype %d: x %lldx(%lldx%lld)x%lldx%lld, w %lldx%lldx%lld, strides %lld,%lld, "
           "dilations %lld,%lld, padding %lld,%lld,%lld,%lld, epilogue %d, layouts %d%d%d",
           netcl_variant_name(c->variant), c->winograd_tile, c->dtype, (long long)c->batch,
           (long long)c->groups, (long long)c->channels, (long long)c->height, (long long)c->width,
           (long long)(c->filters * c->groups), (long long)c->kernel[0], (long long)c->kernel[1],
           (long long)c->strides[0], (long long)c->strides[1], (long long)c->dilations[0],
           (long long)c->dilations[1], (long long)c->padding[0], (long long)c->padding[1],
           (long long)c->padding[2], (long long)c->padding[3], c->epilogue, c->layouts[0],
           c->layouts[1], c->layouts[2]);
  return text;
}

typedef struct Sum {
  double value;
  double magnitude; /* sum |x| |w| */
} Sum;

static Sum reference_sum(const Case* c, const Operand* o, int64_t n, int64_t f, int64_t row,
                         int64_t column) {
  Sum sum = {0, 0};
  const int64_t group = f / c->filters;
  for (int64_t k = 0; k < c->channels; ++k) {
    for (int64_t i = 0; i < c->kernel[0]; ++i) {
      for (int64_t j = 0; j < c->kernel[1]; ++j) {
        const int64_t down = row * c->strides[0] + i * c->dilations[0] - c->padding[0];
        const int64_t across = column * c->strides[1] + j * c->dilations[1] - c->padding[1];
        if (down < 0 || down >= c->height || across < 0 || across >= c->width) continue;
        const int64_t at =
            ((n * c->groups * c->channels + group * c->channels + k) * c->height + down) *
                c->width +
            across;
        const int64_t weight = ((f * c->channels + k) * c->kernel[0] + i) * c->kernel[1] + j;
        const double term = o[X].reals[at] * o[W].reals[weight];
        sum.value += term;
        sum.magnitude += fabs(term);
      }
    }
  }
  return sum;
}

/* The header's bound for a sum. */
static double bound_of(const Case* c, const Operand* o, const Sum* sum, int64_t f, double largest) {
  const double eps = unit_roundoff(c->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  const int64_t depth = c->channels * c->kernel[0] * c->kernel[1];
  double bound = 2.0 * (double)depth * eps * sum->magnitude;
  if (c->variant == NETCL_VARIANT_CONV2D_WINOGRAD ||
      (c->variant == 0 && c->kernel[0] == 3 && c->kernel[1] == 3)) {
    double weights = 0;
    for (int64_t i = 0; i < depth; ++i) {
      weights += fabs(o[W].reals[f * depth + i]);
    }
    const double winograd =
        (c->winograd_tile == 2 ? 16 : 128) * eps * largest * weights * sqrt((double)depth);
    bound = c->variant == 0 ? fmax(bound, winograd) : winograd;
  }
  return bound;
}

/* What follows the sum, and the bound that comes out of it. */
static double finish(const Case* c, const Operand* o, double sum, double* bound, int64_t f,
                     int64_t at) {
  const double eps = unit_roundoff(c->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  double size = fabs(sum);
  if (c->epilogue == 1) {
    const double bias = load_double(c->dtype, o[BIAS].values, f);
    *bound += 2 * eps * (size + fabs(bias));
    return fmax(sum + bias, 0);
  }
  if (c->epilogue == 2) {
    const double scale = load_double(c->dtype, o[BN_SCALE].values, f) /
                         sqrt(load_double(c->dtype, o[BN_VARIANCE].values, f) + 1e-5);
    const double mean = load_double(c->dtype, o[BN_MEAN].values, f);
    const double bias = load_double(c->dtype, o[BN_BIAS].values, f);
    const double residual = load_double(c->dtype, o[RESIDUAL].values, at);
    size = (size + fabs(mean)) * fabs(scale) + fabs(bias) + fabs(residual);
    const double value = (sum - mean) * scale + bias + residual;
    const double gate = fmin(fmax(value / 6 + 0.5, 0), 1);
    *bound = 1.5 * (*bound * fabs(scale) + 16 * eps * size) + 4 * eps * fabs(value);
    return value * gate;
  }
  return sum;
}

static double largest_of(const Case* c, const Operand* x) {
  double largest = 0;
  const int64_t count = c->batch * c->groups * c->channels * c->height * c->width;
  for (int64_t i = 0; i < count; ++i) {
    largest = fmax(largest, fabs(x->reals[i]));
  }
  return largest;
}

static void check_result(const Case* c, const Operand* o, netcl_tensor* result) {
  void* got = read_tensor(result);
  const double largest = largest_of(c, &o[X]);
  int64_t at = 0;
  for (int64_t n = 0; n < c->batch; ++n) {
    for (int64_t f = 0; f < c->filters * c->groups; ++f) {
      for (int64_t row = 0; row < c->out[0]; ++row) {
        for (int64_t column = 0; column < c->out[1]; ++column, ++at) {
          const Sum sum = reference_sum(c, o, n, f, row, column);
          double bound = bound_of(c, o, &sum, f, largest);
          const double wanted = finish(c, o, sum.value, &bound, f, at);
          const double value = load_double(c->dtype, got, at);
          /* Rounding to the result's dtype; the least normal f16 is 2^-14. */
          bound += unit_roundoff(c->dtype) * (fabs(wanted) + bound) + ldexp(1, -25);
          CHECK(fabs(value - wanted) <= bound,
                "%s: y[%lld, %lld, %lld, %lld] is %.9g, should be %.9g within %.3g", describe(c),
                (long long)n, (long long)f, (long long)row, (long long)column, value, wanted,
                bound);
        }
      }
    }
  }
  free(got);
}

/* Nothing but the result's elements changed in the memory that it lies in. */
static void check_gaps(const Case* c, Operand* y) {
  unsigned char* now = read_tensor(y->base);
  unsigned char* values = read_tensor(y->tensor);
  model_scatter(&y->view, values);
  CHECK(memcmp(now, y->memory, (size_t)(y->elements * element_size(c->dtype))) == 0,
        "%s: wrote between the result's elements", describe(c));
  free(values);
  free(now);
}

void make_conv2d_operands(Fixture* fixture, const Case* c, Operand* o) {
  const int64_t filters = c->filters * c->groups;
  const int64_t x[] = {c->batch, c->groups * c->channels, c->height, c->width};
  const int64_t w[] = {filters, c->channels, c->kernel[0], c->kernel[1]};
  const int64_t y[] = {c->batch, filters, c->out[0], c->out[1]};
  memset(o, 0, TENSORS * sizeof *o);
  o[X] = make_operand(fixture, c->dtype, x, c->layouts[0], 1);
  o[W] = make_operand(fixture, c->dtype, w, c->layouts[1], 1);
  o[Y] = make_operand(fixture, c->dtype, y, c->layouts[2], c->in_place ? 2 : 0);
  if (c->epilogue == 1) o[BIAS] = make_vector(fixture, c->dtype, filters, -1, 1);
  if (c->epilogue != 2) return;
  o[RESIDUAL] = c->in_place ? o[Y] : make_operand(fixture, c->dtype, y, c->layouts[0], 2);
  o[BN_SCALE] = make_vector(fixture, c->dtype, filters, -2, 2);
  o[BN_BIAS] = make_vector(fixture, c->dtype, filters, -1, 1);
  o[BN_MEAN] = make_vector(fixture, c->dtype, filters, -1, 1);
  o[BN_VARIANCE] = make_vector(fixture, c->dtype, filters, 0.25, 2);
}

void run_conv2d_case(Fixture* fixture, Case* c) {
  Operand o[TENSORS];
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_conv2d_batchnorm batchnorm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  if (c->dtype == NETCL_F64 && !fixture->capabilities.fp64) return;
  for (int i = 0; i < 2; ++i) {
    c->out[i] = ((i ? c->width : c->height) + c->padding[i] + c->padding[i + 2] -
                 c->dilations[i] * (c->kernel[i] - 1) - 1) /
                    c->strides[i] +
                1;
    options.strides[i] = c->strides[i];
    options.dilations[i] = c->dilations[i];
  }
  c->in_place = c->in_place && c->epilogue == 2;
  make_conv2d_operands(fixture, c, o);
  memcpy(options.padding, c->padding, sizeof c->padding);
  options.groups = c->groups;
  options.variant = c->variant;
  options.winograd_tile = c->winograd_tile;
  if (c->epilogue) options.epilogue = &epilogue;
  epilogue.bias = o[BIAS].tensor;
  epilogue.residual = o[RESIDUAL].tensor;
  epilogue.activation = c->epilogue == 1 ? NETCL_ACTIVATION_RELU : NETCL_ACTIVATION_HARD_SWISH;
  batchnorm.scale = o[BN_SCALE].tensor;
  batchnorm.bias = o[BN_BIAS].tensor;
  batchnorm.mean = o[BN_MEAN].tensor;
  batchnorm.variance = o[BN_VARIANCE].tensor;
  if (c->epilogue == 2) options.batchnorm = &batchnorm;
  run.into = o[Y].tensor;
  OK(netcl_op_conv2d(o[X].tensor, o[W].tensor, &options, &run, NULL));
  check_result(c, o, o[Y].tensor);
  check_gaps(c, &o[Y]);
  for (int i = 0; i < TENSORS; ++i) {
    if (o[i].tensor != NULL && !(i == RESIDUAL && c->in_place)) drop_conv2d_operand(&o[i]);
  }
}
