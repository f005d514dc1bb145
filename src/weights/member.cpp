#include "weights/member.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

#include "core/error.hpp"

namespace netcl::weights {

namespace {

constexpr size_t kPackedPiece = size_t{1} << 16;
constexpr size_t kSkipPiece = size_t{1} << 16;

}  // namespace

uint32_t add_checksum(uint32_t sum, const void* data, size_t size) noexcept {
  return static_cast<uint32_t>(::crc32_z(sum, static_cast<const unsigned char*>(data), size));
}

struct MemberReader::Inflation {
  z_stream stream{};
  bool begun = false;
  bool ended = false;
  std::vector<unsigned char> packed = std::vector<unsigned char>(kPackedPiece);

  Inflation() {
    // Negative: the bytes have no header of zlib, as in an archive.
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    begun = true;
  }
  ~Inflation() {
    if (begun) ::inflateEnd(&stream);
  }
};

MemberReader::MemberReader(const FileReader& file, const Member& member, uint64_t offset,
                           const char* name)
    : file_(file),
      member_(member),
      name_(name),
      next_(offset),
      packed_left_(member.packed_bytes),
      inflation_(member.deflated ? std::make_unique<Inflation>() : nullptr) {}

MemberReader::~MemberReader() = default;

void MemberReader::fail_damaged(const char* why) const {
  fail_corrupt("tensor %s is damaged: %s", shown_name(name_).c_str(), why);
}

// Gives as many bytes as there are, up to `size`: at least one, or the stream ends.
size_t MemberReader::inflate(unsigned char* data, size_t size) {
  z_stream& stream = inflation_->stream;
  const auto room = static_cast<uInt>(std::min<size_t>(size, size_t{1} << 30));
  stream.next_out = data;
  stream.avail_out = room;
  while (stream.avail_out == room && !inflation_->ended) {
    if (stream.avail_in == 0 && packed_left_ > 0) {
      const auto piece = static_cast<size_t>(std::min<uint64_t>(packed_left_, kPackedPiece));
      file_.read(next_, inflation_->packed.data(), piece);
      next_ += piece;
      packed_left_ -= piece;
      stream.next_in = inflation_->packed.data();
      stream.avail_in = static_cast<uInt>(piece);
    }
    const int result = ::inflate(&stream, Z_NO_FLUSH);
    inflation_->ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result == Z_BUF_ERROR) fail_damaged("its deflated bytes are cut short");
    if (result != Z_OK && result != Z_STREAM_END) {
      fail_damaged(stream.msg != nullptr ? stream.msg : "its bytes are not deflated");
    }
  }
  return room - stream.avail_out;
}

void MemberReader::read(void* data, size_t size) {
  auto* const bytes = static_cast<unsigned char*>(data);
  if (inflation_ != nullptr) {
    for (size_t made = 0; made < size;) {
      const size_t more = inflate(bytes + made, size - made);
      if (more == 0) fail_damaged("its deflated bytes end too early");
      made += more;
    }
  } else {
    if (size > packed_left_) fail_damaged("it ends too early");
    file_.read(next_, bytes, size);
    next_ += size;
    packed_left_ -= size;
  }
  checksum_ = add_checksum(checksum_, bytes, size);
}

void MemberReader::skip(uint64_t size) {
  std::vector<unsigned char> dropped(static_cast<size_t>(std::min<uint64_t>(size, kSkipPiece)));
  for (; size > 0; size -= std::min<uint64_t>(size, kSkipPiece)) {
    read(dropped.data(), static_cast<size_t>(std::min<uint64_t>(size, kSkipPiece)));
  }
}

void MemberReader::finish() {
  unsigned char more = 0;
  // The end of the last block may come behind the last byte.
  if (inflation_ != nullptr && inflate(&more, 1) != 0) {
    fail_damaged("it has more bytes than the file says");
  }
  if (checksum_ != member_.checksum) {
    fail(NETCL_ERROR_CORRUPT_DATA,
         "tensor %s is damaged: its checksum is %08x, and %08x of the bytes that are there",
         shown_name(name_).c_str(), member_.checksum, checksum_);
  }
}

}  // namespace netcl::weights
