#include "ops/move/one_hot.hpp"

#include <cstring>

#include "backend/cpu/element.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

struct OneHotPlan {
  Layout list;    // of the indices, for rows of the result: stride 0 along the axis; has the offset
  Layout y_rows;  // of the result, without the columns; has the offset
  int64_t rows;
  int64_t columns;
  int64_t list_step;  // from column to column; 0 where the axis is that of the columns
  int64_t y_step;
  int64_t depth;
  int64_t inner;  // rows from place to place along the axis; 0 where that is the columns
};

OneHotPlan make_one_hot_plan(const Layout& indices, const Layout& y, uint32_t axis) {
  Layout list = y;
  list.offset = indices.offset;
  for (uint32_t d = 0; d < y.rank; ++d) {
    list.strides[d] = d == axis ? 0 : indices.strides[d < axis ? d : d - 1];
  }
  const uint32_t last = y.rank - 1;
  OneHotPlan plan;
  plan.list = layout_part(list, 0, last);
  plan.list.offset = list.offset;
  plan.y_rows = layout_part(y, 0, last);
  plan.y_rows.offset = y.offset;
  plan.columns = y.shape[last];
  plan.rows = y.element_count() / plan.columns;
  plan.list_step = list.strides[last];
  plan.y_step = y.strides[last];
  plan.depth = y.shape[axis];
  plan.inner = axis == last ? 0 : 1;
  for (uint32_t d = axis + 1; d < last; ++d) plan.inner *= y.shape[d];
  return plan;
}

// Where an index points to; -1: nowhere.
template <class I>
int64_t place_of(I index, int64_t depth) {
  if (index < 0) return static_cast<int64_t>(index) + depth;
  return static_cast<uint64_t>(index) < static_cast<uint64_t>(depth) ? static_cast<int64_t>(index)
                                                                     : -1;
}

template <class I, class T>
void one_hot_rows(const OneHotPlan& plan, const I* indices, T* y, T on, T off, int64_t first,
                  int64_t last) {
  for (int64_t row = first; row < last; ++row) {
    const I* const list = indices + plan.list.offset + element_at(plan.list, row);
    T* const target = y + plan.y_rows.offset + element_at(plan.y_rows, row);
    if (plan.inner == 0) {
      for (int64_t c = 0; c < plan.columns; ++c) target[c * plan.y_step] = off;
      const int64_t place = place_of(*list, plan.depth);
      if (place >= 0) target[place * plan.y_step] = on;
      continue;
    }
    const int64_t here = row / plan.inner % plan.depth;
    for (int64_t c = 0; c < plan.columns; ++c) {
      target[c * plan.y_step] = place_of(list[c * plan.list_step], plan.depth) == here ? on : off;
    }
  }
}

template <class T>
T bits_of(const Element& element) {
  T bits;
  std::memcpy(&bits, element.data(), sizeof bits);
  return bits;
}

void one_hot_natively(const OneHotPlan& plan, const Tensor& indices, const Tensor& result,
                      const Element& on, const Element& off, const Run& run) {
  native_rows({reading(indices), writing(result)}, result.element_size(), plan.rows, plan.columns,
              run,
              [plan, on, off, dtype = indices.dtype()](const NativeCall& call, auto zero,
                                                       int64_t first, int64_t last) {
                using T = decltype(zero);
                cpu::with_dtype(dtype, [&](auto index) {
                  using I = typename decltype(index)::Storage;
                  if constexpr (std::is_integral_v<I>) {
                    one_hot_rows(plan, call.at<const I>(0), call.at<T>(1), bits_of<T>(on),
                                 bits_of<T>(off), first, last);
                  }
                });
              });
}

void launch_one_hot(const OneHotPlan& plan, const Tensor& indices, const Tensor& result,
                    const Element& on, const Element& off, const Run& run) {
  Arguments arguments;
  arguments.memory(reading(indices));
  arguments.memory(writing(result));
  arguments.layout(plan.list);
  arguments.layout(plan.y_rows);
  for (const int64_t number :
       {plan.rows, plan.columns, plan.list_step, plan.y_step, plan.depth, plan.inner}) {
    arguments.scalar(number);
  }
  arguments.bytes(on.data(), result.element_size());
  arguments.bytes(off.data(), result.element_size());
  const std::string flags = std::string("-DT=") + bits_type(result.element_size()) +
                            " -DI=" + dtype_facts(indices.dtype()).name;
  launch_rows("one_hot.cl", "netcl_one_hot", flags, plan.rows, plan.columns,
              !fits_32_bits({&indices.layout(), &result.layout()}, result.element_count()),
              arguments, run);
}

}  // namespace

TensorRef one_hot(const Tensor& indices, int64_t depth, int32_t axis, netcl_dtype dtype,
                  const Element& on, const Element& off, const TensorRef& into, const Run& run) {
  const DtypeClass kind = dtype_facts(indices.dtype()).kind;
  if (kind != DtypeClass::signed_integer && kind != DtypeClass::unsigned_integer) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "indices is %s; indices are integers",
         dtype_facts(indices.dtype()).name);
  }
  const Layout& from = indices.layout();
  if (from.rank == kRankMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "indices has rank %u; the result would have %u", from.rank,
         from.rank + 1);
  }
  if (depth < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "depth is %lld; it is 0 or more",
         static_cast<long long>(depth));
  }
  const int64_t rank = from.rank + 1;
  if (axis < -rank || axis >= rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axis is %d; the result has rank %u", axis, from.rank + 1);
  }
  const auto along = static_cast<uint32_t>(axis < 0 ? axis + rank : axis);
  require_device(indices, run, "indices");
  refuse_sharing(into, indices, "indices");
  std::array<int64_t, kRankMax> shape{};
  for (uint32_t d = 0; d <= from.rank; ++d) {
    shape[d] = d == along ? depth : from.shape[d < along ? d : d - 1];
  }
  const TensorRef result = result_tensor(into, from.rank + 1, shape.data(), dtype, run);
  if (result->empty()) return result;
  const OneHotPlan plan = make_one_hot_plan(from, result->layout(), along);
  const Run declared =
      with_work(run, [&] { return work_of("one_hot", dtype, 0.0, {&indices}, {result.get()}); });
  if (runs_native(run.device())) {
    one_hot_natively(plan, indices, *result, on, off, declared);
  } else {
    launch_one_hot(plan, indices, *result, on, off, declared);
  }
  return result;
}

}  // namespace netcl::ops
