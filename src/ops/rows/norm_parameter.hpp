// The scale and the bias of a normalisation: numbers that go with the elements of each row.
#pragma once

#include "backend/cpu/rows/norm_gather.hpp"
#include "ops/rows/norm_rows.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// One of them, spread over the axes that are normalised.
struct NormParameter {
  TensorRef tensor;  // null: none
  Layout layout;

  Access access() const { return access_to(tensor.get(), false); }
  // As functions of the host get it.
  netcl::cpu::RowNumbers numbers() const;
};
// `axis` is the first that is normalised. Fails naming the argument when the shape does not fit.
NormParameter norm_parameter(const TensorRef& tensor, const Layout& x, uint32_t axis,
                             const char* argument);

// One of them as kernels get it: elements of a dtype that follow each other in some memory.
struct PackedParameter {
  BufferRef owner;  // of a copy
  Access memory{};
  int64_t offset = 0;
  netcl_dtype dtype = 0;  // 0: none

  // The option that gives kernels the dtype; empty for none.
  std::string flags(const char* name) const;
  void add_to(Arguments* list) const;
};
// `count` numbers. Those that do not follow each other are copied by a kernel of their own.
PackedParameter packed(const NormParameter& parameter, int64_t count, const Run& run);

}  // namespace netcl::ops
