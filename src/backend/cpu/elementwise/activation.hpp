// The functions that an epilogue or a normalisation ends with, in place over a run of sums.
#pragma once

#include <cstddef>

#include "netcl.h"

namespace netcl::cpu {

// x[i] = f(x[i]) for i < n; alpha and beta are the parameters of netcl_activation. Errors are those
// of docs/expressions.md, and NaN stays NaN. NETCL_ACTIVATION_NONE does nothing.
void activate(netcl_activation activation, float alpha, float beta, float* x, size_t n);
void activate(netcl_activation activation, double alpha, double beta, double* x, size_t n);

}  // namespace netcl::cpu
