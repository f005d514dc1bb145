#include "backend/opencl/capabilities.hpp"

#include <string.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "backend/opencl/cl_buffer.hpp"
#include "backend/opencl/query.hpp"
#include "backend/opencl/stream.hpp"
#include "core/environment.hpp"
#include "core/log.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr uint64_t kProbeTimeout = 2000000000;
constexpr uint64_t kSmallLocalMemory = 16384;

uint32_t flag(bool value) { return value ? 1 : 0; }

bool mentions(const std::string& extensions, const char* what) {
  return extensions.find(what) != std::string::npos;
}

// Computes in half and looks at the result. Compilers that lack half arithmetic refuse the program;
// NVIDIA's has it and does not announce cl_khr_fp16.
bool half_arithmetic_works(const DeviceStateRef& state) {
  constexpr const char* kSource =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "__kernel void netcl_probe(__global float *v) {\n"
      "  half a = (half)v[0]; half b = (half)v[1];\n"
      "  v[2] = (float)(a * b + a);\n"
      "}\n";
  static constexpr float kInput[3] = {1.5f, 0.25f, 0.0f};
  constexpr float kResult = 1.875f;
  try {
    BuildResult built = build_source(state, kSource, "");
    if (!built.program) return false;
    const std::unique_ptr<Kernel> kernel = built.program->create_kernel("netcl_probe");
    const auto buffer = ClBuffer::allocate(state, sizeof(kInput), MemoryKind::device);
    ClStream stream(std::make_shared<QueueState>(state, state->create_queue(0)), false, false);
    stream.write(*buffer, 0, sizeof(kInput), kInput, {}, nullptr);
    const KernelArgument argument{KernelArgument::Kind::buffer, buffer.get(), 0, nullptr, 0};
    Launch launch;
    launch.kernel = kernel.get();
    launch.arguments = std::span<const KernelArgument>(&argument, 1);
    stream.launch(launch, {}, nullptr);
    auto output = std::make_unique<float[]>(3);
    EventRef done;
    stream.read(*buffer, 0, sizeof(kInput), output.get(), {}, &done);
    // From here the driver writes to it when it likes; given up on purpose if it does so too late.
    float* const values = output.release();
    if (!done->wait(Deadline(kProbeTimeout))) return false;
    output.reset(values);
    return done->failure() == 0 && values[2] == kResult;
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED) throw;
    log_message(NETCL_LOG_INFO, "half arithmetic could not be probed: %s", error.message().c_str());
    return false;
  }
}

uint32_t preferred_multiple(cl_device_id device, const netcl_device_info& info,
                            const std::string& extensions, int version) {
  if (has_word(extensions, "cl_nv_device_attribute_query")) {
    const cl_uint warp = device_value<cl_uint>(device, CL_DEVICE_WARP_SIZE_NV, 0);
    if (warp > 0) return warp;
  }
  if (has_word(extensions, "cl_amd_device_attribute_query")) {
    const cl_uint wave = device_value<cl_uint>(device, CL_DEVICE_WAVEFRONT_WIDTH_AMD, 0);
    return wave > 0 ? wave : 64;
  }
  if (version >= 30) {
    const size_t multiple =
        device_value<size_t>(device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 0);
    if (multiple > 0) return static_cast<uint32_t>(std::min<size_t>(multiple, 65536));
  }
  return info.type == NETCL_DEVICE_GPU ? 32 : 1;
}

// Ruling 15 of the design: the user's word, then what the device is poor in, then what it is rich
// in. A CPU takes kernels only where it cannot run the built-in loops.
netcl_strategy choose_strategy(const netcl_device_capabilities& capabilities,
                               const netcl_device_info& info, bool native) {
  if (environment().kernel_strategy != 0) return environment().kernel_strategy;
  if (info.type == NETCL_DEVICE_CPU) {
    return native ? NETCL_STRATEGY_PORTABLE : NETCL_STRATEGY_OPTIMIZED;
  }
  if (capabilities.local_memory_bytes < kSmallLocalMemory) return NETCL_STRATEGY_PORTABLE;
  const bool known_vendor = strstr(info.vendor, "NVIDIA") != nullptr ||
                            strstr(info.vendor, "AMD") != nullptr ||
                            strstr(info.vendor, "Advanced Micro Devices") != nullptr;
  const bool rich = capabilities.subgroups != 0 || capabilities.fp16 != 0 || known_vendor;
  return rich ? NETCL_STRATEGY_OPTIMIZED : NETCL_STRATEGY_PORTABLE;
}

