// The .npy file format, versions 1 to 3: headers only. Elements are moved by whoever owns the
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "netcl.h"

namespace netcl::npy {

// Enough of a file's beginning for its header, whatever the header says.
inline constexpr size_t kHeaderBytesMax = 12 + 65536;

struct Header {
  netcl_dtype dtype = 0;
  std::string type;  // as the file writes it, in ASCII: "<f4"
  uint32_t rank = 0;
  int64_t shape[NETCL_RANK_MAX] = {};
  bool fortran_order = false;
  bool swap_bytes = false;  // elements are not in this machine's byte order
  size_t data_offset = 0;
  size_t data_bytes = 0;
};

// Reads the header of a file that is in memory as a whole. Fails with CORRUPT_DATA saying what is
// wrong (the data behind the header must be exactly as long as the shape needs) and with
// UNSUPPORTED for element types without a dtype and for ranks above NETCL_RANK_MAX.
Header parse(const void* data, size_t size);

// The same for a file of `file_size` bytes of which only the first `size` are in memory: all of it,
// or at least kHeaderBytesMax.
Header parse(const void* data, size_t size, uint64_t file_size);

// As parse, but dtype is 0 for element types without one; data_bytes is what there is then.
Header parse_any(const void* data, size_t size, uint64_t file_size);

// How many of the first bytes of a file there have to be for one of these: 12 are enough to tell.
// Fails with CORRUPT_DATA as parse does.
size_t header_size(const void* data, size_t size, uint64_t file_size);

// The bytes before the elements of a C-order array, as NumPy writes them: format 1.0, a multiple of
// 64 bytes long.
std::string write_header(netcl_dtype dtype, uint32_t rank, const int64_t* shape);

// Reverses the bytes of each of `count` elements of `size` bytes in place.
void swap_bytes(void* data, size_t count, size_t size) noexcept;

}  // namespace netcl::npy
