// What quantised weights may be: formats, shapes and dtypes.
#include "ops/matmul/quantized.hpp"

#include "core/integer.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::QuantizedForm;

// What kernels read at once begins at such a place.
constexpr uint64_t kWordBytes = 4;

const char* name_of(netcl_quantization format) {
  switch (format) {
    case NETCL_QUANTIZATION_Q4_0:
      return "Q4_0";
    case NETCL_QUANTIZATION_Q8_0:
      return "Q8_0";
    case NETCL_QUANTIZATION_Q4_K:
      return "Q4_K";
    default:
      return "NBITS";
  }
}

void take_nbits(const QuantizedSettings& settings, QuantizedForm* form) {
  form->bits = settings.bits == 0 ? 4 : settings.bits;
  form->block = settings.block == 0 ? 32 : settings.block;
  if (form->bits != 4 && form->bits != 8) {
    fail(NETCL_ERROR_UNSUPPORTED, "options->bits is %u; codes of 4 and 8 bits are possible",
         static_cast<unsigned>(form->bits));
  }
  const int64_t block = form->block;
  if (block < 16 || block > 256 || (block & (block - 1)) != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->block_size is %lld; it is 16, 32, 64, 128 or 256",
         static_cast<long long>(block));
  }
  form->block_bytes = block * form->bits / 8;
}

void take_gguf(const QuantizedSettings& settings, QuantizedForm* form) {
  if (settings.bits != 0 || settings.block != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->bits is %u and options->block_size %lld; %s has its own, and they are 0",
         static_cast<unsigned>(settings.bits), static_cast<long long>(settings.block),
         name_of(settings.format));
  }
  if (settings.scales != nullptr || settings.zero_points != nullptr || settings.has_zero_points) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is set; %s has its scales in its blocks",
         settings.scales != nullptr        ? "options->scales"
         : settings.zero_points != nullptr ? "options->zero_points"
                                           : "options->has_zero_points",
         name_of(settings.format));
  }
  const bool large = settings.format == NETCL_QUANTIZATION_Q4_K;
  form->bits = settings.format == NETCL_QUANTIZATION_Q8_0 ? 8 : 4;
  form->block = large ? 256 : 32;
  form->block_bytes = large ? 144 : 2 + 32 * form->bits / 8;
}

// Everything but n, k and blocks.
QuantizedForm form_of(const QuantizedSettings& settings) {
  if (settings.format < NETCL_QUANTIZATION_NBITS || settings.format > NETCL_QUANTIZATION_Q4_K) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->format is %d; it is NBITS (1), Q4_0 (2), Q8_0 (3) or Q4_K (4)", settings.format);
  }
  QuantizedForm form;
  form.format = settings.format;
  if (settings.format == NETCL_QUANTIZATION_NBITS) {
    take_nbits(settings, &form);
  } else {
    take_gguf(settings, &form);
  }
  return form;
}

// Scales and zero points are a matrix, or the same in one line.
void require_matrix(const Tensor& tensor, int64_t rows, int64_t columns, const char* argument) {
  const Layout& layout = tensor.layout();
  const bool fits = layout.rank == 1
                        ? layout.shape[0] == rows * columns
                        : layout.rank == 2 && layout.shape[0] == rows && layout.shape[1] == columns;
  if (fits) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; it is [%lld, %lld] or [%lld]", argument,
       shape_text(tensor).c_str(), static_cast<long long>(rows), static_cast<long long>(columns),
       static_cast<long long>(rows * columns));
}

void take_scales(const QuantizedSettings& settings, QuantizedForm* form, const Run& run) {
  if (settings.scales == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->scales is NULL; NBITS needs scales");
  }
  const netcl_dtype dtype = settings.scales->dtype();
  require_device(*settings.scales, run, "options->scales");
  if (dtype != NETCL_F32 && dtype != NETCL_F16 && dtype != NETCL_BF16) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->scales is %s; scales are f32, f16 or bf16",
         dtype_facts(dtype).name);
  }
  require_matrix(*settings.scales, form->n, form->blocks, "options->scales");
  form->scale_dtype = dtype;
  if (settings.zero_points == nullptr) return;
  const Tensor& zeros = *settings.zero_points;
  require_device(zeros, run, "options->zero_points");
  if (zeros.dtype() != NETCL_U8 && zeros.dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->zero_points is %s and options->scales %s; zero points are u8 or as the scales",
         dtype_facts(zeros.dtype()).name, dtype_facts(dtype).name);
  }
  form->zero_dtype = zeros.dtype();
  if (zeros.dtype() == NETCL_U8) form->zero_bytes = ceil_div(form->blocks * form->bits, 8);
  require_matrix(zeros, form->n, form->zero_bytes != 0 ? form->zero_bytes : form->blocks,
                 "options->zero_points");
}

