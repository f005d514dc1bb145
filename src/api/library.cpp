#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "api/exit.hpp"
#include "api/handles.hpp"
#include "api/structs.hpp"
#include "backend/cpu/simd_targets.hpp"
#include "core/interrupt.hpp"
#include "device/manager.hpp"
#include "kernel/embedded.hpp"
#include "kernel/op_kernels.hpp"
#include "kernel/program_cache.hpp"

using namespace netcl;
using namespace netcl::api;

namespace netcl::api {

namespace {
// Plain data, so that a thread's end has nothing to destroy.
struct LastError {
  netcl_status status;
  int32_t native_code;
  uint64_t number;  // of errors on this thread
  char message[sizeof(netcl_error_info::message)];
};
thread_local LastError t_last_error;
thread_local int t_call_depth;
thread_local int t_cancel_state;  // what the outermost call found
}  // namespace

// A thread that was cancelled would leave the call by an exception that cannot be caught, from
// inside whatever waits or reads: it leaves before its next call instead.
CallScope::CallScope() noexcept {
  if (++t_call_depth == 1) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &t_cancel_state);
}

CallScope::~CallScope() {
  if (t_call_depth == 1) {
    ProcessState* const state = process_if_installed();
    if (state != nullptr && state->log.pending()) {
      // Calls that the callback makes must not change what this call leaves.
      const LastError left = t_last_error;
      state->log.deliver();
      t_last_error = left;
    }
  }
  if (--t_call_depth == 0) pthread_setcancelstate(t_cancel_state, nullptr);
}

void set_last_error(netcl_status status, int32_t native_code, const char* message) noexcept {
  t_last_error.status = status;
  t_last_error.native_code = native_code;
  ++t_last_error.number;
  copy_line(t_last_error.message, sizeof t_last_error.message, message);
  log_message(NETCL_LOG_DEBUG, "%s: %s", netcl_status_name(status), message);
}

HostCall::HostCall(const char* what) noexcept : what_(what), before_(t_last_error.number) {}

void HostCall::check(netcl_status status) const {
  if (status == NETCL_OK) return;
  if (status > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s returned %d, which is no status", what_, status);
  }
  if (t_last_error.number != before_ && t_last_error.status == status) {
    throw Error(status, t_last_error.message, t_last_error.native_code);
  }
  fail(status, "%s returned %d (%s)", what_, status, netcl_status_name(status));
}

}  // namespace netcl::api

