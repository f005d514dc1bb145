/* Tuning; see support_handles.h. */
#include "support_handle_calls.h"

#define CONFIG(i) ((netcl_config *)h[i])
#define DATABASE(i) ((netcl_tuning_database *)h[i])
#define SPACE(i) ((netcl_space *)h[i])
#define SEARCH(i) ((netcl_search *)h[i])
#define TUNER(i) ((netcl_tuner *)h[i])

static const uint64_t kSize[1] = {4};
static const netcl_conv2d_shape *image(void) {
  static netcl_conv2d_shape shape;
  shape.struct_size = sizeof shape;
  shape.batch = shape.channels = shape.filters = shape.kernel_height = shape.kernel_width = 1;
  shape.height = shape.width = 4;
  return &shape;
}
static const netcl_tuner_options *in_memory(void *database) {
  static netcl_tuner_options options;
  options.struct_size = sizeof options;
  options.database = database;
  options.in_process = 1;
  return &options;
}
static const netcl_arg *tensor_arg(void *tensor) {
  static netcl_arg arg;
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = tensor;
  return &arg;
}

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
  C(netcl_device_match_record, "d", DEVICE(0), best(), out())                                     \
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
  C(netcl_search_create, "sC", SPACE(0), NULL, CONFIG(1), NULL, out())                            \
  C(netcl_search_retain, "h", SEARCH(0))                                                          \
  R(netcl_search_release, "h", SEARCH(0))                                                         \
  C(netcl_search_ask, "h", SEARCH(0), out(), (uint64_t *)out() + 1, NULL)                         \
  C(netcl_search_tell, "h", SEARCH(0), 0, NULL, 0)                                                \
  C(netcl_search_tell_failure, "h", SEARCH(0), 0, NETCL_OUTCOME_CRASH, NULL)                      \
  C(netcl_search_cancel, "h", SEARCH(0))                                                          \
  C(netcl_search_read_event, "h", SEARCH(0), 0, 0, info(sizeof(netcl_search_event)))              \
  C(netcl_search_get_result, "h", SEARCH(0), info(sizeof(netcl_search_result)))                   \
  C(netcl_search_get_best, "h", SEARCH(0), out())                                                 \
  C(netcl_search_get_candidate, "h", SEARCH(0), 0, info(sizeof(netcl_search_candidate)), NULL)    \
  C(netcl_search_get_samples, "h", SEARCH(0), 0, NULL, 0, out())                                  \
  C(netcl_search_get_failure, "h", SEARCH(0), 0, out(), 16, NULL)                                 \
  C(netcl_search_store, "hyD", SEARCH(0), DATABASE(1), DEVICE(2), key())                          \
  C(netcl_search_resume, "hyD", SEARCH(0), DATABASE(1), DEVICE(2), key(), NULL)                   \
  C(netcl_tuner_create, "dY", DEVICE(0), in_memory(h[1]), out())                                  \
  C(netcl_tuner_retain, "u", TUNER(0))                                                            \
  R(netcl_tuner_release, "u", TUNER(0))                                                           \
  C(netcl_tuner_add, "ukt", TUNER(0), KERNEL(1), kSize, 1, tensor_arg(h[2]), 1, NULL)             \
  C(netcl_tuner_add_matmul, "u", TUNER(0), 1, 4, 4, 4, NETCL_F32)                                 \
  C(netcl_tuner_add_conv2d, "u", TUNER(0), image(), NETCL_F32)                                    \
  C(netcl_tuner_add_reduction, "u", TUNER(0), 4, 4, NETCL_F32)                                    \
  C(netcl_tuner_run, "u", TUNER(0))                                                               \
  C(netcl_tuner_cancel, "u", TUNER(0))                                                            \
  C(netcl_tuner_read_event, "u", TUNER(0), 0, 0, info(sizeof(netcl_search_event)))                \
  C(netcl_tuner_get_count, "u", TUNER(0), out())                                                  \
  C(netcl_tuner_get_result, "u", TUNER(0), 0, info(sizeof(netcl_tuner_result)), NULL)             \
  C(netcl_tuner_get_search, "u", TUNER(0), 0, out())                                              \
  C(netcl_tuner_lookup, "u", TUNER(0), "k", kSize, 1, out(), (netcl_config **)out() + 1)          \
  C(netcl_tuner_save, "u", TUNER(0), "handles.jsonl")                                              \
  C(netcl_tuner_load, "u", TUNER(0), "handles.jsonl")                                              \
  C(netcl_tuner_clear, "u", TUNER(0))                                                             \
  C(netcl_kernel_autotune, "ktY", KERNEL(0), kSize, 1, tensor_arg(h[1]), 1, NULL,                 \
    in_memory(h[2]), out(), NULL)                                                                 \
  C(netcl_tuning_database_export, "y", DATABASE(0), NULL, NETCL_FORMAT_JSON, out(), 16, NULL)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleTuneCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleTuneCasesCount = COUNT_OF(kHandleTuneCases);
