// The source of a product specialised for its sizes: netcl_kernel_create_matmul.
#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "kernel/embedded.hpp"
#include "ops/frame/elements.hpp"
#include "ops/matmul/matmul.hpp"

namespace netcl::ops {
namespace {

constexpr uint32_t kTileMost = 1024;
constexpr uint32_t kWorkMost = 32;
// Products of so few multiplications take less time than a launch.
constexpr int64_t kTinyWork = 16 * 16 * 16;

// What the text is made from: the configuration with every member set.
struct TileShape {
  enum class Form { naive, blocks, tiles } form = Form::naive;
  uint32_t tile_m = 0, tile_n = 0, tile_k = 0;
  uint32_t work_m = 1, work_n = 1;
  uint32_t local_x = 1, local_y = 1;
  uint32_t width = 1;
  uint32_t buffers = 1;
};

std::string embedded(const char* file) {
  for (size_t i = 0; i < kEmbeddedKernelCount; ++i) {
    if (std::strcmp(kEmbeddedKernels[i].name, file) == 0) return kEmbeddedKernels[i].text;
  }
  fail(NETCL_ERROR_INTERNAL, "no embedded kernel file %s", file);
}

uint32_t set_or(uint32_t given, uint32_t otherwise) { return given != 0 ? given : otherwise; }

void check_range(uint32_t value, uint32_t most, const char* member) {
  if (value > most) {
    fail(NETCL_ERROR_UNSUPPORTED, "config->%s is %u; the limit is %u", member, value, most);
  }
}

// CPUs take a block of the result per item, and vectors in place of tiles in local memory.
bool takes_blocks(const VariantTarget& target) {
  return target.info.type == NETCL_DEVICE_CPU && runs_native(target);
}

VariantConfig block_config(const VariantTarget& target, const MatmulCase& what,
                           netcl_variant variant) {
  VariantConfig config = NETCL_VARIANT_CONFIG_INIT;
  const bool tiny = what.m <= kTinyWork && what.n <= kTinyWork && what.k <= kTinyWork &&
                    what.m * what.n <= kTinyWork && what.m * what.n * what.k <= kTinyWork;
  config.variant = variant != 0 ? variant
                   : tiny       ? NETCL_VARIANT_MATMUL_NAIVE
                                : NETCL_VARIANT_MATMUL_VECTORIZED;
  config.local_size_2d[0] = config.local_size_2d[1] = 1;
  if (config.variant == NETCL_VARIANT_MATMUL_NAIVE) {
    if (target.capabilities.max_work_group_size < 64) return config;
    config.local_size_2d[0] = 16;
    config.local_size_2d[1] = 4;
    return config;
  }
  const bool long_vectors = target.capabilities.preferred_vector_width_f32 >= 16;
  config.vector_width = (long_vectors ? 16 : 8) / (what.dtype == NETCL_F64 ? 2 : 1);
  const bool tiled = config.variant == NETCL_VARIANT_MATMUL_TILED;
  config.work_per_thread_m = tiled ? 4 : long_vectors ? 12 : 6;
  config.work_per_thread_n = tiled ? 32 : 2 * config.vector_width;
  return config;
}

// The variant and the sizes: what `given` sets, and the rules' choice for the rest.
VariantConfig complete(const VariantTarget& target, int64_t m, int64_t n, int64_t k,
                       netcl_dtype dtype, const netcl_variant_config* given) {
  // The vectorized kernels of an op read in place what this text reads in any case.
  MatmulCase what = packed_matmul_case(std::max<int64_t>(m, 2), std::max<int64_t>(n, 2), k, dtype);
  what.units = false;
  const netcl_variant asked = given == nullptr ? NETCL_VARIANT_AUTO : given->variant;
  VariantConfig config = choose_matmul(target, what, asked);
  if (takes_blocks(target)) config = block_config(target, what, asked);
  // The sizes of a kernel in PTX are not those of one in OpenCL C.
  if (given == nullptr || variant_rules::is_fma_kernel(*given)) return config;
  const auto take = [](uint32_t* member, uint32_t value) { *member = set_or(value, *member); };
  take(&config.tile_m, given->tile_m);
  take(&config.tile_n, given->tile_n);
  take(&config.tile_k, given->tile_k);
  take(&config.work_per_thread_m, given->work_per_thread_m);
  take(&config.work_per_thread_n, given->work_per_thread_n);
  take(&config.local_size_2d[0], given->local_size_2d[0]);
  take(&config.local_size_2d[1], given->local_size_2d[1]);
  take(&config.vector_width, given->vector_width);
  return config;
}

void check_tile(uint32_t tile, uint32_t work, const char* tile_name, const char* work_name) {
  check_range(tile, kTileMost, tile_name);
  check_range(work, kWorkMost, work_name);
  if (tile % work != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "config->%s is %u and config->%s is %u, which does not "
         "divide it",
         tile_name, tile, work_name, work);
  }
}

// Runs of columns can be no longer than what divides everything that they run along.
uint32_t common_width(uint32_t wanted, int64_t n, int64_t k, const TileShape& shape) {
  uint32_t width = 1;
  while (2 * width <= wanted && n % (2 * width) == 0 && k % (2 * width) == 0 &&
         shape.work_n % (2 * width) == 0 && shape.tile_k % (2 * width) == 0) {
    width *= 2;
  }
  return width;
}

TileShape work_out(const VariantTarget& target, const VariantConfig& c, int64_t n, int64_t k) {
  TileShape shape;
  const uint32_t widths[] = {0, 1, 2, 4, 8, 16};
  if (std::find(std::begin(widths), std::end(widths), c.vector_width) == std::end(widths)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "config->vector_width is %u; it is 0, 1, 2, 4, 8 or 16",
         c.vector_width);
  }
  shape.local_x = set_or(c.local_size_2d[0], 1);
  shape.local_y = set_or(c.local_size_2d[1], 1);
  if (c.variant == NETCL_VARIANT_MATMUL_NAIVE) return shape;
  shape.work_m = set_or(c.work_per_thread_m, 1);
  shape.work_n = set_or(c.work_per_thread_n, 1);
  if (takes_blocks(target)) {
    shape.form = TileShape::Form::blocks;
    shape.width = set_or(c.vector_width, 1);
    check_range(shape.work_m, kWorkMost, "work_per_thread_m");
    check_range(shape.work_n, 4 * kWorkMost, "work_per_thread_n");
    if (shape.work_n % shape.width != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "config->work_per_thread_n is %u and config->vector_width "
           "is %u, which does not divide it",
           shape.work_n, shape.width);
    }
    return shape;
  }
  shape.form = TileShape::Form::tiles;
  shape.tile_m = set_or(c.tile_m, 16);
  shape.tile_n = set_or(c.tile_n, 16);
  shape.tile_k = set_or(c.tile_k, 16);
  check_tile(shape.tile_m, shape.work_m, "tile_m", "work_per_thread_m");
  check_tile(shape.tile_n, shape.work_n, "tile_n", "work_per_thread_n");
  check_range(shape.tile_k, kTileMost, "tile_k");
  shape.local_x = shape.tile_n / shape.work_n;
  shape.local_y = shape.tile_m / shape.work_m;
  if (c.variant != NETCL_VARIANT_MATMUL_TILED) shape.buffers = 2;
  if (c.variant == NETCL_VARIANT_MATMUL_VECTORIZED) {
    shape.width = common_width(set_or(c.vector_width, 4), n, k, shape);
  }
  return shape;
}

