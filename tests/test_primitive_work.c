/* Primitives that kernels of the caller or functions of the host work out. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "support.h"

/* What the functions below are given, and what they saw. */
typedef struct Host {
  atomic_int calls;
  atomic_int gradients;
  atomic_int destroyed;
  uint64_t wanted;      /* of the last call for gradients */
  _Atomic(netcl_queue *) queue;  /* of the last call */
  netcl_status status;  /* what to return instead of working */
  int wrong;            /* 1: gives nothing, 2: an input itself, 3: a gradient of another shape */
} Host;

static void destroy(void *user_data) { ++((Host *)user_data)->destroyed; }

static netcl_status text(const char *formula, netcl_tensor *a, netcl_tensor *b,
                         const netcl_primitive_call *call, netcl_tensor **made) {
  netcl_tensor *inputs[] = {a, b};
  return netcl_op_expression_text(formula, inputs, b == NULL ? 1 : 2, NULL, call->run, made);
}

/* y = sin(a) * b in two calls. The gradients are given with a factor, 10 where nothing else is
 * said, so that they are told from the derivatives of the calls. */
static netcl_status sine(const netcl_primitive_call *call, netcl_tensor **tensors,
                         void *user_data) {
  Host *host = user_data;
  netcl_tensor *part = NULL;
  ++host->calls;
  host->queue = call->run->queue;
  if (call->struct_size != sizeof *call || call->inputs_count != 2) return NETCL_ERROR_INTERNAL;
  if (call->tensors_count != (call->grad == NULL ? 1 : call->inputs_count)) {
    return NETCL_ERROR_INTERNAL;
  }
  if (host->status != NETCL_OK) return host->status;
  if (call->grad == NULL) {
    if (host->wrong == 1) return NETCL_OK;
    if (host->wrong == 2) {
      tensors[0] = call->inputs[1];
      return netcl_tensor_retain(tensors[0]);
    }
    netcl_status status = text("sin(v0)", call->inputs[0], NULL, call, &part);
    if (status == NETCL_OK) {
      status = text("v0 * v1", part, call->inputs[1], call, &tensors[0]);
    }
    netcl_tensor_release(part);
    return status;
  }
  ++host->gradients;
  host->wanted = call->wanted;
  if (host->wrong == 3) {
    netcl_reduction kind = NETCL_REDUCTION_SUM;
    return netcl_op_reduce(call->grad, kind, NULL, call->run, &tensors[0]);
  }
  char formula[64];
  const double factor = call->values_count > 0 ? call->values[0] : 10;
  netcl_status status = NETCL_OK;
  if ((call->wanted & 1) != 0) {
    snprintf(formula, sizeof formula, "%d * cos(v0) * v1", (int)factor);
    status = text(formula, call->inputs[0], call->inputs[1], call, &part);
    if (status == NETCL_OK) status = text("v0 * v1", part, call->grad, call, &tensors[0]);
    netcl_tensor_release(part);
  }
  if (status == NETCL_OK && (call->wanted & 2) != 0) {
    snprintf(formula, sizeof formula, "%d * v0 * v1", (int)factor);
    netcl_tensor *wave = NULL;
    status = text("sin(v0)", call->inputs[0], NULL, call, &wave);
    if (status == NETCL_OK) status = text(formula, wave, call->grad, call, &tensors[1]);
    netcl_tensor_release(wave);
  }
  return status;
}

static void add_sine(const char *name, Host *host, int gives_gradients) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 2;
  options.gives_gradients = (uint32_t)gives_gradients;
  OK(netcl_primitive_register_function(name, sine, host, destroy, &options));
}

enum { COUNT = 7 };

static netcl_tensor *fresh(Fixture *fixture, double *values) {
  float data[COUNT];
  const int64_t count = COUNT;
  for (int i = 0; i < COUNT; ++i) values[i] = data[i] = (float)random_real(-2, 2);
  return make_tensor(fixture->device, NETCL_F32, 1, &count, data);
}

static void near_to(netcl_tensor **tensor, const double *wanted, double factor, int line) {
  double scaled[COUNT];
  for (int i = 0; i < COUNT; ++i) scaled[i] = factor * wanted[i];
  check_and_release(tensor, COUNT, scaled, 1e-5, line);
}
#define NEAR(tensor, wanted, factor) near_to(&(tensor), (wanted), (factor), __LINE__)

/* On a tape: loss = sum(prim(2 x, y)), whose gradients are those that the function gives, or those
 * of its calls. */
