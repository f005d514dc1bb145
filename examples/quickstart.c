/*
 * quickstart: the edges of a picture, a fused expression and a matrix product, all checked.
 *
 * usage: quickstart [picture.png|.ppm|.pgm|.npy] [--device SELECTOR] [--out edges.png]
 *
 * On an OpenCL device the filter is a custom kernel, compiled from the source below. The built-in
 * CPU device compiles no kernels; there the same filter is an expression over 25 shifted views.
 * Either way each pixel must equal what plain C computes, or the program ends with 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "quickstart.h"

/* A narrow Gaussian less a wide one, in whole numbers whose sum is 0: flat areas become black. */
#define FILTER_WEIGHTS \
  -1, -4, -6, -4, -1,  \
  -4,  0,  8,  0, -4,  \
  -6,  8, 28,  8, -6,  \
  -4,  0,  8,  0, -4,  \
  -1, -4, -6, -4, -1
#define FILTER_SHIFT 3
#define TO_TEXT_(...) #__VA_ARGS__
#define TO_TEXT(...) TO_TEXT_(__VA_ARGS__)

static const int weights[25] = {FILTER_WEIGHTS};

static const char kernel_source[] =
    "__constant int weights[25] = {" TO_TEXT(FILTER_WEIGHTS) "};\n"
    "__kernel void edges(__global const uchar *grey, __global uchar *out,\n"
    "                    int height, int width) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), sum = 0;\n"
    "  if (x >= width || y >= height) return;\n"
    "  for (int i = 0; i < 5; ++i) {\n"
    "    __global const uchar *row = grey + (size_t)clamp(y + i - 2, 0, height - 1) * width;\n"
    "    for (int k = 0; k < 5; ++k)\n"
    "      sum += weights[5 * i + k] * row[clamp(x + k - 2, 0, width - 1)];\n"
    "  }\n"
    "  out[(size_t)y * width + x] = min(abs(sum) >> " TO_TEXT(FILTER_SHIFT) ", 255u);\n"
    "}\n";

#define GREY_TEXT "u8((77 * i32(v0) + 150 * i32(v1) + 29 * i32(v2) + 128) >> 8)"
#define FUSED_TEXT "MUL(ADD(v0, v1), 2.0f)"
#define FUSED_SIZE 4096
#define MATMUL_SIZE 512

/* ---- Edges ---- */

/* The scalar reference: the same numbers in plain C. */
static void reference_edges(const picture *image, uint8_t *edges) {
  const int64_t height = image->height, width = image->width;
  uint8_t *grey = (uint8_t *)allocate((size_t)(height * width));
  int64_t x, y, i;
  for (i = 0; i < height * width; ++i) {
    const uint8_t *s = image->samples + i * image->channels;
    grey[i] = image->channels == 1
                  ? s[0] : (uint8_t)((77 * s[0] + 150 * s[1] + 29 * s[2] + 128) >> 8);
  }
  for (y = 0; y < height; ++y) {
    for (x = 0; x < width; ++x) {
      int sum = 0;
      for (i = 0; i < 25; ++i) {
        int64_t row = y + i / 5 - 2, column = x + i % 5 - 2;
        row = row < 0 ? 0 : row >= height ? height - 1 : row;
        column = column < 0 ? 0 : column >= width ? width - 1 : column;
        sum += weights[i] * grey[row * width + column];
      }
      sum = abs(sum) >> FILTER_SHIFT;
      edges[y * width + x] = (uint8_t)(sum > 255 ? 255 : sum);
    }
  }
  free(grey);
}

/* Gives the picture as an H x W tensor of grey values. */
static netcl_tensor *make_grey(netcl_tensor *samples, const picture *image) {
  const int64_t flat[2] = {image->height, image->width};
  const double pixels = (double)image->height * (double)image->width;
  int64_t shape[3];
  netcl_tensor *grey = NULL;
  job work = {0};
  if (image->channels == 1) {
    CHECK(netcl_tensor_reshape(samples, 2, flat, NULL, &grey));
    return grey;
  }
  shape[0] = image->height;
  shape[1] = image->width;
  shape[2] = 1;
  work.expression = GREY_TEXT;
  work.into = new_tensor(NETCL_U8, 3, shape);
  for (work.inputs_count = 0; work.inputs_count < 3; ++work.inputs_count) {
    netcl_range ranges[3] = {{0, 0, 1}, {0, 0, 1}, {0, 1, 1}};
    ranges[0].extent = image->height;
    ranges[1].extent = image->width;
    ranges[2].start = work.inputs_count;
    CHECK(netcl_tensor_slice(samples, ranges, 3, &work.inputs[work.inputs_count]));
  }
  time_job("grey (expression, 3 views)", &work, 4 * pixels, 6 * pixels, "Gop/s");
  CHECK(netcl_tensor_reshape(work.into, 2, flat, NULL, &grey));
  while (work.inputs_count > 0) netcl_tensor_release(work.inputs[--work.inputs_count]);
  netcl_tensor_release(work.into);
  return grey;
}

