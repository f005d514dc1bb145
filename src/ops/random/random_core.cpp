#include "ops/random/random_core.hpp"

#include <algorithm>
#include <cfloat>
#include <cstring>

#include "core/dtype.hpp"

// Each operation must be rounded on its own. The build says -ffp-contract=off; these would break it
// in ways that flag does not reach.
#ifdef __FAST_MATH__
#error "this file must not be compiled with -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "floating arithmetic must not carry excess precision");

namespace netcl {

// So many blocks are made at a time: enough for vector instructions, few enough for the first
// cache.
static constexpr int kBatch = 64;

namespace {

// The words of a batch, word by word, so that the loops below run along the blocks.
struct Words {
  uint32_t x[4][kBatch];
};

template <typename To, typename From>
inline To as(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

__extension__ typedef unsigned __int128 Wide;

}  // namespace

// ---- Philox -------------------------------------------------------------------------------------

static constexpr uint32_t kMultiplier0 = 0xD2511F53u;
static constexpr uint32_t kMultiplier1 = 0xCD9E8D57u;
static constexpr uint32_t kWeyl0 = 0x9E3779B9u;
static constexpr uint32_t kWeyl1 = 0xBB67AE85u;
static constexpr int kRounds = 10;

static void philox_round(Words* w, int count, uint32_t key0, uint32_t key1) {
  for (int i = 0; i < count; ++i) {
    const uint64_t p0 = uint64_t{kMultiplier0} * w->x[0][i];
    const uint64_t p1 = uint64_t{kMultiplier1} * w->x[2][i];
    w->x[0][i] = static_cast<uint32_t>(p1 >> 32) ^ w->x[1][i] ^ key0;
    w->x[1][i] = static_cast<uint32_t>(p1);
    w->x[2][i] = static_cast<uint32_t>(p0 >> 32) ^ w->x[3][i] ^ key1;
    w->x[3][i] = static_cast<uint32_t>(p0);
  }
}

static void philox_rounds(Words* w, int count, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < kRounds; ++round) {
    philox_round(w, count, key0, key1);
    key0 += kWeyl0;
    key1 += kWeyl1;
  }
}

// `mask` keeps block numbers within the stream: they wrap where element numbers do.
static void make_words(uint64_t seed, uint64_t block, uint64_t mask, int count, Words* w) {
  for (int i = 0; i < count; ++i) {
    const uint64_t counter = (block + static_cast<uint64_t>(i)) & mask;
    w->x[0][i] = static_cast<uint32_t>(counter);
    w->x[1][i] = static_cast<uint32_t>(counter >> 32);
    w->x[2][i] = 0;
    w->x[3][i] = 0;
  }
  philox_rounds(w, count, static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32));
}

// ---- Arithmetic ---------------------------------------------------------------------------------
// The two precisions differ in constants and in the number of terms only.

namespace {

struct Single {
  using Real = float;
  using Bits = uint32_t;
  static constexpr int kMantissa = 23;
  static constexpr Bits kExponentMask = 0x7f800000u;
  static constexpr Bits kRootHalf = 0x3f3504f3u;  // bits of the square root of 1/2, cut
  static constexpr Bits kOne = 0x3f800000u;
  static constexpr Bits kRootSeed = 0x5f3759dfu;
  static constexpr int kRootSteps = 3;
  static constexpr Real kUniformStep = 0x1p-24f;
  static constexpr Real kAngleStep = 0x1p-24f;
  static constexpr Real kLn2High = 0x1.62e4p-1f;  // short enough that times 32 is exact
  static constexpr Real kLn2Low = 0x1.7f7d1cp-20f;
  // log(1 + f) = f - f^2 / 2 + f^3 P(f) for 1 + f between the roots of 1/2 and of 2.
  static constexpr Real kLog[] = {0x1.1b4126p-4f,  -0x1.e2e8ecp-4f, 0x1.e650fap-4f,
                                  -0x1.fb4354p-4f, 0x1.2332bcp-3f,  -0x1.5562e2p-3f,
                                  0x1.99a546p-3f,  -0x1.ffffeep-3f, 0x1.555546p-2f};
  // sin(y pi / 4) = y S(y^2), cos(y pi / 4) = 1 + y^2 C(y^2) for y between 0 and 1.
  static constexpr Real kSin[] = {-0x1.2d9bb8p-15f, 0x1.465ec6p-9f, -0x1.4abbbap-4f,
                                  0x1.921fb6p-1f};
  static constexpr Real kCos[] = {0x1.d9f7c4p-19f, -0x1.55c664p-12f, 0x1.03c1dep-6f,
                                  -0x1.3bd3ccp-2f};

