// The PTX of products by matrix units, without a device: what plans pass fits what kernels take,
// and ptxas assembles them, where there is one: $NETCL_PTXAS, in PATH, or of CUDA.
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "ops/matmul/matmul_plan.hpp"
#include "ops/matmul/wgmma_text.hpp"
#include "ptx_checks.hpp"

extern "C" {
#include "support.h"
}

// cmocka's name for "this test has failed" is a function of the library as well.
#undef fail

using namespace netcl;
using namespace netcl::ops;

namespace {

// Those in f32 that items multiply: every tile and store, with options in turn.
void add_strict(std::vector<WgmmaKernel>* all) {
  uint32_t turn = 0;
  constexpr uint32_t kTiles[][2] = {{128, 256}, {64, 128}, {192, 96}};
  for (const auto& tile : kTiles) {
    for (uint32_t form = 0; form < 9; ++form, ++turn) {
      WgmmaKernel k;
      k.strict = k.b_along_n = true;
      k.dtype = k.b_dtype = k.out_dtype = NETCL_F32;
      k.tile_m = tile[0];
      k.tile_n = tile[1];
      k.batch_rank = form % 3;
      k.store = form < 3 ? WgmmaStore::sums : WgmmaStore::pairs;
      if (k.store == WgmmaStore::pairs) {
        k.bias_dtype = form < 7 ? NETCL_F32 : 0;
        k.bias_by_rows = form == 6;
        k.activation = static_cast<netcl_activation>(turn % 13);
        if (!wgmma_activation(k.activation, NETCL_F32)) k.activation = NETCL_ACTIVATION_NONE;
      }
      all->push_back(k);
    }
  }
}

// Every tile, order, store and type; options in turn, as all of them would be thousands.
std::vector<WgmmaKernel> kernels() {
  std::vector<WgmmaKernel> all;
  uint32_t turn = 0;
  for (const netcl_dtype dtype : {NETCL_F16, NETCL_BF16, NETCL_F32, NETCL_I8, NETCL_U8}) {
    const bool whole = dtype == NETCL_I8 || dtype == NETCL_U8;
    const bool any_order = dtype == NETCL_F16 || dtype == NETCL_BF16;
    for (const uint32_t tile_m : {64u, 128u}) {
      for (const uint32_t tile_n : {64u, 128u, 192u, 256u}) {
        for (const WgmmaStore store : {WgmmaStore::sums, WgmmaStore::pairs, WgmmaStore::boxes}) {
          WgmmaKernel k;
          if (!any_order && store == WgmmaStore::boxes) continue;
          ++turn;
          k.dtype = k.b_dtype = dtype;
          k.out_dtype = store == WgmmaStore::pairs && turn % 2 == 0 ? NETCL_F32 : dtype;
          if (any_order) k.a_along_m = turn % 2 != 0;
          if (any_order) k.b_along_n = turn % 3 != 0;
          k.tile_m = tile_m;
          k.tile_n = tile_n;
          k.batch_rank = turn % 3;
          k.store = store;
          k.wide_pairs = store == WgmmaStore::pairs && turn % 4 < 2;
          if (store != WgmmaStore::sums) {
            constexpr netcl_dtype kBias[] = {0, NETCL_F32, NETCL_F16, NETCL_BF16};
            k.bias_dtype = kBias[turn % 4];
            k.bias_by_rows = k.bias_dtype != 0 && turn % 5 == 0;
            k.activation = static_cast<netcl_activation>(turn % 13);
            if (!wgmma_activation(k.activation, k.out_dtype)) k.activation = 0;
            if (whole) {
              k.b_dtype = turn % 2 == 0 ? NETCL_I8 : NETCL_U8;
              k.out_dtype = NETCL_I32;
              k.bias_dtype = k.bias_dtype == 0 ? 0 : NETCL_I32;
              k.activation = turn % 3 == 0 ? NETCL_ACTIVATION_RELU : NETCL_ACTIVATION_NONE;
            }
          }
          all.push_back(k);
          if (!any_order || store == WgmmaStore::pairs) continue;
          k.a_along_m = k.b_along_n = k.bias_by_rows = false;
          k.batch_rank = 2;
          k.windows = true;
          k.row_bytes = turn % 4 == 0 ? 32 : turn % 4 == 1 ? 64 : 128;
          all.push_back(k);
        }
      }
    }
  }
  add_strict(&all);
  return all;
}

void texts(void**) {
  std::set<std::string> names;
  for (const WgmmaKernel& k : kernels()) {
    const std::string text = wgmma_text(k), name = wgmma_name(k);
    CHECK(names.insert(name).second, "two kernels are named %s", name.c_str());
    check_text(name, text);
  }
}

std::string arguments_of(const MatmulLaunch& launch) {
  std::string kinds;
  for (const MatmulArgument& argument : launch.arguments) {
    switch (argument.kind) {
      case MatmulArgumentKind::operand:
      case MatmulArgumentKind::temporary:
        kinds += 'p';
        break;
      case MatmulArgumentKind::int64:
        kinds += 'l';
        break;
      case MatmulArgumentKind::uint32:
        kinds += 'w';
        break;
      default:
        kinds += 'f';
    }
  }
  return kinds;
}

// A plan gives a kernel the arguments that it has parameters for, in all of its forms, and room for
// the tensor maps of each group behind the sums.
void arguments(void**) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  info.backend = NETCL_BACKEND_OPENCL;
  info.type = NETCL_DEVICE_GPU;
  capabilities.compute_units = 132;
  capabilities.max_work_group_size = 1024;
  const VariantTarget target(info, capabilities);
  for (int form = 0; form < 32; ++form) {
    MatmulProblem p;
    p.m = 100;
    p.n = form & 1 ? 104 : 101;
    p.k = 640;
    p.dtype = p.b_dtype = NETCL_F16;
    p.out_dtype = form & 2 ? NETCL_F32 : NETCL_F16;
    p.batch_rank = form & 4 ? 2 : 0;
    p.batch[0] = 3;
    p.batch[1] = 2;
    const int64_t rows[] = {p.m, p.k, p.m}, columns[] = {p.k, 104, 104};
    for (int role = 0; role < 3; ++role) {
      MatmulOperand& x = p.operands[role];
      x.row_stride = columns[role];
      x.column_stride = 1;
      x.batch_strides[0] = 4 * rows[role] * columns[role];
      x.batch_strides[1] = rows[role] * columns[role];
    }
    if (form & 8) p.bias_dtype = NETCL_F16;
    p.operands[kRoleBias].column_stride = 1;
    if (form & 16) p.beta = 1.0;
    VariantConfig config = NETCL_VARIANT_CONFIG_INIT;
    config.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    config.tile_m = 128;
    config.tile_n = 256;
    config.tile_k = 64;
    config.split_k = form % 3 == 0 ? 4 : 1;
    const MatmulPlan plan = plan_matmul(p, target, config);
    assert_true(!plan.launches.empty());
    const MatmulLaunch& launch = plan.launches[0];
    assert_null(launch.source);
    const std::string parameters = parameters_of(wgmma_text(launch.units));
    CHECK(parameters == arguments_of(launch), "form %d: parameters %s, arguments %s", form,
          parameters.c_str(), arguments_of(launch).c_str());
    const size_t scratch_first = parameters.rfind('l');
    const auto first = static_cast<uint64_t>(launch.arguments[scratch_first].integer);
    const uint64_t groups = launch.global[0] / launch.local[0];
    assert_true(first + groups * kWgmmaScratch <= plan.temporary_bytes);
    const bool sums = launch.units.store == WgmmaStore::sums;
    assert_int_equal(plan.launches.size(), sums ? 2 : 1);
    assert_true(sums == (first != 0));
  }
}

