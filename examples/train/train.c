/*
 * Trains a small convolutional network to read handwritten digits, from random numbers on:
 *
 *   train MNIST_FOLDER [--epochs N] [--seed S] [--device SELECTOR] [--out CURVE.png]
 *         [--losses FILE]
 *
 * MNIST_FOLDER holds t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte (.gz or not). The first
 * 8,000 images train, the other 2,000 are never seen. It prints the loss and the share of right
 * answers of each epoch, and draws the loss of every step; --losses also writes them as f32, one
 * after the other. Without a folder it trains on digits that it draws, and says so.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../mnist.h"
#include "../picture.h"
#include "model.h"

enum { BATCH = 64, CURVE_HEIGHT = 240, CURVE_MARGIN = 8 };
static const double kRate = 0.003;
static const double kAccuracyLeast = 0.97;

typedef struct data {
  image_set images;
  int64_t training;  /* images of the first part */
  int32_t *labels;
} data;

static data load(const char *folder) {
  data set;
  int64_t i;
  set.images = folder != NULL ? load_images(folder) : draw_images();
  set.training = set.images.count / 5 * 4;
  set.labels = (int32_t *)allocate((size_t)set.images.count * sizeof *set.labels);
  for (i = 0; i < set.images.count; ++i) {
    set.labels[i] = set.images.labels != NULL ? set.images.labels[i] : (int32_t)(i % CLASSES);
  }
  return set;
}

/* The images and labels with these numbers, on the device. */
static void put_batch(netcl_device *device, const data *set, const int64_t *numbers, int64_t count,
                      netcl_tensor **bytes, netcl_tensor **labels) {
  static uint8_t pixels[BATCH * IMAGE_PIXELS];
  int32_t classes[BATCH];
  const int64_t shape[4] = {count, 1, IMAGE_SIDE, IMAGE_SIDE};
  int64_t i;
  for (i = 0; i < count; ++i) {
    memcpy(pixels + i * IMAGE_PIXELS, set->images.pixels + numbers[i] * IMAGE_PIXELS,
           IMAGE_PIXELS);
    classes[i] = set->labels[numbers[i]];
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_U8, 4, shape, NULL, pixels,
                                      (size_t)(count * IMAGE_PIXELS), NULL, bytes));
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, 1, &count, NULL, classes,
                                      (size_t)count * sizeof *classes, NULL, labels));
}

static void shuffle(int64_t *numbers, int64_t count) {
  int64_t i;
  for (i = count - 1; i > 0; --i) {
    const int64_t other = (int64_t)(random_bits() % (uint32_t)(i + 1)), value = numbers[i];
    numbers[i] = numbers[other];
    numbers[other] = value;
  }
}

/* One step; gives the loss as a tensor, so that the device need not be waited for. */
static netcl_tensor *step(model *net, const data *set, const int64_t *numbers, double rate,
                          netcl_graph *graph) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *bytes = NULL, *labels = NULL, *logits, *loss = NULL, *gradients[PARAMETERS];
  int i;
  put_batch(net->device, set, numbers, BATCH, &bytes, &labels);
  run.graph = graph;
  logits = forward(net, bytes, 1, &run);
  CHECK(netcl_op_cross_entropy(logits, labels, 1, NULL, &run, &loss));
  options.consume = 1;
  CHECK(netcl_graph_add_gradients(graph, &loss, 1, net->parameters, PARAMETERS, &options,
                                  gradients));
  adam(net, gradients, rate);
  for (i = 0; i < PARAMETERS; ++i) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(bytes);
  netcl_tensor_release(labels);
  netcl_tensor_release(logits);
  return loss;
}

/* The share of right answers among the images that were held out. */
static double accuracy(const model *net, const data *set) {
  netcl_reduce_options last = NETCL_REDUCE_OPTIONS_INIT;
  const int32_t axis = 1;
  int64_t first, right = 0, i;
  last.axes = &axis;
  last.axes_count = 1;
  for (first = set->training; first < set->images.count; first += BATCH) {
    const int64_t left = set->images.count - first, count = left < BATCH ? left : BATCH;
    netcl_tensor *bytes = NULL, *labels = NULL, *logits, *best = NULL;
    int64_t numbers[BATCH], answers[BATCH];
    for (i = 0; i < count; ++i) numbers[i] = first + i;
    put_batch(net->device, set, numbers, count, &bytes, &labels);
    logits = forward(net, bytes, 0, NULL);
    CHECK(netcl_op_reduce(logits, NETCL_REDUCTION_ARGMAX, &last, NULL, &best));
    CHECK(netcl_tensor_read(best, answers, (size_t)count * sizeof *answers, NULL, PATIENCE_NS));
    for (i = 0; i < count; ++i) right += answers[i] == set->labels[first + i];
    netcl_tensor_release(bytes);
    netcl_tensor_release(labels);
    netcl_tensor_release(logits);
    netcl_tensor_release(best);
  }
  return (double)right / (double)(set->images.count - set->training);
}

