// Batch normalisation on the built-in device: what is done once per channel, in double precision.
#include <cmath>
#include <vector>

#include "backend/cpu/element.hpp"
#include "backend/cpu/rows/batchnorm_loops.hpp"
#include "ops/rows/batchnorm_plan.hpp"

namespace netcl::ops {

namespace {

double load(const ChannelValues& values, int64_t channel) {
  return netcl::cpu::with_float(values.tensor->dtype(), [&](auto element) {
    using Element = decltype(element);
    const auto* data = host_memory<typename Element::Storage>(*values.tensor);
    return static_cast<double>(Element::load(data + values.at + channel * values.step));
  });
}

void store(const ChannelValues& values, int64_t channel, double value) {
  const int64_t at = values.at + channel * values.step;
  switch (values.tensor->dtype()) {
    case NETCL_F16:
      host_memory<uint16_t>(*values.tensor)[at] = f16_from_f64(value);
      break;
    case NETCL_BF16:
      host_memory<uint16_t>(*values.tensor)[at] = bf16_from_f64(value);
      break;
    case NETCL_F32:
      host_memory<float>(*values.tensor)[at] = static_cast<float>(value);
      break;
    default:
      host_memory<double>(*values.tensor)[at] = value;
  }
}

netcl::cpu::BatchnormTask make_task(const BatchnormJob& job) {
  netcl::cpu::BatchnormTask task;
  task.x_data = host_memory<void>(job.x);
  task.y_data = host_memory<void>(*job.y);
  task.dtype = job.x.dtype();
  task.channels = job.channels;
  task.x_lines = job.x_outer;
  task.y_lines = job.y_outer;
  task.x_channel = job.x_step;
  task.y_channel = job.y_step;
  task.lines = job.planes();
  task.length = job.length;
  if (job.plane) return task;
  if (job.x_outer.rank == 0 || (job.x_step == 1 && job.y_step == 1)) {
    task.across = true;
    task.length = job.channels;
    task.x_step = job.x_step;
    task.y_step = job.y_step;
    task.x_channel = task.y_channel = 0;
    return task;
  }
  // No neighbours either way: the last dimension of the positions makes the lines.
  const uint32_t last = --task.x_lines.rank;
  --task.y_lines.rank;
  task.length = job.x_outer.shape[last];
  task.lines = job.positions / task.length;
  task.x_step = job.x_outer.strides[last];
  task.y_step = job.y_outer.strides[last];
  return task;
}

void run_job(const BatchnormJob& job, netcl::cpu::ThreadPool& threads) {
  const BatchnormSettings& settings = job.settings;
  const netcl::cpu::BatchnormTask task = make_task(job);
  const auto channels = static_cast<size_t>(job.channels);
  std::vector<double> mean(channels), variance(channels), a(channels), b(channels);
  if (settings.training) {
    netcl::cpu::batchnorm_statistics(task, mean.data(), variance.data(), threads);
  }
  for (size_t i = 0; i < channels; ++i) {
    const auto c = static_cast<int64_t>(i);
    const double old_mean = load(job.mean, c);
    const double old_variance = load(job.variance, c);
    if (settings.training) {
      const double keep = settings.momentum;
      store(job.mean, c, old_mean * keep + mean[i] * (1 - keep));
      store(job.variance, c, old_variance * keep + variance[i] * (1 - keep));
    } else {
      mean[i] = old_mean;
      variance[i] = old_variance;
    }
    const double scale = job.scale.tensor != nullptr ? load(job.scale, c) : 1.0;
    const double bias = job.bias.tensor != nullptr ? load(job.bias, c) : 0.0;
    a[i] = scale / std::sqrt(variance[i] + settings.epsilon);
    b[i] = bias - mean[i] * a[i];
  }
  netcl::cpu::batchnorm_apply(task, a.data(), b.data(),
                              {settings.activation, settings.alpha, settings.beta, job.fused},
                              threads);
}

MemoryObject* memory_of(const ChannelValues& values) {
  return values.tensor != nullptr ? values.tensor->memory() : nullptr;
}

}  // namespace

void batchnorm_natively(const BatchnormJob& job, const Run& run) {
  const bool training = job.settings.training;
  enqueue_native({{job.y->memory(), true},
                  {job.x.memory(), false},
                  {memory_of(job.mean), training},
                  {memory_of(job.variance), training},
                  {memory_of(job.scale), false},
                  {memory_of(job.bias), false}},
                 run, [&](netcl::cpu::ThreadPool& threads) { run_job(job, threads); });
}

}  // namespace netcl::ops
