#include "ops/move/gather.hpp"

#include <algorithm>
#include <cstring>

#include "backend/cpu/thread_pool.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

struct GatherJob {
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

const char* index_type(const Tensor& indices) {
  return indices.dtype() == NETCL_I64 ? " -DI=long" : " -DI=int";
}

// Calls function(int32_t()) or function(int64_t()).
template <class Function>
void with_index(netcl_dtype dtype, Function&& function) {
  if (dtype == NETCL_I64) return function(int64_t());
  function(int32_t());
}

template <class T, class I>
void gather_rows(const GatherJob& job, const T* x, const I* indices, T* y, int64_t first,
                 int64_t last) {
  const bool packed =
      job.inner.rank <= 1 && job.y_inner.rank <= 1 &&
      (job.columns == 1 || (job.inner.strides[0] == 1 && job.y_inner.strides[0] == 1));
  for (int64_t row = first; row < last; ++row) {
    const int64_t o = row / job.index_count;
    int64_t k = indices[job.indices.offset + element_at(job.indices, row - o * job.index_count)];
    if (k < 0) k += job.extent;
    T* const target = y + job.y_rows.offset + element_at(job.y_rows, row);
    const bool inside = k >= 0 && k < job.extent;
    const T* const source =
        x + job.outer.offset + element_at(job.outer, o) + (inside ? k * job.axis_stride : 0);
    if (packed && inside) {
      std::memcpy(target, source, static_cast<size_t>(job.columns) * sizeof(T));
      continue;
    }
    for (int64_t c = 0; c < job.columns; ++c) {
      target[element_at(job.y_inner, c)] = inside ? source[element_at(job.inner, c)] : T(0);
    }
  }
}

void gather_natively(const GatherJob& job, const Tensor& x, const Tensor& indices,
                     const Tensor& result, const Run& run) {
  native_rows({{x.memory(), false}, {indices.memory(), false}, {result.memory(), true}},
              x.element_size(), job.rows, job.columns, run,
              [job, dtype = indices.dtype()](const NativeCall& call, auto element, int64_t first,
                                             int64_t last) {
                with_index(dtype, [&](auto index) {
                  using T = decltype(element);
                  using I = decltype(index);
                  gather_rows(job, call.at<const T>(0), call.at<const I>(1), call.at<T>(2), first,
                              last);
                });
              });
}

void launch_gather(const GatherJob& job, const Tensor& x, const Tensor& indices,
                   const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(x.memory(), false);
  arguments.memory(indices.memory(), false);
  arguments.memory(result.memory(), true);
  for (const Layout* layout : {&job.outer, &job.inner, &job.indices, &job.y_rows, &job.y_inner}) {
    arguments.layout(*layout);
  }
  arguments.scalar(job.rows);
  arguments.scalar(job.columns);
  arguments.scalar(job.index_count);
  arguments.scalar(job.extent);
  arguments.scalar(job.axis_stride);
  const bool wide =
      !fits_32_bits({&x.layout(), &indices.layout(), &result.layout()}, result.element_count());
  const std::string flags = std::string("-DT=") + bits_type(x.element_size()) + index_type(indices);
  launch_rows("gather.cl", "netcl_gather", flags, job.rows, job.columns, wide, arguments, run);
}

struct ElementsJob {
  Layout from;  // of x with the shape of the indices; stride 0 along the axis
  Layout indices;
  Layout to;
  int64_t count;
  int64_t extent;
  int64_t axis_stride;
};

// A layout joined where it can be, with its offset.
Layout joined(const Layout& layout) {
  Layout part = layout;
  coalesce(&part, 1);
  return part;
}

void gather_elements_natively(const ElementsJob& job, const Tensor& x, const Tensor& indices,
                              const Tensor& result, const Run& run) {
  const auto function = [job, size = x.element_size(),
                         dtype = indices.dtype()](const NativeCall& call) {
    with_bits(size, [&](auto element) {
      with_index(dtype, [&](auto index) {
        using T = decltype(element);
        using I = decltype(index);
        const T* const from = call.at<const T>(0) + job.from.offset;
        const I* const list = call.at<const I>(1) + job.indices.offset;
        T* const to = call.at<T>(2) + job.to.offset;
        call.threads.parallel_for(job.count, 1 << 14, [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            int64_t k = list[element_at(job.indices, i)];
            if (k < 0) k += job.extent;
            const bool inside = k >= 0 && k < job.extent;
            to[element_at(job.to, i)] =
                inside ? from[element_at(job.from, i) + k * job.axis_stride] : T(0);
          }
        });
      });
    });
  };
  enqueue_native({{x.memory(), false}, {indices.memory(), false}, {result.memory(), true}}, run,
                 function);
}

void launch_gather_elements(const ElementsJob& job, const Tensor& x, const Tensor& indices,
                            const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(x.memory(), false);
  arguments.memory(indices.memory(), false);
  arguments.memory(result.memory(), true);
  for (const Layout* layout : {&job.from, &job.indices, &job.to}) arguments.layout(*layout);
  arguments.scalar(job.count);
  arguments.scalar(job.extent);
  arguments.scalar(job.axis_stride);
  const bool wide = !fits_32_bits({&x.layout(), &indices.layout(), &result.layout()}, job.count);
  const std::string flags = std::string("-DT=") + bits_type(x.element_size()) + index_type(indices);
  launch_rows("gather.cl", "netcl_gather_elements", flags, job.count, 1, wide, arguments, run);
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
       shape_text(a.rank, a.shape.data()).c_str(), shape_text(b.rank, b.shape.data()).c_str(),
       axis);
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
  GatherJob job;
  job.outer = layout_part(source, 0, along);
  job.outer.offset = source.offset;
  job.inner = layout_part(source, along + 1, behind);
  job.indices = layout_part(list, 0, list.rank);
  job.indices.offset = list.offset;
  job.y_rows = layout_part(target, 0, along + list.rank);
  job.y_rows.offset = target.offset;
  job.y_inner = layout_part(target, along + list.rank, behind);
  job.columns = job.inner.element_count();
  job.rows = result->element_count() / job.columns;
  job.index_count = indices.element_count();
  job.extent = source.shape[along];
  job.axis_stride = source.strides[along];
  const Run declared = with_work(run, [&] { return gather_work(x, indices, *result); });
  if (runs_native(run.device())) {
    gather_natively(job, x, indices, *result, declared);
  } else {
    launch_gather(job, x, indices, *result, declared);
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
  const ElementsJob job{
      joined(from),        joined(list),         joined(result->layout()), result->element_count(),
      source.shape[along], source.strides[along]};
  const Run declared = with_work(run, [&] { return gather_work(x, indices, *result); });
  if (runs_native(run.device())) {
    gather_elements_natively(job, x, indices, *result, declared);
  } else {
    launch_gather_elements(job, x, indices, *result, declared);
  }
  return result;
}

}  // namespace netcl::ops