  // A word above 0 with all but its 24 leading bits cleared, so that its conversion is exact.
  static Real exact(Bits w) {
    Bits drop = w >> 24;
    drop |= drop >> 1;
    drop |= drop >> 2;
    drop |= drop >> 4;
    return static_cast<Real>(w & ~drop);
  }
  // The part of a word that gives an angle within an octant: 23 bits and a half.
  static Real angle(Bits w) { return static_cast<Real>(((w >> 6) & 0x7fffffu) * 2 + 1); }
};

struct Double {
  using Real = double;
  using Bits = uint64_t;
  static constexpr int kMantissa = 52;
  static constexpr Bits kExponentMask = 0x7ff0000000000000u;
  static constexpr Bits kRootHalf = 0x3fe6a09e667f3bccu;
  static constexpr Bits kOne = 0x3ff0000000000000u;
  static constexpr Bits kRootSeed = 0x5fe6eb50c7b537a9u;
  static constexpr int kRootSteps = 4;
  static constexpr Real kUniformStep = 0x1p-53;
  static constexpr Real kAngleStep = 0x1p-53;
  static constexpr Real kLn2High = 0x1.62e42fefa38p-1;
  static constexpr Real kLn2Low = 0x1.ef35793c7673p-45;
  static constexpr Real kLog[] = {
      -0x1.9921b5149183fp-6, 0x1.da1645101bd95p-5, -0x1.0177baada9a67p-4, 0x1.b91f1464c5593p-5,
      -0x1.b377f298360ccp-5, 0x1.dced3c9700a7p-5,  -0x1.00e739243be36p-4, 0x1.1167ae688cdf4p-4,
      -0x1.2486ebc616572p-4, 0x1.3b0d784d376bp-4,  -0x1.555599c634934p-4, 0x1.745d5a78abf89p-4,
      -0x1.9999996f824aap-4, 0x1.c71c70190a4dap-4, -0x1.fffffff993d1fp-4, 0x1.2492492797245p-3,
      -0x1.5555555563962p-3, 0x1.99999999944f9p-3, -0x1.ffffffffffeeep-3, 0x1.555555555556ep-2};
  static constexpr Real kSin[] = {
      -0x1.6c5b93983c0b1p-46, 0x1.e8eed159ae936p-38, -0x1.e3074b502de1fp-30, 0x1.50783485cc006p-22,
      -0x1.32d2cce62ac24p-15, 0x1.466bc6775aad9p-9,  -0x1.4abbce625be53p-4,  0x1.921fb54442d18p-1};
  static constexpr Real kCos[] = {
      0x1.1e2f88bc87fbdp-50, -0x1.b6dd82a88b6efp-42, 0x1.f9d3856dd7316p-34, -0x1.a6d1f29f3f5bfp-26,
      0x1.e1f5068919cd3p-19, -0x1.55d3c7e3cbfefp-12, 0x1.03c1f081b5ac4p-6,  -0x1.3bd3cc9be45dep-2};

