/* Random programs: what a compiled capture gives has the bits of the same calls made one by one. */
#include <string.h>

#include "support_graph.h"

enum { VALUES = 24, INPUTS = 2, PARAMETERS = 2, OUTPUTS = 4 };

/* One way of going through a program: eagerly, or into a capture. */
typedef struct Machine {
  netcl_device* device;
  netcl_run_options run;
  int64_t n; /* every value is n x n */
  netcl_tensor* values[VALUES];
  int count;
  netcl_tensor* inputs[INPUTS];
  netcl_tensor* parameters[PARAMETERS];
  netcl_tensor* outputs[OUTPUTS];
  netcl_status gradients; /* what asking for them gave */
} Machine;

static netcl_tensor* pick(const Machine* machine) {
  return machine->values[random_in(0, machine->count - 1)];
}

static netcl_run_options into(const Machine* machine, netcl_tensor* tensor) {
  netcl_run_options run = machine->run;
  run.into = tensor;
  return run;
}

static const char* const kTexts[] = {
    "v0 * v1 + 0.5",      "tanh(v0) - v1",      "v0 > v1 ? v0 : -v1", "relu(v0) + sigmoid(v1)",
    "v0 / (1 + abs(v1))", "max(v0, v1) * 0.25", "sin(v0) * cos(v1)",  "v0 - v1"};

/* A view of some rows, which several calls write and read. */
static netcl_tensor* rows_of(const Machine* machine, netcl_tensor* tensor) {
  const int64_t first = random_in(0, machine->n - 1);
  const netcl_range ranges[2] = {{first, random_in(1, machine->n - first), 1}, {0, machine->n, 1}};
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(tensor, ranges, 2, &view));
  return view;
}

static netcl_tensor* turned(netcl_tensor* tensor) {
  netcl_tensor* view = NULL;
  OK(netcl_tensor_permute(tensor, (uint32_t[]){1, 0}, 2, &view));
  return view;
}

/* A value of another shape, repeated. */
static netcl_tensor* repeated(Machine* machine) {
  const int32_t axis = (int32_t)random_in(0, 1);
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &axis;
  options.axes_count = 1;
  options.keepdims = 1;
  netcl_tensor *sum = NULL, *made;
  OK(netcl_op_reduce(pick(machine), NETCL_REDUCTION_MEAN, &options, &machine->run, &sum));
  made = formula("v0 * 0.5 + v1", sum, pick(machine), &machine->run);
  netcl_tensor_release(sum);
  return made;
}

static netcl_tensor* through_another_dtype(Machine* machine) {
  netcl_tensor *narrow = NULL, *again = NULL, *made = NULL;
  const netcl_dtype dtype = random_in(0, 1) ? NETCL_F16 : NETCL_BF16;
  OK(netcl_op_cast(pick(machine), dtype, &machine->run, &narrow));
  again = formula("v0 * 1.5 + v0 * v0", narrow, NULL, &machine->run);
  OK(netcl_op_cast(again, NETCL_F32, &machine->run, &made));
  RELEASE(narrow, again);
  return made;
}

/* In place, into some rows, and into a parameter. */
static void write_somewhere(Machine* machine) {
  netcl_tensor* const target = pick(machine);
  switch (random_in(0, 2)) {
    case 0: {
      formula_into("v0 * 0.5 + v1", target, pick(machine), target, &machine->run);
      break;
    }
    case 1: {
      netcl_tensor* const rows = rows_of(machine, target);
      netcl_run_options run = into(machine, rows);
      OK(netcl_op_expression_text("v0 * 0.75 + 1", &rows, 1, NULL, &run, NULL));
      netcl_tensor_release(rows);
      break;
    }
    default: {
      netcl_tensor* const parameter = machine->parameters[random_in(0, PARAMETERS - 1)];
      formula_into("v0 * 0.9 + tanh(v1) * 0.1", parameter, pick(machine), parameter, &machine->run);
    }
  }
}

/* Calls in another shape, and with a row that is repeated. */
static netcl_tensor* flat(Machine* machine, netcl_tensor* a, netcl_tensor* b) {
  const int64_t n = machine->n, count = n * n, whole[2] = {n, n};
  netcl_tensor *made = formula("tanh(v0 + v1)", a, b, &machine->run), *line = NULL, *row = NULL;
  netcl_tensor *twice, *result = NULL, *wide, *square;
  OK(netcl_tensor_reshape(made, 1, &count, NULL, &line));
  twice = formula("v0 * 2 - 0.25", line, NULL, &machine->run);
  OK(netcl_tensor_reshape(twice, 2, whole, NULL, &square));
  OK(netcl_tensor_slice(b, (netcl_range[]){{0, 1, 1}, {0, n, 1}}, 2, &row));
  wide = formula("v0 - v1 * 0.5", square, row, &machine->run);
  result = formula("v0 * v1", wide, square, &machine->run);
  RELEASE(made, line, row, twice, square, wide);
  return result;
}

