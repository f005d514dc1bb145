#include <algorithm>

#include "ops/move/move_rows.hpp"
#include "ops/move/resize_plan.hpp"

namespace netcl::ops {

namespace {

FilterPlan filter_plan(const ResizeFilter& filter, uint32_t axis, const Tensor& x,
                       const Tensor& y) {
  ResizePlan plan;
  plan.from = x.layout();
  plan.to = y.layout();
  plan.table_of.rank = plan.to.rank;
  plan.table_of.shape[axis] = 1;
  simplify_resize(&plan);
  FilterPlan made;
  made.from = plan.from;
  made.to = plan.to;
  made.rows = plan.rows;
  while (plan.table_of.shape[made.axis] == 0) ++made.axis;
  made.filter = filter;
  return made;
}

void launch_filter(const FilterPlan& plan, const Tensor& x, const Tensor& y, const Run& run) {
  const ResizeFilter& filter = plan.filter;
  const bool wide = x.dtype() == NETCL_F64;
  const std::vector<float> narrow(filter.weights.begin(), filter.weights.end());
  const BufferRef sums =
      constant_memory(filter.sums.data(), filter.sums.size() * sizeof(ResizeFilter::Sum), run);
  const void* const numbers =
      wide ? static_cast<const void*>(filter.weights.data()) : narrow.data();
  const BufferRef weights = constant_memory(
      numbers, filter.weights.size() * (wide ? sizeof(double) : sizeof(float)), run);
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(writing(y));
  arguments.memory(reading(*sums));
  arguments.memory(reading(*weights));
  arguments.layout(plan.from);
  arguments.layout(plan.to);
  arguments.scalar(static_cast<int64_t>(plan.axis));
  arguments.scalar(plan.rows);
  std::string flags = std::string("-DX=") + dtype_facts(x.dtype()).name;
  flags += std::string(" -DY=") + dtype_facts(y.dtype()).name;
  flags += wide ? " -DCOMPUTE_TYPE=double" : " -DCOMPUTE_TYPE=float";
  if (!is_float(y.dtype())) flags += " -DROUNDED";
  const int64_t most = std::max(x.element_count(), y.element_count());
  launch_rows("resize_axis.cl", "netcl_resize_axis", flags, plan.rows,
              plan.to.shape[plan.to.rank - 1], !fits_32_bits({&plan.from, &plan.to}, most),
              arguments, run);
}

}  // namespace

void filter_axis(const ResizeFilter& filter, uint32_t axis, const Tensor& x, const Tensor& y,
                 const Run& run) {
  FilterPlan plan = filter_plan(filter, axis, x, y);
  if (runs_native(run.device())) {
    filter_natively(std::move(plan), x, y, run);
  } else {
    launch_filter(plan, x, y, run);
  }
}

}  // namespace netcl::ops
