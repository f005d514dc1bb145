// Any bytes as an entry of the program cache, and as the program inside one. What is accepted must
// be what the encoder would have written; a checksum stops nearly everything, so the payload is
// tried on its own as well.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "kernel/cache_entry.hpp"

static void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace netcl::kernel;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string reason;
  if (const auto entry = decode_entry(bytes, &reason)) {
    require(encode_entry(entry->key, entry->payload) == bytes, "an entry is not what it says");
    if (const auto program = deserialize(entry->payload)) {
      require(serialize(*program) == entry->payload, "a program is not what it says");
    }
  } else {
    require(!reason.empty(), "an entry is refused without a reason");
  }
  if (const auto program = deserialize(bytes)) {
    require(serialize(*program) == bytes, "a program is not what it says");
  }
  // The bytes split into a key and a payload must come back as they were.
  const size_t key_size = size == 0 ? 0 : data[0] % size;
  const std::string made = encode_entry(bytes.substr(0, key_size), bytes.substr(key_size));
  const auto again = decode_entry(made, &reason);
  require(again && again->key == bytes.substr(0, key_size) &&
              again->payload == bytes.substr(key_size), "an entry does not come back");
  return 0;
}
