// Running sums, products and extremes along an axis by the built-in loops.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

// A scan along one line after the other, in the form that loops and kernels take.
struct ScanTask {
  netcl_reduction kind = 0;
  bool exclusive = false;
  netcl_dtype dtype = 0;    // of x and the result
  netcl_dtype compute = 0;  // f32, f64, i32, i64, and for extremes u32 and u64
  // Where lines begin in x and in the result, in one order of the dimensions; the elements of a
  // line are a stride apart from there on.
  Layout x_lines;
  Layout out_lines;
  int64_t x_stride = 1;
  int64_t out_stride = 1;
  int64_t lines = 1;
  int64_t count = 1;

  const void* x_data = nullptr;  // what follows is for the loops
  void* out_data = nullptr;
};

// The bits of the results do not depend on the number of threads.
void scan(const ScanTask& task, ThreadPool& pool);

}  // namespace netcl::cpu
