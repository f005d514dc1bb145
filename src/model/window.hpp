// Windows that slide over images: of convolutions and pooling.
#pragma once

#include "model/node_call.hpp"

namespace netcl::model {

// Along the first of three sides.
struct WindowDepth {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t before = 0;
  int64_t after = 0;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

// An image of one dimension is one of two whose height is 1.
struct Window {
  std::array<int64_t, 2> kernel = {1, 1};
  std::array<int64_t, 2> strides = {1, 1};
  std::array<int64_t, 2> dilations = {1, 1};
  std::array<int64_t, 4> padding = {0, 0, 0, 0};  // top, left, bottom, right
  WindowDepth depth;                              // of images of three dimensions

  int64_t reach(size_t side) const { return (kernel[side] - 1) * dilations[side] + 1; }
};

// What the attributes of a node say for an image [N, C, ...] and a kernel of this shape, both of up
// to three dimensions.
Window window_of(const Call& call, const Tensor& image, const std::vector<int64_t>& kernel);
// An image, or filters, of one dimension as one of two; the same back.
TensorRef as_planes(const Call& call, const TensorRef& image);
// Fails with UNSUPPORTED for an image of three dimensions.
void require_planes(const Tensor& image);
TensorRef from_planes(const Call& call, const TensorRef& planes, uint32_t rank);

// Numbers along the sides of an image, depth, height and width, of which there are as many as the
// attribute has to have.
std::array<int64_t, 3> side_numbers(const Call& call, const char* name, uint32_t sides,
                                    int64_t fallback);
// Attributes of windows that are not known.
std::string refuse_window(const NodeFacts& node);

}  // namespace netcl::model
