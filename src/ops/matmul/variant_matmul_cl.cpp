// The rule for matrix products as kernels; docs/variants.md has the reasons for the numbers.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

// Fewer results than this do not make enough large tiles to keep a device busy.
constexpr int64_t kTiledResults = 65536;
// Vectors and thin matrices, whose elements are used too rarely to be worth a tile.
constexpr int64_t kThinSide = 4;
// Up to so many rows or columns tiles have no more rows than that.
constexpr int64_t kThinTile = 32;
// From this depth on the groups of a tile share it, if there are fewer tiles than compute units: so
// many that each unit has up to kSplitGroups of them and each group so much of the depth at least.
constexpr int64_t kSplitDepth = 512;
constexpr int64_t kPieceDepth = 128;
constexpr int64_t kSplitGroups = 4;
constexpr int64_t kPiecesMost = 32;
// Tiles of 128 x 128 are worth it when they use that share of the units which smaller ones use.
constexpr double kLargeTileUse = 0.92;

constexpr uint32_t kGroupItems = 256;

bool is_thin(const MatmulCase& p) { return std::min(p.m, p.n) <= kThinSide; }

std::string local_obstacle(const VariantTarget& target, uint64_t items, uint64_t bytes) {
  const netcl_device_capabilities& caps = target.capabilities;
  if (caps.local_memory_bytes < bytes) {
    return format("its tiles take %llu bytes of local memory and the device has %llu",
                  static_cast<unsigned long long>(bytes),
                  static_cast<unsigned long long>(caps.local_memory_bytes));
  }
  if (caps.max_work_group_size < items || caps.max_work_item_sizes[0] < items) {
    return format("it needs work-groups of %llu items and the device takes %llu",
                  static_cast<unsigned long long>(items),
                  static_cast<unsigned long long>(
                      std::min(caps.max_work_group_size, caps.max_work_item_sizes[0])));
  }
  return {};
}

bool can_be_thin(const VariantTarget& target, const MatmulCase& p) {
  return has_thin_form(p) && local_obstacle(target, kThinItems, kThinBytes).empty();
}

int64_t tiles_of(const MatmulCase& p, int64_t tile_m, int64_t tile_n) {
  const int64_t tiles = product_up_to(ceil_div(p.m, tile_m), ceil_div(p.n, tile_n), INT32_MAX);
  return product_up_to(tiles, p.batch, INT32_MAX);
}

// How many groups share a tile.
uint32_t pieces_of(const VariantTarget& target, const MatmulCase& p, int64_t tile_m,
                   int64_t tile_n) {
  const int64_t units = std::max<int64_t>(target.capabilities.compute_units, 1);
  const int64_t tiles = tiles_of(p, tile_m, tile_n);
  int64_t pieces = 1;
  // A large tile keeps a unit busy by itself.
  if (p.k < kSplitDepth || tiles == 0 || tiles >= units || tile_m * tile_n > 64 * 128) return 1;
  while (pieces < kPiecesMost && tiles * 2 * pieces <= kSplitGroups * units &&
         p.k / (2 * pieces) >= kPieceDepth) {
    pieces *= 2;
  }
  return static_cast<uint32_t>(pieces);
}

// The share of what the compute units could do that goes into results, on average over the rounds
// that it takes until each tile was somewhere: units without a tile and the parts of tiles that lie
// outside of the result do nothing.
double use_of_units(const VariantTarget& target, const MatmulCase& p, int64_t side) {
  const int64_t units = std::max<int64_t>(target.capabilities.compute_units, 1);
  const double places = static_cast<double>(round_up(tiles_of(p, side, side), units) * side) *
                        static_cast<double>(side);
  const double results =
      static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch);
  return places == 0.0 ? 0.0 : results / places;
}

// Tiles of 16 or 32 rows, or so many columns where these are fewer.
void set_thin_tile(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  const uint32_t thin = std::min(p.m, p.n) <= 16 ? 16 : 32;
  const uint64_t wide_bytes = uint64_t{2} * 32 * (thin + 4 + 128 + 4) * sizeof(float);
  const bool wide = p.dtype != NETCL_F64 && target.capabilities.local_memory_bytes >= wide_bytes;
  const uint32_t length = wide ? 128 : 64;
  set_group_tile(p.m <= p.n ? thin : length, p.m <= p.n ? length : thin, wide ? 32 : 16, c);
}

