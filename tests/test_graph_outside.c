/* Calls that are not recorded write between those that are: gradients by what was read since, or a
 * refusal, and never another number. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"

enum { kWidth = 4, kTensors = 3, kCalls = 14, kValues = kTensors + kCalls };

#define OUTSIDE "a call that is not recorded wrote to a memory"

static void write_vector(netcl_tensor* x, const float* values) {
  OK(netcl_tensor_write(x, values, kWidth * sizeof *values, NULL, LONG_WAIT));
}

/* A loop over one graph that is never emptied: a loss that depends on the weight's values, and
 * memory that each step uses anew. */
static void training(void** state) {
  Fixture* fixture = *state;
  for (int way = 0; way < 4; ++way) {
    netcl_run_options run = recorded(fixture);
    netcl_tensor *w = counting_vector(fixture, kWidth, 1), *x = counting_vector(fixture, kWidth, 0);
    netcl_tensor* scratch = counting_vector(fixture, kWidth, 9);
    double weight[kWidth] = {1, 2, 3, 4};
    for (int step = 0; step < 4; ++step) {
      float data[kWidth], grads[kWidth];
      double wanted[kWidth];
      for (int i = 0; i < kWidth; ++i) data[i] = (float)random_real(0.5, 1.5);
      write_vector(x, data);
      formula_into("v0 * v0 * v1", w, x, scratch, &run);
      netcl_tensor* loss = sum_of(scratch, &run);
      netcl_tensor* made = gradient(&run, loss, w);
      for (int i = 0; i < kWidth; ++i) wanted[i] = 2 * weight[i] * data[i];
      check_elements(made, kWidth, wanted, __LINE__);
      for (int i = 0; i < kWidth; ++i) grads[i] = (float)wanted[i];
      if (way < 2) {
        OK(netcl_op_sgd(&w, 1, &made, 1, 0.125, NULL, way == 0 ? NULL : &run));
        for (int i = 0; i < kWidth; ++i) weight[i] -= 0.125 * grads[i];
      } else if (way == 2 || step % 2 == 0) {
        for (int i = 0; i < kWidth; ++i) data[i] = (float)(weight[i] = random_real(-1, 1));
        write_vector(w, data);
      }
      RELEASE(loss, made);
    }
    RELEASE(w, x, scratch);
    netcl_graph_release(run.graph);
  }
}

static void refused(const netcl_run_options* run, netcl_tensor* output, netcl_tensor* input) {
  netcl_tensor* made = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, OUTSIDE,
             netcl_graph_add_gradients(run->graph, &output, 1, &input, 1, NULL, &made));
  assert_null(made);
}

/* What was read before the write counts where the write may have been of other elements. */
static void earlier_reads(void** state) {
  Fixture* fixture = *state;
  const float other[] = {7, 8};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *w = counting_vector(fixture, kWidth, 1), *halves[2];
  OK(netcl_tensor_split(w, 0, (const int64_t[]){2, 2}, 2, halves));
  netcl_tensor* first = formula("v0 * 5", halves[0], NULL, &run);
  netcl_tensor* constant = sum_of(w, &run);
  OK(netcl_tensor_write(halves[1], other, sizeof other, NULL, LONG_WAIT));
  netcl_tensor* second = formula("v0 * 3", halves[0], NULL, &run);
  netcl_tensor* both = formula("v0 + v1", first, second, &run);
  netcl_tensor *sum = sum_of(both, &run), *late = sum_of(second, &run);
  netcl_tensor* mixed = formula("v0 * v1", late, constant, &run);
  refused(&run, sum, halves[0]);
  refused(&run, mixed, halves[0]);
  refused(&run, mixed, w);
  netcl_tensor* made = gradient(&run, late, halves[0]);
  GIVES(made, 3, 3);
  RELEASE(w, halves[0], halves[1], first, constant, second, both, sum, late, mixed, made);
  netcl_graph_release(run.graph);
}

