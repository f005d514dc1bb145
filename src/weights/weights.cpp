#include "weights/weights.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace netcl::weights {

void fail_corrupt(const char* pattern, ...) {
  char text[900];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  fail(NETCL_ERROR_CORRUPT_DATA, "%s", text);
}

std::string shown_name(std::string_view name) {
  return quoted(utf8_escaped(name.substr(0, 400)).c_str(), 200);
}

void check_name(std::string_view name, const char* what) {
  if (is_utf8_line(name)) return;
  fail_corrupt("%s %s is no text of one line: UTF-8 without control characters", what,
               shown_name(name).c_str());
}

void check_entry_name(std::string_view name) {
  check_name(name, "the name of a tensor,");
  if (name.size() <= kNameBytesMost) return;
  fail(NETCL_ERROR_UNSUPPORTED, "a tensor's name has %zu bytes, of which at most %zu are read: %s",
       name.size(), kNameBytesMost, shown_name(name).c_str());
}

void check_entry_count(uint64_t count) {
  if (count <= kEntriesMost) return;
  fail(NETCL_ERROR_UNSUPPORTED, "the file has %llu tensors; at most %zu are read",
       static_cast<unsigned long long>(count), kEntriesMost);
}

void check_metadata_count(uint64_t count) {
  if (count <= kEntriesMost) return;
  fail(NETCL_ERROR_UNSUPPORTED, "the file has %llu values of metadata; at most %zu are read",
       static_cast<unsigned long long>(count), kEntriesMost);
}

void check_rank(uint64_t rank, std::string_view name) {
  if (rank <= NETCL_RANK_MAX) return;
  fail(NETCL_ERROR_UNSUPPORTED, "tensor %s has %llu dimensions; the largest rank is %d",
       shown_name(name).c_str(), static_cast<unsigned long long>(rank), NETCL_RANK_MAX);
}

uint64_t bytes_of(const Entry& entry) {
  // Extents of 0 count as 1 here: strides are products of the others, which must not overflow.
  int64_t bytes = static_cast<int64_t>(entry.block_bytes);
  bool empty = false;
  for (size_t d = 0; d < entry.shape.size(); ++d) {
    int64_t extent = entry.shape[d];
    empty = empty || extent == 0;
    if (d + 1 == entry.shape.size()) {
      if (extent % entry.block != 0) {
        fail_corrupt("tensor %s: shape[%zu] is %lld, no multiple of the %lld in a block of %s",
                     shown_name(entry.name).c_str(), d, static_cast<long long>(extent),
                     static_cast<long long>(entry.block), entry.type.c_str());
      }
      extent /= entry.block;
    }
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes)) {
      fail_corrupt("tensor %s: with shape[%zu] = %lld it has more than 2^63 - 1 bytes",
                   shown_name(entry.name).c_str(), d, static_cast<long long>(entry.shape[d]));
    }
  }
  if (entry.shape.empty() && entry.block != 1) {
    fail_corrupt("tensor %s of no dimensions is of %s", shown_name(entry.name).c_str(),
                 entry.type.c_str());
  }
  return empty ? 0 : static_cast<uint64_t>(bytes);
}

uint64_t bytes_in_file(const Entry& entry) noexcept {
  return entry.member.deflated ? entry.member.packed_bytes : entry.bytes;
}

std::vector<const Entry*> ordered_by_place(const File& file) {
  std::vector<const Entry*> order;
  order.reserve(file.entries.size());
  for (const Entry& entry : file.entries) order.push_back(&entry);
  // What has no bytes may lie where another begins, or ends.
  std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
    return a->offset != b->offset ? a->offset < b->offset : bytes_in_file(*a) < bytes_in_file(*b);
  });
  for (size_t i = 1; i < order.size(); ++i) {
    const uint64_t end = order[i - 1]->offset + bytes_in_file(*order[i - 1]);
    if (order[i]->offset >= end) continue;
    fail_corrupt("tensors %s and %s overlap: one ends at byte %llu, the other begins at byte %llu",
                 shown_name(order[i - 1]->name).c_str(), shown_name(order[i]->name).c_str(),
                 static_cast<unsigned long long>(end),
                 static_cast<unsigned long long>(order[i]->offset));
  }
  return order;
}

