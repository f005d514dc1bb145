// Activations in PTX, for results of 16 bits: errors stay below 2e-6 of the value, as far as the
// portable kernels' do, and NaN stays NaN.
#include <string_view>

#include "ops/matmul/wgmma_text.hpp"

namespace netcl::ops {
namespace {

// In the texts $ is the value's register; t0 to t5 are free, slope and shift the parameters.

// t2 = e^-t0 of t0 from 0 to 200: the exponent of two as a sum of two numbers, since the rounding
// of one would be multiplied by it. The constants are -log2(e) and ln(2).
constexpr std::string_view kExpText = R"(
 mul.rn.f32 t1, t0, 0fBFB8AA3B;
 neg.f32 t2, t1;
 fma.rn.f32 t3, t0, 0fBFB8AA3B, t2;
 fma.rn.f32 t3, t0, 0fB2A57060, t3;
 ex2.approx.ftz.f32 t2, t1;
 mul.rn.f32 t3, t3, 0f3F317218;
 fma.rn.f32 t2, t2, t3, t2;)";

// t4 = sigmoid(t4); what it gives of NaN is not used.
const std::string kSigmoid = R"(
 abs.f32 t0, t4;
 min.f32 t0, t0, 0f43480000;)" +
                             std::string(kExpText) + R"(
 add.rn.f32 t1, t2, 0f3F800000;
 rcp.approx.ftz.f32 t1, t1;
 setp.ltu.f32 fits, t4, 0f00000000;
 @!fits mov.f32 t2, 0f3F800000;
 mul.rn.f32 t4, t2, t1;)";

// Between 0 and 1.
constexpr std::string_view kUnit = R"(
 setp.lt.f32 fits, t4, 0f00000000;
 @fits mov.f32 t4, 0f00000000;
 setp.gt.f32 fits, t4, 0f3F800000;
 @fits mov.f32 t4, 0f3F800000;)";

// A quotient of sums of e^-2|x| and, near 0, where that loses digits, Taylor's polynomial.
const std::string kTanh = R"(
 abs.f32 t0, $;
 add.rn.f32 t0, t0, t0;
 min.f32 t0, t0, 0f43480000;)" +
                          std::string(kExpText) + R"(
 add.rn.f32 t1, t2, 0f3F800000;
 rcp.approx.ftz.f32 t1, t1;
 neg.f32 t2, t2;
 add.rn.f32 t2, t2, 0f3F800000;
 mul.rn.f32 t4, t2, t1;
 copysign.f32 t4, $, t4;
 mul.rn.f32 t0, $, $;
 fma.rn.f32 t1, t0, 0f3CB327A4, 0fBD5D0DD1;
 fma.rn.f32 t1, t1, t0, 0f3E088889;
 fma.rn.f32 t1, t1, t0, 0fBEAAAAAB;
 mul.rn.f32 t1, t1, t0;
 fma.rn.f32 t1, t1, $, $;
 setp.gtu.f32 fits, t0, 0f3D800000;
 @!fits mov.f32 t4, t1;
 setp.nan.f32 fits, $, $;
 @!fits mov.f32 $, t4;)";

// x times the normal distribution's share below x, as gelu_f32 in expression/print_cl_helpers.cpp.
const std::string kGelu = R"(
 abs.f32 t4, $;
 min.f32 t4, t4, 0f41680000;
 mul.rn.f32 t0, t4, t4;
 neg.f32 t1, t0;
 fma.rn.f32 t5, t4, t4, t1;
 mul.rn.f32 t5, t5, 0fBF000000;
 mul.rn.f32 t0, t0, 0f3F000000;)" +
                          std::string(kExpText) + R"(
 fma.rn.f32 t2, t2, t5, t2;
 fma.rn.f32 t0, t4, 0f3E99999A, 0f3F800000;
 rcp.approx.ftz.f32 t0, t0;
 add.rn.f32 t1, t0, 0fBF180000;
 mov.f32 t3, 0fBCABABF8;
 fma.rn.f32 t3, t3, t1, 0f3B15021F;
 fma.rn.f32 t3, t3, t1, 0f3D3531F0;
 fma.rn.f32 t3, t3, t1, 0fBC1BA72F;
 fma.rn.f32 t3, t3, t1, 0fBDB9D692;
 fma.rn.f32 t3, t3, t1, 0fBC33DD77;
 fma.rn.f32 t3, t3, t1, 0f3E67151D;
 fma.rn.f32 t3, t3, t1, 0f3ED1AC20;
 fma.rn.f32 t3, t3, t1, 0f3ECCCBAB;
 fma.rn.f32 t3, t3, t1, 0f3E8319DD;
 neg.f32 t1, $;
 max.f32 t4, t4, t1;
 mul.rn.f32 t4, t4, t0;
 mul.rn.f32 t4, t4, t3;
 neg.f32 t2, t2;
 max.f32 t1, $, 0f00000000;
 fma.rn.f32 t4, t2, t4, t1;
 setp.nan.f32 fits, $, $;
 @!fits mov.f32 $, t4;)";

