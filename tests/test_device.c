/* Discovery, selectors, identity, capabilities, diagnosis, suggested local sizes. */
#include <ctype.h>
#include <stdio.h>

#include "support.h"

static void list(void **state) {
  (void)state;
  uint32_t count = 0;
  OK(netcl_device_count(&count));
  CHECK(count >= 1, "no device at all");
  for (uint32_t i = 0; i < count; ++i) {
    netcl_device_info info;
    memset(&info, POISON, sizeof info);
    info.struct_size = sizeof info;
    OK(netcl_device_describe(i, &info));
    assert_int_equal(info.index, i);
    CHECK(info.name[0] != '\0' && info.version[0] != '\0', "device %u has no name or version", i);
    if (i + 1 < count) {
      assert_int_equal(info.backend, NETCL_BACKEND_OPENCL);
      CHECK(strncmp(info.version, "OpenCL ", 7) == 0, "version \"%s\"", info.version);
      CHECK(info.platform_index != UINT32_MAX && info.platform_name[0] != '\0',
            "device %u has no platform", i);
    } else {
      char version[64];
      snprintf(version, sizeof version, "netcl %s", netcl_version_string());
      assert_int_equal(info.backend, NETCL_BACKEND_BUILTIN);
      assert_int_equal(info.type, NETCL_DEVICE_CPU);
      assert_int_equal(info.platform_index, UINT32_MAX);
      assert_string_equal(info.version, version);
    }
    /* The list's entry, opened by index, is what the list said. */
    char selector[16];
    netcl_device *device = NULL;
    netcl_device_info opened = NETCL_DEVICE_INFO_INIT;
    snprintf(selector, sizeof selector, "%u", i);
    OK(netcl_device_open(selector, NULL, &device));
    OK(netcl_device_get_info(device, &opened));
    CHECK(memcmp(&opened, &info, sizeof info) == 0, "device %u changed when it was opened", i);
    netcl_device_release(device);
  }
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_device_describe(count, &info));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_device_describe(UINT32_MAX, &info));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_device_count(NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_device_describe(0, NULL));
}

/* "builtin" loads no driver, so that its place is not known before somebody asks for the list. Runs
 * before everything else. */
static void builtin_before_the_list(void **state) {
  (void)state;
  const char *backend = getenv("NETCL_BACKEND");
  const int known = backend != NULL && strcmp(backend, "builtin") == 0;
  netcl_device *device = NULL, *other = NULL;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  const int64_t shape[] = {2};
  const int32_t values[] = {1, 2};
  options.separate = 1;
  OK(netcl_device_open("builtin", NULL, &device));
  OK(netcl_device_open("builtin", &options, &other));
  netcl_tensor *a = make_tensor(device, NETCL_I32, 1, shape, values);
  netcl_tensor *b = make_tensor(other, NETCL_I32, 1, shape, values);
  netcl_tensor *sum = NULL;
  char text[400];
  OK(netcl_device_get_info(device, &info));
  assert_int_equal(info.index, known ? 0 : UINT32_MAX);
  const char *place = known ? "0 " : "";
  snprintf(text, sizeof text, "device %s(%s, opening 1); the inputs on device %s(%s)", place,
           info.name, place, info.name);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = b;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, text,
             netcl_op_elementwise(NETCL_ELEMENTWISE_NEG, &a, 1, NULL, &run, &sum));
  uint32_t count = 0;
  OK(netcl_device_count(&count));
  OK(netcl_device_get_info(device, &info));
  assert_int_equal(info.index, count - 1);
  OK(netcl_device_get_info(other, &info));
  assert_int_equal(info.index, count - 1);
  snprintf(text, sizeof text, "the inputs on device %u (%s)", count - 1, info.name);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, text,
             netcl_op_elementwise(NETCL_ELEMENTWISE_NEG, &a, 1, NULL, &run, &sum));
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_device_release(device);
  netcl_device_release(other);
}

static netcl_device_info open_info(const char *selector) {
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_open(selector, NULL, &device));
  OK(netcl_device_get_info(device, &info));
  netcl_device_release(device);
  return info;
}

static int first_of_type(netcl_device_type type, netcl_backend backend) {
  uint32_t count = 0;
  OK(netcl_device_count(&count));
  for (uint32_t i = 0; i < count; ++i) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    OK(netcl_device_describe(i, &info));
    if (info.type == type && info.backend == backend) return (int)i;
  }
  return -1;
}

