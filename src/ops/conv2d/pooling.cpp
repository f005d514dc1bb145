#include "ops/conv2d/pooling.hpp"

#include <algorithm>

#include "ops/conv2d/pool_gradient.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/norm_rows.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::PoolAxis;
using netcl::cpu::PoolTask;

// Windows of so many elements are worth a group each.
constexpr int64_t kLargeWindow = 256;
// Sizes beyond this could not be added up in 64 bits.
constexpr int64_t kWindowMax = INT32_MAX;

int64_t checked_size(int64_t value, int64_t zero, const char* name, uint32_t index) {
  if (value < 0 || value > kWindowMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->%s[%u] is %lld; it is 0 to %lld", name, index,
         static_cast<long long>(value), static_cast<long long>(kWindowMax));
  }
  return value == 0 ? zero : value;
}

void check_kind(const Tensor& x, netcl_pooling kind, bool wants_indices) {
  if (kind != NETCL_POOLING_MAX && wants_indices) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->indices_into is set and kind is %d; NETCL_POOLING_MAX alone has indices", kind);
  }
  if (kind != NETCL_POOLING_MAX && kind != NETCL_POOLING_AVERAGE) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "kind is %d; it is NETCL_POOLING_MAX, _AVERAGE or _LP",
         kind);
  }
  const char* const name = dtype_facts(x.dtype()).name;
  if (kind == NETCL_POOLING_AVERAGE && !is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; average pooling takes f16, bf16, f32 and f64", name);
  }
  if (x.dtype() == NETCL_BOOL) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is bool; maximum pooling takes floats and integers");
  }
}

// The options of kernels/conv2d/pool.cl that say what is computed.
std::string kind_flags(const PoolTask& task) {
  static constexpr struct {
    netcl_dtype dtype;
    const char* lowest;
  } kLowest[] = {{NETCL_I8, "(-128)"},    {NETCL_I16, "(-32768)"}, {NETCL_I32, "INT_MIN"},
                 {NETCL_I64, "LONG_MIN"}, {NETCL_U8, "0u"},        {NETCL_U16, "0u"},
                 {NETCL_U32, "0u"},       {NETCL_U64, "0ul"}};
  const char* lowest = "(-INFINITY)";
  for (const auto& row : kLowest) {
    if (row.dtype == task.dtype) lowest = row.lowest;
  }
  return format("-DX=%s -DADDS=%d -DAVERAGE=%d -DCOUNT_PADDING=%d -DFLOATS=%d -DLOWEST=%s",
                dtype_facts(task.dtype).name, task.adds ? 1 : 0, task.average ? 1 : 0,
                task.count_padding ? 1 : 0, is_float(task.dtype) ? 1 : 0, lowest);
}

TensorRef indices_of(const Tensor& x, const Layout& wanted, const PoolResult& into,
                     const Run& run) {
  const TensorRef& given = into.indices;
  if (given == nullptr) {
    return result_tensor(nullptr, wanted.rank, wanted.shape.data(), NETCL_I64, run);
  }
  require_device(*given, run, "options->indices_into");
  if (!given->layout().same_shape(wanted)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into has shape %s; the result has %s",
         shape_text(*given).c_str(), shape_text(wanted).c_str());
  }
  if (given->dtype() != NETCL_I64) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into is %s; indices are i64",
         dtype_facts(given->dtype()).name);
  }
  for (const Tensor* other : {&x, static_cast<const Tensor*>(into.values.get())}) {
    if (other == nullptr || !may_share(*given, *other)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->indices_into shares its memory with %s",
         other == &x ? "x" : "run->into");
  }
  return given;
}