void read_work_item_sizes(cl_device_id device, netcl_device_capabilities* out) {
  size_t size = 0;
  std::vector<size_t> sizes;
  constexpr size_t kLargest = 64 * sizeof(size_t);
  const auto question = [&](size_t capacity, size_t* values, size_t* needed) {
    return ask([&] {
      return cl().clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, capacity, values, needed);
    });
  };
  if (question(0, nullptr, &size) == CL_SUCCESS && size <= kLargest) {
    sizes.resize(size / sizeof(size_t));
    if (question(sizes.size() * sizeof(size_t), sizes.data(), nullptr) != CL_SUCCESS) {
      sizes.clear();
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t limit = i < sizes.size() ? sizes[i] : 0;
    out->max_work_item_sizes[i] = std::max<uint64_t>(limit, 1);
  }
}

void read_limits(cl_device_id device, netcl_device_capabilities* out) {
  const auto number = [device](cl_device_info what, uint32_t least) {
    return std::max<uint32_t>(device_value<cl_uint>(device, what, 0), least);
  };
  const auto bytes = [device](cl_device_info what) {
    return uint64_t{device_value<cl_ulong>(device, what, 0)};
  };
  out->compute_units = number(CL_DEVICE_MAX_COMPUTE_UNITS, 1);
  out->max_clock_mhz = number(CL_DEVICE_MAX_CLOCK_FREQUENCY, 0);
  out->preferred_vector_width_f32 = number(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1);
  out->mem_base_align_bytes = std::max<uint32_t>(number(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 8) / 8, 1);
  out->max_work_item_dimensions = number(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3);
  out->max_work_group_size =
      std::max<uint64_t>(device_value<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1), 1);
  read_work_item_sizes(device, out);
  out->local_memory_bytes = bytes(CL_DEVICE_LOCAL_MEM_SIZE);
  out->global_memory_bytes = bytes(CL_DEVICE_GLOBAL_MEM_SIZE);
  out->max_allocation_bytes =
      std::min(bytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE), out->global_memory_bytes);
  out->global_cache_bytes = bytes(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  out->max_constant_bytes = bytes(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  out->timer_resolution_ns =
      std::max<uint64_t>(device_value<size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1), 1);
}

}  // namespace

netcl_device_capabilities read_capabilities(const DeviceStateRef& state,
                                            const netcl_device_info& info, bool integrated) {
  netcl_device_capabilities out = NETCL_DEVICE_CAPABILITIES_INIT;
  const cl_device_id device = state->device();
  const std::string extensions = device_text(device, CL_DEVICE_EXTENSIONS, 65536);
  read_limits(device, &out);
  out.fp16_announced = flag(mentions(extensions, "fp16"));
  out.fp64 = flag(mentions(extensions, "fp64") ||
                  device_value<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG, 0) != 0);
  out.subgroups = flag(mentions(extensions, "subgroup"));
  out.int64_atomics = flag(mentions(extensions, "cl_khr_int64_base_atomics") ||
                           mentions(extensions, "cl_khr_int64_extended_atomics"));
  out.svm = flag(mentions(extensions, "cl_svm_") || mentions(extensions, "shared_virtual_memory") ||
                 (state->version() >= 20 && device_value<cl_device_svm_capabilities>(
                                                device, CL_DEVICE_SVM_CAPABILITIES, 0) != 0));
  out.integrated = flag(integrated);
  const auto queues =
      device_value<cl_command_queue_properties>(device, CL_DEVICE_QUEUE_PROPERTIES, 0);
  out.out_of_order = flag((queues & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0);
  out.il = flag(takes_il(*state));
  out.subgroup_size = preferred_multiple(device, info, extensions, state->version());
  out.fp16 = out.fp16_announced;
  if (out.fp16 == 0 && info.type == NETCL_DEVICE_GPU) out.fp16 = flag(half_arithmetic_works(state));
  out.strategy = choose_strategy(out, info, state->native());
  return out;
}

}  // namespace netcl::backend::opencl
