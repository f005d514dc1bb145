#include "graph/compile/plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "graph/compile/fit.hpp"

namespace netcl::graph {

namespace {

constexpr int kRounds = 16;
// More of them take too long to place so often.
constexpr size_t kValuesTriedOften = 2048;

// The lowest gap for a value among those `placed` in its block, by rising offsets.
uint64_t lowest_gap(const Lifetime& value, const std::vector<const Lifetime*>& placed,
                    uint64_t alignment) {
  uint64_t offset = 0;
  for (const Lifetime* other : placed) {
    if (other->last < value.first || value.last < other->first) continue;
    if (offset + value.bytes <= other->offset) break;
    offset = std::max(offset, aligned(other->offset + other->bytes, alignment));
  }
  return offset;
}

// Places values in an order, each in the first block that has room.
std::vector<uint64_t> place_in_order(std::vector<Lifetime>* values,
                                     const std::vector<size_t>& order, uint64_t alignment,
                                     uint64_t most) {
  std::vector<uint64_t> blocks;
  std::vector<std::vector<const Lifetime*>> placed;
  for (const size_t index : order) {
    Lifetime& value = (*values)[index];
    for (value.block = 0;; ++value.block) {
      if (value.block == blocks.size()) {
        blocks.push_back(0);
        placed.emplace_back();
      }
      value.offset = lowest_gap(value, placed[value.block], alignment);
      if (value.offset == 0 || value.offset + value.bytes <= most) break;
    }
    std::vector<const Lifetime*>& beside = placed[value.block];
    beside.insert(std::upper_bound(
                      beside.begin(), beside.end(), &value,
                      [](const Lifetime* a, const Lifetime* b) { return a->offset < b->offset; }),
                  &value);
    blocks[value.block] = std::max(blocks[value.block], value.offset + value.bytes);
  }
  return blocks;
}

uint64_t sum_of(const std::vector<uint64_t>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), uint64_t{0});
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

std::vector<uint64_t> place_values(std::vector<Lifetime>* values, uint64_t alignment,
                                   uint64_t most) {
  std::vector<size_t> by_size(values->size());
  std::iota(by_size.begin(), by_size.end(), size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](size_t a, size_t b) { return (*values)[a].bytes > (*values)[b].bytes; });
  std::vector<size_t> by_breadth = order_by_breadth(*values, by_size);
  const auto area = [&](size_t i) {
    const Lifetime& value = (*values)[i];
    return static_cast<double>(value.bytes) * static_cast<double>(value.last - value.first + 1);
  };
  std::vector<size_t> by_area = by_size;
  std::stable_sort(by_area.begin(), by_area.end(),
                   [&](size_t a, size_t b) { return area(a) > area(b); });
  // None of them is best for all graphs. In each, what lies on top goes halfway to the front a few
  // times. Fewer bytes than are needed at one time are looked for by none.
  const uint64_t least = most_live(*values, alignment);
  const int rounds = by_size.size() <= kValuesTriedOften ? kRounds : 0;
  std::vector<Lifetime> trial = *values;
  std::vector<uint64_t> best;
  for (std::vector<size_t>* const order : {&by_size, &by_breadth, &by_area}) {
    for (int round = 0; round <= rounds && (best.empty() || sum_of(best) > least); ++round) {
      const std::vector<uint64_t> blocks = place_in_order(&trial, *order, alignment, most);
      if (best.empty() || sum_of(blocks) < sum_of(best)) {
        best = blocks;
        *values = trial;
      }
      const auto top = std::find_if(order->begin(), order->end(), [&](size_t i) {
        return trial[i].offset + trial[i].bytes == blocks[trial[i].block];
      });
      if (top == order->end()) break;
      std::rotate(order->begin() + (top - order->begin()) / 2, top, top + 1);
    }
  }
  if (sum_of(best) > least && least <= most && fit_values(values, alignment, least)) {
    best.assign(1, 0);
    for (const Lifetime& value : *values) best[0] = std::max(best[0], value.offset + value.bytes);
  }
  return best;
}

uint64_t most_live(const std::vector<Lifetime>& values, uint64_t alignment) {
  std::map<size_t, uint64_t> changes;  // modulo 2^64, so that what ends is taken away
  for (const Lifetime& value : values) {
    changes[value.first] += aligned(value.bytes, alignment);
    changes[value.last + 1] -= aligned(value.bytes, alignment);
  }
  uint64_t live = 0;
  uint64_t most = 0;
  for (const auto& [step, change] : changes) {
    live += change;
    most = std::max(most, live);
  }
  return most;
}

uint64_t value_alignment(const Device& device) {
  return std::max<uint64_t>(256, device.capabilities().mem_base_align_bytes);
}

}  // namespace netcl::graph
