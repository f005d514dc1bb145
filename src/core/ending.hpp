// The end of the process, as everything that calls a driver sees it.
//
// A compiler inside the process (LLVM in PoCL) makes static objects while it works, also on the
// driver's own threads, and exit() destroys them in the reverse order of their making. Work that is
// under way at exit therefore has to be over before any of them goes. Two ways lead there: glibc
// ends the calling thread's thread-local objects before all static ones, which gives the main
// thread a hook in front of everything; and for an exit() from another thread the atexit hook is
// registered again behind whatever the latest compilation has made.
#pragma once

#include <cstdint>

#include "core/wait.hpp"

namespace netcl {

// Registers the hook that waits for the work of this process. It may run more than once.
void arm_exit_hook(void (*hook)() noexcept);

// False when something static that a driver's compiler needs may be gone, or goes while another
// thread would compile.
bool may_compile() noexcept;
// False when the hook armed first has run: drivers that were loaded before it are going.
bool may_launch() noexcept;

// What is left of the time that the exit may take; it begins with the first call.
Deadline exit_deadline(uint64_t timeout_ns) noexcept;
// Waits until no thread is inside a CompileScope; false when one is and waiting would harm: what it
// works with is going, and the sooner the process is gone the better.
bool wait_for_compilations(const Deadline& deadline) noexcept;

// Around every call that may compile in the calling thread.
class CompileScope {
 public:
  // Throws UNSUPPORTED when the process is ending. `in_process`: the driver compiles with a library
  // of this process and may leave work for threads of its own.
  explicit CompileScope(bool in_process);
  ~CompileScope();
  CompileScope(const CompileScope&) = delete;
  CompileScope& operator=(const CompileScope&) = delete;

 private:
  bool in_process_;
};

}  // namespace netcl
