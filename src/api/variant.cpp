#include "ops/frame/variant.hpp"

#include "api/handles.hpp"
#include "api/structs.hpp"
#include "core/dtype.hpp"
#include "ops/frame/elements.hpp"
#include "ops/matmul/matmul_plan.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// The options of a question: the device it is about, the dtype and the request.
struct Question {
  const Device& device;
  bool recorded = false;
  netcl_device_info info;  // these two of a recorded device only
  netcl_device_capabilities capabilities;
  netcl_dtype dtype;
  netcl_variant variant;

  Question(const Device& open, const netcl_variant_options* options) : device(open) {
    const netcl_variant_options checked = read_options(options, "options");
    if (checked.capabilities != nullptr) {
      recorded = true;
      info = device.info();
      capabilities = read_options(checked.capabilities, "options->capabilities");
      if (checked.info != nullptr) info = read_options(checked.info, "options->info");
      // Recorded text may be anything; names are looked at up to their NUL.
      for (char* end : {&info.name[sizeof info.name - 1], &info.vendor[sizeof info.vendor - 1]}) {
        *end = '\0';
      }
    } else if (checked.info != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->info is set while options->capabilities is NULL; both describe a recorded "
           "device");
    }
    dtype = checked.dtype == 0 ? NETCL_F32 : checked.dtype;
    dtype_facts(dtype, "options->dtype");
    variant = checked.variant;
  }

  ops::VariantTarget target() const {
    return recorded ? ops::VariantTarget(info, capabilities) : ops::VariantTarget(device);
  }
};

void require_float(netcl_dtype dtype, const char* op) {
  if (!is_float(dtype)) {
    fail(NETCL_ERROR_UNSUPPORTED, "options->dtype is %s; %s takes f16, bf16, f32 and f64",
         dtype_facts(dtype).name, op);
  }
}

// What all netcl_variant_select_ functions do around choose(question).
template <class Choose>
netcl_status select(const netcl_device* device, const netcl_variant_options* options,
                    netcl_variant_config* config, Choose choose) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    check_info(config, "config");
    const Question question(*pinned, options);
    write_info(config, choose(question));
  });
}

}  // namespace

extern "C" {

const char* netcl_variant_name(netcl_variant variant) { return ops::variant_name(variant); }

netcl_status netcl_variant_select_matmul(const netcl_device* device, int64_t m, int64_t n,
                                         int64_t k, const netcl_variant_options* options,
                                         netcl_variant_config* config) {
  return select(device, options, config, [&](const Question& question) {
    if (!is_float(question.dtype) && !ops::is_matmul_byte(question.dtype)) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "options->dtype is %s; matmul takes f16, bf16, f32, f64, i8 and u8",
           dtype_facts(question.dtype).name);
    }
    ops::variant_rules::require_size(m, 0, "m");
    ops::variant_rules::require_size(n, 0, "n");
    ops::variant_rules::require_size(k, 0, "k");
    ops::require_product(1, m, n, k);
    return ops::choose_matmul(question.target(), ops::packed_matmul_case(m, n, k, question.dtype),
                              question.variant);
  });
}

netcl_status netcl_variant_select_conv2d(const netcl_device* device,
                                         const netcl_conv2d_shape* shape,
                                         const netcl_variant_options* options,
                                         netcl_variant_config* config) {
  return select(device, options, config, [&](const Question& question) {
    const netcl_conv2d_shape checked = read_struct(shape, "shape");
    require_float(question.dtype, "conv2d");
    return ops::choose_conv2d(question.target(), checked, question.dtype, question.variant);
  });
}

netcl_status netcl_variant_select_elementwise(const netcl_device* device, int64_t count,
                                              const netcl_variant_options* options,
                                              netcl_variant_config* config) {
  return select(device, options, config, [&](const Question& question) {
    return ops::choose_elementwise(question.target(), count, question.dtype, question.variant);
  });
}

netcl_status netcl_variant_select_reduction(const netcl_device* device, int64_t outputs,
                                            int64_t count, const netcl_variant_options* options,
                                            netcl_variant_config* config) {
  return select(device, options, config, [&](const Question& question) {
    return ops::choose_reduction(question.target(), outputs, count, question.dtype,
                                 question.variant);
  });
}

netcl_status netcl_variant_select_batchnorm(const netcl_device* device, int64_t batch,
                                            int64_t channels, int64_t spatial, uint32_t training,
                                            uint32_t activation,
                                            const netcl_variant_options* options,
                                            netcl_variant_config* config) {
  return select(device, options, config, [&](const Question& question) {
    require_flag(training, "training");
    require_flag(activation, "activation");
    require_float(question.dtype, "batchnorm");
    return ops::choose_batchnorm(question.target(), batch, channels, spatial, training != 0,
                                 activation != 0, question.dtype, question.variant);
  });
}

netcl_status netcl_variant_clear_cache(void) {
  return guarded([&] { ops::clear_variant_cache(); });
}

}  // extern "C"
