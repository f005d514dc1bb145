// The measurement behind a call that measures to the end.
#pragma once

#include "api/handles.hpp"

namespace netcl::api {

// Gives a handle to whoever asked for the samples. The last step that can fail: what it writes is
// an output.
inline void give_measurement(const netcl_measurement_options& options,
                             const std::shared_ptr<timing::Measurement>& measurement) {
  if (options.measurement == nullptr) return;
  *options.measurement = make_handle<netcl_measurement>(measurement);
}

}  // namespace netcl::api
