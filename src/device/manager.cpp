#include "device/manager.hpp"

#include <algorithm>

#include "backend/cpu/builtin.hpp"
#include "backend/opencl/opencl.hpp"
#include "core/ascii.hpp"
#include "core/environment.hpp"
#include "core/number.hpp"
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

std::string DeviceManager::diagnosis() {
  std::string text;
  if (environment().backend_builtin) {
    text = "NETCL_BACKEND=builtin: OpenCL was not looked for.\n";
  } else if (process().opencl_forbidden) {
    text =
        "This process was forked after its parent had started OpenCL, whose drivers do not "
        "survive fork(); start children with exec or posix_spawn.\n";
  } else {
    text = backend::opencl::discover().diagnosis;
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  for (const netcl_device_info& info : list()) {
    text += info.backend == NETCL_BACKEND_BUILTIN
                ? format("device %u: %s\n", info.index, info.name)
                : format("device %u (%u:%u): %s [%s]\n", info.index, info.platform_index,
                         info.device_index, info.name, info.platform_name);
  }
  return text;
}

// What is wrong with a selector that no device fits: one that could have fitted stands by itself.
static const char* problem_of(const std::string& selector) {
  const bool numbers = selector.find_first_not_of("0123456789:") == std::string::npos;
  if (numbers || same_ignoring_case(selector, "gpu") || same_ignoring_case(selector, "accel")) {
    return " and no such device exists";
  }
  return ", which is no auto, gpu, accel, cpu or builtin, no index, no platform:device, and no "
         "part of a device's name";
}

void DeviceManager::fail_no_device(const std::string& selector) {
  if (process().opencl_forbidden) {
    fail(NETCL_ERROR_FORKED,
         "selector is %s: this process was forked after its parent had started "
         "OpenCL; start children with exec or posix_spawn",
         quoted(selector.c_str()).c_str());
  }
  std::string reason = diagnosis();
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  for (size_t at = reason.find('\n'); at != std::string::npos; at = reason.find('\n', at)) {
    reason.replace(at, 1, "; ");
  }
  fail(NETCL_ERROR_NO_DEVICE, "selector is %s%s: %s", quoted(selector.c_str()).c_str(),
       problem_of(selector), reason.c_str());
}

// Among devices of one type a discrete one comes before one that shares the host's memory.
size_t DeviceManager::select_type(const char* selector, netcl_device_type type) {
  const auto& devices = list();
  size_t best = devices.size();
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].backend == NETCL_BACKEND_BUILTIN || devices[i].type != type) continue;
    if (best == devices.size() || (integrated_[best] && !integrated_[i])) best = i;
  }
  if (best == devices.size() && selector != nullptr) fail_no_device(selector);
  return best;
}

size_t DeviceManager::select(const std::string& selector) {
  const auto& devices = list();
  const size_t builtin = devices.size() - 1;
  const size_t none = devices.size();
  const auto is = [&](const char* word) { return same_ignoring_case(selector, word); };
  if (is("gpu")) return select_type("gpu", NETCL_DEVICE_GPU);
  if (is("accel")) return select_type("accel", NETCL_DEVICE_ACCELERATOR);
  if (is("auto") || is("cpu")) {
    for (const netcl_device_type type :
         {NETCL_DEVICE_GPU, NETCL_DEVICE_ACCELERATOR, NETCL_DEVICE_CPU}) {
      if (is("cpu") && type != NETCL_DEVICE_CPU) continue;
      const size_t index = select_type(nullptr, type);
      if (index != none) return index;
    }
    return builtin;
  }
  const std::string_view text = selector;
  uint32_t platform;
  uint32_t index;
  if (parse_number(text, &index)) {
    if (index < devices.size()) return index;
    fail_no_device(selector);
  }
  const size_t colon = selector.find(':');
  if (colon != std::string::npos && parse_number(text.substr(0, colon), &platform) &&
      parse_number(text.substr(colon + 1), &index)) {
    for (size_t i = 0; i < builtin; ++i) {
      if (devices[i].platform_index == platform && devices[i].device_index == index) return i;
    }
    fail_no_device(selector);
  }
  if (selector.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "selector is empty; \"auto\" takes the best device");
  }
  for (size_t i = 0; i < devices.size(); ++i) {
    if (find_ignoring_case(devices[i].name, selector) != std::string_view::npos) return i;
  }
  fail_no_device(selector);
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
  if (selector == nullptr) selector = "auto";
  if (same_ignoring_case(selector, "builtin")) return open_builtin(separate);
  const size_t index = select(selector);
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
