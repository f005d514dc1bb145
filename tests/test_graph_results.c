/* Steps of compiled graphs that store several results: how many steps are left, and the bits of the
 * same calls made one by one. */
#include <string.h>

#include "support_graph.h"

enum { ROWS = 6, WIDTH = 5, OUTPUTS_MOST = 4 };

/* What a case reads, and what it gives. */
typedef struct Calls {
  netcl_tensor *x, *w;  /* [ROWS, WIDTH] of f32 */
  netcl_tensor* kept;   /* the same in the order of columns, which cases may write to */
  netcl_tensor* part;   /* the same, every second row and column of another tensor */
  netcl_run_options run;
  netcl_tensor* outputs[OUTPUTS_MOST];
  int count;
} Calls;

static void give(Calls* calls, netcl_tensor* tensor) { calls->outputs[calls->count++] = tensor; }

static netcl_tensor* cast_to(netcl_dtype dtype, netcl_tensor* x, const netcl_run_options* run) {
  netcl_tensor* made = NULL;
  OK(netcl_op_cast(x, dtype, run, &made));
  return made;
}

/* A value that a reduction and a chain need. */
static void read_by_a_sum(Calls* c) {
  netcl_tensor* y = formula("tanh(v0) * 0.5", c->x, NULL, &c->run);
  give(c, sum_of(y, &c->run));
  give(c, formula("v0 + v1", y, c->x, &c->run));
  netcl_tensor_release(y);
}
static void chain_and_gradient(Calls* c) {
  netcl_tensor* y = formula("sigmoid(v0) * v1", c->x, c->w, &c->run);
  netcl_tensor* z = formula("v0 * v0", y, NULL, &c->run);
  netcl_tensor* loss = sum_of(z, &c->run);
  give(c, z);
  give(c, gradient(&c->run, loss, c->x));
  give(c, loss);
  netcl_tensor_release(y);
}
static void output_and_chain(Calls* c) {
  give(c, formula("v0 * v1", c->x, c->w, &c->run));
  give(c, formula("exp(v0)", c->outputs[0], NULL, &c->run));
}
static void siblings(Calls* c) {
  give(c, formula("v0 * 2", c->x, NULL, &c->run));
  give(c, formula("tanh(v0)", c->x, NULL, &c->run));
  give(c, formula("v0 > v1", c->x, c->w, &c->run));
}
static void three_readers(Calls* c) {
  netcl_tensor* y = formula("sin(v0) + v1", c->x, c->w, &c->run);
  give(c, formula("v0 * 0.5", y, NULL, &c->run));
  give(c, formula("v0 - v1", y, c->x, &c->run));
  give(c, formula("v0 * v1", y, c->w, &c->run));
  netcl_tensor_release(y);
}
static void rounded_between(Calls* c) {
  give(c, cast_to(NETCL_F16, c->x, &c->run));
  give(c, formula("v0 * 3 + 0.1", c->outputs[0], NULL, &c->run));
  give(c, cast_to(NETCL_F32, c->outputs[1], &c->run));
  give(c, cast_to(NETCL_BF16, c->outputs[2], &c->run));
}
static void written_over(Calls* c) {
  netcl_tensor* t = formula("v0 + v1", c->x, c->w, &c->run);
  give(c, formula("v0 * 2", t, NULL, &c->run));
  formula_into("v0 - 1", t, NULL, t, &c->run);
  give(c, t);
}
static void over_what_is_kept(Calls* c) {
  give(c, formula("v0 + v1", c->kept, c->x, &c->run));
  formula_into("v0 * 0.5 + v1", c->kept, c->x, c->kept, &c->run);
  give(c, formula("v0 - v1", c->kept, c->x, &c->run));
}
static void another_shape(Calls* c) {
  netcl_tensor *line = NULL, *y = formula("v0 * v1", c->x, c->w, &c->run);
  const int64_t count = ROWS * WIDTH;
  OK(netcl_tensor_reshape(y, 1, &count, NULL, &line));
  give(c, formula("cos(v0)", line, NULL, &c->run));
  give(c, y);
  netcl_tensor_release(line);
}
static void to_strided_targets(Calls* c) {
  formula_into("v0 * v1", c->x, c->w, c->kept, &c->run);
  formula_into("v0 - v1", c->x, c->w, c->part, &c->run);
  give(c, formula("v0 + v1", c->kept, c->part, &c->run));
}
static void of_many_dtypes(Calls* c) {
  static const netcl_dtype kinds[OUTPUTS_MOST] = {NETCL_I8, NETCL_U64, NETCL_BOOL, NETCL_F16};
  netcl_tensor* y = formula("v0 * 100", c->x, NULL, &c->run);
  for (int i = 0; i < OUTPUTS_MOST; ++i) give(c, cast_to(kinds[i], y, &c->run));
  netcl_tensor_release(y);
}

