#include "ops/rows/norm.hpp"

#include <algorithm>
#include <cmath>

#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/norm_kernels.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/rows/norm_rows.hpp"

namespace netcl::ops {

namespace {

constexpr int64_t kWorkPerItem = 16384;

// scale or bias, spread over the axes that are normalised.
struct Parameter {
  TensorRef tensor;
  Layout layout;

  bool given() const { return tensor != nullptr; }
  bool packed() const { return layout.is_c_contiguous(); }
};

struct Plan {
  const Tensor& x;
  const Tensor& y;
  Rows rows;
  Parameter scale;
  Parameter bias;
  double epsilon;
  bool centred;
};

Parameter check_parameter(const TensorRef& tensor, const char* argument, const Tensor& x,
                          uint32_t axis, const TensorRef& into, const Run& run) {
  Parameter parameter{tensor, {}};
  if (tensor == nullptr) return parameter;
  require_device(*tensor, run, argument);
  if (tensor->dtype() != x.dtype() && tensor->dtype() != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and x is %s; it has x's dtype or f32", argument,
         dtype_facts(tensor->dtype()).name, dtype_facts(x.dtype()).name);
  }
  refuse_sharing(into, *tensor, argument);
  const Layout& layout = x.layout();
  parameter.layout =
      broadcast_layout(tensor->layout(), layout.rank - axis, layout.shape.data() + axis, argument);
  return parameter;
}

// ---- Functions of the host

// A parameter as the command has it.
struct NativeParameter {
  bool given = false;
  netcl_dtype dtype = NETCL_F32;
  Layout layout;

  explicit NativeParameter(const Parameter& parameter)
      : given(parameter.given()), layout(parameter.layout) {
    if (given) dtype = parameter.tensor->dtype();
  }
};

// What the command does; its memory is y, x, scale and bias.
struct NativeNorm {
  Rows rows;
  NativeParameter scale;
  NativeParameter bias;
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
    const T* const factors = load(scale, call.at<void>(2), kept.data());
    const T* const summands = load(bias, call.at<void>(3), kept.data() + n);
    const bool real = dtype == netcl::cpu::kRealDtype<T>;
    const bool x_plain = real && rows.stepped() && rows.x_step == 1;
    const bool y_plain = real && rows.stepped() && rows.y_step == 1;
    const bool stream = y_plain && past_caches;
    const int64_t grain = std::max<int64_t>(1, 2 * kWorkPerItem / n);
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
        const T mean = centred ? kernels.sum(x, n) / count : T(0);
        const T variance = kernels.squares(x, mean, n) / count;
        const T factor = T(1) / std::sqrt(variance + static_cast<T>(epsilon));
        kernels.normalize(x, mean, factor, factors, summands, stream, y, n);
        if (!y_plain) netcl::cpu::scatter(dtype, call.at<void>(0), y_at, rows.y_inner, 0, n, y);
      }
      if (stream) kernels.fence();
    });
  }

  // The parameter as numbers of T that follow each other; null when there is none.
  template <class T>
  const T* load(const NativeParameter& parameter, void* memory, T* values) const {
    if (!parameter.given) return nullptr;
    if (parameter.layout.is_c_contiguous() && parameter.dtype == netcl::cpu::kRealDtype<T>) {
      return static_cast<const T*>(memory) + parameter.layout.offset;
    }
    Layout layout = parameter.layout;
    coalesce(&layout, 1);
    if (parameter.dtype == NETCL_F32 && sizeof(T) == 8) {
      const auto* const source = static_cast<const float*>(memory);
      for (int64_t i = 0; i < rows.length; ++i) {
        values[i] = static_cast<T>(source[netcl::cpu::element_place(layout, i)]);
      }
    } else {
      netcl::cpu::gather(parameter.dtype, memory, 0, layout, 0, rows.length, values);
    }
    return values;
  }
};

MemoryObject* memory_of(const Parameter& parameter) {
  return parameter.given() ? parameter.tensor->memory() : nullptr;
}

void run_natively(const Plan& plan, const Run& run) {
  enqueue_native({{plan.y.memory(), true},
                  {plan.x.memory(), false},
                  {memory_of(plan.scale), false},
                  {memory_of(plan.bias), false}},
                 run,
                 NativeNorm{plan.rows, NativeParameter(plan.scale), NativeParameter(plan.bias),
                            plan.x.dtype(), plan.epsilon, plan.centred,
                            plan.x.memory() != plan.y.memory() && writes_past_caches(plan.y)});
}

// ---- OpenCL devices

// A parameter as kernels get it: packed elements of a dtype in some memory.
struct Packed {
  BufferRef owner;  // of a copy
  MemoryObject* memory = nullptr;
  int64_t offset = 0;
  netcl_dtype dtype = 0;
};

