#include "backend/opencl/program.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "backend/opencl/query.hpp"
#include "backend/opencl/signals.hpp"
#include "core/ending.hpp"
#include "core/immortal.hpp"
#include "core/log.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr size_t kLogLimit = size_t{1} << 20;
constexpr uint64_t kSpaceNeeded = uint64_t{64} << 20;
constexpr uint64_t kLargestFile = uint64_t{16} << 20;

std::string build_log(const DeviceState& device, cl_program program) {
  size_t size = 0;
  if (cl().clGetProgramBuildInfo(program, device.device(), CL_PROGRAM_BUILD_LOG, 0, nullptr,
                                 &size) != CL_SUCCESS ||
      size == 0) {
    return std::string();
  }
  std::string text(size, '\0');
  if (cl().clGetProgramBuildInfo(program, device.device(), CL_PROGRAM_BUILD_LOG, text.size(),
                                 text.data(), nullptr) != CL_SUCCESS) {
    return std::string();
  }
  text.resize(strnlen(text.data(), text.size()));
  // Cleaned line by line: the lines of a log are its structure.
  std::string log;
  for (size_t begin = 0; begin < text.size() && log.size() < kLogLimit;) {
    size_t end = text.find('\n', begin);
    end = end == std::string::npos ? text.size() : end;
    // The blanks that begin a line place the compiler's caret.
    const size_t word = std::min(text.find_first_not_of(' ', begin), end);
    log.append(text, begin, std::min<size_t>(word - begin, 1000));
    log += clean_text(text.data() + word, end - word, kLogLimit - std::min(log.size(), kLogLimit));
    if (end < text.size()) log += '\n';
    begin = end + 1;
  }
  return log;
}

// True when a log points at a place in the source, as "name:12:5: error" does.
bool has_diagnostic(const std::string& log) {
  for (size_t at = log.find(':'); at != std::string::npos; at = log.find(':', at + 1)) {
    size_t end = at + 1;
    while (end < log.size() && log[end] >= '0' && log[end] <= '9') ++end;
    if (end > at + 1 && end < log.size() && log[end] == ':') return true;
  }
  return false;
}

// The platforms that have built something in this process, under a mutex of their own.
struct WarmPlatforms {
  std::mutex mutex;
  std::vector<cl_platform_id> list;

  static WarmPlatforms& get() {
    static Immortal<WarmPlatforms> platforms;
    return *platforms;
  }
  bool contains(cl_platform_id platform) {
    std::lock_guard<std::mutex> lock(mutex);
    return std::find(list.begin(), list.end(), platform) != list.end();
  }
  void add(cl_platform_id platform) {
    std::lock_guard<std::mutex> lock(mutex);
    if (std::find(list.begin(), list.end(), platform) == list.end()) list.push_back(platform);
  }
};

// A platform's first build may start a compiler that takes over signals; later ones do not.
class BuildGuard {
 public:
  explicit BuildGuard(const DeviceState& device) {
    // LLVM inside PoCL works on one program at a time in any case.
    static Immortal<std::mutex> g_pocl;
    if (device.pocl() != 0) lock_ = std::unique_lock<std::mutex>(*g_pocl);
    // After the lock: what waits for it when the process begins to end must not compile then.
    scope_.emplace(device.in_process());
    if (!WarmPlatforms::get().contains(device.platform())) signals_.emplace();
    WarmPlatforms::get().add(device.platform());
  }

 private:
  std::unique_lock<std::mutex> lock_;
  std::optional<CompileScope> scope_;
  NoWriteSignals quiet_;  // before the guard, which gives back the mask that it found
  std::optional<SignalGuard> signals_;
};

// Shortages and lost devices are no property of the program, so these throw.
void throw_if_unrelated(DeviceState& device, cl_int code, const char* call) {
  if (code == CL_OUT_OF_HOST_MEMORY) fail_call(call, code, NETCL_ERROR_OUT_OF_HOST_MEMORY);
  device.suspect(code);
  device.require();
}

