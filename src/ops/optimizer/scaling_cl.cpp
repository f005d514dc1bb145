#include "ops/optimizer/scaling_cl.hpp"

#include "ops/move/move.hpp"
#include "ops/optimizer/group_cl.hpp"

namespace netcl::ops {

namespace {

constexpr GroupFlags kRead = {false};
constexpr GroupFlags kChanged = {true};
constexpr size_t kPointer = 8;

const char* width_flag(bool wide) { return wide ? "-DWIDE" : ""; }

}  // namespace

void launch_clip_by_norm(std::span<const GroupTensors> entries, double max_norm, const Tensor& norm,
                         const Run& run) {
  const bool wide = norm.dtype() == NETCL_F64;
  const size_t real = wide ? 8 : 4;
  const Run inner = run.without_event();
  const PackedGroup group(entries, kChanged, run);
  const int64_t parts = group_launch_size(group.entries());
  const BufferRef partials =
      new_memory(static_cast<uint64_t>(std::max<int64_t>(parts, 1)) * 3 * real, run);
  const BufferRef factor = new_memory(real, run);
  launch_group(
      {"scaling.cl", "netcl_squares", width_flag(wide), 2 * kPointer, kRead}, group.entries(),
      [&](Arguments* arguments, int64_t before) {
        arguments->memory(writing(*partials));
        arguments->scalar(before);
      },
      inner);
  KernelCall call{"scaling.cl", "netcl_clip_factor",
                  std::string(width_flag(wide)) +
                      format(" -DSLOTS=1 -DOPERANDS=1 -DO0=%s", wide ? "f64" : "f32")};
  call.global[0] = call.local[0] = kGroupLanes;
  Arguments arguments;
  arguments.memory(reading(*partials));
  arguments.scalar(parts);
  add_real(max_norm, wide, &arguments);
  arguments.memory(writing(*factor));
  arguments.memory(writing(norm));
  arguments.scalar(norm.layout().offset);
  enqueue_kernel(call, arguments, parts == 0 ? run : inner);
  launch_group(
      {"scaling.cl", "netcl_clip", width_flag(wide), kPointer, kChanged}, group.entries(),
      [&](Arguments* own, int64_t) { own->memory(reading(*factor)); },
      group.wants_finish() ? inner : run);
  if (group.wants_finish()) group.finish(run);
}

void launch_unscale(std::span<const GroupTensors> entries, const TensorRef& scale,
                    const TensorRef& found_inf, const Run& run) {
  const float zero = 0;
  const auto& written = scale == nullptr ? kRead : kChanged;
  const PackedGroup group(entries, written, run);
  const bool wide = entries[0][0]->dtype() == NETCL_F64;
  Run first = group.entries().empty() ? run : run.without_event();
  first.declared = true;
  fill(*found_inf, &zero, first);
  launch_group(
      {"scaling.cl", "netcl_unscale", width_flag(wide), 2 * kControlBytes, written},
      group.entries(),
      [&](Arguments* arguments, int64_t) {
        add_control(scale, false, arguments);
        add_control(found_inf, true, arguments);
      },
      group.wants_finish() ? run.without_event() : run);
  if (group.wants_finish()) group.finish(run);
}

void launch_update_loss_scale(const TensorRef& scale, const TensorRef& tracker,
                              const TensorRef& found_inf, const LossScaleRule& rule,
                              const Run& run) {
  KernelCall call{"optimizer_step.cl", "netcl_update_loss_scale", ""};
  call.local[0] = 1;
  Arguments arguments;
  add_control(scale, true, &arguments);
  add_control(tracker, true, &arguments);
  add_control(found_inf, false, &arguments);
  arguments.scalar(static_cast<float>(rule.growth_factor));
  arguments.scalar(static_cast<float>(rule.backoff_factor));
  arguments.scalar(rule.growth_interval);
  enqueue_kernel(call, arguments, run);
}

}  // namespace netcl::ops
