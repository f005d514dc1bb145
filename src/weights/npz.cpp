// The format .npz of NumPy: an archive of ZIP, whose members NAME.npy are arrays. Its list of
// members stands at its end. (APPNOTE.TXT of PKWARE is the reference.)
#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "tensor/npy.hpp"
#include "weights/gguf.hpp"
#include "weights/member.hpp"
#include "weights/weights.hpp"
#include "weights/zip.hpp"

namespace netcl::weights {

namespace {

// What the headers of all arrays may take: a few members could each have one that inflates to 64
// KB.
constexpr uint64_t kNpyHeadersMost = uint64_t{64} << 20;
// Deflate makes no more of a byte.
constexpr uint64_t kInflationMost = 1032;
constexpr uint16_t kStored = 0, kDeflated = 8;
constexpr uint16_t kEncrypted = 1, kSizesBehind = 1 << 3;
constexpr size_t kCommentMost = 65535;

unsigned long long count(uint64_t value) { return value; }

// What the list says of a member, and stands in front of its bytes again.
struct Listed {
  uint64_t local = 0;  // where that is
  std::string name;
  uint16_t flags = 0;
  uint16_t method = 0;
};

// The list of members, as the end of the file tells of it.
struct Directory {
  uint64_t entries = 0;
  uint64_t bytes = 0;
  uint64_t offset = 0;
};

class NpzReader {
 public:
  explicit NpzReader(File* file) : file_(file), reader_(file->reader) {}

  void read() {
    find_directory();
    if (directory_.bytes > kHeaderBytesMost) {
      fail_corrupt("the list of members has %llu bytes; at most %llu are read",
                   count(directory_.bytes), count(kHeaderBytesMost));
    }
    list_.resize(static_cast<size_t>(directory_.bytes));
    reader_.read(directory_.offset, list_.data(), list_.size());
    size_t at = 0;
    for (uint64_t i = 0; i < directory_.entries; ++i) at = read_member(at, i);
    check_overlaps();
    for (size_t i = 0; i < listed_.size(); ++i) {
      check_local(file_->entries[i], listed_[i]);
      read_npy(&file_->entries[i]);
    }
  }

 private:
  template <class T>
  T number(size_t at) const noexcept {
    return read_little<T>(list_.data() + at);
  }

  void find_directory();
  void read_zip64(uint64_t locator);
  size_t read_member(size_t at, uint64_t index);
  uint64_t data_offset(uint64_t local, const std::string& name) const;
  void check_overlaps();
  void check_local(const Entry& entry, const Listed& listed) const;
  void read_npy(Entry* entry);