  static Real exact(Bits w) {
    Bits drop = w >> 53;
    drop |= drop >> 1;
    drop |= drop >> 2;
    drop |= drop >> 4;
    drop |= drop >> 8;
    return static_cast<Real>(w & ~drop);
  }
  static Real angle(Bits w) { return static_cast<Real>(((w >> 9) & 0xfffffffffffffu) * 2 + 1); }
};

template <typename Real, size_t count>
inline Real polynomial(const Real (&terms)[count], Real x) {
  Real sum = terms[0];
  for (size_t i = 1; i < count; ++i) sum = sum * x + terms[i];
  return sum;
}

// Denormal numbers become 0, as they do on devices that do not have them.
template <typename T>
inline typename T::Real flushed(typename T::Real value) {
  using Bits = typename T::Bits;
  const Bits bits = as<Bits>(value);
  return as<typename T::Real>((bits & T::kExponentMask) == 0 ? Bits{0} : bits);
}

// -log of u = w 2^-(bits of w), for w above 0: positive, and never 0.
template <typename T>
inline typename T::Real minus_log(typename T::Bits w) {
  using Real = typename T::Real;
  using Bits = typename T::Bits;
  constexpr int kBias = static_cast<int>(T::kOne >> T::kMantissa);
  constexpr Bits kFraction = (Bits{1} << T::kMantissa) - 1;
  // Moving the border of the binades to the root of 1/2 makes the exponent that of a mantissa m
  // between the roots of 1/2 and 2.
  const Bits moved = as<Bits>(T::exact(w)) + (T::kOne - T::kRootHalf);
  const int exponent =
      static_cast<int>(moved >> T::kMantissa) - kBias - static_cast<int>(8 * sizeof(Bits));
  const Real f = as<Real>((moved & kFraction) + T::kRootHalf) - Real{1};
  const Real e = static_cast<Real>(exponent);
  const Real square = f * f;
  const Real tail = square * f * polynomial(T::kLog, f) - Real{0.5} * square;
  return -((tail + e * T::kLn2Low) + f + e * T::kLn2High);
}

// The square root by its reciprocal: a seed from halving the exponent, Newton's steps, one
// correction.
template <typename T>
inline typename T::Real square_root(typename T::Real t) {
  using Real = typename T::Real;
  const Real half = Real{0.5} * t;
  Real y = as<Real>(T::kRootSeed - (as<typename T::Bits>(t) >> 1));
  for (int step = 0; step < T::kRootSteps; ++step) y = y * (Real{1.5} - half * y * y);
  const Real r = t * y;
  return r + Real{0.5} * y * (t - r * r);
}

// Two independent normal numbers from two words. The three leading bits of w1 choose the octant:
// one swaps sine and cosine, two are their signs. The angle inside it is never 0 or the octant's
// end.
template <typename T>
inline void normal_pair(typename T::Bits w0, typename T::Bits w1, typename T::Real* n0,
                        typename T::Real* n1) {
  using Real = typename T::Real;
  using Bits = typename T::Bits;
  constexpr int kTop = static_cast<int>(8 * sizeof(Bits)) - 1;
  constexpr Bits kSign = Bits{1} << kTop;
  const Real r = square_root<T>(Real{2} * minus_log<T>(w0 | 1));
  const Real y = T::angle(w1) * T::kAngleStep;
  const Real z = y * y;
  const Bits s = as<Bits>(y * polynomial(T::kSin, z));
  const Bits c = as<Bits>(Real{1} + z * polynomial(T::kCos, z));
  const Bits swap = Bits{0} - ((w1 >> (kTop - 2)) & 1);
  const Bits change = (s ^ c) & swap;
  *n0 = r * as<Real>((c ^ change) ^ (w1 & kSign));
  *n1 = r * as<Real>((s ^ change) ^ ((w1 << 1) & kSign));
}

template <typename T>
inline typename T::Real plan_real(uint64_t bits) {
  return as<typename T::Real>(static_cast<typename T::Bits>(bits));
}

// first + u * span, cut at `last`.
template <typename T>
inline typename T::Real uniform(const RandomPlan& plan, typename T::Real u) {
  using Real = typename T::Real;
  const Real product = u * plan_real<T>(plan.b);
  const Real value = flushed<T>(plan_real<T>(plan.a) + product);
  const Real last = plan_real<T>(plan.c);
  return value < last ? value : last;
}

template <typename T>
inline typename T::Real scaled_normal(const RandomPlan& plan, typename T::Real n) {
  const typename T::Real product = n * plan_real<T>(plan.b);
  return flushed<T>(plan_real<T>(plan.a) + product);
}

// One element of each storage type from the f32 number.
inline float stored(float value, float*) { return value; }

struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

inline Half stored(float value, Half*) {
  const uint32_t bits = as<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t size = bits & 0x7fffffffu;
  // Plans keep numbers within the range of f16, so there is no overflow to think of.
  uint32_t half = (size - 0x38000000u + 0xfffu + ((size >> 13) & 1)) >> 13;
  if (size < 0x38800000u) {
    const uint32_t exponent = size >> 23;
    const uint32_t shift = exponent >= 102 ? 126 - exponent : 25;
    const uint32_t mantissa = (size & 0x7fffffu) | 0x800000u;
    half = (mantissa + ((1u << (shift - 1)) - 1) + ((mantissa >> shift) & 1)) >> shift;
  }
  return Half{static_cast<uint16_t>(sign | half)};
}

inline Brain stored(float value, Brain*) { return Brain{bf16_from_f32(value)}; }

}  // namespace

