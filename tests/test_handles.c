/* Bad handles: every exported function refuses them, whatever they are, and stays usable. */
#include "support_handles.h"
#include "support_process.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kTypes = HANDLE_TYPES };

/* One valid handle per type, or NULL where there is none; tensors have a second and a third. */
typedef struct Handles {
  void *of[kTypes];
} Handles;

typedef struct Bad {
  Handles live, stale, twice, foreign;
  void *device_under_test; /* one more device handle that is valid */
  void *reused[kTypes];
  void *heap;
} Bad;

static Bad bad;
static HandleMaker *own, *other;

static int type_of(char role) {
  const char *const roles = HANDLE_ROLES;
  const char *at = strchr(roles, role >= 'A' && role <= 'Z' ? role - 'A' + 'a' : role);
  assert_non_null(at);
  return (int)(at - roles);
}

static void release_type(int type, void *handle) { release_handle_of(own, type, handle); }

static Handles make_handles(Fixture *fixture) {
  Handles made;
  make_handles_of(own, fixture, made.of);
  return made;
}

static void release_all(const HandleMaker *maker, const Handles *handles) {
  for (int type = kTypes - 1; type >= 0; type--) release_handle_of(maker, type, handles->of[type]);
}
static void release_handles(const Handles *handles) { release_all(own, handles); }

/* Handles of a second copy of the library in this process. They live as long as the process. */
static Handles foreign_handles(Fixture *fixture) {
  char original[PATH_MAX], folder[PATH_MAX], copy[PATH_MAX + 32];
  Handles made;
  assert_int_equal(process_library_path(original, sizeof original), 0);
  process_make_folder(folder, sizeof folder);
  snprintf(copy, sizeof copy, "%s/libother.so", folder);
  assert_int_equal(process_copy_file(original, copy), 0);
  void *const library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) print_error("%s\n", dlerror());
  assert_non_null(library);
  process_remove_folder(folder);
  other = handle_maker(library);
  make_handles_of(other, fixture, made.of);
  return made;
}

static void make_bad(Fixture *fixture) {
  bad.device_under_test = fixture->device;
  bad.stale = make_handles(fixture);
  release_handles(&bad.stale);
  bad.twice = make_handles(fixture);
  release_handles(&bad.twice);
  release_handles(&bad.twice);
  /* Many more of each type, so that slots of the table are used again. */
  memset(bad.reused, 0, sizeof bad.reused);
  for (int round = 0; round < 300; round++) {
    Handles made = make_handles(fixture);
    if (round == 0) memcpy(bad.reused, made.of, sizeof bad.reused);
    release_handles(&made);
  }
  bad.live = make_handles(fixture);
  bad.foreign = foreign_handles(fixture);
  bad.heap = calloc(1, 4096);
}

/* A value that is no valid handle of the type; `n` chooses the kind. */
static void *bad_value(int type, unsigned n) {
  void *value = NULL;
  int stack = 0;
  switch (n % 16) {
    case 0: return NULL;
    case 1: value = bad.stale.of[type]; break;
    case 2: value = bad.twice.of[type]; break;
    case 3: value = bad.foreign.of[type]; break;
    case 4: value = bad.reused[type]; break;
    case 5: value = bad.live.of[(type + 1 + (int)random_in(0, kTypes - 2)) % kTypes]; break;
    case 6: value = bad.foreign.of[random_in(0, kTypes - 1)]; break;
    case 7: value = bad.stale.of[random_in(0, kTypes - 1)]; break;
    case 8: value = (void *)(uintptr_t)random_in(1, 65536); break;
    case 9: value = (void *)(uintptr_t)UINT64_MAX; break;
    case 10: value = (void *)&stack; break;
    case 11: value = bad.heap; break;
    case 12: case 13: /* one bit of a valid handle differs */
      value = (void *)((uintptr_t)bad.live.of[type] ^ ((uintptr_t)1 << random_in(0, 63)));
      break;
    case 14: value = (void *)((uintptr_t)bad.live.of[type] + (uintptr_t)random_in(1, 300)); break;
    default: value = (void *)(uintptr_t)random_bits(); break;
  }
  /* A value that happens to be valid is left out. */
  return value == bad.live.of[type] || value == bad.device_under_test ? NULL : value;
}

