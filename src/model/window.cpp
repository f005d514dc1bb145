#include "model/window.hpp"

#include <algorithm>

namespace netcl::model {

namespace {

uint32_t sides_of(const Tensor& image) {
  const uint32_t rank = image.layout().rank;
  if (rank == 3 || rank == 4) return rank - 2;
  fail(rank < 3 ? NETCL_ERROR_INVALID_ARGUMENT : NETCL_ERROR_UNSUPPORTED,
       "an image has shape %s; netcl has windows over one and two dimensions",
       shape_text(image).c_str());
}

// Padding by which a result has the extent ceil(extent / stride).
void pad_same(const Window& window, size_t side, int64_t extent, bool upper, int64_t* before,
              int64_t* after) {
  const int64_t stride = window.strides[side];
  const int64_t results = (extent + stride - 1) / stride;
  const int64_t all = std::max<int64_t>(0, (results - 1) * stride + window.reach(side) - extent);
  *before = upper ? all / 2 : all - all / 2;
  *after = all - *before;
}

}  // namespace

std::array<int64_t, 2> side_numbers(const Call& call, const char* name, uint32_t sides,
                                    int64_t fallback) {
  const std::vector<int64_t> given = call.integers(name);
  std::array<int64_t, 2> numbers = {fallback, fallback};
  if (given.empty()) return numbers;
  if (given.size() != sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has %zu numbers; the image has %u sides", name,
         given.size(), sides);
  }
  for (uint32_t i = 0; i < sides; ++i) {
    if (given[i] < 0 || given[i] > INT32_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has the number %lld", name,
           static_cast<long long>(given[i]));
    }
    numbers[2 - sides + i] = given[i];
  }
  if (sides == 1) numbers[0] = fallback;
  return numbers;
}

Window window_of(const Call& call, const Tensor& image, const std::vector<int64_t>& kernel) {
  const uint32_t sides = sides_of(image);
  Window window;
  for (uint32_t i = 0; i < sides; ++i) {
    if (image.layout().shape[2 + i] <= INT32_MAX) continue;
    fail(NETCL_ERROR_UNSUPPORTED, "an image has shape %s; its sides are at most 2^31 - 1",
         shape_text(image).c_str());
  }
  if (kernel.size() != sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a kernel of %zu sides meets an image of shape %s",
         kernel.size(), shape_text(image).c_str());
  }
  for (uint32_t i = 0; i < sides; ++i) {
    if (kernel[i] < 1 || kernel[i] > INT32_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "a kernel has the extent %lld",
           static_cast<long long>(kernel[i]));
    }
    window.kernel[2 - sides + i] = kernel[i];
  }
  window.strides = side_numbers(call, "strides", sides, 1);
  window.dilations = side_numbers(call, "dilations", sides, 1);
  for (size_t side = 0; side < 2; ++side) {
    if (window.strides[side] >= 1 && window.dilations[side] >= 1) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a stride or a dilation is 0");
  }
  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (automatic.starts_with("SAME")) {
    for (uint32_t side = 2 - sides; side < 2; ++side) {
      pad_same(window, side, image.layout().shape[side + sides], automatic == "SAME_UPPER",
               &window.padding[side], &window.padding[2 + side]);
    }
    return window;
  }
  const std::vector<int64_t> pads = call.integers("pads");
  if (automatic == "VALID" || pads.empty()) return window;
  if (pads.size() != 2 * sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads has %zu numbers; the image has %u sides", pads.size(),
         sides);
  }
  for (const int64_t pad : pads) {
    if (pad >= -INT32_MAX && pad <= INT32_MAX) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads has the number %lld", static_cast<long long>(pad));
  }
  for (uint32_t i = 0; i < sides; ++i) {
    window.padding[2 - sides + i] = pads[i];
    window.padding[4 - sides + i] = pads[sides + i];
  }
  return window;
}

TensorRef as_planes(const Call& call, const TensorRef& image) {
  if (image->layout().rank != 3) return image;
  const auto& shape = image->layout().shape;
  const int64_t planes[4] = {shape[0], shape[1], 1, shape[2]};
  return call.reshaped(image, planes);
}

TensorRef from_planes(const Call& call, const TensorRef& planes, uint32_t rank) {
  if (rank != 3) return planes;
  const auto& shape = planes->layout().shape;
  const int64_t image[3] = {shape[0], shape[1], shape[3]};
  return call.reshaped(planes, image);
}

std::string refuse_window(const NodeFacts& node) {
  const std::string automatic = node.text("auto_pad", "NOTSET");
  for (const char* known : {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}) {
    if (automatic == known) return "";
  }
  return "auto_pad " + shown(automatic);
}

}  // namespace netcl::model
