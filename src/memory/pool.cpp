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

backend::MemoryKind memory_kind(netcl_pool_kind kind, bool share) {
  if (share) return backend::MemoryKind::shared;
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

Pool::Pool(Device& device, netcl_pool_kind kind, bool share, const PoolLimits& limits)
    : device_(device), kind_(kind), memory_kind_(memory_kind(kind, share)), limits_(limits) {
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
  trim(0);
  // Release must not wait for the device, so what a transfer still uses is left behind: a block
  // that holds itself.
  while (!retiring_.empty()) {
    const MemoryRef memory = retiring_.pop();
    memory->next = memory;
  }
}

// The driver does not know that a command reads or writes the host side of staged memory. A block
// whose command still runs is kept aside instead of being pulled away from under it. On a device
// that is lost none runs, and it would not tell.
bool Pool::in_transfer(MemoryObject& memory) noexcept {
  if (device_.backend().lost()) return false;
  try {
    return kind_ == NETCL_POOL_PINNED && !QueueSet::of(device_).idle(memory);
  } catch (...) {
    return true;  // It cannot be told now.
  }
}

// Without the lock: the driver frees memory in its own time, and is asked about staged memory.
void Pool::free_blocks(Chain dropped) noexcept {
  if (kind_ != NETCL_POOL_PINNED) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    while (!retiring_.empty()) dropped.push(retiring_.pop());
  }
  Chain kept;
  while (!dropped.empty()) {
    MemoryRef memory = dropped.pop();
    if (in_transfer(*memory)) kept.push(std::move(memory));
  }
  if (kept.empty()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  while (!kept.empty()) retiring_.push(kept.pop());
}

MemoryRef Pool::take_cached(uint64_t bucket_bytes, uint64_t number) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = buckets_.find(bucket_bytes);
  if (found == buckets_.end()) return nullptr;
  Bucket& bucket = found->second;
  // 0 stands for the block given back last.
  auto at = bucket.cached.end();
  if (number == 0) {
    if (!bucket.cached.empty()) --at;
  } else {
    at = std::find_if(bucket.cached.begin(), bucket.cached.end(),
                      [&](const Cached& block) { return block.number == number; });
  }
  if (at == bucket.cached.end()) return nullptr;
  MemoryRef memory = std::move(at->memory);
  bucket.cached.erase(at);
  bytes_cached_ -= bucket_bytes;
  bytes_in_use_ += bucket_bytes;
  ++bucket.in_use;
  ++bucket.hits;
  ++hits_;
  return memory;
}

// The block given back last, or the n-th from the first.
Pool::Cached Pool::candidate(uint64_t bucket_bytes, size_t turn) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto at = buckets_.find(bucket_bytes);
  if (at == buckets_.end()) return {};
  const std::vector<Cached>& cached = at->second.cached;
  if (turn >= cached.size()) return {};
  return cached[turn == 0 ? cached.size() - 1 : turn - 1];
}

MemoryRef Pool::reuse(uint64_t bucket_bytes, bool ordered) {
  QueueSet& queues = QueueSet::of(device_);
  if (ordered && queues.single_order()) return take_cached(bucket_bytes, 0);
  // The block given back last is the warmest in the caches; those given back first are the most
  // likely to be idle. Blocks come back in about the order of their use, so the rest is hardly idle
  // when these are not.
  for (size_t turn = 0; turn < kLooks; ++turn) {
    const Cached found = candidate(bucket_bytes, turn);
    if (found.memory == nullptr) break;
    if (!queues.idle(*found.memory)) continue;
    if (MemoryRef memory = take_cached(bucket_bytes, found.number)) return memory;
  }
  return nullptr;
}

// Makes room under the pool's cap by dropping cached blocks; fails when leases alone exceed it.
void Pool::check_cap(uint64_t bucket_bytes) {
  Chain dropped;
  std::unique_lock<std::mutex> lock(mutex_);
  if (bucket_bytes > limits_.max_bytes || bytes_in_use_ > limits_.max_bytes - bucket_bytes) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY,
         "a block of %llu bytes exceeds the pool's max_bytes of %llu with %llu in use",
         static_cast<unsigned long long>(bucket_bytes),
         static_cast<unsigned long long>(limits_.max_bytes),
         static_cast<unsigned long long>(bytes_in_use_));
  }
  const uint64_t room = limits_.max_bytes - bucket_bytes - bytes_in_use_;
  if (bytes_cached_ > room) trim_locked(room, &dropped);
  bytes_in_use_ += bucket_bytes;  // reserved here, so that two threads cannot pass the cap
  high_water_ = std::max(high_water_, bytes_in_use_ + bytes_cached_);
  lock.unlock();
  free_blocks(std::move(dropped));
}

