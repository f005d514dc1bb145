#include "tune/compare.hpp"

#include "core/number.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace netcl::tune {

namespace {

// One element as a number that holds every value of its dtype.
struct LoadF16 {
  using Number = double;
  static double load(const unsigned char* at) {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return f32_from_f16(bits);
  }
};
struct LoadBf16 {
  using Number = double;
  static double load(const unsigned char* at) {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return f32_from_bf16(bits);
  }
};
template <class T>
struct LoadPlain {
  using Number = std::conditional_t<std::is_floating_point_v<T>, double,
                                    std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
  static Number load(const unsigned char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};

double default_relative(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F64:
      return 1e-9;
    case NETCL_F32:
      return 1e-4;
    case NETCL_F16:
      return 1e-2;
    case NETCL_BF16:
      return 4e-2;
    default:
      return 0;
  }
}

// The root mean square of what is finite.
template <class Load>
double root_mean_square(const unsigned char* data, uint64_t count, size_t size) {
  double sum = 0;
  uint64_t finite = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(Load::load(data + i * size));
    if (!std::isfinite(value)) continue;
    sum += value * value;
    ++finite;
  }
  return finite == 0 || !std::isfinite(sum) ? 0 : std::sqrt(sum / static_cast<double>(finite));
}

// A few units in the last place, by which sums in another order are off.
double rounding_of(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F64:
      return 0x1p-50;
    case NETCL_F32:
      return 0x1p-21;
    case NETCL_F16:
      return 0x1p-9;
    default:
      return 0x1p-6;
  }
}

template <class Load>
double largest_change(const unsigned char* want, const unsigned char* before, uint64_t count,
                      size_t size) {
  double most = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const double change = std::fabs(static_cast<double>(Load::load(want + i * size)) -
                                    static_cast<double>(Load::load(before + i * size)));
    if (std::isfinite(change) && change > most) most = change;
  }
  return most;
}

template <class Load>
Bounds bounds_of(const JobArgument& argument, const unsigned char* want,
                 const unsigned char* before, uint64_t count) {
  const Tolerance& given = argument.tolerance;
  Bounds bounds;
  const bool floats = is_float(argument.dtype);
  bounds.exact = given.exact || (!floats && given.absolute < 0 && given.relative < 0);
  if (bounds.exact) return bounds;
  if (floats && before != nullptr && given.absolute < 0 && given.relative < 0) {
    bounds.most = 0.25 * largest_change<Load>(want, before, count, dtype_size(argument.dtype));
    bounds.rounding = rounding_of(argument.dtype);
  }
  bounds.relative = given.relative < 0 ? default_relative(argument.dtype) : given.relative;
  bounds.absolute = given.absolute;
  if (bounds.absolute < 0) {
    const size_t size = dtype_size(argument.dtype);
    bounds.absolute = floats ? bounds.relative * root_mean_square<Load>(want, count, size) : 0;
  }
  return bounds;
}

bool within(const Bounds& bounds, double got, double want) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  const double most = std::fmax(bounds.most, bounds.rounding * std::fabs(want));
  return std::fabs(got - want) <=
         std::fmin(bounds.absolute + bounds.relative * std::fabs(want), most);
}
template <class Integer>
bool within(const Bounds& bounds, Integer got, Integer want) {
  // 64-bit values lose digits as double, their difference does not.
  const uint64_t gap = got > want ? static_cast<uint64_t>(got) - static_cast<uint64_t>(want)
                                  : static_cast<uint64_t>(want) - static_cast<uint64_t>(got);
  return static_cast<double>(gap) <=
         bounds.absolute + bounds.relative * std::fabs(static_cast<double>(want));
}

std::string element_text(const JobArgument& argument, uint64_t index) {
  if (argument.shape.size() < 2) return format("%llu", static_cast<unsigned long long>(index));
  std::vector<int64_t> at(argument.shape.size());
  for (size_t d = at.size(); d-- > 0;) {
    const auto extent = static_cast<uint64_t>(argument.shape[d]);
    at[d] = static_cast<int64_t>(index % extent);
    index /= extent;
  }
  std::string text = "[";
  for (size_t d = 0; d < at.size(); ++d) {
    text += format("%s%lld", d == 0 ? "" : ", ", static_cast<long long>(at[d]));
  }
  return text + "]";
}

