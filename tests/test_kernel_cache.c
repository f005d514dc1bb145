/* The program cache: in memory, on disk, across processes, and with damaged entries. */
#include "support_kernel.h"
#include "support_process.h"

#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The child: builds one kernel, checks it, and prints the counters ------------------------ */

typedef struct Counters {
  long source_builds, disk_hits, disk_misses, disk_rejected, disk_writes, from_cache, off, logged;
} Counters;

static int child_build(void) {
  const char *value = getenv("TEST_VALUE");
  const int wanted = value ? atoi(value) : 1;
  char text[256];
  int32_t result[4] = {0};
  const int64_t four = 4;
  const uint64_t global = 4;
  netcl_device *device = NULL;
  netcl_kernel *kernel = NULL;
  netcl_tensor *out = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  netcl_program_cache_info cache = NETCL_PROGRAM_CACHE_INFO_INIT;
  snprintf(text, sizeof text,
           "__kernel void k(__global int *out, int add) { out[get_global_id(0)] = %d + add; }",
           wanted);
  options.source = text;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_tensor_create(device, NETCL_I32, 1, &four, NULL, NULL, &out));
  CHILD_OK(netcl_kernel_create(device, "k", &options, &kernel));
  CHILD_OK(netcl_kernel_build(kernel));
  const netcl_arg args[2] = {arg_tensor(out), arg_int(1000)};
  CHILD_OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 2, NULL, NULL));
  CHILD_OK(netcl_tensor_read(out, result, sizeof result, NULL, LONG_WAIT));
  for (int i = 0; i < 4; i++) CHILD_CHECK(result[i] == wanted + 1000);
  CHILD_STATUS(NETCL_ERROR_INVALID_ARGUMENT,
               netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 1, NULL, NULL));
  CHILD_OK(netcl_kernel_get_info(kernel, &info));
  CHILD_OK(netcl_program_cache_get_info(&cache));
  printf("counters: %ld %ld %ld %ld %ld %ld %d %d\n", (long)cache.source_builds,
         (long)cache.disk_hits, (long)cache.disk_misses, (long)cache.disk_rejected,
         (long)cache.disk_writes, (long)info.from_cache,
         cache.directory[0] == '\0', log_has(0, "cache"));
  netcl_kernel_release(kernel);
  netcl_tensor_release(out);
  netcl_device_release(device);
  return 0;
}

static process_ticket start_build(const char *folder, const char *value) {
  char folder_variable[PATH_MAX + 32], value_variable[64];
  snprintf(folder_variable, sizeof folder_variable, "NETCL_CACHE_DIR=%s", folder);
  snprintf(value_variable, sizeof value_variable, "TEST_VALUE=%s", value);
  const char *environment[] = {folder_variable, value_variable, "NETCL_LOG_LEVEL", NULL};
  return process_start_self("build", environment);
}

static Counters finish_build(process_ticket ticket) {
  process_result result;
  Counters c;
  process_finish(ticket, 120, &result);
  process_expect_exit(&result, 0);
  /* Drivers print what they like beside it. */
  const char *line = strstr(result.output, "counters: ");
  int fields = sscanf(line == NULL ? "" : line, "counters: %ld %ld %ld %ld %ld %ld %ld %ld",
                      &c.source_builds,
                      &c.disk_hits, &c.disk_misses, &c.disk_rejected, &c.disk_writes,
                      &c.from_cache, &c.off, &c.logged);
  CHECK(fields == 8, "the child printed: %s", result.output);
  return c;
}

static Counters run_build(const char *folder, const char *value) {
  return finish_build(start_build(folder, value));
}

static void check_cold(Counters c) {
  CHECK(c.source_builds >= 1 && c.disk_hits == 0 && c.disk_writes >= 1 && !c.from_cache,
        "cold: %ld builds, %ld hits, %ld writes", c.source_builds, c.disk_hits, c.disk_writes);
}

static void check_warm(Counters c) {
  CHECK(c.source_builds == 0 && c.disk_hits >= 1 && c.disk_rejected == 0 && c.from_cache,
        "warm: %ld builds, %ld hits, %ld rejected, from_cache %ld", c.source_builds, c.disk_hits,
        c.disk_rejected, c.from_cache);
}

