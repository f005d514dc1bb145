// A reduction in the form that its kernels take.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct ReducePlan {
  netcl_reduction kind = 0;
  bool select_last = false;
  netcl_variant variant = 0;  // as asked for; 0: by the rules
  netcl_dtype x_dtype = 0;
  // What is accumulated: f32, f64, i32 or i64; for extremes also u32, u64 and bool; for ANY and ALL
  // bool. Sums of integers wrap around, so their sign does not matter.
  netcl_dtype dtype = 0;
  netcl_dtype out_dtype = 0;
  // Where outputs begin in x and where they go to, in one order of the dimensions, and where the
  // elements of one lie from its begin on.
  Layout kept;
  Layout out;
  Layout reduced;
  int64_t outputs = 1;
  int64_t count = 1;
};

// Enqueues the kernels of a plan with at least one output and one element each.
void launch_reduce(const ReducePlan& plan, const Tensor& x, const Tensor& out, const Run& run);

}  // namespace netcl::ops
