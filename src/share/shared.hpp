// Memory that other processes and runtimes can have, whatever it is made of.
#pragma once

#include <cstdint>
#include <utility>

#include "netcl.h"

namespace netcl::share {

// Descriptors that live as long as memory does are above those of the standard streams, which a
// host may have closed and would write into them.
inline constexpr int kSharedDescriptorLeast = 3;

class CudaDevice;
class CudaMemory;
struct CudaPlace {
  uint64_t address = 0;
  int32_t device = 0;            // CUDA's number of the GPU
  CudaMemory* memory = nullptr;  // that it lies in
};

class Shared {
 public:
  virtual ~Shared() = default;
  // What others need to open it, with a descriptor of its own for them that is closed on exec.
  virtual netcl_shared_memory give() const = 0;
  // Equal for what may be the same memory.
  using Identity = std::pair<uint64_t, uint64_t>;
  virtual Identity identity() const noexcept = 0;
  // Where CUDA finds it; no address where it does not.
  virtual CudaPlace cuda() const noexcept { return {}; }
};

}  // namespace netcl::share