static void gradients_on_tapes(void **state) {
  Fixture *fixture = *state;
  for (int gives = 0; gives < 2; ++gives) {
    Host host = {0};
    add_sine("sine", &host, gives);
    double a[COUNT], b[COUNT], out[COUNT], da[COUNT], db[COUNT];
    netcl_tensor *x = fresh(fixture, a), *y = fresh(fixture, b);
    netcl_tensor *inputs[2] = {NULL, y}, *made = NULL, *loss = NULL, *grads[2] = {NULL, NULL};
    for (int i = 0; i < COUNT; ++i) {
      out[i] = sin(2 * a[i]) * b[i];
      da[i] = 2 * cos(2 * a[i]) * b[i];
      db[i] = sin(2 * a[i]);
    }
    for (int consume = 0; consume < 2; ++consume) {
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      OK(netcl_graph_create(fixture->device, NULL, &run.graph));
      OK(netcl_op_expression_text("2 * v0", &x, 1, NULL, &run, &inputs[0]));
      OK(netcl_op_primitive("sine", inputs, 2, NULL, &run, &made));
      OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
      netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
      options.consume = (uint32_t)consume;
      netcl_tensor *both[2] = {x, y};
      host.gradients = 0;
      OK(netcl_graph_add_gradients(run.graph, &loss, 1, both, 2, &options, grads));
      assert_int_equal(host.gradients, gives);
      if (gives) assert_int_equal(host.wanted, 3);
      NEAR(made, out, 1);
      NEAR(grads[0], da, gives ? 10 : 1);
      NEAR(grads[1], db, gives ? 10 : 1);
      /* Only what is asked for is asked of the function. */
      if (!consume) {
        OK(netcl_graph_add_gradients(run.graph, &loss, 1, &y, 1, NULL, grads));
        if (gives) assert_int_equal(host.wanted, 2);
        NEAR(grads[0], db, gives ? 10 : 1);
      }
      netcl_tensor_release(loss);
      netcl_tensor_release(inputs[0]);
      netcl_graph_release(run.graph);
    }
    OK(netcl_primitive_unregister("sine"));
    assert_int_equal(host.destroyed, 1);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
  }
}

/* The gradient of a gradient goes through the calls of the function: with the factor f the second
 * derivative by a is f times that of f sin, taken by the calls that made the first. */
static void second_order(void **state) {
  Fixture *fixture = *state;
  Host host = {0};
  add_sine("sine", &host, 1);
  double a[COUNT], b[COUNT], wanted[COUNT];
  netcl_tensor *inputs[2] = {fresh(fixture, a), fresh(fixture, b)};
  netcl_tensor *made = NULL, *loss = NULL, *first = NULL, *second = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_primitive("sine", inputs, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 1, NULL, &first));
  netcl_tensor_release(loss);
  OK(netcl_op_reduce(first, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 1, NULL, &second));
  for (int i = 0; i < COUNT; ++i) wanted[i] = -10 * sin(a[i]) * b[i];
  NEAR(second, wanted, 1);
  netcl_tensor *all[] = {made, loss, first, inputs[0], inputs[1]};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
  /* The graph still knows the primitive, which goes with the last that does. */
  OK(netcl_primitive_unregister("sine"));
  assert_int_equal(host.destroyed, 0);
  OK(netcl_graph_clear(run.graph));
  assert_int_equal(host.destroyed, 1);
  netcl_graph_release(run.graph);
}

/* In a capture the calls of the function are calls like others: joined, and run with other
 * tensors. */
static void in_captures(void **state) {
  Fixture *fixture = *state;
  Host host = {0};
  add_sine("sine", &host, 1);
  double a[COUNT], b[COUNT], out[COUNT], da[COUNT];
  netcl_tensor *inputs[2] = {fresh(fixture, a), fresh(fixture, b)};
  netcl_tensor *made = NULL, *loss = NULL, *grad = NULL, *outputs[2];
  netcl_graph_options capture = NETCL_GRAPH_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  capture.execute = NETCL_OFF;
  OK(netcl_graph_create(fixture->device, &capture, &run.graph));
  OK(netcl_op_primitive("sine", inputs, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  OK(netcl_graph_add_gradients(run.graph, &loss, 1, inputs, 1, NULL, &grad));
  outputs[0] = made;
  outputs[1] = grad;
  OK(netcl_graph_compile(run.graph, inputs, 2, outputs, 2, NULL));
  OK(netcl_graph_get_info(run.graph, &info));
  assert_int_equal(info.command_count, 1); /* the result and its gradient read the same */
  char buffer[8192];
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, buffer, sizeof buffer, NULL));
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]), inputs[i] = NULL;
  for (int i = 0; i < 2; ++i) netcl_tensor_release(outputs[i]);
  inputs[0] = fresh(fixture, a);
  inputs[1] = fresh(fixture, b);
  double unused[COUNT];
  for (int i = 0; i < 2; ++i) outputs[i] = fresh(fixture, unused);
  OK(netcl_graph_run(run.graph, inputs, 2, outputs, 2, NULL));
  for (int i = 0; i < COUNT; ++i) {
    out[i] = sin(a[i]) * b[i];
    da[i] = cos(a[i]) * b[i];
  }
  NEAR(outputs[0], out, 1);
  NEAR(outputs[1], da, 10);
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
  netcl_tensor_release(loss);
  netcl_graph_release(run.graph);
  OK(netcl_primitive_unregister("sine"));
  assert_int_equal(host.destroyed, 1);
}

