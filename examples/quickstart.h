/*
 * What quickstart needs besides netcl: a table of times, and a picture to work on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_QUICKSTART_H
#define NETCL_EXAMPLE_QUICKSTART_H

#include <math.h>
#include <netcl.h>

#include "check.h"
#include "picture.h"

#define RUNS 8

/* Rings around (v0, v1) = (300, 400) on a board of 64 x 64 squares. */
#define GENERATED_TEXT \
  "u8(((v0 >> 6) + (v1 >> 6)) % 2 * 96" \
  " + (((v0 - 300) * (v0 - 300) + (v1 - 400) * (v1 - 400)) >> 13) % 2 * 128)"
#define GENERATED_HEIGHT 768
#define GENERATED_WIDTH 1024

/* What the whole program works with. */
static netcl_device *device;
static netcl_queue *queue;

/* One thing to run and to time: a kernel, else an expression, else a matrix product. */
typedef struct job {
  netcl_kernel *kernel;
  netcl_arg args[4];
  uint64_t global[2], local[2];
  const char *expression;
  netcl_tensor *inputs[25];
  uint32_t inputs_count;
  netcl_tensor *into;
} job;

/* ---- Output ---- */

static void print_head(void) {
  printf("  %-28s %12s %12s %13s\n", "best of several runs", "device", "wall", "memory");
}

/* One line of the table of times. A device time of 0 means that there is none. */
static void print_step(const char *name, double device_ns, double wall_ns, double bytes,
                       double operations, const char *unit) {
  const double ns = device_ns > 0 ? device_ns : wall_ns;
  char device_text[24] = "-", bytes_text[24] = "-";
  if (device_ns > 0) snprintf(device_text, sizeof device_text, "%.3f ms", device_ns * 1e-6);
  if (bytes > 0) snprintf(bytes_text, sizeof bytes_text, "%.2f GB/s", bytes / ns);
  printf("  %-28s %12s %9.3f ms %13s", name, device_text, wall_ns * 1e-6, bytes_text);
  if (operations > 0) printf("  %9.1f %s", operations / ns, unit);
  printf("\n");
}

/* ---- Running and timing ---- */

static void run_job(const job *work, netcl_event **event) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.event = event;
  if (work->kernel != NULL) {
    netcl_launch_options launch = NETCL_LAUNCH_OPTIONS_INIT;
    launch.round_up = 1; /* the kernel guards against items outside the picture */
    CHECK(netcl_kernel_launch(work->kernel, work->global, 2, work->local, 2, work->args, 4,
                              &launch, &run));
    return;
  }
  run.into = work->into;
  if (work->expression != NULL) {
    CHECK(netcl_op_expression_text(work->expression, work->inputs, work->inputs_count, NULL, &run,
                               NULL));
  } else {
    CHECK(netcl_op_matmul(work->inputs[0], work->inputs[1], NULL, &run, NULL));
  }
}

/*
 * The device time of one run when runs follow each other without a pause. A matrix product may take
 * several commands, of which its event shows the last one only; on a queue that runs in order, the
 * distance between the ends of two runs holds them all.
 */
static double spacing_ns(const job *work) {
  netcl_event_timing timings[RUNS];
  netcl_event *events[RUNS] = {NULL};
  double best = HUGE_VAL;
  int i;
  for (i = 0; i < RUNS; ++i) run_job(work, &events[i]);
  CHECK(netcl_event_wait(events[RUNS - 1], PATIENCE_NS));
  for (i = 0; i < RUNS; ++i) {
    timings[i].struct_size = sizeof timings[i];
    CHECK(netcl_event_get_timing(events[i], &timings[i]));
    netcl_event_release(events[i]);
    if (i == 0) continue;
    best = fmin(best, (double)(timings[i].ended_ns - timings[i - 1].ended_ns));
  }
  return best;
}

/* Runs a job several times and prints its shortest times; the first run warms up. */
static void time_job(const char *name, const job *work, double bytes, double operations,
                     const char *unit) {
  double best_device = HUGE_VAL, best_wall = HUGE_VAL;
  int i;
  for (i = 0; i <= RUNS; ++i) {
    netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
    netcl_event *event = NULL;
    const uint64_t start = now_ns();
    double wall;
    run_job(work, &event);
    CHECK(netcl_event_wait(event, PATIENCE_NS));
    wall = (double)(now_ns() - start);
    CHECK(netcl_event_get_timing(event, &timing));
    netcl_event_release(event);
    if (i == 0) continue;
    best_wall = fmin(best_wall, wall);
    best_device = fmin(best_device, (double)(timing.ended_ns - timing.started_ns));
  }
  if (work->kernel == NULL && work->expression == NULL) best_device = spacing_ns(work);
  print_step(name, best_device, best_wall, bytes, operations, unit);
}

static netcl_tensor *new_tensor(netcl_dtype dtype, uint32_t rank, const int64_t *shape) {
  /* Every byte of a fresh result is wrong, so that a command that did nothing would be noticed. */
  const unsigned char poison[8] = {0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5};
  netcl_tensor *tensor = NULL;
  CHECK(netcl_tensor_create_full(device, dtype, rank, shape, NULL, poison, NULL, &tensor));
  return tensor;
}

