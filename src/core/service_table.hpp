// Objects that exist once per owner (the process state or a device) and are made at first use.
// Lower layers own the table without knowing the types; each upper layer names its own slot. This
// is what lets a device carry its queues and pools although those layers stand above it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace netcl {

enum class Slot : uint8_t {
  // of the process
  interrupt,
  device_manager,
  active_devices,
  exit_hook,
  copy_threads,
  native_threads,
  program_cache,
  disk_cache,
  tuning_database,
  tuning_flights,
  expression_cache,
  primitives,
  derivatives,
  variant_cache,
  process_recorder,
  profile,
  ceilings_turn,
  // of a device
  queues,
  pools,
  programs,
  line_directives,
  kernel_registry,
  op_kernels,
  memory_registry,
  ceilings,
  variant_device,
  matrix_units,
  count
};

class ServiceTable {
 public:
  // The service in `slot`, made by `make` (returning std::unique_ptr<T>) at the first call. Two
  // threads that come first at once make one. A slot always holds the same type.
  template <class T, class Make>
  T& get(Slot slot, Make make) {
    Entry& entry = entries_[static_cast<size_t>(slot)];
    if (void* ready = entry.pointer.load(std::memory_order_acquire)) return *static_cast<T*>(ready);
    std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (void* ready = entry.pointer.load(std::memory_order_relaxed)) return *static_cast<T*>(ready);
    std::unique_ptr<T> made = make();
    T* raw = made.get();
    entry.owner = std::shared_ptr<void>(std::move(made));
    entry.pointer.store(raw, std::memory_order_release);
    return *raw;
  }

  // The service in `slot` if it has been made.
  template <class T>
  T* find(Slot slot) const noexcept {
    const Entry& entry = entries_[static_cast<size_t>(slot)];
    return static_cast<T*>(entry.pointer.load(std::memory_order_acquire));
  }

  // Destroys the services from the highest layer down.
  ~ServiceTable() {
    for (size_t i = entries_.size(); i-- > 0;) entries_[i].owner.reset();
  }

 private:
  struct Entry {
    std::atomic<void*> pointer{nullptr};
    std::shared_ptr<void> owner;
  };
  std::recursive_mutex mutex_;
  std::array<Entry, static_cast<size_t>(Slot::count)> entries_;
};

}  // namespace netcl
