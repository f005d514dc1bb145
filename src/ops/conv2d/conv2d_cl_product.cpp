// Convolutions that are matrix products between two kernels of their own: im2col and Winograd's
// method.
#include <algorithm>

#include "ops/conv2d/conv2d_cl.hpp"
#include "ops/frame/result.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops::conv2d_cl {
namespace {

constexpr int64_t kMatrixBytes = 256 << 20;
// What the transforms of integrated GPUs hand over should stay in their cache; what devices say of
// its size is not to be believed. Others lose more by short launches than by leaving the cache: 32
// MiB took 1.4 times as long as 256 on an H200, whose second cache has 50.
constexpr int64_t kTransformBytes = 256 << 20;
constexpr int64_t kTransformBytesIntegrated = 4 << 20;

// What a call may take for itself: no more than a sixteenth of the device's memory.
int64_t room_for(const Job& job, int64_t wanted) {
  const uint64_t part = job.run.device().capabilities().global_memory_bytes / 16;
  return static_cast<int64_t>(std::min(static_cast<uint64_t>(wanted), part));
}

TensorRef new_tensor(netcl_dtype dtype, std::initializer_list<int64_t> shape, const Run& run) {
  return ops::new_tensor(dtype, static_cast<uint32_t>(shape.size()), shape.begin(), run);
}

// An item does an element.
void spread(int64_t elements, int64_t rows, KernelCall* call) {
  call->rank = 2;
  call->local[0] = 64;
  call->global[0] = static_cast<uint64_t>(round_up(elements, 64));
  call->global[1] = static_cast<uint64_t>(std::min(rows, kGroupsMost));
}

// w as [groups, group_filters, depth].
TensorRef filter_matrix(const Job& job) {
  const int64_t shape[3] = {job.p.groups, job.p.filters, job.p.depth()};
  const Layout target = make_layout(3, shape, nullptr, job.p.w.element_size());
  TensorRef view = reshape_view(job.p.w, target);
  if (view != nullptr) return view;
  return reshape_view(*copy(job.p.w, nullptr, job.run.without_event()), target);
}

}  // namespace

void run_im2col(Job& job) {
  const Conv2dProblem& p = job.p;
  const TensorRef filters = filter_matrix(job);
  const int64_t area = p.out[0] * p.out[1];
  const int64_t image_bytes =
      p.groups * p.depth() * area * static_cast<int64_t>(p.x.element_size());
  const int64_t images =
      std::clamp(room_for(job, kMatrixBytes) / image_bytes, int64_t{1}, p.batch);
  for (int64_t first = 0; first < p.batch; first += images) {
    const int64_t count = std::min(images, p.batch - first) * area;
    const TensorRef columns = new_tensor(p.x.dtype(), {p.groups, p.depth(), count}, job.run);
    KernelCall gather{.file = "conv2d_im2col.cl",
                      .kernel = "netcl_conv2d_im2col",
                      .flags = job.flags(false)};
    spread(count, p.groups * p.depth(), &gather);
    Arguments gathered;
    job.add_tensors(&gathered);
    gathered.scalar(first);
    gathered.scalar(count);
    gathered.memory(columns->memory(), true);
    enqueue_kernel(gather, gathered, job.run.without_event());

    MatmulParameters parameters;
    parameters.dtype = p.compute_dtype;
    const TensorRef sums = matmul(*filters, *columns, parameters, nullptr, job.run.part());

    KernelCall finish{.file = "conv2d_im2col.cl",
                      .kernel = "netcl_conv2d_im2col_finish",
                      .flags = job.flags()};
    spread(count, p.groups * p.filters, &finish);
    Arguments finished;
    finished.memory(sums->memory(), false);
    finished.memory(p.result.memory(), true);
    finished.layout(job.y);
    job.add_epilogue(&finished);
    finished.scalar(first);
    finished.scalar(count);
    const bool last = first + images >= p.batch;
    enqueue_kernel(finish, finished, last ? job.run : job.run.without_event());
  }
}

