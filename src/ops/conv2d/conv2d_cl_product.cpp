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
TensorRef filter_matrix(const Plan& plan) {
  const int64_t shape[3] = {plan.p.groups, plan.p.filters, plan.p.depth()};
  const Layout target = make_layout(3, shape, nullptr, plan.p.w.element_size());
  TensorRef view = reshape_view(plan.p.w, target);
  if (view != nullptr) return view;
  return reshape_view(*copy(plan.p.w, nullptr, plan.run.without_event()), target);
}

// Folded images or filters as matrices: [batch or 1, groups, rows, columns]. `along` is the
// dimension that the groups divide.
TensorRef as_matrices(const Tensor& tensor, const Layout& from, uint32_t along, int64_t groups,
                      uint32_t last) {
  Layout to;
  to.rank = 4;
  to.offset = from.offset;
  to.shape = {along == 0 ? 1 : from.shape[0], groups, from.shape[along] / groups, from.shape[last]};
  to.strides = {along == 0 ? 0 : from.strides[0], to.shape[2] * from.strides[along],
                from.strides[along], from.strides[last]};
  return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), to);
}

// A filter of one element is a product for each image and group, with x and y as they lie. False
// where it is none, or something follows it that products do not do.
bool run_as_product(Plan& plan) {
  const Conv2dProblem& p = plan.p;
  if (p.scale != nullptr || !plan.fold_rows()) return false;
  plan.fold_images();
  MatmulParameters parameters;
  parameters.epilogue = {nullptr, nullptr, p.activation, p.alpha, p.beta};
  if (p.shift != nullptr) {
    Layout bias = p.shift->layout();
    bias.rank = 2;
    bias.shape[1] = 1;
    bias.strides[1] = 1;
    parameters.epilogue.bias = as_matrices(*p.shift, bias, 0, p.groups, 1);
  }
  if (p.residual != nullptr) {
    parameters.epilogue.residual = as_matrices(*p.residual, plan.residual, 1, p.groups, 3);
  }
  matmul(*as_matrices(p.w, plan.w, 0, p.groups, 1), *as_matrices(p.x, plan.x, 1, p.groups, 3),
         parameters, as_matrices(p.result, plan.y, 1, p.groups, 3), plan.run);
  return true;
}

}  // namespace

