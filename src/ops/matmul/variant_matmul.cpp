// The rule for matrix products; docs/variants.md has the reasons for the numbers.
#include <algorithm>

#include "core/error.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops::variant_rules {
namespace {

// Products of so few multiplications take less time than a launch, and on the built-in device than
// packing.
constexpr int64_t kTinyWork = 16 * 16 * 16;
constexpr int64_t kTinyWorkBuiltin = 4 * 4 * 4;
// In a batch the launch is shared, so only smaller ones than this are not worth a tile of a CPU.
constexpr int64_t kTinyInBatch = 8 * 8 * 8;
constexpr int64_t kTinyBatchWork = 16 * kTinyWork;
// On a CPU of OpenCL: up to this many rows or columns a is read where it is.
constexpr int64_t kDirectSide = 1280;

// True when m * n * k is at most `limit`, without overflow.
bool work_at_most(int64_t m, int64_t n, int64_t k, int64_t limit) {
  return m <= limit && n <= limit && k <= limit && m * n <= limit && m * n * k <= limit;
}

bool has_vector_product(const MatmulCase& p) {
  return p.n == 1 &&
         (p.a == UnitStride::rows || (p.a == UnitStride::columns && p.b == UnitStride::rows));
}

int64_t cpu_tile_rows(const VariantTarget& target) {
  return target.capabilities.preferred_vector_width_f32 >= 16 ? 12 : 6;
}

int64_t cpu_lanes(const VariantTarget& target, const MatmulCase& p) {
  const int64_t lanes = target.capabilities.preferred_vector_width_f32 >= 16 ? 16 : 8;
  return p.dtype == NETCL_F64 ? lanes / 2 : lanes;
}

bool is_wide(netcl_dtype dtype) { return dtype == NETCL_F32 || dtype == NETCL_F64; }

// ---- What stands in the way of a variant

std::string cpu_obstacle(const VariantTarget& target, const MatmulCase& p, netcl_variant variant) {
  if (variant == NETCL_VARIANT_MATMUL_NAIVE) return {};
  if (variant != NETCL_VARIANT_MATMUL_VECTORIZED || has_vector_product(p)) return {};
  if (!is_wide(p.dtype)) {
    return "it reads a where it is, which takes f32 or f64 unless one side is 1";
  }
  if (p.a != UnitStride::columns) {
    return "it reads a where it is, which takes a unit stride along the depth";
  }
  if (p.m < cpu_tile_rows(target)) {
    return format("it reads a where it is, which takes %lld rows and there are %lld",
                  number(cpu_tile_rows(target)), number(p.m));
  }
  return {};
}

std::string builtin_obstacle(const MatmulCase& p, netcl_variant variant) {
  if (variant == NETCL_VARIANT_MATMUL_VECTORIZED && p.k > 0 && p.a == UnitStride::none) {
    return "it reads a where it is, which takes a unit stride";
  }
  return {};
}

// ---- Choices by device

VariantConfig choose_cpu(const VariantTarget& target, const MatmulCase& p) {
  if (work_at_most(p.m, p.n, p.k, kTinyWork)) {
    const int64_t work = p.m * p.n * p.k;
    if (product_up_to(work, p.batch, kTinyBatchWork) < kTinyBatchWork) {
      return make(NETCL_VARIANT_MATMUL_NAIVE,
                  "m * n * k = %lld is not above %lld: it takes less time than a second launch",
                  number(work), number(kTinyWork));
    }
    if (work < kTinyInBatch) {
      return make(NETCL_VARIANT_MATMUL_NAIVE,
                  "m * n * k = %lld is below %lld: a tile would be nearly empty", number(work),
                  number(kTinyInBatch));
    }
  }
  if (has_vector_product(p)) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "one side is 1: each element is used once and is not packed");
  }
  const std::string why = cpu_obstacle(target, p, NETCL_VARIANT_MATMUL_VECTORIZED);
  if (!why.empty()) {
    return make(NETCL_VARIANT_MATMUL_REGISTER_TILED,
                "packed operands suit any layout; vectorized: %s", why.c_str());
  }
  if (std::min(p.m, p.n) <= kDirectSide) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "min(m, n) = %lld is not above %lld: packing a would cost more than it saves",
                number(std::min(p.m, p.n)), number(kDirectSide));
  }
  return make(NETCL_VARIANT_MATMUL_REGISTER_TILED,
              "min(m, n) = %lld is above %lld: rows of a far apart are in each other's way in the "
              "cache, so both operands are packed",
              number(std::min(p.m, p.n)), number(kDirectSide));
}

