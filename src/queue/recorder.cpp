#include "queue/recorder.hpp"

#include "core/process.hpp"
#include "core/thread_number.hpp"
#include "queue/queue.hpp"

namespace netcl {

namespace {

CommandRecord transfer(CommandKind kind, const char* name, uint64_t bytes, uint64_t moved,
                       uint64_t written) {
  CommandRecord record;
  record.kind = kind;
  record.name = name;
  record.size = bytes;
  record.work.bytes = static_cast<double>(moved);
  record.work.bytes_written = static_cast<double>(written);
  return record;
}

}  // namespace

ProcessRecorder& ProcessRecorder::instance() {
  return process().services.get<ProcessRecorder>(
      Slot::process_recorder, [] { return std::make_unique<ProcessRecorder>(); });
}

template <class Enqueue>
void RecordingStream::record(CommandRecord record, backend::EventRef* event, Enqueue enqueue) {
  backend::EventRef own;
  backend::EventRef* const target = event != nullptr ? event : &own;
  record.host_begin_ns = monotonic_ns();
  enqueue(target);
  record.host_end_ns = monotonic_ns();
  record.event = *target;
  if (record.event == nullptr) return;
  if (failure_ != nullptr) record.event->stand_for(failure_);
  if (record.kind != CommandKind::marker) {
    // What an op declares counts once, however many commands it takes here.
    if (work_.bytes > 0 || work_.operations > 0) record.work = work_;
    work_.bytes = work_.operations = work_.bytes_written = 0;
  }
  record.thread = thread_number();
  record.queue = &queue_;
  queue_.deliver(record);
}

void RecordingStream::copy(backend::Buffer& from, uint64_t from_offset, backend::Buffer& to,
                           uint64_t to_offset, uint64_t bytes, backend::WaitList waits,
                           backend::EventRef* event) {
  record(transfer(CommandKind::copy, "copy", bytes, 2 * bytes, bytes), event,
         [&](backend::EventRef* out) {
           stream_.copy(from, from_offset, to, to_offset, bytes, waits, out);
         });
}

void RecordingStream::fill(backend::Buffer& buffer, uint64_t offset, uint64_t bytes,
                           const void* pattern, size_t pattern_size, backend::WaitList waits,
                           backend::EventRef* event) {
  record(transfer(CommandKind::fill, "fill", bytes, bytes, bytes), event,
         [&](backend::EventRef* out) {
           stream_.fill(buffer, offset, bytes, pattern, pattern_size, waits, out);
         });
}

void RecordingStream::read(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, void* host,
                           backend::WaitList waits, backend::EventRef* event) {
  record(transfer(CommandKind::read, "read", bytes, bytes, 0), event,
         [&](backend::EventRef* out) { stream_.read(buffer, offset, bytes, host, waits, out); });
}

void RecordingStream::write(backend::Buffer& buffer, uint64_t offset, uint64_t bytes,
                            const void* host, backend::WaitList waits, backend::EventRef* event) {
  record(transfer(CommandKind::write, "write", bytes, bytes, bytes), event,
         [&](backend::EventRef* out) { stream_.write(buffer, offset, bytes, host, waits, out); });
}

void RecordingStream::launch(const backend::Launch& launch, backend::WaitList waits,
                             backend::EventRef* event) {
  CommandRecord command;
  command.kind = CommandKind::kernel;
  command.name = launch.kernel->facts.name;
  command.size = 1;
  for (uint32_t d = 0; d < launch.rank; ++d) command.size *= launch.global[d];
  record(command, event, [&](backend::EventRef* out) { stream_.launch(launch, waits, out); });
}

void RecordingStream::run_native(backend::NativeFunction& function,
                                 std::span<backend::Buffer* const> buffers, backend::WaitList waits,
                                 backend::EventRef* event, const backend::FailureRef& failure) {
  CommandRecord command;
  command.kind = CommandKind::native;
  command.name = work_.name != nullptr ? work_.name : "native";
  command.size = static_cast<uint64_t>(work_.bytes);
  record(command, event, [&](backend::EventRef* out) {
    stream_.run_native(function, buffers, waits, out, failure);
  });
}

void RecordingStream::marker(backend::WaitList waits, backend::EventRef* event) {
  CommandRecord command;
  command.kind = CommandKind::marker;
  command.name = "marker";
  record(command, event, [&](backend::EventRef* out) { stream_.marker(waits, out); });
}

}  // namespace netcl