extern "C" {

const char* netcl_status_name(netcl_status status) {
  static const char* const kNames[] = {"NETCL_OK",
                                       "NETCL_ERROR_INVALID_ARGUMENT",
                                       "NETCL_ERROR_INVALID_HANDLE",
                                       "NETCL_ERROR_NO_DEVICE",
                                       "NETCL_ERROR_OUT_OF_HOST_MEMORY",
                                       "NETCL_ERROR_OUT_OF_DEVICE_MEMORY",
                                       "NETCL_ERROR_BUILD_FAILURE",
                                       "NETCL_ERROR_LAUNCH_FAILURE",
                                       "NETCL_ERROR_DEVICE_LOST",
                                       "NETCL_ERROR_FORKED",
                                       "NETCL_ERROR_UNSUPPORTED",
                                       "NETCL_ERROR_NOT_PROFILED",
                                       "NETCL_ERROR_NOT_FOUND",
                                       "NETCL_ERROR_BUSY",
                                       "NETCL_ERROR_TIMEOUT",
                                       "NETCL_ERROR_CANCELLED",
                                       "NETCL_ERROR_IO",
                                       "NETCL_ERROR_CORRUPT_DATA",
                                       "NETCL_ERROR_INTERNAL",
                                       "NETCL_ERROR_RANK_LOST"};
  const int index = status > 0 || status < NETCL_ERROR_RANK_LOST ? -1 : -status;
  return index < 0 ? "unknown status" : kNames[index];
}

const char* netcl_last_error_message(void) { return t_last_error.message; }

netcl_status netcl_last_error_get_info(netcl_error_info* info) {
  // Taken first: a refused struct becomes the last error itself.
  netcl_error_info full = NETCL_ERROR_INFO_INIT;
  full.status = t_last_error.status;
  full.native_code = t_last_error.native_code;
  std::memcpy(full.message, t_last_error.message, sizeof full.message);
  return guarded([&] {
    check_info(info, "info");
    write_info(info, full);
  });
}

netcl_status netcl_last_error_set(netcl_status status, int32_t native_code, const char* message) {
  return guarded([&] {
    if (status >= 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "status is %d, which is no error", status);
    require(message, "message");
    set_last_error(status, native_code, message);
  });
}

uint32_t netcl_version_number(void) { return NETCL_VERSION_NUMBER; }

#define NETCL_TEXT_OF(x) #x
#define NETCL_TEXT(x) NETCL_TEXT_OF(x)
#define NETCL_VERSION_TEXT        \
  NETCL_TEXT(NETCL_VERSION_MAJOR) \
  "." NETCL_TEXT(NETCL_VERSION_MINOR) "." NETCL_TEXT(NETCL_VERSION_PATCH)

const char* netcl_version_string(void) { return NETCL_VERSION_TEXT; }

netcl_status netcl_library_get_info(netcl_library_info* info) {
  return guarded([&] {
    check_info(info, "info");
    netcl_library_info full = NETCL_LIBRARY_INFO_INIT;
    full.version_number = NETCL_VERSION_NUMBER;
    full.abi_version = NETCL_ABI_VERSION;
    copy_text(full.version, sizeof full.version, NETCL_VERSION_TEXT);
#ifdef __clang__
    copy_text(full.compiler, sizeof full.compiler, "clang " __clang_version__);
#else
    copy_text(full.compiler, sizeof full.compiler, "gcc " __VERSION__);
#endif
    copy_text(full.build_type, sizeof full.build_type, NETCL_BUILD_TYPE);
    copy_text(full.simd_target, sizeof full.simd_target, netcl::cpu::simd_target_name());
    copy_text(full.codegen_version, sizeof full.codegen_version, kCodegenVersion);
    write_info(info, full);
  });
}

netcl_status netcl_library_get_live_count(netcl_handle_type type, uint64_t* count) {
  return guarded([&] {
    require(count, "count");
    if (type < NETCL_HANDLE_DEVICE || type >= kHandleTypeCount) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "type is %d, which is no netcl_handle_type", type);
    }
    *count = process().handles.live_count(type);
  });
}

netcl_status netcl_shutdown(uint64_t timeout_ns) {
  return guarded([&] {
    const Deadline deadline(timeout_ns);
    // A failure of one device is told when all have given back what they hold.
    std::exception_ptr failure;
    for (const DeviceRef& device : DeviceManager::instance().open_devices()) {
      try {
        if (!QueueSet::of(*device).finish(deadline)) {
          fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and device %s has work left",
               static_cast<unsigned long long>(timeout_ns), device->info().name);
        }
      } catch (const Error& error) {
        if (error.status() != NETCL_ERROR_LAUNCH_FAILURE) throw;
        if (failure == nullptr) failure = std::current_exception();
      }
      PoolSet::of(*device).trim_all();
      ProgramCache::of(*device).clear();
      OpKernels::of(*device).clear();
    }
    if (failure != nullptr) std::rethrow_exception(failure);
  });
}

netcl_status netcl_library_set_exit_timeout(uint64_t timeout_ns) {
  return guarded([&] { set_exit_timeout(timeout_ns); });
}

netcl_status netcl_interrupt_enable(uint64_t grace_ns) {
  return guarded([&] { interrupt_enable(grace_ns); });
}

netcl_status netcl_interrupt_disable(void) {
  return guarded([&] {
    if (!interrupt_disable()) {
      fail(NETCL_ERROR_BUSY, "another SIGINT handler was installed after netcl_interrupt_enable");
    }
  });
}

const char* netcl_dtype_name(netcl_dtype dtype) {
  const DtypeFacts* facts = dtype_facts_or_null(dtype);
  return facts == nullptr ? "invalid" : facts->name;
}

size_t netcl_dtype_size(netcl_dtype dtype) {
  const DtypeFacts* facts = dtype_facts_or_null(dtype);
  return facts == nullptr ? 0 : facts->size;
}

}  // extern "C"
