/* Tuning; see support_handles.h. */
#include "support_handle_calls.h"

#define CONFIG(i) ((netcl_config *)h[i])
#define DATABASE(i) ((netcl_tuning_database *)h[i])

static const netcl_tuning_key *key(void) {
  static netcl_tuning_key given;
  given.struct_size = sizeof given;
  given.kernel = "k";
  return &given;
}

static const netcl_tuning_record *best(void) {
  static netcl_tuning_record given;
  given.struct_size = sizeof given;
  given.kind = NETCL_TUNING_RECORD_BEST;
  return &given;
}

#define CASES(C, R, N)                                                                            \
  N(netcl_tuning_database_open)                                                                   \
  C(netcl_device_get_part, "d", DEVICE(0), out(), 16, NULL)                                       \
  C(netcl_tuning_database_retain, "y", DATABASE(0))                                               \
  R(netcl_tuning_database_release, "y", DATABASE(0))                                              \
  C(netcl_tuning_database_get_info, "y", DATABASE(0), info(sizeof(netcl_tuning_database_info)))   \
  C(netcl_tuning_database_lookup, "yD", DATABASE(0), DEVICE(1), key(),                            \
    info(sizeof(netcl_tuning_record)), NULL)                                                      \
  C(netcl_tuning_database_put, "yDc", DATABASE(0), DEVICE(1), key(), CONFIG(2), best())           \
  C(netcl_tuning_database_refresh, "y", DATABASE(0))                                              \
  C(netcl_tuning_database_get_record, "y", DATABASE(0), 0, info(sizeof(netcl_tuning_record)),     \
    NULL)                                                                                         \
  C(netcl_tuning_database_merge, "y", DATABASE(0), "/nonexistent/x", NULL)                        \
  C(netcl_tuning_database_compact, "y", DATABASE(0))                                              \
  C(netcl_tuning_database_clear, "y", DATABASE(0), NULL)                                          \
  C(netcl_tuning_database_export, "y", DATABASE(0), NULL, NETCL_FORMAT_JSON, out(), 16, NULL)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleTuneCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleTuneCasesCount = COUNT_OF(kHandleTuneCases);
