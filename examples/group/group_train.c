/*
 * A network that learns to read digits on all ranks of a group at once, compared with the same
 * steps on one device.
 *
 *   group_train [MNIST_FOLDER] [--device SELECTOR]... [--threads | --mpi] [--ranks N] [--steps N]
 *               [--dtype f32|f64] [--losses FILE]
 *
 * Each rank has the whole network and a part of each batch, of whose loss it records the gradients
 * once, as a graph that is run for each batch. They begin with the rank's share of the batch, so
 * that their sum over the ranks is the gradient of the whole batch: a reducer adds up those that
 * are there while the graph goes on. Then all ranks take the same step. What is left are other
 * roundings: the program ends with 1 when a loss is further from one device's than 2e-4 (f64: 1e-9)
 * of the first loss. MNIST_FOLDER is as for train; without it digits are drawn. --losses writes
 * those of the group as f64, one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "../mnist.h"
#include "ranks.h"

enum { BATCH = 96, CONV1 = 0, CONV2 = 2, DENSE = 4, PARAMETERS = 6, CLASSES = 10 };
static const double kRate = 0.05, kMomentum = 0.9;

/* Each weight is followed by its bias. */
static const struct {
  uint32_t rank;
  int64_t shape[4];
  int64_t count, fan_in; /* 0: it begins as zeros */
} kShapes[PARAMETERS] = {{4, {8, 1, 3, 3}, 72, 9},     {1, {8}, 8, 0},
                         {4, {16, 8, 3, 3}, 1152, 72}, {1, {16}, 16, 0},
                         {2, {784, 10}, 7840, 784},    {1, {10}, 10, 0}};

static const char *folder, *losses_file;
static int64_t steps = 60;
static netcl_dtype dtype = NETCL_F32;

typedef struct trainer {
  netcl_device* device;
  netcl_group* group;   /* NULL: all alone */
  int64_t first, count; /* which images of each batch */
  netcl_tensor* parameters[PARAMETERS];
  netcl_tensor* momenta[PARAMETERS];
  netcl_graph* graph;
  netcl_reducer* reducer; /* NULL: all alone */
  netcl_tensor* bytes;    /* of the images, and their classes */
  netcl_tensor* labels;
  netcl_tensor* outputs[PARAMETERS + 1]; /* gradients, and the loss times the share of the batch */
} trainer;

static uint32_t random_bits(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
  return *state >> 8;
}

/* Uniform within He's bound, the same on all ranks. */
static netcl_tensor* first_values(netcl_device* device, int which, uint32_t* state) {
  const int64_t count = kShapes[which].count, fan_in = kShapes[which].fan_in;
  const double bound = fan_in > 0 ? sqrt(6.0 / (double)fan_in) : 0;
  const size_t bytes = (size_t)count * netcl_dtype_size(dtype);
  double* values = allocate((size_t)count * sizeof *values);
  netcl_tensor* tensor = NULL;
  for (int64_t i = 0; i < count; i++) {
    const float value = (float)(((double)random_bits(state) / 8388608.0 - 1.0) * bound);
    if (dtype == NETCL_F64) {
      values[i] = (double)value;
    } else {
      memcpy((float*)values + i, &value, sizeof value);
    }
  }
  CHECK(netcl_tensor_create_from_host(device, dtype, kShapes[which].rank, kShapes[which].shape,
                                      NULL, values, bytes, NULL, &tensor));
  free(values);
  return tensor;
}

/* Convolution with bias and relu, and the maximum of each 2 x 2. Takes x over. */
static netcl_tensor* run_stage(const trainer* t, int which, netcl_tensor* x,
                               const netcl_run_options* run) {
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  static const int64_t two[] = {2};
  netcl_pooling_options pool = NETCL_POOLING_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_tensor *wide = NULL, *pooled = NULL;
  for (int i = 0; i < 4; i++) conv.padding[i] = 1;
  pool.window = pool.strides = two;
  pool.window_count = pool.strides_count = 1;
  epilogue.bias = t->parameters[which + 1];
  epilogue.activation = NETCL_ACTIVATION_RELU;
  conv.epilogue = &epilogue;
  CHECK(netcl_op_conv2d(x, t->parameters[which], &conv, run, &wide));
  CHECK(netcl_op_pool(wide, NETCL_POOLING_MAX, &pool, run, &pooled));
  netcl_tensor_release(x);
  netcl_tensor_release(wide);
  return pooled;
}

