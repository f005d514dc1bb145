/* Ceilings: measured ones, those of the caller, files, the store on disk; and times against them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"
#include "support_process.h"

enum { kRowsMost = 128 };

typedef struct Rows {
  netcl_ceiling all[kRowsMost];
  uint32_t count;
} Rows;

static char folder[512];

static Rows rows_of(const netcl_ceilings* ceilings) {
  Rows rows;
  OK(netcl_ceilings_get(ceilings, rows.all, kRowsMost, &rows.count));
  assert_true(rows.count <= kRowsMost);
  return rows;
}

static const netcl_ceiling* row_of(const Rows* rows, netcl_ceiling_kind kind, netcl_dtype dtype,
                                   uint64_t working_set) {
  for (uint32_t i = 0; i < rows->count; i++) {
    const netcl_ceiling* const row = &rows->all[i];
    if (row->kind == kind && row->dtype == dtype && row->working_set == working_set) return row;
  }
  return NULL;
}

static netcl_ceilings_info info_of(const netcl_ceilings* ceilings) {
  netcl_ceilings_info info = NETCL_CEILINGS_INFO_INIT;
  OK(netcl_ceilings_get_info(ceilings, &info));
  return info;
}

static netcl_ceilings* measure(const Fixture* fixture, uint64_t budget_ns, int remeasure,
                               int no_store) {
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceilings* ceilings = NULL;
  options.budget_ns = budget_ns;
  options.remeasure = (uint32_t)remeasure;
  options.no_store = (uint32_t)no_store;
  OK(netcl_ceilings_measure(fixture->device, &options, &ceilings));
  return ceilings;
}

static void set(netcl_ceilings* ceilings, netcl_ceiling_kind kind, netcl_dtype dtype,
                uint64_t working_set, double value) {
  netcl_ceiling row = {0};
  row.kind = kind;
  row.dtype = dtype;
  row.working_set = working_set;
  row.value = value;
  OK(netcl_ceilings_set(ceilings, &row));
}

/* ---- Measured ceilings */

static void check_sorted(const Rows* rows) {
  for (uint32_t i = 1; i < rows->count; i++) {
    const netcl_ceiling *const a = &rows->all[i - 1], *const b = &rows->all[i];
    const int before = a->kind != b->kind     ? a->kind < b->kind
                       : a->dtype != b->dtype ? a->dtype < b->dtype
                                              : a->working_set < b->working_set;
    CHECK(before, "rows %u and %u are out of order", i - 1, i);
  }
}

static void measured(void** state) {
  Fixture* const fixture = *state;
  netcl_ceilings* const ceilings = measure(fixture, only_sanitized() ? 1 : SECOND / 2, 1, 1);
  const netcl_ceilings_info info = info_of(ceilings);
  const Rows rows = rows_of(ceilings);
  check_sorted(&rows);
  assert_string_equal(info.device, fixture->info.name);
  assert_string_equal(info.driver_version, fixture->info.driver_version);
  assert_true(info.time_ns > 0 && info.spent_ns > 0);
  assert_int_equal(info.rows_count, rows.count);
  assert_int_equal(info.from_store, 0);
  for (uint32_t i = 0; i < rows.count; i++) {
    const netcl_ceiling* const row = &rows.all[i];
    CHECK(row->value > 0 && isfinite(row->value) && row->spread >= 0 && isfinite(row->spread) &&
              row->given == 0 && row->disproved == 0,
          "%s: %g, spread %g", netcl_ceiling_kind_name(row->kind), row->value, row->spread);
    assert_string_not_equal(netcl_ceiling_kind_name(row->kind), "invalid");
  }
  /* Every device has these; the others exist where the device can do them. */
  for (netcl_ceiling_kind kind = NETCL_CEILING_MEMORY_READ; kind <= NETCL_CEILING_MEMORY_COPY;
       kind++) {
    assert_non_null(row_of(&rows, kind, 0, 0));
    assert_non_null(row_of(&rows, kind - 1 + NETCL_CEILING_CACHE_READ, 0, 1 << 16));
  }
  for (netcl_ceiling_kind kind = NETCL_CEILING_LAUNCH; kind <= NETCL_CEILING_DEVICE_TO_HOST_PINNED;
       kind++) {
    CHECK(row_of(&rows, kind, 0, 0) != NULL, "no %s", netcl_ceiling_kind_name(kind));
  }
  const netcl_ceiling* const f32 = row_of(&rows, NETCL_CEILING_COMPUTE, NETCL_F32, 0);
  const netcl_ceiling* const f64 = row_of(&rows, NETCL_CEILING_COMPUTE, NETCL_F64, 0);
  assert_non_null(f32);
  assert_non_null(row_of(&rows, NETCL_CEILING_COMPUTE, NETCL_I32, 0));
  assert_int_equal(f64 != NULL, fixture->capabilities.fp64);
  /* Matrix units are found on NVIDIA's GPUs, and are faster than the others there. */
  const netcl_ceiling* const tensor = row_of(&rows, NETCL_CEILING_TENSOR, NETCL_F16, 0);
  const int nvidia = strstr(fixture->info.vendor, "NVIDIA") != NULL;
  if (!nvidia) assert_null(tensor);
  if (strstr(fixture->info.name, "H200") != NULL) assert_non_null(tensor);
  if (tensor != NULL) {
    const netcl_ceiling* const bf16 = row_of(&rows, NETCL_CEILING_TENSOR, NETCL_BF16, 0);
    assert_true(bf16 != NULL && tensor->value > 2 * f32->value && bf16->value > 2 * f32->value);
  }
  netcl_ceilings_release(ceilings);
}

