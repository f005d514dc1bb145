#include "device/manager.hpp"

#include "backend/cpu/builtin.hpp"
#include "backend/opencl/opencl.hpp"
#include "core/ascii.hpp"
#include "core/environment.hpp"
#include "core/log.hpp"
#include "core/process.hpp"

namespace netcl {

DeviceManager& DeviceManager::instance() {
  return process().services.get<DeviceManager>(Slot::device_manager,
                                               [] { return std::make_unique<DeviceManager>(); });
}

static bool opencl_wanted() {
  return !environment().backend_builtin && !process().opencl_forbidden;
}

const std::vector<netcl_device_info>& DeviceManager::list() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (listed_) return list_;
  if (opencl_wanted()) {
    for (const auto& found : backend::opencl::discover().devices) {
      list_.push_back(found.info);
      integrated_.push_back(found.integrated);
    }
  }
  list_.push_back(backend::cpu::describe_builtin());
  integrated_.push_back(true);
  for (size_t i = 0; i < list_.size(); ++i) list_[i].index = static_cast<uint32_t>(i);
  builtin_index_.store(static_cast<uint32_t>(list_.size() - 1), std::memory_order_release);
  listed_ = true;
  return list_;
}

std::string DeviceManager::found() {
  if (environment().backend_builtin) return "NETCL_BACKEND=builtin: OpenCL was not looked for.\n";
  if (process().opencl_forbidden) {
    return "This process was forked after its parent had started OpenCL, whose drivers do not "
           "survive fork(); start children with exec or posix_spawn.\n";
  }
  std::string text = backend::opencl::discover().diagnosis;
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

Selectors DeviceManager::selectors() { return {list(), integrated_}; }

std::string DeviceManager::diagnosis() {
  std::string text = found();
  for (const netcl_device_info& info : list()) {
    text += info.backend == NETCL_BACKEND_BUILTIN
                ? format("device %u: %s\n", info.index, info.name)
                : format("device %u (%u:%u): %s [%s]\n", info.index, info.platform_index,
                         info.device_index, info.name, info.platform_name);
  }
  return text + selectors().words() + '\n';
}

void DeviceManager::fail_no_device(const std::string& selector) {
  if (process().opencl_forbidden) {
    fail(NETCL_ERROR_FORKED,
         "selector is %s: this process was forked after its parent had started "
         "OpenCL; start children with exec or posix_spawn",
         quoted(selector.c_str()).c_str());
  }
  fail(NETCL_ERROR_NO_DEVICE, selectors().problem(selector, found()));
}

size_t DeviceManager::select(const std::string& selector) {
  if (selector.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "selector is empty; \"auto\" takes the best device");
  }
  const size_t count = list().size(), index = selectors().find(selector);
  if (index == count) fail_no_device(selector);
  if (index + 1 == count && falls_to_builtin(selector) && process().log.wants(NETCL_LOG_INFO)) {
    log_message(NETCL_LOG_INFO,
                "selector is %s: OpenCL has no such device, so \"%s\" is opened: %s",
                quoted(selector.c_str()).c_str(), list_[index].name, one_line(found()).c_str());
  }
  return index;
}

DeviceRef DeviceManager::made(std::unique_ptr<backend::Device> backend, uint32_t index,
                              bool separate) {
  backend->set_index(index);
  auto device = std::make_shared<Device>(std::move(backend));
  if (separate) device->set_opening(++openings_);
  remember(device);
  return device;
}

DeviceRef DeviceManager::open_index(size_t index, bool separate) {
  return made(backend::opencl::open(backend::opencl::discover().devices[index]),
              static_cast<uint32_t>(index), separate);
}

DeviceRef DeviceManager::open_builtin(bool separate) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (separate) return made(backend::cpu::open_builtin(), UINT32_MAX, true);
  if (builtin_ == nullptr) builtin_ = made(backend::cpu::open_builtin(), UINT32_MAX, false);
  return builtin_;
}

uint32_t DeviceManager::builtin_index() {
  // Without drivers to look for the list costs nothing.
  if (!opencl_wanted()) (void)list();
  return builtin_index_.load(std::memory_order_acquire);
}

void DeviceManager::remember(const DeviceRef& device) {
  std::erase_if(opened_, [](const std::weak_ptr<Device>& old) { return old.expired(); });
  opened_.push_back(device);
}

DeviceRef DeviceManager::open(const char* selector, bool separate) {
  const std::string_view given = selector == nullptr ? "auto" : trimmed(selector);
  if (same_ignoring_case(given, "builtin")) return open_builtin(separate);
  const size_t index = select(std::string(given));
  if (index + 1 == list().size()) return open_builtin(separate);
  std::lock_guard<std::mutex> lock(mutex_);
  if (separate) return open_index(index, true);
  DeviceRef& slot = shared_[index];
  if (slot == nullptr || slot->backend().lost()) slot = open_index(index, false);
  return slot;
}

DeviceRef DeviceManager::open_from_cl(struct _cl_context* context, struct _cl_device_id* device) {
  if (process().opencl_forbidden) fail_no_device("a wrapped context");
  if (environment().backend_builtin) {
    fail(NETCL_ERROR_NO_DEVICE,
         "context cannot be wrapped: NETCL_BACKEND=builtin switches OpenCL "
         "off");
  }
  std::unique_ptr<backend::Device> backend = backend::opencl::open_from_cl(context, device);
  std::lock_guard<std::mutex> lock(mutex_);
  return made(std::move(backend), UINT32_MAX, true);
}

std::vector<DeviceRef> DeviceManager::open_devices(const Deadline& deadline) {
  const std::unique_lock<std::mutex> lock = lock_until(mutex_, deadline);
  std::vector<DeviceRef> devices;
  if (!lock.owns_lock()) return devices;
  for (const auto& weak : opened_) {
    if (DeviceRef device = weak.lock()) devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace netcl
