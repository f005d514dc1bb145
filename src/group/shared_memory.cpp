#include "group/shared_memory.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/wait.hpp"
#include "core/write_signals.hpp"

namespace netcl::group {

namespace {

// Pieces that stay in the caches of a core while two ranks pass them on.
constexpr size_t kHalfBytes = size_t{256} << 10;
constexpr size_t kPairHalfBytes = size_t{128} << 10;
constexpr size_t kFrontBytes = 4096;
static_assert(sizeof(Segment::Shared) <= kFrontBytes);
static_assert(std::atomic<uint32_t>::is_always_lock_free &&
              std::atomic<uint64_t>::is_always_lock_free);

constexpr int kEagerLooks = 100;  // without a pause between them
// A rank sleeps so long before it asks what became of the others.
constexpr long kNap = 2000000;

size_t pairs_before(uint32_t low, uint32_t high) noexcept {
  return size_t{high} * (high - 1) / 2 + low;
}

size_t segment_bytes(uint32_t size) noexcept {
  return kFrontBytes + Board::bytes(size, kHalfBytes) +
         pairs_before(0, size) * Board::bytes(2, kPairHalfBytes);
}

void look_again() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

[[noreturn]] void fail_memory(const char* what, int error) {
  fail(error == ENOMEM ? NETCL_ERROR_OUT_OF_HOST_MEMORY : NETCL_ERROR_IO,
       "cannot %s the memory of a group: %s", what, errno_text(error).c_str());
}

}  // namespace

Segment::Segment(uint32_t size, Descriptor* descriptor) : size_(size), bytes_(segment_bytes(size)) {
  descriptor->reset(::memfd_create("netcl-group", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (descriptor->get() < 0) fail_memory("create", errno);
  {
    const NoWriteSignals quiet;
    if (::ftruncate(descriptor->get(), static_cast<off_t>(bytes_)) != 0) fail_memory("size", errno);
  }
  // Nobody can take away what the others have mapped.
  if (::fcntl(descriptor->get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail_memory("seal", errno);
  }
  map(descriptor->get());
  if (::getentropy(&shared().front.name, sizeof shared().front.name) != 0)
    fail_memory("name", errno);
}

Segment::Segment(uint32_t size, int descriptor) : size_(size), bytes_(segment_bytes(size)) {
  struct stat facts;
  if (::fstat(descriptor, &facts) != 0) fail_memory("look at", errno);
  if (facts.st_size != static_cast<off_t>(bytes_)) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "the memory of the group has %lld bytes; this version of netcl uses %zu for %u ranks",
         static_cast<long long>(facts.st_size), bytes_, size_);
  }
  map(descriptor);
}

void Segment::map(int descriptor) {
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) fail_memory("map", errno);
  memory_ = static_cast<unsigned char*>(memory);
  uint64_t own[kProcessorWords] = {};
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (size_t i = 0; i < std::min<size_t>(CPU_SETSIZE, kProcessorWords * 64); ++i) {
    if (CPU_ISSET(i, &set)) own[i / 64] |= uint64_t{1} << (i % 64);
  }
  for (size_t i = 0; i < kProcessorWords; ++i) shared().processors[i].fetch_or(own[i]);
}

Segment::~Segment() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

unsigned char* Segment::board() const noexcept { return memory_ + kFrontBytes; }

unsigned char* Segment::pair_board(uint32_t low, uint32_t high) const noexcept {
  return board() + Board::bytes(size_, kHalfBytes) +
         pairs_before(low, high) * Board::bytes(2, kPairHalfBytes);
}

SharedBoard::SharedBoard(Members& members, unsigned char* memory, size_t half_bytes,
                         std::vector<uint32_t> ranks, const Segment& segment)
    : Board(members, memory, half_bytes, std::move(ranks)), segment_(segment) {
  step_ = seats_[me()].step.load(std::memory_order_relaxed);
}

void SharedBoard::meet() {
  Seat& own = seats_[me()];
  own.step.store(++step_, std::memory_order_seq_cst);
  if (own.sleepers.load(std::memory_order_seq_cst) != 0) {
    ::syscall(SYS_futex, &own.step, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
  }
  for (uint32_t seat = 0; seat < size(); ++seat) {
    if (!arrived(seat)) await(seat);
  }
  if (!judged_) judge_room();
}

// Each rank may be bound to processors of its own, as mpirun does it; when they have met, those of
// all are known.
void SharedBoard::judge_room() noexcept {
  uint32_t count = 0;
  for (const auto& word : segment_.shared().processors) {
    count += static_cast<uint32_t>(std::popcount(word.load(std::memory_order_relaxed)));
  }
  crowded_ = size() > count;
  judged_ = true;
}

void SharedBoard::sleep(uint32_t seat) noexcept {
  Seat& other = seats_[seat];
  other.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const uint32_t at = other.step.load(std::memory_order_seq_cst);
  if (static_cast<int32_t>(at - step_) < 0) {
    const timespec nap{0, kNap};
    ::syscall(SYS_futex, &other.step, FUTEX_WAIT, at, &nap, nullptr, 0);
  }
  other.sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

// A rank that left before it arrived here. The one that is waited for may itself wait, in another
// group, for one that is gone, so all are looked at. What became of a rank is asked before its seat
// is looked at once more: it may have arrived and gone since.
std::optional<uint32_t> SharedBoard::find_gone(bool ask_mesh) const noexcept {
  std::optional<uint32_t> gone;
  for (uint32_t seat = 0; seat < size() && !gone; ++seat) {
    if (seat != me() && members_.released(ranks()[seat]) && !arrived(seat)) gone = ranks()[seat];
  }
  // One that died may be why others leave.
  for (uint32_t seat = 0; seat < size() && (ask_mesh || gone); ++seat) {
    const uint32_t rank = ranks()[seat];
    if (seat == me() || members_.released(rank)) continue;
    if (members_.link().closed(rank) && !arrived(seat)) return rank;
  }
  return gone;
}

void SharedBoard::await(uint32_t seat) {
  const uint32_t rank = ranks()[seat];
  if (!crowded_) {
    for (int i = 0; i < kLooks; ++i) {
      if (arrived(seat)) return;
      if (i >= kEagerLooks) look_again();
    }
  }
  const WaitScope scope;
  const Deadline deadline = members_.deadline();
  const uint64_t begin = monotonic_ns();
  for (bool slept = false;;) {
    const bool late = deadline.passed();
    if (arrived(seat)) return;
    const std::optional<uint32_t> gone = find_gone(slept);
    if (arrived(seat)) return;
    members_.check();
    if (gone) members_.lose_gone(*gone);
    if (late) members_.lose_late(rank);
    if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    slept = monotonic_ns() - begin > kPolite;
    if (slept) {
      sleep(seat);
    } else {
      ::sched_yield();
    }
  }
}

std::unique_ptr<Board> SharedLink::board_of_all(Members& members) {
  return std::make_unique<SharedBoard>(members, segment_->board(), kHalfBytes,
                                       Board::all_ranks(members.size()), *segment_);
}

std::unique_ptr<Board> SharedLink::board_of_pair(Members& members, uint32_t peer) {
  const uint32_t low = std::min(members.me(), peer);
  const uint32_t high = std::max(members.me(), peer);
  return std::make_unique<SharedBoard>(members, segment_->pair_board(low, high), kPairHalfBytes,
                                       std::vector<uint32_t>{low, high}, *segment_);
}

// One that is gone is found out by the next call of the group.
void SharedLink::give(uint32_t rank, uint64_t number, std::span<const unsigned char> bytes,
                      std::span<const int> fds) {
  (void)mesh_->send(mesh_ranks_[rank], {front().name, number}, bytes, fds);
}

Message SharedLink::take(Members& members, uint32_t rank, uint64_t number) {
  constexpr uint64_t kLookNs = 20000000;
  const MeshName name{front().name, number};
  Message message;
  // One that died may be why another left, or waits.
  const auto look_for_dead = [&] {
    for (uint32_t other = 0; other < members.size(); ++other) {
      if (other != members.me() && !members.released(other) && closed(other)) {
        members.lose_gone(other);
      }
    }
  };
  for (const Deadline deadline(members.timeout_ns());;) {
    const bool late = deadline.passed();
    switch (mesh_->receive(mesh_ranks_[rank], name, Deadline(std::min(kLookNs, deadline.left())),
                           &message)) {
      case Received::closed:
        look_for_dead();
        members.lose_gone(rank);
      case Received::message:
        return message;
      case Received::late:
        // A rank that failed gives nothing.
        members.check();
        look_for_dead();
        if (late) members.lose_late(rank);
    }
  }
}

// The first rank of a colour makes the memory and hands it to the others.
std::shared_ptr<Segment> SharedLink::part_segment(Members& members, std::span<const uint32_t> ranks,
                                                  uint64_t number) {
  const auto size = static_cast<uint32_t>(ranks.size());
  if (ranks[0] != members.me()) {
    const Message message = take(members, ranks[0], number);
    require_uncut(message);
    if (message.fds.size() != 1) {
      fail(NETCL_ERROR_IO, "rank %u could not make the memory of a part", ranks[0]);
    }
    return std::make_shared<Segment>(size, message.fds[0]->get());
  }
  Descriptor memory(-1);
  const auto hand_out = [&](std::span<const int> fds) {
    for (const uint32_t rank : ranks.subspan(1)) give(rank, number, {}, fds);
  };
  try {
    auto segment = std::make_shared<Segment>(size, &memory);
    const int fd = memory.get();
    hand_out({&fd, 1});
    return segment;
  } catch (...) {
    hand_out({});
    throw;
  }
}

std::shared_ptr<Link> SharedLink::part(Members& members, std::span<const uint32_t> ranks,
                                       uint64_t number) {
  std::vector<uint32_t> mesh_ranks;
  for (const uint32_t rank : ranks) mesh_ranks.push_back(mesh_ranks_[rank]);
  return std::make_shared<SharedLink>(part_segment(members, ranks, number), mesh_,
                                      std::move(mesh_ranks));
}

}  // namespace netcl::group
