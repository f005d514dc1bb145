// Attention by matrix units, without a device: which calls take it and how they are cut, that the
// kernels have the parameters that attention_text.hpp names, and that ptxas assembles them, where
// there is one.
#include <cstdlib>
#include <set>
#include <vector>

#include "core/dtype.hpp"
#include "ops/attention/attention_units.hpp"
#include "ptx_checks.hpp"

extern "C" {
#include "support.h"
}

using namespace netcl;
using namespace netcl::ops;

namespace {

std::vector<AttentionUnits> kernels() {
  std::vector<AttentionUnits> all;
  for (const netcl_dtype dtype : {NETCL_F16, NETCL_BF16}) {
    for (uint32_t size = 64; size <= 256; size += 64) {
      for (uint32_t value_size = 64; value_size <= 256; value_size += 64) {
        for (uint32_t warpgroups = 1; warpgroups <= 3; ++warpgroups) {
          if (warpgroups == 3 && (size > 64 || value_size > 64)) continue;
          all.push_back({dtype, size, value_size, warpgroups});
        }
      }
    }
  }
  return all;
}

void texts(void**) {
  std::set<std::string> names;
  const std::string words(14, 'w');
  for (const AttentionUnits& k : kernels()) {
    const std::string name = attention_units_name(k), text = attention_units_text(k);
    CHECK(names.insert(name).second, "two kernels are named %s", name.c_str());
    check_text(name, text);
    check_text(attention_setup_name(k), attention_setup_text(k));
    const std::string wanted = k.joins() ? "ppppp" + words + "f" : "pppppplllllllll" + words + "f";
    CHECK(parameters_of(text) == wanted, "%s has the parameters %s", name.c_str(),
          parameters_of(text).c_str());
    CHECK(parameters_of(attention_setup_text(k)) == "pppppp" + std::string(17, 'l') +
                                                        std::string(12, 'w'),
          "%s has the parameters %s", attention_setup_name(k).c_str(),
          parameters_of(attention_setup_text(k)).c_str());
  }
}

cpu::AttentionShape shape_of(int64_t batch, int64_t kv_heads, int64_t group, int64_t rows,
                             int64_t keys, int64_t size) {
  cpu::AttentionShape shape;
  shape.dtype = NETCL_F16;
  shape.batch = batch;
  shape.heads = kv_heads * group;
  shape.kv_heads = kv_heads;
  shape.rows = rows;
  shape.keys = keys;
  shape.size = shape.value_size = size;
  const int64_t q[] = {batch, shape.heads, rows, size}, k[] = {batch, kv_heads, keys, size};
  shape.q = shape.result = make_layout(4, q, nullptr, 2);
  shape.k = shape.v = make_layout(4, k, nullptr, 2);
  return shape;
}

// Every row and key is in a tile once, and what shares keys fits a warpgroup.
void plans(void**) {
  for (int round = 0; round < 2000; ++round) {
    const int64_t kv_heads = random_in(1, 20), group = random_in(1, random_in(0, 3) ? 8 : 80);
    const cpu::AttentionShape shape =
        shape_of(random_in(1, 9), kv_heads, group, random_in(1, 700), random_in(64, 20000),
                 8 * random_in(1, 32));
    const std::optional<UnitsPlan> plan = plan_units(shape, 132);
    assert_true(plan.has_value());
    const AttentionUnits& kernel = plan->kernel;
    const int64_t blocks = ceil_div(shape.keys, kernel.keys());
    assert_true(plan->tiles(shape.rows) * plan->tile_rows >= shape.rows);
    assert_true(kernel.size >= shape.size && kernel.size < shape.size + 64);
    if (!kernel.joins()) {
      assert_int_equal(plan->sets, shape.batch * shape.heads);
      assert_int_equal(plan->tile_rows, kernel.queries());
      assert_true(plan->chunks == 1 && plan->chunk_blocks >= blocks);
      assert_true(kernel.warpgroups == 2 || (kernel.size == 64 && kernel.value_size == 64));
      continue;
    }
    assert_int_equal(plan->sets, shape.batch * shape.kv_heads);
    assert_true(plan->tile_rows >= 1 && plan->tile_rows * group <= 64);
    assert_true(plan->chunks * plan->chunk_blocks >= blocks);
    assert_true((plan->chunks - 1) * plan->chunk_blocks < blocks);
  }
  // Decoding keeps keys together, prefill does not.
  assert_true(plan_units(shape_of(16, 8, 4, 1, 8192, 128), 132)->kernel.joins());
  assert_int_equal(plan_units(shape_of(2, 16, 1, 4096, 4096, 128), 132)->kernel.warpgroups, 2);
  assert_int_equal(plan_units(shape_of(2, 16, 1, 4096, 4096, 64), 132)->kernel.warpgroups, 3);
}

// What the header does not name goes to the portable kernels.
void refusals(void**) {
  const cpu::AttentionShape good = shape_of(2, 2, 2, 100, 200, 64);
  assert_true(plan_units(good, 132).has_value());
  const auto refused = [&](auto change) {
    cpu::AttentionShape shape = good;
    change(&shape);
    return !plan_units(shape, 132).has_value();
  };
  assert_true(refused([](auto* s) { s->dtype = NETCL_F32; }));
  assert_true(refused([](auto* s) { s->bias_dtype = NETCL_F16; }));
  assert_true(refused([](auto* s) { s->has_mask = true; }));
  assert_true(refused([](auto* s) { s->page_size = 16; }));
  assert_true(refused([](auto* s) { s->softcap = 1.0; }));
  assert_true(refused([](auto* s) { s->keys = 63; }));
  assert_true(refused([](auto* s) { s->scale = 0.0; }));
  assert_true(refused([](auto* s) { s->scale = 3e38; }));
  assert_true(refused([](auto* s) { s->position = INT64_MAX; }));
  assert_true(refused([](auto* s) { s->position = INT64_MIN; }));
  assert_true(refused([](auto* s) { s->q.offset = 4; }));
  assert_true(refused([](auto* s) { s->k.strides[2] = 68; }));
  assert_true(refused([](auto* s) { s->v.strides[1] = 0; }));
  assert_true(refused([](auto* s) { s->v.strides[3] = 2; }));
  assert_true(refused([](auto* s) { s->k.shape[3] = 60; }));
}

void assembles(void**) {
  const Ptxas ptxas;
  const std::vector<AttentionUnits> all = kernels();
  const size_t step = std::getenv("NETCL_TEST_FULL") != nullptr ? 1 : 9;
  for (size_t i = static_cast<size_t>(random_in(0, static_cast<int64_t>(step) - 1)); i < all.size();
       i += step) {
    ptxas.assemble(attention_units_name(all[i]), attention_units_text(all[i]));
    ptxas.assemble(attention_setup_name(all[i]), attention_setup_text(all[i]));
  }
}

}  // namespace

int main() {
  const CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(plans),
                              cmocka_unit_test(refusals), cmocka_unit_test(assembles)};
  seed_random("attention_text");
  return cmocka_run_group_tests_name("attention_text", tests, nullptr, nullptr);
}