/* Calls visit for each regular file with content below a folder; returns how many there were. */
typedef void (*Visit)(const char *path, const struct stat *facts, void *user);
static int each_entry(const char *folder, Visit visit, void *user) {
  DIR *directory = opendir(folder);
  int count = 0;
  if (directory == NULL) return 0;
  for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
    char path[PATH_MAX];
    struct stat facts;
    if (entry->d_name[0] == '.') continue;
    process_join_path(path, sizeof path, folder, entry->d_name);
    if (lstat(path, &facts) != 0) continue;
    if (S_ISDIR(facts.st_mode)) {
      count += each_entry(path, visit, user);
    } else if (S_ISREG(facts.st_mode) && facts.st_size > 0) {
      visit(path, &facts, user);
      count++;
    }
  }
  closedir(directory);
  return count;
}

/* ---- Hits and misses ------------------------------------------------------------------------ */

static void check_private(const char *path, const struct stat *facts, void *user) {
  (void)user;
  CHECK((facts->st_mode & 0077) == 0, "%s has mode %o", path, facts->st_mode & 0777);
}

static void second_process_builds_nothing(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX], nested[PATH_MAX];
  process_make_folder(folder, sizeof folder);
  process_join_path(nested, sizeof nested, folder, "new/one");
  check_cold(run_build(nested, "1"));
  check_warm(run_build(nested, "1"));
  check_cold(run_build(nested, "2")); /* one character differs */
  check_warm(run_build(nested, "2"));
  check_warm(run_build(nested, "1"));
  CHECK(each_entry(nested, check_private, NULL) >= 2, "there are no entries in %s", nested);
  process_remove_folder(folder);
}

static void processes_at_once(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX];
  process_ticket tickets[4];
  process_make_folder(folder, sizeof folder);
  for (int i = 0; i < 4; i++) tickets[i] = start_build(folder, "77");
  for (int i = 0; i < 4; i++) CHECK(finish_build(tickets[i]).disk_rejected == 0, "rejected");
  check_warm(run_build(folder, "77"));
  process_remove_folder(folder);
}

/* ---- Damage --------------------------------------------------------------------------------- */

typedef enum Damage {
  DAMAGE_EMPTY, DAMAGE_ONE_BYTE, DAMAGE_HALF, DAMAGE_MINUS_ONE, DAMAGE_PLUS_ONE, DAMAGE_ZEROS,
  DAMAGE_ONES, DAMAGE_TEXT, DAMAGE_FLIP_FIRST, DAMAGE_FLIP_8, DAMAGE_FLIP_16, DAMAGE_FLIP_24,
  DAMAGE_FLIP_32, DAMAGE_FLIP_48, DAMAGE_FLIP_QUARTER, DAMAGE_FLIP_MIDDLE, DAMAGE_FLIP_LAST,
  DAMAGE_FLIP_RANDOM, DAMAGE_KINDS
} Damage;

/* Writes a damaged version of the file in place. */
static void damage(const char *path, const struct stat *facts, void *user) {
  const Damage kind = *(const Damage *)user;
  const size_t size = (size_t)facts->st_size;
  size_t kept = size;
  unsigned char *data = calloc(1, size + 1);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(data, 1, size, file), size);
  fclose(file);
  const size_t offsets[] = {0, 8, 16, 24, 32, 48, size / 4, size / 2, size - 1,
                            (size_t)random_in(0, (int64_t)size - 1)};
  if (kind >= DAMAGE_FLIP_FIRST) {
    data[offsets[kind - DAMAGE_FLIP_FIRST]] ^= (unsigned char)(1u << random_in(0, 7));
  }
  switch (kind) {
    case DAMAGE_EMPTY: kept = 0; break;
    case DAMAGE_ONE_BYTE: kept = 1; break;
    case DAMAGE_HALF: kept = size / 2; break;
    case DAMAGE_MINUS_ONE: kept = size - 1; break;
    case DAMAGE_PLUS_ONE: kept = size + 1; break;
    case DAMAGE_ZEROS: memset(data, 0, size); break;
    case DAMAGE_ONES: memset(data, 0xFF, size); break;
    case DAMAGE_TEXT: memset(data, '%', size); break;
    default: break;
  }
  file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, kept, file), kept);
  assert_int_equal(fclose(file), 0);
  free(data);
}

