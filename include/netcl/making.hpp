/*
 * Tensors that are made of numbers, parts of tensors, and what is often made of tensors. What is
 * computed of tensors is recorded as operators are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_MAKING_HPP
#define NETCL_MAKING_HPP

#include <netcl/arithmetic.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {
namespace detail {

/** How many numbers there are from start to end, without it; -1 where that is no number. */
template <class T>
int64_t steps(T start, T end, T step) {
  constexpr int64_t most = int64_t{1} << 52;
  if constexpr (std::is_floating_point_v<T>) {
    const double way = static_cast<double>(end) - static_cast<double>(start);
    const double count = std::ceil(way / static_cast<double>(step));
    if (step == 0 || !(count < static_cast<double>(most))) return -1;
    return count > 0 ? static_cast<int64_t>(count) : 0;
  } else {
    if (step == 0) return -1;
    const bool up = step > T{0};
    if (up ? start >= end : start <= end) return 0;
    /* Differences modulo 2^64 are the differences of such numbers. */
    uint64_t way = static_cast<uint64_t>(end) - static_cast<uint64_t>(start);
    uint64_t size = static_cast<uint64_t>(step);
    if (!up) {
      way = uint64_t{0} - way;
      size = uint64_t{0} - size;
    }
    const uint64_t count = (way - 1) / size + 1;
    return count < static_cast<uint64_t>(most) ? static_cast<int64_t>(count) : -1;
  }
}

template <class T>
struct plain {
  using type = T;
};

/** A call that fills a new tensor. */
template <class F>
returns<tensor> filled(device_ref device, dtype of, view<int64_t> shape, F&& fill) {
  returns<tensor> out{};
  netcl_status status =
      netcl_tensor_create(device.raw(), static_cast<netcl_dtype>(of), shape.count(), shape.data(),
                          nullptr, nullptr, place(value(out)));
  if (status == NETCL_OK) status = fill(tensor_ref(value(out)));
  settle(out, status);
  return out;
}

}  // namespace detail

/** A tensor of ones. */
[[nodiscard]] inline returns<tensor> ones(device_ref device, dtype of, const layout& shape) {
  return tensor::create_full(device, of, shape, 1);
}

/**
 * start, start + step, ... as long as end is not reached: arange(device, 0.0f, 1.0f, 0.25f). The
 * type of start gives the dtype. INVALID_ARGUMENT where step is 0 or a number is no number.
 */
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>>>
[[nodiscard]] returns<tensor> arange(device_ref device, T start,
                                     typename detail::plain<T>::type end,
                                     typename detail::plain<T>::type step = 1) {
  const int64_t count = detail::steps<T>(start, end, step);
  if (count < 0) {
    return detail::failed<tensor>(detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                                                 "start, end and step make no range of numbers"));
  }
  return detail::filled(device, dtype_of<T>, view<int64_t>(&count, 1), [&](tensor_ref made) {
    return netcl_op_range(made.raw(), &start, &step, nullptr);
  });
}

/**
 * `count` numbers, as far from each other, of which the first is start and the last end. The dtype
 * is one of floats; of f16 and bf16 they are rounded from f32.
 */
[[nodiscard]] inline returns<tensor> linspace(device_ref device, dtype of, double start, double end,
                                              int64_t count) {
  const dtype wide = of == dtype::f16 || of == dtype::bf16 ? dtype::f32 : of;
  if (wide != dtype::f32 && wide != dtype::f64) {
    return detail::failed<tensor>(
        detail::refuse(NETCL_ERROR_INVALID_ARGUMENT, "dtype of linspace is none of floats"));
  }
  /* A way that no float is long enough for has steps that are, and two numbers need none. */
  const double steps = static_cast<double>(count > 1 ? count - 1 : 1);
  const double way = (end - start) / steps, parts = end / steps - start / steps;
  const double most = wide == dtype::f64 ? std::numeric_limits<double>::max()
                                         : double{std::numeric_limits<float>::max()};
  const double step = std::max(-most, std::min(std::isinf(way) ? parts : way, most));
  const auto fill = [&](tensor_ref made) {
    detail::element first, by, last;
    netcl_status status = first.take("start", start, wide);
    if (status == NETCL_OK) status = by.take("step", step, wide);
    if (status == NETCL_OK) status = last.take("end", end, wide);
    if (status == NETCL_OK) status = netcl_op_range(made.raw(), first.data(), by.data(), nullptr);
    if (status != NETCL_OK || count < 2) return status;
    const netcl_range range = {count - 1, 1, 1};
    owned<tensor_ref> behind;
    status = netcl_tensor_slice(made.raw(), &range, 1, behind.place());
    return status == NETCL_OK ? netcl_op_fill(behind.raw(), last.data(), nullptr) : status;
  };
  auto made = detail::filled(device, wide, view<int64_t>(&count, 1), fill);
#if NETCL_HPP_EXPECTED
  if (!made) return made;
#endif
  if (of == wide) return made;
  return op::cast(tensor_ref(detail::value(made)), of);
}

