#include "api/guard.hpp"
#include "api/structs.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_log_set_level(netcl_log_level level) {
  return guarded([&] {
    if (level < NETCL_LOG_OFF || level > NETCL_LOG_DEBUG) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "level is %d, which is no netcl_log_level", level);
    }
    process().log.set_level(level);
  });
}

netcl_status netcl_log_set_callback(netcl_log_fn fn, void* user_data, netcl_destroy_fn destroy) {
  return guarded([&] {
    if (fn == nullptr && destroy != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "destroy is set while fn is NULL: nothing would call it");
    }
    process().log.set_callback(fn, user_data, destroy);
  });
}

netcl_status netcl_log_read(uint64_t after, netcl_log_record* record) {
  return guarded([&] {
    check_info(record, "record");
    netcl_log_record full = NETCL_LOG_RECORD_INIT;
    if (!process().log.read(after, &full)) {
      fail(NETCL_ERROR_NOT_FOUND, "no record has a sequence above %llu",
           static_cast<unsigned long long>(after));
    }
    write_info(record, full);
  });
}

}  // extern "C"
