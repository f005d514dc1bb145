#include "group/mpi_comm.hpp"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "core/dynamic_library.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/immortal.hpp"
#include "core/room.hpp"
#include "group/board.hpp"

namespace netcl::group {

namespace {

// What a rank sent before it left has come by then.
constexpr uint64_t kGrace = 100000000;
// Between two looks of one who has waited for long.
constexpr long kPause = 50000;

// Communicators that nobody uses, in which something is still under way.
struct Departed {
  std::mutex mutex;
  std::vector<MpiComm*> comms;
};
Departed& departed() noexcept {
  static Immortal<Departed> g_departed;
  return *g_departed;
}

void pause_since(uint64_t begin) noexcept {
  if (monotonic_ns() - begin < kPolite) {
    ::sched_yield();
  } else {
    const timespec pause{0, kPause};
    ::nanosleep(&pause, nullptr);
  }
}

}  // namespace

void check_mpi(const netcl_mpi_table& mpi) {
  if (const char* const reason = mpi.unusable()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a group of MPI cannot be used: %s", reason);
  }
}

const netcl_mpi_table& open_mpi() {
  // MPI is not for the children of those who use it.
  static std::atomic<pid_t> g_user{0};
  pid_t none = 0;
  if (!g_user.compare_exchange_strong(none, ::getpid()) && none != ::getpid()) {
    fail(NETCL_ERROR_FORKED, "this process was forked off one that uses MPI");
  }
  std::vector<std::string> names{environment().mpi_library};
  if (names[0].empty()) {
    names[0] = format("libnetcl-mpi.so.%d", NETCL_ABI_VERSION);
    names.insert(names.begin(), own_folder() + "/" + names[0]);
  }
  std::string problems;
  for (const std::string& name : names) {
    // It stays open: opened again it is the same.
    const OpenedLibrary opened = open_library(name);
    const netcl_mpi_table* table = nullptr;
    if (opened.no_memory) throw std::bad_alloc();
    if (opened.handle == nullptr) {
      problems += (problems.empty() ? "" : "; ") + opened.problem;
    } else if (!find_symbol(opened.handle, NETCL_MPI_TABLE_NAME, &table)) {
      problems = opened.path + " is no libnetcl-mpi";
    } else if (table->version != NETCL_MPI_TABLE_VERSION) {
      problems = format("%s is of version %u; this netcl needs %u", opened.path.c_str(),
                        table->version, NETCL_MPI_TABLE_VERSION);
    } else {
      return *table;
    }
    if (opened.handle != nullptr) break;
  }
  fail(NETCL_ERROR_UNSUPPORTED, "there is no way to MPI: %s. NETCL_MPI_LIBRARY can name the file",
       problems.c_str());
}

std::shared_ptr<MpiComm> MpiComm::open(const netcl_mpi_table& mpi, int64_t communicator,
                                       uint64_t timeout_ns) {
  {
    Departed& left = departed();
    const std::lock_guard<std::mutex> lock(left.mutex);
    std::erase_if(left.comms, [](MpiComm* comm) {
      const bool over = comm->over();
      if (over) delete comm;
      return over;
    });
  }
  std::shared_ptr<MpiComm> made(new MpiComm(mpi), &MpiComm::leave);
  char text[NETCL_MPI_TEXT] = "";
  {
    Transfer copy(made, 0, 1);
    const bool world = communicator == NETCL_MPI_WORLD;
    if (mpi.open(world, static_cast<int32_t>(communicator), &made->comm_, copy.add(0), text) != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "communicator is %lld: %s",
           static_cast<long long>(communicator), text);
    }
    copy.finish(Deadline(timeout_ns), "some process of the communicator", timeout_ns);
  }
  int tag_max = 0;
  if (mpi.facts(made->comm_, &made->rank_, &made->size_, &tag_max, text) != 0) {
    fail(NETCL_ERROR_IO, "MPI does not tell of a communicator: %s", text);
  }
  made->numbers_ = (static_cast<uint32_t>(tag_max) + 1) / 3;
  return made;
}

MpiComm::~MpiComm() {
  if (comm_ != nullptr) mpi_.close(comm_);
}

// Whether it can be closed.
bool MpiComm::over() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (mpi_.unusable() != nullptr) return false;
  forget_ended();
  return kept_.empty() && !spoilt_;
}

void MpiComm::forget_ended() noexcept {
  char text[NETCL_MPI_TEXT];
  std::erase_if(kept_, [&](UnderWay& left) {
    std::erase_if(left.messages, [&](UnderWay::One& one) {
      if (one.request != 0 && mpi_.test(&one.request, text) != 0) spoil();
      return one.request == 0;
    });
    if (!left.messages.empty()) return false;
    if (left.notice && static_cast<const Notice*>(left.memory.get())->loss != 0) spoil();
    return true;
  });
}

void MpiComm::leave(MpiComm* comm) noexcept {
  if (comm->over()) {
    delete comm;
    return;
  }
  Departed& left = departed();
  const std::lock_guard<std::mutex> lock(left.mutex);
  try {
    make_room(&left.comms);
    left.comms.push_back(comm);
  } catch (...) {
    // MPI has it until the process ends.
  }
}

