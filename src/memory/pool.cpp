#include "memory/pool.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/environment.hpp"
#include "core/log.hpp"

namespace netcl {

namespace {
constexpr uint64_t kSmallestBucket = 1024;
constexpr uint64_t kLargestTableBucket = uint64_t{256} << 20;
constexpr uint32_t kPersistentPerBucket = 16;
// How long a shortage waits for work whose end would free memory.
constexpr uint64_t kShortageWaitNs = 2000000000u;

backend::MemoryKind memory_kind(netcl_pool_kind kind) {
  return kind == NETCL_POOL_PINNED ? backend::MemoryKind::pinned : backend::MemoryKind::device;
}
}  // namespace

// The table of the persistent pool grows by 4; above it, and in the other kinds, by 2.
uint64_t Pool::bucket_size(netcl_pool_kind kind, uint64_t bytes) {
  if (bytes > uint64_t{1} << 62) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "bytes is %llu; no pool holds that much",
         static_cast<unsigned long long>(bytes));
  }
  if (kind != NETCL_POOL_PERSISTENT || bytes > kLargestTableBucket) return std::bit_ceil(bytes);
  uint64_t size = kSmallestBucket;
  while (size < bytes) size = std::min(size * 4, kLargestTableBucket);
  return size;
}

Pool::Pool(Device& device, netcl_pool_kind kind, const PoolLimits& limits)
    : device_(device), kind_(kind), limits_(limits) {
  PoolSet& set = PoolSet::of(device);
  std::lock_guard<std::mutex> lock(set.mutex_);
  set.pools_.push_back(this);
}

Pool::~Pool() {
  {
    PoolSet& set = PoolSet::of(device_);
    std::lock_guard<std::mutex> lock(set.mutex_);
    std::erase(set.pools_, this);
  }
  for (auto& [size, bucket] : buckets_) {
    for (MemoryRef& memory : bucket.cached) drop_locked(std::move(memory));
  }
  dropped_.clear();
  // Release must not wait for the device, so what a transfer still uses is left behind.
  for (MemoryRef& memory : retiring_) new MemoryRef(std::move(memory));
}

// The driver does not know that a command reads or writes the host side of staged memory. A block
// whose command still runs is kept aside instead of being pulled away from under it.
bool Pool::in_transfer(const MemoryRef& memory) {
  return kind_ == NETCL_POOL_PINNED && !QueueSet::of(device_).idle(*memory);
}

void Pool::drop_locked(MemoryRef memory) {
  std::vector<MemoryRef>& place = in_transfer(memory) ? retiring_ : dropped_;
  place.push_back(std::move(memory));
}

// Takes what can be freed out of the pool; the caller frees it after the lock.
std::vector<MemoryRef> Pool::take_dropped_locked() {
  for (size_t i = retiring_.size(); i-- > 0;) {
    if (in_transfer(retiring_[i])) continue;
    dropped_.push_back(std::move(retiring_[i]));
    retiring_.erase(retiring_.begin() + static_cast<ptrdiff_t>(i));
  }
  return std::exchange(dropped_, {});
}

MemoryRef Pool::reuse(uint64_t bucket_bytes, bool ordered) {
  QueueSet& queues = QueueSet::of(device_);
  const bool must_be_idle = !ordered || !queues.single_order();
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = buckets_.find(bucket_bytes);
  if (found == buckets_.end()) return nullptr;
  Bucket& bucket = found->second;
  // The block given back last is the warmest in the caches; the one given back first is the most
  // likely to be idle.
  const size_t count = bucket.cached.size();
  for (size_t turn = 0; turn < count; ++turn) {
    const size_t i = turn == 0 ? count - 1 : turn - 1;
    if (must_be_idle && !queues.idle(*bucket.cached[i])) {
      // Blocks come back in about the order of their use, so the rest is hardly idle either.
      if (turn == 4) break;
      continue;
    }
    MemoryRef memory = std::move(bucket.cached[i]);
    bucket.cached.erase(bucket.cached.begin() + static_cast<ptrdiff_t>(i));
    bytes_cached_ -= bucket_bytes;
    bytes_in_use_ += bucket_bytes;
    ++bucket.in_use;
    ++bucket.hits;
    ++hits_;
    return memory;
  }
  return nullptr;
}