/* What stays apart. */
static void behind_the_sum(Calls* c) {
  netcl_tensor *y = formula("tanh(v0)", c->x, NULL, &c->run), *sum = sum_of(y, &c->run);
  give(c, formula("v0 * v1", y, sum, &c->run));
  RELEASE(y, sum);
}
static void in_another_order(Calls* c) {
  netcl_tensor *square = NULL, *view;
  netcl_tensor* const other = turned_view(c->w);
  OK(netcl_op_matmul(c->x, other, NULL, &c->run, &square));
  netcl_tensor* y = formula("v0 * 2", square, NULL, &c->run);
  netcl_tensor_release(other);
  view = turned_view(y);
  give(c, formula("v0 + v1", view, square, &c->run));
  give(c, y);
  RELEASE(square, view);
}
static void over_what_is_read_elsewhere(Calls* c) {
  /* The second call writes rows that the first one reads at other places. */
  netcl_tensor *top = NULL, *rest = NULL;
  OK(netcl_tensor_slice(c->kept, (netcl_range[]){{0, ROWS - 1, 1}, {0, WIDTH, 1}}, 2, &top));
  OK(netcl_tensor_slice(c->kept, (netcl_range[]){{1, ROWS - 1, 1}, {0, WIDTH, 1}}, 2, &rest));
  give(c, formula("v0 * 2", top, NULL, &c->run));
  formula_into("v0 + 1", top, NULL, rest, &c->run);
  RELEASE(top, rest);
}
static void written_between(Calls* c) {
  netcl_tensor* line = NULL;
  give(c, formula("v0 + v1", c->x, c->kept, &c->run));
  OK(netcl_tensor_slice(c->kept, (netcl_range[]){{0, 1, 1}, {0, WIDTH, 1}}, 2, &line));
  formula_into("v0 * 3", line, NULL, line, &c->run);
  give(c, formula("v0 - v1", c->x, c->kept, &c->run));
  netcl_tensor_release(line);
}
/* One kernel of both would need the memory of two values at a time, where one does. */
static void one_at_a_time(Calls* c) {
  netcl_tensor *y = formula("tanh(v0)", c->x, NULL, &c->run), *z;
  give(c, sum_of(y, &c->run));
  z = formula("sin(v0)", c->x, NULL, &c->run);
  give(c, sum_of(z, &c->run));
  RELEASE(y, z);
}
static void of_nothing_in_common(Calls* c) {
  give(c, formula("v0 * 2", c->x, NULL, &c->run));
  give(c, formula("v0 * 2", c->w, NULL, &c->run));
}
/* Bits are copied as they are, which a load as a number need not do. */
static void copied(Calls* c) {
  netcl_tensor* copy = NULL;
  OK(netcl_op_copy(c->x, &c->run, &copy));
  give(c, copy);
  give(c, formula("v0 * 2", c->x, NULL, &c->run));
}

