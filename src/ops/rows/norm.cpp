#include "ops/rows/norm.hpp"

#include <algorithm>
#include <cmath>

#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/norm_kernels.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/rows/norm_parameter.hpp"

namespace netcl::ops {

namespace {

constexpr int64_t kNormWorkPerItem = 16384;

struct Plan {
  const Tensor& x;
  const Tensor& y;
  Rows rows;
  NormParameter scale;
  NormParameter bias;
  const Tensor* mean;  // null: not wanted
  const Tensor* inverse;
  double epsilon;
  bool centred;
};

NormParameter check_parameter(const TensorRef& tensor, const char* argument, const Tensor& x,
                              uint32_t axis, const TensorRef& into, const Run& run) {
  if (tensor == nullptr) return {};
  require_device(*tensor, run, argument);
  if (tensor->dtype() != x.dtype() && tensor->dtype() != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and x is %s; it has x's dtype or f32", argument,
         dtype_facts(tensor->dtype()).name, dtype_facts(x.dtype()).name);
  }
  refuse_sharing(into, *tensor, argument);
  return norm_parameter(tensor, x.layout(), axis, argument);
}

TensorRef statistic_tensor(const TensorRef& into, bool wanted, const char* argument,
                           const Tensor& x, uint32_t from, const Run& run) {
  if (!wanted && into == nullptr) return nullptr;
  Layout shape = x.layout();
  for (uint32_t d = from; d < shape.rank; ++d) shape.shape[d] = 1;
  const netcl_dtype dtype = x.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  if (into == nullptr) return result_tensor(nullptr, shape.rank, shape.shape.data(), dtype, run);
  require_device(*into, run, argument);
  if (!into->layout().same_shape(shape)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; statistics of x have %s", argument,
         shape_text(*into).c_str(), shape_text(shape).c_str());
  }
  if (into->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; statistics of %s are %s", argument,
         dtype_facts(into->dtype()).name, dtype_facts(x.dtype()).name, dtype_facts(dtype).name);
  }
  return into;
}

void refuse_shared_statistic(const TensorRef& statistic, const char* argument,
                             std::initializer_list<std::pair<const Tensor*, const char*>> others) {
  if (statistic == nullptr) return;
  for (const auto& [other, name] : others) {
    if (other == nullptr || !may_share(*statistic, *other)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s shares its memory with %s", argument, name);
  }
}

void refuse_shared_statistics(const NormResult& into, const Tensor& x,
                              const NormSettings& settings) {
  const char* const inverse = "options->inverse_deviation_into";
  for (const bool mean : {true, false}) {
    refuse_shared_statistic(mean ? into.mean : into.inverse, mean ? "options->mean_into" : inverse,
                            {{&x, "x"},
                             {into.y.get(), "run->into"},
                             {settings.scale.get(), "options->scale"},
                             {settings.bias.get(), "options->bias"},
                             {mean ? into.inverse.get() : nullptr, inverse}});
  }
}

// Rows without elements have no statistics.
void fill_statistics(const NormResult& result, const Run& run) {
  const double nan = std::nan("");
  const float single = std::nanf("");
  const Tensor* const tensors[2] = {result.mean.get(), result.inverse.get()};
  const bool both = tensors[0] != nullptr && tensors[1] != nullptr;
  for (const Tensor* tensor : tensors) {
    if (tensor == nullptr || tensor->empty()) continue;
    const void* const value =
        tensor->dtype() == NETCL_F64 ? static_cast<const void*>(&nan) : &single;
    fill(*tensor, value, both && tensor == tensors[0] ? run.without_event() : run);
  }
}

// ---- Functions of the host

// What the command does; its memory is y, x, scale, bias and the statistics.
struct NativeNorm {
  Rows rows;
  netcl::cpu::RowNumbers scale;
  netcl::cpu::RowNumbers bias;
  Layout mean;  // where each row has its own
  Layout inverse;
  netcl_dtype dtype;
  double epsilon;
  bool centred;
  bool past_caches;  // y is written past the caches where that is possible

  void operator()(const NativeCall& call) const {
    netcl::cpu::with_real(dtype, [&](auto real) { run<decltype(real)>(call); });
  }

  template <class T>
  void run(const NativeCall& call) const {
    const auto& kernels = netcl::cpu::norm_kernels<T>();
    const int64_t n = rows.length;
    const netcl::cpu::ScratchArray<T> kept(call.threads, static_cast<size_t>(2 * n));
    const T* const factors = netcl::cpu::packed_numbers(scale, call.at<void>(2), n, kept.data());
    const T* const summands =
        netcl::cpu::packed_numbers(bias, call.at<void>(3), n, kept.data() + n);
    const bool real = dtype == netcl::cpu::kRealDtype<T>;
    const bool x_plain = real && rows.stepped() && rows.x_step == 1;
    const bool y_plain = real && rows.stepped() && rows.y_step == 1;
    const bool stream = y_plain && past_caches;
    T* const means = call.at<T>(4);
    T* const inverses = call.at<T>(5);
    const int64_t grain = std::max<int64_t>(1, 2 * kNormWorkPerItem / n);
    call.threads.parallel_for(rows.count, grain, [&](int64_t first, int64_t last) {
      const netcl::cpu::ScratchArray<T> values(call.threads,
                                               static_cast<size_t>(x_plain && y_plain ? 0 : n));
      for (int64_t row = first; row < last; ++row) {
        const int64_t x_at = netcl::cpu::element_place(rows.x, row);
        const int64_t y_at = netcl::cpu::element_place(rows.y, row);
        if (!x_plain) {
          netcl::cpu::gather(dtype, call.at<void>(1), x_at, rows.x_inner, 0, n, values.data());
        }
        T* const y = y_plain ? call.at<T>(0) + y_at : values.data();
        const T* const x = x_plain ? call.at<T>(1) + x_at : values.data();
        const T count = static_cast<T>(n);
        const T average = centred ? kernels.sum(x, n) / count : T(0);
        const T variance = kernels.squares(x, average, n) / count;
        const T factor = T(1) / std::sqrt(variance + static_cast<T>(epsilon));
        if (means != nullptr) means[netcl::cpu::element_place(mean, row)] = average;
        if (inverses != nullptr) inverses[netcl::cpu::element_place(inverse, row)] = factor;
        kernels.normalize(x, average, factor, factors, summands, stream, y, n);
        if (!y_plain) netcl::cpu::scatter(dtype, call.at<void>(0), y_at, rows.y_inner, 0, n, y);
      }
      if (stream) kernels.fence();
    });
  }
};

void run_natively(const Plan& plan, const Run& run) {
  const auto layout = [](const Tensor* tensor) {
    return tensor != nullptr ? tensor->layout() : Layout();
  };
  enqueue_native({writing(plan.y), reading(plan.x), plan.scale.access(), plan.bias.access(),
                  access_to(plan.mean, true), access_to(plan.inverse, true)},
                 run,
                 NativeNorm{plan.rows, plan.scale.numbers(), plan.bias.numbers(), layout(plan.mean),
                            layout(plan.inverse), plan.x.dtype(), plan.epsilon, plan.centred,
                            plan.x.memory() != plan.y.memory() && writes_past_caches(plan.y)});
}

// ---- OpenCL devices

void run_kernels(const Plan& plan, const Run& run) {
  const Rows& rows = plan.rows;
  const netcl_dtype dtype = plan.x.dtype();
  const PackedParameter scale = packed(plan.scale, rows.length, run);
  const PackedParameter bias = packed(plan.bias, rows.length, run);
  const std::string common =
      scale.flags("S") + bias.flags("B") + format(" -DRMS=%d", plan.centred ? 0 : 1);
  Arguments arguments;
  add_row_arguments(plan.x, writing(plan.y), rows, &arguments);
  add_real(plan.epsilon, dtype, &arguments);
  const GroupShape shape = group_shape(rows.length, dtype, run.device());
  KernelCall call{"norm.cl", "", group_flags(rows, shape, dtype) + common};
  if (shape.values > 0) {
    call.kernel = plan.centred ? "netcl_layernorm_registers" : "netcl_rmsnorm_registers";
  } else {
    call.kernel = plan.centred ? "netcl_layernorm_loop" : "netcl_rmsnorm_loop";
  }
  set_groups(shape, rows.count, &call);
  scale.add_to(&arguments);
  bias.add_to(&arguments);
  for (const Tensor* tensor : {plan.mean, plan.inverse}) {
    if (tensor == nullptr) continue;
    call.flags += tensor == plan.mean ? " -DMEAN=1" : " -DINVERSE=1";
    arguments.memory(writing(*tensor));
    arguments.layout(tensor->layout());
  }
  enqueue_kernel(call, arguments, run);
}

}  // namespace

