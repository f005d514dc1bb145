// The ops on quantised weights, from their checks to the loops and launches.
#include <utility>
#include <vector>

#include "backend/cpu/matmul/quantized_loops.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/replay.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/matmul/quantized.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::GemmOperand;
using netcl::cpu::QuantizedForm;

// Kernels read the weights in place for so many rows of a matrix of x.
constexpr int64_t kRowsInPlace = 16;

bool is_quantized_float(netcl_dtype dtype) {
  return dtype == NETCL_F32 || dtype == NETCL_F16 || dtype == NETCL_BF16;
}

void require_float(netcl_dtype dtype, const char* argument, const char* what) {
  if (is_quantized_float(dtype)) return;
  fail(NETCL_ERROR_UNSUPPORTED, "%s is %s; %s f32, f16 or bf16", argument,
       dtype_facts(dtype, argument).name, what);
}

// Columns and rows of W as those of b: k x n.
Layout transposed_weights(const QuantizedForm& form) {
  const int64_t shape[2] = {form.k, form.n};
  Layout layout = packed_layout(2, shape);
  layout.strides[0] = 1;
  layout.strides[1] = form.k;
  return layout;
}

// A matrix in C order behind a pointer, or by the strides of a layout.
GemmOperand matrix_at(unsigned char* base, const Layout& layout, netcl_dtype dtype) {
  const auto size = static_cast<int64_t>(dtype_size(dtype));
  void* const data = base == nullptr ? nullptr : base + layout.offset * size;
  return {data, layout.strides[0], layout.strides[1], dtype};
}

// The weights where they lie become the problem's b.
void read_in_place(const QuantizedWeights& weights, MatmulCall* call) {
  MatmulProblem& problem = call->problem;
  problem.quantized = weights.form;
  const auto take = [&](MatmulRole role, const TensorRef& tensor) {
    call->tensors[role] = tensor.get();
    problem.operands[role] = {};
    if (tensor != nullptr) problem.operands[role].offset = tensor->layout().offset;
  };
  take(kRoleB, weights.data);
  take(kRoleZeroB, weights.zeros);
  take(kRoleScale, weights.scales);
}

void run_dequantize(const QuantizedWeights& weights, const Tensor& result, const Run& run) {
  if (!runs_native(run.device())) return launch_dequantize(weights, result, run);
  const auto read = [](const TensorRef& tensor) { return access_to(tensor.get(), false); };
  const auto offset = [](const TensorRef& tensor) {
    return tensor != nullptr ? tensor->offset_bytes() : 0;
  };
  enqueue_native({writing(result), read(weights.data), read(weights.scales), read(weights.zeros)},
                 run,
                 [form = weights.form, layout = result.layout(), dtype = result.dtype(),
                  places = std::array{offset(weights.data), offset(weights.scales),
                                      offset(weights.zeros)}](const NativeCall& call) {
                   const auto at = [&](size_t index) -> const uint8_t* {
                     const auto* const base = call.at<uint8_t>(index);
                     return base == nullptr ? nullptr : base + places[index - 1];
                   };
                   const netcl::cpu::QuantizedMatrix matrix{form, at(1), at(2), at(3)};
                   netcl::cpu::dequantize_weights(
                       matrix, matrix_at(call.at<unsigned char>(0), layout, dtype), call.threads);
                 });
}

void run_quantize(const Tensor& w, const QuantizedForm& form, const QuantizedResult& made,
                  const Run& run) {
  if (!runs_native(run.device())) return launch_quantize(w, form, made, run);
  const auto written = [](const TensorRef& tensor) { return access_to(tensor.get(), true); };
  enqueue_native(
      {reading(w), written(made.weights), written(made.scales), written(made.zero_points)}, run,
      [form, layout = w.layout(), dtype = w.dtype(),
       place = made.weights->offset_bytes()](const NativeCall& call) {
        netcl::cpu::QuantizedTarget target;
        target.form = form;
        target.data = call.at<uint8_t>(1) + place;
        target.scales = call.at<void>(2);
        target.zeros = call.at<uint8_t>(3);
        netcl::cpu::quantize_weights(matrix_at(call.at<unsigned char>(0), layout, dtype), target,
                                     call.threads);
      });
}

}  // namespace

TensorRef matmul_quantized(const Tensor& x, const Tensor& weights, const QuantizedProduct& product,
                           const TensorRef& into, const Run& run) {
  require_float(x.dtype(), "x", "products with quantised weights take");
  require_device(x, run, "x");
  if (x.layout().rank == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has rank 0; products take ranks 1 to %u", kRankMax);
  }
  const int64_t columns = x.layout().shape[x.layout().rank - 1];
  if (columns == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "x has no columns; K is 1 or more");
  refuse_sharing(into, x, "x");
  refuse_sharing_weights(into, weights, product.settings);
  const QuantizedWeights taken = take_weights(weights, product.settings, columns, run);
  MatmulParameters parameters;
  parameters.dtype = product.settings.dtype;
  parameters.epilogue = product.epilogue;
  MatmulCall call =
      prepare_matmul(x, {taken.data.get(), transposed_weights(taken.form)}, parameters, into, run);
  if (call.c->empty()) return call.c;
  read_in_place(taken, &call);
  // Batches that lie behind each other are rows.
  normalize(&call.problem);
  if (runs_native(run.device()) || call.problem.m <= kRowsInPlace) {
    run_matmul(call.tensors, call.problem, {}, 0, run);
    return call.c;
  }
  const Run declared = with_work(run, [&] { return matmul_work(call.tensors, call.problem, 0); });
  const int64_t shape[2] = {taken.form.n, taken.form.k};
  const TensorRef whole = new_tensor(x.dtype(), 2, shape, run);
  run_dequantize(taken, *whole, declared.part());
  const Tensor turned(whole->buffer(), whole->dtype(), [&] {
    Layout layout = transposed_weights(taken.form);
    layout.offset = whole->layout().offset;
    return layout;
  }());
  Run rest = declared;
  rest.declared = true;
  matmul(x, turned, parameters, call.c, rest);
  return call.c;
}

