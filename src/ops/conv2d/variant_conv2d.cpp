// The rule for 2-d convolutions. The numbers are the op owner's to refine.
#include <algorithm>

#include "backend/cpu/conv2d/conv2d_loops.hpp"
#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "core/number.hpp"
#include "ops/conv2d/conv2d_windows.hpp"
#include "ops/frame/elements.hpp"
#include "ops/frame/variant.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

// Fewer products per output than this do not feed a matrix product.
constexpr int64_t kNaiveDepth = 16;
// Winograd's transforms are paid by the channels they are shared among.
constexpr int64_t kWinogradChannels = 8;
// Outputs up to this many per image count as small for tiled_local.
constexpr int64_t kSmallOutput = 32 * 32;
// What the matrix units of GPUs are worth: filters, products per output, products in all.
constexpr int64_t kUnitsSide = 32;
constexpr double kUnitsProducts = 1e8;
// Channels are padded to 16, 32 or a multiple of 64 there.
constexpr int64_t kWindowChannels = 8;
// Places in an image, with room for a box.
constexpr double kPlacesMost = 1 << 30;

struct Sizes {
  int64_t height, width;  // of the result
  int64_t depth;          // products per output
};

Sizes work_out(const netcl_conv2d_shape& s) {
  const auto extent = [](int64_t in, int64_t before, int64_t after, int64_t dilation,
                         int64_t kernel, int64_t stride) {
    return (in + before + after - dilation * (kernel - 1) - 1) / stride + 1;
  };
  return {
      extent(s.height, s.padding[0], s.padding[2], s.dilations[0], s.kernel_height, s.strides[0]),
      extent(s.width, s.padding[1], s.padding[3], s.dilations[1], s.kernel_width, s.strides[1]),
      s.channels / s.groups * s.kernel_height * s.kernel_width};
}

// Where 0 stands for another number, it was replaced before.
void check_entry(int64_t value, int64_t least, const char* name, int index) {
  if (value < least) require_size(value, 0, format("shape->%s[%d]", name, index).c_str());
  if (value > INT32_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "shape->%s[%d] is %lld; it is at most 2^31 - 1", name, index,
         number(value));
  }
}

// What work_out multiplies stays within 64 bits.
void check_products(const netcl_conv2d_shape& s) {
  require_elements({s.batch, s.channels, s.height, s.width}, "shape: x");
  require_elements({s.filters, s.channels, s.kernel_height, s.kernel_width}, "shape: w");
  require_elements({s.dilations[0], s.kernel_height}, "shape: a window's column");
  require_elements({s.dilations[1], s.kernel_width}, "shape: a window's row");
  const Sizes sizes = work_out(s);
  require_elements({s.batch, s.filters, sizes.height, sizes.width}, "shape: the result");
}

void check_sizes(const netcl_conv2d_shape& s) {
  require_size(s.batch, 0, "shape->batch");
  require_size(s.channels, 0, "shape->channels");
  require_size(s.height, 0, "shape->height");
  require_size(s.width, 0, "shape->width");
  require_size(s.filters, 0, "shape->filters");
  require_size(s.kernel_height, 1, "shape->kernel_height");
  require_size(s.kernel_width, 1, "shape->kernel_width");
  for (int i = 0; i < 2; ++i) {
    check_entry(s.strides[i], 1, "strides", i);
    check_entry(s.dilations[i], 1, "dilations", i);
  }
  for (int i = 0; i < 4; ++i) check_entry(s.padding[i], 0, "padding", i);
  if (s.groups < 1) require_size(s.groups, 0, "shape->groups");
  if (s.channels % s.groups != 0 || s.filters % s.groups != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "shape->groups is %lld; it does not divide shape->channels = %lld and shape->filters = "
         "%lld",
         number(s.groups), number(s.channels), number(s.filters));
  }
  check_products(s);
}

bool winograd_shape(const netcl_conv2d_shape& s) {
  return s.kernel_height == 3 && s.kernel_width == 3 && s.strides[0] == 1 && s.strides[1] == 1 &&
         s.dilations[0] == 1 && s.dilations[1] == 1 && s.groups == 1;
}

