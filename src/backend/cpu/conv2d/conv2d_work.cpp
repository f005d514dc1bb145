#include "backend/cpu/conv2d/conv2d_work.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "backend/cpu/cache_line.hpp"

namespace netcl::cpu::conv2d_detail {

namespace {

// Converted images take about this much at a time, or one image.
constexpr int64_t kStagedBytes = int64_t{32} << 20;

// The stride of three dimensions that follow each other in memory; false when they do not.
bool join_dimensions(const int64_t* extents, const int64_t* strides, int64_t* stride) {
  *stride = 1;
  int64_t expected = 0;
  bool seen = false;
  for (int d = 2; d >= 0; --d) {
    if (extents[d] == 1) continue;
    if (!seen) {
      *stride = strides[d];
    } else if (strides[d] != expected) {
      return false;
    }
    seen = true;
    expected = strides[d] * extents[d];
  }
  return true;
}

}  // namespace

size_t element_bytes(netcl_dtype dtype) {
  return dtype == NETCL_F64 ? 8 : dtype == NETCL_F32 ? 4 : 2;
}

size_t Places::take_bytes(int64_t count, size_t element) {
  const size_t place = bytes_;
  size_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(static_cast<size_t>(count), element, &bytes) ||
      __builtin_add_overflow(bytes, bytes_ + kCacheLine - 1, &bytes)) {
    throw std::bad_alloc();
  }
  bytes_ = bytes / kCacheLine * kCacheLine;
  return place;
}

template <class T>
PlanarWork<T>::PlanarWork(const Conv2dTask& task, unsigned threads)
    : kernels_(conv2d_kernels<T>()),
      set_(gemm_detail::kernels<T>()),
      task_(task),
      threads_(std::max(threads, 1u)) {
  std::copy(task.size, task.size + 2, size_);
  depth_ = task.channels * task.kernel[0] * task.kernel[1];
  out_pixels_ = task.out[0] * task.out[1];
  images_most_ = task.batch;
  staged_ = task.x.dtype != kDtypeOf<T> || (task.x.strides[3] != 1 && task.size[1] > 1);
  if (staged_) {
    int64_t image = 0;
    if (__builtin_mul_overflow(task.groups * task.channels, task.size[0], &image) ||
        __builtin_mul_overflow(image, task.size[1], &image)) {
      throw std::bad_alloc();
    }
    const int64_t block = std::max<int64_t>(kStagedBytes / static_cast<int64_t>(sizeof(T)), image);
    images_most_ = std::clamp<int64_t>(block / image, 1, task.batch);
    stage_place_ = places_.take<T>(images_most_ * image);
  }
  const int64_t extents[3] = {task.channels, task.kernel[0], task.kernel[1]};
  filters_staged_ = !join_dimensions(extents, task.w.strides + 1, &filter_depth_stride_);
  if (filters_staged_) {
    filters_place_ = places_.take<T>(task.groups * task.filters * depth_);
  }
  join_rows();
}

template <class T>
void PlanarWork<T>::join_rows() {
  const auto joined = [](const Conv2dArray& array, int64_t height, int64_t width) {
    return height == 1 || array.strides[2] == width * array.strides[3];
  };
  const bool residual = task_.residual.data != nullptr;
  results_joined_ = joined(task_.result, task_.out[0], task_.out[1]) &&
                    (!residual || joined(task_.residual, task_.out[0], task_.out[1]));
  const bool whole = task_.kernel[0] == 1 && task_.kernel[1] == 1 && task_.strides[0] == 1 &&
                     task_.strides[1] == 1 && task_.padding[0] == 0 && task_.padding[1] == 0 &&
                     task_.out[0] == task_.size[0] && task_.out[1] == task_.size[1];
  if (!whole || !results_joined_ || !(staged_ || joined(task_.x, task_.size[0], task_.size[1]))) {
    return;
  }
  task_.size[1] *= task_.size[0];
  task_.out[1] *= task_.out[0];
  task_.size[0] = 1;
  task_.out[0] = 1;
}

template <class T>
void PlanarWork<T>::run(std::byte* memory, ThreadPool& pool) const {
  if (filters_staged_) stage_filters(memory, pool);
  prepare(memory, pool);
  for (int64_t first = 0; first < task_.batch; first += images_most_) {
    const int64_t count = std::min(images_most_, task_.batch - first);
    Planes<T> planes;
    if (staged_) {
      T* const target = reinterpret_cast<T*>(memory + stage_place_);
      stage_images(first, count, target, pool);
      planes = {target, task_.groups * task_.channels * size_[0] * size_[1], size_[0] * size_[1],
                size_[1]};
    } else {
      const Conv2dArray& x = task_.x;
      planes = {static_cast<const T*>(x.data) + first * x.strides[0], x.strides[0], x.strides[1],
                x.strides[2]};
    }
    images(planes, first, count, memory, pool);
  }
}

template <class T>
void PlanarWork<T>::stage_filters(std::byte* memory, ThreadPool& pool) const {
  const Conv2dArray& w = task_.w;
  T* const target = reinterpret_cast<T*>(memory + filters_place_);
  const int64_t taps = task_.kernel[0] * task_.kernel[1];
  const int64_t size = static_cast<int64_t>(element_bytes(w.dtype));
  pool.parallel_for(task_.groups * task_.filters, 16, [&](int64_t begin, int64_t end) {
    for (int64_t f = begin; f < end; ++f) {
      for (int64_t ky = 0; ky < task_.kernel[0]; ++ky) {
        kernels_.stage(
            w.dtype,
            static_cast<const char*>(w.data) + (f * w.strides[0] + ky * w.strides[2]) * size,
            w.strides[1], w.strides[3], task_.channels, task_.kernel[1],
            target + f * depth_ + ky * task_.kernel[1], taps);
      }
    }
  });
}

