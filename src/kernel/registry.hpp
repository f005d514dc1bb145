// Kernels registered with a device under a name and a shape signature.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "kernel/kernel.hpp"

namespace netcl {

class KernelRegistry {
 public:
  static KernelRegistry& of(Device& device);
  void add(KernelRef kernel);
  bool remove(const std::string& name, uint64_t shape_signature);
  // The kernel of this signature, else the one for any shape; throws NOT_FOUND naming what exists.
  KernelRef find(const std::string& name, uint64_t shape_signature);

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, uint64_t>, KernelRef> kernels_;
};

}  // namespace netcl
