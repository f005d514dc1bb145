#include "ops/rows/cross_entropy_cl.hpp"

#include <algorithm>
#include <limits>

#include "ops/rows/softmax_cl.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::CrossEntropyGradientTask;
using netcl::cpu::CrossEntropyTask;
using netcl::cpu::Labels;
using netcl::cpu::LabelScaleTask;

// Pairs that one group sums up.
constexpr int64_t kClassesPart = 16384;

// The options of labels.cl but for those of losses.
std::string label_flags(const Labels& labels) {
  const bool weighted = labels.weights_dtype != 0;
  return format(" -DI=%s -DW=%s -DWEIGHTED=%d -DIGNORES=%d",
                labels.dtype == NETCL_I64 ? "long" : "int",
                dtype_facts(weighted ? labels.weights_dtype : NETCL_F32).name, weighted ? 1 : 0,
                labels.ignores ? 1 : 0);
}

std::string loss_flags(netcl_dtype dtype, bool pairs) {
  return format(" -DY=%s -DPAIRS=%d", dtype_facts(dtype).name, pairs ? 1 : 0);
}

// The options of loss.cl. What a kernel does not use is set to anything.
std::string all_flags(netcl_dtype dtype, int lanes, const Labels& labels, netcl_dtype y, bool pairs,
                      netcl_dtype grad, bool row_grads) {
  return format("-DX=%s -DINNER=1 -DLANES=%d -DROWS=1 -DVALUES=4 -DVECTOR=0",
                dtype_facts(dtype).name, lanes) +
         label_flags(labels) + loss_flags(y, pairs) +
         format(" -DG=%s -DROW_GRADS=%d", dtype_facts(grad).name, row_grads ? 1 : 0);
}

void add_labels(const Labels& labels, const Tensor& tensor, const Tensor* weights,
                Arguments* list) {
  list->memory(reading(tensor));
  list->layout(labels.rows);
  list->memory(weights != nullptr ? weights->memory() : nullptr, false);
  list->scalar(labels.weights_base);
  list->scalar(labels.weights_step);
  list->scalar(labels.ignored);
}

// A loss and a weight for each row, beside each other.
struct Pairs {
  BufferRef memory;
  netcl_dtype dtype;
  int64_t count;

  Pairs(int64_t rows, netcl_dtype computed, const Run& run)
      : memory(new_memory(static_cast<uint64_t>(rows) * 2 * dtype_size(computed), run)),
        dtype(computed),
        count(rows) {}
  Layout layout() const {
    Layout layout;
    layout.rank = 1;
    layout.shape[0] = count;
    layout.strides[0] = 2;
    return layout;
  }
};

void launch_items(const char* kernel, const std::string& flags, int64_t rows,
                  const Arguments& arguments, const Run& run) {
  KernelCall call{"loss.cl", kernel, flags};
  call.local[0] = 64;
  call.global[0] = static_cast<uint64_t>(ceil_div(rows, 64)) * 64;
  enqueue_kernel(call, arguments, run);
}

// Writes the sum of the first halves, for a mean over that of the second halves, to element `at` of
// `result`. The sums of parts are summed in turn, until there is one.
void sum_pairs(Pairs pairs, bool mean, netcl_dtype dtype, const Access& result, int64_t at,
               const Run& run) {
  const GroupShape shape = group_shape(std::numeric_limits<int32_t>::max(), dtype, run.device());
  for (bool last = false; !last;) {
    const int64_t groups = std::max<int64_t>(1, ceil_div(pairs.count, kClassesPart));
    last = groups == 1;
    Pairs sums(last ? 0 : groups, pairs.dtype, run);
    KernelCall call{"loss.cl", "netcl_loss_sum",
                    all_flags(pairs.dtype, shape.lanes, Labels{}, dtype, false, dtype, false) +
                        format(" -DMEAN=%d -DLAST=%d", mean ? 1 : 0, last ? 1 : 0)};
    call.local[0] = static_cast<uint64_t>(shape.lanes);
    call.global[0] = static_cast<uint64_t>(groups) * call.local[0];
    Arguments arguments;
    arguments.memory(reading(*pairs.memory));
    arguments.scalar(pairs.count);
    arguments.scalar(kClassesPart);
    arguments.memory(last ? nullptr : sums.memory->memory(), true);
    arguments.memory(last ? result : Access{nullptr, true});
    arguments.scalar(at);
    enqueue_kernel(call, arguments, last ? run : run.without_event());
    pairs = sums;
  }
}

}  // namespace

