/*
 * What parameters of netcl.hpp are made of: lists, texts, bytes, layouts and timeouts. None of them
 * owns anything: each is a pointer and a size, made where a function is called.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_BASE_HPP
#define NETCL_BASE_HPP

#include <netcl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif
#if __cplusplus > 202002L && defined(__has_include)
#if __has_include(<stdfloat>)
#include <stdfloat>
#endif
#endif

/* Define it as 1 to get a result<T> from each function; it is so where exceptions are off. */
#if !defined(__cpp_exceptions)
#undef NETCL_HPP_EXPECTED
#define NETCL_HPP_EXPECTED 1
#elif !defined(NETCL_HPP_EXPECTED)
#define NETCL_HPP_EXPECTED 0
#endif

/* Files of a program may be compiled in different ways: what differs has other names. */
#if !defined(__cpp_exceptions)
#define NETCL_HPP_WAY plain
#elif NETCL_HPP_EXPECTED
#define NETCL_HPP_WAY expected
#else
#define NETCL_HPP_WAY throwing
#endif
#define NETCL_HPP_JOINED(way, standard) way##standard
#define NETCL_HPP_JOIN(way, standard) NETCL_HPP_JOINED(way, standard)
#if __cplusplus >= 202002L
#define NETCL_HPP_MODE NETCL_HPP_JOIN(NETCL_HPP_WAY, 20)
#else
#define NETCL_HPP_MODE NETCL_HPP_JOIN(NETCL_HPP_WAY, 17)
#endif

