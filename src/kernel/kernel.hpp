// A kernel as the user specifies it: text in one of several forms, flags, a local size, and, once
// built, the driver's kernel with its argument table.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "kernel/program_cache.hpp"
#include "kernel/tuned.hpp"

namespace netcl {

struct KernelSpec {
  std::string name;
  ProgramRequest request;
  uint64_t shape_signature = 0;
  uint64_t local_size[3] = {0, 0, 0};
  netcl_tune_mode tune = NETCL_TUNE_INHERIT;
  uint64_t free_arguments = 0;  // a bit for each argument that is no part of the problem
  std::vector<kernel::KernelRecord> binary_records;  // argument tables that came with a binary
};

// True when OpenCL C text uses a type, alone or as a vector.
bool source_mentions(const std::string& text, const char* type_name);

// Stands before the text of the caller, wherever the library has put lines in front of it: line
// numbers of logs stay the caller's. Some drivers ignore it, so that it has to be found again, and
// the comment tells it from what callers write. The last one counts.
inline constexpr char kSourceBegins[] = "#line 1  // of the source\n";

// Checks options of the interface and assembles the text that the compiler gets.
KernelSpec make_kernel_spec(const Device& device, const char* name,
                            const netcl_kernel_options& options);

// The device must outlive the kernel: handles hold both, the device's registry holds kernels only.
class Kernel : public std::enable_shared_from_this<Kernel> {
 public:
  Kernel(Device& device, KernelSpec spec) : device_(device), spec_(std::move(spec)) {}

  Device& device() const noexcept { return device_; }
  const KernelSpec& spec() const noexcept { return spec_; }

  // Builds at the first call; throws BUILD_FAILURE, UNSUPPORTED or NOT_FOUND.
  void build();
  bool built() const noexcept { return built_.load(std::memory_order_acquire); }
  // After build(): the driver's kernel. Arguments are set under the device's enqueue mutex.
  backend::Kernel& backend_kernel() const noexcept { return *kernel_; }
  const backend::KernelFacts& facts() const noexcept { return kernel_->facts; }
  bool from_cache() const noexcept { return program_->from_disk; }
  std::string build_log() const;
  // The program's bytes with netcl's key and checksum around them.
  std::string binary();
  TunedLaunches& tuned() noexcept { return tuned_; }

 private:
  void build_locked();
  // The log with the line numbers of the user's text.
  std::string user_log(const BuiltProgram& built) const;
  [[noreturn]] void fail_build(const BuiltProgram& built) const;
  void apply_record(const BuiltProgram& built);

  Device& device_;
  KernelSpec spec_;
  mutable std::mutex mutex_;  // guards building and log_
  std::string log_;
  ProgramRef program_;
  std::unique_ptr<backend::Kernel> kernel_;
  std::atomic<bool> built_{false};
  TunedLaunches tuned_;
};
using KernelRef = std::shared_ptr<Kernel>;

}  // namespace netcl
