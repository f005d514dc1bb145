// Ops whose results are as long as elements of their inputs say: the host works them out.
#pragma once

#include "model/host_op.hpp"

namespace netcl::model {

std::vector<HostRef> host_non_zero(const HostCall& call);
std::vector<HostRef> host_compress(const HostCall& call);
std::vector<HostRef> host_unique(const HostCall& call);
std::vector<HostRef> host_suppress(const HostCall& call);

// The numbers of the elements, below `extent`, of which a condition is true.
std::vector<int64_t> chosen_by(const HostValue& condition, int64_t extent);

}  // namespace netcl::model
