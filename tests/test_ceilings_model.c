/* Times and declared work against ceilings that are given: the arithmetic of the roofline. */
#include <math.h>
#include <stdio.h>

#include "support.h"

static void set(netcl_ceilings* ceilings, netcl_ceiling_kind kind, netcl_dtype dtype,
                uint64_t working_set, double value) {
  netcl_ceiling row = {0};
  row.kind = kind;
  row.dtype = dtype;
  row.working_set = working_set;
  row.value = value;
  OK(netcl_ceilings_set(ceilings, &row));
}

/* A device of round numbers: 1 GB/s is one byte per nanosecond. */
static netcl_ceilings* round_device(void) {
  netcl_ceilings* ceilings = NULL;
  OK(netcl_ceilings_create(&ceilings));
  set(ceilings, NETCL_CEILING_MEMORY_READ, 0, 0, 2e9);
  set(ceilings, NETCL_CEILING_MEMORY_WRITE, 0, 0, 1e9);
  set(ceilings, NETCL_CEILING_MEMORY_COPY, 0, 0, 1.5e9);
  set(ceilings, NETCL_CEILING_CACHE_READ, 0, 1000, 20e9);
  set(ceilings, NETCL_CEILING_CACHE_READ, 0, 10000, 10e9);
  set(ceilings, NETCL_CEILING_CACHE_COPY, 0, 10000, 5e9);
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_F32, 0, 100e9);
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_F64, 0, 50e9);
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_I32, 0, 25e9);
  return ceilings;
}

typedef struct Case {
  double operations, bytes, written;
  netcl_dtype dtype;
  uint32_t cold;
  double time;
  double compute, memory; /* expected percentages */
  const char* ceiling;
  netcl_bottleneck bottleneck;
} Case;

static const Case kCases[] = {
    /* Reads at 2, writes at 1, copies at 1.5 bytes per ns. */
    {0, 1e6, 0, 0, 0, 1e6, 0, 50, "memory_read", NETCL_BOTTLENECK_UNDERUTILIZED},
    {0, 1e6, 1e6, 0, 0, 1e6, 0, 100, "memory_write", NETCL_BOTTLENECK_MEMORY},
    {0, 1.5e6, 0.75e6, 0, 0, 1e6, 0, 100, "memory_copy", NETCL_BOTTLENECK_MEMORY},
    /* Two parts read and one written: two are copied, one is read. */
    {0, 3e6, 1e6, 0, 0, 4e6, 0, 100.0 * (2e6 / 1.5 + 1e6 / 2) / 4e6, "memory_copy",
     NETCL_BOTTLENECK_UNDERUTILIZED},
    /* Small work is held by a cache that is large enough, unless it is cold. */
    {0, 1000, 0, 0, 0, 100, 0, 50, "cache_read", NETCL_BOTTLENECK_UNDERUTILIZED},
    {0, 10000, 0, 0, 0, 1000, 0, 100, "cache_read", NETCL_BOTTLENECK_MEMORY},
    /* Halfway between two sizes, on logarithmic scales, the rate is halfway, too. */
    {0, 3162.2776601683795, 0, 0, 0, 223.60679774997897, 0, 100, "cache_read",
     NETCL_BOTTLENECK_MEMORY},
    {0, 10001, 0, 0, 0, 10001, 0, 50, "memory_read", NETCL_BOTTLENECK_UNDERUTILIZED},
    {0, 1000, 0, 0, 1, 1000, 0, 50, "memory_read", NETCL_BOTTLENECK_UNDERUTILIZED},
    {0, 5000, 2500, 0, 0, 1000, 0, 100, "cache_copy", NETCL_BOTTLENECK_MEMORY},
    /* Operations: f16 and bf16 stand on f32, integers on i32. */
    {1e8, 0, 0, 0, 0, 1e6, 100, 0, "compute f32", NETCL_BOTTLENECK_COMPUTE},
    {1e8, 0, 0, NETCL_F64, 0, 2e6, 100, 0, "compute f64", NETCL_BOTTLENECK_COMPUTE},
    {1e8, 0, 0, NETCL_BF16, 0, 2e6, 50, 0, "compute f32", NETCL_BOTTLENECK_UNDERUTILIZED},
    {1e8, 0, 0, NETCL_U8, 0, 8e6, 50, 0, "compute i32", NETCL_BOTTLENECK_UNDERUTILIZED},
    {9e7, 1e6, 0, NETCL_F32, 0, 1e6, 90, 50, "compute f32", NETCL_BOTTLENECK_COMPUTE},
    {3e7, 2e6, 0, NETCL_F32, 0, 1e6, 30, 100, "memory_read", NETCL_BOTTLENECK_MEMORY},
};

static netcl_work work_of(const Case* c) {
  netcl_work work = NETCL_WORK_INIT;
  work.operations = c->operations;
  work.bytes = c->bytes;
  work.bytes_written = c->written;
  work.dtype = c->dtype;
  work.cold_cache = c->cold;
  return work;
}

