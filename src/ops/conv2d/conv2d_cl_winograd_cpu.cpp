// Winograd's method on OpenCL devices that are CPUs: conv2d_winograd_cpu.cl.
#include <algorithm>

#include "ops/conv2d/conv2d_cl_cpu.hpp"

namespace netcl::ops::conv2d_cl {
namespace {

// The products of the panels that are done together share the cache with the transformed tiles.
constexpr int64_t kSumsBytes = 256 << 10;
constexpr int64_t kCacheBytes = 1 << 20;

struct WinogradSplit {
  int64_t edge = 0;  // rows of a transformed tile
  int64_t tile_rows = 0;
  int64_t tile_columns = 0;
  int64_t tiles = 0;
  int64_t block = 0;    // tiles
  int64_t workers = 1;  // along the blocks
  int64_t parts = 1;    // of the filters of a group
  int64_t part = 1;     // panels in one
  int64_t chunk = 1;    // panels at a time
  int64_t groups = 1;   // at the same time
  int64_t scratch = 0;  // elements of a worker
};

// Each block reads all transformed filters, and hands its tiles from step to step. A small block
// keeps the tiles in the cache; where that is not to be had, both take as long at
// channels * filters / (channels + filters) tiles.
int64_t block_of(const Job& job, const Tile& tile, int64_t elements, int64_t tiles) {
  const int64_t columns = 3 * tile.width;
  const int64_t channels = job.p.group_channels;
  const int64_t filters = job.p.group_filters;
  if (elements * (channels + filters) * columns * job.element() <= 2 * kCacheBytes) return columns;
  const int64_t balanced = channels * filters / (channels + filters);
  const int64_t wide = std::max<int64_t>((balanced + columns / 2) / columns, 1) * columns;
  // Every compute unit should have a block.
  const int64_t share = round_up(ceil_div(tiles * job.p.groups, job.units()), columns);
  return std::min(wide, share);
}

WinogradSplit split_tiles(const Job& job, const Tile& tile, int64_t panels) {
  WinogradSplit split;
  const int64_t m = job.p.config.winograd_tile;
  split.edge = m + 2;
  const int64_t elements = split.edge * split.edge;
  split.tile_rows = ceil_div(job.out_height(), m);
  split.tile_columns = ceil_div(job.out_width(), m);
  split.tiles = job.p.batch * split.tile_rows * split.tile_columns;
  split.block = block_of(job, tile, elements, split.tiles);
  const int64_t blocks = ceil_div(split.tiles, split.block);
  split.workers = std::min(blocks, 8 * job.units());
  split.groups = std::min(job.p.groups, ceil_div(8 * job.units(), split.workers));
  // Parts transform the same tiles of x again, so there are no more of them than it takes.
  const int64_t parts =
      std::clamp(ceil_div(2 * job.units(), blocks * job.p.groups), int64_t{1}, panels);
  split.part = ceil_div(panels, parts);
  split.parts = ceil_div(panels, split.part);
  const int64_t v_pitch = split.block + tile.width;
  const int64_t v_elements = elements * (job.p.group_channels * v_pitch + tile.width);
  const int64_t panel_elements = elements * tile.rows * split.block;
  const int64_t room = v_elements * job.element() > kCacheBytes ? 8 * kSumsBytes : kSumsBytes;
  split.chunk = std::clamp(room / (panel_elements * job.element()), int64_t{1}, split.part);
  const int64_t pitch = split.block + 2 * tile.width;
  // Lines of four channels, as they are and taken apart; see conv2d_winograd_cpu.cl.
  split.scratch = 2 * 4 * split.edge * m * pitch + v_elements +
                  elements * (split.chunk * tile.rows * split.block + tile.width) +
                  4 * m * m * split.block;
  return split;
}

}  // namespace

void run_winograd_cpu(Job& job) {
  const Tile tile = tile_of(job);
  const int64_t panels = ceil_div(job.p.group_filters, tile.rows);
  const WinogradSplit split = split_tiles(job, tile, panels);
  const int64_t packed_size =
      job.p.groups * panels * split.edge * split.edge * (job.p.group_channels + 2) * tile.rows;
  const int64_t scratches = split.workers * split.parts * split.groups;
  const BufferRef packed = temporary(static_cast<uint64_t>(packed_size * job.element()), job.run);
  const BufferRef scratch =
      temporary(static_cast<uint64_t>(scratches * split.scratch * job.element()), job.run);
  const std::string tile_flag =
      format(" -DNETCL_M=%d", static_cast<int>(job.p.config.winograd_tile));

  KernelCall pack{.file = "conv2d_winograd_cpu.cl",
                  .kernel = "netcl_conv2d_winograd_weights",
                  .flags = cpu_flags(job, false) + tile_flag,
                  .rank = 2,
                  .local = {1, 1, 1}};
  const int64_t piece = 16;
  pack.global[0] = static_cast<uint64_t>(job.p.groups * panels);
  pack.global[1] = static_cast<uint64_t>(ceil_div(job.p.group_channels, piece));
  Arguments weights;
  weights.memory(job.p.w.memory(), false);
  weights.layout(job.w);
  weights.scalar(job.p.group_filters);
  weights.scalar(piece);
  weights.memory(packed->memory(), true);
  enqueue_kernel(pack, weights, job.run.without_event());

  KernelCall call{.file = "conv2d_winograd_cpu.cl",
                  .kernel = "netcl_conv2d_winograd",
                  .flags = cpu_flags(job, true) + tile_flag,
                  .rank = 3,
                  .local = {1, 1, 1}};
  call.global[0] = static_cast<uint64_t>(split.workers);
  call.global[1] = static_cast<uint64_t>(split.parts);
  call.global[2] = static_cast<uint64_t>(split.groups);
  Arguments arguments;
  job.add_tensors(&arguments);
  job.add_epilogue(&arguments);
  arguments.scalar(job.p.groups);
  arguments.memory(packed->memory(), false);
  arguments.memory(scratch->memory(), true);
  arguments.scalar(split.scratch);
  arguments.scalar(split.tiles);
  for (const int64_t value :
       {split.tile_rows, split.tile_columns, split.block, split.part, split.chunk}) {
    arguments.scalar(static_cast<int32_t>(value));
  }
  enqueue_kernel(call, arguments, job.run);
}

}  // namespace netcl::ops::conv2d_cl
