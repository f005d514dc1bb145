/*
 * Calls for sweeps: of functions that take no handles, and those of others that the test of handles
 * calls in a way that is refused early. See support_handles.h; more roles: 1 f32[4], 2 f32[64, 64],
 * 3 f32[1, 8, 4], 4 f32[1, 2, 8, 8], w f32[2, 2, 3, 3], v f32[2], 8 i64[2] of 0 and 1, z a space
 * with parameters, G ceilings that are in a file, too, f a database in a file.
 */
#include "support_sweep_cases.h"
#include "support_process.h"

static char text[4096];
static const char *const kSweepTexts[2] = {"v0 + v1", "v0 * v1 + 0.5"};
static const double kSamples[3] = {1.0, 2.0, 3.0};
static const int64_t kMatrix[2] = {64, 64}, kImage[4] = {1, 2, 8, 8}, kFilter[4] = {2, 2, 3, 3};
static const int64_t kAngles[3] = {1, 8, 4}, kFlat[1] = {4096};
static const int64_t kFour[1] = {4}, kTwo[1] = {2}, kPads[8] = {0, 0, 1, 1, 0, 0, 1, 1};
static const int64_t kLarger[4] = {1, 2, 16, 16}, kParts[2] = {32, 32};
static const uint32_t kAxes[4] = {0, 2, 3, 1};
static const int64_t kInts[2] = {1, 2};
static const double kFloats[2] = {1.0, 2.0};
static const char *const kTexts[2] = {"a", "b"};
static const char kT1[] =
    "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"A\", \"Type\": \"int\", "
    "\"Values\": \"[1, 2, 4]\"}], \"Conditions\": [{\"Expression\": \"A > 1\"}]}}";
static const char kCsv[] =
    "ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n"
    "0,k,sm__throughput.avg.pct_of_peak_sustained_elapsed,%,50\n"
    "0,k,dram__throughput.avg.pct_of_peak_sustained_elapsed,%,40\n";

static const char kRecording[] =
    "{\"tune_params_keys\": [\"A\"], \"tune_params\": {\"A\": [1, 2, 4]}, "
    "\"cache\": {\"1\": 2.5, \"2\": 3.5, \"4\": {\"time\": 1.5}}}";

