// Working memory of loops. It comes from the pool's scratch block and not from the stack, because a
// thread of the host may have a small one.
#pragma once

#include <algorithm>
#include <atomic>
#include <type_traits>
#include <vector>

#include "backend/cpu/thread_pool.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {

// `count` objects of a plain type with unspecified contents.
template <class T>
class ScratchArray {
 public:
  ScratchArray(ThreadPool& pool, size_t count)
      : pool_(pool), scratch_(pool.take_scratch((count + 1) * sizeof(T))) {}
  ~ScratchArray() { pool_.give_scratch(std::move(scratch_)); }
  ScratchArray(const ScratchArray&) = delete;
  ScratchArray& operator=(const ScratchArray&) = delete;
  T* data() const { return reinterpret_cast<T*>(scratch_.data()); }

 private:
  static_assert(std::is_trivially_default_constructible_v<T> &&
                std::is_trivially_destructible_v<T> && alignof(T) <= 64);
  ThreadPool& pool_;
  Scratch scratch_;
};

// Gives each chunk of work that runs a slot of working memory of its own.
class Slots {
 public:
  explicit Slots(unsigned count) : taken_(count) {}
  unsigned take() noexcept {
    for (unsigned slot = 0;; slot = slot + 1 == taken_.size() ? 0 : slot + 1) {
      bool free = false;
      if (taken_[slot].compare_exchange_strong(free, true, std::memory_order_acquire)) return slot;
    }
  }
  void give(unsigned slot) noexcept { taken_[slot].store(false, std::memory_order_release); }

 private:
  std::vector<std::atomic<bool>> taken_;
};

// ThreadPool::parallel_for with function(first, last, task), where `task` is a Task that no other
// call has meanwhile, with unspecified contents. Throws std::bad_alloc before the first call.
template <class Task, class Function>
void parallel_for_tasks(ThreadPool& pool, int64_t total, int64_t grain, Function&& function) {
  if (total <= 0) return;
  const int64_t chunks = ceil_div(total, std::max<int64_t>(grain, 1));
  const auto count = static_cast<unsigned>(std::min<int64_t>(chunks, pool.thread_count()));
  const ScratchArray<Task> tasks(pool, count);
  if (count == 1) {
    pool.parallel_for(total, grain,
                      [&](int64_t first, int64_t last) { function(first, last, tasks.data()[0]); });
    return;
  }
  Slots slots(count);
  pool.parallel_for(total, grain, [&](int64_t first, int64_t last) {
    struct Slot {
      Slots& slots;
      const unsigned number;
      ~Slot() { slots.give(number); }
    } const slot{slots, slots.take()};
    function(first, last, tasks.data()[slot.number]);
  });
}

}  // namespace netcl::cpu
