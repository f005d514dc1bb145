/* The selector: every branch of the rules with recorded devices, requests, the environment, and the
 * kept answers. */
#include <stdio.h>

#include "support.h"
#include "support_process.h"

/* ---- Recorded devices ---- */

typedef struct Record {
  netcl_device_info info;
  netcl_device_capabilities capabilities;
} Record;

enum { BUILTIN, CPU16, CPU8, PASCAL, TURING, AMPERE, ADA, HOPPER, RDNA2, RDNA3, GCN, INTEL, SMALL };

static void set_text(char *to, size_t size, const char *text) { snprintf(to, size, "%s", text); }

static Record record(int kind) {
  static const struct {
    const char *vendor, *name;
    uint32_t units, subgroup;
    uint64_t local;
  } gpus[] = {{"NVIDIA Corporation", "NVIDIA GeForce GTX 1080", 20, 32, 49152},
              {"NVIDIA Corporation", "Tesla T4", 40, 32, 49152},
              {"NVIDIA Corporation", "NVIDIA A100-SXM4-40GB", 108, 32, 49152},
              {"NVIDIA Corporation", "NVIDIA GeForce RTX 4090", 128, 32, 49152},
              {"NVIDIA Corporation", "NVIDIA H200", 132, 32, 49152},
              {"Advanced Micro Devices, Inc.", "gfx1030", 40, 32, 65536},
              {"Advanced Micro Devices, Inc.", "gfx1100", 48, 32, 65536},
              {"Advanced Micro Devices, Inc.", "gfx906", 60, 64, 65536},
              {"Intel(R) Corporation", "Intel(R) Arc(TM) A770 Graphics", 512, 32, 65536},
              {"Somebody", "tiny", 4, 16, 1024}};
  const netcl_device_info no_info = NETCL_DEVICE_INFO_INIT;
  const netcl_device_capabilities no_capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  Record r;
  r.info = no_info;
  r.capabilities = no_capabilities;
  netcl_device_capabilities *c = &r.capabilities;
  c->fp64 = 1;
  c->compute_units = 8;
  c->preferred_vector_width_f32 = kind == CPU8 ? 8 : 16;
  c->subgroup_size = 1;
  c->max_work_group_size = 4096;
  for (int d = 0; d < 3; ++d) c->max_work_item_sizes[d] = 4096;
  c->local_memory_bytes = 524288;
  c->strategy = NETCL_STRATEGY_PORTABLE;
  r.info.backend = kind == BUILTIN ? NETCL_BACKEND_BUILTIN : NETCL_BACKEND_OPENCL;
  r.info.type = NETCL_DEVICE_CPU;
  set_text(r.info.vendor, sizeof r.info.vendor, "AuthenticAMD");
  set_text(r.info.name, sizeof r.info.name, "pthread-AMD EPYC");
  if (kind >= PASCAL) {
    r.info.type = NETCL_DEVICE_GPU;
    set_text(r.info.vendor, sizeof r.info.vendor, gpus[kind - PASCAL].vendor);
    set_text(r.info.name, sizeof r.info.name, gpus[kind - PASCAL].name);
    c->compute_units = gpus[kind - PASCAL].units;
    c->subgroup_size = gpus[kind - PASCAL].subgroup;
    c->local_memory_bytes = gpus[kind - PASCAL].local;
    c->max_work_group_size = kind == SMALL ? 32 : 1024;
    for (int d = 0; d < 3; ++d) c->max_work_item_sizes[d] = c->max_work_group_size;
    c->strategy = kind == SMALL ? NETCL_STRATEGY_PORTABLE : NETCL_STRATEGY_OPTIMIZED;
  }
  return r;
}

static netcl_variant_options options_of(const Record *r, netcl_dtype dtype, netcl_variant variant) {
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  options.info = &r->info;
  options.capabilities = &r->capabilities;
  options.dtype = dtype;
  options.variant = variant;
  return options;
}