static void damaged_entries_are_rebuilt(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX];
  process_make_folder(folder, sizeof folder);
  check_cold(run_build(folder, "5"));
  for (int kind = 0; kind < DAMAGE_KINDS; kind++) {
    Damage chosen = (Damage)kind;
    assert_true(each_entry(folder, damage, &chosen) >= 1);
    Counters c = run_build(folder, "5");
    CHECK(c.disk_hits == 0 && c.source_builds >= 1 && !c.from_cache,
          "damage %d was used: %ld hits, %ld builds", kind, c.disk_hits, c.source_builds);
    CHECK(c.disk_rejected >= 1, "damage %d was not counted as rejected", kind);
    CHECK(c.disk_writes >= 1, "the entry was not written again after damage %d", kind);
    check_warm(run_build(folder, "5"));
  }
  process_remove_folder(folder);
}

static void note_path(const char *path, const struct stat *facts, void *user) {
  (void)facts;
  assert_true(strlen(path) < PATH_MAX);
  strcpy(user, path);
}

/* An entry of another key under this key's file name, as a hash collision would give. */
static void entry_of_another_key(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char mine[PATH_MAX], theirs[PATH_MAX], my_entry[PATH_MAX] = "", their_entry[PATH_MAX] = "";
  process_make_folder(mine, sizeof mine);
  process_make_folder(theirs, sizeof theirs);
  check_cold(run_build(mine, "1"));
  check_cold(run_build(theirs, "2"));
  if (each_entry(mine, note_path, my_entry) == 1 &&
      each_entry(theirs, note_path, their_entry) == 1) {
    assert_int_equal(process_copy_file(their_entry, my_entry), 0);
    Counters c = run_build(mine, "1");
    CHECK(c.source_builds >= 1 && c.disk_hits == 0, "an entry of another key was used");
  } else {
    print_message("not one entry per kernel: %s, %s\n", my_entry, their_entry);
    fail();
  }
  process_remove_folder(mine);
  process_remove_folder(theirs);
}

/* What is no regular file of this user's own is not read, and nothing hangs or breaks. */
static void entries_that_are_no_plain_files(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  for (int kind = 0; kind < 5; kind++) {
    char folder[PATH_MAX], entry[PATH_MAX] = "", moved[PATH_MAX];
    process_make_folder(folder, sizeof folder);
    check_cold(run_build(folder, "6"));
    assert_int_equal(each_entry(folder, note_path, entry), 1);
    process_join_path(moved, sizeof moved, folder, "moved-away");
    if (kind < 4) assert_int_equal(rename(entry, moved), 0);
    switch (kind) {
      case 0: assert_int_equal(symlink(moved, entry), 0); break;
      case 1: assert_int_equal(link(moved, entry), 0); break;
      case 2: assert_int_equal(mkfifo(entry, 0600), 0); break;
      case 3: assert_int_equal(mkdir(entry, 0700), 0); break;
      default: assert_int_equal(chmod(entry, 0666), 0); break;
    }
    Counters c = run_build(folder, "6");
    CHECK(c.source_builds >= 1 && c.disk_hits == 0, "kind %d of entry was used", kind);
    process_remove_folder(folder);
  }
}

/* ---- Folders that cannot be used ------------------------------------------------------------ */

static void check_without_cache(const char *folder, const char *what) {
  Counters c = run_build(folder, "8");
  CHECK(c.source_builds >= 1 && c.disk_hits == 0 && c.disk_writes == 0, "%s was used", what);
  CHECK(c.logged, "nothing about the cache in the log: %s", what);
}

static void unusable_folders(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX], path[PATH_MAX];
  process_make_folder(folder, sizeof folder);
  process_join_path(path, sizeof path, folder, "file");
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fclose(file);
  check_without_cache(path, "a file instead of a folder");
  strcat(path, "/below");
  check_without_cache(path, "a folder below a file");
  check_without_cache("/proc/netcl-cache", "a folder that cannot be made");
  process_join_path(path, sizeof path, folder, "open");
  assert_int_equal(mkdir(path, 0777), 0);
  assert_int_equal(chmod(path, 0777), 0);
  check_without_cache(path, "a folder that others may write");
  assert_int_equal(chmod(path, 0700), 0);
  check_cold(run_build(path, "8"));
  char link_path[PATH_MAX];
  process_join_path(link_path, sizeof link_path, folder, "link");
  assert_int_equal(symlink(path, link_path), 0);
  check_warm(run_build(link_path, "8")); /* a link of this user is followed, also on the way */
  process_join_path(path, sizeof path, link_path, "inside");
  check_cold(run_build(path, "8"));
  process_join_path(path, sizeof path, folder, "open/inside");
  check_warm(run_build(path, "8"));
  process_join_path(path, sizeof path, folder, "loop");
  assert_int_equal(symlink("/proc/netcl-cache", path), 0);
  check_without_cache(path, "a link to what cannot be made");
  unlink(path);
  assert_int_equal(symlink("loop", path), 0);
  check_without_cache(path, "a link to itself");
  if (geteuid() == 0) {
    assert_int_equal(lchown(link_path, 12345, 12345), 0);
    check_without_cache(link_path, "a link of another user");
  }
  process_join_path(path, sizeof path, folder, "open");
  if (geteuid() != 0) {
    assert_int_equal(chmod(path, 0500), 0);
    Counters c = run_build(path, "9");
    CHECK(c.source_builds >= 1 && c.disk_writes == 0 && c.logged, "a read-only folder");
    chmod(path, 0700);
  }
  process_remove_folder(folder);
}

