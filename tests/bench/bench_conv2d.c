/* The convolutions of ResNet-50 through the public header beside oneDNN: its direct method and its
 * Winograd, with its own layouts at hand (bare) and with the copies from and to NCHW that a program
 * with plain arrays needs (whole). The sides take turns with a rest in between, in which the other
 * side's threads stop polling; the best of all rounds counts, and the ratios are oneDNN / netcl.
 *
 *   taskset -c 0 bench_conv2d [selector] [rounds] [batch] [layer ...]
 *
 * The threads are those of the processors the program may use; on a single one its processor time
 * is measured, which other programs disturb less. netcl runs the variant that it chooses, and all
 * that can do the layer with NETCL_BENCH_ALL=1. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#if NETCL_BENCH_DNNL
#include <dnnl.h>
#endif
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

typedef struct {
  const char* name;
  int channels, size, filters, kernel, stride;
} Layer;

static const Layer kLayers[] = {
    {"conv1", 3, 224, 64, 7, 2},     {"2.1x1a", 64, 56, 64, 1, 1},
    {"2.3x3", 64, 56, 64, 3, 1},     {"2.1x1b", 64, 56, 256, 1, 1},
    {"2.1x1c", 256, 56, 64, 1, 1},   {"3.1x1a", 256, 56, 128, 1, 1},
    {"3.3x3s2", 128, 56, 128, 3, 2}, {"3.skip", 256, 56, 512, 1, 2},
    {"3.1x1b", 128, 28, 512, 1, 1},  {"3.1x1c", 512, 28, 128, 1, 1},
    {"3.3x3", 128, 28, 128, 3, 1},   {"4.1x1a", 512, 28, 256, 1, 1},
    {"4.3x3s2", 256, 28, 256, 3, 2}, {"4.skip", 512, 28, 1024, 1, 2},
    {"4.1x1b", 256, 14, 1024, 1, 1}, {"4.1x1c", 1024, 14, 256, 1, 1},
    {"4.3x3", 256, 14, 256, 3, 1},   {"5.1x1a", 1024, 14, 512, 1, 1},
    {"5.3x3s2", 512, 14, 512, 3, 2}, {"5.skip", 1024, 14, 2048, 1, 2},
    {"5.1x1b", 512, 7, 2048, 1, 1},  {"5.1x1c", 2048, 7, 512, 1, 1},
    {"5.3x3", 512, 7, 512, 3, 1},
};

#define VARIANTS 5
static const netcl_variant kVariants[VARIANTS] = {
    NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, NETCL_VARIANT_CONV2D_WINOGRAD,
    NETCL_VARIANT_CONV2D_WINOGRAD,      NETCL_VARIANT_CONV2D_TILED_LOCAL,
    NETCL_VARIANT_CONV2D_IM2COL,
};
static const char* const kVariantNames[] = {"implicit", "F(2,3)", "F(4,3)", "tiled", "im2col"};
static const uint32_t kTiles[VARIANTS] = {0, 2, 4, 0, 0};

static void rest(void) {
  const struct timespec t = {0, 5000000};
  nanosleep(&t, NULL);
}

static void keep_less(double* best, double value) {
  if (*best == 0.0 || value < *best) *best = value;
}

static float* random_numbers(int64_t count, unsigned* state) {
  float* data = malloc((size_t)count * sizeof *data);
  int64_t i;
  if (data == NULL) exit(1);
  for (i = 0; i < count; ++i) {
    *state = *state * 1664525u + 1013904223u;
    data[i] = (float)(*state >> 8) / 8388608.0f - 1.0f;
  }
  return data;
}

/* ---- oneDNN ---------------------------------------------------------------------------------- */

#if NETCL_BENCH_DNNL

typedef struct {
  dnnl_primitive_t convolution, reorders[3];
  dnnl_memory_t plain[3], own[3];
  int usable;
} Peer;

static dnnl_engine_t g_engine;
static dnnl_stream_t g_stream;

static void must(dnnl_status_t status, const char* what) {
  if (status == dnnl_success) return;
  fprintf(stderr, "oneDNN %s: %d\n", what, (int)status);
  exit(1);
}

