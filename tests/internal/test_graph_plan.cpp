// Where the values of a compiled graph lie, over random lifetimes.
#include "graph/compile/plan.hpp"

#include <algorithm>
#include <numeric>

extern "C" {
#include "support.h"
}

using namespace netcl::graph;

namespace {

constexpr uint64_t kAlignment = 256;

std::vector<Lifetime> random_values(size_t steps) {
  std::vector<Lifetime> values(static_cast<size_t>(random_in(0, 40)));
  for (Lifetime& value : values) {
    value.bytes = static_cast<uint64_t>(random_in(1, 64)) * (random_in(0, 1) != 0 ? 256 : 100);
    value.first = static_cast<size_t>(random_in(0, static_cast<int>(steps) - 1));
    value.last = std::min(steps - 1, value.first + static_cast<size_t>(random_in(0, 6)));
  }
  return values;
}

uint64_t sum_of(const std::vector<uint64_t>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), uint64_t{0});
}

void check_places(const std::vector<Lifetime>& values, const std::vector<uint64_t>& blocks) {
  for (size_t i = 0; i < values.size(); ++i) {
    const Lifetime& a = values[i];
    CHECK(a.block < blocks.size() && a.offset % kAlignment == 0 &&
              a.offset + a.bytes <= blocks[a.block],
          "value %zu lies at %llu of block %zu", i, static_cast<unsigned long long>(a.offset),
          a.block);
    for (size_t k = 0; k < i; ++k) {
      const Lifetime& b = values[k];
      const bool one_time = a.first <= b.last && b.first <= a.last;
      const bool apart =
          a.block != b.block || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
      CHECK(!one_time || apart, "values %zu and %zu meet", i, k);
    }
  }
}

void test_places(void**) {
  for (int round = 0; round < 2000; ++round) {
    std::vector<Lifetime> values = random_values(static_cast<size_t>(random_in(1, 30)));
    const uint64_t most = random_in(0, 1) != 0 ? UINT64_MAX : uint64_t{16384};
    const std::vector<uint64_t> blocks = place_values(&values, kAlignment, most);
    check_places(values, blocks);
    for (const uint64_t bytes : blocks) assert_true(bytes > 0 && bytes <= most);
    if (most == UINT64_MAX) assert_true(blocks.size() == (values.empty() ? 0 : 1));
    const uint64_t least = most_live(values);
    assert_true(sum_of(blocks) >= least);
  }
}

// The bytes beyond those that are needed at one time, over many graphs.
void test_bytes(void**) {
  uint64_t planned = 0;
  uint64_t least = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<Lifetime> values = random_values(20);
    for (Lifetime& value : values) value.bytes = (value.bytes + 255) / 256 * 256;
    planned += sum_of(place_values(&values, kAlignment, UINT64_MAX));
    least += most_live(values);
  }
  CHECK(static_cast<double>(planned) <= 1.03 * static_cast<double>(least),
        "%llu bytes are planned where %llu are needed", static_cast<unsigned long long>(planned),
        static_cast<unsigned long long>(least));
}

// One that is larger than a block may be has a block to itself.
void test_large(void**) {
  std::vector<Lifetime> values = {{1000, 0, 3}, {512, 0, 0}, {512, 1, 1}, {512, 1, 2}};
  const std::vector<uint64_t> blocks = place_values(&values, kAlignment, 512);
  check_places(values, blocks);
  assert_int_equal(blocks.size(), 3);
  assert_int_equal(blocks[0], 1000);
  assert_int_equal(blocks[1], 512);
  assert_int_equal(blocks[2], 512);
}

}  // namespace

int main() {
  seed_random("graph_plan");
  const CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_bytes),
                              cmocka_unit_test(test_large)};
  return cmocka_run_group_tests_name("graph_plan", tests, nullptr, nullptr);
}
