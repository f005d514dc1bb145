#include "ops/move/gather.hpp"

#include <algorithm>
#include <cstring>

#include "backend/cpu/thread_pool.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

struct GatherPlan {
  Layout outer;  // of x, before the axis; has the offset
  Layout inner;  // of x, behind the axis
  Layout indices;
  Layout y_rows;  // of the result, without `inner`; has the offset
  Layout y_inner;
  int64_t rows;
  int64_t columns;
  int64_t index_count;
  int64_t extent;
  int64_t axis_stride;
};

template <class T, class I>
void gather_rows(const GatherPlan& plan, const T* x, const I* indices, T* y, int64_t first,
                 int64_t last) {
  const bool packed =
      plan.inner.rank <= 1 && plan.y_inner.rank <= 1 &&
      (plan.columns == 1 || (plan.inner.strides[0] == 1 && plan.y_inner.strides[0] == 1));
  for (int64_t row = first; row < last; ++row) {
    const int64_t o = row / plan.index_count;
    int64_t k = indices[plan.indices.offset + element_at(plan.indices, row - o * plan.index_count)];
    if (k < 0) k += plan.extent;
    T* const target = y + plan.y_rows.offset + element_at(plan.y_rows, row);
    const bool inside = k >= 0 && k < plan.extent;
    const T* const source =
        x + plan.outer.offset + element_at(plan.outer, o) + (inside ? k * plan.axis_stride : 0);
    if (packed && inside) {
      std::memcpy(target, source, static_cast<size_t>(plan.columns) * sizeof(T));
      continue;
    }
    for (int64_t c = 0; c < plan.columns; ++c) {
      target[element_at(plan.y_inner, c)] = inside ? source[element_at(plan.inner, c)] : T(0);
    }
  }
}

void gather_natively(const GatherPlan& plan, const Tensor& x, const Tensor& indices,
                     const Tensor& result, const Run& run) {
  native_rows({reading(x), reading(indices), writing(result)}, x.element_size(), plan.rows,
              plan.columns, run,
              [plan, dtype = indices.dtype()](const NativeCall& call, auto element, int64_t first,
                                              int64_t last) {
                with_index(dtype, [&](auto index) {
                  using T = decltype(element);
                  using I = decltype(index);
                  gather_rows(plan, call.at<const T>(0), call.at<const I>(1), call.at<T>(2), first,
                              last);
                });
              });
}

void launch_gather(const GatherPlan& plan, const Tensor& x, const Tensor& indices,
                   const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(reading(indices));
  arguments.memory(writing(result));
  for (const Layout* layout :
       {&plan.outer, &plan.inner, &plan.indices, &plan.y_rows, &plan.y_inner}) {
    arguments.layout(*layout);
  }
  arguments.scalar(plan.rows);
  arguments.scalar(plan.columns);
  arguments.scalar(plan.index_count);
  arguments.scalar(plan.extent);
  arguments.scalar(plan.axis_stride);
  const bool wide =
      !fits_32_bits({&x.layout(), &indices.layout(), &result.layout()}, result.element_count());
  const std::string flags =
      std::string("-DT=") + bits_type(x.element_size()) + index_flag(indices.dtype());
  launch_rows("gather.cl", "netcl_gather", flags, plan.rows, plan.columns, wide, arguments, run);
}

struct ElementsPlan {
  Layout from;  // of x with the shape of the indices; stride 0 along the axis
  Layout indices;
  Layout to;
  int64_t count;
  int64_t extent;
  int64_t axis_stride;
};

void gather_elements_natively(const ElementsPlan& plan, const Tensor& x, const Tensor& indices,
                              const Tensor& result, const Run& run) {
  const auto function = [plan, size = x.element_size(),
                         dtype = indices.dtype()](const NativeCall& call) {
    with_bits(size, [&](auto element) {
      with_index(dtype, [&](auto index) {
        using T = decltype(element);
        using I = decltype(index);
        const T* const from = call.at<const T>(0) + plan.from.offset;
        const I* const list = call.at<const I>(1) + plan.indices.offset;
        T* const to = call.at<T>(2) + plan.to.offset;
        call.threads.parallel_for(plan.count, 1 << 14, [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            int64_t k = list[element_at(plan.indices, i)];
            if (k < 0) k += plan.extent;
            const bool inside = k >= 0 && k < plan.extent;
            to[element_at(plan.to, i)] =
                inside ? from[element_at(plan.from, i) + k * plan.axis_stride] : T(0);
          }
        });
      });
    });
  };
  enqueue_native({reading(x), reading(indices), writing(result)}, run, function);
}

