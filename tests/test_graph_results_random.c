/* Random programs of elementwise calls on several dtypes and strides, whose values reductions,
 * outputs and other calls read: a compiled capture has the bits of the calls made one by one. */
#include <stdio.h>
#include <string.h>

#include "support_graph.h"

enum { VALUES = 20, TARGETS = 3 };

static const netcl_dtype kKinds[] = {NETCL_F32, NETCL_F16, NETCL_BF16, NETCL_F64, NETCL_I32,
                                     NETCL_U8,  NETCL_I64, NETCL_BOOL};
static const char* const kAny[] = {"v0 + v1",          "v0 * v1 - v0",     "max(v0, v1)",
                                   "v0 > v1 ? v0 : v1", "v0 * 2 + v1 * v1", "v0 - 3",
                                   "abs(v0) + min(v1, v0)", "v0"};

typedef struct Program {
  netcl_run_options run;
  netcl_tensor* values[VALUES];
  int count;
  netcl_tensor* inputs[2];
  netcl_tensor* targets[TARGETS]; /* that are written to in place, in any strides */
  netcl_tensor* outputs[VALUES];
  int outputs_count;
} Program;

static netcl_tensor* pick(const Program* p) { return p->values[random_in(0, p->count - 1)]; }

static void keep(Program* p, netcl_tensor* output) {
  p->outputs[p->outputs_count++] = output;
}

static void add_value(Fixture* fixture, Program* p) {
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  netcl_tensor* operands[2] = {pick(p), pick(p)};
  netcl_dtype dtype = kKinds[random_in(0, (int64_t)COUNT_OF(kKinds) - 1)];
  netcl_tensor* made = NULL;
  if (random_in(0, 2) == 0) operands[1] = p->targets[random_in(0, TARGETS - 1)];
  if (dtype == NETCL_F64 && !fixture->capabilities.fp64) dtype = NETCL_F32;
  options.dtype = random_in(0, 1) ? dtype : 0;
  OK(netcl_op_expression_text(kAny[random_in(0, (int64_t)COUNT_OF(kAny) - 1)], operands, 2,
                              &options, &p->run, &made));
  p->values[p->count++] = made;
}

/* A reduction, an output, a write in place, or one of what was there to what is there. */
static void use_value(Program* p) {
  netcl_tensor *made = NULL, *const value = pick(p);
  const int64_t target = random_in(0, TARGETS - 1);
  netcl_run_options into = p->run;
  switch (random_in(0, 3)) {
    case 0:
      OK(netcl_op_reduce(value,
                         tensor_info(value).dtype == NETCL_BOOL ? NETCL_REDUCTION_ANY
                                                                : NETCL_REDUCTION_SUM,
                         NULL, &p->run, &made));
      if (p->outputs_count < VALUES / 2) {
        keep(p, made);
      } else {
        netcl_tensor_release(made);
      }
      break;
    case 1:
      for (int i = 0; i < p->outputs_count; ++i) {
        if (p->outputs[i] == value) return;
      }
      OK(netcl_tensor_retain(value));
      keep(p, value);
      break;
    case 2:
      formula_into("v0 * 0.5 + v1", p->targets[target], value, p->targets[target], &p->run);
      break;
    default:
      into.into = value;
      OK(netcl_op_expression_text("max(v0, v1)",
                                  (netcl_tensor*[]){value, p->targets[target]}, 2, NULL, &into,
                                  NULL));
  }
}

static void build_program(Fixture* fixture, Program* p, int length) {
  p->count = p->outputs_count = 0;
  for (int i = 0; i < 2; ++i) {
    p->values[p->count++] = formula("v0 + v0", p->inputs[i], NULL, &p->run);
  }
  for (int i = 0; i < length; ++i) {
    if (random_in(0, 2) == 0) {
      use_value(p);
    } else {
      add_value(fixture, p);
    }
  }
  /* All inputs count. */
  keep(p, formula("v0 + v1", p->values[0], p->values[1], &p->run));
}

/* Targets that lie in any way: packed, in another order, reversed, with gaps, behind
 * others. */
