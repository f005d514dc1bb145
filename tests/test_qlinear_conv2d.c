/* Convolutions of integers, and of quantised images, against exact sums over every window. */
#include <stdio.h>

#include "support_graph.h"
#include "support_quantization.h"

typedef struct Conv {
  netcl_dtype x, w, y;
  int64_t n, c, h, wide, f, kh, kw, oh, ow;  /* c and f of all groups */
  int64_t strides[2], dilations[2], padding[4], groups;
  int zero_x, zero_w;  /* 0: none; of w 1: one for all, 2: one for each filter */
} Conv;

static int64_t out_extent(int64_t size, int64_t pads, int64_t kernel, int64_t dilation,
                          int64_t stride) {
  return (size + pads - dilation * (kernel - 1) - 1) / stride + 1;
}

static Conv random_conv(int64_t most) {
  Conv c;
  memset(&c, 0, sizeof c);
  c.x = ANY_OF(kByteDtypes);
  c.w = ANY_OF(kByteDtypes);
  c.y = ANY_OF(kByteDtypes);
  c.groups = random_in(0, 1) ? 1 : random_in(1, 3);
  c.n = random_in(1, 3);
  c.c = c.groups * random_in(1, 4);
  c.f = c.groups * random_in(1, 4);
  c.kh = random_in(1, 3);
  c.kw = random_in(1, 3);
  if (random_in(0, 3) == 0) c.kh = c.kw = 1;
  for (int i = 0; i < 2; ++i) {
    c.strides[i] = random_in(0, 1) ? 1 : random_in(1, 3);
    c.dilations[i] = random_in(0, 1) ? 1 : random_in(1, 2);
  }
  for (int i = 0; i < 4; ++i) c.padding[i] = random_in(0, 1) ? 0 : random_in(0, 3);
  c.h = c.dilations[0] * (c.kh - 1) + random_in(1, most);
  c.wide = c.dilations[1] * (c.kw - 1) + random_in(1, most);
  c.oh = out_extent(c.h, c.padding[0] + c.padding[2], c.kh, c.dilations[0], c.strides[0]);
  c.ow = out_extent(c.wide, c.padding[1] + c.padding[3], c.kw, c.dilations[1], c.strides[1]);
  c.zero_x = (int)random_in(0, 1);
  c.zero_w = (int)random_in(0, 2);
  return c;
}

typedef struct Data {
  unsigned char *x, *w, *zero_w, zero_x[8];
  int32_t *sums;
  Strided x_tensor, w_tensor, zero_w_tensor;
  netcl_tensor *zero_x_tensor;
} Data;

static int64_t window_sum(const Conv *c, const Data *d, int64_t n, int64_t f, int64_t oy,
                          int64_t ox) {
  const int64_t each = c->c / c->groups, group = f / (c->f / c->groups);
  const int64_t zero_x = c->zero_x ? whole_number(c->x, d->zero_x, 0) : 0;
  const int64_t zero_w =
      c->zero_w == 0 ? 0 : whole_number(c->w, d->zero_w, c->zero_w == 1 ? 0 : f);
  int64_t sum = 0;
  for (int64_t i = 0; i < each * c->kh * c->kw; ++i) {
    const int64_t channel = i / (c->kh * c->kw), ky = i / c->kw % c->kh, kx = i % c->kw;
    const int64_t y = oy * c->strides[0] + ky * c->dilations[0] - c->padding[0];
    const int64_t x = ox * c->strides[1] + kx * c->dilations[1] - c->padding[1];
    if (y < 0 || y >= c->h || x < 0 || x >= c->wide) continue;
    const int64_t at = ((n * c->c + group * each + channel) * c->h + y) * c->wide + x;
    sum += (whole_number(c->x, d->x, at) - zero_x) *
           (whole_number(c->w, d->w, f * each * c->kh * c->kw + i) - zero_w);
  }
  return sum;
}

