#include "group/reducer.hpp"

#include <algorithm>
#include <chrono>

#include "core/hash.hpp"
#include "core/room.hpp"
#include "core/threads.hpp"
#include "group/device_wait.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"
#include "tensor/transfer.hpp"

namespace netcl::group {

namespace {

// A wait for the device looks so often whether the reducer is still wanted.
constexpr uint64_t kLookAgain = 10000000;

// All that the ranks have to have alike in a bucket, beside its dtype and size. The numbers keep
// what differs between ranks from being joined with a bucket of another place or run.
uint64_t mark_of(uint64_t run, uint64_t bucket, const std::vector<TensorRef>& gradients,
                 std::span<const GradientRooms::Kept> kept) {
  std::string shapes;
  // Where they lie in the rooms: the other rank reads them by the places of its own.
  for (const GradientRooms::Kept& one : kept) {
    shapes.append(reinterpret_cast<const char*>(&one.offset), sizeof one.offset);
  }
  for (const uint64_t number : {run, bucket}) {
    shapes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  for (const TensorRef& gradient : gradients) {
    const Layout& layout = gradient->layout();
    shapes.append(reinterpret_cast<const char*>(&layout.rank), sizeof layout.rank);
    shapes.append(reinterpret_cast<const char*>(layout.shape.data()),
                  layout.rank * sizeof layout.shape[0]);
  }
  return hash128(shapes).low;
}

// The gradients of a bucket as one packed tensor: the only one itself, or room for all.
class Joined {
 public:
  Joined(const std::vector<TensorRef>& gradients, const ops::Run& run) : gradients_(gradients) {
    if (gradients.size() == 1 && gradients[0]->layout().is_c_contiguous()) {
      all_ = gradients[0];
      return;
    }
    int64_t count = 0;
    for (const TensorRef& gradient : gradients) count += gradient->element_count();
    all_ = ops::new_tensor(gradients[0]->dtype(), 1, &count, run);
    each_place(
        [&](const Tensor& gradient, const Tensor& place) { ops::copy_into(gradient, place, run); });
  }
  const TensorRef& all() const noexcept { return all_; }
  void give_back(const ops::Run& run) const {
    if (all_ == gradients_[0]) return;
    each_place(
        [&](const Tensor& gradient, const Tensor& place) { ops::copy_into(place, gradient, run); });
  }

 private:
  template <class Function>
  void each_place(const Function& function) const {
    int64_t at = all_->layout().offset;
    for (const TensorRef& gradient : gradients_) {
      Layout layout = packed_layout(gradient->layout().rank, gradient->layout().shape.data());
      layout.offset = at;
      at += gradient->element_count();
      function(*gradient, Tensor(all_->buffer(), all_->dtype(), layout));
    }
  }

  const std::vector<TensorRef>& gradients_;
  TensorRef all_;
};

// MPI may refuse calls of other threads than the one that initialised it.
void check_other_threads(Group& group) {
  std::optional<Error> refusal;
  const auto look = [&] {
    try {
      group.check_thread();
    } catch (...) {
      refusal = caught_error();
    }
  };
  { const Helpers other(1, look); }
  if (refusal) throw Error(*refusal);
}

}  // namespace

std::shared_ptr<Reducer> Reducer::create(Group& group, FunctionRef<ReducerOptions()> prepare) {
  ReducerOptions options;
  QueueRef queue;
  group.agree(Op::reducer_create, 0, [&] {
    options = prepare();
    check_other_threads(group);
    queue = QueueSet::of(*group.device()).create(false, false);
    const std::array<uint64_t, 2> both{options.bucket_bytes, static_cast<uint64_t>(options.kind)};
    Header header;
    header.mark = hash128(both.data(), sizeof both).low;
    return header;
  });
  const std::vector<uint32_t> one_color(group.size());
  std::shared_ptr<Group> part = group.split([&] { return std::span<const uint32_t>(one_color); });
  return std::make_shared<Reducer>(std::move(part), std::move(queue), options);
}

Reducer::Reducer(std::shared_ptr<Group> group, QueueRef queue, ReducerOptions options)
    : group_(std::move(group)), queue_(std::move(queue)), options_(options) {
  if (GradientRooms::suit(*group_)) rooms_.emplace(*group_);
}

Reducer::~Reducer() {
  if (!facts().waiting) return;
  stopping_.store(true);
  group_->give_up();
  join_thread();
}

Reducer::Facts Reducer::facts() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Facts facts = facts_;
  facts.waiting = stage_ != Stage::idle;
  return facts;
}

void Reducer::begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stage_ != Stage::idle) {
    skip();
    fail(NETCL_ERROR_BUSY,
         "the reducer has gradients of a run that netcl_reducer_wait was not called for");
  }
  std::string lost;
  if (const netcl_status status = group_->failure(&lost)) fail(status, std::move(lost));
  if (rooms_) rooms_->begin();
  run_failed_ = false;
  failure_.reset();
  stage_ = Stage::open;
  run_ = next_run_++;
  if (const int error = start(enter); error != 0) {
    stage_ = Stage::idle;
    group_->give_up();  // without a thread nobody tells the others
    fail(NETCL_ERROR_OUT_OF_HOST_MEMORY, "no thread for the reducer: error %d", error);
  }
  ++facts_.runs;
}

