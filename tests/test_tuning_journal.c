/* The file of the tuning database: whatever happens to it, and several processes at once. */
#include "support_process.h"
#include "support_tuning.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char g_folder[PATH_MAX], g_path[PATH_MAX];

static int setup_folder(void **state) {
  process_make_folder(g_folder, sizeof g_folder);
  process_join_path(g_path, sizeof g_path, g_folder, "t.jsonl");
  return setup_device(state);
}
static int teardown_folder(void **state) {
  process_remove_folder(g_folder);
  return teardown_device(state);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *bytes = malloc(1 << 20);
  assert_non_null(bytes);
  *size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}
static void write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
  chmod(path, 0600);
}

/* A process may die after any byte it wrote. */
static void survives_a_cut_at_each_byte(void **state) {
  (void)state;
  netcl_tuning_database *database = tuning_open(g_path);
  for (int i = 1; i <= 3; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", i * 1000000, 1);
    tuning_put_best(database, &key, i);
  }
  netcl_tuning_database_release(database);
  size_t size;
  char *bytes = read_file(g_path, &size);
  for (size_t cut = 0; cut <= size; ++cut) {
    int whole = 0;
    for (size_t i = 0; i < cut; ++i) whole += bytes[i] == '\n';
    write_file(g_path, bytes, cut);
    database = tuning_open(g_path);
    assert_int_equal(tuning_facts(database).records, whole);
    const netcl_tuning_key next = tuning_key("gemm", 77, 1);
    tuning_put_best(database, &next, 4);
    netcl_tuning_database_release(database);
    database = tuning_open(g_path);
    /* A last line that lacks nothing but its end is complete with the next record. */
    const uint64_t records = tuning_facts(database).records;
    const int lacks_end = cut > 0 && cut < size && bytes[cut] == '\n';
    CHECK(records == (uint64_t)(whole + 1 + lacks_end), "cut at %zu: %llu records of %d", cut,
          (unsigned long long)records, whole + 1);
    assert_int_equal(tuning_look(database, &next, NULL), 4);
    netcl_tuning_database_release(database);
  }
  free(bytes);
}

static void passes_over_changed_lines(void **state) {
  (void)state;
  netcl_tuning_database *database = tuning_open(g_path);
  for (int i = 1; i <= 3; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", i * 1000000, 1);
    tuning_put_best(database, &key, i);
  }
  netcl_tuning_database_release(database);
  size_t size;
  char *bytes = read_file(g_path, &size);
  for (size_t at = 0; at < size - 1; at += 1 + (size_t)random_in(0, 3)) {
    const char kept = bytes[at];
    bytes[at] = (char)(kept ^ (1 << random_in(0, 6)));
    write_file(g_path, bytes, size);
    database = tuning_open(g_path);
    const netcl_tuning_database_info info = tuning_facts(database);
    /* A changed line end joins two lines, or makes two of one. */
    CHECK(info.records >= 1 && info.records <= 2 && info.damaged + info.foreign >= 1,
          "byte %zu: %llu records, %llu damaged", at, (unsigned long long)info.records,
          (unsigned long long)info.damaged);
    netcl_tuning_database_release(database);
    bytes[at] = kept;
  }
  free(bytes);
}