static void golden(void** state) {
  (void)state;
  netcl_ceilings* ceilings = round_device();
  netcl_roofline* roofline = NULL;
  OK(netcl_roofline_create(NULL, &roofline));
  for (size_t i = 0; i < COUNT_OF(kCases); i++) {
    const Case* const c = &kCases[i];
    const netcl_work work = work_of(c);
    netcl_roofline_result r = NETCL_ROOFLINE_RESULT_INIT;
    OK(netcl_roofline_analyze_time(roofline, ceilings, c->time, &work, &r));
    CHECK(fabs(r.compute_sol_pct - c->compute) < 1e-9 && fabs(r.memory_sol_pct - c->memory) < 1e-9,
          "case %zu: compute %.12g, memory %.12g", i, r.compute_sol_pct, r.memory_sol_pct);
    const double most = fmax(c->compute, c->memory);
    CHECK(r.efficiency_pct == fmax(r.compute_sol_pct, r.memory_sol_pct) &&
              fabs(r.roof_ns - most / 100 * c->time) < 1e-6 * c->time && r.time_ns == c->time &&
              (int)r.at_roofline == (most > 89.9999) && r.source == NETCL_ROOFLINE_MODEL &&
              r.bottleneck == c->bottleneck && r.uses_tensor_cores == 0,
          "case %zu: roof %g ns, at %u, bottleneck %d", i, r.roof_ns, r.at_roofline, r.bottleneck);
    CHECK(strcmp(r.ceiling, c->ceiling) == 0, "case %zu: %s", i, r.ceiling);
    CHECK(r.arithmetic_intensity == (c->bytes > 0 ? c->operations / c->bytes : 0), "case %zu", i);
    CHECK(r.warnings_count == 0, "case %zu: %s", i, r.warnings);
  }
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

static void missing(void** state) {
  (void)state;
  netcl_ceilings *ceilings = round_device(), *empty = NULL, *reads = NULL;
  netcl_roofline* roofline = NULL;
  netcl_work work = NETCL_WORK_INIT;
  netcl_roofline_result r = NETCL_ROOFLINE_RESULT_INIT;
  OK(netcl_roofline_create(NULL, &roofline));
  OK(netcl_ceilings_create(&empty));
  OK(netcl_ceilings_create(&reads));
  /* No work at all. */
  OK(netcl_roofline_analyze_time(roofline, ceilings, 1, &work, &r));
  assert_int_equal(r.bottleneck, NETCL_BOTTLENECK_UNKNOWN);
  assert_string_equal(r.warnings, "Analysis failed - no work was declared");
  assert_true(r.headroom_pct == 100 && r.efficiency_pct == 0);
  /* Work, and nothing to hold it against. */
  work.operations = 1e6;
  work.bytes = 1e6;
  OK(netcl_roofline_analyze_time(roofline, empty, 1e6, &work, &r));
  assert_int_equal(r.bottleneck, NETCL_BOTTLENECK_UNKNOWN);
  assert_string_equal(r.warnings, "No ceiling of compute f32; No ceiling of the memory");
  assert_int_equal(r.warnings_count, 2);
  /* One of the two, as with metrics. */
  set(reads, NETCL_CEILING_MEMORY_READ, 0, 0, 1e9);
  work.bytes_written = 1e6; /* an access without a row takes that of another */
  OK(netcl_roofline_analyze_time(roofline, reads, 1e6, &work, &r));
  assert_true(r.memory_sol_pct == 100 && r.compute_sol_pct == 0);
  assert_string_equal(r.warnings, "No ceiling of compute f32");
  /* Matrix units only where there is a row for them. */
  work.matrix_units = 1;
  work.dtype = NETCL_F16;
  OK(netcl_roofline_analyze_time(roofline, ceilings, 1e6, &work, &r));
  assert_string_equal(r.warnings, "No ceiling of tensor f16");
  set(ceilings, NETCL_CEILING_TENSOR, NETCL_F16, 0, 1e9);
  OK(netcl_roofline_analyze_time(roofline, ceilings, 1e6, &work, &r));
  assert_int_equal(r.warnings_count, 0);
  assert_true(r.uses_tensor_cores == 1 && r.compute_sol_pct == 100);
  netcl_ceilings_release(reads);
  netcl_ceilings_release(empty);
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

static const netcl_ceiling* row_of(netcl_ceilings* ceilings, netcl_ceiling_kind kind) {
  static netcl_ceiling rows[16];
  uint32_t count = 0;
  OK(netcl_ceilings_get(ceilings, rows, 16, &count));
  for (uint32_t i = 0; i < count; i++) {
    if (rows[i].kind == kind) return &rows[i];
  }
  return NULL;
}

static void disproved(void** state) {
  (void)state;
  netcl_ceilings* ceilings = round_device();
  netcl_roofline* roofline = NULL;
  netcl_work work = NETCL_WORK_INIT;
  netcl_roofline_result r = NETCL_ROOFLINE_RESULT_INIT;
  OK(netcl_roofline_create(NULL, &roofline));
  work.bytes = 2.1e6;
  /* Up to 5 % is noise. */
  OK(netcl_roofline_analyze_time(roofline, ceilings, 1.0001e6, &work, &r));
  assert_int_equal(r.warnings_count, 0);
  assert_true(r.efficiency_pct > 104.9 && r.headroom_pct == 0 && r.at_roofline == 1);
  assert_int_equal(row_of(ceilings, NETCL_CEILING_MEMORY_READ)->disproved, 0);
  OK(netcl_roofline_analyze_time(roofline, ceilings, 0.75e6, &work, &r));
  assert_string_equal(
      r.warnings, "The time beats the ceiling memory_read by 40%, so that ceiling is disproved");
  assert_int_equal(row_of(ceilings, NETCL_CEILING_MEMORY_READ)->disproved, 1);
  assert_int_equal(row_of(ceilings, NETCL_CEILING_COMPUTE)->disproved, 0);
  /* A new figure starts without a mark. */
  set(ceilings, NETCL_CEILING_MEMORY_READ, 0, 0, 3e9);
  assert_int_equal(row_of(ceilings, NETCL_CEILING_MEMORY_READ)->disproved, 0);
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

static void refused(void** state) {
  (void)state;
  netcl_ceilings* ceilings = round_device();
  netcl_roofline* roofline = NULL;
  netcl_roofline_result r = NETCL_ROOFLINE_RESULT_INIT;
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  OK(netcl_roofline_create(NULL, &roofline));
  const double times[] = {0, -1, NAN, INFINITY};
  netcl_work work = NETCL_WORK_INIT;
  for (size_t i = 0; i < COUNT_OF(times); i++) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "time_ns is",
               netcl_roofline_analyze_time(roofline, ceilings, times[i], &work, &r));
  }
  double* const members[] = {&work.operations, &work.bytes, &work.bytes_written};
  for (size_t i = 0; i < COUNT_OF(members); i++) {
    const double wrong[] = {-1, NAN, INFINITY};
    for (size_t k = 0; k < COUNT_OF(wrong); k++) {
      *members[i] = wrong[k];
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "work->",
                 netcl_roofline_analyze_time(roofline, ceilings, 1, &work, &r));
      *members[i] = 0;
    }
  }
  work.bytes_written = 2;
  work.bytes = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "bytes_written",
             netcl_roofline_analyze_time(roofline, ceilings, 1, &work, &r));
  work.bytes_written = 0;
  work.dtype = 77;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "work->dtype",
             netcl_roofline_analyze_time(roofline, ceilings, 1, &work, &r));
  work.dtype = 0;
  work.matrix_units = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "matrix_units",
             netcl_roofline_analyze_time(roofline, ceilings, 1, &work, &r));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_roofline_analyze_time(roofline, ceilings, 1, NULL, &r));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "median",
             netcl_roofline_analyze_statistics(roofline, ceilings, &statistics, &r));
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

