#include "kernel/scalars.hpp"

#include <algorithm>
#include <cstring>

#include "core/hash.hpp"
#include "kernel/launch.hpp"

namespace netcl {

namespace {

bool is_free(const Kernel& kernel, size_t index) {
  return index < NETCL_ARGS_MAX && (kernel.spec().free_arguments >> index & 1) != 0;
}

// As the call tells it, else of the parameter; 0 when that is not known either.
netcl_dtype scalar_dtype(const Kernel& kernel, size_t index, const netcl_arg& arg) {
  if (arg.dtype != 0) return arg.dtype;
  const bool known =
      kernel.built() && kernel.facts().parameters_known && index < kernel.facts().parameters.size();
  return known ? kernel.facts().parameters[index].dtype : 0;
}

int64_t integer_at(netcl_dtype dtype, const char* data) {
  uint64_t bits = 0;
  const size_t width = dtype_size(dtype);
  std::memcpy(&bits, data, width);  // the lowest byte comes first wherever netcl runs
  if (dtype_facts(dtype).kind != DtypeClass::signed_integer) return static_cast<int64_t>(bits);
  const unsigned spare = 64 - 8 * static_cast<unsigned>(width);
  return static_cast<int64_t>(bits << spare) >> spare;
}

}  // namespace

std::string_view plain_bytes(const LaunchArgument& argument) {
  const netcl_arg& arg = *argument.arg;
  if (arg.kind == NETCL_ARG_SCALAR) {
    return {reinterpret_cast<const char*>(arg.value), std::min<size_t>(arg.size, sizeof arg.value)};
  }
  if (arg.kind == NETCL_ARG_DATA && arg.data != nullptr) {
    return {static_cast<const char*>(arg.data), arg.size};
  }
  return {};
}

void Scalars::add(int64_t value) {
  if (count < kMost) {
    values[count++] = value;
    return;
  }
  // The last place stands for all that has none.
  const int64_t both[2] = {values[kMost - 1], value};
  --count;
  add_bytes(both, sizeof both);
}

void Scalars::add_bytes(const void* data, size_t size) {
  add(-1 - static_cast<int64_t>(hash128(data, size).low >> 1));
}

Scalars::Scalars(const Kernel& kernel, std::span<const LaunchArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const netcl_arg& arg = *arguments[i].arg;
    if (is_free(kernel, i)) continue;
    if (arg.kind == NETCL_ARG_LOCAL) add(-1 - static_cast<int64_t>(arg.size));
    if (arg.kind != NETCL_ARG_SCALAR && arg.kind != NETCL_ARG_DATA) continue;
    const std::string_view bytes = plain_bytes(arguments[i]);
    const netcl_dtype dtype = scalar_dtype(kernel, i, arg);
    if (dtype == 0) {
      add_bytes(bytes.data(), bytes.size());
    } else if (!is_float(dtype)) {
      const size_t width = dtype_size(dtype);
      for (size_t at = 0; at + width <= bytes.size(); at += width) {
        add(integer_at(dtype, bytes.data() + at));
      }
    }
  }
}

std::optional<int64_t> Scalars::integer(const Kernel& kernel, size_t index,
                                        const LaunchArgument& argument) {
  const netcl_arg_kind kind = argument.arg->kind;
  if (kind != NETCL_ARG_SCALAR && kind != NETCL_ARG_DATA) return std::nullopt;
  const netcl_dtype dtype = scalar_dtype(kernel, index, *argument.arg);
  const std::string_view bytes = plain_bytes(argument);
  const bool one = dtype != 0 && !is_float(dtype) && bytes.size() == dtype_size(dtype);
  if (!one || is_free(kernel, index)) return std::nullopt;
  return integer_at(dtype, bytes.data());
}

}  // namespace netcl