/** The unit matrix of n rows. op::eye fills a tensor of another shape. */
[[nodiscard]] inline returns<tensor> eye(device_ref device, dtype of, int64_t n) {
  const int64_t shape[2] = {n, n};
  return detail::filled(device, of, view<int64_t>(shape, 2),
                        [](tensor_ref made) { return netcl_op_eye(made.raw(), 0, nullptr); });
}

/** A line of `depth` elements for each index: 1 at its place, 0 elsewhere. Negative indices count
 * from the end. op::one_hot takes other values, and another axis than the last. */
[[nodiscard]] inline returns<tensor> one_hot(tensor_ref indices, int64_t depth, dtype of) {
  return op::one_hot(indices, depth, -1, of, 1, 0, detail::recorded());
}

/** The end of a dimension, for along. */
inline constexpr int64_t to_end = INT64_MAX;

/**
 * Elements start to end of a dimension, without end; negative ones count from the end. Every
 * step-th of them, and with a negative step backwards, from the last one: {0, to_end, -1} turns a
 * dimension round.
 */
struct along {
  int64_t start = 0;
  int64_t end = to_end;
  int64_t step = 1;
};

/**
 * A view of a part of a tensor, of which the first dimensions are given: part(x, {{1, 3}, {-1}}) is
 * rows 1 and 2, and of them the last column. INVALID_ARGUMENT as tensor.slice.
 */
[[nodiscard]] inline returns<tensor> part(tensor_ref of, view<along> parts) {
  returns<tensor> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_status status = netcl_tensor_get_info(of.raw(), &info);
  if (status == NETCL_OK && parts.size() > info.rank) {
    status = detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                            "parts has more entries than the tensor has dimensions");
  }
  if (status == NETCL_OK) {
    netcl_range ranges[NETCL_RANK_MAX];
    for (uint32_t i = 0; i < info.rank; ++i) {
      const int64_t extent = info.shape[i];
      const along wanted = i < parts.size() ? parts.data()[i] : along{};
      const int64_t start = wanted.start < 0 ? wanted.start + extent : wanted.start;
      const int64_t end = wanted.end == to_end ? extent
                          : wanted.end < 0     ? wanted.end + extent
                                               : wanted.end;
      /* Bounds beyond the dimension are to be seen as such, whatever the step leaves out. */
      const bool beyond = start < 0 || end > extent;
      const uint64_t count = static_cast<uint64_t>(end) - static_cast<uint64_t>(start);
      ranges[i] = {start, static_cast<int64_t>(count), beyond ? 1 : wanted.step};
      if (end <= start || beyond || wanted.step == 0) continue;
      const uint64_t step = static_cast<uint64_t>(wanted.step);
      const uint64_t size = wanted.step < 0 ? uint64_t{0} - step : step;
      ranges[i].extent = static_cast<int64_t>((count - 1) / size) + 1;
      if (wanted.step < 0) ranges[i].start = end - 1;
    }
    status = netcl_tensor_slice(of.raw(), ranges, info.rank, detail::place(detail::value(out)));
  }
  detail::settle(out, status);
  return out;
}

/** Each matrix with zeros above diagonal k. */
[[nodiscard]] inline returns<tensor> tril(tensor_ref x, int64_t k = 0) {
  return op::trilu(x, false, k, detail::recorded());
}

/** Each matrix with zeros below diagonal k: with 1 what is above the main diagonal stays. */
[[nodiscard]] inline returns<tensor> triu(tensor_ref x, int64_t k = 0) {
  return op::trilu(x, true, k, detail::recorded());
}

