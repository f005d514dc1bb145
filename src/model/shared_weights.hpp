// Weights that several loadings of one file have together: the device holds them once, as long as
// one of the loadings lives. What may have changed on the way is uploaded again.
#pragma once

#include "model/onnx_file.hpp"
#include "tensor/tensor.hpp"

namespace netcl::model {

// The tensor that another loading has made of the same bytes in the same dtype; null for none.
TensorRef find_shared_weight(const Device& device, const Constant& constant, netcl_dtype dtype);
// Lets later loadings find one that was just written.
void share_weight(const Constant& constant, const TensorRef& tensor);

}  // namespace netcl::model
