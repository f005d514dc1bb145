#include "ops/frame/kept_commands.hpp"

#include <algorithm>
#include <cstring>

#include "core/small_array.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops {

namespace {

// A kept function as a command: it stays where it is.
class SharedFunction final : public backend::NativeFunction {
 public:
  explicit SharedFunction(std::shared_ptr<backend::NativeFunction> function)
      : function_(std::move(function)) {}
  void run(const backend::NativeCall& call) const override { function_->run(call); }
  std::unique_ptr<backend::NativeFunction> detach() override {
    return std::make_unique<SharedFunction>(function_);
  }

 private:
  std::shared_ptr<backend::NativeFunction> function_;
};

// The same on memory that begins further on.
class ShiftedFunction final : public backend::NativeFunction {
 public:
  ShiftedFunction(std::shared_ptr<backend::NativeFunction> function,
                  std::span<const uint64_t> shifts)
      : function_(std::move(function)), shifts_(shifts.begin(), shifts.end()) {}
  void run(const backend::NativeCall& call) const override {
    SmallArray<void*, 16> memory(shifts_.size());
    for (size_t i = 0; i < shifts_.size(); ++i) {
      memory[i] = shifts_[i] == 0 ? call.memory[i] : call.at<char>(i) + shifts_[i];
    }
    function_->run({call.threads, memory.data()});
  }
  std::unique_ptr<backend::NativeFunction> detach() override {
    return std::make_unique<ShiftedFunction>(std::move(*this));
  }

 private:
  std::shared_ptr<backend::NativeFunction> function_;
  std::vector<uint64_t> shifts_;
};

}  // namespace

size_t add_accesses(Access* accesses, size_t count, MemoryObject* memory, const MemoryUse& use,
                    uint64_t shift) {
  const ByteRange bytes = use.bytes.shifted(shift);
  if (use.read) accesses[count++] = {memory, false, bytes};
  if (use.write) accesses[count++] = {memory, true, bytes};
  return count;
}

// Keeps what it is given, and hands it on where there is a stream behind it.
class KeptCommands::Noter final : public backend::Stream {
 public:
  Noter(KeptCommands& kept, const Queue::Command& given, SourceOf source_of,
        backend::Stream* behind)
      : kept_(kept), given_(given), source_of_(source_of), behind_(behind) {}

  bool profiled() const noexcept override { return behind_ != nullptr && behind_->profiled(); }
  void launch(const backend::Launch& launch, backend::WaitList waits,
              backend::EventRef* event) override {
    Command command = begin(Kind::launch);
    command.kernel = launch.kernel->weak_from_this().lock();
    command.launch = launch;
    command.launch.arguments = {};
    command.argument_count = launch.arguments.size();
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      backend::KernelArgument argument = launch.arguments[i];
      if (argument.kind == backend::KernelArgument::Kind::bytes) {
        const auto* data = static_cast<const unsigned char*>(argument.data);
        kept_.values_.emplace_back(data, data + argument.size);
        argument.data = kept_.values_.back().data();
      }
      if (argument.kind == backend::KernelArgument::Kind::buffer) place(argument.buffer, i);
      argument.buffer = nullptr;
      kept_.arguments_.push_back(argument);
    }
    end(std::move(command));
    if (behind_ != nullptr) behind_->launch(launch, waits, event);
  }
  void run_native(backend::NativeFunction& function, std::span<backend::Buffer* const> buffers,
                  backend::WaitList, backend::EventRef*, const backend::FailureRef&) override {
    if (behind_ != nullptr) fail(NETCL_ERROR_INTERNAL, "a function was to be kept and run");
    Command command = begin(Kind::native);
    command.function = function.detach();
    command.argument_count = buffers.size();
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i] != nullptr) place(buffers[i], i);
    }
    end(std::move(command));
  }
  void fill(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
            size_t pattern_size, backend::WaitList waits, backend::EventRef* event) override {
    Command command = begin(Kind::fill);
    std::memcpy(command.pattern.data(), pattern, pattern_size);
    command.pattern_size = pattern_size;
    command.first_byte = offset;
    command.bytes = bytes;
    place(&buffer, 0);
    end(std::move(command));
    if (behind_ != nullptr)
      behind_->fill(buffer, offset, bytes, pattern, pattern_size, waits, event);
  }

  // What cannot be kept.
  void copy(backend::Buffer& from, uint64_t from_offset, backend::Buffer& to, uint64_t to_offset,
            uint64_t bytes, backend::WaitList waits, backend::EventRef* event) override {
    pass([&] { behind_->copy(from, from_offset, to, to_offset, bytes, waits, event); });
  }
  void read(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, void* host,
            backend::WaitList waits, backend::EventRef* event) override {
    pass([&] { behind_->read(buffer, offset, bytes, host, waits, event); });
  }
  void write(backend::Buffer& buffer, uint64_t offset, uint64_t bytes, const void* host,
             backend::WaitList waits, backend::EventRef* event) override {
    pass([&] { behind_->write(buffer, offset, bytes, host, waits, event); });
  }
  void marker(backend::WaitList waits, backend::EventRef* event) override {
    pass([&] { behind_->marker(waits, event); });
  }
  void flush() override {
    pass([&] { behind_->flush(); });
  }

 private:
  Command begin(Kind kind) const {
    Command command{};
    command.kind = kind;
    command.work = given_.work;
    command.first_argument = kept_.arguments_.size();
    command.first_place = kept_.places_.size();
    return command;
  }
  void place(const backend::Buffer* buffer, size_t argument) {
    Place found{0, static_cast<uint32_t>(argument), {}};
    const MemoryObject* memory = nullptr;
    // The same memory may be there more than once, to be read and to be written.
    for (const Access& access : given_.accesses) {
      if (access.memory->buffer.get() != buffer) continue;
      if (memory == nullptr) memory = access.memory;
      found.use.add(!access.write, access.write, access.bytes);
    }
    if (memory == nullptr) {
      kept_.sound_ = false;
      return;
    }
    found.source = source_of_(memory);
    kept_.places_.push_back(found);
  }
  void end(Command command) {
    command.place_count = kept_.places_.size() - command.first_place;
    kept_.commands_.push_back(std::move(command));
  }
  template <class Enqueue>
  void pass(Enqueue enqueue) {
    kept_.sound_ = false;
    if (behind_ != nullptr) enqueue();
  }

  KeptCommands& kept_;
  const Queue::Command& given_;
  SourceOf source_of_;
  backend::Stream* behind_;
};

