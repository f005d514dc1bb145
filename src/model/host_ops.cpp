// The table of ops that the host works out, and those that move elements; host_arithmetic.cpp has
// those that compute with them.
#include <algorithm>
#include <cmath>

#include "core/layout.hpp"
#include "model/host_arithmetic.hpp"
#include "model/host_select.hpp"

namespace netcl::model {

namespace {

using Shape = std::vector<int64_t>;
using Results = std::vector<HostRef>;

Results one(HostValue value) { return {rounded(std::move(value))}; }

uint32_t host_axis(int64_t axis, size_t rank) {
  const int64_t positive = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
  if (positive < 0 || positive >= static_cast<int64_t>(rank)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axis is %lld; the tensor has %zu dimensions",
         static_cast<long long>(axis), rank);
  }
  return static_cast<uint32_t>(positive);
}

HostValue of_shape(const HostValue& like, Shape shape) {
  HostValue made;
  made.dtype = like.dtype;
  host_count(shape);
  made.shape = std::move(shape);
  return made;
}

void append_element(HostValue* to, const HostValue& from, size_t i) {
  if (to->is_real()) {
    to->reals.push_back(from.reals[i]);
  } else {
    to->integers.push_back(from.integers[i]);
  }
}

std::vector<int64_t> numbers_of(const HostValue& value) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < value.count(); ++i) numbers.push_back(value.integer(i));
  return numbers;
}

// A list that older forms of an op have as an attribute.
std::vector<int64_t> list_of(const HostCall& call, size_t input, const char* attribute) {
  return call.has(input) ? numbers_of(call.input(input)) : call.node.integers(attribute);
}

int64_t product(const Shape& shape, size_t first, size_t last) {
  int64_t count = 1;
  for (size_t d = first; d < last; ++d) count *= shape[d];
  return count;
}

HostValue integers_of(Shape shape, std::vector<int64_t> integers) {
  HostValue made;
  made.shape = std::move(shape);
  made.integers = std::move(integers);
  return made;
}

Results host_shape(const HostCall& call) {
  const int64_t rank = static_cast<int64_t>(call.shape.size());
  const auto place = [&](int64_t axis) {
    return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const int64_t first = place(call.node.integer("start", 0));
  const int64_t last = std::max(first, place(call.node.integer("end", rank)));
  Shape part(call.shape.begin() + first, call.shape.begin() + last);
  return one(integers_of({last - first}, std::move(part)));
}

Results host_size(const HostCall& call) {
  return one(integers_of({}, {product(call.shape, 0, call.shape.size())}));
}

Results host_identity(const HostCall& call) { return one(call.input(0)); }

Results host_cast(const HostCall& call) {
  const netcl_dtype dtype = dtype_of(static_cast<int32_t>(call.node.integer("to", 0)));
  if (dtype == 0) fail(NETCL_ERROR_UNSUPPORTED, "the attribute to is no type that netcl has");
  return one(converted(call.input(0), dtype));
}

Results host_reshape(const HostCall& call) {
  HostValue made = call.input(0);
  Shape shape = numbers_of(call.input(1));
  size_t unknown = shape.size();
  int64_t count = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0 && call.node.integer("allowzero", 0) == 0 && d < made.shape.size()) {
      shape[d] = made.shape[d];
    }
    if (shape[d] == -1 && unknown == shape.size()) {
      unknown = d;
    } else {
      count *= host_count({shape[d]});
    }
    if (count > kHostElementsMost) break;
  }
  const int64_t total = static_cast<int64_t>(made.count());
  if (unknown < shape.size() && count > 0) shape[unknown] = total / count;
  if (host_count(shape) != total) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%lld elements do not fit the shape",
         static_cast<long long>(total));
  }
  made.shape = std::move(shape);
  return one(std::move(made));
}

Results host_unsqueeze(const HostCall& call) {
  HostValue made = call.input(0);
  const std::vector<int64_t> axes = list_of(call, 1, "axes");
  const size_t rank = made.shape.size() + axes.size();
  if (rank > 64) fail(NETCL_ERROR_UNSUPPORTED, "the result has %zu dimensions", rank);
  std::vector<char> fresh(rank);
  for (const int64_t axis : axes) fresh[host_axis(axis, rank)] = 1;
  if (std::count(fresh.begin(), fresh.end(), 1) != static_cast<int64_t>(axes.size())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axes has one axis twice");
  }
  Shape shape;
  size_t next = 0;
  for (size_t d = 0; d < rank; ++d) shape.push_back(fresh[d] ? 1 : made.shape[next++]);
  made.shape = std::move(shape);
  return one(std::move(made));
}