static netcl_status add_one(netcl_queue* queue, void* user_data) {
  netcl_tensor* tensor = user_data;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = tensor;
  return netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, NULL);
}

/* Any timed op: one call measures it, one holds it against the ceilings. */
static void timed_op(void** state) {
  Fixture* const fixture = *state;
  static const int64_t shape[] = {1 << 18};
  netcl_queue* queue = NULL;
  netcl_tensor* tensor = NULL;
  netcl_roofline* roofline = NULL;
  netcl_ceilings* ceilings = NULL;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  netcl_roofline_result r = NETCL_ROOFLINE_RESULT_INIT, again = NETCL_ROOFLINE_RESULT_INIT;
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.count = 5;
  OK(netcl_device_get_queue(fixture->device, &queue));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  OK(netcl_queue_time(queue, add_one, tensor, &options, &s));
  OK(netcl_roofline_create(NULL, &roofline));
  /* Ceilings that nothing reaches, so that no machine can disprove them. */
  OK(netcl_ceilings_create(&ceilings));
  set(ceilings, NETCL_CEILING_MEMORY_COPY, 0, 0, 1e15);
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_F32, 0, 1e15);
  OK(netcl_roofline_analyze_statistics(roofline, ceilings, &s, &r));
  const double bytes = 8.0 * (1 << 18);
  CHECK(fabs(r.roof_ns - bytes / 1e6) < 1e-9 && r.time_ns == s.median &&
            fabs(r.memory_sol_pct - 100 * r.roof_ns / s.median) < 1e-9,
        "roof %g ns, %g%% in %g ns", r.roof_ns, r.memory_sol_pct, s.median);
  assert_string_equal(r.ceiling, "memory_copy");
  assert_true(r.arithmetic_intensity == 0.125);
  netcl_work work = NETCL_WORK_INIT;
  work.operations = s.operations;
  work.bytes = s.bytes;
  work.bytes_written = s.bytes_written;
  work.dtype = s.dtype;
  OK(netcl_roofline_analyze_time(roofline, ceilings, s.median, &work, &again));
  assert_memory_equal(&r, &again, sizeof r);
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden),  cmocka_unit_test(missing), cmocka_unit_test(disproved),
      cmocka_unit_test(refused), DEVICE_TEST(timed_op),
  };
  return cmocka_run_group_tests_name("ceilings_model", tests, NULL, NULL);
}
