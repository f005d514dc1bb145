// The worker threads of the built-in backend.
//
// Work is cut into chunks of `grain` items whatever the number of threads, so a result that depends
// on where the cuts are still has the same bits on every machine (the order in which chunks run is
// not fixed). Workers without work for a second end, and start again when there is some.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace netcl::cpu {

// The number of CPUs this process may run on, at least 1.
unsigned available_threads() noexcept;

// A block of memory aligned to a cache line. The pool keeps one for reuse, because blocks that
// malloc gives back to the system cost a page fault per page each time.
class Scratch {
 public:
  Scratch() = default;
  Scratch(Scratch&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Scratch& operator=(Scratch&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  explicit Scratch(size_t bytes);  // throws std::bad_alloc
  ~Scratch();
  std::byte* data() const noexcept { return data_; }
  size_t bytes() const noexcept { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

class ThreadPool {
 public:
  // `thread_count` counts the calling thread too; 0 stands for available_threads(). No thread is
  // started before the first parallel_for that has work for it.
  explicit ThreadPool(unsigned thread_count = 0);
  // Joins the workers. No parallel_for may be running.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // The most threads that take part in one parallel_for.
  unsigned thread_count() const noexcept { return thread_count_; }

  // At least `bytes` of memory with unspecified contents, from the kept block when it will do.
  Scratch take_scratch(size_t bytes);
  // Keeps the block for the next taker unless it is very large.
  void give_scratch(Scratch scratch) noexcept;

  // Calls fn(first, last) for [0, grain), [grain, 2 grain), ... up to total, and returns when all
  // calls have returned. The caller works too. When the pool is busy, with another caller's work or
  // with an outer parallel_for of this one, all chunks run in the calling thread. The first
  // exception that fn throws is rethrown here after the chunks under way have ended.
  template <class Function>
  void parallel_for(int64_t total, int64_t grain, Function&& fn) {
    using Plain = std::remove_reference_t<Function>;
    auto call = [](void* context, int64_t first, int64_t last) {
      (*static_cast<Plain*>(context))(first, last);
    };
    run(total, grain, call, const_cast<void*>(static_cast<const void*>(std::addressof(fn))));
  }

 private:
  using Call = void (*)(void* context, int64_t first, int64_t last);

  struct Loop {
    Call call = nullptr;
    void* context = nullptr;
    int64_t total = 0;
    int64_t grain = 0;
    int64_t chunks = 0;
  };

  void run(int64_t total, int64_t grain, Call call, void* context);
  void run_shared(const Loop& loop);
  void work_on(const Loop& loop) noexcept;
  void start_workers(unsigned wanted) noexcept;
  void worker_loop() noexcept;
  void leave() noexcept;  // under the mutex
  static void* worker_entry(void* pool);

  const unsigned thread_count_;
  // Where workers may run: where the maker of the pool may. A caller may be bound to one processor,
  // as threads of drivers are.
  cpu_set_t affinity_;
  std::atomic<bool> busy_{false};  // held by the caller whose loop is the pool's
  std::atomic<int64_t> next_chunk_{0};
  std::atomic<uint64_t> generation_{0};  // grows with each loop, so that spinning workers see it
  std::atomic<unsigned> active_{0};      // workers inside the current loop
  std::atomic<bool> failed_{false};

  std::mutex mutex_;  // guards what follows
  std::condition_variable work_ready_;
  std::condition_variable job_left_;
  Loop loop_;
  unsigned places_ = 0;  // workers that may still join the current loop
  bool stopping_ = false;
  std::exception_ptr error_;
  std::vector<pthread_t> workers_;

  std::mutex scratch_mutex_;
  Scratch kept_scratch_;
};

// The pool of this process, which all devices whose ops run on the host share: two pools would take
// each other's processors. It has NETCL_NUM_THREADS threads, and lives as long as the process.
ThreadPool& process_threads();

}  // namespace netcl::cpu
