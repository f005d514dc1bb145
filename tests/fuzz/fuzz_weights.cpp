// Any bytes given as a file of named tensors: an error with a message, or weights of which each
// tensor and each value of metadata can be had, or is refused with a message.
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "netcl.h"
#include "structured.hpp"

using netcl::fuzz::Chance;
using netcl::fuzz::require;

namespace {

constexpr std::string_view kWords[] = {
    "dtype", "shape", "data_offsets", "__metadata__", "F32", "BOOL", "BF16", "F8_E4M3", "a", "b"};
constexpr std::string_view kNames[] = {"a", "b", "c", "a.b/c", "", "\xc3\xa9", "bad\n", "\xff"};

template <class T>
void add(std::string* to, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    *to += static_cast<char>(static_cast<uint64_t>(value) >> 8 * i);
}

uint64_t odd(Chance& chance, uint64_t value) {
  return chance.one_in(48) ? static_cast<uint64_t>(netcl::fuzz::edge_number(chance)) : value;
}

// The header of safetensors with a few changes, and sometimes as many bytes behind it as it had.
std::string changed_safetensors(std::string_view text, Chance& chance) {
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(text[i]);
  length = std::min<uint64_t>(length, text.size() - 8);
  const std::string header =
      netcl::fuzz::changed_json(text.substr(8, static_cast<size_t>(length)), chance, kWords);
  std::string out;
  add(&out, odd(chance, header.size()));
  return out + header + std::string(text.substr(8 + static_cast<size_t>(length)));
}

void add_text(std::string* to, Chance& chance, std::string_view text) {
  add(to, odd(chance, text.size()));
  *to += text;
}

void add_value(std::string* to, Chance& chance, uint32_t type, int depth) {
  static constexpr int kSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  if (type == 8) {
    add_text(to, chance, chance.of(kNames));
  } else if (type == 9) {
    const auto inner = static_cast<uint32_t>(chance.below(depth < 10 ? 13 : 8));
    const size_t count = chance.below(4);
    add(to, inner);
    add(to, odd(chance, count));
    for (size_t i = 0; i < count; ++i) add_value(to, chance, inner, depth + 1);
  } else {
    to->append(static_cast<size_t>(kSizes[type % 13]), static_cast<char>(chance.next()));
  }
}

std::string new_gguf(Chance& chance) {
  static constexpr uint32_t kTypes[] = {0, 1, 2, 8, 12, 14, 24, 26, 28, 30, 9, 99};
  const size_t tensors = chance.below(4), values = chance.below(4);
  std::string out = "GGUF";
  add(&out, static_cast<uint32_t>(odd(chance, 2 + chance.below(2))));
  add(&out, odd(chance, tensors));
  add(&out, odd(chance, values));
  for (size_t i = 0; i < values; ++i) {
    const bool alignment = chance.one_in(6);
    const auto type =
        alignment ? 4 : static_cast<uint32_t>(chance.below(chance.one_in(9) ? 16 : 13));
    add_text(&out, chance, alignment ? "general.alignment" : "k" + std::to_string(i));
    add(&out, type);
    if (alignment) {
      add(&out, static_cast<uint32_t>(odd(chance, uint64_t{1} << chance.below(7))));
    } else {
      add_value(&out, chance, type, 0);
    }
  }
  uint64_t place = 0;
  for (size_t i = 0; i < tensors; ++i) {
    add_text(&out, chance, chance.one_in(4) ? chance.of(kNames) : "t" + std::to_string(i));
    const size_t rank = chance.one_in(24) ? 9 : chance.below(4);
    add(&out, static_cast<uint32_t>(rank));
    uint64_t count = 1;
    for (size_t d = 0; d < rank; ++d) {
      const uint64_t extent = d == 0 && chance.one_in(2) ? 256 : chance.below(4);
      count *= extent;
      add(&out, odd(chance, extent));
    }
    add(&out, chance.of(kTypes));
    add(&out, odd(chance, place));
    place += (count * 8 + 127) / 128 * 128;
  }
  return out + std::string(static_cast<size_t>(std::min<uint64_t>(place + 128, 40000)), 'x');
}

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  require(::deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK, "no zlib");
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  require(::deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib does not deflate");
  out.resize(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return out;
}

std::string new_npy(Chance& chance) {
  static constexpr std::string_view kTypes[] = {"<f4", ">i2", "|b1", "<V2", "<c8", "|u1"};
  static constexpr size_t kBytes[] = {4, 2, 1, 2, 8, 1};
  const size_t type = chance.below(6), rows = chance.below(5), columns = chance.below(40);
  std::string header = "{'descr': '" + std::string(kTypes[type]) +
                       "', 'fortran_order': " + (chance.one_in(2) ? "True" : "False") +
                       ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(columns) +
                       "), }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string out("\x93NUMPY\1\0", 8);
  add(&out, static_cast<uint16_t>(odd(chance, header.size())));
  out += header + std::string(odd(chance, 1) == 1 ? rows * columns * kBytes[type] : 3, '\2');
  return out;
}

std::string new_npz(Chance& chance) {
  std::string out, list;
  const size_t members = chance.below(4);
  for (size_t i = 0; i < members; ++i) {
    const std::string whole = new_npy(chance);
    const bool packed = chance.one_in(2), wide = chance.one_in(3);
    std::string bytes = packed ? deflated(whole) : whole;
    if (chance.one_in(12)) bytes = netcl::fuzz::changed_bytes(bytes, 4);
    const std::string name =
        (chance.one_in(6) ? std::string(chance.of(kNames)) : "m" + std::to_string(i)) +
        (chance.one_in(12) ? ".txt" : ".npy");
    const uint64_t place = out.size();
    auto sum = static_cast<uint32_t>(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(whole.data()), whole.size()));
    if (chance.one_in(16)) sum ^= 1;
    for (int listed = 0; listed < 2; ++listed) {
      std::string record = listed != 0 ? "PK\1\2" : "PK\3\4";
      if (listed != 0) add(&record, uint16_t{45});
      add(&record, uint16_t{45});
      add(&record, static_cast<uint16_t>(chance.one_in(40)));
      add(&record, static_cast<uint16_t>(chance.one_in(40) ? 12 : packed ? 8 : 0));
      add(&record, uint32_t{0x210000});
      add(&record, sum);
      add(&record, wide ? UINT32_MAX : static_cast<uint32_t>(odd(chance, bytes.size())));
      add(&record, wide ? UINT32_MAX : static_cast<uint32_t>(odd(chance, whole.size())));
      add(&record, static_cast<uint16_t>(odd(chance, name.size())));
      add(&record, static_cast<uint16_t>(wide ? 28 : 0));
      if (listed != 0) {
        record.append(10, '\0');
        add(&record, wide ? UINT32_MAX : static_cast<uint32_t>(odd(chance, place)));
      }
      record += name;
      if (wide) {
        add(&record, uint16_t{1});
        add(&record, static_cast<uint16_t>(odd(chance, 24)));
        add(&record, odd(chance, whole.size()));
        add(&record, odd(chance, bytes.size()));
        add(&record, odd(chance, place));
      }
      (listed != 0 ? list : out) += record;
    }
    out += bytes;
  }
  const uint64_t at = out.size(), end = at + list.size();
  out += list;
  const bool wide = chance.one_in(3);
  if (wide) {
    out += "PK\6\6";
    add(&out, uint64_t{44});
    add(&out, uint32_t{45 << 16 | 45});
    add(&out, uint64_t{0});
    for (int i = 0; i < 2; ++i) add(&out, odd(chance, members));
    add(&out, odd(chance, list.size()));
    add(&out, odd(chance, at));
    out += "PK\6\7";
    add(&out, uint32_t{0});
    add(&out, odd(chance, end));
    add(&out, uint32_t{1});
  }
  out += "PK\5\6";
  add(&out, uint32_t{0});
  for (int i = 0; i < 2; ++i) add(&out, static_cast<uint16_t>(odd(chance, members)));
  add(&out, wide ? UINT32_MAX : static_cast<uint32_t>(odd(chance, list.size())));
  add(&out, static_cast<uint32_t>(odd(chance, at)));
  add(&out, uint16_t{0});
  return out;
}

netcl_device* builtin_device() {
  static netcl_device* device = nullptr;
  if (device == nullptr) {
    require(netcl_device_open("builtin", nullptr, &device) == NETCL_OK, "no built-in device");
  }
  return device;
}

// A file without a name that can be opened by a path.
struct MemoryFile {
  int fd = ::memfd_create("weights", MFD_CLOEXEC);
  char path[64];

