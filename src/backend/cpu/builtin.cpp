#include "backend/cpu/builtin.hpp"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "backend/cpu/simd_targets.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "core/allocator.hpp"
#include "core/environment.hpp"
#include "core/log.hpp"
#include "core/small_array.hpp"
#include "share/memory_file.hpp"

namespace netcl::backend::cpu {

namespace {

// A command of this device has run when its event is made, so only its times are kept.
class DoneEvent final : public Event {
 public:
  DoneEvent(const Timing& timing, bool profiled) : timing_(timing), profiled_(profiled) {}
  netcl_event_state state() override { return NETCL_EVENT_COMPLETE; }
  bool wait(const Deadline&) override { return true; }
  int32_t failure() override { return 0; }
  int32_t timing(Timing* timing) override {
    if (!profiled_) return kNoTimes;
    *timing = timing_;
    return 0;
  }

 private:
  Timing timing_;
  bool profiled_;
};

class HostBuffer final : public Buffer {
 public:
  HostBuffer(uint64_t bytes, MemoryKind kind, HostMemory memory)
      : Buffer(bytes, kind), memory_(std::move(memory)) {
    host_pointer_ = memory_.get();
  }
  // The caller's memory.
  HostBuffer(uint64_t bytes, void* memory) : Buffer(bytes, MemoryKind::host) {
    host_pointer_ = memory;
  }
  HostBuffer(uint64_t bytes, void* memory, std::shared_ptr<void> keeper)
      : Buffer(bytes, MemoryKind::file), keeper_(std::move(keeper)) {
    host_pointer_ = memory;
  }
  HostBuffer(uint64_t bytes, std::shared_ptr<share::MemoryFile> file)
      : Buffer(bytes, MemoryKind::shared) {
    host_pointer_ = file->memory();
    shared_ = std::move(file);
  }

 private:
  HostMemory memory_;
  std::shared_ptr<void> keeper_;
};

unsigned char* at(Buffer& buffer, uint64_t offset) {
  return static_cast<unsigned char*>(buffer.host_pointer()) + offset;
}

void fill_pattern(unsigned char* target, uint64_t bytes, const void* pattern, size_t size) {
  if (size == 1) {
    std::memset(target, *static_cast<const unsigned char*>(pattern), bytes);
    return;
  }
  if (bytes == 0) return;
  std::memcpy(target, pattern, size);
  // Doubling what is there turns the rest into a few large copies.
  for (uint64_t done = size; done < bytes;) {
    const uint64_t part = std::min(done, bytes - done);
    std::memcpy(target + done, target, part);
    done += part;
  }
}

class HostStream final : public Stream {
 public:
  HostStream(netcl::cpu::ThreadPool& threads, bool profiled)
      : threads_(threads), profiled_(profiled) {}
  bool profiled() const noexcept override { return profiled_; }

  void copy(Buffer& from, uint64_t from_offset, Buffer& to, uint64_t to_offset, uint64_t bytes,
            WaitList, EventRef* event) override {
    const unsigned char* source = at(from, from_offset);
    unsigned char* target = at(to, to_offset);
    run(event, [&] {
      if (source < target + bytes && target < source + bytes) {
        std::memmove(target, source, bytes);
        return;
      }
      split(bytes, [&](int64_t first, int64_t last) {
        std::memcpy(target + first, source + first, static_cast<size_t>(last - first));
      });
    });
  }

  void fill(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
            size_t pattern_size, WaitList, EventRef* event) override {
    unsigned char* target = at(buffer, offset);
    run(event, [&] {
      split(bytes, [&](int64_t first, int64_t last) {
        fill_pattern(target + first, static_cast<uint64_t>(last - first), pattern, pattern_size);
      });
    });
  }

  void read(Buffer& buffer, uint64_t offset, uint64_t bytes, void* host, WaitList,
            EventRef* event) override {
    move(static_cast<unsigned char*>(host), at(buffer, offset), bytes, event);
  }

  void write(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* host, WaitList,
             EventRef* event) override {
    move(at(buffer, offset), static_cast<const unsigned char*>(host), bytes, event);
  }

  void launch(const Launch&, WaitList, EventRef*) override {
    fail(NETCL_ERROR_INTERNAL, "a kernel reached the built-in device");
  }

  void run_native(NativeFunction& function, std::span<Buffer* const> buffers, WaitList,
                  EventRef* event, const FailureRef&) override {
    SmallArray<void*, 16> memory(buffers.size());
    for (size_t i = 0; i < buffers.size(); ++i) {
      memory[i] = buffers[i] == nullptr ? nullptr : buffers[i]->host_pointer();
    }
    run(event, [&] { function.run({threads_, memory.data()}); });
  }

  void marker(WaitList, EventRef* event) override {
    run(event, [] {});
  }
  void flush() override {}

 private:
  template <class F>
  void run(EventRef* event, F&& function) {
    Timing timing;
    timing.queued_ns = timing.submitted_ns = timing.started_ns = monotonic_ns();
    function();
    timing.ended_ns = monotonic_ns();
    if (event != nullptr) *event = std::make_shared<DoneEvent>(timing, profiled_);
  }

