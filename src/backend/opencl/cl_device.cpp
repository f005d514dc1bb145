#include "backend/opencl/cl_device.hpp"

#include <algorithm>
#include <vector>

#include "backend/opencl/batch.hpp"
#include "backend/opencl/capabilities.hpp"
#include "backend/opencl/cl_buffer.hpp"
#include "backend/opencl/discovery.hpp"
#include "backend/opencl/query.hpp"
#include "backend/opencl/stream.hpp"

namespace netcl::backend::opencl {

namespace {

template <class T>
T queue_value(cl_command_queue queue, cl_command_queue_info what) {
  T value{};
  check(cl().clGetCommandQueueInfo(queue, what, sizeof(value), &value, nullptr),
        "clGetCommandQueueInfo", NETCL_ERROR_INVALID_ARGUMENT);
  return value;
}

template <class T>
T event_value(cl_event event, cl_event_info what) {
  T value{};
  check(cl().clGetEventInfo(event, what, sizeof(value), &value, nullptr), "clGetEventInfo",
        NETCL_ERROR_INVALID_ARGUMENT);
  return value;
}

// Both belong to what a caller passed in and to the device; the message names both.
void require_context(const char* what, cl_context context, const DeviceState& state) {
  if (context == state.context()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s belongs to context %p, the device to context %p", what,
       static_cast<void*>(context), static_cast<void*>(state.context()));
}

bool contains_device(cl_context context, cl_device_id device) {
  size_t size = 0;
  constexpr const char* kCall = "clGetContextInfo";
  check(cl().clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &size), kCall,
        NETCL_ERROR_INVALID_ARGUMENT);
  std::vector<cl_device_id> devices(size / sizeof(cl_device_id));
  check(cl().clGetContextInfo(context, CL_CONTEXT_DEVICES, devices.size() * sizeof(cl_device_id),
                              devices.data(), nullptr),
        kCall, NETCL_ERROR_INVALID_ARGUMENT);
  for (const cl_device_id other : devices) {
    if (other == device) return true;
  }
  return false;
}

}  // namespace

ClDevice::ClDevice(const Found& found, DeviceStateRef state) : state_(std::move(state)) {
  info_ = found.info;
  capabilities_ = read_capabilities(state_, info_, found.integrated);
  argument_bytes_ = std::max(
      device_value<size_t>(state_->device(), CL_DEVICE_MAX_PARAMETER_SIZE, 0), kArgumentBytesLeast);
}

std::unique_ptr<Stream> ClDevice::create_stream(bool out_of_order, bool profiled) {
  state_->require();
  if (out_of_order && capabilities_.out_of_order == 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "device \"%s\" has no out-of-order queues", info_.name);
  }
  cl_command_queue_properties properties = 0;
  if (out_of_order) properties |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if (profiled) properties |= CL_QUEUE_PROFILING_ENABLE;
  auto queue = std::make_shared<QueueState>(state_, state_->create_queue(properties));
  return std::make_unique<ClStream>(std::move(queue), out_of_order, profiled);
}

BufferRef ClDevice::allocate(uint64_t bytes, MemoryKind kind) {
  if (kind == MemoryKind::shared && slabs() != nullptr) {
    state_->require();
    return ClBuffer::over(state_, bytes, slabs_->take(*state_, bytes));
  }
  return ClBuffer::allocate(state_, bytes, kind);
}

BufferRef ClDevice::wrap_host(void* data, uint64_t bytes) {
  return ClBuffer::wrap_host(state_, data, bytes);
}

BufferRef ClDevice::wrap_file(void* data, uint64_t bytes, std::shared_ptr<void> keeper) {
  return ClBuffer::wrap_file(state_, data, bytes, std::move(keeper));
}

Sharing ClDevice::sharing() const {
  if (state_->takes_files()) return {NETCL_SHARE_FILE, {}};
  if (slabs() != nullptr) {
    return {NETCL_SHARE_CUDA, {}, slabs_->cuda(), CudaSlabs::kImportMost};
  }
  return {0, format("memory of \"%s\" cannot be shared: %s", info_.name, problem_.c_str())};
}

CudaSlabs* ClDevice::slabs() const {
  if (state_->takes_files()) return nullptr;
  std::call_once(asked_cuda_, [&] { slabs_ = CudaSlabs::find(*state_, info_, &problem_); });
  return slabs_.get();
}

BufferRef ClDevice::import(const netcl_shared_memory& memory) {
  state_->require();
  if (slabs() != nullptr) {
    return ClBuffer::over(state_, memory.bytes, slabs_->open(*state_, memory));
  }
  return ClBuffer::over(state_, memory.bytes, share::MemoryFile::open(memory));
}

BuildResult ClDevice::build_source(const std::string& source, const std::string& options) {
  return opencl::build_source(state_, source, options);
}

BuildResult ClDevice::build_binary(const std::string& binary, const std::string& options) {
  return opencl::build_binary(state_, binary, options);
}

BuildResult ClDevice::build_il(const std::string& il, const std::string& options) {
  return opencl::build_il(state_, il, options);
}