  File* file_;
  const FileReader& reader_;
  Directory directory_;
  std::string list_;
  std::vector<Listed> listed_;  // by entry
  uint64_t npy_headers_ = 0;
};

// The record that ends the file has a comment behind it, and may have one of 64-bit numbers in
// front of it.
void NpzReader::find_directory() {
  const uint64_t size = reader_.size();
  const auto tail = static_cast<size_t>(std::min<uint64_t>(size, zip::kEndBytes + kCommentMost));
  std::string bytes(tail, '\0');
  reader_.read(size - tail, bytes.data(), tail);
  size_t at =
      tail < zip::kEndBytes ? std::string::npos : bytes.rfind("PK\5\6", tail - zip::kEndBytes);
  while (at != std::string::npos &&
         at + zip::kEndBytes + read_little<uint16_t>(bytes.data() + at + 20) != tail) {
    at = at == 0 ? std::string::npos : bytes.rfind("PK\5\6", at - 1);
  }
  if (at == std::string::npos) fail_corrupt("the archive has no end: it is cut short");
  const char* const end = bytes.data() + at;
  if (read_little<uint16_t>(end + 4) != read_little<uint16_t>(end + 6)) {
    fail(NETCL_ERROR_UNSUPPORTED, "the archive is split over several files");
  }
  directory_.entries = read_little<uint16_t>(end + 10);
  directory_.bytes = read_little<uint32_t>(end + 12);
  directory_.offset = read_little<uint32_t>(end + 16);
  const uint64_t place = size - tail + at;
  if (directory_.entries == UINT16_MAX || directory_.bytes == UINT32_MAX ||
      directory_.offset == UINT32_MAX) {
    if (place >= zip::kLocatorBytes) read_zip64(place - zip::kLocatorBytes);
  }
  if (directory_.offset > place || directory_.bytes > place - directory_.offset) {
    fail_corrupt("the list of members lies at byte %llu with %llu bytes; it ends before byte %llu",
                 count(directory_.offset), count(directory_.bytes), count(place));
  }
  if (directory_.entries > directory_.bytes / zip::kCentralBytes) {
    fail_corrupt("the archive has %llu members, for which %llu bytes are too few",
                 count(directory_.entries), count(directory_.bytes));
  }
  check_entry_count(directory_.entries);
}

void NpzReader::read_zip64(uint64_t locator) {
  char bytes[zip::kEnd64Bytes];
  reader_.read(locator, bytes, zip::kLocatorBytes);
  if (std::memcmp(bytes, "PK\6\7", 4) != 0) return;
  const auto place = read_little<uint64_t>(bytes + 8);
  if (place > locator || locator - place < zip::kEnd64Bytes) {
    fail_corrupt("the end of the archive is said to lie at byte %llu", count(place));
  }
  reader_.read(place, bytes, sizeof bytes);
  if (std::memcmp(bytes, "PK\6\6", 4) != 0) {
    fail_corrupt("the end of the archive does not lie at byte %llu", count(place));
  }
  directory_.entries = read_little<uint64_t>(bytes + 32);
  directory_.bytes = read_little<uint64_t>(bytes + 40);
  directory_.offset = read_little<uint64_t>(bytes + 48);
}

// Sizes that do not fit 32 bits stand behind the name, in the order of the fields that lack them.
static void take_zip64(std::string_view extra, std::initializer_list<uint64_t*> fields) {
  while (extra.size() >= 4) {
    const auto id = read_little<uint16_t>(extra.data());
    const size_t size = read_little<uint16_t>(extra.data() + 2);
    if (size > extra.size() - 4) break;
    std::string_view values = extra.substr(4, size);
    extra.remove_prefix(4 + size);
    if (id != zip::kZip64Id) continue;
    for (uint64_t* const field : fields) {
      if (*field != UINT32_MAX || values.size() < 8) continue;
      *field = read_little<uint64_t>(values.data());
      values.remove_prefix(8);
    }
    return;
  }
}

// One entry of the list; gives where the next one begins.
size_t NpzReader::read_member(size_t at, uint64_t index) {
  if (list_.size() - at < zip::kCentralBytes || list_.compare(at, 4, "PK\1\2", 4) != 0) {
    fail_corrupt("member %llu: the list of members has no entry at its byte %zu", count(index), at);
  }
  const size_t name_bytes = number<uint16_t>(at + 28), extra_bytes = number<uint16_t>(at + 30),
               comment_bytes = number<uint16_t>(at + 32);
  const size_t end = at + zip::kCentralBytes + name_bytes + extra_bytes + comment_bytes;
  if (end > list_.size()) {
    fail_corrupt("member %llu: its entry ends beyond the list of members", count(index));
  }
  std::string_view name = std::string_view(list_).substr(at + zip::kCentralBytes, name_bytes);
  constexpr std::string_view kEnding = ".npy";
  if (!name.ends_with(kEnding)) return end;
  name.remove_suffix(kEnding.size());
  check_entry_name(name);
  Entry entry;
  entry.name = name;
  entry.member.checked = true;
  const auto flags = number<uint16_t>(at + 8), method = number<uint16_t>(at + 10);
  entry.member.deflated = method != kStored;
  entry.member.checksum = number<uint32_t>(at + 16);
  entry.member.packed_bytes = number<uint32_t>(at + 20);
  entry.member.whole_bytes = number<uint32_t>(at + 24);
  uint64_t local = number<uint32_t>(at + 42);
  take_zip64(std::string_view(list_).substr(at + zip::kCentralBytes + name_bytes, extra_bytes),
             {&entry.member.whole_bytes, &entry.member.packed_bytes, &local});
  if ((flags & kEncrypted) != 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "tensor %s is encrypted, which netcl does not read",
         shown_name(entry.name).c_str());
  }
  if (method != kStored && method != kDeflated) {
    entry.type = format("method %u", method);
    entry.refusal =
        format("it is packed by method %u; stored and deflated members are read", method);
  }
  const Member& member = entry.member;
  entry.offset = data_offset(local, entry.name);
  if (member.packed_bytes > directory_.offset - entry.offset) {
    fail_corrupt(
        "tensor %s has %llu bytes from byte %llu on; the list of members begins at byte "
        "%llu",
        shown_name(entry.name).c_str(), count(member.packed_bytes), count(entry.offset),
        count(directory_.offset));
  }
  const bool fits = method == kStored ? member.whole_bytes == member.packed_bytes
                                      : member.whole_bytes / kInflationMost <= member.packed_bytes;
  if (!fits && entry.refusal.empty()) {
    fail_corrupt("tensor %s is said to have %llu bytes, packed to %llu",
                 shown_name(entry.name).c_str(), count(member.whole_bytes),
                 count(member.packed_bytes));
  }
  std::string entry_name = entry.name + ".npy";
  file_->entries.push_back(std::move(entry));
  listed_.push_back({local, entry_name, flags, method});
  return end;
}

// In front of a member's bytes stands its name again, with other things behind it than in the list.
uint64_t NpzReader::data_offset(uint64_t local, const std::string& name) const {
  char bytes[zip::kLocalBytes];
  if (local > directory_.offset || directory_.offset - local < sizeof bytes) {
    fail_corrupt("tensor %s is said to begin at byte %llu; the list of members begins at byte %llu",
                 shown_name(name).c_str(), count(local), count(directory_.offset));
  }
  reader_.read(local, bytes, sizeof bytes);
  if (std::memcmp(bytes, "PK\3\4", 4) != 0) {
    fail_corrupt("tensor %s does not begin at byte %llu", shown_name(name).c_str(), count(local));
  }
  const uint64_t offset =
      local + sizeof bytes + read_little<uint16_t>(bytes + 26) + read_little<uint16_t>(bytes + 28);
  if (offset > directory_.offset) {
    fail_corrupt("tensor %s: its name ends beyond the members", shown_name(name).c_str());
  }
  return offset;
}

// Members that share bytes make much of a small file.
void NpzReader::check_overlaps() {
  std::vector<size_t> order(listed_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return listed_[a].local < listed_[b].local; });
  for (size_t i = 1; i < order.size(); ++i) {
    const Entry& before = file_->entries[order[i - 1]];
    const uint64_t end = before.offset + before.member.packed_bytes;
    if (listed_[order[i]].local >= end) continue;
    fail_corrupt("tensors %s and %s overlap: one ends at byte %llu, the other begins at byte %llu",
                 shown_name(before.name).c_str(), shown_name(file_->entries[order[i]].name).c_str(),
                 count(end), count(listed_[order[i]].local));
  }
}

