// Which SIMD instruction sets the built-in backend may use on this machine.
//
// A file with SIMD code includes this header before anything of Highway: it fixes the set of
// targets that are generated, so that every file dispatches over the same list. Highway is used
// header-only; the two functions its dispatch calls are defined in simd_targets.cpp.
#pragma once

#include <cstdint>

// SSSE3 machines fall back to the baseline. The sizeless vectors of SVE cannot be kept in the
// aggregates that the kernels use; NEON serves those machines. 32-bit ARM has no vectors of f64.
#ifdef NETCL_SANITIZED
// Compilers take minutes for each target under sanitizers, so AVX2 and the baseline are enough.
#define NETCL_LEFT_OUT (HWY_SSE4 | (HWY_AVX2 - 1))  // the bits below are what AVX2 lacks
#else
#define NETCL_LEFT_OUT 0
#endif
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS                                              \
  (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 |          \
   (HWY_ARCH_ARM_V7 ? HWY_NEON : 0) | NETCL_LEFT_OUT)
#endif

namespace netcl::cpu {

// The name of the best target that this machine runs: "AVX3", "AVX2", "SSE4", "NEON", "SCALAR".
const char* simd_target_name() noexcept;

}  // namespace netcl::cpu
