// What the functions of searches, tuners and the database share.
#pragma once

#include "api/handles.hpp"
#include "store/database.hpp"
#include "tune/search.hpp"

namespace netcl::api {

store::Key read_tuning_key(const netcl_device* device, const netcl_tuning_key* given);
netcl_search_options read_search_options(const netcl_search_options* options, const char* argument);
// Fails with INVALID_ARGUMENT for NULL and for members that cannot be.
netcl_work read_work(const netcl_work* work, const char* argument);
// A new handle; null for none.
netcl_config* config_handle(const tune::ConfigRef& config);
netcl_config* config_handle(const store::Record& record);

}  // namespace netcl::api
