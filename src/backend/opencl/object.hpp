// Owners of OpenCL objects: one reference each, given back exactly once.
#pragma once

#include <utility>

#include "backend/opencl/library.hpp"

namespace netcl::backend::opencl {

template <class T, auto Release>
class Object {
 public:
  Object() = default;
  // Takes over one reference.
  explicit Object(T value) noexcept : value_(value) {}
  Object(Object&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, nullptr);
    }
    return *this;
  }
  ~Object() { reset(); }

  // A driver that fails to release is not asked again: nothing sensible can follow.
  void reset() noexcept {
    if (value_ != nullptr) (void)(cl().*Release)(std::exchange(value_, nullptr));
  }
  // Hands the reference over to the caller.
  T release() noexcept { return std::exchange(value_, nullptr); }
  T get() const noexcept { return value_; }
  explicit operator bool() const noexcept { return value_ != nullptr; }

 private:
  T value_ = nullptr;
};

using DeviceObject = Object<cl_device_id, &Api::clReleaseDevice>;
using ContextObject = Object<cl_context, &Api::clReleaseContext>;
using QueueObject = Object<cl_command_queue, &Api::clReleaseCommandQueue>;
using MemObject = Object<cl_mem, &Api::clReleaseMemObject>;
using ProgramObject = Object<cl_program, &Api::clReleaseProgram>;
using KernelObject = Object<cl_kernel, &Api::clReleaseKernel>;
using EventObject = Object<cl_event, &Api::clReleaseEvent>;

}  // namespace netcl::backend::opencl