std::string ClDevice::program_key() const {
  std::string key = "opencl\n";
  key += std::string(info_.platform_name) + "\n";
  key += platform_text(state_->platform(), CL_PLATFORM_VERSION) + "\n";
  key += std::string(info_.name) + "\n" + info_.vendor + "\n" + info_.version + "\n";
  key += std::string(info_.driver_version) + "\n";
  for (const uint8_t byte : info_.uuid) key += format("%02x", byte);
  return key + format("\nnetcl %d\n", NETCL_VERSION_NUMBER);
}

bool ClDevice::rounds_division() const noexcept {
  const auto modes =
      device_value<cl_device_fp_config>(state_->device(), CL_DEVICE_SINGLE_FP_CONFIG, 0);
  return (modes & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
}

netcl::cpu::ThreadPool& ClDevice::threads() const {
  return state_->native() ? *state_->threads() : Device::threads();
}

uint64_t ClDevice::batch_fill_end() const noexcept {
  return state_->batches().fill != nullptr ? kFillPiece : 0;
}

BatchRef ClDevice::make_batch(std::span<const BatchCommand> commands) {
  return ClBatch::make(state_, commands);
}

BufferRef ClDevice::wrap_cl(struct _cl_mem* mem) { return ClBuffer::wrap_cl(state_, mem); }

void ClDevice::release_cl(struct _cl_mem* mem) noexcept { (void)cl().clReleaseMemObject(mem); }

EventRef ClDevice::wrap_cl_event(struct _cl_event* event) {
  state_->require();
  require_context("cl_event", event_value<::cl_context>(event, CL_EVENT_CONTEXT), *state_);
  // A user event has no queue. A queue is kept so that a wait can flush it.
  QueueStateRef queue;
  bool profiled = false;
  if (auto* raw = event_value<cl_command_queue>(event, CL_EVENT_COMMAND_QUEUE)) {
    const auto properties = queue_value<cl_command_queue_properties>(raw, CL_QUEUE_PROPERTIES);
    profiled = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    check(cl().clRetainCommandQueue(raw), "clRetainCommandQueue", NETCL_ERROR_INVALID_ARGUMENT);
    queue = std::make_shared<QueueState>(state_, QueueObject(raw));
  }
  auto wrapped = std::make_shared<ClEvent>(state_, std::move(queue), profiled);
  check(cl().clRetainEvent(event), "clRetainEvent", NETCL_ERROR_INVALID_ARGUMENT);
  wrapped->adopt(event);
  return wrapped;
}

std::unique_ptr<Stream> ClDevice::wrap_cl_queue(struct _cl_command_queue* queue,
                                                bool* out_of_order) {
  state_->require();
  // What the argument is called differs, so this names its type.
  const auto context = queue_value<::cl_context>(queue, CL_QUEUE_CONTEXT);
  require_context("the cl_command_queue", context, *state_);
  auto* const device = queue_value<cl_device_id>(queue, CL_QUEUE_DEVICE);
  if (device != state_->device()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the cl_command_queue belongs to device %p, not to %p (\"%s\")",
         static_cast<void*>(device), static_cast<void*>(state_->device()), info_.name);
  }
  const auto properties = queue_value<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES);
  check(cl().clRetainCommandQueue(queue), "clRetainCommandQueue", NETCL_ERROR_INVALID_ARGUMENT);
  auto state = std::make_shared<QueueState>(state_, QueueObject(queue));
  const bool unordered = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  auto stream = std::make_unique<ClStream>(std::move(state), unordered,
                                           (properties & CL_QUEUE_PROFILING_ENABLE) != 0);
  if (out_of_order != nullptr) *out_of_order = unordered;
  return stream;
}

std::unique_ptr<Device> open(const Found& found) {
  refuse_in_child();
  auto state = std::make_shared<DeviceState>(found.platform, found.device, nullptr);
  return std::make_unique<ClDevice>(found, std::move(state));
}

std::unique_ptr<Device> open_from_cl(struct _cl_context* context, struct _cl_device_id* device) {
  refuse_in_child();
  if (context == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "context is NULL");
  if (device == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "device_id is NULL");
  const Discovery& discovery = discover();
  if (detail::g_api == nullptr) {
    fail(NETCL_ERROR_NO_DEVICE, "a context was given, but OpenCL is not in use here: %s",
         clean_text(discovery.diagnosis.c_str(), discovery.diagnosis.size(), 500).c_str());
  }
  if (!contains_device(context, device)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "device_id %p is no device of context %p",
         static_cast<void*>(device), static_cast<void*>(context));
  }
  Found found;
  if (const Found* listed = find_listed(device)) {
    found = *listed;
  } else {
    auto* const platform = device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM, nullptr);
    if (platform == nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "device_id %p has no platform",
           static_cast<void*>(device));
    }
    found = describe(platform, device);
  }
  auto state = std::make_shared<DeviceState>(found.platform, device, context);
  return std::make_unique<ClDevice>(found, std::move(state));
}

}  // namespace netcl::backend::opencl
