// Owners for the library's handles, and failures of its calls as exceptions.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_HANDLES_HPP
#define NETCL_TOOL_HANDLES_HPP

#include <netcl.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace netcl::tool {

/// A failure whose text is meant for the user.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws the library's own message when a call has failed.
inline void check(netcl_status status, const char* call) {
  if (status == NETCL_OK) return;
  throw ToolError(std::string(call) + ": " + netcl_status_name(status) + ": " +
                  netcl_last_error_message());
}

/// Owns one reference to a handle.
template <typename T, void (*release)(T*)>
class Owner {
 public:
  Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owner() { reset(); }

  T* get() const { return handle_; }

  /// Gives up what is held and returns the place for a new handle.
  T** receive() {
    reset();
    return &handle_;
  }

  void reset() {
    if (handle_ != nullptr) release(handle_);
    handle_ = nullptr;
  }

 private:
  T* handle_ = nullptr;
};

using Device = Owner<netcl_device, netcl_device_release>;
using Queue = Owner<netcl_queue, netcl_queue_release>;
using Event = Owner<netcl_event, netcl_event_release>;
using Pool = Owner<netcl_pool, netcl_pool_release>;
using Buffer = Owner<netcl_buffer, netcl_buffer_release>;
using Tensor = Owner<netcl_tensor, netcl_tensor_release>;
using Kernel = Owner<netcl_kernel, netcl_kernel_release>;
using Roofline = Owner<netcl_roofline, netcl_roofline_release>;
using Space = Owner<netcl_space, netcl_space_release>;
using Config = Owner<netcl_config, netcl_config_release>;
using Search = Owner<netcl_search, netcl_search_release>;
using Tuner = Owner<netcl_tuner, netcl_tuner_release>;
using TuningDatabase = Owner<netcl_tuning_database, netcl_tuning_database_release>;
using Group = Owner<netcl_group, netcl_group_release>;
using Ceilings = Owner<netcl_ceilings, netcl_ceilings_release>;

}  // namespace netcl::tool

#endif  // NETCL_TOOL_HANDLES_HPP
