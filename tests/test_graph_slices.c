/* Runs of compiled graphs whose inputs and outputs are parts of larger tensors: parts at any place
 * give what the calls give, write nothing else, and need nothing new where they lie alike. */
#include "support_graph.h"

enum { ROWS = 8, WIDTH = 32, PARTS = 24, RESULTS = 16, MORE = 40 };

/* How often commands were made for the graph. */
static int ways(netcl_graph* graph) {
  static char text[65536];
  OK(netcl_graph_explain(graph, NETCL_GRAPH_FORMAT_JSON, text, sizeof text, NULL));
  const char* at = strstr(text, "\"ways\"");
  assert_non_null(at);
  return (int)strtol(strchr(at, ':') + 1, NULL, 10);
}

typedef struct Case {
  netcl_graph* graph;
  netcl_tensor *all, *labels, *w;  /* what inputs are parts of, and a weight */
  netcl_tensor *sums, *scaled;     /* what outputs are parts of */
  float *values, *weights;
  int32_t* classes;
} Case;

/* Elements [at, at + rows * width) as a matrix. */
static netcl_tensor* part(netcl_tensor* tensor, int64_t at, int64_t rows, int64_t width) {
  const netcl_range range = {at, rows * width, 1};
  const int64_t shape[2] = {rows, width};
  netcl_tensor *line = NULL, *view = NULL;
  OK(netcl_tensor_slice(tensor, &range, 1, &line));
  OK(netcl_tensor_reshape(line, 2, shape, NULL, &view));
  netcl_tensor_release(line);
  return view;
}

/* sums = x w + labels, scaled = 2 x, whose first row becomes 3 by a fill. */
static Case make_case(Fixture* fixture) {
  Case c;
  const int64_t many = PARTS * ROWS * WIDTH + MORE, counts = PARTS * ROWS + MORE,
                shape[2] = {WIDTH, RESULTS}, out = PARTS * ROWS * RESULTS + MORE;
  c.values = malloc((size_t)many * sizeof *c.values);
  c.weights = malloc(WIDTH * RESULTS * sizeof *c.weights);
  c.classes = malloc((size_t)counts * sizeof *c.classes);
  for (int64_t i = 0; i < many; ++i) c.values[i] = (float)random_in(-8, 8);
  for (int64_t i = 0; i < counts; ++i) c.classes[i] = (int32_t)random_in(-99, 99);
  for (int i = 0; i < WIDTH * RESULTS; ++i) c.weights[i] = (float)random_in(-8, 8);
  c.all = make_tensor(fixture->device, NETCL_F32, 1, &many, c.values);
  c.labels = make_tensor(fixture->device, NETCL_I32, 1, &counts, c.classes);
  c.w = make_tensor(fixture->device, NETCL_F32, 2, shape, c.weights);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &out, NULL, NULL, &c.sums));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &many, NULL, NULL, &c.scaled));
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor *inputs[2] = {part(c.all, 0, ROWS, WIDTH), part(c.labels, 0, ROWS, 1)},
               *product = NULL, *outputs[2];
  const netcl_range first[2] = {{0, 1, 1}, {0, WIDTH, 1}};
  const float three = 3;
  OK(netcl_op_matmul(inputs[0], c.w, NULL, &run, &product));
  outputs[0] = formula("v0 + f32(v1)", product, inputs[1], &run);
  outputs[1] = formula("v0 * 2", inputs[0], NULL, &run);
  netcl_tensor* row = NULL;
  OK(netcl_tensor_slice(outputs[1], first, 2, &row));
  OK(netcl_op_fill(row, &three, &run));
  OK(netcl_graph_compile(run.graph, inputs, 2, outputs, 2, NULL));
  RELEASE(inputs[0], inputs[1], product, row, outputs[0], outputs[1]);
  c.graph = run.graph;
  return c;
}

static void free_case(Case* c) {
  RELEASE(c->all, c->labels, c->w, c->sums, c->scaled);
  netcl_graph_release(c->graph);
  free(c->values);
  free(c->weights);
  free(c->classes);
}

