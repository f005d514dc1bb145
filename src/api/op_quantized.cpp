#include "api/read_options.hpp"
#include "ops/matmul/quantized.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

ops::QuantizedProduct read_product(const netcl_quantized_options* given) {
  const netcl_quantized_options checked = read_struct(given, "options");
  require_flag(checked.has_zero_points, "options->has_zero_points");
  require_zero(checked.reserved, "options->reserved");
  if (checked.k < 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->k is %lld; it is from 0 on",
         static_cast<long long>(checked.k));
  }
  if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
  ops::QuantizedProduct product;
  ops::QuantizedSettings& settings = product.settings;
  settings.scales = optional_tensor(checked.scales, "options->scales");
  settings.zero_points = optional_tensor(checked.zero_points, "options->zero_points");
  if (checked.epilogue != nullptr) product.epilogue = read_epilogue(checked.epilogue);
  settings.k = checked.k;
  settings.format = checked.format;
  settings.bits = static_cast<int32_t>(checked.bits);
  settings.block = checked.block_size;
  settings.dtype = checked.dtype;
  settings.has_zero_points = checked.has_zero_points != 0;
  return product;
}

// Of an op that is no product.
ops::QuantizedSettings read_settings(const netcl_quantized_options* given) {
  const ops::QuantizedProduct read = read_product(given);
  if (read.epilogue.bias != nullptr || read.epilogue.residual != nullptr ||
      read.epilogue.activation != NETCL_ACTIVATION_NONE) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->epilogue is set; products alone have one");
  }
  return read.settings;
}

// Handles of results that may not be there; given back unless all are handed out.
class Handles {
 public:
  ~Handles() {
    for (netcl_tensor* handle : made_) release_handle(handle);
  }
  void make(size_t place, TensorRef tensor) {
    if (tensor != nullptr) made_[place] = make_handle<netcl_tensor>(std::move(tensor));
  }
  netcl_tensor* give(size_t place) { return std::exchange(made_[place], nullptr); }

 private:
  netcl_tensor* made_[2] = {nullptr, nullptr};
};

}  // namespace

extern "C" {

netcl_status netcl_op_matmul_quantized(netcl_tensor* x, netcl_tensor* weights,
                                       const netcl_quantized_options* options,
                                       const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const auto codes = pin(weights, "weights");
    call_op<ops::matmul_quantized>("matmul_quantized", run, result, *input, *codes,
                                   read_product(options));
  });
}

netcl_status netcl_op_dequantize_weights(netcl_tensor* weights,
                                         const netcl_quantized_options* options,
                                         const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto codes = pin(weights, "weights");
    call_op<ops::dequantize_weights>("dequantize_weights", run, result, *codes,
                                     read_settings(options));
  });
}

netcl_status netcl_op_quantize_weights(netcl_tensor* w, const netcl_quantized_options* options,
                                       const netcl_run_options* run, netcl_tensor** weights,
                                       netcl_tensor** scales, netcl_tensor** zero_points) {
  return guarded([&] {
    const auto input = pin(w, "w");
    const ops::QuantizedSettings settings = read_settings(options);
    if (weights == nullptr && (run == nullptr || run->into == nullptr)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "weights is NULL and run->into is not set");
    }
    if (settings.format == NETCL_QUANTIZATION_NBITS) require(scales, "scales");
    if (settings.has_zero_points) require(zero_points, "zero_points");
    if (scales != nullptr && (scales == weights || scales == zero_points)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "scales is the address of another result");
    }
    if (zero_points != nullptr && zero_points == weights) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "weights and zero_points are the same address");
    }
    ResolvedRun resolved(run, input->device());
    ops::QuantizedResult into;
    into.weights = resolved.into();
    ops::QuantizedResult made =
        call_into<ops::quantize_weights>(resolved, "quantize_weights", into, *input, settings);
    Handles handles;
    handles.make(0, std::move(made.scales));
    handles.make(1, std::move(made.zero_points));
    give_result(resolved, std::move(made.weights), weights);
    if (scales != nullptr) *scales = handles.give(0);
    if (zero_points != nullptr) *zero_points = handles.give(1);
  });
}

}  // extern "C"