// Out of memory: give back what is cached, wait (bounded) for work that holds the rest, try once
// more, and then say so with the figures.
backend::BufferRef Pool::allocate_with_ladder(uint64_t bucket_bytes) {
  try {
    return device_.backend().allocate(bucket_bytes, memory_kind_);
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_OUT_OF_DEVICE_MEMORY) throw;
    log_message(NETCL_LOG_INFO, "pool: %s; trimming and trying again", error.what());
  }
  PoolSet::of(device_).trim_all();
  try {
    QueueSet::of(device_).wait_until_idle(Deadline(kShortageWaitNs));
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    log_message(NETCL_LOG_WARNING, "pool: while waiting for memory: %s", error.what());
  }
  PoolSet::of(device_).trim_all();
  try {
    return device_.backend().allocate(bucket_bytes, memory_kind_);
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
    // A place for every block that may come back.
    const size_t places = bucket.cached.size() + bucket.in_use + 1;
    if (places > bucket.cached.capacity()) {
      bucket.cached.reserve(std::max(places, 2 * bucket.cached.capacity()));
    }
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
  uint64_t largest = device_.capabilities().max_allocation_bytes;
  if (share()) largest = std::min(largest, device_.backend().sharing().most_bytes);
  uint64_t size = bucket_size(kind_, bytes);
  // A bucket must not ask for more than the device can give when the request itself fits.
  if (size > largest && bytes <= largest) size = bytes;
  *bucket_bytes = size;
  if (MemoryRef memory = reuse(size, ordered)) {
    memory->uses->inherited.store(true, std::memory_order_relaxed);
    return memory;
  }
  return allocate(size);
}

void Pool::give_back(MemoryRef memory, uint64_t bucket_bytes) noexcept {
  Chain dropped;
  std::unique_lock<std::mutex> lock(mutex_);
  const auto found = buckets_.find(bucket_bytes);  // made when the block was
  if (found == buckets_.end()) return;
  Bucket& bucket = found->second;
  --bucket.in_use;
  bytes_in_use_ -= bucket_bytes;
  const bool fits = !memory->exported.load(std::memory_order_relaxed) &&
                    bucket_bytes <= limits_.max_cached_bytes &&
                    bucket.cached.size() < limits_.max_buffers_per_bucket;
  if (!fits) {
    dropped.push(std::move(memory));
  } else {
    const uint64_t room = limits_.max_cached_bytes - bucket_bytes;
    if (bytes_cached_ > room) trim_locked(room, &dropped);
    bucket.cached.push_back({std::move(memory), ++returns_});  // allocate() made room
    bytes_cached_ += bucket_bytes;
  }
  const bool free_now = !dropped.empty() || !retiring_.empty();
  lock.unlock();
  if (free_now) free_blocks(std::move(dropped));
}

// Drops the largest blocks first: fewest allocations are lost for the bytes that are given back.
void Pool::trim_locked(uint64_t keep_bytes, Chain* dropped) noexcept {
  for (auto it = buckets_.rbegin(); it != buckets_.rend() && bytes_cached_ > keep_bytes; ++it) {
    auto& cached = it->second.cached;
    size_t count = 0;
    while (count < cached.size() && bytes_cached_ > keep_bytes) {
      dropped->push(std::move(cached[count++].memory));
      bytes_cached_ -= it->first;
    }
    cached.erase(cached.begin(), cached.begin() + static_cast<ptrdiff_t>(count));
  }
}

void Pool::trim(uint64_t keep_bytes) {
  Chain dropped;
  std::unique_lock<std::mutex> lock(mutex_);
  trim_locked(keep_bytes, &dropped);
  lock.unlock();
  free_blocks(std::move(dropped));
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

PoolRef PoolSet::own(std::unique_ptr<Pool>& pool, netcl_pool_kind kind, bool share) {
  std::lock_guard<std::mutex> lock(own_mutex_);
  if (pool == nullptr) pool = std::make_unique<Pool>(device_, kind, share, default_limits(kind));
  return PoolRef(device_.shared_from_this(), pool.get());
}

PoolRef PoolSet::own(netcl_pool_kind kind) {
  return own(own_[static_cast<size_t>(kind)], kind, false);
}

static void require_shared_memory(const Device& device) {
  const backend::Sharing sharing = device.backend().sharing();
  if (sharing.kind == 0) fail(NETCL_ERROR_UNSUPPORTED, sharing.refusal);
}

PoolRef PoolSet::own_shared() {
  require_shared_memory(device_);
  return own(own_shared_, NETCL_POOL_PERSISTENT, true);
}

PoolRef PoolSet::create(netcl_pool_kind kind, bool share, const PoolLimits& limits) {
  if (share) require_shared_memory(device_);
  PoolLimits merged = default_limits(kind);
  if (limits.max_cached_bytes != 0) merged.max_cached_bytes = limits.max_cached_bytes;
  if (limits.max_bytes != 0) merged.max_bytes = limits.max_bytes;
  if (limits.max_buffers_per_bucket != 0) {
    merged.max_buffers_per_bucket = limits.max_buffers_per_bucket;
  }
  auto* pool = new Pool(device_, kind, share, merged);
  return PoolRef(pool, [device = device_.shared_from_this()](Pool* dying) { delete dying; });
}

void PoolSet::trim_all() {
  std::lock_guard<std::mutex> lock(mutex_);
  for (Pool* pool : pools_) pool->trim(0);
}

}  // namespace netcl