static void check_choice(const netcl_variant_config *config, netcl_variant wanted,
                         const char *reason, const char *what, size_t index) {
  CHECK(config->variant == wanted, "%s case %zu is %s (%s), not %s", what, index,
        netcl_variant_name(config->variant), config->reason, netcl_variant_name(wanted));
  CHECK(strstr(config->reason, reason) != NULL, "%s case %zu: \"%s\" lacks \"%s\"", what, index,
        config->reason, reason);
  CHECK(strncmp(config->kernel, "netcl_", 6) == 0, "%s case %zu: kernel \"%s\"", what, index,
        config->kernel);
}

static void matmul_rules(void **state) {
  Fixture *fixture = *state;
  const netcl_variant naive = NETCL_VARIANT_MATMUL_NAIVE, tiled = NETCL_VARIANT_MATMUL_TILED,
                      registers = NETCL_VARIANT_MATMUL_REGISTER_TILED,
                      vectors = NETCL_VARIANT_MATMUL_VECTORIZED;
  const struct {
    int kind;
    int64_t m, n, k;
    netcl_dtype dtype;
    netcl_variant variant;
    const char *reason;
    uint32_t tile_m, split_k;
  } cases[] = {
      {BUILTIN, 64, 64, 0, NETCL_F32, naive, "k = 0", 0, 0},
      {BUILTIN, 4, 4, 4, NETCL_F32, naive, "m * n * k = 64 is not above 64", 0, 0},
      {BUILTIN, 5, 5, 5, NETCL_F32, registers, "above 64", 0, 0},
      {BUILTIN, 512, 1, 512, NETCL_F16, vectors, "one side is 1", 0, 0},
      {BUILTIN, 1, 512, 512, NETCL_BF16, vectors, "one side is 1", 0, 0},
      {CPU16, 4, 4, 4, NETCL_F32, naive, "m * n * k = 64 is not above 64", 0, 0},
      {CPU16, 16, 16, 16, NETCL_F32, registers, "above 64", 0, 0},
      {CPU8, 512, 1, 512, NETCL_F16, vectors, "one side is 1", 0, 0},
      {HOPPER, 16, 16, 16, NETCL_F32, naive, "m * n * k = 4096 is not above 4096", 0, 0},
      {HOPPER, 4, 4096, 255, NETCL_F32, naive, "min(m, n) = 4 is not above 4", 0, 0},
      {HOPPER, 3, 512, 4096, NETCL_F32, registers, "4 tiles are fewer than 132", 16, 32},
      {HOPPER, 5, 4096, 4096, NETCL_F32, registers, "32 tiles are fewer than 132", 16, 16},
      {HOPPER, 4096, 8, 4096, NETCL_F64, vectors, "the long operand once", 4, 0},
      {HOPPER, 8192, 8, 4096, NETCL_BF16, vectors, "the long operand once", 16, 0},
      {HOPPER, 13, 1643, 4000, NETCL_F32, registers, "13 tiles are fewer than 132", 16, 16},
      {HOPPER, 17, 4096, 4096, NETCL_F64, registers, "64 tiles are fewer than 132", 32, 8},
      {HOPPER, 4096, 20, 4096, NETCL_F16, registers, "min(m, n) = 20 is not above 32", 128, 16},
      {HOPPER, 16, 100000, 64, NETCL_F32, registers, "takes thin tiles", 16, 1},
      {HOPPER, 2882, 48, 2767, NETCL_F32, vectors, "46 tiles are fewer than 132", 64, 8},
      {HOPPER, 128, 128, 4096, NETCL_F32, vectors, "k = 4096 is not below 512", 64, 32},
      {TURING, 128, 128, 512, NETCL_F32, registers, "k = 512 is not below 512", 64, 4},
      {HOPPER, 4096, 1, 4096, NETCL_F32, vectors, "the long operand once", 16, 0},
      {HOPPER, 128, 128, 128, NETCL_F32, tiled, "m * n = 16384 is below 65536", 16, 0},
      {HOPPER, 256, 256, 128, NETCL_F32, vectors, "an NVIDIA GPU of the Hopper generation", 64, 0},
      {HOPPER, 1536, 1536, 1536, NETCL_F32, vectors, "Hopper", 64, 0},  /* 144 large tiles */
      {HOPPER, 1487, 1271, 1739, NETCL_F32, vectors, "Hopper", 128, 0}, /* 120 large tiles */
      {HOPPER, 2048, 2048, 2048, NETCL_F64, vectors, "Hopper", 64, 0},
      {AMPERE, 2048, 2048, 2048, NETCL_F32, vectors, "Ampere", 64, 0},
      {ADA, 2048, 2048, 2048, NETCL_F16, vectors, "Ampere", 128, 0},
      {TURING, 2048, 2048, 2048, NETCL_F32, registers, "Turing", 128, 0},
      {PASCAL, 2048, 2048, 2048, NETCL_F32, registers, "before Turing", 128, 0},
      {RDNA2, 2048, 2048, 2048, NETCL_F32, registers, "RDNA2", 128, 0},
      {RDNA3, 2048, 2048, 2048, NETCL_F32, vectors, "RDNA3", 64, 0},
      {GCN, 2048, 2048, 2048, NETCL_F32, registers, "an AMD GPU", 64, 0},
      {INTEL, 2048, 2048, 2048, NETCL_F32, registers, "an Intel GPU", 64, 0},
      {SMALL, 2048, 2048, 2048, NETCL_F32, naive, "no tile fits: its tiles take 2176 bytes", 0, 0},
  };
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    const Record r = record(cases[i].kind);
    const netcl_variant_options options = options_of(&r, cases[i].dtype, 0);
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    OK(netcl_variant_select_matmul(fixture->device, cases[i].m, cases[i].n, cases[i].k, &options,
                                   &config));
    check_choice(&config, cases[i].variant, cases[i].reason, "matmul", i);
    CHECK(cases[i].tile_m == config.tile_m, "matmul case %zu has tile_m %u, not %u", i,
          config.tile_m, cases[i].tile_m);
    CHECK(cases[i].split_k == config.split_k || (cases[i].split_k == 0 && config.split_k == 1),
          "matmul case %zu has split_k %u, not %u", i, config.split_k, cases[i].split_k);
  }
}

