// What netcl needs from something that computes. Two implementations: backend/opencl drives an
// OpenCL device, backend/cpu is the built-in device. Everything above this file is written once.
//
// Calls on one Stream, and launches of kernels of one device, are made under the device's lock (see
// queue/), so implementations need no locks of their own around argument setting and enqueueing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/failure.hpp"
#include "core/error.hpp"
#include "core/wait.hpp"
#include "netcl.h"
#include "share/shared.hpp"

namespace netcl::cpu {
class ThreadPool;
}

namespace netcl::backend {

struct Timing {
  uint64_t queued_ns = 0;
  uint64_t submitted_ns = 0;
  uint64_t started_ns = 0;
  uint64_t ended_ns = 0;
};

inline constexpr int32_t kNoTimes = -7;  // CL_PROFILING_INFO_NOT_AVAILABLE

// The completion of one command. All members may be called from any thread.
class Event {
 public:
  virtual ~Event() = default;
  // Asks without waiting. A command that failed is NETCL_EVENT_FAILED for good.
  virtual netcl_event_state state() = 0;
  // Waits until the command is complete or has failed; false on time-out. Throws only CANCELLED.
  virtual bool wait(const Deadline& deadline) = 0;
  // The driver's code of a failed command, 0 otherwise.
  virtual int32_t failure() = 0;
  // 0 when the times are written, kNoTimes when none were recorded, else the driver's code.
  virtual int32_t timing(Timing* timing) = 0;
  virtual struct _cl_event* cl_event() noexcept { return nullptr; }
  virtual bool ended() { return true; }
  // The driver's code is not all: `failure` tells too. Before the event is anybody else's.
  virtual void stand_for(FailureRef) noexcept {}
  // That, until the end is known.
  virtual FailureRef stands_for() const noexcept { return nullptr; }
};
using WaitList = std::span<const EventRef>;

enum class MemoryKind : uint8_t {
  device,   // memory of the device
  pinned,   // page-locked host memory, mapped for the host for as long as it lives
  host,     // the caller's memory, used in place
  foreign,  // an OpenCL memory object of the caller
  shared,   // what other processes and runtimes can have too
  planned,  // none: the size of memory that there will be
  file      // pages of a file
};

// One memory object.
class Buffer {
 public:
  virtual ~Buffer() = default;
  uint64_t bytes() const noexcept { return bytes_; }
  MemoryKind kind() const noexcept { return kind_; }
  // Where the host may access the memory at any time the device does not; nullptr when it may not.
  void* host_pointer() const noexcept { return host_pointer_; }
  // Where functions of the host find the memory, on devices that run them; else host_pointer().
  virtual void* native_memory() const noexcept { return host_pointer_; }
  virtual struct _cl_mem* cl_mem() const noexcept { return nullptr; }
  // The memory object that a sub-buffer is part of, else cl_mem(): equal roots may overlap.
  virtual struct _cl_mem* root_mem() const noexcept { return cl_mem(); }
  // What stands behind memory of kind `shared`; else null.
  const share::Shared* shared() const noexcept { return shared_.get(); }

 protected:
  Buffer(uint64_t bytes, MemoryKind kind) : bytes_(bytes), kind_(kind) {}
  uint64_t bytes_;
  MemoryKind kind_;
  void* host_pointer_ = nullptr;
  std::shared_ptr<share::Shared> shared_;
};
using BufferRef = std::shared_ptr<Buffer>;

// One parameter of a kernel as the compiler reported it.
struct Parameter {
  bool is_buffer = false;  // __global or __constant pointer
  bool is_local = false;   // __local pointer
  bool is_const = false;   // the kernel does not write through it
  uint32_t size = 0;       // bytes of a scalar, 0 when unknown
  netcl_dtype dtype = 0;   // of the elements; 0 when they are none of netcl's dtypes, or unknown
  std::string name;
  std::string type_name;
};

struct KernelFacts {
  std::string name;
  bool parameters_known = false;  // false when the driver does not tell (only the count is known)
  std::vector<Parameter> parameters;
  uint64_t required_local[3] = {0, 0, 0};
  uint64_t max_local_size = 0;
  uint64_t local_memory_bytes = 0;
  uint64_t private_memory_bytes = 0;
  uint32_t preferred_multiple = 1;
};

class Kernel : public std::enable_shared_from_this<Kernel> {
 public:
  virtual ~Kernel() = default;
  KernelFacts facts;
};

// A built program. Kernels made from it may outlive it.
class Program {
 public:
  virtual ~Program() = default;
  virtual std::vector<std::string> kernel_names() = 0;
  // A new kernel object; throws NOT_FOUND naming the kernels there are.
  virtual std::unique_ptr<Kernel> create_kernel(const std::string& name) = 0;
  virtual std::string binary() = 0;
};

// What a build gave: a program, or a log and the driver's code.
struct BuildResult {
  std::unique_ptr<Program> program;
  std::string log;
  int32_t native_code = 0;
};

struct KernelArgument {
  enum class Kind : uint8_t { buffer, bytes, local, null } kind = Kind::null;
  Buffer* buffer = nullptr;
  uint64_t offset_bytes = 0;   // passed as a sub-buffer when not 0; aligned by the caller
  const void* data = nullptr;  // bytes
  size_t size = 0;             // bytes, local
};

// What a function of the library gets when its command runs.
struct NativeCall {
  netcl::cpu::ThreadPool& threads;
  void* const* memory;  // where the command's buffers are, in their order; null for none