/* Files in a folder of this process. */
static const char *file(const char *name) {
  static char folder[200], path[256];
  if (folder[0] == '\0') process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static const netcl_range kSlices[2] = {{1, 9, 2}, {0, 64, 1}};
static netcl_status first_of(netcl_status a, netcl_status b) { return a != NETCL_OK ? a : b; }

static const netcl_tuning_key *key(void) {
  static netcl_tuning_key given = NETCL_TUNING_KEY_INIT;
  given.kernel = "k";
  given.shape_count = 1;
  given.shape[0] = 4;
  return &given;
}
static const netcl_tuning_record *best(void) {
  static netcl_tuning_record given = NETCL_TUNING_RECORD_INIT;
  given.kind = NETCL_TUNING_RECORD_BEST;
  given.outcome = NETCL_OUTCOME_CORRECT;
  given.median = 1;
  return &given;
}
static const netcl_roofline_result *result(void) {
  static netcl_roofline_result given = NETCL_ROOFLINE_RESULT_INIT;
  return &given;
}
static netcl_status push_pop(netcl_device *device, netcl_device **current) {
  const netcl_status status = netcl_device_push(device);
  if (status != NETCL_OK) return status;
  const netcl_status asked = current == NULL ? NETCL_OK : netcl_device_current(current);
  return first_of(asked, netcl_device_pop());
}
static netcl_status region(netcl_queue *queue) {
  const netcl_status status = netcl_region_push(queue, "region");
  return status != NETCL_OK ? status : netcl_region_pop();
}
/* With `path` the trace is written, too. */
static netcl_status profile(netcl_queue *queue, netcl_tensor *tensor, const char *path,
                            netcl_format format) {
  netcl_profile_options options = NETCL_PROFILE_OPTIONS_INIT;
  netcl_tensor *copy = NULL;
  size_t length = 0;
  options.trace_path = path;
  netcl_status status = netcl_profile_start(&options);
  if (status != NETCL_OK) return status;
  status = first_of(region(queue), netcl_op_copy(tensor, NULL, &copy));
  netcl_tensor_release(copy);
  status = first_of(status, netcl_profile_stop(LONG_WAIT));
  status = first_of(status, netcl_profile_report(format, text, sizeof text, &length));
  return status;
}
static netcl_status interrupt(void) {
  const netcl_status status = netcl_interrupt_enable(SECOND);
  return first_of(status, netcl_interrupt_disable());
}
static netcl_status ask_and_tell(netcl_search *search, int fails) {
  uint32_t candidate = 0;
  uint64_t samples = 0;
  netcl_config *config = NULL;
  netcl_status status = netcl_search_ask(search, &candidate, &samples, &config);
  netcl_config_release(config);
  if (status != NETCL_OK) return status;
  return fails ? netcl_search_tell_failure(search, candidate, NETCL_OUTCOME_CRASH, "no")
               : netcl_search_tell(search, candidate, kSamples, 3);
}
static netcl_status put(netcl_tuning_database *database, netcl_config *config) {
  return netcl_tuning_database_put(database, NULL, key(), config, best());
}
static netcl_status saved(netcl_tensor *tensor, netcl_device *device, netcl_tensor **loaded) {
  const netcl_status status = netcl_tensor_save_npy(tensor, file("a.npy"), LONG_WAIT);
  if (status != NETCL_OK) return status;
  return netcl_tensor_load_npy(device, file("a.npy"), NULL, loaded);
}
static netcl_status analysed(netcl_roofline *roofline, netcl_roofline_result *found) {
  return netcl_roofline_analyze_ncu(roofline, kCsv, sizeof kCsv - 1, NULL, found);
}
/* What the header of DLPack calls DLManagedTensor, as far as it is needed. */
struct DLManagedTensor {
  unsigned char tensor[48];
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
};
static netcl_status exported(netcl_tensor *tensor, netcl_device *device, netcl_tensor **made) {
  struct DLManagedTensor *managed = NULL;
  netcl_status status = netcl_tensor_to_dlpack(tensor, LONG_WAIT, &managed);
  if (status != NETCL_OK) return status;
  status = netcl_tensor_create_from_dlpack(device, managed, NULL, made);
  if (status != NETCL_OK) managed->deleter(managed);
  return status;
}

typedef netcl_status Loss(netcl_tensor *x, netcl_tensor *labels, int32_t axis,
                          const netcl_loss_options *options, const netcl_run_options *run,
                          netcl_tensor **result);
/* Of the first two rows of a matrix. */
static netcl_status loss_of(Loss *loss, netcl_tensor *matrix, netcl_tensor *labels, void *result) {
  static const netcl_range kRows[2] = {{0, 2, 1}, {0, 64, 1}};
  netcl_tensor *rows = NULL;
  netcl_status status = netcl_tensor_slice(matrix, kRows, 2, &rows);
  if (status == NETCL_OK) status = loss(rows, labels, 1, NULL, NULL, result);
  netcl_tensor_release(rows);
  return status;
}

static netcl_status timed(netcl_timer *timer, netcl_tensor *tensor, netcl_elapsed *elapsed) {
  netcl_tensor *copy = NULL;
  const netcl_status status = netcl_timer_start(timer);
  if (status != NETCL_OK) return status;
  netcl_op_copy(tensor, NULL, &copy);
  netcl_tensor_release(copy);
  return netcl_timer_stop(timer, LONG_WAIT, elapsed);
}

/* Records calls on a tensor, one of them in place, and takes the gradient. */
static netcl_status gradients(netcl_device *device, netcl_tensor *x, int clear,
                              netcl_tensor **result) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_info state = NETCL_GRAPH_INFO_INIT;
  netcl_tensor *y = NULL, *sum = NULL;
  netcl_status status = netcl_graph_create(device, NULL, &run.graph);
  if (status != NETCL_OK) return status;
  status = netcl_op_expression_text("v0 * v0", &x, 1, NULL, &run, &y);
  if (status == NETCL_OK) {
    run.into = y;
    status = netcl_op_expression_text("3 * v0", &y, 1, NULL, &run, NULL);
    run.into = NULL;
  }
  if (status == NETCL_OK) status = netcl_op_reduce(y, NETCL_REDUCTION_SUM, NULL, &run, &sum);
  if (status == NETCL_OK) status = netcl_graph_get_info(run.graph, &state);
  if (status == NETCL_OK) {
    status = netcl_graph_add_gradients(run.graph, &sum, 1, &x, 1, NULL, result);
  }
  if (status == NETCL_OK && clear) status = netcl_graph_clear(run.graph);
  netcl_tensor_release(sum);
  netcl_tensor_release(y);
  netcl_graph_release(run.graph);
  return status;
}