BuildResult build(const DeviceStateRef& device, ProgramObject program, const std::string& options) {
  BuildResult result;
  const cl_device_id id = device->device();
  cl_int code = CL_SUCCESS;
  {
    const BuildGuard guard(*device);
    code = cl().clBuildProgram(program.get(), 1, &id, options.c_str(), nullptr, nullptr);
  }
  throw_if_unrelated(*device, code, "clBuildProgram");
  result.native_code = code;
  result.log = build_log(*device, program.get());
  if (code == CL_SUCCESS) {
    result.program = std::make_unique<ClProgram>(device, std::move(program));
  } else if (result.log.empty()) {
    result.log = "clBuildProgram failed: " + code_text(code);
  }
  return result;
}

BuildResult refused(const char* call, cl_int code) {
  BuildResult result;
  result.native_code = code;
  result.log = failure_text(call, code);
  return result;
}

BuildResult build_source_once(const DeviceStateRef& device, const std::string& source,
                              const std::string& options) {
  const char* text = source.c_str();
  const size_t length = source.size();
  cl_int code = CL_SUCCESS;
  ProgramObject program(
      cl().clCreateProgramWithSource(device->context(), 1, &text, &length, &code));
  throw_if_unrelated(*device, code, "clCreateProgramWithSource");
  if (code != CL_SUCCESS || !program) return refused("clCreateProgramWithSource", code);
  return build(device, std::move(program), options);
}

// PoCL's folder for compiled kernels, found as it does itself.
std::string pocl_cache_folder() {
  const char* own = getenv("POCL_CACHE_DIR");
  if (own != nullptr && own[0] != '\0') return own;
  const char* cache = getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] != '\0') return std::string(cache) + "/pocl/kcache";
  const char* home = getenv("HOME");
  if (home != nullptr && home[0] != '\0') return std::string(home) + "/.cache/pocl/kcache";
  return P_tmpdir "/pocl/kcache";
}

// NVIDIA crashes when it is asked for the kernels of a program that has none.
bool has_kernels(cl_program program) {
  size_t count = 0;
  check(cl().clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, nullptr),
        "clGetProgramInfo", NETCL_ERROR_BUILD_FAILURE);
  return count > 0;
}

}  // namespace

bool takes_il(const DeviceState& device) {
  return device.version() >= 21 && cl().clCreateProgramWithIL != nullptr &&
         device_text(device.device(), CL_DEVICE_IL_VERSION).find("SPIR-V") != std::string::npos;
}

void require_space_for_build(const DeviceState& device) {
  if (device.pocl() == 0) return;
  const std::string folder = pocl_cache_folder();
  struct statvfs status;
  std::string path = folder;
  // The folder is made at the first build; until then its parent's file system counts.
  while (statvfs(path.c_str(), &status) != 0) {
    const size_t slash = path.find_last_of('/');
    if (slash == std::string::npos || path == "/") return;
    path.resize(slash == 0 ? 1 : slash);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < kLargestFile) {
    fail(NETCL_ERROR_IO,
         "files may have %llu bytes here (RLIMIT_FSIZE) and PoCL needs 16 MiB to compile: where a "
         "write fails its compiler ends the process",
         static_cast<unsigned long long>(limit.rlim_cur));
  }
  const uint64_t space = static_cast<uint64_t>(status.f_bavail) * status.f_frsize;
  if (space >= kSpaceNeeded) return;
  fail(NETCL_ERROR_IO,
       "PoCL's cache folder %s has %llu MiB free and needs 64 MiB to compile: on a full disk its "
       "compiler ends the process",
       quoted(folder.c_str(), 200).c_str(), static_cast<unsigned long long>(space >> 20));
}

BuildResult build_source(const DeviceStateRef& device, const std::string& source,
                         const std::string& options) {
  device->require();
  require_space_for_build(*device);
  // Without this option the kinds and types of arguments cannot be checked.
  const std::string all =
      options.empty() ? "-cl-kernel-arg-info" : options + " -cl-kernel-arg-info";
  BuildResult result = build_source_once(device, source, all);
  // PoCL before 6 fails builds of correct source when another process uses the same cache folder.
  if (result.native_code == CL_BUILD_PROGRAM_FAILURE && device->pocl() != 0 && device->pocl() < 6 &&
      !has_diagnostic(result.log)) {
    log_message(NETCL_LOG_INFO, "a build failed without a diagnostic and is tried once more");
    result = build_source_once(device, source, all);
  }
  return result;
}

