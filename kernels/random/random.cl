// Random numbers: the same bits as src/ops/random/random_core.cpp, which describes the scheme. A
// change to one is a change to both. Macros of a variant: one of RANDOM_INTEGER, RANDOM_F16,
// RANDOM_BF16 and RANDOM_FLOAT; RANDOM_BYTES, the size of an element; RANDOM_NORMAL, 1 for normal
// numbers.
#pragma OPENCL FP_CONTRACT OFF

#if RANDOM_BYTES == 8 && defined(RANDOM_FLOAT)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef ulong bits_t;
#define AS_REAL(x) as_double((ulong)(x))
#define AS_BITS(x) as_ulong(x)
#define MANTISSA 52
#define EXPONENT_MASK 0x7ff0000000000000UL
#define ROOT_HALF 0x3fe6a09e667f3bccUL
#define ONE 0x3ff0000000000000UL
#define ROOT_SEED 0x5fe6eb50c7b537a9UL
#define ROOT_STEPS 4
#define STEP 0x1p-53
#define LN2_HIGH 0x1.62e42fefa38p-1
#define LN2_LOW 0x1.ef35793c7673p-45
#define HALF 0.5
#define ONE_AND_HALF 1.5
#else
typedef float real;
typedef uint bits_t;
#define AS_REAL(x) as_float((uint)(x))
#define AS_BITS(x) as_uint(x)
#define MANTISSA 23
#define EXPONENT_MASK 0x7f800000u
#define ROOT_HALF 0x3f3504f3u
#define ONE 0x3f800000u
#define ROOT_SEED 0x5f3759dfu
#define ROOT_STEPS 3
#define STEP 0x1p-24f
#define LN2_HIGH 0x1.62e4p-1f
#define LN2_LOW 0x1.7f7d1cp-20f
#define HALF 0.5f
#define ONE_AND_HALF 1.5f
#endif

#if RANDOM_BYTES == 1
typedef uchar stored_t;
#elif RANDOM_BYTES == 2
typedef ushort stored_t;
#elif defined(RANDOM_FLOAT)
typedef real stored_t;
#elif RANDOM_BYTES == 4
typedef uint stored_t;
#else
typedef ulong stored_t;
#endif

#if RANDOM_BYTES == 8 && !defined(RANDOM_FLOAT)
#define LANES 1
#elif RANDOM_BYTES == 8 || (RANDOM_BYTES == 4 && !defined(RANDOM_FLOAT))
#define LANES 2
#else
#define LANES 4
#endif

