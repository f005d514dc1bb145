#include "backend/opencl/native_command.hpp"

#include <fenv.h>

#include <algorithm>
#include <exception>
#include <new>

#include "backend/opencl/stream.hpp"
#include "core/ending.hpp"
#include "core/immortal.hpp"
#include "core/log.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr size_t kGone = SIZE_MAX;

int32_t code_of_exception() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    log_message(NETCL_LOG_ERROR, "a native command failed: out of host memory");
    return CL_OUT_OF_HOST_MEMORY;
  } catch (const Error& error) {
    log_message(NETCL_LOG_ERROR, "a native command failed: %s", error.message().c_str());
  } catch (const std::exception& error) {
    log_message(NETCL_LOG_ERROR, "a native command failed: %s", error.what());
  } catch (...) {
    log_message(NETCL_LOG_ERROR, "a native command failed");
  }
  return CL_OUT_OF_RESOURCES;
}

// The driver's thread may round otherwise or flush small numbers to zero, which would give other
// bits than the built-in device.
class PlainArithmetic {
 public:
  PlainArithmetic() noexcept {
    fegetenv(&before_);
    fesetenv(FE_DFL_ENV);
  }
  ~PlainArithmetic() { fesetenv(&before_); }

 private:
  fenv_t before_;
};

// The driver copies a block and hands it out: the command, and places of memory with which it has
// its way. Memory is listed for it to keep and to bring up to date; see
// ClBuffer::find_native_memory.
void CL_CALLBACK run_command(void* data) {
  auto* const handed = static_cast<NativeCommand*>(*static_cast<void* const*>(data));
  const NativeCommands::Ref command = NativeCommands::instance().take(*handed);
  if (command == nullptr) return;
  const PlainArithmetic arithmetic;
  int32_t code = command->failure ? command->failure->in_front() : 0;
  // A failure in front has been told by its own queue.
  if (code == 0) {
    try {
      command->function->run({*command->threads, command->memory.data()});
    } catch (...) {
      code = code_of_exception();
      int32_t none = 0;
      command->queue_failure->compare_exchange_strong(none, code);
    }
  }
  if (command->failure) command->failure->end(code);
}

}  // namespace

NativeCommands& NativeCommands::instance() {
  static Immortal<NativeCommands> commands;
  return *commands;
}

void NativeCommands::add(const Ref& command) {
  bool full = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    full = commands_.size() >= sweep_at_;
  }
  if (full) sweep();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (full) sweep_at_ = std::max(kSweepLeast, 2 * commands_.size());
  command->slot = commands_.size();
  commands_.push_back(command);
}

void NativeCommands::set_event(NativeCommand& command, EventObject event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (command.slot != kGone) command.event = std::move(event);
}

NativeCommands::Ref NativeCommands::take(NativeCommand& command) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (command.slot == kGone) return nullptr;
  Ref taken = std::move(commands_[command.slot]);
  if (command.slot + 1 != commands_.size()) {
    commands_[command.slot] = std::move(commands_.back());
    commands_[command.slot]->slot = command.slot;
  }
  commands_.pop_back();
  command.slot = kGone;
  return taken;
}

// From the last to the first: one that goes leaves its place to the last.
void NativeCommands::sweep(const FirstFailure* queue) noexcept {
  for (size_t left = SIZE_MAX;;) {
    Ref command;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      left = std::min(left, commands_.size());
      while (command == nullptr && left > 0) {
        const Ref& next = commands_[--left];
        if (next->event && (queue == nullptr || queue == next->queue_failure.get())) command = next;
      }
    }
    if (command == nullptr) return;
    cl_int status = CL_QUEUED;
    if (cl().clGetEventInfo(command->event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, nullptr) != CL_SUCCESS ||
        status >= CL_COMPLETE || take(*command) == nullptr) {
      continue;
    }
    int32_t none = 0;
    command->queue_failure->compare_exchange_strong(none, status);
    if (command->failure) command->failure->end(status);
    // Others may be asking for its state, so the command keeps its event, too.
    const DeviceStateRef device = command->device.lock();
    if (device != nullptr && device->pocl() != 0 &&
        cl().clRetainEvent(command->event.get()) == CL_SUCCESS) {
      device->keep_failed(EventObject(command->event.get()));
    }
  }
}

void ClStream::run_native(NativeFunction& function, std::span<Buffer* const> buffers,
                          WaitList waits, EventRef* event, const FailureRef& failure) {
  device().require();
  if (!may_launch()) [[unlikely]] {
    fail(NETCL_ERROR_UNSUPPORTED, "the process is ending; nothing can be launched any more");
  }
  if (!device().native()) {
    fail(NETCL_ERROR_INTERNAL, "an OpenCL queue was asked to run a function of the host");
  }
  NativeCommands& commands = NativeCommands::instance();
  const auto command = std::make_shared<NativeCommand>(buffers.size());
  SmallArray<void*, NativeCommand::kFew + 1> block(1 + buffers.size());
  SmallArray<struct _cl_mem*, NativeCommand::kFew> memory(buffers.size());
  SmallArray<const void*, NativeCommand::kFew> places(buffers.size());
  block[0] = command.get();
  cl_uint count = 0;
  for (size_t i = 0; i < buffers.size(); ++i) {
    command->memory[i] = nullptr;
    if (buffers[i] == nullptr) continue;
    auto& buffer = static_cast<ClBuffer&>(*buffers[i]);
    command->memory[i] = buffer.native_memory();
    cl_uint place = 0;
    while (place < count && memory[place] != buffer.root_mem()) ++place;
    if (place < count) continue;
    memory[count] = buffer.root_mem();
    places[count] = &block[1 + count];
    ++count;
  }
  const WaitArray list(*queue_, waits);
  std::shared_ptr<ClEvent> made;
  if (event != nullptr && list.count() != 0) queue_->make_room_for_waiting();
  if (event != nullptr) made = std::make_shared<ClEvent>(queue_->device, queue_, profiled_);
  command->threads = device().threads();
  command->failure = failure;
  if (made != nullptr && failure == nullptr) {
    command->failure = std::make_shared<Failure>(true);
  }
  command->queue_failure = queue_->failure;
  command->device = queue_->device;
  command->function = function.detach();
  commands.add(command);
  struct _cl_event* raw = nullptr;
  const cl_int code = cl().clEnqueueNativeKernel(
      cl_queue(), &run_command, block.data(), (1 + count) * sizeof(void*), count,
      count > 0 ? memory.data() : nullptr, count > 0 ? places.data() : nullptr, list.count(),
      list.data(), &raw);
  if (code != CL_SUCCESS) (void)commands.take(*command);
  device().check_enqueue(code, "clEnqueueNativeKernel");
  ++taken_;
  raw = event_of(raw);
  if (made == nullptr) {
    commands.set_event(*command, EventObject(raw));
    return;
  }
  // Where there is one reference, who waits for the command needs it more than who cleans up.
  const bool shared = raw != nullptr && cl().clRetainEvent(raw) == CL_SUCCESS;
  made->adopt(raw);
  note_event(list.count() != 0, made);
  made->stand_for(command->failure);
  *event = std::move(made);
  if (shared) commands.set_event(*command, EventObject(raw));
}

}  // namespace netcl::backend::opencl