static void keeps_lines_of_later_releases(void **state) {
  (void)state;
  static const char kForeign[] = "{\"v\":2,\"t\":\"news\",\"crc\":\"any\"}\n";
  netcl_tuning_database *database = tuning_open(g_path);
  const netcl_tuning_key key = tuning_key("gemm", 64, 1);
  tuning_put_best(database, &key, 1);
  netcl_tuning_database_release(database);
  FILE *file = fopen(g_path, "ab");
  assert_non_null(file);
  fputs(kForeign, file);
  fputs("no record at all\n\n[1]\n", file);
  fclose(file);
  database = tuning_open(g_path);
  tuning_put_best(database, &key, 2);
  netcl_tuning_database_info info = tuning_facts(database);
  assert_true(info.foreign == 1 && info.damaged == 2 && info.superseded == 1 && info.records == 1);
  OK(netcl_tuning_database_compact(database));
  info = tuning_facts(database);
  assert_true(info.foreign == 1 && info.damaged == 0 && info.superseded == 0 && info.lines == 1);
  assert_int_equal(tuning_look(database, &key, NULL), 2);
  tuning_put_best(database, &key, 3);
  assert_int_equal(tuning_look(database, &key, NULL), 3);
  OK(netcl_tuning_database_clear(database, "other"));
  assert_int_equal(tuning_look(database, &key, NULL), 3);
  OK(netcl_tuning_database_clear(database, "gemm"));
  assert_int_equal(tuning_look(database, &key, NULL), 0);
  tuning_put_best(database, &key, 4);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "kernel is empty",
             netcl_tuning_database_clear(database, ""));
  OK(netcl_tuning_database_clear(database, NULL));
  assert_int_equal(tuning_look(database, &key, NULL), 0);
  netcl_tuning_database_release(database);
  size_t size;
  char *bytes = read_file(g_path, &size);
  assert_int_equal(size, sizeof kForeign - 1);
  assert_memory_equal(bytes, kForeign, size);
  free(bytes);
}

/* ---- Several processes ----------------------------------------------------------------------- */

static int child_writes(void) {
  const char *path = getenv("TEST_PATH");
  const int first = atoi(getenv("TEST_FIRST")), count = atoi(getenv("TEST_COUNT"));
  netcl_tuning_database *database = NULL;
  CHILD_OK(netcl_tuning_database_open(path, &database));
  for (int i = 0; i < count; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", (first + i) * 1000, 1);
    CHILD_OK(tuning_put(database, &key, first + i, NETCL_TUNING_RECORD_BEST));
    if (i % 16 == 7) CHILD_OK(netcl_tuning_database_compact(database));
  }
  netcl_tuning_database_release(database);
  return 0;
}

static process_ticket start_writer(int first, int count) {
  char path[PATH_MAX + 16], from[32], many[32];
  snprintf(path, sizeof path, "TEST_PATH=%s", g_path);
  snprintf(from, sizeof from, "TEST_FIRST=%d", first);
  snprintf(many, sizeof many, "TEST_COUNT=%d", count);
  const char *environment[] = {path, from, many, NULL};
  return process_start_self("writes", environment);
}

static void processes_share_a_file(void **state) {
  (void)state;
  enum { kEach = 60 };
  netcl_tuning_database *database = tuning_open(g_path);
  process_ticket tickets[2];
  for (int i = 0; i < 2; ++i) tickets[i] = start_writer(1 + (i + 1) * kEach, kEach);
  for (int i = 0; i < kEach; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", (1 + i) * 1000, 1);
    tuning_put_best(database, &key, 1 + i);
  }
  for (int i = 0; i < 2; ++i) {
    process_result result;
    process_finish(tickets[i], 100, &result);
    process_expect_exit(&result, 0);
  }
  OK(netcl_tuning_database_refresh(database));
  for (int i = 1; i <= 3 * kEach; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", i * 1000, 1);
    assert_int_equal(tuning_look(database, &key, NULL), i);
  }
  const netcl_tuning_database_info info = tuning_facts(database);
  assert_int_equal(info.damaged, 0);
  assert_int_equal(info.records, 3 * kEach);
  netcl_tuning_database_release(database);
}

static int child_compacts(void) {
  netcl_tuning_database *database = NULL;
  CHILD_OK(netcl_tuning_database_open(getenv("TEST_PATH"), &database));
  for (;;) CHILD_OK(netcl_tuning_database_compact(database));
}

/* The file that is to replace the database is left behind by one that was killed between giving it
 * a name and moving it, at most. */