// The same of the kernel in f32 that items multiply, of every tile.
void arguments_of_items(void**) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  info.backend = NETCL_BACKEND_OPENCL;
  info.type = NETCL_DEVICE_GPU;
  capabilities.compute_units = 132;
  capabilities.max_work_group_size = 1024;
  const VariantTarget target(info, capabilities);
  constexpr uint32_t kTiles[][2] = {{128, 256}, {64, 128}, {192, 96}};
  for (uint32_t form = 0; form < 24; ++form) {
    MatmulProblem p;
    p.m = 400;
    p.n = 300;
    p.k = 640;
    p.dtype = p.b_dtype = p.out_dtype = NETCL_F32;
    p.batch_rank = form & 1 ? 2 : 0;
    p.batch[0] = 3;
    p.batch[1] = 2;
    const int64_t rows[] = {p.m, p.k, p.m}, columns[] = {p.k, p.n, p.n};
    for (int role = 0; role < 3; ++role) {
      MatmulOperand& x = p.operands[role];
      x.row_stride = columns[role];
      x.column_stride = 1;
      x.batch_strides[0] = 4 * rows[role] * columns[role];
      x.batch_strides[1] = rows[role] * columns[role];
    }
    if (form & 2) p.bias_dtype = NETCL_F32;
    p.operands[kRoleBias].column_stride = 1;
    if (form & 4) p.beta = 1.0;
    VariantConfig config = NETCL_VARIANT_CONFIG_INIT;
    config.variant = NETCL_VARIANT_MATMUL_VECTORIZED;
    std::strcpy(config.kernel, "netcl_matmul_fma");
    config.tile_m = kTiles[form % 3][0];
    config.tile_n = kTiles[form % 3][1];
    config.tile_k = 32;
    config.split_k = form >= 16 ? 4 : 1;
    const MatmulPlan plan = plan_matmul(p, target, config);
    assert_true(!plan.launches.empty());
    const MatmulLaunch& launch = plan.launches[0];
    assert_null(launch.source);
    assert_true(launch.units.strict && launch.units.b_along_n && !launch.units.a_along_m);
    assert_int_equal(launch.local[0], wgmma_items(launch.units));
    assert_true(launch.flags == wgmma_options(launch.units) && !launch.flags.empty());
    const std::string parameters = parameters_of(wgmma_text(launch.units));
    CHECK(parameters == arguments_of(launch), "form %u: parameters %s, arguments %s", form,
          parameters.c_str(), arguments_of(launch).c_str());
    const bool sums = config.split_k > 1 || p.beta != 0.0;
    assert_true((launch.units.store == WgmmaStore::sums) == sums);
    assert_int_equal(plan.launches.size(), sums ? 2 : 1);
  }
}