/* Values that several calls read, which meet again, or do not. */
static netcl_tensor* branches(Machine* machine, netcl_tensor* a, netcl_tensor* b) {
  netcl_tensor *x = formula("sigmoid(v0) + 0.5 * v1", a, b, &machine->run), *sum = NULL;
  netcl_tensor *y = formula("v0 * v0", x, NULL, &machine->run), *z, *w, *result;
  z = formula("v0 - v1", x, y, &machine->run);
  w = formula("max(v0, 0.125)", x, NULL, &machine->run);
  OK(netcl_op_softmax(w, 1, &machine->run, &sum));
  result = formula("v0 + v1", z, sum, &machine->run);
  RELEASE(x, sum, y, z, w);
  return result;
}

/* Softmax or a normalisation, of which one has a value's first row as its scale. */
static netcl_tensor* by_rows(Machine* machine, netcl_tensor* a, netcl_tensor* b) {
  netcl_tensor *made = NULL, *row = NULL;
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  const netcl_run_options* const run = &machine->run;
  switch (random_in(0, 3)) {
    case 0:
      OK(netcl_op_softmax(a, (int32_t)random_in(0, 1), run, &made));
      break;
    case 1:
      OK(netcl_op_log_softmax(a, (int32_t)random_in(0, 1), run, &made));
      break;
    case 2:
      OK(netcl_op_rmsnorm(a, (int32_t)random_in(0, 1), NULL, run, &made));
      break;
    default:
      OK(netcl_tensor_slice(b, (netcl_range[]){{0, 1, 1}, {0, machine->n, 1}}, 2, &row));
      options.scale = row;
      options.epsilon = 0.01;
      OK(netcl_op_layernorm(a, 0, &options, run, &made));
      netcl_tensor_release(row);
  }
  return made;
}

static netcl_tensor* next_value(Machine* machine) {
  netcl_tensor *made = NULL, *view;
  netcl_tensor* const a = pick(machine);
  netcl_tensor* const b = pick(machine);
  const netcl_run_options* const run = &machine->run;
  switch (random_in(0, 13)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return formula(kTexts[random_in(0, (int64_t)COUNT_OF(kTexts) - 1)], a, b, run);
    case 4:
      OK(netcl_op_matmul(a, b, NULL, run, &made));
      return made;
    case 5:
      return by_rows(machine, a, b);
    case 6:
      view = turned(a);
      made = formula("v0 + 0.5 * v1", view, b, run);
      netcl_tensor_release(view);
      return made;
    case 7:
      return repeated(machine);
    case 8:
      return through_another_dtype(machine);
    case 9:
      OK(netcl_op_elementwise(NETCL_ELEMENTWISE_MAX, (netcl_tensor*[]){a, b}, 2, NULL, run, &made));
      return made;
    case 10:
      return flat(machine, a, b);
    case 11:
      return branches(machine, a, b);
    case 12:
      OK(netcl_op_concat((netcl_tensor*[]){a, b}, 2, 0, run, &made));
      view = made;
      const netcl_range half[2] = {{machine->n / 2, machine->n, 1}, {0, machine->n, 1}};
      OK(netcl_tensor_slice(view, half, 2, &made));
      netcl_tensor_release(view);
      return made;
    default:
      /* The same call twice. */
      view = formula("exp(v0 * 0.125)", a, NULL, run);
      made = formula("exp(v0 * 0.125)", a, NULL, run);
      formula_into("v0 + v1", view, b, view, run);
      formula_into("v0 * v1", made, view, view, run);
      netcl_tensor_release(made);
      return view;
  }
}

static void build(Machine* machine, int length) {
  machine->count = 0;
  /* Inputs and parameters are read through copies first, which may be written. */
  for (int i = 0; i < INPUTS; ++i) {
    machine->values[machine->count++] = formula("v0 + 0", machine->inputs[i], NULL, &machine->run);
  }
  for (int i = 0; i < PARAMETERS; ++i) {
    netcl_tensor* copy = NULL;
    OK(netcl_op_copy(machine->parameters[i], &machine->run, &copy));
    machine->values[machine->count++] = copy;
  }
  for (int i = 0; i < length; ++i) {
    if (random_in(0, 5) == 0) {
      write_somewhere(machine);
    } else {
      machine->values[machine->count] = next_value(machine);
      ++machine->count;
    }
  }
  /* All inputs and parameters count. */
  netcl_tensor* all =
      formula("v0 * 0.5 + v1", machine->values[0], machine->values[1], &machine->run);
  machine->outputs[0] =
      formula("tanh(v0) + v1", all, machine->values[machine->count - 1], &machine->run);
  machine->outputs[1] = pick(machine);
  OK(netcl_tensor_retain(machine->outputs[1]));
  netcl_tensor* const loss = sum_of(machine->outputs[0], &machine->run);
  netcl_tensor* gradients[2] = {NULL, NULL};
  netcl_tensor* const wanted[2] = {machine->inputs[0], machine->inputs[1]};
  machine->gradients =
      netcl_graph_add_gradients(machine->run.graph, &loss, 1, wanted, 2, NULL, gradients);
  for (int i = 0; i < 2; ++i) {
    if (machine->gradients != NETCL_OK) OK(netcl_op_copy(loss, &machine->run, &gradients[i]));
    machine->outputs[2 + i] = gradients[i];
  }
  RELEASE(all, loss);
}

