#include "support_ncu.h"

netcl_roofline* ncu_analyzer(void) {
  netcl_roofline* roofline = NULL;
  OK(netcl_roofline_create(NULL, &roofline));
  return roofline;
}

netcl_status analyze_ncu(const char* text, const char* kernel, netcl_ncu_policy policy,
                         netcl_roofline_result* result) {
  netcl_roofline* roofline = ncu_analyzer();
  netcl_ncu_options options = NETCL_NCU_OPTIONS_INIT;
  const netcl_roofline_result empty = NETCL_ROOFLINE_RESULT_INIT;
  *result = empty;
  memset((char*)result + sizeof result->struct_size, POISON,
         sizeof *result - sizeof result->struct_size);
  options.kernel = kernel;
  options.policy = policy;
  const netcl_status status =
      netcl_roofline_analyze_ncu(roofline, text, strlen(text), &options, result);
  netcl_roofline_release(roofline);
  return status;
}

netcl_roofline_result read_ncu(const char* text, const char* kernel, netcl_ncu_policy policy) {
  netcl_roofline_result result;
  const netcl_status status = analyze_ncu(text, kernel, policy, &result);
  CHECK(status == NETCL_OK, "status %d: %s", status, netcl_last_error_message());
  return result;
}

void refused_ncu(const char* text, const char* wanted) {
  netcl_roofline_result result;
  const netcl_status status = analyze_ncu(text, NULL, NETCL_NCU_FIRST, &result);
  CHECK(status == NETCL_ERROR_CORRUPT_DATA, "status %d for\n%s", status, text);
  CHECK(strstr(netcl_last_error_message(), wanted) != NULL, "\"%s\" lacks \"%s\"",
        netcl_last_error_message(), wanted);
  const unsigned char* const bytes = (const unsigned char*)&result;
  for (size_t i = sizeof result.struct_size; i < sizeof result; ++i) {
    CHECK(bytes[i] == POISON, "byte %zu was written", i);
  }
}
