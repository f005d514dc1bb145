#include "ops/move/gather_nd.hpp"

#include <algorithm>
#include <cstring>

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

struct GatherNdPlan {
  Layout outer;    // the batch in x; has the offset
  Layout place;    // the dimensions of a place in x, each by itself
  Layout inner;    // one slice of x
  Layout indices;  // without the last dimension; has the offset
  Layout y_rows;   // of the result, without `inner`; has the offset
  Layout y_inner;
  int64_t rows;
  int64_t columns;
  int64_t each;  // places of one of the batch
  int64_t index_step;
};

// Where the slice lies that the indices from `list` on name; false when x has no such place.
template <class I>
bool find_place(const Layout& place, const I* list, int64_t step, int64_t* at) {
  *at = 0;
  for (uint32_t d = 0; d < place.rank; ++d) {
    int64_t k = list[d * step];
    if (k < 0) k += place.shape[d];
    if (k < 0 || k >= place.shape[d]) return false;
    *at += k * place.strides[d];
  }
  return true;
}

template <class T, class I>
void gather_nd_rows(const GatherNdPlan& plan, const T* x, const I* indices, T* y, int64_t first,
                    int64_t last) {
  const bool packed = plan.inner.rank <= 1 && plan.y_inner.rank <= 1 && plan.columns > 1 &&
                      plan.inner.strides[0] == 1 && plan.y_inner.strides[0] == 1;
  for (int64_t row = first; row < last; ++row) {
    int64_t at = 0;
    const bool inside =
        find_place(plan.place, indices + plan.indices.offset + element_at(plan.indices, row),
                   plan.index_step, &at);
    T* const target = y + plan.y_rows.offset + element_at(plan.y_rows, row);
    if (!inside) {
      for (int64_t c = 0; c < plan.columns; ++c) target[element_at(plan.y_inner, c)] = T(0);
      continue;
    }
    const T* const source = x + plan.outer.offset + element_at(plan.outer, row / plan.each) + at;
    if (packed) {
      std::memcpy(target, source, static_cast<size_t>(plan.columns) * sizeof(T));
      continue;
    }
    for (int64_t c = 0; c < plan.columns; ++c) {
      target[element_at(plan.y_inner, c)] = source[element_at(plan.inner, c)];
    }
  }
}

void gather_nd_natively(const GatherNdPlan& plan, const Tensor& x, const Tensor& indices,
                        const Tensor& result, const Run& run) {
  native_rows({reading(x), reading(indices), writing(result)}, x.element_size(), plan.rows,
              plan.columns, run,
              [plan, dtype = indices.dtype()](const NativeCall& call, auto element, int64_t first,
                                              int64_t last) {
                with_index(dtype, [&](auto index) {
                  using T = decltype(element);
                  using I = decltype(index);
                  gather_nd_rows(plan, call.at<const T>(0), call.at<const I>(1), call.at<T>(2),
                                 first, last);
                });
              });
}

void launch_gather_nd(const GatherNdPlan& plan, const Tensor& x, const Tensor& indices,
                      const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(reading(indices));
  arguments.memory(writing(result));
  for (const Layout* layout :
       {&plan.outer, &plan.place, &plan.inner, &plan.indices, &plan.y_rows, &plan.y_inner}) {
    arguments.layout(*layout);
  }
  for (const int64_t number : {plan.rows, plan.columns, plan.each, plan.index_step}) {
    arguments.scalar(number);
  }
  const bool wide =
      !fits_32_bits({&x.layout(), &indices.layout(), &result.layout()}, result.element_count());
  const std::string flags =
      std::string("-DT=") + bits_type(x.element_size()) + index_flag(indices.dtype());
  launch_rows("gather_nd.cl", "netcl_gather_nd", flags, plan.rows, plan.columns, wide, arguments,
              run);
}

// The layout of the indices without the last dimension.
Layout list_of(const Layout& indices) {
  Layout list = layout_part(indices, 0, indices.rank - 1);
  list.offset = indices.offset;
  return list;
}

GatherNdPlan make_gather_nd_plan(const NdPlaces& places, const Layout& x, const Layout& indices,
                                 const Layout& y) {
  const uint32_t first = places.batch_dims, last = first + places.depth;
  const uint32_t lines = indices.rank - 1;
  GatherNdPlan plan;
  plan.outer = layout_part(x, 0, first);
  plan.outer.offset = x.offset;
  plan.place.rank = places.depth;
  std::copy_n(x.shape.begin() + first, places.depth, plan.place.shape.begin());
  std::copy_n(x.strides.begin() + first, places.depth, plan.place.strides.begin());
  plan.inner = layout_part(x, last, x.rank - last);
  plan.indices = list_of(indices);
  plan.y_rows = layout_part(y, 0, lines);
  plan.y_rows.offset = y.offset;
  plan.y_inner = layout_part(y, lines, y.rank - lines);
  plan.rows = places.batch * places.each;
  plan.columns = places.columns;
  plan.each = places.each;
  plan.index_step = indices.strides[lines];
  return plan;
}

// The dimensions of a place as those of a packed tensor of slices.
Layout packed_place(const Tensor& x, const NdPlaces& places) {
  return packed_layout(places.depth, x.layout().shape.data() + places.batch_dims);
}