Packed pack(const Parameter& parameter, const Plan& plan, const Run& run) {
  Packed packed;
  if (!parameter.given()) return packed;
  packed.memory = parameter.tensor->memory();
  packed.offset = parameter.layout.offset;
  packed.dtype = parameter.tensor->dtype();
  if (parameter.packed()) return packed;
  const int64_t n = plan.rows.length;
  packed.owner = new_memory(static_cast<uint64_t>(n) * dtype_size(packed.dtype), run);
  Layout layout = parameter.layout;
  coalesce(&layout, 1);
  KernelCall call{"norm_pack.cl", "netcl_norm_pack",
                  format("-DX=%s", dtype_facts(packed.dtype).name)};
  call.global[0] = static_cast<uint64_t>(ceil_div(n, 64) * 64);
  call.local[0] = 64;
  Arguments arguments;
  arguments.memory(packed.memory, false);
  arguments.layout(layout);
  arguments.memory(packed.owner->memory(), true);
  arguments.scalar(n);
  enqueue_kernel(call, arguments, run.without_event());
  packed.memory = packed.owner->memory();
  packed.offset = 0;
  return packed;
}

void add_packed(const Packed& packed, Arguments* list) {
  if (packed.dtype == 0) return;
  list->memory(packed.memory, false);
  list->scalar(packed.offset);
}

std::string packed_flags(const Packed& packed, const char* name, netcl_dtype x) {
  if (packed.dtype == 0) return "";
  const bool plain = packed.dtype == x ? x == NETCL_F32 || x == NETCL_F64
                                       : packed.dtype == NETCL_F32 && x != NETCL_F64;
  return format(" -D%s=%s -D%s_PLAIN=%d", name, dtype_facts(packed.dtype).name, name,
                plain ? 1 : 0);
}

void run_kernels(const Plan& plan, const Run& run) {
  const Rows& rows = plan.rows;
  const netcl_dtype dtype = plan.x.dtype();
  const Packed scale = pack(plan.scale, plan, run);
  const Packed bias = pack(plan.bias, plan, run);
  const std::string common = packed_flags(scale, "S", dtype) + packed_flags(bias, "B", dtype) +
                             format(" -DRMS=%d", plan.centred ? 0 : 1);
  Arguments arguments;
  add_row_arguments(plan.x, plan.y.memory(), rows, &arguments);
  add_real(plan.epsilon, dtype, &arguments);
  const GroupShape shape = group_shape(rows.length, dtype, run.device());
  KernelCall call{"norm.cl", "", group_flags(rows, shape, dtype) + common};
  if (shape.values > 0) {
    call.kernel = plan.centred ? "netcl_layernorm_registers" : "netcl_rmsnorm_registers";
  } else {
    call.kernel = plan.centred ? "netcl_layernorm_loop" : "netcl_rmsnorm_loop";
  }
  call.local[0] = static_cast<uint64_t>(shape.lanes * shape.rows);
  call.global[0] = static_cast<uint64_t>(ceil_div(rows.count, shape.rows)) * call.local[0];
  add_packed(scale, &arguments);
  add_packed(bias, &arguments);
  enqueue_kernel(call, arguments, run);
}

}  // namespace

TensorRef norm(const Tensor& x, int32_t axis, const NormSettings& settings, const TensorRef& into,
               const Run& run) {
  const char* const name = settings.centred ? "layernorm" : "rmsnorm";
  if (!is_float(x.dtype())) {
    fail(NETCL_ERROR_UNSUPPORTED, "x is %s; %s takes f16, bf16, f32 and f64",
         dtype_facts(x.dtype()).name, name);
  }
  const Layout& layout = x.layout();
  const uint32_t from = checked_axis(axis, layout.rank, "axis");
  require_device(x, run, "x");
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into, x, "x", true);
  const Parameter scale = check_parameter(settings.scale, "options->scale", x, from, into, run);
  const Parameter bias = check_parameter(settings.bias, "options->bias", x, from, into, run);
  TensorRef y = result_tensor(into, layout.rank, layout.shape.data(), x.dtype(), run);
  if (y->empty()) return y;
  const Plan plan{x,
                  *y,
                  split_rows(layout, y->layout(), from, layout.rank - from),
                  scale,
                  bias,
                  settings.epsilon,
                  settings.centred};
  const Run declared = with_work(run, [&] {
    // Mean and centred squares, or squares alone; then the element itself.
    const double each = (settings.centred ? 6.0 : 3.0) + (settings.scale != nullptr ? 1.0 : 0.0) +
                        (settings.bias != nullptr ? 1.0 : 0.0);
    return work_of(name, x.dtype(), each * static_cast<double>(x.element_count()),
                   {&x, settings.scale.get(), settings.bias.get()}, {y.get()});
  });
  if (runs_native(run.device())) {
    run_natively(plan, declared);
  } else {
    run_kernels(plan, declared);
  }
  return y;
}

}  // namespace netcl::ops
