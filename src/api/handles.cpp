#include "api/handles.hpp"

#include <iterator>

namespace netcl::api {

// What a live handle of another type is; null for a key that is none.
static const char* live_type(uint64_t key) {
  static constexpr const char* kNames[] = {
      "netcl_device",      "netcl_queue",     "netcl_event",           "netcl_pool",
      "netcl_buffer",      "netcl_tensor",    "netcl_kernel",          "netcl_expression",
      "netcl_measurement", "netcl_timer",     "netcl_region",          "netcl_roofline",
      "netcl_space",       "netcl_config",    "netcl_tuning_database", "netcl_search",
      "netcl_ceilings",    "netcl_benchmark", "netcl_tuner",           "netcl_graph",
      "netcl_group",       "netcl_model",     "netcl_sharded",         "netcl_weights",
      "netcl_reducer"};
  static_assert(std::size(kNames) == NETCL_HANDLE_REDUCER);
  for (netcl_handle_type type = 1; type <= NETCL_HANDLE_REDUCER; ++type) {
    if (process().handles.contains(key, type)) return kNames[type - 1];
  }
  return nullptr;
}

void fail_handle(uint64_t key, netcl_handle_type type, const char* type_name,
                 const char* argument_name, uint32_t index) {
  const std::string name =
      index == kNoIndex ? argument_name : format("%s[%u]", argument_name, index);
  const char* argument = name.c_str();
  if (key == 0) fail(NETCL_ERROR_INVALID_HANDLE, "%s is NULL", argument);
  if (made_before_fork(key, type)) {
    fail(NETCL_ERROR_FORKED,
         "%s was made before fork(); this process must make its own, or be "
         "started with exec or posix_spawn",
         argument);
  }
  const auto number = static_cast<unsigned long long>(key);
  if (const char* const other = live_type(key)) {
    fail(NETCL_ERROR_INVALID_HANDLE, "%s is 0x%llx, which is a %s and no %s", argument, number,
         other, type_name);
  }
  fail(NETCL_ERROR_INVALID_HANDLE, "%s is 0x%llx, which is no live %s of this library", argument,
       number, type_name);
}

void release_key(uint64_t key, netcl_handle_type type, const char* type_name) noexcept {
  const CallScope scope;
  try {
    if (process().handles.release(key, type)) return;
    // In a child of fork() the parent's handles are the parent's business.
    if (made_before_fork(key, type)) return;
    log_message(NETCL_LOG_WARNING, "release of 0x%llx, which is no live %s of this library",
                static_cast<unsigned long long>(key), type_name);
  } catch (const std::exception& error) {
    log_message(NETCL_LOG_ERROR, "release of a %s: %s", type_name, error.what());
  } catch (...) {
    log_message(NETCL_LOG_ERROR, "release of a %s failed", type_name);
  }
}

}  // namespace netcl::api
