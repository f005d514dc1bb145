#include "graph/compile/plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/integer.hpp"

namespace netcl::graph {

namespace {

constexpr int kRounds = 16;
// More of them take too long to place so often.
constexpr size_t kValuesTriedOften = 2048;

// Places values in an order, each in the lowest gap that it fits; gives the bytes of the block.
uint64_t place_in_order(std::vector<Lifetime>* values, const std::vector<size_t>& order,
                        uint64_t alignment) {
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

// The steps with the most memory first, of each the largest values first.
std::vector<size_t> order_by_breadth(const std::vector<Lifetime>& values,
                                     const std::vector<size_t>& by_size) {
  size_t steps = 0;
  for (const Lifetime& value : values) steps = std::max(steps, value.last + 1);
  std::vector<uint64_t> change(steps + 1);
  for (const Lifetime& value : values) {
    change[value.first] += value.bytes;
    change[value.last + 1] -= value.bytes;
  }
  std::partial_sum(change.begin(), change.end(), change.begin());
  // A value is placed with the fullest step that it is needed in.
  std::vector<uint64_t> fullest(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    fullest[i] = *std::max_element(change.begin() + static_cast<ptrdiff_t>(values[i].first),
                                   change.begin() + static_cast<ptrdiff_t>(values[i].last) + 1);
  }
  std::vector<size_t> order = by_size;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return fullest[a] > fullest[b]; });
  return order;
}

}  // namespace

uint64_t place_values(std::vector<Lifetime>* values, uint64_t alignment) {
  std::vector<size_t> order(values->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return (*values)[a].bytes > (*values)[b].bytes; });
  std::vector<size_t> breadth = order_by_breadth(*values, order);
  const auto area = [&](size_t i) {
    const Lifetime& value = (*values)[i];
    return static_cast<double>(value.bytes) * static_cast<double>(value.last - value.first + 1);
  };
  std::vector<size_t> by_area = order;
  std::stable_sort(by_area.begin(), by_area.end(),
                   [&](size_t a, size_t b) { return area(a) > area(b); });
  // None of them is best for all graphs. In each, what lies on top goes halfway to the front a few
  // times. There cannot be fewer bytes than are needed at one time.
  const uint64_t least = most_live(*values);
  const int rounds = order.size() <= kValuesTriedOften ? kRounds : 0;
  std::vector<Lifetime> trial = *values;
  uint64_t best = UINT64_MAX;
  for (std::vector<size_t>* const next : {&order, &breadth, &by_area}) {
    for (int round = 0; round <= rounds && best > least; ++round) {
      const uint64_t total = place_in_order(&trial, *next, alignment);
      if (total < best) {
        best = total;
        *values = trial;
      }
      const auto top = std::find_if(next->begin(), next->end(), [&](size_t i) {
        return trial[i].offset + trial[i].bytes == total;
      });
      if (top == next->end()) break;
      std::rotate(next->begin() + (top - next->begin()) / 2, top, top + 1);
    }
  }
  return values->empty() ? 0 : best;
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
