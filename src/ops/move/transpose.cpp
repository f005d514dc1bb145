#include "ops/move/transpose.hpp"

#include <algorithm>
#include <bit>

#include "core/error.hpp"
#include "core/integer.hpp"
#include "expression/iteration.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/transpose_native.hpp"

namespace netcl::ops {

namespace {

// Shorter dimensions do not fill a tile; plain copies do them as well.
constexpr int64_t kLeastExtent = 8;
// Of lines up to this length pieces are moved as they lie, where the others are this long at least.
constexpr int64_t kShort = 32, kLeastShort = 3, kLeastLong = 64;
// Elements of such a piece in local memory.
constexpr int64_t kPieceElements = 4096;
// Items of a group along a line of a tile.
constexpr int64_t kEdge = 32;

// The dimensions of a layout without two of them.
Layout without(const Layout& layout, uint32_t p, uint32_t q) {
  Layout rest;
  rest.offset = layout.offset;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (d == p || d == q) continue;
    rest.shape[rest.rank] = layout.shape[d];
    rest.strides[rest.rank++] = layout.strides[d];
  }
  return rest;
}

// The two layouts as tiles see them; false when they are not for tiles.
bool make_job(const Layout& source, const Layout& target, TransposePlan* plan) {
  Layout layouts[2] = {source, target};
  expression::arrange(layouts, 2);
  const Layout& from = layouts[0];
  const Layout& to = layouts[1];
  if (to.rank < 2) return false;
  const uint32_t q = to.rank - 1;
  if (to.strides[q] != 1 || from.strides[q] == 1) return false;
  uint32_t p = 0;
  while (p < q && from.strides[p] != 1) ++p;
  if (p == q) return false;
  plan->from = without(from, p, q);
  plan->to = without(to, p, q);
  plan->batches = plan->to.element_count();
  plan->p_extent = to.shape[p];
  plan->q_extent = to.shape[q];
  plan->x_stride = from.strides[q];
  plan->y_stride = to.strides[p];
  return true;
}

bool fills_tiles(const TransposePlan& plan) {
  return std::min(plan.p_extent, plan.q_extent) >= kLeastExtent;
}

// Whether lines along the first of the two dimensions, `step` apart, are short pieces of memory.
bool is_short(int64_t extent, int64_t step, int64_t other) {
  return extent >= kLeastShort && extent <= kShort && step == extent && other >= kLeastLong;
}

bool is_short_p(const TransposePlan& plan) {
  return is_short(plan.p_extent, plan.x_stride, plan.q_extent);
}

bool is_short_q(const TransposePlan& plan) {
  return is_short(plan.q_extent, plan.y_stride, plan.p_extent);
}

// Elements that tiles take as one: short ones by 32 bits, where nothing stands in the way.
int64_t together(const TransposePlan& plan, uint64_t local_bytes) {
  const auto each = static_cast<int64_t>(4 / plan.size);
  if (each < 2 || local_bytes < static_cast<uint64_t>(kEdge * each * (kEdge + 1) * 4)) return 1;
  bool aligned = plan.x_stride % each == 0 && plan.y_stride % each == 0;
  for (const Layout* layout : {&plan.from, &plan.to}) {
    aligned = aligned && layout->offset % each == 0;
    for (uint32_t d = 0; d < layout->rank; ++d) {
      aligned = aligned && (layout->shape[d] == 1 || layout->strides[d] % each == 0);
    }
  }
  return aligned ? each : 1;
}

void add_arguments(const TransposePlan& plan, const Tensor& source, const Tensor& target,
                   Arguments* arguments) {
  arguments->memory(reading(source));
  arguments->memory(writing(target));
  arguments->layout(plan.from);
  arguments->layout(plan.to);
  for (const int64_t value :
       {plan.batches, plan.p_extent, plan.q_extent, plan.x_stride, plan.y_stride}) {
    arguments->scalar(value);
  }
}

void launch_short(const TransposePlan& plan, const Tensor& source, const Tensor& target,
                  const Run& run) {
  const bool by_q = !is_short_p(plan);
  const int64_t width = by_q ? plan.q_extent : plan.p_extent;
  const int64_t lines = by_q ? plan.p_extent : plan.q_extent;
  KernelCall call{"transpose.cl", "netcl_transpose_short",
                  format("-DT=%s -DINDEX=long -DLINES=1 -DEACH=1 -DBY_Q=%d", bits_type(plan.size),
                         by_q ? 1 : 0)};
  call.rank = 2;
  call.local[0] = std::min<uint64_t>(run.device().capabilities().max_work_group_size, kGroupItems);
  call.global[0] =
      static_cast<uint64_t>(std::min<int64_t>(ceil_div(lines, kPieceElements / width), 1 << 16)) *
      call.local[0];
  call.global[1] = static_cast<uint64_t>(std::min<int64_t>(plan.batches, 1 << 15));
  Arguments arguments;
  add_arguments(plan, source, target, &arguments);
  enqueue_kernel(call, arguments, run);
}

void launch_tiles(const TransposePlan& plan, const Tensor& source, const Tensor& target,
                  const Run& run) {
  const netcl_device_capabilities& caps = run.device().capabilities();
  Arguments arguments;
  add_arguments(plan, source, target, &arguments);
  const int64_t each = together(plan, caps.local_memory_bytes);
  // A power of two, which divides a tile.
  const auto lines = static_cast<int>(
      std::bit_floor(std::clamp<uint64_t>(caps.max_work_group_size / kEdge, 1, 8)));
  KernelCall call{"transpose.cl", "netcl_transpose_tiled",
                  format("-DT=%s -DINDEX=long -DLINES=%d -DEACH=%d -DBY_Q=0", bits_type(plan.size),
                         lines, static_cast<int>(each))};
  call.rank = 3;
  call.local[0] = kEdge;
  call.local[1] = static_cast<uint64_t>(lines);
  const auto tiles = [&](int64_t extent, int64_t most) {
    return static_cast<uint64_t>(std::min(ceil_div(extent, kEdge * each), most));
  };
  call.global[0] = tiles(plan.q_extent, 1 << 16) * kEdge;
  call.global[1] = tiles(plan.p_extent, 1 << 15) * call.local[1];
  call.global[2] = static_cast<uint64_t>(std::min<int64_t>(plan.batches, 1 << 15));
  enqueue_kernel(call, arguments, run);
}

}  // namespace

