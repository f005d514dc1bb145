// Places of values in blocks of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
// Inference", 2020; and other orders, of which the least counts.
std::vector<uint64_t> place_values(std::vector<Lifetime>* values, uint64_t alignment,
                                   uint64_t most);

// The most bytes that are needed at one time.
uint64_t most_live(const std::vector<Lifetime>& values);

}  // namespace netcl::graph
