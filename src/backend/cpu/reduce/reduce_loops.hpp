// Reductions by the built-in loops.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

// A reduction in the form that loops and kernels take.
struct ReduceTask {
  netcl_reduction kind = 0;
  bool select_last = false;
  netcl_variant variant =
      0;               // as asked for, 0: by the rules; for the loops the one that was chosen
  int64_t pieces = 1;  // of each output's elements, reduced on their own and then joined in order

  // What is accumulated: f32, f64, i32 or i64; for the extremes also u32, u64 and bool, for ANY and
  // ALL bool. Sums of integers wrap around, so their sign does not matter.
  netcl_dtype dtype = 0;
  netcl_dtype x_dtype = 0;
  netcl_dtype out_dtype = 0;
  // Where outputs begin in x and where they go to, in one order of the dimensions, and where the
  // elements of one lie from its begin on.
  Layout kept;
  Layout out;
  Layout reduced;
  int64_t outputs = 1;
  int64_t count = 1;

  const void* x_data = nullptr;  // what follows is for the loops
  void* out_data = nullptr;
};

// The bits of the results do not depend on the number of threads.
void reduce(const ReduceTask& task, ThreadPool& pool);

}  // namespace netcl::cpu
