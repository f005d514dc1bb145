// The boundary: every exported function runs its body through guarded(), the only place where
// exceptions are caught. It turns them into a status and the calling thread's last error, and lets
// the log reach the host when the outermost call ends.
#pragma once

#include <pthread.h>

#include <exception>
#include <new>

#include "core/error.hpp"
#include "core/process.hpp"

namespace netcl::api {

// Counts nested calls on a thread (a host may call from inside a callback). Cancellation of the
// thread waits for the end of the outermost one.
class CallScope {
 public:
  CallScope() noexcept;
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;
};

void set_last_error(netcl_status status, int32_t native_code, const char* message) noexcept;
// Throws the calling thread's last error again when its status is this one; else one that says that
// `what` returned the status.
[[noreturn]] void rethrow_status(netcl_status status, const char* what);

template <class Body>
netcl_status run_call(Body&& body) noexcept {
  const CallScope scope;
  try {
    process();
    body();
    return NETCL_OK;
  } catch (const Error& error) {
    set_last_error(error.status(), error.native_code(), error.what());
    return error.status();
  } catch (const std::bad_alloc&) {
    set_last_error(NETCL_ERROR_OUT_OF_HOST_MEMORY, 0, "the host is out of memory");
    return NETCL_ERROR_OUT_OF_HOST_MEMORY;
  } catch (const std::exception& error) {
    set_last_error(NETCL_ERROR_INTERNAL, 0, error.what());
    return NETCL_ERROR_INTERNAL;
  } catch (...) {
    set_last_error(NETCL_ERROR_INTERNAL, 0, "an unknown exception reached the boundary");
    return NETCL_ERROR_INTERNAL;
  }
}

// A thread that was cancelled ends here, where a call has done nothing yet, so that a loop of calls
// can be cancelled. What ends it unwinds like an exception, which run_call lets none pass.
template <class Body>
netcl_status guarded(Body&& body) {
  pthread_testcancel();
  return run_call(body);
}

}  // namespace netcl::api
