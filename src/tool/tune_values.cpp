// SPDX-License-Identifier: Apache-2.0
#include "tune_values.hpp"

#include <algorithm>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "options.hpp"
#include "text.hpp"

namespace netcl::tool {

namespace {

/// The largest number of a floating dtype.
double largest_real(netcl_dtype dtype) {
  return dtype == NETCL_F16 ? 65504.0 : dtype == NETCL_F64 ? DBL_MAX : FLT_MAX;
}

/// The least and the largest number of an integer dtype; those of u64 that a number here can be.
void integer_range(netcl_dtype dtype, int64_t* low, int64_t* high) {
  const auto bits = static_cast<unsigned>(netcl_dtype_size(dtype)) * 8;
  const int64_t half = INT64_MAX >> (64 - bits);
  const bool is_signed =
      dtype == NETCL_I8 || dtype == NETCL_I16 || dtype == NETCL_I32 || dtype == NETCL_I64;
  *low = is_signed ? -half - 1 : 0;
  *high = dtype == NETCL_BOOL ? 1 : is_signed || bits == 64 ? half : 2 * half + 1;
}

/// Up to here doubles hold all whole numbers.
constexpr int64_t kWholeMost = int64_t{1} << 53;

template <typename T>
void put(T value, unsigned char* place) {
  std::memcpy(place, &value, sizeof value);
}

}  // namespace

bool is_floating(netcl_dtype dtype) { return dtype <= NETCL_F64; }

int64_t read_integer(const std::string& text, int64_t low, int64_t high, const char* what,
                     const std::string& whole) {
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || value < low || value > high) {
    const std::string problem =
        format("%s is \"%s\", which is no number from %lld to %lld, in", what, text.c_str(),
               static_cast<long long>(low), static_cast<long long>(high));
    throw UsageProblem(problem.c_str(), whole);
  }
  return value;
}

double read_real(const std::string& text, const char* what, const std::string& whole) {
  const char* hint = "";
  const std::optional<double> value = read_decimal(text, &hint);
  if (!value) {
    const std::string problem =
        format("%s is \"%s\", which is no number%s, in", what, text.c_str(), hint);
    throw UsageProblem(problem.c_str(), whole);
  }
  return *value;
}

netcl_dtype find_dtype(const std::string& name, const std::string& whole) {
  for (netcl_dtype dtype = 1; dtype < 64; ++dtype) {
    if (netcl_dtype_size(dtype) != 0 && name == netcl_dtype_name(dtype)) return dtype;
  }
  const std::string problem = format("there is no dtype \"%s\", in", name.c_str());
  throw UsageProblem(problem.c_str(), whole);
}

double read_fill(netcl_dtype dtype, const std::string& text, bool is_end,
                 const std::string& whole) {
  if (is_floating(dtype)) {
    const double value = read_real(text, "a fill", whole);
    if (!(std::abs(value) <= largest_real(dtype))) {
      throw UsageProblem("a fill is beyond its dtype in", whole);
    }
    return value;
  }
  int64_t low = 0, high = 0;
  integer_range(dtype, &low, &high);
  if (is_end && high < INT64_MAX) ++high;
  low = std::max(low, -kWholeMost);
  high = std::min(high, kWholeMost);
  return static_cast<double>(read_integer(text, low, high, "a fill", whole));
}

void put_number(netcl_dtype dtype, double number, unsigned char* place) {
  if (dtype == NETCL_F32) return put(static_cast<float>(number), place);
  if (dtype == NETCL_F64) return put(number, place);
  if (!is_floating(dtype)) return put(static_cast<int64_t>(number), place);
  int exponent = 0;
  if (number == 0.0) return put<uint16_t>(0, place);
  if (std::frexp(number, &exponent) != 0.5 || exponent < -13 || exponent > 16) {
    throw ToolError("a fill of f16 or bf16 is 0, a power of two from 2^-14 to 2^15 or a range");
  }
  const bool brain = dtype == NETCL_BF16;
  put(static_cast<uint16_t>((exponent - 1 + (brain ? 127 : 15)) << (brain ? 7 : 10)), place);
}

void put_scalar(netcl_dtype dtype, const std::string& text, const std::string& whole,
                netcl_arg* arg) {
  arg->kind = NETCL_ARG_SCALAR;
  arg->dtype = dtype;
  arg->size = static_cast<uint32_t>(netcl_dtype_size(dtype));
  if (dtype == NETCL_F16 || dtype == NETCL_BF16) {
    throw UsageProblem("scalars are f32, f64 or integers, unlike", whole);
  }
  if (is_floating(dtype)) {
    const double value = read_real(text, "a value", whole);
    if (!(std::abs(value) <= largest_real(dtype))) {
      throw UsageProblem("a value is beyond its dtype in", whole);
    }
    return put_number(dtype, value, arg->value);
  }
  // Integers of all sizes begin with their lowest byte here.
  int64_t low = 0, high = 0;
  integer_range(dtype, &low, &high);
  put(read_integer(text, low, high, "a value", whole), arg->value);
}

}  // namespace netcl::tool
