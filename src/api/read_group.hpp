// What ops on groups of tensors begin with, and the call of one that gives no result.
#pragma once

#include "api/call_op.hpp"
#include "api/graph_lists.hpp"

namespace netcl::api {

inline std::vector<TensorRef> read_group(netcl_tensor* const* list, uint32_t count,
                                         const char* argument) {
  if (count == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is 0", argument);
  return pin_tensors(list, count, argument);
}

// A list with as many entries as the group, or none where it is not needed.
inline std::vector<TensorRef> read_entries(netcl_tensor* const* list, uint32_t count, size_t wanted,
                                           bool needed, const char* argument, const char* group) {
  if (count != wanted && (needed || count != 0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s_count is %u; it is %s%s, %zu", argument, count,
         needed ? "" : "0 or ", group, wanted);
  }
  return pin_tensors(list, count, argument);
}

inline void require_own(const Tensor& tensor, const char* argument, uint32_t index) {
  if (!may_overlap_itself(tensor.layout())) return;
  require_own_elements(tensor, format("%s[%u]", argument, index).c_str());
}

// One call of an op that changes tensors among its arguments and gives no other.
template <auto Op, class... Arguments>
void call_group(Device& device, const char* name, const netcl_run_options* run,
                const Arguments&... arguments) {
  ResolvedRun resolved(run, device);
  resolved.refuse_into();
  call_into<Op>(resolved, name, ops::Nothing(), arguments...);
  resolved.give_event();
}

}  // namespace netcl::api
