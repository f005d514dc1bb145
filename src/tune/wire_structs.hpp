// The structs of the interface that travel with jobs, as JSON.
#pragma once

#include "core/json.hpp"
#include "netcl.h"

namespace netcl::tune {

// Numbers that are not finite are texts: JSON has no other way.
Json real_to_json(double value);
double real_member(const Json& json, const char* name);

Json timing_to_json(const netcl_measurement_options& options);
netcl_measurement_options timing_from_json(const Json& json);

Json statistics_to_json(const netcl_statistics& statistics);
// Also refuses times that are negative or no numbers.
netcl_statistics statistics_from_json(const Json& json);

}  // namespace netcl::tune
