// Memory of the host that is a file without a name (memfd): any process may have it that is given
// its descriptor.
#pragma once

#include <memory>

#include "core/cache_directory.hpp"
#include "share/shared.hpp"

namespace netcl::share {

class MemoryFile final : public Shared {
 public:
  // New memory, of zeros; OUT_OF_DEVICE_MEMORY when there is none, or no descriptor.
  static std::shared_ptr<MemoryFile> create(uint64_t bytes);
  // What somebody gave, who is not trusted. The descriptor stays the caller's.
  static std::shared_ptr<MemoryFile> open(const netcl_shared_memory& given);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() override;

  netcl_shared_memory give() const override;
  Identity identity() const noexcept override { return identity_; }
  void* memory() const noexcept { return memory_; }

 private:
  MemoryFile(Descriptor& descriptor, uint64_t offset, uint64_t bytes);
  int map(uint64_t total_bytes);

  Descriptor descriptor_;
  const uint64_t offset_;  // of the memory in the file
  const uint64_t bytes_;
  uint64_t total_bytes_ = 0;
  Identity identity_;
  unsigned char* mapping_ = nullptr;  // begins with the page in which the memory does
  uint64_t mapping_bytes_ = 0;
  unsigned char* memory_ = nullptr;
};

}  // namespace netcl::share
