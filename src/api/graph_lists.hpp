// Lists of tensors that functions of graphs take.
#pragma once

#include <vector>

#include "api/resolved_run.hpp"

namespace netcl::api {

inline std::vector<TensorRef> pin_tensors(netcl_tensor* const* list, uint32_t count,
                                          const char* argument) {
  require_array(list, count, argument);
  std::vector<TensorRef> tensors(count);
  for (uint32_t i = 0; i < count; ++i) tensors[i] = pin_at(list[i], argument, i).shared();
  return tensors;
}

}  // namespace netcl::api
