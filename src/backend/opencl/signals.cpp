#include "backend/opencl/signals.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "core/immortal.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr size_t kKernelMaskBytes = 8;

std::atomic<bool> g_keep_sigfpe{false};

std::recursive_mutex& guard_mutex() {
  static Immortal<std::recursive_mutex> mutex;
  return *mutex;
}

}  // namespace

bool SignalGuard::read(int number, Disposition* disposition) noexcept {
  disposition->fill(0);
  // The signals below SIGRTMIN belong to the C library's threads.
  if (number > SIGSYS && number < SIGRTMIN) return false;
  return syscall(SYS_rt_sigaction, number, nullptr, disposition->data(), kKernelMaskBytes) == 0;
}

SignalGuard::SignalGuard() : lock_(guard_mutex()) {
  sigaltstack(nullptr, &stack_before_);
  for (int number = 1; number < kSignals; ++number) {
    const auto index = static_cast<size_t>(number);
    known_[index] = read(number, &before_[index]);
  }
}

SignalGuard::~SignalGuard() {
  stack_t stack_now;
  if (sigaltstack(nullptr, &stack_now) == 0 &&
      (stack_now.ss_sp != stack_before_.ss_sp || stack_now.ss_flags != stack_before_.ss_flags)) {
    sigaltstack(&stack_before_, nullptr);
  }
  for (int number = 1; number < kSignals; ++number) {
    const auto index = static_cast<size_t>(number);
    if (!known_[index]) continue;
    if (number == SIGFPE && g_keep_sigfpe.load(std::memory_order_relaxed)) continue;
    Disposition now;
    if (!read(number, &now) || now == before_[index]) continue;
    syscall(SYS_rt_sigaction, number, before_[index].data(), nullptr, kKernelMaskBytes);
  }
}

void SignalGuard::keep_sigfpe() noexcept { g_keep_sigfpe.store(true); }

}  // namespace netcl::backend::opencl