/* The mean loss of the images, recorded. */
static netcl_tensor* forward(const trainer* t, const netcl_run_options* run) {
  const int64_t flat[2] = {-1, 784};
  netcl_epilogue bias = NETCL_EPILOGUE_INIT;
  netcl_matmul_options dense = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *x = NULL, *features = NULL, *logits = NULL, *loss = NULL;
  CHECK(netcl_op_expression_text(dtype == NETCL_F64 ? "f64(v0) / 255.0" : "f32(v0) / 255.0",
                                 &t->bytes, 1, NULL, run, &x));
  x = run_stage(t, CONV1, x, run);
  x = run_stage(t, CONV2, x, run);
  CHECK(netcl_tensor_reshape(x, 2, flat, run, &features));
  bias.bias = t->parameters[DENSE + 1];
  dense.epilogue = &bias;
  CHECK(netcl_op_matmul(features, t->parameters[DENSE], &dense, run, &logits));
  CHECK(netcl_op_cross_entropy(logits, t->labels, 1, NULL, run, &loss));
  netcl_tensor_release(x);
  netcl_tensor_release(features);
  netcl_tensor_release(logits);
  return loss;
}

/* Records a step up to the gradients, and makes it ready to run. */
static void record(trainer* t) {
  const double share = (double)t->count / BATCH;
  const float share_f32 = (float)share;
  const void* seed_value = dtype == NETCL_F64 ? (const void*)&share : &share_f32;
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *seed = NULL, *values[PARAMETERS + 1] = {NULL};
  netcl_tensor* const inputs[2] = {t->bytes, t->labels};
  capture.execute = NETCL_OFF;
  CHECK(netcl_graph_create(t->device, &capture, &t->graph));
  run.graph = t->graph;
  netcl_tensor* mean = forward(t, &run);
  CHECK(netcl_tensor_create_full(t->device, dtype, 0, NULL, NULL, seed_value, NULL, &seed));
  options.seeds = &seed;
  options.seeds_count = 1;
  options.reducer = t->reducer;
  CHECK(netcl_graph_add_gradients(t->graph, &mean, 1, t->parameters, PARAMETERS, &options, values));
  netcl_tensor* const both[2] = {mean, seed};
  CHECK(netcl_op_expression_text("v0 * v1", both, 2, NULL, &run, &values[PARAMETERS]));
  CHECK(netcl_graph_compile(t->graph, inputs, 2, values, PARAMETERS + 1, NULL));
  for (int i = 0; i <= PARAMETERS; i++) netcl_tensor_release(values[i]);
  netcl_tensor_release(mean);
  netcl_tensor_release(seed);
}

static trainer make_trainer(netcl_device* device, netcl_group* group, uint32_t rank) {
  trainer t = {.device = device, .group = group, .count = BATCH};
  netcl_reducer_options sums = NETCL_REDUCER_OPTIONS_INIT;
  uint32_t state = 1;
  if (group != NULL) {
    t.first = first_of(BATCH, rank, ranks);
    t.count = first_of(BATCH, rank + 1, ranks) - t.first;
    sums.kind = NETCL_REDUCTION_SUM;
    sums.bucket_bytes = 16384; /* the last layer's gradients are ready first, and fill one */
    CHECK(netcl_reducer_create(group, &sums, &t.reducer));
  }
  const int64_t images[4] = {t.count, 1, IMAGE_SIDE, IMAGE_SIDE};
  CHECK(netcl_tensor_create_zeros(device, NETCL_U8, 4, images, NULL, NULL, &t.bytes));
  CHECK(netcl_tensor_create_zeros(device, NETCL_I32, 1, images, NULL, NULL, &t.labels));
  for (int i = 0; i < PARAMETERS; i++) {
    t.parameters[i] = first_values(device, i, &state);
    CHECK(netcl_tensor_create_zeros(device, dtype, kShapes[i].rank, kShapes[i].shape, NULL, NULL,
                                    &t.momenta[i]));
    CHECK(netcl_tensor_create_zeros(device, dtype, kShapes[i].rank, kShapes[i].shape, NULL, NULL,
                                    &t.outputs[i]));
  }
  CHECK(netcl_tensor_create_zeros(device, dtype, 0, NULL, NULL, NULL, &t.outputs[PARAMETERS]));
  record(&t);
  return t;
}

static void free_trainer(trainer* t) {
  for (int i = 0; i < PARAMETERS; i++) {
    netcl_tensor_release(t->parameters[i]);
    netcl_tensor_release(t->momenta[i]);
  }
  for (int i = 0; i <= PARAMETERS; i++) netcl_tensor_release(t->outputs[i]);
  netcl_tensor_release(t->bytes);
  netcl_tensor_release(t->labels);
  netcl_graph_release(t->graph);
  netcl_reducer_release(t->reducer);
}

static void take_batch(const trainer* t, const image_set* set, int64_t batch) {
  int32_t classes[BATCH];
  uint8_t* own = allocate((size_t)(t->count * IMAGE_PIXELS));
  for (int64_t i = 0; i < t->count; i++) {
    const int64_t image = (batch * BATCH + t->first + i) * 7 % set->count;
    memcpy(own + i * IMAGE_PIXELS, set->pixels + image * IMAGE_PIXELS, IMAGE_PIXELS);
    classes[i] = set->labels != NULL ? set->labels[image] : (int32_t)(image % CLASSES);
  }
  CHECK(netcl_tensor_write(t->bytes, own, (size_t)(t->count * IMAGE_PIXELS), NULL, PATIENCE_NS));
  CHECK(netcl_tensor_write(t->labels, classes, (size_t)t->count * sizeof *classes, NULL,
                           PATIENCE_NS));
  free(own);
}

