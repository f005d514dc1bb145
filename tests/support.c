/* The device under test, checks of results, and checks of the rules that many functions share. */
#include "support.h"

#include <locale.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sanitizers.h"

/* The state of a host whose locale has a decimal comma, before anything else runs. */
__attribute__((constructor)) static void take_locale(void) {
  char text[8];
  if (getenv("NETCL_TEST_LOCALE") == NULL) return;
  if (setlocale(LC_ALL, getenv("NETCL_TEST_LOCALE")) == NULL) _exit(126);
  snprintf(text, sizeof text, "%.1f", 0.5);
  if (strcmp(text, "0,5") != 0) _exit(126);
}

const char *test_selector(void) {
  const char *selector = getenv("NETCL_TEST_DEVICE");
  return selector != NULL && selector[0] != '\0' ? selector : "builtin";
}

void fail_at(const char *file, int line, const char *format, ...) {
  char text[2048];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  print_error("%s\n", text);
  _fail(file, line);
  abort();
}

void check_status(netcl_status got, netcl_status wanted, const char *call, const char *file,
                  int line) {
  if (got == wanted) {
    if (wanted == NETCL_OK) return;
    netcl_error_info info = NETCL_ERROR_INFO_INIT;
    if (netcl_last_error_get_info(&info) != NETCL_OK || info.status != wanted ||
        info.message[0] == '\0') {
      fail_at(file, line, "%s\n  gives %s but the last error has status %s and message \"%s\"",
              call, netcl_status_name(got), netcl_status_name(info.status), info.message);
    }
    if (strchr(info.message, '\n') != NULL) {
      fail_at(file, line, "%s\n  the message has more than one line: \"%s\"", call, info.message);
    }
    return;
  }
  fail_at(file, line, "%s\n  gives %s, not %s; last error: %s", call, netcl_status_name(got),
          netcl_status_name(wanted), netcl_last_error_message());
}

void check_message(const char *text, const char *call, const char *file, int line) {
  const char *message = netcl_last_error_message();
  if (strstr(message, text) == NULL) {
    fail_at(file, line, "%s\n  the message \"%s\" does not hold \"%s\"", call, message, text);
  }
}

void count_live_handles(uint64_t live[HANDLE_TYPES + 1]) {
  live[0] = 0;
  for (netcl_handle_type type = 1; type <= HANDLE_TYPES; ++type) {
    OK(netcl_library_get_live_count(type, &live[type]));
  }
}

void check_live_handles(const uint64_t before[HANDLE_TYPES + 1], const char *file, int line) {
  static const char *const kNames[HANDLE_TYPES + 1] = {
      "",           "device",          "queue", "event",   "pool",     "buffer",
      "tensor",     "kernel",          "expression", "measurement", "timer", "region",
      "roofline",   "space",           "config", "tuning database", "search", "ceilings",
      "benchmark",  "tuner",           "graph", "group",   "model",
      "sharded",    "weights",         "reducer"};
  uint64_t after[HANDLE_TYPES + 1];
  count_live_handles(after);
  for (int type = 1; type <= HANDLE_TYPES; ++type) {
    if (after[type] != before[type]) {
      fail_at(file, line, "live %s handles: %llu before, %llu after", kNames[type],
              (unsigned long long)before[type], (unsigned long long)after[type]);
    }
  }
}

/* Loops of the host have no work-groups. */
static int runs_kernels(netcl_device *device) {
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  OK(netcl_variant_select_matmul(device, 999, 999, 999, NULL, &config));
  return config.local_size_1d > 1;
}

static int runs_full(void) {
  const char *full = getenv("NETCL_TEST_FULL");
  return full != NULL && strcmp(full, "1") == 0;
}

void compile_quickly(void) {
  if (runs_full() || strcmp(test_selector(), "cpu") != 0) return;
  setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
  setenv("NETCL_CACHE_DIR", "/dev/null", 1);
}

void take_kernels(void) {
  setenv("NETCL_DEVICE_CLASS", "gpu", 1);
  compile_quickly();
}

void as_kernels(void **state) {
  Fixture *fixture = *state;
  int status = 0;
  if (fixture->kernels || !fixture->opencl) SKIP("ops run on the device in one way");
  const pid_t child = fork();
  if (child == 0) {
    take_kernels();
    execl("/proc/self/exe", "test", (char *)NULL);
    _exit(127);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0,
        "the run with NETCL_DEVICE_CLASS=gpu ended with status 0x%x", status);
}

int compiles_slowly(const Fixture *fixture) {
  return fixture->kernels && fixture->info.type == NETCL_DEVICE_CPU;
}

