/* The memory plan of compiled graphs over random calls: values of many sizes and lifetimes lie in
 * no more bytes than the same calls have at one time where each value goes after its last use, and
 * the results are right, so that no two values that are needed at one time lie in one place. */
#include <stdio.h>
#include <string.h>

#include "support_graph.h"

enum { STEPS_MOST = 36, UNIT = 256, UNITS_MOST = 40 }; /* units of 1 KiB of f32 */

/* A call makes value number `first value + its own number`. Values 0 and 1 are the inputs. */
typedef enum Kind { HALVE, PART, JOIN, ADD } Kind;
typedef struct Call {
  Kind kind;
  int a, b; /* values; b < 0: none */
  int at;   /* the first unit of a part; of an addition, of b */
  int units;
} Call;

typedef struct Plan {
  Call calls[STEPS_MOST];
  int count;
  int last[STEPS_MOST + 2]; /* the last call that reads a value */
} Plan;

static int units_of(const Plan* plan, int value) {
  return value < 2 ? UNITS_MOST / 2 : plan->calls[value - 2].units;
}

static void add_call(Plan* plan, Call call) { plan->calls[plan->count++] = call; }

/* Values that nothing has read are added to a sum of one unit, sooner or later. */
static Plan random_plan(void) {
  Plan plan = {.count = 0};
  char used[STEPS_MOST + 2] = {0};
  const int length = (int)random_in(6, STEPS_MOST / 2 - 2), reach = (int)random_in(2, 12);
  for (int i = 0; i < length; ++i) {
    const int values = plan.count + 2;
    const int low = values > reach && random_in(0, 3) != 0 ? values - reach : 0;
    Call call = {(Kind)random_in(HALVE, JOIN), (int)random_in(low, values - 1), -1, 0, 0};
    const int units = units_of(&plan, call.a);
    const int other = (int)random_in(low, values - 1);
    if (call.kind == JOIN && units + units_of(&plan, other) > UNITS_MOST) call.kind = PART;
    if (call.kind == PART) {
      call.units = (int)random_in(1, units);
      call.at = (int)random_in(0, units - call.units);
    } else {
      call.units = units;
    }
    if (call.kind == JOIN) {
      call.b = other;
      call.units += units_of(&plan, other);
      used[other] = 1;
    }
    used[call.a] = 1;
    add_call(&plan, call);
  }
  const int made = plan.count + 2;
  add_call(&plan, (Call){PART, made - 1, -1, 0, 1});
  for (int value = 0; value < made - 1; ++value) {
    /* Inputs count in any case. */
    if (used[value] && value > 1) continue;
    const int at = (int)random_in(0, units_of(&plan, value) - 1);
    add_call(&plan, (Call){ADD, plan.count + 1, value, at, 1});
  }
  for (int i = 0; i < plan.count; ++i) {
    plan.last[plan.calls[i].a] = i;
    if (plan.calls[i].b >= 0) plan.last[plan.calls[i].b] = i;
  }
  return plan;
}

/* The most bytes of all values but inputs and the last, which is the output. */
static uint64_t most_bytes(const Plan* plan) {
  uint64_t most = 0;
  for (int now = 0; now < plan->count; ++now) {
    uint64_t bytes = 0;
    for (int i = 0; i <= now && i < plan->count - 1; ++i) {
      if (plan->last[i + 2] >= now) bytes += (uint64_t)plan->calls[i].units * UNIT * 4;
    }
    if (bytes > most) most = bytes;
  }
  return most;
}

static netcl_tensor* part_of(netcl_tensor* tensor, int at, int units) {
  const netcl_range range = {(int64_t)at * UNIT, (int64_t)units * UNIT, 1};
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(tensor, &range, 1, &view));
  return view;
}

static netcl_tensor* call_value(const Call* call, netcl_tensor** values,
                                const netcl_run_options* run) {
  netcl_tensor *made = NULL, *part = NULL;
  if (call->kind == JOIN) {
    netcl_tensor* const both[2] = {values[call->a], values[call->b]};
    OK(netcl_op_concat(both, 2, 0, run, &made));
  } else if (call->kind == ADD) {
    part = part_of(values[call->b], call->at, 1);
    made = formula("v0 + v1", values[call->a], part, run);
  } else {
    part = part_of(values[call->a], call->at, call->units);
    made = formula("v0 * 0.5 + 1", part, NULL, run);
  }
  netcl_tensor_release(part);
  return made;
}

