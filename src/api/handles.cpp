#include "api/handles.hpp"

namespace netcl::api {

// What a live handle of another type is; null for a key that is none.
static const char* live_type(uint64_t key) {
#define NETCL_IS_LIVE(handle, constant, object) \
  if (process().handles.contains(key, constant)) return #handle;
  NETCL_HANDLES(NETCL_IS_LIVE)
#undef NETCL_IS_LIVE
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
