// Loops over one block of values, one function for each op and dtype. They are compiled for several
// instruction sets; the lookup gives the best version for this machine.
#pragma once

#include <cstddef>
#include <span>

#include "expression/op.hpp"
#include "netcl.h"

namespace netcl::cpu {

// out[i] = f(in[0][i], in[1][i], ...) for i < n. `out` may equal an input of the same element size.
using BlockFunction = void (*)(void* out, const void* const* in, size_t n);

// Ops with exact or simple arithmetic; `dtype` is that of the last argument (where's first is
// bool): f32 or f64, or any other compute dtype. nullptr when the op is none of them.
BlockFunction float_kernel(expression::Op op, netcl_dtype dtype);
BlockFunction integer_kernel(expression::Op op, netcl_dtype dtype);

// second(first(in[0], in[1]), in[2]), or second(in[2], first(in[0], in[1])) when first is not on
// the left, or second(first(in[0], in[1])). For sums, differences and products of f32 and f64, and
// a few functions as the second; nullptr for others.
BlockFunction fused_kernel(expression::Op first, expression::Op second, bool left,
                           netcl_dtype dtype);

// Functions of f32 and f64. nullptr when the op is none of them.
BlockFunction math_kernel(expression::Op op, netcl_dtype dtype);

// Conversions between compute dtypes, and round_f16 and round_bf16 from any of them.
BlockFunction convert_kernel(expression::Op op, netcl_dtype from, netcl_dtype to);

// From storage to the compute dtype and back; nullptr when the two are the same bits. The load of
// bool makes every nonzero byte 1.
BlockFunction load_kernel(netcl_dtype storage);
BlockFunction store_kernel(netcl_dtype storage);

// Copies to memory that is aligned to a cache line, past the caches. What was written is seen by
// other threads after stream_fence(). Fetches as many bytes behind each pointer of `ahead`.
void stream_copy(void* out, const void* in, size_t bytes, std::span<const void* const> ahead);
void stream_fence();

}  // namespace netcl::cpu