bool copy_by_tiles(const Tensor& source, const Tensor& target, const Run& asked) {
  if (may_share(source, target)) return false;
  const Device& device = asked.device();
  const netcl_device_capabilities& caps = device.capabilities();
  const bool native = runs_native(device);
  if (!native && (caps.max_work_group_size < 32 || caps.max_work_item_sizes[0] < 32 ||
                  caps.local_memory_bytes < 32 * 33 * 8)) {
    return false;
  }
  TransposePlan plan;
  const Layout& shape = target.layout();
  const Layout from =
      broadcast_layout(source.layout(), shape.rank, shape.shape.data(), "the copied tensor");
  if (!make_job(from, shape, &plan)) return false;
  plan.size = source.element_size();
  const bool is_piece = !native && caps.local_memory_bytes >= kPieceElements * plan.size &&
                        (is_short_p(plan) || is_short_q(plan));
  if (!is_piece && !fills_tiles(plan)) return false;
  const Run run =
      with_work(asked, [&] { return work_of("copy", source.dtype(), 0.0, {&source}, {&target}); });
  if (!native) {
    is_piece ? launch_short(plan, source, target, run) : launch_tiles(plan, source, target, run);
    return true;
  }
  enqueue_native({reading(source), writing(target)}, run, [plan](const NativeCall& call) {
    auto own = plan;
    own.x = call.at<const void>(0);
    own.y = call.at<void>(1);
    transpose_natively(own, call.threads);
  });
  return true;
}

TensorRef transpose(const Tensor& x, std::span<const uint32_t> axes, const TensorRef& into,
                    const Run& run) {
  uint32_t turned[kRankMax];
  if (axes.empty()) {
    for (uint32_t d = 0; d < x.layout().rank; ++d) turned[d] = x.layout().rank - 1 - d;
    axes = {turned, x.layout().rank};
  }
  const TensorRef view = permute(x, axes.data(), static_cast<uint32_t>(axes.size()));
  const Layout& shape = view->layout();
  refuse_sharing(into, x, "x");
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), x.dtype(), run);
  copy_into(*view, *result, run);
  return result;
}

}  // namespace netcl::ops