/* Without a graph: the call and its gradient as ops, on a queue, with an event, into a tensor. */
static void as_ops(void **state) {
  Fixture *fixture = *state;
  for (int gives = 0; gives < 2; ++gives) {
    Host host = {0};
    add_sine("sine", &host, gives);
    double a[COUNT], b[COUNT], g[COUNT], out[COUNT], db[COUNT], unused[COUNT];
    netcl_tensor *inputs[2] = {fresh(fixture, a), fresh(fixture, b)}, *grad = fresh(fixture, g);
    netcl_tensor *made = NULL, *into = fresh(fixture, unused);
    netcl_event *first = NULL, *event = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_queue_create(fixture->device, NULL, &run.queue));
    for (int i = 0; i < COUNT; ++i) {
      out[i] = sin(a[i]) * b[i];
      db[i] = sin(a[i]) * g[i];
    }
    run.event = &first;
    OK(netcl_op_primitive("sine", inputs, 2, NULL, &run, &made));
    assert_non_null(host.queue); /* a reference of its own to that queue */
    netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
    OK(netcl_queue_get_info(run.queue, &info));
    assert_true(info.commands >= 2);
    run.event = &event;
    run.waits = &first;
    run.waits_count = 1;
    run.into = into;
    for (int given = 0; given < 2; ++given) {
      OK(netcl_op_primitive_gradient("sine", inputs, 2, 1, grad, given ? made : NULL, NULL, &run,
                                     NULL));
      OK(netcl_event_wait(event, LONG_WAIT));
      netcl_event_release(event);
      netcl_tensor *copy = NULL;
      OK(netcl_op_copy(into, NULL, &copy));
      NEAR(copy, db, gives ? 10 : 1);
    }
    NEAR(made, out, 1);
    netcl_event_release(first);
    netcl_queue_release(run.queue);
    netcl_tensor_release(into);
    netcl_tensor_release(grad);
    for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
    OK(netcl_primitive_unregister("sine"));
  }
}

/* What a function does wrong is told, and nothing is lost. */
static void wrong_functions(void **state) {
  Fixture *fixture = *state;
  Host host = {0};
  add_sine("sine", &host, 1);
  double a[COUNT], b[COUNT];
  netcl_tensor *inputs[2] = {fresh(fixture, a), fresh(fixture, b)}, *made = NULL, *loss = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  host.status = NETCL_ERROR_CANCELLED;
  FAILS_WITH(NETCL_ERROR_CANCELLED, "function",
             netcl_op_primitive("sine", inputs, 2, NULL, NULL, &made));
  /* One above 0 is none, for the result as for gradients; one of the host's own is handed on. */
  host.status = 5;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "function returned 5, which is no status",
             netcl_op_primitive("sine", inputs, 2, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "function returned 5, which is no status",
             netcl_op_primitive_gradient("sine", inputs, 2, 0, inputs[0], inputs[0], NULL, NULL,
                                         &made));
  host.status = -4321;
  FAILS_WITH(-4321, "function returned -4321 (unknown status)",
             netcl_op_primitive("sine", inputs, 2, NULL, NULL, &made));
  assert_null(made);
  host.status = NETCL_OK;
  host.wrong = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "left tensors[0] NULL",
             netcl_op_primitive("sine", inputs, 2, NULL, NULL, &made));
  assert_null(made);
  /* An input itself is copied: what becomes of the result does not change it. */
  host.wrong = 2;
  OK(netcl_op_primitive("sine", inputs, 2, NULL, NULL, &made));
  const float zero = 0;
  OK(netcl_op_fill(made, &zero, NULL));
  netcl_tensor_release(made), made = NULL;
  OK(netcl_op_copy(inputs[1], NULL, &made));
  NEAR(made, b, 1);
  host.wrong = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "gave a gradient of shape [] and dtype f32 for inputs[0], which has [7] and f32",
             netcl_op_primitive_gradient("sine", inputs, 2, 0, inputs[0], inputs[0], NULL, NULL,
                                         &made));
  host.wrong = 0;
  /* An input that was overwritten since is no value to make a gradient of. */
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_primitive("sine", inputs, 2, NULL, &run, &made));
  OK(netcl_op_reduce(made, NETCL_REDUCTION_SUM, NULL, &run, &loss));
  run.into = inputs[0];
  OK(netcl_op_expression_text("v0 + 1", &inputs[0], 1, NULL, &run, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the gradient of primitive",
             netcl_graph_add_gradients(run.graph, &loss, 1, &inputs[1], 1, NULL, &made));
  netcl_graph_release(run.graph);
  /* So is one that the call itself overwrote. */
  run.into = NULL;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  run.into = inputs[0];
  OK(netcl_op_primitive("sine", inputs, 2, NULL, &run, NULL));
  run.into = NULL;
  netcl_tensor_release(loss);
  OK(netcl_op_reduce(inputs[0], NETCL_REDUCTION_SUM, NULL, &run, &loss));
  netcl_tensor *kept = made;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "overwritten since",
             netcl_graph_add_gradients(run.graph, &loss, 1, &inputs[1], 1, NULL, &made));
  assert_ptr_equal(kept, made);
  netcl_graph_release(run.graph);
  OK(netcl_primitive_unregister("sine"));
  netcl_tensor *all[] = {made, loss, inputs[0], inputs[1]};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

