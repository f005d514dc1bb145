#include "core/handle_table.hpp"

#include <sys/random.h>
#include <time.h>

#include "core/error.hpp"

namespace netcl {

// State word: generation (24 bits), references of the host (24 bits), pins of calls (16 bits). A
// slot is alive while it has references; its object stays while it has references or pins.
namespace {
constexpr uint64_t kPin = 1;
constexpr uint64_t kPinMask = 0xffff;
constexpr uint64_t kReference = uint64_t{1} << 16;
constexpr uint64_t kReferenceMask = uint64_t{0xffffff} << 16;
constexpr uint32_t kGenerationMask = 0xffffff;
constexpr uint64_t kPayloadMask = (uint64_t{1} << 56) - 1;

uint32_t generation_of(uint64_t state) { return static_cast<uint32_t>(state >> 40); }
uint64_t tag_of(netcl_handle_type type) { return uint64_t{0x90} | static_cast<uint64_t>(type); }
}  // namespace

struct HandleTable::Entry {
  std::atomic<uint64_t> state{0};
  std::shared_ptr<void> object;
  uint32_t slot = 0;
  uint32_t next_free = 0;
  // Changes only while the slot is not alive, so a match of type and then of the state word in a
  // compare-and-swap is a match of both at once.
  std::atomic<netcl_handle_type> type{0};
};

HandleTable::HandleTable() {
  if (getrandom(&scramble_, sizeof scramble_, GRND_NONBLOCK) != sizeof scramble_) {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    scramble_ = static_cast<uint64_t>(now.tv_nsec) * 0x9e3779b97f4a7c15ULL ^
                reinterpret_cast<uintptr_t>(this);
  }
  scramble_ &= kPayloadMask;
}

HandleTable::~HandleTable() {
  for (auto& page : pages_) delete[] page.load();
}

const std::shared_ptr<void>& HandleTable::object(const Entry* entry) noexcept {
  return entry->object;
}

uint32_t HandleTable::take_free_slot() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (free_first_ != 0) {
    const uint32_t slot = free_first_;
    Entry& entry = pages_[slot >> kPageBits].load()[slot & ((1u << kPageBits) - 1)];
    free_first_ = entry.next_free;
    if (free_first_ == 0) free_last_ = 0;
    return slot;
  }
  const uint32_t slot = slots_used_ + 1;  // Slot 0 is never used: it ends the free list.
  if (slot >> kSlotBits) {
    fail(NETCL_ERROR_BUSY, "%u handles are alive, which is the limit", slots_used_);
  }
  auto& page = pages_[slot >> kPageBits];
  if (page.load() == nullptr) page.store(new Entry[size_t{1} << kPageBits]);
  slots_used_ = slot;
  return slot;
}

uint64_t HandleTable::insert(netcl_handle_type type, std::shared_ptr<void> object) {
  const uint32_t slot = take_free_slot();
  Entry& entry = pages_[slot >> kPageBits].load()[slot & ((1u << kPageBits) - 1)];
  entry.slot = slot;
  entry.type.store(type, std::memory_order_relaxed);
  entry.object = std::move(object);
  const uint32_t generation = generation_of(entry.state.load(std::memory_order_relaxed));
  entry.state.store((uint64_t{generation} << 40) | kReference, std::memory_order_release);
  live_[static_cast<size_t>(type)].fetch_add(1, std::memory_order_relaxed);
  const uint64_t payload = (uint64_t{generation} << kSlotBits) | slot;
  return (tag_of(type) << 56) | ((payload ^ scramble_) & kPayloadMask);
}

HandleTable::Entry* HandleTable::find(uint64_t handle, netcl_handle_type type,
                                      uint32_t* generation) const noexcept {
  if ((handle >> 56) != tag_of(type)) return nullptr;
  const uint64_t payload = (handle & kPayloadMask) ^ scramble_;
  if (payload >> (kSlotBits + 24)) return nullptr;  // The top byte of the payload is 0 in ours.
  const uint32_t slot = static_cast<uint32_t>(payload & ((1u << kSlotBits) - 1));
  *generation = static_cast<uint32_t>(payload >> kSlotBits) & kGenerationMask;
  if (slot == 0) return nullptr;
  Entry* page = pages_[slot >> kPageBits].load(std::memory_order_acquire);
  return page == nullptr ? nullptr : &page[slot & ((1u << kPageBits) - 1)];
}