static void philox(uint x[4], uint key0, uint key1) {
  for (int round = 0; round < 10; ++round) {
    const uint high0 = mul_hi(0xD2511F53u, x[0]);
    const uint low0 = 0xD2511F53u * x[0];
    const uint high1 = mul_hi(0xCD9E8D57u, x[2]);
    const uint low1 = 0xCD9E8D57u * x[2];
    x[0] = high1 ^ x[1] ^ key0;
    x[1] = low1;
    x[2] = high0 ^ x[3] ^ key1;
    x[3] = low0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

static ulong two_words(uint low, uint high) { return (ulong)low | (ulong)high << 32; }

#ifndef RANDOM_INTEGER

static real flushed(real value) {
  const bits_t bits = AS_BITS(value);
  return AS_REAL((bits & EXPONENT_MASK) == 0 ? (bits_t)0 : bits);
}

#if RANDOM_NORMAL

#if MANTISSA == 52
static real exact(ulong w) {
  ulong drop = w >> 53;
  drop |= drop >> 1;
  drop |= drop >> 2;
  drop |= drop >> 4;
  drop |= drop >> 8;
  return (real)(w & ~drop);
}

static real angle(ulong w) { return (real)(((w >> 9) & 0xfffffffffffffUL) * 2 + 1); }

static real log_terms(real f) {
  real sum = -0x1.9921b5149183fp-6;
  sum = sum * f + 0x1.da1645101bd95p-5;
  sum = sum * f + -0x1.0177baada9a67p-4;
  sum = sum * f + 0x1.b91f1464c5593p-5;
  sum = sum * f + -0x1.b377f298360ccp-5;
  sum = sum * f + 0x1.dced3c9700a7p-5;
  sum = sum * f + -0x1.00e739243be36p-4;
  sum = sum * f + 0x1.1167ae688cdf4p-4;
  sum = sum * f + -0x1.2486ebc616572p-4;
  sum = sum * f + 0x1.3b0d784d376bp-4;
  sum = sum * f + -0x1.555599c634934p-4;
  sum = sum * f + 0x1.745d5a78abf89p-4;
  sum = sum * f + -0x1.9999996f824aap-4;
  sum = sum * f + 0x1.c71c70190a4dap-4;
  sum = sum * f + -0x1.fffffff993d1fp-4;
  sum = sum * f + 0x1.2492492797245p-3;
  sum = sum * f + -0x1.5555555563962p-3;
  sum = sum * f + 0x1.99999999944f9p-3;
  sum = sum * f + -0x1.ffffffffffeeep-3;
  return sum * f + 0x1.555555555556ep-2;
}

static real sin_terms(real z) {
  real sum = -0x1.6c5b93983c0b1p-46;
  sum = sum * z + 0x1.e8eed159ae936p-38;
  sum = sum * z + -0x1.e3074b502de1fp-30;
  sum = sum * z + 0x1.50783485cc006p-22;
  sum = sum * z + -0x1.32d2cce62ac24p-15;
  sum = sum * z + 0x1.466bc6775aad9p-9;
  sum = sum * z + -0x1.4abbce625be53p-4;
  return sum * z + 0x1.921fb54442d18p-1;
}

static real cos_terms(real z) {
  real sum = 0x1.1e2f88bc87fbdp-50;
  sum = sum * z + -0x1.b6dd82a88b6efp-42;
  sum = sum * z + 0x1.f9d3856dd7316p-34;
  sum = sum * z + -0x1.a6d1f29f3f5bfp-26;
  sum = sum * z + 0x1.e1f5068919cd3p-19;
  sum = sum * z + -0x1.55d3c7e3cbfefp-12;
  sum = sum * z + 0x1.03c1f081b5ac4p-6;
  return sum * z + -0x1.3bd3cc9be45dep-2;
}
#else
static real exact(uint w) {
  uint drop = w >> 24;
  drop |= drop >> 1;
  drop |= drop >> 2;
  drop |= drop >> 4;
  return (real)(w & ~drop);
}

static real angle(uint w) { return (real)(((w >> 6) & 0x7fffffu) * 2 + 1); }

static real log_terms(real f) {
  real sum = 0x1.1b4126p-4f;
  sum = sum * f + -0x1.e2e8ecp-4f;
  sum = sum * f + 0x1.e650fap-4f;
  sum = sum * f + -0x1.fb4354p-4f;
  sum = sum * f + 0x1.2332bcp-3f;
  sum = sum * f + -0x1.5562e2p-3f;
  sum = sum * f + 0x1.99a546p-3f;
  sum = sum * f + -0x1.ffffeep-3f;
  return sum * f + 0x1.555546p-2f;
}

static real sin_terms(real z) {
  real sum = -0x1.2d9bb8p-15f;
  sum = sum * z + 0x1.465ec6p-9f;
  sum = sum * z + -0x1.4abbbap-4f;
  return sum * z + 0x1.921fb6p-1f;
}

static real cos_terms(real z) {
  real sum = 0x1.d9f7c4p-19f;
  sum = sum * z + -0x1.55c664p-12f;
  sum = sum * z + 0x1.03c1dep-6f;
  return sum * z + -0x1.3bd3ccp-2f;
}
#endif

static real minus_log(bits_t w) {
  const bits_t fraction = ((bits_t)1 << MANTISSA) - 1;
  const bits_t moved = AS_BITS(exact(w)) + (ONE - ROOT_HALF);
  const int exponent =
      (int)(moved >> MANTISSA) - (int)(ONE >> MANTISSA) - (int)(8 * sizeof(bits_t));
  const real f = AS_REAL((moved & fraction) + ROOT_HALF) - (real)1;
  const real e = (real)exponent;
  const real square = f * f;
  const real tail = square * f * log_terms(f) - HALF * square;
  return -((tail + e * LN2_LOW) + f + e * LN2_HIGH);
}

static real square_root(real t) {
  const real half_t = HALF * t;
  real y = AS_REAL(ROOT_SEED - (AS_BITS(t) >> 1));
  for (int step = 0; step < ROOT_STEPS; ++step) y = y * (ONE_AND_HALF - half_t * y * y);
  const real r = t * y;
  return r + HALF * y * (t - r * r);
}

static void normal_pair(bits_t w0, bits_t w1, real *n0, real *n1) {
  const int top = 8 * sizeof(bits_t) - 1;
  const bits_t sign = (bits_t)1 << top;
  const real r = square_root((real)2 * minus_log(w0 | 1));
  const real y = angle(w1) * STEP;
  const real z = y * y;
  const bits_t s = AS_BITS(y * sin_terms(z));
  const bits_t c = AS_BITS((real)1 + z * cos_terms(z));
  const bits_t swap = (bits_t)0 - ((w1 >> (top - 2)) & 1);
  const bits_t change = (s ^ c) & swap;
  *n0 = r * AS_REAL((c ^ change) ^ (w1 & sign));
  *n1 = r * AS_REAL((s ^ change) ^ ((w1 << 1) & sign));
}

static real scaled(real n, ulong a, ulong b, ulong c) {
  const real product = n * AS_REAL(b);
  return flushed(AS_REAL(a) + product);
}

#else  // uniform

static real scaled(real u, ulong a, ulong b, ulong c) {
  const real product = u * AS_REAL(b);
  const real value = flushed(AS_REAL(a) + product);
  const real last = AS_REAL(c);
  return value < last ? value : last;
}

#endif  // RANDOM_NORMAL

// Storage by integers: vstore_half may flush, and half is not there on every device.
static stored_t stored(real value) {
#if defined(RANDOM_F16)
  const uint bits = as_uint(value);
  const uint sign = (bits >> 16) & 0x8000u;
  const uint size = bits & 0x7fffffffu;
  uint half_bits = (size - 0x38000000u + 0xfffu + ((size >> 13) & 1)) >> 13;
  if (size < 0x38800000u) {
    const uint exponent = size >> 23;
    const uint shift = exponent >= 102 ? 126 - exponent : 25;
    const uint mantissa = (size & 0x7fffffu) | 0x800000u;
    half_bits = (mantissa + ((1u << (shift - 1)) - 1) + ((mantissa >> shift) & 1)) >> shift;
  }
  return (ushort)(sign | half_bits);
#elif defined(RANDOM_BF16)
  const uint bits = as_uint(value);
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
#else
  return value;
#endif
}

#endif  // RANDOM_INTEGER

// The elements of one block.
static void make_block(ulong block, ulong seed, ulong a, ulong b, ulong c, stored_t out[LANES]) {
  uint x[4] = {(uint)block, (uint)(block >> 32), 0, 0};
  philox(x, (uint)seed, (uint)(seed >> 32));
#if defined(RANDOM_INTEGER)
#if LANES == 4
  for (int k = 0; k < 4; ++k) out[k] = (stored_t)((uint)a + mul_hi(x[k], (uint)b));
#elif LANES == 2
  for (int k = 0; k < 2; ++k) {
    out[k] = (stored_t)(a + mul_hi(two_words(x[2 * k], x[2 * k + 1]), b));
  }
#else
  const ulong high = two_words(x[0], x[1]);
  const ulong carry = mul_hi(two_words(x[2], x[3]), b);
  const ulong low = high * b;
  const ulong product = mul_hi(high, b) + (low + carry < low ? 1UL : 0UL);
  out[0] = a + (b == 0 ? high : product);
#endif
#else
  real n[LANES];
#if LANES == 2 && RANDOM_NORMAL
  normal_pair(two_words(x[0], x[1]), two_words(x[2], x[3]), &n[0], &n[1]);
#elif LANES == 2
  n[0] = (real)(two_words(x[0], x[1]) >> 11) * STEP;
  n[1] = (real)(two_words(x[2], x[3]) >> 11) * STEP;
#elif RANDOM_NORMAL
  normal_pair(x[0], x[1], &n[0], &n[1]);
  normal_pair(x[2], x[3], &n[2], &n[3]);
#else
  for (int k = 0; k < LANES; ++k) n[k] = (real)(x[k] >> 8) * STEP;
#endif
  for (int k = 0; k < LANES; ++k) out[k] = stored(scaled(n[k], a, b, c));
#endif
}

// Writes elements first ... first + count - 1 of the stream to out[out_offset] and on.
__kernel void netcl_random(__global stored_t *out, ulong out_offset, ulong count, ulong first,
                           ulong seed, ulong a, ulong b, ulong c) {
  const ulong skip = first % LANES;
  const ulong blocks = count / LANES + (count % LANES + skip + LANES - 1) / LANES;
  const ulong step = get_global_size(0);
  __global stored_t *to = out + out_offset;
  for (ulong i = get_global_id(0); i < blocks; i += step) {
    stored_t values[LANES];
    const ulong block = (first / LANES + i) & (~(ulong)0 / LANES);
    make_block(block, seed, a, b, c, values);
    // Before the first element this wraps to a huge number, which is not below count either.
    const ulong at = i * LANES - skip;
    for (int k = 0; k < LANES; ++k) {
      if (at + k < count) to[at + k] = values[k];
    }
  }
}
