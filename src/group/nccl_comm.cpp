#include "group/nccl_comm.hpp"

#include <sched.h>
#include <time.h>

#include "core/error.hpp"
#include "core/wait.hpp"
#include "group/board.hpp"

namespace netcl::group {

namespace {

// For so long a wait gives its processor away before it sleeps: what a GPU does in a call.
constexpr uint64_t kAwakeFor = 20000000;
constexpr long kPollNap = 100000;
// Between two looks whether the others are there.
constexpr uint64_t kLookEvery = 2000000;

}  // namespace

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
    : members_(members), stream_(std::move(cuda)) {
  try {
    const share::CudaDevice::Current current(stream_.device());
    NcclConfig config;
    const int code = nccl_api().ncclCommInitRankConfig(&comm_, static_cast<int>(members.size()), id,
                                                       static_cast<int>(members.me()), &config);
    check(code, "ncclCommInitRankConfig");
  } catch (...) {
    abort();
    throw;
  }
}

void NcclComm::finish() {
  const share::CudaDevice::Current current(stream_.device());
  try {
    wait_until(Board::all_ranks(members_.size()),
               [&] { return settled("ncclCommInitRankConfig"); });
  } catch (...) {
    abort();
    throw;
  }
}

// All calls have ended on all ranks, or never will: nothing is left to be polite about.
NcclComm::~NcclComm() { abort(); }

// What is on the stream ends by this too, which frees memory that waits for it.
void NcclComm::abort() noexcept {
  if (comm_ == nullptr) return;
  try {
    const share::CudaDevice::Current current(stream_.device());
    (void)nccl_api().ncclCommAbort(comm_);
  } catch (...) {
    // The driver is gone.
  }
  comm_ = nullptr;
}

// False while NCCL still works on what was called.
bool NcclComm::settled(const char* call) const {
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

void NcclComm::wait_until(std::span<const uint32_t> ranks, FunctionRef<bool()> done) {
  const WaitScope scope;
  const Deadline deadline(members_.timeout_ns());
  const uint64_t begin = monotonic_ns();
  for (uint64_t looked = begin; !done();) {
    const uint64_t now = monotonic_ns();
    if (now - looked > kLookEvery) {
      looked = now;
      look_for(ranks);
      if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    }
    if (deadline.passed()) members_.lose_stalled();
    if (now - begin < kAwakeFor) {
      ::sched_yield();
    } else {
      const timespec nap{0, kPollNap};
      ::nanosleep(&nap, nullptr);
    }
  }
}

void NcclComm::run(std::span<const uint32_t> ranks, FunctionRef<void()> enqueue) {
  const share::CudaDevice::Current current(stream_.device());
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
    wait_until(ranks, [&] { return settled("a collective") && stream_.done(); });
  } catch (...) {
    abort();
    // What became of another rank says more than what NCCL makes of it.
    look_for(ranks);
    throw;
  }
}

}  // namespace netcl::group
