// Tiles of a transposition on the built-in device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/layout.hpp"

namespace netcl::cpu {
class ThreadPool;
}

namespace netcl::ops {

// y[at(to, b) + p * y_stride + q] = x[at(from, b) + q * x_stride + p] for all b, p and q.
struct TransposePlan {
  const void* x = nullptr;  // of the memory; offsets are in the layouts
  void* y = nullptr;
  Layout from;  // of the other dimensions
  Layout to;
  int64_t batches;
  int64_t p_extent;
  int64_t q_extent;
  int64_t x_stride;
  int64_t y_stride;
  size_t size;  // of an element
};
void transpose_natively(const TransposePlan& plan, netcl::cpu::ThreadPool& threads);

}  // namespace netcl::ops
