// What tuning has to say about the launches of one kernel: the stored choice for a launch, found
// without a lock, and the last launch of each size, for tuning to replay.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/hash.hpp"
#include "core/lru.hpp"
#include "netcl.h"

namespace netcl::store {
struct Key;
struct Record;
}  // namespace netcl::store

namespace netcl {

class Kernel;
struct LaunchArgument;

// One argument of a launch without its memory.
struct NotedArgument {
  netcl_arg_kind kind = 0;
  netcl_dtype dtype = 0;  // of a tensor, and of a scalar as far as it was told
  bool reinterpret = false;
  int64_t elements = 0;   // of a tensor, from its lowest to its highest
  std::string bytes;      // of a scalar or data
  uint64_t local_bytes = 0;
};

struct LaunchNote {
  Hash128 form;       // of all that follows
  uint32_t rank = 0;  // 0: there was no launch
  uint64_t global[3] = {1, 1, 1};
  bool round_up = false;
  std::vector<NotedArgument> arguments;
};

// The stored choice for a launch.
struct TunedLaunch {
  // Built with the chosen macros, or the kernel itself, which it does not own; null: no choice.
  std::shared_ptr<Kernel> kernel;
  uint64_t global[3] = {0, 0, 0};
  uint64_t local[3] = {0, 0, 0};
  bool has_global = false;  // another one than the launch's: what one item does was tuned
  bool has_local = false;
  bool exact = false;  // it was tuned for this size with this driver
  Hash128 question;    // what was looked up
};

// What the database says about a launch, in words.
struct TunedFacts {
  const store::Record* record = nullptr;  // null: there is none
  netcl_match match = NETCL_MATCH_NONE;
  std::string macros;  // "TILE=16 WORK=4"; those that a launch sets
  std::string reason;  // a sentence
};

// Part of a kernel; any number of threads may use it.
class TunedLaunches {
 public:
  TunedLaunches();
  ~TunedLaunches();

  // Looks up a launch without a local size. Its arguments have yet to be checked.
  TunedLaunch find(Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                   const uint64_t* global, bool round_up);
  // The same in words; `found` is what `find` gave.
  TunedFacts explain(Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                     const uint64_t* global, bool round_up, const TunedLaunch& found);
  // Notes a launch that went well, unless the one before was the same.
  void launched(std::span<const LaunchArgument> arguments, uint32_t rank, const uint64_t* global,
                bool round_up);
  // The last launch of a size; rank 0 when there was none.
  LaunchNote last(uint32_t rank, const uint64_t* global);

 private:
  TunedLaunch read(Kernel& kernel, const Hash128& hash, std::span<const LaunchArgument> arguments,
                   uint32_t rank, const uint64_t* global, bool round_up);
  Hash128 question(const Kernel& kernel, std::span<const LaunchArgument> arguments, uint32_t rank,
                   const uint64_t* global, bool round_up);
  void note(const Hash128& form, std::span<const LaunchArgument> arguments, uint32_t rank,
            const uint64_t* global, bool round_up);
  std::shared_ptr<Kernel> variant_of(Kernel& kernel, const store::Record& record);

  std::atomic<bool> has_prefix_{false};
  Hash128 prefix_;  // of what stays the same between launches
  std::atomic<uint64_t> last_low_{0};
  std::atomic<uint64_t> last_high_{0};
  std::mutex kept_mutex_;
  TunedLaunch kept_;  // the last answer, as long as the database stays as it was
  uint64_t kept_generation_ = UINT64_MAX;
  std::mutex mutex_;  // guards what follows, and writing prefix_
  // By rank and global size.
  LruCache<std::array<uint64_t, 4>, LaunchNote> notes_{64};
  // By macros; null: it does not build. One that went is made again of a program that is kept.
  LruCache<std::string, std::shared_ptr<Kernel>> variants_{16};
};

// The name under which the database has the results of a launch. `dtypes`: "f32,f32", of the
// tensors that have elements.
store::Key launch_key(const Kernel& kernel, const std::string& dtypes,
                      std::span<const int64_t> scalars, uint32_t rank, const uint64_t* global,
                      bool round_up);

// The parameters of a configuration that are local sizes; all others are macros.
inline constexpr const char* kTunedLocal[] = {"LOCAL_X", "LOCAL_Y", "LOCAL_Z"};
// Those that a tuner knows without being told; 0 leaves them to the source.
inline constexpr char kTileMacro[] = "TILE_SIZE";
inline constexpr char kUnrollMacro[] = "UNROLL_FACTOR";

using Macros = std::vector<std::pair<std::string, std::string>>;

// A source with some macros set in front, its lines numbered as they were.
std::string source_with_macros(const Macros& macros, const std::string& source);
// The flags of a program without those that set one of the macros.
std::string flags_without_macros(const std::string& flags, const Macros& macros);

}  // namespace netcl