static dnnl_primitive_t make_reorder(dnnl_memory_t from, dnnl_memory_t to) {
  const dnnl_memory_desc_t *a, *b;
  dnnl_primitive_desc_t description;
  dnnl_primitive_t primitive;
  must(dnnl_memory_get_memory_desc(from, &a), "memory");
  must(dnnl_memory_get_memory_desc(to, &b), "memory");
  must(dnnl_reorder_primitive_desc_create(&description, a, g_engine, b, g_engine, NULL), "reorder");
  must(dnnl_primitive_create(&primitive, description), "reorder");
  dnnl_primitive_desc_destroy(description);
  return primitive;
}

static void run_reorder(dnnl_primitive_t reorder, dnnl_memory_t from, dnnl_memory_t to) {
  const dnnl_exec_arg_t args[2] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
  must(dnnl_primitive_execute(reorder, g_stream, 2, args), "reorder");
}

static Peer make_peer(const Layer* layer, int batch, int out, dnnl_alg_kind_t algorithm, float* x,
                      float* w, float* y) {
  const int pad = layer->kernel / 2;
  const dnnl_dims_t dims[3] = {{batch, layer->channels, layer->size, layer->size},
                               {layer->filters, layer->channels, layer->kernel, layer->kernel},
                               {batch, layer->filters, out, out}};
  const dnnl_dims_t strides = {layer->stride, layer->stride}, padding = {pad, pad};
  float* const data[3] = {x, w, y};
  const dnnl_query_t query[3] = {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md};
  dnnl_memory_desc_t any[3], plain;
  dnnl_convolution_desc_t convolution;
  dnnl_primitive_desc_t description;
  Peer peer;
  int i;
  memset(&peer, 0, sizeof peer);
  for (i = 0; i < 3; ++i) {
    must(dnnl_memory_desc_init_by_tag(&any[i], 4, dims[i], dnnl_f32, dnnl_format_tag_any), "any");
  }
  must(dnnl_convolution_forward_desc_init(&convolution, dnnl_forward_inference, algorithm, &any[0],
                                          &any[1], NULL, &any[2], strides, padding, padding),
       "convolution");
  if (dnnl_primitive_desc_create(&description, &convolution, NULL, g_engine, NULL) !=
      dnnl_success) {
    return peer;
  }
  peer.usable = 1;
  must(dnnl_primitive_create(&peer.convolution, description), "convolution");
  for (i = 0; i < 3; ++i) {
    must(dnnl_memory_desc_init_by_tag(&plain, 4, dims[i], dnnl_f32, dnnl_abcd), "plain");
    must(dnnl_memory_create(&peer.plain[i], &plain, g_engine, data[i]), "plain");
    must(dnnl_memory_create(&peer.own[i], dnnl_primitive_desc_query_md(description, query[i], 0),
                            g_engine, DNNL_MEMORY_ALLOCATE),
         "own");
    peer.reorders[i] =
        i < 2 ? make_reorder(peer.plain[i], peer.own[i]) : make_reorder(peer.own[i], peer.plain[i]);
  }
  dnnl_primitive_desc_destroy(description);
  for (i = 0; i < 2; ++i) run_reorder(peer.reorders[i], peer.plain[i], peer.own[i]);
  must(dnnl_stream_wait(g_stream), "wait");
  return peer;
}

static void run_convolution(const Peer* peer) {
  const dnnl_exec_arg_t args[3] = {
      {DNNL_ARG_SRC, peer->own[0]}, {DNNL_ARG_WEIGHTS, peer->own[1]}, {DNNL_ARG_DST, peer->own[2]}};
  must(dnnl_primitive_execute(peer->convolution, g_stream, 3, args), "run");
}

static void run_peer(const Peer* peer, double* bare, double* whole) {
  double start;
  if (!peer->usable) return;
  run_convolution(peer); /* wakes its threads and fills the caches */
  start = now();
  run_convolution(peer);
  must(dnnl_stream_wait(g_stream), "wait");
  keep_less(bare, now() - start);
  start = now();
  run_reorder(peer->reorders[0], peer->plain[0], peer->own[0]);
  run_reorder(peer->reorders[1], peer->plain[1], peer->own[1]);
  run_convolution(peer);
  run_reorder(peer->reorders[2], peer->own[2], peer->plain[2]);
  must(dnnl_stream_wait(g_stream), "wait");
  keep_less(whole, now() - start);
}

static void free_peer(Peer* peer) {
  int i;
  if (!peer->usable) return;
  dnnl_primitive_destroy(peer->convolution);
  for (i = 0; i < 3; ++i) {
    dnnl_primitive_destroy(peer->reorders[i]);
    dnnl_memory_destroy(peer->plain[i]);
    dnnl_memory_destroy(peer->own[i]);
  }
}

