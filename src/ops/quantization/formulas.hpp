// The arithmetic of quantisation as expressions, with the roundings where ONNX has them.
#pragma once

#include <string>

#include "device/device.hpp"

namespace netcl::ops {

// True where quotients of f32 are made in f64, since the device does not round those of f32
// correctly: a quotient of two f32 that is rounded to f64 and then to f32 is rounded correctly.
bool divides_in_f64(const Device& device);

struct QuantizeForm {
  netcl_dtype x;
  netcl_dtype scale;
  netcl_dtype precision;  // 0: that of the scale
  netcl_dtype result;
  bool has_zero_point;
  bool in_f64;
};
// Over x, scale and the zero point.
std::string quantize_text(const QuantizeForm& form);
std::string dequantize_text(netcl_dtype x, bool has_zero_point);
// Over sums, the scales of both factors, that of the result, and its zero point.
std::string requantize_text(netcl_dtype result, bool has_zero_point, bool in_f64);
// Over the highest and the lowest element: the scale. Over the lowest element and the scale: the
// zero point.
std::string dynamic_scale_text(bool in_f64);
std::string dynamic_zero_point_text(bool in_f64);

}  // namespace netcl::ops
