/* Gradients of maxima of windows: the first of equal elements has it all, and NaN is the largest.
 * Values are small whole numbers, many of which are equal, and sums of them are exact. */
#include <math.h>

#include "support_graph.h"
#include "support_pooling.h"
#include "support_strided.h"

/* Elements of the largest case: 3 x 5 planes of 19 x 19, whose results are up to 28 x 28. */
enum { MOST = 15 * 28 * 28 };

typedef struct Maxima {
  netcl_dtype dtype;
  int64_t shape[4], result[4];
  Windows options;
  double x[MOST];
  int64_t place[MOST]; /* of each window: an element of x, -1 where it has none */
} Maxima;

static int64_t or_else(int64_t value, int64_t zero) { return value == 0 ? zero : value; }

static int64_t find_place(const Maxima *windows, int64_t plane, int64_t oh, int64_t ow) {
  const Windows *o = &windows->options;
  const int64_t height = windows->shape[2], width = windows->shape[3];
  int64_t place = -1;
  for (int64_t i = 0; i < or_else(o->window[0], height); ++i) {
    for (int64_t j = 0; j < or_else(o->window[1], width); ++j) {
      const int64_t h =
          oh * or_else(o->strides[0], 1) - o->padding[0] + i * or_else(o->dilations[0], 1);
      const int64_t w =
          ow * or_else(o->strides[1], 1) - o->padding[1] + j * or_else(o->dilations[1], 1);
      if (h < 0 || h >= height || w < 0 || w >= width) continue;
      const int64_t at = (plane * height + h) * width + w;
      const double value = windows->x[at];
      if (place < 0 || value > windows->x[place] || (isnan(value) && !isnan(windows->x[place]))) {
        place = at;
      }
    }
  }
  return place;
}

/* Sizes as chance has them; every second form is that of most networks. */
static void choose(Maxima *windows, int form) {
  static const netcl_dtype kFloats[] = {NETCL_F32, NETCL_F64, NETCL_F16, NETCL_BF16};
  const Windows none = {0};
  Windows *o = &windows->options;
  *o = none;
  windows->dtype = kFloats[random_in(0, 3)];
  windows->shape[0] = random_in(1, 3);
  windows->shape[1] = random_in(1, 5);
  for (int side = 0; side < 2; ++side) {
    o->window[side] = form % 2 ? (form % 4 == 1 ? 2 : 3) : random_in(1, 4);
    o->strides[side] = form % 2 ? random_in(1, 3) : random_in(1, 4);
    o->dilations[side] = random_in(1, form % 2 ? 1 : 3);
    const int64_t reach = (o->window[side] - 1) * o->dilations[side] + 1;
    for (int end = 0; form % 2 == 0 && end < 2; ++end) {
      o->padding[side + 2 * end] = random_in(0, reach - 1);
    }
    windows->shape[2 + side] = random_in(reach, reach + 9);
  }
  o->ceil_mode = (uint32_t)random_in(0, 1);
  if (form % 8 == 6) *o = none; /* all of a plane */
  const int64_t count = product(4, windows->shape);
  const int nan_too = random_in(0, 1) == 1;
  for (int64_t i = 0; i < count; ++i) {
    windows->x[i] = nan_too && random_in(0, 9) == 0 ? NAN : (double)random_in(-2, 2);
    if (random_in(0, 30) == 0) windows->x[i] = -INFINITY;
  }
}

static Strided strided_numbers(Fixture *fixture, netcl_dtype dtype, const int64_t *shape,
                               const double *values) {
  const int64_t count = product(4, shape);
  unsigned char *data = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  for (int64_t i = 0; i < count; ++i) store_double(dtype, data, i, values[i]);
  Strided made = make_strided(fixture->device, dtype, 4, shape, data);
  free(data);
  return made;
}

static void check_numbers(netcl_tensor *tensor, const double *wanted, const char *what) {
  const netcl_tensor_info info = tensor_info(tensor);
  void *data = read_tensor(tensor);
  for (int64_t i = 0; i < info.element_count; ++i) {
    const double got = load_double(info.dtype, data, i);
    CHECK(got == wanted[i] || (isnan(got) && isnan(wanted[i])),
          "%s of %s, element %lld is %g, not %g", what, netcl_dtype_name(info.dtype), (long long)i,
          got, wanted[i]);
  }
  free(data);
}

