// Parts of discovery that opening a caller's context needs too.
#pragma once

#include <string>

#include "backend/opencl/library.hpp"
#include "backend/opencl/opencl.hpp"

namespace netcl::backend::opencl {

// The identity of a device; positions are those of a device outside the list.
Found describe(cl_platform_id platform, cl_device_id device);

// The position of a device in the list; nullptr when discovery did not list it.
const Found* find_listed(cl_device_id device);

// Fails with FORKED in a child of a process that has used OpenCL.
void refuse_in_child();

bool is_pocl(const std::string& platform_name) noexcept;

}  // namespace netcl::backend::opencl
