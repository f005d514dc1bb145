#include "ops/optimizer/scaling.hpp"

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/optimizer/group.hpp"
#include "ops/optimizer/scaling_cl.hpp"

namespace netcl::ops {

namespace {

std::vector<GroupTensors> checked_tensors(std::span<const TensorRef> tensors, bool written,
                                          GroupMemory* memory, const Run& run) {
  std::vector<GroupTensors> entries(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const GroupName name{"tensors", static_cast<int64_t>(i)};
    check_group_float(*tensors[i], name, run);
    check_same_width(*tensors[i], name, *tensors[0], "tensors[0]");
    memory->add(*tensors[i], name, written);
    entries[i] = {tensors[i].get()};
  }
  return entries;
}

// `moves` is how often each element is read and written.
Work declared_work(const char* name, std::span<const GroupTensors> entries, double operations,
                   double reads, double writes) {
  Work work;
  work.name = name;
  work.dtype = entries[0][0]->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  for (const GroupTensors& tensors : entries) {
    const double bytes = moved_bytes(tensors[0]);
    work.operations += operations * static_cast<double>(tensors[0]->element_count());
    work.bytes_written += writes * bytes;
    work.bytes += (reads + writes) * bytes;
  }
  return work;
}

std::vector<Access> accesses_of(std::span<const GroupTensors> entries, bool written,
                                std::vector<GroupEntry>* arranged) {
  std::vector<Access> accesses;
  accesses.reserve(entries.size() * kGroupOperands + 2);
  for (const GroupTensors& tensors : entries) {
    arranged->push_back(group_entry(tensors));
    add_group_accesses(tensors, {written}, &accesses);
  }
  return accesses;
}

template <class Function>
void enqueue_group(const std::vector<Access>& accesses, const Run& run, Function function) {
  backend::NativeFunctionOf<Function> native(std::move(function));
  enqueue_native(std::span<const Access>(accesses), run, native);
}

}  // namespace

TensorRef clip_by_norm(std::span<const TensorRef> tensors, double max_norm, const TensorRef& into,
                       const Run& run) {
  GroupMemory memory;
  const std::vector<GroupTensors> entries = checked_tensors(tensors, true, &memory, run);
  memory.check();
  for (size_t i = 0; i < tensors.size(); ++i) {
    refuse_sharing(into, *tensors[i], format("tensors[%zu]", i).c_str());
  }
  const netcl_dtype dtype = tensors[0]->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const TensorRef norm = result_tensor(into, 0, nullptr, dtype, run);
  const Run declared =
      with_work(run, [&] { return declared_work("clip_by_norm", entries, 3.0, 2.0, 1.0); });
  if (!runs_native(run.device())) {
    launch_clip_by_norm(entries, max_norm, *norm, declared);
    return norm;
  }
  std::vector<GroupEntry> arranged;
  std::vector<Access> accesses = accesses_of(entries, true, &arranged);
  accesses.push_back(writing(*norm));
  const int64_t at = norm->layout().offset;
  enqueue_group(accesses, declared,
                [arranged = std::move(arranged), max_norm, at, dtype](const NativeCall& call) {
                  const double found =
                      netcl::cpu::clip_by_norm(arranged, max_norm, call.memory, call.threads);
                  const size_t place = arranged.size() * kGroupOperands;
                  if (dtype == NETCL_F64) {
                    call.at<double>(place)[at] = found;
                  } else {
                    call.at<float>(place)[at] = static_cast<float>(found);
                  }
                });
  return norm;
}

Nothing unscale(std::span<const TensorRef> tensors, const TensorRef& scale,
                const TensorRef& found_inf, const Nothing&, const Run& run) {
  GroupMemory memory;
  const bool writes = scale != nullptr;
  const std::vector<GroupTensors> entries = checked_tensors(tensors, writes, &memory, run);
  check_control(scale, "scale", NETCL_F32, run);
  check_control(found_inf, "found_inf", NETCL_F32, run);
  if (writes) memory.add(*scale, {"scale"}, false);
  memory.add(*found_inf, {"found_inf"}, true);
  memory.check();
  const Run declared = with_work(run, [&] {
    return declared_work("unscale", entries, writes ? 1.0 : 0.0, 1.0, writes ? 1.0 : 0.0);
  });
  if (!runs_native(run.device())) {
    launch_unscale(entries, scale, found_inf, declared);
    return {};
  }
  std::vector<GroupEntry> arranged;
  std::vector<Access> accesses = accesses_of(entries, writes, &arranged);
  accesses.push_back(access_to(writes ? scale.get() : nullptr, false));
  accesses.push_back(writing(*found_inf));
  enqueue_group(accesses, declared,
                [arranged = std::move(arranged), scale_at = control_at(scale),
                 found_at = control_at(found_inf)](const NativeCall& call) {
                  const size_t place = arranged.size() * kGroupOperands;
                  const float* const own =
                      scale_at < 0 ? nullptr : call.at<const float>(place) + scale_at;
                  const bool found = netcl::cpu::unscale(arranged, own, call.memory, call.threads);
                  call.at<float>(place + 1)[found_at] = found ? 1.0f : 0.0f;
                });
  return {};
}

Nothing update_loss_scale(const TensorRef& scale, const TensorRef& tracker,
                          const TensorRef& found_inf, const LossScaleRule& rule, const Nothing&,
                          const Run& run) {
  check_control(scale, "scale", NETCL_F32, run);
  check_control(tracker, "tracker", NETCL_I64, run);
  check_control(found_inf, "found_inf", NETCL_F32, run);
  GroupMemory memory;
  memory.add(*scale, {"scale"}, true);
  memory.add(*tracker, {"tracker"}, true);
  memory.add(*found_inf, {"found_inf"}, false);
  memory.check();
  const Run declared = with_work(run, [&] {
    return work_of("update_loss_scale", NETCL_F32, 0.0,
                   {scale.get(), tracker.get(), found_inf.get()}, {scale.get(), tracker.get()});
  });
  if (!runs_native(run.device())) {
    launch_update_loss_scale(scale, tracker, found_inf, rule, declared);
    return {};
  }
  enqueue_native({writing(*scale), writing(*tracker), reading(*found_inf)}, declared,
                 [rule, scale_at = control_at(scale), tracker_at = control_at(tracker),
                  found_at = control_at(found_inf)](const NativeCall& call) {
                   netcl::cpu::update_loss_scale(rule, call.at<const float>(2)[found_at],
                                                 call.at<float>(0) + scale_at,
                                                 call.at<int64_t>(1) + tracker_at);
                 });
  return {};
}

}  // namespace netcl::ops