/* Where large tiles do not fit, the next smaller one is taken, and asking for one says why not. */
static void matmul_limits(void **state) {
  Fixture *fixture = *state;
  Record r = record(HOPPER);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  netcl_variant_options options = options_of(&r, NETCL_F32, 0);
  r.capabilities.local_memory_bytes = 16384;
  OK(netcl_variant_select_matmul(fixture->device, 999, 999, 999, &options, &config));
  check_choice(&config, NETCL_VARIANT_MATMUL_TILED, "no larger tile fits: its tiles take", "limit",
               0);
  options.variant = NETCL_VARIANT_MATMUL_VECTORIZED;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED,
             "matmul_vectorized was asked for by options->variant: its tiles take 17408 bytes of "
             "local memory and the device has 16384",
             netcl_variant_select_matmul(fixture->device, 999, 999, 999, &options, &config));
  r.capabilities.local_memory_bytes = 49152;
  r.capabilities.max_work_group_size = 128;
  options.variant = NETCL_VARIANT_MATMUL_TILED;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "work-groups of 256 items and the device takes 128",
             netcl_variant_select_matmul(fixture->device, 999, 999, 999, &options, &config));
  /* With the strategy `optimized` a CPU gets kernels, as a GPU does. */
  r = record(CPU16);
  options = options_of(&r, NETCL_F32, 0);
  OK(netcl_variant_select_matmul(fixture->device, 999, 999, 999, &options, &config));
  check_choice(&config, NETCL_VARIANT_MATMUL_REGISTER_TILED, "packed operands", "limit", 1);
  r.capabilities.strategy = NETCL_STRATEGY_OPTIMIZED;
  OK(netcl_variant_select_matmul(fixture->device, 999, 999, 999, &options, &config));
  CHECK(strstr(config.reason, "packed operands") == NULL && config.local_size_1d > 1,
        "%s with groups of %u: %s", config.kernel, config.local_size_1d, config.reason);
}

