// The rule for products in f32 by multiply-adds of items, in PTX. The numbers were measured on an
// H200: tests/bench/notes/matmul_f32.txt.
#include <algorithm>
#include <cmath>

#include "core/integer.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

// A tile with the time of one stage of its depth, in us.
struct FmaTile {
  uint32_t m, n;
  double stage;
};
constexpr FmaTile kFmaTiles[] = {{128, 256, 4.87}, {64, 128, 1.56}, {192, 96, 3.88}};
// Elements of the depth that a stage has.
constexpr int64_t kFmaDepth = 32;
// Us of a launch, tensor maps and the first stage; of joining pieces; of a copy of a or b.
constexpr double kFmaLaunch = 6, kFmaJoin = 4.5, kFmaCopy = 4;
// Bytes in a us that sums and copies are written and read with.
constexpr double kFmaBytes = 2.5e6;
constexpr uint32_t kFmaPiecesMost = 16;
constexpr int64_t kFmaExtentMost = (INT32_MAX - 512) / 3;
// Multiply-adds in a us of the portable kernel's tiles, and us of its launch.
constexpr double kTileRate128 = 22.9e6, kTileRate64 = 21.9e6, kTileLaunch = 14;
// The same where groups share the depth of fewer tiles than there are units.
constexpr double kSharedRate = 17.5e6, kSharedLaunch = 13;
// And what of that is left for rows that are not aligned to 16 bytes.
constexpr double kUnaligned = 0.75;
constexpr int64_t kSharedDepth = 512;
// Smaller sides and products were not measured.
constexpr int64_t kFmaSideLeast = 64;
constexpr double kFmaWorkLeast = 1e8;

double units_count(const VariantTarget& target) {
  return std::max<double>(target.capabilities.compute_units, 1);
}

double fma_work(const MatmulCase& p) {
  return static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch);
}

double tiles_in(const MatmulCase& p, int64_t m, int64_t n) {
  return std::ceil(static_cast<double>(p.m) / static_cast<double>(m)) *
         std::ceil(static_cast<double>(p.n) / static_cast<double>(n)) *
         static_cast<double>(p.batch);
}

struct FmaChoice {
  const FmaTile* tile = &kFmaTiles[0];
  uint32_t pieces = 1;
  double time = INFINITY;
};

FmaChoice best_fma(const VariantTarget& target, const MatmulCase& p) {
  FmaChoice best;
  const int64_t stages = std::max<int64_t>(ceil_div(p.k, kFmaDepth), 1);
  const double results =
      static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch);
  for (const FmaTile& tile : kFmaTiles) {
    for (uint32_t pieces = 1; pieces <= kFmaPiecesMost && pieces <= stages; pieces *= 2) {
      const double rounds = std::ceil(tiles_in(p, tile.m, tile.n) * pieces / units_count(target));
      double time =
          kFmaLaunch + rounds * tile.stage * static_cast<double>(ceil_div(stages, pieces));
      if (pieces > 1) time += kFmaJoin + results * (8.0 * pieces + 4) / kFmaBytes;
      if (time < best.time) best = {&tile, pieces, time};
    }
  }
  if (!p.in_place) {
    const double elements =
        static_cast<double>(p.k) * static_cast<double>(p.m + p.n) * static_cast<double>(p.batch);
    best.time += 2 * kFmaCopy + elements * 8 / kFmaBytes;
  }
  return best;
}

// What the tiles of matmul.cl take.
double portable_time(const VariantTarget& target, const MatmulCase& p) {
  const double units = units_count(target);
  const bool along_rows = p.a == UnitStride::columns && p.b == UnitStride::columns;
  const double share = along_rows && !p.in_place ? kUnaligned : 1.0;
  if (p.k >= kSharedDepth && tiles_in(p, 64, 64) < units) {
    return kSharedLaunch + fma_work(p) / (share * kSharedRate);
  }
  const auto time = [&](int64_t side, double rate) {
    const double places = std::ceil(tiles_in(p, side, side) / units) * units;
    const double work = places * static_cast<double>(side * side) * static_cast<double>(p.k);
    return kTileLaunch + work / (share * rate);
  };
  return std::min(time(128, kTileRate128), time(64, kTileRate64));
}

}  // namespace

bool prefers_fma(const VariantTarget& target, const MatmulCase& p) {
  // What costs nothing to look at comes first: asking a device for its matrix units tries them.
  if (!p.units || p.dtype != NETCL_F32 || p.precision != NETCL_PRECISION_STRICT) return false;
  if (std::min(p.m, p.n) < kFmaSideLeast || fma_work(p) < kFmaWorkLeast) return false;
  if (std::max({p.m, p.n, p.k}) > kFmaExtentMost) return false;
  if (best_fma(target, p).time >= portable_time(target, p)) return false;
  return matrix_units(target) == NETCL_MATRIX_UNITS_WGMMA;
}

void configure_fma(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  const FmaChoice best = best_fma(target, p);
  WgmmaKernel kernel;
  kernel.strict = true;
  c->tile_m = kernel.tile_m = best.tile->m;
  c->tile_n = kernel.tile_n = best.tile->n;
  c->tile_k = kFmaDepth;
  c->split_k = best.pieces;
  c->work_per_thread_m = 8;
  c->work_per_thread_n = fma_shape(kernel).columns;
  c->local_size_1d = c->local_size_2d[0] = wgmma_items(kernel);
  c->local_size_2d[1] = 1;
  set_kernel(c, "netcl_matmul_fma");
}

}  // namespace netcl::ops::variant_rules
