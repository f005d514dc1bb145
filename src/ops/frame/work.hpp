// What ops declare to recorders: the bytes they have to move and the operations they have to do,
// however many commands that takes.
#pragma once

#include <initializer_list>

#include "expression/types.hpp"
#include "ops/frame/run.hpp"
#include "ops/frame/variant.hpp"
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

// The work of an op on elements of a dtype that reads and writes whole tensors; null ones are left
// out.
inline Work work_of(const char* name, netcl_dtype dtype, double operations,
                    std::initializer_list<const Tensor*> read,
                    std::initializer_list<const Tensor*> written) {
  Work work;
  work.name = name;
  work.dtype = expression::compute_dtype(dtype);
  work.operations = operations;
  for (const Tensor* tensor : written) work.bytes_written += moved_bytes(tensor);
  work.bytes = work.bytes_written;
  for (const Tensor* tensor : read) work.bytes += moved_bytes(tensor);
  return work;
}

// The run with the work that `declare` gives, which is asked only when somebody records.
template <class Declare>
Run with_work(const Run& run, Declare declare) {
  Run declared = run;
  const bool asked = run.sink != nullptr ? run.wants_commands() : run.queue.observed();
  if (asked && !run.declared) declared.work = declare();
  return declared;
}

// The run whose recorded command, which has no name of its own on the built-in device, gets that of
// the variant that was chosen.
inline Run named_after(const Run& run, netcl_variant variant) {
  Run named = run;
  if (named.work.name != nullptr) named.work.name = variant_kernel(variant);
  return named;
}

}  // namespace netcl::ops
