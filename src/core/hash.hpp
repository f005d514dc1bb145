// 128-bit hashes (XXH3-128): names of cache entries, checksums of what lies on disk, and keys of
// tables in memory. They guard against accidents; no decision of trust rests on one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace netcl {

struct Hash128 {
  uint64_t low = 0;
  uint64_t high = 0;

  friend bool operator==(const Hash128&, const Hash128&) = default;
};

Hash128 hash128(const void* data, size_t size) noexcept;
inline Hash128 hash128(std::string_view text) noexcept { return hash128(text.data(), text.size()); }

// The hash of two pieces as if they lay one after the other.
Hash128 hash128(std::string_view first, std::string_view second) noexcept;

// For tables in memory: texts by their characters, other keys by their bytes.
struct KeyHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return static_cast<size_t>(hash128(text).low); }
  template <class Key>
    requires(std::is_class_v<Key> && std::has_unique_object_representations_v<Key>)
  size_t operator()(const Key& key) const {
    return static_cast<size_t>(hash128(&key, sizeof key).low);
  }
};

// 32 lower-case hexadecimal digits, the most significant first.
std::string hex_text(const Hash128& hash);

}  // namespace netcl