static void check_run(Case* c, int64_t x_at, int64_t labels_at, int64_t sums_at,
                      int64_t scaled_at) {
  const float untouched = -1;
  netcl_tensor *inputs[2] = {part(c->all, x_at, ROWS, WIDTH), part(c->labels, labels_at, ROWS, 1)},
               *outputs[2] = {part(c->sums, sums_at, ROWS, RESULTS),
                              part(c->scaled, scaled_at, ROWS, WIDTH)};
  OK(netcl_op_fill(c->sums, &untouched, NULL));
  OK(netcl_op_fill(c->scaled, &untouched, NULL));
  OK(netcl_graph_run(c->graph, inputs, 2, outputs, 2, NULL));
  float *sums = read_tensor(c->sums), *scaled = read_tensor(c->scaled);
  for (int64_t i = 0; i < PARTS * ROWS * RESULTS + MORE; ++i) {
    const int64_t at = i - sums_at, row = at / RESULTS;
    double wanted = untouched;
    if (at >= 0 && at < ROWS * RESULTS) {
      wanted = c->classes[labels_at + row];
      for (int k = 0; k < WIDTH; ++k) {
        const double x = c->values[x_at + row * WIDTH + k];
        wanted += x * c->weights[k * RESULTS + at % RESULTS];
      }
    }
    CHECK(sums[i] == wanted, "x at %d, sums at %d: [%d] is %g, not %g", (int)x_at, (int)sums_at,
          (int)i, sums[i], wanted);
  }
  for (int64_t i = 0; i < PARTS * ROWS * WIDTH + MORE; ++i) {
    const int64_t at = i - scaled_at;
    const double wanted = at < 0 || at >= ROWS * WIDTH ? untouched
                          : at < WIDTH                 ? 3
                                                       : 2 * c->values[x_at + at];
    CHECK(scaled[i] == wanted, "x at %d, scaled at %d: [%d] is %g, not %g", (int)x_at,
          (int)scaled_at, (int)i, scaled[i], wanted);
  }
  free(sums);
  free(scaled);
  RELEASE(inputs[0], inputs[1], outputs[0], outputs[1]);
}

/* Minibatches: parts that begin where sub-buffers may. */
static void batches_in_turn(void** state) {
  Fixture* fixture = *state;
  Case c = make_case(fixture);
  const int64_t align = (int64_t)fixture->capabilities.mem_base_align_bytes / 4;
  const int64_t label = align > ROWS ? align : ROWS, labels = PARTS * ROWS / label;
  for (int pass = 0; pass < 2; ++pass) {
    for (int64_t i = 0; i < PARTS; ++i) {
      check_run(&c, i * ROWS * WIDTH, i % labels * label, (PARTS - 1 - i) * ROWS * RESULTS,
                i * 5 % PARTS * ROWS * WIDTH);
    }
  }
  assert_int_equal(ways(c.graph), 1);
  free_case(&c);
}

/* Parts anywhere. On the built-in device they need nothing new either. */
static void anywhere(void** state) {
  Fixture* fixture = *state;
  Case c = make_case(fixture);
  for (int i = 0; i < 60; ++i) {
    check_run(&c, random_in(0, PARTS * ROWS * WIDTH + MORE - ROWS * WIDTH),
              random_in(0, PARTS * ROWS + MORE - ROWS),
              random_in(0, PARTS * ROWS * RESULTS + MORE - ROWS * RESULTS),
              random_in(0, PARTS * ROWS * WIDTH + MORE - ROWS * WIDTH));
  }
  if (!fixture->opencl) assert_int_equal(ways(c.graph), 1);
  free_case(&c);
}

/* The same few parts again and again, which a driver may keep. */
static void few(void** state) {
  Fixture* fixture = *state;
  Case c = make_case(fixture);
  for (int i = 0; i < 30; ++i) {
    const int64_t at = i % 3;
    check_run(&c, at * ROWS * WIDTH, 0, at * 2 * ROWS * RESULTS, at * ROWS * WIDTH);
  }
  assert_int_equal(ways(c.graph), 1);
  free_case(&c);
}

int main(void) {
  seed_random("graph_slices");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(batches_in_turn),
      DEVICE_TEST(anywhere),
      DEVICE_TEST(few),
      DEVICE_TEST(as_kernels),
  };
  return cmocka_run_group_tests_name("graph_slices", tests, NULL, NULL);
}
