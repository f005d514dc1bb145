// Transforms of signals, and the windows and weights that go with them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/op_table.hpp"
#include "model/sampling.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/pad.hpp"

namespace netcl::model {

namespace {

// Longer transforms are made of shorter ones.
constexpr int64_t kMatrixLength = 512;

// A transform of `length` numbers. A signal is [R, length, parts], its numbers real, or complex
// ones with their real parts first.
struct Transform {
  int64_t length = 1;
  int64_t given = 1;   // numbers of the input: fewer where the others mirror them
  int64_t parts = 1;   // of each of them
  int64_t wanted = 1;  // numbers of the result
  bool inverse = false;
  bool real = false;  // result

  int64_t rows() const { return given * parts; }
  int64_t columns() const { return wanted * (real ? 1 : 2); }
};

// Cosine and sine of a turn by k / n, exact where one of them is 0 or they are equal.
std::pair<double, double> turn(int64_t k, int64_t n) {
  const int64_t part = k % n;
  const double angle = 2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(n);
  if (4 * part % n == 0) {
    constexpr double kCosines[] = {1, 0, -1, 0}, kSines[] = {0, 1, 0, -1};
    return {kCosines[4 * part / n], kSines[4 * part / n]};
  }
  return {std::cos(angle), std::sin(angle)};
}

// What a number of the input and one of the result have to do with each other, [rows, columns].
std::vector<double> transform_matrix(const Transform& transform) {
  const int64_t n = transform.length, columns = transform.columns();
  std::vector<double> matrix(static_cast<size_t>(transform.rows() * columns));
  const double scale = transform.inverse ? 1.0 / static_cast<double>(n) : 1.0;
  for (int64_t j = 0; j < transform.given; ++j) {
    // Of a mirrored input all but the first number and the middle one are there twice.
    const bool twice = transform.given < n && j != 0 && 2 * j != n;
    for (int64_t k = 0; k < transform.wanted; ++k) {
      auto [c, s] = turn(j * k, n);
      c *= scale * (twice ? 2 : 1);
      s *= scale * (twice ? 2 : 1) * (transform.inverse ? 1 : -1);
      double* const row = matrix.data() + j * transform.parts * columns;
      if (transform.real) {
        row[k] = c;
        if (transform.parts == 2) row[columns + k] = -s;
        continue;
      }
      row[2 * k] = c;
      row[2 * k + 1] = s;
      if (transform.parts == 1) continue;
      row[columns + 2 * k] = -s;
      row[columns + 2 * k + 1] = c;
    }
  }
  return matrix;
}

TensorRef by_matrix(const Call& call, const TensorRef& x, const Transform& transform) {
  const int64_t signals = x->layout().shape[0];
  const int64_t flat[2] = {signals, transform.rows()};
  const int64_t shape[3] = {signals, transform.wanted, transform.real ? 1 : 2};
  const TensorRef matrix = call.constant(x->dtype(), {transform.rows(), transform.columns()},
                                         transform_matrix(transform));
  return call.reshaped(
      call.made<ops::matmul>("matmul", *call.reshaped(x, flat), *matrix, ops::MatmulParameters{}),
      shape);
}

// The largest divisor of a length that is none of more than a matrix, and no more than its root.
int64_t divisor_of(int64_t length) {
  int64_t found = 1;
  for (int64_t d = 2; d <= kMatrixLength && d * d <= length; ++d) {
    if (length % d == 0) found = d;
  }
  if (found > 1) return found;
  fail(NETCL_ERROR_UNSUPPORTED,
       "a transform of %lld numbers, which has a prime factor of more than %lld",
       static_cast<long long>(length), static_cast<long long>(kMatrixLength));
}

// [R, n, 2] to the same: n = a b is a transform of a, a turn of each number, and one of b.
TensorRef whole_transform(const Call& call, const TensorRef& x, int64_t n, bool inverse) {
  const int64_t signals = x->layout().shape[0];
  if (n <= kMatrixLength) return by_matrix(call, x, {n, n, 2, n, inverse, false});
  const int64_t a = divisor_of(n), b = n / a;
  const int64_t parts[4] = {signals, a, b, 2}, lines[3] = {signals * b, a, 2};
  const uint32_t columns[4] = {0, 2, 1, 3};
  const TensorRef first =
      by_matrix(call, call.reshaped(graph::permuted(*call.reshaped(x, parts), columns), lines),
                {a, a, 2, a, inverse, false});
  std::vector<double> cosines, sines;
  for (int64_t j = 0; j < b; ++j) {
    for (int64_t k = 0; k < a; ++k) {
      const auto [c, s] = turn(j * k, n);
      cosines.push_back(c);
      sines.push_back(inverse ? s : -s);
    }
  }
  const int64_t plane[4] = {signals, b, a, 2};
  const TensorRef image = call.reshaped(first, plane);
  const TensorRef re = graph::part_of(*image, 3, 0, 1), im = graph::part_of(*image, 3, 1, 1);
  // One half of a last dimension of two: the real part of the product, then the other.
  const TensorRef c = call.constant(x->dtype(), {1, b, a, 1}, std::move(cosines));
  const TensorRef s = call.constant(x->dtype(), {1, b, a, 1}, std::move(sines));
  const TensorRef halves = numbers_along(call, 4, 3, NETCL_BOOL, {1, 0});
  const TensorRef turned =
      call.formula("v4 ? v0 * v2 - v1 * v3 : v0 * v3 + v1 * v2", {re, im, c, s, halves});
  const int64_t rest[3] = {signals * a, b, 2}, ends[4] = {signals, a, b, 2};
  const TensorRef second =
      whole_transform(call, call.reshaped(graph::permuted(*turned, columns), rest), b, inverse);
  return call.reshaped(graph::permuted(*call.reshaped(second, ends), columns), shape_of(*x));
}

// The numbers that a mirrored spectrum leaves out, conjugated: [R, n / 2 + 1, 2] to [R, n, 2].
TensorRef unmirrored(const Call& call, const TensorRef& x, int64_t n) {
  std::vector<double> places = counting(n), signs;
  for (double& place : places) {
    const double other = static_cast<double>(n) - place;
    signs.insert(signs.end(), {1.0, place < other ? 1.0 : -1.0});
    place = std::min(place, other);
  }
  const TensorRef indices = call.constant(NETCL_I64, {n}, std::move(places));
  return call.formula("v0 * v1", {call.made<ops::gather>("gather", *x, *indices, int32_t{1}),
                                  call.constant(x->dtype(), {1, n, 2}, std::move(signs))});
}

// A signal [R, given, parts] as [R, wanted, 2], or real as [R, wanted, 1].
TensorRef transformed(const Call& call, const TensorRef& x, const Transform& transform) {
  if (transform.rows() * transform.columns() <= kHostElementsMost) {
    return by_matrix(call, x, transform);
  }
  TensorRef whole = x;
  if (transform.parts == 1) {
    const std::array<int64_t, 6> zeros = {0, 0, 0, 0, 0, 1};
    whole = call.made<ops::pad>("pad", *x, std::span<const int64_t>(zeros),
                                netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
  }
  if (transform.given < transform.length) whole = unmirrored(call, whole, transform.length);
  whole = whole_transform(call, whole, transform.length, transform.inverse);
  whole = graph::part_of(*whole, 1, 0, transform.wanted);
  return transform.real ? graph::part_of(*whole, 2, 0, 1) : whole;
}

// What a node says; `length` is that of the transform.
Transform transform_of(const Tensor& x, int64_t length, bool onesided, bool inverse) {
  if (length < 1 || length > kHostElementsMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a transform of %lld numbers",
         static_cast<long long>(length));
  }
  Transform made;
  const int64_t half = length / 2 + 1;
  made.length = length;
  made.given = onesided && inverse ? half : length;
  made.wanted = onesided && !inverse ? half : length;
  made.parts = x.layout().shape[x.layout().rank - 1];
  made.inverse = inverse;
  made.real = onesided && inverse;
  return made;
}

void require_signal(const Tensor& x, uint32_t rank) {
  const Layout& layout = x.layout();
  const bool fits = layout.rank >= rank && is_float(x.dtype()) &&
                    (layout.shape[layout.rank - 1] == 1 || layout.shape[layout.rank - 1] == 2);
  if (fits) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "a signal of %s has shape %s", dtype_facts(x.dtype()).name,
       shape_text(x).c_str());
}

void build_dft(Call& call) {
  const TensorRef x = call.tensor(0);
  require_signal(*x, 2);
  const uint32_t rank = x->layout().rank;
  const int64_t given = call.opset() < 20 ? call.integer("axis", 1) : call.number(2, -2);
  const uint32_t axis = axis_of(given, rank);
  if (axis == rank - 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "axis is %lld, the one of real and imaginary parts",
         static_cast<long long>(given));
  }
  const bool onesided = call.integer("onesided", 0) != 0;
  const bool inverse = call.integer("inverse", 0) != 0;
  const int64_t extent = x->layout().shape[axis];
  const Transform transform = transform_of(
      *x, call.number(1, onesided && inverse ? 2 * (extent - 1) : extent), onesided, inverse);
  std::vector<uint32_t> order, back(rank);
  for (uint32_t d = 0; d + 1 < rank; ++d) {
    if (d != axis) order.push_back(d);
  }
  order.insert(order.end(), {axis, rank - 1});
  for (uint32_t d = 0; d < rank; ++d) back[order[d]] = d;
  TensorRef lines = graph::permuted(*x, order);
  std::vector<int64_t> pads(2 * size_t{rank});
  pads[2 * size_t{rank} - 2] = transform.given - extent;
  if (transform.given != extent) {
    lines = call.made<ops::pad>("pad", *lines, std::span<const int64_t>(pads),
                                netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
  }
  std::vector<int64_t> shape = shape_of(*lines);
  const int64_t flat[3] = {lines->element_count() / transform.rows(), transform.given,
                           transform.parts};
  const TensorRef made = transformed(call, call.reshaped(lines, flat), transform);
  shape[rank - 2] = transform.wanted;
  shape[rank - 1] = transform.real ? 1 : 2;
  call.give(graph::permuted(*call.reshaped(made, shape), back));
}

void build_stft(Call& call) {
  const TensorRef x = call.tensor(0), window = call.optional(2);
  require_signal(*x, 3);
  const Layout& from = x->layout();
  const int64_t step = call.number(1, 0);
  const int64_t fallback = window != nullptr ? window->element_count() : from.shape[1];
  const int64_t length = call.number(3, fallback);
  if (from.rank != 3 || step < 1 || step > INT32_MAX || length < 1 || length > from.shape[1] ||
      (window != nullptr && (window->layout().rank != 1 || window->element_count() != length))) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "a signal of shape %s, frames of %lld with a step of %lld and a window of %lld",
         shape_text(from).c_str(), static_cast<long long>(length), static_cast<long long>(step),
         static_cast<long long>(fallback));
  }
  const Transform transform = transform_of(*x, length, call.integer("onesided", 1) != 0, false);
  const int64_t frames = (from.shape[1] - length) / step + 1;
  Layout layout;
  layout.rank = 4;
  layout.offset = from.offset;
  layout.shape = {from.shape[0], frames, length, from.shape[2]};
  layout.strides = {from.strides[0], step * from.strides[1], from.strides[1], from.strides[2]};
  TensorRef framed = graph::with_layout(*x, layout);
  if (window != nullptr) {
    const int64_t column[4] = {1, 1, length, 1};
    framed = call.formula("v0 * v1", {framed, call.reshaped(window, column)}, x->dtype());
  }
  const int64_t flat[3] = {from.shape[0] * frames, length, from.shape[2]};
  const int64_t shape[4] = {from.shape[0], frames, transform.wanted, 2};
  call.give(call.reshaped(transformed(call, call.reshaped(framed, flat), transform), shape));
}