namespace {

netcl_weights_format format_of(const FileReader& reader) {
  unsigned char first[9] = {};
  reader.read(0, first, static_cast<size_t>(std::min<uint64_t>(reader.size(), sizeof first)));
  const bool zip = std::memcmp(first, "PK\3\4", 4) == 0 || std::memcmp(first, "PK\5\6", 4) == 0;
  static constexpr unsigned char kZeros[4] = {};
  if (std::memcmp(first, "GGUF", 4) == 0) return NETCL_WEIGHTS_GGUF;
  if (zip && std::memcmp(first + 4, kZeros, 4) != 0) return NETCL_WEIGHTS_NPZ;
  if (first[8] == '{') return NETCL_WEIGHTS_SAFETENSORS;
  if (zip) return NETCL_WEIGHTS_NPZ;
  fail_corrupt("the file of %llu bytes is none of safetensors, GGUF and .npz",
               static_cast<unsigned long long>(reader.size()));
}

// The places of a list in the order of its names, which have to differ.
template <class List, class Name>
std::vector<uint32_t> sorted_places(const List& list, const char* what, Name name) {
  std::vector<uint32_t> places(list.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = static_cast<uint32_t>(i);
  std::sort(places.begin(), places.end(),
            [&](uint32_t a, uint32_t b) { return name(list[a]) < name(list[b]); });
  for (size_t i = 1; i < places.size(); ++i) {
    if (name(list[places[i]]) != name(list[places[i - 1]])) continue;
    fail_corrupt("two %s have the name %s", what, shown_name(name(list[places[i]])).c_str());
  }
  return places;
}

template <class List, class Name>
size_t find_place(const std::vector<uint32_t>& places, const List& list, std::string_view wanted,
                  Name name) noexcept {
  const auto at = std::lower_bound(
      places.begin(), places.end(), wanted,
      [&](uint32_t place, std::string_view text) { return name(list[place]) < text; });
  return at == places.end() || name(list[*at]) != wanted ? SIZE_MAX : *at;
}

constexpr auto kEntryName = [](const Entry& entry) { return std::string_view(entry.name); };
constexpr auto kKeyName = [](const Metadata& pair) { return std::string_view(pair.key); };

}  // namespace

size_t File::find_entry(std::string_view name) const noexcept {
  return find_place(entries_by_name, entries, name, kEntryName);
}

size_t File::find_key(std::string_view key) const noexcept {
  return find_place(keys_by_name, metadata, key, kKeyName);
}

std::string File::metadata_text(size_t index) const {
  const Metadata& pair = metadata[index];
  return format == NETCL_WEIGHTS_GGUF ? gguf_text(header, pair.at, pair.type) : pair.text;
}

std::shared_ptr<const File> open_file(const char* path) {
  auto file = std::make_shared<File>(path);
  try {
    file->format = format_of(file->reader);
    if (file->format == NETCL_WEIGHTS_SAFETENSORS) read_safetensors(file.get());
    if (file->format == NETCL_WEIGHTS_GGUF) read_gguf(file.get());
    if (file->format == NETCL_WEIGHTS_NPZ) read_npz(file.get());
    file->entries_by_name = sorted_places(file->entries, "tensors", kEntryName);
    file->keys_by_name = sorted_places(file->metadata, "values of metadata", kKeyName);
  } catch (const Error& error) {
    // IO names the file already.
    if (error.status() == NETCL_ERROR_IO) throw;
    throw Error(error.status(), quoted(path, 300) + ": " + error.message(), error.native_code());
  }
  return file;
}

}  // namespace netcl::weights
