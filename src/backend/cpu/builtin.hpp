// The face of the built-in CPU device to the device layer.
#pragma once

#include <memory>

#include "backend/backend.hpp"

namespace netcl::backend::cpu {

// Commands run on the calling thread (and helper threads) before the enqueueing call returns, so
// every event of this device is complete from the start.
std::unique_ptr<Device> open_builtin();

// Its identity, without starting anything.
netcl_device_info describe_builtin();

}  // namespace netcl::backend::cpu
