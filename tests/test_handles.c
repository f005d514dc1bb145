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

static const char kRoles[] = "dqepbtkx"; /* in the order of netcl_handle_type */
enum { kTypes = 8 };

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
static void *other_library;

static int type_of(char role) {
  const char *at = strchr(kRoles, role >= 'A' && role <= 'Z' ? role - 'A' + 'a' : role);
  assert_non_null(at);
  return (int)(at - kRoles);
}

static void release_type(int type, void *handle) {
  switch (type) {
    case 0: netcl_device_release(handle); break;
    case 1: netcl_queue_release(handle); break;
    case 2: netcl_event_release(handle); break;
    case 3: netcl_pool_release(handle); break;
    case 4: netcl_buffer_release(handle); break;
    case 5: netcl_tensor_release(handle); break;
    case 6: netcl_kernel_release(handle); break;
    default: netcl_expression_release(handle); break;
  }
}

static Handles make_handles(Fixture *fixture) {
  static const int64_t shape[2] = {2, 2};
  Handles made;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  memset(&made, 0, sizeof made);
  OK(netcl_device_open(test_selector(), NULL, (netcl_device **)&made.of[0]));
  OK(netcl_queue_create(made.of[0], NULL, (netcl_queue **)&made.of[1]));
  OK(netcl_queue_enqueue_marker(made.of[1], NULL, 0, (netcl_event **)&made.of[2]));
  OK(netcl_pool_create(made.of[0], NULL, (netcl_pool **)&made.of[3]));
  OK(netcl_pool_allocate(made.of[3], 64, (netcl_buffer **)&made.of[4]));
  OK(netcl_tensor_create_zeros(made.of[0], NETCL_F32, 2, shape, NULL, NULL,
                               (netcl_tensor **)&made.of[5]));
  options.source = "__kernel void k(__global float *a) { a[0] = 1; }";
  if (fixture->opencl) {
    OK(netcl_kernel_create(made.of[0], "k", &options, (netcl_kernel **)&made.of[6]));
  }
  OK(netcl_expression_create("v0 + v1", (netcl_expression **)&made.of[7]));
  return made;
}

static void release_handles(const Handles *handles) {
  for (int type = kTypes - 1; type >= 0; type--) release_type(type, handles->of[type]);
}

#define OTHER(variable, function)                                        \
  __typeof__(&function) variable = NULL;                                 \
  do {                                                                   \
    void *symbol_ = dlsym(other_library, #function);                     \
    assert_non_null(symbol_);                                            \
    memcpy((void *)&variable, (void *)&symbol_, sizeof symbol_);         \
  } while (0)

/* Handles of a second copy of the library in this process. They live as long as the process. */
static Handles foreign_handles(Fixture *fixture) {
  static const int64_t shape[2] = {2, 2};
  char original[PATH_MAX], folder[PATH_MAX], copy[PATH_MAX + 32];
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  Handles made;
  memset(&made, 0, sizeof made);
  assert_int_equal(process_library_path(original, sizeof original), 0);
  process_make_folder(folder, sizeof folder);
  snprintf(copy, sizeof copy, "%s/libother.so", folder);
  assert_int_equal(process_copy_file(original, copy), 0);
  other_library = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
  if (other_library == NULL) print_error("%s\n", dlerror());
  assert_non_null(other_library);
  process_remove_folder(folder);
  OTHER(device_open, netcl_device_open);
  OTHER(queue_create, netcl_queue_create);
  OTHER(marker, netcl_queue_enqueue_marker);
  OTHER(pool_create, netcl_pool_create);
  OTHER(allocate, netcl_pool_allocate);
  OTHER(zeros, netcl_tensor_create_zeros);
  OTHER(kernel_create, netcl_kernel_create);
  OTHER(expression_create, netcl_expression_create);
  OK(device_open(test_selector(), NULL, (netcl_device **)&made.of[0]));
  OK(queue_create(made.of[0], NULL, (netcl_queue **)&made.of[1]));
  OK(marker(made.of[1], NULL, 0, (netcl_event **)&made.of[2]));
  OK(pool_create(made.of[0], NULL, (netcl_pool **)&made.of[3]));
  OK(allocate(made.of[3], 64, (netcl_buffer **)&made.of[4]));
  OK(zeros(made.of[0], NETCL_F32, 2, shape, NULL, NULL, (netcl_tensor **)&made.of[5]));
  options.source = "__kernel void k(__global float *a) { a[0] = 1; }";
  if (fixture->opencl) {
    OK(kernel_create(made.of[0], "k", &options, (netcl_kernel **)&made.of[6]));
  }
  OK(expression_create("v0 + v1", (netcl_expression **)&made.of[7]));
  return made;
}

static void release_foreign(const Handles *handles) {
  OTHER(expression_release, netcl_expression_release);
  OTHER(kernel_release, netcl_kernel_release);
  OTHER(tensor_release, netcl_tensor_release);
  OTHER(buffer_release, netcl_buffer_release);
  OTHER(pool_release, netcl_pool_release);
  OTHER(event_release, netcl_event_release);
  OTHER(queue_release, netcl_queue_release);
  OTHER(device_release, netcl_device_release);
  expression_release(handles->of[7]);
  kernel_release(handles->of[6]);
  tensor_release(handles->of[5]);
  buffer_release(handles->of[4]);
  pool_release(handles->of[3]);
  event_release(handles->of[2]);
  queue_release(handles->of[1]);
  device_release(handles->of[0]);
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
  void *handles[8] = {NULL};
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
  const unsigned calls = process_full() ? 1000000 : 10000;
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  uint64_t before[HANDLE_TYPES + 1];
  make_bad(fixture);
  count_live_handles(before);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_log_set_level(999));
  OK(netcl_log_set_level(NETCL_LOG_OFF));
  for (size_t i = 0; i < kHandleCasesCount; i++) {
    if (kHandleCases[i].roles[0] != '\0') check_case(&kHandleCases[i], calls);
  }
  OK(netcl_log_set_level(NETCL_LOG_WARNING));
  check_live_handles(before, __FILE__, __LINE__);
  OK(netcl_tensor_get_info(bad.live.of[5], &info)); /* The valid ones still are. */
  release_handles(&bad.live);
  release_foreign(&bad.foreign);
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
  for (size_t i = 0; i < kHandleCasesCount; i++) {
    const HandleCase *test = &kHandleCases[i];
    if (strstr(test->name, "_retain") == NULL) continue;
    void *handle = made.of[type_of(test->roles[0])];
    if (handle == NULL) continue;
    for (int n = 0; n < 3; n++) OK(test->call(&handle));
    for (int n = 0; n < 3; n++) release_type(type_of(test->roles[0]), handle);
    OK(test->call(&handle));
    release_type(type_of(test->roles[0]), handle);
  }
  release_handles(&made);
  for (size_t i = 0; i < kHandleCasesCount; i++) {
    const HandleCase *test = &kHandleCases[i];
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
  for (size_t i = 0; i < kHandleCasesCount; i++) {
    if (strcmp(kHandleCases[i].name, name) == 0) return;
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
  return cmocka_run_group_tests_name("handles", tests, NULL, NULL);
}