netcl_variant_options record_hopper(netcl_device_info *info,
                                    netcl_device_capabilities *capabilities,
                                    netcl_matrix_units units) {
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  info->backend = NETCL_BACKEND_OPENCL;
  info->type = NETCL_DEVICE_GPU;
  snprintf(info->name, sizeof info->name, "NVIDIA H200");
  snprintf(info->vendor, sizeof info->vendor, "NVIDIA Corporation");
  capabilities->compute_units = 132;
  capabilities->max_work_group_size = 1024;
  for (int d = 0; d < 3; ++d) capabilities->max_work_item_sizes[d] = 1024;
  capabilities->local_memory_bytes = 49152;
  capabilities->matrix_units = units;
  options.info = info;
  options.capabilities = capabilities;
  return options;
}

int left_out(const Fixture *fixture, int among) {
  return compiles_slowly(fixture) && !runs_full() && random_in(0, 2 * among - 1) != 0;
}

static void seed_test(void);

int setup_device(void **state) {
  seed_test();
  Fixture *fixture = calloc(1, sizeof *fixture);
  const netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  const netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  fixture->info = info;
  fixture->capabilities = capabilities;
  count_live_handles(fixture->live);
  OK(netcl_device_open(test_selector(), NULL, &fixture->device));
  OK(netcl_device_get_info(fixture->device, &fixture->info));
  OK(netcl_device_get_capabilities(fixture->device, &fixture->capabilities));
  fixture->opencl = fixture->info.backend == NETCL_BACKEND_OPENCL;
  fixture->kernels = fixture->opencl && runs_kernels(fixture->device);
  *state = fixture;
  return 0;
}

int teardown_device(void **state) {
  Fixture *fixture = *state;
  Fixture kept = *fixture;
  free(fixture);  /* First, because a check that fails does not come back. */
  OK(netcl_device_finish(kept.device, LONG_WAIT));
  netcl_device_release(kept.device);
  check_live_handles(kept.live, __FILE__, __LINE__);
  return 0;
}

/* A struct of an older header lies at the end of a page, so a byte read past it is a crash. */
static void check_older_options(Fixture *fixture, const char *name, OptionsCall call,
                                const void *options, size_t first, size_t size) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *pages =
      mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(pages != MAP_FAILED && size <= page && first <= size && first % 8 == 0);
  assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
  for (size_t older = first; older <= size; older += 8) {
    unsigned char *given = pages + page - older;
    memcpy(given, options, older);
    memcpy(given, &older, sizeof older);
    CHECK(call(fixture, given) == NETCL_OK, "%s: struct_size %zu of an older caller: %s", name,
          older, netcl_last_error_message());
  }
  assert_int_equal(munmap(pages, 2 * page), 0);
}

void check_options_rules(Fixture *fixture, const char *name, OptionsCall call, const void *options,
                         size_t first, size_t size, const size_t *reserved,
                         size_t reserved_count) {
  unsigned char bytes[4096];
  const size_t extra = 64;
  CHECK(size + extra <= sizeof bytes, "%s has %zu bytes", name, size);
  const size_t longer = size + extra;
  const size_t wrong[] = {0, 1, sizeof(size_t), first / 2, first - 8, first - 1};

  CHECK(call(fixture, NULL) == NETCL_OK, "%s: NULL options: %s", name, netcl_last_error_message());
  CHECK(call(fixture, options) == NETCL_OK, "%s: %s", name, netcl_last_error_message());
  for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
    memcpy(bytes, options, size);
    memcpy(bytes, &wrong[i], sizeof(size_t));
    const netcl_status status = call(fixture, bytes);
    CHECK(status == NETCL_ERROR_INVALID_ARGUMENT, "%s: struct_size %zu gives %s", name, wrong[i],
          netcl_status_name(status));
    CHECK(strstr(netcl_last_error_message(), "struct_size") != NULL,
          "%s: struct_size %zu: the message is \"%s\"", name, wrong[i], netcl_last_error_message());
  }
  check_older_options(fixture, name, call, options, first, size);
  memset(bytes, 0, sizeof bytes);
  memcpy(bytes, options, size);
  memcpy(bytes, &longer, sizeof longer);
  CHECK(call(fixture, bytes) == NETCL_OK, "%s: a longer struct with a zero tail: %s", name,
        netcl_last_error_message());
  for (size_t at = size; at < longer; at += 9) {
    bytes[at] = 1;
    const netcl_status status = call(fixture, bytes);
    CHECK(status == NETCL_ERROR_UNSUPPORTED, "%s: a tail with byte %zu set gives %s", name, at,
          netcl_status_name(status));
    bytes[at] = 0;
  }
  for (size_t i = 0; i < reserved_count; ++i) {
    const uint32_t one = 1;
    memcpy(bytes, options, size);
    memcpy(bytes + reserved[i], &one, sizeof one);
    const netcl_status status = call(fixture, bytes);
    CHECK(status == NETCL_ERROR_INVALID_ARGUMENT, "%s: reserved = 1 gives %s", name,
          netcl_status_name(status));
    CHECK(strstr(netcl_last_error_message(), "reserved") != NULL,
          "%s: reserved = 1: the message is \"%s\"", name, netcl_last_error_message());
  }
}

