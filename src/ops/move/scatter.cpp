#include "ops/move/scatter.hpp"

#include <algorithm>

#include "backend/cpu/thread_pool.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/move.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/scatter_plan.hpp"

namespace netcl::ops {

namespace {

// The lines of a tensor along an axis, with the extents of `shape`.
Layout lines_of(const Layout& layout, const Layout& shape, uint32_t axis) {
  Layout lines;
  lines.offset = layout.offset;
  for (uint32_t d = 0; d < shape.rank; ++d) {
    if (d == axis) continue;
    lines.shape[lines.rank] = shape.shape[d];
    lines.strides[lines.rank++] = layout.strides[d];
  }
  coalesce(&lines, 1);
  return lines;
}

// From so many updates of a line on the axis is cut.
constexpr int64_t kManyNatively = 1024;
constexpr int64_t kManyUpdates = 64;

// Few long lines leave most of a device idle; their axis is cut into parts then. The parts of a
// line all read its indices, so there are no more of them than the device has use for.
int64_t parts_for(const Run& run, int64_t lines, int64_t count, int64_t extent) {
  const Device& device = run.device();
  const bool native = runs_native(device);
  if (count < (native ? kManyNatively : kManyUpdates)) return 1;
  const int64_t units = native ? device.backend().threads().thread_count()
                               : std::max<int64_t>(device.capabilities().compute_units, 1);
  const int64_t wanted = native ? units : units * 64;
  const int64_t rows = native ? (lines + 31) / 32 : lines;
  return std::clamp<int64_t>(wanted / std::max<int64_t>(rows, 1), 1, std::max<int64_t>(extent, 1));
}

std::string type_flags(const Tensor& target, const Tensor& indices, const Tensor& updates) {
  return std::string("-DX=") + dtype_facts(updates.dtype()).name +
         " -DY=" + dtype_facts(target.dtype()).name + index_flag(indices.dtype());
}

// By mode.
constexpr const char* kScatterFlags[] = {" -DASSIGN", " -DADD", " -DMULTIPLY", " -DMAXIMUM",
                                      " -DMINIMUM"};

void launch_scatter(const ScatterPlan& plan, const Tensor& target, const Tensor& indices,
                    const Tensor& updates, const Run& run) {
  Arguments arguments;
  arguments.memory(writing(target));
  arguments.memory(reading(indices));
  arguments.memory(reading(updates));
  for (const Layout* layout : {&plan.to, &plan.indices, &plan.from}) arguments.layout(*layout);
  for (const int64_t value : {plan.lines, plan.parts, plan.count, plan.extent, plan.y_stride,
                              plan.index_stride, plan.from_stride}) {
    arguments.scalar(value);
  }
  const bool wide = !fits_32_bits({&target.layout(), &indices.layout(), &updates.layout()},
                                  updates.element_count());
  // Moved elements keep their bits under the name of an integer dtype.
  const std::string flags =
      type_flags(target, indices, updates) + kScatterFlags[plan.mode];
  launch_rows("scatter.cl", "netcl_scatter", flags, plan.lines * plan.parts, 1, wide, arguments,
              run);
}

void launch_atomic(const Tensor& target, const Tensor& indices, const Tensor& updates,
                   uint32_t axis, const Run& run) {
  const Layout& shape = updates.layout();
  Layout to = target.layout();
  to.shape = shape.shape;
  to.strides[axis] = 0;
  Layout list = indices.layout();
  Layout from = shape;
  for (Layout* layout : {&to, &list, &from}) coalesce(layout, 1);
  Arguments arguments;
  arguments.memory(writing(target));
  arguments.memory(reading(indices));
  arguments.memory(reading(updates));
  arguments.layout(to);
  arguments.layout(list);
  arguments.layout(from);
  arguments.scalar(updates.element_count());
  arguments.scalar(target.layout().shape[axis]);
  arguments.scalar(target.layout().strides[axis]);
  const bool wide = !fits_32_bits({&target.layout(), &indices.layout(), &updates.layout()},
                                  updates.element_count());
  launch_rows("scatter.cl", "netcl_scatter_atomic",
              type_flags(target, indices, updates) + " -DATOMIC", updates.element_count(), 1, wide,
              arguments, run);
}

void check_scatter_operands(const Tensor& x, const Tensor& indices, const Tensor& updates,
                            uint32_t axis, const Run& run) {
  require_device(indices, run, "indices");
  require_device(updates, run, "updates");
  require_indices(indices);
  if (!updates.layout().same_shape(indices.layout())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "updates has shape %s; indices has shape %s",
         shape_text(updates).c_str(), shape_text(indices).c_str());
  }
  require_within(indices, x, axis);
}

void check_atomics(const Tensor& x, netcl_scatter_mode mode) {
  if (mode != NETCL_SCATTER_ADD) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->atomics is 1 and options->mode is %d; atomics are for ADD", mode);
  }
  if (x.dtype() != NETCL_F32 && x.dtype() != NETCL_I32 && x.dtype() != NETCL_U32) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "options->atomics is 1 and x is %s; f32, i32 and u32 are possible",
         dtype_facts(x.dtype()).name);
  }
}

