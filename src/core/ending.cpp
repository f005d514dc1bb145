#include "core/ending.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdlib>

#include "core/error.hpp"

// Of glibc; other C libraries lack it and do with the atexit hooks.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" int __cxa_thread_atexit_impl(void (*destroy)(void*), void* object, void* library)
    __attribute__((weak));
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" void* __dso_handle __attribute__((visibility("hidden")));

namespace netcl {

namespace {

enum class Stage : uint8_t {
  running,
  begun,           // exit() runs in one thread and everything static still stands
  compilers_gone,  // static objects made after a hook are gone
  over             // so are those made after the first hook
};

std::atomic<Stage> g_stage{Stage::running};
std::atomic<pthread_t> g_exiting_thread{};
std::atomic<void (*)() noexcept> g_hook{nullptr};
std::atomic<bool> g_main_armed{false};
std::atomic<uint32_t> g_registered{0};  // atexit hooks that have not run
std::atomic<uint64_t> g_compilations{0};
std::atomic<uint32_t> g_compiling{0};
std::atomic<uint64_t> g_exit_end{0};  // CLOCK_MONOTONIC, 0: not begun

void run_hook() noexcept {
  if (void (*hook)() noexcept = g_hook.load(std::memory_order_acquire)) hook();
}

void at_exit() {
  const bool last = g_registered.fetch_sub(1) == 1;
  g_stage.store(last ? Stage::over : Stage::compilers_gone);
  run_hook();
}

// Runs in front of all atexit handlers. glibc runs it for the main thread at exit() only: a main
// thread that leaves by pthread_exit() skips its thread-local objects.
void at_exit_of_main_thread(void*) {
  if (g_stage.load() == Stage::running) {
    g_exiting_thread.store(pthread_self());
    g_stage.store(Stage::begun);
  }
  run_hook();
}

void register_hook() noexcept {
  if (std::atexit(at_exit) == 0) g_registered.fetch_add(1);
}

void arm_main_thread() noexcept {
  if (__cxa_thread_atexit_impl == nullptr || syscall(SYS_gettid) != getpid()) return;
  if (g_main_armed.load()) return;
  // glibc ends the process when it has no memory for this: it finds what is freed here.
  void* const room = std::malloc(256);
  if (room == nullptr) return;  // armed by a later call
  std::free(room);
  if (g_main_armed.exchange(true)) return;
  __cxa_thread_atexit_impl(at_exit_of_main_thread, nullptr, &__dso_handle);
}

}  // namespace

void arm_exit_hook(void (*hook)() noexcept) {
  arm_main_thread();
  if (g_hook.exchange(hook) == nullptr) register_hook();
}

bool may_compile() noexcept {
  const Stage stage = g_stage.load();
  if (stage == Stage::running) return true;
  return stage == Stage::begun && pthread_equal(g_exiting_thread.load(), pthread_self()) != 0;
}

bool may_launch() noexcept { return g_stage.load(std::memory_order_relaxed) != Stage::over; }

Deadline exit_deadline(uint64_t timeout_ns) noexcept {
  const uint64_t now = monotonic_ns();
  const uint64_t fresh = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
  uint64_t end = 0;
  if (g_exit_end.compare_exchange_strong(end, fresh)) end = fresh;
  if (end == UINT64_MAX) return Deadline(UINT64_MAX);
  return Deadline(end > now ? end - now : 0);
}

bool wait_for_compilations(const Deadline& deadline) noexcept {
  while (g_compiling.load() != 0 && !deadline.passed()) {
    if (g_stage.load() == Stage::over) return false;
    const timespec pause = {0, 200000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

// The count goes up before the stage is read, and the exit sets the stage before it reads the
// count, so one of the two sees the other.
CompileScope::CompileScope(bool in_process) : in_process_(in_process) {
  g_compiling.fetch_add(1);
  if (may_compile()) return;
  g_compiling.fetch_sub(1);
  fail(NETCL_ERROR_UNSUPPORTED, "the process is ending; nothing can be compiled any more");
}

CompileScope::~CompileScope() {
  // The first compilations make nearly everything; a hook behind each of them all would pile up.
  if (in_process_ && g_hook.load() != nullptr) {
    arm_main_thread();
    const uint64_t count = g_compilations.fetch_add(1) + 1;
    if (count <= 32 || std::has_single_bit(count)) register_hook();
  }
  g_compiling.fetch_sub(1);
}

}  // namespace netcl
