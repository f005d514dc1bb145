// Where the worker is.
#pragma once

#include <string>

namespace netcl::tune {

// The path of the worker: `given` when there is one, else NETCL_WORKER, else the file beside the
// library that this function is in. PATH plays no part. UNSUPPORTED naming what was tried.
std::string find_worker(const std::string& given);

}  // namespace netcl::tune
