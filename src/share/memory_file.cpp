#include "share/memory_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include <cerrno>
#include <climits>

#include "core/allocator.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/write_signals.hpp"

namespace netcl::share {

namespace {

// The least that asking for huge pages pays for.
constexpr uint64_t kHugeBytes = uint64_t{1} << 22;

unsigned long long number(uint64_t value) { return value; }

[[noreturn]] void refuse(const netcl_shared_memory& given, const std::string& why) {
  fail(NETCL_ERROR_INVALID_ARGUMENT, "memory->descriptor is %d, which %s", given.descriptor,
       why.c_str());
}

// Nobody may be able to take pages away that are mapped here: touching them would end the process
// with SIGBUS. A file of a disk or of a network has other ways for that.
void check_file(const netcl_shared_memory& given, int fd) {
  struct statfs system = {};
  const int flags = ::fcntl(fd, F_GETFL), seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0 || ::fstatfs(fd, &system) != 0 || system.f_type != TMPFS_MAGIC) {
    refuse(given, "is no memory file (memfd_create with MFD_ALLOW_SEALING)");
  }
  if (flags < 0 || (flags & O_ACCMODE) != O_RDWR)
    refuse(given, "is not open for reading and writing");
  if ((seals & F_SEAL_SHRINK) == 0) {
    refuse(given, "has no F_SEAL_SHRINK: whoever shrinks it would end this process");
  }
  if ((seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) != 0) {
    refuse(given, "is sealed against writing");
  }
}

void check_place(const netcl_shared_memory& given, int fd) {
  struct stat facts;
  if (::fstat(fd, &facts) != 0) refuse(given, "tells no size: " + errno_text(errno));
  const auto size = static_cast<uint64_t>(facts.st_size);
  if (given.total_bytes != size) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "memory->total_bytes is %llu; the file of memory->descriptor %d has %llu bytes",
         number(given.total_bytes), given.descriptor, number(size));
  }
  if (given.bytes == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "memory->bytes is 0");
  if (given.offset_bytes > size || given.bytes > size - given.offset_bytes) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "memory->bytes is %llu from memory->offset_bytes %llu on; the file of memory->descriptor "
         "%d "
         "has %llu bytes",
         number(given.bytes), number(given.offset_bytes), given.descriptor, number(size));
  }
  if (given.offset_bytes % kHostAlignment != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "memory->offset_bytes is %llu; it must be a multiple of %zu",
         number(given.offset_bytes), kHostAlignment);
  }
}

[[noreturn]] void fail_create(const char* call, uint64_t bytes, int error) {
  fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "%s for %llu bytes that can be shared: %s", call,
       number(bytes), errno_text(error).c_str());
}

}  // namespace

MemoryFile::MemoryFile(Descriptor& descriptor, uint64_t offset, uint64_t bytes)
    : descriptor_(descriptor.take()), offset_(offset), bytes_(bytes) {}

MemoryFile::~MemoryFile() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapping_bytes_);
}

// 0 or an errno value.
int MemoryFile::map(uint64_t total_bytes) {
  struct stat facts;
  if (::fstat(descriptor_.get(), &facts) != 0) return errno;
  identity_ = {facts.st_dev, facts.st_ino};
  total_bytes_ = total_bytes;
  const uint64_t lead = offset_ % static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  mapping_bytes_ = lead + bytes_;
  void* const memory = ::mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED,
                              descriptor_.get(), static_cast<off_t>(offset_ - lead));
  if (memory == MAP_FAILED) return errno;
  mapping_ = static_cast<unsigned char*>(memory);
  memory_ = mapping_ + lead;
#ifdef MADV_HUGEPAGE
  if (mapping_bytes_ >= kHugeBytes) ::madvise(mapping_, mapping_bytes_, MADV_HUGEPAGE);
#endif
  return 0;
}

std::shared_ptr<MemoryFile> MemoryFile::create(uint64_t bytes) {
  if (bytes > static_cast<uint64_t>(LLONG_MAX)) fail_create("ftruncate", bytes, EFBIG);
  Descriptor fd(::memfd_create("netcl", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (fd.get() >= 0 && fd.get() < kSharedDescriptorLeast) {
    fd.reset(::fcntl(fd.get(), F_DUPFD_CLOEXEC, kSharedDescriptorLeast));
  }
  if (fd.get() < 0) fail_create("memfd_create", bytes, errno);
  {
    const NoWriteSignals quiet;
    if (::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
      fail_create("ftruncate", bytes, errno);
    }
  }
  // Whoever opens it can rely on its size.
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail_create("F_ADD_SEALS", bytes, errno);
  }
  std::shared_ptr<MemoryFile> file(new MemoryFile(fd, 0, bytes));
  if (const int error = file->map(bytes); error != 0) fail_create("mmap", bytes, error);
  return file;
}

std::shared_ptr<MemoryFile> MemoryFile::open(const netcl_shared_memory& given) {
  // What is looked at and what is mapped are one file, whatever becomes of the caller's descriptor.
  Descriptor fd(::fcntl(given.descriptor, F_DUPFD_CLOEXEC, kSharedDescriptorLeast));
  if (fd.get() < 0) {
    if (errno == EBADF) refuse(given, "is none");
    fail(NETCL_ERROR_IO, "no further descriptor for memory->descriptor %d: %s", given.descriptor,
         errno_text(errno).c_str());
  }
  check_file(given, fd.get());
  check_place(given, fd.get());
  std::shared_ptr<MemoryFile> file(new MemoryFile(fd, given.offset_bytes, given.bytes));
  if (const int error = file->map(given.total_bytes); error != 0) {
    fail(error == ENOMEM ? NETCL_ERROR_OUT_OF_HOST_MEMORY : NETCL_ERROR_IO,
         "memory->descriptor %d cannot be mapped: %s", given.descriptor, errno_text(error).c_str());
  }
  return file;
}

netcl_shared_memory MemoryFile::give() const {
  netcl_shared_memory given = NETCL_SHARED_MEMORY_INIT;
  given.kind = NETCL_SHARE_FILE;
  given.offset_bytes = offset_;
  given.bytes = bytes_;
  given.total_bytes = total_bytes_;
  given.descriptor = ::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, kSharedDescriptorLeast);
  if (given.descriptor < 0) {
    fail(NETCL_ERROR_IO, "no further descriptor for the memory: %s", errno_text(errno).c_str());
  }
  return given;
}

}  // namespace netcl::share