#endif

/* ---- netcl ----------------------------------------------------------------------------------- */

typedef struct {
  netcl_device* device;
  netcl_tensor *x, *w, *y;
} Side;

/* Runs one variant (0: the library's choice); 0 when it cannot do the layer. */
static int run_netcl(const Side* side, const Layer* layer, netcl_variant variant, uint32_t tile,
                     double* best) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  double start;
  int i;
  options.variant = variant;
  options.winograd_tile = tile;
  options.strides[0] = options.strides[1] = layer->stride;
  for (i = 0; i < 4; ++i) options.padding[i] = layer->kernel / 2;
  run.into = side->y;
  for (i = 0; i < 2; ++i) {
    start = now();
    if (netcl_op_conv2d(side->x, side->w, &options, &run, NULL) != NETCL_OK) return 0;
    check(netcl_device_finish(side->device, NETCL_WAIT_FOREVER), "finish");
  }
  keep_less(best, now() - start);
  return 1;
}

static netcl_variant_config chosen(const Side* side, const Layer* layer, int batch) {
  netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  int i;
  shape.batch = batch;
  shape.channels = layer->channels;
  shape.height = shape.width = layer->size;
  shape.filters = layer->filters;
  shape.kernel_height = shape.kernel_width = layer->kernel;
  shape.strides[0] = shape.strides[1] = layer->stride;
  for (i = 0; i < 4; ++i) shape.padding[i] = layer->kernel / 2;
  check(netcl_variant_select_conv2d(side->device, &shape, NULL, &config), "choice");
  return config;
}

typedef struct {
  double direct, winograd; /* sums of logarithms */
  int layers, winograd_layers;
} Means;

/* The best times of one layer. */
typedef struct {
  double netcl, variants[VARIANTS];
  double direct[2], winograd[2]; /* bare and whole */
} Times;

static void print_times(const Layer* layer, int batch, int out, const Side* side,
                        const Times* times) {
  const netcl_variant_config config = chosen(side, layer, batch);
  const double work =
      2.0 * batch * out * out * layer->filters * layer->channels * layer->kernel * layer->kernel;
  int k;
  printf("%-8s %4dx%d/%d %4d->%4d  netcl %8.3f ms %7.1f GFLOP/s %-9s", layer->name, layer->size,
         layer->kernel, layer->stride, layer->channels, layer->filters, times->netcl * 1e3,
         work / times->netcl * 1e-9,
         config.variant == NETCL_VARIANT_CONV2D_WINOGRAD
             ? (config.winograd_tile == 2 ? "F(2,3)" : "F(4,3)")
             : netcl_variant_name(config.variant) + 7);
  for (k = 0; k < VARIANTS; ++k) {
    if (times->variants[k] > 0) printf(" %s %.3f", kVariantNames[k], times->variants[k] * 1e3);
  }
  if (times->direct[0] > 0) {
    printf("  direct %8.3f ms ratio %.2f whole %.2f", times->direct[0] * 1e3,
           times->direct[0] / times->netcl, times->direct[1] / times->netcl);
  }
  if (times->winograd[0] > 0) {
    printf("  Winograd %8.3f ms ratio %.2f whole %.2f", times->winograd[0] * 1e3,
           times->winograd[0] / times->netcl, times->winograd[1] / times->netcl);
  }
}

static void run_rounds(const Side* side, const Layer* layer, int batch, int out, int rounds,
                       float* const* data, Times* times) {
  int i, k;
#if NETCL_BENCH_DNNL
  Peer direct = make_peer(layer, batch, out, dnnl_convolution_direct, data[0], data[1], data[2]);
  Peer winograd =
      make_peer(layer, batch, out, dnnl_convolution_winograd, data[0], data[1], data[2]);
#else
  (void)batch;
  (void)out;
  (void)data;
#endif
  for (i = 0; i < rounds; ++i) {
    for (k = 0; k < VARIANTS && getenv("NETCL_BENCH_ALL") != NULL; ++k) {
      run_netcl(side, layer, kVariants[k], kTiles[k], &times->variants[k]);
    }
    if (!run_netcl(side, layer, 0, 0, &times->netcl)) check(NETCL_ERROR_INTERNAL, "conv2d");
    rest();
#if NETCL_BENCH_DNNL
    run_peer(&winograd, &times->winograd[0], &times->winograd[1]);
    run_peer(&direct, &times->direct[0], &times->direct[1]);
    rest();
#endif
  }
#if NETCL_BENCH_DNNL
  free_peer(&direct);
  free_peer(&winograd);
#endif
}