static void check_selector(const char *selector, int index) {
  netcl_device *device = (netcl_device *)1;
  if (index < 0) {
    const netcl_status status = netcl_device_open(selector, NULL, &device);
    CHECK(status == NETCL_ERROR_NO_DEVICE, "\"%s\" gives %s", selector, netcl_status_name(status));
    CHECK(strlen(netcl_last_error_message()) > 20, "no diagnosis: \"%s\"",
          netcl_last_error_message());
    CHECK(device == NULL || device == (netcl_device *)1, "the output was written");
  } else {
    CHECK(open_info(selector).index == (uint32_t)index, "\"%s\" gives device %u, not %d", selector,
          open_info(selector).index, index);
  }
}

static void selectors(void **state) {
  (void)state;
  uint32_t count = 0;
  OK(netcl_device_count(&count));
  const int builtin = (int)count - 1;
  const int cpu = first_of_type(NETCL_DEVICE_CPU, NETCL_BACKEND_OPENCL);
  const int gpu = first_of_type(NETCL_DEVICE_GPU, NETCL_BACKEND_OPENCL);
  check_selector("builtin", builtin);
  check_selector("cpu", cpu >= 0 ? cpu : builtin);
  check_selector("accel", first_of_type(NETCL_DEVICE_ACCELERATOR, NETCL_BACKEND_OPENCL));
  check_selector("BuiltIn", builtin);
  check_selector("CPU", cpu >= 0 ? cpu : builtin);
  assert_int_equal(open_info("AUTO").index, open_info("auto").index);
  if (gpu < 0) {
    check_selector("gpu", -1);
    check_selector("GPU", -1);
    check_selector("auto", cpu >= 0 ? cpu : builtin);
  } else {
    assert_int_equal(open_info("gpu").type, NETCL_DEVICE_GPU);
    assert_int_equal(open_info("auto").type, NETCL_DEVICE_GPU);
  }
  assert_int_equal(open_info(NULL).index, open_info("auto").index);
  for (uint32_t i = 0; i < count; ++i) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    char selector[300];
    OK(netcl_device_describe(i, &info));
    if (info.backend == NETCL_BACKEND_OPENCL) {
      snprintf(selector, sizeof selector, "%u:%u", info.platform_index, info.device_index);
      check_selector(selector, (int)i);
    }
    for (size_t c = 0; c < sizeof info.name; ++c) {
      selector[c] = (char)(c % 2 ? toupper((unsigned char)info.name[c])
                                 : tolower((unsigned char)info.name[c]));
    }
    selector[sizeof info.name] = '\0';
    CHECK(strcmp(open_info(selector).name, info.name) == 0, "the name \"%s\" opens \"%s\"",
          selector, open_info(selector).name);
  }
  check_selector(" builtin\n", builtin);
  check_selector("0 ", 0);
  check_selector("\t0\r\n", 0);
  netcl_device *none = NULL;
  assert_int_equal(netcl_device_open(" ", NULL, &none), NETCL_ERROR_INVALID_ARGUMENT);
  /* What else a device is called by: of several devices the first in the order of "auto". */
  check_selector("NETCL", builtin);
  check_selector("built-in", builtin);
  if (cpu >= 0 && gpu < 0) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    OK(netcl_device_describe((uint32_t)open_info("auto").index, &info));
    check_selector("opencl", (int)info.index);
    check_selector(info.platform_name, (int)info.index);
    check_selector(info.vendor, (int)info.index);
    check_selector(info.version, (int)info.index);
    if (strstr(info.version, "PoCL") != NULL) check_selector("pocl", (int)info.index);
  } else if (cpu < 0 && gpu < 0) {
    check_selector("opencl", -1);
    check_selector("pocl", -1);
  }
  static const char *const kNone[] = {"no such device anywhere", "999", "99:0", "0:99",
                                      "4294967296", "18446744073709551616", "-1:0", "0:0:0",
                                      "e", " . "};
  for (size_t i = 0; i < COUNT_OF(kNone); ++i) check_selector(kNone[i], -1);
}

/* What the words give stands in the diagnosis, and why a word gives the built-in device in the
 * log. */