/* What holds on any machine, unless something else runs at the wrong moment. */
static int plausible(const Rows* rows) {
  const netcl_ceiling* const memory = row_of(rows, NETCL_CEILING_MEMORY_READ, 0, 0);
  const netcl_ceiling* const cache = row_of(rows, NETCL_CEILING_CACHE_READ, 0, 1 << 16);
  const netcl_ceiling* const f32 = row_of(rows, NETCL_CEILING_COMPUTE, NETCL_F32, 0);
  const netcl_ceiling* const f64 = row_of(rows, NETCL_CEILING_COMPUTE, NETCL_F64, 0);
  return cache->value > 0.7 * memory->value && f32->value > 1e8 && memory->value > 1e8 &&
         (f64 == NULL || f64->value < 1.3 * f32->value);
}

static void relations(void** state) {
  if (only_sanitized()) SKIP("the work of sanitizers is measured");
  Fixture* const fixture = *state;
  int found = 0;
  for (int round = 0; round < 12 && !found; round++) {
    netcl_ceilings* const ceilings = measure(fixture, SECOND / 4, 1, 1);
    const Rows rows = rows_of(ceilings);
    found = plausible(&rows);
    netcl_ceilings_release(ceilings);
  }
  assert_true(found);
}

static void budget(void** state) {
  if (only_sanitized()) SKIP("the work of sanitizers is measured");
  Fixture* const fixture = *state;
  /* The kernels are built by now. A tiny budget still gives every row; a larger one is not
   * exceeded by much, even on a machine that is busy with something else. */
  netcl_ceilings* ceilings = measure(fixture, 1, 1, 1);
  const Rows least = rows_of(ceilings);
  netcl_ceilings_release(ceilings);
  ceilings = measure(fixture, SECOND / 2, 1, 1);
  assert_int_equal(rows_of(ceilings).count, least.count);
  CHECK(info_of(ceilings).spent_ns < 100 * SECOND, "it took %g s",
        (double)info_of(ceilings).spent_ns * 1e-9);
  netcl_ceilings_release(ceilings);
}

/* ---- Rows of the caller, and files */

