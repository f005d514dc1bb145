// Commands that are kept, to be enqueued again on other memory without the op that made them.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ops/frame/run.hpp"

namespace netcl::ops {

// What is done to one memory, in the smallest range that holds all of it.
struct MemoryUse {
  bool read;
  bool write;
  ByteRange bytes;

  void add(bool reads, bool writes, const ByteRange& more) {
    bytes = read || write ? bytes.with(more) : more;
    read = read || reads;
    write = write || writes;
  }
};
// Adds it to accesses that have room for two more, and gives their number. Memory that is read is
// one of its own also where it is written: what failed to write it before is the failure of whoever
// reads it. `shift`: bytes by which the memory begins further on.
size_t add_accesses(Access* accesses, size_t count, MemoryObject* memory, const MemoryUse& use,
                    uint64_t shift);

// Memory by its numbers.
struct NumberedMemory {
  MemoryObject* const* objects;
  const uint64_t* shifts = nullptr;  // bytes by which each begins further on; null: none does

  uint64_t shift(uint32_t number) const noexcept { return shifts != nullptr ? shifts[number] : 0; }
};

class KeptCommands {
 public:
  // Numbers the memory of a command. The number is an index of the lists that enqueue() gets.
  using SourceOf = FunctionRef<uint32_t(const MemoryObject*)>;

  // Keeps a command, which goes to `queue` too unless that is null. What is no kernel, function or
  // fill cannot be kept, and makes this unsound.
  void add(const Queue::Command& command, Queue::Submit submit, SourceOf source_of, Queue* queue);
  bool sound() const noexcept { return sound_; }
  void set_unsound() noexcept { sound_ = false; }
  size_t count() const noexcept { return commands_.size(); }
  // Adds the commands of another list behind these.
  void append(KeptCommands&& more);
  // Replaces each number of memory.
  void renumber(FunctionRef<uint32_t(uint32_t)> number);

  // Enqueues all of them, or those of a range. Several threads may do so at a time.
  void enqueue(const NumberedMemory& memory, const Run& run) const {
    enqueue(memory, run, {0, count()});
  }
  struct Range {
    size_t first;
    size_t end;
  };
  void enqueue(const NumberedMemory& memory, const Run& run, Range range) const;

  // Where two or more launches follow each other, or fills that end before byte `fill_end` of their
  // memory.
  std::vector<Range> batch_ranges(uint64_t fill_end) const;
  // What a range accesses: each memory once.
  struct Source {
    uint32_t number;
    MemoryUse use;  // read: as it is before the range
  };
  std::vector<Source> sources(Range range) const;
  // Calls function(commands) with those of a range as they would be enqueued.
  void with_commands(const NumberedMemory& memory, Range range,
                     FunctionRef<void(std::span<const backend::BatchCommand>)> function) const;

 private:
  class Noter;
  struct Place {
    uint32_t source;
    uint32_t argument;  // of the command, or of its function
    MemoryUse use;
  };
  enum class Kind : uint8_t { launch, native, fill };
  struct Command {
    Kind kind;
    std::shared_ptr<backend::Kernel> kernel;  // null where somebody else keeps it
    backend::Launch launch;                   // without its arguments
    std::shared_ptr<backend::NativeFunction> function;
    std::array<unsigned char, 16> pattern;  // of a fill
    size_t pattern_size;
    uint64_t first_byte;
    uint64_t bytes;
    Work work;
    size_t first_argument;
    size_t argument_count;
    size_t first_place;
    size_t place_count;
  };
  void launch(const Command& command, const NumberedMemory& memory, const Run& run) const;
  void run_native(const Command& command, const NumberedMemory& memory, const Run& run) const;
  void fill(const Command& command, const NumberedMemory& memory, const Run& run) const;

  bool sound_ = true;
  std::vector<Command> commands_;
  std::vector<backend::KernelArgument> arguments_;
  std::vector<std::vector<unsigned char>> values_;  // what `data` of the arguments points to
  std::vector<Place> places_;
};

}  // namespace netcl::ops