// Sums take 256 MB at most, or one row of tiles: of many matrices, and of a large one.
void temporaries(void**) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  info.backend = NETCL_BACKEND_OPENCL;
  info.type = NETCL_DEVICE_GPU;
  capabilities.compute_units = 132;
  capabilities.max_work_group_size = 1024;
  const VariantTarget target(info, capabilities);
  const int64_t cases[][5] = {{2, 8192, 256, 256, 64}, {1, 1, 65536, 65536, 128},
                              {3, 5, 1000, 1000, 64},  {1, 7, 9000, 9000, 64}};
  for (const auto& size : cases) {
    MatmulProblem p;
    p.m = size[2];
    p.n = size[3];
    p.k = size[4];
    p.dtype = p.b_dtype = p.out_dtype = NETCL_F16;
    p.beta = 1.0;
    p.batch_rank = 2;
    p.batch[0] = size[0];
    p.batch[1] = size[1];
    const int64_t rows[] = {p.m, p.k, p.m}, columns[] = {p.k, p.n, p.n};
    for (int role = 0; role < 3; ++role) {
      MatmulOperand& x = p.operands[role];
      x.row_stride = columns[role];
      x.column_stride = 1;
      x.batch_strides[1] = rows[role] * columns[role];
      x.batch_strides[0] = (size[1] + 1) * x.batch_strides[1];
    }
    VariantConfig config = NETCL_VARIANT_CONFIG_INIT;
    config.variant = NETCL_VARIANT_MATMUL_MATRIX_UNITS;
    config.tile_m = 128;
    config.tile_n = 256;
    config.tile_k = 64;
    config.split_k = 1;
    const MatmulPlan plan = plan_matmul(p, target, config);
    assert_true(plan.temporary_bytes <= (uint64_t{256} << 20) + 132 * kWgmmaScratch + 128);
    // Each result is joined once.
    double results = 0;
    for (const MatmulLaunch& launch : plan.launches) {
      if (launch.source == nullptr) continue;
      results += static_cast<double>(launch.global[0]) * static_cast<double>(launch.global[2]);
    }
    const double all = static_cast<double>(size[0] * size[1] * size[2] * size[3]);
    CHECK(results >= all && results <= 1.01 * all + 1e4, "%g results of %g", results, all);
  }
}

void assembles(void**) {
  const Ptxas ptxas;
  const std::vector<WgmmaKernel> all = kernels();
  // One takes ptxas a second.
  const size_t step = std::getenv("NETCL_TEST_FULL") != nullptr ? 1 : 9;
  for (size_t i = static_cast<size_t>(random_in(0, static_cast<int64_t>(step) - 1)); i < all.size();
       i += step) {
    ptxas.assemble(wgmma_name(all[i]), wgmma_text(all[i]));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(arguments),
                              cmocka_unit_test(arguments_of_items),
                              cmocka_unit_test(temporaries), cmocka_unit_test(assembles)};
  seed_random("wgmma_text");
  return cmocka_run_group_tests_name("wgmma_text", tests, nullptr, nullptr);
}
