/*
 * A network that is split over the ranks of a group, layer by layer, learns to read digits; it is
 * compared with the same steps on one device that has the whole network.
 *
 *   group_layers [MNIST_FOLDER] [--device SELECTOR]... [--threads | --mpi] [--ranks N] [--steps N]
 *
 * Each rank sees all images, and has some of the hidden units: columns of the first layer and rows
 * of the second. What the ranks make of their units is added up by an all_reduce, which is recorded
 * with everything else: gradients go back through it, and each run of the graph makes it anew. All
 * ranks have the whole loss then, so each takes its share of it: gradients are those of the sum
 * over the ranks. What all ranks have alike, the last bias, gets a part of its gradient on each; a
 * second all_reduce adds these up, in the same graph. The program ends with 1 when a loss is
 * further from one device's than 1e-9 of the first. MNIST_FOLDER is as for train; without it digits
 * are drawn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "../mnist.h"
#include "ranks.h"

enum { BATCH = 64, HIDDEN = 120, CLASSES = 10, W1 = 0, B1, W2, B2, PARAMETERS };
static const double kRate = 0.05, kMomentum = 0.9;

static const char* folder;
static int64_t steps = 40;

typedef struct network {
  netcl_device* device;
  netcl_group* group; /* NULL: all alone */
  int64_t first, units;
  netcl_tensor* parameters[PARAMETERS];
  netcl_tensor* momenta[PARAMETERS];
  netcl_tensor* bytes; /* of the images, and their classes */
  netcl_tensor* labels;
  netcl_tensor* loss;
  netcl_graph* graph;
} network;

/* A whole matrix, the same on all ranks, uniform within He's bound; of it the given window. */
static netcl_tensor* first_values(netcl_device* device, uint32_t seed, int64_t rows,
                                  int64_t columns, const netcl_range* part) {
  const int64_t shape[2] = {rows, columns};
  const double bound = sqrt(6.0 / (double)rows);
  netcl_tensor *whole = NULL, *view = NULL, *own = NULL;
  double* values = allocate((size_t)(rows * columns) * sizeof *values);
  for (int64_t i = 0; i < rows * columns; i++) {
    seed = seed * 1664525u + 1013904223u; /* Numerical Recipes' generator */
    values[i] = ((double)(seed >> 8) / 8388608.0 - 1.0) * bound;
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_F64, 2, shape, NULL, values,
                                      (size_t)(rows * columns) * sizeof *values, NULL, &whole));
  CHECK(netcl_tensor_slice(whole, part, 2, &view));
  CHECK(netcl_op_copy(view, NULL, &own));
  netcl_tensor_release(view);
  netcl_tensor_release(whole);
  free(values);
  return own;
}

static netcl_tensor* zeros(netcl_device* device, uint32_t rank, const int64_t* shape) {
  netcl_tensor* tensor = NULL;
  CHECK(netcl_tensor_create_zeros(device, NETCL_F64, rank, shape, NULL, NULL, &tensor));
  return tensor;
}

/* What this rank's share of the loss is, recorded. */
static netcl_tensor* forward(const network* n, const netcl_run_options* run) {
  netcl_epilogue hidden = NETCL_EPILOGUE_INIT;
  netcl_matmul_options dense = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *x = NULL, *units = NULL, *sums = NULL, *logits = NULL, *loss = NULL, *own = NULL;
  char share[32];
  hidden.bias = n->parameters[B1];
  hidden.activation = NETCL_ACTIVATION_RELU;
  dense.epilogue = &hidden;
  CHECK(netcl_op_expression_text("f64(v0) / 255.0", &n->bytes, 1, NULL, run, &x));
  CHECK(netcl_op_matmul(x, n->parameters[W1], &dense, run, &units));
  CHECK(netcl_op_matmul(units, n->parameters[W2], NULL, run, &sums));
  if (n->group != NULL) {
    CHECK(netcl_group_all_reduce(n->group, sums, sums, NETCL_REDUCTION_SUM, run));
  }
  netcl_tensor* const both[2] = {sums, n->parameters[B2]};
  CHECK(netcl_op_expression_text("v0 + v1", both, 2, NULL, run, &logits));
  CHECK(netcl_op_cross_entropy(logits, n->labels, 1, NULL, run, &loss));
  snprintf(share, sizeof share, "v0 / %u.0", n->group != NULL ? ranks : 1);
  CHECK(netcl_op_expression_text(share, &loss, 1, NULL, run, &own));
  netcl_tensor* const values[] = {x, units, sums, logits, loss};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) netcl_tensor_release(values[i]);
  return own;
}

