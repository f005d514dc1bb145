#include "backend/opencl/discovery.hpp"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "backend/opencl/codes.hpp"
#include "backend/opencl/query.hpp"
#include "backend/opencl/signals.hpp"
#include "backend/opencl/vendors.hpp"
#include "core/environment.hpp"
#include "core/immortal.hpp"
#include "core/log.hpp"
#include "core/process.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr cl_uint kPlatformsMax = 64;
constexpr cl_uint kDevicesMax = 256;
constexpr int kOldestVersion = 12;

std::atomic<bool> g_touched{false};

void set_text(char* field, size_t capacity, const std::string& text) {
  copy_line(field, capacity, text.c_str());
}

netcl_device_type type_of(cl_device_id device) {
  const cl_device_type type = device_value<cl_device_type>(device, CL_DEVICE_TYPE, 0);
  if (type & CL_DEVICE_TYPE_GPU) return NETCL_DEVICE_GPU;
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return NETCL_DEVICE_ACCELERATOR;
  if (type & CL_DEVICE_TYPE_CPU) return NETCL_DEVICE_CPU;
  return NETCL_DEVICE_OTHER;
}

// Why a device of the driver is not offered, nullptr when it is.
const char* refusal(cl_platform_id platform, cl_device_id device) {
  if (device_value<cl_device_type>(device, CL_DEVICE_TYPE, 0) == 0) {
    return "the driver does not say what type it is of";
  }
  if (device_value<cl_bool>(device, CL_DEVICE_AVAILABLE, CL_TRUE) == CL_FALSE) {
    return "the driver says that it is not available";
  }
  if (device_value<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE) == CL_FALSE) {
    return "it has no compiler";
  }
  if (device_value<cl_bool>(device, CL_DEVICE_ENDIAN_LITTLE, CL_TRUE) == CL_FALSE) {
    return "it is big-endian";
  }
  if (parse_version(device_text(device, CL_DEVICE_VERSION)) < kOldestVersion ||
      parse_version(platform_text(platform, CL_PLATFORM_VERSION)) < kOldestVersion) {
    return "it is older than OpenCL 1.2";
  }
  return nullptr;
}

// PoCL aborts the process during enumeration when it finds one of these; so it is not asked.
const char* pocl_would_abort() noexcept {
  const char* cache = getenv("POCL_CACHE_DIR");
  if (cache != nullptr && cache[0] == '\0') return "POCL_CACHE_DIR is set but empty";
  if (access("/sys/devices/system/cpu", F_OK) != 0) return "there is no /sys";
  return nullptr;
}

void list_devices(cl_platform_id platform, cl_uint platform_index, const std::string& name,
                  Discovery* result) {
  const std::string title = format("platform %u \"%s\"", platform_index, name.c_str());
  if (is_pocl(name)) {
    if (const char* why = pocl_would_abort()) {
      result->diagnosis += title + " is left out: " + why + ", which makes it abort\n";
      return;
    }
    SignalGuard::keep_sigfpe();
  }
  cl_uint count = 0;
  cl_int code =
      ask([&] { return cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count); });
  count = count < kDevicesMax ? count : kDevicesMax;
  std::vector<cl_device_id> devices(count);
  if (code == CL_SUCCESS && count > 0) {
    code = ask([&] {
      return cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    });
  }
  if (code != CL_SUCCESS || count == 0) {
    result->diagnosis +=
        title + (code == CL_SUCCESS ? std::string(" has no device\n")
                                    : ": clGetDeviceIDs failed: " + code_text(code) + "\n");
    return;
  }
  const std::string version = platform_text(platform, CL_PLATFORM_VERSION, 100);
  result->diagnosis +=
      format("%s, %s: %u device%s\n", title.c_str(), version.c_str(), count, count == 1 ? "" : "s");
  for (cl_uint i = 0; i < count; ++i) {
    if (devices[i] == nullptr) continue;
    Found found = describe(platform, devices[i]);
    if (const char* why = refusal(platform, devices[i])) {
      result->diagnosis +=
          format("device %u:%u \"%s\" is left out: %s\n", platform_index, i, found.info.name, why);
      continue;
    }
    found.info.platform_index = platform_index;
    found.info.device_index = i;
    result->diagnosis += format("device %u:%u \"%s\", driver %s\n", platform_index, i,
                                found.info.name, found.info.driver_version);
    result->devices.push_back(found);
  }
}

