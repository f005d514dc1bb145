// What everything made on one opened device shares and keeps alive: the context, and whether the
// device is still there.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/opencl/batch_api.hpp"
#include "backend/opencl/codes.hpp"
#include "backend/opencl/object.hpp"

namespace netcl::cpu {
class ThreadPool;
}

namespace netcl::backend::opencl {

class DeviceState {
 public:
  // Makes a context for the device, or retains `context`.
  DeviceState(cl_platform_id platform, cl_device_id device, cl_context context);

  cl_platform_id platform() const noexcept { return platform_; }
  cl_device_id device() const noexcept { return device_.get(); }
  cl_context context() const noexcept { return context_.get(); }
  const std::string& name() const noexcept { return name_; }
  // The lower of the platform's and the device's version, as 10 * major + minor.
  int version() const noexcept { return version_; }
  // Major version of PoCL, 0 for other platforms.
  int pocl() const noexcept { return pocl_; }
  // True when the device works on host memory itself, so that mapped memory needs no copies.
  bool unified() const noexcept { return unified_; }
  // True when kernels run on threads of this process, which also compile them at the first launch.
  bool in_process() const noexcept { return in_process_; }
  // Bytes of all memory, at most what a pointer can span.
  uint64_t global_memory() const noexcept { return global_memory_; }
  // True when kernels work on a memory file of the host in place, which can be told when they are
  // done with it.
  bool takes_files() const noexcept {
    return in_process_ && cl().clSetMemObjectDestructorCallback != nullptr;
  }
  // True when the driver runs functions of the host as commands, on its own threads.
  bool native() const noexcept { return threads_ != nullptr; }
  // What such functions spread their loops over: the pool of the process or, on a device with fewer
  // compute units, one of its own.
  const std::shared_ptr<netcl::cpu::ThreadPool>& threads() const noexcept { return threads_; }

  const BatchApi& batches() const noexcept { return batches_; }

  QueueObject create_queue(cl_command_queue_properties properties) const;
  // A queue of this library's own commands (mapping, probing), made at the first call.
  cl_command_queue service_queue();

  bool lost() const noexcept { return lost_code_.load(std::memory_order_relaxed) != 0; }
  int32_t lost_code() const noexcept { return lost_code_.load(std::memory_order_relaxed); }
  // Fails with DEVICE_LOST once the device is lost, before the driver is asked anything.
  void require() const {
    if (lost()) [[unlikely]]
      fail_lost();
  }
  // Turns the code of an enqueueing call into an exception; finds out whether the device is lost.
  void check_enqueue(int32_t code, const char* call) {
    if (code != CL_SUCCESS) [[unlikely]]
      enqueue_failed(code, call);
  }
  // Keeps the event of a failed command for a while. PoCL touches such an event once more when a
  // command in front of it completes, although it keeps no reference for that, and then aborts.
  void keep_failed(EventObject event) noexcept;
  // Releases a memory object once these events, each of a command that may use it, have ended.
  // NVIDIA's driver reads a released object again when such a command's turn comes, and crashes.
  void release_after(MemObject mem, std::vector<EventObject> events) noexcept;
  // The same for what else a command needs; it holds no reference to this.
  void release_after(std::shared_ptr<void> needed, std::vector<EventObject> events) noexcept;
  // Gives back what of all this has ended.
  void sweep_released() noexcept;
  // Held from the mapping of memory that others may map too to its unmapping.
  std::mutex& mapping_mutex() noexcept { return mapping_mutex_; }
  // True once the driver was seen not to end what waits for a command that failed.
  bool hangs() const noexcept { return hangs_.load(std::memory_order_relaxed); }
  void note_hang() noexcept { hangs_.store(true, std::memory_order_relaxed); }
  // After a code that may mean a lost device: asks the device for a sign of life.
  void suspect(int32_t code) noexcept;

 private:
  [[noreturn]] void fail_lost() const;
  [[noreturn]] void enqueue_failed(int32_t code, const char* call);
  bool answers() noexcept;

  cl_platform_id platform_;
  DeviceObject device_;
  ContextObject context_;
  std::string name_;
  int version_ = 0;
  int pocl_ = 0;
  bool unified_ = false;
  bool in_process_ = false;
  uint64_t global_memory_ = 0;
  BatchApi batches_;
  std::shared_ptr<netcl::cpu::ThreadPool> threads_;
  std::atomic<int32_t> lost_code_{0};
  std::atomic<bool> hangs_{false};
  std::mutex mutex_;  // guards the making of service_queue_, and probing
  QueueObject service_queue_;
  std::mutex mapping_mutex_;
  std::mutex failed_mutex_;  // guards what follows
  std::array<EventObject, 256> failed_;
  size_t next_failed_ = 0;
  struct Released {
    MemObject mem;
    std::shared_ptr<void> needed;
    std::vector<EventObject> events;
  };
  std::mutex released_mutex_;  // guards what follows
  std::vector<Released> released_;
};
using DeviceStateRef = std::shared_ptr<DeviceState>;

}  // namespace netcl::backend::opencl
