/*
 * heat: the heat equation on the unit square, u_t = u_xx + u_yy, held at 0 on the boundary.
 *
 * usage: heat [--device SELECTOR] [--out heat.pgm]
 *
 * The start sin(pi x) sin(pi y) has the solution exp(-2 pi^2 t) sin(pi x) sin(pi y), so the error
 * of the explicit five-point scheme is known. It falls four times when the grid spacing halves (and
 * the time step with its square); the program ends with 1 if it does not. A step is one expression
 * over five shifted views of the grid, parsed once; two grids take turns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "../check.h"
#include "../picture.h"

#define END_TIME 0.05
/* Time step over spacing squared; stable up to 0.25. At 1/6 the leading errors would cancel. */
#define RATIO 0.2
#define STEP_TEXT "v0 + 0.2 * (v1 + v2 + v3 + v4 - 4.0 * v0)"
#define FINEST 128
#define GRIDS_MOST 4

static const double kPi = 3.14159265358979323846;
static netcl_device *device;
static netcl_dtype dtype;

typedef struct grid {
  netcl_tensor *whole;      /* (n + 1) x (n + 1) points */
  netcl_tensor *inputs[5];  /* the inner points, and those above, below, left and right of them */
} grid;

static netcl_tensor *inner(netcl_tensor *whole, int64_t n, int64_t down, int64_t right) {
  netcl_range ranges[2];
  netcl_tensor *view = NULL;
  ranges[0].start = 1 + down;
  ranges[1].start = 1 + right;
  ranges[0].extent = ranges[1].extent = n - 1;
  ranges[0].step = ranges[1].step = 1;
  CHECK(netcl_tensor_slice(whole, ranges, 2, &view));
  return view;
}

static grid make_grid(int64_t n, const double *values) {
  const int64_t shape[2] = {n + 1, n + 1};
  const size_t count = (size_t)((n + 1) * (n + 1));
  float *narrow = (float *)allocate(count * sizeof(float));
  const int wide = dtype == NETCL_F64;
  grid made;
  size_t i;
  for (i = 0; i < count; ++i) narrow[i] = (float)values[i];
  CHECK(netcl_tensor_create_from_host(device, dtype, 2, shape, NULL,
                                      wide ? (const void *)values : (const void *)narrow,
                                      count * netcl_dtype_size(dtype), NULL, &made.whole));
  free(narrow);
  made.inputs[0] = inner(made.whole, n, 0, 0);
  made.inputs[1] = inner(made.whole, n, -1, 0);
  made.inputs[2] = inner(made.whole, n, 1, 0);
  made.inputs[3] = inner(made.whole, n, 0, -1);
  made.inputs[4] = inner(made.whole, n, 0, 1);
  return made;
}

static void release_grid(grid *used) {
  int i;
  for (i = 0; i < 5; ++i) netcl_tensor_release(used->inputs[i]);
  netcl_tensor_release(used->whole);
}

static void read_grid(const grid *from, int64_t n, double *values) {
  const size_t count = (size_t)((n + 1) * (n + 1));
  size_t i;
  if (dtype == NETCL_F64) {
    CHECK(netcl_tensor_read(from->whole, values, count * sizeof(double), NULL, PATIENCE_NS));
    return;
  }
  CHECK(netcl_tensor_read(from->whole, values, count * sizeof(float), NULL, PATIENCE_NS));
  /* From the end, because both lie in the same memory. */
  for (i = count; i-- > 0;) values[i] = (double)((const float *)values)[i];
}

