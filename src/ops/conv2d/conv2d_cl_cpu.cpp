// Convolutions on OpenCL devices that are CPUs: conv2d_implicit_gemm_cpu.cl, conv2d_tiled_cpu.cl.
#include <algorithm>

#include "core/error.hpp"
#include "ops/conv2d/conv2d_cl_cpu.hpp"

namespace netcl::ops::conv2d_cl {
namespace {

// What a worker packs stays in a cache of 1 MiB together with a panel of the filters.
constexpr int64_t kSlabBytes = 384 << 10;
// It is read once where tiles are packed from it.
constexpr int64_t kSlabBytesPacked = 1 << 20;
constexpr int64_t kBlockMost = 512;
constexpr int64_t kBlockMostTiled = 2048;
// Distances of taps are 32-bit integers.
constexpr int64_t kReachMost = int64_t{1} << 28;

// Positions as conv2d_cpu.cl has them.
struct Positions {
  int64_t width = 0;
  int64_t height = 0;
  int64_t planes_h = 1;
  int64_t planes_w = 1;
  int64_t reach = 0;
  int64_t count = 0;
};

// The extent of a padded image along one axis, and how far a filter reaches, in positions.
void place_axis(const Job& job, int axis, int64_t out, int64_t* extent, int64_t* reach,
                int64_t* planes) {
  const int64_t kernel = axis == 0 ? job.p.kernel_height : job.p.kernel_width;
  const int64_t span = (kernel - 1) * job.p.dilations[axis];
  const int64_t stride = job.p.strides[axis];
  *reach = span / stride;
  *planes = std::min(stride, span + 1);
  // Neighbouring rows share the zeros between them.
  const int64_t shared =
      stride == 1 ? std::min({job.p.padding[axis], job.p.padding[axis + 2], span}) : 0;
  *extent = out + *reach - shared;
}

Positions place_positions(const Job& job) {
  Positions at;
  int64_t reach_h = 0;
  int64_t reach_w = 0;
  place_axis(job, 0, job.out_height(), &at.height, &reach_h, &at.planes_h);
  place_axis(job, 1, job.out_width(), &at.width, &reach_w, &at.planes_w);
  if (at.width > kReachMost || at.height > kReachMost ||
      (reach_h + 1) > kReachMost / at.width / (at.planes_h * at.planes_w)) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "%s cannot reach over %lld rows of %lld elements; ask for conv2d_naive",
         variant_name(job.p.config.variant), static_cast<long long>(reach_h),
         static_cast<long long>(at.width));
  }
  at.reach = reach_h * at.width + reach_w;
  at.count = ((job.y.shape[0] - 1) * at.height + job.out_height() - 1) * at.width + job.out_width();
  return at;
}

// How the work is shared out. A block is of positions, or of outputs where these are packed.
struct Split {
  int64_t total = 0;  // what is divided into blocks
  int64_t block = 0;
  int64_t pitch = 0;    // elements of a packed plane
  int64_t workers = 1;  // along the blocks
  int64_t parts = 1;    // of the filters of a group
  int64_t part = 1;     // panels in one
  int64_t groups = 1;   // at the same time

  int64_t scratches() const { return workers * parts * groups; }
};

// Blocks as large as the cache allows, and enough of them that all compute units have work.
Split split_work(const Job& job, const Tile& tile, const Positions& at, int64_t total,
                 int64_t panels, int64_t slab_bytes, int64_t most) {
  const int64_t columns = 3 * tile.width;
  const int64_t line_bytes = job.p.group_channels * at.planes_h * at.planes_w * job.element();
  const int64_t wanted = 4 * job.units();
  Split split;
  split.total = total;
  const int64_t fits = slab_bytes / line_bytes - at.reach;
  split.block = std::clamp(fits / columns * columns, columns, most / columns * columns);
  const int64_t per_worker = ceil_div(total * job.p.groups, wanted);
  split.block = std::min(split.block, std::max(2 * columns, round_up(per_worker, columns)));
  split.block = std::min(split.block, round_up(total, columns));
  const int64_t blocks = ceil_div(total, split.block);
  split.workers = std::min(blocks, 8 * job.units());
  split.groups = std::min(job.p.groups, ceil_div(8 * job.units(), split.workers));
  const int64_t parts = std::clamp(ceil_div(wanted, blocks * job.p.groups), int64_t{1}, panels);
  split.part = ceil_div(panels, parts);
  split.parts = ceil_div(panels, split.part);
  return split;
}

// Elements of a plane that holds `positions` of them and what a filter reaches. Planes a multiple
// of a page apart would fall into the same sets of the cache.
int64_t plane_pitch(const Tile& tile, const Positions& at, int64_t positions) {
  const int64_t pitch = round_up(positions + at.reach, tile.width) + tile.width;
  return pitch % (4 * tile.width) == 0 ? pitch + tile.width : pitch;
}

// The positions that a block of outputs spreads over, at most.
int64_t spread_of(const Job& job, const Positions& at, int64_t block) {
  const int64_t rows = ceil_div(block, job.out_width()) + 1;
  const int64_t images = ceil_div(block, job.out_width() * job.out_height()) + 1;
  return (rows + images * (at.height - job.out_height())) * at.width;
}

