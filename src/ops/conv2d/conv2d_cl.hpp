// How conv2d_on_device works inside: shared by its files.
#pragma once

#include <string>

#include "core/integer.hpp"
#include "ops/conv2d/conv2d.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops::conv2d_cl {

// The second and third dimension of a launch: some drivers take no more groups there.
constexpr int64_t kGroupsMost = 65535;

// A convolution on its way to a device: its layouts may be folded into simpler ones.
struct Plan {
  Plan(const Conv2dProblem& what, const Run& how);

  const Conv2dProblem& p;
  const Run& run;
  Layout x;
  Layout w;
  Layout y;
  Layout residual;

  netcl_dtype dtype() const { return p.x.dtype(); }
  int64_t element() const { return p.compute_dtype == NETCL_F64 ? 8 : 4; }
  int64_t units() const;
  int64_t out_height() const { return y.shape[2]; }
  int64_t out_width() const { return y.shape[3]; }

  // Rows that follow each other without gaps, under a filter of one element, become one row. False
  // where there are none, or another filter, strides or padding.
  bool fold_rows();
  // Of folded rows: images that follow each other without gaps become one, as they do where
  // channels are innermost.
  void fold_images();
  // Build options: types and what follows the sums, or nothing does.
  std::string flags(bool epilogue = true) const;
  // x, w, y, their layouts and the parameters.
  void add_tensors(Arguments* arguments) const;
  void add_epilogue(Arguments* arguments) const { add_epilogue(residual, arguments); }
  void add_epilogue(const Layout& residual_at, Arguments* arguments) const;
  // A number of compute_dtype.
  void add_real(double value, Arguments* arguments) const;
};

// What a call may take for itself: no more than a sixteenth of the device's memory.
int64_t room_for(const Plan& plan, int64_t wanted);

void run_naive(const Plan& plan);

void run_implicit_gemm(Plan& plan);
void run_tiled(Plan& plan);
void run_winograd(Plan& plan);
void run_im2col(Plan& plan);
// False where the driver builds no kernel for it.
bool run_units(Plan& plan);

}  // namespace netcl::ops::conv2d_cl
