// The frame of an op's extern "C" function: handles in, one result out.
#pragma once

#include "api/resolved_run.hpp"
#include "graph/call.hpp"
#include "ops/frame/result.hpp"

namespace netcl::api {

inline Device* device_in(const Tensor& tensor) { return &tensor.device(); }
inline Device* device_in(const TensorRef& tensor) { return &tensor->device(); }
inline Device* device_in(std::span<const TensorRef> tensors) {
  return tensors.empty() ? nullptr : &tensors[0]->device();
}
template <class T>
Device* device_in(const T&) {
  return nullptr;
}

// The one way into an op: Op(arguments..., into, run), for ops of any number of results.
template <auto Op, class Into, class... Arguments>
auto call_into(ResolvedRun& resolved, const char* name, const Into& into,
               const Arguments&... arguments) {
  return graph::call<Op>(resolved.graph(), name, into, resolved.run(), arguments...);
}

// The end of a call with one result whose run options are resolved.
template <auto Op, class... Arguments>
void call_resolved(ResolvedRun& resolved, const char* name, netcl_tensor** result,
                   const Arguments&... arguments) {
  give_result(resolved, call_into<Op>(resolved, name, resolved.into(), arguments...), result);
}

// One call of an op: Op(arguments..., into, run) on a device, its result handed out. The arguments
// are all that the op works with, and what is kept of a call is known by them
// (ops/frame/replay.hpp): an option that is not among them has no effect, one that is among them is
// never forgotten.
template <auto Op, class... Arguments>
void call_op_on(Device& device, const char* name, const netcl_run_options* run,
                netcl_tensor** result, const Arguments&... arguments) {
  require_result(run, result);
  ResolvedRun resolved(run, device);
  call_resolved<Op>(resolved, name, result, arguments...);
}

// The same on the device of the first tensor among the arguments.
template <auto Op, class... Arguments>
void call_op(const char* name, const netcl_run_options* run, netcl_tensor** result,
             const Arguments&... arguments) {
  Device* device = nullptr;
  ((device = device == nullptr ? device_in(arguments) : device), ...);
  call_op_on<Op>(*device, name, run, result, arguments...);
}

// A tensor of an options struct; null when it is not set.
inline TensorRef optional_tensor(netcl_tensor* tensor, const char* argument) {
  return tensor == nullptr ? nullptr : pin(tensor, argument).shared();
}

// The tensors of an array argument.
using TensorList = SmallArray<TensorRef, 8>;
inline std::span<const TensorRef> pin_list(netcl_tensor* const* inputs, TensorList* list) {
  if (list->size() > 0) require(inputs, "inputs");
  for (uint32_t i = 0; i < list->size(); ++i) {
    (*list)[i] = pin_at(inputs[i], "inputs", i).shared();
  }
  return {list->data(), list->size()};
}

}  // namespace netcl::api