void launch(const Tensor& x, const Tensor& y, const PoolTask& task, const Run& run) {
  const int64_t outputs = task.y.element_count();
  const int64_t taps = task.window();
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.layout(task.x);
  arguments.memory(writing(y));
  arguments.layout(task.y);
  arguments.scalar(outputs);
  add_pool_axes(task, &arguments);
  const uint64_t largest = run.device().capabilities().max_work_group_size;
  KernelCall call{"pool.cl", "netcl_pool_window", kind_flags(task)};
  if (taps >= kLargeWindow && largest >= 128) {
    call.kernel = "netcl_pool_group";
    call.local[0] = 128;
    call.global[0] = static_cast<uint64_t>(outputs) * 128;
  } else {
    call.local[0] = std::min<uint64_t>(largest, 64);
    call.global[0] =
        (static_cast<uint64_t>(outputs) + call.local[0] - 1) / call.local[0] * call.local[0];
  }
  enqueue_kernel(call, arguments, run);
}

// What a task says, but for where x and y lie.
void enqueue_pool(const Tensor& x, const Tensor& y, PoolTask task, const Run& run) {
  task.x = as_volumes(x.layout());
  task.y = as_volumes(y.layout());
  if (!runs_native(run.device())) {
    launch(x, y, task, run);
    return;
  }
  enqueue_native({writing(y), reading(x)}, run, [task](const NativeCall& call) {
    auto own = task;
    own.y_data = call.at<void>(0);
    own.x_data = call.at<void>(1);
    netcl::cpu::pool(own, call.threads);
  });
}

}  // namespace

void add_pool_axes(const netcl::cpu::PoolAxes& axes, Arguments* list) {
  for (const PoolAxis* axis : {&axes.depth, &axes.vertical, &axes.horizontal}) {
    for (const int64_t value : {axis->extent, axis->result, axis->window, axis->stride,
                                axis->dilation, axis->before, axis->after}) {
      list->scalar(value);
    }
  }
}

Layout as_volumes(const Layout& x) {
  Layout volumes = x;
  volumes.rank = 5;
  const uint32_t lacking = 5 - x.rank;
  for (uint32_t d = 5; d-- > 2;) {
    const uint32_t from = d - lacking;
    const bool is_there = d >= 2 + lacking;
    volumes.shape[d] = is_there ? x.shape[from] : 1;
    volumes.strides[d] = is_there ? x.strides[from] : volumes.shape[d + 1] * volumes.strides[d + 1];
  }
  return volumes;
}

netcl::cpu::PoolAxes pool_axes(const Layout& x, const PoolParameters& options) {
  PoolAxis flat;
  flat.extent = flat.result = 1;
  netcl::cpu::PoolAxes axes = {flat, flat, flat};
  PoolAxis* const all[3] = {&axes.depth, &axes.vertical, &axes.horizontal};
  const uint32_t sides = x.rank - 2;
  for (uint32_t side = 0; side < sides; ++side)
    *all[3 - sides + side] = pool_axis(x, side, options);
  return axes;
}

Layout pooled_shape(const Layout& x, const netcl::cpu::PoolAxes& axes) {
  const int64_t results[3] = {axes.depth.result, axes.vertical.result, axes.horizontal.result};
  Layout shape = x;
  for (uint32_t d = 2; d < x.rank; ++d) shape.shape[d] = results[5 - x.rank + d - 2];
  return packed_layout(x.rank, shape.shape.data());
}

