// Reductions on the built-in device.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

struct ReduceJob {
  netcl_reduction kind = 0;
  bool select_last = false;
  netcl_variant variant = 0;
  int64_t pieces = 1;  // of each output's elements, reduced on their own and then joined in order

  // What is accumulated: f32, f64, i32 or i64; for the extremes also u32, u64 and bool, for ANY and
  // ALL bool.
  netcl_dtype dtype = 0;
  netcl_dtype x_dtype = 0;
  netcl_dtype out_dtype = 0;
  const void* x = nullptr;
  void* out = nullptr;
  // Where outputs begin in x, where they go to, and where the elements of one lie from its begin
  // on. `kept` and `out_layout` have one shape.
  Layout kept;
  Layout out_layout;
  Layout reduced;
  int64_t outputs = 1;
  int64_t count = 1;
};

// The bits of the results do not depend on the number of threads.
void reduce(const ReduceJob& job, ThreadPool& pool);

}  // namespace netcl::cpu
