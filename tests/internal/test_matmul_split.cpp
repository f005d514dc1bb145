// Products whose depth is split, and thin tiles: as GPUs get them, on any OpenCL device, with the
// sizes that a tuner may choose, whatever the rules say.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "device/manager.hpp"
#include "ops/frame/tuned_variant.hpp"
#include "ops/matmul/matmul_plan.hpp"
#include "ops/matmul/variant_matmul.hpp"
#include "tune/candidates.hpp"
#include "tune/op_subject.hpp"

extern "C" {
#include "support.h"
#include "support_matmul.h"
}

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail

using namespace netcl;

namespace {

struct Tile {
  netcl_variant variant;
  uint32_t columns, rows, step;
};

constexpr Tile kThin = {NETCL_VARIANT_MATMUL_REGISTER_TILED, 64, 16, 16};
constexpr Tile kThinColumns = {NETCL_VARIANT_MATMUL_REGISTER_TILED, 16, 64, 16};
constexpr Tile kRegisters = {NETCL_VARIANT_MATMUL_REGISTER_TILED, 64, 0, 16};
constexpr Tile kVectors = {NETCL_VARIANT_MATMUL_VECTORIZED, 64, 0, 16};
constexpr Tile kShortSteps = {NETCL_VARIANT_MATMUL_VECTORIZED, 64, 0, 8};
constexpr Tile kLarge = {NETCL_VARIANT_MATMUL_VECTORIZED, 128, 0, 8};

// All choices of this thread are this one while it lives.
class Forced {
 public:
  Forced(const Tile& tile, uint32_t pieces) {
    tuned_.variant = tile.variant;
    tuned_.tile = tile.columns;
    tuned_.rows = tile.rows;
    tuned_.step = tile.step;
    tuned_.split_k = pieces;
    ops::force_variant(&tuned_);
  }
  ~Forced() { ops::force_variant(nullptr); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

 private:
  ops::TunedVariant tuned_;
};

void check(Fixture* fixture, const Tile& tile, uint32_t pieces, const ProductCase& what) {
  const Forced forced(tile, pieces);
  assert_true(check_random_product(fixture, &what));
}

// Odd sizes, so that all of them are few programs: pieces of one step and of many, a last piece
// that is shorter, more pieces than steps, and nothing to multiply.
void plain(void** state) {
  Fixture* const fixture = static_cast<Fixture*>(*state);
  static constexpr uint32_t kPieces[] = {1, 2, 3, 8, 32};
  static constexpr int64_t kDepths[] = {5, 33, 255, 701, 0};
  for (const Tile& tile : {kThin, kThinColumns, kVectors, kRegisters}) {
    const bool columns = tile.rows > tile.columns;
    for (size_t i = 0; i < COUNT_OF(kPieces); ++i) {
      ProductCase what = {};
      what.dtype = NETCL_F32;
      what.m = columns ? random_in(33, 65) * 2 + 1 : random_in(2, 9) * 2 + 1;
      what.n = columns ? random_in(2, 9) * 2 + 1 : random_in(33, 65) * 2 + 1;
      what.k = kDepths[(i + 2) % COUNT_OF(kDepths)];
      what.plain = 1;
      check(fixture, tile, kPieces[i], what);
    }
  }
}

// Any dtype, layout, batch and epilogue. Each is a program of its own.
void any(void** state) {
  Fixture* const fixture = static_cast<Fixture*>(*state);
  const int many = rounds(fixture, 30) / 2;
  for (int round = 0; round < many; ++round) {
    ProductCase what = {};
    what.dtype = random_matrix_dtype(fixture);
    what.m = random_in(1, 40);
    what.n = random_in(1, 70);
    what.k = random_in(1, 300);
    what.epilogue = 1;
    const Tile* const tiles[] = {&kThin, &kShortSteps, &kThinColumns};
    check(fixture, *tiles[round % 3], 1u << random_in(0, 5), what);
  }
}

// Operands that may be read four elements at a time, with no element missing.
void whole(void** state) {
  Fixture* const fixture = static_cast<Fixture*>(*state);
  for (const Tile& tile : {kThin, kVectors, kShortSteps, kLarge}) {
    ProductCase what = {};
    what.dtype = NETCL_F32;
    what.m = 12;
    what.n = 132;
    what.k = 208;
    what.plain = 1;
    check(fixture, tile, 4, what);
  }
}

// The pieces are added up in their order: always the same bits, also when the call is replayed.
void repeatable(void** state) {
  Fixture* const fixture = static_cast<Fixture*>(*state);
  const int64_t shape_a[] = {13, 701}, shape_b[] = {701, 131};
  Matrix a = make_matrix(fixture, NETCL_F32, 2, shape_a, 1);
  Matrix b = make_matrix(fixture, NETCL_F32, 2, shape_b, 1);
  const Forced forced(kThin, 8);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  OK(netcl_variant_select_matmul(fixture->device, 13, 131, 701, nullptr, &config));
  assert_true(config.tile_m == 16 && config.tile_n == 64 && config.split_k == 8);
  void* bits = nullptr;
  for (int round = 0; round < 6; ++round) {
    netcl_tensor* result = nullptr;
    OK(netcl_op_matmul(a.tensor, b.tensor, nullptr, nullptr, &result));
    if (round == 0) {
      bits = read_tensor(result);
    } else {
      CHECK_TENSOR(result, bits);
    }
    netcl_tensor_release(result);
  }
  std::free(bits);
  free_matrix(&a);
  free_matrix(&b);
}

// Every tile of the matrix units, where there are some, with several tiles for each group and with
// pieces of the depth.
void units(void** state) {
  Fixture* const fixture = static_cast<Fixture*>(*state);
  if (fixture->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) {
    SKIP("the device has no matrix units that netcl uses");
  }
  for (const uint32_t rows : {64u, 128u}) {
    for (const uint32_t columns : {64u, 128u, 192u, 256u}) {
      for (int round = 0; round < 6; ++round) {
        const Tile tile = {NETCL_VARIANT_MATMUL_MATRIX_UNITS, columns, rows, 0};
        ProductCase what = {};
        what.dtype = round % 2 != 0 ? NETCL_BF16 : NETCL_F16;
        what.m = random_in(1, 500);
        what.n = random_in(1, 500);
        what.k = random_in(0, 300);
        what.epilogue = round % 3 == 2;
        what.plain = round < 4;
        const uint32_t pieces = round == 1 ? 3 : 1;
        // Boxes over many tiles of one stage, so that copies of results are still under way.
        if (round == 3) {
          what.m = 1000;
          what.n = 3000;
          what.k = 16;
        }
        const Forced forced(tile, pieces);
        assert_true(check_random_product(fixture, &what));
      }
    }
  }
}

// ---- What a tuner tries

int64_t integer(const tune::Config& config, const char* name) {
  const tune::Value* const value = config.find(name);
  CHECK(value != nullptr && std::holds_alternative<int64_t>(*value), "no %s in %s", name,
        config.json().c_str());
  return std::get<int64_t>(*value);
}

int64_t tiles(int64_t size, int64_t by) { return (size + by - 1) / by; }

struct Count {
  int all = 0, split = 0, thin = 0, large = 0;
};

Count count(const DeviceRef& device, int64_t batch, int64_t m, int64_t n, int64_t k) {
  netcl_device_capabilities h200 = device->capabilities();
  h200.compute_units = 132;
  h200.local_memory_bytes = 49152;
  const auto subject = tune::make_matmul_subject(*device, batch, m, n, k, NETCL_F32);
  const tune::Candidates candidates(subject->space(), tune::Limits(h200));
  Count found;
  for (size_t i = 0; i < candidates.size(); ++i) {
    const tune::Config config = candidates.config(i);
    const int64_t tile = integer(config, "tile"), split = integer(config, "split_k");
    const int64_t rows = integer(config, "rows") != 0 ? integer(config, "rows") : tile;
    ++found.all;
    found.thin += rows != tile;
    found.large += tile == 128 && rows == 128;
    if (split <= 1) continue;
    ++found.split;
    const int64_t groups = tiles(m, rows) * tiles(n, tile) * batch * split;
    CHECK(k / split >= 128 && groups <= 4 * 132 && 2 * groups >= 132, "%s has %lld groups",
          config.json().c_str(), static_cast<long long>(groups));
  }
  print_message("%lld x %lld x %lld x %lld: %d configurations, %d split\n",
                static_cast<long long>(batch), static_cast<long long>(m), static_cast<long long>(n),
                static_cast<long long>(k), found.all, found.split);
  return found;
}

void space(void** state) {
  assert_non_null(*state);
  const DeviceRef device = DeviceManager::instance().open(test_selector(), false);
  const Count thin = count(device, 1, 13, 1643, 4000);
  assert_true(thin.all <= 40 && thin.split >= 8 && thin.thin >= 4 && thin.large == 0);
  const Count thin_columns = count(device, 1, 4019, 24, 3200);
  assert_true(thin_columns.split >= 8 && thin_columns.thin >= 4);
  const Count narrow = count(device, 1, 4019, 54, 3200);
  assert_true(narrow.split >= 8 && narrow.thin == 0);
  // Enough tiles, and a depth that is too short for pieces.
  const Count square = count(device, 1, 4096, 4096, 4096);
  assert_true(square.split == 0 && square.large >= 2);
  const Count shallow = count(device, 3, 300, 300, 200);
  assert_true(shallow.split == 0);
}

int64_t flag(const std::string& flags, const char* name) {
  const size_t at = flags.find(format("-D%s=", name));
  assert_true(at != std::string::npos);
  return std::atoll(flags.c_str() + at + std::strlen(name) + 3);
}

// The local memory of products of few lines, on devices of any size: no more than what was asked
// for before they were chosen.
void memory_of_thin(void** state) {
  assert_non_null(*state);
  const DeviceRef device = DeviceManager::instance().open(test_selector(), false);
  netcl_device_info info = device->info();
  netcl_device_capabilities caps = device->capabilities();
  info.type = NETCL_DEVICE_GPU;
  caps.local_memory_bytes = 49152;
  caps.max_work_group_size = 1024;
  for (uint64_t& most : caps.max_work_item_sizes) most = 1024;
  static constexpr netcl_dtype kDtypes[] = {NETCL_F32, NETCL_F64, NETCL_F16, NETCL_I8};
  for (int round = 0; round < 4000; ++round) {
    caps.compute_units = static_cast<uint32_t>(random_in(1, 200));
    ops::MatmulProblem p;
    const int64_t few = random_in(1, 16), many = random_in(1, 300) * (round % 2 ? 128 : 1);
    const bool turned = random_in(0, 1) != 0, across = random_in(0, 1) != 0;
    p.m = turned ? many : few;
    p.n = turned ? few : many;
    p.k = random_in(1, 40) * 16;
    p.dtype = p.b_dtype = kDtypes[round % 4];
    p.out_dtype = ops::is_matmul_byte(p.dtype) ? NETCL_I32 : p.dtype;
    const auto lay = [&](ops::MatmulRole role, bool rows, int64_t pitch) {
      p.operands[role].row_stride = rows ? 1 : pitch;
      p.operands[role].column_stride = rows ? pitch : 1;
    };
    lay(ops::kRoleA, turned && across, turned && across ? p.m : p.k);
    lay(ops::kRoleB, !turned && !across, !turned && !across ? p.k : p.n);
    lay(ops::kRoleC, false, p.n);
    const ops::VariantTarget target(info, caps);
    const ops::MatmulCase what = ops::matmul_case(p);
    const ops::VariantConfig config =
        ops::choose_matmul(target, what, NETCL_VARIANT_MATMUL_VECTORIZED);
    if (!ops::variant_rules::is_thin_kernel(config)) continue;
    const std::string flags = ops::plan_matmul(p, target, config).launches[0].flags;
    const int64_t items = flag(flags, "NETCL_ITEMS"), deep = flag(flags, "NETCL_DEEP");
    const int64_t row = items + items / flag(flags, "NETCL_SHARERS");
    const int64_t rows = deep != 0 ? flag(flags, "NETCL_LINES") * flag(flags, "NETCL_EACH")
                                   : flag(flags, "NETCL_ROUND") * flag(flags, "NETCL_WIDE");
    const int64_t bytes = rows * row * (p.dtype == NETCL_F64 ? 8 : 4);
    CHECK(bytes <= static_cast<int64_t>(ops::variant_rules::kThinBytes),
          "%lld x %lld x %lld takes %lld bytes: %s", static_cast<long long>(p.m),
          static_cast<long long>(p.n), static_cast<long long>(p.k), static_cast<long long>(bytes),
          flags.c_str());
    CHECK(flag(flags, "NETCL_LINES") % flag(flags, "NETCL_ROUND") == 0, "%s", flags.c_str());
  }
}

}  // namespace

int main() {
  if (strcmp(test_selector(), "builtin") == 0) return 77;  // skipped: it has no such kernels
  take_kernels();
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(plain), DEVICE_TEST(any),   DEVICE_TEST(whole),         DEVICE_TEST(repeatable),
      DEVICE_TEST(units), DEVICE_TEST(space), DEVICE_TEST(memory_of_thin)};
  seed_random("matmul_split");
  return cmocka_run_group_tests_name("matmul_split", tests, nullptr, nullptr);
}
