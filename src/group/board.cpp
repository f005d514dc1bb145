#include "group/board.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "backend/cpu/thread_pool.hpp"
#include "core/file.hpp"
#include "core/wait.hpp"
#include "core/write_signals.hpp"

namespace netcl::group {

namespace {

// Pieces that stay in the caches of a core while two ranks pass them on.
constexpr size_t kHalfBytes = size_t{256} << 10;
constexpr size_t kPairHalfBytes = size_t{128} << 10;
constexpr size_t kFrontBytes = 4096;
static_assert(sizeof(Segment::Front) <= kFrontBytes);
static_assert(std::atomic<uint32_t>::is_always_lock_free &&
              std::atomic<uint64_t>::is_always_lock_free);

// A wait looks so often before it gives its processor away, does that for so long before it sleeps,
// and sleeps so long before it asks what became of the others.
constexpr int kLooks = 2000;
constexpr int kEagerLooks = 100;  // without a pause between them
constexpr uint64_t kPolite = 200000;
constexpr long kNap = 2000000;

size_t page_round(size_t bytes) noexcept { return (bytes + 4095) / 4096 * 4096; }

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
  if (::getentropy(&front().name, sizeof front().name) != 0) fail_memory("name", errno);
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
}

Segment::~Segment() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

unsigned char* Segment::board() const noexcept { return memory_ + kFrontBytes; }

unsigned char* Segment::pair_board(uint32_t low, uint32_t high) const noexcept {
  return board() + Board::bytes(size_, kHalfBytes) +
         pairs_before(low, high) * Board::bytes(2, kPairHalfBytes);
}

Members::Members(std::shared_ptr<Segment> segment, std::shared_ptr<Mesh> mesh,
                 std::vector<uint32_t> mesh_ranks, uint32_t me, uint64_t timeout_ns)
    : segment_(std::move(segment)),
      mesh_(std::move(mesh)),
      mesh_ranks_(std::move(mesh_ranks)),
      me_(me),
      timeout_ns_(timeout_ns) {}

Members::~Members() { segment_->front().released[me_].store(1, std::memory_order_seq_cst); }

// A loss is one word: how, who, and after how many milliseconds.
void Members::lose(Loss loss, uint32_t rank) noexcept {
  uint64_t none = 0;
  const uint64_t ms = std::min<uint64_t>(timeout_ns_ / 1000000, (uint64_t{1} << 48) - 1);
  const uint64_t word = static_cast<uint64_t>(loss) | uint64_t{rank} << 8 | ms << 16;
  segment_->front().loss.compare_exchange_strong(none, word);
}

netcl_status Members::loss(std::string* message) const {
  const uint64_t word = segment_->front().loss.load(std::memory_order_acquire);
  if (word == 0) return NETCL_OK;
  const auto rank = static_cast<unsigned>(word >> 8 & 0xff);
  switch (static_cast<Loss>(word & 0xff)) {
    case Loss::late:
      *message = format("the group is unusable: rank %u did not come within %llu ms", rank,
                        static_cast<unsigned long long>(word >> 16));
      return NETCL_ERROR_TIMEOUT;
    case Loss::released:
      *message = format("the group is unusable: rank %u was released", rank);
      break;
    case Loss::gave_up:
      *message = format("the group is unusable: rank %u failed within a call", rank);
      break;
    default:
      *message = format("the group is unusable: rank %u died", rank);
  }
  return NETCL_ERROR_RANK_LOST;
}

void Members::check() const {
  if (segment_->front().loss.load(std::memory_order_relaxed) == 0) return;
  std::string message;
  const netcl_status status = loss(&message);
  fail(status, std::move(message));
}

bool Members::gone(uint32_t rank, bool thoroughly) const noexcept {
  if (segment_->front().released[rank].load(std::memory_order_seq_cst) != 0) return true;
  return thoroughly && mesh_->closed(mesh_ranks_[rank]);
}

void Members::lose_gone(uint32_t rank) {
  const bool released = segment_->front().released[rank].load(std::memory_order_seq_cst) != 0;
  lose(released ? Loss::released : Loss::died, rank);
  check();
  fail(NETCL_ERROR_INTERNAL, "a group lost a rank and does not know it");
}

void Members::lose_late(uint32_t rank) {
  lose(Loss::late, rank);
  check();
  fail(NETCL_ERROR_INTERNAL, "a group lost a rank and does not know it");
}

void Members::give_up() noexcept { lose(Loss::gave_up, me_); }

Board::Board(Members& members, unsigned char* memory, size_t half_bytes,
             std::vector<uint32_t> ranks)
    : members_(members),
      seats_(reinterpret_cast<Seat*>(memory)),
      halves_(memory + page_round(ranks.size() * sizeof(Seat))),
      half_bytes_(half_bytes),
      ranks_(std::move(ranks)),
      crowded_(ranks_.size() > netcl::cpu::available_threads()) {
  me_ =
      static_cast<uint32_t>(std::find(ranks_.begin(), ranks_.end(), members.me()) - ranks_.begin());
  step_ = seats_[me_].step.load(std::memory_order_relaxed);
}

size_t Board::bytes(uint32_t size, size_t half_bytes) noexcept {
  return page_round(size * sizeof(Seat)) + size_t{2} * size * half_bytes;
}

Board Board::of_all(Members& members) {
  std::vector<uint32_t> ranks(members.size());
  for (uint32_t r = 0; r < members.size(); ++r) ranks[r] = r;
  return {members, members.segment().board(), kHalfBytes, std::move(ranks)};
}

Board Board::of_pair(Members& members, uint32_t peer) {
  const uint32_t low = std::min(members.me(), peer);
  const uint32_t high = std::max(members.me(), peer);
  return {members, members.segment().pair_board(low, high), kPairHalfBytes, {low, high}};
}

void Board::meet() {
  Seat& own = seats_[me_];
  own.step.store(++step_, std::memory_order_seq_cst);
  if (own.sleepers.load(std::memory_order_seq_cst) != 0) {
    ::syscall(SYS_futex, &own.step, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
  }
  for (uint32_t seat = 0; seat < size(); ++seat) {
    if (!arrived(seat)) await(seat);
  }
}

void Board::sleep(uint32_t seat) noexcept {
  Seat& other = seats_[seat];
  other.sleepers.fetch_add(1, std::memory_order_seq_cst);
  const uint32_t at = other.step.load(std::memory_order_seq_cst);
  if (static_cast<int32_t>(at - step_) < 0) {
    const timespec nap{0, kNap};
    ::syscall(SYS_futex, &other.step, FUTEX_WAIT, at, &nap, nullptr, 0);
  }
  other.sleepers.fetch_sub(1, std::memory_order_seq_cst);
}

// What became of the other is asked before its seat is looked at once more: it may have arrived and
// gone since.
void Board::await(uint32_t seat) {
  const uint32_t rank = ranks_[seat];
  if (!crowded_) {
    for (int i = 0; i < kLooks; ++i) {
      if (arrived(seat)) return;
      if (i >= kEagerLooks) look_again();
    }
  }
  const WaitScope scope;
  const Deadline deadline(members_.timeout_ns());
  const uint64_t begin = monotonic_ns();
  for (bool slept = false;;) {
    const bool late = deadline.passed();
    const bool gone = members_.gone(rank, slept);
    if (arrived(seat)) return;
    members_.check();
    if (gone) members_.lose_gone(rank);
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

}  // namespace netcl::group
