// SIGINT handling, on request only. The handler is async-signal-safe: it counts, wakes a watchdog
// and calls the handler that was there before.
#pragma once

#include <cstdint>

namespace netcl {

void interrupt_enable(uint64_t grace_ns);
// False when another handler was installed in the meantime.
bool interrupt_disable();

}  // namespace netcl
