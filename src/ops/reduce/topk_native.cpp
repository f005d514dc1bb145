// Top-k on the built-in device. An element becomes an item that sorts as its key does and, among
// equal keys, by index; the order is then total, and it does not matter who sorts what.
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "backend/cpu/element.hpp"
#include "backend/cpu/reduce/reduce_source.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "ops/reduce/topk.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::element_at;
using netcl::cpu::ThreadPool;

// A line that is longer is shared by the threads.
constexpr int64_t kLinePart = 1 << 17;
// Selecting pays when so many times more elements than wanted are there.
constexpr int64_t kSelectRatio = 8;
constexpr int64_t kRadixLeast = 2048;

// A key of 32 bits above an index of 32.
struct ShortItem {
  uint64_t bits;
  static ShortItem make(uint64_t order, int64_t index) {
    return {order << 32 | static_cast<uint64_t>(index)};
  }
  int64_t index() const { return static_cast<int64_t>(bits & 0xffffffffu); }
  bool operator<(const ShortItem& other) const { return bits < other.bits; }
};
struct LongItem {
  uint64_t order;
  uint64_t place;
  static LongItem make(uint64_t order, int64_t index) {
    return {order, static_cast<uint64_t>(index)};
  }
  int64_t index() const { return static_cast<int64_t>(place); }
  bool operator<(const LongItem& other) const {
    return order != other.order ? order < other.order : place < other.place;
  }
};

// Unsigned integers in the order of the values; a NaN is the largest, -0 is 0.
uint32_t order_of(float value) {
  if (value != value) return UINT32_MAX;
  const auto bits = std::bit_cast<uint32_t>(value == 0 ? 0.0f : value);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}
uint64_t order_of(double value) {
  if (value != value) return UINT64_MAX;
  const auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
}
uint32_t order_of(int32_t value) { return static_cast<uint32_t>(value) ^ 0x80000000u; }
uint32_t order_of(uint32_t value) { return value; }
uint64_t order_of(int64_t value) {
  return static_cast<uint64_t>(value) ^ uint64_t { 1 } << 63;
}
uint64_t order_of(uint64_t value) { return value; }

// Sorts by the upper 32 bits, 11 at a time. Items come in the order of their indexes, which stays
// among equal keys.
void sort_items(ShortItem* items, int64_t count) {
  if (count < kRadixLeast) return std::sort(items, items + count);
  constexpr int kBits = 11, kPasses = 3;
  constexpr size_t kBuckets = size_t{1} << kBits;
  const auto digit = [](ShortItem item, int pass) {
    return static_cast<size_t>(item.bits >> (32 + kBits * pass)) & (kBuckets - 1);
  };
  std::vector<int64_t> starts(kPasses * kBuckets);
  for (int64_t i = 0; i < count; ++i) {
    for (int pass = 0; pass < kPasses; ++pass) {
      ++starts[static_cast<size_t>(pass) * kBuckets + digit(items[i], pass)];
    }
  }
  const auto other = std::make_unique<ShortItem[]>(static_cast<size_t>(count));
  ShortItem* from = items;
  ShortItem* to = other.get();
  for (int pass = 0; pass < kPasses; ++pass) {
    int64_t* const start = starts.data() + static_cast<size_t>(pass) * kBuckets;
    int64_t sum = 0;
    bool one_bucket = false;
    for (size_t b = 0; b < kBuckets; ++b) {
      one_bucket = one_bucket || start[b] == count;
      sum += std::exchange(start[b], sum);
    }
    if (one_bucket) continue;
    for (int64_t i = 0; i < count; ++i) to[start[digit(from[i], pass)]++] = from[i];
    std::swap(from, to);
  }
  if (from != items) std::copy_n(from, count, items);
}
void sort_items(LongItem* items, int64_t count) { std::sort(items, items + count); }

template <class Element, class Item>
class Topk {
 public:
  using Storage = typename Element::Storage;

  Topk(const TopkPlan& plan, const void* x, void* values, int64_t* indices, ThreadPool& threads)
      : plan_(plan),
        x_(static_cast<const Storage*>(x)),
        values_(static_cast<Storage*>(values)),
        indices_(indices),
        threads_(threads) {}

  void run() {
    if (plan_.rows < 2 * int64_t{threads_.thread_count()} && threads_.thread_count() > 1 &&
        plan_.count >= 2 * kLinePart) {
      for (int64_t row = 0; row < plan_.rows; ++row) run_together(row);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, kLinePart / 8 / plan_.count);
    threads_.parallel_for(plan_.rows, grain, [&](int64_t first, int64_t last) {
      std::vector<Item> items;
      for (int64_t row = first; row < last; ++row) {
        items.clear();
        if (plan_.count >= kSelectRatio * plan_.k) {
          select(row, 0, plan_.count, &items);
        } else {
          take(row, 0, plan_.count, &items);
        }
        if (static_cast<int64_t>(items.size()) > 2 * plan_.k) {
          std::nth_element(items.begin(), items.begin() + (plan_.k - 1), items.end());
          items.resize(static_cast<size_t>(plan_.k));
          std::sort(items.begin(), items.end());
        } else {
          sort_all(&items);
        }
        write(row, items.data());
      }
    });
  }