static void run_edge_kernel(netcl_tensor *grey, netcl_tensor *edges, const picture *image) {
  const int32_t extents[2] = {(int32_t)image->height, (int32_t)image->width};
  const double pixels = (double)image->height * (double)image->width;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  uint64_t rounded[2], start;
  job work = {0};
  int i;
  options.source = kernel_source;
  CHECK(netcl_kernel_create(device, "edges", &options, &work.kernel));
  start = now_ns();
  CHECK(netcl_kernel_build(work.kernel));
  start = now_ns() - start;
  CHECK(netcl_kernel_get_info(work.kernel, &info));
  print_step(info.from_cache ? "kernel from the cache" : "kernel compiled", 0, (double)start, 0, 0,
             "");
  work.args[0].kind = NETCL_ARG_TENSOR_READ_ONLY;
  work.args[0].tensor = grey;
  work.args[1].kind = NETCL_ARG_TENSOR;
  work.args[1].tensor = edges;
  for (i = 0; i < 2; ++i) {
    work.args[2 + i].kind = NETCL_ARG_SCALAR;
    work.args[2 + i].size = sizeof extents[i];
    memcpy(work.args[2 + i].value, &extents[i], sizeof extents[i]);
  }
  work.global[0] = (uint64_t)image->width;
  work.global[1] = (uint64_t)image->height;
  CHECK(netcl_device_suggest_local_size(device, work.global, 2, work.local, rounded));
  time_job("edges 5x5 (custom kernel)", &work, 2 * pixels, 50 * pixels, "Gop/s");
  netcl_kernel_release(work.kernel);
}

/* Copies `from`, repeated to the extents given, to a part of `into`. */
static void copy_part(netcl_tensor *from, netcl_tensor *into, int64_t row, int64_t rows,
                      int64_t column, int64_t columns) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *repeated = NULL;
  const int64_t shape[2] = {rows, columns};
  CHECK(netcl_tensor_broadcast(from, 2, shape, &repeated));
  run.into = slice(into, row, rows, column, columns);
  CHECK(netcl_op_copy(repeated, &run, NULL));
  netcl_tensor_release(run.into);
  netcl_tensor_release(repeated);
  netcl_tensor_release(from);
}

/* Gives the picture with its border repeated two pixels outwards. */
static netcl_tensor *make_padded(netcl_tensor *grey, int64_t height, int64_t width) {
  const int64_t shape[2] = {height + 4, width + 4};
  netcl_tensor *padded = new_tensor(NETCL_U8, 2, shape);
  copy_part(slice(grey, 0, height, 0, width), padded, 2, height, 2, width);
  copy_part(slice(grey, 0, height, 0, 1), padded, 2, height, 0, 2);
  copy_part(slice(grey, 0, height, width - 1, 1), padded, 2, height, width + 2, 2);
  copy_part(slice(padded, 2, 1, 0, width + 4), padded, 0, 2, 0, width + 4);
  copy_part(slice(padded, height + 1, 1, 0, width + 4), padded, height + 2, 2, 0, width + 4);
  return padded;
}

static void run_edge_expression(netcl_tensor *grey, netcl_tensor *edges, const picture *image) {
  const double pixels = (double)image->height * (double)image->width;
  netcl_tensor *padded;
  char text[1024] = "u8(min(abs(0";
  const uint64_t start = now_ns();
  job work = {0};
  int i;
  padded = make_padded(grey, image->height, image->width);
  CHECK(netcl_tensor_wait(padded, PATIENCE_NS));
  print_step("padding (5 copies)", 0, (double)(now_ns() - start), 0, 0, "");
  for (i = 0; i < 25; ++i) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, " + %d * i32(v%d)", weights[i], i);
    work.inputs[i] = slice(padded, i / 5, image->height, i % 5, image->width);
  }
  snprintf(text + strlen(text), sizeof text - strlen(text), ") >> %d, 255))", FILTER_SHIFT);
  work.expression = text;
  work.inputs_count = 25;
  work.into = edges;
  time_job("edges 5x5 (expression)", &work, 2 * pixels, 50 * pixels, "Gop/s");
  for (i = 0; i < 25; ++i) netcl_tensor_release(work.inputs[i]);
  netcl_tensor_release(padded);
}