static Data make_data(Fixture *fixture, const Conv *c) {
  const int64_t x_shape[4] = {c->n, c->c, c->h, c->wide};
  const int64_t w_shape[4] = {c->f, c->c / c->groups, c->kh, c->kw};
  const int64_t count = c->n * c->f * c->oh * c->ow;
  Data d;
  memset(&d, 0, sizeof d);
  d.x = malloc((size_t)product(4, x_shape) + 1);
  d.w = malloc((size_t)product(4, w_shape) + 1);
  d.zero_w = malloc((size_t)c->f + 1);
  d.sums = malloc((size_t)count * sizeof *d.sums + 1);
  fill_whole(c->x, d.x, product(4, x_shape));
  fill_whole(c->w, d.w, product(4, w_shape));
  fill_whole(c->w, d.zero_w, c->f);
  fill_whole(c->x, d.zero_x, 1);
  d.x_tensor = make_strided(fixture->device, c->x, 4, x_shape, d.x);
  d.w_tensor = make_strided(fixture->device, c->w, 4, w_shape, d.w);
  if (c->zero_x) {
    d.zero_x_tensor = one_number(fixture, c->x, (double)whole_number(c->x, d.zero_x, 0));
  }
  if (c->zero_w == 1) {
    d.zero_w_tensor.view = one_number(fixture, c->w, (double)whole_number(c->w, d.zero_w, 0));
  } else if (c->zero_w == 2) {
    d.zero_w_tensor = make_strided(fixture->device, c->w, 1, &c->f, d.zero_w);
  }
  for (int64_t i = 0; i < count; ++i) {
    d.sums[i] = (int32_t)window_sum(c, &d, i / (c->f * c->oh * c->ow),
                                    i / (c->oh * c->ow) % c->f, i / c->ow % c->oh, i % c->ow);
  }
  return d;
}

static void free_data(Data *d) {
  release_strided(&d->x_tensor);
  release_strided(&d->w_tensor);
  release_strided(&d->zero_w_tensor);
  netcl_tensor_release(d->zero_x_tensor);
  free(d->x);
  free(d->w);
  free(d->zero_w);
  free(d->sums);
}

static const char *shown(const Conv *c) {
  static char text[300];
  snprintf(text, sizeof text,
           "%s by %s, [%lld, %lld, %lld, %lld] with %lld filters of %lldx%lld, strides %lld %lld, "
           "dilations %lld %lld, padding %lld %lld %lld %lld, groups %lld",
           netcl_dtype_name(c->x), netcl_dtype_name(c->w), (long long)c->n, (long long)c->c,
           (long long)c->h, (long long)c->wide, (long long)c->f, (long long)c->kh,
           (long long)c->kw, (long long)c->strides[0], (long long)c->strides[1],
           (long long)c->dilations[0], (long long)c->dilations[1], (long long)c->padding[0],
           (long long)c->padding[1], (long long)c->padding[2], (long long)c->padding[3],
           (long long)c->groups);
  return text;
}

static void check_integer(Fixture *fixture, const Conv *c) {
  Data d = make_data(fixture, c);
  const int64_t shape[4] = {c->n, c->f, c->oh, c->ow};
  netcl_conv2d_integer_options options = NETCL_CONV2D_INTEGER_OPTIONS_INIT;
  netcl_tensor *result = NULL;
  const int into = (int)random_in(0, 1);
  Strided target = make_strided(fixture->device, NETCL_I32, 4, shape, NULL);
  netcl_run_options run = run_into(target.view);
  memcpy(options.strides, c->strides, sizeof c->strides);
  memcpy(options.dilations, c->dilations, sizeof c->dilations);
  memcpy(options.padding, c->padding, sizeof c->padding);
  options.groups = c->groups;
  options.x_zero_point = d.zero_x_tensor;
  options.w_zero_point = d.zero_w_tensor.view;
  OK(netcl_op_conv2d_integer(d.x_tensor.view, d.w_tensor.view, &options, into ? &run : NULL,
                             &result));
  int32_t *got = read_tensor(result);
  assert_int_equal(tensor_info(result).dtype, NETCL_I32);
  assert_int_equal(tensor_info(result).shape[2], c->oh);
  for (int64_t i = 0; i < product(4, shape); ++i) {
    CHECK(got[i] == d.sums[i], "%s: element %lld is %d, not %d", shown(c), (long long)i, got[i],
          d.sums[i]);
  }
  if (into) CHECK_STRIDED(&target, d.sums);
  free(got);
  netcl_tensor_release(result);
  release_strided(&target);
  free_data(&d);
}

