#include "tune/local_memory.hpp"

#include <algorithm>

#include "core/log.hpp"
#include "kernel/launch.hpp"
#include "tune/compare.hpp"

namespace netcl::tune {

namespace {

// The sum keeps compilers from leaving the writes out.
constexpr char kSource[] =
    "__kernel void netcl_fill_local(__local uint *memory, uint words, uint value,\n"
    "                               __global uint *sink) {\n"
    "  uint sum = 0;\n"
    "  for (uint i = get_local_id(0); i < words; i += get_local_size(0)) memory[i] = value;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint i = get_local_id(0); i < words; i += 16 * get_local_size(0)) {\n"
    "    sum += memory[words - 1 - i] ^ value;\n"
    "  }\n"
    "  if (sum != 0) sink[0] = sum;\n"
    "}\n";
constexpr uint64_t kBytesMost = 65536;
constexpr uint64_t kBytesLeast = 1024;
constexpr int32_t kOutOfResources = -5;  // CL_OUT_OF_RESOURCES
constexpr uint64_t kItems = 64;
// More groups than run at once, so that each unit gets one.
constexpr uint64_t kGroupsPerUnit = 8;

}  // namespace

bool LocalMemory::used_by(const Job& job, const Kernel& kernel) {
  const bool given = std::any_of(job.arguments.begin(), job.arguments.end(), [](const auto& one) {
    return one.kind == JobArgument::Kind::local;
  });
  // Not every driver counts what a kernel declares itself.
  return given || kernel.facts().local_memory_bytes > 0 ||
         job.source.find("__local") != std::string::npos ||
         job.source.find("local ") != std::string::npos;
}

void LocalMemory::overwrite(const QueueRef& queue, uint32_t round) {
  Device& device = queue->device();
  if (kernel_ == nullptr) {
    netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
    options.source = kSource;
    options.source_size = sizeof kSource - 1;
    options.tune = NETCL_TUNE_OFF;
    kernel_ =
        std::make_unique<Kernel>(device, make_kernel_spec(device, "netcl_fill_local", options));
    kernel_->build();
    const int64_t one = 1;
    sink_ = Tensor::allocate(device.shared_from_this(), NETCL_U32, 1, &one);
    bytes_ = std::min(device.capabilities().local_memory_bytes, kBytesMost);
  }
  if (bytes_ < sizeof(uint32_t)) return;
  netcl_arg args[4] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  const uint32_t words = static_cast<uint32_t>(bytes_ / sizeof(uint32_t));
  // Of an odd round: numbers. Of the others: what is no number, and wrong as a count.
  const uint32_t value = poison_byte(NETCL_F32, round) * 0x01010101u;
  args[0].kind = NETCL_ARG_LOCAL;
  args[0].size = words * sizeof(uint32_t);
  args[1].kind = args[2].kind = NETCL_ARG_DATA;
  args[1].size = args[2].size = sizeof(uint32_t);
  args[1].data = &words;
  args[2].data = &value;
  args[3].kind = NETCL_ARG_TENSOR;
  args[3].tensor = nullptr;
  const LaunchArgument arguments[] = {
      {&args[0], nullptr}, {&args[1], nullptr}, {&args[2], nullptr}, {&args[3], sink_}};
  const uint64_t local = std::min(kItems, kernel_->facts().max_local_size);
  const uint64_t global = local * kGroupsPerUnit * device.capabilities().compute_units;
  const netcl_launch_options plain = NETCL_LAUNCH_OPTIONS_INIT;
  const WorkSize size = make_work_size(*kernel_, &global, 1, &local, 1, plain);
  try {
    launch_kernel(*kernel_, *queue, size, arguments, {}, nullptr);
  } catch (const Error& error) {
    // NVIDIA's driver keeps a part of what it announces for itself.
    if (error.native_code() != kOutOfResources || bytes_ < kBytesLeast) throw;
    log_message(NETCL_LOG_DEBUG,
                "%s refuses a launch with %llu bytes of local memory; half of it is filled between "
                "candidates",
                device.info().name, static_cast<unsigned long long>(bytes_));
    bytes_ /= 2;
    overwrite(queue, round);
  }
}

}  // namespace netcl::tune
