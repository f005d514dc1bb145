// A run of `netcl bench` that was kept, and how another one compares with it.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_SAVED_RUN_HPP
#define NETCL_TOOL_SAVED_RUN_HPP

#include <string>
#include <vector>

#include "bench.hpp"

namespace netcl::tool {

/// A row of a saved run, without a time where the op could not be run.
struct SavedRow {
  BenchCase what;
  double median = 0;         ///< nanoseconds
  double low = 0, high = 0;  ///< the interval of the median
};

struct SavedRun {
  std::string path;
  std::string device;
  bool cold = false;
  std::vector<SavedRow> rows;
};

/// Reads what --save and --json write; throws ToolError naming the file and what is wrong with it.
SavedRun read_saved_run(const std::string& path);

/// The ops of a saved run, to be run again.
std::vector<BenchCase> saved_cases(const SavedRun& run);

/// Writes a run as one JSON object: to a text, or to stdout where `sink` is null.
void write_run(Json& json, const std::string& device, bool cold, const std::vector<BenchRow>& rows);

enum class Verdict { kWithinNoise, kFaster, kSlower, kNoTime };

/// One op in both runs.
struct ComparedRow {
  BenchCase what;
  double before_ns = 0;  ///< 0: the saved run has no time of it
  double after_ns = 0;   ///< 0: it has no time now
  Verdict verdict = Verdict::kNoTime;

  double ratio() const { return before_ns > 0 ? after_ns / before_ns : 0.0; }
};

/// Compares the rows of a run with those of a saved one. A time is beyond noise when the intervals
/// of the two medians lie apart and the medians differ by more than `noise`, a share of the saved
/// one. Throws ToolError when no op has a time in both.
std::vector<ComparedRow> compare_runs(const SavedRun& before, const std::vector<BenchRow>& rows,
                                      double noise);

void print_compared(const SavedRun& before, const std::vector<ComparedRow>& rows, double noise);
void write_compared(Json& json, const char* key, const std::vector<ComparedRow>& rows);
bool any_slower(const std::vector<ComparedRow>& rows);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_SAVED_RUN_HPP
