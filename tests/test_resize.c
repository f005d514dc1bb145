/* resize: nearest bit for bit, linear and cubic within the header's bound of matrices of weights in
 * double precision, made as the text of ONNX Resize makes them: from the neighbours of a coordinate
 * and its distance from the one before. */
#include <math.h>

#include "support_strided.h"

#define EXTENT_MOST 24

typedef struct Problem {
  netcl_dtype dtype;
  uint32_t rank;
  netcl_resize_options options;
  int64_t in[NETCL_RANK_MAX], out[NETCL_RANK_MAX]; /* in the call; -1 as there */
  double scales[NETCL_RANK_MAX], roi[2 * NETCL_RANK_MAX];
  int random_bits;
} Problem;

/* What a problem comes down to. */
typedef struct Answer {
  int64_t out[NETCL_RANK_MAX];
  double scales[NETCL_RANK_MAX];
  int64_t nearest[NETCL_RANK_MAX][EXTENT_MOST];
  int inside[NETCL_RANK_MAX][EXTENT_MOST];
  double weights[NETCL_RANK_MAX][EXTENT_MOST][EXTENT_MOST];
  double bound; /* 2 n A of the header */
  double sum;   /* its A */
} Answer;

static int changes(const Problem* p, const Answer* answer, uint32_t d) {
  if (p->in[d] != answer->out[d] || answer->scales[d] != 1) return 1;
  return p->options.coordinates == NETCL_RESIZE_TF_CROP_AND_RESIZE && p->options.roi_count != 0 &&
         (p->roi[d] != 0 || p->roi[p->rank + d] != 1);
}

static double coordinate(const Problem* p, const Answer* answer, uint32_t d, int64_t i) {
  const double in = (double)p->in[d], out = (double)answer->out[d], scale = answer->scales[d];
  const double half = ((double)i + 0.5) / scale - 0.5;
  switch (p->options.coordinates) {
    case NETCL_RESIZE_ASYMMETRIC:
      return (double)i / scale;
    case NETCL_RESIZE_ALIGN_CORNERS:
      return in * scale == 1 || i == 0 ? 0 : (double)i * (in - 1) / (in * scale - 1);
    case NETCL_RESIZE_HALF_PIXEL_SYMMETRIC:
      return in / 2 * (1 - out / (in * scale)) + half;
    case NETCL_RESIZE_PYTORCH_HALF_PIXEL:
      return out == 1 ? 0 : half;
    case NETCL_RESIZE_TF_CROP_AND_RESIZE: {
      const double start = p->options.roi_count != 0 ? p->roi[d] : 0;
      const double end = p->options.roi_count != 0 ? p->roi[p->rank + d] : 1;
      if (out == 1) return 0.5 * (start + end) * (in - 1);
      return start * (in - 1) + (double)i * (end - start) * (in - 1) / (out - 1);
    }
    default:
      return half;
  }
}

static double filter(const Problem* p, double x) {
  x = fabs(x);
  if (p->options.mode == NETCL_RESIZE_LINEAR) return x < 1 ? 1 - x : 0;
  double a = p->options.cubic_coeff;
  if (a == 0 && !p->options.has_cubic_coeff) a = -0.75;
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
}

static int64_t clamped(double place, int64_t extent) {
  return place <= 0 ? 0 : place >= (double)extent ? extent - 1 : (int64_t)place;
}

static void fill_weights(const Problem* p, Answer* answer, uint32_t d, int64_t i, double x) {
  double* const list = answer->weights[d][i];
  const double scale = p->options.antialias ? fmin(answer->scales[d], 1) : 1;
  const double base = ceil(x) - 1, ratio = x - base;
  const int reach = (int)ceil((p->options.mode == NETCL_RESIZE_CUBIC ? 2 : 1) / scale);
  double all = 0;
  for (int n = 1 - reach; n <= reach; ++n) {
    const double place = base + n, weight = filter(p, (n - ratio) * scale);
    if (p->options.exclude_outside && (place < 0 || place >= (double)p->in[d])) continue;
    list[clamped(place, p->in[d])] += weight;
    all += weight;
  }
  if (p->options.exclude_outside && fabs(all) < 1e-12) {
    memset(list, 0, sizeof answer->weights[d][i]);
    list[clamped(x, p->in[d])] = all = 1;
  }
  for (int64_t k = 0; k < p->in[d]; ++k) {
    if (p->options.antialias || p->options.exclude_outside) list[k] /= all;
  }
}