VariantConfig choose_builtin(const MatmulCase& p) {
  if (p.n == 1 && p.a != UnitStride::none) {
    return make(NETCL_VARIANT_MATMUL_VECTORIZED,
                "one side is 1: each element is used once and is not packed");
  }
  if (work_at_most(p.m, p.n, p.k, kTinyWorkBuiltin)) {
    return make(NETCL_VARIANT_MATMUL_NAIVE,
                "m * n * k = %lld is not above %lld: packing costs more", number(p.m * p.n * p.k),
                number(kTinyWorkBuiltin));
  }
  return make(NETCL_VARIANT_MATMUL_REGISTER_TILED,
              "m * n * k is above %lld: packed operands feed the register tile",
              number(kTinyWorkBuiltin));
}

// ---- Configurations

void configure_cpu(const VariantTarget& target, const MatmulCase& p, VariantConfig* c) {
  const auto lanes = static_cast<uint32_t>(cpu_lanes(target, p));
  const auto rows = static_cast<uint32_t>(cpu_tile_rows(target));
  c->local_size_1d = c->local_size_2d[0] = c->local_size_2d[1] = 1;
  c->vector_width = lanes;
  c->use_vectorization = 1;
  c->work_per_thread_m = rows;
  c->work_per_thread_n = 2 * lanes;
  switch (c->variant) {
    case NETCL_VARIANT_MATMUL_NAIVE: {
      c->vector_width = c->work_per_thread_m = c->work_per_thread_n = 1;
      c->use_vectorization = 0;
      if (target.capabilities.max_work_group_size >= 64) {
        c->local_size_1d = 64;
        c->local_size_2d[0] = 16;
        c->local_size_2d[1] = 4;
      }
      return set_kernel(c, "netcl_matmul_naive");
    }
    case NETCL_VARIANT_MATMUL_TILED:
      c->tile_m = c->tile_n = c->work_per_thread_m = c->work_per_thread_n = 32;
      c->tile_k = 64;
      return set_kernel(c, "netcl_matmul_cpu_tiled");
    case NETCL_VARIANT_MATMUL_REGISTER_TILED:
      c->tile_m = rows;
      c->tile_n = 2 * lanes;
      c->tile_k = static_cast<uint32_t>(2048 / compute_bytes(p.dtype));
      return set_kernel(c, "netcl_matmul_cpu_register_tiled");
    default:
      if (has_vector_product(p)) {
        c->work_per_thread_m = p.a == UnitStride::columns ? 16 : 8 * lanes;
        c->work_per_thread_n = 1;
        return set_kernel(c, p.a == UnitStride::columns && p.b == UnitStride::rows
                                 ? "netcl_matmul_cpu_vectorized_dot"
                                 : "netcl_matmul_cpu_vectorized_add");
      }
      c->tile_m = rows;
      c->tile_n = 2 * lanes;
      c->tile_k = static_cast<uint32_t>(3072 / compute_bytes(p.dtype));
      return set_kernel(c, "netcl_matmul_cpu_vectorized");
  }
}

void configure_builtin(const MatmulCase& p, VariantConfig* c) {
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
    const std::string why = kind == DeviceClass::builtin ? builtin_obstacle(p, wanted.variant)
                            : kind == DeviceClass::cpu
                                ? cpu_obstacle(target, p, wanted.variant)
                                : matmul_gpu_obstacle(target, p, wanted.variant);
    if (!why.empty()) refuse(wanted, "%s", why.c_str());
    config = requested(wanted);
  } else if (p.k == 0) {
    config = make(NETCL_VARIANT_MATMUL_NAIVE, "k = 0 leaves nothing to multiply");
  } else if (kind == DeviceClass::builtin) {
    config = choose_builtin(p);
  } else if (kind == DeviceClass::cpu) {
    config = choose_cpu(target, p);
  } else if (work_at_most(p.m, p.n, p.k, kTinyWork)) {
    config = make(NETCL_VARIANT_MATMUL_NAIVE,
                  "m * n * k = %lld is not above %lld: it takes less time than a launch",
                  number(p.m * p.n * p.k), number(kTinyWork));
  } else {
    config = choose_matmul_gpu(target, p);
  }
  if (kind == DeviceClass::builtin) {
    configure_builtin(p, &config);
  } else if (kind == DeviceClass::cpu) {
    configure_cpu(target, p, &config);
  } else {
    configure_matmul_gpu(target, p, &config);
  }
  return config;
}

}  // namespace netcl::ops::variant_rules
