// The OpenCL C sources that are part of the library. They are embedded at build time, so that the
// library needs no file at run time.
#pragma once

#include <cstddef>

namespace netcl {

struct EmbeddedKernel {
  const char* name;  // the file's name: "random.cl"
  const char* text;  // NUL-terminated
  size_t size;       // bytes without the NUL
};

// The list ends with a row of nulls, which kEmbeddedKernelCount does not count.
extern const EmbeddedKernel kEmbeddedKernels[];
extern const size_t kEmbeddedKernelCount;

// 32 hex digits over all embedded kernels and the generator of expression kernels. It is part of
// every program's key, so a cache never answers with what an older generator wrote.
extern const char kCodegenVersion[];

}  // namespace netcl
