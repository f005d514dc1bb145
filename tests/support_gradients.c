#include "support_gradients.h"

#include <math.h>

typedef struct Problem {
  Fixture* fixture;
  GradientCall call;
  void* context;
  const GradientInput* inputs;
  uint32_t count;
  double* x[GRADIENT_INPUTS_MAX];
  Strided tensors[GRADIENT_INPUTS_MAX];
  netcl_tensor_info result;
  double* seed;
} Problem;

static int64_t elements(const GradientInput* input) { return product(input->rank, input->shape); }

static void fill(const GradientInput* input, double* x) {
  const int64_t n = elements(input);
  const double low = input->low == input->high ? -2 : input->low;
  const double high = input->low == input->high ? 2 : input->high;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = input->data != NULL ? input->data[i] : random_real(low, high);
    /* Off the middles of their parts: multiples of those by weights may be equal. */
    const double place = (double)i + random_real(0.3, 0.7);
    if (input->apart && n > 1) x[i] = low + (high - low) * place / (double)n;
  }
  for (int64_t i = n - 1; input->apart && i > 0; --i) {
    const int64_t other = random_in(0, i);
    const double value = x[i];
    x[i] = x[other];
    x[other] = value;
  }
}

/* The sum of seed * f(x), with one input in place of its own. */
static double value_with(Problem* problem, uint32_t which, const double* data) {
  netcl_tensor *x[GRADIENT_INPUTS_MAX], *y = NULL;
  const GradientInput* input = &problem->inputs[which];
  for (uint32_t i = 0; i < problem->count; ++i) x[i] = problem->tensors[i].view;
  x[which] = make_tensor(problem->fixture->device, NETCL_F64, input->rank, input->shape, data);
  OK(problem->call(problem->context, x, NULL, &y));
  double* values = read_tensor(y);
  double sum = 0;
  for (int64_t i = 0; i < problem->result.element_count; ++i) sum += problem->seed[i] * values[i];
  free(values);
  netcl_tensor_release(y);
  netcl_tensor_release(x[which]);
  return sum;
}

static double difference(Problem* problem, uint32_t which, double* x, int64_t i, double step) {
  const double old = x[i];
  x[i] = old + step;
  const double above = value_with(problem, which, x);
  x[i] = old - step;
  const double below = value_with(problem, which, x);
  x[i] = old;
  return (above - below) / (2 * step);
}

static int is_close(double got, double wanted) {
  return fabs(got - wanted) <= 2e-5 * (1 + fabs(wanted));
}

static void compare(Problem* problem, const char* name, uint32_t which, const double* got,
                    const char* file, int line) {
  const int64_t n = elements(&problem->inputs[which]);
  const int tries = rounds(problem->fixture, 40) * 2;
  double* x = malloc((size_t)n * sizeof *x + 1);
  memcpy(x, problem->x[which], (size_t)n * sizeof *x);
  for (int64_t k = 0; k < n && k < tries; ++k) {
    const int64_t i = n <= tries ? k : random_in(0, n - 1);
    /* Where the first step meets a kink, the second one hardly does. */
    const double step = 1e-5 * fmax(1, fabs(x[i]));
    double wanted = difference(problem, which, x, i, step);
    if (!is_close(got[i], wanted)) wanted = difference(problem, which, x, i, step / 100);
    if (!is_close(got[i], wanted)) {
      fail_at(file, line, "%s: gradient of input %u, element %lld, is %.9g, not %.9g", name, which,
              (long long)i, got[i], wanted);
    }
  }
  free(x);
}

void check_gradients(Fixture* fixture, const char* name, GradientCall call, void* context,
                     const GradientInput* inputs, uint32_t count, const char* file, int line) {
  Problem problem = {
      .fixture = fixture, .call = call, .context = context, .inputs = inputs, .count = count};
  netcl_tensor *x[GRADIENT_INPUTS_MAX], *grads[GRADIENT_INPUTS_MAX], *y = NULL, *seed;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  for (uint32_t i = 0; i < count; ++i) {
    problem.x[i] = malloc((size_t)elements(&inputs[i]) * sizeof(double) + 1);
    fill(&inputs[i], problem.x[i]);
    problem.tensors[i] =
        make_strided(fixture->device, NETCL_F64, inputs[i].rank, inputs[i].shape, problem.x[i]);
    x[i] = problem.tensors[i].view;
  }
  const netcl_status status = call(context, x, &run, &y);
  if (status != NETCL_OK) check_status(status, NETCL_OK, name, file, line);
  problem.result = tensor_info(y);
  problem.seed = malloc((size_t)problem.result.element_count * sizeof(double) + 1);
  for (int64_t i = 0; i < problem.result.element_count; ++i) {
    problem.seed[i] = random_real(-1, 1);
  }
  seed = make_tensor(fixture->device, NETCL_F64, problem.result.rank, problem.result.shape,
                     problem.seed);
  options.seeds = &seed;
  options.seeds_count = 1;
  options.consume = random_in(0, 1) == 1;
  check_status(netcl_graph_add_gradients(run.graph, &y, 1, x, count, &options, grads), NETCL_OK,
               name, file, line);
  for (uint32_t i = 0; i < count; ++i) {
    const netcl_tensor_info info = tensor_info(grads[i]);
    CHECK(info.dtype == NETCL_F64 && info.rank == inputs[i].rank &&
              memcmp(info.shape, inputs[i].shape, inputs[i].rank * sizeof *info.shape) == 0,
          "%s: gradient %u has another shape than its input", name, i);
    double* got = read_tensor(grads[i]);
    compare(&problem, name, i, got, file, line);
    free(got);
  }
  for (uint32_t i = 0; i < count; ++i) {
    netcl_tensor_release(grads[i]);
    release_strided(&problem.tensors[i]);
    free(problem.x[i]);
  }
  free(problem.seed);
  netcl_tensor_release(seed);
  netcl_tensor_release(y);
  netcl_graph_release(run.graph);
}
