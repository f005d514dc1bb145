/* Gradients of losses, and of these gradients. */
#include <math.h>
#include <stdio.h>

#include "support_gradients_conv.h"
#include "support_graph.h"
#include "support_process.h"

typedef struct Loss {
  netcl_loss_options options;
  netcl_tensor* labels;
  int32_t axis;
  int nll;
} Loss;

static netcl_status loss_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  const Loss* loss = context;
  return loss->nll ? netcl_op_nll_loss(x[0], loss->labels, loss->axis, &loss->options, run, y)
                   : netcl_op_cross_entropy(x[0], loss->labels, loss->axis, &loss->options, run, y);
}

/* Labels in any strides, of which those of the ignored index are at least one that counts less. */
static Strided random_labels(Fixture* fixture, const GradientInput* x, Loss* loss) {
  const uint32_t along = (uint32_t)(loss->axis < 0 ? loss->axis + (int)x->rank : loss->axis);
  const int64_t classes = x->shape[along];
  const int wide = random_in(0, 1) != 0;
  int64_t shape[NETCL_RANK_MAX], data[512];
  int32_t narrow[512];
  for (uint32_t d = 0, r = 0; d < x->rank; ++d) {
    if (d != along) shape[r++] = x->shape[d];
  }
  const int64_t count = product(x->rank - 1, shape);
  for (int64_t i = 0; i < count; ++i) {
    data[i] = random_in(0, classes - 1);
    if (i > 0 && loss->options.has_ignore_index && random_in(0, 2) == 0) {
      data[i] = loss->options.ignore_index;
    }
    narrow[i] = (int32_t)data[i];
  }
  /* One label counts, so that there is a mean. */
  if (classes > 1 && data[0] == loss->options.ignore_index) narrow[0] = (int32_t)(data[0] = 1);
  Strided labels = make_strided(fixture->device, wide ? NETCL_I64 : NETCL_I32, x->rank - 1, shape,
                                wide ? (const void*)data : narrow);
  loss->labels = labels.view;
  return labels;
}

static Loss some_loss(int form) {
  Loss loss = {.options = NETCL_LOSS_OPTIONS_INIT, .nll = form % 4 == 3};
  loss.options.reduction = (netcl_loss_reduction)(form % 3);
  loss.options.has_ignore_index = form / 3 % 2;
  loss.options.ignore_index = loss.options.has_ignore_index && form % 2 ? -100 : 0;
  return loss;
}

static netcl_tensor* some_weights(Fixture* fixture, int64_t classes) {
  double values[64];
  for (int64_t i = 0; i < classes; ++i) values[i] = random_real(0.25, 2);
  return make_tensor(fixture->device, NETCL_F64, 1, &classes, values);
}

static void any_shape(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 24; ++form) {
    if (left_out(fixture, 8)) continue;
    Loss loss = some_loss(form);
    GradientInput x = {(uint32_t)random_in(1, 4), {0}, 0, 0, 0, NULL};
    for (uint32_t d = 0; d < x.rank; ++d) x.shape[d] = random_in(2, 5);
    if (form % 6 == 0) { /* columns that fill vectors, and some that do not */
      x.rank = 3;
      x.shape[1] = 3;
      x.shape[2] = random_in(17, 35);
    }
    loss.axis = form % 6 == 0 ? 1 : (int32_t)random_in(-(int)x.rank, (int)x.rank - 1);
    const int64_t classes = x.shape[loss.axis < 0 ? loss.axis + (int)x.rank : loss.axis];
    netcl_tensor* weights = form % 2 ? some_weights(fixture, classes) : NULL;
    loss.options.weights = weights;
    Strided labels = random_labels(fixture, &x, &loss);
    CHECK_GRADIENTS(fixture, loss.nll ? "nll_loss" : "cross_entropy", loss_call, &loss, &x, 1);
    release_strided(&labels);
    netcl_tensor_release(weights);
  }
}