/* A whole step: loss, gradients, and what becomes of the parameters. */
static void record(network* n) {
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_sgd_options sgd = NETCL_SGD_OPTIONS_INIT;
  netcl_tensor* gradients[PARAMETERS] = {NULL};
  netcl_tensor* const inputs[2] = {n->bytes, n->labels};
  capture.execute = NETCL_OFF;
  CHECK(netcl_graph_create(n->device, &capture, &n->graph));
  run.graph = n->graph;
  netcl_tensor* loss = forward(n, &run);
  CHECK(netcl_graph_add_gradients(n->graph, &loss, 1, n->parameters, PARAMETERS, NULL, gradients));
  if (n->group != NULL) {
    CHECK(netcl_group_all_reduce(n->group, gradients[B2], gradients[B2], NETCL_REDUCTION_SUM,
                                 &run));
  }
  sgd.momentum_buffers = n->momenta;
  sgd.momentum_buffers_count = PARAMETERS;
  sgd.momentum = kMomentum;
  CHECK(netcl_op_sgd(n->parameters, PARAMETERS, gradients, PARAMETERS, kRate, &sgd, &run));
  CHECK(netcl_graph_compile(n->graph, inputs, 2, &loss, 1, NULL));
  for (int i = 0; i < PARAMETERS; i++) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(loss);
}

static network make_network(netcl_device* device, netcl_group* group, uint32_t rank) {
  network n = {.device = device, .group = group, .units = HIDDEN};
  const int64_t images[2] = {BATCH, IMAGE_PIXELS}, classes = CLASSES;
  if (group != NULL) {
    n.first = first_of(HIDDEN, rank, ranks);
    n.units = first_of(HIDDEN, rank + 1, ranks) - n.first;
  }
  const int64_t shapes[PARAMETERS][2] = {
      {IMAGE_PIXELS, n.units}, {n.units}, {n.units, CLASSES}, {CLASSES}};
  const netcl_range columns[2] = {{0, IMAGE_PIXELS, 1}, {n.first, n.units, 1}};
  const netcl_range rows[2] = {{n.first, n.units, 1}, {0, CLASSES, 1}};
  n.parameters[W1] = first_values(device, 1, IMAGE_PIXELS, HIDDEN, columns);
  n.parameters[B1] = zeros(device, 1, shapes[B1]);
  n.parameters[W2] = first_values(device, 2, HIDDEN, CLASSES, rows);
  n.parameters[B2] = zeros(device, 1, &classes);
  for (int i = 0; i < PARAMETERS; i++) n.momenta[i] = zeros(device, 2 - (i & 1), shapes[i]);
  CHECK(netcl_tensor_create_zeros(device, NETCL_U8, 2, images, NULL, NULL, &n.bytes));
  CHECK(netcl_tensor_create_zeros(device, NETCL_I32, 1, images, NULL, NULL, &n.labels));
  n.loss = zeros(device, 0, NULL);
  record(&n);
  return n;
}

static void free_network(network* n) {
  for (int i = 0; i < PARAMETERS; i++) {
    netcl_tensor_release(n->parameters[i]);
    netcl_tensor_release(n->momenta[i]);
  }
  netcl_tensor_release(n->bytes);
  netcl_tensor_release(n->labels);
  netcl_tensor_release(n->loss);
  netcl_graph_release(n->graph);
}

