/* Kernels: source forms, preamble, build logs, fp16, binaries, facts about parameters. */
#include "support_kernel.h"
#include "support_process.h"

#include <stdio.h>

static const char kAdd[] =
    "__kernel void add(__global const float *a, __global const float *b, __global float *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = a[i] + b[i];\n"
    "}\n";

/* Launches kernel(a, b, out) over 100 items and checks out = function(a, b). */
static void check_binary_kernel(Fixture *fixture, netcl_kernel *kernel,
                                double (*function)(double, double)) {
  float values[100];
  netcl_tensor *a = counting_tensor(fixture->device, NETCL_F32, 100, -50.0);
  netcl_tensor *b = counting_tensor(fixture->device, NETCL_F32, 100, 3.0);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_F32, 100);
  const netcl_arg args[3] = {arg_read_only(a), arg_tensor(b), arg_tensor(out)};
  OK(launch_1d(kernel, 100, args, 3));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 100; i++) {
    double wanted = function(i - 50.0, i + 3.0);
    CHECK((double)values[i] == wanted, "element %d is %g, expected %g", i, (double)values[i],
          wanted);
  }
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(out);
}

static double add(double a, double b) { return a + b; }
static double relu_add(double a, double b) { return a + b > 0 ? a + b : 0; }
static double plus_seven(double a, double b) { return a + b + 7; }

static void refused_on_builtin(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("only on the built-in device");
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  options.source = kAdd;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "OpenCL",
             netcl_kernel_create(fixture->device, "add", &options, &kernel));
  assert_null(kernel);
  FAILS(NETCL_ERROR_UNSUPPORTED,
        netcl_kernel_create_elementwise(fixture->device, "sum", 2, "v0 + v1", NETCL_F32, &kernel));
  assert_null(kernel);
}

static void full_source(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "add", kAdd);
  char *log = kernel_log(kernel), *source = kernel_source(kernel);
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  assert_string_equal(log, "");
  CHECK(strstr(source, kAdd) != NULL, "the source lacks the user's text:\n%s", source);
  OK(netcl_kernel_build(kernel));
  OK(netcl_kernel_build(kernel));
  OK(netcl_kernel_get_info(kernel, &info));
  assert_int_equal(info.args_count, 3);
  assert_int_equal(info.shape_signature, 0);
  assert_string_equal(info.name, "add");
  CHECK(info.max_local_size >= 1, "max_local_size is 0");
  CHECK(info.preferred_multiple >= 1, "preferred_multiple is 0");
  assert_int_equal(info.required_local_size[0], 0);
  check_binary_kernel(fixture, kernel, add);
  netcl_kernel_release(kernel);
  free(log);
  free(source);
}

static void source_size_ends_the_text(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  const size_t size = sizeof kAdd - 1;
  char *text = malloc(size + 8);
  memcpy(text, kAdd, size);
  memcpy(text + size, "garbage!", 8);
  options.source = text;
  options.source_size = size;
  OK(netcl_kernel_create(fixture->device, "add", &options, &kernel));
  memset(text, 'x', size + 8); /* The kernel has a copy of its own. */
  free(text);
  check_binary_kernel(fixture, kernel, add);
  netcl_kernel_release(kernel);
}

static void params_and_body(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char *const params[] = {"__global const float* a", "__global const float* b",
                                       "__global float* c"};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  options.params = params;
  options.params_count = 3;
  options.preamble = "#define MORE 7.0f\nfloat more(float x) { return x + MORE; }";
  options.body = "int gid = get_global_id(0);\nc[gid] = more(a[gid] + b[gid]);";
  OK(netcl_kernel_create(fixture->device, "vec_add", &options, &kernel));
  char *source = kernel_source(kernel);
  CHECK(strstr(source, "vec_add") != NULL, "the source lacks the name:\n%s", source);
  CHECK(strstr(source, "__kernel") != NULL, "the source lacks __kernel:\n%s", source);
  CHECK(strstr(source, options.body) != NULL, "the source lacks the body:\n%s", source);
  free(source);
  check_binary_kernel(fixture, kernel, plus_seven);
  netcl_kernel_release(kernel);
}

static void exactly_one_form(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char *const params[] = {"__global float* out"};
  static const char *const bad_params[] = {NULL};
  const netcl_kernel_options none = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel_options options = none;
  netcl_kernel *kernel = NULL;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create(fixture->device, "add", NULL, &kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create(fixture->device, "add", &options, &kernel));
  options.source = kAdd;
  options.body = "out[0] = 1;";
  options.params = params;
  options.params_count = 1;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create(fixture->device, "add", &options, &kernel));
  options = none;
  options.source = kAdd;
  options.il = kAdd;
  options.il_size = sizeof kAdd;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create(fixture->device, "add", &options, &kernel));
  options = none;
  options.source = kAdd;
  options.binary = kAdd;
  options.binary_size = sizeof kAdd;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create(fixture->device, "add", &options, &kernel));
  options = none;
  options.params = params;
  options.params_count = 1;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create(fixture->device, "add", &options, &kernel));
  options.body = "out[0] = 1;";
  options.params = bad_params;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "params",
             netcl_kernel_create(fixture->device, "add", &options, &kernel));
  assert_null(kernel);
}

