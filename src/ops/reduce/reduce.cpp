#include "ops/reduce/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/variant.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/reduce/reduce_cl.hpp"

namespace netcl::ops {

const char* reduction_name(netcl_reduction kind) {
  static constexpr const char* kNames[] = {
      "",           "SUM",     "MEAN",        "MAX",    "MIN",    "PROD", "L1", "L2",
      "SUM_SQUARE", "LOG_SUM", "LOG_SUM_EXP", "ARGMAX", "ARGMIN", "ANY",  "ALL"};
  if (kind < NETCL_REDUCTION_SUM || kind > NETCL_REDUCTION_ALL) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "kind is %d; reductions are 1 to %d", kind,
         NETCL_REDUCTION_ALL);
  }
  return kNames[kind];
}

namespace {

bool finds_place(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_ARGMAX || kind == NETCL_REDUCTION_ARGMIN;
}
bool finds_extreme(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_MAX || kind == NETCL_REDUCTION_MIN;
}
bool tests_truth(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_ANY || kind == NETCL_REDUCTION_ALL;
}
// Kinds whose results are floats whatever x is.
bool gives_float(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_MEAN || kind == NETCL_REDUCTION_L2 ||
         kind == NETCL_REDUCTION_LOG_SUM || kind == NETCL_REDUCTION_LOG_SUM_EXP;
}

struct Axes {
  bool reduced[kRankMax] = {};
  uint32_t count = 0;
};

Axes checked_axes(const Tensor& x, const ReduceRequest& request) {
  const uint32_t rank = x.layout().rank;
  Axes axes;
  if (request.axes.empty()) {
    std::fill_n(axes.reduced, rank, true);
    axes.count = rank;
    return axes;
  }
  for (size_t i = 0; i < request.axes.size(); ++i) {
    char name[48];
    std::snprintf(name, sizeof name, "options->axes[%zu]", i);
    const uint32_t axis = checked_axis(request.axes[i], rank, name);
    if (axes.reduced[axis]) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %d; axis %u is in options->axes twice", name,
           request.axes[i], axis);
    }
    axes.reduced[axis] = true;
    ++axes.count;
  }
  if (finds_place(request.kind) && axes.count != 1 && axes.count != rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->axes_count is %u; %s of a tensor of rank %u takes one axis or all", axes.count,
         reduction_name(request.kind), rank);
  }
  return axes;
}

// The dtype of the result.
netcl_dtype result_dtype(netcl_dtype x, const ReduceRequest& request) {
  const netcl_reduction kind = request.kind;
  const netcl_dtype asked = request.dtype;
  netcl_dtype dtype = x;
  if (finds_place(kind)) dtype = NETCL_I64;
  if (tests_truth(kind)) dtype = NETCL_BOOL;
  if (gives_float(kind) && !is_float(x)) dtype = NETCL_F32;
  const bool sums = !finds_place(kind) && !tests_truth(kind) && !finds_extreme(kind);
  if (sums && dtype == NETCL_BOOL) dtype = NETCL_I64;
  if (asked == 0 || asked == dtype) return dtype;
  const char* const name = dtype_facts(asked, "options->dtype").name;
  if (finds_place(kind) || tests_truth(kind)) {
    fail(NETCL_ERROR_UNSUPPORTED, "options->dtype is %s; %s gives %s", name, reduction_name(kind),
         dtype_facts(dtype).name);
  }
  if (sums && !is_float(asked) && (gives_float(kind) || is_float(x) || asked == NETCL_BOOL)) {
    fail(NETCL_ERROR_UNSUPPORTED, "options->dtype is %s; %s of %s gives %s", name,
         reduction_name(kind), dtype_facts(x).name,
         is_float(dtype) ? "a float dtype" : "an integer or float dtype");
  }
  return asked;
}

// What is accumulated on the way to a result of `out`.
netcl_dtype accumulated_dtype(netcl_reduction kind, netcl_dtype x, netcl_dtype out) {
  if (tests_truth(kind)) return NETCL_BOOL;
  const netcl_dtype what = finds_place(kind) || finds_extreme(kind) ? x : out;
  const DtypeFacts& facts = dtype_facts(what);
  if (facts.kind == DtypeClass::floating) return what == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  if (finds_place(kind) || finds_extreme(kind)) {
    if (facts.kind == DtypeClass::boolean) return NETCL_BOOL;
    if (facts.kind == DtypeClass::unsigned_integer) return facts.size == 8 ? NETCL_U64 : NETCL_U32;
    return facts.size == 8 ? NETCL_I64 : NETCL_I32;
  }
  return facts.size == 8 || dtype_size(x) == 8 ? NETCL_I64 : NETCL_I32;
}