/* Counts the pixels that differ from the reference and writes the picture. Returns 1 for none. */
static int verify_edges(netcl_tensor *edges, const picture *image, const char *out_path) {
  picture found = {0, 0, 1, NULL};
  size_t count = (size_t)(image->height * image->width), differing = 0, i;
  uint8_t *expected = (uint8_t *)allocate(count);
  const char *problem;
  uint64_t start = now_ns();
  found.height = image->height;
  found.width = image->width;
  found.samples = (uint8_t *)allocate(count);
  CHECK(netcl_tensor_read(edges, found.samples, count, NULL, PATIENCE_NS));
  print_step("read back", 0, (double)(now_ns() - start), (double)count, 0, "");
  start = now_ns();
  reference_edges(image, expected);
  print_step("the same in plain C", 0, (double)(now_ns() - start), 2.0 * (double)count,
             50.0 * (double)count, "Gop/s");
  for (i = 0; i < count; ++i) differing += found.samples[i] != expected[i];
  problem = picture_save(out_path, &found);
  if (problem != NULL) fail(out_path, problem);
  printf("  -> %lld of %lld pixels equal those of plain C; written to %s\n",
         (long long)(count - differing), (long long)count, out_path);
  free(expected);
  free(found.samples);
  return differing == 0;
}

/* Times the way to the device on its own: loading is mostly decoding. */
static void time_upload(const picture *image, double bytes) {
  const int64_t count = (int64_t)bytes;
  double best = HUGE_VAL;
  int i;
  for (i = 0; i < RUNS; ++i) {
    netcl_tensor *tensor = NULL;
    const uint64_t start = now_ns();
    CHECK(netcl_tensor_create_from_host(device, NETCL_U8, 1, &count, NULL, image->samples,
                                        (size_t)count, NULL, &tensor));
    CHECK(netcl_tensor_wait(tensor, PATIENCE_NS));
    best = fmin(best, (double)(now_ns() - start));
    netcl_tensor_release(tensor);
  }
  print_step("upload", 0, best, bytes, 0, "");
}

static int find_edges(const char *path, const char *out_path, int has_kernels) {
  picture image = {0, 0, 0, NULL};
  const uint64_t start = now_ns();
  netcl_tensor *samples = load_picture(path, &image), *grey, *edges;
  int64_t shape[2];
  double bytes;
  int right;
  CHECK(netcl_tensor_wait(samples, PATIENCE_NS));
  bytes = (double)picture_bytes(&image);
  printf("picture  %s, %lld x %lld, %s\n\n",
         path != NULL ? picture_file_name(path) : "generated by an expression",
         (long long)image.width, (long long)image.height, image.channels == 3 ? "RGB" : "grey");
  print_head();
  print_step(path != NULL ? "load and upload" : "generate", 0, (double)(now_ns() - start), 0, 0,
             "");
  time_upload(&image, bytes);
  shape[0] = image.height;
  shape[1] = image.width;
  edges = new_tensor(NETCL_U8, 2, shape);
  grey = make_grey(samples, &image);
  if (has_kernels) {
    run_edge_kernel(grey, edges, &image);
  } else {
    run_edge_expression(grey, edges, &image);
  }
  right = verify_edges(edges, &image, out_path);
  netcl_tensor_release(samples);
  netcl_tensor_release(grey);
  netcl_tensor_release(edges);
  free(image.samples);
  return right;
}

/* ---- Arithmetic ---- */

/* Makes random numbers in [-1, 1) on the device and gives them to the host too. */
static netcl_tensor *random_matrix(int64_t size, uint64_t seed, float *values) {
  const int64_t shape[2] = {size, size};
  netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor *tensor = NULL;
  random.seed = seed;
  random.low = -1.0;
  random.high = 1.0;
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, &random, NULL, &tensor));
  CHECK(netcl_tensor_read(tensor, values, (size_t)(size * size) * sizeof(float), NULL,
                          PATIENCE_NS));
  return tensor;
}

/* The error of a product against double precision, in parts of the bound that netcl.h states. */
static double matmul_error(const float *a, const float *b, const float *product, int n) {
  double *exact = (double *)allocate((size_t)n * 2 * sizeof(double)), *size = exact + n;
  double worst = 0;
  int i, j, k;
  for (i = 0; i < n; ++i) {
    for (j = 0; j < 2 * n; ++j) exact[j] = 0;
    for (k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      for (j = 0; j < n; ++j) {
        exact[j] += factor * b[k * n + j];
        size[j] += fabs(factor * b[k * n + j]);
      }
    }
    for (j = 0; j < n; ++j) {
      const double error = fabs(product[i * n + j] - exact[j]) / (2.0 * n * ldexp(size[j], -24));
      /* Written so that NaN counts as an error. */
      if (!(error <= worst)) worst = isnan(error) ? HUGE_VAL : error;
    }
  }
  free(exact);
  return worst;
}