/* Every variant of every device class on request. */
static void matmul_requests(void **state) {
  Fixture *fixture = *state;
  for (int kind = BUILTIN; kind <= INTEL; ++kind) {
    const Record r = record(kind);
    for (netcl_variant v = NETCL_VARIANT_MATMUL_NAIVE; v <= NETCL_VARIANT_MATMUL_VECTORIZED; ++v) {
      const netcl_variant_options options = options_of(&r, NETCL_F32, v);
      netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
      OK(netcl_variant_select_matmul(fixture->device, 300, 200, 100, &options, &config));
      check_choice(&config, v, "asked for by options->variant", "request", (size_t)kind);
    }
  }
}

/* ---- The other ops ---- */

/* The numbers of these rules are those of the ops; here each branch is reached. */
static netcl_conv2d_shape conv_shape(int64_t channels, int64_t filters, int64_t kernel,
                                     int64_t stride, int64_t size) {
  netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
  shape.batch = 8;
  shape.channels = channels;
  shape.filters = filters;
  shape.height = shape.width = size;
  shape.kernel_height = shape.kernel_width = kernel;
  shape.strides[0] = shape.strides[1] = stride;
  for (int i = 0; i < 4; ++i) shape.padding[i] = kernel / 2;
  return shape;
}

static netcl_variant conv_choice(Fixture *fixture, int kind, const netcl_conv2d_shape *shape) {
  const Record r = record(kind);
  const netcl_variant_options options = options_of(&r, NETCL_F32, 0);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  OK(netcl_variant_select_conv2d(fixture->device, shape, &options, &config));
  check_choice(&config, config.variant, "", "conv2d", (size_t)kind);
  CHECK((config.winograd_tile != 0) == (config.variant == NETCL_VARIANT_CONV2D_WINOGRAD),
        "%s has winograd_tile %u", config.kernel, config.winograd_tile);
  return config.variant;
}

static void conv2d_rules(void **state) {
  Fixture *fixture = *state;
  const netcl_conv2d_shape point = conv_shape(64, 64, 1, 1, 56);
  const netcl_conv2d_shape three = conv_shape(64, 64, 3, 1, 56);
  const netcl_conv2d_shape strided = conv_shape(64, 64, 3, 2, 56);
  const int kinds[] = {BUILTIN, CPU16, TURING, AMPERE, HOPPER, RDNA2, RDNA3, INTEL};
  for (size_t i = 0; i < COUNT_OF(kinds); ++i) {
    assert_int_equal(conv_choice(fixture, kinds[i], &point), NETCL_VARIANT_CONV2D_IMPLICIT_GEMM);
    assert_int_equal(conv_choice(fixture, kinds[i], &three), NETCL_VARIANT_CONV2D_WINOGRAD);
    assert_int_equal(conv_choice(fixture, kinds[i], &strided), NETCL_VARIANT_CONV2D_IMPLICIT_GEMM);
  }
  /* On GPUs the tiles that leave fewer elements to multiply: 7 x 7 was measured on an H200. */
  const int edges[][3] = {{HOPPER, 2, 2}, {HOPPER, 4, 4}, {HOPPER, 6, 2}, {HOPPER, 7, 4},
                          {RDNA3, 14, 4}};
  for (size_t i = 0; i < COUNT_OF(edges); ++i) {
    const netcl_conv2d_shape shape = conv_shape(512, 512, 3, 1, edges[i][1]);
    const Record recorded = record(edges[i][0]);
    const netcl_variant_options asked = options_of(&recorded, NETCL_F32, 0);
    netcl_variant_config chosen = NETCL_VARIANT_CONFIG_INIT;
    OK(netcl_variant_select_conv2d(fixture->device, &shape, &asked, &chosen));
    assert_int_equal(chosen.winograd_tile, edges[i][2]);
  }
  /* A GPU that is poor in local memory has the portable strategy. */
  assert_int_equal(conv_choice(fixture, SMALL, &three), NETCL_VARIANT_CONV2D_IM2COL);
  const Record r = record(HOPPER);
  const netcl_variant_options options = options_of(&r, NETCL_F32, NETCL_VARIANT_CONV2D_WINOGRAD);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "conv2d_winograd was asked for by options->variant: ",
             netcl_variant_select_conv2d(fixture->device, &strided, &options, &config));
}

