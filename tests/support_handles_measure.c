/* Timing, profiles, the roofline and parameter spaces; see support_handles.h. */
#include "support_handle_calls.h"

#define MEASUREMENT(i) ((netcl_measurement *)h[i])
#define TIMER(i) ((netcl_timer *)h[i])
#define REGION(i) ((netcl_region *)h[i])
#define ROOFLINE(i) ((netcl_roofline *)h[i])
#define CEILINGS(i) ((netcl_ceilings *)h[i])
#define SPACE(i) ((netcl_space *)h[i])
#define CONFIG(i) ((netcl_config *)h[i])

static const uint64_t kSize[1] = {4};
static const int64_t kInts[2] = {1, 2};
static const double kFloats[2] = {1.0, 2.0};
static const char *const kTexts[2] = {"a", "b"};

static netcl_status no_work(netcl_queue *queue, void *user_data) {
  (void)queue;
  (void)user_data;
  return NETCL_OK;
}

static const netcl_roofline_result *result(void) {
  static netcl_roofline_result given;
  given.struct_size = sizeof given;
  return &given;
}

static const netcl_work *work(void) {
  static netcl_work given;
  given.struct_size = sizeof given;
  given.bytes = 1;
  return &given;
}

static const netcl_statistics *statistics(void) {
  static netcl_statistics given;
  given.struct_size = sizeof given;
  given.median = given.bytes = 1;
  return &given;
}

/* Measuring takes what an earlier call found. */
static const netcl_ceilings_options *least(void) {
  static netcl_ceilings_options options;
  options.struct_size = sizeof options;
  options.budget_ns = 1;
  return &options;
}

static const netcl_ceiling *row(void) {
  static const netcl_ceiling given = {NETCL_CEILING_LAUNCH, 0, 0, 1.0, 0.0, 0, 0};
  return &given;
}

static const netcl_arg *tensor_arg(void *tensor) {
  static netcl_arg arg;
  memset(&arg, 0, sizeof arg);
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = tensor;
  return &arg;
}

static const netcl_measurement_options *once(void) {
  static netcl_measurement_options options;
  options.struct_size = sizeof options;
  options.warmup_count = options.count = 1;
  return &options;
}