typedef struct Case {
  const char* name;
  void (*build)(Calls* calls);
  int steps, results; /* results: of the step that stores most */
} Case;

static const Case kCases[] = {{"read by a sum", read_by_a_sum, 2, 2},
                              {"a chain and its gradient", chain_and_gradient, 2, 2},
                              {"an output and a chain", output_and_chain, 1, 2},
                              {"siblings", siblings, 1, 3},
                              {"three readers", three_readers, 1, 3},
                              {"rounded between", rounded_between, 1, 4},
                              {"written over", written_over, 1, 2},
                              {"over what is kept", over_what_is_kept, 1, 3},
                              {"another shape", another_shape, 1, 2},
                              {"to strided targets", to_strided_targets, 1, 3},
                              {"of many dtypes", of_many_dtypes, 1, 4},
                              {"behind the sum", behind_the_sum, 3, 1},
                              {"in another order", in_another_order, 3, 1},
                              {"over what is read elsewhere", over_what_is_read_elsewhere, 2, 1},
                              {"written between", written_between, 3, 1},
                              {"one at a time", one_at_a_time, 4, 1},
                              {"of nothing in common", of_nothing_in_common, 2, 1},
                              {"copied", copied, 2, 1}};

static netcl_tensor* noise(Fixture* fixture, uint32_t rank, const int64_t* shape) {
  static float values[256];
  fill_random(NETCL_F32, values, product(rank, shape), 1);
  return make_tensor(fixture->device, NETCL_F32, rank, shape, values);
}

/* Two sides with the same content. */
static void make_sides(Fixture* fixture, Calls sides[2]) {
  const uint64_t seed = random_bits();
  for (int i = 0; i < 2; ++i) {
    Calls* const c = &sides[i];
    seed_random_at(seed);
    memset(c, 0, sizeof *c);
    c->x = noise(fixture, 2, (int64_t[]){ROWS, WIDTH});
    c->w = noise(fixture, 2, (int64_t[]){ROWS, WIDTH});
    netcl_tensor* const columns = noise(fixture, 2, (int64_t[]){WIDTH, ROWS});
    netcl_tensor* const wide = noise(fixture, 2, (int64_t[]){2 * ROWS, 2 * WIDTH});
    c->kept = turned_view(columns);
    OK(netcl_tensor_slice(wide, (netcl_range[]){{1, ROWS, 2}, {0, WIDTH, 2}}, 2, &c->part));
    RELEASE(columns, wide);
  }
}

/* The most tensors that a step writes, by its list in JSON. */
static int most_results(netcl_graph* graph) {
  static char text[16384];
  int most = 0;
  OK(netcl_graph_explain(graph, NETCL_GRAPH_FORMAT_JSON, text, sizeof text, NULL));
  for (const char* at = text; (at = strstr(at, "\"writes\"")) != NULL; ++at) {
    /* Shapes have brackets of their own, but no brace in front of one. */
    const char* const end = strstr(at, "}]");
    int count = 0;
    for (const char* name = strstr(at, "\"name\""); name != NULL && name < end;
         name = strstr(name + 1, "\"name\"")) {
      ++count;
    }
    if (count > most) most = count;
  }
  return most;
}