static void own_rows(void** state) {
  (void)state;
  netcl_ceilings* ceilings = NULL;
  OK(netcl_ceilings_create(&ceilings));
  assert_int_equal(rows_of(ceilings).count, 0);
  assert_int_equal(info_of(ceilings).time_ns, 0);
  set(ceilings, NETCL_CEILING_MEMORY_COPY, 0, 0, 4e12);
  set(ceilings, NETCL_CEILING_MEMORY_READ, 0, 0, 3e12);
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_F64, 0, 2e12);
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_F32, 0, 1e12);
  set(ceilings, NETCL_CEILING_MEMORY_READ, 0, 0, 5e12);
  Rows rows = rows_of(ceilings);
  check_sorted(&rows);
  assert_int_equal(rows.count, 4);
  assert_true(rows.all[0].value == 5e12);
  assert_int_equal(rows.all[0].given, 1);
  uint32_t count = 0;
  netcl_ceiling two[2];
  OK(netcl_ceilings_get(ceilings, two, 2, &count));
  assert_int_equal(count, 4);
  assert_int_equal(two[1].kind, NETCL_CEILING_MEMORY_COPY);

  const netcl_ceiling wrong[] = {
      {0, 0, 0, 1, 0, 0, 0},
      {14, 0, 0, 1, 0, 0, 0},
      {NETCL_CEILING_MEMORY_READ, NETCL_F32, 0, 1, 0, 0, 0},
      {NETCL_CEILING_MEMORY_READ, 0, 4096, 1, 0, 0, 0},
      {NETCL_CEILING_CACHE_READ, 0, 0, 1, 0, 0, 0},
      {NETCL_CEILING_COMPUTE, 0, 0, 1, 0, 0, 0},
      {NETCL_CEILING_COMPUTE, 99, 0, 1, 0, 0, 0},
      {NETCL_CEILING_LAUNCH, 0, 0, 0, 0, 0, 0},
      {NETCL_CEILING_LAUNCH, 0, 0, -1, 0, 0, 0},
      {NETCL_CEILING_LAUNCH, 0, 0, NAN, 0, 0, 0},
      {NETCL_CEILING_LAUNCH, 0, 0, INFINITY, 0, 0, 0},
      {NETCL_CEILING_LAUNCH, 0, 0, 1, -1, 0, 0},
      {NETCL_CEILING_LAUNCH, 0, 0, 1, NAN, 0, 0},
  };
  for (size_t i = 0; i < COUNT_OF(wrong); i++) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "row->", netcl_ceilings_set(ceilings, &wrong[i]));
  }
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_ceilings_set(ceilings, NULL));
  assert_int_equal(rows_of(ceilings).count, 4);
  assert_string_equal(netcl_ceiling_kind_name(NETCL_CEILING_MEMORY_READ), "memory_read");
  assert_string_equal(netcl_ceiling_kind_name(13), "device_to_host_pinned");
  assert_string_equal(netcl_ceiling_kind_name(0), "invalid");
  assert_string_equal(netcl_ceiling_kind_name(14), "invalid");
  netcl_ceilings_release(ceilings);
}

