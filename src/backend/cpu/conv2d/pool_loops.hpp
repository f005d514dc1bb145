// pooling of the built-in device.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

inline constexpr int64_t kPoolChunk = 32768;  // taps that a thread takes at a time

// Along one of the three dimensions.
struct PoolAxis {
  int64_t extent = 0;
  int64_t result = 0;
  int64_t window = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t before = 0;  // padding
  int64_t after = 0;

  // The taps of window `index` that lie in [low, high): first to last, half open.
  struct Taps {
    int64_t first;
    int64_t last;
    int64_t count() const { return last > first ? last - first : 0; }
  };
  int64_t begin(int64_t index) const { return index * stride - before; }
  Taps taps(int64_t index, int64_t low, int64_t high) const {
    const int64_t from = begin(index);
    const auto steps = [&](int64_t distance) {
      if (distance <= 0) return int64_t{0};
      return dilation == 1 ? distance : (distance + dilation - 1) / dilation;
    };
    const int64_t first = steps(low - from);
    const int64_t last = steps(high - from);
    return {first < window ? first : window, last < window ? last : window};
  }
  Taps inside(int64_t index) const { return taps(index, 0, extent); }
  // There is nothing to go over.
  bool is_flat() const { return window == 1 && is_whole(); }
  // No window reaches beyond the elements.
  bool is_whole() const {
    return before == 0 && begin(result - 1) + (window - 1) * dilation < extent;
  }
  // What an average divides by.
  int64_t counted(int64_t index, bool padding) const {
    return padding ? taps(index, -before, extent + after).count() : inside(index).count();
  }
};

// How the places of maxima are counted: within a plane in C order, the number of its elements
// standing for none; over the whole tensor, in planes by rows or by columns, -1 standing for none.
enum class PoolPlaces { in_plane, by_rows, by_columns };

// Of [N, C, D, H, W].
struct PoolAxes {
  PoolAxis depth;
  PoolAxis vertical;
  PoolAxis horizontal;

  int64_t window() const { return depth.window * vertical.window * horizontal.window; }
};

struct PoolTask : PoolAxes {
  const void* x_data = nullptr;
  void* y_data = nullptr;
  Layout x;  // [N, C, D, H, W]
  Layout y;
  netcl_dtype dtype = NETCL_F32;
  bool adds = false;     // sums, or what is made of them; else maxima
  bool average = false;  // of sums: they are divided
  bool count_padding = false;
  PoolPlaces places = PoolPlaces::in_plane;
};

void pool(const PoolTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
