/*
 * A network that learns to read digits on all ranks of a group at once, compared with the same
 * steps on one device.
 *
 *   group_train [MNIST_FOLDER] [--device SELECTOR] [--threads] [--ranks N] [--steps N]
 *               [--dtype f32|f64] [--losses FILE]
 *
 * Each rank has the whole network and a part of each batch, of whose loss it records the gradients.
 * These are put into one tensor, each times the rank's share of the batch, and are added up by one
 * all_reduce; then all ranks take the same step. What is left are other roundings of sums: the
 * program ends with 1 when a loss is further from one device's than 1e-3 (f64: 1e-9) of it.
 * MNIST_FOLDER is as for train; without it digits are drawn. --losses writes those of the group as
 * f64, one after the other.
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
  netcl_tensor* sums;              /* gradients one behind the other, and the loss */
  netcl_tensor* parts[PARAMETERS]; /* views of them */
  netcl_tensor* loss;
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

/* `count` elements of the sums as a tensor of a shape. */
static netcl_tensor* part_of_sums(netcl_tensor* sums, int64_t first, int64_t count, uint32_t rank,
                                  const int64_t* shape) {
  const netcl_range range = {first, count, 1};
  netcl_tensor *line = NULL, *part = NULL;
  CHECK(netcl_tensor_slice(sums, &range, 1, &line));
  CHECK(netcl_tensor_reshape(line, rank, shape, NULL, &part));
  netcl_tensor_release(line);
  return part;
}

static trainer make_trainer(netcl_device* device, netcl_group* group, uint32_t rank) {
  trainer t = {.device = device, .group = group, .count = BATCH};
  uint32_t state = 1;
  int64_t all = 1, at = 0;
  if (group != NULL) {
    t.first = first_of(BATCH, rank, ranks);
    t.count = first_of(BATCH, rank + 1, ranks) - t.first;
  }
  for (int i = 0; i < PARAMETERS; i++) all += kShapes[i].count;
  CHECK(netcl_tensor_create_zeros(device, dtype, 1, &all, NULL, NULL, &t.sums));
  for (int i = 0; i < PARAMETERS; i++) {
    t.parameters[i] = first_values(device, i, &state);
    CHECK(netcl_tensor_create_zeros(device, dtype, kShapes[i].rank, kShapes[i].shape, NULL, NULL,
                                    &t.momenta[i]));
    t.parts[i] = part_of_sums(t.sums, at, kShapes[i].count, kShapes[i].rank, kShapes[i].shape);
    at += kShapes[i].count;
  }
  t.loss = part_of_sums(t.sums, at, 1, 0, NULL);
  return t;
}

static void free_trainer(trainer* t) {
  for (int i = 0; i < PARAMETERS; i++) {
    netcl_tensor_release(t->parameters[i]);
    netcl_tensor_release(t->momenta[i]);
    netcl_tensor_release(t->parts[i]);
  }
  netcl_tensor_release(t->sums);
  netcl_tensor_release(t->loss);
}

/* Convolution with bias and relu, and the maximum of each 2 x 2. Takes x over. */
static netcl_tensor* run_stage(const trainer* t, int which, netcl_tensor* x,
                               const netcl_run_options* run) {
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  netcl_pool2d_options pool = NETCL_POOL2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_tensor *wide = NULL, *pooled = NULL;
  for (int i = 0; i < 4; i++) conv.padding[i] = 1;
  for (int i = 0; i < 2; i++) pool.window[i] = pool.strides[i] = 2;
  epilogue.bias = t->parameters[which + 1];
  epilogue.activation = NETCL_ACTIVATION_RELU;
  conv.epilogue = &epilogue;
  CHECK(netcl_op_conv2d(x, t->parameters[which], &conv, run, &wide));
  CHECK(netcl_op_pool2d(wide, NETCL_POOLING_MAX, &pool, run, &pooled));
  netcl_tensor_release(x);
  netcl_tensor_release(wide);
  return pooled;
}

/* The mean loss of some images, recorded. */
static netcl_tensor* forward(const trainer* t, netcl_tensor* bytes, netcl_tensor* labels,
                             const netcl_run_options* run) {
  const int64_t flat[2] = {-1, 784};
  netcl_epilogue bias = NETCL_EPILOGUE_INIT;
  netcl_matmul_options dense = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *x = NULL, *features = NULL, *logits = NULL, *loss = NULL;
  CHECK(netcl_op_expression_text(dtype == NETCL_F64 ? "f64(v0) / 255.0" : "f32(v0) / 255.0", &bytes,
                                 1, NULL, NULL, &x));
  x = run_stage(t, CONV1, x, run);
  x = run_stage(t, CONV2, x, run);
  CHECK(netcl_tensor_reshape(x, 2, flat, run, &features));
  bias.bias = t->parameters[DENSE + 1];
  dense.epilogue = &bias;
  CHECK(netcl_op_matmul(features, t->parameters[DENSE], &dense, run, &logits));
  CHECK(netcl_op_cross_entropy(logits, labels, 1, NULL, run, &loss));
  netcl_tensor_release(x);
  netcl_tensor_release(features);
  netcl_tensor_release(logits);
  return loss;
}

