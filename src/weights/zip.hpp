// Sizes and numbers of the records of a ZIP archive, which readers and writers share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace netcl::weights::zip {

inline constexpr size_t kLocalBytes = 30;
inline constexpr size_t kCentralBytes = 46;
inline constexpr size_t kEndBytes = 22;
inline constexpr size_t kLocatorBytes = 20;
inline constexpr size_t kEnd64Bytes = 56;
inline constexpr uint16_t kZip64Id = 1;

}  // namespace netcl::weights::zip
