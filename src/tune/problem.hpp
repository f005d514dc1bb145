// The arguments of jobs in the memory of a device: filled from their record and a seed, outputs
// poisoned, and a guard zone in front of and behind every tensor.
#pragma once

#include <string>
#include <vector>

#include "kernel/launch.hpp"
#include "tune/job.hpp"

namespace netcl::tune {

class Problem {
 public:
  // Throws OUT_OF_DEVICE_MEMORY when the arguments do not fit.
  Problem(Queue& queue, std::vector<JobArgument> arguments);

  const std::vector<JobArgument>& arguments() const noexcept { return arguments_; }
  // For launch_kernel; valid as long as the problem.
  std::span<const LaunchArgument> launch_arguments() const noexcept { return launch_; }
  // The tensor of an argument, null for other kinds.
  const TensorRef& tensor(size_t index) const noexcept { return slots_[index].tensor; }

  // Enqueues what brings every argument into its first state for a seed. Inputs that are known to
  // hold their values are left alone.
  void prepare(uint64_t seed, uint32_t round);
  // Enqueues what brings inout arguments back, from a copy on the device that is made at the first
  // call after prepare().
  void restore_inout();

  // After a run is complete; a text that says what is wrong, empty when nothing is. `kernel` knows
  // which parameters it cannot write through.
  std::string damage(const backend::KernelFacts& facts);
  // The bytes of a tensor.
  std::string read(size_t index);
  // How a message calls an argument: "argument 2 (out)".
  std::string name_of(size_t index, const backend::KernelFacts* facts) const;
  // Nothing is known about the memory any more.
  void distrust() noexcept;

 private:
  struct Slot {
    BufferRef buffer;
    TensorRef tensor;
    TensorRef saved;  // inout: a copy of the first state
    uint64_t payload = 0;
    uint64_t guard = 0;
    uint64_t seed = 0;
    bool filled = false;  // holds its values for `seed`
    bool saved_valid = false;
    bool guarded = false;  // the zones are intact
    bool hashed = false;
    Hash128 hash;  // of an input's bytes, once they were looked at
  };

  void allocate(size_t index);
  void fill(size_t index, uint64_t seed);
  void write_guards(Slot* slot);
  std::string guard_damage(size_t index, const backend::KernelFacts& facts);
  bool input_unchanged(Slot* slot);
  Hash128 hash_of(const Slot& slot);

  Queue& queue_;
  std::vector<JobArgument> arguments_;
  std::vector<netcl_arg> args_;
  std::vector<LaunchArgument> launch_;
  std::vector<Slot> slots_;
  std::string pattern_;  // of the guard zones
};

// The hash of everything that a problem is made from.
Hash128 problem_hash(const std::vector<JobArgument>& arguments);

}  // namespace netcl::tune
