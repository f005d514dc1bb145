#include "tune/frame.hpp"

#include <cstring>

#include "core/error.hpp"

namespace netcl::tune {

namespace {

constexpr char kMagic[8] = {'n', 'e', 't', 'c', 'l', 'w', 'k', '1'};

}  // namespace

std::string frame_header(uint64_t json_bytes, uint64_t blob_bytes) {
  std::string header(kFrameHeaderBytes, '\0');
  std::memcpy(header.data(), kMagic, 8);
  // Both ends are on one machine, so the order of bytes is no matter.
  std::memcpy(header.data() + 8, &json_bytes, 8);
  std::memcpy(header.data() + 16, &blob_bytes, 8);
  return header;
}

// Looks at the header when it is there.
bool FrameReader::header() {
  if (known_) return true;
  const size_t seen = std::min(buffer_.size(), sizeof kMagic);
  if (std::memcmp(buffer_.data(), kMagic, seen) != 0) {
    fail(NETCL_ERROR_CORRUPT_DATA, "what arrived on the worker's socket is no message");
  }
  if (buffer_.size() < kFrameHeaderBytes) return false;
  std::memcpy(&json_bytes_, buffer_.data() + 8, 8);
  std::memcpy(&blob_bytes_, buffer_.data() + 16, 8);
  if (json_bytes_ > json_most_ || blob_bytes_ > blob_most_) {
    fail(NETCL_ERROR_CORRUPT_DATA,
         "a message on the worker's socket has %llu and %llu bytes; %llu and %llu are the most",
         static_cast<unsigned long long>(json_bytes_), static_cast<unsigned long long>(blob_bytes_),
         static_cast<unsigned long long>(json_most_), static_cast<unsigned long long>(blob_most_));
  }
  known_ = true;
  return true;
}

void FrameReader::feed(std::string_view bytes) {
  buffer_.append(bytes);
  (void)header();
}

std::optional<Frame> FrameReader::take() {
  if (!header()) return std::nullopt;
  const uint64_t arrived = buffer_.size() - kFrameHeaderBytes;
  if (arrived < json_bytes_ || arrived - json_bytes_ < blob_bytes_) return std::nullopt;
  const size_t json_end = kFrameHeaderBytes + static_cast<size_t>(json_bytes_);
  const size_t end = json_end + static_cast<size_t>(blob_bytes_);
  Frame frame;
  frame.json = parse_json({buffer_.data() + kFrameHeaderBytes, static_cast<size_t>(json_bytes_)},
                          "a message on the worker's socket");
  if (!frame.json.is_object()) {
    fail(NETCL_ERROR_CORRUPT_DATA, "a message on the worker's socket is no JSON object");
  }
  frame.blob.assign(buffer_, json_end, end - json_end);
  buffer_.erase(0, end);
  known_ = false;
  return frame;
}

}  // namespace netcl::tune
