// What an earlier launch left in local memory is there when the next one begins. A kernel that uses
// it is right, or fast, by chance.
#pragma once

#include <memory>

#include "kernel/kernel.hpp"
#include "queue/queue.hpp"
#include "tensor/tensor.hpp"
#include "tune/job.hpp"

namespace netcl::tune {

class LocalMemory {
 public:
  // True for a kernel that has local memory, as far as its source and driver tell.
  static bool used_by(const Job& job, const Kernel& kernel);
  // Enqueues a launch that fills the local memory of all compute units with a pattern.
  void overwrite(const QueueRef& queue, uint32_t round);

 private:
  std::unique_ptr<Kernel> kernel_;
  TensorRef sink_;
  uint64_t bytes_ = 0;
};

}  // namespace netcl::tune
