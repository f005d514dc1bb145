// Ops of netcl as something to be tuned: which variant, with which sizes.
#pragma once

#include "device/device.hpp"
#include "tune/subject.hpp"

namespace netcl::tune {

// Fail as the ops do for sizes and dtypes that they do not take.
std::shared_ptr<Subject> make_matmul_subject(Device& device, int64_t batch, int64_t m, int64_t n,
                                             int64_t k, netcl_dtype dtype);
std::shared_ptr<Subject> make_conv2d_subject(Device& device, const netcl_conv2d_shape& shape,
                                             netcl_dtype dtype);
std::shared_ptr<Subject> make_reduction_subject(Device& device, int64_t outputs, int64_t count,
                                                netcl_dtype dtype);

}  // namespace netcl::tune
