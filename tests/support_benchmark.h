/* A benchmark of one small kernel, for the tests of the isolated benchmark. */
#ifndef NETCL_TESTS_SUPPORT_BENCHMARK_H
#define NETCL_TESTS_SUPPORT_BENCHMARK_H

#include "support_kernel.h"

enum { kCount = 1000 };

/* out = factor * x + 1 is what is asked for, over kCount elements. */
#define KERNEL_TEXT(body)                                                                  \
  "__kernel void k(__global const float *x, __global float *out, float factor, int n) {\n" \
  "  int i = get_global_id(0);\n" body "\n}\n"
#define RIGHT_KERNEL KERNEL_TEXT("  if (i < n) out[i] = factor * x[i] + 1.0f;")

#define NEEDS_KERNELS(fixture) \
  if (!(fixture)->opencl) SKIP("candidates are OpenCL C, which the built-in device does not run")

netcl_measurement_options few_samples(void);
netcl_benchmark_tensor tensor_of(netcl_access access, netcl_fill_kind fill);
/* A benchmark of the kernels above; no lock, as tests of several devices may run at once. */
netcl_benchmark* make_benchmark(Fixture* fixture, netcl_benchmark_options* options);
netcl_benchmark_candidate candidate_of(const char* source);
netcl_benchmark_result run_candidate(netcl_benchmark* benchmark, const char* name,
                                     const char* source);
void expect_outcome(netcl_benchmark_result result, netcl_outcome outcome, const char* message);

#endif
