// How an op runs: the queue it goes to, what it waits for, and where its event goes.
#pragma once

#include "queue/queue.hpp"

namespace netcl::ops {

struct Run {
  Queue& queue;
  backend::WaitList waits;
  backend::EventRef* event = nullptr;
  Work work{};            // of the op, for recorders
  bool declared = false;  // it is part of an op that declares its work as a whole

  Device& device() const noexcept { return queue.device(); }
  // The same queue and waits without event and work: for all but the last command of an op.
  Run without_event() const noexcept { return {queue, waits, nullptr}; }
  // The same for another op that does a part of this one, whose work is declared as a whole.
  Run part() const noexcept {
    Run run = without_event();
    run.declared = true;
    return run;
  }
};

}  // namespace netcl::ops