// Readers that go by the list and those that go from member to member find the same.
void NpzReader::check_local(const Entry& entry, const Listed& listed) const {
  const auto differs = [&](const char* what, uint64_t here, uint64_t there) {
    if (here == there) return;
    fail_corrupt("tensor %s: the list of members says %s %llu, and the member's beginning %llu",
                 shown_name(entry.name).c_str(), what, count(there), count(here));
  };
  std::string bytes(zip::kLocalBytes, '\0');
  reader_.read(listed.local, bytes.data(), bytes.size());
  const auto flags = read_little<uint16_t>(bytes.data() + 6);
  const size_t name_bytes = read_little<uint16_t>(bytes.data() + 26),
               extra_bytes = read_little<uint16_t>(bytes.data() + 28);
  differs("method", read_little<uint16_t>(bytes.data() + 8), listed.method);
  differs("encryption", flags & kEncrypted, listed.flags & kEncrypted);
  differs("bytes of a name", name_bytes, listed.name.size());
  uint64_t packed = read_little<uint32_t>(bytes.data() + 18),
           whole = read_little<uint32_t>(bytes.data() + 22);
  const uint32_t checksum = read_little<uint32_t>(bytes.data() + 14);
  const bool wide = packed == UINT32_MAX || whole == UINT32_MAX;
  std::string behind(name_bytes + (wide ? extra_bytes : 0), '\0');
  reader_.read(listed.local + zip::kLocalBytes, behind.data(), behind.size());
  if (behind.compare(0, name_bytes, listed.name) != 0) {
    fail_corrupt("tensor %s: at the member's beginning its name is %s",
                 shown_name(entry.name).c_str(), shown_name(behind.substr(0, name_bytes)).c_str());
  }
  // What was written to a pipe has its sizes behind its bytes, and zeros here.
  if ((flags & kSizesBehind) != 0) return;
  take_zip64(std::string_view(behind).substr(name_bytes), {&whole, &packed});
  differs("packed bytes", packed, entry.member.packed_bytes);
  differs("bytes", whole, entry.member.whole_bytes);
  differs("checksum", checksum, entry.member.checksum);
}

void NpzReader::read_npy(Entry* entry) {
  const uint64_t whole = entry->member.whole_bytes;
  if (!entry->refusal.empty()) return;
  MemberReader member(reader_, entry->member, entry->offset, entry->name.c_str());
  constexpr size_t kFixed = 12;
  std::vector<unsigned char> bytes(static_cast<size_t>(std::min<uint64_t>(whole, kFixed)));
  // What is wrong with a header, with the name of the tensor.
  const auto named = [&](auto parse) {
    try {
      return parse();
    } catch (const Error& error) {
      throw Error(error.status(), "tensor " + shown_name(entry->name) + ": " + error.message(), 0);
    }
  };
  member.read(bytes.data(), bytes.size());
  const size_t size = named([&] { return npy::header_size(bytes.data(), bytes.size(), whole); });
  npy_headers_ += size;
  if (npy_headers_ > kNpyHeadersMost) {
    fail_corrupt("the headers of the arrays have more than %llu bytes", count(kNpyHeadersMost));
  }
  const size_t there = bytes.size();
  bytes.resize(std::max(size, there));
  member.read(bytes.data() + there, bytes.size() - there);
  const npy::Header header =
      named([&] { return npy::parse_any(bytes.data(), bytes.size(), whole); });
  entry->type = header.type;
  entry->dtype = header.dtype;
  entry->shape.assign(header.shape, header.shape + header.rank);
  entry->bytes = header.data_bytes;
  entry->block_bytes = header.dtype == 0 ? 0 : dtype_size(header.dtype);
  entry->fortran_order = header.fortran_order;
  entry->swap_bytes = header.swap_bytes;
  entry->member.before = header.data_offset;
  if (!entry->member.deflated) entry->offset += header.data_offset;
}

}  // namespace

void read_npz(File* file) { NpzReader(file).read(); }

}  // namespace netcl::weights