void list_platforms(Discovery* result) {
  cl_uint count = 0;
  cl_int code = ask([&] { return cl().clGetPlatformIDs(0, nullptr, &count); });
  count = count < kPlatformsMax ? count : kPlatformsMax;
  std::vector<cl_platform_id> platforms(count);
  if (code == CL_SUCCESS && count > 0) {
    code = ask([&] { return cl().clGetPlatformIDs(count, platforms.data(), nullptr); });
  }
  if (code != CL_SUCCESS) {
    result->diagnosis += "clGetPlatformIDs failed: " + code_text(code) + "\n";
    return;
  }
  if (count == 0) result->diagnosis += "the loader has no platform\n";
  for (cl_uint i = 0; i < count; ++i) {
    if (platforms[i] == nullptr) continue;
    list_devices(platforms[i], i, platform_text(platforms[i], CL_PLATFORM_NAME, 127), result);
  }
}

std::unique_ptr<Discovery> look() {
  auto result = std::make_unique<Discovery>();
  if (environment().backend_builtin) {
    result->diagnosis = "NETCL_BACKEND is builtin: OpenCL was not looked for\n";
    return result;
  }
  // Set before anything is started, so that a child forked meanwhile knows.
  g_touched.store(true, std::memory_order_release);
  note_opencl_started();
  const SignalGuard guard;
  const Library& loader = library();
  if (!loader.problem.empty()) {
    result->diagnosis =
        "no OpenCL loader: " + clean_text(loader.problem.c_str(), loader.problem.size(), 900) +
        "\n";
    return result;
  }
  result->diagnosis = "loader: " + loader.path + "\n";
  list_platforms(result.get());
  result->diagnosis += inspect_vendors();
  return result;
}

}  // namespace

bool is_pocl(const std::string& platform_name) noexcept {
  return platform_name == "Portable Computing Language";
}

bool touched() noexcept { return g_touched.load(std::memory_order_acquire); }

void refuse_in_child() {
  if (process().opencl_forbidden) {
    fail(NETCL_ERROR_FORKED,
         "this process was forked from one that had started OpenCL, whose drivers do not work in a "
         "child; start the child with exec or posix_spawn, or use the device \"builtin\"");
  }
}

Found describe(cl_platform_id platform, cl_device_id device) {
  Found found{NETCL_DEVICE_INFO_INIT, false, platform, device};
  netcl_device_info& info = found.info;
  info.index = UINT32_MAX;
  info.platform_index = UINT32_MAX;
  info.device_index = UINT32_MAX;
  info.backend = NETCL_BACKEND_OPENCL;
  info.type = type_of(device);
  set_text(info.name, sizeof(info.name), device_text(device, CL_DEVICE_NAME));
  set_text(info.vendor, sizeof(info.vendor), device_text(device, CL_DEVICE_VENDOR));
  set_text(info.version, sizeof(info.version), device_text(device, CL_DEVICE_VERSION));
  set_text(info.driver_version, sizeof(info.driver_version),
           device_text(device, CL_DRIVER_VERSION));
  set_text(info.platform_name, sizeof(info.platform_name),
           platform_text(platform, CL_PLATFORM_NAME));
  const std::string extensions = device_text(device, CL_DEVICE_EXTENSIONS, 65536);
  if (has_word(extensions, "cl_khr_device_uuid")) {
    cl_uchar uuid[CL_UUID_SIZE_KHR] = {};
    static_assert(sizeof(uuid) == sizeof(info.uuid));
    const cl_int code = ask([&] {
      return cl().clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof(uuid), uuid, nullptr);
    });
    if (code == CL_SUCCESS) {
      memcpy(info.uuid, uuid, sizeof(uuid));
      info.has_uuid = 1;
    }
  }
  found.integrated =
      info.type == NETCL_DEVICE_CPU ||
      device_value<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE) != CL_FALSE;
  return found;
}

const Found* find_listed(cl_device_id device) {
  for (const Found& found : discover().devices) {
    if (found.device == device) return &found;
  }
  return nullptr;
}

const Discovery& discover() {
  static std::atomic<const Discovery*> g_discovery{nullptr};
  static Immortal<std::mutex> g_mutex;
  if (process().opencl_forbidden) {
    static const auto* const g_none = new Discovery{
        {}, "OpenCL was started before fork(): its drivers do not work in the child\n"};
    return *g_none;
  }
  if (const Discovery* ready = g_discovery.load(std::memory_order_acquire)) return *ready;
  std::lock_guard<std::mutex> lock(*g_mutex);
  if (const Discovery* ready = g_discovery.load(std::memory_order_relaxed)) return *ready;
  const Discovery* made = look().release();
  g_discovery.store(made, std::memory_order_release);
  return *made;
}

}  // namespace netcl::backend::opencl
