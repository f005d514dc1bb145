#include "kernel/op_kernels.hpp"

#include <cstring>

#include "kernel/embedded.hpp"

namespace netcl {

OpKernels& OpKernels::of(Device& device) {
  return device.services().get<OpKernels>(Slot::op_kernels,
                                          [&] { return std::make_unique<OpKernels>(device); });
}

static const char* embedded_text(const std::string& file) {
  for (size_t i = 0; i < kEmbeddedKernelCount; ++i) {
    if (file == kEmbeddedKernels[i].name) return kEmbeddedKernels[i].text;
  }
  fail(NETCL_ERROR_INTERNAL, "no embedded kernel file %s", file.c_str());
}

// The text of a file with the embedded files that its #include lines name in their places.
static std::string resolved_text(const std::string& file) {
  static constexpr char kInclude[] = "#include \"";
  std::string text = embedded_text(file);
  for (size_t at = text.find(kInclude); at != std::string::npos; at = text.find(kInclude, at)) {
    const size_t name = at + sizeof kInclude - 1;
    const size_t quote = text.find('"', name);
    text.replace(at, quote + 1 - at, embedded_text(text.substr(name, quote - name)));
  }
  return text;
}

OpKernels::KernelPointer OpKernels::find(const std::string& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  const KernelPointer* known = kernels_.find(key);
  return known == nullptr ? nullptr : *known;
}

void OpKernels::clear() {
  if (Companion* companion = ready_.load(std::memory_order_acquire)) companion->clear();
  std::lock_guard<std::mutex> lock(mutex_);
  kernels_.clear();
}

OpKernels::KernelPointer OpKernels::add(const std::string& key, const ProgramRequest& request,
                                        const std::string& kernel_name) {
  const ProgramRef program = ProgramCache::of(device_).get(request);
  if (program->program == nullptr) {
    throw Error(NETCL_ERROR_BUILD_FAILURE,
                format("netcl's kernel %s does not build on %s: %s", kernel_name.c_str(),
                       device_.info().name, error_line(program->log).c_str()),
                program->native_code);
  }
  KernelPointer kernel = program->program->create_kernel(kernel_name);
  std::lock_guard<std::mutex> lock(mutex_);
  return kernels_.insert(key, std::move(kernel));
}

OpKernels::KernelPointer OpKernels::embedded(const std::string& file, const std::string& flags,
                                             const std::string& kernel_name) {
  const std::string key = file + " " + kernel_name + " " + flags;
  if (KernelPointer known = find(key)) return known;
  return add(key, {SourceForm::source, resolved_text(file), flags + kNoWarnings}, kernel_name);
}

}  // namespace netcl