static netcl_tensor* strided(Fixture* fixture, int64_t rows, int64_t columns, netcl_dtype dtype) {
  static double values[1024];
  const int way = (int)random_in(0, 4);
  netcl_tensor *all, *view = NULL;
  const int64_t shape[2] = {way == 1 ? columns : way >= 3 ? 2 * rows : rows,
                            way == 1 ? rows : columns};
  fill_random(dtype, values, product(2, shape), 4);
  all = make_tensor(fixture->device, dtype, 2, shape, values);
  if (way == 0) return all;
  if (way == 1) {
    view = turned_view(all);
  } else {
    const int64_t last = rows == 0 ? 0 : rows - 1;
    const netcl_range ranges[2] = {{way == 3 ? 0 : way == 4 ? rows : last, rows,
                                    way == 3 ? 2 : way == 4 ? 1 : -1},
                                   {0, columns, 1}};
    OK(netcl_tensor_slice(all, ranges, 2, &view));
  }
  netcl_tensor_release(all);
  return view;
}

static void check_program(Fixture* fixture, uint64_t seed) {
  static Program sides[2];
  char name[64];
  memset(sides, 0, sizeof sides);
  snprintf(name, sizeof name, "program %llu", (unsigned long long)seed);
  const int64_t rows = random_in(0, 4) == 0 ? random_in(0, 1) : random_in(2, 12);
  const int64_t columns = random_in(1, 30);
  const uint64_t content = random_bits(), program = random_bits();
  const int length = (int)random_in(2, VALUES - 2);
  for (int i = 0; i < 2; ++i) {
    seed_random_at(content);
    for (int k = 0; k < 2; ++k) {
      sides[i].inputs[k] = strided(fixture, rows, columns, k == 0 ? NETCL_F32 : NETCL_I32);
    }
    for (int k = 0; k < TARGETS; ++k) {
      const netcl_dtype dtypes[TARGETS] = {NETCL_F32, NETCL_F16, NETCL_I32};
      sides[i].targets[k] = strided(fixture, rows, columns, dtypes[k]);
    }
  }
  Program *const captured = &sides[0], *const eager = &sides[1];
  captured->run = captured_calls(fixture);
  seed_random_at(program);
  build_program(fixture, captured, length);
  OK(netcl_graph_compile(captured->run.graph, captured->inputs, 2, captured->outputs,
                         (uint32_t)captured->outputs_count, NULL));
  for (int pass = 0; pass < 2; ++pass) {
    netcl_tensor* outputs[VALUES];
    eager->run = recorded(fixture);
    seed_random_at(program);
    build_program(fixture, eager, length);
    for (int i = 0; i < eager->outputs_count; ++i) {
      outputs[i] = poisoned_like(fixture, eager->outputs[i]);
    }
    OK(netcl_graph_run(captured->run.graph, captured->inputs, 2, outputs,
                       (uint32_t)eager->outputs_count, NULL));
    for (int i = 0; i < eager->outputs_count; ++i) {
      check_same_bits(outputs[i], eager->outputs[i], name, i);
    }
    for (int i = 0; i < TARGETS; ++i) {
      check_same_bits(captured->targets[i], eager->targets[i], name, 100 + i);
    }
    release_tensors(outputs, (size_t)eager->outputs_count);
    release_tensors(eager->values, (size_t)eager->count);
    release_tensors(eager->outputs, (size_t)eager->outputs_count);
    netcl_graph_release(eager->run.graph);
  }
  netcl_graph_release(captured->run.graph);
  release_tensors(captured->values, (size_t)captured->count);
  release_tensors(captured->outputs, (size_t)captured->outputs_count);
  for (int i = 0; i < 2; ++i) {
    release_tensors(sides[i].inputs, 2);
    release_tensors(sides[i].targets, TARGETS);
  }
}

static void programs(void** state) {
  Fixture* fixture = *state;
  /* Each program has some kernels of its own. */
  const int many = compiles_slowly(fixture) ? 6 : rounds(fixture, 300);
  for (int i = 0; i < many; ++i) {
    const uint64_t seed = random_bits();
    seed_random_at(seed);
    check_program(fixture, seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(programs),
      DEVICE_TEST(as_kernels),
  };
  seed_random("graph_results_random");
  return cmocka_run_group_tests_name("graph_results_random", tests, NULL, NULL);
}
