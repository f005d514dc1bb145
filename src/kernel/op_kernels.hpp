// The library's own kernels on a device: text in, a driver's kernel out, kept for as long as the
// device lives. Arguments are set under the device's enqueue mutex, so one kernel object per text
// serves all threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "kernel/program_cache.hpp"

namespace netcl {

class OpKernels {
 public:
  explicit OpKernels(Device& device) : device_(device) {}
  static OpKernels& of(Device& device);

  // A kernel of an embedded source file ("random.cl"), built with `flags`.
  backend::Kernel& embedded(const std::string& file, const std::string& flags,
                            const std::string& kernel_name);
  // A kernel of generated text. `key` identifies the text and may be shorter than it; the text is
  // made only when the key is new.
  template <class MakeText>
  backend::Kernel& generated(const std::string& key, const std::string& kernel_name,
                             MakeText make_text) {
    if (backend::Kernel* known = find(key)) return *known;
    return add(key, make_text(), "", kernel_name);
  }

 private:
  backend::Kernel* find(const std::string& key);
  backend::Kernel& add(const std::string& key, const std::string& text, const std::string& flags,
                       const std::string& kernel_name);

  Device& device_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<backend::Kernel>> kernels_;
};

}  // namespace netcl