namespace netcl {
inline namespace NETCL_HPP_MODE {

template <class Ref>
class owned;

namespace detail {

/** The type of what a container holds one after the other. */
template <class C>
using element_of = std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>;

/** Whether the elements of C can be taken for those of a list of T: itself, or an owned handle. */
template <class C, class T, class = void>
struct holds : std::false_type {};
template <class C, class T>
struct holds<C, T, std::void_t<element_of<C>, decltype(std::size(std::declval<C&>()))>>
    : std::bool_constant<std::is_convertible_v<element_of<C>*, T*> &&
                         sizeof(element_of<C>) == sizeof(T)> {};

/** An integer of any type, as braces may hold it: the library refuses what is out of range. */
template <class T>
struct integer {
  T value;
  template <class I, class = std::enable_if_t<std::is_integral_v<I>>>
  constexpr integer(I given) noexcept : value(static_cast<T>(given)) {}
};

template <class T>
struct braced {
  using type = T;
};
template <>
struct braced<int64_t> {
  using type = integer<int64_t>;
};
template <>
struct braced<uint64_t> {
  using type = integer<uint64_t>;
};

/** The dtype whose elements are a T of arithmetic, 0 where none has such. */
template <class T>
constexpr netcl_dtype find_dtype() noexcept {
#ifdef __STDCPP_FLOAT16_T__
  if (std::is_same_v<T, std::float16_t>) return NETCL_F16;
#endif
#ifdef __STDCPP_BFLOAT16_T__
  if (std::is_same_v<T, std::bfloat16_t>) return NETCL_BF16;
#endif
  if (!std::is_arithmetic_v<T> || sizeof(T) > 8) return 0;
  if (std::is_same_v<T, bool>) return NETCL_BOOL;
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? NETCL_F32 : NETCL_F64;
  constexpr netcl_dtype with_sign[] = {NETCL_I8, NETCL_I16, NETCL_I32, NETCL_I64};
  constexpr netcl_dtype without[] = {NETCL_U8, NETCL_U16, NETCL_U32, NETCL_U64};
  const size_t place = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return std::is_signed_v<T> ? with_sign[place] : without[place];
}

/** Whether a T is a number that is an element of no dtype, such as a long double. Its bytes are not
 * taken for those of another. */
template <class T>
inline constexpr bool is_too_wide = std::is_arithmetic_v<T> && sizeof(T) > 8;

/** What elements a list of the host has: none where they are structs, or char and std::byte, which
 * are bytes of whatever. */
template <class T>
constexpr netcl_dtype host_dtype() noexcept {
  using plain = std::remove_cv_t<T>;
  static_assert(!is_too_wide<plain>, "no dtype has such elements; convert them");
  return std::is_same_v<plain, char> ? 0 : find_dtype<plain>();
}

/** A number of entries as C has it: what does not fit is more than the library takes. */
constexpr uint32_t count(size_t size) noexcept {
  return size < UINT32_MAX ? static_cast<uint32_t>(size) : UINT32_MAX;
}

}  // namespace detail

#if __cplusplus >= 202002L
using std::span;
#else
/** std::span of C++20, as far as netcl.hpp needs it. */
template <class T>
class span {
 public:
  constexpr span() noexcept = default;
  constexpr span(T* data, size_t size) noexcept : data_(data), size_(size) {}
  template <class C, class = std::enable_if_t<detail::holds<C, T>::value>>
  constexpr span(C&& from) noexcept : data_(std::data(from)), size_(std::size(from)) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr T& operator[](size_t index) const noexcept { return data_[index]; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};
#endif

/** A list of at most N entries, which it holds: what a struct has within, copied out of it. */
template <class T, size_t N>
class bounded {
 public:
  constexpr bounded() noexcept = default;
  constexpr bounded(const T* from, size_t size) noexcept : size_(std::min(size, N)) {
    for (size_t i = 0; i < size_; i++) data_[i] = from[i];
  }
  operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

  constexpr const T* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const T* begin() const noexcept { return data_; }
  constexpr const T* end() const noexcept { return data_ + size_; }
  constexpr const T& operator[](size_t index) const noexcept { return data_[index]; }
  friend bool operator==(const bounded& a, const bounded& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const bounded& a, const bounded& b) noexcept { return !(a == b); }

 private:
  T data_[N] = {};
  size_t size_ = 0;
};

/** The extents of a tensor. */
using extents = bounded<int64_t, NETCL_RANK_MAX>;

/**
 * A list that a function is given: `{1, 2}`, an array, a vector, a span. Where T is a handle, it
 * takes lists of owned handles too. It is valid as long as what it was made from, braces to the end
 * of the expression in which they stand.
 */
template <class T>
class view {
  using item = typename detail::braced<T>::type;

 public:
  constexpr view() noexcept = default;
  constexpr view(const T* data, size_t size) noexcept : data_(data), size_(size) {}
  view(std::initializer_list<item> list) noexcept : view(first(list.begin()), list.size()) {}
  template <class C, class = std::enable_if_t<detail::holds<const C, const T>::value>>
  constexpr view(const C& from) noexcept : data_(std::data(from)), size_(std::size(from)) {}

  constexpr const T* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }
  constexpr uint32_t count() const noexcept { return detail::count(size_); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const T* begin() const noexcept { return data_; }
  constexpr const T* end() const noexcept { return data_ + size_; }
  constexpr const T& operator[](size_t index) const noexcept { return data_[index]; }

  /** The same list as C has it: a T begins with what C's has, and has no more. */
  template <class C>
  const C* as() const noexcept {
    static_assert(sizeof(C) == sizeof(T) && std::is_standard_layout_v<T>);
    return reinterpret_cast<const C*>(data_);
  }

 private:
  static const T* first(const item* given) noexcept {
    static_assert(sizeof(item) == sizeof(T));
    return reinterpret_cast<const T*>(given);
  }

  const T* data_ = nullptr;
  size_t size_ = 0;
};

/** A shape, with strides where they are not those of C order. Both count elements. */
class layout {
 public:
  layout() noexcept = default;
  layout(std::initializer_list<detail::integer<int64_t>> shape) noexcept : shape_(shape) {}
  template <class C, class = std::enable_if_t<detail::holds<const C, const int64_t>::value>>
  layout(const C& shape) noexcept : shape_(shape) {}

  /** A shape with as many strides. */
  static layout strided(view<int64_t> shape, view<int64_t> strides) noexcept {
    layout made;
    made.shape_ = shape;
    made.strides_ = strides;
    made.strided_ = true;
    return made;
  }

  uint32_t rank() const noexcept { return shape_.count(); }
  const int64_t* shape() const noexcept { return shape_.data(); }
  const int64_t* strides() const noexcept { return strides_.data(); }
  bool sound() const noexcept { return !strided_ || strides_.size() == shape_.size(); }

 private:
  view<int64_t> shape_, strides_;
  bool strided_ = false;
};

/** Text that ends with a NUL: a literal or a std::string. */
class text {
 public:
  constexpr text() noexcept = default;
  constexpr text(const char* from) noexcept : data_(from) {}
  text(const std::string& from) noexcept : data_(from.c_str()) {}
  constexpr const char* c_str() const noexcept { return data_; }

 private:
  const char* data_ = nullptr;
};

/** Data of the host that a call reads: any list of numbers or structs. Numbers have to be of the
 * tensor's dtype, where there is one; a pointer and a number of bytes are of any. */
class bytes_in {
 public:
  constexpr bytes_in(const void* data, size_t size) noexcept : data_(data), size_(size) {}
  template <class C,
            class = std::enable_if_t<std::is_trivially_copyable_v<detail::element_of<const C>>>>
  constexpr bytes_in(const C& from) noexcept
      : data_(std::data(from)),
        size_(std::size(from) * sizeof(*std::data(from))),
        element_(detail::host_dtype<detail::element_of<const C>>()) {}
  constexpr const void* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }
  /** The dtype of the elements; 0: not known. */
  constexpr netcl_dtype element() const noexcept { return element_; }

 private:
  const void* data_;
  size_t size_;
  netcl_dtype element_ = 0;
};

/** Data of the host that a call fills, likewise. */
class bytes_out {
 public:
  constexpr bytes_out(void* data, size_t size) noexcept : data_(data), size_(size) {}
  template <class C, class = std::enable_if_t<std::is_trivially_copyable_v<detail::element_of<C>> &&
                                              !std::is_const_v<detail::element_of<C>>>>
  constexpr bytes_out(C&& from) noexcept
      : data_(std::data(from)),
        size_(std::size(from) * sizeof(*std::data(from))),
        element_(detail::host_dtype<detail::element_of<C>>()) {}
  constexpr netcl_dtype element() const noexcept { return element_; }
  constexpr void* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }

 private:
  void* data_;
  size_t size_;
  netcl_dtype element_ = 0;
};

/** A length of time of std::chrono, as C has it: less than nothing is nothing. */
class duration {
 public:
  template <class Rep, class Period>
  constexpr duration(std::chrono::duration<Rep, Period> time) noexcept : ns_(from(time)) {}
  constexpr uint64_t count() const noexcept { return ns_; }