/* The losses as a picture, a column for each step, with a line of the mean of 16 steps. */
static void draw_curve(const char *path, const float *losses, int64_t count) {
  picture curve = {CURVE_HEIGHT + 2 * CURVE_MARGIN, count + 2 * CURVE_MARGIN, 3, NULL};
  float most = 0;
  const char *trouble;
  int64_t i, k;
  curve.samples = (uint8_t *)allocate(picture_bytes(&curve));
  memset(curve.samples, 255, picture_bytes(&curve));
  for (i = 0; i < count; ++i) most = losses[i] > most ? losses[i] : most;
  for (i = 0; i < count; ++i) {
    float mean = 0;
    const int64_t from = i >= 15 ? i - 15 : 0;
    for (k = from; k <= i; ++k) mean += losses[k] / (float)(i - from + 1);
    for (k = 0; k < 2; ++k) {
      const float value = k == 0 ? losses[i] : mean;
      const int64_t row =
          CURVE_MARGIN + (int64_t)((1 - value / (most > 0 ? most : 1)) * (CURVE_HEIGHT - 1));
      uint8_t *dot = curve.samples + 3 * (row * curve.width + CURVE_MARGIN + i);
      dot[0] = k == 0 ? 160 : 200;
      dot[1] = k == 0 ? 180 : 30;
      dot[2] = k == 0 ? 220 : 30;
    }
  }
  trouble = picture_save(path, &curve);
  if (trouble != NULL) fail(path, trouble);
  free(curve.samples);
}

static void write_losses(const char *path, const float *losses, int64_t count) {
  FILE *file = fopen(path, "wb");
  const size_t written =
      file == NULL ? 0 : fwrite(losses, sizeof *losses, (size_t)count, file);
  if (file == NULL || fclose(file) != 0 || written != (size_t)count) {
    fail(path, "it cannot be written");
  }
}

static void train(model *net, const data *set, int64_t epochs, const char *out,
                  const char *losses_out) {
  const int64_t batches = set->training / BATCH;
  int64_t *numbers = (int64_t *)allocate((size_t)set->training * sizeof *numbers), epoch, i;
  float *losses = (float *)allocate((size_t)(epochs * batches) * sizeof *losses);
  netcl_tensor **waiting = (netcl_tensor **)allocate((size_t)batches * sizeof *waiting);
  netcl_graph *graph = NULL;
  double share = 0;
  CHECK(netcl_graph_create(net->device, NULL, &graph));
  for (i = 0; i < set->training; ++i) numbers[i] = i;
  for (epoch = 0; epoch < epochs; ++epoch) {
    const uint64_t begin = now_ns();
    double seconds, mean = 0;
    shuffle(numbers, set->training);
    for (i = 0; i < batches; ++i) {
      /* The rate falls to 0 as a straight line. */
      const double done = (double)(epoch * batches + i) / (double)(epochs * batches);
      waiting[i] = step(net, set, numbers + i * BATCH, kRate * (1 - done), graph);
    }
    for (i = 0; i < batches; ++i) {
      float *loss = &losses[epoch * batches + i];
      CHECK(netcl_tensor_read(waiting[i], loss, sizeof *loss, NULL, PATIENCE_NS));
      mean += *loss / (double)batches;
      netcl_tensor_release(waiting[i]);
    }
    seconds = (double)(now_ns() - begin) * 1e-9;
    share = accuracy(net, set);
    printf("epoch %2ld: loss %.6f, %.2f %% of the held-out images, %.1f ms a step\n",
           (long)epoch + 1, mean, 100 * share, 1e3 * seconds / (double)batches);
    fflush(stdout);
  }
  draw_curve(out, losses, epochs * batches);
  if (losses_out != NULL) write_losses(losses_out, losses, epochs * batches);
  printf("last loss %.9g; the curve is in %s\n", (double)losses[epochs * batches - 1], out);
  netcl_graph_release(graph);
  free(numbers);
  free(losses);
  free(waiting);
  if (set->images.labels != NULL && epochs >= 4 && share < kAccuracyLeast) {
    fail("accuracy", "below 97 % of the held-out images");
  }
}

static int64_t number_of(const char *text, const char *option) {
  char *end = NULL;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 1 || value > 1000000) {
    fail(option, "it is a whole number from 1 to 1000000");
  }
  return value;
}

int main(int count, char **words) {
  const char *folder = NULL, *selector = "auto", *losses_out = NULL;
  const char *out = NETCL_EXAMPLE_PNG ? "loss.png" : "loss.ppm";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device *device = NULL;
  int64_t epochs = 4;
  data set;
  model net;
  int i;
  program_name = "train";
  for (i = 1; i < count; ++i) {
    const int more = i + 1 < count;
    if (more && strcmp(words[i], "--epochs") == 0) epochs = number_of(words[++i], "--epochs");
    else if (more && strcmp(words[i], "--seed") == 0)
      random_state = (uint32_t)number_of(words[++i], "--seed");
    else if (more && strcmp(words[i], "--device") == 0) selector = words[++i];
    else if (more && strcmp(words[i], "--out") == 0) out = words[++i];
    else if (more && strcmp(words[i], "--losses") == 0) losses_out = words[++i];
    else if (words[i][0] != '-' && folder == NULL) folder = words[i];
    else
      fail(words[i], "usage: train [MNIST_FOLDER] [--epochs N] [--seed S] [--device SELECTOR] "
                     "[--out CURVE] [--losses FILE]");
  }
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  set = load(folder);
  printf("%s: %ld images train, %ld are held out%s\n", info.name, (long)set.training,
         (long)(set.images.count - set.training),
         folder == NULL ? " (drawn digits, since no MNIST folder was given)" : "");
  net = model_make(device);
  train(&net, &set, epochs, out, losses_out);
  model_release(&net);
  free_images(&set.images);
  free(set.labels);
  netcl_device_release(device);
  return 0;
}
