// Messages between a process and its worker: JSON and the bytes that go with it, one after the
// other on a socket. Neither side trusts the other to be sound: a candidate kernel may have
// written anywhere in the worker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.hpp"

namespace netcl::tune {

struct Frame {
  Json json;
  std::string blob;
};

inline constexpr size_t kFrameHeaderBytes = 24;

// What stands in front of `json_bytes` of JSON and `blob_bytes` of other bytes.
std::string frame_header(uint64_t json_bytes, uint64_t blob_bytes);

// Puts frames together from pieces as they arrive. Memory grows with what has arrived and not with
// what a header promises.
class FrameReader {
 public:
  FrameReader(uint64_t json_most, uint64_t blob_most)
      : json_most_(json_most), blob_most_(blob_most) {}

  // Fails with CORRUPT_DATA when the bytes are no frames, or one is larger than it may be.
  void feed(std::string_view bytes);
  // The next complete frame. Fails with CORRUPT_DATA when its JSON is none, or is no object.
  std::optional<Frame> take();

 private:
  bool header();

  uint64_t json_most_;
  uint64_t blob_most_;
  std::string buffer_;
  bool known_ = false;  // the sizes of the frame at the front of the buffer
  uint64_t json_bytes_ = 0;
  uint64_t blob_bytes_ = 0;
};

}  // namespace netcl::tune