BuildResult build_binary(const DeviceStateRef& device, const std::string& binary,
                         const std::string& options) {
  device->require();
  if (binary.empty()) return refused("clCreateProgramWithBinary", CL_INVALID_BINARY);
  require_space_for_build(*device);
  const cl_device_id id = device->device();
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const size_t size = binary.size();
  cl_int taken = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  ProgramObject program(
      cl().clCreateProgramWithBinary(device->context(), 1, &id, &size, &bytes, &taken, &code));
  throw_if_unrelated(*device, code, "clCreateProgramWithBinary");
  if (code == CL_SUCCESS) code = taken;
  if (code != CL_SUCCESS || !program) return refused("clCreateProgramWithBinary", code);
  return build(device, std::move(program), options);
}

BuildResult build_il(const DeviceStateRef& device, const std::string& il,
                     const std::string& options) {
  device->require();
  if (!takes_il(*device)) {
    fail(NETCL_ERROR_UNSUPPORTED, "device \"%s\" takes no SPIR-V", device->name().c_str());
  }
  if (il.empty()) return refused("clCreateProgramWithIL", CL_INVALID_VALUE);
  require_space_for_build(*device);
  cl_int code = CL_SUCCESS;
  ProgramObject program(cl().clCreateProgramWithIL(device->context(), il.data(), il.size(), &code));
  throw_if_unrelated(*device, code, "clCreateProgramWithIL");
  if (code == CL_INVALID_OPERATION) {
    fail_call("clCreateProgramWithIL", code, NETCL_ERROR_UNSUPPORTED);
  }
  if (code != CL_SUCCESS || !program) return refused("clCreateProgramWithIL", code);
  return build(device, std::move(program), options);
}

std::vector<std::string> ClProgram::kernel_names() {
  device_->require();
  size_t size = 0;
  constexpr const char* kCall = "clGetProgramInfo";
  if (!has_kernels(program_.get())) return {};
  check(cl().clGetProgramInfo(program_.get(), CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size), kCall,
        NETCL_ERROR_BUILD_FAILURE);
  std::string text(size, '\0');
  check(cl().clGetProgramInfo(program_.get(), CL_PROGRAM_KERNEL_NAMES, text.size(), text.data(),
                              nullptr),
        kCall, NETCL_ERROR_BUILD_FAILURE);
  text.resize(strnlen(text.data(), text.size()));
  std::vector<std::string> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(';', begin), text.size());
    if (end > begin) names.push_back(clean_text(text.data() + begin, end - begin, 256));
    begin = end + 1;
  }
  return names;
}

std::unique_ptr<Kernel> ClProgram::create_kernel(const std::string& name) {
  device_->require();
  cl_int code = CL_INVALID_KERNEL_NAME;
  KernelObject kernel;
  if (has_kernels(program_.get())) {
    kernel = KernelObject(cl().clCreateKernel(program_.get(), name.c_str(), &code));
  }
  if (code == CL_INVALID_KERNEL_NAME) {
    std::string there;
    for (const std::string& other : kernel_names()) {
      there += there.empty() ? "" : ", ";
      there += other;
      if (there.size() > 600) break;
    }
    throw Error(NETCL_ERROR_NOT_FOUND,
                format("the program has no kernel %s; it has: %s", quoted(name.c_str()).c_str(),
                       there.empty() ? "none" : there.c_str()),
                code);
  }
  throw_if_unrelated(*device_, code, "clCreateKernel");
  check_made(kernel.get(), code, "clCreateKernel", NETCL_ERROR_BUILD_FAILURE);
  return std::make_unique<ClKernel>(*device_, std::move(kernel));
}

std::string ClProgram::binary() {
  device_->require();
  // PoCL compiles the kernels of the program here.
  const CompileScope scope(device_->in_process());
  constexpr const char* kCall = "clGetProgramInfo";
  size_t size = 0;
  check(
      cl().clGetProgramInfo(program_.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr),
      kCall, NETCL_ERROR_BUILD_FAILURE);
  if (size == 0) fail(NETCL_ERROR_UNSUPPORTED, "the driver gives no binary for this program");
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  check(cl().clGetProgramInfo(program_.get(), CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr),
        kCall, NETCL_ERROR_BUILD_FAILURE);
  return binary;
}

}  // namespace netcl::backend::opencl