// Whether each image and group is a matrix product of x as it lies.
bool is_product(const netcl_conv2d_shape& s) {
  return s.kernel_height * s.kernel_width * s.strides[0] * s.strides[1] == 1 &&
         std::all_of(s.padding, s.padding + 4, [](int64_t pad) { return pad == 0; });
}

// The product that its windows are for matrix units.
MatmulCase product_of_windows(const netcl_conv2d_shape& s, const Sizes& sizes, netcl_dtype dtype) {
  MatmulCase product;
  product.m =
      conv2d_windows({sizes.width, sizes.height, s.batch}, {s.strides[1], s.strides[0]}).count() *
      64;
  product.n = s.filters;
  product.k = s.kernel_height * s.kernel_width * round_up(s.channels, window_depth(s.channels));
  product.dtype = product.out_dtype = dtype;
  return product;
}

std::string units_obstacle(const VariantTarget& target, const netcl_conv2d_shape& s,
                           netcl_dtype dtype) {
  if (dtype != NETCL_F16 && dtype != NETCL_BF16) return "it takes f16 and bf16";
  if (s.groups != 1) return format("it takes groups of 1, and there are %lld", number(s.groups));
  if (std::max(s.strides[0], s.strides[1]) > kWindowStrideMost) {
    return format("it takes strides up to %lld", number(kWindowStrideMost));
  }
  for (const double reach : {static_cast<double>(s.height) + static_cast<double>(s.padding[0]) +
                                 static_cast<double>(s.padding[2]),
                             static_cast<double>(s.width) + static_cast<double>(s.padding[1]) +
                                 static_cast<double>(s.padding[3])}) {
    if (reach > kPlacesMost) return "it takes images of 2^30 elements a side with their padding";
  }
  return matrix_units_obstacle(target, product_of_windows(s, work_out(s), dtype));
}

// Why a variant cannot do the case; empty when it can.
std::string obstacle(const VariantTarget& target, const netcl_conv2d_shape& s, netcl_dtype dtype,
                     netcl_variant variant) {
  if (variant != NETCL_VARIANT_CONV2D_NAIVE && s.channels == 0) {
    return "x has no channels, so that there is nothing to multiply; conv2d_naive does that";
  }
  if (variant == NETCL_VARIANT_CONV2D_WINOGRAD && !winograd_shape(s)) {
    return "Winograd's method takes 3 x 3 filters with strides, dilations and groups of 1";
  }
  if (variant == NETCL_VARIANT_CONV2D_TILED_LOCAL) {
    const DeviceClass kind = device_class(target);
    const int64_t kernel[2] = {s.kernel_height, s.kernel_width};
    if (kind == DeviceClass::native &&
        netcl::cpu::conv2d_tile_elements(s.channels / s.groups, kernel, s.strides, s.dilations,
                                         work_out(s).width) > netcl::cpu::kConv2dTileElementsMax) {
      return "the inputs of one row of outputs are too many for a tile";
    }
    if (kind != DeviceClass::native && (target.capabilities.local_memory_bytes < 16384 ||
                                        target.capabilities.max_work_group_size < 64)) {
      return "the device has too little local memory or too small work-groups";
    }
  }
  if (variant == NETCL_VARIANT_CONV2D_MATRIX_UNITS) return units_obstacle(target, s, dtype);
  return {};
}

// What a method takes on the built-in device, in cycles of one core of a machine with AVX-512. The
// factors are fitted to measurements of the layers of ResNet-50; only their relations matter.
double cost_of_product(double products) { return products / 31.0; }

double cost_of_winograd(const netcl_conv2d_shape& s, const Sizes& sizes, int64_t edge) {
  const double places = edge == 4 ? 36 : 16;
  const double channels = static_cast<double>(s.channels);
  const double filters = static_cast<double>(s.filters);
  const double tiles = static_cast<double>(s.batch) *
                       static_cast<double>((sizes.height + edge - 1) / edge) *
                       static_cast<double>((sizes.width + edge - 1) / edge);
  // A few tiles take as long as a vector of them.
  const double computed = std::max(tiles, 16.0);
  // Transformed filters are slow to write and read once they leave the caches.
  const double megabytes = places * channels * filters * 4e-6;
  const double per_filter = (megabytes <= 12 ? 10 : 75) * places / 36;
  return 1.1 * cost_of_product(places * channels * filters * computed) +
         channels * tiles * (edge == 4 ? 14 : 5) + filters * tiles * (edge == 4 ? 10 : 4) +
         channels * filters * per_filter;
}