/* Solves on n x n cells; gives the largest error over the largest value of the solution. */
static double solve(int64_t n, int64_t steps, double *values) {
  const double h = 1.0 / (double)n, end = (double)steps * RATIO * h * h;
  const double decay = exp(-2.0 * kPi * kPi * end);
  netcl_expression *step = NULL;
  grid grids[2];
  double error = 0;
  int64_t i, j;
  for (i = 0; i <= n; ++i) {
    for (j = 0; j <= n; ++j) {
      const int edge = i == 0 || j == 0 || i == n || j == n;
      values[i * (n + 1) + j] = edge ? 0.0 : sin(kPi * (double)i * h) * sin(kPi * (double)j * h);
    }
  }
  grids[0] = make_grid(n, values);
  grids[1] = make_grid(n, values);
  CHECK(netcl_expression_create(STEP_TEXT, &step));
  for (i = 0; i < steps; ++i) {
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.into = grids[(i + 1) % 2].inputs[0];
    CHECK(netcl_op_expression(step, grids[i % 2].inputs, 5, NULL, &run, NULL));
  }
  read_grid(&grids[steps % 2], n, values);
  for (i = 0; i <= n; ++i) {
    for (j = 0; j <= n; ++j) {
      const double exact = decay * sin(kPi * (double)i * h) * sin(kPi * (double)j * h);
      error = fmax(error, fabs(values[i * (n + 1) + j] - exact));
    }
  }
  netcl_expression_release(step);
  release_grid(&grids[0]);
  release_grid(&grids[1]);
  return error / decay;
}

/* The temperature as grey levels with eight dark contour lines. */
static void save_picture(const char *path, int64_t n, const double *values) {
  picture image;
  double hottest = 0;
  const char *problem;
  int64_t i;
  image.height = image.width = n + 1;
  image.channels = 1;
  image.samples = (uint8_t *)allocate(picture_bytes(&image));
  for (i = 0; i < (n + 1) * (n + 1); ++i) hottest = fmax(hottest, values[i]);
  for (i = 0; i < (n + 1) * (n + 1); ++i) {
    const double level = values[i] / hottest * 8.0;
    const double grey = 30.0 + 225.0 * level / 8.0;
    image.samples[i] = (uint8_t)(level - floor(level) < 0.06 && level > 0.5 ? 0.0 : grey);
  }
  problem = picture_save(path, &image);
  if (problem != NULL) fail(path, problem);
  free(image.samples);
}

int main(int count, char **words) {
  const char *selector = "auto", *out = "heat.pgm";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  double *values = (double *)allocate((FINEST + 1) * (FINEST + 1) * sizeof(double));
  double before = 0;
  int64_t n;
  int i, wrong = 0;
  program_name = "heat";
  for (i = 1; i + 1 < count; i += 2) {
    if (strcmp(words[i], "--device") == 0) selector = words[i + 1];
    else if (strcmp(words[i], "--out") == 0) out = words[i + 1];
    else break;
  }
  if (i < count) fail(words[i], "usage: heat [--device SELECTOR] [--out heat.pgm]");
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  CHECK(netcl_device_get_capabilities(device, &capabilities));
  dtype = capabilities.fp64 ? NETCL_F64 : NETCL_F32;
  printf("%s, %s\n", info.name, netcl_dtype_name(dtype));
  printf("  %9s %7s %12s %8s %12s\n", "cells", "steps", "error", "falls", "per step");
  for (n = FINEST >> (GRIDS_MOST - 1); n <= FINEST; n *= 2) {
    const int64_t steps = (int64_t)(END_TIME / RATIO * (double)(n * n) + 0.5);
    const uint64_t start = now_ns();
    const double error = solve(n, steps, values);
    const double ns = (double)(now_ns() - start) / (double)steps;
    printf("  %4ld x %-4ld %5ld %12.3e", (long)n, (long)n, (long)steps, error);
    if (before > 0) printf(" %7.2fx", before / error);
    else printf(" %8s", "");
    printf(" %9.2f us\n", ns * 1e-3);
    /* Rounding to f32 shows on the finest grid. */
    if (before > 0 && fabs(before / error - 4.0) > (dtype == NETCL_F64 ? 0.1 : 0.8)) wrong = 1;
    before = error;
  }
  save_picture(out, FINEST, values);
  printf("wrote %s\n", out);
  free(values);
  netcl_device_release(device);
  if (wrong) fail("order", "the error does not fall four times per refinement");
  return 0;
}
