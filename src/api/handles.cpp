#include "api/handles.hpp"

namespace netcl::api {

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
  fail(NETCL_ERROR_INVALID_HANDLE, "%s is 0x%llx, which is no live %s of this library", argument,
       static_cast<unsigned long long>(key), type_name);
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