// The rule of the built-in loops for what Winograd's method can do.
VariantConfig choose_native(const netcl_conv2d_shape& s, const Sizes& sizes) {
  const double plain =
      cost_of_product(static_cast<double>(s.batch) * static_cast<double>(s.filters) *
                      static_cast<double>(sizes.height) * static_cast<double>(sizes.width) *
                      static_cast<double>(sizes.depth));
  const double two = cost_of_winograd(s, sizes, 2);
  const double four = cost_of_winograd(s, sizes, 4);
  if (plain <= std::min(two, four)) {
    return make(NETCL_VARIANT_CONV2D_IMPLICIT_GEMM,
                "the transforms of Winograd's method for %lld channels, %lld filters and %lld x "
                "%lld outputs would cost more than they save",
                number(s.channels), number(s.filters), number(sizes.height), number(sizes.width));
  }
  VariantConfig config =
      make(NETCL_VARIANT_CONV2D_WINOGRAD,
           "a 3 x 3 filter with stride 1: F(%d,3) is estimated at %s of the time of implicit_gemm",
           four <= two ? 4 : 2, fixed_text(std::min(two, four) / plain, 2).c_str());
  config.winograd_tile = four <= two ? 4 : 2;
  return config;
}

// The edge of Winograd's tiles where the caller does not choose it.
uint32_t winograd_edge(const VariantTarget& target, const Sizes& sizes) {
  const DeviceClass kind = device_class(target);
  // Functions of the host need larger outputs with F(4,3) to fill their vectors with tiles.
  if (kind == DeviceClass::native) {
    return std::min(sizes.height, sizes.width) >= 12 ? 4 : 2;
  }
  // What is multiplied and what goes through memory grow with the transformed elements.
  const auto elements = [&](int64_t edge) {
    return (edge + 2) * (edge + 2) * ((sizes.height + edge - 1) / edge) *
           ((sizes.width + edge - 1) / edge);
  };
  return elements(4) < elements(2) ? 4 : 2;
}

// Whether matrix units take it: as a product of x as it lies, or by windows.
bool feeds_matrix_units(const VariantTarget& target, const netcl_conv2d_shape& s,
                        const Sizes& sizes, netcl_dtype dtype) {
  if (dtype != NETCL_F16 && dtype != NETCL_BF16) return false;
  const double products = static_cast<double>(s.batch) * static_cast<double>(s.filters) *
                          static_cast<double>(sizes.height) * static_cast<double>(sizes.width) *
                          static_cast<double>(sizes.depth);
  if (products < kUnitsProducts || s.filters / s.groups < kUnitsSide) return false;
  if (is_product(s)) {
    return sizes.depth >= kUnitsSide && matrix_units(target) != NETCL_MATRIX_UNITS_NONE;
  }
  return s.channels >= kWindowChannels &&
         obstacle(target, s, dtype, NETCL_VARIANT_CONV2D_MATRIX_UNITS).empty();
}

