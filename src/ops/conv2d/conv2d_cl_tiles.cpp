// Convolutions whose groups make tiles of the result: conv2d_implicit_gemm.cl, conv2d_tiled.cl.
#include <algorithm>

#include "core/error.hpp"
#include "ops/conv2d/conv2d_cl.hpp"

namespace netcl::ops::conv2d_cl {
namespace {

// Rows and columns of x are 32-bit integers in the kernels.
constexpr int64_t kSideMost = int64_t{1} << 29;
// Static local memory that every driver takes, whatever more it has.
constexpr int64_t kLocalMost = 40 << 10;

[[noreturn]] void refuse(const Plan& plan, const char* what, int64_t value, int64_t limit) {
  fail(NETCL_ERROR_UNSUPPORTED, "%s: %s is %lld on device %s, the limit is %lld",
       variant_name(plan.p.config.variant), what, static_cast<long long>(value),
       plan.run.device().info().name, static_cast<long long>(limit));
}

void check_sides(const Plan& plan) {
  for (int axis = 0; axis < 2; ++axis) {
    const int64_t most = plan.p.size[axis] + plan.p.padding[axis] + plan.p.padding[axis + 2];
    if (most > kSideMost) refuse(plan, "a padded side of x", most, kSideMost);
  }
}

struct GroupTile {
  int64_t edge;
  int64_t step;
  int64_t lanes;
};

// Large tiles need less memory traffic, small ones keep all compute units busy.
GroupTile choose_tile(const Plan& plan, int64_t columns) {
  const netcl_device_capabilities& can = plan.run.device().capabilities();
  const int64_t most = static_cast<int64_t>(can.max_work_group_size);
  if (most < 64) refuse(plan, "the work-group of at least 64 items", 64, most);
  const auto tiles = [&](int64_t edge) {
    return ceil_div(plan.p.filters, edge) * ceil_div(columns, edge) * plan.p.groups;
  };
  const bool fits = most >= 256 && can.local_memory_bytes >= 32768;
  if (fits && plan.element() == 4 && plan.p.filters > 64 && tiles(128) >= 2 * plan.units()) {
    return {128, 8, 16};
  }
  if (fits && plan.p.filters > 32 && tiles(64) >= plan.units()) return {64, 16, 16};
  return {32, 8, 8};
}

// True when four neighbouring columns of the result, and of the residual, are one aligned vector.
bool quads_fit(const Plan& plan) {
  if (plan.dtype() != NETCL_F32 && plan.dtype() != NETCL_F64) return false;
  const Layout& y = plan.y;
  const auto divides = [](int64_t value) { return value % 4 == 0; };
  bool fits = y.strides[3] == 1 && divides(y.shape[3]) && divides(y.offset);
  for (int d = 0; d < 3; ++d) fits = fits && (y.shape[d] == 1 || divides(y.strides[d]));
  return fits && (plan.p.residual == nullptr || plan.residual.strides[3] == 1);
}

}  // namespace

void run_implicit_gemm(Plan& plan) {
  plan.fold_rows();
  check_sides(plan);
  const int64_t columns = plan.y.shape[0] * plan.out_height() * plan.out_width();
  const GroupTile tile = choose_tile(plan, columns);
  const int64_t filters = round_up(plan.p.filters, tile.edge);
  const int64_t depth = round_up(plan.p.depth(), tile.step);
  constexpr int64_t kTapBytes = 16;
  const BufferRef packed =
      new_memory(static_cast<uint64_t>(plan.p.groups * depth * filters * plan.element()), plan.run);
  const BufferRef taps = new_memory(static_cast<uint64_t>(depth * kTapBytes), plan.run);

  KernelCall pack{.file = "conv2d_implicit_gemm.cl",
                  .kernel = "netcl_conv2d_implicit_gemm_weights",
                  .flags = plan.flags(false),
                  .rank = 3,
                  .local = {32, 1, 1}};
  pack.global[0] = static_cast<uint64_t>(filters);
  pack.global[1] = static_cast<uint64_t>(std::min(depth, kGroupsMost));
  pack.global[2] = static_cast<uint64_t>(std::min(plan.p.groups, kGroupsMost));
  Arguments weights;
  weights.memory(reading(plan.p.w));
  weights.layout(plan.w);
  weights.layout(plan.x);
  weights.scalar(plan.p.dilations[0]);
  weights.scalar(plan.p.dilations[1]);
  weights.scalar(plan.p.filters);
  weights.scalar(plan.p.groups);
  weights.scalar(depth);
  weights.memory(writing(*packed));
  weights.memory(writing(*taps));
  enqueue_kernel(pack, weights, plan.run.without_event());

  const uint64_t items = static_cast<uint64_t>(tile.lanes * tile.lanes);
  KernelCall call{
      .file = "conv2d_implicit_gemm.cl",
      .kernel = "netcl_conv2d_implicit_gemm",
      .flags = plan.flags() + format(" -DNETCL_TILE=%d -DNETCL_STEP=%d -DNETCL_LANES=%d "
                                     "-DNETCL_QUAD=%d",
                                     static_cast<int>(tile.edge), static_cast<int>(tile.step),
                                     static_cast<int>(tile.lanes), quads_fit(plan) ? 1 : 0),
      .local = {items, 1, 1}};
  call.global[0] =
      static_cast<uint64_t>(filters / tile.edge * ceil_div(columns, tile.edge) * plan.p.groups) *
      items;
  Arguments arguments;
  plan.add_tensors(&arguments);
  plan.add_epilogue(&arguments);
  arguments.scalar(plan.p.filters);
  arguments.memory(reading(*packed));
  arguments.scalar(filters);
  arguments.scalar(static_cast<int32_t>(depth));
  arguments.memory(reading(*taps));
  enqueue_kernel(call, arguments, plan.run);
}

void run_tiled(Plan& plan) {
  const Conv2dProblem& p = plan.p;
  const netcl_device_capabilities& can = plan.run.device().capabilities();
  const int64_t most = static_cast<int64_t>(can.max_work_group_size);
  if (most < 64) refuse(plan, "the work-group of at least 64 items", 64, most);
  const int64_t lines = most >= 256 ? 8 : most >= 128 ? 4 : 2;
  int64_t filters = 1;
  while (filters < 8 && filters < p.filters) filters *= 2;
  const auto side = [&](int axis, int64_t outputs, int64_t kernel) {
    return (outputs - 1) * p.strides[axis] + (kernel - 1) * p.dilations[axis] + 1;
  };
  const int64_t high = side(0, lines, p.kernel[0]);
  const int64_t wide = side(1, 32, p.kernel[1]);
  const int64_t taps = p.kernel[0] * p.kernel[1];
  const int64_t room = std::min<int64_t>(static_cast<int64_t>(can.local_memory_bytes), kLocalMost);
  // Either factor alone may be more than there is, so their product is not taken before.
  const bool small = high <= room && wide <= room && taps <= room;
  const int64_t bytes = small ? (high * wide + taps * filters) * plan.element() : room + 1;
  if (bytes > room) refuse(plan, "the local memory for one channel in bytes", bytes, room);
  const int64_t chunk = std::clamp(room / bytes, int64_t{1}, std::min<int64_t>(p.channels, 16));

  KernelCall call{.file = "conv2d_tiled.cl",
                  .kernel = "netcl_conv2d_tiled_local",
                  .flags = plan.flags(),
                  .local = {static_cast<uint64_t>(32 * lines), 1, 1}};
  const auto number = [](int64_t value) { return static_cast<int>(value); };
  call.flags += format(
      " -DNETCL_LINES=%d -DNETCL_FILTERS=%d -DNETCL_CHUNK=%d -DNETCL_KH=%d -DNETCL_KW=%d "
      "-DNETCL_SH=%d -DNETCL_SW=%d -DNETCL_DH=%d -DNETCL_DW=%d",
      number(lines), number(filters), number(chunk), number(p.kernel[0]), number(p.kernel[1]),
      number(p.strides[0]), number(p.strides[1]), number(p.dilations[0]), number(p.dilations[1]));
  call.global[0] =
      static_cast<uint64_t>(ceil_div(plan.out_width(), 32) * ceil_div(plan.out_height(), lines) *
                            ceil_div(p.filters, filters) * p.groups * p.batch * 32 * lines);
  Arguments arguments;
  plan.add_tensors(&arguments);
  plan.add_epilogue(&arguments);
  arguments.scalar(p.filters);
  enqueue_kernel(call, arguments, plan.run);
}

}  // namespace netcl::ops::conv2d_cl
