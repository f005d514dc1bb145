// Timed ops: which there are, and how they do on a device.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_BENCH_HPP
#define NETCL_TOOL_BENCH_HPP

#include <cstdint>
#include <netcl.h>

#include <functional>
#include <string>
#include <vector>

#include "owned.hpp"

namespace netcl::tool {

class Options;

/// What is to be run: an op, its sizes, a dtype.
struct BenchCase {
  std::string op;
  std::vector<int64_t> sizes;
  netcl_dtype dtype = NETCL_F32;
  std::string size_note;  ///< stands for the sizes where there are none

  std::string sizes_text() const;
};

struct BenchRow {
  BenchCase what;
  std::string problem;  ///< why there is no time; empty when there is one
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  bool analyzed = false;
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  std::string variant;  ///< which the op takes on the device; empty when it has none
  std::string why;      ///< that one

  double gigabytes_per_second() const { return rate(statistics.bytes); }
  double gigaflops() const { return rate(statistics.operations); }

 private:
  double rate(double amount) const {
    return statistics.median > 0 ? amount / statistics.median : 0.0;
  }
};

struct BenchOptions {
  double seconds = 0.3;  ///< per op
  bool cold = false;
};

/// Reads "matmul", "matmul:512" or "matmul:512x256x1024"; an op alone stands for its usual sizes,
/// no word for a selection of ops. Throws UsageProblem.
std::vector<BenchCase> bench_cases(const std::vector<std::string>& words, const std::string& dtype);

/// The ops that there are, a line each, for the help.
std::string bench_ops_help();

/// Times one case. `ceilings` may be null: then nothing is analyzed. Failures of the library end up
/// in the row.
BenchRow run_bench(netcl_device* device, netcl_ceilings* ceilings, const BenchCase& what,
                   const BenchOptions& options);

bool any_problem(const std::vector<BenchRow>& rows);

using Progress = std::function<void(size_t done, size_t all, const BenchCase& next)>;
std::vector<BenchRow> run_benches(netcl_device* device, netcl_ceilings* ceilings,
                                  const std::vector<BenchCase>& cases, const BenchOptions& options,
                                  const Progress& progress);

/// Ops that beat ceilings show that these were measured while something else was running: they are
/// measured again, and the rows analyzed again. Ceilings of a file stay as they are.
void settle_ceilings(netcl_device* device, const Options& options, Ceilings* ceilings,
                     std::vector<BenchRow>* rows);

/// Progress on stderr when that is a terminal, else none.
Progress terminal_progress();

/// Ceilings of a device as the tool's options ask for them.
Ceilings open_ceilings(netcl_device* device, const Options& options);
Device open_device(const Options& options);

void print_bench_table(const std::vector<BenchRow>& rows);
class Json;
void write_bench_rows(Json& json, const char* key, const std::vector<BenchRow>& rows);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_BENCH_HPP
