// Written by bindings/generator/generate.py from include/netcl.h; do not edit.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_GENERATED_CALLBACKS_HPP
#define NETCL_GENERATED_CALLBACKS_HPP

#include <netcl/callback.hpp>
#include <netcl/generated/structs.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {
namespace detail {

/** Calls F as a netcl_log_fn. */
template <class F>
struct log_fn {
  static void call(const netcl_log_record* record, void* user_data) noexcept {
    (*static_cast<F *>(user_data))(netcl::log_record(*record));
  }
};

/** Calls F as a netcl_primitive_fn. */
template <class F>
struct primitive_fn {
  static netcl_status call(const netcl_primitive_call* call, netcl_tensor** tensors,
                           void* user_data) noexcept {
    const recorded_by within(call->run);
    return answered([&] {
      return give_any((*static_cast<F *>(user_data))(netcl::primitive_call(*call)),
                      tensors, call->tensors_count);
    });
  }
};

/** Calls F as a netcl_graph_fn. */
template <class F>
struct graph_fn {
  static netcl_status call(const netcl_graph_call* call, netcl_tensor** outputs,
                           void* user_data) noexcept {
    const recorded_by within(call->run);
    return answered([&] {
      return give_any((*static_cast<F *>(user_data))(netcl::graph_call(*call)),
                      outputs, call->outputs_count);
    });
  }
};

/** Calls F as a netcl_work_fn. */
template <class F>
struct work_fn {
  static netcl_status call(netcl_queue* queue, void* user_data) noexcept {
    auto* scope = static_cast<scoped<F> *>(user_data);
    return scope->run([&] { return scope->function(netcl::queue_ref(queue)); });
  }
};

}  // namespace detail
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif
