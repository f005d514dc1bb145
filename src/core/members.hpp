// The members of a plain struct one after the other, found by the compiler: what is done to each of
// them cannot leave one out. The struct is an aggregate without bases and without C arrays (a
// std::array is one member).
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace netcl {

namespace members_detail {

// Converts to any type, in unevaluated code alone.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: the conversion is the purpose
};

template <size_t>
using AnythingFor = Anything;

template <class T, size_t... Index>
constexpr bool takes(std::index_sequence<Index...>) {
  return requires { T{AnythingFor<Index>{}...}; };
}

inline constexpr size_t kMost = 16;

// The largest number of values that the struct can be made of.
template <class T, size_t Count = kMost>
constexpr size_t count() {
  static_assert(!takes<T>(std::make_index_sequence<kMost + 1>()),
                "the struct has too many members");
  if constexpr (Count == 0 || takes<T>(std::make_index_sequence<Count>())) {
    return Count;
  } else {
    return count<T, Count - 1>();
  }
}

}  // namespace members_detail

template <class T>
inline constexpr size_t kMemberCount = members_detail::count<std::remove_const_t<T>>();

// Calls function(member) for each of up to 16 members, in their order. T may be const.
template <class T, class Function>
void for_each_member(T& value, Function&& function) {
  static_assert(std::is_aggregate_v<T>);
  constexpr size_t n = kMemberCount<T>;
  const auto each = [&](auto&... member) { (function(member), ...); };
#define NETCL_MEMBERS(count, ...) \
  if constexpr (n == (count)) {   \
    auto& [__VA_ARGS__] = value;  \
    each(__VA_ARGS__);            \
  }
  NETCL_MEMBERS(1, a)
  NETCL_MEMBERS(2, a, b)
  NETCL_MEMBERS(3, a, b, c)
  NETCL_MEMBERS(4, a, b, c, d)
  NETCL_MEMBERS(5, a, b, c, d, e)
  NETCL_MEMBERS(6, a, b, c, d, e, f)
  NETCL_MEMBERS(7, a, b, c, d, e, f, g)
  NETCL_MEMBERS(8, a, b, c, d, e, f, g, h)
  NETCL_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  NETCL_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  NETCL_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  NETCL_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  NETCL_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  NETCL_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, o)
  NETCL_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p)
  NETCL_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q)
#undef NETCL_MEMBERS
}

}  // namespace netcl
