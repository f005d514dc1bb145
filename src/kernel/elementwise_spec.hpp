// Elementwise kernels as text: what PrimitiveBuilder is in other libraries.
#pragma once

#include "kernel/kernel.hpp"

namespace netcl {

// The specification of the kernel
//   name(__global const T* v0, ..., __global T* out, ulong n)
// that sets out[i] to an expression in v0[i] ... for i below n. The text is plain OpenCL C.
KernelSpec make_elementwise_spec(const Device& device, const char* name, uint32_t arity,
                                 const char* expression, netcl_dtype dtype);

}  // namespace netcl