template <class T>
void PlanarWork<T>::stage_images(int64_t first, int64_t count, T* target, ThreadPool& pool) const {
  constexpr int64_t kChannels = 16;
  const Conv2dArray& x = task_.x;
  const int64_t channels = task_.groups * task_.channels;
  const int64_t blocks = ceil_div(channels, kChannels);
  const int64_t plane = size_[0] * size_[1];
  const int64_t size = static_cast<int64_t>(element_bytes(x.dtype));
  const bool joined = size_[0] == 1 || x.strides[2] == size_[1] * x.strides[3];
  const int64_t rows = joined ? 1 : size_[0];
  const int64_t columns = joined ? plane : size_[1];
  pool.parallel_for(count * blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t image = item / blocks;
      const int64_t channel = item % blocks * kChannels;
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t at =
            (first + image) * x.strides[0] + channel * x.strides[1] + row * x.strides[2];
        kernels_.stage(x.dtype, static_cast<const char*>(x.data) + at * size, x.strides[1],
                       x.strides[3], std::min(kChannels, channels - channel), columns,
                       target + (image * channels + channel) * plane + row * size_[1], plane);
      }
    }
  });
}

template <class T>
FilterRows PlanarWork<T>::filter_rows(const std::byte* memory) const {
  if (filters_staged_) return {memory + filters_place_, depth_, 1, kDtypeOf<T>};
  return {task_.w.data, task_.w.strides[0], filter_depth_stride_, task_.w.dtype};
}

template <class T>
Finish<T> PlanarWork<T>::finish() const {
  const Conv2dArray& result = task_.result;
  const Conv2dArray& residual = task_.residual;
  // Runs of one element have no stride to keep.
  const bool single = out_pixels_ == 1 || (task_.out[1] == 1 && !results_joined_);
  return {result.dtype,
          result.data,
          result.strides[1],
          single ? 1 : result.strides[3],
          residual.data,
          residual.strides[1],
          single ? 1 : residual.strides[3],
          static_cast<const T*>(task_.scale),
          static_cast<const T*>(task_.shift),
          task_.activation,
          static_cast<T>(task_.alpha),
          static_cast<T>(task_.beta)};
}

template <class T>
Window PlanarWork<T>::window(const Planes<T>& planes) const {
  return {{task_.size[0], task_.size[1]},
          planes.channel,
          planes.row,
          {task_.kernel[0], task_.kernel[1]},
          {task_.dilations[0], task_.dilations[1]},
          task_.strides[1]};
}

template <class T>
OutRun PlanarWork<T>::out_run(int64_t image, int64_t y, int64_t x, int64_t column,
                              int64_t count) const {
  const auto at = [&](const Conv2dArray& array) {
    return image * array.strides[0] + y * array.strides[2] + x * array.strides[3];
  };
  return {column, count, at(task_.result), at(task_.residual)};
}

template <class T>
auto PlanarWork<T>::runs(const Planes<T>& planes, int64_t first_image, int64_t first,
                         int64_t columns, PixelRun<T>* pixels, OutRun* results) const -> RunCounts {
  const int64_t width = task_.out[1];
  RunCounts counts{0, 0};
  for (int64_t column = 0; column < columns;) {
    const int64_t image = (first + column) / out_pixels_;
    const int64_t pixel = (first + column) % out_pixels_;
    const int64_t y = pixel / width;
    const int64_t x = pixel % width;
    const int64_t count = std::min(width - x, columns - column);
    pixels[counts.pixels++] = {column, count, planes.data + image * planes.image,
                               y * task_.strides[0] - task_.padding[0],
                               x * task_.strides[1] - task_.padding[1]};
    if (results_joined_ && y > 0 && counts.results > 0) {
      results[counts.results - 1].count += count;
    } else {
      results[counts.results++] = out_run(first_image + image, y, x, column, count);
    }
    column += count;
  }
  return counts;
}

template class PlanarWork<float>;
template class PlanarWork<double>;

}  // namespace netcl::cpu::conv2d_detail

namespace netcl::cpu {

using namespace conv2d_detail;

namespace {

template <class T>
std::unique_ptr<Conv2dWork> make_typed(const Conv2dTask& task, unsigned threads) {
  switch (task.variant) {
    case NETCL_VARIANT_CONV2D_IM2COL:
      return make_im2col<T>(task, threads);
    case NETCL_VARIANT_CONV2D_TILED_LOCAL:
      return make_direct<T>(task, threads);
    case NETCL_VARIANT_CONV2D_WINOGRAD:
      return make_winograd<T>(task, threads);
    default:
      break;
  }
  // With few filters or channels copying the input to columns would cost too much beside the
  // products.
  const bool few = task.channels == 1 || task.filters <= 2 ||
                   (task.channels <= 4 && task.kernel[0] * task.kernel[1] > 1);
  const bool direct =
      few && conv2d_tile_elements(task.channels, task.kernel, task.strides, task.dilations,
                                  task.out[1]) <= kConv2dTileElementsMax;
  return direct ? make_direct<T>(task, threads) : make_implicit_gemm<T>(task, threads);
}

}  // namespace

std::unique_ptr<Conv2dWork> make_conv2d(const Conv2dTask& task, unsigned threads) {
  // Images without elements have no planes to speak of; every sum is 0.
  if (task.variant == NETCL_VARIANT_CONV2D_NAIVE || task.x.data == nullptr) {
    return make_naive(task);
  }
  return task.x.dtype == NETCL_F64 ? make_typed<double>(task, threads)
                                   : make_typed<float>(task, threads);
}

}  // namespace netcl::cpu
