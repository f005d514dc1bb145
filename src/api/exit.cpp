#include "api/exit.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "core/environment.hpp"
#include "core/process.hpp"
#include "device/manager.hpp"
#include "queue/queue.hpp"

namespace netcl::api {

namespace {

struct ExitHook {
  const pid_t owner = getpid();
  std::atomic<uint64_t> timeout_ns{environment().exit_timeout_ns};
};

ExitHook& hook() {
  return process().services.get<ExitHook>(Slot::exit_hook,
                                          [] { return std::make_unique<ExitHook>(); });
}

void at_exit() {
  // A child that inherits the hook has fresh state or none, and no device to wait for.
  ProcessState* state = process_if_installed();
  if (state == nullptr) return;
  ExitHook* own = state->services.find<ExitHook>(Slot::exit_hook);
  DeviceManager* manager = state->services.find<DeviceManager>(Slot::device_manager);
  if (own == nullptr || manager == nullptr || own->owner != getpid()) return;
  const Deadline deadline(own->timeout_ns.load());
  note_process_ending();
  if (deadline.passed()) return;
  for (const DeviceRef& device : manager->open_devices(deadline)) {
    if (device->builtin() || device->backend().lost()) continue;
    try {
      QueueSet::of(*device).finish(deadline);
    } catch (...) {
      // Failed work is over too; nobody is left to tell.
    }
  }
}

std::atomic<bool> g_registered{false};

}  // namespace

void arm_exit_hook() {
  hook();
  if (!g_registered.exchange(true)) std::atexit(at_exit);
}

void set_exit_timeout(uint64_t timeout_ns) { hook().timeout_ns.store(timeout_ns); }

}  // namespace netcl::api
