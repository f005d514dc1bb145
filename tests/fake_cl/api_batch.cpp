// cl_khr_command_buffer 0.9.0: launches that are kept, with the arguments of the kernel at that
// time, and fills. Nothing else is: memory and kernels may go, and must not be used any more then.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "fake.hpp"

extern "C" int fake_live_kernels;
extern "C" int fake_live_batches;
int fake_live_kernels = 0;
int fake_live_batches = 0;

void fake::count_live(int kernels, int batches) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  fake_live_kernels += kernels;
  fake_live_batches += batches;
}

struct _cl_command_buffer_khr : fake::Counted {
  struct Launch {
    _cl_kernel kernel;
    cl_uint rank = 1;
    size_t global[3] = {1, 1, 1};
    size_t local[3] = {0, 0, 0};
    bool has_local = false;
    // A fill where there is memory.
    cl_mem filled = nullptr;
    size_t offset = 0;
    size_t bytes = 0;
    std::string pattern;
  };
  cl_command_queue_properties properties = 0;
  cl_context context = nullptr;
  bool simultaneous = false;
  bool finalized = false;
  std::vector<Launch> launches;
  std::chrono::steady_clock::time_point busy_until;
};

extern "C" {

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(
    cl_uint count, const cl_command_queue* queues,
    const cl_command_buffer_properties_khr* properties, cl_int* code) {
  FAKE_FAIL_MADE;
  const bool flags = properties != nullptr && properties[0] == CL_COMMAND_BUFFER_FLAGS_KHR;
  if (count != 1 || (properties != nullptr && (!flags || properties[2] != 0))) {
    *code = CL_INVALID_VALUE;
    return nullptr;
  }
  auto* const made = new _cl_command_buffer_khr();
  made->properties = queues[0]->properties;
  made->context = queues[0]->context;
  made->simultaneous =
      flags && (properties[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) != 0;
  fake::count_live(0, 1);
  *code = CL_SUCCESS;
  return made;
}

cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr buffer) {
  {
    const std::lock_guard<std::mutex> lock(fake::mutex());
    if (--buffer->references > 0) return CL_SUCCESS;
  }
  delete buffer;
  fake::count_live(0, -1);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer) {
  FAKE_FAIL;
  buffer->finalized = true;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    cl_command_buffer_khr buffer, cl_command_queue queue,
    const cl_ndrange_kernel_command_properties_khr* properties, cl_kernel kernel, cl_uint rank,
    const size_t*, const size_t* global, const size_t* local, cl_uint waits,
    const cl_sync_point_khr*, cl_sync_point_khr*, cl_mutable_command_khr*) {
  FAKE_FAIL;
  if (queue != nullptr) return CL_INVALID_COMMAND_QUEUE;
  if (buffer->finalized || properties != nullptr || waits != 0) return CL_INVALID_OPERATION;
  _cl_command_buffer_khr::Launch launch;
  launch.kernel = *kernel;
  launch.rank = rank;
  launch.has_local = local != nullptr;
  std::copy_n(global, rank, launch.global);
  if (local != nullptr) std::copy_n(local, rank, launch.local);
  buffer->launches.push_back(launch);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clCommandFillBufferKHR(cl_command_buffer_khr buffer, cl_command_queue queue,
                                          cl_mem mem, const void* pattern, size_t pattern_size,
                                          size_t offset, size_t bytes, cl_uint waits,
                                          const cl_sync_point_khr*, cl_sync_point_khr*,
                                          cl_mutable_command_khr*) {
  FAKE_FAIL;
  if (queue != nullptr) return CL_INVALID_COMMAND_QUEUE;
  if (buffer->finalized || waits != 0) return CL_INVALID_OPERATION;
  if (bytes == 0 || offset > mem->size || bytes > mem->size - offset) return CL_INVALID_VALUE;
  _cl_command_buffer_khr::Launch fill;
  fill.filled = mem;
  fill.offset = offset;
  fill.bytes = bytes;
  fill.pattern.assign(static_cast<const char*>(pattern), pattern_size);
  buffer->launches.push_back(fill);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint count, cl_command_queue* queues,
                                                    cl_command_buffer_khr buffer, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  FAKE_FAIL;
  if (count != 1 || !buffer->finalized) return CL_INVALID_OPERATION;
  const std::lock_guard<std::mutex> lock(fake::mutex());
  const cl_command_queue queue = queues[0];
  if (queue->properties != buffer->properties || queue->context != buffer->context) {
    return CL_INCOMPATIBLE_COMMAND_QUEUE_KHR;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!buffer->simultaneous && now < buffer->busy_until) return CL_INVALID_OPERATION;
  if (!fake::ready(queue, waits, wait_list)) {
    fake::finish(queue, CL_QUEUED, 0, event);
    return CL_SUCCESS;
  }
  if (fake::read_script().log) fake::note_launch("batch");
  uint64_t time_ns = 0, late_ms = fake::read_script().batch_ms;
  bool never = false;
  for (const auto& launch : buffer->launches) {
    if (launch.filled != nullptr) {
      for (size_t at = 0; at < launch.bytes; at += launch.pattern.size()) {
        std::memcpy(launch.filled->data + launch.offset + at, launch.pattern.data(),
                    launch.pattern.size());
      }
      continue;
    }
    uint64_t own_ns = 0, own_ms = 0;
    const fake::Ran ran =
        fake::run_kernel(launch.kernel, launch.rank, launch.global,
                         launch.has_local ? launch.local : nullptr, &own_ns, &own_ms);
    if (ran == fake::Ran::never) never = true;
    time_ns += own_ns;
    late_ms = std::max(late_ms, own_ms);
  }
  queue->stuck = never;
  fake::finish(queue, never ? CL_RUNNING : CL_COMPLETE, time_ns, event);
  buffer->busy_until = now + std::chrono::milliseconds(late_ms);
  if (event != nullptr) (*event)->begins = buffer->busy_until;
  return CL_SUCCESS;
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char* name) {
  if (fake::read_script().batches == name) return nullptr;
  static const struct {
    const char* name;
    void (*function)();
  } kFunctions[] = {
#define FAKE_FUNCTION(function) {#function, reinterpret_cast<void (*)()>(&(function))}
      FAKE_FUNCTION(clCreateCommandBufferKHR),   FAKE_FUNCTION(clReleaseCommandBufferKHR),
      FAKE_FUNCTION(clFinalizeCommandBufferKHR), FAKE_FUNCTION(clCommandNDRangeKernelKHR),
      FAKE_FUNCTION(clEnqueueCommandBufferKHR),  FAKE_FUNCTION(clCommandFillBufferKHR),
#undef FAKE_FUNCTION
  };
  for (const auto& known : kFunctions) {
    if (std::strcmp(known.name, name) != 0) continue;
    void* address = nullptr;
    std::memcpy(&address, &known.function, sizeof address);
    return address;
  }
  return nullptr;
}

}  // extern "C"