PoolAxis pool_axis(const Layout& x, uint32_t side, const PoolParameters& options) {
  const char* const names[3] = {"depth", "height", "width"};
  const uint32_t sides = x.rank - 2, behind = sides + side;
  PoolAxis axis;
  axis.extent = x.shape[2 + side];
  const int64_t whole = std::min(axis.extent, kWindowMax);
  axis.window = checked_size(options.window[side], whole, "window", side);
  axis.stride = checked_size(options.strides[side], 1, "strides", side);
  axis.dilation = checked_size(options.dilations[side], 1, "dilations", side);
  axis.before = checked_size(options.padding[side], 0, "padding", side);
  axis.after = checked_size(options.padding[behind], 0, "padding", behind);
  const int64_t reach = (axis.window - 1) * axis.dilation + 1;
  for (const uint32_t at : {side, behind}) {
    if (options.padding[at] >= reach) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->padding[%u] is %lld; it must be less than what the window spans with its "
           "dilation, %lld",
           at, static_cast<long long>(options.padding[at]), static_cast<long long>(reach));
    }
  }
  const int64_t room = axis.extent + axis.before + axis.after - reach;
  if (room < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the window reaches over %lld elements (options->window[%u] = %lld, dilation %lld); x has "
         "shape %s, whose %s with padding is %lld",
         static_cast<long long>(reach), side, static_cast<long long>(axis.window),
         static_cast<long long>(axis.dilation), shape_text(x).c_str(), names[3 - sides + side],
         static_cast<long long>(room + reach));
  }
  axis.result = room / axis.stride + 1;
  if (options.ceil_mode && room % axis.stride != 0) {
    // A window that begins behind x and its padding in front covers nothing.
    if (axis.result * axis.stride < axis.extent + axis.before) ++axis.result;
  }
  return axis;
}

uint32_t require_windows(const Tensor& x) {
  const Layout& layout = x.layout();
  if (layout.rank < 3 || layout.rank > 5) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has rank %u; pooling takes [N, C, ...] of rank 3 to 5",
         layout.rank);
  }
  for (uint32_t d = 2; d < layout.rank; ++d) {
    if (layout.shape[d] != 0) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s; a window needs an element to lie on",
         shape_text(layout).c_str());
  }
  return layout.rank - 2;
}

PoolResult pool(const Tensor& x, netcl_pooling kind, const PoolParameters& options,
                bool wants_indices, bool column_major, const PoolResult& into, const Run& run) {
  const bool given = wants_indices || into.indices != nullptr;
  check_kind(x, kind, given);
  require_windows(x);
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into.values, x, "x");
  PoolTask task;
  static_cast<netcl::cpu::PoolAxes&>(task) = pool_axes(x.layout(), options);
  task.dtype = x.dtype();
  task.adds = task.average = kind == NETCL_POOLING_AVERAGE;
  task.count_padding = options.count_include_pad;
  const Layout shape = pooled_shape(x.layout(), task);
  PoolResult result;
  if (given) result.indices = indices_of(x, shape, into, run);
  result.values = result_tensor(into.values, shape.rank, shape.shape.data(), x.dtype(), run);
  const TensorRef& y = result.values;
  if (y->empty()) return result;
  const Run declared = with_work(run, [&] {
    const double taps = static_cast<double>(task.window());
    return work_of("pool", x.dtype(), taps * static_cast<double>(y->element_count()), {&x},
                   {y.get(), result.indices.get()});
  });
  if (result.indices != nullptr) {
    PoolTask places = task;
    places.x = as_volumes(x.layout());
    places.places =
        column_major ? netcl::cpu::PoolPlaces::by_columns : netcl::cpu::PoolPlaces::by_rows;
    enqueue_places(x, *result.indices, places, declared.part());
  }
  enqueue_pool(x, *y, task, declared);
  return result;
}

TensorRef window_sums(const Tensor& x, const PoolParameters& options, const TensorRef& into,
                      const Run& run) {
  PoolTask task;
  static_cast<netcl::cpu::PoolAxes&>(task) = pool_axes(x.layout(), options);
  task.dtype = x.dtype();
  task.adds = true;
  const Layout shape = pooled_shape(x.layout(), task);
  const TensorRef y = result_tensor(into, shape.rank, shape.shape.data(), x.dtype(), run);
  if (y->empty()) return y;
  const Run declared = with_work(run, [&] {
    const double taps = static_cast<double>(task.window());
    return work_of("window_sums", x.dtype(), taps * static_cast<double>(y->element_count()), {&x},
                   {y.get()});
  });
  enqueue_pool(x, *y, task, declared);
  return y;
}

}  // namespace netcl::ops
