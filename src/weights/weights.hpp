// Files of named tensors: what each format says of its tensors, with every size checked against the
// file. Elements are moved by whoever owns the memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "device/device.hpp"

namespace netcl::weights {

// Of what describes tensors, before their elements.
inline constexpr uint64_t kHeaderBytesMost = 100000000;
inline constexpr size_t kEntriesMost = size_t{1} << 20;
inline constexpr size_t kNameBytesMost = sizeof(netcl_weights_entry::name) - 1;

// How the bytes of a member of an archive lie in the file.
struct Member {
  uint64_t packed_bytes = 0;  // in the file
  uint64_t whole_bytes = 0;   // of the member, with what stands before the elements
  uint64_t before = 0;        // bytes before the elements
  uint32_t checksum = 0;      // of all of it: CRC-32
  bool deflated = false;
  bool checked = false;  // there is a checksum: the file is an archive
};

struct Entry {
  std::string name;
  std::string type;  // as the format calls it
  netcl_dtype dtype = 0;
  netcl_quantization quantization = 0;
  std::vector<int64_t> shape;  // in C order
  uint64_t offset = 0;  // of the elements in the file; of a deflated member that of its bytes
  uint64_t bytes = 0;   // of the elements in memory
  int64_t block = 1;    // elements that lie together, along the last dimension
  uint64_t block_bytes = 0;
  bool fortran_order = false;
  bool swap_bytes = false;
  std::string refusal;  // why there is no tensor although there may be a dtype
  Member member;
};

// A key with its value: a text, or a value of GGUF that lies in the header.
struct Metadata {
  std::string key;
  std::string text;
  size_t at = 0;  // of the value in File::header
  uint32_t type = 0;
};

struct File {
  explicit File(const char* path) : reader(path) {}

  FileReader reader;
  netcl_weights_format format = 0;
  uint32_t version = 0;
  std::vector<Entry> entries;
  std::vector<Metadata> metadata;
  std::string header;  // of GGUF

  // Its place in the list, or SIZE_MAX.
  size_t find_entry(std::string_view name) const noexcept;
  size_t find_key(std::string_view key) const noexcept;
  std::string metadata_text(size_t index) const;

  std::vector<uint32_t> entries_by_name;
  std::vector<uint32_t> keys_by_name;
};

// What a handle stands for.
struct Weights {
  DeviceRef device;
  std::shared_ptr<const File> file;
  bool map;
};

// Fails as netcl_weights_open does.
std::shared_ptr<const File> open_file(const char* path);

// Gives each format what stands in the file behind its first bytes. Fail with CORRUPT_DATA and
// UNSUPPORTED.
void read_safetensors(File* file);
void read_gguf(File* file);
void read_npz(File* file);
// The text of a value of GGUF.
std::string gguf_text(const std::string& header, size_t at, uint32_t type);

// What the formats share.

[[noreturn]] void fail_corrupt(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
// A name or key of a file as it may stand in a message.
std::string shown_name(std::string_view name);
// Fails where a name is none that a caller can give: UTF-8 without control characters.
void check_name(std::string_view name, const char* what);
void check_entry_name(std::string_view name);
void check_entry_count(uint64_t count);
// The same for values of metadata.
void check_metadata_count(uint64_t count);
void check_rank(uint64_t rank, std::string_view name);
// The bytes of `entry.shape` in blocks; fails where they do not fit 63 bits or the last extent is
// no number of whole blocks.
uint64_t bytes_of(const Entry& entry);
// Fails where two entries share bytes of the file. Gives the entries in the order of their bytes.
std::vector<const Entry*> ordered_by_place(const File& file);
uint64_t bytes_in_file(const Entry& entry) noexcept;

}  // namespace netcl::weights
