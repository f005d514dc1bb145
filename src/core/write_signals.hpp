// The signals that a write can raise: SIGXFSZ past the limit of a file's size (RLIMIT_FSIZE) and
// SIGPIPE where nobody reads. Both end a program that never asked for them.
#pragma once

#include <signal.h>

namespace netcl {

// While this lives they are blocked for the calling thread, and for threads that it starts; write()
// fails with EFBIG or EPIPE instead. A signal that was raised meanwhile is gone afterwards, and
// dispositions, the mask and what was pending before are as they were.
class NoWriteSignals {
 public:
  NoWriteSignals() noexcept {
    sigset_t pending;
    ::sigemptyset(&ours_);
    ::sigpending(&pending);
    for (const int number : {SIGXFSZ, SIGPIPE}) {
      if (::sigismember(&pending, number) == 0) ::sigaddset(&ours_, number);
    }
    ::pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  ~NoWriteSignals() {
    const timespec none{0, 0};
    while (::sigtimedwait(&ours_, nullptr, &none) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoWriteSignals(const NoWriteSignals&) = delete;
  NoWriteSignals& operator=(const NoWriteSignals&) = delete;

 private:
  sigset_t ours_;
  sigset_t before_;
};

}  // namespace netcl
