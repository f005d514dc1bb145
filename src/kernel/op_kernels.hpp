// The library's own kernels on a device: text in, a driver's kernel out, kept for as long as the
// device lives. Arguments are set under the device's enqueue mutex, so one kernel object per text
// serves all threads.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "core/lru.hpp"
#include "kernel/program_cache.hpp"

namespace netcl {

class OpKernels {
 public:
  using KernelPointer = std::shared_ptr<backend::Kernel>;

  explicit OpKernels(Device& device)
      : device_(device),
        generated_flags_(
            device.backend().rounds_division() ? "-cl-fp32-correctly-rounded-divide-sqrt" : "") {}
  static OpKernels& of(Device& device);

  // What the layer above keeps that holds kernels: it is forgotten with them.
  class Companion {
   public:
    virtual ~Companion() = default;
    virtual void clear() = 0;
  };
  // The one companion, made at the first call. It always has the same type.
  template <class T>
  T& companion() {
    if (Companion* ready = ready_.load(std::memory_order_acquire)) return static_cast<T&>(*ready);
    std::lock_guard<std::mutex> lock(mutex_);
    if (companion_ == nullptr) companion_ = std::make_unique<T>();
    ready_.store(companion_.get(), std::memory_order_release);
    return static_cast<T&>(*companion_);
  }

  // Forgets all kernels; those in use live on.
  void clear();

  // A kernel of an embedded source file ("random.cl"), built with `flags`.
  KernelPointer embedded(const std::string& file, const std::string& flags,
                         const std::string& kernel_name);
  // A kernel of generated text, which rounds divisions correctly where the device can: a compiler
  // that may be off by two places is off by what stands around the division, and expressions that
  // are joined have to give the bits that they have alone. `key` identifies the text and may be
  // shorter than it; the text is made only when the key is new.
  template <class MakeText>
  KernelPointer generated(const std::string& key, const std::string& kernel_name,
                          MakeText make_text) {
    if (KernelPointer known = find(key)) return known;
    return add(key, {SourceForm::source, make_text(), generated_flags_ + kNoWarnings}, kernel_name);
  }
  // The same of text in the device's own assembler, which is the whole of the key.
  template <class MakeText>
  KernelPointer assembled(const std::string& kernel_name, const std::string& flags,
                          MakeText make_text) {
    if (KernelPointer known = find(kernel_name)) return known;
    return add(kernel_name, {SourceForm::binary, make_text(), flags}, kernel_name);
  }

 private:
  KernelPointer find(const std::string& key);
  KernelPointer add(const std::string& key, const ProgramRequest& request,
                    const std::string& kernel_name);

  // PoCL counts warnings on stderr, and these kernels' compilers differ in what they warn of.
  static constexpr const char* kNoWarnings = " -w";

  Device& device_;
  const std::string generated_flags_;
  std::mutex mutex_;
  LruCache<std::string, KernelPointer> kernels_{4096};
  std::unique_ptr<Companion> companion_;
  std::atomic<Companion*> ready_{nullptr};
};

}  // namespace netcl