struct PlaceNumbers {
  Layout place;
  Layout indices;  // without the last dimension; has the offset
  int64_t rows;
  int64_t each;
  int64_t places;
  int64_t index_step;
};

void number_places_natively(const PlaceNumbers& plan, const Tensor& indices, const Tensor& numbers,
                            const Run& run) {
  native_rows(
      {reading(indices), writing(numbers)}, sizeof(int64_t), plan.rows, 1, run,
      [plan, dtype = indices.dtype()](const NativeCall& call, auto, int64_t first, int64_t last) {
        with_index(dtype, [&](auto index) {
          using I = decltype(index);
          const I* const list = call.at<const I>(0) + plan.indices.offset;
          int64_t* const to = call.at<int64_t>(1);
          for (int64_t row = first; row < last; ++row) {
            int64_t at = 0;
            const bool inside =
                find_place(plan.place, list + element_at(plan.indices, row), plan.index_step, &at);
            to[row] = inside ? row / plan.each * plan.places + at : INT64_MAX;
          }
        });
      });
}

void launch_number_places(const PlaceNumbers& plan, const Tensor& indices, const Tensor& numbers,
                          const Run& run) {
  Arguments arguments;
  arguments.memory(reading(indices));
  arguments.memory(writing(numbers));
  arguments.layout(plan.place);
  arguments.layout(plan.indices);
  for (const int64_t number : {plan.rows, plan.each, plan.places, plan.index_step}) {
    arguments.scalar(number);
  }
  // Numbers of places are counted in 64 bits.
  const std::string flags = std::string("-DT=ulong") + index_flag(indices.dtype());
  launch_rows("gather_nd.cl", "netcl_number_places", flags, plan.rows, 1, true, arguments, run);
}

}  // namespace

NdPlaces checked_places(const Tensor& x, const Tensor& indices, uint32_t batch_dims) {
  require_indices(indices);
  const Layout& from = x.layout();
  const Layout& list = indices.layout();
  bool fits = batch_dims < from.rank && batch_dims < list.rank;
  for (uint32_t d = 0; fits && d < batch_dims; ++d) fits = from.shape[d] == list.shape[d];
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "batch_dims is %u; x has shape %s, indices has shape %s; that many extents at their "
         "beginning are equal, and both have more",
         batch_dims, shape_text(from).c_str(), shape_text(list).c_str());
  }
  const int64_t depth = list.shape[list.rank - 1];
  const uint32_t most = from.rank - batch_dims;
  if (depth < 1 || depth > most) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "indices has shape %s; the last extent is 1 to %u, as x has shape %s and batch_dims is %u",
         shape_text(list).c_str(), most, shape_text(from).c_str(), batch_dims);
  }
  NdPlaces places;
  places.batch_dims = batch_dims;
  places.depth = static_cast<uint32_t>(depth);
  const uint32_t last = batch_dims + places.depth;
  const uint32_t rank = list.rank - 1 + from.rank - last;
  if (rank > kRankMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "x has rank %u and indices has shape %s; the result would have rank %u, more than %u",
         from.rank, shape_text(list).c_str(), rank, kRankMax);
  }
  places.result.rank = rank;
  std::copy_n(list.shape.begin(), list.rank - 1, places.result.shape.begin());
  std::copy_n(from.shape.begin() + last, from.rank - last,
              places.result.shape.begin() + list.rank - 1);
  for (uint32_t d = 0; d < batch_dims; ++d) places.batch *= from.shape[d];
  for (uint32_t d = batch_dims; d + 1 < list.rank; ++d) places.each *= list.shape[d];
  for (uint32_t d = batch_dims; d < last; ++d) places.places *= from.shape[d];
  for (uint32_t d = last; d < from.rank; ++d) places.columns *= from.shape[d];
  return places;
}

TensorRef numbered_places(const Tensor& x, const Tensor& indices, const NdPlaces& places,
                          const Run& run) {
  const Layout& list = indices.layout();
  const int64_t count = places.batch * places.each;
  const TensorRef numbers = new_tensor(NETCL_I64, 1, &count, run);
  const PlaceNumbers plan{
      packed_place(x, places),    list_of(list), count, places.each, places.places,
      list.strides[list.rank - 1]};
  if (runs_native(run.device())) {
    number_places_natively(plan, indices, *numbers, run);
  } else {
    launch_number_places(plan, indices, *numbers, run);
  }
  return numbers;
}

TensorRef gather_nd(const Tensor& x, const Tensor& indices, uint32_t batch_dims,
                    const TensorRef& into, const Run& run) {
  require_device(indices, run, "indices");
  const NdPlaces places = checked_places(x, indices, batch_dims);
  refuse_sharing(into, x, "x");
  refuse_sharing(into, indices, "indices");
  const TensorRef result =
      result_tensor(into, places.result.rank, places.result.shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  const GatherNdPlan plan =
      make_gather_nd_plan(places, x.layout(), indices.layout(), result->layout());
  const Run declared = with_work(run, [&] {
    // What is picked is read once for each element of the result.
    Work work = work_of("gather_nd", x.dtype(), 0.0, {&indices}, {result.get()});
    work.bytes += moved_bytes(result.get());
    return work;
  });
  if (runs_native(run.device())) {
    gather_nd_natively(plan, x, indices, *result, declared);
  } else {
    launch_gather_nd(plan, x, indices, *result, declared);
  }
  return result;
}

}  // namespace netcl::ops
