#include "checks.hpp"

#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "execute.hpp"

namespace sequences {
namespace {

bool is_one_line(const char* text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text);
  while (*at != 0) {
    int more = 0;
    if (*at < 0x20 || *at == 0x7f) return false;
    if (*at >= 0x80) {
      more = *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : *at >= 0xc2 ? 1 : -1;
      if (more < 0) return false;
    }
    at++;
    for (; more > 0; more--, at++) {
      if ((*at & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

void release_one(int type, uint64_t value) {
  static int numbers[kHandleTypes + 1];
  if (numbers[type] == 0) {
    numbers[type] = 1 + function_named((std::string(kHandleNames[type]) + "_release").c_str());
  }
  Argument argument{};
  argument.bits = value;
  kFunctions[numbers[type] - 1].call(&argument);
}

}  // namespace

void check_error(const char* function, int32_t status, const netcl_error_info& info) {
  const std::string name = function;
  const bool hosts_own = hook_ran && status < -999;
  if (status > 0 || (status < NETCL_ERROR_INTERNAL && !hosts_own)) {
    fail("unknown status: " + name, std::to_string(status));
  }
  if (status == NETCL_ERROR_INTERNAL || status == NETCL_ERROR_DEVICE_LOST ||
      status == NETCL_ERROR_FORKED) {
    fail(std::string(netcl_status_name(status)) + ": " + name, info.message);
  }
  if (info.status != status) {
    fail("another last error: " + name, std::string("it gave ") + netcl_status_name(status) +
                                            ", the last error is " +
                                            netcl_status_name(info.status) + ": " + info.message);
  }
  if (std::strcmp(info.message, kBefore) == 0) {
    fail("no message: " + name, netcl_status_name(status));
  }
  if (info.message[0] == '\0') fail("no message: " + name, netcl_status_name(status));
  if (std::strcmp(info.message, netcl_last_error_message()) != 0 &&
      std::strlen(info.message) + 1 < sizeof info.message) {
    fail("two messages: " + name, info.message);
  }
  if (!is_one_line(info.message)) fail("a message that is no line of UTF-8: " + name, info.message);
}

void finish_devices(const std::vector<Entry>& live) {
  for (const Entry& entry : live) {
    if (entry.type != NETCL_HANDLE_DEVICE) continue;
    netcl_device_finish(reinterpret_cast<netcl_device*>(entry.value), NETCL_WAIT_FOREVER);
  }
}

void release_all(std::vector<Entry>& live) {
  for (const Entry& entry : live) {
    if (entry.type != NETCL_HANDLE_DEVICE) continue;
    auto* device = reinterpret_cast<netcl_device*>(entry.value);
    for (const char* name : {"k", "name", "other", "nothing"}) {
      for (const uint64_t signature : {0, 7}) netcl_kernel_unregister(device, name, signature);
    }
  }
  for (size_t i = live.size(); i-- > 0;) {
    const Entry& entry = live[i];
    if (entry.type <= kHandleTypes) release_one(entry.type, entry.value);
    if (entry.type == kForeign + 5) release_managed(reinterpret_cast<void*>(entry.value));
  }
  live.clear();
}

void reset_process() {
  netcl_log_set_callback(nullptr, nullptr, nullptr);
  netcl_log_set_level(NETCL_LOG_WARNING);
  netcl_profile_stop(NETCL_WAIT_FOREVER);
  netcl_profile_reset();
  for (const char* name : {"pa", "pb", "pf", "pk", "nothing", "/", "."}) {
    netcl_primitive_unregister(name);
  }
  netcl_interrupt_disable();
}

std::vector<uint64_t> live_counts() {
  std::vector<uint64_t> counts(kHandleTypes + 1);
  for (int type = 1; type <= kHandleTypes; type++) {
    if (netcl_library_get_live_count(type, &counts[static_cast<size_t>(type)]) != NETCL_OK) {
      fail("no live count", kHandleNames[type]);
    }
  }
  return counts;
}

void check_nothing_left(const std::vector<uint64_t>& before) {
  const std::vector<uint64_t> after = live_counts();
  for (int type = 1; type <= kHandleTypes; type++) {
    const auto at = static_cast<size_t>(type);
    if (after[at] == before[at]) continue;
    fail(std::string("handles left: ") + kHandleNames[type],
         std::to_string(before[at]) + " before the sequence, " + std::to_string(after[at]) +
             " after all was released");
  }
}

uint64_t resident_bytes() {
  FILE* file = fopen("/proc/self/statm", "r");
  unsigned long long all = 0, resident = 0;
  if (file == nullptr || fscanf(file, "%llu %llu", &all, &resident) != 2) resident = 0;
  if (file != nullptr) fclose(file);
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

uint64_t printed_bytes() {
  struct stat state {};
  return fstat(STDERR_FILENO, &state) == 0 && S_ISREG(state.st_mode)
             ? static_cast<uint64_t>(state.st_size)
             : 0;
}

}  // namespace sequences
