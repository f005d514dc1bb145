#include "ops/quantization/grains.hpp"

#include <string>

#include "ops/frame/result.hpp"
#include "ops/quantization/quantize.hpp"

namespace netcl::ops {
namespace {

// The tensor with `axis` cut to `count` elements from `first` on and, where `inner` is not 0, taken
// apart into count / inner times inner.
TensorRef cut(const Tensor& tensor, uint32_t axis, int64_t first, int64_t count, int64_t inner) {
  Layout layout = tensor.layout();
  layout.offset += first * layout.strides[axis];
  layout.shape[axis] = count;
  if (inner != 0) {
    for (uint32_t d = layout.rank; d > axis + 1; --d) {
      layout.shape[d] = layout.shape[d - 1];
      layout.strides[d] = layout.strides[d - 1];
    }
    ++layout.rank;
    layout.shape[axis] = count / inner;
    layout.shape[axis + 1] = inner;
    layout.strides[axis + 1] = layout.strides[axis];
    layout.strides[axis] *= inner;
  }
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

void check_block_shape(const Tensor& x, const Tensor& scale, uint32_t axis, int64_t block) {
  const Layout& shape = x.layout();
  const Layout& given = scale.layout();
  const int64_t blocks = shape.shape[axis] / block + (shape.shape[axis] % block != 0);
  bool fits = given.rank == shape.rank;
  for (uint32_t d = 0; fits && d < shape.rank; ++d) {
    fits = given.shape[d] == (d == axis ? blocks : shape.shape[d]);
  }
  if (fits) return;
  fail(
      NETCL_ERROR_INVALID_ARGUMENT,
      "scale has shape %s; x has shape %s, which with options->block_size = %lld makes %lld blocks "
      "along axis %u and has that many scales there",
      shape_text(scale).c_str(), shape_text(x).c_str(), static_cast<long long>(block),
      static_cast<long long>(blocks), axis);
}

}  // namespace

Grains::Grains(const Tensor& x, const Tensor& scale, int32_t axis, int64_t block_size)
    : rank_(x.layout().rank), block_(block_size) {
  const Layout& shape = x.layout();
  const Layout& given = scale.layout();
  if (block_size < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->block_size is %lld; it is 0 or more",
         static_cast<long long>(block_size));
  }
  if (block_size == 0 && given.element_count() == 1) return;
  axis_ = checked_axis(axis, rank_, "axis");
  if (block_size == 0) {
    kind_ = Kind::places;
    if (given.rank == 1 && given.shape[0] == shape.shape[axis_]) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "scale has shape %s; x has shape %s, so it takes one element, or [%lld] along axis %u",
         shape_text(scale).c_str(), shape_text(x).c_str(),
         static_cast<long long>(shape.shape[axis_]), axis_);
  }
  check_block_shape(x, scale, axis_, block_size);
  full_ = shape.shape[axis_] / block_size;
  rest_ = shape.shape[axis_] % block_size;
  // One block broadcasts as it is, and so do blocks of one.
  kind_ = block_size == 1 || given.shape[axis_] <= 1 ? Kind::whole_shape : Kind::blocks;
  if (kind_ == Kind::whole_shape) return;
  parts_ = rest_ == 0 ? 1 : 2;
  if (rank_ < kRankMax) return;
  fail(NETCL_ERROR_UNSUPPORTED,
       "x has rank %u with options->block_size = %lld; blocks take ranks up"
       " to %u",
       rank_, static_cast<long long>(block_size), kRankMax - 1);
}

TensorRef Grains::part(const Tensor& tensor, uint32_t index) const {
  if (kind_ != Kind::blocks) return std::make_shared<Tensor>(tensor);
  if (index == 0) return cut(tensor, axis_, 0, full_ * block_, block_);
  return cut(tensor, axis_, full_ * block_, rest_, 0);
}

TensorRef Grains::grain(const Tensor& tensor, uint32_t index) const {
  if (kind_ == Kind::all) return one_element(tensor);
  if (kind_ == Kind::whole_shape) return std::make_shared<Tensor>(tensor);
  if (kind_ == Kind::blocks) {
    return index == 0 ? cut(tensor, axis_, 0, full_, 1) : cut(tensor, axis_, full_, 1, 0);
  }
  Layout layout = tensor.layout();
  layout.rank = rank_;
  for (uint32_t d = 0; d < rank_; ++d) {
    layout.shape[d] = d == axis_ ? tensor.layout().shape[0] : 1;
    layout.strides[d] = d == axis_ ? tensor.layout().strides[0] : 0;
  }
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), layout);
}

}  // namespace netcl::ops
