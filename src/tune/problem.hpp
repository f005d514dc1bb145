// The arguments of jobs in the memory of a device: filled from their record and a seed, outputs
// poisoned, and a guard zone in front of and behind every tensor.
#pragma once

#include <map>
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
  // Enqueues, between two runs over the same contents, what brings inout arguments back and fills
  // outputs with the pattern of a round. The copy on the device that it needs is made at the first
  // call after prepare().
  void refresh(uint32_t round);

  // After runs are complete; a text that says what is wrong, empty when nothing is. Every guard
  // zone and every input is looked at: a kernel may cast const away. `facts` are for the names.
  std::string damage(const backend::KernelFacts& facts);
  // The bytes of a tensor, and some of them.
  std::string read(size_t index) { return read(index, 0, slots_[index].payload); }
  std::string read(size_t index, uint64_t first, uint64_t size);
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
    std::map<uint64_t, Hash128> hashes;  // of an input's bytes, by the seed that they depend on
  };

  void allocate(size_t index);
  void fill(size_t index, uint64_t seed);
  void poison(size_t index, uint32_t round);
  void write_guards(Slot* slot);
  std::string guard_damage(size_t index, const backend::KernelFacts& facts);
  bool input_unchanged(size_t index);

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
