#include "group/mpi_meeting.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/hash.hpp"
#include "core/wait.hpp"
#include "group/mpi_link.hpp"
#include "group/rendezvous.hpp"

namespace netcl::group {

namespace {

// Changes with whatever the ranks send each other.
constexpr uint32_t kMpiVersion = 2;
constexpr size_t kFolderBytes = 64;

// What each rank tells all.
struct Arrival {
  uint32_t version = kMpiVersion;
  netcl_group_transport wanted = 0;
  Hash128 host;
  netcl_device_info device = NETCL_DEVICE_INFO_INIT;
};

// Equal for processes that find each other's files and are one user's.
Hash128 host_of_process() {
  struct {
    char boot[64];
    uint64_t device, mounts, user;
  } host{};
  struct stat space {};
  const Descriptor boot(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  if (boot.get() < 0 || ::read(boot.get(), host.boot, sizeof host.boot) <= 0 ||
      ::stat("/proc/self/ns/mnt", &space) != 0) {
    // Without a name of its own it is no other's host.
    if (::getentropy(host.boot, sizeof host.boot) != 0) host.user = monotonic_ns();
    return hash128(&host, sizeof host);
  }
  host.device = space.st_dev;
  host.mounts = space.st_ino;
  host.user = ::geteuid();
  return hash128(&host, sizeof host);
}

// A folder for rank 0's socket, while the ranks meet there.
class MeetingFolder {
 public:
  MeetingFolder() {
    if (::mkdtemp(path_) == nullptr) {
      problem_ = "cannot make " + std::string(path_) + ": " + errno_text(errno);
      path_[0] = '\0';
    }
  }
  ~MeetingFolder() {
    if (path_[0] != '\0') ::rmdir(path_);
  }
  // For a rank 0 that has ended, or may have.
  static void clear(const std::string& folder, const std::string& place) noexcept {
    ::unlink(place.c_str());
    ::rmdir(folder.c_str());
  }
  MeetingFolder(const MeetingFolder&) = delete;
  MeetingFolder& operator=(const MeetingFolder&) = delete;
  const char* path() const noexcept { return path_; }  // "" where there is none
  const std::string& problem() const noexcept { return problem_; }

 private:
  char path_[kFolderBytes] = "/tmp/netcl-group-XXXXXX";
  std::string problem_;
};

class MpiRank {
 public:
  MpiRank(std::shared_ptr<MpiComm> comm, uint64_t timeout_ns)
      : comm_(std::move(comm)), timeout_ns_(timeout_ns) {}

  // Everybody's `bytes` at `own`.
  std::vector<unsigned char> gather(const void* own, size_t bytes) {
    const size_t all = comm_->size() * bytes;
    Transfer transfer(comm_, all + bytes, 1);
    std::memcpy(transfer.memory() + all, own, bytes);
    transfer.gather(transfer.memory() + all, transfer.memory(), bytes);
    transfer.finish(Deadline(timeout_ns_), "some process of the communicator", timeout_ns_);
    return {transfer.memory(), transfer.memory() + all};
  }

  // Tells what this rank is, and checks what the others are: whether all share a host.
  bool share_host(netcl_group_transport wanted, const netcl_device_info& device) {
    Arrival own;
    own.wanted = wanted;
    own.host = host_of_process();
    own.device = device;
    const std::vector<unsigned char> all = gather(&own, sizeof own);
    bool shared = true;
    Arrival first;
    for (uint32_t r = 0; r < comm_->size(); ++r) {
      Arrival other;
      std::memcpy(&other, all.data() + r * sizeof other, sizeof other);
      if (r == 0) first = other;
      if (other.version != kMpiVersion) {
        fail(NETCL_ERROR_UNSUPPORTED, "rank %u has another version of netcl", r);
      }
      if (other.wanted != first.wanted) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "options->transport is %d on rank %u, %d on rank 0",
             other.wanted, r, first.wanted);
      }
      const bool here = other.host.low == first.host.low && other.host.high == first.host.high;
      if (!here && wanted == NETCL_GROUP_TRANSPORT_SHARED_MEMORY) {
        fail(NETCL_ERROR_UNSUPPORTED,
             "options->transport is SHARED_MEMORY; rank %u is on another host than rank 0", r);
      }
      shared = shared && here;
      devices_.push_back(other.device);
    }
    return shared;
  }

  std::shared_ptr<Link> link_in_memory(const netcl_device_info& device) {
    std::optional<MeetingFolder> folder;
    if (comm_->rank() == 0) folder.emplace();
    char own[kFolderBytes] = "";
    if (folder.has_value()) std::memcpy(own, folder->path(), sizeof own);
    std::vector<unsigned char> all = gather(own, sizeof own);
    if (all[0] == 0) {
      fail(NETCL_ERROR_IO, "rank 0 has no folder to meet in%s%s", folder ? ": it " : "",
           folder ? folder->problem().c_str() : "");
    }
    all[kFolderBytes - 1] = 0;
    const std::string path(reinterpret_cast<const char*>(all.data()));
    const std::string place = path + "/meet";
    try {
      Meeting meeting = meet_at(place, comm_->rank(), comm_->size(),
                                NETCL_GROUP_TRANSPORT_SHARED_MEMORY, device, timeout_ns_);
      return std::make_shared<SharedLink>(std::move(meeting.segment), std::move(meeting.mesh),
                                          Board::all_ranks(comm_->size()));
    } catch (const Error& error) {
      const netcl_status status = error.status();
      if (status == NETCL_ERROR_RANK_LOST || status == NETCL_ERROR_TIMEOUT) {
        MeetingFolder::clear(path, place);
      }
      throw;
    }
  }

  std::vector<netcl_device_info> take_devices() { return std::move(devices_); }

 private:
  const std::shared_ptr<MpiComm> comm_;
  const uint64_t timeout_ns_;
  std::vector<netcl_device_info> devices_;
};

}  // namespace

MpiMeeting meet_by_mpi(int64_t communicator, netcl_group_transport wanted,
                       const netcl_device_info& device, uint64_t timeout_ns) {
  if (communicator != NETCL_MPI_WORLD && (communicator < INT32_MIN || communicator > INT32_MAX)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "communicator is %lld; it is what MPI_Comm_c2f gives, or NETCL_MPI_WORLD",
         static_cast<long long>(communicator));
  }
  const netcl_mpi_table& mpi = open_mpi();
  check_mpi(mpi);
  const std::shared_ptr<MpiComm> comm = MpiComm::open(mpi, communicator, timeout_ns);
  if (comm->size() > kRanksMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the communicator has %u processes; a group has 1 to %u",
         comm->size(), kRanksMax);
  }
  MpiMeeting meeting;
  MpiRank rank(comm, timeout_ns);
  meeting.rank = comm->rank();
  const bool shared = rank.share_host(wanted, device) && wanted != NETCL_GROUP_TRANSPORT_MPI;
  if (shared) {
    meeting.link = rank.link_in_memory(device);
  } else {
    meeting.link = std::make_shared<MpiLink>(comm, 0, Board::all_ranks(comm->size()), comm->rank());
  }
  meeting.devices = rank.take_devices();
  return meeting;
}

}  // namespace netcl::group