// Sorts dimensions so that the last ones are the closest in memory, and turns negative strides of
// the first layout round. Repeated elements (stride 0) come first.
void sort_dimensions(Layout* layouts, size_t count) {
  Layout& lead = layouts[0];
  for (uint32_t d = 0; d < lead.rank; ++d) {
    if (lead.strides[d] >= 0) continue;
    for (size_t i = 0; i < count; ++i) {
      layouts[i].offset += (lead.shape[d] - 1) * layouts[i].strides[d];
      if (i > 0) layouts[i].strides[d] = -layouts[i].strides[d];
    }
    lead.strides[d] = -lead.strides[d];
  }
  const auto distance = [&](uint32_t d) {
    return lead.strides[d] == 0 ? INT64_MAX : lead.strides[d];
  };
  for (uint32_t i = 1; i < lead.rank; ++i) {
    for (uint32_t k = i; k > 0 && distance(k) > distance(k - 1); --k) {
      for (size_t l = 0; l < count; ++l) {
        std::swap(layouts[l].shape[k], layouts[l].shape[k - 1]);
        std::swap(layouts[l].strides[k], layouts[l].strides[k - 1]);
      }
    }
  }
}

void add_dimension(Layout* layout, int64_t extent, int64_t stride) {
  layout->shape[layout->rank] = extent;
  layout->strides[layout->rank++] = stride;
}

// Fills in where everything lies. `wide` is the result with the reduced axes kept.
void arrange(const Layout& x, const Layout& wide, const Axes& axes, ReduceTask* task) {
  Layout kept[2];
  kept[0].offset = x.offset;
  kept[1].offset = wide.offset;
  for (uint32_t d = 0; d < x.rank; ++d) {
    if (axes.reduced[d]) {
      add_dimension(&task->reduced, x.shape[d], x.strides[d]);
      task->count *= x.shape[d];
    } else {
      add_dimension(&kept[0], x.shape[d], x.strides[d]);
      add_dimension(&kept[1], x.shape[d], wide.strides[d]);
      task->outputs *= x.shape[d];
    }
  }
  if (task->outputs == 0 || task->count == 0) return;
  sort_dimensions(kept, 2);
  coalesce(kept, 2);
  task->kept = kept[0];
  task->out = kept[1];
  // The number of an element counts in C order, so its dimensions stay as they are.
  if (!finds_place(task->kind)) sort_dimensions(&task->reduced, 1);
  coalesce(&task->reduced, 1);
  task->kept.offset += task->reduced.offset;
  task->reduced.offset = 0;
}

// The result over no elements.
void fill_empty(const ReduceTask& task, const Tensor& result, const Run& run) {
  double value = 0;
  const double infinity = std::numeric_limits<double>::infinity();
  const bool highest = task.kind == NETCL_REDUCTION_MIN;
  uint64_t bits = 0;
  const DtypeFacts& facts = dtype_facts(task.out_dtype);
  const unsigned width = 8u * facts.size;
  switch (task.kind) {
    case NETCL_REDUCTION_PROD:
      value = 1;
      bits = 1;
      break;
    case NETCL_REDUCTION_ALL:
      bits = 1;
      break;
    case NETCL_REDUCTION_MEAN:
      value = std::numeric_limits<double>::quiet_NaN();
      break;
    case NETCL_REDUCTION_LOG_SUM:
    case NETCL_REDUCTION_LOG_SUM_EXP:
      value = -infinity;
      break;
    case NETCL_REDUCTION_MAX:
    case NETCL_REDUCTION_MIN:
      value = highest ? infinity : -infinity;
      if (facts.kind == DtypeClass::boolean) bits = highest ? 1 : 0;
      if (facts.kind == DtypeClass::unsigned_integer) bits = highest ? UINT64_MAX : 0;
      if (facts.kind == DtypeClass::signed_integer) {
        bits = highest ? UINT64_MAX >> (65 - width) : uint64_t{1} << (width - 1);
      }
      break;
    default:
      break;
  }
  if (task.out_dtype == NETCL_F64) std::memcpy(&bits, &value, sizeof value);
  if (task.out_dtype == NETCL_F16) bits = f16_from_f64(value);
  if (task.out_dtype == NETCL_BF16) bits = bf16_from_f64(value);
  if (task.out_dtype == NETCL_F32) {
    const auto single = static_cast<float>(value);
    std::memcpy(&bits, &single, sizeof single);
  }
  fill(result, &bits, run);
}

