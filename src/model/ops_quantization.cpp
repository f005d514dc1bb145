// Quantising, and products of quantised matrices.
#include "model/op_table.hpp"
#include "ops/quantization/dynamic_quantize.hpp"
#include "ops/quantization/qlinear.hpp"
#include "ops/quantization/quantize.hpp"

namespace netcl::model {

namespace {

// The axis of a scale with one element is not looked at, and may be none of the tensor's.
int32_t scale_axis(const Call& call, const Tensor& x, const Tensor& scale) {
  if (scale.element_count() == 1 || x.layout().rank == 0) return 0;
  return static_cast<int32_t>(axis_of(call.integer("axis", 1), x.layout().rank));
}

netcl_dtype asked_dtype(const Call& call, const char* name) {
  return dtype_of(static_cast<int32_t>(call.integer(name, 0)));
}

void build_quantize(Call& call) {
  const TensorRef x = call.tensor(0), scale = call.tensor(1);
  ops::QuantizeSettings settings;
  settings.zero_point = call.optional(2);
  settings.block_size = call.integer("block_size", 0);
  settings.dtype = asked_dtype(call, "output_dtype");
  settings.precision = asked_dtype(call, "precision");
  call.give(call.made<ops::quantize_linear>("quantize_linear", x, scale,
                                            scale_axis(call, *x, *scale), settings));
}

void build_dequantize(Call& call) {
  const TensorRef x = call.tensor(0), scale = call.tensor(1);
  ops::DequantizeSettings settings;
  settings.zero_point = call.optional(2);
  settings.block_size = call.integer("block_size", 0);
  settings.dtype = asked_dtype(call, "output_dtype");
  call.give(call.made<ops::dequantize_linear>("dequantize_linear", x, scale,
                                              scale_axis(call, *x, *scale), settings));
}

void build_dynamic_quantize(Call& call) {
  const auto made = call.made_into<ops::dynamic_quantize_linear>(
      "dynamic_quantize_linear", ops::DynamicQuantizeResult{}, call.tensor(0), true, true);
  call.give(0, made.result);
  call.give(1, made.scale);
  call.give(2, made.zero_point);
}

void build_qlinear_matmul(Call& call) {
  ops::QlinearMatmulSettings settings;
  settings.a_zero_point = call.tensor(2);
  settings.b_zero_point = call.tensor(5);
  settings.y_zero_point = call.tensor(7);
  settings.dtype = settings.y_zero_point->dtype();
  call.give(call.made<ops::qlinear_matmul>("qlinear_matmul", call.tensor(0), call.tensor(1),
                                           call.tensor(3), call.tensor(4), call.tensor(6),
                                           settings));
}

// Other types than netcl's, and results that are none of them.
std::string refuse_quantized(const NodeFacts& node) {
  for (const char* const name : {"output_dtype", "precision"}) {
    const int64_t type = node.integer(name, 0);
    if (type != 0 && dtype_of(static_cast<int32_t>(type)) == 0) {
      return std::string(name) + " " + type_name(static_cast<int32_t>(type));
    }
  }
  return "";
}

constexpr OpRow kQuantizationRows[] = {
    {"DequantizeLinear", "axis block_size output_dtype", build_dequantize, "", refuse_quantized},
    {"DynamicQuantizeLinear", "", build_dynamic_quantize},
    {"QLinearMatMul", "", build_qlinear_matmul},
    {"QuantizeLinear", "axis block_size output_dtype precision saturate", build_quantize, "",
     refuse_quantized},
};

}  // namespace

std::span<const OpRow> quantization_rows() { return kQuantizationRows; }

}  // namespace netcl::model