static void check_one_call(const HandleCase *test, void **handles, int position, unsigned kind) {
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  poison_outputs();
  netcl_status status = test->call(handles);
  CHECK(status == NETCL_ERROR_INVALID_HANDLE, "%s took handle %p at %d (%c, kind %u): %s",
        test->name, handles[position], position, test->roles[position], kind % 16,
        netcl_status_name(status));
  CHECK(outputs_are_untouched(), "%s wrote an output although handle %p is bad", test->name,
        handles[position]);
  OK(netcl_last_error_get_info(&error));
  CHECK(error.status == NETCL_ERROR_INVALID_HANDLE && error.message[0] != '\0' &&
            strchr(error.message, '\n') == NULL,
        "%s: the last error is %s: \"%s\"", test->name, netcl_status_name(error.status),
        error.message);
}

/* A release only logs: neither a status nor the last error tells of it. */
static void check_one_release(const HandleCase *test, void **handles) {
  netcl_error_info before = NETCL_ERROR_INFO_INIT, after = NETCL_ERROR_INFO_INIT;
  OK(netcl_last_error_get_info(&before));
  test->call(handles);
  OK(netcl_last_error_get_info(&after));
  CHECK(before.status == after.status && strcmp(before.message, after.message) == 0,
        "%s changed the last error to \"%s\"", test->name, after.message);
}

/* Calls a function with one bad handle among valid ones, `calls` times. */
static void check_case(const HandleCase *test, unsigned calls) {
  const int count = (int)strlen(test->roles);
  void *handles[16] = {NULL};
  CHECK(count <= (int)COUNT_OF(handles), "%s takes %d handles", test->name, count);
  for (int i = 0; i < count; i++) {
    const int type = type_of(test->roles[i]);
    handles[i] = bad.live.of[type];
    if (handles[i] == NULL && i > 0) return; /* Without kernels nothing behind them is reached. */
    if (test->roles[i] == 'T') handles[i] = NULL;
  }
  const int positions = handles[0] == NULL ? 1 : count;
  for (unsigned n = 0; n < calls; n++) {
    const int position = (int)(n % (unsigned)positions);
    const int type = type_of(test->roles[position]);
    void *const kept = handles[position], *const value = bad_value(type, n / (unsigned)positions);
    const int optional = test->roles[position] >= 'A' && test->roles[position] <= 'Z';
    if (value == NULL && (optional || test->releases)) continue;
    handles[position] = value;
    if (test->releases) check_one_release(test, handles);
    else check_one_call(test, handles, position, n / (unsigned)positions);
    handles[position] = kept;
  }
}

static void bad_handles_are_refused(void **state) {
  Fixture *fixture = *state;
  const unsigned calls = process_full() ? 1000000 : (unsigned)sanitized_rounds(4000);
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  uint64_t before[HANDLE_TYPES + 1];
  make_bad(fixture);
  count_live_handles(before);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_log_set_level(999));
  OK(netcl_log_set_level(NETCL_LOG_OFF));
  for (size_t i = 0; i < handle_cases_count(); i++) {
    if (handle_case(i)->roles[0] != '\0') check_case(handle_case(i), calls);
  }
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  check_live_handles(before, __FILE__, __LINE__);
  OK(netcl_tensor_get_info(bad.live.of[5], &info)); /* The valid ones still are. */
  release_handles(&bad.live);
  release_all(other, &bad.foreign);
  free(other);
  free(bad.heap);
}

