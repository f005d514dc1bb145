#include "backend/opencl/device_state.hpp"

#include <string.h>
#include <time.h>

#include <algorithm>

#include "backend/cpu/thread_pool.hpp"
#include "backend/opencl/discovery.hpp"
#include "backend/opencl/query.hpp"
#include "backend/opencl/signals.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "core/wait.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr int32_t kNvidiaIllegalAccess = -9999;
constexpr uint64_t kMarkerTimeout = 1000000000;

// "OpenCL 3.0 PoCL 3.1+debian ..." has the major version 3.
int pocl_major(const std::string& platform_name, const std::string& version) {
  if (!is_pocl(platform_name)) return 0;
  static constexpr const char* kMarks[] = {"PoCL ", "pocl "};
  for (const char* mark : kMarks) {
    const size_t at = version.find(mark);
    if (at == std::string::npos) continue;
    int major = 0;
    read_number(version.data() + at + strlen(mark), version.data() + version.size(), &major);
    return std::max(1, major);
  }
  return 1;
}

}  // namespace

DeviceState::DeviceState(cl_platform_id platform, cl_device_id device, cl_context context)
    : platform_(platform) {
  const std::string platform_version = platform_text(platform, CL_PLATFORM_VERSION);
  name_ = device_text(device, CL_DEVICE_NAME, 255);
  version_ = std::min(parse_version(platform_version),
                      parse_version(device_text(device, CL_DEVICE_VERSION)));
  pocl_ = pocl_major(platform_text(platform, CL_PLATFORM_NAME), platform_version);
  const auto type = device_value<cl_device_type>(device, CL_DEVICE_TYPE, 0);
  in_process_ = (type & CL_DEVICE_TYPE_CPU) != 0;
  unified_ = (type & CL_DEVICE_TYPE_CPU) != 0 ||
             device_value<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY, CL_FALSE) != CL_FALSE;
  global_memory_ = std::min(device_value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE, PTRDIFF_MAX),
                            cl_ulong{PTRDIFF_MAX});
  const auto abilities =
      device_value<cl_device_exec_capabilities>(device, CL_DEVICE_EXECUTION_CAPABILITIES, 0);
  if (in_process_ && (abilities & CL_EXEC_NATIVE_KERNEL) != 0 &&
      cl().clEnqueueNativeKernel != nullptr &&
      cl().clSetMemObjectDestructorCallback != nullptr) {
    netcl::cpu::ThreadPool& shared = netcl::cpu::process_threads();
    const auto units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS, 1);
    threads_ = units < shared.thread_count()
                   ? std::make_shared<netcl::cpu::ThreadPool>(std::max<cl_uint>(units, 1))
                   : std::shared_ptr<netcl::cpu::ThreadPool>(std::shared_ptr<void>(), &shared);
  }
  batches_ = find_batch_api(platform, device);
  // This counts for sub-devices only; a root device is not counted by the driver.
  check(cl().clRetainDevice(device), "clRetainDevice", NETCL_ERROR_NO_DEVICE);
  device_ = DeviceObject(device);
  if (context != nullptr) {
    check(cl().clRetainContext(context), "clRetainContext", NETCL_ERROR_INVALID_ARGUMENT);
    context_ = ContextObject(context);
    return;
  }
  const SignalGuard guard;
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                              reinterpret_cast<cl_context_properties>(platform), 0};
  cl_int code = CL_SUCCESS;
  context_ = ContextObject(cl().clCreateContext(properties, 1, &device, nullptr, nullptr, &code));
  check_made(context_.get(), code, "clCreateContext", NETCL_ERROR_NO_DEVICE);
}

QueueObject DeviceState::create_queue(cl_command_queue_properties properties) const {
  cl_int code = CL_SUCCESS;
  cl_command_queue queue = nullptr;
  const char* call = "clCreateCommandQueue";
  // A platform below 2.0 does not answer the newer call: oclgrind's 1.2 spins in it for ever.
  if (version_ >= 20 && cl().clCreateCommandQueueWithProperties != nullptr) {
    call = "clCreateCommandQueueWithProperties";
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    queue = cl().clCreateCommandQueueWithProperties(context(), device(), list, &code);
  } else {
    queue = cl().clCreateCommandQueue(context(), device(), properties, &code);
  }
  QueueObject owned(queue);
  check_made(owned.get(), code, call, NETCL_ERROR_LAUNCH_FAILURE);
  return owned;
}

