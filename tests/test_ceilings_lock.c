/* Ceilings are measured by one process at a time, by runs after one that is not counted. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support_process.h"
#include "support.h"

static int child_measure(void) {
  netcl_device *device = NULL;
  netcl_ceilings *ceilings = NULL;
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  options.budget_ns = 1;
  options.remeasure = 1;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_ceilings_measure(device, &options, &ceilings));
  netcl_ceilings_release(ceilings);
  netcl_device_release(device);
  return 0;
}

/* The only lock of a folder, opened. */
static int open_lock(const char *folder) {
  char locks[PATH_MAX], path[PATH_MAX] = "";
  process_join_path(locks, sizeof locks, folder, "locks");
  DIR *const directory = opendir(locks);
  assert_non_null(directory);
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strstr(entry->d_name, ".lock") == NULL) continue;
    CHECK(path[0] == '\0', "%s beside %s", entry->d_name, path);
    process_join_path(path, sizeof path, locks, entry->d_name);
  }
  closedir(directory);
  CHECK(path[0] != '\0', "there is no lock in %s", locks);
  const int file = open(path, O_RDWR | O_CLOEXEC);
  assert_true(file >= 0);
  return file;
}

static void one_process_measures(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("nothing in it depends on the device, and this one compiles");
  char folder[PATH_MAX], cache[PATH_MAX + 32];
  process_result result;
  process_make_folder(folder, sizeof folder);
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
  /* With another number of threads it is the same device. */
  const char *const environment[] = {cache, NULL};
  const char *const other[] = {cache, "NETCL_NUM_THREADS=3", NULL};
  process_run_self("measure", environment, 100, &result);
  process_expect_exit(&result, 0);
  const double alone = result.seconds;
  const int lock = open_lock(folder);
  assert_int_equal(flock(lock, LOCK_EX), 0);
  const process_ticket waiting = process_start_self("measure", other);
  process_sleep_ms((unsigned)(alone * 1000) + 300);
  siginfo_t ended = {0};
  assert_int_equal(waitid(P_PID, (id_t)waiting.pid, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
  CHECK(ended.si_pid == 0, "it did not wait for the lock");
  assert_int_equal(flock(lock, LOCK_UN), 0);
  process_finish(waiting, 100, &result);
  process_expect_exit(&result, 0);
  close(lock);
  process_remove_folder(folder);
}

/* A first run finds pages that nobody touched: it says nothing about the device. */
static void first_runs_do_not_count(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("it is about memory of the host");
  netcl_ceilings *ceilings = NULL;
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceiling rows[128];
  uint32_t count = 0, spread = 0;
  double plain = 0, pinned = 0;
  options.budget_ns = 1;
  options.remeasure = 1;
  options.no_store = 1;
  OK(netcl_ceilings_measure(fixture->device, &options, &ceilings));
  OK(netcl_ceilings_get(ceilings, rows, COUNT_OF(rows), &count));
  for (uint32_t i = 0; i < count; ++i) {
    if (rows[i].kind == NETCL_CEILING_DEVICE_TO_HOST) plain = rows[i].value;
    if (rows[i].kind == NETCL_CEILING_DEVICE_TO_HOST_PINNED) pinned = rows[i].value;
    spread += rows[i].spread > 0;
  }
  /* One run has no spread; of several, two seldom take the same time to the nanosecond. */
  CHECK(spread > count / 2, "%u of %u rows have a spread", spread, count);
  CHECK(pinned > plain / 4, "pinned %g MB/s, ordinary %g MB/s", pinned * 1e-6, plain * 1e-6);
  netcl_ceilings_release(ceilings);
}

static const process_mode kModes[] = {{"measure", child_measure}};

int main(int argc, char **argv) {
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {DEVICE_TEST(one_process_measures),
                                     DEVICE_TEST(first_runs_do_not_count)};
  return cmocka_run_group_tests_name("ceilings_lock", tests, NULL, NULL);
}