int Reducer::start(void* (*entry)(void*)) noexcept {
  const int error = create_thread(&thread_, nullptr, entry, this);
  has_thread_ = error == 0;
  return error;
}

void Reducer::join_thread() noexcept {
  if (has_thread_) pthread_join(thread_, nullptr);
  has_thread_ = false;
}

// The others make the run that this rank has not begun. The thread tells them behind its own, and
// where that is over another one does.
void Reducer::skip() noexcept {
  ++next_run_;
  ++skipped_;
  if (stage_ != Stage::done) return;
  join_thread();
  stage_ = Stage::closed;
  if (start(enter_skipped) == 0) return;
  stage_ = Stage::done;
  group_->give_up();  // without a thread nobody tells the others
}

void Reducer::run(FunctionRef<void()> work) {
  begin();
  try {
    work();
    fill_last();
  } catch (...) {
    close(caught_error());
    throw;
  }
  close(std::nullopt);
}

void Reducer::Bucket::add(const TensorRef& gradient, std::optional<GradientRooms::Kept> place) {
  gradients.push_back(gradient);
  bytes += gradient->byte_count();
  if (place) kept.push_back(*std::move(place));
}

void Reducer::give(const TensorRef& gradient, Queue& queue) {
  std::optional<GradientRooms::Kept> place;
  if (rooms_ && !gradient->empty()) place = rooms_->keep(gradient, queue);
  const std::lock_guard<std::mutex> lock(mutex_);
  given_.push_back(gradient);
  ++facts_.gradients;
  if (gradient->empty()) return;
  // One that fills a bucket by itself is joined where it lies, without a copy.
  if (gradient->byte_count() >= options_.bucket_bytes) {
    Bucket alone;
    alone.add(gradient, std::move(place));
    full_.push_back(std::move(alone));
    changed_.notify_all();
    return;
  }
  auto bucket = std::find_if(filling_.begin(), filling_.end(), [&](const Bucket& other) {
    return other.gradients[0]->dtype() == gradient->dtype() &&
           other.in_rooms() == place.has_value();
  });
  if (bucket == filling_.end()) bucket = filling_.insert(bucket, Bucket{});
  bucket->add(gradient, std::move(place));
  if (bucket->bytes < options_.bucket_bytes) return;
  full_.push_back(std::move(*bucket));
  filling_.erase(bucket);
  changed_.notify_all();
}

void Reducer::fill_last() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Bucket& bucket : filling_) full_.push_back(std::move(bucket));
  filling_.clear();
}

void Reducer::close(std::optional<Error> failure) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (failure) {
    run_failed_ = true;
    failure_ = std::move(failure);
    full_.clear();
    filling_.clear();
  }
  stage_ = Stage::closed;
  changed_.notify_all();
}

void Reducer::wait(uint64_t timeout_ns) {
  const auto over = [&] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stage_ == Stage::idle || stage_ == Stage::done;
  };
  const auto sleep = [&](uint64_t ns) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (stage_ == Stage::open || stage_ == Stage::closed) {
      changed_.wait_for(lock, std::chrono::nanoseconds(ns));
    }
  };
  if (!wait_until(Deadline(timeout_ns), over, sleep, Signalled::at_once)) {
    fail(NETCL_ERROR_TIMEOUT, "the gradients of the run were not joined within %llu ms",
         static_cast<unsigned long long>(timeout_ns / 1000000));
  }
  std::vector<TensorRef> given;  // their end may call the host
  std::optional<Error> failure;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stage_ != Stage::done) return;  // another thread waited too, and was told
    join_thread();
    stage_ = Stage::idle;
    given.swap(given_);
    failure.swap(failure_);
  }
  if (failure) throw Error(*failure);
}

void* Reducer::enter(void* self) noexcept {
  static_cast<Reducer*>(self)->work();
  return nullptr;
}

void* Reducer::enter_skipped(void* self) noexcept {
  static_cast<Reducer*>(self)->refuse_skipped();
  return nullptr;
}

