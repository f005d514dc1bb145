#include "model/precision.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "model/node_facts.hpp"

namespace netcl::model {

namespace {

// Products, whose sums are in f32.
constexpr const char* kShorter[] = {
    "Attention", "CausalConvWithState", "Conv", "ConvTranspose", "Einsum", "GRU", "Gemm",
    "LSTM", "MatMul", "RNN", "SwiGLU",
};

// What adds up without bound, grows fast, asks for places in something, or is a number of its own.
constexpr const char* kWide[] = {
    "Acosh", "AffineGrid", "Bernoulli", "BlackmanWindow", "Col2Im", "Cosh", "CumProd", "CumSum",
    "DFT", "DeformConv", "DequantizeLinear", "Det", "DynamicQuantizeLinear", "Exp",
    "GlobalLpPool", "GridSample", "HammingWindow", "HannWindow", "LRN", "Log", "LogSoftmax",
    "LpPool", "MelWeightMatrix", "Multinomial", "NegativeLogLikelihoodLoss",
    "NonMaxSuppression", "Pow", "QLinearConv", "QLinearMatMul", "QuantizeLinear",
    "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Range",
    "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean", "ReduceProd",
    "ReduceSum", "ReduceSumSquare", "STFT", "Sinh", "SoftmaxCrossEntropyLoss", "Tan",
};

// Statistics, by which what they give is in bounds.
constexpr const char* kWideWithin[] = {"LpNormalization", "MeanVarianceNormalization"};

// The same, by ops that have their statistics in f32 whatever they take; and ops that take elements
// as they come, and places in f32.
constexpr const char* kNorms[] = {
    "BatchNormalization", "GroupNormalization", "InstanceNormalization", "LayerNormalization",
    "MaxRoiPool", "RMSNormalization", "RoiAlign",
};

template <size_t N>
bool is_among(const char* const (&names)[N], const std::string& op) noexcept {
  return std::any_of(std::begin(names), std::end(names),
                     [&](const char* name) { return op == name; });
}

}  // namespace

Width width_of(const FileNode& node) noexcept {
  if (!node.domain.empty()) return Width::follows;
  if (is_among(kShorter, node.op)) return Width::shorter;
  if (is_among(kWide, node.op)) return Width::wide;
  if (is_among(kNorms, node.op)) {
    // Training works out its statistics by other ops.
    const Attribute* const training = NodeFacts(node, 0).find("training_mode");
    return training != nullptr && training->integer != 0 ? Width::wide_within : Width::norm;
  }
  return is_among(kWideWithin, node.op) ? Width::wide_within : Width::follows;
}

bool Precision::overflows(double value) const noexcept {
  const auto number = static_cast<float>(value);
  const float made = short_ == NETCL_F16 ? f32_from_f16(f16_from_f32(number))
                                         : f32_from_bf16(bf16_from_f32(number));
  return std::isfinite(number) && !std::isfinite(made);
}

bool Precision::shorten(std::string_view bytes, std::string* made) const {
  const size_t count = bytes.size() / sizeof(float);
  made->resize(count * sizeof(uint16_t));
  for (size_t i = 0; i < count; ++i) {
    float number = 0;
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    if (overflows(static_cast<double>(number))) return false;
    const uint16_t bits = short_ == NETCL_F16 ? f16_from_f32(number) : bf16_from_f32(number);
    std::memcpy(made->data() + i * sizeof bits, &bits, sizeof bits);
  }
  return true;
}

Vote Precision::vote_of(const HostValue& value) const {
  // A single number is often there to keep others from zero: f16 has few bits below this.
  constexpr double kLeastNormal = 0x1p-14;
  const bool one = value.count() == 1;
  for (size_t i = 0; i < value.count(); ++i) {
    const double size = std::fabs(value.real(i));
    const bool lost = one && short_ == NETCL_F16 && size > 0 && size < kLeastNormal;
    if (lost || overflows(size)) return Vote::must;
  }
  return one ? Vote::none : Vote::shorter;
}

}  // namespace netcl::model