// ---- Made of numbers alone ---------------------------------------------------------------------

netcl_dtype output_type(const Call& call) {
  return dtype_of(static_cast<int32_t>(call.integer("output_datatype", 1)));
}

std::string refuse_output_type(const NodeFacts& node) {
  const int64_t type = node.integer("output_datatype", 1);
  const int32_t known = static_cast<int32_t>(type);
  return known == type && dtype_of(known) != 0 ? "" : "a result of " + type_name(known);
}

void build_window(Call& call) {
  const int64_t size = call.number(0, 0);
  std::vector<double> window = counting(size);
  const bool periodic = call.integer("periodic", 1) != 0;
  const double period = static_cast<double>(std::max<int64_t>(1, periodic ? size : size - 1));
  for (double& weight : window) {
    const double angle = 2 * std::numbers::pi * weight / period;
    if (call.op() == "HannWindow") {
      weight = 0.5 - 0.5 * std::cos(angle);
    } else if (call.op() == "HammingWindow") {
      weight = 25.0 / 46.0 - 21.0 / 46.0 * std::cos(angle);
    } else {
      weight = 0.42 - 0.5 * std::cos(angle) + 0.08 * std::cos(2 * angle);
    }
  }
  call.give(call.constant(output_type(call), {size}, std::move(window)));
}