static void words_are_explained(void **state) {
  static const char *const kWords[] = {"auto", "gpu", "accel", "cpu", "builtin"};
  char diagnosis[4096], text[512];
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  (void)state;
  OK(netcl_device_diagnose(diagnosis, sizeof diagnosis, NULL));
  for (size_t i = 0; i < COUNT_OF(kWords); ++i) {
    netcl_device *device = NULL;
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    netcl_log_record after = NETCL_LOG_RECORD_INIT;
    while (netcl_log_read(record.sequence, &record) == NETCL_OK) continue;
    OK(netcl_log_set_level(NETCL_LOG_INFO));
    const netcl_status status = netcl_device_open(kWords[i], NULL, &device);
    const netcl_status logged = netcl_log_read(record.sequence, &after);
    OK(netcl_log_set_level(NETCL_LOG_WARNING));
    if (status == NETCL_OK) {
      OK(netcl_device_get_info(device, &info));
      snprintf(text, sizeof text, " %s is device %u", kWords[i], info.index);
    } else {
      snprintf(text, sizeof text, " %s is none", kWords[i]);
    }
    CHECK(strstr(diagnosis, text) != NULL, "\"%s\" is not in %s", text, diagnosis);
    const int asked_for_any = strcmp(kWords[i], "auto") == 0 || strcmp(kWords[i], "cpu") == 0;
    if (status == NETCL_OK && info.backend == NETCL_BACKEND_BUILTIN && asked_for_any) {
      OK(logged);
      assert_int_equal(after.level, NETCL_LOG_INFO);
      snprintf(text, sizeof text, "selector is \"%s\": OpenCL has no such device, so \"%s\" is "
               "opened: ", kWords[i], info.name);
      CHECK(strncmp(after.message, text, strlen(text)) == 0, "logged: %s", after.message);
      const char *backend = getenv("NETCL_BACKEND");
      CHECK(backend == NULL || strcmp(backend, "builtin") != 0 ||
                strstr(after.message, "NETCL_BACKEND=builtin") != NULL, "logged: %s",
            after.message);
      CHECK(strlen(after.message) > strlen(text) + 10, "no reason: %s", after.message);
    } else if (logged == NETCL_OK) {
      CHECK(strstr(after.message, "selector") == NULL, "logged: %s", after.message);
    }
    netcl_device_release(device);
  }
}

static void openings_share_one_device(void **state) {
  Fixture *fixture = *state;
  netcl_device *again = NULL;
  const int64_t shape[] = {8};
  const float one = 1, two = 2;
  netcl_tensor *a = NULL, *b = NULL, *sum = NULL;
  OK(netcl_device_open(test_selector(), NULL, &again));
  CHECK(again != fixture->device, "a second opening gives the same handle");
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, shape, NULL, &one, NULL, &a));
  OK(netcl_tensor_create_full(again, NETCL_F32, 1, shape, NULL, &two, NULL, &b));
  netcl_device_release(again);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_device_finish(again, 0));
  netcl_tensor *const inputs[] = {a, b};
  OK(netcl_op_expression_text("v0 + v1", inputs, 2, NULL, NULL, &sum));
  float *values = read_tensor(sum);
  CHECK(values[0] == 3 && values[7] == 3, "1 + 2 = %g", values[0]);
  free(values);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(sum);
}

static void separate_context(void **state) {
  Fixture *fixture = *state;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device *other = NULL;
  options.separate = 1;
  OK(netcl_device_open(test_selector(), &options, &other));
  if (fixture->opencl) {
    struct _cl_context *a = NULL, *b = NULL;
    struct _cl_device_id *x = NULL, *y = NULL;
    OK(netcl_device_get_cl_context(fixture->device, &a));
    OK(netcl_device_get_cl_context(other, &b));
    CHECK(a != NULL && b != NULL && a != b, "contexts %p and %p", (void *)a, (void *)b);
    OK(netcl_device_get_cl_device(fixture->device, &x));
    OK(netcl_device_get_cl_device(other, &y));
    CHECK(x != NULL && x == y, "devices %p and %p", (void *)x, (void *)y);
  } else {
    struct _cl_context *context = (struct _cl_context *)1;
    struct _cl_device_id *device = (struct _cl_device_id *)1;
    FAILS(NETCL_ERROR_UNSUPPORTED, netcl_device_get_cl_context(fixture->device, &context));
    FAILS(NETCL_ERROR_UNSUPPORTED, netcl_device_get_cl_device(fixture->device, &device));
  }
  /* Data still moves between the two. */
  const int64_t shape[] = {100};
  int32_t host[100];
  for (int i = 0; i < 100; ++i) host[i] = i * i;
  netcl_tensor *a = make_tensor(fixture->device, NETCL_I32, 1, shape, host), *b = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_tensor_create_zeros(other, NETCL_I32, 1, shape, NULL, NULL, &b));
  run.into = b;
  OK(netcl_op_copy(a, &run, NULL));
  CHECK_TENSOR(b, host);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_device_release(other);
}

