#include "backend/opencl/batch.hpp"

#include <algorithm>

#include "backend/opencl/cl_buffer.hpp"
#include "backend/opencl/program.hpp"
#include "backend/opencl/stream.hpp"
#include "core/ending.hpp"
#include "core/room.hpp"

namespace netcl::backend::opencl {

namespace {

[[noreturn]] void refused(DeviceState& device, const char* call, cl_int code) {
  device.suspect(code);
  device.require();
  fail_call(call, code, NETCL_ERROR_LAUNCH_FAILURE);
}

void require_code(DeviceState& device, const char* call, cl_int code) {
  if (code != CL_SUCCESS) refused(device, call, code);
}

// Another kernel object of the same program.
KernelObject kernel_like(DeviceState& device, const ClKernel& kernel) {
  cl_program program = nullptr;
  require_code(device, "clGetKernelInfo",
               cl().clGetKernelInfo(kernel.get(), CL_KERNEL_PROGRAM, sizeof(program), &program,
                                    nullptr));
  cl_int code = CL_SUCCESS;
  KernelObject own(cl().clCreateKernel(program, kernel.facts.name.c_str(), &code));
  require_code(device, "clCreateKernel", code);
  check_made(own.get(), code, "clCreateKernel", NETCL_ERROR_LAUNCH_FAILURE);
  return own;
}

}  // namespace

CommandBuffer::CommandBuffer(const BatchApi& api, cl_command_queue queue)
    : release_(api.release), launch_(api.launch), fill_(api.fill), finalize_(api.finalize) {
  static constexpr cl_command_buffer_properties_khr kSimultaneous[] = {
      CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
  cl_int code = CL_SUCCESS;
  buffer_ = api.create(1, &queue, api.simultaneous ? kSimultaneous : nullptr, &code);
  check_made(buffer_, code, "clCreateCommandBufferKHR", NETCL_ERROR_LAUNCH_FAILURE);
}

CommandBuffer::~CommandBuffer() {
  if (buffer_ != nullptr) (void)release_(buffer_);
  // Sub-buffers in the reverse order of their making, as ClBuffer does it.
  while (!parts_.empty()) parts_.pop_back();
}

struct _cl_mem* CommandBuffer::argument_memory(const KernelArgument& argument) {
  if (argument.buffer == nullptr) return nullptr;
  auto& buffer = static_cast<ClBuffer&>(*argument.buffer);
  if (argument.offset_bytes == 0) return buffer.target();
  parts_.push_back(
      buffer.part(argument.offset_bytes, buffer.bytes() - argument.offset_bytes));
  return parts_.back().get();
}

void CommandBuffer::add(DeviceState& device, const Launch& launch) {
  kernels_.push_back(kernel_like(device, static_cast<const ClKernel&>(*launch.kernel)));
  struct _cl_kernel* const kernel = kernels_.back().get();
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const KernelArgument& argument = launch.arguments[i];
    struct _cl_mem* mem = nullptr;
    const void* value = &mem;
    size_t size = sizeof(mem);
    if (argument.kind == KernelArgument::Kind::buffer) mem = argument_memory(argument);
    if (argument.kind == KernelArgument::Kind::bytes) value = argument.data;
    if (argument.kind == KernelArgument::Kind::local) value = nullptr;
    if (argument.kind == KernelArgument::Kind::bytes ||
        argument.kind == KernelArgument::Kind::local) {
      size = argument.size;
    }
    require_code(device, "clSetKernelArg",
                 cl().clSetKernelArg(kernel, static_cast<cl_uint>(i), size, value));
  }
  size_t global[3];
  size_t local[3];
  size_t offset[3];
  bool shifted = false;
  for (uint32_t d = 0; d < 3; ++d) {
    global[d] = launch.global[d];
    local[d] = launch.local[d];
    offset[d] = launch.offset[d];
    shifted = shifted || (d < launch.rank && offset[d] != 0);
  }
  require_code(device, "clCommandNDRangeKernelKHR",
               launch_(buffer_, nullptr, nullptr, kernel, launch.rank, shifted ? offset : nullptr,
                       global, local[0] != 0 ? local : nullptr, 0, nullptr, nullptr, nullptr));
}

void CommandBuffer::add(DeviceState& device, const Fill& fill) {
  require_code(device, "clCommandFillBufferKHR",
               fill_(buffer_, nullptr, static_cast<ClBuffer&>(*fill.buffer).target(), fill.pattern,
                     fill.pattern_size, fill.offset, fill.bytes, 0, nullptr, nullptr, nullptr));
}

void CommandBuffer::finalize(DeviceState& device) {
  require_code(device, "clFinalizeCommandBufferKHR", finalize_(buffer_));
}

// PoCL compiles what is new to it when it is enqueued, on threads of its own, and ends the process
// where it cannot; a launch looks after that before.
static void require_launched(const Launch& launch) {
  auto& kernel = static_cast<ClKernel&>(*launch.kernel);
  if (kernel.launched_with(launch.local)) return;
  fail(NETCL_ERROR_UNSUPPORTED, "kernel \"%s\" has not been launched by itself",
       kernel.facts.name.c_str());
}

static std::vector<ClBuffer*> memory_of(const BatchCommand& command) {
  std::vector<ClBuffer*> all;
  if (command.launch.kernel == nullptr) {
    all.push_back(static_cast<ClBuffer*>(command.fill.buffer));
    return all;
  }
  for (const KernelArgument& argument : command.launch.arguments) {
    if (argument.kind == KernelArgument::Kind::buffer && argument.buffer != nullptr) {
      all.push_back(static_cast<ClBuffer*>(argument.buffer));
    }
  }
  return all;
}

// Before the driver is asked for anything, since this may be refused in each run.
static void require_possible(const DeviceState& device, const BatchCommand& command,
                             std::span<ClBuffer* const> memory) {
  const Launch& launch = command.launch;
  if (launch.kernel != nullptr && device.in_process()) require_launched(launch);
  // The memory of a run may begin further on than that for which ranges were made.
  const Fill& fill = command.fill;
  if (launch.kernel == nullptr &&
      (fill.bytes > kFillPiece || fill.offset > kFillPiece - fill.bytes)) {
    fail(NETCL_ERROR_UNSUPPORTED, "a fill ends at byte %llu of its memory, the last can be %llu",
         static_cast<unsigned long long>(fill.offset + fill.bytes),
         static_cast<unsigned long long>(kFillPiece));
  }
  for (const ClBuffer* const buffer : memory) {
    if (!buffer->split()) continue;
    fail(NETCL_ERROR_UNSUPPORTED, "a %s works on page-locked memory, which is copied for it",
         launch.kernel != nullptr ? "launch" : "fill");
  }
}

std::shared_ptr<ClBatch> ClBatch::make(const DeviceStateRef& device,
                                       std::span<const BatchCommand> commands) {
  device->require();
  if (!may_launch()) fail(NETCL_ERROR_UNSUPPORTED, "the process is ending");
  std::vector<ClBuffer*> used;
  for (const BatchCommand& command : commands) {
    const std::vector<ClBuffer*> own = memory_of(command);
    require_possible(*device, command, own);
    used.insert(used.end(), own.begin(), own.end());
  }
  // The queue gives properties alone: the buffer is enqueued on others like it.
  auto buffer = std::make_shared<CommandBuffer>(device->batches(), device->service_queue());
  auto batch = std::make_shared<ClBatch>(device);
  for (const BatchCommand& command : commands) {
    if (command.launch.kernel != nullptr) {
      buffer->add(*device, command.launch);
    } else {
      buffer->add(*device, command.fill);
    }
  }
  buffer->finalize(*device);
  batch->buffer_ = std::move(buffer);
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (ClBuffer* const memory : used) memory->note_batch(batch);
  return batch;
}

void ClBatch::drop() noexcept {
  valid_.store(false, std::memory_order_release);
  std::shared_ptr<CommandBuffer> buffer;
  std::vector<EventRef> running;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    buffer = std::move(buffer_);
    running = std::move(running_);
  }
  if (buffer == nullptr) return;
  std::vector<EventObject> last;
  try {
    for (const EventRef& event : running) {
      auto& own = static_cast<ClEvent&>(*event);
      if (own.state() <= NETCL_EVENT_COMPLETE) continue;
      own.flush();
      make_room(&last);
      if (cl().clRetainEvent(own.cl_event()) == CL_SUCCESS) last.emplace_back(own.cl_event());
    }
  } catch (...) {
    // The specification lets a buffer go while it runs: the driver has to keep it.
  }
  if (!last.empty()) device_->release_after(std::move(buffer), std::move(last));
}