/* Captures, compiles and runs calls of every kind that a program joins, places and shares. */
static netcl_status program(netcl_device *device, netcl_tensor *x, netcl_tensor *y, char *told) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_graph_options options = NETCL_GRAPH_OPTIONS_INIT;
  netcl_tensor *v[4] = {NULL, NULL, NULL, NULL};
  options.execute = NETCL_OFF;
  netcl_status status = netcl_graph_create(device, &options, &run.graph);
  if (status != NETCL_OK) return status;
  for (int i = 0; i < 2 && status == NETCL_OK; ++i) {
    status = netcl_op_expression_text("exp(v0)", &x, 1, NULL, &run, &v[i]);
  }
  if (status == NETCL_OK) status = netcl_op_matmul(v[0], v[1], NULL, &run, &v[2]);
  if (status == NETCL_OK) status = netcl_op_expression_text("v0 * v1", v + 1, 2, NULL, &run, &v[3]);
  if (status == NETCL_OK) status = netcl_graph_compile(run.graph, &x, 1, &v[3], 1, NULL);
  if (status == NETCL_OK) {
    status = netcl_graph_explain(run.graph, NETCL_GRAPH_FORMAT_JSON, told, 64, NULL);
  }
  if (status == NETCL_OK) status = netcl_graph_run(run.graph, &x, 1, &y, 1, NULL);
  for (int i = 0; i < 4; ++i) netcl_tensor_release(v[i]);
  netcl_graph_release(run.graph);
  return status;
}