static Answer solve(const Problem* p) {
  static Answer answer;
  memset(&answer, 0, sizeof answer);
  answer.sum = 1;
  double count = 0;
  for (uint32_t d = 0; d < p->rank; ++d) {
    double part = 1, largest = 0, most = 0;
    if (p->options.coordinates == NETCL_RESIZE_TF_CROP_AND_RESIZE && p->options.roi_count != 0) {
      part = p->roi[p->rank + d] - p->roi[d];
    }
    answer.out[d] =
        p->out[d] == -1 ? (int64_t)floor((double)p->in[d] * part * p->scales[d]) : p->out[d];
    answer.scales[d] = p->options.scales_count != 0 ? p->scales[d]
                       : p->in[d] == 0              ? 1
                                                    : (double)answer.out[d] / (double)p->in[d];
    const int changed = changes(p, &answer, d);
    for (int64_t i = 0; i < answer.out[d]; ++i) {
      const double x = changed ? coordinate(p, &answer, d, i) : (double)i;
      /* Whole and half numbers count as such. */
      const double near = round(x * 0x1p30) / 0x1p30;
      answer.inside[d][i] = p->options.coordinates != NETCL_RESIZE_TF_CROP_AND_RESIZE ||
                            (near >= 0 && near <= (double)(p->in[d] - 1));
      const double rounded[] = {ceil(near - 0.5), floor(near + 0.5), floor(near), ceil(near)};
      answer.nearest[d][i] = clamped(rounded[p->options.rounding], p->in[d]);
      if (p->options.mode == NETCL_RESIZE_NEAREST) continue;
      fill_weights(p, &answer, d, i, near == round(near) ? near : x);
      double sum = 0, taps = 0;
      for (int64_t k = 0; k < p->in[d]; ++k) {
        sum += fabs(answer.weights[d][i][k]);
        taps += answer.weights[d][i][k] != 0;
      }
      largest = fmax(largest, sum);
      most = fmax(most, taps);
    }
    if (!changed) continue;
    count += 2 + most;
    answer.sum *= largest;
  }
  answer.bound = 2 * count * answer.sum;
  return answer;
}

/* The sum over dimensions from d on; `from` has the places of those before. */
static double weighed(const Problem* p, const Answer* answer, const void* x, const int64_t* at,
                      int64_t* from, uint32_t d) {
  if (d == p->rank) return load_double(p->dtype, x, ravel(p->rank, p->in, from));
  double sum = 0;
  for (int64_t k = 0; k < p->in[d]; ++k) {
    const double weight = answer->weights[d][at[d]][k];
    from[d] = k;
    if (weight != 0) sum += weight * weighed(p, answer, x, at, from, d + 1);
  }
  return sum;
}

static double least(netcl_dtype dtype) {
  const int bits = 8 * (int)netcl_dtype_size(dtype) - 1;
  return is_float_dtype(dtype) ? -INFINITY : is_signed_dtype(dtype) ? -ldexp(1, bits) : 0;
}
static double most(netcl_dtype dtype) {
  const int bits = 8 * (int)netcl_dtype_size(dtype) - is_signed_dtype(dtype);
  return is_float_dtype(dtype) ? INFINITY : dtype == NETCL_BOOL ? 1 : ldexp(1, bits) - 1;
}