void set_square_tile(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  // Large tiles need less memory traffic; small ones leave fewer units without work in the end.
  const bool fills = use_of_units(target, p, 128) >= kLargeTileUse * use_of_units(target, p, 64);
  if (p.dtype != NETCL_F64 && fills) {
    set_group_tile(128, 128, 8, c);
  } else {
    set_group_tile(64, 64, p.dtype == NETCL_F64 ? 8 : 16, c);
  }
}

void split_depth(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  c->split_k = pieces_of(target, p, c->tile_m, c->tile_n);
  if (c->split_k == 1) return;
  const size_t length = std::strlen(c->reason);
  std::snprintf(c->reason + length, sizeof c->reason - length,
                "; %lld tiles are fewer than %u compute units, so %u groups share the depth of one",
                number(tiles_of(p, c->tile_m, c->tile_n)), target.capabilities.compute_units,
                c->split_k);
}

}  // namespace

void set_group_tile(uint32_t tile_m, uint32_t tile_n, uint32_t step, VariantConfig* c) {
  c->tile_m = tile_m;
  c->tile_n = tile_n;
  c->tile_k = step;
  c->work_per_thread_m = c->work_per_thread_n = 4;  // thin tiles
  if (tile_m == tile_n) {
    c->work_per_thread_m = tile_m >= 64 ? 8 : tile_m / 16;
    c->work_per_thread_n = tile_m == 128 ? 8 : std::max<uint32_t>(tile_m / 16, 1);
  }
  c->local_size_2d[0] = tile_n / c->work_per_thread_n;
  c->local_size_2d[1] = tile_m / c->work_per_thread_m;
  c->local_size_1d = c->local_size_2d[0] * c->local_size_2d[1];
}

std::string matmul_cl_obstacle(const VariantTarget& target, const MatmulCase& p,
                               netcl_variant variant) {
  const uint64_t element = static_cast<uint64_t>(compute_bytes(p.dtype));
  switch (variant) {
    case NETCL_VARIANT_MATMUL_MATRIX_UNITS:
      return matrix_units_obstacle(target, p);
    case NETCL_VARIANT_MATMUL_TILED:
      return local_obstacle(target, kGroupItems, 2 * 16 * 17 * element);
    case NETCL_VARIANT_MATMUL_REGISTER_TILED:
      return local_obstacle(target, kGroupItems, element == 8 ? 16384 : 17408);
    case NETCL_VARIANT_MATMUL_VECTORIZED:
      if (can_be_thin(target, p)) return {};
      return local_obstacle(target, kGroupItems, element == 8 ? 16384 : 17408);
    default:
      return {};
  }
}

