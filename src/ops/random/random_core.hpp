// Random numbers with the same bits everywhere: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, SC
// 2011) and arithmetic that every IEEE machine rounds alike. This is the host's half;
// kernels/random/random.cl is the same arithmetic for devices, and a change to one is a change to
// both.
//
// How an element is made. Its index in the stream, e = offset + i (modulo 2^64), picks a lane of
// the Philox block e / lanes; the counter is that number and the key is the seed, low words first.
//   4 lanes  f16, bf16, f32, bool, 8- and 16-bit integers: one word each (normal: words in pairs)
//   2 lanes  f64 and 32-bit integers: two words each
//   1 lane   64-bit integers: four words
// Uniform floats are first + u * span with u a multiple of 2^-24 (f64: 2^-53) below 1, cut to the
// largest value below `high`. Normal ones come from Box and Muller with logarithm, root, sine and
// cosine by polynomials: no operation but integer ones, comparisons, +, - and *. f16 and bf16 are
// the f32 number rounded to nearest even. Results are finite and never denormal as f32 (f64 as
// f64), because devices may flush those; zeros take their place.
#pragma once

#include <cstdint>
#include <string>

#include "netcl.h"

namespace netcl {

// Everything that decides the numbers; plain data. a, b and c are bits: of f32 for f16, bf16 and
// f32, of f64 for f64 (uniform: first, span, last; normal: mean, deviation), and of integers:
// lowest value and number of values (0: 2^64).
struct RandomPlan {
  netcl_dtype dtype = 0;
  netcl_distribution distribution = NETCL_UNIFORM;
  uint64_t seed = 0;
  uint64_t offset = 0;
  uint64_t a = 0;
  uint64_t b = 0;
  uint64_t c = 0;
};

// Checks options against a dtype. Fails with INVALID_ARGUMENT naming the member and its value.
RandomPlan make_random_plan(netcl_dtype dtype, const netcl_random_options& options);

// Elements that share one Philox block.
uint32_t random_lanes(const RandomPlan& plan) noexcept;

// The macros that make kernels/random/random.cl the kernel of this plan, as build flags. Its kernel
// is
//   netcl_random(__global T* out, ulong out_offset, ulong count, ulong first, ulong seed,
//                ulong a, ulong b, ulong c)
// with first = plan.offset + index of the first element. One item writes whole blocks, in a loop
// over the global size, so about count / lanes items are useful.
std::string random_kernel_flags(const RandomPlan& plan);

// Elements first ... first + count - 1 of the plan, packed.
void random_fill(const RandomPlan& plan, int64_t first, int64_t count, void* out) noexcept;

}  // namespace netcl