static void check_values(const Problem* p, const Answer* answer, const void* x, const void* y,
                         double largest) {
  const int64_t total = product(p->rank, answer->out);
  const size_t size = netcl_dtype_size(p->dtype);
  for (int64_t i = 0; i < total; ++i) {
    int64_t at[NETCL_RANK_MAX], from[NETCL_RANK_MAX];
    int inside = 1;
    unravel(p->rank, answer->out, i, at);
    for (uint32_t d = 0; d < p->rank; ++d) {
      inside = inside && answer->inside[d][at[d]];
      from[d] = answer->nearest[d][at[d]];
    }
    if (p->options.mode == NETCL_RESIZE_NEAREST && inside) {
      const int64_t place = ravel(p->rank, p->in, from);
      CHECK(memcmp((const char*)y + (size_t)i * size, (const char*)x + (size_t)place * size,
                   size) == 0,
            "element %lld is not element %lld of x", (long long)i, (long long)place);
      continue;
    }
    double wanted = inside ? weighed(p, answer, x, at, from, 0) : p->options.extrapolation_value;
    wanted = fmin(fmax(wanted, least(p->dtype)), most(p->dtype));
    const double got = load_double(p->dtype, y, i);
    /* Smaller floats are weighed in f32 and rounded once; the weights of f64 have errors of their
     * own, by the coordinates. */
    double bound = inside ? answer->bound * 0x1p-24 * largest : 0;
    if (p->dtype == NETCL_F64)
      bound = inside ? (answer->bound + 64 * answer->sum * answer->sum) * 0x1p-52 * largest : 0;
    if (!is_float_dtype(p->dtype)) {
      /* Those of 64 bits are weighed in f64. */
      const double own = inside && size == 8 ? 64 * answer->sum * answer->sum * 0x1p-52 : 0;
      bound += 0.5 + own * largest;
    } else if (p->dtype != NETCL_F64 && (size == 2 || !inside)) {
      bound += unit_roundoff(p->dtype) * fabs(wanted) + 0x1p-25;
    }
    CHECK(fabs(got - wanted) <= bound,
          "%s element %lld is %.17g, not %.17g: off by %g, more than %g (mode %d, coordinates %d)",
          netcl_dtype_name(p->dtype), (long long)i, got, wanted, fabs(got - wanted), bound,
          p->options.mode, p->options.coordinates);
  }
}

static void check_resize(Fixture* fixture, const Problem* given) {
  if (given->dtype == NETCL_F64 && !fixture->capabilities.fp64) return;
  Problem problem = *given;
  Problem* const p = &problem;
  p->options.struct_size = sizeof p->options;
  p->options.scales = p->scales;
  p->options.roi = p->roi;
  const Answer answer = solve(p);
  const int64_t count = product(p->rank, p->in);
  void* x = malloc((size_t)count * 8 + 1);
  double largest = 0;
  if (p->options.mode == NETCL_RESIZE_NEAREST || p->random_bits) {
    fill_bits(p->dtype, x, count);
  } else {
    fill_random(p->dtype, x, count, 100);
  }
  for (int64_t i = 0; p->options.mode != NETCL_RESIZE_NEAREST && i < count; ++i) {
    largest = fmax(largest, fabs(load_double(p->dtype, x, i)));
  }
  Strided source = make_strided(fixture->device, p->dtype, p->rank, p->in, x);
  Strided target = make_strided(fixture->device, p->dtype, p->rank, answer.out, NULL);
  netcl_tensor *packed = make_tensor(fixture->device, p->dtype, p->rank, p->in, x), *result = NULL;
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_resize(source.view, p->rank, p->out, &p->options, &run, NULL));
  void* strided = read_tensor(target.view);
  check_values(p, &answer, x, strided, largest);
  CHECK_STRIDED(&target, strided);
  OK(netcl_op_resize(packed, p->rank, p->out, &p->options, NULL, &result));
  void* whole = read_tensor(result);
  check_values(p, &answer, x, whole, largest);
  free(strided);
  free(whole);
  netcl_tensor_release(result);
  netcl_tensor_release(packed);
  release_strided(&source);
  release_strided(&target);
  free(x);
}

