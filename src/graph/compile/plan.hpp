// Places of values in one block of memory.
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
  uint64_t offset = 0;  // where it was placed
};

// Places the values so that those needed at one time do not meet, each at a multiple of
// `alignment`; gives the bytes of the block. Largest first, each in the lowest gap that it fits:
// "Greedy by size" of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
// Inference", 2020.
uint64_t place_values(std::vector<Lifetime>* values, uint64_t alignment);

// The most bytes that are needed at one time.
uint64_t most_live(const std::vector<Lifetime>& values);

}  // namespace netcl::graph
