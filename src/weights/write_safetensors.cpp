#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "tensor/npy.hpp"
#include "weights/safetensors.hpp"
#include "weights/weights.hpp"
#include "weights/write.hpp"

namespace netcl::weights {

namespace {

// Where the data begins, so that a mapping of it can be read by SIMD loads.
constexpr size_t kDataAlignment = 64;

void add_entry(const Saved& tensor, uint64_t offset, std::string* header) {
  add_json_text(tensor.name, header);
  *header += ":{\"dtype\":\"";
  *header += safetensors_type(tensor.dtype);
  *header += "\",\"shape\":[";
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    if (d > 0) *header += ',';
    *header += number_text(tensor.shape[d]);
  }
  *header += "],\"data_offsets\":[" + number_text(offset) + "," +
             number_text(offset + tensor.bytes) + "]}";
}

std::string make_header(std::span<const Saved> tensors, std::span<const MetadataPair> metadata,
                        const std::vector<uint64_t>& offsets) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto& [key, value] : metadata) {
      if (header.back() != '{') header += ',';
      add_json_text(key, &header);
      header += ':';
      add_json_text(value, &header);
    }
    header += '}';
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (header.size() > 1) header += ',';
    add_entry(tensors[i], offsets[i], &header);
  }
  header += '}';
  const size_t over = (8 + header.size()) % kDataAlignment;
  if (over != 0) header.append(kDataAlignment - over, ' ');
  return header;
}

}  // namespace

void write_safetensors(const char* path, std::span<const Saved> tensors,
                       std::span<const MetadataPair> metadata, GiveElements give) {
  // There are no gaps: where wider elements come first, all lie at a multiple of their size.
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return dtype_size(tensors[a].dtype) > dtype_size(tensors[b].dtype);
  });
  std::vector<uint64_t> offsets(tensors.size());
  uint64_t next = 0;
  for (const size_t i : order) {
    offsets[i] = next;
    next += tensors[i].bytes;
  }
  const std::string header = make_header(tensors, metadata, offsets);
  if (header.size() > kHeaderBytesMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "names and options->values make a header of %zu bytes; safetensors allows %llu",
         header.size(), static_cast<unsigned long long>(kHeaderBytesMost));
  }
  FileWriter file(path);
  unsigned char length[8];
  for (size_t i = 0; i < sizeof length; ++i) {
    length[i] = static_cast<unsigned char>(static_cast<uint64_t>(header.size()) >> 8 * i);
  }
  file.append(length, sizeof length);
  file.append(header.data(), header.size());
  for (const size_t i : order) {
    give(i, [&](unsigned char* data, size_t size) {
      const size_t element = dtype_size(tensors[i].dtype);
      if (std::endian::native == std::endian::big) npy::swap_bytes(data, size / element, element);
      file.append(data, size);
    });
  }
  file.commit();
}

}  // namespace netcl::weights
