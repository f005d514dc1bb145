// Batch normalisation on OpenCL devices: statistics of the batch (training), coefficients of each
// channel, and one or two passes over the elements.
#include <algorithm>

#include "ops/rows/batchnorm_plan.hpp"

namespace netcl::ops {

namespace {

constexpr int64_t kGroups = 1024;  // that occupy a device

// One side of a pass: the tensor, or the numbers between two passes.
struct Side {
  Access use;
  Layout outer;
  int64_t step;
  bool real;
};

// `count` places that are `step` apart.
Layout run_layout(int64_t count, int64_t step) {
  Layout layout;
  layout.rank = 1;
  layout.shape[0] = count;
  layout.strides[0] = step;
  return layout;
}

class DevicePass {
 public:
  DevicePass(const BatchnormPlan& plan, const Run& run)
      : plan_(plan),
        run_(run),
        dtype_(plan.x.dtype()),
        real_(dtype_ == NETCL_F64 ? 8 : 4),
        wide_groups_(run.device().capabilities().max_work_group_size >= 256) {}

  void run() {
    coefficients_ = new_memory(static_cast<uint64_t>(2 * plan_.channels) * real_, run_);
    if (plan_.settings.training) take_statistics();
    make_coefficients();
    const Side in{reading(plan_.x), plan_.x_outer, plan_.x_step, false};
    const Side out{writing(*plan_.y), plan_.y_outer, plan_.y_step, false};
    if (plan_.fused) return apply(3, in, out, run_);
    if (!plan_.activates()) return apply(1, in, out, run_);
    if (dtype_ == NETCL_F32 || dtype_ == NETCL_F64) {
      apply(1, in, out, run_.without_event());
      return apply(2, out, out, run_);
    }
    // 16-bit results are rounded once, so what is between the passes keeps its digits.
    const auto count = static_cast<uint64_t>(plan_.positions * plan_.channels);
    const BufferRef numbers = new_memory(count * real_, run_);
    const Side between{writing(*numbers), run_layout(plan_.planes(), plan_.channels * plan_.length),
                       plan_.length, true};
    apply(1, in, between, run_.without_event());
    apply(2, between, out, run_);
  }

 private:
  std::string common_flags() const {
    return format("-DNETCL_ACTIVATION_ACC=%s -DPLANE=%d", dtype_ == NETCL_F64 ? "double" : "float",
                  plan_.plane ? 1 : 0);
  }
  size_t index_bytes() const { return plan_.positions * plan_.channels < (1 << 30) ? 4 : 8; }
  std::string index_flag() const {
    return format(" -DX=%s -DINDEX=%s", dtype_facts(dtype_).name,
                  index_bytes() == 4 ? "uint" : "ulong");
  }

  // Whether four neighbours can be read at once on both sides.
  bool aligned(const Side& side) const {
    if (side.real || dtype_size(dtype_) < 4 || side.outer.offset % 4 != 0) return false;
    if (plan_.plane ? side.step % 4 != 0 || plan_.length % 4 != 0
                    : side.step != 1 || plan_.channels % 4 != 0) {
      return false;
    }
    for (uint32_t d = 0; d < side.outer.rank; ++d) {
      if (side.outer.strides[d] % 4 != 0) return false;
    }
    return true;
  }

  void take_statistics() {
    // What one group of the first dimension covers, and how many slices make enough.
    const int64_t blocks = ceil_div(plan_.channels, plan_.plane ? 1 : 32);
    const Side in{reading(plan_.x), plan_.x_outer, plan_.x_step, false};
    const int wide = plan_.plane && aligned(in) ? 4 : 1;
    const int64_t total = plan_.positions / wide;
    slices_ = std::clamp<int64_t>(ceil_div(kGroups, blocks), 1,
                                  ceil_div(total, plan_.plane ? 4096 : 256));
    const int64_t slice_size = ceil_div(total, slices_);
    partials_ = new_memory(static_cast<uint64_t>(plan_.channels * slices_ * 3) * real_, run_);
    const uint64_t lanes = wide_groups_ ? 256 : 32;
    KernelCall call{"batchnorm.cl", "netcl_batchnorm_statistics",
                    common_flags() + " -DSTATISTICS=1" + index_flag() +
                        format(" -DWIDE=%d -DLANES=%d -DROWS=1", wide, static_cast<int>(lanes))};
    call.local[0] = lanes;
    call.global[0] = static_cast<uint64_t>(blocks * slices_) * call.local[0];
    Arguments arguments;
    arguments.memory(in.use.read());
    arguments.layout(in.outer);
    arguments.scalar(in.step);
    arguments.scalar(plan_.plane ? plan_.length : plan_.channels);
    arguments.integer(total, index_bytes());
    arguments.integer(slice_size, index_bytes());
    arguments.scalar(static_cast<int32_t>(slices_));
    arguments.memory(writing(*partials_));
    enqueue_kernel(call, arguments, run_.without_event());
  }

