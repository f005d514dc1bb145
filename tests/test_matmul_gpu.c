/* The variants of the matrix product as GPUs get them, on any OpenCL device: with
 * NETCL_DEVICE_CLASS=gpu a CPU gets them too. */
#include "support.h"
#include "support_matmul_variants.h"

int main(void) {
  if (strcmp(test_selector(), "builtin") == 0) return 77; /* skipped: it has no such kernels */
  setenv("NETCL_DEVICE_CLASS", "gpu", 1);
  return run_matmul_variant_tests("matmul_gpu", 1);
}
