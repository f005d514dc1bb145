/*
 * Single values: elements of tensors, and arguments of kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_ELEMENT_HPP
#define NETCL_ELEMENT_HPP

#include <netcl/generated/structs.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

namespace netcl {
inline namespace NETCL_HPP_MODE {
/** The dtype whose elements are a T: dtype_of<float> is dtype::f32. None has a long double's. */
template <class T>
inline constexpr dtype dtype_of = [] {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "no dtype has such elements");
  return static_cast<dtype>(detail::find_dtype<T>());
}();

namespace detail {

/** The nearest number with so many bits behind the point, as f16 and bf16 have it; even at ties. */
inline uint16_t narrow(double value, int bits, int least_exponent, uint16_t infinity) noexcept {
  const uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | infinity | 1u << (bits - 1));
  const double size = std::fabs(value);
  int exponent = 0;
  std::frexp(std::isinf(size) ? 1.0 : size, &exponent);
  exponent = size > 0 ? std::max(exponent - 1, least_exponent) : least_exponent;
  const double steps = std::nearbyint(std::ldexp(size, bits - exponent));
  const double found = std::ldexp(exponent - least_exponent, bits) + steps;
  return static_cast<uint16_t>(sign | (found < infinity ? static_cast<uint32_t>(found) : infinity));
}

/** One element of a dtype, as a call reads it. */
class element {
 public:
  const void* data() const noexcept { return data_; }

  /** Takes a number, or refuses it: `name` is how the header calls it. */
  netcl_status take(const char* name, const scalar& from, dtype of) noexcept {
    data_ = from.memory() ? from.memory() : room_;
    if (from.memory()) return NETCL_OK;
    switch (of) {
      case dtype::f16:
        return put(narrow(from.real(), 10, -14, 0x7c00));
      case dtype::bf16:
        return put(narrow(from.real(), 7, -126, 0x7f80));
      case dtype::f32:
        return put(static_cast<float>(from.real()));
      case dtype::f64:
        return put(from.real());
      case dtype::i8:
        return whole<int8_t>(name, from);
      case dtype::i16:
        return whole<int16_t>(name, from);
      case dtype::i32:
        return whole<int32_t>(name, from);
      case dtype::i64:
        return whole<int64_t>(name, from);
      case dtype::u8:
        return whole<uint8_t>(name, from);
      case dtype::u16:
        return whole<uint16_t>(name, from);
      case dtype::u32:
        return whole<uint32_t>(name, from);
      case dtype::u64:
        return whole<uint64_t>(name, from);
      case dtype::bool_:
        return put(static_cast<uint8_t>(from.real() != 0));
    }
    return NETCL_OK; /* what is no dtype is refused by the library */
  }

  /** Likewise of the dtype of a tensor, which costs a question to the library. */
  netcl_status take(const char* name, const scalar& from, const netcl_tensor* tensor) noexcept {
    netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
    if (!from.memory()) {
      const netcl_status status = netcl_tensor_get_info(tensor, &info);
      if (status != NETCL_OK) return status;
    }
    return take(name, from, static_cast<dtype>(info.dtype));
  }

  /** Likewise of a number that options have or have not; `into` is the member of C for it. */
  netcl_status take(const char* name, const std::optional<scalar>& from, const netcl_tensor* tensor,
                    const void*& into) noexcept {
    if (!from) return NETCL_OK;
    const netcl_status status = take(name, *from, tensor);
    /* What is no tensor is refused by the call, which has a name for it. */
    if (status == NETCL_ERROR_INVALID_HANDLE) return NETCL_OK;
    if (status == NETCL_OK) into = data_;
    return status;
  }

 private:
  template <class T>
  netcl_status put(T value) noexcept {
    std::memcpy(room_, &value, sizeof value);
    return NETCL_OK;
  }
  template <class T>
  netcl_status whole(const char* name, const scalar& from) noexcept {
    T value{};
    if (from.get(value)) return put(value);
    char message[96];
    std::snprintf(message, sizeof message, "%s is %.17g, which %s has not", name, from.real(),
                  netcl_dtype_name(static_cast<netcl_dtype>(dtype_of<T>)));
    return refuse(NETCL_ERROR_INVALID_ARGUMENT, message);
  }

  const void* data_ = nullptr;
  alignas(8) unsigned char room_[8] = {};
};

/** Whether a list of `element` is one of a dtype: the bits of f16 and bf16 are uint16_t, those of
 * bool uint8_t. 0 is of any. */
inline bool is_list_of(netcl_dtype element, netcl_dtype dtype) noexcept {
  return element == 0 || element == dtype || (element == NETCL_U8 && dtype == NETCL_BOOL) ||
         (element == NETCL_U16 && (dtype == NETCL_F16 || dtype == NETCL_BF16));
}

