// Detection of the instruction sets, and the few functions of Highway that are not in its headers.
// Highway's own library is shared-only on some systems, and nothing but libc may be linked.
#include "backend/cpu/simd_targets.hpp"

#include <cstdarg>

#include "core/error.hpp"
#include "hwy/targets.h"

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace netcl::cpu {
namespace {

#if HWY_ARCH_X86

constexpr bool has_bit(uint32_t word, int bit) { return (word >> bit) & 1; }

// The register states that the operating system saves on a context switch.
uint64_t enabled_states() {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<uint64_t>(high) << 32) | low;
}

int64_t detect_targets() {
  uint32_t a = 0, b1 = 0, c1 = 0, d1 = 0;
  if (__get_cpuid(1, &a, &b1, &c1, &d1) == 0) return 0;
  uint32_t b7 = 0, c7 = 0, d7 = 0;
  __get_cpuid_count(7, 0, &a, &b7, &c7, &d7);
  uint32_t b_ext = 0, c_ext = 0, d_ext = 0;
  __get_cpuid(0x80000001u, &a, &b_ext, &c_ext, &d_ext);

  int64_t targets = 0;
  const bool sse4 = has_bit(c1, 9) && has_bit(c1, 19) && has_bit(c1, 20) && has_bit(c1, 1) &&
                    has_bit(c1, 25);  // ssse3, sse4.1, sse4.2, pclmul, aes
  if (!sse4) return targets;
  targets |= HWY_SSE4 | HWY_SSSE3;

  const bool saves_states = has_bit(c1, 27);
  const uint64_t states = saves_states ? enabled_states() : 0;
  const bool avx2 = (states & 0x6) == 0x6 && has_bit(c1, 28) && has_bit(c1, 12) &&
                    has_bit(c1, 29) && has_bit(b7, 5) && has_bit(b7, 3) && has_bit(b7, 8) &&
                    has_bit(c_ext, 5);  // avx, fma, f16c, avx2, bmi1, bmi2, lzcnt
  if (!avx2) return targets;
  targets |= HWY_AVX2;

  const bool avx3 = (states & 0xe6) == 0xe6 && has_bit(b7, 16) && has_bit(b7, 17) &&
                    has_bit(b7, 28) && has_bit(b7, 30) && has_bit(b7, 31);  // f, dq, cd, bw, vl
  if (avx3) targets |= HWY_AVX3;
  return targets;
}

#else

// Elsewhere the compiler's baseline is what all machines of the architecture have.
int64_t detect_targets() { return HWY_ENABLED_BASELINE; }

#endif

int64_t supported_targets() {
  return detect_targets() | HWY_ENABLED_BASELINE | HWY_EMU128 | HWY_SCALAR;
}

}  // namespace

const char* simd_target_name() noexcept {
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(targets & -targets);
}

}  // namespace netcl::cpu

namespace hwy {

__attribute__((visibility("hidden"))) int64_t SupportedTargets() {
  return netcl::cpu::supported_targets();
}

// The object has a constant initialiser and no destructor, so it is sound at any time.
__attribute__((visibility("hidden"))) ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

// Highway's assertions end here; they are checked in unoptimised builds only. The boundary guard
// turns the exception into a status.
__attribute__((visibility("hidden"))) void Abort(const char* file, int line, const char* pattern,
                                                 ...) {
  static_cast<void>(pattern);
  netcl::fail(NETCL_ERROR_INTERNAL, "SIMD assertion at %s:%d", file, line);
}

}  // namespace hwy
