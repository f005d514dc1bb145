// Handles are keys into this table, never addresses. A key holds a type tag that makes it a
// non-canonical address, and slot and generation scrambled by a random word of this load of the
// library, so that a stale, invented or foreign key is refused instead of followed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "netcl.h"

namespace netcl {

inline constexpr int kHandleTypeCount = NETCL_HANDLE_REDUCER + 1;

class HandleTable {
 public:
  HandleTable();
  ~HandleTable();
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // A new handle with one reference. BUSY when 16,777,215 handles are alive.
  uint64_t insert(netcl_handle_type type, std::shared_ptr<void> object);

  struct Entry;
  // Keeps the object of a live handle in place until unpin; nullptr when the handle is not one.
  Entry* pin(uint64_t handle, netcl_handle_type type) noexcept;
  void unpin(Entry* entry) noexcept;
  static const std::shared_ptr<void>& object(const Entry* entry) noexcept;

  // False when the handle is not live; BUSY when it has the most references there can be.
  bool retain(uint64_t handle, netcl_handle_type type);
  // Drops one reference; the object goes with the last one, once nothing pins it.
  bool release(uint64_t handle, netcl_handle_type type) noexcept;

  bool contains(uint64_t handle, netcl_handle_type type) const noexcept;
  uint64_t live_count(netcl_handle_type type) const noexcept;

 private:
  Entry* find(uint64_t handle, netcl_handle_type type, uint32_t* generation) const noexcept;
  static bool alive(const Entry& entry, uint64_t state, uint32_t generation,
                    netcl_handle_type type) noexcept;
  uint32_t take_free_slot();
  void retire(Entry* entry) noexcept;

  static constexpr uint32_t kSlotBits = 24;
  static constexpr uint32_t kPageBits = 12;
  static constexpr uint32_t kPages = 1u << (kSlotBits - kPageBits);

  uint64_t scramble_;
  std::array<std::atomic<Entry*>, kPages> pages_{};
  std::array<std::atomic<uint64_t>, kHandleTypeCount> live_{};
  std::mutex mutex_;  // guards what follows
  uint32_t slots_used_ = 0;
  uint32_t free_first_ = 0;  // freed slots in order of their release; 0 ends the list
  uint32_t free_last_ = 0;
};

}  // namespace netcl