// ---- Batches ------------------------------------------------------------------------------------

template <typename Out>
static void fill_real32(const RandomPlan& plan, const Words& w, int count, Out* out) {
  float values[4 * kBatch];
  const bool normal = plan.distribution == NETCL_NORMAL;
  for (int k = 0; k < 4; k += normal ? 2 : 1) {
    for (int i = 0; normal && i < count; ++i) {
      float n0;
      float n1;
      normal_pair<Single>(w.x[k][i], w.x[k + 1][i], &n0, &n1);
      values[4 * i + k] = scaled_normal<Single>(plan, n0);
      values[4 * i + k + 1] = scaled_normal<Single>(plan, n1);
    }
    for (int i = 0; !normal && i < count; ++i) {
      const float u = static_cast<float>(w.x[k][i] >> 8) * Single::kUniformStep;
      values[4 * i + k] = uniform<Single>(plan, u);
    }
  }
  for (int i = 0; i < 4 * count; ++i) out[i] = stored(values[i], static_cast<Out*>(nullptr));
}

static uint64_t two_words(const Words& w, int k, int i) {
  return w.x[k][i] | static_cast<uint64_t>(w.x[k + 1][i]) << 32;
}

static void fill_real64(const RandomPlan& plan, const Words& w, int count, double* out) {
  for (int i = 0; i < count; ++i) {
    const uint64_t w0 = two_words(w, 0, i);
    const uint64_t w1 = two_words(w, 2, i);
    if (plan.distribution == NETCL_NORMAL) {
      double n0;
      double n1;
      normal_pair<Double>(w0, w1, &n0, &n1);
      out[2 * i] = scaled_normal<Double>(plan, n0);
      out[2 * i + 1] = scaled_normal<Double>(plan, n1);
    } else {
      const double u0 = static_cast<double>(w0 >> 11) * Double::kUniformStep;
      const double u1 = static_cast<double>(w1 >> 11) * Double::kUniformStep;
      out[2 * i] = uniform<Double>(plan, u0);
      out[2 * i + 1] = uniform<Double>(plan, u1);
    }
  }
}

// Integers take the high part of a product, so the odds of two values differ by 2^-16 (8 and 16
// bits), 2^-32 (32 bits) or 2^-64 of themselves at most.
template <typename Out>
static void fill_narrow(const RandomPlan& plan, const Words& w, int count, Out* out) {
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < count; ++i) {
      const uint64_t product = uint64_t{w.x[k][i]} * static_cast<uint32_t>(plan.b);
      out[4 * i + k] = static_cast<Out>(plan.a + (product >> 32));
    }
  }
}