/* Makes all calls; each value goes after its last use. `peak` receives what the device's pool had
 * lent at most of what it had not lent before. */
static netcl_tensor* call_all(Fixture* fixture, const Plan* plan, netcl_tensor* const* inputs,
                              const netcl_run_options* run, uint64_t* peak) {
  netcl_tensor* values[STEPS_MOST + 2] = {inputs[0], inputs[1]};
  netcl_pool* pool = NULL;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  OK(netcl_pool_get_info(pool, &info));
  const uint64_t before = info.bytes_in_use;
  *peak = 0;
  for (int i = 0; i < plan->count; ++i) {
    values[i + 2] = call_value(&plan->calls[i], values, run);
    OK(netcl_pool_get_info(pool, &info));
    if (info.bytes_in_use - before > *peak) *peak = info.bytes_in_use - before;
    for (int value = 2; value < i + 2; ++value) {
      if (plan->last[value] != i) continue;
      netcl_tensor_release(values[value]);
    }
  }
  netcl_pool_release(pool);
  return values[plan->count + 1];
}

/* The bytes that are planned beyond those that the calls have at one time. */
static uint64_t check_plan(Fixture* fixture, uint64_t seed, netcl_toggle fuse) {
  static float content[UNITS_MOST / 2 * UNIT];
  const int64_t count = COUNT_OF(content);
  netcl_tensor* inputs[2];
  seed_random_at(seed);
  const Plan plan = random_plan();
  for (int i = 0; i < 2; ++i) {
    for (size_t k = 0; k < COUNT_OF(content); ++k) content[k] = (float)random_in(-64, 64);
    inputs[i] = make_tensor(fixture->device, NETCL_F32, 1, &count, content);
  }
  uint64_t peak = 0, unused = 0;
  netcl_tensor* const wanted = call_all(fixture, &plan, inputs, NULL, &peak);
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor* const output = call_all(fixture, &plan, inputs, &run, &unused);
  netcl_graph_compile_options options = NETCL_GRAPH_COMPILE_OPTIONS_INIT;
  options.fuse = fuse;
  OK(netcl_graph_compile(run.graph, inputs, 2, &output, 1, &options));
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  OK(netcl_graph_get_info(run.graph, &info));
  const uint64_t most = most_bytes(&plan);
  CHECK(info.live_bytes == most, "program %llu: %llu bytes live, not %llu",
        (unsigned long long)seed, (unsigned long long)info.live_bytes, (unsigned long long)most);
  CHECK(info.planned_bytes <= peak, "program %llu: %llu bytes planned, %llu lent to its calls",
        (unsigned long long)seed, (unsigned long long)info.planned_bytes,
        (unsigned long long)peak);
  netcl_tensor* const got = poisoned_like(fixture, wanted);
  OK(netcl_graph_run(run.graph, inputs, 2, &got, 1, NULL));
  check_same_bits(got, wanted, "program", (int)(seed % 10000));
  netcl_graph_release(run.graph);
  RELEASE(inputs[0], inputs[1], wanted, output, got);
  return info.planned_bytes > most ? info.planned_bytes - most : 0;
}

/* Without gaps, but for graphs that have no such plan, or one that is not found in time: of random
 * ones about one in two thousand. */
static void plans(void** state) {
  Fixture* fixture = *state;
  const int many = compiles_slowly(fixture) ? 6 : rounds(fixture, 400);
  int gaps = 0;
  for (int i = 0; i < many; ++i) {
    const uint64_t seed = random_bits();
    const uint64_t beyond = check_plan(fixture, seed, i % 4 == 0 ? 0 : NETCL_OFF);
    if (beyond == 0) continue;
    ++gaps;
    print_message("program %llu, %s: %llu bytes more\n", (unsigned long long)seed,
                  i % 4 == 0 ? "fused" : "as recorded", (unsigned long long)beyond);
  }
  CHECK(gaps <= 1 + many / 200, "%d of %d plans have gaps", gaps, many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(plans),
      DEVICE_TEST(as_kernels),
  };
  seed_random("graph_memory");
  return cmocka_run_group_tests_name("graph_memory", tests, NULL, NULL);
}
