#include "kernel/elementwise_spec.hpp"

#include <vector>

#include "core/dtype.hpp"
#include "core/number.hpp"
#include "expression/print_cl.hpp"

namespace netcl {

namespace {

// The type in the parameter list: half may be pointed to without being computed with.
const char* pointee(netcl_dtype dtype) {
  return dtype == NETCL_F16 ? "half" : dtype_facts(dtype).cl_name;
}

std::string load(netcl_dtype dtype, const std::string& pointer) {
  switch (dtype) {
    case NETCL_F16:
      return "vload_half(i, " + pointer + ")";
    case NETCL_BF16:
      return "as_float((uint)" + pointer + "[i] << 16)";
    case NETCL_BOOL:
      return "(uchar)(" + pointer + "[i] != 0)";
    default:
      return pointer + "[i]";
  }
}

std::string store_text(netcl_dtype dtype, const std::string& value) {
  switch (dtype) {
    case NETCL_F16:
      return "vstore_half_rte(" + value + ", i, out);";
    // The root of a bf16 tree is rounded to bf16 already, so its upper half is the value.
    case NETCL_BF16:
      return "out[i] = (ushort)(as_uint(" + value + ") >> 16);";
    default:
      return "out[i] = " + value + ";";
  }
}

}  // namespace

KernelSpec make_elementwise_spec(const Device& device, const char* name, uint32_t arity,
                                 const char* expression, netcl_dtype dtype) {
  dtype_facts(dtype);
  const auto tree = netcl::expression::parse(expression);
  if (arity < tree->arity() || arity >= NETCL_ARGS_MAX - 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "arity is %u; the expression uses %u inputs and %d are "
         "possible",
         arity, tree->arity(), NETCL_ARGS_MAX - 2);
  }
  const std::vector<netcl_dtype> inputs(arity, dtype);
  const auto typed = netcl::expression::infer(*tree, inputs.data(), arity, dtype);
  if (typed.needs_f64 && device.capabilities().fp64 == 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "dtype is %s; device %s cannot compute in f64",
         dtype_facts(dtype).name, device.info().name);
  }
  const netcl::expression::ValueCode code = netcl::expression::expression_cl(typed, 1);
  std::vector<std::string> params;
  std::string body = "  for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {\n";
  for (uint32_t k = 0; k < arity; ++k) {
    const std::string number = number_text(k);
    params.push_back("__global const " + std::string(pointee(dtype)) + " *v" + number);
    if (!typed.used[k]) continue;
    const netcl_dtype computed = netcl::expression::compute_dtype(dtype);
    body += "    const " + netcl::expression::cl_type(computed, 1) + " x" + number + " = " +
            load(dtype, "v" + number) + ";\n";
  }
  params.push_back("__global " + std::string(pointee(dtype)) + " *out");
  params.push_back("const ulong n");
  body += code.statements + "    " + store_text(dtype, code.results[0]) + "\n  }\n";

  std::vector<const char*> param_texts;
  for (const std::string& param : params) param_texts.push_back(param.c_str());
  const std::string preamble = "#pragma OPENCL FP_CONTRACT OFF\n" + code.helpers;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.params = param_texts.data();
  options.params_count = static_cast<uint32_t>(param_texts.size());
  options.preamble = preamble.c_str();
  options.body = body.c_str();
  options.no_preamble = 1;
  return make_kernel_spec(device, name, options);
}

}  // namespace netcl
