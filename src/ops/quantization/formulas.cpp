#include "ops/quantization/formulas.hpp"

#include "core/dtype.hpp"
#include "ops/frame/native.hpp"

namespace netcl::ops {
namespace {

struct Range {
  const char* low;
  const char* high;
};

Range range_of(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_I8:
      return {"-128", "127"};
    case NETCL_I16:
      return {"-32768", "32767"};
    case NETCL_U16:
      return {"0", "65535"};
    default:
      return {"0", "255"};
  }
}

std::string cast(netcl_dtype dtype, const std::string& text) {
  return dtype_facts(dtype).name + ("(" + text + ")");
}

// Of two texts of f32, rounded to f32.
std::string quotient(const std::string& a, const std::string& b, bool in_f64) {
  if (!in_f64) return "(" + a + ") / (" + b + ")";
  return "f32(f64(" + a + ") / f64(" + b + "))";
}

// A whole number in floating point as one of the result's range, by way of i32, to which casts are
// fast; a cast gives 0 for NaN, so ranges begin at 0 until behind it. What the sum rounds is beyond
// the range.
std::string saturated(const std::string& whole, netcl_dtype result) {
  const Range range = range_of(result);
  if (range.low[0] != '-') return std::string("clamp(i32(") + whole + "), 0, " + range.high + ")";
  const char* const shift = range.low + 1;
  const char* const most = result == NETCL_I8 ? "255" : "65535";
  return "clamp(i32(" + whole + " + " + shift + ".0), 0, " + most + ") - " + shift;
}

std::string with_zero_point(const std::string& whole, const char* zero_point) {
  return zero_point == nullptr ? whole : whole + " + f32(" + zero_point + ")";
}

// i32 by i32 is exact: the quotient, and one more where the remainder is above half of the divisor,
// or half of it and the quotient is odd.
std::string exact_quotient(const QuantizeForm& form) {
  const std::string n = "i64(v0)", d = "i64(v1)";
  const std::string quotient = "(" + n + " / " + d + ")";
  const std::string twice = "(2 * abs(" + n + " % " + d + "))";
  const std::string up = "(" + twice + " > abs(" + d + ") || (" + twice + " == abs(" + d +
                         ") && (" + quotient + " & 1) != 0))";
  const std::string step = "(xor(" + n + " < 0, " + d + " < 0) ? -1 : 1)";
  const std::string whole = "(" + d + " == 0 ? (" + n +
                            " > 0 ? 0x7fffffff : -0x7fffffff) : " + quotient + " + (" + up + " ? " +
                            step + " : 0))";
  const Range range = range_of(form.result);
  return "clamp(" + whole + (form.has_zero_point ? " + i64(v2)" : "") + ", " + range.low + ", " +
         range.high + ")";
}

}  // namespace

bool divides_in_f64(const Device& device) {
  return !runs_native(device) && !device.backend().rounds_division() &&
         device.capabilities().fp64 != 0;
}

std::string quantize_text(const QuantizeForm& form) {
  if (form.scale == NETCL_I32 && form.precision == 0) return exact_quotient(form);
  const netcl_dtype precision = form.precision != 0 ? form.precision : form.scale;
  const std::string divided =
      cast(precision, quotient("f32(" + cast(precision, "v0") + ")",
                               "f32(" + cast(precision, "v1") + ")", form.in_f64));
  const char* const zero_point = form.has_zero_point ? "v2" : nullptr;
  return saturated(with_zero_point("round(f32(" + divided + "))", zero_point), form.result);
}

std::string dequantize_text(netcl_dtype x, bool has_zero_point) {
  if (!has_zero_point) return "f32(v0) * f32(v1)";
  // Of what has 16 bits or fewer f32 holds the difference; of i32 it is rounded once.
  return x == NETCL_I32 ? "f32(i64(v0) - i64(v2)) * f32(v1)" : "(f32(v0) - f32(v2)) * f32(v1)";
}

std::string requantize_text(netcl_dtype result, bool has_zero_point, bool in_f64) {
  const std::string factor = quotient("f32(v1) * f32(v2)", "f32(v3)", in_f64);
  return saturated(
      with_zero_point("round(f32(v0) * (" + factor + "))", has_zero_point ? "v4" : nullptr),
      result);
}

std::string dynamic_scale_text(bool in_f64) {
  const std::string high = "max(v0, 0.0)", low = "min(v1, 0.0)";
  return high + " == " + low + " ? 1.0 : " + quotient(high + " - " + low, "255.0", in_f64);
}

std::string dynamic_zero_point_text(bool in_f64) {
  return "round(clamp(0.0 - " + quotient("min(v0, 0.0)", "v1", in_f64) + ", 0.0, 255.0))";
}

}  // namespace netcl::ops