VariantConfig choose(const VariantTarget& target, const netcl_conv2d_shape& s, const Sizes& sizes,
                     netcl_dtype dtype, const Environment& environment) {
  const DeviceClass kind = device_class(target);
  const bool native = kind == DeviceClass::native;
  if (environment.kernel_strategy == NETCL_STRATEGY_PORTABLE && native) {
    return make(NETCL_VARIANT_CONV2D_IM2COL, "NETCL_KERNEL_STRATEGY=portable was set by hand");
  }
  if (!native && target.capabilities.strategy == NETCL_STRATEGY_PORTABLE) {
    return make(NETCL_VARIANT_CONV2D_IM2COL, "the device's strategy is portable");
  }
  if (sizes.depth < (native ? 1 : kNaiveDepth)) {
    return make(NETCL_VARIANT_CONV2D_NAIVE,
                "channels / groups * kernel_height * kernel_width = %lld is below %lld",
                number(sizes.depth), number(native ? 1 : kNaiveDepth));
  }
  if (environment.conv_tiled_local && sizes.height * sizes.width <= kSmallOutput &&
      obstacle(target, s, dtype, NETCL_VARIANT_CONV2D_TILED_LOCAL).empty()) {
    return make(NETCL_VARIANT_CONV2D_TILED_LOCAL,
                "NETCL_CONV_TILED_LOCAL=1 and the output of %lld x %lld is not above %lld elements",
                number(sizes.height), number(sizes.width), number(kSmallOutput));
  }
  if (!native && feeds_matrix_units(target, s, sizes, dtype)) {
    return is_product(s)
               ? make(NETCL_VARIANT_CONV2D_IM2COL,
                      "a 1 x 1 filter is a matrix product of what is there: in %s one for matrix "
                      "units",
                      dtype_facts(dtype).name)
               : make(NETCL_VARIANT_CONV2D_MATRIX_UNITS,
                      "its windows are the rows of a matrix product, in %s one for matrix units",
                      dtype_facts(dtype).name);
  }
  if (s.kernel_height == 1 && s.kernel_width == 1) {
    return make(NETCL_VARIANT_CONV2D_IMPLICIT_GEMM,
                "a 1 x 1 filter is a matrix product of what is there");
  }
  if (!winograd_shape(s)) {
    return make(
        NETCL_VARIANT_CONV2D_IMPLICIT_GEMM,
        "a filter of %lld x %lld with stride %lld, dilation %lld and %lld groups is not for "
        "Winograd's method",
        number(s.kernel_height), number(s.kernel_width), number(s.strides[0]),
        number(s.dilations[0]), number(s.groups));
  }
  if (!environment.conv_winograd) {
    return make(NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, "NETCL_CONV_WINOGRAD=0");
  }
  if (native) return choose_native(s, sizes);
  if (std::min(s.channels, s.filters) < kWinogradChannels) {
    return make(NETCL_VARIANT_CONV2D_IMPLICIT_GEMM,
                "min(channels, filters) = %lld is below %lld: transforms would cost more than they "
                "save",
                number(std::min(s.channels, s.filters)), number(kWinogradChannels));
  }
  return make(NETCL_VARIANT_CONV2D_WINOGRAD,
              "a 3 x 3 filter with stride 1 over %lld channels: Winograd's method needs fewer "
              "products",
              number(s.channels));
}

}  // namespace

VariantConfig conv2d(const VariantTarget& target, const netcl_conv2d_shape& s, netcl_dtype dtype,
                     uint32_t winograd_tile, const Wanted& wanted, const Environment& environment) {
  check_sizes(s);
  const Sizes sizes = work_out(s);
  VariantConfig config;
  if (wanted.variant != 0) {
    const std::string why = obstacle(target, s, dtype, wanted.variant);
    if (!why.empty()) refuse(wanted, "%s", why.c_str());
    config = requested(wanted);
  } else {
    config = choose(target, s, sizes, dtype, environment);
  }
  if (config.variant == NETCL_VARIANT_CONV2D_MATRIX_UNITS) {
    configure_matrix_units(target, product_of_windows(s, sizes, dtype), &config);
  }
  if (config.variant == NETCL_VARIANT_CONV2D_TILED_LOCAL) config.use_local_memory = 1;
  if (config.variant == NETCL_VARIANT_CONV2D_WINOGRAD) {
    config.winograd_tile = winograd_tile != 0          ? winograd_tile
                           : config.winograd_tile != 0 ? config.winograd_tile
                                                       : winograd_edge(target, sizes);
  }
  // Such a product needs no columns, and the selector of products chooses its kernel.
  const bool product = config.variant == NETCL_VARIANT_CONV2D_IM2COL && !runs_native(target);
  set_kernel(&config, product && is_product(s) ? "netcl_matmul" : variant_kernel(config.variant));
  return config;
}

}  // namespace netcl::ops::variant_rules
