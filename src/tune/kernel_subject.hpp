// A kernel with its work size and arguments, as something to be tuned.
#pragma once

#include "kernel/launch.hpp"
#include "tune/runner.hpp"
#include "tune/subject.hpp"

namespace netcl::tune {

// What is tried for a kernel; see netcl_kernel_tuning.
struct KernelTuning {
  std::vector<uint64_t> local_sizes;  // rows of the launch's rank; empty: filled in
  std::vector<int64_t> tile_sizes;    // empty: filled in
  std::vector<int64_t> unroll_factors;
  std::string tile_macro = kTileMacro;
  std::string unroll_macro = kUnrollMacro;
  const Space* space = nullptr;
  netcl_work work = NETCL_WORK_INIT;
  bool round_up = false;
};

// A launch that jobs repeat: its size, and its arguments as jobs have them.
struct JobLaunch {
  uint32_t rank = 1;
  uint64_t global[3] = {1, 1, 1};
  std::vector<JobArgument> arguments;
  std::vector<int64_t> scalars;                        // among them, see Scalars
  std::vector<std::pair<std::string, int64_t>> names;  // of those that formulas can name
  // The first one is timed. A candidate that remembers a result or is right by chance gives the
  // wrong one for the second.
  std::vector<uint64_t> seeds{Fill::kPlainSeed, Fill::kPlainSeed + 1};
};

// Builds a kernel; false when it needs a macro that tuning sets.
bool builds_alone(Kernel& kernel);

// The arguments of a launch as a job has them. Contents are read now; what the kernel may write
// begins as random numbers where it holds floats. Integers stay as they were given, on every seed.
// Fails as a launch does for what does not fit the parameters.
void real_call(Kernel& kernel, std::span<const LaunchArgument> arguments, JobLaunch* call);
// The arguments of the last noted launch, if it was of this size, with random contents, other ones
// for each seed.
bool noted_call(Kernel& kernel, uint32_t rank, const uint64_t* global, JobLaunch* call);
// Buffers alone, of the sizes that the device's pool leased most often, filled likewise. Fails with
// INVALID_ARGUMENT naming the argument that cannot be known.
void imagined_call(Kernel& kernel, uint32_t rank, const uint64_t* global, JobLaunch* call);

// "f32,f32,i32": the dtypes of the tensors among the arguments.
std::string types_text(std::span<const JobArgument> arguments);

// True when the text of a program uses an identifier other than to ask whether it is defined and to
// define it.
bool source_uses(const std::string& text, const std::string& identifier);

// Fails with INVALID_ARGUMENT naming the list, macro or size that cannot be, and with UNSUPPORTED
// for a kernel without source.
std::shared_ptr<Subject> make_kernel_subject(std::shared_ptr<Kernel> kernel, const JobLaunch& call,
                                             const KernelTuning& tuning);

}  // namespace netcl::tune
