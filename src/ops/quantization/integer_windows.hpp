// A convolution of integers as products: for each group of channels the filters are a matrix, and
// the windows of an image are the columns of another.
#pragma once

#include "ops/quantization/qlinear.hpp"

namespace netcl::ops {

class IntegerConvolution {
 public:
  // Checks everything but what the result is written to. `op` is for messages.
  IntegerConvolution(const char* op, const TensorRef& x, const TensorRef& w,
                     const IntegerConv2dSettings& settings, const TensorRef& into, const Run& run);

  // N, F, OH, OW.
  const std::array<int64_t, 4>& shape() const noexcept { return shape_; }
  int64_t depth() const noexcept { return depth_; }
  // Decides how many images are done at a time, and makes the memory for them.
  void prepare(const Run& run);
  int64_t images() const noexcept { return images_; }
  // Images `first` to first + target's extent: the sums and, where there is one, the bias.
  void sums(int64_t first, const TensorRef& bias, const Tensor& target, const Run& run) const;

 private:
  TensorRef padded(int64_t first, int64_t count, const Run& run) const;
  TensorRef columns(int64_t first, int64_t count, const Run& run) const;
  TensorRef columns_where_they_lie(const Tensor& images, int64_t count) const;
  Layout columns_layout(int64_t count) const;
  Layout windows(const Layout& image, int64_t count) const;

  const TensorRef x_;
  const TensorRef w_;
  const IntegerConv2dSettings settings_;
  std::array<int64_t, 4> shape_{};
  int64_t depth_ = 0;  // K: channels of a group times the elements of a window
  int64_t images_ = 1;
  TensorRef filters_;  // [G, F / G, K]
  TensorRef padding_;  // [images, C, H', W'], null without padding
  TensorRef columns_;  // [images, G, C / G, KH, KW, OH, OW], null where windows need no copy
};

// Fails unless a tensor has one element, or one for each filter.
void require_per_filter(const Tensor& tensor, const char* argument, int64_t filters);
// Images [first, first + count) of a tensor, along its first dimension.
TensorRef images_of(const Tensor& tensor, int64_t first, int64_t count);

}  // namespace netcl::ops
