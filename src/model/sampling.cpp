#include "model/sampling.hpp"

#include "core/number.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/sample.hpp"

namespace netcl::model {

namespace {

// A place that no tensor has, however many of them are added up.
constexpr int64_t kOutsidePlace = int64_t{1} << 58;

// Coordinates outside of [low, high] are taken to the nearest edge, or mirrored until they are
// inside.
TensorRef brought_inside(const Call& call, const TensorRef& coordinates, const SampledAxis& axis,
                         Outside outside) {
  const double last = static_cast<double>(axis.extent - 1);
  const double edge = axis.mirror_centres ? 0.0 : 0.5;
  const std::string low = graph::literal(-edge), high = graph::literal(last + edge);
  const std::string is_out = "(v0 < " + low + " || v0 > " + high + ")";
  if (outside == Outside::border) {
    const std::string inside = "clamp(v0, 0.0, " + graph::literal(last) + ")";
    return call.formula(is_out + " ? " + inside + " : v0", {coordinates});
  }
  const double range = last + 2 * edge;
  if (range == 0) return call.formula("v0 * 0.0", {coordinates});
  const std::string way = "abs(v0 - " + low + ")", wide = graph::literal(range);
  const std::string times = "floor(" + way + " / " + wide + ")";
  const std::string rest = "(" + way + " - " + times + " * " + wide + ")";
  return call.formula(is_out + " ? (" + times + " % 2.0 == 0.0 ? " + low + " + " + rest + " : " +
                          high + " - " + rest + ") : v0",
                      {coordinates});
}

// The element that an element outside stands for, times the stride; v0 is its number.
std::string place_text(const SampledAxis& axis, Outside outside) {
  const std::string extent = number_text(axis.extent), last = number_text(axis.extent - 1);
  const std::string stride = " * " + number_text(axis.stride);
  if (outside == Outside::zeros) {
    return "v0 < 0 || v0 > " + last + " ? " + number_text(kOutsidePlace) + " : v0" + stride;
  }
  if (outside == Outside::border || axis.extent == 1) return "clamp(v0, 0, " + last + ")" + stride;
  const int64_t period = 2 * (axis.extent - (axis.mirror_centres ? 1 : 0));
  const std::string wide = number_text(period);
  const std::string turn = "((v0 % " + wide + " + " + wide + ") % " + wide + ")";
  const std::string back = number_text(axis.mirror_centres ? period : period - 1) + " - " + turn;
  return "(" + turn + " < " + extent + " ? " + turn + " : " + back + ")" + stride;
}

// Weights for a part v0 of the way to the next element.
std::string weight_text(Sampling sampling, size_t tap) {
  if (sampling == Sampling::linear) return tap == 0 ? "1.0 - v0" : "v0";
  // Keys' cubic convolution with a = -0.75.
  const std::string x = tap < 2 ? "v0" : "(1.0 - v0)";
  if (tap == 1 || tap == 2) return "(1.25 * " + x + " - 2.25) * " + x + " * " + x + " + 1.0";
  const std::string far = "(" + x + " + 1.0)";
  return "((-0.75 * " + far + " + 3.75) * " + far + " - 6.0) * " + far + " + 3.0";
}

void add_combinations(const Call& call, const TensorRef& rows, const std::vector<Taps>& axes,
                      size_t d, const TensorRef& place, const TensorRef& weight, TensorRef* sum) {
  if (d == axes.size()) {
    const TensorRef part = rows_at(call, rows, place);
    const netcl_dtype wide = rows->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
    if (weight == nullptr) {
      *sum = part;
    } else if (*sum == nullptr) {
      *sum = call.formula("v0 * v1", {part, row_numbers(call, weight)}, wide);
    } else {
      *sum = call.formula("v0 + v1 * v2", {*sum, part, row_numbers(call, weight)}, wide);
    }
    return;
  }
  for (size_t t = 0; t < axes[d].places.size(); ++t) {
    const TensorRef there = call.formula("v0 + v1", {place, axes[d].places[t]}, NETCL_I64);
    TensorRef weighs = axes[d].weights.empty() ? nullptr : axes[d].weights[t];
    if (weighs != nullptr && weight != nullptr) weighs = call.formula("v0 * v1", {weight, weighs});
    add_combinations(call, rows, axes, d + 1, there, weighs, sum);
  }
}

}  // namespace

Taps taps_at(const Call& call, const TensorRef& coordinates, const SampledAxis& axis,
             Sampling sampling, Outside outside) {
  TensorRef at = coordinates;
  if (sampling == Sampling::nearest) at = call.formula("round(v0)", {at});
  if (outside != Outside::zeros) at = brought_inside(call, at, axis, outside);
  const TensorRef part =
      sampling == Sampling::nearest ? nullptr : call.formula("v0 - floor(v0)", {at});
  // Where there is no such element, all taps are far outside, and no sum of theirs wraps around.
  const TensorRef base = call.formula("i64(clamp(floor(v0), -1e15, 1e15))", {at}, NETCL_I64);
  const size_t count = sampling == Sampling::cubic ? 4 : sampling == Sampling::linear ? 2 : 1;
  Taps taps;
  for (size_t t = 0; t < count; ++t) {
    const int64_t step = static_cast<int64_t>(t) - (count == 4 ? 1 : 0);
    const TensorRef place =
        step == 0 ? base : call.formula("v0 + " + number_text(step), {base}, NETCL_I64);
    taps.places.push_back(call.formula(place_text(axis, outside), {place}, NETCL_I64));
    if (part != nullptr) taps.weights.push_back(call.formula(weight_text(sampling, t), {part}));
  }
  return taps;
}

TensorRef channel_rows(const Call& call, const TensorRef& x) {
  const Layout& from = x->layout();
  std::vector<uint32_t> order(from.rank, 1);
  int64_t rows[2] = {from.shape[0], from.shape[1]};
  order[0] = 0;
  for (uint32_t d = 2; d < from.rank; ++d) {
    order[d - 1] = d;
    rows[0] *= from.shape[d];
  }
  return call.reshaped(graph::permuted(*x, order), rows);
}

TensorRef rows_at(const Call& call, const TensorRef& rows, const TensorRef& places) {
  const int64_t list[1] = {places->element_count()};
  return call.made<ops::gather>("gather", *rows, *call.reshaped(places, list), int32_t{0});
}

TensorRef row_numbers(const Call& call, const TensorRef& numbers) {
  const int64_t column[2] = {numbers->element_count(), 1};
  return call.reshaped(numbers, column);
}

TensorRef sampled_at(const Call& call, const TensorRef& planes, const std::vector<Taps>& axes) {
  if (axes.size() <= cpu::kSampleAxesMost && !axes[0].weights.empty()) {
    std::vector<TensorRef> places, weights;
    std::array<int64_t, cpu::kSampleAxesMost> taps{};
    for (size_t d = 0; d < axes.size(); ++d) {
      taps[d] = static_cast<int64_t>(axes[d].places.size());
      places.insert(places.end(), axes[d].places.begin(), axes[d].places.end());
      weights.insert(weights.end(), axes[d].weights.begin(), axes[d].weights.end());
    }
    const netcl_dtype dtype = planes->dtype();
    const TensorRef reals = is_float(dtype) ? planes : call.cast(planes, NETCL_F32);
    return call.made<ops::sample>("sample", *reals, std::span<const TensorRef>(places),
                                  std::span<const TensorRef>(weights), taps);
  }
  const auto& shape = planes->layout().shape;
  std::vector<double> firsts = counting(shape[0]);
  for (double& first : firsts) first *= static_cast<double>(shape[2]);
  TensorRef sum;
  add_combinations(call, channel_rows(call, planes), axes, 0,
                   numbers_along(call, 3, 0, NETCL_I64, std::move(firsts)), nullptr, &sum);
  const int64_t parts[3] = {shape[0], sum->layout().shape[0] / shape[0], shape[1]};
  const uint32_t back[3] = {0, 2, 1};
  return graph::permuted(*call.reshaped(sum, parts), back);
}

TensorRef numbers_along(const Call& call, uint32_t rank, uint32_t axis, netcl_dtype dtype,
                        std::vector<double> numbers) {
  std::vector<int64_t> shape(rank, 1);
  shape[axis] = static_cast<int64_t>(numbers.size());
  return call.constant(dtype, shape, std::move(numbers));
}

}  // namespace netcl::model