  template <class T>
  T* at(size_t index) const noexcept {
    return static_cast<T*>(memory[index]);
  }
};

// A function of the library that is to run as a command: once or, when the command fails before its
// turn, never.
class NativeFunction {
 public:
  virtual ~NativeFunction() = default;
  // Several commands may run it at a time, one after the other or at once.
  virtual void run(const NativeCall& call) const = 0;
  // Moves it to an object that outlives the call that enqueues it.
  virtual std::unique_ptr<NativeFunction> detach() = 0;
};

// `function(call)` owns all it needs but the memory of the command's buffers, because it may run on
// a thread of the driver, after the objects of the enqueueing call are gone.
template <class Function>
class NativeFunctionOf final : public NativeFunction {
 public:
  explicit NativeFunctionOf(Function function) : function_(std::move(function)) {}
  void run(const NativeCall& call) const override { function_(call); }
  std::unique_ptr<NativeFunction> detach() override {
    return std::make_unique<NativeFunctionOf>(std::move(function_));
  }

 private:
  Function function_;
};

struct Launch {
  Kernel* kernel = nullptr;
  uint32_t rank = 1;
  uint64_t global[3] = {1, 1, 1};
  uint64_t local[3] = {0, 0, 0};  // local[0] == 0: the driver chooses
  uint64_t offset[3] = {0, 0, 0};
  std::span<const KernelArgument> arguments;
};

struct Fill {
  Buffer* buffer = nullptr;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  const void* pattern = nullptr;
  size_t pattern_size = 0;
};

// A launch, or a fill where that has no kernel.
struct BatchCommand {
  Launch launch;
  Fill fill;
};

// Several launches and fills that the driver keeps, to be enqueued as one command. It keeps no
// memory alive: when some that it works on goes, it is over.
class Batch {
 public:
  virtual ~Batch() = default;
  // False when memory of it has gone.
  virtual bool valid() const noexcept = 0;
};
using BatchRef = std::shared_ptr<Batch>;

// A raw command queue. `event` may be null when nobody needs the completion. Every method throws
// Error (LAUNCH_FAILURE, OUT_OF_DEVICE_MEMORY, DEVICE_LOST ...) when the driver refuses.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual bool profiled() const noexcept = 0;
  virtual void copy(Buffer& from, uint64_t from_offset, Buffer& to, uint64_t to_offset,
                    uint64_t bytes, WaitList waits, EventRef* event) = 0;
  virtual void fill(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
                    size_t pattern_size, WaitList waits, EventRef* event) = 0;
  // `host` is touched until the command has completed.
  virtual void read(Buffer& buffer, uint64_t offset, uint64_t bytes, void* host, WaitList waits,
                    EventRef* event) = 0;
  virtual void write(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* host,
                     WaitList waits, EventRef* event) = 0;
  virtual void launch(const Launch& launch, WaitList waits, EventRef* event) = 0;
  // Enqueues all commands of a batch. UNSUPPORTED, and nothing is done, where this stream or the
  // batch cannot do that now.
  virtual void run_batch(Batch& batch, WaitList waits, EventRef* event);
  // Runs a function of the library as a command, where the device has native commands. A buffer
  // may be null. An exception of the function is the command's failure, which goes to `failure` too
  // unless that is null, or is thrown here when the command runs inside this call.
  virtual void run_native(NativeFunction& function, std::span<Buffer* const> buffers,
                          WaitList waits, EventRef* event, const FailureRef& failure) = 0;
  // Where the first failure of such a command goes; null when none can fail later. Looks which of
  // them the driver gave up before their turn.
  virtual std::shared_ptr<FirstFailure> native_failure() const { return nullptr; }
  // Completes when everything enqueued before, and all of `waits`, have completed.
  virtual void marker(WaitList waits, EventRef* event) = 0;
  // The stream goes on for another one of its queue, and these stand for all that the queue has
  // left. In order commands enqueued later wait for them, out of order markers alone do.
  virtual void come_after(WaitList) {}
  virtual void flush() = 0;
  // True when the driver never ends what is left on it, see docs/ordering.md.
  virtual bool given_up() const noexcept { return false; }
  // How many commands a driver has taken. A call that throws may have enqueued some of what it
  // takes several for; its event then stands for these.
  virtual uint64_t taken() const noexcept { return 0; }
  virtual struct _cl_command_queue* cl_queue() noexcept { return nullptr; }
};