void KeptCommands::add(const Queue::Command& command, Queue::Submit submit, SourceOf source_of,
                       Queue* queue) {
  if (queue == nullptr) {
    Noter noter(*this, command, source_of, nullptr);
    submit(noter, {}, nullptr);
    return;
  }
  queue->enqueue(command,
                 [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
                   Noter noter(*this, command, source_of, &stream);
                   submit(noter, waits, event);
                 });
}

void KeptCommands::append(KeptCommands&& more) {
  for (Command& command : more.commands_) {
    command.first_argument += arguments_.size();
    command.first_place += places_.size();
  }
  const auto take = [](auto* to, auto* from) {
    to->insert(to->end(), std::make_move_iterator(from->begin()),
               std::make_move_iterator(from->end()));
  };
  take(&commands_, &more.commands_);
  take(&arguments_, &more.arguments_);
  take(&values_, &more.values_);
  take(&places_, &more.places_);
  sound_ = sound_ && more.sound_;
}

void KeptCommands::renumber(FunctionRef<uint32_t(uint32_t)> number) {
  for (Place& place : places_) place.source = number(place.source);
}

void KeptCommands::launch(const Command& command, const NumberedMemory& memory,
                          const Run& run) const {
  SmallArray<backend::KernelArgument, 32> arguments(command.argument_count);
  std::copy_n(arguments_.data() + command.first_argument, command.argument_count, arguments.data());
  SmallArray<Access, 24> accesses(2 * command.place_count);
  size_t count = 0;
  for (size_t i = 0; i < command.place_count; ++i) {
    const Place& place = places_[command.first_place + i];
    MemoryObject* const object = memory.objects[place.source];
    arguments[place.argument].buffer = object->buffer.get();
    arguments[place.argument].offset_bytes += memory.shift(place.source);
    count = add_accesses(accesses.data(), count, object, place.use, memory.shift(place.source));
  }
  backend::Launch launch = command.launch;
  launch.arguments = {arguments.data(), command.argument_count};
  run.enqueue({accesses.data(), count},
              [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
                stream.launch(launch, waits, event);
              });
}