// Makes room under the pool's cap by dropping cached blocks; fails when leases alone exceed it.
void Pool::check_cap(uint64_t bucket_bytes) {
  std::vector<MemoryRef> dropped;
  std::lock_guard<std::mutex> lock(mutex_);
  if (bucket_bytes > limits_.max_bytes || bytes_in_use_ > limits_.max_bytes - bucket_bytes) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
         "a block of %llu bytes exceeds the pool's max_bytes of %llu with %llu in use",
         static_cast<unsigned long long>(bucket_bytes),
         static_cast<unsigned long long>(limits_.max_bytes),
         static_cast<unsigned long long>(bytes_in_use_));
  }
  const uint64_t room = limits_.max_bytes - bucket_bytes - bytes_in_use_;
  if (bytes_cached_ > room) trim_locked(room);
  dropped = take_dropped_locked();
  bytes_in_use_ += bucket_bytes;  // reserved here, so that two threads cannot pass the cap
  high_water_ = std::max(high_water_, bytes_in_use_ + bytes_cached_);
}

// Out of memory: give back what is cached, wait (bounded) for work that holds the rest, try once
// more, and then say so with the figures.
backend::BufferRef Pool::allocate_with_ladder(uint64_t bucket_bytes) {
  const backend::MemoryKind kind = memory_kind(kind_);
  try {
    return device_.backend().allocate(bucket_bytes, kind);
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_OUT_OF_DEVICE_MEMORY) throw;
    log_message(NETCL_LOG_INFO, "pool: %s; trimming and trying again", error.what());
  }
  PoolSet::of(device_).trim_all();
  try {
    QueueSet::of(device_).finish(Deadline(kShortageWaitNs));
  } catch (const Error& error) {
    log_message(NETCL_LOG_WARNING, "pool: while waiting for memory: %s", error.what());
  }
  PoolSet::of(device_).trim_all();
  try {
    return device_.backend().allocate(bucket_bytes, kind);
  } catch (const Error& error) {
    std::lock_guard<std::mutex> lock(mutex_);
    throw Error(error.status(),
                format("%s; the pool has %llu bytes in use and %llu cached", error.what(),
                       static_cast<unsigned long long>(bytes_in_use_ - bucket_bytes),
                       static_cast<unsigned long long>(bytes_cached_)),
                error.native_code());
  }
}

MemoryRef Pool::allocate(uint64_t bucket_bytes) {
  check_cap(bucket_bytes);
  try {
    auto memory = std::make_shared<MemoryObject>(allocate_with_ladder(bucket_bytes));
    std::lock_guard<std::mutex> lock(mutex_);
    Bucket& bucket = buckets_[bucket_bytes];
    ++bucket.in_use;
    ++bucket.misses;
    ++misses_;
    return memory;
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex_);
    bytes_in_use_ -= bucket_bytes;
    throw;
  }
}

MemoryRef Pool::take(uint64_t bytes, bool ordered, uint64_t* bucket_bytes) {
  const uint64_t largest = device_.capabilities().max_allocation_bytes;
  uint64_t size = bucket_size(kind_, bytes);
  // A bucket must not ask for more than the device can give when the request itself fits.
  if (size > largest && bytes <= largest) size = bytes;
  *bucket_bytes = size;
  if (MemoryRef memory = reuse(size, ordered)) return memory;
  return allocate(size);
}

void Pool::give_back(MemoryRef memory, uint64_t bucket_bytes) noexcept {
  std::vector<MemoryRef> dropped;
  std::lock_guard<std::mutex> lock(mutex_);
  Bucket& bucket = buckets_[bucket_bytes];
  --bucket.in_use;
  bytes_in_use_ -= bucket_bytes;
  const bool fits = bucket_bytes <= limits_.max_cached_bytes &&
                    bucket.cached.size() < limits_.max_buffers_per_bucket;
  if (!fits) {
    drop_locked(std::move(memory));
  } else {
    const uint64_t room = limits_.max_cached_bytes - bucket_bytes;
    if (bytes_cached_ > room) trim_locked(room);
    bucket.cached.push_back(std::move(memory));
    bytes_cached_ += bucket_bytes;
  }
  dropped = take_dropped_locked();
}

