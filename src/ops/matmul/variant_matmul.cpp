// The rule for matrix products; docs/variants.md has the reasons for the numbers.
#include <algorithm>

#include "core/error.hpp"
#include "core/integer.hpp"
#include "ops/matmul/matmul_plan.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

// Products of so few multiplications take less time than a launch, and in the built-in loops than
// packing.
constexpr int64_t kTinyWork = 16 * 16 * 16;
constexpr int64_t kTinyWorkNative = 4 * 4 * 4;
// True when m * n * k is at most `limit`, without overflow.
bool work_at_most(int64_t m, int64_t n, int64_t k, int64_t limit) {
  return m <= limit && n <= limit && k <= limit && m * n <= limit && m * n * k <= limit;
}

// ---- What stands in the way of a variant

std::string native_obstacle(const MatmulCase& p, netcl_variant variant) {
  if (variant == NETCL_VARIANT_MATMUL_MATRIX_UNITS) {
    return "it is a kernel for matrix units of GPUs";
  }
  if (variant == NETCL_VARIANT_MATMUL_VECTORIZED && p.k > 0 && p.a == UnitStride::none) {
    return "it reads a where it is, which takes a unit stride";
  }
  return {};
}

// ---- Choices by device

VariantConfig choose_native(const MatmulCase& p) {
  if (p.n == 1 && p.a != UnitStride::none) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "one side is 1: each element is used once and is not packed");
  }
  if (work_at_most(p.m, p.n, p.k, kTinyWorkNative)) {
    return make(NETCL_VARIANT_MATMUL_NAIVE,
                "m * n * k = %lld is not above %lld: packing costs more", number(p.m * p.n * p.k),
                number(kTinyWorkNative));
  }
  return make(NETCL_VARIANT_MATMUL_REGISTER_TILED,
              "m * n * k is above %lld: packed operands feed the register tile",
              number(kTinyWorkNative));
}

// ---- Configurations

void configure_native(const MatmulCase& p, VariantConfig* c) {
  switch (c->variant) {
    case NETCL_VARIANT_MATMUL_NAIVE:
      c->work_per_thread_m = c->work_per_thread_n = c->vector_width = 1;
      break;
    case NETCL_VARIANT_MATMUL_TILED:
      c->tile_m = 32;
      c->tile_n = 64;
      c->tile_k = 64;
      c->vector_width = 1;
      break;
    case NETCL_VARIANT_MATMUL_REGISTER_TILED:
      c->tile_k = static_cast<uint32_t>(2048 / compute_bytes(p.dtype));
      if (is_matmul_byte(p.dtype)) c->tile_k = 1024;  // in pairs
      c->use_vectorization = 1;
      break;
    default:
      c->use_vectorization = 1;
  }
  set_kernel(c, variant_kernel(c->variant));
}

}  // namespace

VariantConfig matmul(const VariantTarget& target, const MatmulCase& p, const Wanted& wanted) {
  const DeviceClass kind = device_class(target);
  VariantConfig config;
  if (wanted.variant != 0) {
    const std::string why = kind == DeviceClass::native
                                ? native_obstacle(p, wanted.variant)
                                : matmul_cl_obstacle(target, p, wanted.variant);
    if (!why.empty()) refuse(wanted, "%s", why.c_str());
    config = requested(wanted);
  } else if (p.k == 0) {
    config = make(NETCL_VARIANT_MATMUL_NAIVE, "k = 0 leaves nothing to multiply");
  } else if (kind == DeviceClass::native) {
    config = choose_native(p);
  } else if (work_at_most(p.m, p.n, p.k, kTinyWork)) {
    config = make(NETCL_VARIANT_MATMUL_NAIVE,
                  "m * n * k = %lld is not above %lld: it takes less time than a launch",
                  number(p.m * p.n * p.k), number(kTinyWork));
  } else {
    config = choose_matmul_cl(target, p);
  }
  if (kind == DeviceClass::native) {
    configure_native(p, &config);
  } else {
    configure_matmul_cl(target, p, &config);
  }
  return config;
}

}  // namespace netcl::ops::variant_rules
