/*
 * Between memory of the program and tensors: what a program of C++ writes most, in its own words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_HOST_HPP
#define NETCL_HOST_HPP

#include <netcl/generated/functions.hpp>
#include <netcl/generated/ops.hpp>

namespace netcl {
inline namespace NETCL_HPP_MODE {
namespace detail {

/** Whether elements of a tensor are a T; those of a bool are a byte too. Else an error, in which
 * `what` is where they were to go. */
template <class T>
netcl_status check_element(tensor_ref tensor, const char* what, netcl_tensor_info& info) {
  const netcl_status status = netcl_tensor_get_info(tensor.raw(), &info);
  if (status != NETCL_OK || info.dtype == static_cast<netcl_dtype>(dtype_of<T>)) return status;
  if (dtype_of<T> == dtype::u8 && info.dtype == NETCL_BOOL) return status;
  char message[96];
  std::snprintf(message, sizeof message, "tensor has dtype %s, and the %s %s",
                netcl_dtype_name(info.dtype), what,
                netcl_dtype_name(static_cast<netcl_dtype>(dtype_of<T>)));
  return refuse(NETCL_ERROR_INVALID_ARGUMENT, message);
}

}  // namespace detail

/**
 * Makes a tensor of a list of numbers, whose type gives the dtype: {1.0f, 2.0f}, an array, a vector
 * or a span. Without a shape it has rank 1. INVALID_ARGUMENT where the list does not have as many
 * elements as the shape.
 */
template <class C>
[[nodiscard]] returns<tensor> tensor_from(device_ref device, const C& list, const layout& shape) {
  using element = std::remove_const_t<detail::element_of<const C>>;
  return tensor::create_from_host(device, dtype_of<element>, shape,
                                  bytes_in(std::data(list), std::size(list) * sizeof(element)));
}
/** Truths, of dtype bool: a vector of them has no bytes, so these are copied once more. */
[[nodiscard]] inline returns<tensor> tensor_from(device_ref device, const std::vector<bool>& list,
                                                 const layout& shape) {
  const std::vector<unsigned char> bytes(list.begin(), list.end());
  return tensor::create_from_host(device, dtype::bool_, shape, bytes);
}
template <class C>
[[nodiscard]] returns<tensor> tensor_from(device_ref device, const C& list) {
  const int64_t extent = static_cast<int64_t>(std::size(list));
  return tensor_from(device, list, view<int64_t>(&extent, 1));
}
template <class T>
[[nodiscard]] returns<tensor> tensor_from(device_ref device, std::initializer_list<T> list,
                                          const layout& shape) {
  return tensor_from<std::initializer_list<T>>(device, list, shape);
}
template <class T>
[[nodiscard]] returns<tensor> tensor_from(device_ref device, std::initializer_list<T> list) {
  return tensor_from<std::initializer_list<T>>(device, list);
}

inline returns<extents> tensor_ref::shape() const {
  returns<extents> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  const netcl_status status = netcl_tensor_get_info(raw(), &info);
  if (status == NETCL_OK) detail::value(out) = extents(info.shape, info.rank);
  detail::settle(out, status);
  return out;
}

inline returns<dtype> tensor_ref::dtype() const {
  returns<netcl::dtype> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  const netcl_status status = netcl_tensor_get_info(raw(), &info);
  if (status == NETCL_OK) detail::value(out) = static_cast<netcl::dtype>(info.dtype);
  detail::settle(out, status);
  return out;
}

/** The extents of a tensor as a vector. */
[[nodiscard]] inline returns<std::vector<int64_t>> shape_of(tensor_ref tensor) {
  returns<std::vector<int64_t>> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  const netcl_status status = netcl_tensor_get_info(tensor.raw(), &info);
  if (status == NETCL_OK) detail::value(out).assign(info.shape, info.shape + info.rank);
  detail::settle(out, status);
  return out;
}

/** A view of `count` entries of the first dimension from `start` on, and of all of the others: a
 * batch of samples, some rows. INVALID_ARGUMENT as tensor.slice. */
[[nodiscard]] inline returns<tensor> rows(tensor_ref of, int64_t start, int64_t count) {
  returns<tensor> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_status status = netcl_tensor_get_info(of.raw(), &info);
  if (status == NETCL_OK) {
    netcl_range ranges[NETCL_RANK_MAX];
    for (uint32_t i = 0; i < info.rank; ++i) ranges[i] = {0, info.shape[i], 1};
    ranges[0] = {start, count, 1};
    status = netcl_tensor_slice(of.raw(), ranges, info.rank > 0 ? info.rank : 1,
                                detail::place(detail::value(out)));
  }
  detail::settle(out, status);
  return out;
}

/**
 * Waits for a tensor and copies it, in C order, whatever its strides. INVALID_ARGUMENT where its
 * dtype is not that of a T.
 */
template <class T>
[[nodiscard]] returns<std::vector<T>> to_vector(tensor_ref tensor, netcl::timeout timeout = {}) {
  /* A std::vector<bool> has no bytes that could be written to. */
  using element = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  returns<std::vector<T>> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_status status = detail::check_element<T>(tensor, "vector", info);
  if (status == NETCL_OK) {
    std::vector<element> list(static_cast<size_t>(info.element_count));
    status = netcl_tensor_read(tensor.raw(), list.data(), list.size() * sizeof(element), nullptr,
                               timeout.count());
    if constexpr (std::is_same_v<T, bool>) {
      if (status == NETCL_OK) detail::value(out).assign(list.begin(), list.end());
    } else {
      if (status == NETCL_OK) detail::value(out) = std::move(list);
    }
  }
  detail::settle(out, status);
  return out;
}

/** The only element of a tensor, which has to have one: a loss, a norm, a count. INVALID_ARGUMENT
 * where its dtype is not that of a T. */
template <class T>
[[nodiscard]] returns<T> to_value(tensor_ref tensor, netcl::timeout timeout = {}) {
  returns<T> out{};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_status status = detail::check_element<T>(tensor, "value", info);
  if (status == NETCL_OK) {
    status =
        netcl_tensor_read(tensor.raw(), &detail::value(out), sizeof(T), nullptr, timeout.count());
  }
  detail::settle(out, status);
  return out;
}

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_HOST_HPP */
