#include "api/kernel_handle.hpp"
#include "api/read_options.hpp"
#include "graph/einsum.hpp"
#include "ops/matmul/matmul.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

ops::MatmulParameters read_parameters(const netcl_matmul_options* given) {
  const netcl_matmul_options checked = read_options(given, "options");
  require_flag(checked.has_scale, "options->has_scale");
  if (checked.has_scale == 0 && (checked.alpha != 0.0 || checked.beta != 0.0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->alpha is %g and options->beta is %g while options->has_scale is 0",
         checked.alpha, checked.beta);
  }
  if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
  ops::MatmulParameters parameters;
  if (checked.has_scale != 0) {
    parameters.alpha = checked.alpha;
    parameters.beta = checked.beta;
  }
  parameters.dtype = checked.dtype;
  parameters.variant = checked.variant;
  parameters.precision = checked.precision;
  if (checked.epilogue != nullptr) parameters.epilogue = read_epilogue(checked.epilogue);
  parameters.a_zero_point = optional_tensor(checked.a_zero_point, "options->a_zero_point");
  parameters.b_zero_point = optional_tensor(checked.b_zero_point, "options->b_zero_point");
  return parameters;
}

}  // namespace

extern "C" {

netcl_status netcl_op_matmul(netcl_tensor* a, netcl_tensor* b, const netcl_matmul_options* options,
                             const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto left = pin(a, "a");
    const auto right = pin(b, "b");
    call_op<ops::matmul>("matmul", run, result, *left, *right, read_parameters(options));
  });
}

netcl_status netcl_kernel_create_matmul(netcl_device* device, const char* name, int64_t m,
                                        int64_t n, int64_t k, netcl_dtype dtype,
                                        const netcl_variant_config* config, uint64_t* global,
                                        netcl_kernel** kernel) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(global, "global");
    require(kernel, "kernel");
    pinned->require_opencl("a matrix product as OpenCL C");
    netcl_variant_config checked;
    if (config != nullptr) checked = read_options(config, "config");
    uint64_t size[2] = {0, 0};
    KernelSpec spec = ops::make_matmul_spec(*pinned, name, m, n, k, dtype,
                                            config == nullptr ? nullptr : &checked, size);
    *kernel = make_kernel_handle(std::make_shared<Kernel>(*pinned, std::move(spec)));
    std::copy(size, size + 2, global);
  });
}

netcl_status netcl_op_einsum(const char* equation, netcl_tensor* const* inputs,
                             uint32_t inputs_count, const netcl_run_options* run,
                             netcl_tensor** result) {
  return guarded([&] {
    require(equation, "equation");
    if (inputs_count == 0 || inputs_count > NETCL_ARGS_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; it is 1 to %d", inputs_count,
           NETCL_ARGS_MAX);
    }
    TensorList list(inputs_count);
    const std::span<const TensorRef> pinned = pin_list(inputs, &list);
    require_result(run, result);
    ResolvedRun resolved(run, pinned[0]->device());
    const graph::Equation parsed = graph::parse_equation(equation, NETCL_ERROR_INVALID_ARGUMENT);
    give_result(resolved,
                graph::einsum({resolved.graph(), resolved.run()}, parsed, pinned, resolved.into()),
                result);
  });
}

}  // extern "C"
