#include "backend/cpu/thread_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "core/environment.hpp"
#include "core/process.hpp"
#include "core/threads.hpp"

namespace netcl::cpu {

namespace {

// How long a thread polls before it sleeps: about what waking a sleeper costs.
constexpr std::chrono::microseconds kSpin{20};
// How long a thread sleeps without work before it ends.
constexpr std::chrono::milliseconds kIdle{1000};

void pause_cpu() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Polls `ready` for the spin time; false when it never became true.
template <class Condition>
bool spin_until(Condition ready) noexcept {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  do {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      pause_cpu();
    }
  } while (std::chrono::steady_clock::now() < end);
  return ready();
}

constexpr size_t kScratchAlignment = 4096;
constexpr size_t kScratchKeptBytes = size_t{16} << 20;

}  // namespace

Scratch::Scratch(size_t bytes)
    : data_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kScratchAlignment}))),
      bytes_(bytes) {}

Scratch::~Scratch() {
  if (data_ != nullptr) ::operator delete (data_, std::align_val_t{kScratchAlignment});
}

unsigned available_threads() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

ThreadPool::ThreadPool(unsigned thread_count)
    : thread_count_(thread_count == 0 ? available_threads() : thread_count) {
  CPU_ZERO(&affinity_);
  (void)sched_getaffinity(0, sizeof affinity_, &affinity_);
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    generation_.fetch_add(1, std::memory_order_release);
  }
  work_ready_.notify_all();
  // None leaves by itself any more.
  for (const pthread_t worker : workers_) pthread_join(worker, nullptr);
}

Scratch ThreadPool::take_scratch(size_t bytes) {
  Scratch kept;
  {
    const std::lock_guard<std::mutex> lock(scratch_mutex_);
    kept = std::move(kept_scratch_);
  }
  if (kept.bytes() >= bytes) return kept;
  return Scratch(bytes);
}

void ThreadPool::give_scratch(Scratch scratch) noexcept {
  if (scratch.bytes() > kScratchKeptBytes) return;
  const std::lock_guard<std::mutex> lock(scratch_mutex_);
  if (kept_scratch_.bytes() < scratch.bytes()) kept_scratch_ = std::move(scratch);
}

void ThreadPool::run(int64_t total, int64_t grain, Call call, void* context) {
  if (total <= 0) return;
  if (grain < 1) grain = 1;
  const int64_t chunks = total / grain + (total % grain != 0);
  const Loop loop{call, context, total, grain, chunks};
  if (chunks == 1 || thread_count_ == 1 || busy_.exchange(true, std::memory_order_acquire)) {
    for (int64_t first = 0; first < total;) {
      const int64_t last = total - first > grain ? first + grain : total;
      call(context, first, last);
      first = last;
    }
    return;
  }
  struct Release {
    std::atomic<bool>& busy;
    ~Release() { busy.store(false, std::memory_order_release); }
  } release{busy_};
  run_shared(loop);
}

void ThreadPool::run_shared(const Loop& loop) {
  const unsigned helpers =
      static_cast<unsigned>(std::min<int64_t>(thread_count_ - 1, loop.chunks - 1));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    start_workers(helpers);
    loop_ = loop;
    places_ = helpers;
    error_ = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    next_chunk_.store(0, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
  }
  for (unsigned i = 0; i < helpers; ++i) work_ready_.notify_one();
  work_on(loop);
  {
    // A worker that has not woken up yet finds no place and sleeps again; it is not waited for.
    const std::lock_guard<std::mutex> lock(mutex_);
    places_ = 0;
  }
  const auto all_left = [this] { return active_.load(std::memory_order_acquire) == 0; };
  std::exception_ptr error;
  if (!spin_until(all_left)) {
    std::unique_lock<std::mutex> lock(mutex_);
    job_left_.wait(lock, all_left);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    error = std::move(error_);
    error_ = nullptr;
  }
  if (error) std::rethrow_exception(error);
}

void ThreadPool::work_on(const Loop& loop) noexcept {
  while (!failed_.load(std::memory_order_relaxed)) {
    const int64_t chunk = next_chunk_.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= loop.chunks) return;
    const int64_t first = chunk * loop.grain;
    const int64_t last = loop.total - first > loop.grain ? first + loop.grain : loop.total;
    try {
      loop.call(loop.context, first, last);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!error_) error_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
  }
}

// Threads that cannot be had are done without: the caller takes part, so all work still gets done.
void ThreadPool::start_workers(unsigned wanted) noexcept {
  if (workers_.size() >= wanted) return;
  try {
    workers_.reserve(wanted);
  } catch (...) {
    return;
  }
  pthread_attr_t attributes;
  const bool placed = CPU_COUNT(&affinity_) > 0 && pthread_attr_init(&attributes) == 0;
  if (placed) (void)pthread_attr_setaffinity_np(&attributes, sizeof affinity_, &affinity_);
  while (workers_.size() < wanted) {
    pthread_t thread;
    const pthread_attr_t* const own = placed ? &attributes : nullptr;
    if (create_thread(&thread, own, &ThreadPool::worker_entry, this) != 0) break;
    workers_.push_back(thread);
  }
  if (placed) pthread_attr_destroy(&attributes);
}

void* ThreadPool::worker_entry(void* pool) {
  static_cast<ThreadPool*>(pool)->worker_loop();
  return nullptr;
}

// A process ends when its last thread does, or by a signal that a thread takes; a worker that
// stayed for ever would prevent both once the threads of the host are gone. Nobody may come by to
// join it, and it touches nothing of the pool once the mutex is unlocked.
void ThreadPool::leave() noexcept {
  const pthread_t self = pthread_self();
  std::erase_if(workers_, [&](pthread_t worker) { return pthread_equal(worker, self) != 0; });
  pthread_detach(self);
}

void ThreadPool::worker_loop() noexcept {
  uint64_t seen = 0;
  for (;;) {
    spin_until([&] { return generation_.load(std::memory_order_acquire) != seen; });
    Loop loop;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      const bool woken = work_ready_.wait_for(lock, kIdle, [&] {
        return stopping_ || (generation_.load(std::memory_order_relaxed) != seen);
      });
      if (stopping_) return;
      if (!woken) {
        leave();
        return;
      }
      seen = generation_.load(std::memory_order_relaxed);
      if (places_ == 0) continue;
      --places_;
      loop = loop_;
      active_.fetch_add(1, std::memory_order_relaxed);
    }
    work_on(loop);
    // The last one to leave wakes the caller. The lock keeps the count and the wait in step.
    const std::lock_guard<std::mutex> lock(mutex_);
    if (active_.fetch_sub(1, std::memory_order_acq_rel) == 1) job_left_.notify_one();
  }
}

ThreadPool& process_threads() {
  return process().services.get<ThreadPool>(Slot::native_threads, [] {
    return std::make_unique<ThreadPool>(environment().num_threads);
  });
}

}  // namespace netcl::cpu
