#include "worker/confine.hpp"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/writes.hpp"

namespace netcl::worker {

#if defined(__x86_64__)
static constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
static constexpr unsigned kArchitecture = AUDIT_ARCH_RISCV64;
#else
static constexpr unsigned kArchitecture = 0;
#endif

// Forbids this process, and all that it starts, to leave its process group (setsid, setpgid): the
// group is what is killed when the worker ends, so a child that left it would live on. Where the
// system has no such filter the worker runs without.
static void stay_in_group() noexcept {
  if (kArchitecture == 0) return;
  constexpr unsigned kForbidden = SECCOMP_RET_ERRNO | EPERM;
  const sock_filter rules[] = {
      // The numbers below are those of one architecture; calls of another are let pass.
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsid, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setpgid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, kForbidden),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof rules / sizeof rules[0], const_cast<sock_filter*>(rules)};
  (void)::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static void lower_limit(int resource, rlim_t most) noexcept {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
  if (limit.rlim_max < most) most = limit.rlim_max;
  limit.rlim_cur = limit.rlim_max = most;
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

void confine(const char* folder) noexcept {
  // Kernels may crash here, as is foreseen; nobody wants the memory of each on the disk.
  lower_limit(RLIMIT_CORE, 0);
  lower_limit(RLIMIT_FSIZE, kFileBytesMost);
  // Without privileges the kernel takes filters and rules only from a process that cannot gain any.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  stay_in_group();
  (void)restrict_writes(folder);
}

void end_group() noexcept {
  // A worker that somebody starts by hand may be in the group of somebody else.
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(0);
}

}  // namespace netcl::worker