// What memory of kind `shared` is on a device; where there is none, why.
struct Sharing {
  netcl_share_kind kind = 0;
  std::string refusal{};
  std::shared_ptr<share::CudaDevice> cuda{};  // of kind NETCL_SHARE_CUDA
  uint64_t most_bytes = UINT64_MAX;           // of one piece
};

class Device {
 public:
  static constexpr size_t kArgumentBytesLeast = 1024;

  virtual ~Device() = default;
  const netcl_device_info& info() const noexcept { return info_; }
  const netcl_device_capabilities& capabilities() const noexcept { return capabilities_; }
  bool builtin() const noexcept { return info_.backend == NETCL_BACKEND_BUILTIN; }
  // The position in the device layer's list, which the backend does not know; set before use.
  void set_index(uint32_t index) noexcept { info_.index = index; }

  virtual std::unique_ptr<Stream> create_stream(bool out_of_order, bool profiled) = 0;
  // Allocates at least 1 byte of `device`, `pinned` or `shared` memory; OUT_OF_DEVICE_MEMORY when
  // there is none. Contents are undefined.
  virtual BufferRef allocate(uint64_t bytes, MemoryKind kind) = 0;
  // Uses the caller's memory in place; the caller has checked that capabilities allow it.
  virtual BufferRef wrap_host(void* data, uint64_t bytes) = 0;
  // The same of a file's memory, which is kept until the last command is done with it.
  virtual BufferRef wrap_file(void* data, uint64_t bytes, std::shared_ptr<void> keeper) = 0;
  virtual Sharing sharing() const = 0;
  // Opens memory of sharing().kind that somebody gave, who is not trusted.
  virtual BufferRef import(const netcl_shared_memory& memory) = 0;
  // Builds never throw for a faulty program: they give a result without a program.
  virtual BuildResult build_source(const std::string& source, const std::string& options) = 0;
  virtual BuildResult build_binary(const std::string& binary, const std::string& options) = 0;
  virtual BuildResult build_il(const std::string& il, const std::string& options) = 0;
  // Text that changes whenever a built program may no longer fit: names, versions, driver.
  virtual std::string program_key() const = 0;
  // True once the driver reported that the device is gone.
  virtual bool lost() const noexcept { return false; }

  // OpenCL devices only; INTERNAL or nullptr elsewhere.
  virtual BufferRef wrap_cl(struct _cl_mem* mem);
  // Gives back one of the caller's own references.
  virtual void release_cl(struct _cl_mem* mem) noexcept;
  virtual EventRef wrap_cl_event(struct _cl_event* event);
  virtual std::unique_ptr<Stream> wrap_cl_queue(struct _cl_command_queue* queue,
                                                bool* out_of_order);
  virtual struct _cl_context* cl_context() const noexcept { return nullptr; }
  virtual struct _cl_device_id* cl_device() const noexcept { return nullptr; }

  // True when Stream::run_native works here: the built-in device, and drivers whose commands run in
  // this process on the memory of the host.
  virtual bool native_commands() const noexcept { return false; }
  // True when kernels can be built to round quotients and square roots of f32 correctly.
  virtual bool rounds_division() const noexcept { return false; }
  // Bytes of arguments that a kernel may have; what every device of OpenCL takes where it does not
  // tell.
  virtual size_t argument_bytes() const noexcept { return kArgumentBytesLeast; }
  // Why there are no batches here; empty where there are.
  virtual std::string batch_refusal() const { return "the device is none of OpenCL"; }
  // A batch may have fills that end before this byte of their memory; 0: none.
  virtual uint64_t batch_fill_end() const noexcept { return 0; }
  // Hands commands to the driver, which have run before, for in-order queues without times.
  virtual BatchRef make_batch(std::span<const BatchCommand> commands);
  // The threads that native functions spread their loops over; INTERNAL without native commands.
  virtual netcl::cpu::ThreadPool& threads() const;

 protected:
  netcl_device_info info_ = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities_ = NETCL_DEVICE_CAPABILITIES_INIT;
};

}  // namespace netcl::backend