/* One step; gives the loss. */
static double step(network* n, const image_set* set, int64_t batch) {
  netcl_tensor* const inputs[2] = {n->bytes, n->labels};
  int32_t classes[BATCH];
  uint8_t pixels[BATCH * IMAGE_PIXELS];
  double loss = 0;
  for (int64_t i = 0; i < BATCH; i++) {
    const int64_t image = (batch * BATCH + i) * 7 % set->count;
    memcpy(pixels + i * IMAGE_PIXELS, set->pixels + image * IMAGE_PIXELS, IMAGE_PIXELS);
    classes[i] = set->labels != NULL ? set->labels[image] : (int32_t)(image % CLASSES);
  }
  CHECK(netcl_tensor_write(n->bytes, pixels, sizeof pixels, NULL, PATIENCE_NS));
  CHECK(netcl_tensor_write(n->labels, classes, sizeof classes, NULL, PATIENCE_NS));
  CHECK(netcl_graph_run(n->graph, inputs, 2, &n->loss, 1, NULL));
  CHECK(netcl_tensor_read(n->loss, &loss, sizeof loss, NULL, PATIENCE_NS));
  return loss * (n->group != NULL ? ranks : 1);
}

static double* train(netcl_device* device, netcl_group* group, uint32_t rank) {
  image_set set = folder != NULL ? load_images(folder) : draw_images();
  network n = make_network(device, group, rank);
  double* losses = allocate((size_t)steps * sizeof *losses);
  const uint64_t begin = now_ns();
  for (int64_t i = 0; i < steps; i++) losses[i] = step(&n, &set, i);
  if (rank == 0) {
    printf("%u rank%s: %.2f ms a step, loss %.6f to %.6f\n", group == NULL ? 1 : ranks,
           group == NULL || ranks == 1 ? "" : "s",
           1e-6 * (double)(now_ns() - begin) / (double)steps, losses[0], losses[steps - 1]);
  }
  free_network(&n);
  free_images(&set);
  return losses;
}

static void compare(const double* group, const double* alone) {
  double worst = 0;
  for (int64_t i = 0; i < steps && worst >= 0; i++) {
    const double off = fabs(group[i] - alone[i]) / alone[0];
    if (!(off <= worst)) worst = off;
  }
  printf("the losses of %ld steps differ by %.2g of the first at most; 1e-09 is allowed\n",
         (long)steps, worst);
  if (!(worst <= 1e-9)) fail("losses", "they are not those of one device");
  if (steps >= 40 && !(group[steps - 1] < group[0] / 2)) fail("losses", "nothing was learnt");
}

static void run_rank(uint32_t rank) {
  netcl_device* device = NULL;
  netcl_group* group = join(rank, &device);
  double* losses = train(device, group, rank);
  if (rank == 0) {
    double* alone = train(device, NULL, 0);
    compare(losses, alone);
    free(alone);
  }
  free(losses);
  netcl_group_release(group);
  netcl_device_release(device);
}

int main(int argc, char** argv) {
  program_name = "group_layers";
  const int words = read_ranks(argc, argv);
  for (int i = 0; i < words; i++) {
    if (i + 1 < words && strcmp(argv[i], "--steps") == 0) {
      steps = strtol(argv[++i], NULL, 10);
    } else if (argv[i][0] != '-' && folder == NULL) {
      folder = argv[i];
    } else {
      fail(argv[i],
           "usage: group_layers [MNIST_FOLDER] [--device SELECTOR]... [--threads | --mpi] "
           "[--ranks N] [--steps N]");
    }
  }
  if (steps < 1 || steps > 1000000) fail("--steps", "1 to 1000000");
  run_ranks(run_rank);
  return 0;
}
