/* A candidate kernel that does what it can to harm the process that started it, in the worker: it
 * changes no file of that process, does not fill the disk, and reaches nobody. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support_fake.h"
#include "support_process.h"

static const char kText[] = "of the parent";

/* The version of Landlock that this system has, 0 where it has none. */
static long landlock_version(void) {
#ifdef SYS_landlock_create_ruleset
  const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1u);
  return version > 0 ? version : 0;
#else
  return 0;
#endif
}

/* The line of the log that begins with a word; "" when there is none. */
static void find_line(const char* word, char* line, int size) {
  FILE* file = fopen(getenv("NETCL_FAKE_CL_LOG"), "r");
  assert_non_null(file);
  while (fgets(line, size, file) != NULL && strncmp(line, word, strlen(word)) != 0) line[0] = '\0';
  fclose(file);
}

static void change_files(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  char folder[256], path[512], line[256] = "", held[64] = "";
  int files = -1, signals = -1, traces = -1, memory = -1;
  if (landlock_version() < 6) SKIP("the system's Landlock is older than version 6, or is missing");
  /* A folder where the worker has no business. */
  snprintf(folder, sizeof folder, "/var/tmp/netcl-hostile-%d", (int)getpid());
  assert_int_equal(mkdir(folder, 0700), 0);
  process_join_path(path, sizeof path, folder, "kept");
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(kText, file);
  assert_int_equal(fclose(file), 0);
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  fake_script("log\nk : time 10000\nk A=1 : attack %s\nk A=3 : time 5000", path);
  assert_int_equal(fake_winner(&made, &search), 3);
  find_line("attack ", line, sizeof line);
  assert_int_equal(sscanf(line, "attack %d %d %d %d", &files, &signals, &traces, &memory), 4);
  CHECK(files == 0, "%d of the tries to change a file went well", files);
  CHECK(signals == 0 && traces == 0 && memory == 0, "signals %d, traces %d, memory %d", signals,
        traces, memory);
  file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(held, sizeof held, file));
  fclose(file);
  assert_string_equal(held, kText);
  /* No other file is there. */
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0);
  netcl_search_release(search);
  fake_case_free(&made);
}

/* One file has a limit. */
static void fill_the_disk(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  struct stat facts;
  char path[512];
  process_join_path(path, sizeof path, getenv("TMPDIR"), "filled");
  unlink(path);
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  fake_script("log\nk : time 10000\nk A=1 : fill\nk A=3 : time 5000");
  assert_int_equal(fake_winner(&made, &search), 3);
  assert_int_equal(fake_candidate(search, 1).outcome, NETCL_OUTCOME_CRASH);
  assert_non_null(strstr(fake_candidate(search, 1).message, "signal 25"));
  assert_int_equal(stat(path, &facts), 0);
  CHECK(facts.st_size > 16 << 20 && facts.st_size <= 256 << 20, "%lld bytes",
        (long long)facts.st_size);
  unlink(path);
  netcl_search_release(search);
  fake_case_free(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(change_files),
      DEVICE_TEST(fill_the_disk),
  };
  fake_script("# nothing yet");
  seed_random("hostile_fake");
  return cmocka_run_group_tests_name("hostile_fake", tests, NULL, NULL);
}