NormResult norm(const Tensor& x, int32_t axis, const NormSettings& settings, bool wants_mean,
                bool wants_inverse, const NormResult& into, const Run& run) {
  const char* const name = settings.centred ? "layernorm" : "rmsnorm";
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; %s takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name, name);
  }
  const Layout& layout = x.layout();
  const uint32_t from = checked_axis(axis, layout.rank, "axis");
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into.y, x, "x", true);
  const NormParameter scale =
      check_parameter(settings.scale, "options->scale", x, from, into.y, run);
  const NormParameter bias = check_parameter(settings.bias, "options->bias", x, from, into.y, run);
  refuse_shared_statistics(into, x, settings);
  NormResult result;
  result.mean = statistic_tensor(into.mean, wants_mean, "options->mean_into", x, from, run);
  result.inverse = statistic_tensor(into.inverse, wants_inverse, "options->inverse_deviation_into",
                                    x, from, run);
  result.y = result_tensor(into.y, layout.rank, layout.shape.data(), x.dtype(), run);
  const TensorRef& y = result.y;
  if (y->empty()) {
    fill_statistics(result, run);
    return result;
  }
  const Plan plan{x,
                  *y,
                  split_rows(layout, y->layout(), from, layout.rank - from),
                  scale,
                  bias,
                  result.mean.get(),
                  result.inverse.get(),
                  settings.epsilon,
                  settings.centred};
  const Run declared = with_work(run, [&] {
    // Mean and centred squares, or squares alone; then the element itself.
    const double each = (settings.centred ? 6.0 : 3.0) + (settings.scale != nullptr ? 1.0 : 0.0) +
                        (settings.bias != nullptr ? 1.0 : 0.0);
    return work_of(name, x.dtype(), each * static_cast<double>(x.element_count()),
                   {&x, settings.scale.get(), settings.bias.get()},
                   {y.get(), result.mean.get(), result.inverse.get()});
  });
  if (runs_native(run.device())) {
    run_natively(plan, declared);
  } else {
    run_kernels(plan, declared);
  }
  return result;
}

}  // namespace netcl::ops