// Drops the largest blocks first: fewest allocations are lost for the bytes that are given back.
void Pool::trim_locked(uint64_t keep_bytes) {
  for (auto it = buckets_.rbegin(); it != buckets_.rend() && bytes_cached_ > keep_bytes; ++it) {
    auto& cached = it->second.cached;
    while (!cached.empty() && bytes_cached_ > keep_bytes) {
      drop_locked(std::move(cached.front()));
      cached.erase(cached.begin());
      bytes_cached_ -= it->first;
    }
  }
}

void Pool::trim(uint64_t keep_bytes) {
  std::vector<MemoryRef> dropped;
  std::lock_guard<std::mutex> lock(mutex_);
  trim_locked(keep_bytes);
  dropped = take_dropped_locked();
}

void Pool::info(netcl_pool_info* info) {
  std::lock_guard<std::mutex> lock(mutex_);
  info->kind = kind_;
  info->buckets_count = static_cast<uint32_t>(buckets_.size());
  info->hits = hits_;
  info->misses = misses_;
  const uint64_t leases = hits_ + misses_;
  info->hit_rate = leases == 0 ? 0.0 : static_cast<double>(hits_) / static_cast<double>(leases);
  info->bytes_in_use = bytes_in_use_;
  info->bytes_cached = bytes_cached_;
  info->bytes_allocated = bytes_in_use_ + bytes_cached_;
  info->high_water_bytes = high_water_;
  info->max_cached_bytes = limits_.max_cached_bytes;
  info->max_bytes = limits_.max_bytes;
}

uint32_t Pool::buckets(netcl_pool_bucket* rows, uint32_t capacity) {
  std::lock_guard<std::mutex> lock(mutex_);
  uint32_t count = 0;
  for (const auto& [size, bucket] : buckets_) {
    if (count < capacity) {
      rows[count] = {size, bucket.in_use, bucket.cached.size(), bucket.hits, bucket.misses};
    }
    ++count;
  }
  return count;
}

PoolSet& PoolSet::of(Device& device) {
  return device.services().get<PoolSet>(Slot::pools,
                                        [&] { return std::make_unique<PoolSet>(device); });
}

static PoolLimits default_limits(netcl_pool_kind kind) {
  PoolLimits limits;
  if (kind != NETCL_POOL_POWER_OF_TWO) limits.max_cached_bytes = environment().max_cached_bytes;
  if (kind == NETCL_POOL_PERSISTENT) limits.max_buffers_per_bucket = kPersistentPerBucket;
  return limits;
}

PoolRef PoolSet::own(netcl_pool_kind kind) {
  std::lock_guard<std::mutex> lock(own_mutex_);
  std::unique_ptr<Pool>& pool = own_[static_cast<size_t>(kind)];
  if (pool == nullptr) pool = std::make_unique<Pool>(device_, kind, default_limits(kind));
  return PoolRef(device_.shared_from_this(), pool.get());
}

PoolRef PoolSet::create(netcl_pool_kind kind, const PoolLimits& limits) {
  PoolLimits merged = default_limits(kind);
  if (limits.max_cached_bytes != 0) merged.max_cached_bytes = limits.max_cached_bytes;
  if (limits.max_bytes != 0) merged.max_bytes = limits.max_bytes;
  if (limits.max_buffers_per_bucket != 0) {
    merged.max_buffers_per_bucket = limits.max_buffers_per_bucket;
  }
  auto* pool = new Pool(device_, kind, merged);
  return PoolRef(pool, [device = device_.shared_from_this()](Pool* dying) { delete dying; });
}

void PoolSet::trim_all() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (Pool* pool : pools_) pool->trim(0);
}

}  // namespace netcl