static void random_integers(void **state) {
  Fixture *fixture = *state;
  for (int round = rounds(fixture, fixture->kernels ? 60 : 200); round > 0; --round) {
    const Conv c = random_conv(8);
    check_integer(fixture, &c);
  }
}

static void check_quantised(Fixture *fixture, const Conv *c) {
  Data d = make_data(fixture, c);
  const int64_t shape[4] = {c->n, c->f, c->oh, c->ow}, count = product(4, shape);
  const netcl_dtype dtype = ANY_OF(kScaleDtypes);
  const int per_filter = (int)random_in(0, 1), biased = (int)random_in(0, 1);
  const int has_zero = (int)random_in(0, 1), into = (int)random_in(0, 1);
  const double x_scale = random_scale(dtype);
  const double y_scale = rounded_to(
      NETCL_F32, random_real(0.2, 2.0) * (double)(c->c / c->groups * c->kh * c->kw) * x_scale);
  const int64_t zero = has_zero ? random_in(lowest_of(c->y), highest_of(c->y)) : 0;
  netcl_qlinear_conv2d_options options = NETCL_QLINEAR_CONV2D_OPTIONS_INIT;
  netcl_tensor *result = NULL, *scale_x = one_number(fixture, dtype, x_scale);
  netcl_tensor *scale_y = one_number(fixture, NETCL_F32, y_scale);
  unsigned char *scales = malloc((size_t)c->f * 8), *wanted = malloc((size_t)count + 1);
  int32_t *bias = malloc((size_t)c->f * sizeof *bias);
  for (int64_t f = 0; f < c->f; ++f) {
    store_double(dtype, scales, f, random_scale(dtype));
    bias[f] = (int32_t)random_in(-5000, 5000);
  }
  Strided scale_w = {NULL, NULL};
  Strided biases = make_strided(fixture->device, NETCL_I32, 1, &c->f, bias);
  if (per_filter) scale_w = make_strided(fixture->device, dtype, 1, &c->f, scales);
  if (!per_filter) scale_w.view = one_number(fixture, dtype, load_double(dtype, scales, 0));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t f = i / (c->oh * c->ow) % c->f;
    const int32_t sum = d.sums[i] + (biased ? bias[f] : 0);
    store_whole(c->y, wanted, i,
                requantised(sum, x_scale, load_double(dtype, scales, per_filter ? f : 0), y_scale,
                            zero, c->y));
  }
  Strided target = make_strided(fixture->device, c->y, 4, shape, NULL);
  netcl_run_options run = run_into(target.view);
  memcpy(options.strides, c->strides, sizeof c->strides);
  memcpy(options.dilations, c->dilations, sizeof c->dilations);
  memcpy(options.padding, c->padding, sizeof c->padding);
  options.groups = c->groups;
  options.x_zero_point = d.zero_x_tensor;
  options.w_zero_point = d.zero_w_tensor.view;
  if (has_zero) options.y_zero_point = one_number(fixture, c->y, (double)zero);
  if (biased) options.bias = biases.view;
  if (random_in(0, 1) || (!has_zero && !into)) options.dtype = c->y;
  OK(netcl_op_qlinear_conv2d(d.x_tensor.view, scale_x, d.w_tensor.view, scale_w.view, scale_y,
                             &options, into ? &run : NULL, &result));
  unsigned char *got = read_tensor(result);
  assert_int_equal(tensor_info(result).dtype, c->y);
  for (int64_t i = 0; i < count; ++i) {
    CHECK(got[i] == wanted[i], "%s: element %lld (sum %d) is %d, not %d", shown(c), (long long)i,
          d.sums[i], got[i], wanted[i]);
  }
  if (into) CHECK_STRIDED(&target, wanted);
  free(got);
  free(scales);
  free(wanted);
  free(bias);
  RELEASE(result, scale_x, scale_y, options.y_zero_point);
  release_strided(&scale_w);
  release_strided(&biases);
  release_strided(&target);
  free_data(&d);
}

