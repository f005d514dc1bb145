#include "backend/cpu/move/sample_loops.hpp"

#include <algorithm>
#include <bit>

#include "backend/cpu/element.hpp"
#include "backend/cpu/task_memory.hpp"

namespace netcl::cpu {

namespace {

// Places that are made ready at once, and channels that they are used for.
constexpr int64_t kSampleBlock = 256;
constexpr int64_t kSampleChannels = 64;
constexpr int64_t kSampleTogether = 4;

// E is x's element, W what weights are.
template <class E, class W>
class Sampler {
 public:
  using Storage = typename E::Storage;
  using V = typename E::Compute;

  Sampler(const SampleTask& task, ThreadPool& threads) : task_(task), threads_(threads) {
    for (const int64_t taps : task.taps) combinations_ *= std::max<int64_t>(taps, 1);
  }

  void run() const {
    const int64_t blocks = (task_.y.shape[2] + kSampleBlock - 1) / kSampleBlock;
    const int64_t groups = (task_.y.shape[1] + kSampleChannels - 1) / kSampleChannels;
    threads_.parallel_for(task_.y.shape[0] * groups * blocks, 1, [&](int64_t first, int64_t last) {
      const auto count = static_cast<size_t>(combinations_ * kSampleBlock);
      const ScratchArray<int64_t> places(threads_, count);
      const ScratchArray<V> weights(threads_, count);
      const ScratchArray<V> sums(threads_, static_cast<size_t>(kSampleTogether * kSampleBlock));
      for (int64_t at = first; at < last; ++at) {
        const int64_t block = at % blocks, group = at / blocks % groups;
        run_block(at / blocks / groups, group * kSampleChannels, block * kSampleBlock,
                  places.data(), weights.data(), sums.data());
      }
    });
  }

 private:
  // Places in memory and weights of all combinations; an element outside has the place -1.
  bool combine(int64_t batch, int64_t begin, int64_t count, int64_t* places, V* weights) const {
    bool inside = true;
    for (int64_t c = 0; c < combinations_; ++c) {
      int64_t* const place = places + c * kSampleBlock;
      V* const weight = weights + c * kSampleBlock;
      int64_t rest = c, first = combinations_;
      size_t tap = 0;
      for (size_t axis = 0; axis < kSampleAxesMost && task_.taps[axis] > 0; ++axis) {
        first /= task_.taps[axis];
        const size_t chosen = tap + static_cast<size_t>(rest / first);
        rest %= first;
        tap += static_cast<size_t>(task_.taps[axis]);
        const int64_t from = batch * task_.y.shape[2] + begin;
        const int64_t* const p = task_.places[chosen] + from;
        const W* const w = static_cast<const W*>(task_.weights[chosen]) + from;
        for (int64_t i = 0; i < count; ++i) {
          place[i] = axis == 0 ? p[i] : place[i] + p[i];
          weight[i] = axis == 0 ? static_cast<V>(w[i]) : weight[i] * static_cast<V>(w[i]);
        }
      }
      for (int64_t i = 0; i < count; ++i) {
        const bool there = place[i] >= 0 && place[i] < task_.x.shape[2];
        inside = inside && there;
        place[i] = there ? place[i] * task_.x.strides[2] : -1;
      }
    }
    return inside;
  }

  void run_block(int64_t batch, int64_t channel, int64_t begin, int64_t* places, V* weights,
                 V* sums) const {
    const int64_t count = std::min(kSampleBlock, task_.y.shape[2] - begin);
    const int64_t last = std::min(channel + kSampleChannels, task_.y.shape[1]);
    const bool inside = combine(batch, begin, count, places, weights);
    while (channel < last) {
      const int64_t together =
          combinations_ == 4 && last - channel >= kSampleTogether ? kSampleTogether : 1;
      const Storage* const x = static_cast<const Storage*>(task_.x_data) + task_.x.offset +
                               batch * task_.x.strides[0] + channel * task_.x.strides[1];
      V* const y = static_cast<V*>(task_.y_data) + task_.y.offset + batch * task_.y.strides[0] +
                   channel * task_.y.strides[1] + begin * task_.y.strides[2];
      V* to[kSampleTogether];
      const bool packed = task_.y.strides[2] == 1;
      for (int64_t c = 0; c < together; ++c) {
        to[c] = packed ? y + c * task_.y.strides[1] : sums + c * kSampleBlock;
      }
      if (combinations_ != 4) {
        add_all(x, count, places, weights, to[0]);
      } else if (together == 1) {
        add_four<1, true>(x, count, places, weights, to);
      } else if (inside) {
        add_four<kSampleTogether, false>(x, count, places, weights, to);
      } else {
        add_four<kSampleTogether, true>(x, count, places, weights, to);
      }
      for (int64_t c = 0; !packed && c < together; ++c) {
        for (int64_t i = 0; i < count; ++i) {
          y[c * task_.y.strides[1] + i * task_.y.strides[2]] = to[c][i];
        }
      }
      channel += together;
    }
  }

  // Linear sums of two axes: what is known of a place is used for several channels. An element
  // outside is read at the beginning of the plane, and its bits are taken away.
  template <int64_t kChannels, bool kMasked>
  void add_four(const Storage* x, int64_t count, const int64_t* places, const V* weights,
                V* const* to) const {
    using Bits = std::conditional_t<sizeof(V) == 8, uint64_t, uint32_t>;
    for (int64_t i = 0; i < count; ++i) {
      int64_t place[4];
      Bits mask[4];
      V weight[4];
      for (int64_t t = 0; t < 4; ++t) {
        const int64_t outside = places[t * kSampleBlock + i] >> 63;
        place[t] = places[t * kSampleBlock + i] & ~outside;
        mask[t] = static_cast<Bits>(~outside);
        weight[t] = weights[t * kSampleBlock + i];
      }
      for (int64_t c = 0; c < kChannels; ++c) {
        const Storage* const plane = x + c * task_.x.strides[1];
        V sum = 0;
        for (int64_t t = 0; t < 4; ++t) {
          V value = E::load(plane + place[t]);
          if constexpr (kMasked) value = std::bit_cast<V>(std::bit_cast<Bits>(value) & mask[t]);
          const V part = value * weight[t];
          sum = t == 0 ? part : sum + part;
        }
        to[c][i] = sum;
      }
    }
  }

  void add_all(const Storage* x, int64_t count, const int64_t* places, const V* weights,
               V* to) const {
    for (int64_t c = 0; c < combinations_; ++c) {
      const int64_t* const place = places + c * kSampleBlock;
      const V* const weight = weights + c * kSampleBlock;
      for (int64_t i = 0; i < count; ++i) {
        const V value = place[i] < 0 ? V(0) : E::load(x + place[i]);
        const V part = value * weight[i];
        to[i] = c == 0 ? part : to[i] + part;
      }
    }
  }

  const SampleTask& task_;
  ThreadPool& threads_;
  int64_t combinations_ = 1;
};

}  // namespace

void sample(const SampleTask& task, ThreadPool& threads) {
  with_float(task.dtype, [&](auto element) {
    using E = decltype(element);
    if (task.weights_dtype == NETCL_F64) {
      Sampler<E, double>(task, threads).run();
    } else {
      Sampler<E, float>(task, threads).run();
    }
  });
}

}  // namespace netcl::cpu
