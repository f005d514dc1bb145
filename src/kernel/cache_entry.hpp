// The bytes of a program cache entry: pure functions, no files. What they read may be anything, so
// every length is checked before it is used and nothing grows beyond what the bytes can hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace netcl::kernel {

inline constexpr uint64_t kEntryBytesMax = uint64_t{64} << 20;

// An entry: magic, format version, sizes, a checksum over everything, the whole key text, payload.
std::string encode_entry(std::string_view key, std::string_view payload);

struct EntryView {
  std::string_view key;
  std::string_view payload;
};

// Checks every byte of an entry and gives views into it; nullopt with a reason when it is damaged.
std::optional<EntryView> decode_entry(std::string_view bytes, std::string* reason);

// What one parameter of a kernel looks like, so that arguments can be checked without a compiler.
// OpenCL's CL_KERNEL_ARG_ADDRESS_*, as entries store them.
inline constexpr uint32_t kAddressGlobal = 0x119B;
inline constexpr uint32_t kAddressLocal = 0x119C;
inline constexpr uint32_t kAddressConstant = 0x119D;
inline constexpr uint32_t kAddressPrivate = 0x119E;

struct ArgRecord {
  uint32_t address_qualifier = 0;  // one of the above
  bool is_const = false;
  std::string type_name;
  std::string name;
  uint32_t size = 0;  // bytes of a scalar, 0 when unknown
  friend bool operator==(const ArgRecord&, const ArgRecord&) = default;
};

struct KernelRecord {
  std::string name;
  std::vector<ArgRecord> args;
  uint64_t required_local_size[3] = {0, 0, 0};
  friend bool operator==(const KernelRecord&, const KernelRecord&) = default;
};

// The payload of a program: what the driver made of it and its argument tables.
struct ProgramEntry {
  std::string binary;
  std::vector<KernelRecord> kernels;
};

std::string serialize(const ProgramEntry& program);
std::optional<ProgramEntry> deserialize(std::string_view payload);

}  // namespace netcl::kernel