static void random_quantised(void **state) {
  Fixture *fixture = *state;
  for (int round = rounds(fixture, fixture->kernels ? 60 : 200); round > 0; --round) {
    const Conv c = random_conv(8);
    check_quantised(fixture, &c);
  }
}

/* More windows than are laid out at a time, the last piece not a whole one: what each image gives
 * by itself. */
static void in_pieces(void **state) {
  Fixture *fixture = *state;
  const int64_t x_shape[4] = {11, 12, 160, 150}, w_shape[4] = {2, 12, 5, 5}, two = 2;
  const int64_t count = product(4, x_shape), out = 2 * 160 * 150;
  netcl_qlinear_conv2d_options options = NETCL_QLINEAR_CONV2D_OPTIONS_INIT;
  unsigned char *bytes = malloc((size_t)count);
  netcl_tensor *result = NULL, *one = one_number(fixture, NETCL_F32, 1);
  netcl_tensor *coarse = one_number(fixture, NETCL_F32, 20000);
  fill_whole(NETCL_U8, bytes, count);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_U8, 4, x_shape, bytes);
  netcl_tensor *w = make_tensor(fixture->device, NETCL_I8, 4, w_shape, bytes);
  options.x_zero_point = one_number(fixture, NETCL_U8, 101);
  options.w_zero_point = make_tensor(fixture->device, NETCL_I8, 1, &two, bytes);
  for (int i = 0; i < 4; ++i) options.padding[i] = 2;
  OK(netcl_op_qlinear_conv2d(x, one, w, one, coarse, &options, NULL, &result));
  unsigned char *all = read_tensor(result);
  for (int64_t i = 0; i < x_shape[0]; ++i) {
    const netcl_range range[4] = {{i, 1, 1}, {0, 12, 1}, {0, 160, 1}, {0, 150, 1}};
    netcl_tensor *image = NULL, *part = NULL;
    OK(netcl_tensor_slice(x, range, 4, &image));
    OK(netcl_op_qlinear_conv2d(image, one, w, one, coarse, &options, NULL, &part));
    CHECK_TENSOR(part, all + i * out);
    RELEASE(image, part);
  }
  free(all);
  free(bytes);
  RELEASE(x, w, result, one, coarse, options.x_zero_point, options.w_zero_point);
}

/* No images, no channels (the bias alone), no filters. */
static void empty(void **state) {
  Fixture *fixture = *state;
  for (int which = 0; which < 3; ++which) {
    Conv c = random_conv(5);
    c.groups = 1;
    if (which == 0) c.n = 0;
    if (which == 1) c.c = 0;
    if (which == 2) c.f = 0, c.zero_w = 0;
    if (which < 2) check_quantised(fixture, &c);
    check_integer(fixture, &c);
  }
}