namespace {

struct Tiles {
  int64_t m;
  int64_t elements;  // of a transformed tile
  int64_t rows;
  int64_t columns;
  int64_t count;
};

void transform_filters(const Job& job, const Tiles& tiles, const TensorRef& u) {
  KernelCall call{.file = "conv2d_winograd.cl",
                  .kernel = "netcl_conv2d_winograd_weights",
                  .flags = job.flags(false) + format(" -DNETCL_M=%d", static_cast<int>(tiles.m)),
                  .rank = 2,
                  .local = {32, 1, 1}};
  call.global[0] = static_cast<uint64_t>(round_up(job.p.channels, 32));
  call.global[1] = static_cast<uint64_t>(std::min(job.p.groups * job.p.filters, kGroupsMost));
  Arguments arguments;
  arguments.memory(job.p.w.memory(), false);
  arguments.layout(job.w);
  arguments.scalar(job.p.filters);
  arguments.memory(u->memory(), true);
  enqueue_kernel(call, arguments, job.run.without_event());
}

void transform_input(const Job& job, const Tiles& tiles, int64_t first, int64_t count,
                     const TensorRef& v) {
  KernelCall call{.file = "conv2d_winograd.cl",
                  .kernel = "netcl_conv2d_winograd_input",
                  .flags = job.flags(false) + format(" -DNETCL_M=%d", static_cast<int>(tiles.m))};
  spread(count, job.p.groups * job.p.channels, &call);
  Arguments arguments;
  arguments.memory(job.p.x.memory(), false);
  arguments.layout(job.x);
  for (const int64_t value : {job.p.channels, job.p.padding[0], job.p.padding[1], tiles.rows,
                              tiles.columns, first, count}) {
    arguments.scalar(value);
  }
  arguments.memory(v->memory(), true);
  enqueue_kernel(call, arguments, job.run.without_event());
}

void transform_output(const Job& job, const Tiles& tiles, int64_t first, int64_t count,
                      const TensorRef& sums, const Run& run) {
  KernelCall call{.file = "conv2d_winograd.cl",
                  .kernel = "netcl_conv2d_winograd_output",
                  .flags = job.flags() + format(" -DNETCL_M=%d", static_cast<int>(tiles.m))};
  spread(count, job.p.groups * job.p.filters, &call);
  Arguments arguments;
  arguments.memory(sums->memory(), false);
  arguments.memory(job.p.result.memory(), true);
  arguments.layout(job.y);
  job.add_epilogue(&arguments);
  for (const int64_t value : {job.p.filters, tiles.rows, tiles.columns, first, count}) {
    arguments.scalar(value);
  }
  enqueue_kernel(call, arguments, run);
}

// The memory of transformed tiles for fewer of them.
TensorRef first_tiles(const Tensor& all, int64_t count) {
  int64_t shape[4];
  std::copy_n(all.layout().shape.begin(), 4, shape);
  shape[3] = count;
  return view(all, 4, shape, nullptr, 0);
}

}  // namespace

void run_winograd(Job& job) {
  const Conv2dProblem& p = job.p;
  Tiles tiles;
  tiles.m = p.config.winograd_tile;
  tiles.elements = (tiles.m + 2) * (tiles.m + 2);
  tiles.rows = ceil_div(p.out[0], tiles.m);
  tiles.columns = ceil_div(p.out[1], tiles.m);
  tiles.count = p.batch * tiles.rows * tiles.columns;
  // Pieces of equal size.
  const int64_t tile_bytes = tiles.elements * p.groups * (p.channels + p.filters) * job.element();
  const bool integrated = job.run.device().capabilities().integrated != 0;
  const int64_t room = room_for(job, integrated ? kTransformBytesIntegrated : kTransformBytes);
  const int64_t most = std::max<int64_t>(room / tile_bytes, 256);
  const int64_t pieces = ceil_div(tiles.count, most);
  const int64_t piece = std::min(round_up(ceil_div(tiles.count, pieces), 64), tiles.count);
  const TensorRef u =
      new_tensor(p.compute_dtype, {p.groups, tiles.elements, p.filters, p.channels}, job.run);
  transform_filters(job, tiles, u);
  // All pieces use the same memory.
  const auto transformed = [&](int64_t rows, int64_t count) {
    return new_tensor(p.compute_dtype, {p.groups, tiles.elements, rows, count}, job.run);
  };
  const TensorRef v_all = transformed(p.channels, piece);
  const TensorRef sums_all = transformed(p.filters, piece);
  for (int64_t first = 0; first < tiles.count; first += piece) {
    const int64_t count = std::min(piece, tiles.count - first);
    const TensorRef v = first_tiles(*v_all, count);
    const TensorRef sums = first_tiles(*sums_all, count);
    transform_input(job, tiles, first, count, v);
    matmul(*u, *v, MatmulParameters{}, sums, job.run.part());
    const bool last = first + count >= tiles.count;
    transform_output(job, tiles, first, count, sums, last ? job.run : job.run.without_event());
  }
}

}  // namespace netcl::ops::conv2d_cl
