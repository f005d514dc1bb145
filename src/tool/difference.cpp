// SPDX-License-Identifier: Apache-2.0
#include "difference.hpp"

#include <algorithm>
#include <cmath>

#include "owned.hpp"
#include "text.hpp"

namespace netcl::tool {
namespace {

netcl_tensor_info info_of(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  check(netcl_tensor_get_info(tensor, &info), "output");
  return info;
}

/// All elements, cast where they are of another dtype.
template <class T>
std::vector<T> read_as(netcl_tensor* tensor, netcl_dtype dtype) {
  const netcl_tensor_info info = info_of(tensor);
  Tensor cast;
  if (info.dtype != dtype) check(netcl_op_cast(tensor, dtype, nullptr, cast.receive()), "output");
  std::vector<T> elements(static_cast<size_t>(info.element_count));
  check(netcl_tensor_read(cast.get() != nullptr ? cast.get() : tensor, elements.data(),
                          elements.size() * sizeof(T), nullptr, NETCL_WAIT_FOREVER),
        "output");
  return elements;
}

template <class T>
std::vector<double> doubles_of(netcl_tensor* tensor, netcl_dtype dtype) {
  const std::vector<T> elements = read_as<T>(tensor, dtype);
  std::vector<double> doubles(elements.size());
  for (size_t i = 0; i < doubles.size(); ++i) doubles[i] = static_cast<double>(elements[i]);
  return doubles;
}

std::string element_text(double value) { return format("%g", value); }
std::string element_text(int64_t value) {
  return format("%lld", static_cast<long long>(value));
}
std::string element_text(uint64_t value) {
  return format("%llu", static_cast<unsigned long long>(value));
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
template <class T>
bool is_same(T a, T b) {
  return a == b;
}

double distance(double a, double b) { return std::fabs(a - b); }
template <class T>
uint64_t distance(T a, T b) {
  const auto high = static_cast<uint64_t>(a), low = static_cast<uint64_t>(b);
  return a > b ? high - low : low - high;
}

template <class T>
Difference compare(const std::vector<T>& got, const std::vector<T>& wanted,
                   const Tolerance& allowed) {
  Difference found;
  found.count = got.size();
  found.allowed = allowed;
  double worst = 0;
  decltype(distance(T{}, T{})) largest = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    if (is_same(got[i], wanted[i])) continue;
    const auto off = distance(got[i], wanted[i]);
    const double most = allowed.atol + allowed.rtol * std::fabs(static_cast<double>(wanted[i]));
    double parts = most > 0 ? static_cast<double>(off) / most : HUGE_VAL;
    if (!std::isfinite(parts)) parts = HUGE_VAL;
    // Without tolerance all that is off is infinitely so: the farthest one is told of.
    const bool farther = parts > worst || (parts == worst && off > largest);
    found.wrong += parts > 1 ? 1 : 0;
    if (farther) found.at = i;
    worst = std::max(worst, parts);
    if (off > largest) largest = off;
  }
  found.largest = element_text(largest);
  if (found.count == 0) return found;
  found.got = element_text(got[found.at]);
  found.wanted = element_text(wanted[found.at]);
  return found;
}

}  // namespace

Tolerances read_tolerances(const Options& options) {
  Tolerances read;
  read.reals = {options.number("--rtol", 1e-3, 0, 1), options.number("--atol", 1e-5, 0, 1e9)};
  read.integers = {options.number("--rtol", 0, 0, 1), options.number("--atol", 0, 0, 1e9)};
  return read;
}

Difference difference(netcl_tensor* got, netcl_tensor* wanted, const Tolerances& tolerances) {
  const netcl_dtype dtype = info_of(got).dtype;
  if (dtype >= NETCL_F16 && dtype <= NETCL_F64) {
    return compare(elements_of(got), elements_of(wanted), tolerances.reals);
  }
  if (dtype == NETCL_U64) {
    return compare(read_as<uint64_t>(got, dtype), read_as<uint64_t>(wanted, dtype),
                   tolerances.integers);
  }
  return compare(read_as<int64_t>(got, NETCL_I64), read_as<int64_t>(wanted, NETCL_I64),
                 tolerances.integers);
}

std::vector<double> elements_of(netcl_tensor* tensor) {
  switch (info_of(tensor).dtype) {
    case NETCL_F64:
      return doubles_of<double>(tensor, NETCL_F64);
    case NETCL_I64:
    case NETCL_I32:
      return doubles_of<int64_t>(tensor, NETCL_I64);
    case NETCL_U64:
    case NETCL_U32:
      return doubles_of<uint64_t>(tensor, NETCL_U64);
    default:
      return doubles_of<float>(tensor, NETCL_F32);
  }
}

}  // namespace netcl::tool
