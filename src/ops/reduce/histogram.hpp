// Histograms: see netcl_op_histogram.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

TensorRef histogram(const Tensor& x, int64_t bins, double low, double high, const TensorRef& into,
                    const Run& run);

// The built-in device's part: counts the elements of `layout` over x into `counts`. Without a range
// (low = high = 0) it is found first.
void histogram_on_host(const void* x, netcl_dtype dtype, const Layout& layout, int64_t bins,
                       double low, double high, int64_t* counts, int64_t counts_stride,
                       netcl::cpu::ThreadPool& threads);

}  // namespace netcl::ops
