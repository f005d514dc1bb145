// The rule for products by matrix units; docs/variants.md has the measurements behind the numbers.
#include <algorithm>
#include <cmath>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "core/integer.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

// A tile with the time of one stage of its depth, in us, while others keep the device busy.
struct Tile {
  uint32_t m, n;
  double stage;
};
constexpr Tile kTiles[] = {{64, 64, 0.145},   {64, 128, 0.215},  {64, 256, 0.395}, {128, 64, 0.215},
                           {128, 128, 0.420}, {128, 192, 0.610}, {128, 256, 0.790}};
// What a stage takes less where few compute units are busy.
constexpr double kAlone = 0.7;
// Us of a launch and of the first stages; of a tile that has to be written; of joining pieces.
constexpr double kLaunch = 4.5, kTileEnd = 0.6, kJoin = 4.5;
// Bytes in a us that sums are written and read with.
constexpr double kSumBytes = 2.5e6;
constexpr uint32_t kUnitPiecesMost = 64;
// Extents are 32-bit numbers in the kernels, and a depth may be there three times.
constexpr int64_t kExtentMost = INT32_MAX - 512;
// Products of fewer multiplications take no longer by other kernels: in place, and where a or b
// must be copied first.
constexpr double kLeastWork = 4e6, kLeastCopied = 1.5e8;
// Of 8-bit elements a copy changes the order, which takes longer than products of so few rows.
constexpr int64_t kThinBytesCopied = 32;

bool has_units_for(const MatmulCase& p) {
  return p.dtype == NETCL_F16 || p.dtype == NETCL_BF16 || p.dtype == NETCL_I8 ||
         p.dtype == NETCL_U8 ||
         (p.dtype == NETCL_F32 && p.precision != NETCL_PRECISION_STRICT);
}

// The depth that the units go through.
int64_t stages_of(const MatmulCase& p) {
  return ceil_div(p.k, wgmma_depth(p.dtype)) * (p.precision == NETCL_PRECISION_SPLIT ? 3 : 1);
}

double work_of(const MatmulCase& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch);
}

double time_of(const VariantTarget& target, const MatmulCase& p, const Tile& tile,
               uint32_t pieces) {
  const double units = std::max<double>(target.capabilities.compute_units, 1);
  const double tiles = std::ceil(static_cast<double>(p.m) / tile.m) *
                       std::ceil(static_cast<double>(p.n) / tile.n) *
                       static_cast<double>(p.batch) * pieces;
  const int64_t stages = stages_of(p);
  const double rounds = std::ceil(tiles / units);
  const double busy = std::min(1.0, tiles / units);
  const double stage = tile.stage * (kAlone + (1 - kAlone) * busy);
  const double depth = static_cast<double>(ceil_div(stages, pieces));
  double time = kLaunch + rounds * (depth * stage + kTileEnd);
  if (pieces > 1) {
    const double results =
        static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch);
    time += kJoin + results * (8.0 * pieces + 2) / kSumBytes;
  }
  return time;
}

}  // namespace

std::string matrix_units_obstacle(const VariantTarget& target, const MatmulCase& p) {
  if (!p.units) return "its kernels are not OpenCL C";
  if (!has_units_for(p)) {
    return p.dtype == NETCL_F32 ? "it takes f32 with options->precision TF32 or SPLIT"
                                : "it takes f16, bf16, i8 and u8, and f32 with another precision";
  }
  if (matrix_units(target) != NETCL_MATRIX_UNITS_WGMMA) {
    return "the device has no matrix units that it can use: " + no_matrix_units(target);
  }
  if (std::max({p.m, p.n, p.k}) > kExtentMost / 3) {
    return format("it takes extents up to %lld", number(kExtentMost / 3));
  }
  return {};
}

bool prefers_matrix_units(const VariantTarget& target, const MatmulCase& p) {
  // What costs nothing to look at comes first: asking a device for its matrix units tries them.
  if (!p.units || !has_units_for(p)) return false;
  if (work_of(p) < (p.in_place ? kLeastWork : kLeastCopied)) return false;
  if (!p.in_place && dtype_size(p.dtype) == 1 && std::min(p.m, p.n) <= kThinBytesCopied) {
    return false;
  }
  return matrix_units_obstacle(target, p).empty();
}

void configure_matrix_units(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  const int64_t stages = std::max<int64_t>(stages_of(p), 1);
  const Tile* best = &kTiles[0];
  uint32_t best_pieces = 1;
  double least = INFINITY;
  for (const Tile& tile : kTiles) {
    for (uint32_t pieces = 1; pieces <= kUnitPiecesMost && pieces <= stages; pieces *= 2) {
      const double time = time_of(target, p, tile, pieces);
      if (time >= least) continue;
      least = time;
      best = &tile;
      best_pieces = pieces;
    }
  }
  c->tile_m = best->m;
  c->tile_n = best->n;
  c->tile_k = wgmma_depth(p.dtype);
  c->split_k = best_pieces;
  c->local_size_1d = c->local_size_2d[0] = 128 * (1 + best->m / 64);
  c->local_size_2d[1] = 1;
  c->use_local_memory = 1;
  c->vector_width = 1;
  set_kernel(c, "netcl_matmul_matrix_units");
}

}  // namespace netcl::ops::variant_rules