static void killed_compaction_leaves_nothing(void **state) {
  enum { kRecords = 500 };
  const int kills = sanitized_rounds(25);
  char environment_path[PATH_MAX + 16], successor[PATH_MAX + 8];
  int left = 0;
  (void)state;
  snprintf(environment_path, sizeof environment_path, "TEST_PATH=%s", g_path);
  snprintf(successor, sizeof successor, "%s.new", g_path);
  const char *const environment[] = {environment_path, NULL};
  netcl_tuning_database *database = tuning_open(g_path);
  for (int i = 1; i <= kRecords; ++i) {
    const netcl_tuning_key key = tuning_key("gemm", i * 1000, 1);
    tuning_put_best(database, &key, i);
  }
  netcl_tuning_database_release(database);
  for (int i = 0; i < kills; ++i) {
    struct stat before, now;
    process_result result;
    const double start = process_now();
    assert_int_equal(stat(g_path, &before), 0);
    const process_ticket ticket = process_start_self("compacts", environment);
    do {
      CHECK(process_now() - start < 60 && !process_has_ended(ticket),
            "nothing was compacted in kill %d", i);
      process_sleep_ms(1);
      assert_int_equal(stat(g_path, &now), 0);
    } while (now.st_ino == before.st_ino);
    process_sleep_ms((unsigned)random_in(0, 20));
    kill(ticket.pid, SIGKILL);
    process_finish(ticket, 100, &result);
    assert_int_equal(result.signal, SIGKILL);
    left += unlink(successor) == 0;
  }
  database = tuning_open(g_path);
  const netcl_tuning_database_info info = tuning_facts(database);
  assert_true(info.records == kRecords && info.damaged == 0);
  netcl_tuning_database_release(database);
  CHECK(left <= 1, "%d of %d killed compactions left a file", left, kills);
}

static void survives_killed_writers(void **state) {
  const int writers = sanitized_rounds(8);
  (void)state;
  uint64_t before = 0;
  for (int round = 0; round < writers; ++round) {
    const process_ticket ticket = start_writer(1 + round * 100000, 100000);
    process_sleep_ms(100 + (unsigned)random_in(0, 50));
    kill(ticket.pid, SIGKILL);
    process_result result;
    process_finish(ticket, 100, &result);
    assert_int_equal(result.signal, SIGKILL);
    netcl_tuning_database *database = tuning_open(g_path);
    const netcl_tuning_key key = tuning_key("mine", round + 1, 1);
    tuning_put_best(database, &key, round + 1);
    const netcl_tuning_database_info info = tuning_facts(database);
    CHECK(info.damaged <= (uint64_t)round + 1, "%llu damaged lines",
          (unsigned long long)info.damaged);
    assert_true(info.records > before);
    before = info.records;
    netcl_tuning_database_release(database);
  }
  netcl_tuning_database *database = tuning_open(g_path);
  for (int round = 0; round < writers; ++round) {
    const netcl_tuning_key key = tuning_key("mine", round + 1, 1);
    assert_int_equal(tuning_look(database, &key, NULL), round + 1);
  }
  netcl_tuning_database_release(database);
}