static char* path_of(const char* name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_text_file(const char* path, const char* text) {
  FILE* const file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void files(void** state) {
  (void)state;
  netcl_ceilings *ceilings = NULL, *again = NULL;
  OK(netcl_ceilings_create(&ceilings));
  set(ceilings, NETCL_CEILING_MEMORY_COPY, 0, 0, 4.123456789012345e12);
  set(ceilings, NETCL_CEILING_CACHE_READ, 0, 65536, 2e13);
  set(ceilings, NETCL_CEILING_TENSOR, NETCL_BF16, 0, 1.0 / 3.0);
  OK(netcl_ceilings_save(ceilings, path_of("own.json")));
  OK(netcl_ceilings_load(path_of("own.json"), &again));
  const Rows before = rows_of(ceilings), after = rows_of(again);
  assert_int_equal(before.count, after.count);
  assert_memory_equal(before.all, after.all, before.count * sizeof before.all[0]);
  netcl_ceilings_release(again);
  FAILS(NETCL_ERROR_IO, netcl_ceilings_save(ceilings, "/nonexistent/folder/c.json"));
  netcl_ceilings_release(ceilings);

  again = NULL;
  FAILS(NETCL_ERROR_IO, netcl_ceilings_load(path_of("absent.json"), &again));
#define FILE_OF(rows)                                                                            \
  "{\"netcl_ceilings\": 1, \"device\": \"d\", \"driver\": \"1\", \"time_ns\": 1, \"spent_ns\": " \
  "2, "                                                                                          \
  "\"rows\": " rows "}"
#define ROW(kind, more) \
  "{\"kind\": \"" kind "\", " more "\"spread\": 0.1, \"given\": false, \"disproved\": false}"
  static const struct {
    const char *text, *complaint;
  } kWrong[] = {
      {"", "no JSON"},
      {"[]", "netcl_ceilings"},
      {"{\"netcl_ceilings\": 2}", "netcl_ceilings"},
      {"{\"netcl_ceilings\": 1}", "device"},
      {FILE_OF("3"), "rows"},
      {FILE_OF("[3]"), "kind"},
      {FILE_OF("[" ROW("fast", "\"value\": 1, ") "]"), "kind"},
      {FILE_OF("[" ROW("launch", "") "]"), "value"},
      {FILE_OF("[" ROW("launch", "\"value\": -1, ") "]"), "row->value"},
      {FILE_OF("[" ROW("launch", "\"value\": 1e999, ") "]"), "JSON"},
      {FILE_OF("[" ROW("compute", "\"value\": 1, ") "]"), "dtype"},
      {FILE_OF("[" ROW("compute", "\"dtype\": \"f33\", \"value\": 1, ") "]"), "dtype"},
      {FILE_OF("[" ROW("launch", "\"value\": 1, ") ", " ROW("launch", "\"value\": 2, ") "]"),
       "two rows have one kind, dtype and working set"},
      {FILE_OF("[" ROW("cache_read", "\"working_set\": -5, \"value\": 1, ") "]"), "working_set"},
  };
  for (size_t i = 0; i < COUNT_OF(kWrong); i++) {
    write_text_file(path_of("wrong.json"), kWrong[i].text);
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, kWrong[i].complaint,
               netcl_ceilings_load(path_of("wrong.json"), &again));
    assert_null(again);
  }
  /* What a file has for names is no command to a terminal. */
  write_text_file(path_of("escapes.json"),
                  "{\"netcl_ceilings\": 1, \"device\": \"a\\u001b[31m\\nb\", \"driver\": "
                  "\"\\u009b1\", \"time_ns\": 1, \"spent_ns\": 2, \"rows\": []}");
  OK(netcl_ceilings_load(path_of("escapes.json"), &again));
  netcl_ceilings_info info = NETCL_CEILINGS_INFO_INIT;
  OK(netcl_ceilings_get_info(again, &info));
  assert_string_equal(info.device, "a [31m b");
  assert_null(strstr(info.driver_version, "\xc2\x9b"));
  netcl_ceilings_release(again);
}

/* ---- The store on disk. Each step is a process of its own, since a process keeps what it has. */

static int print_store(void) {
  const char* const how = getenv("CEILINGS_HOW");
  netcl_device* device = NULL;
  netcl_ceilings* ceilings = NULL;
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceilings_info info = NETCL_CEILINGS_INFO_INIT;
  netcl_ceiling first = {0};
  uint32_t count = 0;
  options.budget_ns = 1;
  options.remeasure = strcmp(how, "remeasure") == 0;
  options.no_store = strcmp(how, "no_store") == 0;
  if (netcl_device_open(test_selector(), NULL, &device) != NETCL_OK ||
      netcl_ceilings_measure(device, &options, &ceilings) != NETCL_OK ||
      netcl_ceilings_get_info(ceilings, &info) != NETCL_OK ||
      netcl_ceilings_get(ceilings, &first, 1, &count) != NETCL_OK) {
    fprintf(stderr, "%s\n", netcl_last_error_message());
    return 2;
  }
  printf("stored: %u %llu %.17g\n", info.from_store, (unsigned long long)info.time_ns, first.value);
  netcl_ceilings_release(ceilings);
  netcl_device_release(device);
  return 0;
}

typedef struct Stored {
  unsigned from_store;
  unsigned long long time_ns;
  double value;
} Stored;

static Stored run_store(const char* how) {
  process_result result;
  char directory[600], variable[64];
  snprintf(directory, sizeof directory, "NETCL_CACHE_DIR=%s", folder);
  snprintf(variable, sizeof variable, "CEILINGS_HOW=%s", how);
  const char* const environment[] = {directory, variable, NULL};
  process_run_self("store", environment, 120, &result);
  process_expect_exit(&result, 0);
  Stored stored = {9, 0, 0};
  /* Drivers print what they like beside it. */
  const char* const line = strstr(result.output, "stored: ");
  CHECK(line != NULL && sscanf(line, "stored: %u %llu %lg", &stored.from_store, &stored.time_ns,
                               &stored.value) == 3,
        "printed: %s", result.output);
  return stored;
}

/* The one file of the store. */
static char* store_file(void) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/ceilings", folder);
  DIR* const directory = opendir(path);
  CHECK(directory != NULL, "%s: %s", path, strerror(errno));
  int found = 0;
  for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) {
    if (strlen(entry->d_name) != 32) continue;
    snprintf(path, sizeof path, "%s/ceilings/%s", folder, entry->d_name);
    found++;
  }
  closedir(directory);
  assert_int_equal(found, 1);
  return path;
}