static void images(void** state) {
  Fixture* fixture = *state;
  static const Problem kForms[] = {
      {.rank = 4, .in = {2, 3, 7, 9}, .out = {2, 3, 15, 22}},
      {.rank = 3, .in = {9, 8, 5}, .out = {4, 8, 5}},
      {.rank = 3, .in = {3, 8, 11}, .out = {3, 16, 5}},
      {.rank = 2, .in = {1, 5}, .out = {7, 1}},
      {.rank = 3, .in = {4, 5, 6}, .out = {7, 3, 11}},
      {.rank = 2, .in = {4, 5}, .out = {4, 5}},
      {.rank = 2, .in = {4, 5}, .out = {0, 5}},
      {.rank = 2, .in = {0, 5}, .out = {0, 8}},
      {.rank = 0},
  };
  int turn = 0;
  for (netcl_resize_mode mode = NETCL_RESIZE_NEAREST; mode <= NETCL_RESIZE_CUBIC; ++mode) {
    for (netcl_resize_coordinates how = 0; how <= NETCL_RESIZE_TF_CROP_AND_RESIZE; ++how) {
      for (size_t f = 0; f < COUNT_OF(kForms); ++f) {
        Problem p = kForms[f];
        p.options.mode = mode;
        p.options.coordinates = how;
        p.dtype = kDtypes[turn++ % DTYPES];
        if (left_out(fixture, 8)) continue;
        check_resize(fixture, &p);
      }
    }
  }
}

static void dtypes(void** state) {
  Fixture* fixture = *state;
  for (netcl_resize_mode mode = NETCL_RESIZE_NEAREST; mode <= NETCL_RESIZE_CUBIC; ++mode) {
    for (size_t t = 0; t < DTYPES; ++t) {
      Problem p = {.dtype = kDtypes[t], .rank = 2, .in = {6, 7}, .out = {9, 4}};
      p.options.mode = mode;
      p.random_bits = !is_float_dtype(p.dtype);
      check_resize(fixture, &p);
      p.options.antialias = 1;
      p.options.coordinates = NETCL_RESIZE_TF_CROP_AND_RESIZE;
      p.options.extrapolation_value = t % 2 || is_float_dtype(p.dtype) ? 2.5 : -1e30;
      p.options.roi_count = 4;
      p.roi[0] = -0.5, p.roi[1] = 0.25, p.roi[2] = 0.75, p.roi[3] = 1.5;
      check_resize(fixture, &p);
    }
  }
}

/* A scale that is a fraction of small numbers of two has coordinates without rounding. */
static double random_scale(void) {
  return random_in(0, 1) ? (double)random_in(2, 20) / 8 : random_real(0.2, 2.5);
}

static void random_problems(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    Problem p = {.dtype = kDtypes[random_in(0, DTYPES - 1)], .rank = (uint32_t)random_in(1, 4)};
    netcl_resize_options* const o = &p.options;
    o->mode = (netcl_resize_mode)random_in(0, 2);
    o->coordinates = (netcl_resize_coordinates)random_in(0, 5);
    o->rounding = (netcl_resize_rounding)random_in(0, 3);
    o->antialias = random_in(0, 1);
    o->exclude_outside = random_in(0, 1);
    o->has_cubic_coeff = random_in(0, 1);
    o->cubic_coeff = random_in(0, 1) ? 0 : random_real(-1, 0.5);
    o->extrapolation_value = (double)random_in(-3, 200);
    o->scales_count = random_in(0, 1) ? p.rank : 0;
    o->roi_count = random_in(0, 2) ? 2 * p.rank : 0;
    p.random_bits = !is_float_dtype(p.dtype) && random_in(0, 1);
    for (uint32_t d = 0; d < p.rank; ++d) {
      p.in[d] = random_in(1, 7);
      p.out[d] = random_in(0, 2) == 0 ? p.in[d] : random_in(1, 9);
      p.scales[d] = random_in(0, 3) ? random_scale() : 1;
      if (o->scales_count != 0 && random_in(0, 1)) p.out[d] = -1;
      p.roi[d] = (double)random_in(-4, 6) / 8;
      p.roi[p.rank + d] = p.roi[d] + (double)random_in(0, 8) / 8;
    }
    if (left_out(fixture, 10)) continue;
    check_resize(fixture, &p);
  }
}