static void merges(void **state) {
  (void)state;
  char other[PATH_MAX];
  char none[PATH_MAX];
  process_join_path(other, sizeof other, g_folder, "other.jsonl");
  process_join_path(none, sizeof none, g_folder, "none.jsonl");
  netcl_tuning_database *a = tuning_open(g_path), *b = tuning_open(other);
  netcl_tuning_key one = tuning_key("gemm", 1, 1), two = tuning_key("gemm", 1000, 1);
  netcl_config *config = NULL;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  record.kind = NETCL_TUNING_RECORD_BEST;
  OK(netcl_config_create_from_json("{\"TILE\": 9}", 11, &config));
  record.timestamp = 1700000000; /* older than what a put without a time gives */
  OK(netcl_tuning_database_put(b, NULL, &one, config, &record));
  OK(netcl_tuning_database_put(b, NULL, &two, config, &record));
  netcl_config_release(config);
  tuning_put_best(a, &one, 1);
  uint64_t count = 99;
  OK(netcl_tuning_database_merge(a, other, &count));
  assert_int_equal(count, 1);
  assert_int_equal(tuning_look(a, &one, NULL), 1);
  assert_int_equal(tuning_look(a, &two, NULL), 9);
  OK(netcl_tuning_database_merge(a, other, &count));
  assert_int_equal(count, 0);
  OK(netcl_tuning_database_merge(b, g_path, &count));
  assert_int_equal(count, 1);
  assert_int_equal(tuning_look(b, &one, NULL), 1);
  FAILS_WITH(NETCL_ERROR_IO, "there is no such file",
             netcl_tuning_database_merge(a, none, NULL));
  FAILS_WITH(NETCL_ERROR_IO, "cannot open the directory",
             netcl_tuning_database_merge(a, "/nonexistent/x.jsonl", NULL));
  netcl_tuning_database_release(a);
  netcl_tuning_database_release(b);
}

/* What was replaced within a second does not come back, however often a file is merged. */
static void merges_again(void **state) {
  (void)state;
  char other[PATH_MAX];
  process_join_path(other, sizeof other, g_folder, "again.jsonl");
  netcl_tuning_database *a = tuning_open(g_path), *b = tuning_open(other);
  const netcl_tuning_key key = tuning_key("gemm", 1, 1);
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.timestamp = 1700000000;
  for (int tile = 1; tile <= 3; ++tile) {
    char text[32];
    netcl_config *config = NULL;
    uint64_t count = 99;
    snprintf(text, sizeof text, "{\"TILE\": %d}", tile);
    OK(netcl_config_create_from_json(text, strlen(text), &config));
    OK(netcl_tuning_database_put(tile < 3 ? b : a, NULL, &key, config, &record));
    netcl_config_release(config);
    if (tile == 1) continue;
    for (int again = 0; again < 3; ++again) {
      OK(netcl_tuning_database_merge(a, other, &count));
      assert_int_equal(count, tile == 2 && again == 0);
      assert_int_equal(tuning_look(a, &key, NULL), tile);
    }
  }
  /* What a later version wrote is taken once. */
  const char text[] = "{\"v\":999,\"t\":\"new\"}\n";
  write_file(other, text, sizeof text - 1);
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  for (int again = 0; again < 3; ++again) OK(netcl_tuning_database_merge(a, other, NULL));
  OK(netcl_tuning_database_get_info(a, &info));
  assert_int_equal(info.foreign, 1);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is empty",
             netcl_tuning_database_merge(a, "", NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "which is no file",
             netcl_tuning_database_merge(a, ":memory:", NULL));
  netcl_tuning_database_release(a);
  netcl_tuning_database_release(b);
}

static void refuses_files_of_others(void **state) {
  (void)state;
  netcl_tuning_database *database = NULL;
  char real[PATH_MAX];
  process_join_path(real, sizeof real, g_folder, "real.jsonl");
  write_file(real, "", 0);
  assert_int_equal(symlink(real, g_path), 0);
  FAILS_WITH(NETCL_ERROR_IO, "symbolic link", netcl_tuning_database_open(g_path, &database));
  unlink(g_path);
  chmod(real, 0666);
  FAILS_WITH(NETCL_ERROR_IO, "others can write it", netcl_tuning_database_open(real, &database));
  FAILS_WITH(NETCL_ERROR_IO, "not a regular file", netcl_tuning_database_open(g_folder, &database));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tuning_database_open("/", &database));
  /* An unset variable of a script must not stand for what the user has. */
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is empty",
             netcl_tuning_database_open("", &database));
  mkfifo(g_path, 0600);
  FAILS_WITH(NETCL_ERROR_IO, "not a regular file", netcl_tuning_database_open(g_path, &database));
  unlink(g_path);
  /* A file that is something else stays as it is. */
  const char text[] = "root:x:0:0\nuser:x:1000:1000\n";
  write_file(g_path, text, sizeof text - 1);
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "is no tuning database",
             netcl_tuning_database_open(g_path, &database));
  assert_null(database);
  database = tuning_open(":memory:");
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "is no tuning database",
             netcl_tuning_database_merge(database, g_path, NULL));
  netcl_tuning_database_release(database);
  unlink(g_path);
  /* A file that cannot be written leaves the record in memory. */
  database = tuning_open(g_path);
  assert_int_equal(mkdir(g_path, 0700), 0);
  const netcl_tuning_key key = tuning_key("gemm", 1, 1);
  FAILS(NETCL_ERROR_IO, tuning_put(database, &key, 5, NETCL_TUNING_RECORD_BEST));
  assert_int_equal(tuning_look(database, &key, NULL), 5);
  netcl_tuning_database_release(database);
}

