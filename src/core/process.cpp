#include "core/process.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "core/error.hpp"

namespace netcl {

namespace {

struct WipedPage {
  std::atomic<ProcessState*> state;
};

// What a child inherits from its parent. Plain static data: neither wiped nor destroyed.
constexpr int kAncestorsMax = 64;
struct Lineage {
  std::atomic<int> count{0};
  std::atomic<ProcessState*> states[kAncestorsMax]{};
  std::atomic<bool> opencl_started{false};
};

std::atomic<WipedPage*> g_page{nullptr};
Lineage g_lineage;

void wipe_in_child() {
  if (WipedPage* page = g_page.load(std::memory_order_acquire)) page->state.store(nullptr);
}

WipedPage& install_page() {
  const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* page = new (memory) WipedPage{};
  WipedPage* expected = nullptr;
  if (!g_page.compare_exchange_strong(expected, page)) {
    munmap(memory, size);
    return *expected;
  }
#ifdef MADV_WIPEONFORK
  if (madvise(memory, size, MADV_WIPEONFORK) == 0) return *page;
#endif
  // Kernels before 4.14: the hook misses raw clone(), which is why wiping is preferred.
  pthread_atfork(nullptr, nullptr, wipe_in_child);
  return *page;
}

ProcessState& install_state() {
  WipedPage* page = g_page.load(std::memory_order_acquire);
  if (page == nullptr) page = &install_page();
  if (ProcessState* ready = page->state.load(std::memory_order_acquire)) return *ready;
  auto* fresh = new ProcessState();
  ProcessState* expected = nullptr;
  if (!page->state.compare_exchange_strong(expected, fresh)) {
    delete fresh;
    return *expected;
  }
  const int index = g_lineage.count.fetch_add(1);
  if (index < kAncestorsMax) g_lineage.states[index].store(fresh);
  fresh->environment.report(fresh->log);
  return *fresh;
}

}  // namespace

ProcessState::ProcessState()
    : environment(read_environment()),
      opencl_forbidden(g_lineage.opencl_started.load(std::memory_order_acquire)) {
  log.set_level(environment.log_level);
}

ProcessState& process() {
  if (ProcessState* state = process_if_installed()) return *state;
  return install_state();
}

ProcessState* process_if_installed() noexcept {
  WipedPage* page = g_page.load(std::memory_order_acquire);
  return page == nullptr ? nullptr : page->state.load(std::memory_order_acquire);
}

void note_opencl_started() noexcept { g_lineage.opencl_started.store(true); }

bool made_before_fork(uint64_t handle, netcl_handle_type type) noexcept {
  ProcessState* own = process_if_installed();
  const int count = std::min(g_lineage.count.load(), kAncestorsMax);
  for (int i = 0; i < count; ++i) {
    ProcessState* ancestor = g_lineage.states[i].load();
    if (ancestor != nullptr && ancestor != own && ancestor->handles.contains(handle, type)) {
      return true;
    }
  }
  return false;
}

}  // namespace netcl