/* to = from times the rank's share of the batch. */
static void put_share(const trainer* t, netcl_tensor* from, netcl_tensor* to) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  char formula[64];
  snprintf(formula, sizeof formula, "v0 * %.17g", (double)t->count / BATCH);
  run.into = to;
  CHECK(netcl_op_expression_text(formula, &from, 1, NULL, &run, NULL));
}

/* One step; gives the loss of the whole batch. */
static double step(trainer* t, const image_set* set, int64_t batch) {
  int32_t classes[BATCH];
  const int64_t shape[4] = {t->count, 1, IMAGE_SIDE, IMAGE_SIDE};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_sgd_options sgd = NETCL_SGD_OPTIONS_INIT;
  netcl_graph* graph = NULL;
  netcl_tensor *bytes = NULL, *labels = NULL, *gradients[PARAMETERS];
  double loss = 0;
  float loss_f32 = 0;
  CHECK(netcl_graph_create(t->device, NULL, &graph));
  run.graph = graph;
  uint8_t* own = allocate((size_t)(t->count * IMAGE_PIXELS));
  for (int64_t i = 0; i < t->count; i++) {
    const int64_t image = (batch * BATCH + t->first + i) * 7 % set->count;
    memcpy(own + i * IMAGE_PIXELS, set->pixels + image * IMAGE_PIXELS, IMAGE_PIXELS);
    classes[i] = set->labels != NULL ? set->labels[image] : (int32_t)(image % CLASSES);
  }
  CHECK(netcl_tensor_create_from_host(t->device, NETCL_U8, 4, shape, NULL, own,
                                      (size_t)(t->count * IMAGE_PIXELS), NULL, &bytes));
  free(own);
  CHECK(netcl_tensor_create_from_host(t->device, NETCL_I32, 1, &t->count, NULL, classes,
                                      (size_t)t->count * sizeof *classes, NULL, &labels));
  netcl_tensor* mean = forward(t, bytes, labels, &run);
  CHECK(netcl_graph_add_gradients(graph, &mean, 1, t->parameters, PARAMETERS, NULL, gradients));
  put_share(t, mean, t->loss);
  for (int i = 0; i < PARAMETERS; i++) put_share(t, gradients[i], t->parts[i]);
  if (t->group != NULL) {
    CHECK(netcl_group_all_reduce(t->group, t->sums, t->sums, NETCL_REDUCTION_SUM, NULL));
  }
  sgd.momentum_buffers = t->momenta;
  sgd.momentum_buffers_count = PARAMETERS;
  sgd.momentum = kMomentum;
  CHECK(netcl_op_sgd(t->parameters, PARAMETERS, t->parts, PARAMETERS, kRate, &sgd, NULL));
  if (dtype == NETCL_F64) {
    CHECK(netcl_tensor_read(t->loss, &loss, sizeof loss, NULL, PATIENCE_NS));
  } else {
    CHECK(netcl_tensor_read(t->loss, &loss_f32, sizeof loss_f32, NULL, PATIENCE_NS));
    loss = (double)loss_f32;
  }
  for (int i = 0; i < PARAMETERS; i++) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(mean);
  netcl_tensor_release(bytes);
  netcl_tensor_release(labels);
  netcl_graph_release(graph);
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
  const double bound = dtype == NETCL_F64 ? 1e-9 : 1e-3;
  double worst = 0;
  for (int64_t i = 0; i < steps; i++) {
    const double off = fabs(group[i] - alone[i]) / alone[i];
    if (!(off <= worst)) worst = off;
  }
  printf("the losses of %ld steps differ by %.2g of one device's at most; %.0e is allowed\n",
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
           "usage: group_train [MNIST_FOLDER] [--device SELECTOR] [--threads] [--ranks N] "
           "[--steps N] [--dtype f32|f64] [--losses FILE]");
    }
  }
  if (steps < 1 || steps > 1000000) fail("--steps", "1 to 1000000");
  run_ranks(run_rank);
  return 0;
}
