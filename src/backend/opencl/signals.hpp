// Drivers install signal handlers when they start (LLVM takes 14 signals) and do not give them
// back. While a guard lives such calls may run; when it goes, every disposition, and the thread's
// stack for handlers, is as it was. Drivers write files too, which must not end the process.
#pragma once

#include <signal.h>

#include <array>
#include <cstdint>
#include <mutex>

#include "core/write_signals.hpp"

namespace netcl::backend::opencl {

class SignalGuard {
 public:
  // Only one thread at a time is inside guards, or one would restore what another's driver set.
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  // From now on the handler of SIGFPE that a driver leaves stays: PoCL's makes an integer division
  // by zero in a kernel harmless, and without it such a kernel ends the process.
  static void keep_sigfpe() noexcept;

 private:
  // The kernel's own struct, taken and given back as bytes: going through sigaction() would add
  // SA_RESTORER to the flags of signals that nobody had ever set.
  using Disposition = std::array<uint64_t, 8>;
  static constexpr int kSignals = 65;
  static bool read(int number, Disposition* disposition) noexcept;

  std::unique_lock<std::recursive_mutex> lock_;
  std::array<Disposition, kSignals> before_;
  std::array<bool, kSignals> known_;
  NoWriteSignals quiet_;  // the threads that a driver starts keep the mask
  stack_t stack_before_;  // LLVM gives the calling thread another stack for its handlers
};

}  // namespace netcl::backend::opencl
