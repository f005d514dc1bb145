// Writes files of named tensors, replaced as a whole or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "core/function_ref.hpp"
#include "netcl.h"

namespace netcl::weights {

// A tensor that is to be written, packed in C order.
struct Saved {
  std::string_view name;
  netcl_dtype dtype;
  uint32_t rank;
  const int64_t* shape;
  uint64_t bytes;
};

// Takes the next bytes of a tensor, a multiple of its element's; it may change them.
using TakePiece = FunctionRef<void(unsigned char* data, size_t size)>;
// Gives all bytes of the tensor with this index.
using GiveElements = FunctionRef<void(size_t index, TakePiece take)>;
using MetadataPair = std::pair<std::string_view, std::string_view>;

// Names are distinct and metadata has each key once. INVALID_ARGUMENT where the header gets larger
// than the format allows.
void write_safetensors(const char* path, std::span<const Saved> tensors,
                       std::span<const MetadataPair> metadata, GiveElements give);
void write_npz(const char* path, std::span<const Saved> tensors, GiveElements give);

}  // namespace netcl::weights
