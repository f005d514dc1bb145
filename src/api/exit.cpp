#include "api/exit.hpp"

#include <unistd.h>

#include <atomic>

#include "core/ending.hpp"
#include "core/environment.hpp"
#include "core/process.hpp"
#include "device/manager.hpp"
#include "queue/queue.hpp"
#include "timing/profile.hpp"

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

void wait_for_work() noexcept {
  // A child that inherits the hook has fresh state or none, and no device to wait for.
  ProcessState* state = process_if_installed();
  if (state == nullptr) return;
  ExitHook* own = state->services.find<ExitHook>(Slot::exit_hook);
  DeviceManager* manager = state->services.find<DeviceManager>(Slot::device_manager);
  if (own == nullptr || manager == nullptr || own->owner != getpid()) return;
  const Deadline deadline = exit_deadline(own->timeout_ns.load());
  if (deadline.passed()) return;
  if (!wait_for_compilations(deadline)) return;
  for (const DeviceRef& device : manager->open_devices(deadline)) {
    if (device->builtin() || device->backend().lost()) continue;
    try {
      QueueSet::of(*device).finish(deadline);
    } catch (...) {
      // Failed work is over too; nobody is left to tell.
    }
  }
}

// The profile goes last: what was waited for belongs to it.
void end_process() noexcept {
  wait_for_work();
  timing::Profile::close_at_exit();
}

}  // namespace

void arm_exit_hook() {
  hook();
  netcl::arm_exit_hook(end_process);
}

void set_exit_timeout(uint64_t timeout_ns) { hook().timeout_ns.store(timeout_ns); }

}  // namespace netcl::api