/* Runs a job on two random matrices; `values` receives both and then the result. */
static void run_on_random(const char *name, job *work, int size, uint64_t seed, float *values,
                          double bytes, double operations) {
  const int64_t shape[2] = {size, size};
  const size_t count = (size_t)size * (size_t)size;
  work->inputs[0] = random_matrix(size, seed, values);
  work->inputs[1] = random_matrix(size, seed + 1, values + count);
  work->inputs_count = 2;
  work->into = new_tensor(NETCL_F32, 2, shape);
  time_job(name, work, bytes, operations, "GFLOP/s");
  CHECK(netcl_tensor_read(work->into, values + 2 * count, count * sizeof(float), NULL,
                          PATIENCE_NS));
  netcl_tensor_release(work->inputs[0]);
  netcl_tensor_release(work->inputs[1]);
  netcl_tensor_release(work->into);
}

static int run_fused(uint64_t seed) {
  const size_t count = (size_t)FUSED_SIZE * FUSED_SIZE;
  float *values = (float *)allocate(3 * count * sizeof(float));
  size_t differing = 0, i;
  job work = {0};
  work.expression = FUSED_TEXT;
  run_on_random(FUSED_TEXT, &work, FUSED_SIZE, seed, values, 3.0 * (double)count * sizeof(float),
                2.0 * (double)count);
  for (i = 0; i < count; ++i) {
    const float sum = values[i] + values[count + i];
    differing += values[2 * count + i] != sum * 2.0f;
  }
  printf("  -> %lld of %lld results equal those of plain C\n", (long long)(count - differing),
         (long long)count);
  free(values);
  return differing == 0;
}

static int run_matmul(uint64_t seed) {
  const size_t count = (size_t)MATMUL_SIZE * MATMUL_SIZE;
  float *values = (float *)allocate(3 * count * sizeof(float));
  char name[32];
  double error;
  job work = {0};
  snprintf(name, sizeof name, "matmul %d x %d", MATMUL_SIZE, MATMUL_SIZE);
  run_on_random(name, &work, MATMUL_SIZE, seed, values, 3.0 * (double)count * sizeof(float),
                2.0 * (double)count * MATMUL_SIZE);
  error = matmul_error(values, values + count, values + 2 * count, MATMUL_SIZE);
  printf("  -> largest error against double precision: %.2g of the bound\n", error);
  free(values);
  return error <= 1.0;
}

/* ---- Main ---- */

static void usage(void) {
  fprintf(stderr, "usage: quickstart [picture.png|.ppm|.pgm|.npy] [--device SELECTOR]"
                  " [--out edges.png]\n");
  exit(2);
}

/* Opens the device and says which; returns 1 when it compiles kernels. */
static int open_device(const char *selector) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  int has_kernels;
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  CHECK(netcl_device_get_queue(device, &queue));
  CHECK(netcl_queue_set_profiling(queue, 1));
  has_kernels = info.backend == NETCL_BACKEND_OPENCL;
  printf("netcl %s\ndevice   %s\n", netcl_version_string(), info.name);
  if (has_kernels) {
    printf("backend  OpenCL: %s, driver %s\n", info.platform_name, info.driver_version);
    printf("filter   custom kernel, compiled from source\n");
  } else {
    printf("backend  built-in CPU device\n");
    printf("filter   expression over 25 shifted views (custom kernels need an OpenCL device)\n");
  }
  return has_kernels;
}

int main(int argc, char **argv) {
  const char *path = NULL, *selector = "auto";
  const char *out_path = NETCL_EXAMPLE_PNG ? "edges.png" : "edges.pgm";
  const uint64_t seed = (uint64_t)time(NULL);
  int has_kernels, right = 1, i;
  program_name = "quickstart";
  for (i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      selector = argv[++i];
    } else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
      out_path = argv[++i];
    } else if (argv[i][0] != '-' && path == NULL) {
      path = argv[i];
    } else {
      usage();
    }
  }
  has_kernels = open_device(selector);
  right &= find_edges(path, out_path, has_kernels);
  right &= run_fused(seed);
  right &= run_matmul(seed);
  netcl_queue_release(queue);
  netcl_device_release(device);
  printf("\n%s (seed %llu)\n", right ? "all results are right" : "WRONG RESULTS",
         (unsigned long long)seed);
  return right ? 0 : 1;
}
