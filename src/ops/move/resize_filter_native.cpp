#include <algorithm>

#include "backend/cpu/thread_pool.hpp"
#include "ops/move/resize_plan.hpp"
#include "ops/move/resize_value.hpp"

namespace netcl::ops {

namespace {

// Columns whose sums are worked on together.
constexpr int64_t kFilterColumns = 256;

// A part of a row: results [column, column + count) along the last dimension.
struct Stretch {
  int64_t source;  // of the row in x, without the filtered axis
  int64_t place;   // of the row along that axis, where it is another one
  int64_t column;
  int64_t count;
};

template <class V>
struct Weights {
  const ResizeFilter::Sum* sums;
  const V* list;
};

// The sums of one stretch of x.
template <class E, class V>
void add_up(const FilterPlan& plan, const Weights<V>& weights, const void* memory,
            const Stretch& stretch, V* sums) {
  const auto* const x = static_cast<const typename E::Storage*>(memory) + stretch.source;
  const uint32_t last = plan.to.rank - 1;
  const int64_t step = plan.from.strides[plan.axis], x_step = plan.from.strides[last];
  const bool along = plan.axis == last;
  for (int64_t c = 0; along && c < stretch.count; ++c) {
    const ResizeFilter::Sum& sum = weights.sums[stretch.column + c];
    const V* const list = weights.list + sum.begin;
    V value = 0;
    for (int64_t t = 0; t < sum.count; ++t) {
      if (list[t] != 0) value += list[t] * static_cast<V>(E::load(x + (sum.first + t) * step));
    }
    sums[c] = value;
  }
  if (along) return;
  const ResizeFilter::Sum& sum = weights.sums[stretch.place];
  std::fill_n(sums, stretch.count, V(0));
  for (int64_t t = 0; t < sum.count; ++t) {
    const V weight = weights.list[sum.begin + t];
    const auto* const place = x + (sum.first + t) * step + stretch.column * x_step;
    if (weight == 0) continue;
    if (x_step == 1) {
      for (int64_t c = 0; c < stretch.count; ++c) {
        sums[c] += weight * static_cast<V>(E::load(place + c));
      }
    } else {
      for (int64_t c = 0; c < stretch.count; ++c) {
        sums[c] += weight * static_cast<V>(E::load(place + c * x_step));
      }
    }
  }
}

template <class E, class V>
void put(const V* sums, int64_t count, void* memory, int64_t first, int64_t step) {
  auto* const y = static_cast<typename E::Storage*>(memory) + first;
  for (int64_t c = 0; c < count; ++c) store_weighed<E>(sums[c], y + c * step);
}

// The loops for the dtypes of x and y, which are weighed in V.
template <class V>
struct FilterLoops {
  void (*add)(const FilterPlan&, const Weights<V>&, const void*, const Stretch&, V*);
  void (*put)(const V*, int64_t, void*, int64_t, int64_t);
};

template <class V>
FilterLoops<V> filter_loops(netcl_dtype x, netcl_dtype y) {
  FilterLoops<V> loops{};
  netcl::cpu::with_dtype(x, [&](auto element) {
    using E = decltype(element);
    if constexpr (std::is_same_v<Weighed<E>, V>) loops.add = add_up<E, V>;
  });
  netcl::cpu::with_dtype(y, [&](auto element) {
    using E = decltype(element);
    if constexpr (std::is_same_v<Weighed<E>, V>) loops.put = put<E, V>;
  });
  return loops;
}

template <class V>
void filter_rows(const FilterPlan& plan, const FilterLoops<V>& loops, const Weights<V>& weights,
                 const void* x, void* y, int64_t first_row, int64_t last_row) {
  const uint32_t last = plan.to.rank - 1;
  const int64_t columns = plan.to.shape[last], y_step = plan.to.strides[last];
  V sums[kFilterColumns];
  for (int64_t row = first_row; row < last_row; ++row) {
    Stretch stretch{plan.from.offset, 0, 0, 0};
    int64_t target = plan.to.offset, rest = row;
    for (uint32_t d = last; d-- > 0;) {
      const int64_t i = rest % plan.to.shape[d];
      rest /= plan.to.shape[d];
      target += i * plan.to.strides[d];
      if (d == plan.axis) {
        stretch.place = i;
      } else {
        stretch.source += i * plan.from.strides[d];
      }
    }
    for (stretch.column = 0; stretch.column < columns; stretch.column += stretch.count) {
      stretch.count = std::min(kFilterColumns, columns - stretch.column);
      loops.add(plan, weights, x, stretch, sums);
      loops.put(sums, stretch.count, y, target + stretch.column * y_step, y_step);
    }
  }
}

template <class V>
void enqueue_filter(FilterPlan plan, std::vector<V> list, const Tensor& x, const Tensor& y,
                    const Run& run) {
  const FilterLoops<V> loops = filter_loops<V>(x.dtype(), y.dtype());
  const int64_t columns = plan.to.shape[plan.to.rank - 1];
  const double each =
      static_cast<double>(list.size()) / static_cast<double>(plan.filter.sums.size());
  const int64_t grain =
      std::max<int64_t>(1, static_cast<int64_t>((1 << 15) / (each * static_cast<double>(columns))));
  enqueue_native(
      {reading(x), writing(y)}, run,
      [plan = std::move(plan), list = std::move(list), loops, grain](const NativeCall& call) {
        const Weights<V> weights{plan.filter.sums.data(), list.data()};
        call.threads.parallel_for(plan.rows, grain, [&](int64_t first, int64_t last) {
          filter_rows<V>(plan, loops, weights, call.at<const unsigned char>(0),
                         call.at<unsigned char>(1), first, last);
        });
      });
}

}  // namespace

void filter_natively(FilterPlan plan, const Tensor& x, const Tensor& y, const Run& run) {
  std::vector<double> list = std::move(plan.filter.weights);
  if (x.dtype() == NETCL_F64)
    return enqueue_filter<double>(std::move(plan), std::move(list), x, y, run);
  enqueue_filter<float>(std::move(plan), std::vector<float>(list.begin(), list.end()), x, y, run);
}

}  // namespace netcl::ops