// The bins of a spectrum where triangles of equal width in mel begin, have their top and end.
std::vector<int64_t> mel_bins(const Call& call, int64_t count, int64_t length, int64_t bins) {
  const double rate = static_cast<double>(call.number(2, 0));
  const double low = call.host(3).real(0), high = call.host(4).real(0);
  const auto mel = [](double hertz) { return 2595 * std::log1p(hertz / 700) / std::log(10.0); };
  const double step = (mel(high) - mel(low)) / static_cast<double>(count + 2);
  std::vector<int64_t> places;
  for (int64_t i = 0; i < count + 2; ++i) {
    const double at = static_cast<double>(i) * step + mel(low);
    const double hertz = 700 * std::expm1(at / 2595 * std::log(10.0));
    const double bin = std::floor(static_cast<double>(length + 1) * hertz / rate);
    if (!(bin >= 0 && bin < static_cast<double>(bins))) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "edges of %g and %g hertz with a sample_rate of %g leave %lld bins", low, high, rate,
           static_cast<long long>(bins));
    }
    places.push_back(static_cast<int64_t>(bin));
  }
  return places;
}

void build_mel_weights(Call& call) {
  const int64_t count = call.number(0, 0), length = call.number(1, 0);
  if (count < 1 || count > kHostElementsMost || length < 1 || length > kHostElementsMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "num_mel_bins is %lld and dft_length %lld",
         static_cast<long long>(count), static_cast<long long>(length));
  }
  const int64_t bins = length / 2 + 1;
  std::vector<double> weights(static_cast<size_t>(host_count({bins, count})));
  const std::vector<int64_t> places = mel_bins(call, count, length, bins);
  for (int64_t i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i);
    const int64_t low = places[at], top = places[at + 1], high = places[at + 2];
    const auto weight = [&](int64_t bin) -> double& {
      return weights[static_cast<size_t>(bin * count + i)];
    };
    if (low == top) weight(top) = 1;
    for (int64_t bin = low; low < top && bin <= top; ++bin) {
      weight(bin) = static_cast<double>(bin - low) / static_cast<double>(top - low);
    }
    for (int64_t bin = top; bin < high; ++bin) {
      weight(bin) = static_cast<double>(high - bin) / static_cast<double>(high - top);
    }
  }
  call.give(call.constant(output_type(call), {bins, count}, std::move(weights)));
}

constexpr OpRow kSignalRows[] = {
    {"BlackmanWindow", "output_datatype periodic", build_window, "0", refuse_output_type},
    {"DFT", "axis inverse onesided", build_dft, "12"},
    {"HammingWindow", "output_datatype periodic", build_window, "0", refuse_output_type},
    {"HannWindow", "output_datatype periodic", build_window, "0", refuse_output_type},
    {"MelWeightMatrix", "output_datatype", build_mel_weights, "01234", refuse_output_type},
    {"STFT", "onesided", build_stft, "13"},
};

}  // namespace

std::span<const OpRow> signal_rows() { return kSignalRows; }

}  // namespace netcl::model