static void names_are_identifiers(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char *const names[] = {"",    "1add",         "a b",  "add;",
                                      "a-b", "x);}__kernel", "a\nb", "ad\xc3\xa9"};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  char *source = unique_source(kAdd);
  options.source = kAdd;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name",
             netcl_kernel_create(fixture->device, NULL, &options, &kernel));
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name",
               netcl_kernel_create(fixture->device, names[i], &options, &kernel));
  }
  assert_null(kernel);
  kernel = source_kernel(fixture->device, "absent", source);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "add", netcl_kernel_build(kernel));
  check_message("absent", "netcl_kernel_build", __FILE__, __LINE__);
  netcl_kernel_release(kernel);
  free(source);
}

static void several_kernels_in_a_source(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char two[] =
      "__kernel void first(__global const float *a, __global const float *b, __global float *c) {\n"
      "  size_t i = get_global_id(0); c[i] = a[i] + b[i];\n}\n"
      "__kernel void second(__global const float *a, __global const float *b, __global float *c)\n"
      "{ size_t i = get_global_id(0); c[i] = a[i] + b[i] + 7; }\n";
  char *source = unique_source(two);
  netcl_kernel *first = source_kernel(fixture->device, "first", source);
  netcl_kernel *second = source_kernel(fixture->device, "second", source);
  netcl_kernel *third = source_kernel(fixture->device, "third", source);
  netcl_program_cache_info before = cache_counters();
  OK(netcl_kernel_build(first));
  OK(netcl_kernel_build(second));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "first", netcl_kernel_build(third));
  check_message("second", "netcl_kernel_build", __FILE__, __LINE__);
  netcl_program_cache_info after = cache_counters();
  assert_int_equal(after.source_builds - before.source_builds, 1);
  CHECK(after.memory_hits > before.memory_hits, "the second kernel was no memory hit");
  check_binary_kernel(fixture, first, add);
  check_binary_kernel(fixture, second, plus_seven);
  netcl_kernel_release(first);
  netcl_kernel_release(second);
  netcl_kernel_release(third);
  free(source);
}

static void preamble_macros(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char with[] =
      "__kernel void k(__global const float *a, __global const float *b, __global float *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  float sum = ADD(LOAD(a, i), LOAD(b, i));\n"
      "  STORE(out, i, RELU(DIV(MUL(SUB(sum, 1.0f) + 1.0f, 4.0f), 4.0f)));\n}\n";
  static const char without[] =
      "float ADD(float x, float y) { return x + y; }\n"
      "__kernel void k(__global const float *a, __global const float *b, __global float *out) {\n"
      "  size_t i = get_global_id(0);\n  out[i] = ADD(a[i], b[i]);\n}\n";
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k", with);
  check_binary_kernel(fixture, kernel, relu_add);
  netcl_kernel_release(kernel);
  options.no_preamble = 1;
  options.source = without;
  OK(netcl_kernel_create(fixture->device, "k", &options, &kernel));
  char *source = kernel_source(kernel);
  CHECK(strstr(source, "RELU") == NULL, "no_preamble left macros in:\n%s", source);
  free(source);
  check_binary_kernel(fixture, kernel, add);
  netcl_kernel_release(kernel);
  options.source = with;
  OK(netcl_kernel_create(fixture->device, "k", &options, &kernel));
  FAILS(NETCL_ERROR_BUILD_FAILURE, netcl_kernel_build(kernel));
  netcl_kernel_release(kernel);
}

/* Builds what must fail in the user's line `line`, and checks log and message. */
static void check_failing_build(Fixture *fixture, const netcl_kernel_options *options,
                                const char *line) {
  netcl_kernel *kernel = NULL;
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  OK(netcl_kernel_create(fixture->device, "broken", options, &kernel));
  FAILS(NETCL_ERROR_BUILD_FAILURE, netcl_kernel_build(kernel));
  char *log = kernel_log(kernel);
  CHECK(strstr(log, line) != NULL, "the log does not name the user's line \"%s\":\n%s", line, log);
  CHECK(strstr(log, "undeclared_thing") != NULL, "the log lacks the reason:\n%s", log);
  /* The message has the first line that is an error; what drivers write before it differs. */
  char first[40] = {0};
  const char *start = strstr(log, "error");
  CHECK(start != NULL, "no line of the log is an error:\n%s", log);
  while (start > log && start[-1] != '\n') start--;
  start += strspn(start, " \t\r");
  memcpy(first, start, strcspn(start, "\r\n") < 30 ? strcspn(start, "\r\n") : 30);
  check_message(first, "netcl_kernel_build", __FILE__, __LINE__);
  /* The object stays usable: the same error again, never a crash. */
  FAILS(NETCL_ERROR_BUILD_FAILURE, netcl_kernel_build(kernel));
  FAILS(NETCL_ERROR_BUILD_FAILURE, netcl_kernel_get_info(kernel, &info));
  assert_int_equal(info.max_local_size, 0);
  FAILS(NETCL_ERROR_BUILD_FAILURE, launch_1d(kernel, 1, NULL, 0));
  netcl_kernel_release(kernel);
  free(log);
}