static void change_byte(const char* path, long from_end) {
  FILE* const file = fopen(path, "r+");
  assert_non_null(file);
  fseek(file, -from_end, SEEK_END);
  const int byte = fgetc(file);
  fseek(file, -from_end, SEEK_END);
  fputc(byte ^ 0x15, file);
  fclose(file);
}

static void store(void** state) {
  (void)state;
  const Stored first = run_store("plain");
  assert_int_equal(first.from_store, 0);
  const Stored second = run_store("plain");
  assert_int_equal(second.from_store, 1);
  assert_true(second.time_ns == first.time_ns && second.value == first.value);
  /* A damaged entry costs a new measurement, whatever byte it is. */
  for (long at = 1; at < 400; at += only_sanitized() ? 400 : 299) {
    change_byte(store_file(), at);
    assert_int_equal(run_store("plain").from_store, 0);
  }
  assert_int_equal(run_store("plain").from_store, 1);
  assert_int_equal(truncate(store_file(), 50), 0);
  const Stored last = run_store("plain");
  assert_int_equal(last.from_store, 0);
  /* The rest is what is measured when. */
  if (only_sanitized()) return;
  /* no_store takes nothing from the disk and leaves what is there. */
  assert_true(run_store("no_store").time_ns > last.time_ns);
  assert_true(run_store("plain").time_ns == last.time_ns);
  const Stored renewed = run_store("remeasure");
  assert_true(renewed.from_store == 0 && renewed.time_ns > last.time_ns);
  assert_true(run_store("plain").time_ns == renewed.time_ns);
  /* A file that others can write is not trusted. */
  assert_int_equal(chmod(store_file(), 0666), 0);
  assert_int_equal(run_store("plain").from_store, 0);
}

/* A process keeps what it measured, until a time disproves it. */
static void kept(void** state) {
  Fixture* const fixture = *state;
  netcl_ceilings* ceilings = measure(fixture, 1, 0, 1);
  const uint64_t time_ns = info_of(ceilings).time_ns;
  netcl_ceilings_release(ceilings);
  ceilings = measure(fixture, 1, 0, 1);
  assert_true(info_of(ceilings).time_ns == time_ns);
  /* What the caller sets stays with the caller, and beating it says nothing of the device. */
  netcl_roofline* roofline = NULL;
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  netcl_work work = NETCL_WORK_INIT;
  work.operations = 1e15;
  set(ceilings, NETCL_CEILING_COMPUTE, NETCL_F32, 0, 1);
  OK(netcl_roofline_create(NULL, &roofline));
  OK(netcl_roofline_analyze_time(roofline, ceilings, 1, &work, &result));
  netcl_ceilings* other = measure(fixture, 1, 0, 1);
  assert_true(info_of(other).time_ns == time_ns);
  Rows rows = rows_of(other);
  assert_int_equal(row_of(&rows, NETCL_CEILING_COMPUTE, NETCL_F32, 0)->given, 0);
  /* A time that no device reaches. */
  OK(netcl_roofline_analyze_time(roofline, other, 1, &work, &result));
  assert_non_null(strstr(result.warnings, "disproved"));
  rows = rows_of(other);
  assert_int_equal(row_of(&rows, NETCL_CEILING_COMPUTE, NETCL_F32, 0)->disproved, 1);
  netcl_ceilings_release(other);
  other = measure(fixture, 1, 0, 1);
  assert_true(info_of(other).time_ns > time_ns);
  netcl_ceilings_release(other);
  netcl_ceilings_release(ceilings);
  netcl_roofline_release(roofline);
}

static const process_mode kModes[] = {{"store", print_store}};

static int make_folder(void** state) {
  (void)state;
  process_make_folder(folder, sizeof folder);
  return 0;
}

static int remove_folder(void** state) {
  (void)state;
  process_remove_folder(folder);
  return 0;
}

int main(int argc, char** argv) {
  const int child = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(measured),      DEVICE_TEST(relations),  DEVICE_TEST(budget),
      cmocka_unit_test(own_rows), cmocka_unit_test(files), DEVICE_TEST(kept),
      cmocka_unit_test(store),
  };
  return cmocka_run_group_tests_name("ceilings", tests, make_folder, remove_folder);
}
