#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Slices at places of several dimensions behind the first `batch_dims`, which the last dimension of
// `indices` has.
TensorRef gather_nd(const Tensor& x, const Tensor& indices, uint32_t batch_dims,
                    const TensorRef& into, const Run& run);

// What indices of several dimensions say about x, checked.
struct NdPlaces {
  uint32_t batch_dims;
  uint32_t depth;  // dimensions of a place
  Layout result;   // the shape of what is picked, packed
  int64_t batch = 1;
  int64_t each = 1;     // places of one of the batch
  int64_t places = 1;   // of one of the batch that x has
  int64_t columns = 1;  // elements of a slice
};
NdPlaces checked_places(const Tensor& x, const Tensor& indices, uint32_t batch_dims);

// The number of each place among all those of x, in C order as i64 [batch each]; INT64_MAX for one
// that x has not.
TensorRef numbered_places(const Tensor& x, const Tensor& indices, const NdPlaces& places,
                          const Run& run);

}  // namespace netcl::ops
