// Places of values in blocks of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/device.hpp"

namespace netcl::graph {

// A value that is needed from step `first` to step `last`, both included.
struct Lifetime {
  uint64_t bytes = 0;
  size_t first = 0;
  size_t last = 0;
  size_t block = 0;     // where it was placed
  uint64_t offset = 0;  // in the block
};

// Places the values so that those needed at one time do not meet, each at a multiple of
// `alignment`; gives the bytes of each block. One block does, unless it would have more than `most`
// bytes, which only one of a single value may have. Largest first, each in the lowest gap that it
// fits: "Greedy by size" of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
// Inference", 2020; and other orders, of which the least counts. Where all leave gaps at the step
// that needs the most memory, fit_values looks for places without.
std::vector<uint64_t> place_values(std::vector<Lifetime>* values, uint64_t alignment,
                                   uint64_t most);

// The most bytes that are needed at one time, where values take whole multiples of `alignment`.
uint64_t most_live(const std::vector<Lifetime>& values, uint64_t alignment = 1);

// Bytes in whole multiples.
constexpr uint64_t aligned(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// Where values may begin: as vectors of any type may, and as the device asks.
uint64_t value_alignment(const Device& device);

}  // namespace netcl::graph
