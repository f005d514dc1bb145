#include "kernel/registry.hpp"

namespace netcl {

KernelRegistry& KernelRegistry::of(Device& device) {
  return device.services().get<KernelRegistry>(Slot::kernel_registry,
                                               [] { return std::make_unique<KernelRegistry>(); });
}

void KernelRegistry::add(KernelRef kernel) {
  KernelRef replaced;  // destroyed after the lock
  std::lock_guard<std::mutex> lock(mutex_);
  KernelRef& slot = kernels_[{kernel->spec().name, kernel->spec().shape_signature}];
  replaced = std::move(slot);
  slot = std::move(kernel);
}

bool KernelRegistry::remove(const std::string& name, uint64_t shape_signature) {
  std::lock_guard<std::mutex> lock(mutex_);
  return kernels_.erase({name, shape_signature}) != 0;
}

KernelRef KernelRegistry::find(const std::string& name, uint64_t shape_signature) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const uint64_t signature : {shape_signature, uint64_t{0}}) {
    const auto found = kernels_.find({name, signature});
    if (found != kernels_.end()) return found->second;
  }
  std::string known;
  for (const auto& [key, kernel] : kernels_) {
    known += (known.empty() ? "" : ", ") + format("%s (signature %llu)", key.first.c_str(),
                                                  static_cast<unsigned long long>(key.second));
  }
  fail(NETCL_ERROR_NOT_FOUND, "name is %s with signature %llu; registered are: %s",
       quoted(name.c_str()).c_str(), static_cast<unsigned long long>(shape_signature),
       known.empty() ? "none" : known.c_str());
}

}  // namespace netcl
