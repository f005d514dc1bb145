#include "ops/move/trilu.hpp"

#include <algorithm>
#include <cstring>

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

struct TriluPlan {
  Layout x_rows;  // without the columns; has the offset
  Layout y_rows;
  int64_t rows;    // of all matrices
  int64_t height;  // of one
  int64_t columns;
  int64_t x_step;
  int64_t y_step;
  int64_t k;
  bool upper;
};

TriluPlan make_trilu_plan(const Layout& x, const Layout& y, bool upper, int64_t k) {
  const uint32_t last = x.rank - 1;
  TriluPlan plan;
  plan.x_rows = layout_part(x, 0, last);
  plan.y_rows = layout_part(y, 0, last);
  plan.x_rows.offset = x.offset;
  plan.y_rows.offset = y.offset;
  plan.columns = x.shape[last];
  plan.rows = x.element_count() / plan.columns;
  plan.height = x.shape[last - 1];
  plan.x_step = x.strides[last];
  plan.y_step = y.strides[last];
  // Further diagonals cross no matrix either.
  plan.k = std::clamp(k, -plan.height, plan.columns);
  plan.upper = upper;
  return plan;
}

template <class T>
void trilu_rows(const TriluPlan& plan, const T* x, T* y, int64_t first, int64_t last) {
  for (int64_t row = first; row < last; ++row) {
    const int64_t diagonal = row % plan.height + plan.k;
    const int64_t begin = plan.upper ? std::clamp<int64_t>(diagonal, 0, plan.columns) : 0;
    const int64_t end =
        plan.upper ? plan.columns : std::clamp<int64_t>(diagonal + 1, 0, plan.columns);
    const T* const source = x + plan.x_rows.offset + element_at(plan.x_rows, row);
    T* const target = y + plan.y_rows.offset + element_at(plan.y_rows, row);
    for (int64_t c = 0; c < begin; ++c) target[c * plan.y_step] = T(0);
    if (target != source) {
      for (int64_t c = begin; c < end; ++c) target[c * plan.y_step] = source[c * plan.x_step];
    }
    for (int64_t c = end; c < plan.columns; ++c) target[c * plan.y_step] = T(0);
  }
}

void launch_trilu(const TriluPlan& plan, const Tensor& x, const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(writing(result));
  arguments.layout(plan.x_rows);
  arguments.layout(plan.y_rows);
  arguments.scalar(plan.rows);
  arguments.scalar(plan.height);
  arguments.scalar(plan.columns);
  arguments.scalar(plan.x_step);
  arguments.scalar(plan.y_step);
  arguments.scalar(plan.k);
  const std::string flags = std::string("-DT=") + bits_type(x.element_size()) +
                            (plan.upper ? " -DUPPER=1" : " -DUPPER=0");
  launch_rows("trilu.cl", "netcl_trilu", flags, plan.rows, plan.columns,
              !fits_32_bits({&x.layout(), &result.layout()}, result.element_count()), arguments,
              run);
}

}  // namespace

void require_matrices(const Tensor& tensor, const char* argument) {
  if (tensor.layout().rank >= 2) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; a matrix has rank 2 or more", argument,
       shape_text(tensor).c_str());
}

TensorRef trilu(const Tensor& x, bool upper, int64_t k, const TensorRef& into, const Run& run) {
  require_matrices(x, "x");
  require_device(x, run, "x");
  refuse_sharing(into, x, "x", true);
  const Layout& layout = x.layout();
  const TensorRef result = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  const TriluPlan plan = make_trilu_plan(layout, result->layout(), upper, k);
  const Run declared =
      with_work(run, [&] { return work_of("trilu", x.dtype(), 0.0, {&x}, {result.get()}); });
  if (runs_native(run.device())) {
    native_rows({reading(x), writing(*result)}, x.element_size(), plan.rows, plan.columns, declared,
                [plan](const NativeCall& call, auto zero, int64_t first, int64_t last) {
                  using T = decltype(zero);
                  trilu_rows(plan, call.at<const T>(0), call.at<T>(1), first, last);
                });
  } else {
    launch_trilu(plan, x, *result, declared);
  }
  return result;
}

}  // namespace netcl::ops