void check_device(const VariantTarget& target, const TileShape& shape, netcl_dtype dtype) {
  const netcl_device_capabilities& caps = target.capabilities;
  const uint64_t items = uint64_t{shape.local_x} * shape.local_y;
  if (items > caps.max_work_group_size || shape.local_x > caps.max_work_item_sizes[0] ||
      shape.local_y > caps.max_work_item_sizes[1]) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "config asks for work-groups of %u x %u items; device %s takes "
         "%llu",
         shape.local_x, shape.local_y, target.info.name,
         static_cast<unsigned long long>(caps.max_work_group_size));
  }
  if (shape.form != TileShape::Form::tiles) return;
  const uint64_t bytes = uint64_t{shape.buffers} * shape.tile_k *
                         (shape.tile_m + 1 + shape.tile_n) *
                         static_cast<uint64_t>(compute_bytes(dtype));
  if (bytes > caps.local_memory_bytes) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "config asks for tiles of %llu bytes; device %s has %llu bytes of "
         "local memory",
         static_cast<unsigned long long>(bytes), target.info.name,
         static_cast<unsigned long long>(caps.local_memory_bytes));
  }
}

// The types and how elements are read and written.
std::string format_text(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F16:
      return "#define T half\n#define ACC float\n"
             "#define READ(p, i) vload_half(i, p)\n"
             "#define WRITE(p, i, value) vstore_half_rte(value, i, p)\n";
    case NETCL_BF16:
      return "#define T ushort\n#define ACC float\n"
             "#define READ(p, i) as_float((uint)(p)[i] << 16)\n"
             "#define WRITE(p, i, value) ((p)[i] = to_bf16(value))\n"
             "ushort to_bf16(float value) {\n"
             "  const uint bits = as_uint(value);\n"
             "  if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)((bits >> 16) | 0x40u);\n"
             "  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);\n}\n";
    case NETCL_F64:
      return "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
             "#define T double\n#define ACC double\n"
             "#define READ(p, i) ((p)[i])\n#define WRITE(p, i, value) ((p)[i] = (value))\n";
    default:
      return "#define T float\n#define ACC float\n"
             "#define READ(p, i) ((p)[i])\n#define WRITE(p, i, value) ((p)[i] = (value))\n";
  }
}

