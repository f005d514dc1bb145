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

// A function of the host that is about to be called. What fails in it is told from what failed
// before, whose message would be about something else.
class HostCall {
 public:
  // What it is called in messages.
  explicit HostCall(const char* what) noexcept;

  // Throws for a status that is not OK: with the message of what failed meanwhile with this status,
  // else with one that says that the function returned it.
  void check(netcl_status status) const;

 private:
  const char* const what_;
  const uint64_t before_;
};

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