static void fill_words(const RandomPlan& plan, const Words& w, int count, uint32_t* out) {
  for (int i = 0; i < count; ++i) {
    const Wide p0 = Wide{two_words(w, 0, i)} * plan.b;
    const Wide p1 = Wide{two_words(w, 2, i)} * plan.b;
    out[2 * i] = static_cast<uint32_t>(plan.a + static_cast<uint64_t>(p0 >> 64));
    out[2 * i + 1] = static_cast<uint32_t>(plan.a + static_cast<uint64_t>(p1 >> 64));
  }
}

static void fill_longs(const RandomPlan& plan, const Words& w, int count, uint64_t* out) {
  for (int i = 0; i < count; ++i) {
    const uint64_t high = two_words(w, 0, i);
    const uint64_t low = two_words(w, 2, i);
    // The high 64 bits of a 128-bit number times the range; 2^64 values are the number's own.
    const Wide middle = Wide{high} * plan.b + static_cast<uint64_t>(Wide{low} * plan.b >> 64);
    out[i] = plan.a + (plan.b == 0 ? high : static_cast<uint64_t>(middle >> 64));
  }
}

// Fills `count` whole blocks.
static void fill_blocks(const RandomPlan& plan, const Words& w, int count, unsigned char* out) {
  void* const to = out;
  switch (plan.dtype) {
    case NETCL_F16:
      return fill_real32(plan, w, count, static_cast<Half*>(to));
    case NETCL_BF16:
      return fill_real32(plan, w, count, static_cast<Brain*>(to));
    case NETCL_F32:
      return fill_real32(plan, w, count, static_cast<float*>(to));
    case NETCL_F64:
      return fill_real64(plan, w, count, static_cast<double*>(to));
    case NETCL_I16:
    case NETCL_U16:
      return fill_narrow(plan, w, count, static_cast<uint16_t*>(to));
    case NETCL_I32:
    case NETCL_U32:
      return fill_words(plan, w, count, static_cast<uint32_t*>(to));
    case NETCL_I64:
    case NETCL_U64:
      return fill_longs(plan, w, count, static_cast<uint64_t*>(to));
    default:
      return fill_narrow(plan, w, count, static_cast<uint8_t*>(to));
  }
}

void random_fill(const RandomPlan& plan, int64_t first, int64_t count, void* out) noexcept {
  const uint64_t lanes = random_lanes(plan);
  const DtypeFacts* facts = dtype_facts_or_null(plan.dtype);
  if (facts == nullptr || count <= 0) return;
  const size_t size = facts->size;
  const uint64_t element = plan.offset + static_cast<uint64_t>(first);
  const uint64_t mask = UINT64_MAX / lanes;
  uint64_t block = element / lanes;
  uint64_t skip = element % lanes;
  uint64_t left = static_cast<uint64_t>(count);
  unsigned char* next = static_cast<unsigned char*>(out);
  while (left > 0) {
    const uint64_t needed = left / lanes + 2;  // more than enough for both ragged ends
    const int blocks = static_cast<int>(std::min<uint64_t>(needed, kBatch));
    Words w;
    alignas(16) unsigned char values[4 * kBatch * sizeof(float)];
    static_assert(sizeof values == 2 * kBatch * sizeof(double));
    make_words(plan.seed, block, mask, blocks, &w);
    fill_blocks(plan, w, blocks, values);
    const uint64_t made = static_cast<uint64_t>(blocks) * lanes - skip;
    const uint64_t taken = std::min(made, left);
    std::memcpy(next, values + skip * size, static_cast<size_t>(taken) * size);
    next += taken * size;
    left -= taken;
    skip = 0;
    block += static_cast<uint64_t>(blocks);
  }
}

}  // namespace netcl
