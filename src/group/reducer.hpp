// Joins gradients over the ranks of a group while the graph that works them out goes on.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "group/gradient_rooms.hpp"

namespace netcl::group {

struct ReducerOptions {
  uint64_t bucket_bytes = uint64_t{4} << 20;
  netcl_reduction kind = NETCL_REDUCTION_MEAN;
};

class Reducer {
 public:
  // As all ranks do; what `prepare` refuses is told to them.
  static std::shared_ptr<Reducer> create(Group& group, FunctionRef<ReducerOptions()> prepare);
  Reducer(std::shared_ptr<Group> group, QueueRef queue, ReducerOptions options);
  ~Reducer();
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  uint32_t size() const noexcept { return group_->size(); }
  Device& device() const noexcept { return *group_->device(); }
  const ReducerOptions& options() const noexcept { return options_; }
  struct Facts {
    uint64_t runs = 0;
    uint64_t gradients = 0;
    uint64_t buckets = 0;  // that are joined
    uint64_t bytes = 0;    // of the gradients in them
    uint64_t room_bytes = 0;
    bool waiting = false;
  };
  Facts facts() const;

  // One run, in which `work` gives the gradients. Its failure is told to the other ranks, and so is
  // that there is none, while the last one is not waited for.
  void run(FunctionRef<void()> work);
  // A gradient, all commands of which are in the queue. It is kept until the run was waited for, so
  // that no tensor of the host ends on another thread than its own.
  void give(const TensorRef& gradient, Queue& queue);
  // Waits for the end of the last run, and throws what failed in it.
  void wait(uint64_t timeout_ns);

 private:
  // Gradients of one dtype that are joined together. All of them are kept in rooms, or none.
  struct Bucket {
    std::vector<TensorRef> gradients;
    std::vector<GradientRooms::Kept> kept;
    uint64_t bytes = 0;
    bool in_rooms() const noexcept { return !kept.empty(); }
    void add(const TensorRef& gradient, std::optional<GradientRooms::Kept> place);
  };
  enum class Stage : uint8_t { idle, open, closed, done };

  void begin();
  void skip() noexcept;
  void fill_last();
  void close(std::optional<Error> failure) noexcept;
  // What follows is done by the thread of a run.
  static void* enter(void* self) noexcept;
  static void* enter_skipped(void* self) noexcept;
  void work() noexcept;
  void refuse_skipped() noexcept;
  int start(void* (*entry)(void*)) noexcept;
  void join_thread() noexcept;
  bool take(Bucket* bucket);
  bool join(const Bucket& bucket, uint64_t run_number, uint64_t number) noexcept;
  void join_in_place(const Bucket& bucket, FunctionRef<uint64_t()> mark, bool* passed);
  void join_in_rooms(const Bucket& bucket, FunctionRef<uint64_t()> mark, bool* passed);
  void end_together(uint64_t run, uint64_t buckets) noexcept;
  void await(const Tensor& gradient) const;
  void await(const backend::EventRef& event) const;
  void settle() noexcept;
  void note(Error failure) noexcept;

  const std::shared_ptr<Group> group_;  // of this alone
  const QueueRef queue_;
  const ReducerOptions options_;
  std::optional<GradientRooms> rooms_;
  std::vector<backend::EventRef> join_events_;  // of what joins gradients in rooms, in this run
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Stage stage_ = Stage::idle;
  pthread_t thread_{};
  bool has_thread_ = false;      // never while idle
  std::vector<Bucket> filling_;  // by the time of their first gradients
  std::deque<Bucket> full_;
  std::vector<TensorRef> given_;
  uint64_t run_ = 0;  // its number, which the ranks have alike
  uint64_t next_run_ = 0;
  uint32_t skipped_ = 0;     // runs behind it that were not begun
  bool run_failed_ = false;  // the others have to know
  std::optional<Error> failure_;
  Facts facts_;
};
using ReducerRef = std::shared_ptr<Reducer>;

// The same for what may have no reducer.
inline void run_with(Reducer* reducer, FunctionRef<void()> work) {
  reducer == nullptr ? work() : reducer->run(work);
}

}  // namespace netcl::group