static void many_classes(void** state) {
  Fixture* fixture = *state;
  static const int64_t kClasses[] = {60, 1500, 33000};
  for (size_t i = 0; i < COUNT_OF(kClasses); ++i) {
    Loss loss = {.options = NETCL_LOSS_OPTIONS_INIT, .axis = 1};
    const GradientInput x = {2, {3, kClasses[i]}, 0, 0, 0, NULL};
    Strided labels = random_labels(fixture, &x, &loss);
    CHECK_GRADIENTS(fixture, "cross_entropy of many classes", loss_call, &loss, &x, 1);
    release_strided(&labels);
  }
}

static void second_derivatives(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 6; ++form) {
    if (left_out(fixture, 8)) continue;
    Loss loss = some_loss(form);
    loss.nll = 0;
    loss.axis = form % 2;
    GradientInput inputs[] = {{2, {random_in(2, 4), random_in(2, 4)}, 0, 0, 0, NULL},
                              {form % 3 == NETCL_LOSS_NONE, {0}, 0, 0, 0, NULL}};
    inputs[1].shape[0] = inputs[0].shape[1 - loss.axis];
    netcl_tensor* weights = some_weights(fixture, inputs[0].shape[loss.axis]);
    loss.options.weights = weights;
    Strided labels = random_labels(fixture, &inputs[0], &loss);
    Twice twice = {fixture, loss_call, &loss, 1, 0};
    CHECK_GRADIENTS(fixture, "gradient of cross_entropy", gradient_call, &twice, inputs, 2);
    release_strided(&labels);
    netcl_tensor_release(weights);
  }
}

static void narrow_dtypes(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kFloats[] = {NETCL_F16, NETCL_BF16, NETCL_F32};
  for (size_t i = 0; i < COUNT_OF(kFloats); ++i) {
    if (left_out(fixture, 8)) continue;
    for (int32_t axis = 0; axis < 2; ++axis) {
      Loss loss = {.options = NETCL_LOSS_OPTIONS_INIT, .axis = axis};
      loss.options.reduction = NETCL_LOSS_NONE;
      const GradientInput x = {2, {20, 20}, 0, 0, 0, NULL};
      for (loss.nll = 0; loss.nll < 2; ++loss.nll) {
        Strided labels = random_labels(fixture, &x, &loss);
        CHECK_NARROW(fixture, kFloats[i], 1e-6, "loss", loss_call, &loss, &x, 1);
        release_strided(&labels);
      }
    }
  }
}

/* What is ignored has zeros whatever is there, and one wrong label makes its own row NaN. */
static void rows_that_do_not_count(void** state) {
  Fixture* fixture = *state;
  const float values[] = {NAN, 1, 2, 0, 0, 0, 0, 0, 0};
  const int64_t shape[] = {3, 3}, label[] = {-5, 3, 0};
  netcl_run_options run = recorded(fixture);
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values), *loss = NULL;
  netcl_tensor* labels = make_tensor(fixture->device, NETCL_I64, 1, shape, label);
  options.ignore_index = -5;
  options.reduction = NETCL_LOSS_SUM;
  OK(netcl_op_cross_entropy(x, labels, 1, &options, &run, &loss));
  netcl_tensor* grad = gradient(&run, loss, x);
  float* got = read_tensor(grad);
  for (int i = 0; i < 3; ++i) {
    const double wanted = i == 0 ? -2 / 3.0 : 1 / 3.0;
    CHECK(got[i] == 0, "element %d of a row that is ignored is %g", i, got[i]);
    CHECK(isnan(got[3 + i]), "element %d of a row with a wrong label is %g", i, got[3 + i]);
    CHECK(fabs(got[6 + i] - wanted) < 1e-6, "element %d is %g, not %g", i, got[6 + i], wanted);
  }
  free(got);
  RELEASE(x, labels, loss, grad);
  netcl_graph_release(run.graph);
}