Results host_squeeze(const HostCall& call) {
  HostValue made = call.input(0);
  const std::vector<int64_t> axes = list_of(call, 1, "axes");
  std::vector<char> gone(made.shape.size());
  for (const int64_t axis : axes) gone[host_axis(axis, made.shape.size())] = 1;
  Shape shape;
  for (size_t d = 0; d < made.shape.size(); ++d) {
    const bool goes = axes.empty() ? made.shape[d] == 1 : gone[d] != 0;
    if (goes && made.shape[d] != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "axis %zu has the extent %lld, not 1", d,
           static_cast<long long>(made.shape[d]));
    }
    if (!goes) shape.push_back(made.shape[d]);
  }
  made.shape = std::move(shape);
  return one(std::move(made));
}

Results host_concat(const HostCall& call) {
  Shape shape = call.input(0).shape;
  const uint32_t axis = host_axis(call.node.integer("axis", 0), shape.size());
  for (size_t i = 1; i < call.inputs.size(); ++i) {
    const Shape& other = call.input(i).shape;
    bool fits = other.size() == shape.size() && call.input(i).dtype == call.input(0).dtype;
    for (size_t d = 0; fits && d < shape.size(); ++d) fits = d == axis || other[d] == shape[d];
    if (!fits) fail(NETCL_ERROR_INVALID_ARGUMENT, "input %zu does not fit input 0", i);
    shape[axis] += other[axis];
  }
  HostValue made = of_shape(call.input(0), shape);
  for (int64_t row = 0; row < product(shape, 0, axis); ++row) {
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const HostValue& part = call.input(i);
      const int64_t length = product(part.shape, axis, part.shape.size());
      for (int64_t k = 0; k < length; ++k) {
        append_element(&made, part, static_cast<size_t>(row * length + k));
      }
    }
  }
  return one(std::move(made));
}

Results host_gather(const HostCall& call) {
  const HostValue& x = call.input(0);
  const HostValue& indices = call.input(1);
  const uint32_t axis = host_axis(call.node.integer("axis", 0), x.shape.size());
  Shape shape(x.shape.begin(), x.shape.begin() + axis);
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
  HostValue made = of_shape(x, shape);
  const int64_t inner = product(x.shape, axis + 1, x.shape.size());
  for (int64_t row = 0; row < product(x.shape, 0, axis); ++row) {
    for (size_t k = 0; k < indices.count(); ++k) {
      const uint32_t at = host_axis(indices.integer(k), static_cast<size_t>(x.shape[axis]));
      for (int64_t i = 0; i < inner; ++i) {
        append_element(&made, x, static_cast<size_t>((row * x.shape[axis] + at) * inner + i));
      }
    }
  }
  return one(std::move(made));
}

