// Launches and fills as one command: cl_khr_command_buffer.
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "backend/opencl/event.hpp"

namespace netcl::backend::opencl {

// What a driver keeps, and what it needs for that as long as it may run.
class CommandBuffer {
 public:
  CommandBuffer(const BatchApi& api, cl_command_queue queue);
  ~CommandBuffer();
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;

  cl_command_buffer_khr get() const noexcept { return buffer_; }
  // Adds a launch of a kernel object of its own. PoCL 3.1 does not keep the arguments: it takes
  // those that the kernel has when the buffer is enqueued.
  void add(DeviceState& device, const Launch& launch);
  void add(DeviceState& device, const Fill& fill);
  void finalize(DeviceState& device);

 private:
  struct _cl_mem* argument_memory(const KernelArgument& argument);

  clReleaseCommandBufferKHR_fn release_;
  clCommandNDRangeKernelKHR_fn launch_;
  clCommandFillBufferKHR_fn fill_;
  clFinalizeCommandBufferKHR_fn finalize_;
  cl_command_buffer_khr buffer_ = nullptr;
  std::vector<KernelObject> kernels_;
  std::vector<MemObject> parts_;  // sub-buffers
};

class ClBatch final : public Batch {
 public:
  // Under the device's lock, which guards the arguments of kernels and the lists of buffers.
  static std::shared_ptr<ClBatch> make(const DeviceStateRef& device,
                                       std::span<const BatchCommand> commands);

  explicit ClBatch(DeviceStateRef device) : device_(std::move(device)) {}
  ~ClBatch() override { drop(); }

  bool valid() const noexcept override { return valid_.load(std::memory_order_acquire); }
  // Memory of it goes: gives the driver's object back, once it has run for the last time.
  void drop() noexcept;

  // Before it is enqueued: UNSUPPORTED when it may not, and room for what note_run() keeps.
  void require_ready();
  cl_int enqueue(cl_command_queue queue, cl_uint count, struct _cl_event* const* waits,
                 struct _cl_event** event) const;
  // `may_end_early`: it may fail before earlier commands of its queue are complete.
  void note_run(const EventRef& event, bool may_end_early) noexcept;

 private:
  const DeviceStateRef device_;
  std::atomic<bool> valid_{true};
  std::mutex mutex_;  // guards what follows, which goes while others may run other batches
  std::shared_ptr<CommandBuffer> buffer_;
  std::vector<EventRef> running_;  // when these have ended, so have all runs
};

}  // namespace netcl::backend::opencl