// The kernel that does the blocks.
void launch_blocks(const Job& job, const char* file, const char* kernel, const Positions& at,
                   const Split& split, int64_t part, const BufferRef& packed,
                   int64_t scratch_size) {
  const BufferRef scratch =
      temporary(static_cast<uint64_t>(split.scratches() * scratch_size * job.element()), job.run);
  KernelCall call{
      .file = file, .kernel = kernel, .flags = cpu_flags(job, true), .rank = 3, .local = {1, 1, 1}};
  call.global[0] = static_cast<uint64_t>(split.workers);
  call.global[1] = static_cast<uint64_t>(split.parts);
  call.global[2] = static_cast<uint64_t>(split.groups);
  Arguments arguments;
  job.add_tensors(&arguments);
  job.add_epilogue(&arguments);
  arguments.scalar(job.p.groups);
  if (packed != nullptr) arguments.memory(packed->memory(), false);
  arguments.memory(scratch->memory(), true);
  arguments.scalar(scratch_size);
  arguments.scalar(split.total);
  for (const int64_t value :
       {split.block, at.reach, at.width, at.height, at.planes_h, at.planes_w, split.pitch, part}) {
    arguments.scalar(static_cast<int32_t>(value));
  }
  enqueue_kernel(call, arguments, job.run);
}

// The filters as panels of the register tile's rows.
BufferRef pack_filters(const Job& job, const Tile& tile, int64_t panels) {
  const int64_t size = job.p.groups * panels * job.p.depth() * tile.rows;
  const BufferRef packed = temporary(static_cast<uint64_t>(size * job.element()), job.run);
  KernelCall call{.file = "conv2d_implicit_gemm_cpu.cl",
                  .kernel = "netcl_conv2d_implicit_gemm_weights",
                  .flags = cpu_flags(job, false),
                  .rank = 2,
                  .local = {1, 1, 1}};
  const int64_t piece = ceil_div(1024, job.p.kernel_height * job.p.kernel_width);
  call.global[0] = static_cast<uint64_t>(job.p.groups * panels);
  call.global[1] = static_cast<uint64_t>(ceil_div(job.p.group_channels, piece));
  Arguments arguments;
  arguments.memory(job.p.w.memory(), false);
  arguments.layout(job.w);
  arguments.scalar(job.p.group_filters);
  arguments.scalar(piece);
  arguments.memory(packed->memory(), true);
  enqueue_kernel(call, arguments, job.run.without_event());
  return packed;
}

}  // namespace

Tile tile_of(const Job& job) {
  const bool wide = job.run.device().capabilities().preferred_vector_width_f32 >= 16;
  return {(wide ? 16 : 8) / (job.element() / 4), wide ? 8 : 4};
}

std::string cpu_flags(const Job& job, bool epilogue) {
  const Tile tile = tile_of(job);
  const int wide = job.dtype() == NETCL_BF16 ? 2 : job.dtype() == NETCL_F16 ? 0 : 1;
  return format("%s -DNETCL_W=%d -DNETCL_ROWS=%d -DNETCL_WIDE=%d", job.flags(epilogue).c_str(),
                static_cast<int>(tile.width), static_cast<int>(tile.rows), wide);
}

void run_implicit_gemm_cpu(Job& job) {
  job.fold_rows();
  const Tile tile = tile_of(job);
  const Positions at = place_positions(job);
  const int64_t panels = ceil_div(job.p.group_filters, tile.rows);
  const int64_t outputs = job.y.shape[0] * job.out_height() * job.out_width();
  // Products for positions that do not exist, or packing each tile for all filters: the lesser
  // evil.
  const bool gaps = at.count * 100 > outputs * 104 && job.p.group_filters >= 4 * tile.rows;
  Split split = split_work(job, tile, at, gaps ? outputs : at.count, panels,
                           gaps ? kSlabBytesPacked : kSlabBytes, kBlockMost);
  split.pitch = plane_pitch(tile, at, gaps ? spread_of(job, at, split.block) : split.block);
  const int64_t taps = job.p.kernel_height * job.p.kernel_width;
  const int64_t panel = gaps ? job.p.depth() * 3 * tile.width + tile.width : 0;
  const int64_t scratch_size = round_up(
      round_up(taps, tile.width) + job.p.group_channels * at.planes_h * at.planes_w * split.pitch +
          tile.rows * split.block + panel,
      tile.width);
  const BufferRef packed = pack_filters(job, tile, panels);
  launch_blocks(job, "conv2d_implicit_gemm_cpu.cl",
                gaps ? "netcl_conv2d_implicit_gemm_packed" : "netcl_conv2d_implicit_gemm", at,
                split, split.part, packed, scratch_size);
}

void run_tiled_cpu(Job& job) {
  job.fold_rows();
  const Tile tile = tile_of(job);
  // A single filter is done eight vectors at a time.
  const int64_t columns = 8 * tile.width;
  const Positions at = place_positions(job);
  const int64_t quads = ceil_div(job.p.group_filters, int64_t{4});
  Split split = split_work(job, tile, at, at.count, quads, kSlabBytes, kBlockMostTiled);
  split.block = round_up(split.block, columns);
  split.pitch = plane_pitch(tile, at, split.block);
  const int64_t taps = job.p.kernel_height * job.p.kernel_width;
  const int64_t scratch_size = round_up(taps, tile.width) +
                               job.p.group_channels * at.planes_h * at.planes_w * split.pitch +
                               4 * split.block;
  launch_blocks(job, "conv2d_tiled_cpu.cl", "netcl_conv2d_tiled_local", at, split, 4 * split.part,
                nullptr, scratch_size);
}

}  // namespace netcl::ops::conv2d_cl
