#include "model/host_arithmetic.hpp"

#include <algorithm>
#include <cmath>

#include "core/layout.hpp"

namespace netcl::model {

namespace {

int64_t divided(int64_t a, int64_t b) {
  if (b == 0) return 0;
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}

int64_t remainder_of(int64_t a, int64_t b, bool sign_of_divisor) {
  if (b == 0 || b == -1) return 0;
  const int64_t rest = a % b;
  return sign_of_divisor && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

int64_t power_of(int64_t a, int64_t b) {
  uint64_t result = 1, factor = static_cast<uint64_t>(a);
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
  for (; b > 0; b /= 2) {
    if (b % 2 == 1) result *= factor;
    factor *= factor;
  }
  return static_cast<int64_t>(result);
}

int64_t integer_result(const std::string& op, int64_t a, int64_t b, bool fmod) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  if (op == "Add") return static_cast<int64_t>(x + y);
  if (op == "Sub") return static_cast<int64_t>(x - y);
  if (op == "Mul") return static_cast<int64_t>(x * y);
  if (op == "Div") return divided(a, b);
  if (op == "Mod") return remainder_of(a, b, !fmod);
  if (op == "Min") return std::min(a, b);
  if (op == "Max") return std::max(a, b);
  if (op == "And") return a != 0 && b != 0;
  if (op == "Or") return a != 0 || b != 0;
  return power_of(a, b);
}

double real_result(const std::string& op, double a, double b) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") return a / b;
  if (op == "Mod") return std::fmod(a, b);
  if (op == "Min") return a < b || std::isnan(a) ? a : b;
  if (op == "Max") return a > b || std::isnan(a) ? a : b;
  return std::pow(a, b);
}

template <class T>
bool compared(const std::string& op, T a, T b) {
  if (op == "Less") return a < b;
  if (op == "LessOrEqual") return a <= b;
  if (op == "Greater") return a > b;
  if (op == "GreaterOrEqual") return a >= b;
  return !(a < b) && !(b < a) && a == a && b == b;
}

bool compares(const std::string& op) {
  return op == "Equal" || op.starts_with("Less") || op.starts_with("Greater");
}

HostValue combined(const HostCall& call, const HostValue& first, const HostValue& second) {
  const std::string& op = call.node.op();
  const std::vector<int64_t> shape = broadcast_shapes(first.shape, second.shape);
  const HostValue a = broadcast_value(first, shape), b = broadcast_value(second, shape);
  HostValue made;
  made.shape = shape;
  made.dtype = compares(op) ? NETCL_BOOL : a.dtype;
  const bool real = a.is_real() || b.is_real();
  if (real && (op == "And" || op == "Or")) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s takes no floats", op.c_str());
  }
  const bool fmod = op == "Mod" && call.node.integer("fmod", 0) != 0;
  for (size_t i = 0; i < a.count(); ++i) {
    if (compares(op)) {
      const bool is_u64 = a.dtype == NETCL_U64 && b.dtype == NETCL_U64;
      made.integers.push_back(real     ? compared(op, a.real(i), b.real(i))
                              : is_u64 ? compared(op, static_cast<uint64_t>(a.integers[i]),
                                                  static_cast<uint64_t>(b.integers[i]))
                                       : compared(op, a.integers[i], b.integers[i]));
    } else if (a.is_real()) {
      made.reals.push_back(real_result(op, a.real(i), b.real(i)));
    } else if (real) {
      made.integers.push_back(static_cast<int64_t>(
          std::clamp(std::trunc(real_result(op, a.real(i), b.real(i))), -0x1p62, 0x1p62)));
    } else {
      made.integers.push_back(integer_result(op, a.integers[i], b.integers[i], fmod));
    }
  }
  return *rounded(std::move(made));
}

double unary_result(const std::string& op, double x) {
  if (op == "Neg") return -x;
  if (op == "Abs") return std::fabs(x);
  if (op == "Floor") return std::floor(x);
  if (op == "Ceil") return std::ceil(x);
  return std::sqrt(x);
}

}  // namespace

std::vector<int64_t> broadcast_shapes(const std::vector<int64_t>& a,
                                      const std::vector<int64_t>& b) {
  const std::vector<int64_t>& longer = a.size() >= b.size() ? a : b;
  const std::vector<int64_t>& shorter = a.size() >= b.size() ? b : a;
  std::vector<int64_t> shape = longer;
  const size_t offset = longer.size() - shorter.size();
  for (size_t d = 0; d < shorter.size(); ++d) {
    int64_t& extent = shape[offset + d];
    if (extent == shorter[d] || shorter[d] == 1) continue;
    if (extent != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the extents %lld and %lld do not broadcast",
           static_cast<long long>(extent), static_cast<long long>(shorter[d]));
    }
    extent = shorter[d];
  }
  return shape;
}