/* A recorded write tells which value others may have left: what was read before it does not count,
 * though it is gone through for another input. */
static void writes_of_both(void** state) {
  Fixture* fixture = *state;
  const float values[kWidth] = {5, 6, 7, 8};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *both[2], *made[2];
  for (int i = 0; i < 2; ++i) both[i] = counting_vector(fixture, kWidth, i);
  netcl_tensor* early = formula("v0 * 2 + v1", both[0], both[1], &run);
  OK(netcl_op_fill(both[1], values, &run));
  write_vector(both[1], values);
  netcl_tensor* late = formula("v0 + v1 * 3", early, both[1], &run);
  netcl_tensor* sum = sum_of(late, &run);
  OK(netcl_graph_add_gradients(run.graph, &sum, 1, both, 2, NULL, made));
  GIVES(made[0], 2, 2, 2, 2);
  GIVES(made[1], 3, 3, 3, 3);
  RELEASE(both[0], both[1], early, late, sum, made[0], made[1]);
  netcl_graph_release(run.graph);
}

/* A value that was made of an input, and then written by others. */
static void made_values(void** state) {
  Fixture* fixture = *state;
  const float values[kWidth] = {5, 6, 7, 8};
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = counting_vector(fixture, kWidth, 1), *y = formula("v0 * 2", x, NULL, &run);
  write_vector(y, values);
  netcl_tensor* sum = sum_of(y, &run);
  refused(&run, sum, x);
  netcl_tensor* made = gradient(&run, sum, y);
  GIVES(made, 1, 1, 1, 1);
  RELEASE(x, y, sum, made);
  netcl_graph_release(run.graph);
}

static void counts(void** state) {
  Fixture* fixture = *state;
  const float values[kWidth] = {5, 6, 7, 8};
  char text[2048];
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = counting_vector(fixture, kWidth, 1), *y = formula("v0 * 2", x, NULL, &run);
  write_vector(x, values);
  netcl_tensor* z = formula("v0 * 3", x, NULL, &run);
  assert_int_equal(call_count(run.graph), 2);
  OK(netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_TEXT, text, sizeof text, NULL));
  CHECK(strstr(text, ": 2 calls\n") != NULL && strstr(text, "\n   2 expression v0 * 3") != NULL,
        "%s", text);
  RELEASE(x, y, z);
  netcl_graph_release(run.graph);
}

/* ---- Random programs ------------------------------------------------------------------------- */

/* Every element is a sum of values: those at the beginning and those that each call wrote. */
typedef struct Program {
  double part[kTensors][kWidth][kValues];
  int now[kTensors][kWidth]; /* which value an element is */
  int values;
} Program;

static void begin(Program* program) {
  memset(program, 0, sizeof *program);
  for (int t = 0; t < kTensors; ++t) {
    for (int e = 0; e < kWidth; ++e) program->part[t][e][program->now[t][e] = t] = 1;
  }
  program->values = kTensors;
}

/* A call writes `count` elements of a tensor: sums of others, or with `a` below 0 nothing of them.
 * A call that is recorded makes a value of all elements of the tensor, as gradients see it. */
static void note_write(Program* program, int t, int first, int count, int a, int b) {
  const Program old = *program;
  const int made = program->values++;
  for (int e = 0; e < kWidth; ++e) {
    const int written = e >= first && e < first + count;
    for (int v = 0; v < made && written; ++v) {
      program->part[t][e][v] = a < 0 ? 0 : 2 * old.part[a][e][v] - old.part[b][e][v];
    }
    if (!written && a < 0) continue;
    program->part[t][e][made] = 1;
    program->now[t][e] = made;
  }
}

