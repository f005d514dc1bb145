// What the convolutions of all variants share: the cuts of working memory, staging of inputs and
// filters that the loops cannot read in place, and where results go.
#pragma once

#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "backend/cpu/conv2d/conv2d_loops.hpp"
#include "backend/cpu/task_memory.hpp"
#include "core/integer.hpp"

namespace netcl::cpu::conv2d_detail {

template <class T>
inline constexpr netcl_dtype kDtypeOf = sizeof(T) == 8 ? NETCL_F64 : NETCL_F32;

size_t element_bytes(netcl_dtype dtype);

// Hands out places in working memory before it exists. Throws std::bad_alloc when a size overflows.
class Places {
 public:
  template <class T>
  size_t take(int64_t count) {
    return take_bytes(count, sizeof(T));
  }
  size_t take_bytes(int64_t count, size_t element);
  size_t bytes() const noexcept { return bytes_; }

 private:
  size_t bytes_ = 0;
};

// Calls function(item, slot) for each item, with less than `slots` at the same time.
template <class Function>
void for_each_item(ThreadPool& pool, int64_t items, unsigned slots, Function&& function) {
  Slots free_slots(slots);
  pool.parallel_for(items, 1, [&](int64_t first, int64_t last) {
    const unsigned slot = free_slots.take();
    for (int64_t item = first; item < last; ++item) function(item, slot);
    free_slots.give(slot);
  });
}

// Filters as the rows of a matrix whose depth has one stride.
struct FilterRows {
  const void* data = nullptr;
  int64_t row_stride = 0;
  int64_t depth_stride = 1;
  netcl_dtype dtype = NETCL_F32;

  const void* at(int64_t row, int64_t depth) const {
    return static_cast<const char*>(data) +
           (row * row_stride + depth * depth_stride) * static_cast<int64_t>(element_bytes(dtype));
  }
};

// A convolution over planes with a unit stride: x is read in place when it is that, and else
// converted to it, some images at a time.
template <class T>
class PlanarWork : public Conv2dWork {
 public:
  void run(std::byte* memory, ThreadPool& pool) const final;

 protected:
  PlanarWork(const Conv2dTask& task, unsigned threads);

  // Packs what all images share.
  virtual void prepare(std::byte* memory, ThreadPool& pool) const = 0;
  // Does the images from `first` on; image 0 of the planes is `first`.
  virtual void images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
                      ThreadPool& pool) const = 0;

  // The outputs of `count` images in a row, from `first` on, as runs of columns from 0 on. Each
  // list has room for `columns` runs. Returns the numbers of runs.
  struct RunCounts {
    int64_t pixels;
    int64_t results;
  };
  RunCounts runs(const Planes<T>& planes, int64_t first_image, int64_t first, int64_t columns,
                 PixelRun<T>* pixels, OutRun* results) const;

  Finish<T> finish() const;
  Window window(const Planes<T>& planes) const;
  FilterRows filter_rows(const std::byte* memory) const;
  // True when filter_rows() gives numbers of T with a unit stride.
  bool filters_along_depth() const {
    return filters_staged_ || (task_.w.dtype == kDtypeOf<T> && filter_depth_stride_ == 1);
  }
  OutRun out_run(int64_t image, int64_t y, int64_t x, int64_t column, int64_t count) const;

  const Conv2dKernels<T>& kernels_;
  const gemm_detail::KernelSet<T>& set_;
  Conv2dTask task_;  // a 1 x 1 filter over whole planes sees them as one row
  unsigned threads_;
  int64_t depth_ = 0;        // products per output
  int64_t out_pixels_ = 0;   // per image
  int64_t images_most_ = 0;  // that images() gets at a time
  Places places_;

 private:
  void stage_filters(std::byte* memory, ThreadPool& pool) const;
  void stage_images(int64_t first, int64_t count, T* target, ThreadPool& pool) const;
  void join_rows();

  int64_t size_[2] = {0, 0};  // of x as it was given
  bool staged_ = false;
  bool filters_staged_ = false;
  bool results_joined_ = false;  // the rows of a result follow each other
  int64_t filter_depth_stride_ = 1;
  size_t stage_place_ = 0;
  size_t filters_place_ = 0;
};

std::unique_ptr<Conv2dWork> make_naive(const Conv2dTask& task);
template <class T>
std::unique_ptr<Conv2dWork> make_im2col(const Conv2dTask& task, unsigned threads);
template <class T>
std::unique_ptr<Conv2dWork> make_implicit_gemm(const Conv2dTask& task, unsigned threads);
template <class T>
std::unique_ptr<Conv2dWork> make_direct(const Conv2dTask& task, unsigned threads);
template <class T>
std::unique_ptr<Conv2dWork> make_winograd(const Conv2dTask& task, unsigned threads);

}  // namespace netcl::cpu::conv2d_detail