void ClBatch::require_ready() {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Those at the front are asked alone: there may be many.
  const auto running = std::find_if(running_.begin(), running_.end(), [](const EventRef& event) {
    return event->state() > NETCL_EVENT_COMPLETE;
  });
  running_.erase(running_.begin(), running);
  if (!device_->batches().simultaneous && !running_.empty()) {
    fail(NETCL_ERROR_UNSUPPORTED, "the driver runs a command buffer once at a time");
  }
  make_room(&running_);
}

cl_int ClBatch::enqueue(cl_command_queue queue, cl_uint count, struct _cl_event* const* waits,
                        struct _cl_event** event) const {
  return device_->batches().enqueue(1, &queue, buffer_->get(), count, waits, event);
}

void ClBatch::note_run(const EventRef& event, bool may_end_early) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Queues are in order: the last run of each ends after the others, but for one that fails with
  // what it waits for.
  if (!may_end_early) {
    const QueueState* const queue = static_cast<ClEvent&>(*event).queue();
    std::erase_if(running_, [&](const EventRef& known) {
      return static_cast<ClEvent&>(*known).queue() == queue;
    });
  }
  running_.push_back(event);  // require_ready() made room
}

void ClStream::run_batch(Batch& given, WaitList waits, EventRef* event) {
  if (profiled_ || out_of_order_) {
    fail(NETCL_ERROR_UNSUPPORTED, "the queue %s",
         profiled_ ? "records times" : "is out of order");
  }
  if (!may_launch()) fail(NETCL_ERROR_UNSUPPORTED, "the process is ending");
  auto& batch = static_cast<ClBatch&>(given);
  batch.require_ready();
  // An event even where nobody wants one: until it has ended the driver's object has to stay.
  EventRef own;
  EventRef* const made = event != nullptr ? event : &own;
  const bool may_end_early = !waits.empty() || at_risk();
  try {
    submit("clEnqueueCommandBufferKHR", waits, made,
           [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
             return batch.enqueue(cl_queue(), count, list, raw);
           });
  } catch (const Error&) {
    // PoCL enqueues launch by launch: what it has taken runs, and a marker ends after that.
    try {
      marker(WaitList(), made);
      batch.note_run(*made, may_end_early);
    } catch (const Error&) {
    }
    throw;
  }
  batch.note_run(*made, may_end_early);
}

}  // namespace netcl::backend::opencl