VariantConfig choose_matmul_cl(const VariantTarget& target, const MatmulCase& p) {
  const DeviceClass kind = device_class(target);
  const auto possible = [&](netcl_variant variant) {
    return matmul_cl_obstacle(target, p, variant).empty();
  };
  const int64_t thin = std::min(p.m, p.n);
  if (can_be_thin(target, p) && prefers_thin(target, p)) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "min(m, n) = %lld: reading the long operand once is what takes the time",
                number(thin));
  }
  if (prefers_matrix_units(target, p)) {
    return make(NETCL_VARIANT_MATMUL_MATRIX_UNITS,
                "%lld x %lld x %lld of %s are enough work for the matrix units of %s", number(p.m),
                number(p.n), number(p.k), dtype_facts(p.dtype).name, device_class_name(kind));
  }
  if (prefers_fma(target, p)) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "%lld x %lld x %lld of f32 are enough work for the kernel in PTX, whose tiles the "
                "copy engine of %s fills",
                number(p.m), number(p.n), number(p.k), device_class_name(kind));
  }
  const int64_t results =
      product_up_to(product_up_to(p.m, p.n, kTiledResults), p.batch, kTiledResults);
  const bool many = results >= kTiledResults && !is_thin(p);
  if (thin <= kThinTile && (p.k >= kSplitDepth || many) &&
      possible(NETCL_VARIANT_MATMUL_REGISTER_TILED)) {
    return make(NETCL_VARIANT_MATMUL_REGISTER_TILED,
                "min(m, n) = %lld is not above %lld, which takes thin tiles", number(thin),
                number(kThinTile));
  }
  if (is_thin(p)) {
    return make(NETCL_VARIANT_MATMUL_NAIVE,
                "min(m, n) = %lld is not above %lld and k = %lld is below %lld: elements are used "
                "too rarely to be worth a tile",
                number(thin), number(kThinSide), number(p.k), number(kSplitDepth));
  }
  if (!possible(NETCL_VARIANT_MATMUL_TILED)) {
    return make(NETCL_VARIANT_MATMUL_NAIVE, "no tile fits: %s",
                matmul_cl_obstacle(target, p, NETCL_VARIANT_MATMUL_TILED).c_str());
  }
  // Few large tiles do as well when groups share the depth of one.
  const bool few = results < kTiledResults;
  if (few &&
      (pieces_of(target, p, 64, 64) == 1 || !possible(NETCL_VARIANT_MATMUL_REGISTER_TILED))) {
    return make(NETCL_VARIANT_MATMUL_TILED,
                "m * n = %lld is below %lld: small tiles keep more compute units busy",
                number(results), number(kTiledResults));
  }
  const std::string size =
      few ? format("k = %lld is not below %lld", number(p.k), number(kSplitDepth))
          : format("m * n is not below %lld", number(kTiledResults));
  const bool float4 =
      kind == DeviceClass::ampere || kind == DeviceClass::hopper || kind == DeviceClass::rdna3;
  if (float4 && p.a != UnitStride::none && p.b != UnitStride::none &&
      possible(NETCL_VARIANT_MATMUL_VECTORIZED)) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "%s, and %s loads four elements at a time beside its arithmetic", size.c_str(),
                device_class_name(kind));
  }
  if (possible(NETCL_VARIANT_MATMUL_REGISTER_TILED)) {
    return make(NETCL_VARIANT_MATMUL_REGISTER_TILED, "%s, which fills %s with large tiles",
                size.c_str(), device_class_name(kind));
  }
  return make(NETCL_VARIANT_MATMUL_TILED, "no larger tile fits: %s",
              matmul_cl_obstacle(target, p, NETCL_VARIANT_MATMUL_REGISTER_TILED).c_str());
}

void configure_matmul_cl(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  if (c->variant == NETCL_VARIANT_MATMUL_MATRIX_UNITS) return configure_matrix_units(target, p, c);
  c->local_size_1d = kGroupItems;
  c->local_size_2d[0] = c->local_size_2d[1] = 16;
  c->vector_width = 1;
  c->use_local_memory = 1;
  switch (c->variant) {
    case NETCL_VARIANT_MATMUL_NAIVE:
      c->work_per_thread_m = c->work_per_thread_n = 1;
      c->use_local_memory = 0;
      c->local_size_2d[1] = 4;
      c->local_size_1d = 64;
      if (target.capabilities.max_work_group_size < 64) {
        c->local_size_2d[0] = c->local_size_2d[1] = c->local_size_1d = 1;
      }
      return set_kernel(c, "netcl_matmul_naive");
    case NETCL_VARIANT_MATMUL_TILED: {
      // 32 x 32 halves the traffic; each item then has four results.
      const bool doubles =
          p.dtype != NETCL_F64 && product_up_to(ceil_div(p.m, 32), ceil_div(p.n, 32), INT32_MAX) >=
                                      2 * int64_t{target.capabilities.compute_units};
      if (doubles && target.capabilities.local_memory_bytes >= 2 * 32 * 33 * 4) {
        set_group_tile(32, 32, 32, c);
      } else {
        set_group_tile(16, 16, 16, c);
      }
      return set_kernel(c, "netcl_matmul_tiled");
    }
    case NETCL_VARIANT_MATMUL_REGISTER_TILED:
      if (std::min(p.m, p.n) <= kThinTile) {
        set_thin_tile(target, p, c);
      } else {
        set_square_tile(target, p, c);
      }
      split_depth(target, p, c);
      return set_kernel(c, "netcl_matmul_register_tiled");
    default:
      c->use_vectorization = 1;
      c->vector_width = 4;
      if (can_be_thin(target, p)) return configure_thin(target, p, c);
      if (prefers_fma(target, p)) return configure_fma(target, p, c);
      set_square_tile(target, p, c);
      split_depth(target, p, c);
      return set_kernel(c, "netcl_matmul_vectorized");
  }
}

}  // namespace netcl::ops::variant_rules