static void bad_registrations(void **state) {
  (void)state;
  Host host = {0};
  static const char *const kBackward[] = {"grad"};
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  options.arity = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "function is NULL",
             netcl_primitive_register_function("f", NULL, &host, destroy, &options));
  options.forward = "v0";
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->forward is set",
             netcl_primitive_register_function("f", sine, &host, destroy, &options));
  options.forward = NULL;
  options.backward = kBackward;
  options.backward_count = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->backward_count is set",
             netcl_primitive_register_function("f", sine, &host, destroy, &options));
  options.backward_count = 0;
  options.gives_gradients = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->gives_gradients is 2",
             netcl_primitive_register_function("f", sine, &host, destroy, &options));
  options.gives_gradients = 1;
  options.checkpoint = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->checkpoint are 1",
             netcl_primitive_register_function("f", sine, &host, NULL, &options));
  options.gives_gradients = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->checkpoint is 1",
             netcl_primitive_register("f", &options));
  options.checkpoint = 0;
  options.gives_gradients = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->gives_gradients is 1",
             netcl_primitive_register_kernels("f", NULL, &options));
  options.forward = "v0";
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->gives_gradients is 1",
             netcl_primitive_register("f", &options));
  options.forward = NULL;
  assert_int_equal(host.destroyed, 4);
  OK(netcl_primitive_register_function("f", sine, &host, destroy, &options));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "registered already",
             netcl_primitive_register_function("f", sine, &host, destroy, &options));
  assert_int_equal(host.destroyed, 5);
  OK(netcl_primitive_unregister("f"));
  assert_int_equal(host.destroyed, 6);
}

typedef struct Caller {
  Fixture *fixture;
  pthread_t thread;
  int failed;
} Caller;

static void *call_often(void *data) {
  Caller *caller = data;
  const int64_t count = COUNT;
  for (int round = 0; round < 20 && !caller->failed; ++round) {
    netcl_tensor *inputs[2] = {NULL, NULL}, *made = NULL;
    netcl_status status = NETCL_OK;
    const float one[] = {1};
    for (int i = 0; i < 2 && status == NETCL_OK; ++i) {
      status = netcl_tensor_create(caller->fixture->device, NETCL_F32, 1, &count, NULL, NULL,
                                   &inputs[i]);
      if (status == NETCL_OK) status = netcl_op_fill(inputs[i], one, NULL);
    }
    if (status == NETCL_OK) status = netcl_op_primitive("sine", inputs, 2, NULL, NULL, &made);
    float data_out[COUNT] = {0};
    if (status == NETCL_OK) {
      status = netcl_tensor_read(made, data_out, sizeof data_out, NULL, LONG_WAIT);
    }
    caller->failed = status != NETCL_OK || fabs(data_out[COUNT - 1] - sin(1)) > 1e-6;
    netcl_tensor_release(made);
    for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
  }
  return NULL;
}

static void on_threads(void **state) {
  Host host = {0};
  add_sine("sine", &host, 1);
  Caller callers[4] = {{0}};
  for (int i = 0; i < 4; ++i) {
    callers[i].fixture = *state;
    assert_int_equal(pthread_create(&callers[i].thread, NULL, call_often, &callers[i]), 0);
  }
  for (int i = 0; i < 4; ++i) pthread_join(callers[i].thread, NULL);
  for (int i = 0; i < 4; ++i) assert_false(callers[i].failed);
  assert_int_equal(host.calls, 80);
  OK(netcl_primitive_unregister("sine"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(gradients_on_tapes), DEVICE_TEST(second_order), DEVICE_TEST(in_captures),
      DEVICE_TEST(as_ops),             DEVICE_TEST(wrong_functions),
      DEVICE_TEST(bad_registrations),  DEVICE_TEST(on_threads),
  };
  seed_random("primitive_work");
  return cmocka_run_group_tests_name("primitive_work", tests, NULL, NULL);
}
