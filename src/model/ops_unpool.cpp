// Ops that put elements back into the image from which windows took them.
#include "core/number.hpp"
#include "model/op_table.hpp"
#include "model/sampling.hpp"
#include "model/window.hpp"
#include "ops/conv2d/max_unpool2d.hpp"
#include "ops/move/pad.hpp"
#include "ops/move/scatter.hpp"

namespace netcl::model {

namespace {

// A place that no image has, however many of them are added up.
constexpr int64_t kNoPlace = int64_t{1} << 58;
// More elements have no memory.
constexpr int64_t kImageMost = int64_t{1} << 40;

int64_t image_size(const std::vector<int64_t>& shape) {
  int64_t size = 1;
  for (const int64_t extent : shape) {
    if (extent < 1 || extent > INT32_MAX || size > kImageMost / extent) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "an image or a block has shape %s",
           shape_text(static_cast<uint32_t>(shape.size()), shape.data()).c_str());
    }
    size *= extent;
  }
  return size;
}

TensorRef zeros_of(const Call& call, netcl_dtype dtype, std::span<const int64_t> shape) {
  return broadcast(*call.constant(dtype, {}, {0}), static_cast<uint32_t>(shape.size()),
                   shape.data());
}

// ---- Blocks ------------------------------------------------------------------------------------

struct BlockAxis {
  int64_t image = 1;
  int64_t block = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t before = 0;
  int64_t after = 0;

  int64_t blocks() const {
    const int64_t room = image + before + after - ((block - 1) * dilation + 1);
    return room < 0 ? 0 : room / stride + 1;
  }
};

std::vector<BlockAxis> block_axes(const Call& call) {
  const std::vector<int64_t> image = call.numbers(1), block = call.numbers(2);
  const size_t sides = image.size();
  const auto list = [&](const char* name, size_t count, int64_t fallback) {
    std::vector<int64_t> numbers = call.integers(name, std::vector<int64_t>(count, fallback));
    for (const int64_t number : numbers) {
      if (number >= fallback && number <= INT32_MAX) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has the number %lld", name,
           static_cast<long long>(number));
    }
    if (numbers.size() != count || block.size() != sides) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has %zu numbers; the image has %zu sides, a block %zu",
           name, numbers.size(), sides, block.size());
    }
    return numbers;
  };
  // Sides of blocks and of their places are axes of one tensor.
  if (sides < 1 || 2 * sides > kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "an image has %zu sides", sides);
  }
  const std::vector<int64_t> strides = list("strides", sides, 1),
                             dilations = list("dilations", sides, 1),
                             pads = list("pads", 2 * sides, 0);
  image_size(block);
  std::vector<BlockAxis> axes;
  for (size_t d = 0; d < sides; ++d) {
    axes.push_back({image[d], block[d], strides[d], dilations[d], pads[d], pads[sides + d]});
  }
  return axes;
}

// Where each element of each block lies in the image: [1, 1, elements blocks].
TensorRef block_places(const Call& call, const std::vector<BlockAxis>& axes) {
  const size_t sides = axes.size();
  TensorRef sum;
  int64_t step = 1, count = 1;
  for (size_t d = sides; d-- > 0;) {
    const BlockAxis& axis = axes[d];
    const int64_t blocks = axis.blocks();
    std::vector<int64_t> shape(2 * sides, 1);
    shape[d] = axis.block;
    shape[sides + d] = blocks;
    host_count(shape);
    std::vector<double> places;
    for (int64_t k = 0; k < axis.block; ++k) {
      for (int64_t b = 0; b < blocks; ++b) {
        const int64_t at = b * axis.stride - axis.before + k * axis.dilation;
        const bool inside = at >= 0 && at < axis.image;
        places.push_back(static_cast<double>(inside ? at * step : kNoPlace));
      }
    }
    const TensorRef part = call.constant(NETCL_I64, shape, std::move(places));
    sum = sum == nullptr ? part : call.formula("v0 + v1", {sum, part}, NETCL_I64);
    step *= axis.image;
    count *= axis.block * blocks;
  }
  const int64_t flat[3] = {1, 1, count};
  return call.reshaped(sum, flat);
}