static void other_rules(void **state) {
  Fixture *fixture = *state;
  netcl_device *d = fixture->device;
  for (int kind = BUILTIN; kind <= INTEL; ++kind) {
    const Record r = record(kind);
    const netcl_variant_options options = options_of(&r, NETCL_F32, 0);
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    OK(netcl_variant_select_elementwise(d, 100, &options, &config));
    check_choice(&config,
                 kind < PASCAL ? NETCL_VARIANT_ELEMENTWISE_VECTORIZED
                               : NETCL_VARIANT_ELEMENTWISE_SCALAR,
                 "count = 100", "elementwise", 0);
    OK(netcl_variant_select_elementwise(d, 1 << 20, &options, &config));
    check_choice(&config, NETCL_VARIANT_ELEMENTWISE_VECTORIZED, "count = 1048576", "elementwise",
                 1);
    CHECK(config.vector_width >= 4, "vector_width is %u", config.vector_width);
    /* A CPU has no barriers to save, so it is parallel from fewer elements on. */
    OK(netcl_variant_select_reduction(d, 1, 5, &options, &config));
    check_choice(&config, NETCL_VARIANT_REDUCTION_SEQUENTIAL, "count = 5", "reduction", 0);
    OK(netcl_variant_select_reduction(d, 1, 100, &options, &config));
    check_choice(&config,
                 r.info.type == NETCL_DEVICE_CPU ? NETCL_VARIANT_REDUCTION_PARALLEL
                                                 : NETCL_VARIANT_REDUCTION_SEQUENTIAL,
                 "count = 100", "reduction", 1);
    OK(netcl_variant_select_batchnorm(d, 8, 64, 3136, 0, 1, &options, &config));
    check_choice(&config, NETCL_VARIANT_BATCHNORM_FUSED, "", "batchnorm", 0);
    OK(netcl_variant_select_batchnorm(d, 8, 64, 3136, 0, 0, &options, &config));
    check_choice(&config, NETCL_VARIANT_BATCHNORM_NAIVE, "", "batchnorm", 1);
    OK(netcl_variant_select_batchnorm(d, 8, 64, 3136, 1, 1, &options, &config));
    check_choice(&config, NETCL_VARIANT_BATCHNORM_NAIVE, "training", "batchnorm", 2);
    if (kind < PASCAL) continue;
    OK(netcl_variant_select_reduction(d, 1, 4096, &options, &config));
    check_choice(&config, NETCL_VARIANT_REDUCTION_PARALLEL, "count = 4096", "reduction", 1);
    OK(netcl_variant_select_reduction(d, 1, 1 << 24, &options, &config));
    check_choice(&config, NETCL_VARIANT_REDUCTION_WORKGROUP, "count = 16777216", "reduction", 2);
  }
}

/* ---- The interface ---- */

static void names(void **state) {
  (void)state;
  assert_string_equal(netcl_variant_name(0), "auto");
  assert_string_equal(netcl_variant_name(NETCL_VARIANT_MATMUL_NAIVE), "matmul_naive");
  assert_string_equal(netcl_variant_name(NETCL_VARIANT_CONV2D_IMPLICIT_GEMM),
                      "conv2d_implicit_gemm");
  assert_string_equal(netcl_variant_name(NETCL_VARIANT_BATCHNORM_FUSED), "batchnorm_fused");
  assert_string_equal(netcl_variant_name(NETCL_VARIANT_ATTENTION_PORTABLE), "attention_portable");
  const netcl_variant bad[] = {-1, 6, 16, 23, 32, 35, 48, 52, 64, 67, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < COUNT_OF(bad); ++i) {
    assert_string_equal(netcl_variant_name(bad[i]), "invalid");
  }
}