Results host_slice(const HostCall& call) {
  const HostValue& x = call.input(0);
  const std::vector<int64_t> starts = list_of(call, 1, "starts"), ends = list_of(call, 2, "ends");
  std::vector<int64_t> axes = list_of(call, 3, "axes");
  const std::vector<int64_t> steps = call.has(4) ? numbers_of(call.input(4)) : Shape{};
  for (size_t i = axes.size(); i < starts.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  // One axis after the other, each a walk over the whole.
  HostValue made = x;
  std::vector<char> seen(x.shape.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    if (i >= ends.size()) fail(NETCL_ERROR_INVALID_ARGUMENT, "ends is shorter than starts");
    const uint32_t axis = host_axis(axes[i], made.shape.size());
    if (seen[axis]++ != 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "axes has %u twice", axis);
    const SliceRange range =
        slice_range(starts[i], ends[i], i < steps.size() ? steps[i] : 1, made.shape[axis]);
    const HostValue from = made;
    made.shape[axis] = range.count;
    made.integers.clear();
    made.reals.clear();
    const int64_t inner = product(from.shape, axis + 1, from.shape.size());
    for (int64_t row = 0; row < product(from.shape, 0, axis); ++row) {
      for (int64_t k = 0; k < range.count; ++k) {
        const int64_t at = row * from.shape[axis] + range.first + k * range.step;
        for (int64_t j = 0; j < inner; ++j)
          append_element(&made, from, static_cast<size_t>(at * inner + j));
      }
    }
  }
  return one(std::move(made));
}

Results host_transpose(const HostCall& call) {
  const HostValue& x = call.input(0);
  const size_t rank = x.shape.size();
  std::vector<int64_t> axes = call.node.integers("perm");
  for (size_t d = rank; axes.empty() && d > 0; --d) axes.push_back(static_cast<int64_t>(d) - 1);
  std::vector<char> seen(rank);
  Shape shape, strides;
  for (int64_t& axis : axes) {
    axis = host_axis(axis, rank);
    seen[static_cast<size_t>(axis)] = 1;
    shape.push_back(x.shape[static_cast<size_t>(axis)]);
    strides.push_back(product(x.shape, static_cast<size_t>(axis) + 1, rank));
  }
  if (axes.size() != rank || std::count(seen.begin(), seen.end(), 0) > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "perm is no order of %zu axes", rank);
  }
  HostValue made = of_shape(x, shape);
  for (size_t i = 0; i < x.count(); ++i) {
    int64_t rest = static_cast<int64_t>(i), at = 0;
    for (size_t d = rank; d-- > 0;) {
      at += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    append_element(&made, x, static_cast<size_t>(at));
  }
  return one(std::move(made));
}

Results host_expand(const HostCall& call) {
  return one(broadcast_value(call.input(0),
                             broadcast_shapes(call.input(0).shape, numbers_of(call.input(1)))));
}

Results host_constant_of_shape(const HostCall& call) {
  const Attribute* const given = call.node.find("value");
  HostValue made;
  made.dtype = NETCL_F32;
  made.reals = {0};
  if (given != nullptr) {
    if (given->tensor == nullptr || given->tensor->dtype == 0 || given->tensor->count() != 1) {
      fail(NETCL_ERROR_CORRUPT_DATA, "the attribute value is not one number");
    }
    made = *host_value(given->tensor->dtype, {}, given->tensor->data);
  }
  return one(broadcast_value(made, numbers_of(call.input(0))));
}

Results host_range(const HostCall& call) {
  const HostValue& start = call.input(0);
  const HostValue& delta = call.input(2);
  const int64_t count = range_count(start, call.input(1), delta);
  HostValue made = of_shape(start, {host_count({count})});
  for (int64_t i = 0; i < made.shape[0]; ++i) {
    if (made.is_real()) {
      made.reals.push_back(start.real(0) + static_cast<double>(i) * delta.real(0));
    } else {
      made.integers.push_back(start.integer(0) + i * delta.integer(0));
    }
  }
  return one(std::move(made));
}

Results host_split(const HostCall& call) {
  const HostValue& x = call.input(0);
  const uint32_t axis = host_axis(call.node.integer("axis", 0), x.shape.size());
  const std::vector<int64_t> sizes =
      split_sizes(list_of(call, 1, "split"), x.shape[axis], call.node.output_count());
  const int64_t inner = product(x.shape, axis + 1, x.shape.size());
  Results results;
  int64_t first = 0;
  for (const int64_t size : sizes) {
    Shape shape = x.shape;
    shape[axis] = size;
    HostValue part = of_shape(x, shape);
    for (int64_t row = 0; row < product(x.shape, 0, axis); ++row) {
      for (int64_t k = 0; k < size * inner; ++k) {
        append_element(&part, x, static_cast<size_t>((row * x.shape[axis] + first) * inner + k));
      }
    }
    first += size;
    results.push_back(rounded(std::move(part)));
  }
  return results;
}

constexpr HostOp kHostOps[] = {
    {"Shape", host_shape, true, true},
    {"Size", host_size, true, true},
    {"Range", host_range},
    {"NonZero", host_non_zero, true},
    {"Unique", host_unique, true},
    {"NonMaxSuppression", host_suppress, true},
    {"Compress", host_compress},
    {"Identity", host_identity},
    {"Cast", host_cast},
    {"Reshape", host_reshape},
    {"Unsqueeze", host_unsqueeze},
    {"Squeeze", host_squeeze},
    {"Concat", host_concat},
    {"Gather", host_gather},
    {"Slice", host_slice},
    {"Split", host_split},
    {"Transpose", host_transpose},
    {"Expand", host_expand},
    {"ConstantOfShape", host_constant_of_shape},
    {"Add", host_arithmetic},
    {"Sub", host_arithmetic},
    {"Mul", host_arithmetic},
    {"Div", host_arithmetic},
    {"Mod", host_arithmetic},
    {"Min", host_arithmetic},
    {"Max", host_arithmetic},
    {"Pow", host_arithmetic},
    {"And", host_arithmetic},
    {"Or", host_arithmetic},
    {"Equal", host_arithmetic},
    {"Less", host_arithmetic},
    {"LessOrEqual", host_arithmetic},
    {"Greater", host_arithmetic},
    {"GreaterOrEqual", host_arithmetic},
    {"Neg", host_unary},
    {"Abs", host_unary},
    {"Not", host_unary},
    {"Floor", host_unary},
    {"Ceil", host_unary},
    {"Sqrt", host_unary},
    {"Where", host_where},
    {"ReduceProd", host_reduce},
    {"ReduceSum", host_reduce},
    {"ReduceMax", host_reduce},
    {"ReduceMin", host_reduce},
};

}  // namespace