// The rows of bytes and how many blocks each has.
void take_rows(const Tensor& weights, QuantizedForm* form) {
  const Layout& layout = weights.layout();
  const int64_t bytes = form->block_bytes;
  const bool blocks = layout.rank == 3 && layout.shape[2] == bytes;
  const bool rows = layout.rank == 2 && layout.shape[1] % bytes == 0;
  if (!blocks && !rows) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "weights has shape %s; with blocks of %lld bytes (%s) it is [N, blocks, %lld] or "
         "[N, blocks * %lld]",
         shape_text(weights).c_str(), static_cast<long long>(bytes), name_of(form->format),
         static_cast<long long>(bytes), static_cast<long long>(bytes));
  }
  form->n = layout.shape[0];
  form->blocks = blocks ? layout.shape[1] : layout.shape[1] / bytes;
  if (form->blocks == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "weights has shape %s; rows have 1 block or more",
         shape_text(weights).c_str());
  }
}

void take_columns(const QuantizedSettings& settings, int64_t k_of_x, QuantizedForm* form) {
  const int64_t whole = form->blocks * form->block;
  form->k = settings.k == 0 ? whole : settings.k;
  const bool pads = form->format == NETCL_QUANTIZATION_NBITS;
  if (form->k > whole || form->k <= (pads ? whole - form->block : whole - 1)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->k is %lld; weights has %lld blocks of %lld a row, and K is %s%lld",
         static_cast<long long>(settings.k), static_cast<long long>(form->blocks),
         static_cast<long long>(form->block), pads ? "less than a block below " : "",
         static_cast<long long>(whole));
  }
  if (k_of_x != 0 && k_of_x != form->k) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has %lld columns; the weights have K = %lld",
         static_cast<long long>(k_of_x), static_cast<long long>(form->k));
  }
}

TensorRef in_order(const Tensor& tensor, const Run& run) {
  if (is_in_order(tensor)) {
    return std::make_shared<Tensor>(tensor.buffer(), tensor.dtype(), tensor.layout());
  }
  return copy(tensor, nullptr, run.without_event());
}

}  // namespace

bool is_in_order(const Tensor& tensor) {
  if (tensor.empty()) return true;
  const Layout& layout = tensor.layout();
  const Layout packed = packed_layout(layout.rank, layout.shape.data());
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] > 1 && layout.strides[d] != packed.strides[d]) return false;
  }
  return tensor.offset_bytes() % kWordBytes == 0;
}

QuantizedForm make_quantized_form(const QuantizedSettings& settings, int64_t n, int64_t k) {
  QuantizedForm form = form_of(settings);
  form.n = n;
  form.k = k;
  if (settings.k != 0 && settings.k != k) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->k is %lld; w has %lld columns",
         static_cast<long long>(settings.k), static_cast<long long>(k));
  }
  const bool pads = form.format == NETCL_QUANTIZATION_NBITS;
  if (k < 1 || (!pads && k % form.block != 0)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "w has %lld columns; %s takes %s%lld",
         static_cast<long long>(k), name_of(form.format), pads ? "from " : "multiples of ",
         static_cast<long long>(pads ? 1 : form.block));
  }
  form.blocks = ceil_div(k, form.block);
  return form;
}

QuantizedWeights take_weights(const Tensor& weights, const QuantizedSettings& settings, int64_t k,
                              const Run& run) {
  QuantizedForm form = form_of(settings);
  if (settings.has_zero_points) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->has_zero_points is 1; it is for netcl_op_quantize_weights");
  }
  require_device(weights, run, "weights");
  if (weights.dtype() != NETCL_U8) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "weights is %s; quantised weights are u8",
         dtype_facts(weights.dtype()).name);
  }
  take_rows(weights, &form);
  take_columns(settings, k, &form);
  if (form.format == NETCL_QUANTIZATION_NBITS) take_scales(settings, &form, run);
  QuantizedWeights taken;
  taken.form = form;
  taken.data = in_order(weights, run);
  if (settings.scales != nullptr) taken.scales = in_order(*settings.scales, run);
  if (settings.zero_points != nullptr) taken.zeros = in_order(*settings.zero_points, run);
  return taken;
}

void refuse_sharing_weights(const TensorRef& into, const Tensor& weights,
                            const QuantizedSettings& settings) {
  refuse_sharing(into, weights, "weights");
  if (settings.scales != nullptr) refuse_sharing(into, *settings.scales, "options->scales");
  if (settings.zero_points != nullptr) {
    refuse_sharing(into, *settings.zero_points, "options->zero_points");
  }
}

}  // namespace netcl::ops