static void cache(void **state) {
  Fixture *fixture = *state;
  netcl_variant_config first = NETCL_VARIANT_CONFIG_INIT, again = NETCL_VARIANT_CONFIG_INIT;
  OK(netcl_variant_clear_cache());
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, NULL, &first));
  assert_int_equal(first.from_cache, 0);
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, NULL, &again));
  assert_int_equal(again.from_cache, 1);
  again.from_cache = 0;
  assert_memory_equal(&first, &again, sizeof first);
  /* Another dtype, size, device or request is another question. */
  Record r = record(HOPPER);
  netcl_variant_options options = options_of(&r, 0, 0);
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, &options, &again));
  assert_int_equal(again.from_cache, 0);
  options.dtype = NETCL_F16;
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, &options, &again));
  assert_int_equal(again.from_cache, 0);
  options.variant = NETCL_VARIANT_MATMUL_NAIVE;
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, &options, &again));
  assert_int_equal(again.from_cache, 0);
  r.capabilities.compute_units += 1;
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, &options, &again));
  assert_int_equal(again.from_cache, 0);
  OK(netcl_variant_clear_cache());
  OK(netcl_variant_select_matmul(fixture->device, 123, 45, 67, NULL, &again));
  assert_int_equal(again.from_cache, 0);
}

static void errors(void **state) {
  Fixture *fixture = *state;
  netcl_device *d = fixture->device;
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  netcl_conv2d_shape shape = conv_shape(3, 8, 3, 1, 20);
  Record r = record(HOPPER);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_variant_select_matmul(NULL, 8, 8, 8, NULL, &config));
  FAILS(invalid, netcl_variant_select_matmul(d, 8, 8, 8, NULL, NULL));
  FAILS_WITH(invalid, "n is -1", netcl_variant_select_matmul(d, 8, -1, 8, NULL, &config));
  options.dtype = NETCL_I32;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED,
             "options->dtype is i32; matmul takes f16, bf16, f32, f64, i8 and u8",
             netcl_variant_select_matmul(d, 8, 8, 8, &options, &config));
  OK(netcl_variant_select_reduction(d, 8, 8, &options, &config));
  options.dtype = 99;
  FAILS_WITH(invalid, "99", netcl_variant_select_elementwise(d, 8, &options, &config));
  options.dtype = 0;
  options.variant = NETCL_VARIANT_CONV2D_WINOGRAD;
  FAILS_WITH(invalid,
             "options->variant is conv2d_winograd (21); matmul takes matmul_naive, matmul_tiled, "
             "matmul_register_tiled, matmul_vectorized",
             netcl_variant_select_matmul(d, 8, 8, 8, &options, &config));
  options.variant = -5;
  FAILS_WITH(invalid, "-5", netcl_variant_select_reduction(d, 8, 8, &options, &config));
  options.variant = 0;
  options.info = &r.info;
  FAILS_WITH(invalid, "capabilities", netcl_variant_select_matmul(d, 8, 8, 8, &options, &config));
  r.capabilities.struct_size = 1;
  options.capabilities = &r.capabilities;
  FAILS_WITH(invalid, "options->capabilities->struct_size",
             netcl_variant_select_matmul(d, 8, 8, 8, &options, &config));
  FAILS(invalid, netcl_variant_select_conv2d(d, NULL, NULL, &config));
  shape.kernel_width = 0;
  FAILS_WITH(invalid, "kernel_width is 0", netcl_variant_select_conv2d(d, &shape, NULL, &config));
  FAILS_WITH(invalid, "count is -1", netcl_variant_select_elementwise(d, -1, NULL, &config));
  FAILS_WITH(invalid, "outputs is -2", netcl_variant_select_reduction(d, -2, 1, NULL, &config));
  FAILS_WITH(invalid, "training is 2",
             netcl_variant_select_batchnorm(d, 1, 1, 1, 2, 0, NULL, &config));
  /* A short config gets what fits. */
  config.struct_size = offsetof(netcl_variant_config, tile_n);
  config.tile_n = 77;
  OK(netcl_variant_select_matmul(d, 8, 8, 8, NULL, &config));
  assert_int_not_equal(config.variant, 0);
  assert_int_equal(config.tile_n, 77);
}