 protected:
  constexpr explicit duration(uint64_t ns) noexcept : ns_(ns) {}

 private:
  /* What does not fit into nanoseconds of 63 bits, nearly three centuries, is cut. */
  template <class Rep, class Period>
  static constexpr uint64_t from(std::chrono::duration<Rep, Period> time) noexcept {
    using std::chrono::nanoseconds;
    if (time <= std::chrono::duration<Rep, Period>::zero()) return 0;
    const auto seconds = std::chrono::duration<double>(time).count();
    if (!(seconds < 9.2e9)) return static_cast<uint64_t>(nanoseconds::max().count());
    return static_cast<uint64_t>(std::chrono::duration_cast<nanoseconds>(time).count());
  }

  uint64_t ns_;
};

/** How long a call waits at most; without limit where nothing is said. */
class timeout : public duration {
 public:
  using duration::duration;
  constexpr timeout() noexcept : duration(NETCL_WAIT_FOREVER) {}
};

namespace detail {

/** A time that C gives, at most the longest that std::chrono has. */
constexpr std::chrono::nanoseconds to_chrono(uint64_t ns) noexcept {
  constexpr auto most = static_cast<uint64_t>(std::chrono::nanoseconds::max().count());
  return std::chrono::nanoseconds(static_cast<int64_t>(ns < most ? ns : most));
}

/** A text within a struct, which is NUL-terminated where it is shorter than its place. */
template <size_t N>
std::string_view inline_text(const char (&from)[N]) noexcept {
  return {from, static_cast<size_t>(std::find(from, from + N, '\0') - from)};
}

}  // namespace detail
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_BASE_HPP */
