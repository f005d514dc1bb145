/* What launches of the caller's kernels declare as their work. */
#include <math.h>

#include "support_kernel.h"
#include "support_profile.h"

typedef struct Launch {
  netcl_kernel* kernel;
  netcl_arg args[1];
  uint64_t global;
  netcl_work work;
  netcl_launch_options options;
} Launch;

static Launch make_launch(netcl_tensor* tensor, netcl_device* device) {
  Launch launch = {NULL, {arg_tensor(tensor)}, 4096, NETCL_WORK_INIT, NETCL_LAUNCH_OPTIONS_INIT};
  launch.kernel = source_kernel(device, "twice",
                                "__kernel void twice(__global float *x) {\n"
                                "  x[get_global_id(0)] *= 2.0f;\n}\n");
  launch.work.bytes = 8 * 4096;
  launch.work.bytes_written = 4 * 4096;
  launch.work.operations = 4096;
  return launch;
}

static netcl_status run_launch(Launch* launch) {
  launch->options.work = &launch->work;
  return netcl_kernel_launch(launch->kernel, &launch->global, 1, NULL, 0, launch->args, 1,
                             &launch->options, NULL);
}

/* What a launch declares is counted by measurements and profiles, and the roofline knows it. */
static void launches(void** state) {
  Fixture* const fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t count = 4096;
  netcl_tensor* x = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &x));
  Launch launch = make_launch(x, fixture->device);
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  options.count = 7;
  launch.options.work = &launch.work;
  OK(netcl_kernel_time(launch.kernel, &launch.global, 1, NULL, 0, launch.args, 1, &launch.options,
                       NULL, &options, &s));
  assert_true(s.bytes == 8.0 * 4096 && s.bytes_written == 4.0 * 4096 && s.operations == 4096);
  assert_true(s.dtype == NETCL_F32 && s.matrix_units == 0); /* a dtype of 0 stands for it */

  netcl_ceilings* ceilings = NULL;
  netcl_roofline* roofline = NULL;
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  const netcl_ceiling_kind kinds[] = {NETCL_CEILING_MEMORY_COPY, NETCL_CEILING_COMPUTE,
                                      NETCL_CEILING_TENSOR};
  OK(netcl_ceilings_create(&ceilings));
  for (size_t i = 0; i < COUNT_OF(kinds); i++) {
    netcl_ceiling row = {0};
    row.kind = kinds[i];
    row.dtype = kinds[i] == NETCL_CEILING_MEMORY_COPY ? 0 : NETCL_F32;
    row.value = i == 2 ? 1e15 : 1e13;
    OK(netcl_ceilings_set(ceilings, &row));
  }
  OK(netcl_roofline_create(NULL, &roofline));
  OK(netcl_roofline_analyze_statistics(roofline, ceilings, &s, &result));
  CHECK(fabs(result.memory_sol_pct - 100.0 * 8 * 4096 / 1e13 * 1e9 / s.median) < 1e-9 &&
            fabs(result.compute_sol_pct - 100.0 * 4096 / 1e13 * 1e9 / s.median) < 1e-9,
        "memory %g, compute %g", result.memory_sol_pct, result.compute_sol_pct);
  assert_null(strstr(result.warnings, "Analysis failed"));
  const double compute = result.compute_sol_pct * s.median;
  launch.work.matrix_units = 1;
  OK(netcl_kernel_time(launch.kernel, &launch.global, 1, NULL, 0, launch.args, 1, &launch.options,
                       NULL, &options, &s));
  assert_int_equal(s.matrix_units, 1);
  OK(netcl_roofline_analyze_statistics(roofline, ceilings, &s, &result));
  CHECK(fabs(result.compute_sol_pct * s.median * 100 - compute) < 1e-6 * compute, "compute %g",
        result.compute_sol_pct);

  profile_start(NULL);
  OK(run_launch(&launch));
  OK(run_launch(&launch));
  OK(netcl_profile_stop(LONG_WAIT));
  char* const csv = profile_report(NETCL_FORMAT_CSV);
  CHECK(strstr(csv, "\nkernel,twice,") != NULL && strstr(csv, ",65536,8192\n") != NULL, "%s", csv);
  free(csv);
  netcl_roofline_release(roofline);
  netcl_ceilings_release(ceilings);
  netcl_kernel_release(launch.kernel);
  netcl_tensor_release(x);
}

/* Work that cannot be is refused before anything runs. */
static void refused_work(void** state) {
  Fixture* const fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tensor* const x = poisoned_tensor(fixture->device, NETCL_F32, 4096);
  Launch launch = make_launch(x, fixture->device);
  const netcl_work good = launch.work;
#define REFUSED(member, value, wanted)                                     \
  do {                                                                     \
    launch.work = good;                                                    \
    launch.work.member = (value);                                          \
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, wanted, run_launch(&launch)); \
  } while (0)
  REFUSED(bytes, -1, "options->work->bytes is -1");
  REFUSED(operations, NAN, "options->work->operations is nan");
  REFUSED(bytes_written, 1e9, "options->work->bytes_written is 1e+09");
  REFUSED(dtype, 99, "options->work->dtype");
  REFUSED(matrix_units, 2, "options->work->matrix_units is 2");
  REFUSED(cold_cache, 1, "options->work->cold_cache is 1; write 0");
  REFUSED(reserved, 1, "options->work->reserved is 1");
  REFUSED(struct_size, 3, "options->work->struct_size is 3");
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  check_still_poisoned(x);
  netcl_kernel_release(launch.kernel);
  netcl_tensor_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(launches), DEVICE_TEST(refused_work)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