  MemoryFile(const uint8_t* data, size_t size) {
    require(fd >= 0, "no file in memory");
    require(::write(fd, data, size) == static_cast<ssize_t>(size), "no room for a file");
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  ~MemoryFile() { ::close(fd); }
};

void check_refusal(netcl_status status) {
  require(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_UNSUPPORTED,
          "a damaged file is neither CORRUPT_DATA nor UNSUPPORTED", netcl_last_error_message());
  require(netcl_last_error_message()[0] != '\0', "an error without a message");
}

void check_tensor(const netcl_weights* weights, uint32_t index, size_t file_bytes) {
  netcl_weights_entry entry = NETCL_WEIGHTS_ENTRY_INIT;
  require(netcl_weights_get_entry(weights, index, &entry) == NETCL_OK, "no entry");
  require(entry.rank <= NETCL_RANK_MAX, "a large rank");
  uint32_t found = UINT32_MAX;
  require(netcl_weights_find(weights, entry.name, &found) == NETCL_OK && found == index,
          "a tensor is not found by its name");
  netcl_tensor* tensor = nullptr;
  const netcl_status status = netcl_weights_get_tensor(weights, index, nullptr, &tensor);
  if (status != NETCL_OK) {
    require(tensor == nullptr, "a tensor beside an error");
    return check_refusal(status);
  }
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  require(netcl_tensor_get_info(tensor, &info) == NETCL_OK, "no facts");
  require(info.dtype == entry.dtype && info.byte_count == entry.byte_count, "sizes do not fit");
  require(info.byte_count <= 1032 * (file_bytes + 1), "more elements than a file can hold");
  std::vector<unsigned char> out(static_cast<size_t>(info.byte_count) + 1);
  require(netcl_tensor_read(tensor, out.data(), static_cast<size_t>(info.byte_count), nullptr,
                            NETCL_WAIT_FOREVER) == NETCL_OK,
          "the elements cannot be read");
  netcl_tensor_release(tensor);
}

void check_metadata(const netcl_weights* weights, uint32_t index) {
  std::string key(1024, '\0');
  size_t length = 0;
  require(netcl_weights_get_metadata_key(weights, index, nullptr, 0, &length) == NETCL_OK,
          "no key");
  key.resize(length + 1);
  require(
      netcl_weights_get_metadata_key(weights, index, key.data(), key.size(), nullptr) == NETCL_OK,
      "no key");
  require(netcl_weights_get_metadata(weights, key.c_str(), nullptr, 0, &length) == NETCL_OK,
          "a key has no value", netcl_last_error_message());
}

}  // namespace

FUZZ_MUTATION(text, chance) {
  if (chance.one_in(4)) return netcl::fuzz::changed_bytes(text);
  if (text.size() > 9 && text[8] == '{' && chance.one_in(2)) {
    return changed_safetensors(text, chance);
  }
  return chance.one_in(2) ? new_gguf(chance) : new_npz(chance);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const MemoryFile file(data, size);
  netcl_weights* weights = nullptr;
  const netcl_status status = netcl_weights_open(builtin_device(), file.path, nullptr, &weights);
  if (status != NETCL_OK) {
    require(weights == nullptr, "weights beside an error");
    check_refusal(status);
    return 0;
  }
  netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
  require(netcl_weights_get_info(weights, &info) == NETCL_OK && info.file_bytes == size,
          "no facts");
  for (uint32_t i = 0; i < info.tensor_count; ++i) check_tensor(weights, i, size);
  for (uint32_t i = 0; i < info.metadata_count; ++i) check_metadata(weights, i);
  netcl_weights_release(weights);
  uint64_t tensors = 1, files = 1;
  require(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &tensors) == NETCL_OK && tensors == 0 &&
              netcl_library_get_live_count(NETCL_HANDLE_WEIGHTS, &files) == NETCL_OK && files == 0,
          "a tensor or a file is left");
  return 0;
}