void check_info_rules(const char *name, InfoCall call, void *context, size_t size, size_t skip_at,
                      size_t skip_size) {
  const size_t extra = 64;
  const size_t total = size + extra;
  unsigned char *full = malloc(total);
  unsigned char *other = malloc(total + 16);
  memset(full, POISON, total);
  memcpy(full, &size, sizeof size);
  CHECK(call(context, full) == NETCL_OK, "%s: %s", name, netcl_last_error_message());
  for (size_t at = size; at < total; ++at) {
    CHECK(full[at] == POISON, "%s: byte %zu past the struct was written", name, at);
  }
  const size_t lengths[] = {sizeof(size_t), sizeof(size_t) + 4, size / 2, size - 8, size - 1,
                            size + 1, total};
  for (size_t i = 0; i < COUNT_OF(lengths); ++i) {
    memset(other, POISON, total + 16);
    memcpy(other, &lengths[i], sizeof(size_t));
    CHECK(call(context, other) == NETCL_OK, "%s: struct_size %zu: %s", name, lengths[i],
          netcl_last_error_message());
    size_t kept;
    memcpy(&kept, other, sizeof kept);
    CHECK(kept == lengths[i], "%s: struct_size %zu became %zu", name, lengths[i], kept);
    for (size_t at = sizeof(size_t); at < total + 16; ++at) {
      if (at >= skip_at && at < skip_at + skip_size && at < lengths[i]) continue;
      const unsigned wanted = at >= lengths[i] ? POISON : at >= size ? 0u : full[at];
      CHECK(other[at] == wanted, "%s: struct_size %zu: byte %zu is %02x, not %02x", name,
            lengths[i], at, other[at], wanted);
    }
  }
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, call(context, NULL));
  free(full);
  free(other);
}

char *check_text_rules(const char *name, TextCall call, void *context) {
  size_t length = 12345678;
  CHECK(call(context, NULL, 0, &length) == NETCL_OK, "%s: asking for the length: %s", name,
        netcl_last_error_message());
  char *text = malloc(length + 17);
  memset(text, POISON, length + 17);
  size_t again = 0;
  CHECK(call(context, text, length + 1, &again) == NETCL_OK, "%s: %s", name,
        netcl_last_error_message());
  CHECK(again == length, "%s: the length is %zu, then %zu", name, length, again);
  CHECK(strlen(text) == length, "%s: length %zu, text of %zu bytes", name, length, strlen(text));
  CHECK((unsigned char)text[length + 1] == POISON, "%s: wrote past the capacity", name);
  CHECK(call(context, text, length + 1, NULL) == NETCL_OK, "%s: length may be NULL", name);
  const size_t capacities[] = {1, 2, length / 2, length};
  for (size_t i = 0; i < COUNT_OF(capacities); ++i) {
    const size_t capacity = capacities[i];
    if (capacity == 0) continue;
    char *part = malloc(capacity + 16);
    memset(part, POISON, capacity + 16);
    again = 0;
    CHECK(call(context, part, capacity, &again) == NETCL_OK, "%s: capacity %zu: %s", name, capacity,
          netcl_last_error_message());
    CHECK(again == length, "%s: capacity %zu gives length %zu of %zu", name, capacity, again,
          length);
    const size_t fits = capacity - 1 < length ? capacity - 1 : length;
    /* A cut at a character boundary may leave up to three bytes out. */
    CHECK(strlen(part) <= fits && strlen(part) + 3 >= fits, "%s: capacity %zu gives %zu bytes",
          name, capacity, strlen(part));
    CHECK(memcmp(part, text, strlen(part)) == 0, "%s: capacity %zu gives other text", name,
          capacity);
    for (size_t at = capacity; at < capacity + 16; ++at) {
      CHECK((unsigned char)part[at] == POISON, "%s: wrote past the capacity %zu", name, capacity);
    }
    free(part);
  }
  return text;
}

int only_sanitized(void) { return (HAS_ASAN || HAS_TSAN) && !runs_full(); }

