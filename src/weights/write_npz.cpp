#include <string>
#include <vector>

#include "core/file.hpp"
#include "tensor/npy.hpp"
#include "weights/member.hpp"
#include "weights/write.hpp"
#include "weights/zip.hpp"

namespace netcl::weights {

namespace {

// Where elements begin: the headers of arrays have a multiple of this.
constexpr uint64_t kElementAlignment = 64;
// What fills the place up to there in front of an array: an extra field, of the alignment and zeros
// (of zipalign).
constexpr uint16_t kAlignmentId = 0xd935;
constexpr uint16_t kVersion = 20, kVersion64 = 45;
constexpr uint16_t kUtf8Name = 1 << 11;
constexpr uint16_t kFirstDay = 1 << 5 | 1;  // of 1980: files with the same tensors are the same

template <class T>
void add_little(T value, std::string* out) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    *out += static_cast<char>(static_cast<uint64_t>(value) >> 8 * i);
  }
}

struct Placed {
  std::string name;
  uint64_t bytes = 0;  // of the member
  uint64_t local = 0;
  uint32_t checksum = 0;

  bool wide() const noexcept { return bytes >= UINT32_MAX; }
};

// What a member's records have in common, from the version on.
void add_facts(const Placed& member, bool wide, std::string* out) {
  bool ascii = true;
  for (const char c : member.name) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  add_little(wide ? kVersion64 : kVersion, out);
  add_little(ascii ? uint16_t{0} : kUtf8Name, out);
  add_little(uint16_t{0}, out);  // stored
  add_little(uint16_t{0}, out);  // at midnight
  add_little(kFirstDay, out);
  add_little(member.checksum, out);
  for (int i = 0; i < 2; ++i) {
    add_little(member.wide() ? UINT32_MAX : static_cast<uint32_t>(member.bytes), out);
  }
  add_little(static_cast<uint16_t>(member.name.size()), out);
}

std::string local_record(const Placed& member) {
  std::string extra;
  if (member.wide()) {
    add_little(zip::kZip64Id, &extra);
    add_little(uint16_t{16}, &extra);
    for (int i = 0; i < 2; ++i) add_little(member.bytes, &extra);
  }
  const uint64_t before = member.local + zip::kLocalBytes + member.name.size() + extra.size() + 6;
  const auto zeros =
      static_cast<size_t>((kElementAlignment - before % kElementAlignment) % kElementAlignment);
  add_little(kAlignmentId, &extra);
  add_little(static_cast<uint16_t>(2 + zeros), &extra);
  add_little(static_cast<uint16_t>(kElementAlignment), &extra);
  extra.append(zeros, '\0');
  std::string out = "PK\3\4";
  add_facts(member, member.wide(), &out);
  add_little(static_cast<uint16_t>(extra.size()), &out);
  return out + member.name + extra;
}

void add_central_record(const Placed& member, std::string* out) {
  std::string values;
  const bool far = member.local >= UINT32_MAX;
  if (member.wide()) {
    for (int i = 0; i < 2; ++i) add_little(member.bytes, &values);
  }
  if (far) add_little(member.local, &values);
  *out += "PK\1\2";
  add_little(kVersion64, out);
  add_facts(member, !values.empty(), out);
  add_little(static_cast<uint16_t>(values.empty() ? 0 : values.size() + 4), out);
  out->append(2 + 2 + 2, '\0');  // no comment, in this file, no text
  add_little(uint32_t{0600} << 16, out);
  add_little(far ? UINT32_MAX : static_cast<uint32_t>(member.local), out);
  *out += member.name;
  if (!values.empty()) {
    add_little(zip::kZip64Id, out);
    add_little(static_cast<uint16_t>(values.size()), out);
    *out += values;
  }
}

// The list of members and the records that end an archive.
std::string archive_end(const std::vector<Placed>& members, uint64_t at) {
  std::string out;
  for (const Placed& member : members) add_central_record(member, &out);
  const uint64_t bytes = out.size(), number = members.size();
  if (number >= UINT16_MAX || bytes >= UINT32_MAX || at >= UINT32_MAX) {
    out += "PK\6\6";
    add_little(uint64_t{zip::kEnd64Bytes - 12}, &out);
    add_little(kVersion64, &out);
    add_little(kVersion64, &out);
    add_little(uint64_t{0}, &out);  // in this file
    for (int i = 0; i < 2; ++i) add_little(number, &out);
    add_little(bytes, &out);
    add_little(at, &out);
    out += "PK\6\7";
    add_little(uint32_t{0}, &out);
    add_little(at + bytes, &out);
    add_little(uint32_t{1}, &out);
  }
  out += "PK\5\6";
  add_little(uint32_t{0}, &out);
  for (int i = 0; i < 2; ++i) {
    add_little(number < UINT16_MAX ? static_cast<uint16_t>(number) : uint16_t{UINT16_MAX}, &out);
  }
  add_little(bytes < UINT32_MAX ? static_cast<uint32_t>(bytes) : UINT32_MAX, &out);
  add_little(at < UINT32_MAX ? static_cast<uint32_t>(at) : UINT32_MAX, &out);
  add_little(uint16_t{0}, &out);
  return out;
}

}  // namespace

void write_npz(const char* path, std::span<const Saved> tensors, GiveElements give) {
  FileWriter file(path);
  std::vector<Placed> members;
  uint64_t at = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Saved& tensor = tensors[i];
    const std::string header = npy::write_header(tensor.dtype, tensor.rank, tensor.shape);
    Placed& member = members.emplace_back();
    member.name = std::string(tensor.name) + ".npy";
    member.bytes = header.size() + tensor.bytes;
    member.local = at;
    std::string record = local_record(member);
    file.append(record.data(), record.size());
    file.append(header.data(), header.size());
    member.checksum = add_checksum(0, header.data(), header.size());
    give(i, [&](unsigned char* data, size_t size) {
      member.checksum = add_checksum(member.checksum, data, size);
      file.append(data, size);
    });
    // The checksum stands in front of what it is of.
    record = local_record(member);
    file.replace(at, record);
    at += record.size() + member.bytes;
  }
  const std::string end = archive_end(members, at);
  file.append(end.data(), end.size());
  file.commit();
}

}  // namespace netcl::weights