 private:
  // Items in another order than that of their indexes are sorted by comparing.
  static void sort_all(std::vector<Item>* items) {
    bool in_order = true;
    for (size_t i = 1; in_order && i < items->size(); ++i) {
      in_order = (*items)[i - 1].index() < (*items)[i].index();
    }
    if (in_order) {
      sort_items(items->data(), static_cast<int64_t>(items->size()));
    } else {
      std::sort(items->begin(), items->end());
    }
  }

  Item item(const Storage* line, int64_t index) const {
    const auto order = order_of(Element::load(line + index * plan_.strides[0]));
    using Order = decltype(order_of(typename Element::Compute()));
    return Item::make(plan_.smallest ? order : static_cast<Order>(~order), index);
  }

  // The items of elements [begin, end).
  void take(int64_t row, int64_t begin, int64_t end, std::vector<Item>* items) const {
    const Storage* const line = x_ + element_at(plan_.lines[0], row);
    items->reserve(static_cast<size_t>(end - begin));
    for (int64_t i = begin; i < end; ++i) items->push_back(item(line, i));
  }

  // At least the first k of them: what comes after the k-th so far is passed over.
  void select(int64_t row, int64_t begin, int64_t end, std::vector<Item>* items) const {
    const Storage* const line = x_ + element_at(plan_.lines[0], row);
    const auto k = static_cast<size_t>(plan_.k);
    // The sooner there is a worst one, the fewer are looked at twice.
    const size_t most = std::max<size_t>(4 * k, 64);
    items->reserve(most);
    bool full = false;
    Item worst{};
    for (int64_t i = begin; i < end; ++i) {
      const Item next = item(line, i);
      if (full && !(next < worst)) continue;
      items->push_back(next);
      if (items->size() < most) continue;
      std::nth_element(items->begin(), items->begin() + static_cast<int64_t>(k - 1), items->end());
      items->resize(k);
      worst = items->back();
      full = true;
    }
    if (items->size() > k) {
      std::nth_element(items->begin(), items->begin() + static_cast<int64_t>(k - 1), items->end());
      items->resize(k);
    }
  }

  // One line by all threads: parts are sorted or selected from, and then merged pairwise.
  void run_together(int64_t row) {
    const bool selects = plan_.count >= kSelectRatio * plan_.k;
    const int64_t parts = (plan_.count + kLinePart - 1) / kLinePart;
    std::vector<std::vector<Item>> sorted(static_cast<size_t>(parts));
    threads_.parallel_for(parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t p = first; p < last; ++p) {
        std::vector<Item>& own = sorted[static_cast<size_t>(p)];
        const int64_t begin = p * kLinePart;
        const int64_t end = std::min(plan_.count, begin + kLinePart);
        if (selects && end - begin >= kSelectRatio * plan_.k) {
          select(row, begin, end, &own);
        } else {
          take(row, begin, end, &own);
        }
        sort_all(&own);
      }
    });
    while (sorted.size() > 1) {
      const int64_t pairs = static_cast<int64_t>(sorted.size() / 2);
      threads_.parallel_for(pairs, 1, [&](int64_t first, int64_t last) {
        for (int64_t p = first; p < last; ++p) {
          std::vector<Item>& a = sorted[static_cast<size_t>(2 * p)];
          std::vector<Item>& b = sorted[static_cast<size_t>(2 * p + 1)];
          std::vector<Item> both(a.size() + b.size());
          std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin());
          both.resize(std::min(both.size(), static_cast<size_t>(plan_.k)));
          a.swap(both);
          std::vector<Item>().swap(b);
        }
      });
      std::vector<std::vector<Item>> next;
      for (size_t p = 0; p < sorted.size(); p += 2) next.push_back(std::move(sorted[p]));
      sorted.swap(next);
    }
    write(row, sorted[0].data());
  }

  void write(int64_t row, const Item* items) const {
    const Storage* const line = x_ + element_at(plan_.lines[0], row);
    Storage* const to = values_ + element_at(plan_.lines[1], row);
    for (int64_t i = 0; i < plan_.k; ++i) {
      to[i * plan_.strides[1]] = line[items[i].index() * plan_.strides[0]];
    }
    if (indices_ == nullptr) return;
    int64_t* const places = indices_ + element_at(plan_.lines[2], row);
    for (int64_t i = 0; i < plan_.k; ++i) places[i * plan_.strides[2]] = items[i].index();
  }

  const TopkPlan& plan_;
  const Storage* const x_;
  Storage* const values_;
  int64_t* const indices_;
  ThreadPool& threads_;
};

}  // namespace

void topk_on_host(const TopkPlan& plan, const void* x, void* values, int64_t* indices,
                  ThreadPool& threads) {
  netcl::cpu::with_dtype(plan.dtype, [&](auto element) {
    using Ordered = decltype(element);
    if constexpr (sizeof(typename Ordered::Storage) < 8) {
      if (plan.count <= int64_t{UINT32_MAX}) {
        Topk<Ordered, ShortItem>(plan, x, values, indices, threads).run();
        return;
      }
    }
    Topk<Ordered, LongItem>(plan, x, values, indices, threads).run();
  });
}

}  // namespace netcl::ops
