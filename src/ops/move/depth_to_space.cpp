#include "ops/move/depth_to_space.hpp"

#include <array>

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

// Batch, channels, and up to three dimensions of space that become two each.
static_assert(kRankMax >= 8);

// The same elements in both tensors, dimension by dimension.
struct BlockAxes {
  Layout deep;  // [N, C B, ...]
  Layout wide;  // [N, C, ...] with blocks

  void add(int64_t extent, int64_t deep_stride, int64_t wide_stride) {
    deep.shape[deep.rank] = wide.shape[wide.rank] = extent;
    deep.strides[deep.rank++] = deep_stride;
    wide.strides[wide.rank++] = wide_stride;
  }
};

// Spaces of `deep` and blocks stand beside each other, in the order of `wide`.
BlockAxes block_axes(const Layout& deep, const Layout& wide, int64_t block,
                     netcl_depth_order order) {
  const bool channels_last = order == NETCL_DEPTH_DCR;
  const int64_t channels = wide.shape[1];
  int64_t elements = 1;
  for (uint32_t d = 2; d < deep.rank; ++d) elements *= block;
  BlockAxes axes;
  axes.deep.offset = deep.offset;
  axes.wide.offset = wide.offset;
  axes.add(deep.shape[0], deep.strides[0], wide.strides[0]);
  axes.add(channels, deep.strides[1] * (channels_last ? 1 : elements), wide.strides[1]);
  int64_t step = deep.strides[1] * (channels_last ? channels : 1) * elements;
  for (uint32_t d = 2; d < deep.rank; ++d) {
    step /= block;
    axes.add(deep.shape[d], deep.strides[d], wide.strides[d] * block);
    axes.add(block, step, wide.strides[d]);
  }
  return axes;
}

void check_blocks(const Tensor& x, int64_t block, netcl_depth_order order) {
  const uint32_t rank = x.layout().rank;
  if (rank < 3 || rank > 5) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "x has shape %s; it has batch, channels and one to three dimensions of space",
         shape_text(x).c_str());
  }
  if (block < 1 || block > INT32_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "block is %lld; it is 1 to %d",
         static_cast<long long>(block), INT32_MAX);
  }
  if (order != NETCL_DEPTH_DCR && order != NETCL_DEPTH_CRD) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "order is %d; it is 0 or 1", order);
  }
}

// The elements of a block; fails where they are more than can be counted.
int64_t block_elements(const Tensor& x, int64_t block) {
  int64_t elements = 1;
  for (uint32_t d = 2; d < x.layout().rank; ++d) {
    if (elements > INT64_MAX / block) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "block is %lld; with x of shape %s it has more than 2^63 - 1 elements",
           static_cast<long long>(block), shape_text(x).c_str());
    }
    elements *= block;
  }
  return elements;
}

[[noreturn]] void fail_extent(int64_t block, const Tensor& x, uint32_t axis, const char* why) {
  fail(NETCL_ERROR_INVALID_ARGUMENT, "block is %lld; extent %u of x of shape %s %s",
       static_cast<long long>(block), axis, shape_text(x).c_str(), why);
}

Run declared_move(const char* name, const Tensor& x, const Tensor& result, const Run& run) {
  Run declared = with_work(run, [&] { return work_of(name, x.dtype(), 0.0, {&x}, {&result}); });
  declared.declared = true;
  return declared;
}

}  // namespace

TensorRef depth_to_space(const Tensor& x, int64_t block, netcl_depth_order order,
                         const TensorRef& into, const Run& run) {
  check_blocks(x, block, order);
  const Layout& from = x.layout();
  const int64_t elements = block_elements(x, block);
  std::array<int64_t, kRankMax> shape = from.shape;
  if (shape[1] % elements != 0) fail_extent(block, x, 1, "is no multiple of a block's elements");
  shape[1] /= elements;
  for (uint32_t d = 2; d < from.rank; ++d) {
    if (shape[d] > INT64_MAX / block) fail_extent(block, x, d, "becomes more than 2^63 - 1");
    shape[d] *= block;
  }
  require_device(x, run, "x");
  refuse_sharing(into, x, "x");
  const TensorRef result = result_tensor(into, from.rank, shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  const BlockAxes axes = block_axes(from, result->layout(), block, order);
  copy_into(Tensor(x.buffer(), x.dtype(), axes.deep),
            Tensor(result->buffer(), x.dtype(), axes.wide),
            declared_move("depth_to_space", x, *result, run));
  return result;
}

TensorRef space_to_depth(const Tensor& x, int64_t block, netcl_depth_order order,
                         const TensorRef& into, const Run& run) {
  check_blocks(x, block, order);
  const Layout& from = x.layout();
  const int64_t elements = block_elements(x, block);
  std::array<int64_t, kRankMax> shape = from.shape;
  if (shape[1] > INT64_MAX / elements) fail_extent(block, x, 1, "becomes more than 2^63 - 1");
  shape[1] *= elements;
  for (uint32_t d = 2; d < from.rank; ++d) {
    if (shape[d] % block != 0) fail_extent(block, x, d, "is no multiple of it");
    shape[d] /= block;
  }
  require_device(x, run, "x");
  refuse_sharing(into, x, "x");
  const TensorRef result = result_tensor(into, from.rank, shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  const BlockAxes axes = block_axes(result->layout(), from, block, order);
  copy_into(Tensor(x.buffer(), x.dtype(), axes.wide),
            Tensor(result->buffer(), x.dtype(), axes.deep),
            declared_move("space_to_depth", x, *result, run));
  return result;
}

}  // namespace netcl::ops