/* ---- The environment ---- */

static int mode_choices(void) {
  netcl_device *device = NULL;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  netcl_conv2d_shape shape = conv_shape(64, 64, 3, 1, 28);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_variant_select_matmul(device, 300, 300, 300, NULL, &config));
  printf("matmul=%s because %s\n", netcl_variant_name(config.variant), config.reason);
  const netcl_status status = netcl_variant_select_conv2d(device, &shape, NULL, &config);
  printf("conv2d=%s because %s\n", status == NETCL_OK ? netcl_variant_name(config.variant) : "none",
         config.reason);
  CHILD_OK(netcl_variant_select_elementwise(device, 5000, NULL, &config));
  printf("elementwise=%s\n", netcl_variant_name(config.variant));
  const Record hopper = record(HOPPER);
  const netcl_variant_options options = options_of(&hopper, NETCL_F32, 0);
  CHILD_OK(netcl_variant_select_conv2d(device, &shape, &options, &config));
  printf("hopper=%s\n", netcl_variant_name(config.variant));
  process_log_print(0);
  netcl_device_release(device);
  return 0;
}

static void expect_output(const char *variable, const char *const *texts, size_t count) {
  process_result result;
  const char *environment[] = {variable, NULL};
  process_run_self("choices", environment, 60, &result);
  process_expect_exit(&result, 0);
  for (size_t i = 0; i < count; ++i) {
    CHECK(strstr(result.output, texts[i]) != NULL, "%s: no \"%s\" in\n%s", variable, texts[i],
          result.output);
  }
}

static void from_environment(void **state) {
  Fixture *fixture = *state;
  const char *many[] = {"matmul=matmul_tiled because asked for by NETCL_VARIANT",
                        "conv2d=conv2d_im2col because asked for by NETCL_VARIANT",
                        "elementwise=elementwise_scalar"};
  const char *bad_op[] = {"NETCL_VARIANT is \"sort=fast\"", "matmul, conv2d, elementwise"};
  const char *bad_variant[] = {"NETCL_VARIANT is \"matmul=quick\"",
                               "auto, naive, tiled, register_tiled, vectorized"};
  const char *portable[] = {"conv2d=conv2d_im2col because NETCL_KERNEL_STRATEGY=portable",
                            "hopper=conv2d_winograd"};
  const char *no_winograd[] = {"hopper=conv2d_implicit_gemm"};
  const char *local[] = {"hopper=conv2d_tiled_local"};
  expect_output("NETCL_VARIANT=Matmul=tiled,conv2d=im2col,,elementwise=SCALAR", many,
                COUNT_OF(many));
  expect_output("NETCL_VARIANT=sort=fast", bad_op, COUNT_OF(bad_op));
  expect_output("NETCL_VARIANT=matmul=quick", bad_variant, COUNT_OF(bad_variant));
  if (fixture->info.type == NETCL_DEVICE_CPU) {
    expect_output("NETCL_KERNEL_STRATEGY=portable", portable, COUNT_OF(portable));
  }
  expect_output("NETCL_CONV_WINOGRAD=0", no_winograd, COUNT_OF(no_winograd));
  expect_output("NETCL_CONV_TILED_LOCAL=1", local, COUNT_OF(local));
}

int main(int argc, char **argv) {
  const process_mode modes[] = {{"choices", mode_choices}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(matmul_rules), DEVICE_TEST(matmul_limits), DEVICE_TEST(matmul_requests),
      DEVICE_TEST(conv2d_rules), DEVICE_TEST(other_rules),   cmocka_unit_test(names),
      DEVICE_TEST(cache),        DEVICE_TEST(errors),        DEVICE_TEST(from_environment)};
  seed_random("variant");
  return cmocka_run_group_tests_name("variant", tests, NULL, NULL);
}
