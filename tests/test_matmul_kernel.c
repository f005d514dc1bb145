/* The source of a specialised matrix product: netcl_kernel_create_matmul. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "support_matmul.h"

static netcl_arg tensor_arg(netcl_tensor *tensor, netcl_arg_kind kind) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = kind;
  arg.tensor = tensor;
  return arg;
}

/* Builds and launches the kernel that `config` asks for, and checks what it computes. */
static void check_kernel(Fixture *fixture, int64_t m, int64_t n, int64_t k, netcl_dtype dtype,
                         const netcl_variant_config *config) {
  const int64_t shape_a[] = {m, k}, shape_b[] = {k, n}, shape_c[] = {m, n};
  Matrix a = make_matrix(fixture, dtype, 2, shape_a, 1);
  Matrix b = make_matrix(fixture, dtype, 2, shape_b, 1);
  Matrix c = make_matrix(fixture, dtype, 2, shape_c, 1);
  netcl_kernel *kernel = NULL;
  uint64_t global[2] = {0, 0};
  OK(netcl_kernel_create_matmul(fixture->device, "product", m, n, k, dtype, config, global,
                                &kernel));
  const netcl_arg args[] = {tensor_arg(a.tensor, NETCL_ARG_TENSOR),
                            tensor_arg(b.tensor, NETCL_ARG_TENSOR),
                            tensor_arg(c.tensor, NETCL_ARG_TENSOR)};
  OK(netcl_kernel_launch(kernel, global, 2, NULL, 0, args, 3, NULL, NULL));
  void *got = read_tensor(c.tensor);
  const double eps = unit_roundoff(dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32);
  for (int64_t i = 0; i < m * n; ++i) {
    long double sum = 0, size = 0;
    for (int64_t p = 0; p < k; ++p) {
      const long double term = matrix_element(&a.model, i / n * k + p) *
                               matrix_element(&b.model, p * n + i % n);
      sum += term;
      size += fabsl(term);
    }
    const double bound = (double)(2 * (double)k * eps * size + 4 * eps * size) +
                         unit_roundoff(dtype) * fabs((double)sum) * (1 + 1e-3) +
                         (dtype == NETCL_F16 ? 0x1p-25 : 0);
    CHECK(fabs(load_double(dtype, got, i) - (double)sum) <= bound,
          "%s, variant %d, %lld x %lld x %lld: element %lld is %g, not %g", netcl_dtype_name(dtype),
          config == NULL ? 0 : config->variant, (long long)m, (long long)n, (long long)k,
          (long long)i, load_double(dtype, got, i), (double)sum);
  }
  free(got);
  netcl_kernel_release(kernel);
  free_matrix(&a);
  free_matrix(&b);
  free_matrix(&c);
}

static void products(void **state) {
  Fixture *fixture = *state;
  if (!fixture->opencl) SKIP("the built-in device has no kernels of its own");
  check_kernel(fixture, 33, 41, 29, NETCL_F32, NULL);
  check_kernel(fixture, 1, 50, 7, NETCL_F32, NULL);
  check_kernel(fixture, 40, 1, 300, NETCL_F32, NULL);
  for (netcl_dtype dtype = NETCL_F16; dtype <= NETCL_F64; ++dtype) {
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    config.variant = (netcl_variant)(NETCL_VARIANT_MATMUL_NAIVE + dtype % 4);
    check_kernel(fixture, 37, 52, 24, dtype, &config);
  }
  for (netcl_variant v = NETCL_VARIANT_MATMUL_NAIVE; v <= NETCL_VARIANT_MATMUL_VECTORIZED; ++v) {
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    config.variant = v;
    check_kernel(fixture, random_in(1, 150), 4 * random_in(1, 30), 4 * random_in(1, 30), NETCL_F32,
                 &config);
    config.tile_m = 32;
    config.tile_n = 16;
    config.tile_k = 8;
    config.work_per_thread_m = 2;
    config.work_per_thread_n = 4;
    config.vector_width = 4;
    check_kernel(fixture, 65, 47, 33, NETCL_F32, &config);
  }
}

/* The text is there to be read, and is a kernel like any other. */
static void source(void **state) {
  Fixture *fixture = *state;
  if (!fixture->opencl) SKIP("the built-in device has no kernels of its own");
  netcl_kernel *kernel = NULL;
  uint64_t global[2];
  char text[16384];
  OK(netcl_kernel_create_matmul(fixture->device, "my_product", 64, 96, 32, NETCL_F32, NULL, global,
                                &kernel));
  OK(netcl_kernel_get_source(kernel, text, sizeof text, NULL));
  assert_non_null(strstr(text, "my_product"));
  assert_non_null(strstr(text, "#define M 64\n#define N 96\n#define K 32\n"));
  assert_null(strstr(text, "NETCL_"));
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  OK(netcl_kernel_get_info(kernel, &info));
  assert_int_equal(info.args_count, 3);
  assert_int_equal(global[0] % info.required_local_size[0], 0);
  assert_int_equal(global[1] % info.required_local_size[1], 0);
  netcl_kernel_release(kernel);
}

static void errors(void **state) {
  Fixture *fixture = *state;
  netcl_device *d = fixture->device;
  netcl_kernel *kernel = NULL;
  uint64_t global[2] = {7, 7};
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  if (!fixture->opencl) {
    FAILS(NETCL_ERROR_UNSUPPORTED,
          netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, NULL, global, &kernel));
    return;
  }
  FAILS_WITH(invalid, "m is 0",
             netcl_kernel_create_matmul(d, "p", 0, 8, 8, NETCL_F32, NULL, global, &kernel));
  FAILS_WITH(invalid, "k is -1",
             netcl_kernel_create_matmul(d, "p", 8, 8, -1, NETCL_F32, NULL, global, &kernel));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "i32",
             netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_I32, NULL, global, &kernel));
  FAILS_WITH(invalid, "name is",
             netcl_kernel_create_matmul(d, "1 p", 8, 8, 8, NETCL_F32, NULL, global, &kernel));
  FAILS(invalid, netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, NULL, NULL, &kernel));
  FAILS(invalid, netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, NULL, global, NULL));
  config.variant = NETCL_VARIANT_REDUCTION_PARALLEL;
  FAILS_WITH(invalid, "reduction_parallel",
             netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, &config, global, &kernel));
  config.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
  config.vector_width = 3;
  FAILS_WITH(invalid, "vector_width is 3; it is 0, 1, 2, 4, 8 or 16",
             netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, &config, global, &kernel));
  config.vector_width = 0;
  config.work_per_thread_m = 100;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "work_per_thread_m is 100",
             netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, &config, global, &kernel));
  config.variant = NETCL_VARIANT_MATMUL_NAIVE;
  config.local_size_2d[0] = 1 << 20;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "work-groups of 1048576 x",
             netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, &config, global, &kernel));
  config.local_size_2d[0] = 0;
  config.struct_size = 3;
  FAILS(invalid, netcl_kernel_create_matmul(d, "p", 8, 8, 8, NETCL_F32, &config, global, &kernel));
  assert_null(kernel);
  assert_int_equal(global[0], 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(products), DEVICE_TEST(source),
                                     DEVICE_TEST(errors), DEVICE_TEST(as_kernels)};
  seed_random("matmul_kernel");
  return cmocka_run_group_tests_name("matmul_kernel", tests, NULL, NULL);
}