static netcl_tensor *slice(netcl_tensor *tensor, int64_t row, int64_t rows, int64_t column,
                           int64_t columns) {
  netcl_range ranges[2] = {{0, 0, 1}, {0, 0, 1}};
  netcl_tensor *view = NULL;
  ranges[0].start = row;
  ranges[0].extent = rows;
  ranges[1].start = column;
  ranges[1].extent = columns;
  CHECK(netcl_tensor_slice(tensor, ranges, 2, &view));
  return view;
}

/* ---- The picture ---- */

static netcl_tensor *generate_picture(picture *image) {
  int32_t numbers[GENERATED_WIDTH];
  const int64_t column_shape[2] = {GENERATED_HEIGHT, 1}, row_shape[2] = {1, GENERATED_WIDTH};
  netcl_tensor *inputs[2] = {NULL, NULL}, *result = NULL;
  int i;
  for (i = 0; i < GENERATED_WIDTH; ++i) numbers[i] = i;
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 2, column_shape, NULL, numbers,
                                      GENERATED_HEIGHT * sizeof(int32_t), NULL, &inputs[0]));
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 2, row_shape, NULL, numbers,
                                      GENERATED_WIDTH * sizeof(int32_t), NULL, &inputs[1]));
  CHECK(netcl_op_expression_text(GENERATED_TEXT, inputs, 2, NULL, NULL, &result));
  netcl_tensor_release(inputs[0]);
  netcl_tensor_release(inputs[1]);
  image->height = GENERATED_HEIGHT;
  image->width = GENERATED_WIDTH;
  image->channels = 1;
  image->samples = (uint8_t *)allocate(picture_bytes(image));
  CHECK(netcl_tensor_read(result, image->samples, picture_bytes(image), NULL, PATIENCE_NS));
  return result;
}

/* Turns floats into 8-bit samples, on the device and in plain C. Floats up to 1 count as 0 to 1. */
static netcl_tensor *samples_from_floats(netcl_tensor *floats, picture *image) {
  const size_t count = picture_bytes(image);
  float *values = (float *)allocate(count * sizeof(float)), largest = 0.0f, scale;
  netcl_tensor *narrow = NULL, *result = NULL;
  size_t i;
  CHECK(netcl_op_cast(floats, NETCL_F32, NULL, &narrow));
  CHECK(netcl_tensor_read(narrow, values, count * sizeof(float), NULL, PATIENCE_NS));
  for (i = 0; i < count; ++i) largest = fmaxf(largest, values[i]);
  scale = largest <= 1.0f ? 255.0f : 1.0f;
  CHECK(netcl_op_expression_text(largest <= 1.0f ? "u8(round(clamp(v0 * 255.0, 0.0, 255.0)))"
                                             : "u8(round(clamp(v0, 0.0, 255.0)))",
                             &narrow, 1, NULL, NULL, &result));
  for (i = 0; i < count; ++i) {
    image->samples[i] = (uint8_t)rintf(fminf(fmaxf(values[i] * scale, 0.0f), 255.0f));
  }
  netcl_tensor_release(narrow);
  free(values);
  return result;
}

static netcl_tensor *load_npy(const char *path, picture *image) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor *loaded = NULL, *result = NULL;
  CHECK(netcl_tensor_load_npy(device, path, NULL, &loaded));
  CHECK(netcl_tensor_get_info(loaded, &info));
  image->channels = info.rank == 3 ? info.shape[2] : 1;
  if (info.rank < 2 || info.rank > 3 || (image->channels != 1 && image->channels != 3) ||
      info.element_count == 0 || info.shape[0] > PICTURE_SIDE_MAX ||
      info.shape[1] > PICTURE_SIDE_MAX) {
    fail(path, "its shape is not that of a picture: H x W, H x W x 1 or H x W x 3");
  }
  image->height = info.shape[0];
  image->width = info.shape[1];
  image->samples = (uint8_t *)allocate(picture_bytes(image));
  if (info.dtype == NETCL_U8) {
    CHECK(netcl_tensor_read(loaded, image->samples, picture_bytes(image), NULL, PATIENCE_NS));
    return loaded;
  }
  if (info.dtype != NETCL_F32 && info.dtype != NETCL_F16 && info.dtype != NETCL_F64) {
    fail(path, "its elements are neither u8 nor floats");
  }
  result = samples_from_floats(loaded, image);
  netcl_tensor_release(loaded);
  return result;
}

/* Loads or generates the picture: `image` on the host, the result on the device. */
static netcl_tensor *load_picture(const char *path, picture *image) {
  int64_t shape[3];
  netcl_tensor *tensor = NULL;
  const char *problem;
  if (path == NULL) return generate_picture(image);
  if (picture_has_suffix(path, ".npy")) return load_npy(path, image);
  problem = picture_load(path, image);
  if (problem != NULL) fail(path, problem);
  shape[0] = image->height;
  shape[1] = image->width;
  shape[2] = image->channels;
  CHECK(netcl_tensor_create_from_host(device, NETCL_U8, 3, shape, NULL, image->samples,
                                      picture_bytes(image), NULL, &tensor));
  return tensor;
}

#endif
