// Configurations as JSON objects.
#pragma once

#include "core/json.hpp"
#include "tune/space.hpp"

namespace netcl::tune {

// Fails with CORRUPT_DATA naming `what`, or the member that is no number, text or bool.
Config config_of(const Json& object, const char* what);
Json json_of(const Config& config);

}  // namespace netcl::tune
