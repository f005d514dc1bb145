// Moving elements between strided memory and packed blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/layout.hpp"

namespace netcl::cpu {

template <class T>
void gather_run(void* to, const void* from, int64_t stride, int64_t count) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  if (stride == 0) {
    std::fill_n(out, count, *in);
    return;
  }
  for (int64_t i = 0; i < count; ++i) out[i] = in[i * stride];
}

template <class T>
void scatter_run(void* to, const void* from, int64_t stride, int64_t count) {
  T* const out = static_cast<T*>(to);
  const T* const in = static_cast<const T*>(from);
  for (int64_t i = 0; i < count; ++i) out[i * stride] = in[i];
}

template <class T>
void move_typed(void* to, const void* from, int64_t stride, int64_t count, bool gathers) {
  if (gathers) {
    gather_run<T>(to, from, stride, count);
  } else {
    scatter_run<T>(to, from, stride, count);
  }
}

inline void move_run(void* to, const void* from, int64_t stride, int64_t count, size_t size,
                     bool gathers) {
  switch (size) {
    case 1: return move_typed<uint8_t>(to, from, stride, count, gathers);
    case 2: return move_typed<uint16_t>(to, from, stride, count, gathers);
    case 4: return move_typed<uint32_t>(to, from, stride, count, gathers);
    default: return move_typed<uint64_t>(to, from, stride, count, gathers);
  }
}

// One of the two strides is 1.
inline void copy_run(void* to, int64_t to_stride, const void* from, int64_t from_stride,
                     int64_t count, size_t size) {
  if (to_stride == 1 && from_stride == 1) {
    // memmove, because a copy onto itself is allowed.
    std::memmove(to, from, static_cast<size_t>(count) * size);
    return;
  }
  if (to_stride == 1) {
    move_run(to, from, from_stride, count, size, true);
  } else {
    move_run(to, from, to_stride, count, size, false);
  }
}

// Visits n elements of a layout from linear index `first` on, as runs along the last dimension.
template <class Run>
void walk(const Layout& layout, int64_t first, int64_t n, const Run& run) {
  int64_t at[kRankMax] = {};
  int64_t rest = first;
  int64_t position = layout.offset;
  const uint32_t last = layout.rank - 1;
  for (uint32_t d = layout.rank; d-- > 0;) {
    at[d] = rest % layout.shape[d];
    rest /= layout.shape[d];
    position += at[d] * layout.strides[d];
  }
  int64_t done = 0;
  while (done < n) {
    const int64_t count = std::min(n - done, layout.shape[last] - at[last]);
    run(position, done, count);
    done += count;
    at[last] += count;
    position += count * layout.strides[last];
    for (uint32_t d = last; d > 0 && at[d] == layout.shape[d]; --d) {
      position += layout.strides[d - 1] - at[d] * layout.strides[d];
      at[d] = 0;
      ++at[d - 1];
    }
  }
}

// As walk, but rows of the last dimension that follow each other come together: run(position, done,
// rows, count).
template <class Run>
void walk_rows(const Layout& layout, int64_t first, int64_t n, const Run& run) {
  int64_t at[kRankMax] = {};
  int64_t rest = first;
  int64_t position = layout.offset;
  const uint32_t last = layout.rank - 1;
  for (uint32_t d = layout.rank; d-- > 0;) {
    at[d] = rest % layout.shape[d];
    rest /= layout.shape[d];
    position += at[d] * layout.strides[d];
  }
  int64_t done = 0;
  while (done < n) {
    const int64_t count = std::min(n - done, layout.shape[last] - at[last]);
    // A division costs as much as a short run.
    const bool whole = last > 0 && count == layout.shape[last] && n - done >= 2 * count;
    const int64_t rows =
        whole ? std::min((n - done) / count, layout.shape[last - 1] - at[last - 1]) : 1;
    run(position, done, rows, count);
    done += rows * count;
    uint32_t d = whole ? last - 1 : last;
    at[d] += whole ? rows : count;
    position += (whole ? rows : count) * layout.strides[d];
    for (; d > 0 && at[d] == layout.shape[d]; --d) {
      position += layout.strides[d - 1] - at[d] * layout.strides[d];
      at[d] = 0;
      ++at[d - 1];
    }
  }
}

template <class T>
void copy_columns(T* to, int64_t to_row, int64_t to_stride, const T* from, int64_t from_row,
                  int64_t from_stride, int64_t rows, int64_t count) {
  for (int64_t c = 0; c < count; ++c) {
    for (int64_t r = 0; r < rows; ++r) {
      to[r * to_row + c * to_stride] = from[r * from_row + c * from_stride];
    }
  }
}

// Rows of a block, which are packed on one of the two sides. Many short ones are copied column by
// column.
inline void copy_rows(void* to, int64_t to_row, int64_t to_stride, const void* from,
                      int64_t from_row, int64_t from_stride, int64_t rows, int64_t count,
                      size_t size) {
  const int64_t longest = to_stride == 1 && from_stride == 1 ? 16 : 32;
  if (count >= longest) {
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t bytes = static_cast<int64_t>(size) * r;
      copy_run(static_cast<std::byte*>(to) + to_row * bytes, to_stride,
               static_cast<const std::byte*>(from) + from_row * bytes, from_stride, count, size);
    }
    return;
  }
  const auto move = [&](auto zero) {
    using T = decltype(zero);
    copy_columns(static_cast<T*>(to), to_row, to_stride, static_cast<const T*>(from), from_row,
                 from_stride, rows, count);
  };
  switch (size) {
    case 1:
      return move(uint8_t{});
    case 2:
      return move(uint16_t{});
    case 4:
      return move(uint32_t{});
    default:
      return move(uint64_t{});
  }
}

}  // namespace netcl::cpu
