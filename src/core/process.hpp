// All mutable state of the library in one object behind one pointer. The pointer lives in a page
// that the kernel wipes in a forked child, so the child's first call finds none and installs fresh
// state before it takes any lock; the state of the parent is left behind untouched, on purpose.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/environment.hpp"
#include "core/handle_table.hpp"
#include "core/log.hpp"
#include "core/service_table.hpp"

namespace netcl {

struct ProcessState {
  ProcessState();

  Log log;
  Environment environment;
  HandleTable handles;
  ServiceTable services;
  // True in a child of a process that had started OpenCL: no driver may be called here.
  const bool opencl_forbidden;
};

// The state of this process. One load and one test when it exists.
ProcessState& process();

// The state if it exists already; nullptr before the first call and right after fork().
ProcessState* process_if_installed() noexcept;

// Remembers, across fork(), that this process has started OpenCL.
void note_opencl_started() noexcept;

// True when the handle was made by an ancestor of this process before fork().
bool made_before_fork(uint64_t handle, netcl_handle_type type) noexcept;

}  // namespace netcl
