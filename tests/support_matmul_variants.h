/* The suite of matmul variants, which runs once with the kernels that the device gets and once with
 * those of GPUs. */
#ifndef NETCL_TESTS_SUPPORT_MATMUL_VARIANTS_H
#define NETCL_TESTS_SUPPORT_MATMUL_VARIANTS_H

/* Runs the suite; `gpu_shaped` 1 when the process has NETCL_KERNEL_STRATEGY=optimized. */
int run_matmul_variant_tests(const char *name, int gpu_shaped);

#endif