HostValue broadcast_value(const HostValue& value, const std::vector<int64_t>& shape) {
  HostValue made;
  made.dtype = value.dtype;
  made.shape = shape;
  const int64_t count = host_count(shape);
  if (broadcast_shapes(value.shape, shape) != shape) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the shape %s does not broadcast to %s",
         shape_text(static_cast<uint32_t>(value.shape.size()), value.shape.data()).c_str(),
         shape_text(static_cast<uint32_t>(shape.size()), shape.data()).c_str());
  }
  const size_t offset = shape.size() - value.shape.size();
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, at = 0, stride = 1;
    for (size_t d = shape.size(); d-- > offset;) {
      const int64_t extent = value.shape[d - offset];
      at += (extent == 1 ? 0 : rest % shape[d]) * stride;
      stride *= extent;
      rest /= shape[d];
    }
    if (made.is_real()) {
      made.reals.push_back(value.reals[static_cast<size_t>(at)]);
    } else {
      made.integers.push_back(value.integers[static_cast<size_t>(at)]);
    }
  }
  return made;
}

std::vector<HostRef> host_arithmetic(const HostCall& call) {
  HostValue made = call.input(0);
  for (size_t i = 1; i < call.inputs.size(); ++i) made = combined(call, made, call.input(i));
  return {rounded(std::move(made))};
}

std::vector<HostRef> host_unary(const HostCall& call) {
  HostValue made = call.input(0);
  const std::string& op = call.node.op();
  if (made.is_real() && op == "Not") {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "Not takes no floats");
  }
  for (double& real : made.reals) real = unary_result(op, real);
  for (int64_t& integer : made.integers) {
    const int64_t negative = static_cast<int64_t>(0 - static_cast<uint64_t>(integer));
    if (op == "Neg" || (op == "Abs" && integer < 0)) integer = negative;
    if (op == "Not") integer = integer == 0;
  }
  return {rounded(std::move(made))};
}

std::vector<HostRef> host_where(const HostCall& call) {
  const std::vector<int64_t> shape = broadcast_shapes(
      call.input(0).shape, broadcast_shapes(call.input(1).shape, call.input(2).shape));
  const HostValue condition = broadcast_value(call.input(0), shape);
  HostValue made = broadcast_value(call.input(1), shape);
  const HostValue other = broadcast_value(call.input(2), shape);
  if (made.dtype != other.dtype || condition.is_real()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the inputs are of several types");
  }
  for (size_t i = 0; i < condition.count(); ++i) {
    if (condition.integers[i] != 0) continue;
    if (made.is_real()) {
      made.reals[i] = other.reals[i];
    } else {
      made.integers[i] = other.integers[i];
    }
  }
  return {rounded(std::move(made))};
}

namespace {

// The axes that go; all where none is named.
std::vector<char> reduced_axes(const HostCall& call, int64_t rank) {
  std::vector<int64_t> axes = call.node.integers("axes");
  if (call.has(1)) {
    axes.clear();
    for (size_t i = 0; i < call.input(1).count(); ++i) axes.push_back(call.input(1).integer(i));
  }
  const bool keeps_all = call.node.integer("noop_with_empty_axes", 0) != 0;
  std::vector<char> gone(static_cast<size_t>(rank), axes.empty() && !keeps_all);
  for (const int64_t axis : axes) {
    if (axis < -rank || axis >= rank) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "axes has %lld; the tensor has %lld dimensions",
           static_cast<long long>(axis), static_cast<long long>(rank));
    }
    gone[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = 1;
  }
  return gone;
}

}  // namespace

std::vector<HostRef> host_reduce(const HostCall& call) {
  const HostValue& x = call.input(0);
  const std::string& op = call.node.op();
  const char* const step = op == "ReduceProd"  ? "Mul"
                           : op == "ReduceSum" ? "Add"
                           : op == "ReduceMax" ? "Max"
                                               : "Min";
  const size_t rank = x.shape.size();
  const std::vector<char> gone = reduced_axes(call, static_cast<int64_t>(rank));
  const bool keeps = call.node.integer("keepdims", 1) != 0;
  std::vector<int64_t> strides(rank);  // in the result
  HostValue made;
  made.dtype = x.dtype;
  for (size_t d = 0; d < rank; ++d) {
    if (!gone[d] || keeps) made.shape.push_back(gone[d] ? 1 : x.shape[d]);
  }
  const auto count = static_cast<size_t>(host_count(made.shape));
  int64_t next = 1;
  for (size_t d = rank; d-- > 0;) {
    if (gone[d]) continue;
    strides[d] = next;
    next *= x.shape[d];
  }
  if (x.count() == 0 && count > 0 && (op == "ReduceMax" || op == "ReduceMin")) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "no elements have no extreme");
  }
  const int first = op == "ReduceProd";
  if (x.is_real()) {
    made.reals.resize(count, first);
  } else {
    made.integers.resize(count, first);
  }
  std::vector<char> begun(count);
  for (size_t i = 0; i < x.count(); ++i) {
    int64_t rest = static_cast<int64_t>(i), place = 0;
    for (size_t d = rank; d-- > 0; rest /= x.shape[d]) place += rest % x.shape[d] * strides[d];
    const auto at = static_cast<size_t>(place);
    if (x.is_real()) {
      made.reals[at] = begun[at] ? real_result(step, made.reals[at], x.reals[i]) : x.reals[i];
    } else {
      made.integers[at] =
          begun[at] ? integer_result(step, made.integers[at], x.integers[i], false) : x.integers[i];
    }
    begun[at] = 1;
  }
  return {rounded(std::move(made))};
}

}  // namespace netcl::model
