#include "ops/move/scatter_nd.hpp"

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/gather_nd.hpp"
#include "ops/move/move.hpp"
#include "ops/move/scatter.hpp"

namespace netcl::ops {

namespace {

// The same elements as rows of columns; null when the strides do not allow a view.
TensorRef as_matrix(const Tensor& tensor, int64_t rows, int64_t columns) {
  const int64_t shape[2] = {rows, columns};
  return reshape_view(tensor, packed_layout(2, shape));
}

Work scatter_nd_work(const Tensor& x, const Tensor& indices, const Tensor& updates, bool combines) {
  const double count = static_cast<double>(updates.element_count());
  Work work =
      work_of("scatter_nd", x.dtype(), combines ? count : 0.0, {&indices, &updates}, {});
  work.bytes_written = count * static_cast<double>(x.element_size());
  work.bytes += (combines ? 2.0 : 1.0) * work.bytes_written;
  return work;
}

// A scatter along the one dimension that all places of x are together.
void put_places(const Tensor& x, const Tensor& indices, const Tensor& updates,
                const NdPlaces& places, netcl_scatter_mode mode, bool atomics,
                const TensorRef& result, const Run& run) {
  Run last = with_work(run, [&] {
    return scatter_nd_work(x, indices, updates, mode != NETCL_SCATTER_ASSIGN);
  });
  last.declared = true;
  const Run before = last.part();
  const int64_t count = places.batch * places.each, columns = places.columns;
  const int64_t rows = places.batch * places.places;
  const TensorRef numbers = numbered_places(x, indices, places, before);
  Layout list = numbers->layout();
  list.rank = 2;
  list.shape[1] = columns;
  list.strides[1] = 0;
  const Tensor lines(numbers->buffer(), NETCL_I64, list);
  TensorRef values = as_matrix(updates, count, columns);
  if (values == nullptr) {
    values = as_matrix(*copy(updates, nullptr, before), count, columns);
  }
  const TensorRef source = as_matrix(x, rows, columns);
  const TensorRef target = as_matrix(*result, rows, columns);
  if (source != nullptr && target != nullptr) {
    scatter(source, lines, *values, 0, mode, atomics, target, last);
    return;
  }
  // What lies in no order of rows becomes so, and goes back.
  const Layout& shape = x.layout();
  const TensorRef packed = new_tensor(x.dtype(), shape.rank, shape.shape.data(), before);
  copy_into(x, *packed, before);
  const TensorRef matrix = as_matrix(*packed, rows, columns);
  scatter(matrix, lines, *values, 0, mode, atomics, matrix, before);
  copy_into(*packed, *result, last);
}

}  // namespace

TensorRef scatter_nd(const TensorRef& x, const Tensor& indices, const Tensor& updates,
                     uint32_t batch_dims, netcl_scatter_mode mode, bool atomics,
                     const TensorRef& into, const Run& run) {
  check_scatter_mode(*x, updates, mode, atomics, run);
  require_device(indices, run, "indices");
  require_device(updates, run, "updates");
  const NdPlaces places = checked_places(*x, indices, batch_dims);
  if (!updates.layout().same_shape(places.result)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "updates has shape %s; x of shape %s and indices of shape %s need %s",
         shape_text(updates).c_str(), shape_text(*x).c_str(), shape_text(indices).c_str(),
         shape_text(places.result).c_str());
  }
  refuse_sharing(into, *x, "x", true);
  refuse_sharing(into, indices, "indices");
  refuse_sharing(into, updates, "updates");
  const Layout& shape = x->layout();
  const TensorRef result = result_tensor(into, shape.rank, shape.shape.data(), x->dtype(), run);
  if (!updates.empty() && !result->empty()) {
    put_places(*x, indices, updates, places, mode, atomics, result, run);
  } else if (!same_elements(*result, *x)) {
    copy_into(*x, *result, run);
  }
  return result;
}

}  // namespace netcl::ops