static void capabilities(void **state) {
  Fixture *fixture = *state;
  const netcl_device_capabilities *c = &fixture->capabilities;
  CHECK(c->compute_units >= 1 && c->subgroup_size >= 1 && c->mem_base_align_bytes >= 1 &&
            c->max_work_group_size >= 1 && c->max_work_item_dimensions >= 3,
        "units %u, subgroup %u, alignment %u, group %llu, dimensions %u", c->compute_units,
        c->subgroup_size, c->mem_base_align_bytes, (unsigned long long)c->max_work_group_size,
        c->max_work_item_dimensions);
  CHECK(c->global_memory_bytes >= 1 << 26 && c->max_allocation_bytes >= 1 << 24 &&
            c->max_allocation_bytes <= c->global_memory_bytes && c->local_memory_bytes > 0,
        "memory %llu, largest %llu", (unsigned long long)c->global_memory_bytes,
        (unsigned long long)c->max_allocation_bytes);
  CHECK(c->timer_resolution_ns >= 1 && c->timer_resolution_ns <= 1000 * 1000, "timer %llu ns",
        (unsigned long long)c->timer_resolution_ns);
  const uint32_t flags[] = {c->fp16, c->fp16_announced, c->fp64, c->subgroups, c->int64_atomics,
                            c->svm, c->integrated, c->out_of_order, c->il};
  for (size_t i = 0; i < COUNT_OF(flags); ++i) CHECK(flags[i] <= 1, "flag %zu: %u", i, flags[i]);
  CHECK(c->fp16 >= c->fp16_announced || fixture->info.type == NETCL_DEVICE_CPU,
        "fp16 is announced but does not run");
  CHECK(c->strategy == NETCL_STRATEGY_PORTABLE || c->strategy == NETCL_STRATEGY_OPTIMIZED,
        "strategy %d", c->strategy);
  if (fixture->info.type == NETCL_DEVICE_CPU) {
    assert_int_equal(c->integrated, 1);
    /* A driver without native commands runs ops of a CPU as kernels too. */
    if (getenv("NETCL_KERNEL_STRATEGY") == NULL && !fixture->kernels) {
      assert_int_equal(c->strategy, NETCL_STRATEGY_PORTABLE);
    }
  }
  if (!fixture->opencl) {
    assert_int_equal(c->fp64, 1);
    assert_int_equal(c->il, 0);
  }
}

static netcl_status info_call(void *context, void *info) {
  return netcl_device_get_info(context, info);
}
static netcl_status describe_call(void *context, void *info) {
  (void)context;
  return netcl_device_describe(0, info);
}
static netcl_status capabilities_call(void *context, void *info) {
  return netcl_device_get_capabilities(context, info);
}
static netcl_status diagnose_call(void *context, char *buffer, size_t capacity, size_t *length) {
  (void)context;
  return netcl_device_diagnose(buffer, capacity, length);
}

static void structs_and_text(void **state) {
  Fixture *fixture = *state;
  check_info_rules("netcl_device_info", info_call, fixture->device, sizeof(netcl_device_info), 0,
                   0);
  check_info_rules("netcl_device_describe", describe_call, NULL, sizeof(netcl_device_info), 0, 0);
  check_info_rules("netcl_device_capabilities", capabilities_call, fixture->device,
                   sizeof(netcl_device_capabilities), 0, 0);
  char *text = check_text_rules("netcl_device_diagnose", diagnose_call, NULL);
  CHECK(strlen(text) > 40 && strchr(text, '\n') != NULL, "the diagnosis is \"%s\"", text);
  CHECK(!fixture->opencl || strstr(text, fixture->info.name) != NULL,
        "the diagnosis leaves out \"%s\": %s", fixture->info.name, text);
  free(text);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_device_diagnose(NULL, 10, NULL));
}

