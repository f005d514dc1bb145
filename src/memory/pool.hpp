// Buffer pools: memory that is leased, given back and leased again instead of being allocated anew.
// One class serves the three kinds; they differ in their buckets, their limits and what kind of
// memory they hold.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "queue/queue.hpp"

namespace netcl {

struct PoolLimits {
  uint64_t max_cached_bytes = UINT64_MAX;
  uint64_t max_bytes = UINT64_MAX;
  uint32_t max_buffers_per_bucket = UINT32_MAX;
};

class Pool {
 public:
  Pool(Device& device, netcl_pool_kind kind, bool share, const PoolLimits& limits);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Leases at least `bytes` > 0. A block that earlier commands still use is handed out only when it
  // is `ordered` (touched by nothing but commands of netcl) and the device has one in-order queue,
  // behind which every later command comes anyway. *bucket_bytes receives the size of the block.
  MemoryRef take(uint64_t bytes, bool ordered, uint64_t* bucket_bytes);
  void give_back(MemoryRef memory, uint64_t bucket_bytes) noexcept;
  void trim(uint64_t keep_bytes);

  Device& device() const noexcept { return device_; }
  netcl_pool_kind kind() const noexcept { return kind_; }
  // True when others can have its memory.
  bool share() const noexcept { return memory_kind_ == backend::MemoryKind::shared; }
  void info(netcl_pool_info* info);
  // Rows of the buckets used so far; writes at most `capacity`, returns how many there are.
  uint32_t buckets(netcl_pool_bucket* rows, uint32_t capacity);

  // The size of the block that serves `bytes`.
  static uint64_t bucket_size(netcl_pool_kind kind, uint64_t bytes);

 private:
  struct Cached {
    MemoryRef memory;
    uint64_t number =
        0;  // of its return: the same block under another number has been leased since
  };
  struct Bucket {
    // The last one given back is the first one leased. Has room for all that are in use.
    std::vector<Cached> cached;
    uint64_t in_use = 0;
    uint64_t hits = 0;
    uint64_t misses = 0;
  };

  // Blocks on their way out, linked through themselves: giving back must not allocate.
  class Chain {
   public:
    Chain() = default;
    Chain(Chain&& other) noexcept : first_(std::move(other.first_)) {}
    Chain& operator=(Chain&&) = delete;
    // One by one: a long chain must not end in a deep recursion.
    ~Chain() {
      while (first_ != nullptr) (void)pop();
    }
    bool empty() const noexcept { return first_ == nullptr; }
    void push(MemoryRef memory) noexcept {
      memory->next = std::move(first_);
      first_ = std::move(memory);
    }
    MemoryRef pop() noexcept {
      MemoryRef taken = std::move(first_);
      first_ = std::move(taken->next);
      return taken;
    }

   private:
    MemoryRef first_;
  };
  static constexpr size_t kLooks = 5;

  MemoryRef reuse(uint64_t bucket_bytes, bool ordered);
  Cached candidate(uint64_t bucket_bytes, size_t turn);
  MemoryRef take_cached(uint64_t bucket_bytes, uint64_t number);
  MemoryRef allocate(uint64_t bucket_bytes);
  backend::BufferRef allocate_with_ladder(uint64_t bucket_bytes);
  void check_cap(uint64_t bucket_bytes);
  bool in_transfer(MemoryObject& memory) noexcept;
  void trim_locked(uint64_t keep_bytes, Chain* dropped) noexcept;
  void free_blocks(Chain dropped) noexcept;

  Device& device_;
  const netcl_pool_kind kind_;
  const backend::MemoryKind memory_kind_;
  const PoolLimits limits_;
  std::mutex mutex_;  // guards what follows; never held while the device is asked or waited for
  std::map<uint64_t, Bucket> buckets_;
  Chain retiring_;  // no longer cached, but a transfer still uses them
  uint64_t returns_ = 0;
  uint64_t hits_ = 0;
  uint64_t misses_ = 0;
  uint64_t bytes_in_use_ = 0;
  uint64_t bytes_cached_ = 0;
  uint64_t high_water_ = 0;
};
using PoolRef = std::shared_ptr<Pool>;

// The pools of one device.
class PoolSet {
 public:
  explicit PoolSet(Device& device) : device_(device) {}
  static PoolSet& of(Device& device);
  // The device's own pool of a kind; keeps the device alive.
  PoolRef own(netcl_pool_kind kind);
  // The persistent one of memory that others can have. UNSUPPORTED, here and in create(), where
  // there is no such memory.
  PoolRef own_shared();
  PoolRef create(netcl_pool_kind kind, bool share, const PoolLimits& limits);
  // Gives the cached memory of every pool of the device back.
  void trim_all();

 private:
  friend class Pool;
  Device& device_;
  std::mutex own_mutex_;      // guards own_
  std::mutex mutex_;          // guards pools_
  std::vector<Pool*> pools_;  // all live pools of the device
  PoolRef own(std::unique_ptr<Pool>& pool, netcl_pool_kind kind, bool share);
  std::array<std::unique_ptr<Pool>, NETCL_POOL_PINNED + 1> own_;
  std::unique_ptr<Pool> own_shared_;
};

}  // namespace netcl