static void step(Program* program, netcl_tensor* const* all, const netcl_run_options* run) {
  static const float kData[kWidth] = {1, 2, 3, 4};
  const int t = (int)random_in(0, kTensors - 1), is_recorded = random_in(0, 9) < 7;
  const int a = (int)random_in(0, kTensors - 1), b = (int)random_in(0, kTensors - 1);
  const int count = random_in(0, 1) != 0 ? kWidth : kWidth / 2;
  const int first = (int)random_in(0, 1) * (kWidth - count);
  const netcl_range range = {first, count, 1};
  netcl_tensor *to = NULL, *left = NULL, *right = NULL;
  OK(netcl_tensor_slice(all[t], &range, 1, &to));
  if (is_recorded) {
    OK(netcl_tensor_slice(all[a], &range, 1, &left));
    OK(netcl_tensor_slice(all[b], &range, 1, &right));
    formula_into("v0 * 2 - v1", left, right, to, run);
    RELEASE(left, right);
  } else {
    OK(netcl_tensor_write(to, kData, (size_t)count * sizeof *kData, NULL, LONG_WAIT));
  }
  note_write(program, t, first, count, is_recorded ? a : -1, b);
  RELEASE(to);
}

/* Gives 1 where the gradients were known. */
static int check_program(Fixture* fixture) {
  Program program;
  netcl_tensor *all[kTensors], *output = NULL, *made[kTensors];
  double out[kWidth][kValues];
  netcl_run_options run = recorded(fixture);
  for (int t = 0; t < kTensors; ++t) all[t] = counting_vector(fixture, kWidth, t);
  begin(&program);
  const int calls = (int)random_in(1, kCalls), told = (int)random_in(0, calls);
  for (int call = 0; call <= calls; ++call) {
    if (call < calls) step(&program, all, &run);
    if (call != told) continue;
    output = formula("v0 + 4 * v1", all[0], all[1], &run);
    for (int e = 0; e < kWidth; ++e) {
      for (int v = 0; v < kValues; ++v) {
        out[e][v] = program.part[0][e][v] + 4 * program.part[1][e][v];
      }
    }
  }
  const float ones[kWidth] = {1, 1, 1, 1};
  netcl_tensor* seed = graph_vector(fixture, kWidth, ones);
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  options.seeds = &seed;
  options.seeds_count = 1;
  const int first = (int)random_in(0, kTensors - 1);
  const uint32_t count = (uint32_t)random_in(1, kTensors - first);
  const netcl_status status =
      netcl_graph_add_gradients(run.graph, &output, 1, all + first, count, &options, made);
  CHECK(status == NETCL_OK || status == NETCL_ERROR_INVALID_ARGUMENT, "status %d: %s", status,
        netcl_last_error_message());
  for (uint32_t i = 0; i < count && status == NETCL_OK; ++i) {
    float* got = read_tensor(made[i]);
    for (int e = 0; e < kWidth; ++e) {
      const double wanted = out[e][program.now[first + (int)i][e]];
      CHECK(fabs(got[e] - wanted) <= 1e-5 * fabs(wanted), "tensor %d, element %d: %g, not %g",
            first + (int)i, e, got[e], wanted);
    }
    free(got);
    netcl_tensor_release(made[i]);
  }
  release_tensors(all, kTensors);
  RELEASE(output, seed);
  netcl_graph_release(run.graph);
  return status == NETCL_OK;
}

static void programs(void** state) {
  Fixture* fixture = *state;
  const int most = sanitized_rounds(fixture->opencl ? 300 : 3000);
  int known = 0;
  for (int i = 0; i < most; ++i) known += check_program(fixture);
  print_message("gradients of %d programs of %d are known\n", known, most);
  assert_true(known > most / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(training),       DEVICE_TEST(earlier_reads), DEVICE_TEST(made_values),
      DEVICE_TEST(writes_of_both), DEVICE_TEST(counts),        DEVICE_TEST(programs),
  };
  seed_random("graph_outside");
  return cmocka_run_group_tests_name("graph_outside", tests, NULL, NULL);
}
