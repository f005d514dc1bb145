// The bytes of a member of an archive in their order, inflated where they are deflated.
#pragma once

#include <cstdint>
#include <memory>

#include "weights/weights.hpp"

namespace netcl::weights {

// CRC-32 of bytes that follow those of which `sum` is; 0 for none.
uint32_t add_checksum(uint32_t sum, const void* data, size_t size) noexcept;

class MemberReader {
 public:
  // `offset` is where the member's bytes begin in the file. `name` is what messages call it. All of
  // this has to outlive the reader.
  MemberReader(const FileReader& file, const Member& member, uint64_t offset, const char* name);
  ~MemberReader();
  MemberReader(const MemberReader&) = delete;
  MemberReader& operator=(const MemberReader&) = delete;

  // The next bytes; there have to be as many.
  void read(void* data, size_t size);
  // Reads `size` bytes and drops them.
  void skip(uint64_t size);
  // All has been read: fails with CORRUPT_DATA where there is more, or the checksum is another.
  void finish();

 private:
  struct Inflation;

  size_t inflate(unsigned char* data, size_t size);
  [[noreturn]] void fail_damaged(const char* why) const;

  const FileReader& file_;
  const Member& member_;
  const char* name_;
  uint64_t next_;  // in the file
  uint64_t packed_left_;
  uint32_t checksum_ = 0;
  std::unique_ptr<Inflation> inflation_;
};

}  // namespace netcl::weights