TensorRef dequantize_weights(const Tensor& weights, const QuantizedSettings& settings,
                             const TensorRef& into, const Run& run) {
  refuse_sharing_weights(into, weights, settings);
  const netcl_dtype dtype = settings.dtype != 0 ? settings.dtype
                            : into != nullptr   ? into->dtype()
                                                : NETCL_F32;
  require_float(dtype, settings.dtype != 0 ? "options->dtype" : "run->into",
                "dequantised weights are");
  const QuantizedWeights taken = take_weights(weights, settings, 0, run);
  const int64_t shape[2] = {taken.form.n, taken.form.k};
  const TensorRef result = result_tensor(into, 2, shape, dtype, run);
  if (result->empty()) return result;
  const Run declared = with_work(run, [&] {
    return work_of("netcl_dequantize_weights", dtype,
                   2.0 * static_cast<double>(result->element_count()),
                   {taken.data.get(), taken.scales.get(), taken.zeros.get()}, {result.get()});
  });
  run_dequantize(taken, *result, declared);
  return result;
}

// The form of what is made of a matrix, with the dtypes that are asked for.
static QuantizedForm form_of_result(const Layout& layout, const QuantizedSettings& settings) {
  QuantizedForm form = make_quantized_form(settings, layout.shape[0], layout.shape[1]);
  const bool nbits = form.format == NETCL_QUANTIZATION_NBITS;
  const netcl_dtype dtype = settings.dtype != 0 ? settings.dtype : NETCL_F32;
  if (nbits) require_float(dtype, "options->dtype", "scales are");
  if (!nbits && settings.dtype != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is %s; the scales of this format are f16",
         dtype_facts(dtype, "options->dtype").name);
  }
  if (nbits) form.scale_dtype = dtype;
  if (settings.has_zero_points) {
    form.zero_dtype = NETCL_U8;
    form.zero_bytes = (form.blocks * form.bits + 7) / 8;
  }
  return form;
}

// Does what run_quantize does where results lie in any way: it writes scales and zero points from
// the first byte of their memory on.
static void quantize_into(const Tensor& w, const QuantizedForm& form, const QuantizedResult& made,
                          const Run& declared, const Run& run) {
  QuantizedResult packed = made;
  std::vector<std::pair<TensorRef, TensorRef>> copies;
  for (TensorRef* const tensor : results_of(packed)) {
    if (*tensor == nullptr) continue;
    const bool first = tensor == &packed.weights || (*tensor)->offset_bytes() == 0;
    if (first && is_in_order(**tensor)) continue;
    const Layout& own = (*tensor)->layout();
    const TensorRef place = new_tensor((*tensor)->dtype(), own.rank, own.shape.data(), run);
    copies.emplace_back(place, std::exchange(*tensor, place));
  }
  run_quantize(w, form, packed, copies.empty() ? declared : declared.without_event());
  for (const auto& [from, to] : copies) {
    copy_into(*from, *to, from == copies.back().first ? declared : declared.without_event());
  }
}

QuantizedResult quantize_weights(const Tensor& w, const QuantizedSettings& settings,
                                 const QuantizedResult& into, const Run& run) {
  require_float(w.dtype(), "w", "what is quantised is");
  require_device(w, run, "w");
  const Layout& layout = w.layout();
  if (layout.rank != 2) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "w has shape %s; it is [N, K]", shape_text(layout).c_str());
  }
  for (const auto& [tensor, name] : {std::pair{&settings.scales, "options->scales"},
                                     std::pair{&settings.zero_points, "options->zero_points"}}) {
    if (*tensor == nullptr) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is set; netcl_op_quantize_weights makes them", name);
  }
  refuse_sharing(into.weights, w, "w");
  const QuantizedForm form = form_of_result(layout, settings);
  const int64_t bytes[3] = {form.n, form.blocks, form.block_bytes};
  const int64_t zeros[2] = {form.n, form.zero_bytes};
  QuantizedResult made;
  made.weights = result_tensor(into.weights, 3, bytes, NETCL_U8, run);
  if (form.scale_dtype != 0) {
    made.scales = result_tensor(into.scales, 2, bytes, form.scale_dtype, run);
  }
  if (form.zero_dtype != 0) {
    made.zero_points = result_tensor(into.zero_points, 2, zeros, NETCL_U8, run);
  }
  if (made.weights->empty()) return made;
  const Run declared = with_work(run, [&] {
    return work_of("netcl_quantize_weights", w.dtype(),
                   4.0 * static_cast<double>(w.element_count()), {&w},
                   {made.weights.get(), made.scales.get(), made.zero_points.get()});
  });
  quantize_into(w, form, made, declared, run);
  return made;
}

}  // namespace netcl::ops