  // Chunks are a multiple of every pattern size, so that each one begins with a whole pattern.
  template <class Part>
  void split(uint64_t bytes, Part&& part) {
    threads_.parallel_for(static_cast<int64_t>(bytes), int64_t{1} << 20, part);
  }

  void move(unsigned char* target, const unsigned char* source, uint64_t bytes, EventRef* event) {
    run(event, [&] {
      split(bytes, [&](int64_t first, int64_t last) {
        std::memcpy(target + first, source + first, static_cast<size_t>(last - first));
      });
    });
  }

  netcl::cpu::ThreadPool& threads_;
  bool profiled_;
};

class BuiltinDevice final : public Device {
 public:
  BuiltinDevice();
  std::unique_ptr<Stream> create_stream(bool, bool profiled) override {
    return std::make_unique<HostStream>(threads_, profiled);
  }
  BufferRef allocate(uint64_t bytes, MemoryKind kind) override {
    const bool fits = bytes <= capabilities_.max_allocation_bytes;
    if (fits && kind == MemoryKind::shared) {
      return std::make_shared<HostBuffer>(bytes, share::MemoryFile::create(bytes));
    }
    HostMemory memory;
    if (fits) memory = allocate_host(static_cast<size_t>(bytes));
    if (memory == nullptr) {
      fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "the built-in device has no %llu bytes",
           static_cast<unsigned long long>(bytes));
    }
    return std::make_shared<HostBuffer>(bytes, kind, std::move(memory));
  }
  BufferRef wrap_host(void* data, uint64_t bytes) override {
    return std::make_shared<HostBuffer>(bytes, data);
  }
  BufferRef wrap_file(void* data, uint64_t bytes, std::shared_ptr<void> keeper) override {
    return std::make_shared<HostBuffer>(bytes, data, std::move(keeper));
  }
  Sharing sharing() const override { return {NETCL_SHARE_FILE, {}}; }
  BufferRef import(const netcl_shared_memory& memory) override {
    return std::make_shared<HostBuffer>(memory.bytes, share::MemoryFile::open(memory));
  }
  BuildResult build_source(const std::string&, const std::string&) override { no_kernels(); }
  BuildResult build_binary(const std::string&, const std::string&) override { no_kernels(); }
  BuildResult build_il(const std::string&, const std::string&) override { no_kernels(); }
  std::string program_key() const override { return "builtin"; }
  bool native_commands() const noexcept override { return true; }
  netcl::cpu::ThreadPool& threads() const override { return threads_; }

 private:
  [[noreturn]] static void no_kernels() {
    fail(NETCL_ERROR_UNSUPPORTED,
         "kernels from source need an OpenCL device; the built-in device "
         "runs expressions and ops");
  }
  netcl::cpu::ThreadPool& threads_;
};

uint64_t physical_memory() {
  struct sysinfo facts;
  if (sysinfo(&facts) != 0) return uint64_t{1} << 32;
  return static_cast<uint64_t>(facts.totalram) * facts.mem_unit;
}

BuiltinDevice::BuiltinDevice() : threads_(netcl::cpu::process_threads()) {
  info_ = describe_builtin();
  netcl_device_capabilities& caps = capabilities_;
  caps.fp16 = 1;  // as storage; see the rule on f16 in netcl.h
  caps.fp64 = 1;
  caps.integrated = 1;
  caps.out_of_order = 1;
  caps.int64_atomics = 1;
  caps.compute_units = threads_.thread_count();
  caps.preferred_vector_width_f32 = 1;
  caps.subgroup_size = 1;
  caps.mem_base_align_bytes = 1;
  caps.max_work_item_dimensions = 3;
  const netcl_strategy forced = environment().kernel_strategy;
  caps.strategy = forced != 0 ? forced : NETCL_STRATEGY_PORTABLE;
  caps.max_work_group_size = 1024;
  for (uint64_t& size : caps.max_work_item_sizes) size = 1024;
  caps.local_memory_bytes = 32768;
  caps.global_memory_bytes = physical_memory();
  caps.max_allocation_bytes = caps.global_memory_bytes;
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  caps.global_cache_bytes = cache > 0 ? static_cast<uint64_t>(cache) : 0;
  caps.timer_resolution_ns = 1;
}

}  // namespace

netcl_device_info describe_builtin() {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  info.type = NETCL_DEVICE_CPU;
  info.backend = NETCL_BACKEND_BUILTIN;
  info.platform_index = UINT32_MAX;
  copy_text(info.name, sizeof info.name,
            format("netcl built-in CPU (%s, %u threads)", netcl::cpu::simd_target_name(),
                   environment().num_threads != 0 ? environment().num_threads
                                                  : netcl::cpu::available_threads())
                .c_str());
  copy_text(info.vendor, sizeof info.vendor, "netcl");
  copy_text(info.platform_name, sizeof info.platform_name, "netcl");
  const std::string version =
      format("%d.%d.%d", NETCL_VERSION_MAJOR, NETCL_VERSION_MINOR, NETCL_VERSION_PATCH);
  copy_text(info.version, sizeof info.version, ("netcl " + version).c_str());
  copy_text(info.driver_version, sizeof info.driver_version, version.c_str());
  return info;
}

std::unique_ptr<Device> open_builtin() { return std::make_unique<BuiltinDevice>(); }

}  // namespace netcl::backend::cpu