/* ---- In memory ------------------------------------------------------------------------------ */

static const char kText[] = "__kernel void k(__global int *out) { out[get_global_id(0)] = 1; }";

static void memory_hits_and_clear(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char *source = unique_source(kText);
  netcl_kernel *a = source_kernel(fixture->device, "k", source);
  netcl_kernel *b = source_kernel(fixture->device, "k", source);
  netcl_program_cache_info start = cache_counters();
  OK(netcl_kernel_build(a));
  OK(netcl_kernel_build(b));
  netcl_program_cache_info built = cache_counters();
  assert_int_equal(built.source_builds - start.source_builds, 1);
  assert_int_equal(built.memory_hits - start.memory_hits, 1);
  assert_int_equal(built.memory_misses - start.memory_misses, 1);
  assert_true(built.programs_in_memory > start.programs_in_memory);
  OK(netcl_program_cache_clear(1));
  assert_int_equal(cache_counters().programs_in_memory, 0);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 8);
  const netcl_arg arg = arg_tensor(out);
  OK(launch_1d(a, 8, &arg, 1)); /* Built kernels keep their programs. */
  OK(launch_1d(b, 8, &arg, 1));
  built = cache_counters();
  netcl_kernel *c = source_kernel(fixture->device, "k", source);
  OK(launch_1d(c, 8, &arg, 1));
  assert_int_equal(cache_counters().source_builds - built.source_builds, 1);
  netcl_kernel_release(a);
  netcl_kernel_release(b);
  netcl_kernel_release(c);
  netcl_tensor_release(out);
  free(source);
}

static void clear_without_programs(void **state) {
  (void)state;
  OK(netcl_program_cache_clear(0));
  assert_int_equal(cache_counters().programs_in_memory, 0);
}

enum { kBuilders = 8 };
static pthread_barrier_t barrier;

static void *build_one(void *kernel) {
  pthread_barrier_wait(&barrier);
  return (void *)(intptr_t)netcl_kernel_build(kernel);
}

/* Eight threads build the same source, through one handle or through eight: one compiles. */
static void single_flight(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  for (int shared = 0; shared < 2; shared++) {
    pthread_t threads[kBuilders];
    netcl_kernel *kernels[kBuilders];
    char *source = unique_source(kText);
    pthread_barrier_init(&barrier, NULL, kBuilders);
    for (int i = 0; i < kBuilders; i++) {
      kernels[i] = shared && i > 0 ? kernels[0] : source_kernel(fixture->device, "k", source);
    }
    netcl_program_cache_info before = cache_counters();
    for (int i = 0; i < kBuilders; i++) pthread_create(&threads[i], NULL, build_one, kernels[i]);
    for (int i = 0; i < kBuilders; i++) {
      void *status = NULL;
      pthread_join(threads[i], &status);
      CHECK(status == NULL, "a build gave %d", (int)(intptr_t)status);
    }
    assert_int_equal(cache_counters().source_builds - before.source_builds, 1);
    for (int i = 0; i < (shared ? 1 : kBuilders); i++) netcl_kernel_release(kernels[i]);
    pthread_barrier_destroy(&barrier);
    free(source);
  }
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"build", child_build}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(second_process_builds_nothing), DEVICE_TEST(processes_at_once),
      DEVICE_TEST(damaged_entries_are_rebuilt),   DEVICE_TEST(entry_of_another_key),
      DEVICE_TEST(entries_that_are_no_plain_files),
      DEVICE_TEST(unusable_folders),              DEVICE_TEST(memory_hits_and_clear),
      DEVICE_TEST(clear_without_programs),        DEVICE_TEST(single_flight),
  };
  seed_random("kernel_cache");
  return cmocka_run_group_tests_name("kernel_cache", tests, NULL, NULL);
}