int sanitized_rounds(int many) { return only_sanitized() ? (many + 3) / 4 : many; }

int rounds(const Fixture *fixture, int many) {
  if (runs_full()) return many;
  /* CPU devices of OpenCL run the loops of the built-in device. */
  if (!fixture->kernels) {
    return sanitized_rounds(only_sanitized() && fixture->opencl ? (many + 1) / 2 : many);
  }
  const int few = many / (compiles_slowly(fixture) ? 20 : 10);
  return few > 0 ? few : 1;
}

static uint64_t suite_seed = 1, generator_state = 1;

void seed_random(const char *suite) {
  const char *given = getenv("NETCL_TEST_SEED");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  suite_seed = given != NULL ? strtoull(given, NULL, 0)
                             : (uint64_t)now.tv_sec * 1000003u + (uint64_t)now.tv_nsec;
  generator_state = suite_seed;
  print_message("%s: NETCL_TEST_SEED=%llu on \"%s\"\n", suite, (unsigned long long)suite_seed,
                test_selector());
}

/* Each test has numbers of its own, whatever those before it took: what does fewer rounds under
 * sanitizers has the first kernels of the other builds, which PoCL keeps. */
static void seed_test(void) {
  static uint64_t tests = 0;
  generator_state = suite_seed ^ ++tests * UINT64_C(0xD1B54A32D192ED03);
}

void seed_random_at(uint64_t seed) { generator_state = seed; }

uint64_t random_bits(void) {
  /* SplitMix64: a handful of lines, and good enough to pick shapes and values. */
  uint64_t z = (generator_state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

int64_t random_in(int64_t low, int64_t high) {
  return low + (int64_t)(random_bits() % (uint64_t)(high - low + 1));
}

double random_real(double low, double high) {
  return low + (high - low) * ((double)(random_bits() >> 11) * 0x1p-53);
}

netcl_kernel *make_slow_kernel(netcl_device *device) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  options.source =
      "__kernel void slow(__global int *out, int value, int spin) {\n"
      "  uint x = (uint)value | 1u;\n"
      "  for (int i = 0; i < spin; ++i) x = x * 1664525u + 1013904223u;\n"
      "  out[get_global_id(0)] = x == 7u ? ~value : value;\n"
      "}\n";
  OK(netcl_kernel_create(device, "slow", &options, &kernel));
  OK(netcl_kernel_build(kernel));
  return kernel;
}

netcl_status launch_slow(netcl_kernel *kernel, netcl_tensor *out, uint64_t count, int32_t value,
                         int32_t spin, netcl_queue *queue, netcl_event **event) {
  netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  args[0].kind = NETCL_ARG_TENSOR;
  args[0].tensor = out;
  args[1].kind = args[2].kind = NETCL_ARG_SCALAR;
  args[1].size = args[2].size = 4;
  memcpy(args[1].value, &value, 4);
  memcpy(args[2].value, &spin, 4);
  run.queue = queue;
  run.event = event;
  return netcl_kernel_launch(kernel, &count, 1, NULL, 0, args, 3, NULL, &run);
}

void start_slow_work(Fixture *fixture, netcl_queue *queue, netcl_tensor **tensor,
                     netcl_event **event) {
  netcl_tensor *out = NULL;
  if (fixture->opencl) {
    const int64_t shape[] = {1};
    netcl_kernel *kernel = make_slow_kernel(fixture->device);
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &out));
    /* The loop is a chain of dependent multiplications, 4 cycles each on the fastest CPUs. */
    OK(launch_slow(kernel, out, 1, 1, 60 * 1000 * 1000, queue, event));
    netcl_kernel_release(kernel);
  } else {
    /* Nothing can be caught in flight on the built-in device, so there is no need to be slow. */
    const int64_t shape[] = {300, 300};
    netcl_tensor *one = NULL;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.queue = queue;
    run.event = event;
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F64, 2, shape, NULL, NULL, &one));
    OK(netcl_op_matmul(one, one, NULL, &run, &out));
    netcl_tensor_release(one);
  }
  if (tensor != NULL) {
    *tensor = out;
  } else {
    netcl_tensor_release(out);
  }
}

uint64_t log_last_sequence(void) {
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  uint64_t last = 0;
  while (netcl_log_read(last, &record) == NETCL_OK) last = record.sequence;
  return last;
}

int log_has(uint64_t after, const char *text) {
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  while (netcl_log_read(after, &record) == NETCL_OK) {
    if (strstr(record.message, text) != NULL) return 1;
    after = record.sequence;
  }
  return 0;
}