static void check_case(Fixture* fixture, const Case* one) {
  Calls sides[2];
  make_sides(fixture, sides);
  Calls *const captured = &sides[0], *const eager = &sides[1];
  captured->run = captured_calls(fixture);
  one->build(captured);
  OK(netcl_graph_compile(captured->run.graph, NULL, 0, captured->outputs,
                         (uint32_t)captured->count, NULL));
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  OK(netcl_graph_get_info(captured->run.graph, &info));
  static char text[16384];
  OK(netcl_graph_explain(captured->run.graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
  CHECK((int)info.step_count == one->steps, "%s: %d steps, not %d:\n%s", one->name,
        (int)info.step_count, one->steps, text);
  CHECK(most_results(captured->run.graph) == one->results, "%s: %d results, not %d:\n%s",
        one->name, most_results(captured->run.graph), one->results, text);
  CHECK(info.planned_bytes <= info.live_bytes + 4096, "%s: %d bytes planned of %d", one->name,
        (int)info.planned_bytes, (int)info.live_bytes);
  for (int pass = 0; pass < 2; ++pass) {
    netcl_tensor* outputs[OUTPUTS_MOST];
    eager->count = 0;
    eager->run = recorded(fixture);
    one->build(eager);
    for (int i = 0; i < eager->count; ++i) outputs[i] = poisoned_like(fixture, eager->outputs[i]);
    OK(netcl_graph_run(captured->run.graph, NULL, 0, outputs, (uint32_t)eager->count, NULL));
    for (int i = 0; i < eager->count; ++i) {
      check_same_bits(outputs[i], eager->outputs[i], one->name, i);
    }
    check_same_bits(captured->kept, eager->kept, one->name, 100);
    check_same_bits(captured->part, eager->part, one->name, 101);
    release_tensors(outputs, (size_t)eager->count);
    release_tensors(eager->outputs, (size_t)eager->count);
    netcl_graph_release(eager->run.graph);
  }
  netcl_graph_release(captured->run.graph);
  release_tensors(captured->outputs, (size_t)captured->count);
  for (int i = 0; i < 2; ++i) RELEASE(sides[i].x, sides[i].w, sides[i].kept, sides[i].part);
}

static void cases(void** state) {
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) check_case(*state, &kCases[i]);
}

/* Results so large that they are written past the caches, of inputs in the order of rows or not. */
static void large_ones(void** state) {
  Fixture* fixture = *state;
  if (only_sanitized() && fixture->kernels) SKIP("only loops of the host write past the caches");
  enum { SIDE = 2912 };
  const int64_t shape[2] = {SIDE, SIDE};
  float* const data = malloc((size_t)SIDE * SIDE * sizeof *data);
  for (int64_t i = 0; i < (int64_t)SIDE * SIDE; ++i) data[i] = (float)(i * 7919 % 100003) * 1e-3f;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, data), *t = turned_view(x);
  netcl_tensor* const inputs[2] = {x, t};
  free(data);
  for (int i = 0; i < 2; ++i) {
    netcl_run_options run = captured_calls(fixture), plain = NETCL_RUN_OPTIONS_INIT;
    netcl_tensor *made[2][4], *given[4];
    for (int side = 0; side < 2; ++side) {
      const netcl_run_options* const how = side == 0 ? &run : &plain;
      made[side][0] = formula("v0 * 2 + 1", inputs[i], NULL, how);
      made[side][1] = formula("v0 * 0.5 - v1", made[side][0], inputs[i], how);
      made[side][2] = cast_to(NETCL_F16, made[side][1], how);
      made[side][3] = cast_to(NETCL_F16, made[side][0], how);
    }
    OK(netcl_graph_compile(run.graph, NULL, 0, made[0], 4, NULL));
    netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
    OK(netcl_graph_get_info(run.graph, &info));
    assert_int_equal(info.step_count, 1);
    for (int k = 0; k < 4; ++k) given[k] = poisoned_like(fixture, made[1][k]);
    OK(netcl_graph_run(run.graph, NULL, 0, given, 4, NULL));
    for (int k = 0; k < 4; ++k) check_same_bits(given[k], made[1][k], "large", 4 * i + k);
    release_tensors(given, 4);
    for (int side = 0; side < 2; ++side) release_tensors(made[side], 4);
    netcl_graph_release(run.graph);
  }
  RELEASE(x, t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(cases),
      DEVICE_TEST(large_ones),
      DEVICE_TEST(as_kernels),
  };
  seed_random("graph_results");
  return cmocka_run_group_tests_name("graph_results", tests, NULL, NULL);
}
