#include "ops/move/tile.hpp"

#include <array>

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/move/pad.hpp"

namespace netcl::ops {

namespace {

// Axes of a copy that repeats, joined where they are contiguous.
struct TileAxes {
  std::array<int64_t, 2 * kRankMax> shape, x_strides, y_strides;
  uint32_t rank = 0;

  void add(int64_t extent, int64_t x_stride, int64_t y_stride) {
    if (extent == 1) return;
    const uint32_t before = rank - 1;
    if (rank > 0 && x_strides[before] == extent * x_stride &&
        y_strides[before] == extent * y_stride) {
      shape[before] *= extent;
      x_strides[before] = x_stride;
      y_strides[before] = y_stride;
      return;
    }
    shape[rank] = extent;
    x_strides[rank] = x_stride;
    y_strides[rank++] = y_stride;
  }
  Layout layout(int64_t offset, const std::array<int64_t, 2 * kRankMax>& strides) const {
    Layout made;
    made.offset = offset;
    made.rank = rank;
    std::copy_n(shape.begin(), rank, made.shape.begin());
    std::copy_n(strides.begin(), rank, made.strides.begin());
    return made;
  }
};

void check_repeats(const Tensor& x, std::span<const int64_t> repeats) {
  if (repeats.size() != x.layout().rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "repeats_count is %zu; x has rank %u", repeats.size(),
         x.layout().rank);
  }
  for (uint32_t d = 0; d < repeats.size(); ++d) {
    if (repeats[d] < 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "repeats[%u] is %lld; it must not be negative", d,
           static_cast<long long>(repeats[d]));
    }
    const int64_t extent = x.layout().shape[d];
    if (repeats[d] <= INT64_MAX / std::max<int64_t>(extent, 1)) continue;
    fail(
        NETCL_ERROR_INVALID_ARGUMENT,
        "repeats[%u] is %lld; with the extent of %lld of axis %u the result has more than 2^63 - 1 "
        "elements",
        d, static_cast<long long>(repeats[d]), static_cast<long long>(extent), d);
  }
}

}  // namespace

TensorRef tile(const Tensor& x, std::span<const int64_t> repeats, const TensorRef& into,
               const Run& run) {
  check_repeats(x, repeats);
  require_device(x, run, "x");
  refuse_sharing(into, x, "x");
  const Layout& from = x.layout();
  std::array<int64_t, kRankMax> shape{};
  for (uint32_t d = 0; d < from.rank; ++d) shape[d] = from.shape[d] * repeats[d];
  const TensorRef result = result_tensor(into, from.rank, shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  Run declared =
      with_work(run, [&] { return work_of("tile", x.dtype(), 0.0, {&x}, {result.get()}); });
  declared.declared = true;
  // An axis becomes two: that of the repeats, along which x stands still, and its own.
  TileAxes axes;
  const Layout& to = result->layout();
  for (uint32_t d = 0; d < from.rank; ++d) {
    axes.add(repeats[d], 0, from.shape[d] * to.strides[d]);
    axes.add(from.shape[d], from.strides[d], to.strides[d]);
  }
  if (axes.rank <= kRankMax) {
    copy_into(Tensor(x.buffer(), x.dtype(), axes.layout(from.offset, axes.x_strides)),
              Tensor(result->buffer(), x.dtype(), axes.layout(to.offset, axes.y_strides)),
              declared);
    return result;
  }
  std::array<int64_t, 2 * kRankMax> pads{};
  for (uint32_t d = 0; d < from.rank; ++d) pads[from.rank + d] = shape[d] - from.shape[d];
  return pad(x, std::span<const int64_t>(pads.data(), 2 * from.rank), NETCL_PAD_WRAP, Element{},
             result, declared);
}

}  // namespace netcl::ops
