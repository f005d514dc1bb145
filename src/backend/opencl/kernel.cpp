#include <algorithm>
#include <cstring>

#include "backend/opencl/program.hpp"
#include "backend/opencl/query.hpp"
#include "core/dtype.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr cl_uint kArgumentsMax = 4096;

// Bytes of an OpenCL C scalar or vector, 0 for names that are neither (structs, typedefs).
uint32_t size_of_type(const std::string& name) {
  struct Known {
    const char* name;
    uint32_t size;
  };
  static constexpr Known kScalars[] = {
      {"char", 1},
      {"uchar", 1},
      {"unsigned char", 1},
      {"signed char", 1},
      {"short", 2},
      {"ushort", 2},
      {"unsigned short", 2},
      {"half", 2},
      {"int", 4},
      {"uint", 4},
      {"unsigned int", 4},
      {"unsigned", 4},
      {"signed int", 4},
      {"float", 4},
      {"long", 8},
      {"ulong", 8},
      {"unsigned long", 8},
      {"long long", 8},
      {"unsigned long long", 8},
      {"double", 8},
  };
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string width = name.substr(digits);
  uint32_t count = 1;
  if (!width.empty()) {
    // A vector of three takes the room of four.
    if (width == "2")
      count = 2;
    else if (width == "3" || width == "4")
      count = 4;
    else if (width == "8")
      count = 8;
    else if (width == "16")
      count = 16;
    else
      return 0;
  }
  const std::string scalar = name.substr(0, digits);
  for (const Known& known : kScalars) {
    if (scalar == known.name) return known.size * count;
  }
  return 0;
}

std::string kernel_text(cl_kernel kernel, cl_kernel_info what) {
  char text[1024] = {};
  size_t size = 0;
  // A longer name than this is no name that a caller may give.
  if (ask([&] { return cl().clGetKernelInfo(kernel, what, sizeof(text), text, &size); }) !=
      CL_SUCCESS) {
    return std::string();
  }
  return clean_text(text, std::min(size, sizeof(text)), 256);
}

std::string argument_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what) {
  size_t size = 0;
  constexpr size_t kLargest = 65536;
  const auto question = [&](size_t capacity, char* value, size_t* needed) {
    return ask([&] {
      return cl().clGetKernelArgInfo(kernel, index, what, capacity, value, needed);
    });
  };
  if (question(0, nullptr, &size) != CL_SUCCESS || size == 0 || size > kLargest) {
    return std::string();
  }
  std::string text(size, '\0');
  if (question(text.size(), text.data(), nullptr) != CL_SUCCESS) return std::string();
  return clean_text(text.data(), text.size(), 256);
}

// False when the driver does not tell.
bool read_parameter(cl_kernel kernel, cl_uint index, Parameter* parameter) {
  cl_kernel_arg_address_qualifier address = 0;
  cl_kernel_arg_type_qualifier type = 0;
  const auto question = [&](cl_kernel_arg_info what, auto* value) {
    return ask([&] {
      return cl().clGetKernelArgInfo(kernel, index, what, sizeof(*value), value, nullptr);
    });
  };
  if (question(CL_KERNEL_ARG_ADDRESS_QUALIFIER, &address) != CL_SUCCESS ||
      question(CL_KERNEL_ARG_TYPE_QUALIFIER, &type) != CL_SUCCESS) {
    return false;
  }
  parameter->name = argument_text(kernel, index, CL_KERNEL_ARG_NAME);
  parameter->type_name = argument_text(kernel, index, CL_KERNEL_ARG_TYPE_NAME);
  const std::string& name = parameter->type_name;
  if (name.empty()) return false;
  // Images live in the global address space too, but are no pointers.
  const bool pointer = name.find('*') != std::string::npos;
  const bool constant = address == CL_KERNEL_ARG_ADDRESS_CONSTANT;
  parameter->is_local = address == CL_KERNEL_ARG_ADDRESS_LOCAL;
  parameter->is_buffer = constant || (address == CL_KERNEL_ARG_ADDRESS_GLOBAL && pointer);
  parameter->is_const = constant || (type & CL_KERNEL_ARG_TYPE_CONST) != 0;
  if (address == CL_KERNEL_ARG_ADDRESS_PRIVATE) parameter->size = size_of_type(name);
  parameter->dtype = dtype_of_cl_type(name);
  return true;
}

template <class T>
T work_group_value(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                   T fallback) {
  T value{};
  const cl_int code = ask([&] {
    return cl().clGetKernelWorkGroupInfo(kernel, device, what, sizeof(value), &value, nullptr);
  });
  return code == CL_SUCCESS ? value : fallback;
}

}  // namespace

ClKernel::ClKernel(const DeviceState& device, KernelObject kernel) : kernel_(std::move(kernel)) {
  facts.name = kernel_text(get(), CL_KERNEL_FUNCTION_NAME);
  cl_uint count = 0;
  check(cl().clGetKernelInfo(get(), CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr),
        "clGetKernelInfo", NETCL_ERROR_BUILD_FAILURE);
  if (count > kArgumentsMax) {
    fail(NETCL_ERROR_BUILD_FAILURE, "the driver reports %u arguments of kernel \"%s\"", count,
         facts.name.c_str());
  }
  facts.parameters.resize(count);
  facts.parameters_known = true;
  for (cl_uint i = 0; i < count && facts.parameters_known; ++i) {
    facts.parameters_known = read_parameter(get(), i, &facts.parameters[i]);
  }
  if (!facts.parameters_known) facts.parameters.assign(count, Parameter{});
  size_t required[3] = {0, 0, 0};
  const cl_int code = ask([&] {
    return cl().clGetKernelWorkGroupInfo(get(), device.device(), CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                         sizeof(required), required, nullptr);
  });
  if (code == CL_SUCCESS) {
    for (int i = 0; i < 3; ++i) facts.required_local[i] = required[i];
  }
  facts.max_local_size = std::max<uint64_t>(
      1, work_group_value<size_t>(get(), device.device(), CL_KERNEL_WORK_GROUP_SIZE, 1));
  facts.local_memory_bytes =
      work_group_value<cl_ulong>(get(), device.device(), CL_KERNEL_LOCAL_MEM_SIZE, 0);
  facts.private_memory_bytes =
      work_group_value<cl_ulong>(get(), device.device(), CL_KERNEL_PRIVATE_MEM_SIZE, 0);
  facts.preferred_multiple = static_cast<uint32_t>(
      std::clamp<size_t>(work_group_value<size_t>(get(), device.device(),
                                                  CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 1),
                         1, 65536));
}

bool ClKernel::launched_with(const uint64_t local[3]) {
  return seen_.find(std::array<uint64_t, 3>{local[0], local[1], local[2]}) != nullptr;
}

void ClKernel::note_launch_with(const uint64_t local[3]) {
  seen_.insert({local[0], local[1], local[2]}, true);
}

bool ClKernel::holds(size_t index, const void* value, size_t size) const noexcept {
  return index < values_.size() && size != 0 && values_[index].size() == size &&
         std::memcmp(values_[index].data(), value, size) == 0;
}

void ClKernel::note(size_t index, const void* value, size_t size) {
  if (index >= values_.size()) values_.resize(index + 1);
  const auto* const bytes = static_cast<const unsigned char*>(value);
  values_[index].assign(bytes, bytes + size);
}

}  // namespace netcl::backend::opencl