/** Puts tensors of one shape beside each other along a new axis; -1 is behind the last. */
[[nodiscard]] inline returns<tensor> stack(view<tensor_ref> tensors, int32_t axis) {
  returns<tensor> out{};
  const run_options run = detail::recorded();
  std::vector<tensor> parts(tensors.size());
  std::vector<netcl_tensor*> list(tensors.size());
  netcl_status status = NETCL_OK;
  for (size_t i = 0; i < list.size() && status == NETCL_OK; ++i) {
    netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
    status = netcl_tensor_get_info(tensors.data()[i].raw(), &info);
    if (status != NETCL_OK) break;
    const int64_t rank = info.rank;
    if (i == 0 && axis < 0) axis = static_cast<int32_t>(axis + rank + 1);
    if (axis < 0 || axis > rank || rank == NETCL_RANK_MAX) {
      status = detail::refuse(NETCL_ERROR_INVALID_ARGUMENT,
                              "axis is none of the result, or that has too many dimensions");
      break;
    }
    std::copy_backward(info.shape + axis, info.shape + rank, info.shape + rank + 1);
    info.shape[axis] = 1;
    status = netcl_tensor_reshape(tensors.data()[i].raw(), info.rank + 1, info.shape, run,
                                  detail::place(parts[i]));
    list[i] = parts[i].raw();
  }
  if (status == NETCL_OK) {
    status = netcl_op_concat(list.data(), static_cast<uint32_t>(list.size()), axis, run,
                             detail::place(detail::value(out)));
  }
  detail::settle(out, status);
  return out;
}

namespace detail {

/** The variance over axes, or its square root. Floats of 16 bits are f32 until the end: they have
 * too few bits for a mean that others are measured from, and their squares soon overflow. */
inline returns<tensor> spread(tensor_ref x, view<int32_t> axes, int64_t ddof, bool root) {
  returns<tensor> out{};
  const run_options run = recorded();
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_expression_options last = NETCL_EXPRESSION_OPTIONS_INIT;
  options.axes = axes.data();
  options.axes_count = axes.count();
  options.keepdims = 1;
  owned<tensor_ref> mean, squares, all;
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT, means = NETCL_TENSOR_INFO_INIT;
  netcl_status status = netcl_tensor_get_info(x.raw(), &info);
  if (status == NETCL_OK) {
    if (info.dtype == NETCL_F16 || info.dtype == NETCL_BF16) {
      options.dtype = NETCL_F32;
      last.dtype = info.dtype;
    }
    status = netcl_op_reduce(x.raw(), NETCL_REDUCTION_MEAN, &options, run, mean.place());
  }
  if (status == NETCL_OK) status = netcl_tensor_get_info(mean.raw(), &means);
  if (status == NETCL_OK) {
    netcl_tensor* const both[2] = {x.raw(), mean.raw()};
    status = netcl_op_expression_text("square(v0 - v1)", both, 2, nullptr, run, squares.place());
  }
  if (status == NETCL_OK) {
    options.keepdims = 0;
    status = netcl_op_reduce(squares.raw(), NETCL_REDUCTION_MEAN, &options, run, all.place());
  }
  if (status == NETCL_OK) {
    /* So many elements share one mean. */
    const double each = static_cast<double>(info.element_count) /
                        static_cast<double>(std::max<int64_t>(means.element_count, 1));
    const double left = std::max(each - static_cast<double>(ddof), 0.0);
    char text[80] = "v0", whole[96];
    if (ddof != 0) std::snprintf(text, sizeof text, "v0 / %.0f * %.0f", left, each);
    if (ddof != 0 && left == 0) std::snprintf(text, sizeof text, "v0 * inf");
    std::snprintf(whole, sizeof whole, root ? "sqrt(%s)" : "%s", text);
    netcl_tensor* const one[1] = {all.raw()};
    status = netcl_op_expression_text(whole, one, 1, &last, run, place(value(out)));
  }
  settle(out, status);
  return out;
}

}  // namespace detail

/**
 * The variance over axes, which disappear; over all where none is given. It is the sum of squared
 * distances to the mean, over their number less ddof: 0 is for all there is, 1 for a sample.
 */
[[nodiscard]] inline returns<tensor> variance(tensor_ref x, view<int32_t> axes = {},
                                              int64_t ddof = 0) {
  return detail::spread(x, axes, ddof, false);
}

/** The standard deviation over axes: the square root of variance. */
[[nodiscard]] inline returns<tensor> stddev(tensor_ref x, view<int32_t> axes = {},
                                            int64_t ddof = 0) {
  return detail::spread(x, axes, ddof, true);
}

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_MAKING_HPP */
