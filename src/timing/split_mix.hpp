// Random numbers for resampling and for the order of turns: the same for the same seed everywhere.
#pragma once

#include <cmath>
#include <cstdint>

namespace netcl::timing {

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // From 0 to count - 1. The bias of the remainder is below count / 2^64.
  uint64_t below(uint64_t count) { return next() % count; }
  // The same without a division; the bias is below count / 2^32.
  uint32_t below_small(uint32_t count) {
    return static_cast<uint32_t>(((next() >> 32) * count) >> 32);
  }
  // Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

 private:
  uint64_t state_;
};

}  // namespace netcl::timing
