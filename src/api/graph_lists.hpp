// Lists of tensors that functions of graphs take.
#pragma once

#include <algorithm>
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

// Hands out new tensors together with the event, or neither.
inline void give_tensors(std::vector<TensorRef> made, netcl_event* event, netcl_tensor** tensors) {
  std::vector<netcl_tensor*> handles;
  try {
    handles.reserve(made.size());
    for (TensorRef& tensor : made) handles.push_back(make_handle<netcl_tensor>(std::move(tensor)));
  } catch (...) {
    for (netcl_tensor* handle : handles) release_handle(handle);
    release_handle(event);
    throw;
  }
  std::copy(handles.begin(), handles.end(), tensors);
}

}  // namespace netcl::api
