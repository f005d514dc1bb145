/* Resize at its edges: what is infinite, far away, refused late, or of an older caller. */
#include <math.h>

#include "support_graph.h"

/* An infinity spoils its neighbourhood only, not what lies exactly on another element. */
static void infinities(void** state) {
  Fixture* fixture = *state;
  const int64_t in[] = {3}, out[] = {5};
  const float x[] = {1, INFINITY, 2};
  netcl_tensor* tensor = make_tensor(fixture->device, NETCL_F32, 1, in, x);
  for (netcl_resize_mode mode = NETCL_RESIZE_LINEAR; mode <= NETCL_RESIZE_CUBIC; ++mode) {
    netcl_tensor* result = NULL;
    netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
    options.mode = mode;
    options.coordinates = NETCL_RESIZE_ALIGN_CORNERS;
    OK(netcl_op_resize(tensor, 1, out, &options, NULL, &result));
    float* y = read_tensor(result);
    CHECK(y[0] == 1 && isinf(y[1]) && isinf(y[2]) && isinf(y[3]) && y[4] == 2, "%g %g %g %g %g",
          y[0], y[1], y[2], y[3], y[4]);
    free(y);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(tensor);
}

/* A caller of the first release has no members beyond coordinates; what lies behind is not read. */
static void first_size(void** state) {
  Fixture* fixture = *state;
  const int64_t in[] = {4}, out[] = {8};
  const float x[] = {1, 2, 4, 8};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, in, x), *result = NULL;
  netcl_resize_options options;
  memset(&options, 0xff, sizeof options);
  options.struct_size = 16;
  options.mode = NETCL_RESIZE_LINEAR;
  options.coordinates = NETCL_RESIZE_ASYMMETRIC;
  OK(netcl_op_resize(tensor, 1, out, &options, NULL, &result));
  float* y = read_tensor(result);
  CHECK(y[0] == 1 && y[1] == 1.5f && y[2] == 2 && y[3] == 3 && y[7] == 8, "%g %g %g %g %g", y[0],
        y[1], y[2], y[3], y[7]);
  free(y);
  netcl_tensor_release(result);
  netcl_tensor_release(tensor);
}

/* Coordinates that are far behind all elements give the last one. */
static void far_away(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4};
  const float x[] = {1, 2, 4, 8};
  const double scale = 1e-17;
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, x), *result = NULL;
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_CUBIC;
  options.scales = &scale;
  options.scales_count = 1;
  OK(netcl_op_resize(tensor, 1, shape, &options, NULL, &result));
  GIVES(result, 8, 8, 8, 8);
  RELEASE(tensor, result);
}

/* What is outside is not filled before the call is refused. */
static void refused_before(void** state) {
  Fixture* fixture = *state;
  const int64_t in[] = {4}, out[] = {8};
  const float x[] = {1, 2, 4, 8}, y[] = {7, 7, 7, 7, 7, 7, 7, 7};
  const double scale = 1e-9, roi[] = {-0.5, 1.5};
  netcl_tensor* tensor = make_tensor(fixture->device, NETCL_F32, 1, in, x);
  netcl_tensor* result = make_tensor(fixture->device, NETCL_F32, 1, out, y);
  const netcl_run_options run = run_into(result);
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_CUBIC;
  options.coordinates = NETCL_RESIZE_TF_CROP_AND_RESIZE;
  options.antialias = 1;
  options.scales = &scale;
  options.scales_count = 1;
  options.roi = roi;
  options.roi_count = 2;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "weights",
             netcl_op_resize(tensor, 1, out, &options, &run, NULL));
  GIVES(result, 7, 7, 7, 7, 7, 7, 7, 7);
  RELEASE(tensor, result);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(infinities), DEVICE_TEST(first_size),
                                     DEVICE_TEST(far_away), DEVICE_TEST(refused_before)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