static void suggestions(void **state) {
  Fixture *fixture = *state;
  const netcl_device_capabilities *c = &fixture->capabilities;
  for (int round = 0; round < 200; ++round) {
    const uint32_t rank = (uint32_t)random_in(1, 3);
    uint64_t global[3] = {1, 1, 1}, local[4], rounded[4];
    memset(local, POISON, sizeof local);
    memset(rounded, POISON, sizeof rounded);
    for (uint32_t d = 0; d < rank; ++d) global[d] = (uint64_t)random_in(1, 1 << random_in(0, 20));
    OK(netcl_device_suggest_local_size(fixture->device, global, rank, local, rounded));
    uint64_t items = 1;
    for (uint32_t d = 0; d < rank; ++d) {
      CHECK(local[d] >= 1 && local[d] <= c->max_work_item_sizes[d], "local[%u] = %llu", d,
            (unsigned long long)local[d]);
      CHECK(rounded[d] >= global[d] && rounded[d] % local[d] == 0 &&
                rounded[d] - global[d] < local[d],
            "global %llu, local %llu, rounded %llu", (unsigned long long)global[d],
            (unsigned long long)local[d], (unsigned long long)rounded[d]);
      items *= local[d];
    }
    CHECK(items <= c->max_work_group_size, "a group of %llu items", (unsigned long long)items);
    memset(&global, POISON, sizeof(uint64_t));
    CHECK(local[rank] == global[0] && rounded[rank] == global[0], "wrote more than rank entries");
  }
  uint64_t global[4] = {1 << 20, 1 << 20, 1 << 20, 1}, local[4], rounded[4];
  if (c->max_work_group_size >= 64) {
    OK(netcl_device_suggest_local_size(fixture->device, global, 1, local, rounded));
    assert_int_equal(local[0], 64);
    OK(netcl_device_suggest_local_size(fixture->device, global, 3, local, rounded));
    const uint64_t edge = fixture->info.type == NETCL_DEVICE_CPU ? 1 : 4;
    CHECK(local[0] == 64 / edge / edge && local[1] == 4 && local[2] == edge, "%d x %d x %d",
          (int)local[0], (int)local[1], (int)local[2]);
  }
  if (fixture->info.type == NETCL_DEVICE_CPU && c->max_work_group_size >= 256) {
    /* Items of a CPU come one after the other: lines of memory are to be gone along. */
    OK(netcl_device_suggest_local_size(fixture->device, global, 2, local, rounded));
    CHECK(local[0] == 64 && local[1] == 4, "%d x %d", (int)local[0], (int)local[1]);
  }
  netcl_device *d = fixture->device;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global_count",
             netcl_device_suggest_local_size(d, global, 0, local, rounded));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global_count",
             netcl_device_suggest_local_size(d, global, 4, local, rounded));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global",
             netcl_device_suggest_local_size(d, NULL, 1, local, rounded));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "local",
             netcl_device_suggest_local_size(d, global, 1, NULL, rounded));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "rounded",
             netcl_device_suggest_local_size(d, global, 1, local, NULL));
  global[1] = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global[1]",
             netcl_device_suggest_local_size(d, global, 2, local, rounded));
  global[0] = UINT64_MAX;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_device_suggest_local_size(d, global, 1, local, rounded));
}

static void children_keep_their_parents(void **state) {
  (void)state;
  netcl_device *device = NULL, *again = NULL;
  const int64_t shape[] = {3};
  const int32_t values[] = {1, 2, 3};
  OK(netcl_device_open(test_selector(), NULL, &device));
  OK(netcl_device_retain(device));
  netcl_device_release(device);
  netcl_tensor *tensor = make_tensor(device, NETCL_I32, 1, shape, values);
  netcl_device_release(device);
  CHECK_TENSOR(tensor, values);
  OK(netcl_tensor_get_device(tensor, &again));
  OK(netcl_device_finish(again, LONG_WAIT));
  netcl_tensor_release(tensor);
  netcl_device_release(again);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_device_retain(device));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(builtin_before_the_list),
      DEVICE_TEST(list),
      DEVICE_TEST(selectors),
      DEVICE_TEST(words_are_explained),
      DEVICE_TEST(openings_share_one_device),
      DEVICE_TEST(separate_context),
      DEVICE_TEST(capabilities),
      DEVICE_TEST(structs_and_text),
      DEVICE_TEST(suggestions),
      DEVICE_TEST(children_keep_their_parents),
  };
  seed_random("device");
  return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
