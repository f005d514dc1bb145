// The frame of an op's extern "C" function: handles in, one result out.
#pragma once

#include "api/resolved_run.hpp"
#include "ops/frame/replay.hpp"
#include "ops/frame/result.hpp"

namespace netcl::api {

// Calls op(into, run) on the device of `first` and hands its result out. `into` is null when
// run->into is not set.
template <class Op>
void run_op(const Tensor& first, const netcl_run_options* run, netcl_tensor** result, Op op) {
  require_result(run, result);
  ResolvedRun resolved(run, first.device());
  TensorRef made = op(resolved.into(), resolved.run());
  give_result(resolved, std::move(made), result);
}

// The same for an op that may be kept for the next such call: see ops/frame/replay.hpp. `key` has
// the op, its tensors and all of its options.
template <class Op>
void run_op(ops::CallKey& key, const Tensor& first, const netcl_run_options* run,
            netcl_tensor** result, Op op) {
  run_op(first, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
    return ops::replayed(key, into, resolved, op);
  });
}

// A tensor of an options struct; null when it is not set.
inline TensorRef optional_tensor(netcl_tensor* tensor, const char* argument) {
  return tensor == nullptr ? nullptr : pin(tensor, argument).shared();
}

}  // namespace netcl::api
