// Batch normalisation on the built-in device: what is done once per channel, in double precision.
#include <cmath>
#include <vector>

#include "backend/cpu/element.hpp"
#include "backend/cpu/rows/batchnorm_loops.hpp"
#include "ops/rows/batchnorm_plan.hpp"

namespace netcl::ops {

namespace {

// ChannelValues as the command has them: `place` among its memory, which may be none.
struct Values {
  size_t place = 0;
  netcl_dtype dtype = NETCL_F32;
  int64_t at = 0;
  int64_t step = 0;
  bool given = false;

  Values(const ChannelValues& values, size_t which)
      : place(which), at(values.at), step(values.step), given(values.tensor != nullptr) {
    if (given) dtype = values.tensor->dtype();
  }
  double load(const NativeCall& call, int64_t channel) const {
    return netcl::cpu::with_float(dtype, [&](auto element) {
      using Element = decltype(element);
      const auto* const data = call.at<const typename Element::Storage>(place);
      return static_cast<double>(Element::load(data + at + channel * step));
    });
  }
  void store(const NativeCall& call, int64_t channel, double value) const {
    const int64_t index = at + channel * step;
    switch (dtype) {
      case NETCL_F16:
        call.at<uint16_t>(place)[index] = f16_from_f64(value);
        break;
      case NETCL_BF16:
        call.at<uint16_t>(place)[index] = bf16_from_f64(value);
        break;
      case NETCL_F32:
        call.at<float>(place)[index] = static_cast<float>(value);
        break;
      default:
        call.at<double>(place)[index] = value;
    }
  }
};

netcl::cpu::BatchnormTask make_task(const BatchnormPlan& plan) {
  netcl::cpu::BatchnormTask task;
  task.dtype = plan.x.dtype();
  task.channels = plan.channels;
  task.x_lines = plan.x_outer;
  task.y_lines = plan.y_outer;
  task.x_channel = plan.x_step;
  task.y_channel = plan.y_step;
  task.lines = plan.planes();
  task.length = plan.length;
  if (plan.plane) return task;
  if (plan.x_outer.rank == 0 || (plan.x_step == 1 && plan.y_step == 1)) {
    task.across = true;
    task.length = plan.channels;
    task.x_step = plan.x_step;
    task.y_step = plan.y_step;
    task.x_channel = task.y_channel = 0;
    return task;
  }
  // No neighbours either way: the last dimension of the positions makes the lines.
  const uint32_t last = --task.x_lines.rank;
  --task.y_lines.rank;
  task.length = plan.x_outer.shape[last];
  task.lines = plan.positions / task.length;
  task.x_step = plan.x_outer.strides[last];
  task.y_step = plan.y_outer.strides[last];
  return task;
}

// What the command does; y and x are the first two of its memory.
struct NativeBatchnorm {
  netcl::cpu::BatchnormTask task;
  Values mean;
  Values variance;
  Values scale;
  Values bias;
  netcl::cpu::BatchnormActivation activation;
  double momentum;
  double epsilon;
  bool training;

  void operator()(const NativeCall& call) const {
    netcl::cpu::BatchnormTask own = task;
    own.y_data = call.at<void>(0);
    own.x_data = call.at<void>(1);
    const auto channels = static_cast<size_t>(own.channels);
    std::vector<double> means(channels), variances(channels), a(channels), b(channels);
    if (training) {
      netcl::cpu::batchnorm_statistics(own, means.data(), variances.data(), call.threads);
    }
    for (size_t i = 0; i < channels; ++i) {
      const auto c = static_cast<int64_t>(i);
      const double old_mean = mean.load(call, c);
      const double old_variance = variance.load(call, c);
      if (training) {
        mean.store(call, c, old_mean * momentum + means[i] * (1 - momentum));
        variance.store(call, c, old_variance * momentum + variances[i] * (1 - momentum));
      } else {
        means[i] = old_mean;
        variances[i] = old_variance;
      }
      a[i] = (scale.given ? scale.load(call, c) : 1.0) / std::sqrt(variances[i] + epsilon);
      b[i] = (bias.given ? bias.load(call, c) : 0.0) - means[i] * a[i];
    }
    netcl::cpu::batchnorm_apply(own, a.data(), b.data(), activation, call.threads);
  }
};

}  // namespace

void batchnorm_natively(const BatchnormPlan& plan, const Run& run) {
  const BatchnormSettings& settings = plan.settings;
  const bool training = settings.training;
  enqueue_native({writing(*plan.y), reading(plan.x), access_to(plan.mean.tensor, training),
                  access_to(plan.variance.tensor, training), access_to(plan.scale.tensor, false),
                  access_to(plan.bias.tensor, false)},
                 run,
                 NativeBatchnorm{make_task(plan),
                                 Values(plan.mean, 2),
                                 Values(plan.variance, 3),
                                 Values(plan.scale, 4),
                                 Values(plan.bias, 5),
                                 {settings.activation, settings.alpha, settings.beta, plan.fused},
                                 settings.momentum,
                                 settings.epsilon,
                                 training});
}

}  // namespace netcl::ops