std::string text_of(netcl_activation activation) {
  switch (activation) {
    case NETCL_ACTIVATION_RELU:
      // Not max, which loses NaN.
      return "\n setp.le.f32 fits, $, 0f00000000;\n @fits mov.f32 $, 0f00000000;";
    case NETCL_ACTIVATION_LEAKY_RELU:
      return "\n setp.lt.f32 fits, $, 0f00000000;\n @fits mul.rn.f32 $, $, slope;";
    case NETCL_ACTIVATION_SIGMOID:
      return "\n mov.f32 t4, $;" + kSigmoid + "\n setp.nan.f32 fits, $, $;\n @!fits mov.f32 $, t4;";
    case NETCL_ACTIVATION_TANH:
      return kTanh;
    case NETCL_ACTIVATION_SILU:
      return "\n mov.f32 t4, $;" + kSigmoid + "\n mul.rn.f32 $, $, t4;";
    case NETCL_ACTIVATION_GELU:
      return kGelu;
    case NETCL_ACTIVATION_GELU_TANH:
      // sigmoid of 2 sqrt(2 / pi) (x + 0.044715 x^3)
      return R"(
 mul.rn.f32 t0, $, $;
 mul.rn.f32 t0, t0, $;
 fma.rn.f32 t0, t0, 0f3D372713, $;
 mul.rn.f32 t4, t0, 0f3FCC422A;)" +
             kSigmoid + "\n mul.rn.f32 $, $, t4;";
    case NETCL_ACTIVATION_HARD_SIGMOID:
      return "\n mul.rn.f32 t4, $, slope;\n add.rn.f32 t4, t4, shift;" + std::string(kUnit) +
             "\n mov.f32 $, t4;";
    case NETCL_ACTIVATION_HARD_SWISH:
      return "\n fma.rn.f32 t4, $, 0f3E2AAAAB, 0f3F000000;" + std::string(kUnit) +
             "\n mul.rn.f32 $, $, t4;";
    case NETCL_ACTIVATION_CLIP:
      return "\n setp.lt.f32 fits, $, slope;\n @fits mov.f32 $, slope;\n"
             " setp.gt.f32 fits, $, shift;\n @fits mov.f32 $, shift;";
    default:
      return {};
  }
}

}  // namespace

std::string wgmma_activation_text(netcl_activation activation, const char* value) {
  std::string text;
  for (const char c : text_of(activation)) {
    if (c == '$') {
      text += value;
    } else if (c != '\n' || !text.empty()) {
      text += c;
    }
  }
  return text;
}

bool wgmma_activation(netcl_activation activation, netcl_dtype out_dtype) {
  switch (activation) {
    case NETCL_ACTIVATION_NONE:
    case NETCL_ACTIVATION_RELU:
    case NETCL_ACTIVATION_LEAKY_RELU:
    case NETCL_ACTIVATION_HARD_SIGMOID:
    case NETCL_ACTIVATION_CLIP:
      return true;
    case NETCL_ACTIVATION_SIGMOID:
    case NETCL_ACTIVATION_TANH:
    case NETCL_ACTIVATION_SILU:
    case NETCL_ACTIVATION_GELU:
    case NETCL_ACTIVATION_GELU_TANH:
    case NETCL_ACTIVATION_HARD_SWISH:
      return out_dtype != NETCL_F32;
    default:
      return false;
  }
}

}  // namespace netcl::ops
