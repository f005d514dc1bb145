#include <algorithm>
#include <cmath>

#include "backend/cpu/thread_pool.hpp"
#include "core/small_array.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/resize_plan.hpp"
#include "ops/move/resize_value.hpp"

namespace netcl::ops {

namespace {

// One row of the result: places in the source for each corner of the outer dimensions, the
// outermost one's in the upper half, and their weights from the outermost on.
struct Row {
  int64_t base[1 << kRankMax];
  double weights[kRankMax];
  int64_t target;
  int corners;
};

void find_row(const ResizePlan& plan, int64_t row, Row* found) {
  const uint32_t last = plan.to.rank - 1;
  found->base[0] = plan.from.offset;
  found->target = plan.to.offset;
  found->corners = 1;
  int seen = static_cast<int>(plan.changed) - (plan.last_changed ? 1 : 0);
  for (uint32_t d = last; d-- > 0;) {
    const int64_t size = plan.to.shape[d];
    const int64_t i = row % size;
    row /= size;
    found->target += i * plan.to.strides[d];
    int64_t low = i * plan.from.strides[d];
    if (plan.table_of.shape[d] != 0) {
      const Neighbours& n = plan.tables[static_cast<size_t>(plan.table_of.strides[d] + i)];
      low = n.low;
      if (plan.linear) {
        found->weights[--seen] = plan.doubles ? n.weigh<double>() : n.weigh<float>();
        for (int c = 0; c < found->corners; ++c) {
          found->base[c + found->corners] = found->base[c] + n.high;
        }
      }
    }
    for (int c = 0; c < found->corners; ++c) found->base[c] += low;
    if (plan.table_of.shape[d] != 0 && plan.linear) found->corners *= 2;
  }
}

// With a weight of 0 the neighbour does not count, not even when it is infinite.
template <class V>
V between(V a, V b, V weight) {
  const V sum = a * (V(1) - weight) + b * weight;
  return weight == V(0) ? a : sum;
}

// kOuter: changed dimensions but the last, 8 for any number.
template <class E, int kOuter>
void linear_row(const ResizePlan& plan, const Row& row, const typename E::Storage* x,
                typename E::Storage* y) {
  using V = Weighed<E>;
  constexpr int kMost = 1 << kOuter;
  const int corners = kOuter < 8 ? kMost : row.corners;
  const uint32_t last = plan.to.rank - 1;
  const int64_t columns = plan.to.shape[last];
  const int64_t x_step = plan.from.strides[last];
  const int64_t y_step = plan.to.strides[last];
  const Neighbours* const table =
      plan.last_changed ? plan.tables.data() + plan.table_of.strides[last] : nullptr;
  for (int64_t column = 0; column < columns; ++column) {
    V value[kMost];
    for (int c = 0; c < corners; ++c) {
      const typename E::Storage* const place = x + row.base[c];
      if (table != nullptr) {
        const Neighbours& n = table[column];
        value[c] = between(static_cast<V>(E::load(place + n.low)),
                           static_cast<V>(E::load(place + n.high)), n.weigh<V>());
      } else {
        value[c] = static_cast<V>(E::load(place + column * x_step));
      }
    }
    for (int w = 0, half = corners / 2; half > 0; ++w, half /= 2) {
      const V weight = static_cast<V>(row.weights[w]);
      for (int c = 0; c < half; ++c) value[c] = between(value[c], value[c + half], weight);
    }
    store_weighed<E>(value[0], y + row.target + column * y_step);
  }
}

template <class T>
void nearest_row(const ResizePlan& plan, const Row& row, const T* x, T* y) {
  const uint32_t last = plan.to.rank - 1;
  const int64_t columns = plan.to.shape[last];
  const int64_t y_step = plan.to.strides[last];
  const T* const place = x + row.base[0];
  T* const target = y + row.target;
  if (plan.last_changed) {
    const Neighbours* const table = plan.tables.data() + plan.table_of.strides[last];
    for (int64_t c = 0; c < columns; ++c) target[c * y_step] = place[table[c].low];
    return;
  }
  const int64_t x_step = plan.from.strides[last];
  for (int64_t c = 0; c < columns; ++c) target[c * y_step] = place[c * x_step];
}

template <class E>
void linear_rows(const ResizePlan& plan, const NativeCall& call, int64_t first, int64_t last) {
  using Storage = typename E::Storage;
  const Storage* const from = call.at<const Storage>(0);
  Storage* const to = call.at<Storage>(1);
  const uint32_t outer = plan.changed - (plan.last_changed ? 1 : 0);
  Row row;
  for (int64_t r = first; r < last; ++r) {
    find_row(plan, r, &row);
    switch (outer) {
      case 0:
        linear_row<E, 0>(plan, row, from, to);
        break;
      case 1:
        linear_row<E, 1>(plan, row, from, to);
        break;
      case 2:
        linear_row<E, 2>(plan, row, from, to);
        break;
      default:
        linear_row<E, 8>(plan, row, from, to);
    }
  }
}

}  // namespace

void resize_natively(ResizePlan plan, const Tensor& x, const Tensor& result, const Run& run) {
  const int64_t grain = std::max<int64_t>(1, (1 << 14) / plan.to.shape[plan.to.rank - 1]);
  const netcl_dtype dtype = x.dtype();
  auto function = [plan = std::move(plan), grain, dtype](const NativeCall& call) {
    if (plan.linear) {
      netcl::cpu::with_dtype(dtype, [&](auto element) {
        call.threads.parallel_for(plan.rows, grain, [&](int64_t first, int64_t last) {
          linear_rows<decltype(element)>(plan, call, first, last);
        });
      });
      return;
    }
    with_bits(dtype_size(dtype), [&](auto zero) {
      using T = decltype(zero);
      call.threads.parallel_for(plan.rows, grain, [&](int64_t first, int64_t last) {
        Row row;
        for (int64_t r = first; r < last; ++r) {
          find_row(plan, r, &row);
          nearest_row(plan, row, call.at<const T>(0), call.at<T>(1));
        }
      });
    });
  };
  enqueue_native({reading(x), writing(result)}, run, std::move(function));
}

}  // namespace netcl::ops