void put_updates(const Tensor& target, const Tensor& indices, const Tensor& updates, uint32_t axis,
                 netcl_scatter_mode mode, bool atomics, const Run& asked) {
  const Run run = with_work(asked, [&] {
    const double count = static_cast<double>(updates.element_count());
    const bool add = mode != NETCL_SCATTER_ASSIGN;
    Work work = work_of("scatter", target.dtype(), add ? count : 0.0, {&indices, &updates}, {});
    work.bytes_written = count * static_cast<double>(target.element_size());
    work.bytes += (add ? 2.0 : 1.0) * work.bytes_written;
    return work;
  });
  if (atomics && !runs_native(run.device())) {
    launch_atomic(target, indices, updates, axis, run);
    return;
  }
  const Layout& shape = updates.layout();
  ScatterPlan plan;
  plan.to = lines_of(target.layout(), shape, axis);
  plan.indices = lines_of(indices.layout(), shape, axis);
  plan.from = lines_of(shape, shape, axis);
  plan.count = shape.shape[axis];
  plan.lines = updates.element_count() / plan.count;
  plan.extent = target.layout().shape[axis];
  plan.parts = parts_for(run, plan.lines, plan.count, plan.extent);
  plan.y_stride = target.layout().strides[axis];
  plan.index_stride = indices.layout().strides[axis];
  plan.from_stride = shape.strides[axis];
  plan.mode = mode;
  if (runs_native(run.device())) {
    scatter_natively(plan, target, indices, updates, run);
  } else {
    launch_scatter(plan, target, indices, updates, run);
  }
}

// Tensors of elements that are only moved, as integers of their size.
Tensor as_bits(const Tensor& tensor) {
  const size_t size = tensor.element_size();
  const netcl_dtype dtype = size == 1   ? NETCL_U8
                            : size == 2 ? NETCL_U16
                            : size == 4 ? NETCL_U32
                                        : NETCL_U64;
  return Tensor(tensor.buffer(), dtype, tensor.layout());
}

TensorRef scattered(const TensorRef& x, const Tensor& indices, const Tensor& updates,
                    uint32_t along, netcl_scatter_mode mode, bool atomics, const TensorRef& into,
                    const Run& run) {
  const Layout& shape = x->layout();
  refuse_sharing(into, *x, "x", true);
  refuse_sharing(into, indices, "indices");
  refuse_sharing(into, updates, "updates");
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), x->dtype(), run);
  const bool nothing = updates.empty() || result->empty();
  const bool moves = mode == NETCL_SCATTER_ASSIGN;
  const bool narrow = x->dtype() == NETCL_F16 || x->dtype() == NETCL_BF16;
  if (!moves && narrow && !nothing) {
    // Results of 16-bit floats are kept in f32 until the last update is in.
    const TensorRef sums = new_tensor(NETCL_F32, shape.rank, shape.shape.data(), run);
    cast_into(*x, *sums, run.without_event());
    put_updates(*sums, indices, updates, along, mode, false, run.without_event());
    cast_into(*sums, *result, run);
    return result;
  }
  const bool in_place = same_elements(*result, *x);
  if (!in_place) copy_into(*x, *result, nothing ? run : run.without_event());
  if (nothing) return result;
  if (moves) {
    put_updates(as_bits(*result), indices, as_bits(updates), along, mode, false, run);
  } else {
    put_updates(*result, indices, updates, along, mode, atomics, run);
  }
  return result;
}

}  // namespace

void check_scatter_mode(const Tensor& x, const Tensor& updates, netcl_scatter_mode mode,
                        bool atomics, const Run& run) {
  if (mode < NETCL_SCATTER_ASSIGN || mode > NETCL_SCATTER_MIN) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mode is %d; it is 0 to 4", mode);
  }
  if (updates.dtype() != x.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "updates is %s; x is %s", dtype_facts(updates.dtype()).name,
         dtype_facts(x.dtype()).name);
  }
  if (mode != NETCL_SCATTER_ASSIGN) require_f64(run, x.dtype(), "x");
  if (atomics) check_atomics(x, mode);
}

TensorRef scatter(const TensorRef& x, const Tensor& indices, const Tensor& updates, int32_t axis,
                  netcl_scatter_mode mode, bool atomics, const TensorRef& into, const Run& run) {
  check_scatter_mode(*x, updates, mode, atomics, run);
  const uint32_t along = checked_axis(axis, x->layout().rank, "axis");
  check_scatter_operands(*x, indices, updates, along, run);
  return scattered(x, indices, updates, along, mode, atomics, into, run);
}

}  // namespace netcl::ops