std::string difference_text(const JobArgument& argument, const Stretch& stretch, uint64_t first,
                            const std::string& got, const std::string& want, uint64_t wrong) {
  return format("element %s is %s and should be %s; %llu of %llu differ",
                element_text(argument, stretch.first + first).c_str(), got.c_str(), want.c_str(),
                static_cast<unsigned long long>(wrong),
                static_cast<unsigned long long>(stretch.count));
}

template <class Load>
std::optional<std::string> compare(const JobArgument& argument, const Bounds& bounds,
                                   const Stretch& stretch, const unsigned char* got,
                                   const unsigned char* want) {
  const uint64_t count = stretch.count;
  const size_t size = dtype_size(argument.dtype);
  uint64_t first = 0;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const unsigned char* a = got + i * size;
    const unsigned char* b = want + i * size;
    if (std::memcmp(a, b, size) == 0) continue;
    if (!bounds.exact && within(bounds, Load::load(a), Load::load(b))) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return std::nullopt;
  const auto text = [&](const unsigned char* elements) {
    const auto value = Load::load(elements + first * size);
    if constexpr (std::is_floating_point_v<decltype(Load::load(elements))>) {
      return argument.dtype == NETCL_F64 ? number_text(value) : general_text(value, 9);
    } else {
      return number_text(value);
    }
  };
  return difference_text(argument, stretch, first, text(got), text(want), wrong);
}

// Anything but zero is true; what was never written is neither.
std::optional<std::string> compare_bool(const JobArgument& argument, const Stretch& stretch,
                                        const unsigned char* got, const unsigned char* want,
                                        unsigned char poison) {
  uint64_t first = 0;
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < stretch.count; ++i) {
    if (got[i] == want[i]) continue;
    if (got[i] != poison && (got[i] != 0) == (want[i] != 0)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return std::nullopt;
  return difference_text(argument, stretch, first, format("%d", got[first]),
                         format("%d", want[first]), wrong);
}

// Calls `body` with the loader of a dtype; false for one that is no number.
template <class Body>
bool with_loader(netcl_dtype dtype, Body body) {
  switch (dtype) {
    case NETCL_F16:
      return body(LoadF16()), true;
    case NETCL_BF16:
      return body(LoadBf16()), true;
    case NETCL_F32:
      return body(LoadPlain<float>()), true;
    case NETCL_F64:
      return body(LoadPlain<double>()), true;
    case NETCL_I8:
      return body(LoadPlain<int8_t>()), true;
    case NETCL_I16:
      return body(LoadPlain<int16_t>()), true;
    case NETCL_I32:
      return body(LoadPlain<int32_t>()), true;
    case NETCL_I64:
      return body(LoadPlain<int64_t>()), true;
    case NETCL_U8:
      return body(LoadPlain<uint8_t>()), true;
    case NETCL_U16:
      return body(LoadPlain<uint16_t>()), true;
    case NETCL_U32:
      return body(LoadPlain<uint32_t>()), true;
    case NETCL_U64:
      return body(LoadPlain<uint64_t>()), true;
    default:
      return false;
  }
}

}  // namespace

unsigned char poison_byte(netcl_dtype dtype, uint32_t round) noexcept {
  const DtypeFacts* facts = dtype_facts_or_null(dtype);
  const bool floating = facts != nullptr && facts->kind == DtypeClass::floating;
  if (round % 2 != 0) return 0x5a;
  return floating ? 0xff : 0xa5;
}

Bounds comparison_bounds(const JobArgument& argument, const void* want, const void* before) {
  Bounds bounds;
  with_loader(argument.dtype, [&](auto loader) {
    bounds = bounds_of<decltype(loader)>(argument, static_cast<const unsigned char*>(want),
                                         static_cast<const unsigned char*>(before),
                                         argument.element_count());
  });
  return bounds;
}

std::optional<std::string> describe_difference(const JobArgument& argument, const Bounds& bounds,
                                               const Stretch& stretch, const void* got,
                                               const void* want, uint32_t round) {
  const auto* a = static_cast<const unsigned char*>(got);
  const auto* b = static_cast<const unsigned char*>(want);
  std::optional<std::string> text;
  const bool number = with_loader(argument.dtype, [&](auto loader) {
    text = compare<decltype(loader)>(argument, bounds, stretch, a, b);
  });
  return number ? text : compare_bool(argument, stretch, a, b, poison_byte(NETCL_BOOL, round));
}

std::optional<std::string> describe_difference(const JobArgument& argument, const void* got,
                                               const void* want, uint32_t round) {
  return describe_difference(argument, comparison_bounds(argument, want),
                             {0, argument.element_count()}, got, want, round);
}

}  // namespace netcl::tune