/* All columns of a block at once, of which some are ignored, with scores that are not finite. */
static void ignored_columns(void** state) {
  Fixture* fixture = *state;
  enum { CLASSES = 3, COLUMNS = 40 };
  const int64_t shape[] = {CLASSES, COLUMNS}, count = COLUMNS;
  float values[CLASSES * COLUMNS];
  int64_t label[COLUMNS];
  for (int i = 0; i < CLASSES * COLUMNS; ++i) values[i] = i % COLUMNS % 3 ? 0 : NAN;
  for (int i = 0; i < COLUMNS; ++i) label[i] = i % 3 ? 0 : -7;
  netcl_run_options run = recorded(fixture);
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  options.ignore_index = -7;
  options.reduction = NETCL_LOSS_SUM;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values), *loss = NULL;
  netcl_tensor* labels = make_tensor(fixture->device, NETCL_I64, 1, &count, label);
  OK(netcl_op_cross_entropy(x, labels, 0, &options, &run, &loss));
  GIVES(loss, 26 * log(3));
  netcl_tensor* grad = gradient(&run, loss, x);
  float* got = read_tensor(grad);
  for (int i = 0; i < CLASSES * COLUMNS; ++i) {
    const double wanted = i % COLUMNS % 3 == 0 ? 0 : i < COLUMNS ? -2 / 3.0 : 1 / 3.0;
    CHECK(fabs(got[i] - wanted) < 1e-6, "element %d is %g, not %g", i, got[i], wanted);
  }
  free(got);
  RELEASE(x, labels, loss, grad);
  netcl_graph_release(run.graph);
}

/* Weights of classes have no gradient, and labels that were overwritten are missed. */
static void refusals(void** state) {
  Fixture* fixture = *state;
  const float values[] = {1, 2, 3, 4};
  const int64_t shape[] = {2, 2}, label[] = {1, 0};
  for (int nll = 0; nll < 2; ++nll) {
    netcl_run_options run = recorded(fixture);
    netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values), *grad = NULL;
    netcl_tensor *labels = make_tensor(fixture->device, NETCL_I64, 1, shape, label), *loss = NULL;
    netcl_tensor* weights = graph_vector(fixture, 2, values);
    options.weights = weights;
    OK(nll ? netcl_op_nll_loss(x, labels, 1, &options, &run, &loss)
           : netcl_op_cross_entropy(x, labels, 1, &options, &run, &loss));
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->weights is a constant",
               netcl_graph_add_gradients(run.graph, &loss, 1, &weights, 1, NULL, &grad));
    const int64_t zero = 0;
    OK(netcl_op_fill(labels, &zero, &run));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "fill",
               netcl_graph_add_gradients(run.graph, &loss, 1, &x, 1, NULL, &grad));
    assert_null(grad);
    RELEASE(x, labels, weights, loss);
    netcl_graph_release(run.graph);
  }
}