/* F(function, roles, call): an expression that gives a status. V: one that gives something else. */
#define CASES(F, V)                                                                               \
  V(netcl_status_name, netcl_status_name(NETCL_OK))                                               \
  V(netcl_last_error_message, netcl_last_error_message())                                         \
  V(netcl_version_number, netcl_version_number())                                                 \
  V(netcl_version_string, netcl_version_string())                                                 \
  V(netcl_dtype_name, netcl_dtype_name(NETCL_F32))                                                \
  V(netcl_dtype_size, netcl_dtype_size(NETCL_F32))                                                \
  V(netcl_variant_name, netcl_variant_name(1))                                                    \
  V(netcl_elementwise_name, netcl_elementwise_name(1))                                            \
  V(netcl_ceiling_kind_name, netcl_ceiling_kind_name(1))                                          \
  F(netcl_last_error_get_info, "", netcl_last_error_get_info(info(sizeof(netcl_error_info))))     \
  F(netcl_last_error_set, "", netcl_last_error_set(NETCL_ERROR_IO, 0, "a message"))               \
  F(netcl_library_get_info, "", netcl_library_get_info(info(sizeof(netcl_library_info))))         \
  F(netcl_library_get_live_count, "", netcl_library_get_live_count(1, out()))                     \
  F(netcl_shutdown, "", netcl_shutdown(LONG_WAIT))                                                \
  F(netcl_library_set_exit_timeout, "", netcl_library_set_exit_timeout(SECOND))                   \
  F(netcl_interrupt_enable, "", interrupt())                                                      \
  F(netcl_interrupt_disable, "", interrupt())                                                     \
  F(netcl_log_set_level, "", netcl_log_set_level(NETCL_LOG_OFF))                                  \
  F(netcl_log_set_callback, "", netcl_log_set_callback(NULL, NULL, NULL))                         \
  F(netcl_log_read, "", netcl_log_read(0, info(sizeof(netcl_log_record))))                        \
  F(netcl_device_count, "", netcl_device_count(out()))                                            \
  F(netcl_device_describe, "", netcl_device_describe(0, info(sizeof(netcl_device_info))))         \
  F(netcl_device_diagnose, "", netcl_device_diagnose(text, sizeof text, NULL))                    \
  F(netcl_device_open, "", netcl_device_open("builtin", NULL, out()))                             \
  F(netcl_device_open_from_cl, "", netcl_device_open_from_cl(NULL, NULL, NULL, NULL, out()))      \
  F(netcl_device_push, "d", push_pop(DEVICE(0), NULL))                                            \
  F(netcl_device_pop, "d", push_pop(DEVICE(0), NULL))                                             \
  F(netcl_device_current, "d", push_pop(DEVICE(0), out()))                                        \
  F(netcl_program_cache_get_info, "",                                                             \
    netcl_program_cache_get_info(info(sizeof(netcl_program_cache_info))))                         \
  F(netcl_program_cache_clear, "", netcl_program_cache_clear(1))                                  \
  F(netcl_program_cache_get_entry, "",                                                            \
    netcl_program_cache_get_entry(0, info(sizeof(netcl_program_cache_entry))))                    \
  F(netcl_variant_clear_cache, "", netcl_variant_clear_cache())                                   \
  F(netcl_elementwise_find, "", netcl_elementwise_find("add", out()))                             \
  F(netcl_expression_create, "", netcl_expression_create("relu(v0 + v1 * 2) - v2", out()))        \
  F(netcl_primitive_register, "", sweep_primitive(NULL, NULL, NULL))                              \
  F(netcl_primitive_register_function, "2", sweep_function(TENSOR(0), out()))                     \
  F(netcl_primitive_unregister, "", sweep_primitive(NULL, NULL, NULL))                            \
  F(netcl_statistics_compute, "",                                                                 \
    netcl_statistics_compute(kSamples, 3, 0, info(sizeof(netcl_statistics))))                     \
  F(netcl_statistics_compare, "",                                                                 \
    netcl_statistics_compare(kSamples, 3, kSamples, 3, 0, 0, 1, info(sizeof(netcl_comparison))))  \
  F(netcl_profile_start, "q2", profile(QUEUE(0), TENSOR(1), NULL, NETCL_FORMAT_TEXT))             \
  F(netcl_profile_stop, "q2", profile(QUEUE(0), TENSOR(1), file("t"), NETCL_FORMAT_TEXT))         \
  F(netcl_profile_reset, "q2", profile(QUEUE(0), TENSOR(1), NULL, NETCL_FORMAT_CSV))              \
  F(netcl_profile_report, "q2", profile(QUEUE(0), TENSOR(1), NULL, NETCL_FORMAT_JSON))            \
  F(netcl_region_push, "q", region(QUEUE(0)))                                                     \
  F(netcl_region_pop, "q", region(QUEUE(0)))                                                      \
  F(netcl_timer_stop, "i2", timed((netcl_timer *)h[0], TENSOR(1), info(sizeof(netcl_elapsed))))   \
  F(netcl_roofline_create, "", netcl_roofline_create(NULL, out()))                                \
  F(netcl_roofline_format, "",                                                                    \
    netcl_roofline_format(result(), NETCL_FORMAT_JSON, text, sizeof text, NULL))                  \
  F(netcl_roofline_analyze_ncu, "o", analysed(h[0], info(sizeof(netcl_roofline_result))))         \
  F(netcl_space_create, "", netcl_space_create(out()))                                            \
  F(netcl_space_create_from_t1, "", netcl_space_create_from_t1(kT1, sizeof kT1 - 1, out()))       \
  F(netcl_space_add_constraint, "z", netcl_space_add_constraint(h[0], "A > 1 and B < 2"))         \
  F(netcl_space_set_work_size, "z", netcl_space_set_work_size(h[0], "A * global_x, 1", "A"))      \
  F(netcl_space_get_count, "z", netcl_space_get_count(h[0], NULL, out()))                         \
  F(netcl_space_get_config, "z", netcl_space_get_config(h[0], NULL, 1, out()))                    \
  F(netcl_config_create_from_json, "",                                                            \
    netcl_config_create_from_json("{\"A\": 1, \"B\": 2.5}", 18, out()))                           \
  F(netcl_ceilings_create, "", netcl_ceilings_create(out()))                                      \
  F(netcl_ceilings_save, "G", netcl_ceilings_save(h[0], file("ceilings")))                        \
  F(netcl_ceilings_load, "G", netcl_ceilings_load(file("ceilings"), out()))                       \
  F(netcl_tuning_database_open, "f", netcl_tuning_database_open(file("db"), out()))               \
  F(netcl_tuning_database_put, "fc", put(h[0], h[1]))                                             \
  F(netcl_tuning_database_refresh, "f", netcl_tuning_database_refresh(h[0]))                      \
  F(netcl_tuning_database_compact, "f", netcl_tuning_database_compact(h[0]))                      \
  F(netcl_tuning_database_merge, "yf", netcl_tuning_database_merge(h[0], file("db"), out()))      \
  F(netcl_tuning_database_lookup, "f",                                                            \
    netcl_tuning_database_lookup(h[0], NULL, key(), info(sizeof(netcl_tuning_record)), NULL))     \
  F(netcl_tuning_database_get_record, "f",                                                        \
    netcl_tuning_database_get_record(h[0], 0, info(sizeof(netcl_tuning_record)), NULL))           \
  F(netcl_tuning_database_export, "f",                                                            \
    netcl_tuning_database_export(h[0], NULL, NETCL_FORMAT_JSON, text, sizeof text, NULL))         \
  F(netcl_search_replay, "",                                                                      \
    netcl_search_replay(kRecording, sizeof kRecording - 1, NULL,                                  \
                        info(sizeof(netcl_replay_result))))                                       \
  F(netcl_search_create, "z", netcl_search_create(h[0], NULL, NULL, NULL, out()))                 \
  F(netcl_search_tell, "h", ask_and_tell(h[0], 0))                                                \
  F(netcl_search_tell_failure, "h", ask_and_tell(h[0], 1))                                        \
  F(netcl_tensor_save_npy, "2d", saved(TENSOR(0), DEVICE(1), out()))                              \
  F(netcl_tensor_load_npy, "2d", saved(TENSOR(0), DEVICE(1), out()))                              \
  F(netcl_buffer_export, "d", sweep_share(DEVICE(0), out()))                                      \
  F(netcl_buffer_import, "d", sweep_share(DEVICE(0), out()))                                      \
  F(netcl_tensor_to_dlpack, "2d", exported(TENSOR(0), DEVICE(1), out()))                          \
  F(netcl_tensor_create_from_dlpack, "2d", exported(TENSOR(0), DEVICE(1), out()))                 \
  F(netcl_tensor_slice, "2", netcl_tensor_slice(TENSOR(0), kSlices, 2, out()))                    \
  F(netcl_tensor_reshape, "2", netcl_tensor_reshape(TENSOR(0), 1, kFlat, NULL, out()))            \
  F(netcl_tensor_split, "2", netcl_tensor_split(TENSOR(0), 0, kParts, 2, out()))                  \
  F(netcl_op_expression, "x22", netcl_op_expression(EXPRESSION(0), handle_array(h[1], h[2]), 2,   \
                                                    NULL, NULL, out()))                           \
  F(netcl_op_expression_text, "22",                                                               \
    netcl_op_expression_text("v0 * 2 + v1", handle_array(h[0], h[1]), 2, NULL, NULL, out()))      \
  F(netcl_graph_create, "d", netcl_graph_create(DEVICE(0), NULL, out()))                          \
  F(netcl_graph_compile, "d22", program(DEVICE(0), TENSOR(1), TENSOR(2), text))                   \
  F(netcl_graph_create_from_function, "d22",                                                      \
    sweep_graph_function(DEVICE(0), TENSOR(1), TENSOR(2), out()))                                 \
  F(netcl_graph_evaluate, "d22", sweep_graph_function(DEVICE(0), TENSOR(1), TENSOR(2), out()))    \
  F(netcl_graph_run, "d22", program(DEVICE(0), TENSOR(1), TENSOR(2), text))                       \
  F(netcl_graph_explain, "d22", program(DEVICE(0), TENSOR(1), TENSOR(2), text))                   \
  F(netcl_graph_clear, "d2", gradients(DEVICE(0), TENSOR(1), 1, out()))                           \
  F(netcl_graph_get_info, "d2", gradients(DEVICE(0), TENSOR(1), 0, out()))                        \
  F(netcl_graph_add_gradients, "d2", gradients(DEVICE(0), TENSOR(1), 0, out()))                   \
  F(netcl_model_describe, "", sweep_description(file("model"), text))                             \
  F(netcl_model_evaluate, "d22", sweep_model(DEVICE(0), TENSOR(1), TENSOR(2), out()))             \
  F(netcl_weights_save, "2d", sweep_weights(TENSOR(0), DEVICE(1), file("weights"), out()))        \
  F(netcl_reducer_wait, "d22", sweep_reducer(DEVICE(0), TENSOR(1), TENSOR(2), out()))             \
  F(netcl_group_join, "d", join_alone(netcl_group_join, DEVICE(0), (netcl_group **)out()))        \
  F(netcl_op_primitive, "22", sweep_primitive(handle_array(h[0], h[1]), NULL, out()))             \
  F(netcl_op_primitive_gradient, "222",                                                           \
    sweep_primitive(handle_array(h[0], h[1]), TENSOR(2), out()))                                  \
  F(netcl_op_elementwise, "22",                                                                   \
    netcl_op_elementwise(NETCL_ELEMENTWISE_ADD, handle_array(h[0], h[1]), 2, NULL, NULL, out()))  \
  F(netcl_op_expressions, "22",                                                                   \
    netcl_op_expressions(kSweepTexts, 2, handle_array(h[0], h[1]), 2, NULL, NULL, out()))         \
  F(netcl_op_bias_add, "4v", netcl_op_bias_add(TENSOR(0), TENSOR(1), 1, NULL, out()))             \
  F(netcl_op_copy, "2", netcl_op_copy(TENSOR(0), NULL, out()))                                    \
  F(netcl_op_contiguous, "2", netcl_op_contiguous(TENSOR(0), NULL, out()))                        \
  F(netcl_op_cast, "2", netcl_op_cast(TENSOR(0), NETCL_F64, NULL, out()))                         \
  F(netcl_op_fill, "2", netcl_op_fill(TENSOR(0), kSamples, NULL))                                 \
  F(netcl_op_range, "2", netcl_op_range(TENSOR(0), kSamples, kSamples, NULL))                     \
  F(netcl_op_eye, "2", netcl_op_eye(TENSOR(0), 0, NULL))                                          \
  F(netcl_op_matmul, "22", sweep_multiply(TENSOR(0), TENSOR(1), out()))                           \
  F(netcl_op_conv2d, "4w", netcl_op_conv2d(TENSOR(0), TENSOR(1), NULL, NULL, out()))              \
  F(netcl_op_matmul_quantized, "2", sweep_quantized(TENSOR(0), 0, out()))                         \
  F(netcl_op_dequantize_weights, "2", sweep_quantized(TENSOR(0), 1, out()))                       \
  F(netcl_op_quantize_weights, "2", sweep_quantized(TENSOR(0), 2, out()))                         \
  F(netcl_op_einsum, "22", netcl_op_einsum("ij,jk", handle_array(h[0], h[1]), 2, NULL, out()))    \
  F(netcl_op_attention, "4", netcl_op_attention(h[0], h[0], h[0], NULL, NULL, out(),              \
                       (netcl_tensor **)out() + 1))                                               \
  F(netcl_op_rotary_embedding, "433",                                                             \
    netcl_op_rotary_embedding(TENSOR(0), TENSOR(1), TENSOR(2), NULL, NULL, out()))                \
  F(netcl_op_quantize_linear, "4", sweep_quantization(SWEEP_QUANTIZE, TENSOR(0), out()))          \
  F(netcl_op_dequantize_linear, "4", sweep_quantization(SWEEP_DEQUANTIZE, TENSOR(0), out()))      \
  F(netcl_op_dynamic_quantize_linear, "4", sweep_quantization(SWEEP_DYNAMIC, TENSOR(0), out()))   \
  F(netcl_op_qlinear_matmul, "4", sweep_quantization(SWEEP_QLINEAR_MATMUL, TENSOR(0), out()))     \
  F(netcl_op_conv2d_integer, "4", sweep_quantization(SWEEP_CONV2D_INTEGER, TENSOR(0), out()))     \
  F(netcl_op_qlinear_conv2d, "4", sweep_quantization(SWEEP_QLINEAR_CONV2D, TENSOR(0), out()))     \
  F(netcl_op_reduce, "2", netcl_op_reduce(TENSOR(0), NETCL_REDUCTION_SUM, NULL, NULL, out()))     \
  F(netcl_op_scan, "2", netcl_op_scan(TENSOR(0), NETCL_REDUCTION_SUM, 0, NULL, NULL, out()))      \
  F(netcl_op_histogram, "2", netcl_op_histogram(TENSOR(0), 4, NULL, NULL, out()))                 \
  F(netcl_op_topk, "2", netcl_op_topk(h[0], 2, -1, NULL, NULL, out(), (netcl_tensor **)out() + 1))\
  F(netcl_op_softmax, "2", netcl_op_softmax(TENSOR(0), -1, NULL, out()))                          \
  F(netcl_op_log_softmax, "2", netcl_op_log_softmax(TENSOR(0), 0, NULL, out()))                   \
  F(netcl_op_cross_entropy, "28", loss_of(netcl_op_cross_entropy, TENSOR(0), TENSOR(1), out()))   \
  F(netcl_op_nll_loss, "28", loss_of(netcl_op_nll_loss, TENSOR(0), TENSOR(1), out()))             \
  F(netcl_op_sgd, "22228", sweep_optimizer(0, h))                                                 \
  F(netcl_op_adam, "22228", sweep_optimizer(1, h))                                                \
  F(netcl_op_rmsprop, "22228", sweep_optimizer(2, h))                                             \
  F(netcl_op_adagrad, "22228", sweep_optimizer(3, h))                                             \
  F(netcl_op_clip_by_norm, "2", netcl_op_clip_by_norm(list_of_one(h[0]), 1, 0.5, NULL, out()))    \
  F(netcl_op_unscale, "1v", sweep_unscale(h))                                                     \
  F(netcl_op_update_loss_scale, "18", sweep_loss_scale(h))                                        \
  F(netcl_op_layernorm, "2", netcl_op_layernorm(TENSOR(0), -1, NULL, NULL, out()))                \
  F(netcl_op_rmsnorm, "2", netcl_op_rmsnorm(TENSOR(0), -1, NULL, NULL, out()))                    \
  F(netcl_op_batchnorm, "4vv", netcl_op_batchnorm(h[0], h[1], h[2], NULL, NULL, out()))            \
  F(netcl_op_pool, "4", sweep_pooled(TENSOR(0), out()))                                         \
  F(netcl_op_max_unpool2d, "4", sweep_unpooled(TENSOR(0), out()))                                 \
  F(netcl_op_roi_pool, "438", sweep_regions(TENSOR(0), TENSOR(1), TENSOR(2), out()))             \
  F(netcl_op_transpose, "4", netcl_op_transpose(TENSOR(0), kAxes, 4, NULL, out()))                \
  F(netcl_op_concat, "22", netcl_op_concat(handle_array(h[0], h[1]), 2, 0, NULL, out()))          \
  F(netcl_op_pad, "4", netcl_op_pad(TENSOR(0), kPads, 8, NULL, NULL, out()))                      \
  F(netcl_op_tile, "4", netcl_op_tile(TENSOR(0), kLarger, 4, NULL, out()))                        \
  F(netcl_op_trilu, "2", netcl_op_trilu(TENSOR(0), 1, 0, NULL, out()))                            \
  F(netcl_op_one_hot, "8",                                                                        \
    netcl_op_one_hot(TENSOR(0), 4, 0, NETCL_F32, kSamples, kSamples, NULL, out()))                \
  F(netcl_op_gather, "28", netcl_op_gather(TENSOR(0), TENSOR(1), 0, NULL, out()))                 \
  F(netcl_op_gather_elements, "18", netcl_op_gather_elements(h[0], h[1], 0, NULL, out()))         \
  F(netcl_op_embedding, "28", netcl_op_embedding(TENSOR(0), TENSOR(1), NULL, out()))              \
  F(netcl_op_scatter, "18v", netcl_op_scatter(h[0], h[1], h[2], 0, NULL, NULL, out()))            \
  F(netcl_op_gather_nd, "38", netcl_op_gather_nd(TENSOR(0), TENSOR(1), 0, NULL, out()))           \
  F(netcl_op_scatter_nd, "381", netcl_op_scatter_nd(h[0], h[1], h[2], 0, NULL, NULL, out()))      \
  F(netcl_op_depth_to_space, "4", netcl_op_depth_to_space(TENSOR(0), 1, 0, NULL, out()))          \
  F(netcl_op_space_to_depth, "4", netcl_op_space_to_depth(TENSOR(0), 2, 1, NULL, out()))          \
  F(netcl_op_resize, "4", netcl_op_resize(TENSOR(0), 4, kLarger, NULL, NULL, out()))