/** Out of line, so that the way of what succeeds is short. */
__attribute__((noinline, cold)) inline netcl_status refuse_data(const char* name,
                                                                netcl_dtype element,
                                                                const char* what,
                                                                netcl_dtype dtype) noexcept {
  char message[128];
  std::snprintf(message, sizeof message, "%s has elements of %s, and %s %s", name,
                netcl_dtype_name(element), what, netcl_dtype_name(dtype));
  return refuse(NETCL_ERROR_INVALID_ARGUMENT, message);
}

/** Refuses a list of other elements than those of a dtype. What is none the library refuses. */
inline netcl_status check_data(const char* name, netcl_dtype element, dtype of) noexcept {
  const auto wanted = static_cast<netcl_dtype>(of);
  if (is_list_of(element, wanted) || netcl_dtype_size(wanted) == 0) return NETCL_OK;
  return refuse_data(name, element, "dtype is", wanted);
}
/** Likewise of the dtype of a tensor, which costs a question to the library. */
inline netcl_status check_data(const char* name, netcl_dtype element,
                               const netcl_tensor* tensor) noexcept {
  if (element == 0) return NETCL_OK;
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  const netcl_status status = netcl_tensor_get_info(tensor, &info);
  if (status != NETCL_OK || is_list_of(element, info.dtype)) return status;
  return refuse_data(name, element, "the tensor has dtype", info.dtype);
}

/** Options of a run that writes into a given tensor. Those of an older program may be shorter. */
inline netcl_run_options run_into(const netcl_run_options* run, tensor_ref into) noexcept {
  netcl_run_options with = NETCL_RUN_OPTIONS_INIT;
  if (run) std::memcpy(&with, run, std::min(run->struct_size, sizeof with));
  with.struct_size = sizeof with;
  with.into = into.raw();
  return with;
}

}  // namespace detail

/** Options of the run in the place of an op's own, where these are left out. */
class run_alone {
 public:
  run_alone(const run_options& run) noexcept : run_(run) {}
  template <class T, class = std::enable_if_t<std::is_same_v<T, netcl_run_options>>>
  run_alone(const T* run) noexcept : run_(run) {}
  const netcl_run_options* get() const noexcept { return run_; }

 private:
  const netcl_run_options* run_;
};

/**
 * One argument of a kernel: a tensor, a number, a small struct. Numbers are of the type that they
 * have in C++: 1.0f fits a float of the kernel, 1 an int, and the library refuses others.
 */
class arg {
 public:
  arg(tensor_ref tensor) noexcept {
    raw_.kind = NETCL_ARG_TENSOR;
    raw_.tensor = tensor.raw();
  }
  arg(const tensor& tensor) noexcept : arg(static_cast<tensor_ref>(tensor)) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  arg(T value) noexcept {
    put(NETCL_ARG_SCALAR, &value, sizeof value);
    raw_.dtype = static_cast<netcl_dtype>(dtype_of<T>);
  }
  explicit arg(const netcl_arg& raw) noexcept : raw_(raw) {}

  /** A tensor that the kernel only reads, whatever its parameter says. */
  static arg read_only(tensor_ref tensor) noexcept {
    arg made(tensor);
    made.raw_.kind = NETCL_ARG_TENSOR_READ_ONLY;
    return made;
  }
  /** A vector or struct of at most 32 bytes, which are copied; of the parameter's size. */
  template <class T>
  static arg value(const T& value) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof raw_.value);
    static_assert(!detail::is_too_wide<T>, "no dtype has such elements");
    arg made;
    made.put(NETCL_ARG_SCALAR, &value, sizeof value);
    return made;
  }
  /** A struct of any size, which has to stay until the launch is made. */
  template <class T>
  static arg data(const T& value) noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(!detail::is_too_wide<T>, "no dtype has such elements");
    arg made;
    made.raw_.kind = NETCL_ARG_DATA;
    made.raw_.data = &value;
    made.raw_.size = sizeof value;
    return made;
  }
  /** Local memory of so many bytes. */
  static arg local(uint32_t bytes) noexcept {
    arg made;
    made.raw_.kind = NETCL_ARG_LOCAL;
    made.raw_.size = bytes;
    return made;
  }
  /** A NULL buffer. */
  static arg null() noexcept {
    arg made;
    made.raw_.kind = NETCL_ARG_NULL;
    return made;
  }
  /** The same bytes, which the kernel takes for its own type. */
  arg reinterpreted() const noexcept {
    arg made(*this);
    made.raw_.reinterpret = 1;
    return made;
  }
  const netcl_arg& raw() const noexcept { return raw_; }

 private:
  arg() noexcept = default;
  void put(netcl_arg_kind kind, const void* value, uint32_t size) noexcept {
    raw_.kind = kind;
    raw_.size = size;
    std::memcpy(raw_.value, value, size);
  }

  netcl_arg raw_ = NETCL_ARG_INIT;
};

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_ELEMENT_HPP */
