// Reading what stands before the tensors of a file of GGUF: little-endian numbers, texts with their
// lengths, values with their types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/file.hpp"

namespace netcl::weights {

// gguf_metadata_value_type.
enum GgufValue : uint32_t {
  kGgufU8 = 0,
  kGgufI8 = 1,
  kGgufU16 = 2,
  kGgufI16 = 3,
  kGgufU32 = 4,
  kGgufI32 = 5,
  kGgufF32 = 6,
  kGgufBool = 7,
  kGgufText = 8,
  kGgufArray = 9,
  kGgufU64 = 10,
  kGgufI64 = 11,
  kGgufF64 = 12,
};

// A number without a sign; the bits of others.
template <class T>
T read_little(const char* bytes) noexcept {
  T value = 0;
  for (size_t i = sizeof(T); i-- > 0;) {
    value =
        static_cast<T>(static_cast<uint64_t>(value) << 8 | static_cast<unsigned char>(bytes[i]));
  }
  return value;
}

// Walks through the beginning of a file, of which it reads no more than it is asked for by what is
// there. Whatever lies beyond the file, or beyond what is read of one, is CORRUPT_DATA naming
// `what`.
class GgufReader {
 public:
  // What is read is kept in `bytes`.
  GgufReader(const FileReader& file, std::string* bytes) : file_(file), bytes_(bytes) {}

  size_t at() const noexcept { return at_; }
  void skip(uint64_t size, const char* what);
  template <class T>
  T number(const char* what) {
    const size_t from = at_;
    skip(sizeof(T), what);
    return read_little<T>(bytes_->data() + from);
  }
  // Valid until more is read.
  std::string_view text(const char* what, uint64_t most);
  // So many things of at least so many bytes have to be in what is left of the file.
  void check_count(uint64_t count, uint64_t bytes_least, const char* what) const;
  void skip_value(uint32_t type, const char* what);
  // Drops what was read beyond the last thing.
  void finish() { bytes_->resize(at_); }

 private:
  void skip_array(const char* what);

  const FileReader& file_;
  std::string* bytes_;
  size_t at_ = 0;
};

}  // namespace netcl::weights