bool HandleTable::alive(const Entry& entry, uint64_t state, uint32_t generation,
                        netcl_handle_type type) noexcept {
  return generation_of(state) == generation && (state & kReferenceMask) != 0 &&
         entry.type.load(std::memory_order_relaxed) == type;
}

HandleTable::Entry* HandleTable::pin(uint64_t handle, netcl_handle_type type) noexcept {
  uint32_t generation;
  Entry* entry = find(handle, type, &generation);
  if (entry == nullptr) return nullptr;
  uint64_t state = entry->state.load(std::memory_order_acquire);
  do {
    if (!alive(*entry, state, generation, type) || (state & kPinMask) == kPinMask) return nullptr;
  } while (!entry->state.compare_exchange_weak(state, state + kPin, std::memory_order_acq_rel));
  return entry;
}

void HandleTable::unpin(Entry* entry) noexcept {
  const uint64_t before = entry->state.fetch_sub(kPin, std::memory_order_acq_rel);
  if ((before & kReferenceMask) == 0 && (before & kPinMask) == 1) retire(entry);
}

bool HandleTable::retain(uint64_t handle, netcl_handle_type type) {
  uint32_t generation;
  Entry* entry = find(handle, type, &generation);
  if (entry == nullptr) return false;
  uint64_t state = entry->state.load(std::memory_order_acquire);
  do {
    if (!alive(*entry, state, generation, type)) return false;
    if ((state & kReferenceMask) == kReferenceMask) {
      fail(NETCL_ERROR_BUSY, "handle 0x%llx has %llu references, the most there can be",
           static_cast<unsigned long long>(handle),
           static_cast<unsigned long long>(kReferenceMask / kReference));
    }
  } while (
      !entry->state.compare_exchange_weak(state, state + kReference, std::memory_order_acq_rel));
  return true;
}

bool HandleTable::release(uint64_t handle, netcl_handle_type type) noexcept {
  uint32_t generation;
  Entry* entry = find(handle, type, &generation);
  if (entry == nullptr) return false;
  uint64_t state = entry->state.load(std::memory_order_acquire);
  do {
    if (!alive(*entry, state, generation, type)) return false;
  } while (
      !entry->state.compare_exchange_weak(state, state - kReference, std::memory_order_acq_rel));
  const uint64_t after = state - kReference;
  if ((after & kReferenceMask) == 0) {
    live_[static_cast<size_t>(type)].fetch_sub(1, std::memory_order_relaxed);
    if ((after & kPinMask) == 0) retire(entry);
  }
  return true;
}

void HandleTable::retire(Entry* entry) noexcept {
  std::shared_ptr<void> object = std::move(entry->object);
  entry->object.reset();
  const uint32_t generation = generation_of(entry->state.load(std::memory_order_relaxed)) + 1;
  // A slot whose generations are used up is not reused: an old key could otherwise match again.
  if (generation <= kGenerationMask) {
    entry->state.store(uint64_t{generation} << 40, std::memory_order_release);
    std::lock_guard<std::mutex> lock(mutex_);
    entry->next_free = 0;
    if (free_last_ == 0) {
      free_first_ = entry->slot;
    } else {
      pages_[free_last_ >> kPageBits].load()[free_last_ & ((1u << kPageBits) - 1)].next_free =
          entry->slot;
    }
    free_last_ = entry->slot;
  }
  // The object goes last and without the lock: its destructor may release other handles' objects.
  object.reset();
}

bool HandleTable::contains(uint64_t handle, netcl_handle_type type) const noexcept {
  uint32_t generation;
  const Entry* entry = find(handle, type, &generation);
  return entry != nullptr &&
         alive(*entry, entry->state.load(std::memory_order_acquire), generation, type);
}

uint64_t HandleTable::live_count(netcl_handle_type type) const noexcept {
  return live_[static_cast<size_t>(type)].load(std::memory_order_relaxed);
}

}  // namespace netcl