static void release_machine(Machine* machine) {
  release_tensors(machine->values, (size_t)machine->count);
  release_tensors(machine->outputs, OUTPUTS);
  release_tensors(machine->inputs, INPUTS);
  release_tensors(machine->parameters, PARAMETERS);
}

static netcl_tensor* square(netcl_device* device, int64_t n, const float* data) {
  return make_tensor(device, NETCL_F32, 2, (int64_t[]){n, n}, data);
}

static void compare(netcl_tensor* got, netcl_tensor* wanted, uint64_t seed, const char* what) {
  void *a = read_tensor(got), *b = read_tensor(wanted);
  const size_t bytes = (size_t)tensor_info(wanted).byte_count;
  for (size_t i = 0; i < bytes / sizeof(float); ++i) {
    const float x = ((float*)a)[i], y = ((float*)b)[i];
    CHECK(memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y),
          "program %llu, %s, element %d: %.9g, one by one %.9g", (unsigned long long)seed, what,
          (int)i, x, y);
  }
  free(a);
  free(b);
}

static netcl_tensor* like(netcl_device* device, netcl_tensor* tensor) {
  const netcl_tensor_info info = tensor_info(tensor);
  netcl_tensor* made = NULL;
  char* poison = malloc((size_t)info.byte_count + 1);
  memset(poison, POISON, (size_t)info.byte_count + 1);
  made = make_tensor(device, info.dtype, info.rank, info.shape, poison);
  free(poison);
  return made;
}

static void check_program(Fixture* fixture, uint64_t seed, netcl_toggle fuse) {
  const int64_t n = random_in(1, 12);
  const int length = (int)random_in(1, VALUES - 6);
  Machine eager = {.device = fixture->device, .n = n},
          captured = {.device = fixture->device, .n = n};
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  options.execute = NETCL_OFF;
  captured.run = (netcl_run_options)NETCL_RUN_OPTIONS_INIT;
  OK(netcl_graph_create(fixture->device, &options, &captured.run.graph));
  float data[144];
  for (int i = 0; i < PARAMETERS; ++i) {
    fill_random(NETCL_F32, data, n * n, 1);
    eager.parameters[i] = square(fixture->device, n, data);
    captured.parameters[i] = square(fixture->device, n, data);
  }
  for (int i = 0; i < INPUTS; ++i) captured.inputs[i] = square(fixture->device, n, data);
  const uint64_t program = random_bits();
  seed_random_at(program);
  build(&captured, length);
  const netcl_status asked = captured.gradients;
  netcl_graph_compile_options compile = NETCL_GRAPH_COMPILE_OPTIONS_INIT;
  compile.fuse = fuse;
  OK(netcl_graph_compile(captured.run.graph, captured.inputs, INPUTS, captured.outputs, OUTPUTS,
                         &compile));
  for (int pass = 0; pass < 2; ++pass) {
    netcl_tensor *inputs[INPUTS], *outputs[OUTPUTS];
    for (int i = 0; i < INPUTS; ++i) {
      fill_random(NETCL_F32, data, n * n, 1);
      eager.inputs[i] = square(fixture->device, n, data);
      inputs[i] = square(fixture->device, n, data);
    }
    eager.run = recorded(fixture);
    seed_random_at(program);
    build(&eager, length);
    assert_int_equal(eager.gradients, asked);
    for (int i = 0; i < OUTPUTS; ++i) outputs[i] = like(fixture->device, eager.outputs[i]);
    OK(netcl_graph_run(captured.run.graph, inputs, INPUTS, outputs, OUTPUTS, NULL));
    const char* const names[OUTPUTS] = {"result", "value", "gradient 0", "gradient 1"};
    for (int i = 0; i < OUTPUTS; ++i) compare(outputs[i], eager.outputs[i], seed, names[i]);
    for (int i = 0; i < PARAMETERS; ++i) {
      compare(captured.parameters[i], eager.parameters[i], seed, "parameter");
    }
    release_tensors(inputs, INPUTS);
    release_tensors(outputs, OUTPUTS);
    release_tensors(eager.values, (size_t)eager.count);
    release_tensors(eager.outputs, OUTPUTS);
    release_tensors(eager.inputs, INPUTS);
    netcl_graph_release(eager.run.graph);
  }
  netcl_graph_release(captured.run.graph);
  release_machine(&captured);
  release_tensors(eager.parameters, PARAMETERS);
}

static void programs(void** state) {
  Fixture* fixture = *state;
  for (int i = 0; i < rounds(fixture, 200); ++i) {
    const uint64_t seed = random_bits();
    seed_random_at(seed);
    check_program(fixture, seed, i % 4 == 0 ? NETCL_OFF : NETCL_DEFAULT);
  }
}

int main(void) {
  seed_random("graph_program");
  const struct CMUnitTest tests[] = {DEVICE_TEST(programs)};
  return cmocka_run_group_tests_name("graph_program", tests, NULL, NULL);
}