#define CALL_FULL(function, roles, ...)                 \
  static netcl_status call_##function(void *const *h) { \
    (void)h;                                            \
    return __VA_ARGS__;                                 \
  }
#define CALL_VALUE(function, ...)                       \
  static netcl_status call_##function(void *const *h) { \
    (void)h;                                            \
    (void)(__VA_ARGS__);                                \
    return NETCL_OK;                                    \
  }
#define ROW_FULL(function, roles, ...) {#function, roles, 0, call_##function},
#define ROW_VALUE(function, ...) {#function, "", 0, call_##function},

CASES(CALL_FULL, CALL_VALUE)

const HandleCase kSweepCases[] = {CASES(ROW_FULL, ROW_VALUE)};
const size_t kSweepCasesCount = COUNT_OF(kSweepCases);

netcl_status sweep_clean_up(const char *function) {
  if (strncmp(function, "netcl_profile", 13) != 0) return NETCL_OK;
  netcl_profile_stop(LONG_WAIT); /* INVALID_ARGUMENT when none is on */
  return netcl_profile_reset();
}

static const netcl_ceiling kRow = {NETCL_CEILING_LAUNCH, 0, 0, 1.0, 0.0, 0, 0};

/* Numbers between 0 and 2 that differ from their neighbours, and 0, 1, 0, 1 as indices. */
static void *filled(netcl_device *device, netcl_dtype dtype, uint32_t rank, const int64_t *shape) {
  static float numbers[4096];
  static int64_t indices[2] = {0, 1};
  netcl_tensor *made = NULL;
  const void *data = dtype == NETCL_F32 ? (const void *)numbers : indices;
  const size_t bytes = (size_t)product(rank, shape) * netcl_dtype_size(dtype);
  assert_true(bytes <= (dtype == NETCL_F32 ? sizeof numbers : sizeof indices));
  for (int i = 0; i < 4096; ++i) numbers[i] = (float)(1 + i * 7 % 13) / 8;
  MUST(netcl_tensor_create_from_host(device, dtype, rank, shape, NULL, data, bytes, NULL, &made));
  return made;
}

