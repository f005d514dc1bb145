// Who wants to know of the commands on a queue: timers, measurements and profiles. A queue without
// recorders pays one load per command; with one it uses its profiled twin and hands on what it
// enqueues.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "backend/backend.hpp"

namespace netcl {

class Queue;

// What a command does, as the op behind it declares it.
struct Work {
  double bytes = 0;            // read and written
  double operations = 0;       // a multiplication and an addition are two
  const char* name = nullptr;  // of the op, where the command itself has none; static text
  double bytes_written = 0;    // the part of bytes that is written
  netcl_dtype dtype = 0;       // in which the operations are done; 0: unknown, or several
  bool matrix_units = false;   // some of the operations are done on them

  // What two commands do together; the name is left alone.
  void add(const Work& other) noexcept {
    if (other.operations > 0) dtype = operations > 0 && dtype != other.dtype ? 0 : other.dtype;
    matrix_units = matrix_units || other.matrix_units;
    bytes += other.bytes;
    operations += other.operations;
    bytes_written += other.bytes_written;
  }
};

enum class CommandKind : uint8_t { kernel, native, copy, fill, read, write, marker };

// One command that was enqueued.
struct CommandRecord {
  backend::EventRef event;
  CommandKind kind = CommandKind::kernel;
  std::string_view name;  // of the kernel or op, else the kind; valid during the call only
  uint64_t size = 0;      // work items of a kernel, bytes of a transfer
  Work work;
  Queue* queue = nullptr;  // valid during the call only
  uint64_t thread = 0;
  uint64_t host_begin_ns = 0;  // CLOCK_MONOTONIC around the enqueueing
  uint64_t host_end_ns = 0;
};

class Recorder {
 public:
  // Called with the device's enqueue mutex held, when the command cannot be taken back any more.
  virtual void record(const CommandRecord& record) noexcept = 0;

 protected:
  ~Recorder() = default;
};

// The recorder of all queues of the process; null when there is none. Once set, a recorder has to
// live as long as the process.
struct ProcessRecorder {
  static ProcessRecorder& instance();
  std::atomic<Recorder*> recorder{nullptr};
};

// Stands in for a stream while its queue is recorded.
class RecordingStream final : public backend::Stream {
 public:
  RecordingStream(Queue& queue, backend::Stream& stream, const Work& work,
                  backend::FailureRef failure)
      : queue_(queue), stream_(stream), work_(work), failure_(std::move(failure)) {}

  bool profiled() const noexcept override { return stream_.profiled(); }
  void copy(backend::Buffer& from, uint64_t from_offset, backend::Buffer& to, uint64_t to_offset,
            uint64_t bytes, backend::WaitList waits, backend::EventRef* event) override;
  void fill(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
            size_t pattern_size, backend::WaitList waits, backend::EventRef* event) override;
  void read(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, void* host,
            backend::WaitList waits, backend::EventRef* event) override;
  void write(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, const void* host,
             backend::WaitList waits, backend::EventRef* event) override;
  void launch(const backend::Launch& launch, backend::WaitList waits,
              backend::EventRef* event) override;
  void run_native(backend::NativeFunction& function, std::span<backend::Buffer* const> buffers,
                  backend::WaitList waits, backend::EventRef* event,
                  const backend::FailureRef& failure) override;
  void marker(backend::WaitList waits, backend::EventRef* event) override;
  void flush() override { stream_.flush(); }
  struct _cl_command_queue* cl_queue() noexcept override {
    return stream_.cl_queue();
  }

 private:
  template <class Enqueue>
  void record(CommandRecord record, backend::EventRef* event, Enqueue enqueue);

  Queue& queue_;
  backend::Stream& stream_;
  Work work_;
  backend::FailureRef failure_;  // what the events stand for
};

}  // namespace netcl
