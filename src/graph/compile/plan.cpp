#include "graph/compile/plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/integer.hpp"

namespace netcl::graph {

uint64_t place_values(std::vector<Lifetime>* values, uint64_t alignment) {
  std::vector<size_t> order(values->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return (*values)[a].bytes > (*values)[b].bytes; });
  std::vector<const Lifetime*> placed;  // by rising offsets
  uint64_t total = 0;
  for (const size_t index : order) {
    Lifetime& value = (*values)[index];
    const uint64_t room = (value.bytes + alignment - 1) / alignment * alignment;
    uint64_t offset = 0;
    for (const Lifetime* other : placed) {
      if (other->last < value.first || value.last < other->first) continue;
      if (offset + room <= other->offset) break;
      const uint64_t end = (other->offset + other->bytes + alignment - 1) / alignment * alignment;
      offset = std::max(offset, end);
    }
    value.offset = offset;
    total = std::max(total, offset + value.bytes);
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), offset,
                         [](uint64_t at, const Lifetime* other) { return at < other->offset; }),
        &value);
  }
  return total;
}

uint64_t most_live(const std::vector<Lifetime>& values) {
  std::map<size_t, uint64_t> changes;  // modulo 2^64, so that what ends is taken away
  for (const Lifetime& value : values) {
    changes[value.first] += value.bytes;
    changes[value.last + 1] -= value.bytes;
  }
  uint64_t live = 0;
  uint64_t most = 0;
  for (const auto& [step, change] : changes) {
    live += change;
    most = std::max(most, live);
  }
  return most;
}

}  // namespace netcl::graph