void launch_gather_elements(const ElementsPlan& plan, const Tensor& x, const Tensor& indices,
                            const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(reading(indices));
  arguments.memory(writing(result));
  for (const Layout* layout : {&plan.from, &plan.indices, &plan.to}) arguments.layout(*layout);
  arguments.scalar(plan.count);
  arguments.scalar(plan.extent);
  arguments.scalar(plan.axis_stride);
  const bool wide = !fits_32_bits({&x.layout(), &indices.layout(), &result.layout()}, plan.count);
  const std::string flags =
      std::string("-DT=") + bits_type(x.element_size()) + index_flag(indices.dtype());
  launch_rows("gather.cl", "netcl_gather_elements", flags, plan.count, 1, wide, arguments, run);
}

// What is picked is read once for each element of the result.
Work gather_work(const Tensor& x, const Tensor& indices, const Tensor& result) {
  Work work = work_of("gather", x.dtype(), 0.0, {&indices}, {&result});
  work.bytes += moved_bytes(&result);
  return work;
}

}  // namespace

void require_indices(const Tensor& indices, const char* argument) {
  if (indices.dtype() == NETCL_I32 || indices.dtype() == NETCL_I64) return;
  fail(NETCL_ERROR_UNSUPPORTED, "%s is %s; i32 and i64 are possible", argument,
       dtype_facts(indices.dtype()).name);
}

void require_within(const Tensor& indices, const Tensor& x, uint32_t axis) {
  const Layout& a = indices.layout();
  const Layout& b = x.layout();
  bool fits = a.rank == b.rank;
  for (uint32_t d = 0; fits && d < a.rank; ++d) fits = d == axis || a.shape[d] <= b.shape[d];
  if (fits) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "indices has shape %s; x has shape %s, and only along axis %u may indices be longer",
       shape_text(a).c_str(), shape_text(b).c_str(), axis);
}

TensorRef gather(const Tensor& x, const Tensor& indices, int32_t axis, const TensorRef& into,
                 const Run& run) {
  require_device(indices, run, "indices");
  require_indices(indices);
  const Layout& source = x.layout();
  const Layout& list = indices.layout();
  const uint32_t along = checked_axis(axis, source.rank, "axis");
  const uint32_t rank = source.rank - 1 + list.rank;
  if (rank > kRankMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "x has rank %u and indices has rank %u; the result would have rank %u, more than %u",
         source.rank, list.rank, rank, kRankMax);
  }
  int64_t shape[kRankMax];
  std::copy_n(source.shape.begin(), along, shape);
  std::copy_n(list.shape.begin(), list.rank, shape + along);
  std::copy_n(source.shape.begin() + along + 1, source.rank - along - 1, shape + along + list.rank);
  refuse_sharing(into, x, "x");
  refuse_sharing(into, indices, "indices");
  const TensorRef result = result_tensor(into, rank, shape, x.dtype(), run);
  if (result->empty()) return result;
  const Layout& target = result->layout();
  const uint32_t behind = source.rank - along - 1;
  GatherPlan plan;
  plan.outer = layout_part(source, 0, along);
  plan.outer.offset = source.offset;
  plan.inner = layout_part(source, along + 1, behind);
  plan.indices = layout_part(list, 0, list.rank);
  plan.indices.offset = list.offset;
  plan.y_rows = layout_part(target, 0, along + list.rank);
  plan.y_rows.offset = target.offset;
  plan.y_inner = layout_part(target, along + list.rank, behind);
  plan.columns = plan.inner.element_count();
  plan.rows = result->element_count() / plan.columns;
  plan.index_count = indices.element_count();
  plan.extent = source.shape[along];
  plan.axis_stride = source.strides[along];
  const Run declared = with_work(run, [&] { return gather_work(x, indices, *result); });
  if (runs_native(run.device())) {
    gather_natively(plan, x, indices, *result, declared);
  } else {
    launch_gather(plan, x, indices, *result, declared);
  }
  return result;
}

TensorRef gather_elements(const Tensor& x, const Tensor& indices, int32_t axis,
                          const TensorRef& into, const Run& run) {
  require_device(indices, run, "indices");
  require_indices(indices);
  const Layout& source = x.layout();
  const Layout& list = indices.layout();
  const uint32_t along = checked_axis(axis, source.rank, "axis");
  require_within(indices, x, along);
  refuse_sharing(into, x, "x");
  refuse_sharing(into, indices, "indices");
  const TensorRef result = result_tensor(into, list.rank, list.shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  Layout from = source;
  from.shape = list.shape;
  from.strides[along] = 0;
  const ElementsPlan plan{coalesced(from),         coalesced(list),     coalesced(result->layout()),
                          result->element_count(), source.shape[along], source.strides[along]};
  const Run declared = with_work(run, [&] { return gather_work(x, indices, *result); });
  if (runs_native(run.device())) {
    gather_elements_natively(plan, x, indices, *result, declared);
  } else {
    launch_gather_elements(plan, x, indices, *result, declared);
  }
  return result;
}

}  // namespace netcl::ops