void run_im2col(Plan& plan) {
  const Conv2dProblem& p = plan.p;
  if (run_as_product(plan)) return;
  const TensorRef filters = filter_matrix(plan);
  const int64_t area = p.out[0] * p.out[1];
  const int64_t image_bytes =
      p.groups * p.depth() * area * static_cast<int64_t>(p.x.element_size());
  const int64_t images =
      std::clamp(room_for(plan, kMatrixBytes) / image_bytes, int64_t{1}, p.batch);
  for (int64_t first = 0; first < p.batch; first += images) {
    const int64_t count = std::min(images, p.batch - first) * area;
    const size_t index_bytes = count <= (1 << 30) ? 4 : 8;
    const char* const index = index_bytes == 4 ? " -DINDEX=int" : " -DINDEX=long";
    const TensorRef columns = new_tensor(p.x.dtype(), {p.groups, p.depth(), count}, plan.run);
    KernelCall gather{.file = "conv2d_im2col.cl",
                      .kernel = "netcl_conv2d_im2col",
                      .flags = plan.flags(false) + index};
    spread(count, p.x.layout().shape[1], &gather);
    Arguments gathered;
    plan.add_tensors(&gathered);
    gathered.scalar(first);
    gathered.integer(count, index_bytes);
    gathered.memory(writing(*columns));
    enqueue_kernel(gather, gathered, plan.run.without_event());

    MatmulParameters parameters;
    parameters.dtype = p.compute_dtype;
    const TensorRef sums = matmul(*filters, *columns, parameters, nullptr, plan.run.part());

    KernelCall finish{.file = "conv2d_im2col.cl",
                      .kernel = "netcl_conv2d_im2col_finish",
                      .flags = plan.flags() + index};
    spread(count, p.groups * p.filters, &finish);
    Arguments finished;
    finished.memory(reading(*sums));
    finished.memory(writing(p.result));
    finished.layout(plan.y);
    plan.add_epilogue(&finished);
    finished.scalar(first);
    finished.integer(count, index_bytes);
    const bool last = first + images >= p.batch;
    enqueue_kernel(finish, finished, last ? plan.run : plan.run.without_event());
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

void transform_filters(const Plan& plan, const Tiles& tiles, const TensorRef& u) {
  KernelCall call{.file = "conv2d_winograd.cl",
                  .kernel = "netcl_conv2d_winograd_weights",
                  .flags = plan.flags(false) + format(" -DNETCL_M=%d", static_cast<int>(tiles.m)),
                  .rank = 2,
                  .local = {32, 1, 1}};
  call.global[0] = static_cast<uint64_t>(round_up(plan.p.channels, 32));
  call.global[1] = static_cast<uint64_t>(std::min(plan.p.groups * plan.p.filters, kGroupsMost));
  Arguments arguments;
  arguments.memory(reading(plan.p.w));
  arguments.layout(plan.w);
  arguments.scalar(plan.p.filters);
  arguments.memory(writing(*u));
  enqueue_kernel(call, arguments, plan.run.without_event());
}

void transform_input(const Plan& plan, const Tiles& tiles, int64_t first, int64_t count,
                     const TensorRef& v) {
  KernelCall call{.file = "conv2d_winograd.cl",
                  .kernel = "netcl_conv2d_winograd_input",
                  .flags = plan.flags(false) + format(" -DNETCL_M=%d", static_cast<int>(tiles.m))};
  spread(count, plan.p.groups * plan.p.channels, &call);
  Arguments arguments;
  arguments.memory(reading(plan.p.x));
  arguments.layout(plan.x);
  for (const int64_t value : {plan.p.channels, plan.p.padding[0], plan.p.padding[1], tiles.rows,
                              tiles.columns, first, count}) {
    arguments.scalar(value);
  }
  arguments.memory(writing(*v));
  enqueue_kernel(call, arguments, plan.run.without_event());
}

void transform_output(const Plan& plan, const Tiles& tiles, int64_t first, int64_t count,
                      const TensorRef& sums, const Run& run) {
  KernelCall call{.file = "conv2d_winograd.cl",
                  .kernel = "netcl_conv2d_winograd_output",
                  .flags = plan.flags() + format(" -DNETCL_M=%d", static_cast<int>(tiles.m))};
  spread(count, plan.p.groups * plan.p.filters, &call);
  Arguments arguments;
  arguments.memory(reading(*sums));
  arguments.memory(writing(plan.p.result));
  arguments.layout(plan.y);
  plan.add_epilogue(&arguments);
  for (const int64_t value : {plan.p.filters, tiles.rows, tiles.columns, first, count}) {
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

void run_winograd(Plan& plan) {
  const Conv2dProblem& p = plan.p;
  Tiles tiles;
  tiles.m = p.config.winograd_tile;
  tiles.elements = (tiles.m + 2) * (tiles.m + 2);
  tiles.rows = ceil_div(p.out[0], tiles.m);
  tiles.columns = ceil_div(p.out[1], tiles.m);
  tiles.count = p.batch * tiles.rows * tiles.columns;
  // Pieces of equal size.
  const int64_t tile_bytes = tiles.elements * p.groups * (p.channels + p.filters) * plan.element();
  const bool integrated = plan.run.device().capabilities().integrated != 0;
  const int64_t room = room_for(plan, integrated ? kTransformBytesIntegrated : kTransformBytes);
  const int64_t most = std::max<int64_t>(room / tile_bytes, 256);
  const int64_t pieces = ceil_div(tiles.count, most);
  const int64_t piece = std::min(round_up(ceil_div(tiles.count, pieces), 64), tiles.count);
  const TensorRef u =
      new_tensor(p.compute_dtype, {p.groups, tiles.elements, p.filters, p.channels}, plan.run);
  transform_filters(plan, tiles, u);
  // All pieces use the same memory.
  const auto transformed = [&](int64_t rows, int64_t count) {
    return new_tensor(p.compute_dtype, {p.groups, tiles.elements, rows, count}, plan.run);
  };
  const TensorRef v_all = transformed(p.channels, piece);
  const TensorRef sums_all = transformed(p.filters, piece);
  for (int64_t first = 0; first < tiles.count; first += piece) {
    const int64_t count = std::min(piece, tiles.count - first);
    const TensorRef v = first_tiles(*v_all, count);
    const TensorRef sums = first_tiles(*sums_all, count);
    transform_input(plan, tiles, first, count, v);
    matmul(*u, *v, MatmulParameters{}, sums, plan.run.part());
    const bool last = first + count >= tiles.count;
    transform_output(plan, tiles, first, count, sums, last ? plan.run : plan.run.without_event());
  }
}

}  // namespace netcl::ops::conv2d_cl
