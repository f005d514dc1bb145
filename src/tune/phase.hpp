// The stages that a job passes through on its way.
#pragma once

#include <span>

#include "tune/job.hpp"

namespace netcl::tune {

// A phase may come several times.
enum class Phase : uint8_t { compile, device, prepare, run, time };

// "while it was compiled"
const char* phase_text(Phase phase);

// How long a phase may stay silent. The worker itself ends runs that take too long; this is for a
// driver that does not come back.
uint64_t phase_limit(const Job& rules, Phase phase);

// How long all phases of these jobs may take together, but for waits for the device. Far more than
// they do: it is for a worker that reports progress where there is none.
uint64_t jobs_limit(std::span<const Job> jobs);

}  // namespace netcl::tune
