#include "core/interrupt.hpp"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "core/error.hpp"
#include "core/process.hpp"
#include "core/threads.hpp"
#include "core/wait.hpp"

namespace netcl {

namespace {

// Plain static data: a signal handler may run at any time, also in a forked child, where the counts
// are simply continued and no watchdog exists.
std::atomic<bool> g_enabled{false};
std::atomic<uint64_t> g_signals{0};
std::atomic<uint64_t> g_grace_ns{3000000000u};
// Waits in progress, counted by the number of signals seen when they began: those that began before
// the last signal are the ones it cancels, later ones are none of its business.
constexpr uint64_t kGenerations = 64;
std::atomic<int> g_waits[kGenerations];
struct sigaction g_previous;
sem_t g_wakeup;
// The process that the watchdog runs in; 0 before the first enable. In a forked child nothing of
// the above means anything: there is no watchdog, and the waits counted are those of the parent.
std::atomic<pid_t> g_owner{0};

// Waits that began before signal number `signals`.
int waits_before(uint64_t signals) {
  int count = 0;
  for (uint64_t i = 0; i < kGenerations; ++i) {
    if (i != signals % kGenerations) count += g_waits[i].load();
  }
  return count;
}

void on_interrupt(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const bool own = g_owner.load() == getpid();
  g_signals.fetch_add(1);
  if (own) sem_post(&g_wakeup);
  if (g_previous.sa_flags & SA_SIGINFO) {
    if (g_previous.sa_sigaction != nullptr) g_previous.sa_sigaction(signal, info, context);
  } else if (g_previous.sa_handler != SIG_DFL && g_previous.sa_handler != SIG_IGN) {
    g_previous.sa_handler(signal);
  } else if (g_previous.sa_handler == SIG_DFL && (!own || waits_before(g_signals.load()) == 0)) {
    // Nothing of ours is waiting, so the signal means what it always means: the end.
    _exit(130);
  }
  errno = saved_errno;
}

// True when the watchdog is all that is left of the process; it blocks every signal, so it would
// keep the process for ever. A main thread that left by pthread_exit stays listed, as a zombie.
bool alone() noexcept {
  struct stat facts;
  if (stat("/proc/self/task", &facts) != 0 || facts.st_nlink > 4) return false;
  if (facts.st_nlink == 3) return true;
  char text[512];
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  text[size > 0 ? size : 0] = '\0';
  const char* name_end = strrchr(text, ')');
  return name_end != nullptr && strncmp(name_end, ") Z", 3) == 0;
}

// False when no signal came within a second.
bool wait_for_signal() noexcept {
  timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  ++limit.tv_sec;
  while (sem_timedwait(&g_wakeup, &limit) != 0) {
    if (errno == ETIMEDOUT) return false;
  }
  return true;
}

void* watchdog(void*) {
  for (;;) {
    if (!wait_for_signal()) {
      if (alone()) return nullptr;
      continue;
    }
    if (!g_enabled.load()) continue;
    // A wait that was cancelled leaves within milliseconds; one that is stuck keeps the count up.
    const Deadline grace(g_grace_ns.load());
    const uint64_t signals = g_signals.load();
    while (!grace.passed() && waits_before(signals) > 0) {
      const timespec pause = {0, 10000000};
      nanosleep(&pause, nullptr);
    }
    if (waits_before(signals) > 0) _exit(130);
  }
  return nullptr;
}

void start_watchdog() {
  if (g_owner.load() == getpid()) return;
  for (std::atomic<int>& waits : g_waits) waits.store(0);
  sem_init(&g_wakeup, 0, 0);
  pthread_t thread;
  const int error = create_thread(&thread, nullptr, watchdog, nullptr);
  if (error != 0) fail(NETCL_ERROR_OUT_OF_HOST_MEMORY, "no thread for interrupts: error %d", error);
  pthread_detach(thread);
  g_owner.store(getpid());
}

}  // namespace

// Calls of enable and disable are kept apart by a mutex of the process state, which a forked child
// has anew.
static std::mutex& switch_mutex() {
  return process().services.get<std::mutex>(Slot::interrupt,
                                            [] { return std::make_unique<std::mutex>(); });
}

void interrupt_enable(uint64_t grace_ns) {
  std::lock_guard<std::mutex> lock(switch_mutex());
  g_grace_ns.store(grace_ns == 0 ? 3000000000u : grace_ns);
  start_watchdog();
  if (g_enabled.load()) return;
  sigaction(SIGINT, nullptr, &g_previous);
  struct sigaction ours = {};
  ours.sa_sigaction = on_interrupt;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  g_enabled.store(true);
  sigaction(SIGINT, &ours, nullptr);
}

bool interrupt_disable() {
  std::lock_guard<std::mutex> lock(switch_mutex());
  if (!g_enabled.load()) return true;
  struct sigaction current;
  sigaction(SIGINT, nullptr, &current);
  if (!(current.sa_flags & SA_SIGINFO) || current.sa_sigaction != on_interrupt) return false;
  sigaction(SIGINT, &g_previous, nullptr);
  g_enabled.store(false);
  return true;
}

WaitScope::WaitScope() noexcept : generation_(g_signals.load()) {
  g_waits[generation_ % kGenerations].fetch_add(1);
}
WaitScope::~WaitScope() { g_waits[generation_ % kGenerations].fetch_sub(1); }
bool interrupts_enabled() noexcept { return g_enabled.load(std::memory_order_relaxed); }
bool WaitScope::cancelled() const noexcept {
  return g_enabled.load(std::memory_order_relaxed) && g_signals.load() != generation_;
}

}  // namespace netcl