const HostValue& HostCall::input(size_t i) const {
  if (!has(i)) fail(NETCL_ERROR_CORRUPT_DATA, "input %zu is left out", i);
  return *inputs[i];
}

int64_t range_count(const HostValue& start, const HostValue& limit, const HostValue& delta) {
  if (start.count() != 1 || limit.count() != 1 || delta.count() != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "start, limit and delta are one number each");
  }
  double steps = -1;
  if (start.is_real()) {
    if (delta.real(0) != 0) steps = std::ceil((limit.real(0) - start.real(0)) / delta.real(0));
  } else if (delta.integer(0) != 0) {
    // Differences of 64-bit numbers have 65.
    const auto step = static_cast<__int128>(delta.integer(0));
    const auto way = static_cast<__int128>(limit.integer(0)) - start.integer(0);
    const __int128 rest = way % step;
    steps = static_cast<double>(way / step + (rest != 0 && (rest < 0) == (step < 0) ? 1 : 0));
  }
  if (steps > 0x1p52) fail(NETCL_ERROR_UNSUPPORTED, "a range of %g numbers", steps);
  if (delta.real(0) == 0 || std::isnan(steps)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "start %g, limit %g and delta %g make no range",
         start.real(0), limit.real(0), delta.real(0));
  }
  return steps > 0 ? static_cast<int64_t>(steps) : 0;
}

SliceRange slice_range(int64_t start, int64_t end, int64_t step, int64_t extent) {
  if (step == 0 || step == INT64_MIN) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a step is %lld", static_cast<long long>(step));
  }
  if (extent == 0) return {0, 0, step};
  const int64_t high = step > 0 ? extent : extent - 1;
  const auto place = [&](int64_t at, int64_t low) {
    return std::clamp(at < 0 ? at + extent : at, low, high);
  };
  const int64_t first = place(start, 0), last = place(end, step > 0 ? 0 : -1);
  const int64_t way = step > 0 ? last - first : first - last;
  const int64_t size = step > 0 ? step : -step;
  return {first, way <= 0 ? 0 : (way - 1) / size + 1, step};
}

std::vector<int64_t> split_sizes(std::vector<int64_t> sizes, int64_t extent, size_t outputs) {
  if (sizes.empty() && outputs > 0) {
    const int64_t parts = static_cast<int64_t>(outputs);
    const int64_t each = (extent + parts - 1) / parts;
    for (int64_t i = 0; i < parts; ++i) {
      sizes.push_back(std::clamp<int64_t>(extent - i * each, 0, each));
    }
  }
  int64_t sum = 0;
  for (const int64_t size : sizes) {
    if (size < 0 || size > extent - sum) sum = extent + 1;
    if (sum > extent) break;
    sum += size;
  }
  if (sum != extent || sizes.size() != outputs) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the parts of %lld elements are %s for %zu outputs",
         static_cast<long long>(extent),
         shape_text(static_cast<uint32_t>(sizes.size()), sizes.data()).c_str(), outputs);
  }
  return sizes;
}

const HostOp* find_host_op(std::string_view domain, std::string_view op) noexcept {
  if (!domain.empty()) return nullptr;
  for (const HostOp& row : kHostOps) {
    if (op == row.op) return &row;
  }
  return nullptr;
}

}  // namespace netcl::model