/* A capture of a loss and its gradient gives the same bits for other scores and labels. */
static void captured(void** state) {
  Fixture* fixture = *state;
  static const int64_t shape[] = {2, 3};
  static const float scores[2][6] = {{0, 0, 0, 0, 0, 0}, {1, -2, 0.5, 3, 0.25, -1}};
  static const int64_t classes[2][2] = {{0, 0}, {-1, 2}};
  for (int nll = 0; nll < 2; ++nll) {
    Loss loss = {.options = NETCL_LOSS_OPTIONS_INIT, .axis = 1, .nll = nll};
    netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
    netcl_run_options run = recorded(fixture), off = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *inputs[2][2], *made[2], *given[2], *wanted[2] = {NULL, NULL};
    loss.options.ignore_index = -1;
    capture.execute = NETCL_OFF;
    OK(netcl_graph_create(fixture->device, &capture, &off.graph));
    for (int k = 0; k < 2; ++k) {
      inputs[k][0] = make_tensor(fixture->device, NETCL_F32, 2, shape, scores[k]);
      inputs[k][1] = make_tensor(fixture->device, NETCL_I64, 1, shape, classes[k]);
      loss.labels = inputs[k][1];
      OK(loss_call(&loss, &inputs[k][0], k == 0 ? &off : &run, k == 0 ? &made[0] : &wanted[0]));
      if (k == 0) made[1] = gradient(&off, made[0], inputs[k][0]);
      if (k == 1) wanted[1] = gradient(&run, wanted[0], inputs[k][0]);
    }
    OK(netcl_graph_compile(off.graph, inputs[0], 2, made, 2, NULL));
    given[0] = make_tensor(fixture->device, NETCL_F32, 0, NULL, scores[1]);
    given[1] = make_tensor(fixture->device, NETCL_F32, 2, shape, scores[1]);
    OK(netcl_graph_run(off.graph, inputs[1], 2, given, 2, NULL));
    for (int i = 0; i < 2; ++i) {
      void* bits = read_tensor(wanted[i]);
      CHECK_TENSOR(given[i], bits);
      free(bits);
      RELEASE(inputs[i][0], inputs[i][1], made[i], given[i], wanted[i]);
    }
    netcl_graph_release(off.graph);
    netcl_graph_release(run.graph);
  }
}

static void print_tensor(const netcl_tensor* tensor) {
  unsigned char* bytes = read_tensor(tensor);
  const uint64_t count = tensor_info(tensor).byte_count;
  uint64_t hash = 1469598103934665603u;
  for (uint64_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  printf("%016llx\n", (unsigned long long)hash);
  free(bytes);
}

/* Prints losses and gradients: of many rows, of long ones, and of columns. */
static int print_bits(void) {
  static const int64_t kShapes[][2] = {{50000, 3}, {300, 1000}, {5, 50257}, {10, 60000}};
  Fixture fixture = {0};
  if (netcl_device_open("builtin", NULL, &fixture.device) != NETCL_OK) return 1;
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    const int32_t axis = i == 3 ? 0 : 1;
    const int64_t count = kShapes[i][1 - axis], classes = kShapes[i][axis];
    netcl_run_options run = recorded(&fixture);
    netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
    netcl_tensor *x = NULL, *loss = NULL;
    int64_t* label = malloc((size_t)count * sizeof *label);
    for (int64_t k = 0; k < count; ++k) label[k] = k % 7 == 3 ? -1 : k % classes;
    netcl_tensor* labels = make_tensor(fixture.device, NETCL_I64, 1, &count, label);
    free(label);
    options.ignore_index = -1;
    OK(netcl_tensor_create_random(fixture.device, NETCL_F32, 2, kShapes[i], NULL, NULL, NULL, &x));
    OK(netcl_op_cross_entropy(x, labels, axis, &options, &run, &loss));
    netcl_tensor* grad = gradient(&run, loss, x);
    print_tensor(loss);
    print_tensor(grad);
    RELEASE(x, labels, loss, grad);
    netcl_graph_release(run.graph);
  }
  netcl_device_release(fixture.device);
  return 0;
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("threads are the built-in device's");
  process_expect_same_output("bits", 8 * 17);
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"bits", print_bits}};
  const int code = process_child_main(argc, argv, modes, 1);
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(any_shape),
      DEVICE_TEST(many_classes),
      DEVICE_TEST(second_derivatives),
      DEVICE_TEST(narrow_dtypes),
      DEVICE_TEST(rows_that_do_not_count),
      DEVICE_TEST(ignored_columns),
      DEVICE_TEST(refusals),
      DEVICE_TEST(captured),
      DEVICE_TEST(same_bits),
      DEVICE_TEST(as_kernels),
  };
  seed_random("gradients_loss");
  return cmocka_run_group_tests_name("gradients_loss", tests, NULL, NULL);
}