/* ---- The one of the user --------------------------------------------------------------------- */

static int child_default(void) {
  netcl_tuning_database *database = NULL, *again = NULL;
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  CHILD_OK(netcl_tuning_database_open(NULL, &database));
  CHILD_OK(netcl_tuning_database_open(NULL, &again));
  const netcl_tuning_key key = tuning_key("gemm", 64, 1);
  CHILD_OK(tuning_put(database, &key, 3, NETCL_TUNING_RECORD_BEST));
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  CHILD_OK(netcl_tuning_database_lookup(again, NULL, &key, &record, NULL));
  CHILD_CHECK(record.match == NETCL_MATCH_EXACT);
  CHILD_OK(netcl_program_cache_clear(1));
  CHILD_OK(netcl_tuning_database_get_info(database, &info));
  printf("%llu [%s] [%s]\n", (unsigned long long)info.records, info.path, info.reason);
  netcl_tuning_database_release(database);
  netcl_tuning_database_release(again);
  return 0;
}

static void the_users_own(void **state) {
  (void)state;
  char variable[PATH_MAX + 32], wanted[PATH_MAX + 64];
  process_result result;
  snprintf(variable, sizeof variable, "NETCL_CACHE_DIR=%s", g_folder);
  const char *environment[] = {variable, NULL};
  process_run_self("default", environment, 100, &result);
  process_expect_exit(&result, 0);
  snprintf(wanted, sizeof wanted, "1 [%s/tuning-1.jsonl] []", g_folder);
  CHECK(strstr(result.output, wanted) != NULL, "%s", result.output);
  /* Without a folder it lives in memory and says why. */
  const char *nowhere[] = {"NETCL_CACHE_DIR=/proc/self/nowhere", NULL};
  process_run_self("default", nowhere, 100, &result);
  process_expect_exit(&result, 0);
  CHECK(strstr(result.output, "1 [] [") != NULL, "%s", result.output);
  CHECK(strstr(result.output, "/proc/self/nowhere") != NULL, "%s", result.output);
}

#define FOLDER_TEST(function) \
  cmocka_unit_test_setup_teardown(function, setup_folder, teardown_folder)

int main(int argc, char **argv) {
  static const process_mode modes[] = {
      {"writes", child_writes}, {"compacts", child_compacts}, {"default", child_default}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      FOLDER_TEST(survives_a_cut_at_each_byte),
      FOLDER_TEST(passes_over_changed_lines),
      FOLDER_TEST(keeps_lines_of_later_releases),
      FOLDER_TEST(processes_share_a_file),
      FOLDER_TEST(killed_compaction_leaves_nothing),
      FOLDER_TEST(survives_killed_writers),
      FOLDER_TEST(merges),
      FOLDER_TEST(merges_again),
      FOLDER_TEST(refuses_files_of_others),
      FOLDER_TEST(the_users_own),
  };
  seed_random("tuning_journal");
  return cmocka_run_group_tests_name("tuning_journal", tests, NULL, NULL);
}