int sweep_make(char role, netcl_device *device, void **handle) {
  netcl_tuning_database *database = NULL;
  netcl_config *config = NULL;
  switch (role) {
    case '1': *handle = filled(device, NETCL_F32, 1, kFour); return 1;
    case '2': *handle = filled(device, NETCL_F32, 2, kMatrix); return 1;
    case '4': *handle = filled(device, NETCL_F32, 4, kImage); return 1;
    case '3': *handle = filled(device, NETCL_F32, 3, kAngles); return 1;
    case 'w': *handle = filled(device, NETCL_F32, 4, kFilter); return 1;
    case 'v': *handle = filled(device, NETCL_F32, 1, kTwo); return 1;
    case '8': *handle = filled(device, NETCL_I64, 1, kTwo); return 1;
    case 'z':
      MUST(netcl_space_create((netcl_space **)handle));
      MUST(netcl_space_add_ints(*handle, "A", kInts, 2));
      MUST(netcl_space_add_floats(*handle, "B", kFloats, 2));
      MUST(netcl_space_add_texts(*handle, "C", kTexts, 2));
      return 1;
    case 'G':
      MUST(netcl_ceilings_create((netcl_ceilings **)handle));
      MUST(netcl_ceilings_set(*handle, &kRow));
      MUST(netcl_ceilings_save(*handle, file("ceilings")));
      return 1;
    case 'f':
      MUST(netcl_tuning_database_open(file("db"), &database));
      MUST(netcl_config_create_from_json("{\"A\": 1, \"B\": \"x\"}", 18, &config));
      MUST(netcl_tuning_database_clear(database, NULL));
      MUST(put(database, config));
      netcl_config_release(config);
      *handle = database;
      return 1;
    default: return 0;
  }
}