static netcl_tensor *gradient_of(const netcl_run_options *run, netcl_tensor *y, netcl_tensor *x,
                                 netcl_tensor *seed) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *made = NULL;
  options.seeds = &seed;
  options.seeds_count = 1;
  OK(netcl_graph_add_gradients(run->graph, &y, 1, &x, 1, &options, &made));
  return made;
}

static void check_windows(Fixture *fixture, Maxima *windows) {
  static double y_wanted[MOST], dx_wanted[MOST], seed[MOST], back[MOST], ds_wanted[MOST];
  netcl_run_options run = recorded(fixture);
  Strided x = strided_numbers(fixture, windows->dtype, windows->shape, windows->x);
  netcl_tensor *y = NULL;
  const netcl_pooling_options options = pooling_options(&windows->options);
  OK(netcl_op_pool(x.view, NETCL_POOLING_MAX, &options, &run, &y));
  const netcl_tensor_info info = tensor_info(y);
  memcpy(windows->result, info.shape, sizeof windows->result);
  const int64_t count = product(4, windows->shape), area = info.shape[2] * info.shape[3];
  CHECK(count <= MOST && info.element_count <= MOST, "a case is too large");
  for (int64_t i = 0; i < count; ++i) {
    dx_wanted[i] = 0;
    back[i] = (double)random_in(-3, 3);
  }
  for (int64_t i = 0; i < info.element_count; ++i) {
    const int64_t place =
        find_place(windows, i / area, i % area / info.shape[3], i % info.shape[3]);
    seed[i] = (double)random_in(-2, 2);
    y_wanted[i] = place < 0 ? -INFINITY : windows->x[place];
    ds_wanted[i] = place < 0 ? 0 : back[place];
    if (place >= 0) dx_wanted[place] += seed[i];
  }
  Strided s = strided_numbers(fixture, windows->dtype, windows->result, seed);
  Strided u = strided_numbers(fixture, windows->dtype, windows->shape, back);
  netcl_tensor *dx = gradient_of(&run, y, x.view, s.view);
  netcl_tensor *ds = gradient_of(&run, dx, s.view, u.view);
  check_numbers(y, y_wanted, "a maximum");
  check_numbers(dx, dx_wanted, "the gradient");
  check_numbers(ds, ds_wanted, "the gradient of the gradient");
  RELEASE(y, dx, ds);
  release_strided(&x);
  release_strided(&s);
  release_strided(&u);
  netcl_graph_release(run.graph);
}

static void any_windows(void **state) {
  Fixture *fixture = *state;
  static Maxima windows;
  const int count = compiles_slowly(fixture) ? 6 : 300;
  for (int form = 0; form < count; ++form) {
    choose(&windows, form);
    check_windows(fixture, &windows);
  }
}

/* Rows of windows that have no row of x in common go to several threads. */
static void large_planes(void **state) {
  Fixture *fixture = *state;
  enum { SIDE = 512 };
  const int64_t shape[] = {1, 2, SIDE, SIDE};
  float *x = malloc(sizeof(float) * 2 * SIDE * SIDE),
        *wanted = malloc(sizeof(float) * 2 * SIDE * SIDE);
  netcl_run_options run = recorded(fixture);
  const netcl_pooling_options options = pooling_of(one_size(2), one_size(2));
  netcl_tensor *y = NULL;
  for (int64_t i = 0; i < 2 * SIDE * SIDE; ++i) x[i] = (float)random_in(-4, 4);
  for (int64_t i = 0; i < 2 * SIDE * SIDE; ++i) {
    const int64_t first = i - i % SIDE % 2 - i / SIDE % 2 * SIDE;
    const int64_t taps[] = {first, first + 1, first + SIDE, first + SIDE + 1};
    int64_t place = first;
    for (int tap = 1; tap < 4; ++tap) {
      if (x[taps[tap]] > x[place]) place = taps[tap];
    }
    wanted[i] = place == i ? 1 : 0;
  }
  netcl_tensor *from = make_tensor(fixture->device, NETCL_F32, 4, shape, x);
  OK(netcl_op_pool(from, NETCL_POOLING_MAX, &options, &run, &y));
  netcl_tensor *sum = sum_of(y, &run), *grad = gradient(&run, sum, from);
  CHECK_TENSOR(grad, wanted);
  RELEASE(from, y, sum, grad);
  netcl_graph_release(run.graph);
  free(x);
  free(wanted);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(any_windows), DEVICE_TEST(large_planes),
                                     DEVICE_TEST(as_kernels)};
  seed_random("pooling_gradient");
  return cmocka_run_group_tests_name("pooling_gradient", tests, NULL, NULL);
}