static void refusals(void **state) {
  Fixture *fixture = *state;
  const int64_t x_shape[4] = {1, 4, 5, 5}, w_shape[4] = {2, 4, 3, 3}, three = 3, two = 2;
  const unsigned char bytes[800] = {0};
  netcl_tensor *x = make_tensor(fixture->device, NETCL_U8, 4, x_shape, bytes), *result = NULL;
  netcl_tensor *w = make_tensor(fixture->device, NETCL_I8, 4, w_shape, bytes);
  netcl_tensor *flat = make_tensor(fixture->device, NETCL_U8, 3, x_shape, bytes);
  netcl_tensor *real = make_tensor(fixture->device, NETCL_F32, 4, x_shape, bytes);
  netcl_tensor *one = one_number(fixture, NETCL_F32, 1), *byte = one_number(fixture, NETCL_I8, 1);
  netcl_tensor *bytes3 = make_tensor(fixture->device, NETCL_I8, 1, &three, bytes);
  netcl_tensor *reals3 = make_tensor(fixture->device, NETCL_F32, 1, &three, bytes);
  netcl_tensor *reals2 = make_tensor(fixture->device, NETCL_F32, 1, &two, bytes);
  netcl_conv2d_integer_options o = NETCL_CONV2D_INTEGER_OPTIONS_INIT;
  netcl_qlinear_conv2d_options q = NETCL_QLINEAR_CONV2D_OPTIONS_INIT;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT, not = NETCL_ERROR_UNSUPPORTED;
  FAILS_WITH(not, "x is f32; conv2d_integer takes i8 and u8",
             netcl_op_conv2d_integer(real, w, NULL, NULL, &result));
  FAILS_WITH(bad, "x has shape [1, 4, 5]; it takes 4 dimensions",
             netcl_op_conv2d_integer(flat, w, NULL, NULL, &result));
  o.groups = 3;
  FAILS_WITH(bad, "which options->groups = 3 does not divide",
             netcl_op_conv2d_integer(x, w, &o, NULL, &result));
  o.groups = 0;
  o.padding[1] = -1;
  FAILS_WITH(bad, "options->padding[1] is -1",
             netcl_op_conv2d_integer(x, w, &o, NULL, &result));
  o.padding[1] = 0;
  o.x_zero_point = byte;
  FAILS_WITH(bad, "options->x_zero_point is i8 and x is u8",
             netcl_op_conv2d_integer(x, w, &o, NULL, &result));
  o.x_zero_point = NULL;
  o.w_zero_point = bytes3;
  FAILS_WITH(bad, "options->w_zero_point has shape [3]; it takes one element, or [2]",
             netcl_op_conv2d_integer(x, w, &o, NULL, &result));
  FAILS_WITH(bad, "x_scale has shape [3]; it takes one element",
             netcl_op_qlinear_conv2d(x, reals3, w, one, one, NULL, NULL, &result));
  FAILS_WITH(bad, "w_scale has shape [3]; it takes one element, or [2]",
             netcl_op_qlinear_conv2d(x, one, w, reals3, one, NULL, NULL, &result));
  FAILS_WITH(not, "w_scale is i8; scales are",
             netcl_op_qlinear_conv2d(x, one, w, byte, one, NULL, NULL, &result));
  q.bias = reals2;
  FAILS_WITH(bad, "options->bias is f32; it is i32",
             netcl_op_qlinear_conv2d(x, one, w, one, one, &q, NULL, &result));
  q.bias = NULL;
  q.dtype = NETCL_I32;
  FAILS_WITH(bad, "options->dtype is i32; the result is i8 or u8",
             netcl_op_qlinear_conv2d(x, one, w, one, one, &q, NULL, &result));
  assert_null(result);
  RELEASE(x, w, flat, real, one, byte, bytes3, reals3, reals2);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(random_integers), DEVICE_TEST(random_quantised),
                                     DEVICE_TEST(in_pieces),       DEVICE_TEST(empty),
                                     DEVICE_TEST(refusals),        DEVICE_TEST(as_kernels)};
  seed_random("qlinear_conv2d");
  return cmocka_run_group_tests_name("qlinear_conv2d", tests, NULL, NULL);
}
