#include "core/hash.hpp"

// Inlined, so that no xxHash symbol is exported or taken from the host's copy of that library.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace netcl {

static Hash128 hash_from(const XXH128_hash_t& value) noexcept {
  return Hash128{value.low64, value.high64};
}

Hash128 hash128(const void* data, size_t size) noexcept {
  return hash_from(XXH3_128bits(data, size));
}

Hash128 hash128(std::string_view first, std::string_view second) noexcept {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, first.data(), first.size());
  XXH3_128bits_update(&state, second.data(), second.size());
  return hash_from(XXH3_128bits_digest(&state));
}

std::string hex_text(const Hash128& hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(32, '0');
  for (int i = 0; i < 16; ++i) {
    text[static_cast<size_t>(15 - i)] = kDigits[(hash.high >> (4 * i)) & 15];
    text[static_cast<size_t>(31 - i)] = kDigits[(hash.low >> (4 * i)) & 15];
  }
  return text;
}

}  // namespace netcl
