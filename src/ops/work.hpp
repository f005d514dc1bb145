// What ops declare to recorders: the bytes they have to move and the operations they have to do,
// however many commands that takes.
#pragma once

#include "ops/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// The bytes of a tensor's elements, each counted once however often it is repeated.
inline double moved_bytes(const Tensor* tensor) {
  if (tensor == nullptr) return 0.0;
  const Layout& layout = tensor->layout();
  double bytes = static_cast<double>(tensor->element_size());
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.strides[d] != 0 || layout.shape[d] == 0) {
      bytes *= static_cast<double>(layout.shape[d]);
    }
  }
  return bytes;
}

// The run with the work that `declare` gives, which is asked only when somebody records.
template <class Declare>
Run with_work(const Run& run, Declare declare) {
  Run declared = run;
  if (run.queue.observed()) declared.work = declare();
  return declared;
}

}  // namespace netcl::ops