void launch_cross_entropy(const CrossEntropyTask& task, const Tensor& x, const Tensor& labels,
                          const Tensor* weights, const Tensor& y, const Run& run) {
  const bool whole = task.reduction != NETCL_LOSS_NONE;
  const netcl_dtype computed = task.dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const Pairs pairs(whole ? task.labels.count : 0, computed, run);
  const Run first = whole ? run.without_event() : run;
  const netcl_dtype dtype = whole ? computed : task.y_dtype;
  const auto add_rest = [&](Arguments* list) {
    add_labels(task.labels, labels, weights, list);
    list->memory(whole ? writing(*pairs.memory) : writing(y));
    list->layout(whole ? pairs.layout() : task.y);
  };
  if (task.labels.count > 0 && (task.logarithms || task.labels.classes == 0)) {
    Arguments arguments;
    arguments.memory(reading(x));
    arguments.layout(task.rows.x);
    arguments.scalar(task.rows.x_step);
    arguments.scalar(task.labels.count);
    arguments.scalar(task.labels.classes);
    add_rest(&arguments);
    launch_items(
        "netcl_nll_loss",
        all_flags(task.dtype, 32, task.labels, dtype, whole, dtype, false) + " -DMEAN=0 -DLAST=0",
        task.labels.count, arguments, first);
  } else if (task.labels.count > 0) {
    launch_softmax(
        {x, {nullptr, true}, task.rows, RowKind::loss,
         label_flags(task.labels) + loss_flags(dtype, whole)},
        add_rest, first);
  }
  if (!whole) return;
  sum_pairs(pairs, task.reduction == NETCL_LOSS_MEAN, task.y_dtype, writing(y), task.y.offset, run);
}

void launch_label_scale(const LabelScaleTask& task, const Tensor& labels, const Tensor* weights,
                        const Tensor& grad, const Tensor& y, const Run& run) {
  const netcl_dtype dtype = y.dtype();
  const int64_t rows = task.labels.count;
  const bool mean = task.reduction == NETCL_LOSS_MEAN;
  const bool few = mean && rows <= kClassesPart;
  const GroupShape shape = group_shape(std::numeric_limits<int32_t>::max(), dtype, run.device());
  const std::string flags = all_flags(dtype, shape.lanes, task.labels, dtype, false,
                                      task.grad_dtype, task.reduction == NETCL_LOSS_NONE) +
                            " -DMEAN=0 -DLAST=0";
  const auto add_rows = [&](Arguments* list) {
    list->scalar(rows);
    list->scalar(task.labels.classes);
    add_labels(task.labels, labels, weights, list);
  };
  BufferRef total;
  if (mean && !few) {
    const Pairs pairs(rows, dtype, run);
    Arguments arguments;
    add_rows(&arguments);
    arguments.memory(writing(*pairs.memory));
    launch_items("netcl_label_weights", flags, rows, arguments, run.without_event());
    total = new_memory(dtype_size(dtype), run);
    sum_pairs(pairs, false, dtype, writing(*total), 0, run.without_event());
  }
  Arguments arguments;
  add_rows(&arguments);
  arguments.memory(reading(grad));
  arguments.layout(task.grad);
  if (!few) arguments.memory(total != nullptr ? total->memory() : nullptr, false);
  arguments.memory(writing(y));
  arguments.layout(task.y);
  if (!few) return launch_items("netcl_label_scale", flags, rows, arguments, run);
  KernelCall call{"loss.cl", "netcl_label_scale_few", flags};
  call.local[0] = static_cast<uint64_t>(shape.lanes);
  call.global[0] = static_cast<uint64_t>(ceil_div(rows, shape.lanes)) * call.local[0];
  enqueue_kernel(call, arguments, run);
}

void launch_cross_entropy_gradient(const CrossEntropyGradientTask& task, const Tensor& x,
                                   const Tensor& labels, const Tensor& scale, const Tensor& y,
                                   const Run& run) {
  launch_softmax(
      {x, writing(y), task.rows, RowKind::gradient,
       label_flags(task.labels) + loss_flags(task.dtype, false)},
      [&](Arguments* list) {
        add_labels(task.labels, labels, nullptr, list);
        list->memory(reading(scale));
        list->layout(task.scale);
      },
      run);
}

}  // namespace netcl::ops
