#include "group/nccl_comm.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/immortal.hpp"
#include "core/log.hpp"
#include "core/wait.hpp"
#include "group/board.hpp"

namespace netcl::group {

namespace {

// For so long a wait gives its processor away before it sleeps: what a GPU does in a call.
constexpr uint64_t kAwakeFor = 20000000;
constexpr long kPollNap = 100000;
// Between two looks whether the others are there.
constexpr uint64_t kLookEvery = 2000000;
// So long at most what is on a stream may take to end when its communicator is aborted.
constexpr uint64_t kDrainMost = 10000000000;

void nap_politely(uint64_t since) {
  if (monotonic_ns() - since < kAwakeFor) {
    ::sched_yield();
  } else {
    const timespec nap{0, kPollNap};
    ::nanosleep(&nap, nullptr);
  }
}

}  // namespace

// A stream that comes to no end, and memory that it may write for as long as there is the process.
struct NcclComm::Remains {
  explicit Remains(share::CudaDeviceRef cuda) : stream(std::move(cuda)) {}
  static void keep(std::unique_ptr<Remains> one) noexcept;

  share::CudaStream stream;
  std::array<TensorRef, kNcclUsedMost> used;
  std::unique_ptr<Remains> next;
};

void NcclComm::Remains::keep(std::unique_ptr<Remains> one) noexcept {
  struct All {
    std::mutex mutex;
    std::unique_ptr<Remains> first;
  };
  static Immortal<All> g_all;
  const std::lock_guard<std::mutex> lock((*g_all).mutex);
  one->next = std::move((*g_all).first);
  (*g_all).first = std::move(one);
}

share::CudaStream& NcclComm::stream() noexcept { return remains_->stream; }

void NcclComm::check(int code, const char* call) {
  if (code == 0 || code == kNcclInProgress) return;
  fail(NETCL_ERROR_LAUNCH_FAILURE, nccl_failure(nccl_api(), call, code));
}

NcclId NcclComm::new_id() {
  NcclId id;
  check(nccl_api().ncclGetUniqueId(&id), "ncclGetUniqueId");
  return id;
}

NcclComm::NcclComm(Members& members, share::CudaDeviceRef cuda, const NcclId& id)
    : members_(members), remains_(std::make_unique<Remains>(std::move(cuda))) {
  try {
    const share::CudaDevice::Current current(stream().device());
    NcclConfig config;
    const int code = nccl_api().ncclCommInitRankConfig(&comm_, static_cast<int>(members.size()), id,
                                                       static_cast<int>(members.me()), &config);
    check(code, "ncclCommInitRankConfig");
  } catch (...) {
    abort();
    throw;
  }
}

bool NcclComm::ready() {
  const share::CudaDevice::Current current(stream().device());
  if (members_.link().front().no_nccl.load() != 0) {
    fail(NETCL_ERROR_LAUNCH_FAILURE, "another rank has no communicator");
  }
  return settled("ncclCommInitRankConfig");
}

void NcclComm::finish() {
  NcclComm* const own = this;
  size_t at = 0;
  try {
    wait_for({&own, 1}, Board::all_ranks(members_.size()), &at);
  } catch (...) {
    abort();
    throw;
  }
}

void NcclComm::finish_all(std::span<NcclComm* const> comms, size_t* at) {
  comms[0]->wait_for(comms, {}, at);
}

void NcclComm::wait_for(std::span<NcclComm* const> comms, std::span<const uint32_t> ranks,
                        size_t* at) {
  const uint64_t time = members_.timeout_ns() / 2;
  const auto done = [&] {
    size_t there = 0;
    for (*at = 0; *at < comms.size(); ++*at) there += comms[*at]->ready() ? 1 : 0;
    *at = 0;
    return there == comms.size();
  };
  wait_until(ranks, time, done, [&] {
    fail(NETCL_ERROR_TIMEOUT, "ncclCommInitRankConfig did not come to an end within %llu ms",
         static_cast<unsigned long long>(time / 1000000));
  });
}

// All calls have ended on all ranks, or never will: nothing is left to be polite about.
NcclComm::~NcclComm() { abort(); }

// What is on the stream ends by this too, see drained().
void NcclComm::abort() noexcept {
  if (comm_ == nullptr) return;
  try {
    const share::CudaDevice::Current current(stream().device());
    (void)nccl_api().ncclCommAbort(comm_);
  } catch (...) {
    // The driver is gone.
  }
  comm_ = nullptr;
}

// Waits until nothing on the stream uses memory any more; false where that takes too long.
bool NcclComm::drained() noexcept {
  const Deadline deadline(std::min(members_.timeout_ns(), kDrainMost));
  try {
    for (const uint64_t begin = monotonic_ns(); !stream().done(); nap_politely(begin)) {
      if (deadline.passed()) return false;
    }
  } catch (...) {
    // It has failed, which is an end too.
  }
  return true;
}

// False while NCCL still works on what was called.
bool NcclComm::settled(const char* call) {
  int state = 0;
  check(nccl_api().ncclCommGetAsyncError(comm_, &state), "ncclCommGetAsyncError");
  check(state, call);
  return state != kNcclInProgress;
}

// Throws where one of the ranks is gone, or has told of a loss.
void NcclComm::look_for(std::span<const uint32_t> ranks) {
  members_.hear();
  members_.check();
  for (const uint32_t rank : ranks) {
    if (rank == members_.me()) continue;
    if (members_.released(rank) || members_.link().closed(rank)) members_.lose_gone(rank);
  }
}

void NcclComm::wait_until(std::span<const uint32_t> ranks, uint64_t timeout_ns,
                          FunctionRef<bool()> done, FunctionRef<void()> late) {
  const WaitScope scope;
  const Deadline deadline(timeout_ns);
  const uint64_t begin = monotonic_ns();
  for (uint64_t looked = begin; !done();) {
    const uint64_t now = monotonic_ns();
    if (now - looked > kLookEvery) {
      looked = now;
      look_for(ranks);
      if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    }
    if (deadline.passed()) late();
    nap_politely(begin);
  }
}

void NcclComm::run(std::span<const uint32_t> ranks, std::span<const TensorRef> used,
                   FunctionRef<void()> enqueue) {
  const share::CudaDevice::Current current(stream().device());
  const NcclApi& api = nccl_api();
  try {
    check(api.ncclGroupStart(), "ncclGroupStart");
    try {
      enqueue();
    } catch (...) {
      (void)api.ncclGroupEnd();
      throw;
    }
    check(api.ncclGroupEnd(), "ncclGroupEnd");
    wait_until(
        ranks, members_.timeout_ns(), [&] { return settled("a collective") && stream().done(); },
        [&] { members_.lose_stalled(); });
  } catch (...) {
    abort();
    if (!drained()) {
      // Who destroys a stream waits for it.
      std::copy(used.begin(), used.end(), remains_->used.begin());
      Remains::keep(std::move(remains_));
      log_message(NETCL_LOG_ERROR,
                  "group: what NCCL began on a GPU does not end; its memory is never freed");
    }
    // What became of another rank says more than what NCCL makes of it.
    look_for(ranks);
    throw;
  }
}

}  // namespace netcl::group
