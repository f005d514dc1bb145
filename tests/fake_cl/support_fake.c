#include "support_fake.h"

#include <stdio.h>
#include <unistd.h>

static const char kSource[] =
    "#ifndef A\n#define A -1\n#endif\n" /* kUntuned */
    "#ifndef B\n#define B 0\n#endif\n"
    "__kernel void k(__global const float *in, __global float *out) {\n"
    "  out[get_global_id(0)] = 2.0f * in[get_global_id(0)] + 1.0f + 0.0f * A * B;\n"
    "}\n";

static void write_script(const char* mode, const char* format, va_list list) {
  const char* path = getenv("NETCL_FAKE_CL_SCRIPT");
  assert_non_null(path);
  /* A new file: file systems take their time to shorten one. */
  if (mode[0] == 'w') unlink(path);
  FILE* file = fopen(path, mode);
  assert_non_null(file);
  vfprintf(file, format, list);
  fputc('\n', file);
  assert_int_equal(fclose(file), 0);
}

void fake_script(const char* format, ...) {
  va_list list;
  va_start(list, format);
  write_script("w", format, list);
  va_end(list);
  unlink(getenv("NETCL_FAKE_CL_LOG"));
}

void fake_script_more(const char* format, ...) {
  va_list list;
  va_start(list, format);
  write_script("a", format, list);
  va_end(list);
}

int fake_launches(const char* text) {
  char line[512];
  int count = 0;
  FILE* file = fopen(getenv("NETCL_FAKE_CL_LOG"), "r");
  if (file == NULL) return 0;
  while (fgets(line, sizeof line, file) != NULL) count += strstr(line, text) != NULL;
  fclose(file);
  return count;
}

void fake_case(netcl_device* device, FakeCase* made) {
  static const uint64_t kLocal[] = {64};
  const netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  const netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  const netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  int64_t values[kCountA];
  memset(made, 0, sizeof *made);
  for (int i = 0; i < kCountA; ++i) values[i] = i;
  OK(netcl_space_create(&made->space));
  OK(netcl_space_add_ints(made->space, "A", values, kCountA));
  made->kernel = fresh_kernel(device, "k", kSource);
  made->in = counting_tensor(device, NETCL_F32, kFakeItems, 1);
  made->out = poisoned_tensor(device, NETCL_F32, kFakeItems);
  made->args[0] = arg_tensor(made->in);
  made->args[1] = arg_tensor(made->out);
  made->global = kFakeItems;
  made->tuning = tuning;
  made->tuning.space = made->space;
  made->tuning.local_sizes = kLocal;
  made->tuning.local_sizes_count = 1;
  made->search = search;
  made->search.budget_ns = 600 * SECOND; /* of the real clock, which must not matter */
  made->options = options;
  made->options.search = &made->search;
  made->options.in_process = 1;
  made->database = tuning_open(":memory:");
  made->options.database = made->database;
}

void fake_case_free(FakeCase* made) {
  netcl_tensor_release(made->in);
  netcl_tensor_release(made->out);
  netcl_kernel_release(made->kernel);
  netcl_space_release(made->space);
  netcl_tuning_database_release(made->database);
}

int64_t fake_a(const netcl_config* config) {
  int64_t a = kUntuned;
  const netcl_status status = netcl_config_get_int(config, "A", &a);
  CHECK(status == (a == kUntuned ? NETCL_ERROR_NOT_FOUND : NETCL_OK), "A = %d: status %d", (int)a,
        status);
  return a;
}

int64_t fake_winner(FakeCase* made, netcl_search** search) {
  netcl_config* config = NULL;
  netcl_tuner_options anew = made->options;
  anew.force = 1; /* some tests tune one case several times */
  OK(netcl_kernel_autotune(made->kernel, &made->global, 1, made->args, 2, &made->tuning, &anew,
                           &config, search));
  const int64_t a = fake_a(config);
  netcl_config_release(config);
  return a;
}

netcl_search_result fake_result(netcl_search* search) {
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  OK(netcl_search_get_result(search, &result));
  return result;
}

netcl_search_candidate fake_candidate(netcl_search* search, int64_t a) {
  netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
  netcl_config* config = NULL;
  for (uint32_t i = 0; netcl_search_get_candidate(search, i, &info, &config) == NETCL_OK; ++i) {
    const int64_t value = fake_a(config);
    netcl_config_release(config);
    if (value == a) return info;
  }
  FAIL_WITH("no candidate has A = %d", (int)a);
}
