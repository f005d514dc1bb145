#include <algorithm>

#include "backend/cpu/element.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/scatter_plan.hpp"

namespace netcl::ops {

namespace {

// Lines that lie beside each other are taken together, so that memory is gone over in order.
constexpr int64_t kChunk = 64;

// One part of a chunk of lines; put(target, update) does what the mode says.
template <class Y, class X, class I, class Put>
void scatter_part(const ScatterPlan& plan, Y* y, const I* indices, const X* updates, int64_t chunk,
                  int64_t part, const Put& put) {
  const int64_t low = part * plan.extent / plan.parts;
  const int64_t high = (part + 1) * plan.extent / plan.parts;
  const int64_t first = chunk * kChunk;
  const int64_t width = std::min(kChunk, plan.lines - first);
  Y* ys[kChunk];
  const I* is[kChunk];
  const X* us[kChunk];
  for (int64_t c = 0; c < width; ++c) {
    ys[c] = y + plan.to.offset + element_at(plan.to, first + c);
    is[c] = indices + plan.indices.offset + element_at(plan.indices, first + c);
    us[c] = updates + plan.from.offset + element_at(plan.from, first + c);
  }
  for (int64_t t = 0; t < plan.count; ++t) {
    for (int64_t c = 0; c < width; ++c) {
      int64_t k = is[c][t * plan.index_stride];
      if (k < 0) k += plan.extent;
      if (k < low || k >= high) continue;
      put(ys[c] + k * plan.y_stride, us[c] + t * plan.from_stride);
    }
  }
}

template <class Y, class X, class I, class Put>
void scatter_all(const ScatterPlan& plan, Y* y, const I* indices, const X* updates,
                 netcl::cpu::ThreadPool& threads, const Put& put) {
  const int64_t chunks = (plan.lines + kChunk - 1) / kChunk;
  const int64_t work = std::max<int64_t>(1, plan.count * std::min(kChunk, plan.lines));
  threads.parallel_for(chunks * plan.parts, std::max<int64_t>(1, (1 << 14) / work),
                       [&](int64_t first, int64_t last) {
                         for (int64_t row = first; row < last; ++row) {
                           scatter_part(plan, y, indices, updates, row / plan.parts,
                                        row % plan.parts, put);
                         }
                       });
}

// Sums and products wrap around, which only unsigned types may do in C++.
template <netcl_scatter_mode mode, class T>
T combined(T a, T b) {
  if constexpr (mode == NETCL_SCATTER_MAX) {
    return a > b || a != a ? a : b;
  } else if constexpr (mode == NETCL_SCATTER_MIN) {
    return a < b || a != a ? a : b;
  } else if constexpr (std::is_floating_point_v<T>) {
    return mode == NETCL_SCATTER_MUL ? a * b : a + b;
  } else {
    const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<T>(mode == NETCL_SCATTER_MUL ? x * y : x + y);
  }
}

// The memory of the command is the updates, the indices and the target.
template <netcl_scatter_mode mode, class I>
void scatter_typed(const ScatterPlan& plan, netcl_dtype dtype, const NativeCall& call) {
  const I* const indices = call.at<const I>(1);
  netcl::cpu::ThreadPool& threads = call.threads;
  if constexpr (mode == NETCL_SCATTER_ASSIGN) {
    with_bits(dtype_size(dtype), [&](auto zero) {
      using T = decltype(zero);
      scatter_all(plan, call.at<T>(2), indices, call.at<const T>(0), threads,
                  [](T* place, const T* update) { *place = *update; });
    });
  } else {
    netcl::cpu::with_dtype(dtype, [&](auto element) {
      using X = decltype(element);
      using Y = std::conditional_t<sizeof(typename X::Storage) == 2 &&
                                       std::is_same_v<typename X::Compute, float>,
                                   netcl::cpu::F32, X>;
      using Storage = typename Y::Storage;
      scatter_all(plan, call.at<Storage>(2), indices, call.at<const typename X::Storage>(0),
                  threads, [](Storage* place, const typename X::Storage* update) {
                    using C = typename Y::Compute;
                    Y::store(combined<mode, C>(Y::load(place), X::load(update)), place);
                  });
    });
  }
}

template <netcl_scatter_mode mode>
void enqueue_scatter(const ScatterPlan& plan, const Tensor& target, const Tensor& indices,
                     const Tensor& updates, const Run& run) {
  enqueue_native(
      {reading(updates), reading(indices), writing(target)}, run,
      [plan, dtype = updates.dtype(), wide = indices.dtype() == NETCL_I64](const NativeCall& call) {
        if (wide) {
          scatter_typed<mode, int64_t>(plan, dtype, call);
        } else {
          scatter_typed<mode, int32_t>(plan, dtype, call);
        }
      });
}

}  // namespace

void scatter_natively(const ScatterPlan& plan, const Tensor& target, const Tensor& indices,
                      const Tensor& updates, const Run& run) {
  const auto enqueue = [&]<netcl_scatter_mode mode>() {
    enqueue_scatter<mode>(plan, target, indices, updates, run);
  };
  switch (plan.mode) {
    default:
      return enqueue.template operator()<NETCL_SCATTER_ASSIGN>();
    case NETCL_SCATTER_ADD:
      return enqueue.template operator()<NETCL_SCATTER_ADD>();
    case NETCL_SCATTER_MUL:
      return enqueue.template operator()<NETCL_SCATTER_MUL>();
    case NETCL_SCATTER_MAX:
      return enqueue.template operator()<NETCL_SCATTER_MAX>();
    case NETCL_SCATTER_MIN:
      return enqueue.template operator()<NETCL_SCATTER_MIN>();
  }
}

}  // namespace netcl::ops
