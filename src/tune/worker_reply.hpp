// What a worker says, taken apart. A candidate kernel may have written anywhere in the worker, so
// nothing of it is believed before it is checked.
#pragma once

#include <string>
#include <vector>

#include "core/json.hpp"
#include "tune/job.hpp"
#include "tune/phase.hpp"

namespace netcl::tune {

struct WorkerReply {
  enum class Kind : uint8_t { welcome, ready, failed, phase, results, lost };

  Kind kind = Kind::lost;
  std::string text;                // welcome: the build; failed: the message
  netcl_status status = NETCL_OK;  // failed: never NETCL_OK
  Phase phase = Phase::compile;    // phase
  size_t index = 0;                // phase: the job that it is about
  bool stuck = false;              // results: the last one never ended
  bool distrusted = false;         // results: its reference did not agree with itself
  std::vector<JobResult> results;  // results: one for each job
};

// A message from a worker that was sent `jobs` jobs, 0 at its start. Fails with CORRUPT_DATA.
WorkerReply reply_from_json(const Json& json, size_t jobs);

}  // namespace netcl::tune
