#include "model/window.hpp"

#include <algorithm>

namespace netcl::model {

namespace {

using Sides = std::array<int64_t, 3>;

uint32_t sides_of(const Tensor& image) {
  const uint32_t rank = image.layout().rank;
  if (rank < 3 || rank > 5) {
    fail(rank < 3 ? NETCL_ERROR_INVALID_ARGUMENT : NETCL_ERROR_UNSUPPORTED,
         "an image has shape %s; windows have one to three dimensions", shape_text(image).c_str());
  }
  for (uint32_t d = 2; d < rank; ++d) {
    if (image.layout().shape[d] <= INT32_MAX) continue;
    fail(NETCL_ERROR_UNSUPPORTED, "an image has shape %s; its sides are at most 2^31 - 1",
         shape_text(image).c_str());
  }
  return rank - 2;
}

Sides kernel_sides(const std::vector<int64_t>& kernel, const Tensor& image, uint32_t sides) {
  Sides numbers = {1, 1, 1};
  if (kernel.size() != sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a kernel of %zu sides meets an image of shape %s",
         kernel.size(), shape_text(image).c_str());
  }
  for (uint32_t i = 0; i < sides; ++i) {
    if (kernel[i] < 1 || kernel[i] > INT32_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "a kernel has the extent %lld",
           static_cast<long long>(kernel[i]));
    }
    numbers[3 - sides + i] = kernel[i];
  }
  return numbers;
}

// Padding by which a result has the extent ceil(extent / stride).
void pad_same(int64_t reach, int64_t stride, int64_t extent, bool upper, int64_t* before,
              int64_t* after) {
  const int64_t results = (extent + stride - 1) / stride;
  const int64_t all = std::max<int64_t>(0, (results - 1) * stride + reach - extent);
  *before = upper ? all / 2 : all - all / 2;
  *after = all - *before;
}

void given_pads(const Call& call, uint32_t sides, Sides* before, Sides* after) {
  const std::vector<int64_t> pads = call.integers("pads");
  if (pads.empty()) return;
  if (pads.size() != 2 * sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads has %zu numbers; the image has %u sides", pads.size(),
         sides);
  }
  for (const int64_t pad : pads) {
    if (pad >= -INT32_MAX && pad <= INT32_MAX) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads has the number %lld", static_cast<long long>(pad));
  }
  for (uint32_t i = 0; i < sides; ++i) {
    (*before)[3 - sides + i] = pads[i];
    (*after)[3 - sides + i] = pads[sides + i];
  }
}

}  // namespace

Sides side_numbers(const Call& call, const char* name, uint32_t sides, int64_t fallback) {
  const std::vector<int64_t> given = call.integers(name);
  Sides numbers = {fallback, fallback, fallback};
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
    numbers[3 - sides + i] = given[i];
  }
  return numbers;
}

Window window_of(const Call& call, const Tensor& image, const std::vector<int64_t>& given) {
  const uint32_t sides = sides_of(image);
  const Sides kernel = kernel_sides(given, image, sides);
  const Sides strides = side_numbers(call, "strides", sides, 1);
  const Sides dilations = side_numbers(call, "dilations", sides, 1);
  for (size_t side = 0; side < 3; ++side) {
    if (strides[side] >= 1 && dilations[side] >= 1) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a stride or a dilation is 0");
  }
  Sides before = {}, after = {};
  const std::string automatic = call.text("auto_pad", "NOTSET");
  for (uint32_t side = 3 - sides; automatic.starts_with("SAME") && side < 3; ++side) {
    pad_same((kernel[side] - 1) * dilations[side] + 1, strides[side],
             image.layout().shape[side + sides - 1], automatic == "SAME_UPPER", &before[side],
             &after[side]);
  }
  if (automatic == "NOTSET") given_pads(call, sides, &before, &after);
  Window window;
  window.kernel = {kernel[1], kernel[2]};
  window.strides = {strides[1], strides[2]};
  window.dilations = {dilations[1], dilations[2]};
  window.padding = {before[1], before[2], after[1], after[2]};
  window.depth = {kernel[0], strides[0], dilations[0], before[0], after[0]};
  return window;
}

void require_planes(const Tensor& image) {
  if (image.layout().rank < 5) return;
  fail(NETCL_ERROR_UNSUPPORTED, "an image has shape %s; it has at most two dimensions here",
       shape_text(image).c_str());
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