cl_command_queue DeviceState::service_queue() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!service_queue_) service_queue_ = create_queue(0);
  return service_queue_.get();
}

void DeviceState::fail_lost() const {
  const int32_t code = lost_code();
  throw Error(NETCL_ERROR_DEVICE_LOST,
              format("device \"%s\" is lost since the driver reported %s", name_.c_str(),
                     code_text(code).c_str()),
              code);
}

// A marker on a fresh queue: earlier commands cannot hold it up, and a dead context fails it. No
// answer in time means a busy device, not a lost one.
bool DeviceState::answers() noexcept {
  // A shortage of host memory says nothing about the device, nor does an event that was not given.
  const auto fails = [](cl_int code) {
    return code != CL_SUCCESS && code != CL_OUT_OF_HOST_MEMORY;
  };
  try {
    const QueueObject queue = create_queue(0);
    cl_event raw = nullptr;
    if (fails(cl().clEnqueueMarkerWithWaitList(queue.get(), 0, nullptr, &raw))) return false;
    const EventObject event(raw);
    if (fails(cl().clFlush(queue.get()))) return false;
    if (raw == nullptr) return true;
    bool healthy = true;
    const auto done = [&] {
      cl_int status = CL_QUEUED;
      healthy = !fails(ask([&] {
        return cl().clGetEventInfo(raw, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                                   nullptr);
      })) && status >= 0;
      return !healthy || status == CL_COMPLETE;
    };
    const auto sleep = [](uint64_t ns) {
      const timespec pause{0, static_cast<long>(std::min<uint64_t>(ns, 200000))};
      nanosleep(&pause, nullptr);
    };
    (void)wait_until(Deadline(kMarkerTimeout), done, sleep);
    return healthy;
  } catch (const Error& error) {
    return error.status() == NETCL_ERROR_CANCELLED ||
           error.status() == NETCL_ERROR_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return true;
  }
}

void DeviceState::keep_failed(EventObject event) noexcept {
  std::lock_guard<std::mutex> lock(failed_mutex_);
  std::swap(failed_[next_failed_++ % failed_.size()], event);
}

static bool ended(const EventObject& event) noexcept {
  cl_int status = CL_QUEUED;
  const cl_int code = ask([&] {
    return cl().clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                               &status, nullptr);
  });
  return code != CL_SUCCESS || status <= CL_COMPLETE;
}

void DeviceState::sweep_released() noexcept {
  std::lock_guard<std::mutex> lock(released_mutex_);
  std::erase_if(released_, [](const Released& row) {
    return std::all_of(row.events.begin(), row.events.end(), ended);
  });
}

void DeviceState::release_after(std::shared_ptr<void> needed,
                                std::vector<EventObject> events) noexcept {
  sweep_released();
  std::lock_guard<std::mutex> lock(released_mutex_);
  if (lost() || std::all_of(events.begin(), events.end(), ended)) return;
  try {
    released_.push_back(Released{MemObject(), std::move(needed), std::move(events)});
  } catch (...) {
    // Without memory to note it, it goes now.
  }
}

void DeviceState::release_after(MemObject mem, std::vector<EventObject> events) noexcept {
  sweep_released();
  std::lock_guard<std::mutex> lock(released_mutex_);
  if (lost() || std::all_of(events.begin(), events.end(), ended)) return;
  struct _cl_mem* const kept = mem.get();
  try {
    released_.push_back(Released{std::move(mem), nullptr, std::move(events)});
  } catch (...) {
    // Without memory to note it the object is given up, which is better than a crash.
    if (mem.get() == kept) (void)mem.release();
  }
}

void DeviceState::suspect(int32_t code) noexcept {
  if (code != CL_OUT_OF_RESOURCES && code != CL_INVALID_COMMAND_QUEUE &&
      code != CL_DEVICE_NOT_AVAILABLE && code != kNvidiaIllegalAccess) {
    return;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (lost() || answers()) return;
  lost_code_.store(code);
  log_message(NETCL_LOG_ERROR, "device \"%s\" is lost: the driver reported %d", name_.c_str(),
              static_cast<int>(code));
}

void DeviceState::enqueue_failed(int32_t code, const char* call) {
  suspect(code);
  require();
  fail_call(call, code, NETCL_ERROR_LAUNCH_FAILURE);
}

}  // namespace netcl::backend::opencl
