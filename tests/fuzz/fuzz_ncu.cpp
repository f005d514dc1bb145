// Any bytes given as an NCU report: an error with a message, or a result without NaN. Works through
// the public header alone.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "netcl.h"

// A broken promise stops the fuzzer, which keeps the input.
static void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s; last error: %s\n", what, netcl_last_error_message());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static netcl_roofline* roofline = nullptr;
  if (roofline == nullptr) {
    require(netcl_roofline_create(nullptr, &roofline) == NETCL_OK, "no analyzer");
  }
  const char* text = size > 0 ? reinterpret_cast<const char*>(data) : "";
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  const netcl_status status =
      netcl_roofline_analyze_ncu(roofline, text, size, nullptr, &result);
  if (status != NETCL_OK) {
    require(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_NOT_FOUND,
            "a damaged report is neither CORRUPT_DATA nor NOT_FOUND");
    require(netcl_last_error_message()[0] != '\0', "an error without a message");
    return 0;
  }
  require(std::isfinite(result.efficiency_pct), "an efficiency that is no number");
  char buffer[4096];
  require(netcl_roofline_format(&result, NETCL_FORMAT_JSON, buffer, sizeof buffer, nullptr) ==
              NETCL_OK, "no JSON");
  return 0;
}