  void make_coefficients() {
    const bool training = plan_.settings.training;
    KernelCall call{"batchnorm_channels.cl",
                    training ? "netcl_batchnorm_combine" : "netcl_batchnorm_coefficients",
                    format("-DX=%s", dtype_facts(dtype_).name)};
    Arguments arguments;
    arguments.memory(writing(*coefficients_));
    arguments.scalar(plan_.channels);
    add_real(plan_.settings.epsilon, dtype_, &arguments);
    const auto add = [&](const ChannelValues& values, const char* name, bool write) {
      if (values.tensor == nullptr) return;
      call.flags += format(" -D%s=%s", name, dtype_facts(values.tensor->dtype()).name);
      arguments.memory(access_to(values.tensor, write));
      arguments.scalar(values.at);
      arguments.scalar(values.step);
    };
    add(plan_.mean, "M", training);
    add(plan_.variance, "V", training);
    add(plan_.scale, "S", false);
    add(plan_.bias, "B", false);
    if (training) {
      arguments.memory(reading(*partials_));
      arguments.scalar(slices_);
      add_real(plan_.settings.momentum, dtype_, &arguments);
    }
    call.local[0] = 64;
    call.global[0] = static_cast<uint64_t>(ceil_div(plan_.channels, 64)) * 64;
    enqueue_kernel(call, arguments, run_.without_event());
  }

  void apply(int pass, const Side& in, const Side& out, const Run& run) {
    KernelCall call{
        "batchnorm.cl",
        pass == 1   ? "netcl_batchnorm_naive"
        : pass == 2 ? "netcl_batchnorm_naive_activate"
                    : "netcl_batchnorm_fused",
        common_flags() + format(" -DSTATISTICS=0 -DPASS=%d -DNETCL_ACTIVATION=%d -DIN_REAL=%d "
                                "-DOUT_REAL=%d",
                                pass, pass == 1 ? 0 : plan_.settings.activation, in.real ? 1 : 0,
                                out.real ? 1 : 0)};
    Arguments arguments;
    arguments.memory(in.use.read());
    arguments.layout(in.outer);
    arguments.scalar(in.step);
    arguments.memory(out.use);
    arguments.layout(out.outer);
    arguments.scalar(out.step);
    arguments.memory(reading(*coefficients_));
    add_real(plan_.settings.alpha, dtype_, &arguments);
    add_real(plan_.settings.beta, dtype_, &arguments);
    arguments.scalar(plan_.channels);
    arguments.scalar(plan_.plane ? plan_.length : plan_.positions);
    shape(in, out, &call, &arguments);
    enqueue_kernel(call, arguments, run);
  }

  void shape(const Side& in, const Side& out, KernelCall* call, Arguments* arguments) {
    const int wide = aligned(in) && aligned(out) ? 4 : 1;
    const bool small = plan_.length <= 512;
    const int lanes = small || !wide_groups_ ? 32 : 256;
    const int rows = small && wide_groups_ ? 8 : 1;
    call->flags += index_flag() + format(" -DWIDE=%d -DLANES=%d -DROWS=%d", wide, lanes, rows);
    if (!plan_.plane) {
      call->local[0] = wide_groups_ ? 256 : 32;
      const auto units = static_cast<uint64_t>(plan_.positions * (plan_.channels / wide));
      call->global[0] = (units + call->local[0] - 1) / call->local[0] * call->local[0];
      return;
    }
    const int64_t piece = lanes * 16;
    const int64_t pieces = ceil_div(plan_.length, piece);
    const int64_t units = plan_.planes() * plan_.channels * pieces;
    arguments->scalar(pieces);
    arguments->scalar(piece);
    arguments->scalar(units);
    call->local[0] = static_cast<uint64_t>(lanes * rows);
    call->global[0] = static_cast<uint64_t>(ceil_div(units, rows)) * call->local[0];
  }

  const BatchnormPlan& plan_;
  const Run& run_;
  const netcl_dtype dtype_;
  const size_t real_;
  const bool wide_groups_;
  BufferRef coefficients_;
  BufferRef partials_;
  int64_t slices_ = 1;
};

}  // namespace

void batchnorm_on_device(const BatchnormPlan& plan, const Run& run) { DevicePass(plan, run).run(); }

}  // namespace netcl::ops
