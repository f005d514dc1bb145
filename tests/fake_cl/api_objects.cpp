// Memory, programs, kernels, and the references of all objects.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "fake.hpp"

using fake::give;
using fake::give_value;

namespace {

uint64_t g_bytes = 0;  // of all buffers

template <class T>
cl_int retain(T* object) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  ++object->references;
  return CL_SUCCESS;
}
// True for the last reference, when the object is the caller's to delete.
template <class T>
bool last(T* object) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  return --object->references == 0;
}

// What the script has for building a program, by any of its kernels.
const fake::Rule* build_rule(const fake::Script& script, const _cl_program& program,
                             const char* action) {
  for (const fake::Function& function : program.code.functions) {
    if (const fake::Rule* rule = script.find(function.name, program.code.macros, action)) {
      return rule;
    }
  }
  return nullptr;
}

}  // namespace

void fake::release_locked(cl_mem mem) {
  while (mem != nullptr && --mem->references == 0) {
    if (mem->own != nullptr) g_bytes -= mem->size;
    if (mem->imported) ::munmap(mem->data, mem->size);
    const cl_mem parent = mem->parent;
    delete mem;
    mem = parent;
  }
}

extern "C" {

cl_int clRetainContext(cl_context context) {
  FAKE_FAIL;
  return retain(context);
}
cl_int clReleaseContext(cl_context context) {
  if (last(context)) delete context;
  return CL_SUCCESS;
}
cl_int clRetainCommandQueue(cl_command_queue queue) {
  FAKE_FAIL;
  return retain(queue);
}
cl_int clReleaseCommandQueue(cl_command_queue queue) {
  if (last(queue)) delete queue;
  return CL_SUCCESS;
}
cl_int clRetainEvent(cl_event event) {
  FAKE_FAIL;
  return retain(event);
}
cl_int clReleaseEvent(cl_event event) {
  if (last(event)) delete event;
  return CL_SUCCESS;
}
cl_int clRetainMemObject(cl_mem mem) {
  FAKE_FAIL;
  return retain(mem);
}
cl_int clReleaseMemObject(cl_mem mem) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  fake::release_locked(mem);
  return CL_SUCCESS;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                      cl_int* code) {
  FAKE_FAIL_MADE;
  const fake::Script script = fake::read_script();
  auto mem = std::make_unique<_cl_mem>();
  mem->context = context;
  mem->size = size;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0) {
    mem->data = static_cast<unsigned char*>(host);
  } else {
    const std::lock_guard<std::mutex> lock(fake::mutex());
    if (g_bytes + size <= script.memory) {
      mem->own.reset(new (std::nothrow) unsigned char[size]());
    }
    mem->data = mem->own.get();
    if (mem->data != nullptr) g_bytes += size;
  }
  *code = mem->data != nullptr ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return mem->data != nullptr ? mem.release() : nullptr;
}

// With a descriptor of memory, which is the driver's from then on.
cl_mem clCreateBufferWithProperties(cl_context context, const uint64_t* properties, cl_mem_flags,
                                    size_t size, void*, cl_int* code) {
  FAKE_FAIL_MADE;
  *code = CL_INVALID_PROPERTY;
  if (properties == nullptr || properties[0] != 0x2060 || properties[2] != 0) return nullptr;
  const int fd = static_cast<int>(properties[1]);
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return nullptr;
  ::close(fd);
  auto* const mem = new _cl_mem();
  mem->context = context;
  mem->size = size;
  mem->data = static_cast<unsigned char*>(memory);
  mem->imported = true;
  *code = CL_SUCCESS;
  return mem;
}

cl_mem clCreateSubBuffer(cl_mem parent, cl_mem_flags, cl_buffer_create_type, const void* info,
                         cl_int* code) {
  FAKE_FAIL_MADE;
  const auto& region = *static_cast<const cl_buffer_region*>(info);
  auto* const mem = new _cl_mem();
  mem->context = parent->context;
  mem->parent = parent;
  mem->offset = region.origin;
  mem->size = region.size;
  mem->data = parent->data + region.origin;
  *code = retain(parent);
  return mem;
}

cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t capacity, void* value,
                          size_t* needed) {
  FAKE_FAIL;
  switch (what) {
    case CL_MEM_TYPE:
      return give_value<cl_mem_object_type>(CL_MEM_OBJECT_BUFFER, capacity, value, needed);
    case CL_MEM_CONTEXT:
      return give_value(mem->context, capacity, value, needed);
    case CL_MEM_SIZE:
      return give_value(mem->size, capacity, value, needed);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return give_value(mem->parent, capacity, value, needed);
    case CL_MEM_OFFSET:
      return give_value(mem->offset, capacity, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

// ---- Programs

cl_program clCreateProgramWithSource(cl_context, cl_uint count, const char** texts,
                                     const size_t* sizes, cl_int* code) {
  FAKE_FAIL_MADE;
  auto* const program = new _cl_program();
  for (cl_uint i = 0; i < count; ++i) program->source.append(texts[i], sizes[i]);
  program->from_source = true;
  *code = CL_SUCCESS;
  return program;
}

cl_program clCreateProgramWithBinary(cl_context, cl_uint, const cl_device_id*, const size_t* sizes,
                                     const unsigned char** binaries, cl_int* taken, cl_int* code) {
  FAKE_FAIL_MADE;
  auto program = std::make_unique<_cl_program>();
  const std::string binary(reinterpret_cast<const char*>(binaries[0]), sizes[0]);
  *code = fake::decode_binary(binary, &program->code) ? CL_SUCCESS : CL_INVALID_BINARY;
  if (taken != nullptr) *taken = *code;
  return *code == CL_SUCCESS ? program.release() : nullptr;
}

cl_int clBuildProgram(cl_program program, cl_uint, const cl_device_id*, const char* options,
                      void(CL_CALLBACK*)(cl_program, void*), void*) {
  FAKE_FAIL;
  if (program->from_source) program->code = fake::parse_source(program->source, options);
  const fake::Script script = fake::read_script();
  if (build_rule(script, *program, "build-abort") != nullptr) std::abort();
  if (build_rule(script, *program, "build-hang") != nullptr) {
    while (true) ::pause();
  }
  if (const fake::Rule* rule = build_rule(script, *program, "build-error")) {
    program->log = "source:1:1: error:";
    for (const std::string& word : rule->words) program->log += " " + word;
    return CL_BUILD_PROGRAM_FAILURE;
  }
  program->built = true;
  return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program) {
  if (last(program)) delete program;
  return CL_SUCCESS;
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t capacity, void* value,
                        size_t* needed) {
  FAKE_FAIL;
  const std::string binary = fake::encode_binary(program->code, fake::read_script().same);
  std::string names;
  switch (what) {
    case CL_PROGRAM_NUM_KERNELS:
      return give_value<size_t>(program->code.functions.size(), capacity, value, needed);
    case CL_PROGRAM_KERNEL_NAMES:
      for (const fake::Function& function : program->code.functions) {
        names += (names.empty() ? "" : ";") + function.name;
      }
      return give(names, capacity, value, needed);
    case CL_PROGRAM_BINARY_SIZES:
      return give_value<size_t>(binary.size(), capacity, value, needed);
    case CL_PROGRAM_BINARIES:
      if (needed != nullptr) *needed = sizeof(unsigned char*);
      if (value != nullptr) {
        std::memcpy(*static_cast<unsigned char**>(value), binary.data(), binary.size());
      }
      return CL_SUCCESS;
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id, cl_program_build_info what,
                             size_t capacity, void* value, size_t* needed) {
  FAKE_FAIL;
  if (what != CL_PROGRAM_BUILD_LOG) return CL_INVALID_VALUE;
  return give(program->log, capacity, value, needed);
}

// ---- Kernels

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* code) {
  FAKE_FAIL_MADE;
  for (const fake::Function& function : program->code.functions) {
    // The library makes some kernels of its own by a macro, whose parameter is all that is seen.
    const bool own = function.name == "NAME" && std::strncmp(name, "netcl_", 6) == 0;
    if (function.name != name && !own) continue;
    auto* const kernel = new _cl_kernel();
    kernel->function = function;
    kernel->function.name = name;
    kernel->macros = program->code.macros;
    kernel->program = program;
    retain(program);
    fake::count_live(1, 0);
    *code = CL_SUCCESS;
    return kernel;
  }
  *code = CL_INVALID_KERNEL_NAME;
  return nullptr;
}

cl_int clReleaseKernel(cl_kernel kernel) {
  if (!last(kernel)) return CL_SUCCESS;
  const cl_program program = kernel->program;
  delete kernel;
  clReleaseProgram(program);
  fake::count_live(-1, 0);
  return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  FAKE_FAIL;
  if (kernel->arguments.size() <= index) kernel->arguments.resize(index + 1);
  kernel->local_bytes.resize(kernel->arguments.size());
  const bool local = index < kernel->function.parameters.size() &&
                     kernel->function.parameters[index].address == CL_KERNEL_ARG_ADDRESS_LOCAL;
  kernel->local_bytes[index] = local ? size : 0;
  kernel->arguments[index] =
      value != nullptr ? std::string(static_cast<const char*>(value), size) : std::string();
  return CL_SUCCESS;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t capacity, void* value,
                       size_t* needed) {
  FAKE_FAIL;
  switch (what) {
    case CL_KERNEL_FUNCTION_NAME:
      return give(kernel->function.name, capacity, value, needed);
    case CL_KERNEL_PROGRAM:
      return give_value(kernel->program, capacity, value, needed);
    case CL_KERNEL_NUM_ARGS:
      return give_value(static_cast<cl_uint>(kernel->function.parameters.size()), capacity, value,
                        needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, size_t capacity,
                          void* value, size_t* needed) {
  FAKE_FAIL;
  if (index >= kernel->function.parameters.size()) return CL_INVALID_ARG_INDEX;
  const fake::Parameter& parameter = kernel->function.parameters[index];
  switch (what) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
      return give_value(parameter.address, capacity, value, needed);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
      return give_value<cl_kernel_arg_type_qualifier>(
          parameter.is_const ? CL_KERNEL_ARG_TYPE_CONST : CL_KERNEL_ARG_TYPE_NONE, capacity, value,
          needed);
    case CL_KERNEL_ARG_TYPE_NAME:
      return give(parameter.type, capacity, value, needed);
    case CL_KERNEL_ARG_NAME:
      return give(parameter.name, capacity, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetKernelWorkGroupInfo(cl_kernel, cl_device_id, cl_kernel_work_group_info what,
                                size_t capacity, void* value, size_t* needed) {
  FAKE_FAIL;
  static constexpr size_t kAnySize[3] = {0, 0, 0};
  switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE:
      return give_value<size_t>(1024, capacity, value, needed);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
      return give(kAnySize, sizeof kAnySize, capacity, value, needed);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return give_value<size_t>(32, capacity, value, needed);
    case CL_KERNEL_LOCAL_MEM_SIZE:
    case CL_KERNEL_PRIVATE_MEM_SIZE:
      return give_value<cl_ulong>(0, capacity, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

}  // extern "C"
