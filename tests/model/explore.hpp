// All states that the machine can reach, and all traces of the host.
#pragma once

#include <functional>
#include <random>

#include "model.hpp"

namespace model {

struct Limits {
  int commands = 0;
  int others = 0;        // steps of queues and tensors
  bool forgets = false;  // with forget_covered() behind each command
};

struct Explored {
  uint64_t states = 0;  // up to names; those behind the last command are checked and not kept
  uint64_t steps = 0;   // taken and checked
  std::string problem;  // empty: no step breaks a promise
  Trace trace;          // that leads to the problem
};
// Visits every state within the limits, from one queue, from two and from three. Stops at the first
// problem, which has the fewest commands.
Explored explore(const Limits& limits, Fault fault);

// Calls `visit` for every trace of the host with these commands and at most these other steps, up
// to names. The driver's steps are not among them.
void each_trace(const Limits& limits, const std::function<void(const Trace&)>& visit);
// A trace with these commands and at most as many other steps.
Trace random_trace(const Limits& limits, std::mt19937_64& random);

}  // namespace model