#define CASES(C, R, N)                                                                             \
  N(netcl_statistics_compute) N(netcl_statistics_compare) N(netcl_profile_start)                   \
  N(netcl_profile_stop) N(netcl_profile_reset) N(netcl_profile_report) N(netcl_region_pop)         \
  N(netcl_roofline_create) N(netcl_roofline_format) N(netcl_space_create)                          \
  N(netcl_ceiling_kind_name) N(netcl_ceilings_create) N(netcl_ceilings_load)                       \
  N(netcl_space_create_from_t1) N(netcl_config_create_from_json) N(netcl_search_replay)            \
  C(netcl_measurement_create, "q", QUEUE(0), NULL, out())                                          \
  C(netcl_measurement_retain, "m", MEASUREMENT(0))                                                 \
  R(netcl_measurement_release, "m", MEASUREMENT(0))                                                \
  C(netcl_measurement_next, "m", MEASUREMENT(0), out(), (uint64_t *)out() + 1)                     \
  C(netcl_measurement_get_statistics, "m", MEASUREMENT(0), 0, info(sizeof(netcl_statistics)))      \
  C(netcl_measurement_get_samples, "m", MEASUREMENT(0), 0, NULL, 0, out())                         \
  C(netcl_measurement_compare, "m", MEASUREMENT(0), 0, 0, info(sizeof(netcl_comparison)))          \
  C(netcl_queue_time, "q", QUEUE(0), no_work, NULL, once(), info(sizeof(netcl_statistics)))        \
  C(netcl_kernel_time, "ktQe", KERNEL(0), kSize, 1, NULL, 0, tensor_arg(h[1]), 1, NULL,            \
    run_options(h[2], NULL, h[3]), once(), info(sizeof(netcl_statistics)))                         \
  C(netcl_timer_create, "q", QUEUE(0), out())                                                      \
  C(netcl_timer_retain, "i", TIMER(0))                                                             \
  R(netcl_timer_release, "i", TIMER(0))                                                            \
  C(netcl_timer_start, "i", TIMER(0))                                                              \
  C(netcl_timer_stop, "i", TIMER(0), LONG_WAIT, info(sizeof(netcl_elapsed)))                       \
  C(netcl_region_begin, "qR", QUEUE(0), REGION(1), "r", out())                                     \
  C(netcl_region_end, "r", REGION(0))                                                              \
  C(netcl_region_annotate, "r", REGION(0), 1.0, 1.0)                                               \
  C(netcl_region_retain, "r", REGION(0))                                                           \
  R(netcl_region_release, "r", REGION(0))                                                          \
  C(netcl_region_push, "q", QUEUE(0), "r")                                                         \
  C(netcl_roofline_retain, "o", ROOFLINE(0))                                                       \
  R(netcl_roofline_release, "o", ROOFLINE(0))                                                      \
  C(netcl_roofline_analyze_metrics, "o", ROOFLINE(0), NULL, NULL, 0,                               \
    info(sizeof(netcl_roofline_result)))                                                           \
  C(netcl_roofline_analyze_ncu, "o", ROOFLINE(0), "", 0, NULL,                                     \
    info(sizeof(netcl_roofline_result)))                                                           \
  C(netcl_roofline_should_stop, "o", ROOFLINE(0), result(), out())                                 \
  C(netcl_roofline_get_reason, "o", ROOFLINE(0), out(), 16, NULL)                                  \
  C(netcl_roofline_reset_history, "o", ROOFLINE(0))                                                \
  C(netcl_roofline_analyze_time, "og", ROOFLINE(0), CEILINGS(1), 1.0, work(),                      \
    info(sizeof(netcl_roofline_result)))                                                           \
  C(netcl_roofline_analyze_statistics, "og", ROOFLINE(0), CEILINGS(1), statistics(),               \
    info(sizeof(netcl_roofline_result)))                                                           \
  C(netcl_ceilings_measure, "d", DEVICE(0), least(), out())                                        \
  C(netcl_ceilings_retain, "g", CEILINGS(0))                                                       \
  R(netcl_ceilings_release, "g", CEILINGS(0))                                                      \
  C(netcl_ceilings_get_info, "g", CEILINGS(0), info(sizeof(netcl_ceilings_info)))                  \
  C(netcl_ceilings_get, "g", CEILINGS(0), NULL, 0, out())                                          \
  C(netcl_ceilings_set, "g", CEILINGS(0), row())                                                   \
  C(netcl_ceilings_save, "g", CEILINGS(0), "absent/absent.json")                                   \
  C(netcl_space_retain, "s", SPACE(0))                                                             \
  R(netcl_space_release, "s", SPACE(0))                                                            \
  C(netcl_space_add_ints, "s", SPACE(0), "A", kInts, 2)                                            \
  C(netcl_space_add_floats, "s", SPACE(0), "B", kFloats, 2)                                        \
  C(netcl_space_add_bool, "s", SPACE(0), "C")                                                      \
  C(netcl_space_add_texts, "s", SPACE(0), "D", kTexts, 2)                                          \
  C(netcl_space_add_constraint, "s", SPACE(0), "A > 1")                                            \
  C(netcl_space_set_work_size, "s", SPACE(0), "A", NULL)                                           \
  C(netcl_space_get_count, "s", SPACE(0), NULL, out())                                             \
  C(netcl_space_get_config, "s", SPACE(0), NULL, 0, out())                                         \
  C(netcl_space_explain, "sc", SPACE(0), NULL, CONFIG(1), out(), 16, NULL)                         \
  C(netcl_config_retain, "c", CONFIG(0))                                                           \
  R(netcl_config_release, "c", CONFIG(0))                                                          \
  C(netcl_config_get_int, "c", CONFIG(0), "A", out())                                              \
  C(netcl_config_get_float, "c", CONFIG(0), "A", out())                                            \
  C(netcl_config_get_text, "c", CONFIG(0), "T", out(), 16, NULL)                                   \
  C(netcl_config_get_json, "c", CONFIG(0), out(), 16, NULL)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleMeasureCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleMeasureCasesCount = COUNT_OF(kHandleMeasureCases);