void KeptCommands::run_native(const Command& command, const NumberedMemory& memory,
                              const Run& run) const {
  SmallArray<backend::Buffer*, 8> buffers(command.argument_count);
  SmallArray<uint64_t, 8> shifts(command.argument_count);
  bool shifted = false;
  for (size_t i = 0; i < command.argument_count; ++i) {
    buffers[i] = nullptr;
    shifts[i] = 0;
  }
  SmallArray<Access, 16> accesses(2 * command.place_count);
  size_t count = 0;
  for (size_t i = 0; i < command.place_count; ++i) {
    const Place& place = places_[command.first_place + i];
    MemoryObject* const object = memory.objects[place.source];
    buffers[place.argument] = object->buffer.get();
    shifts[place.argument] = memory.shift(place.source);
    shifted = shifted || shifts[place.argument] != 0;
    count = add_accesses(accesses.data(), count, object, place.use, memory.shift(place.source));
  }
  const std::span<backend::Buffer* const> all(buffers.data(), command.argument_count);
  if (shifted) {
    ShiftedFunction function(command.function, {shifts.data(), command.argument_count});
    return enqueue_function({accesses.data(), count}, all, run, function);
  }
  SharedFunction function(command.function);
  enqueue_function({accesses.data(), count}, all, run, function);
}

void KeptCommands::fill(const Command& command, const NumberedMemory& memory,
                        const Run& run) const {
  const uint32_t number = places_[command.first_place].source;
  MemoryObject* const object = memory.objects[number];
  const uint64_t first = command.first_byte + memory.shift(number);
  const Access access{object, true, {first, first + command.bytes}};
  run.enqueue({&access, 1},
              [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* event) {
                stream.fill(*object->buffer, first, command.bytes,
                            command.pattern.data(), command.pattern_size, waits, event);
              });
}

std::vector<KeptCommands::Range> KeptCommands::batch_ranges(uint64_t fill_end) const {
  const auto fits = [&](const Command& command) {
    if (command.kind == Kind::launch) return true;
    return command.kind == Kind::fill && command.bytes != 0 && command.bytes <= fill_end &&
           command.first_byte <= fill_end - command.bytes;
  };
  std::vector<Range> ranges;
  for (size_t i = 0; i < commands_.size();) {
    size_t end = i;
    while (end < commands_.size() && fits(commands_[end])) ++end;
    if (end - i > 1) ranges.push_back({i, end});
    i = std::max(end, i + 1);
  }
  return ranges;
}

std::vector<KeptCommands::Source> KeptCommands::sources(Range range) const {
  std::vector<Source> all;
  for (size_t i = range.first; i < range.end; ++i) {
    for (size_t p = 0; p < commands_[i].place_count; ++p) {
      const Place& place = places_[commands_[i].first_place + p];
      const auto known = std::find_if(all.begin(), all.end(), [&](const Source& source) {
        return source.number == place.source;
      });
      if (known == all.end()) {
        all.push_back({place.source, place.use});
      } else {
        // What the range has written itself it reads as its own.
        const bool reads = place.use.read && !known->use.write;
        known->use.add(reads, place.use.write, place.use.bytes);
      }
    }
  }
  return all;
}

void KeptCommands::with_commands(
    const NumberedMemory& memory, Range range,
    FunctionRef<void(std::span<const backend::BatchCommand>)> function) const {
  std::vector<backend::KernelArgument> arguments(arguments_);
  std::vector<backend::BatchCommand> commands;
  for (size_t i = range.first; i < range.end; ++i) {
    const Command& command = commands_[i];
    backend::BatchCommand& own = commands.emplace_back();
    if (command.kind == Kind::fill) {
      const uint32_t number = places_[command.first_place].source;
      own.fill = {memory.objects[number]->buffer.get(), command.first_byte + memory.shift(number),
                  command.bytes, command.pattern.data(), command.pattern_size};
      continue;
    }
    backend::KernelArgument* const list = arguments.data() + command.first_argument;
    for (size_t p = 0; p < command.place_count; ++p) {
      const Place& place = places_[command.first_place + p];
      list[place.argument].buffer = memory.objects[place.source]->buffer.get();
      list[place.argument].offset_bytes += memory.shift(place.source);
    }
    own.launch = command.launch;
    own.launch.arguments = {list, command.argument_count};
  }
  function(commands);
}

void KeptCommands::enqueue(const NumberedMemory& memory, const Run& run, Range range) const {
  for (size_t i = range.first; i < range.end; ++i) {
    const Command& command = commands_[i];
    Run own = &command == &commands_.back() ? run : run.without_event();
    own.work = command.work;
    if (command.kind == Kind::launch) launch(command, memory, own);
    if (command.kind == Kind::native) run_native(command, memory, own);
    if (command.kind == Kind::fill) fill(command, memory, own);
  }
}

}  // namespace netcl::ops