// Whatever ends a bucket on one rank without ending the group ends it on all, and with it the run.
// The end of a run is a call of its own: a rank with fewer buckets, or whose run failed behind its
// last one, meets the others there, and not in their next run.
void Reducer::work() noexcept {
  const uint64_t run = [&] {
    const std::lock_guard<std::mutex> lock(mutex_);
    return run_;
  }();
  uint64_t number = 0;
  bool together = true;
  for (Bucket bucket; take(&bucket); bucket = {}) {
    if (together) together = join(bucket, run, number++);
  }
  settle();
  if (together) end_together(run, number);
  refuse_skipped();
}

void Reducer::refuse_skipped() noexcept {
  std::unique_lock<std::mutex> lock(mutex_);
  for (; skipped_ > 0; --skipped_) {
    lock.unlock();
    group_->refuse(Op::reducer_run);
    lock.lock();
  }
  stage_ = Stage::done;
  changed_.notify_all();
}

// False at the end of the run.
bool Reducer::take(Bucket* bucket) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return !full_.empty() || stage_ != Stage::open; });
  if (full_.empty()) return false;
  *bucket = std::move(full_.front());
  full_.pop_front();
  return true;
}

void Reducer::await(const Tensor& gradient) const {
  QueueSet& queues = queue_->set();
  int32_t failed = 0;
  while (!queues.wait_for(reading(gradient), Deadline(kLookAgain), &failed)) {
    if (stopping_.load()) fail(NETCL_ERROR_CANCELLED, "the reducer was released");
  }
  queues.require_written(reading(gradient), failed);
}

void Reducer::await(const backend::EventRef& event) const {
  look_busily(device(), [&] { return event->state() <= NETCL_EVENT_COMPLETE || stopping_.load(); });
  while (!event->wait(Deadline(kLookAgain))) {
    if (stopping_.load()) fail(NETCL_ERROR_CANCELLED, "the reducer was released");
  }
  throw_if_failed(event);
}

// False when the ranks do not go on with the run.
bool Reducer::join(const Bucket& bucket, uint64_t run_number, uint64_t number) noexcept {
  const auto mark = [&] { return mark_of(run_number, number, bucket.gradients, bucket.kept); };
  bool passed = false;
  try {
    bucket.in_rooms() ? join_in_rooms(bucket, mark, &passed) : join_in_place(bucket, mark, &passed);
  } catch (...) {
    note(caught_error());
    return passed;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  ++facts_.buckets;
  facts_.bytes += bucket.bytes;
  if (bucket.in_rooms()) facts_.room_bytes += bucket.bytes;
  return true;
}

void Reducer::join_in_rooms(const Bucket& bucket, FunctionRef<uint64_t()> mark, bool* passed) {
  group_->agree(Op::reducer_bucket, 0, [&] {
    for (const GradientRooms::Kept& kept : bucket.kept) await(kept.event);
    for (const TensorRef& gradient : bucket.gradients) await(*gradient);
    Header header;
    header.dtype = bucket.gradients[0]->dtype();
    header.mark = mark();
    return header;
  });
  *passed = true;
  rooms_->join(bucket.kept, options_.kind, &join_events_);
}

void Reducer::join_in_place(const Bucket& bucket, FunctionRef<uint64_t()> mark, bool* passed) {
  const ops::Run run{*queue_, {}};
  std::optional<Joined> joined;
  Call call{Op::all_reduce};
  call.kind = options_.kind;
  const auto prepare = [&] {
    for (const TensorRef& gradient : bucket.gradients) await(*gradient);
    joined.emplace(bucket.gradients, run);
    call.mark = mark();
    call.input = call.output = joined->all();
    return run;
  };
  try {
    group_->call(&call, prepare);
  } catch (...) {
    *passed = call.passed;
    throw;
  }
  *passed = true;
  joined->give_back(run);
}

void Reducer::end_together(uint64_t run, uint64_t buckets) noexcept {
  if (run_failed_) {
    group_->refuse(Op::reducer_run);
    return;
  }
  try {
    group_->agree(Op::reducer_run, 0, [&] {
      Header header;
      header.mark = mark_of(run, buckets, {}, {});
      return header;
    });
    if (rooms_) group_->at_board([&](Exchange& call) { rooms_->grow(call); });
  } catch (...) {
    note(caught_error());
  }
}

// Until the gradients lie in their tensors.
void Reducer::settle() noexcept {
  const auto each = [&](FunctionRef<void()> step) {
    try {
      step();
    } catch (...) {
      note(caught_error());
    }
  };
  each([&] {
    while (!stopping_.load() && !queue_->finish(Deadline(kLookAgain))) {
    }
  });
  for (const backend::EventRef& event : std::exchange(join_events_, {})) {
    each([&] { await(event); });
  }
}

void Reducer::note(Error failure) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!failure_) failure_.emplace(std::move(failure));
}

}  // namespace netcl::group