static void mistakes(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 3}, negative[] = {4, -3}, open[] = {4, -1}, none[] = {0, 3};
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_tensor *x = NULL, *empty = NULL, *result = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, none, NULL, NULL, &empty));
  const netcl_run_options into_x = run_into(x);
#define RESIZES(status, text, tensor, shape, ...)                                   \
  do {                                                                              \
    netcl_resize_options o = NETCL_RESIZE_OPTIONS_INIT;                             \
    __VA_ARGS__;                                                                    \
    FAILS_WITH(status, text, netcl_op_resize(tensor, 2, shape, &o, NULL, &result)); \
  } while (0)
  double scales[] = {2, 2}, roi[] = {0, 0, 1, 1};
  FAILS_WITH(bad, "rank is 1; x has rank 2", netcl_op_resize(x, 1, shape, NULL, NULL, &result));
  RESIZES(bad, "shape[1] is -3", x, negative, );
  RESIZES(bad, "shape is NULL", x, NULL, );
  RESIZES(bad, "shape[1] is -1 and options->scales is empty", x, open, );
  RESIZES(bad, "options->mode is 3; it is 0 to 2", x, shape, o.mode = 3);
  RESIZES(bad, "options->coordinates is 6; it is 0 to 5", x, shape, o.coordinates = 6);
  RESIZES(bad, "options->rounding is 4; it is 0 to 3", x, shape, o.rounding = 4);
  RESIZES(bad, "options->antialias is 2", x, shape, o.antialias = 2);
  RESIZES(bad, "options->exclude_outside is 3", x, shape, o.exclude_outside = 3);
  RESIZES(bad, "options->has_cubic_coeff is 2", x, shape, o.has_cubic_coeff = 2);
  RESIZES(bad, "options->cubic_coeff is inf", x, shape, o.cubic_coeff = INFINITY);
  RESIZES(bad, "options->scales_count is 1; it is 0 or 2", x, shape,
          (o.scales = scales, o.scales_count = 1));
  RESIZES(bad, "options->scales is NULL", x, shape, o.scales_count = 2);
  RESIZES(bad, "options->roi_count is 2; it is 0 or 4", x, shape, (o.roi = roi, o.roi_count = 2));
  RESIZES(bad, "options->roi is NULL", x, shape, o.roi_count = 4);
  scales[1] = -2;
  RESIZES(bad, "options->scales[1] is -2", x, shape, (o.scales = scales, o.scales_count = 2));
  scales[1] = NAN;
  RESIZES(bad, "options->scales[1] is ", x, shape, (o.scales = scales, o.scales_count = 2));
  scales[1] = 1e30;
  RESIZES(bad, "options->scales[1] is 1e+30", x, open, (o.scales = scales, o.scales_count = 2));
  scales[1] = 1e-9;
  RESIZES(NETCL_ERROR_UNSUPPORTED, "weights; there are at most 67108864", x, shape,
          (o.scales = scales, o.scales_count = 2, o.mode = NETCL_RESIZE_CUBIC, o.antialias = 1));
  roi[3] = INFINITY;
  RESIZES(bad, "options->roi[3] is inf", x, shape,
          (o.roi = roi, o.roi_count = 4, o.coordinates = NETCL_RESIZE_TF_CROP_AND_RESIZE));
  RESIZES(bad, "x has shape [0, 3], which is empty; shape is [4, 3]", empty, shape, );
  FAILS_WITH(bad, "shares its memory with x", netcl_op_resize(x, 2, shape, NULL, &into_x, NULL));
  assert_null(result);
  netcl_tensor_release(x);
  netcl_tensor_release(empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(images),     DEVICE_TEST(dtypes),     DEVICE_TEST(random_problems),
      DEVICE_TEST(mistakes),   DEVICE_TEST(as_kernels),
  };
  seed_random("resize");
  return cmocka_run_group_tests_name("resize", tests, NULL, NULL);
}