/* One step; gives the loss of the whole batch. */
static double step(trainer* t, const image_set* set, int64_t batch) {
  netcl_tensor* const inputs[2] = {t->bytes, t->labels};
  netcl_tensor* const sum = t->outputs[PARAMETERS];
  netcl_sgd_options sgd = NETCL_SGD_OPTIONS_INIT;
  double loss = 0;
  float loss_f32 = 0;
  take_batch(t, set, batch);
  CHECK(netcl_graph_run(t->graph, inputs, 2, t->outputs, PARAMETERS + 1, NULL));
  if (t->group != NULL) {
    CHECK(netcl_group_all_reduce(t->group, sum, sum, NETCL_REDUCTION_SUM, NULL));
    CHECK(netcl_reducer_wait(t->reducer, PATIENCE_NS));
  }
  sgd.momentum_buffers = t->momenta;
  sgd.momentum_buffers_count = PARAMETERS;
  sgd.momentum = kMomentum;
  CHECK(netcl_op_sgd(t->parameters, PARAMETERS, t->outputs, PARAMETERS, kRate, &sgd, NULL));
  if (dtype == NETCL_F64) {
    CHECK(netcl_tensor_read(sum, &loss, sizeof loss, NULL, PATIENCE_NS));
  } else {
    CHECK(netcl_tensor_read(sum, &loss_f32, sizeof loss_f32, NULL, PATIENCE_NS));
    loss = (double)loss_f32;
  }
  return loss;
}

static double* train(netcl_device* device, netcl_group* group, uint32_t rank) {
  image_set set = folder != NULL ? load_images(folder) : draw_images();
  trainer t = make_trainer(device, group, rank);
  double* losses = allocate((size_t)steps * sizeof *losses);
  const uint64_t begin = now_ns();
  for (int64_t i = 0; i < steps; i++) losses[i] = step(&t, &set, i);
  if (rank == 0) {
    printf("%u rank%s: %.2f ms a step, loss %.6f to %.6f\n", group == NULL ? 1 : ranks,
           group == NULL || ranks == 1 ? "" : "s",
           1e-6 * (double)(now_ns() - begin) / (double)steps, losses[0], losses[steps - 1]);
  }
  free_trainer(&t);
  free_images(&set);
  return losses;
}

static void compare(const double* group, const double* alone) {
  const double bound = dtype == NETCL_F64 ? 1e-9 : 2e-4;
  double worst = 0;
  for (int64_t i = 0; i < steps && worst >= 0; i++) {
    const double off = fabs(group[i] - alone[i]) / alone[0];
    if (!(off <= worst)) worst = off;
  }
  printf("the losses of %ld steps differ by %.2g of the first at most; %.0e is allowed\n",
         (long)steps, worst, bound);
  if (!(worst <= bound)) fail("losses", "they are not those of one device");
  if (steps >= 60 && !(group[steps - 1] < group[0] / 2)) fail("losses", "nothing was learnt");
}

static void run_rank(uint32_t rank) {
  netcl_device* device = NULL;
  netcl_group* group = join(rank, &device);
  double* losses = train(device, group, rank);
  if (rank == 0) {
    double* alone = train(device, NULL, 0);
    compare(losses, alone);
    free(alone);
    if (losses_file != NULL) {
      FILE* file = fopen(losses_file, "wb");
      if (file == NULL || fwrite(losses, sizeof *losses, (size_t)steps, file) != (size_t)steps ||
          fclose(file) != 0) {
        fail(losses_file, "it cannot be written");
      }
    }
  }
  free(losses);
  netcl_group_release(group);
  netcl_device_release(device);
}

int main(int argc, char** argv) {
  program_name = "group_train";
  const int words = read_ranks(argc, argv);
  for (int i = 0; i < words; i++) {
    const int more = i + 1 < words;
    if (more && strcmp(argv[i], "--steps") == 0) {
      steps = strtol(argv[++i], NULL, 10);
    } else if (more && strcmp(argv[i], "--losses") == 0) {
      losses_file = argv[++i];
    } else if (more && strcmp(argv[i], "--dtype") == 0) {
      i++;
      if (strcmp(argv[i], "f32") != 0 && strcmp(argv[i], "f64") != 0) fail(argv[i], "f32 or f64");
      dtype = strcmp(argv[i], "f64") == 0 ? NETCL_F64 : NETCL_F32;
    } else if (argv[i][0] != '-' && folder == NULL) {
      folder = argv[i];
    } else {
      fail(argv[i],
           "usage: group_train [MNIST_FOLDER] [--device SELECTOR]... [--threads | --mpi] "
           "[--ranks N] [--steps N] [--dtype f32|f64] [--losses FILE]");
    }
  }
  if (steps < 1 || steps > 1000000) fail("--steps", "1 to 1000000");
  run_ranks(run_rank);
  return 0;
}