static void measure(netcl_device* device, const Layer* layer, int batch, int rounds, Means* means) {
  const int out = (layer->size + layer->kernel / 2 * 2 - layer->kernel) / layer->stride + 1;
  const int64_t shapes[3][4] = {{batch, layer->channels, layer->size, layer->size},
                                {layer->filters, layer->channels, layer->kernel, layer->kernel},
                                {batch, layer->filters, out, out}};
  double difference = 0.0;
  unsigned state = (unsigned)time(NULL);
  int64_t counts[3], k;
  float *data[3], *mine;
  netcl_tensor* tensors[3];
  Times times;
  Side side;
  int i;
  memset(&times, 0, sizeof times);
  for (i = 0; i < 3; ++i) {
    counts[i] = shapes[i][0] * shapes[i][1] * shapes[i][2] * shapes[i][3];
    data[i] = random_numbers(counts[i], &state);
    check(netcl_tensor_create_from_host(device, NETCL_F32, 4, shapes[i], NULL, data[i],
                                        (uint64_t)counts[i] * sizeof(float), NULL, &tensors[i]),
          "tensor");
  }
  side.device = device;
  side.x = tensors[0];
  side.w = tensors[1];
  side.y = tensors[2];
  run_rounds(&side, layer, batch, out, rounds, data, &times);
  print_times(layer, batch, out, &side, &times);
  if (times.direct[0] > 0) {
    means->direct += log(times.direct[0] / times.netcl);
    ++means->layers;
    mine = malloc((size_t)counts[2] * sizeof(float));
    if (mine == NULL) exit(1);
    check(netcl_tensor_read(side.y, mine, (uint64_t)counts[2] * sizeof(float), NULL,
                            NETCL_WAIT_FOREVER),
          "read");
    for (k = 0; k < counts[2]; ++k) {
      const double d = fabs((double)mine[k] - (double)data[2][k]);
      if (!(d <= difference)) difference = d;
    }
    free(mine);
    printf("  difference %.1e", difference);
  }
  if (times.winograd[0] > 0) {
    means->winograd += log(times.winograd[0] / times.netcl);
    ++means->winograd_layers;
  }
  printf("\n");
  fflush(stdout);
  for (i = 0; i < 3; ++i) {
    netcl_tensor_release(tensors[i]);
    free(data[i]);
  }
}

static int wanted(const Layer* layer, int argc, char** argv) {
  int i;
  for (i = 4; i < argc; ++i) {
    if (strstr(layer->name, argv[i]) != NULL) return 1;
  }
  return argc <= 4;
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  const int rounds = argc > 2 ? atoi(argv[2]) : 10;
  const int batch = argc > 3 ? atoi(argv[3]) : 8;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  Means means = {0.0, 0.0, 0, 0};
  netcl_device* device;
  size_t i;
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) == 1) {
    bench_clock = CLOCK_PROCESS_CPUTIME_ID;
  }
  check(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &device), "open");
  check(netcl_device_get_info(device, &info), "info");
  printf("%s, batch %d\n", info.name, batch);
#if NETCL_BENCH_DNNL
  must(dnnl_engine_create(&g_engine, dnnl_cpu, 0), "engine");
  must(dnnl_stream_create(&g_stream, g_engine, dnnl_stream_default_flags), "stream");
#endif
  for (i = 0; i < sizeof kLayers / sizeof kLayers[0]; ++i) {
    if (wanted(&kLayers[i], argc, argv)) measure(device, &kLayers[i], batch, rounds, &means);
  }
  if (means.layers > 0) {
    printf("geometric means over oneDNN: direct %.2f", exp(means.direct / means.layers));
    if (means.winograd_layers > 0) {
      printf(", Winograd %.2f", exp(means.winograd / means.winograd_layers));
    }
    printf("\n");
  }
#if NETCL_BENCH_DNNL
  dnnl_stream_destroy(g_stream);
  dnnl_engine_destroy(g_engine);
#endif
  netcl_device_release(device);
  return 0;
}
