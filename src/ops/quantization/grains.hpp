// Which elements of a tensor share a scale: all of them, those of one place along an axis, or those
// of a block along it.
#pragma once

#include "tensor/tensor.hpp"

namespace netcl::ops {

class Grains {
 public:
  // By the shape of the scale. Fails naming it where it fits none.
  Grains(const Tensor& x, const Tensor& scale, int32_t axis, int64_t block_size);

  // Blocks become a dimension of their own, which the last block may not fill: then the tensor is
  // two parts.
  uint32_t parts() const noexcept { return parts_; }
  // One part of a tensor of x's shape.
  TensorRef part(const Tensor& tensor, uint32_t index) const;
  // What of a tensor of the scale's shape belongs to a part, to broadcast to it.
  TensorRef grain(const Tensor& tensor, uint32_t index) const;

 private:
  enum class Kind { all, places, whole_shape, blocks };

  Kind kind_ = Kind::all;
  uint32_t rank_ = 0;  // of x
  uint32_t axis_ = 0;
  int64_t block_ = 0;
  int64_t full_ = 0;  // blocks that are filled
  int64_t rest_ = 0;  // elements behind them
  uint32_t parts_ = 1;
};

}  // namespace netcl::ops