void MpiComm::keep(UnderWay left) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  try {
    make_room(&kept_);
  } catch (...) {
    (void)left.memory.release();
    return;
  }
  kept_.push_back(std::move(left));
  if (kept_.size() < many_ || mpi_.unusable() != nullptr) return;
  forget_ended();
  many_ = 2 * kept_.size() + 16;
}

uint32_t MpiComm::draw_number() {
  const uint64_t number = uint64_t{size_} * (drawn_.fetch_add(1) + 1) + rank_;
  if (number >= numbers_) {
    fail(NETCL_ERROR_UNSUPPORTED, "MPI has no more tags: %u parts of its group were made",
         drawn_.load() - 1);
  }
  return static_cast<uint32_t>(number);
}

Transfer::Transfer(std::shared_ptr<MpiComm> comm, size_t bytes, size_t messages)
    : comm_(std::move(comm)) {
  under_way_.memory = allocate_host(std::max<size_t>(bytes, 1));
  if (under_way_.memory == nullptr) throw std::bad_alloc();
  under_way_.messages.reserve(messages);
}

Transfer::Transfer(std::shared_ptr<MpiComm> comm, uint32_t from, uint32_t rank, int tag)
    : Transfer(std::move(comm), sizeof(Notice), 1) {
  under_way_.notice = true;
  receive(memory(), sizeof(Notice), from, rank, tag);
}

Transfer::~Transfer() {
  if (awaited_ || failed_) comm_->spoil();
  if (!under_way_.notice && comm_->mpi().unusable() == nullptr && done()) return;
  under_way_.messages.erase(under_way_.messages.begin(),
                            under_way_.messages.begin() + static_cast<ptrdiff_t>(first_));
  comm_->keep(std::move(under_way_));
}

netcl_mpi_request* Transfer::add(uint32_t rank) noexcept {
  under_way_.messages.push_back({0, rank});
  return &under_way_.messages.back().request;
}

void Transfer::send(const void* bytes, size_t count, uint32_t to, uint32_t rank, int tag) noexcept {
  failed_ |= comm_->mpi().send(comm_->get(), bytes, count, to, tag, add(rank), text_) != 0;
}

void Transfer::receive(void* bytes, size_t count, uint32_t from, uint32_t rank, int tag) noexcept {
  failed_ |= comm_->mpi().receive(comm_->get(), bytes, count, from, tag, add(rank), text_) != 0;
}

void Transfer::gather(const void* in, void* out, size_t bytes) noexcept {
  failed_ |= comm_->mpi().gather(comm_->get(), in, out, bytes, add(0), text_) != 0;
}

// In their order: a look at one lets MPI go on with all.
bool Transfer::done() noexcept {
  if (!all_ended()) return false;
  under_way_.messages.clear();
  first_ = 0;
  awaited_ = false;
  return true;
}

bool Transfer::all_ended() noexcept {
  std::vector<UnderWay::One>& messages = under_way_.messages;
  while (!failed_ && first_ < messages.size()) {
    netcl_mpi_request& request = messages[first_].request;
    if (request != 0) failed_ = comm_->mpi().test(&request, text_) != 0;
    if (request != 0 || failed_) return false;
    ++first_;
  }
  return !failed_;
}

// A rank that left while a message of its own is under way. The one that is waited for may itself
// wait, in another group, for one that left, so all are looked at.
std::optional<uint32_t> Transfer::find_gone(const Members& members) noexcept {
  for (size_t i = first_; i < under_way_.messages.size() && !failed_; ++i) {
    auto& [request, rank] = under_way_.messages[i];
    if (request == 0 || !members.released(rank)) continue;
    failed_ = comm_->mpi().test(&request, text_) != 0;
    if (request != 0 || failed_) return rank;
  }
  return std::nullopt;
}

void Transfer::finish(Members& members) {
  const uint64_t begin = monotonic_ns();
  const Deadline deadline = members.deadline();
  awaited_ = true;
  // A look may give the processor away, and so take long.
  for (int i = 0; i < kLooks && monotonic_ns() - begin < kPolite; ++i) {
    if (done()) return;
  }
  const WaitScope scope;
  for (uint64_t left = 0;;) {
    const bool late = deadline.passed();
    members.hear();
    if (done()) return;
    members.check();
    const uint32_t rank = under_way_.messages[first_].rank;
    const std::optional<uint32_t> gone = find_gone(members);
    if (!gone) left = 0;
    if (gone && left == 0) left = monotonic_ns();
    if (failed_ || (gone && monotonic_ns() - left > kGrace)) {
      members.lose_gone(gone.value_or(rank));
    }
    if (late) members.lose_late(rank);
    if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    pause_since(begin);
  }
}

void Transfer::finish(const Deadline& deadline, const char* missing, uint64_t timeout_ns) {
  const WaitScope scope;
  const uint64_t begin = monotonic_ns();
  awaited_ = true;
  while (!done()) {
    if (failed_) fail(NETCL_ERROR_RANK_LOST, "MPI cannot make the group: %s", text_);
    if (deadline.passed()) {
      fail(NETCL_ERROR_TIMEOUT, "%s did not come to the group within %llu ms", missing,
           static_cast<unsigned long long>(timeout_ns / 1000000));
    }
    if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    pause_since(begin);
  }
}

}  // namespace netcl::group
