// A job: one kernel with its arguments and build settings, to be checked against a reference and
// timed. The isolated benchmark and the tuner make jobs, runners execute them, in this process or
// in the worker; both run the same code, and a job says everything that it depends on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.hpp"
#include "core/hash.hpp"
#include "netcl.h"

namespace netcl::tune {

// Bytes that are shared and never change.
using Bytes = std::shared_ptr<const std::string>;

// What a tensor holds before the kernel runs.
struct Fill {
  enum class Kind : uint8_t {
    zeros,
    constant,  // a
    uniform,   // [a, b); a = b = 0: [0, 1), and all values of integers
    normal,    // mean a, deviation b
    iota,      // element i is a + i * b; integers wrap
    bytes,     // the given ones, packed in C order
    scaled     // the same, floats times a factor that the seed gives; 1 for kPlainSeed
  } kind = Kind::zeros;
  static constexpr uint64_t kPlainSeed = 1;
  double a = 0;
  double b = 0;
  Bytes bytes;
};

// How far an output may lie from the reference: |got - want| <= absolute + relative * |want|. NaN
// and infinities must agree. A negative bound stands for the default of the dtype: integers exact;
// floats a relative one, also against the root mean square of the reference, since a sum in another
// order differs by the size of its terms.
struct Tolerance {
  bool exact = false;  // bit for bit
  double absolute = -1;
  double relative = -1;
};

struct JobArgument {
  enum class Kind : uint8_t { tensor, scalar, local, null } kind = Kind::tensor;
  enum class Access : uint8_t { in, out, inout } access = Access::in;

  std::string name;  // for messages; empty: the parameter's own, else its number

  // tensor: packed in C order
  netcl_dtype dtype = NETCL_F32;
  std::vector<int64_t> shape;
  Fill fill;  // of in and inout
  Tolerance tolerance;

  std::string scalar;        // scalar: the bytes that are passed
  uint64_t local_bytes = 0;  // local
  bool reinterpret = false;  // the parameter's elements may be of another dtype

  uint64_t element_count() const;  // of a tensor
  uint64_t byte_count() const;
};

// A work size. local[0] == 0: netcl chooses, as a launch does.
struct JobSize {
  uint32_t rank = 1;
  uint64_t global[3] = {1, 1, 1};
  uint64_t local[3] = {0, 0, 0};
};

struct Job;

// What the outputs have to be. Empty: nothing is compared, but guards are.
struct Reference {
  // A job over the same arguments whose outputs are right. Runners keep its outputs.
  std::shared_ptr<const Job> job;
  // Or outputs that the caller has, for one seed: one entry per argument, null where none is given.
  struct Outputs {
    uint64_t seed = 0;
    std::vector<Bytes> outputs;
  };
  std::vector<Outputs> given;
};

struct Job {
  // The program. The text is `source`, or the file at `path` when source is empty; runners read it
  // in the process that calls them.
  std::string source;
  std::string path;
  std::string kernel;
  std::vector<std::string> flags;  // one token each
  bool fast_math = false;
  bool no_preamble = false;
  // Macros of the source: "TILE" -> "16". They stand in front of the text as #define lines, so a
  // value may be any text of one line.
  std::vector<std::pair<std::string, std::string>> defines;

  JobSize size;
  bool round_up = false;  // global to a multiple of local: the kernel guards
  std::vector<JobArgument> arguments;

  // A kernel of the same program that runs once, with the same arguments, before each checked run
  // and before timing. Empty: none.
  std::string setup_kernel;
  JobSize setup_size;

  // Checked on each of these, in this order; the first one is timed. At least one.
  std::vector<uint64_t> seeds{1};
  Reference reference;
  bool repeat = false;  // run twice on the first seed and say whether the bits agree

  // How far to go. A job that ends earlier than `timed` is correct as far as it went.
  enum class Until : uint8_t { built, checked, timed } until = Until::timed;

  // Rules of timing; candidates must be 0 or 1.
  netcl_measurement_options timing = NETCL_MEASUREMENT_OPTIONS_INIT;

  struct Limits {
    // Also until a run begins, since a driver may compile at the first launch.
    uint64_t compile_ns = uint64_t{60} * 1000000000;
    uint64_t run_ns = 0;  // of one run that began; 0: max(2 s, 20 * best_ns)
    // The best so far, 0: none. A first run that takes more than 3 * best_ns + 50 ms ends the job
    // as slow, and so do samples whose interval lies above slow_factor * best_ns.
    double best_ns = 0;
    double slow_factor = 1.2;
    // Set by another thread to end the job as cancelled. May be null; lives as long as the call.
    const std::atomic<bool>* cancel = nullptr;
  } limits;

  uint64_t run_limit_ns() const;
};

// What the kernel, its settings and its arguments are, as a hash: without seeds, reference, timing
// and limits. Deaths are counted by it.
Hash128 job_hash(const Job& job);

// Fails with INVALID_ARGUMENT naming the member when a job cannot be run by anybody: no source, no
// kernel, an argument without a shape, fewer bytes than elements and the like. IO when its file
// cannot be read; afterwards `source` is set.
void prepare_job(Job* job);

struct JobResult {
  netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN;
  // One line on what went wrong, naming the argument, the element, what it was and should have
  // been. Empty when nothing did.
  std::string message;

  netcl_statistics statistics = NETCL_STATISTICS_INIT;  // count 0 when it was not timed
  std::vector<double> samples;                          // in the order they were taken, ns

  uint64_t compile_ns = 0;  // 0: not compiled
  bool from_cache = false;  // the program was in the disk cache, so compile_ns is no compile time
  std::string build_log;    // at most 4 KiB
  Hash128 program_hash;     // of the driver's program; zero when there is none
  uint64_t global[3] = {0, 0, 0};  // as launched
  uint64_t local[3] = {0, 0, 0};
  uint64_t max_local_size = 0;
  uint64_t local_memory_bytes = 0;
  uint64_t private_memory_bytes = 0;
  uint64_t first_run_ns = 0;   // the first checked run on the device
  bool deterministic = false;  // repeat was asked for and the bits agreed
  // How often a worker died under this job so far, this time included. A runner does not start a
  // job again that has killed three; the outcome is then that of the last death.
  uint32_t deaths = 0;

  bool correct() const noexcept { return outcome == NETCL_OUTCOME_CORRECT; }
};

}  // namespace netcl::tune
