// Convolutions on OpenCL devices: what all variants share, and the plain one.
#include "ops/conv2d/conv2d_cl.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl::ops {
namespace conv2d_cl {

Plan::Plan(const Conv2dProblem& what, const Run& how)
    : p(what),
      run(how),
      x(what.x.layout()),
      w(what.w.layout()),
      y(what.result.layout()),
      residual(what.residual != nullptr ? what.residual->layout() : what.result.layout()) {}

int64_t Plan::units() const {
  return std::max<int64_t>(run.device().capabilities().compute_units, 1);
}

bool Plan::fold_rows() {
  const bool plain = p.kernel[0] == 1 && p.kernel[1] == 1 && p.strides[0] == 1 &&
                     p.strides[1] == 1 &&
                     std::all_of(p.padding, p.padding + 4, [](int64_t pad) { return pad == 0; });
  if (!plain) return false;
  for (const Layout* layout : {&x, &y, &residual}) {
    if (layout->strides[2] != layout->shape[3] * layout->strides[3]) return false;
  }
  for (Layout* layout : {&x, &y, &residual}) {
    layout->shape[3] *= layout->shape[2];
    layout->shape[2] = 1;
    layout->strides[2] = layout->shape[3] * layout->strides[3];
  }
  return true;
}

void Plan::fold_images() {
  for (const Layout* layout : {&x, &y, &residual}) {
    if (layout->strides[0] != layout->shape[3] * layout->strides[3]) return;
  }
  for (Layout* layout : {&x, &y, &residual}) {
    layout->shape[3] *= layout->shape[0];
    layout->shape[0] = 1;
  }
}

std::string Plan::flags(bool epilogue) const {
  const char* const type = element() == 8 ? "double" : "float";
  const char* const name = dtype_facts(dtype()).name;
  const bool shift = epilogue && p.shift != nullptr;
  return format(
      "-DX=%s -DNETCL_T=%s -DNETCL_ACTIVATION_ACC=%s -DNETCL_SHIFT_TYPE=%s -DNETCL_SHIFT=%d "
      "-DNETCL_SCALE=%d -DNETCL_RESIDUAL=%d -DNETCL_ACTIVATION=%d",
      name, type, type, shift ? dtype_facts(p.shift->dtype()).name : name, shift ? 1 : 0,
      epilogue && p.scale != nullptr ? 1 : 0, epilogue && p.residual != nullptr ? 1 : 0,
      epilogue ? p.activation : 0);
}

void Plan::add_tensors(Arguments* arguments) const {
  arguments->memory(reading(p.x));
  arguments->layout(x);
  arguments->memory(reading(p.w));
  arguments->layout(w);
  arguments->memory(writing(p.result));
  arguments->layout(y);
  for (const int64_t value :
       {p.strides[0], p.strides[1], p.dilations[0], p.dilations[1], p.padding[0], p.padding[1]}) {
    arguments->scalar(value);
  }
}

void Plan::add_epilogue(const Layout& residual_at, Arguments* arguments) const {
  arguments->memory(p.scale != nullptr ? p.scale->memory() : nullptr, false);
  arguments->scalar(p.scale != nullptr ? p.scale->layout().offset : int64_t{0});
  arguments->memory(p.shift != nullptr ? p.shift->memory() : nullptr, false);
  arguments->scalar(p.shift != nullptr ? p.shift->layout().offset : int64_t{0});
  arguments->scalar(p.shift != nullptr ? p.shift->layout().strides[0] : int64_t{0});
  arguments->memory(p.residual != nullptr ? p.residual->memory() : nullptr, false);
  arguments->layout(residual_at);
  add_real(p.alpha, arguments);
  add_real(p.beta, arguments);
}

void Plan::add_real(double value, Arguments* arguments) const {
  if (element() == 8) {
    arguments->scalar(value);
  } else {
    arguments->scalar(static_cast<float>(value));
  }
}

int64_t room_for(const Plan& plan, int64_t wanted) {
  const uint64_t part = plan.run.device().capabilities().global_memory_bytes / 16;
  return static_cast<int64_t>(std::min(static_cast<uint64_t>(wanted), part));
}

void run_naive(const Plan& plan) {
  KernelCall call{.file = "conv2d_naive.cl", .kernel = "netcl_conv2d_naive", .flags = plan.flags()};
  const uint64_t local =
      std::clamp<uint64_t>(plan.run.device().capabilities().max_work_group_size, 1, 128);
  call.local[0] = local;
  call.global[0] =
      static_cast<uint64_t>(round_up(plan.p.result.element_count(), static_cast<int64_t>(local)));
  Arguments arguments;
  plan.add_tensors(&arguments);
  plan.add_epilogue(&arguments);
  enqueue_kernel(call, arguments, plan.run);
}

}  // namespace conv2d_cl

void conv2d_on_device(const Conv2dProblem& problem, const Run& run) {
  using namespace conv2d_cl;
  Plan plan(problem, run);
  // Without products there is nothing to tile, and x and w have no memory.
  const netcl_variant variant =
      problem.depth() == 0 ? NETCL_VARIANT_CONV2D_NAIVE : problem.config.variant;
  switch (variant) {
    // What the rules chose and the driver does not build has a portable stand-in; what was asked
    // for has none.
    case NETCL_VARIANT_CONV2D_MATRIX_UNITS:
      if (!run_units(plan)) run_implicit_gemm(plan);
      return;
    case NETCL_VARIANT_CONV2D_IM2COL:
      return run_im2col(plan);
    case NETCL_VARIANT_CONV2D_IMPLICIT_GEMM:
      return run_implicit_gemm(plan);
    case NETCL_VARIANT_CONV2D_TILED_LOCAL:
      return run_tiled(plan);
    case NETCL_VARIANT_CONV2D_WINOGRAD:
      return run_winograd(plan);
    default:
      return run_naive(plan);
  }
}

}  // namespace netcl::ops