static void logs_have_the_lines_of_the_user(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char broken[] =
      "\n\n__kernel void broken(__global float *out) {\n\n  out[0] = undeclared_thing;\n}\n";
  static const char *const params[] = {"__global float* out"};
  const netcl_kernel_options none = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel_options options = none;
  options.source = broken;
  check_failing_build(fixture, &options, ":5:");
  options.no_preamble = 1;
  check_failing_build(fixture, &options, ":5:");
  options = none;
  options.params = params;
  options.params_count = 1;
  options.preamble = "#define A 1\n#define B 2\n#define C 3\n";
  options.body = "out[0] = A;\nout[1] = B;\nout[2] = undeclared_thing;\n";
  check_failing_build(fixture, &options, ":3:");
}

/* The pragma for fp16 takes no line, and an error that has nothing to do with half stays one. */
static void logs_of_fp16_sources(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source =
      "__kernel void broken(__global half *out) {\n  vstore_half(undeclared_thing, 0, out);\n}\n";
  check_failing_build(fixture, &options, ":2:");
  options.no_preamble = 1;
  check_failing_build(fixture, &options, ":2:");
}

/* Source that computes in half is refused by name where the device cannot. */
static void half_arithmetic(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k",
      "__kernel void k(__global half *a) { half x = a[0]; a[1] = x * x + a[2]; }");
  if (fixture->capabilities.fp16) OK(netcl_kernel_build(kernel));
  else FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "half", netcl_kernel_build(kernel));
  netcl_kernel_release(kernel);
}

static void fp16_pragma(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char pragma[] = "#pragma OPENCL EXTENSION cl_khr_fp16";
  static const char storage[] =
      "__kernel void k(__global const half *a, __global float *out) {\n"
      "  size_t i = get_global_id(0);\n  out[i] = vload_half(i, a);\n}\n";
  static const char unrelated[] =
      "__kernel void k(__global float *halfway) { float other_half = 1; halfway[0] = other_half; }";
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k", storage);
  char *source = kernel_source(kernel);
  float values[64];
  CHECK(strstr(source, pragma) != NULL, "no fp16 pragma in:\n%s", source);
  free(source);
  netcl_tensor *a = counting_tensor(fixture->device, NETCL_F16, 64, -7.0);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_F32, 64);
  const netcl_arg args[2] = {arg_tensor(a), arg_tensor(out)};
  OK(launch_1d(kernel, 64, args, 2));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 64; i++) assert_true(values[i] == (float)i - 7.0f);
  netcl_tensor_release(a);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
  kernel = fresh_kernel(fixture->device, "k", unrelated);
  source = kernel_source(kernel);
  CHECK(strstr(source, pragma) == NULL, "an fp16 pragma although no half is used:\n%s", source);
  free(source);
  netcl_kernel_release(kernel);
}

static void build_flags(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char text[] =
      "__kernel void k(__global const float *a, __global const float *b, __global float *out) {\n"
      "  size_t i = get_global_id(0); out[i] = a[i] + b[i] + VALUE; }\n";
  static const char *const seven[] = {"-DVALUE=7"}, *const zero[] = {"-DUNUSED", "-DVALUE=0"};
  static const char *const bad[] = {NULL};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  options.source = text;
  options.flags = seven;
  options.flags_count = 1;
  options.fast_math = 1;
  OK(netcl_kernel_create(fixture->device, "k", &options, &kernel));
  check_binary_kernel(fixture, kernel, plus_seven);
  netcl_kernel_release(kernel);
  options.flags = zero;
  options.flags_count = 2;
  options.fast_math = 0;
  OK(netcl_kernel_create(fixture->device, "k", &options, &kernel));
  check_binary_kernel(fixture, kernel, add);
  netcl_kernel_release(kernel);
  kernel = NULL;
  options.flags = bad;
  options.flags_count = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "flags",
             netcl_kernel_create(fixture->device, "k", &options, &kernel));
  options.flags = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "flags",
             netcl_kernel_create(fixture->device, "k", &options, &kernel));
  assert_null(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(refused_on_builtin),
      DEVICE_TEST(full_source),
      DEVICE_TEST(source_size_ends_the_text),
      DEVICE_TEST(params_and_body),
      DEVICE_TEST(exactly_one_form),
      DEVICE_TEST(names_are_identifiers),
      DEVICE_TEST(several_kernels_in_a_source),
      DEVICE_TEST(preamble_macros),
      DEVICE_TEST(logs_have_the_lines_of_the_user),
      DEVICE_TEST(logs_of_fp16_sources),
      DEVICE_TEST(half_arithmetic),
      DEVICE_TEST(fp16_pragma),
      DEVICE_TEST(build_flags),
  };
  return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