void reduce_natively(const ReduceTask& asked, const Tensor& x, const Tensor& result,
                     const Run& run) {
  const VariantConfig config =
      choose_reduction(run.device(), asked.outputs, asked.count, asked.x_dtype, asked.variant);
  ReduceTask task = asked;
  task.variant = config.variant;
  task.pieces = std::max<uint32_t>(config.groups, 1);
  enqueue_native({writing(result), reading(x)}, named_after(run, config.variant),
                 [task](const NativeCall& call) {
                   auto own = task;
                   own.out_data = call.at<void>(0);
                   own.x_data = call.at<void>(1);
                   netcl::cpu::reduce(own, call.threads);
                 });
}

// Does a task into `result`, whose dimensions are those of x with the reduced axes of extent 1.
void execute(ReduceTask task, const Tensor& x, const Axes& axes, const Tensor& result,
             const Layout& wide, const Run& asked) {
  const Run run = with_work(asked, [&] {
    return work_of("reduce", task.dtype, static_cast<double>(x.element_count()), {&x}, {&result});
  });
  arrange(x.layout(), wide, axes, &task);
  if (task.outputs == 0) return;
  if (task.count == 0) return fill_empty(task, result, run);
  if (runs_native(run.device())) {
    reduce_natively(task, x, result, run);
  } else {
    launch_reduce(task, x, result, run);
  }
}

// The layout of a result as one that has kept the reduced axes.
Layout with_axes(const Layout& result, const Axes& axes, uint32_t rank) {
  if (result.rank == rank) return result;
  Layout wide;
  wide.offset = result.offset;
  uint32_t next = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    if (axes.reduced[d]) {
      add_dimension(&wide, 1, 0);
    } else {
      add_dimension(&wide, result.shape[next], result.strides[next]);
      ++next;
    }
  }
  return wide;
}

}  // namespace

netcl_dtype reduced_dtype(netcl_dtype x, const ReduceRequest& request) {
  return result_dtype(x, request);
}

TensorRef reduce(const Tensor& x, const ReduceRequest& request, const TensorRef& into,
                 const Run& run) {
  reduction_name(request.kind);
  require_device(x, run, "x");
  const uint32_t rank = x.layout().rank;
  const Axes axes = checked_axes(x, request);
  ReduceTask task;
  task.x_dtype = x.dtype();
  task.out_dtype = result_dtype(x.dtype(), request);
  require_f64(run, x.dtype(), "x");
  require_f64(run, task.out_dtype, "options->dtype");
  task.kind = request.kind;
  task.select_last = request.select_last;
  task.variant = request.variant;
  task.dtype = accumulated_dtype(task.kind, x.dtype(), task.out_dtype);
  const DtypeClass x_class = dtype_facts(x.dtype()).kind;
  if (task.kind == NETCL_REDUCTION_L1 && x_class != DtypeClass::signed_integer &&
      x_class != DtypeClass::floating) {
    task.kind = NETCL_REDUCTION_SUM;
  }
  int64_t shape[kRankMax];
  uint32_t result_rank = 0;
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) {
    if (axes.reduced[d]) count *= x.layout().shape[d];
    if (!axes.reduced[d]) shape[result_rank++] = x.layout().shape[d];
    if (axes.reduced[d] && request.keepdims) shape[result_rank++] = 1;
  }
  if (finds_place(request.kind) && count == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s; %s needs an element on the reduced axes",
         shape_text(rank, x.layout().shape.data()).c_str(), reduction_name(request.kind));
  }
  // A faulty request is refused whatever the sizes are.
  choose_reduction(run.device(), 1, 1, x.dtype(), request.variant);
  refuse_sharing(into, x, "x");
  const TensorRef result = result_tensor(into, result_rank, shape, task.out_dtype, run);
  if (result->empty()) return result;
  // An extreme in another dtype is the extreme first: converting may change the order.
  if (finds_extreme(task.kind) && task.out_dtype != x.dtype()) {
    const netcl_dtype asked = task.out_dtype;
    task.out_dtype = x.dtype();
    if (count == 0) task.out_dtype = asked;
    if (count > 0) {
      const TensorRef extreme = new_tensor(x.dtype(), result_rank, shape, run);
      execute(task, x, axes, *extreme, with_axes(extreme->layout(), axes, rank),
              run.without_event());
      cast_into(*extreme, *result, run);
      return result;
    }
  }
  execute(task, x, axes, *result, with_axes(result->layout(), axes, rank), run);
  return result;
}

}  // namespace netcl::ops
