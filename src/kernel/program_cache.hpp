// Built programs: in memory per device, on disk for later processes. However many threads ask for
// one program at once, it is built once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/lru.hpp"
#include "device/device.hpp"
#include "kernel/cache_entry.hpp"

namespace netcl {

enum class SourceForm : uint8_t { source, il, binary };

struct ProgramRequest {
  SourceForm form = SourceForm::source;
  std::string text;     // source, SPIR-V or driver binary
  std::string options;  // build flags
};

// A program, or why there is none. Shared by all kernels made from it.
struct BuiltProgram {
  std::unique_ptr<backend::Program> program;  // null when the build failed
  std::vector<kernel::KernelRecord> records;  // argument tables, when they are known
  std::string log;
  int32_t native_code = 0;
  bool from_disk = false;
};
using ProgramRef = std::shared_ptr<const BuiltProgram>;

// Counters over all devices of the process.
struct ProgramCounters {
  std::atomic<uint64_t> memory_hits{0}, memory_misses{0};
  std::atomic<uint64_t> disk_hits{0}, disk_misses{0}, disk_rejected{0}, disk_writes{0};
  std::atomic<uint64_t> source_builds{0};
};
ProgramCounters& program_counters();

class ProgramCache {
 public:
  explicit ProgramCache(Device& device) : device_(device) {}
  static ProgramCache& of(Device& device);

  ProgramRef get(const ProgramRequest& request);
  void clear();
  size_t size();

  static std::string disk_directory();
  static void clear_disk();
  // An entry on disk; nothing past the end. Fills all but struct_size.
  static bool disk_entry(uint32_t index, netcl_program_cache_entry* entry);

 private:
  struct Entry {
    std::mutex mutex;    // held by the one thread that builds
    std::string key;     // the whole text: a collision of hashes is a miss
    ProgramRef program;  // guarded by mutex
  };
  std::string key_text(const ProgramRequest& request) const;
  ProgramRef build(const ProgramRequest& request, const std::string& key);
  ProgramRef load_from_disk(const ProgramRequest& request, const std::string& key);
  ProgramRef compile(const ProgramRequest& request);
  void store_on_disk(const BuiltProgram& built, const std::string& key);

  static constexpr size_t kProgramsMax = 1024;
  static constexpr uint64_t kTextBytesMax = uint64_t{64} << 20;
  Device& device_;
  std::mutex mutex_;  // guards what follows
  // By hash of the key text, whose size counts.
  LruCache<Hash128, std::shared_ptr<Entry>> entries_{kProgramsMax, kTextBytesMax};
};

// The argument tables of all kernels of a program, asked of the driver.
std::vector<kernel::KernelRecord> kernel_records(backend::Program& program);

// The line of a build log that says what is wrong, for messages of one line; of a heading, with the
// line below it.
std::string error_line(const std::string& log);

}  // namespace netcl