std::string source_text(const TileShape& shape, const char* name, int64_t m, int64_t n, int64_t k,
                        netcl_dtype dtype) {
  const auto fits = [](int64_t x, int64_t y) { return y == 0 || x <= (int64_t{1} << 30) / y; };
  const bool small = fits(m, n) && fits(m, k) && fits(k, n);
  std::string text =
      format("/* c = a * b: [%lld x %lld] . [%lld x %lld], %s. */\n", static_cast<long long>(m),
             static_cast<long long>(k), static_cast<long long>(k), static_cast<long long>(n),
             dtype_facts(dtype).name);
  const auto define = [&](const char* macro, int64_t value) {
    text += format("#define %s %lld\n", macro, static_cast<long long>(value));
  };
  define("M", m);
  define("N", n);
  define("K", k);
  text += format("#define INDEX %s\n", small ? "int" : "long");
  text += format_text(dtype);
  const char* file = "matmul_source_naive.cl";
  if (shape.form == TileShape::Form::tiles) {
    file = "matmul_source_tiles.cl";
    define("TILE_M", shape.tile_m);
    define("TILE_N", shape.tile_n);
    define("TILE_K", shape.tile_k);
    define("BUFFERS", shape.buffers);
  } else {
    define("LOCAL_X", shape.local_x);
    define("LOCAL_Y", shape.local_y);
  }
  if (shape.form != TileShape::Form::naive) {
    define("WORK_M", shape.work_m);
    define("WORK_N", shape.work_n);
    define("WIDTH", shape.width);
  }
  if (shape.form == TileShape::Form::blocks) {
    file = "matmul_source_blocks.cl";
    const char* const acc = dtype == NETCL_F64 ? "double" : "float";
    if (shape.width == 1) {
      text += format(
          "#define VECTOR %s\n#define VLOAD(i, p) ((p)[i])\n"
          "#define VSTORE(v, i, p) ((p)[i] = (v))\n",
          acc);
    } else {
      text += format("#define VECTOR %s%u\n#define VLOAD vload%u\n#define VSTORE vstore%u\n", acc,
                     shape.width, shape.width, shape.width);
    }
  }
  std::string body = embedded(file);
  static constexpr char kPlace[] = "NETCL_KERNEL";
  for (size_t at = body.find(kPlace); at != std::string::npos; at = body.find(kPlace)) {
    body.replace(at, sizeof kPlace - 1, name);
  }
  return text + "\n" + body;
}

}  // namespace

KernelSpec make_matmul_spec(const Device& device, const char* name, int64_t m, int64_t n, int64_t k,
                            netcl_dtype dtype, const netcl_variant_config* config,
                            uint64_t* global) {
  variant_rules::require_size(m, 1, "m");
  variant_rules::require_size(n, 1, "n");
  variant_rules::require_size(k, 1, "k");
  require_product(1, m, n, k);
  if (!is_float(dtype)) {
    fail(NETCL_ERROR_UNSUPPORTED, "dtype is %s; the kernel of matmul takes f16, bf16, f32 and f64",
         dtype_facts(dtype, "dtype").name);
  }
  if (dtype == NETCL_F64 && device.capabilities().fp64 == 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "dtype is f64; device %s cannot compute in f64",
         device.info().name);
  }
  const VariantTarget target(device);
  const VariantConfig full = complete(target, m, n, k, dtype, config);
  const TileShape shape = work_out(target, full, n, k);
  check_device(target, shape, dtype);
  // Checked by make_kernel_spec, but needed in the text before.
  const std::string text = source_text(shape, name == nullptr ? "" : name, m, n, k, dtype);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = text.c_str();
  options.no_preamble = 1;
  options.local_size[0] = shape.local_x;
  options.local_size[1] = shape.local_y;
  KernelSpec spec = make_kernel_spec(device, name, options);
  const auto rounded = [](int64_t extent, uint64_t work, uint64_t local) {
    const uint64_t items = (static_cast<uint64_t>(extent) + work - 1) / work;
    return (items + local - 1) / local * local;
  };
  global[0] = rounded(n, shape.work_n, shape.local_x);
  global[1] = rounded(m, shape.work_m, shape.local_y);
  return spec;
}

}  // namespace netcl::ops