static void releases_of_bad_handles_are_logged(void **state) {
  Fixture *fixture = *state;
  for (int type = 0; type < kTypes; type++) {
    Handles made = make_handles(fixture);
    release_handles(&made);
    if (made.of[type] == NULL) continue;
    uint64_t position = log_last_sequence();
    release_type(type, NULL);
    CHECK(log_last_sequence() == position, "releasing NULL was logged (type %d)", type);
    release_type(type, made.of[type]);
    CHECK(log_last_sequence() > position, "a double release was not logged (type %d)", type);
  }
}

/* A retained handle needs as many releases as it has references. */
static void references_are_counted(void **state) {
  Fixture *fixture = *state;
  Handles made = make_handles(fixture);
  for (size_t i = 0; i < handle_cases_count(); i++) {
    const HandleCase *test = handle_case(i);
    if (strstr(test->name, "_retain") == NULL) continue;
    void *handle = made.of[type_of(test->roles[0])];
    if (handle == NULL) continue;
    for (int n = 0; n < 3; n++) OK(test->call(&handle));
    for (int n = 0; n < 3; n++) release_type(type_of(test->roles[0]), handle);
    OK(test->call(&handle));
    release_type(type_of(test->roles[0]), handle);
  }
  release_handles(&made);
  for (size_t i = 0; i < handle_cases_count(); i++) {
    const HandleCase *test = handle_case(i);
    if (strstr(test->name, "_retain") == NULL) continue;
    FAILS(NETCL_ERROR_INVALID_HANDLE, test->call(&made.of[type_of(test->roles[0])]));
  }
}

/* Calls visit for each function that the library exports. */
static size_t each_exported_function(void (*visit)(const char *name)) {
  char path[PATH_MAX];
  struct stat facts;
  size_t count = 0;
  assert_int_equal(process_library_path(path, sizeof path), 0);
  int fd = open(path, O_RDONLY);
  assert_true(fd >= 0 && fstat(fd, &facts) == 0);
  unsigned char *file = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  assert_true(file != MAP_FAILED);
  const Elf64_Ehdr *header = (const void *)file;
  const Elf64_Shdr *sections = (const void *)(file + header->e_shoff);
  for (int s = 0; s < header->e_shnum; s++) {
    if (sections[s].sh_type != SHT_DYNSYM) continue;
    const Elf64_Sym *symbols = (const void *)(file + sections[s].sh_offset);
    const char *names = (const char *)file + sections[sections[s].sh_link].sh_offset;
    for (size_t i = 0; i < sections[s].sh_size / sizeof(Elf64_Sym); i++) {
      const int bind = ELF64_ST_BIND(symbols[i].st_info), kind = ELF64_ST_TYPE(symbols[i].st_info);
      if (symbols[i].st_shndx == SHN_UNDEF || bind == STB_LOCAL) continue;
      if (kind != STT_FUNC && kind != STT_GNU_IFUNC) continue;
      visit(names + symbols[i].st_name);
      count++;
    }
  }
  munmap(file, (size_t)facts.st_size);
  close(fd);
  return count;
}

static int missing_cases;
static void find_case(const char *name) {
  if (strncmp(name, "netcl_", 6) != 0 && (process_has_asan() || process_has_tsan())) return;
  for (size_t i = 0; i < handle_cases_count(); i++) {
    if (strcmp(handle_case(i)->name, name) == 0) return;
  }
  print_error("the exported function %s has no case in support_handles.c\n", name);
  missing_cases++;
}

static void every_exported_function_has_a_case(void **state) {
  (void)state;
  const size_t count = each_exported_function(find_case);
  CHECK(count >= 100, "only %zu exported functions were found", count);
  assert_int_equal(missing_cases, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_exported_function_has_a_case),
      DEVICE_TEST(bad_handles_are_refused),
      DEVICE_TEST(releases_of_bad_handles_are_logged),
      DEVICE_TEST(references_are_counted),
  };
  seed_random("handles");
  own = handle_maker(NULL);
  const int failed = cmocka_run_group_tests_name("handles", tests, NULL, NULL);
  free(own);
  return failed;
}