void build_col2im(Call& call) {
  const TensorRef x = call.tensor(0);
  const Layout& from = x->layout();
  const std::vector<BlockAxis> axes = block_axes(call);
  std::vector<int64_t> sides;
  int64_t elements = 1, blocks = 1;
  for (const BlockAxis& axis : axes) {
    sides.push_back(axis.image);
    elements *= axis.block;
    blocks =
        blocks > kImageMost / std::max<int64_t>(1, axis.blocks()) ? -1 : blocks * axis.blocks();
  }
  const int64_t size = image_size(sides);
  if (from.rank != 3 || from.shape[1] % elements != 0 || from.shape[2] != blocks) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "an input of shape %s is not made of %lld blocks of %lld",
         shape_text(from).c_str(), static_cast<long long>(blocks),
         static_cast<long long>(elements));
  }
  const int64_t channels = from.shape[1] / elements;
  const int64_t updates[3] = {from.shape[0], channels, elements * blocks};
  const int64_t image[3] = {from.shape[0], channels, size};
  const TensorRef places = broadcast(*block_places(call, axes), 3, updates);
  const TensorRef made = call.made<ops::scatter>(
      "scatter", zeros_of(call, x->dtype(), image), *places, *call.reshaped(x, updates), int32_t{2},
      netcl_scatter_mode{NETCL_SCATTER_ADD}, false);
  std::vector<int64_t> shape = {from.shape[0], channels};
  shape.insert(shape.end(), sides.begin(), sides.end());
  call.give(call.reshaped(made, shape));
}

// ---- Pooling -----------------------------------------------------------------------------------

// The image that a window makes of the input, before output_shape cuts it or puts zeros behind.
std::vector<int64_t> unpooled_shape(const Call& call, const Tensor& x) {
  std::vector<int64_t> shape = shape_of(x);
  const std::vector<int64_t> kernel = call.integers("kernel_shape");
  const uint32_t sides = static_cast<uint32_t>(kernel.size());
  const std::vector<int64_t> pads = call.integers("pads", std::vector<int64_t>(2 * kernel.size()));
  const std::vector<int64_t> strides =
      call.integers("strides", std::vector<int64_t>(kernel.size(), 1));
  bool fits = sides >= 1 && shape.size() == kernel.size() + 2 && pads.size() == 2 * kernel.size() &&
              strides.size() == kernel.size();
  for (uint32_t d = 0; fits && d < sides; ++d) {
    for (const int64_t number : {kernel[d], strides[d], pads[d], pads[sides + d], shape[2 + d]}) {
      fits = fits && number >= 0 && number <= INT32_MAX;
    }
    if (fits) {
      shape[2 + d] = (shape[2 + d] - 1) * strides[d] - (pads[d] + pads[sides + d]) + kernel[d];
    }
  }
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "kernel_shape, strides or pads do not fit an input of shape %s", shape_text(x).c_str());
  }
  return shape;
}

void build_max_unpool(Call& call) {
  const TensorRef x = call.tensor(0), places = call.tensor(1);
  if (!x->layout().same_shape(places->layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "places of shape %s are given for an input of shape %s",
         shape_text(*places).c_str(), shape_text(*x).c_str());
  }
  const std::vector<int64_t> shape = unpooled_shape(call, *x);
  image_size(shape);
  // Indices count over the whole image, whose lines are the rows of one of two dimensions.
  const auto as_rows = [](const std::vector<int64_t>& whole) {
    std::array<int64_t, 4> planes = {whole[0], whole[1], 1, whole.back()};
    for (size_t d = 2; d + 1 < whole.size(); ++d) planes[2] *= whole[d];
    return planes;
  };
  const std::array<int64_t, 4> from = as_rows(shape_of(*x)), to = as_rows(shape);
  const TensorRef image =
      call.reshaped(call.made<ops::max_unpool2d>("max_unpool2d", call.reshaped(x, from),
                                                 call.reshaped(places, from), to[2], to[3], false),
                    shape);
  if (!call.has(2)) return call.give(image);
  const std::vector<int64_t> wanted = call.numbers(2);
  if (wanted.size() != shape.size()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "output_shape has %zu numbers for an input of shape %s",
         wanted.size(), shape_text(*x).c_str());
  }
  image_size(wanted);
  std::vector<int64_t> pads(2 * shape.size());
  for (size_t d = 0; d < shape.size(); ++d) pads[shape.size() + d] = wanted[d] - shape[d];
  call.give(call.made<ops::pad>("pad", *image, std::span<const int64_t>(pads),
                                netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{}));
}

constexpr OpRow kUnpoolRows[] = {
    {"Col2Im", "dilations pads strides", build_col2im, "12"},
    {"MaxUnpool", "kernel_shape pads strides", build_max_unpool, "2"},
};

}  // namespace

std::span<const OpRow> unpool_rows() { return kUnpoolRows; }

}  // namespace netcl::model
