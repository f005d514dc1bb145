/* Kernel arguments: count, kind and size are checked before the driver sees them. */
#include "support_kernel.h"

#include <stdio.h>

static const char kMix[] =
    "__kernel void mix_args(__global float *out, __global const float *a, int n, float s,\n"
    "                       __local float *tmp) {\n"
    "  int i = get_global_id(0);\n"
    "  tmp[get_local_id(0)] = a[i] * s;\n"
    "  if (i < n) out[i] = tmp[get_local_id(0)];\n}\n";

enum { kItems = 64 };

typedef struct Mix {
  netcl_kernel *kernel;
  netcl_tensor *out;
  netcl_tensor *in;
  netcl_arg args[6];
} Mix;

static Mix make_mix(Fixture *fixture, netcl_kernel *kernel) {
  Mix mix;
  memset(&mix, 0, sizeof mix);
  mix.kernel = kernel;
  mix.out = poisoned_tensor(fixture->device, NETCL_F32, kItems);
  mix.in = counting_tensor(fixture->device, NETCL_F32, kItems, 1.0);
  mix.args[0] = arg_tensor(mix.out);
  mix.args[1] = arg_read_only(mix.in);
  mix.args[2] = arg_int(60);
  mix.args[3] = arg_float(2.0f);
  mix.args[4] = arg_local(256 * sizeof(float));
  mix.args[5] = arg_int(0);
  return mix;
}

/* A launch with one argument replaced must fail, name the argument, and touch nothing. */
static void refuse(const Mix *mix, uint32_t index, netcl_arg replacement, netcl_status status) {
  static const char *const names[] = {"out", "a", "n", "s", "tmp"};
  char number[16];
  netcl_arg args[5];
  memcpy(args, mix->args, sizeof args);
  args[index] = replacement;
  FAILS(status, launch_1d(mix->kernel, kItems, args, 5));
  snprintf(number, sizeof number, "%u", index);
  const char *message = netcl_last_error_message();
  CHECK(strstr(message, number) != NULL || strstr(message, names[index]) != NULL,
        "the message names neither argument %u nor \"%s\": %s", index, names[index], message);
}

static netcl_arg with_size(netcl_arg arg, uint32_t size) {
  arg.size = size;
  return arg;
}

static netcl_arg with_kind(netcl_arg arg, netcl_arg_kind kind) {
  arg.kind = kind;
  return arg;
}

static netcl_arg with_reinterpret(netcl_arg arg, uint32_t reinterpret) {
  arg.reinterpret = reinterpret;
  return arg;
}

static netcl_arg with_dtype(netcl_arg arg, netcl_dtype dtype) {
  arg.dtype = dtype;
  return arg;
}

/* All the faults one argument can have, on a kernel that expects Mix. */
static void refuse_everything(Fixture *fixture, const Mix *mix) {
  const netcl_arg *args = mix->args;
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const double wide = 1.0;
  netcl_tensor *gone = counting_tensor(fixture->device, NETCL_F32, 4, 0.0);
  netcl_device *builtin = NULL;
  OK(netcl_device_open("builtin", NULL, &builtin));
  netcl_tensor *foreign = counting_tensor(builtin, NETCL_F32, kItems, 0.0);
  netcl_tensor *whole = counting_tensor(fixture->device, NETCL_I32, kItems, 0.0);
  netcl_tensor_release(gone);

  FAILS_WITH(bad, "5", launch_1d(mix->kernel, kItems, args, 4));
  check_message("4", "launch with too few", __FILE__, __LINE__);
  FAILS_WITH(bad, "6", launch_1d(mix->kernel, kItems, args, 6));
  FAILS(bad, launch_1d(mix->kernel, kItems, args, 0));
  FAILS(bad, launch_1d(mix->kernel, kItems, NULL, 5));
  FAILS(bad, launch_1d(mix->kernel, kItems, args, UINT32_MAX));

  refuse(mix, 0, args[2], bad);                        /* a scalar for a buffer */
  refuse(mix, 1, args[4], bad);                        /* local memory for a buffer */
  refuse(mix, 2, args[0], bad);                        /* a buffer for a scalar */
  refuse(mix, 3, args[4], bad);                        /* local memory for a scalar */
  refuse(mix, 2, arg_null(), bad);                     /* a NULL buffer for a scalar */
  refuse(mix, 4, args[0], bad);                        /* a buffer for local memory */
  refuse(mix, 4, args[2], bad);                        /* a scalar for local memory */
  refuse(mix, 4, arg_null(), bad);
  refuse(mix, 2, arg_scalar(&wide, 8), bad);           /* 8 bytes for an int */
  refuse(mix, 3, arg_scalar(&wide, 2), bad);           /* 2 bytes for a float */
  refuse(mix, 3, with_size(args[3], 0), bad);
  refuse(mix, 3, with_size(args[3], 33), bad);         /* more than value holds */
  refuse(mix, 3, with_size(args[3], UINT32_MAX), bad);
  refuse(mix, 3, arg_data(NULL, 4), bad);
  refuse(mix, 3, arg_data(&wide, 8), bad);
  refuse(mix, 4, arg_local(0), bad);
  refuse(mix, 4, arg_local(UINT32_MAX), bad);          /* more than the device has */
  refuse(mix, 2, with_kind(args[2], 0), bad);
  refuse(mix, 2, with_kind(args[2], 99), bad);
  refuse(mix, 2, with_kind(args[2], -1), bad);
  refuse(mix, 2, with_reinterpret(args[2], 2), bad);
  refuse(mix, 0, with_reinterpret(args[0], UINT32_MAX), bad);
  refuse(mix, 2, with_dtype(args[2], -1), bad);
  refuse(mix, 0, arg_tensor(NULL), NETCL_ERROR_INVALID_HANDLE);
  refuse(mix, 1, arg_read_only(gone), NETCL_ERROR_INVALID_HANDLE);
  refuse(mix, 1, arg_tensor((netcl_tensor *)mix->kernel), NETCL_ERROR_INVALID_HANDLE);
  refuse(mix, 1, arg_tensor(foreign), bad);            /* of another device */
  refuse(mix, 1, arg_tensor(whole), bad);              /* of another dtype */
  check_still_poisoned(mix->out);

  netcl_tensor_release(whole);
  netcl_tensor_release(foreign);
  netcl_device_release(builtin);
}

static void check_mix(const Mix *mix) {
  float values[kItems];
  unsigned char bytes[4];
  memset(bytes, POISON, 4);
  OK(launch_1d(mix->kernel, kItems, mix->args, 5));
  OK(netcl_tensor_read(mix->out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < kItems; i++) {
    if (i < 60) assert_true(values[i] == 2.0f * (float)(i + 1));
    else assert_memory_equal(&values[i], bytes, 4);
  }
}

static void release_mix(Mix *mix) {
  netcl_tensor_release(mix->out);
  netcl_tensor_release(mix->in);
  netcl_kernel_release(mix->kernel);
}

/* Elements of another type than the parameter's are refused, naming both, unless it is meant. */
static void other_dtypes(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Mix mix = make_mix(fixture, fresh_kernel(fixture->device, "mix_args", kMix));
  static const netcl_dtype kOthers[] = {NETCL_F16, NETCL_BF16, NETCL_I8, NETCL_I16, NETCL_I32,
                                        NETCL_I64, NETCL_U8, NETCL_U16, NETCL_U32, NETCL_U64,
                                        NETCL_BOOL, NETCL_F64};
  netcl_arg args[5];
  memcpy(args, mix.args, sizeof args);
  for (size_t i = 0; i < COUNT_OF(kOthers); i++) {
    netcl_tensor *other = counting_tensor(fixture->device, kOthers[i], kItems, 1.0);
    char words[64];
    snprintf(words, sizeof words, "args[1].tensor is %s;", netcl_dtype_name(kOthers[i]));
    args[1] = arg_read_only(other);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, words, launch_1d(mix.kernel, kItems, args, 5));
    check_message("float", "a tensor of another dtype", __FILE__, __LINE__);
    if (kOthers[i] == NETCL_I32) {
      args[1] = with_reinterpret(args[1], 1);
      OK(launch_1d(mix.kernel, kItems, args, 5));
      free(read_tensor(mix.out));
    }
    netcl_tensor_release(other);
  }
  args[1] = mix.args[1];
  args[3] = with_dtype(arg_int(2), NETCL_I32);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[3].dtype is i32;",
             launch_1d(mix.kernel, kItems, args, 5));
  check_message("elements of f32", "a scalar of another dtype", __FILE__, __LINE__);
  args[2] = with_dtype(mix.args[2], NETCL_I32);
  args[3] = with_dtype(mix.args[3], NETCL_F32);
  OK(launch_1d(mix.kernel, kItems, args, 5));
  check_mix(&mix);
  release_mix(&mix);
}

/* What is stored as integers may be seen as such; vectors have the dtype of their elements. */
static void stored_dtypes(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char kSource[] =
      "__kernel void stored(__global const ushort *half_bits, __global const ushort *brain_bits,\n"
      "                     __global const uchar *truth, __global const float4 *four,\n"
      "                     __global const void *any, __global float *out) {\n"
      "  out[get_global_id(0)] = four[0].x;\n}\n";
  static const netcl_dtype kStored[] = {NETCL_F16, NETCL_BF16, NETCL_BOOL, NETCL_F32, NETCL_I16};
  netcl_kernel *kernel = fresh_kernel(fixture->device, "stored", kSource);
  netcl_tensor *tensors[5], *out = poisoned_tensor(fixture->device, NETCL_F32, kItems);
  netcl_arg args[6];
  for (int i = 0; i < 5; i++) {
    tensors[i] = counting_tensor(fixture->device, kStored[i], kItems, 1.0);
    args[i] = arg_read_only(tensors[i]);
  }
  args[5] = arg_tensor(out);
  OK(launch_1d(kernel, kItems, args, 6));
  args[0] = arg_read_only(tensors[4]);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[0].tensor is i16",
             launch_1d(kernel, kItems, args, 6));
  for (int i = 0; i < 5; i++) netcl_tensor_release(tensors[i]);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

static void mismatches(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  Mix mix = make_mix(fixture, fresh_kernel(fixture->device, "mix_args", kMix));
  refuse_everything(fixture, &mix);
  check_mix(&mix);
  release_mix(&mix);
}

/* A program from the disk cache is a binary, of which drivers tell nothing about parameters. */
static void mismatches_with_a_cached_kernel(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  netcl_kernel_arg_info arg_info = NETCL_KERNEL_ARG_INFO_INIT;
  char *source = unique_source(kMix);
  netcl_kernel *first = source_kernel(fixture->device, "mix_args", source);
  OK(netcl_kernel_build(first));
  netcl_kernel_release(first);
  OK(netcl_program_cache_clear(0));
  if (cache_counters().directory[0] == '\0') {
    free(source);
    SKIP("the disk cache is off");
  }
  Mix mix = make_mix(fixture, source_kernel(fixture->device, "mix_args", source));
  OK(netcl_kernel_get_info(mix.kernel, &info));
  assert_int_equal(info.from_cache, 1);
  assert_int_equal(info.args_count, 5);
  OK(netcl_kernel_get_arg_info(mix.kernel, 1, &arg_info));
  assert_int_equal(arg_info.is_const, 1);
  assert_string_equal(arg_info.name, "a");
  OK(netcl_kernel_get_arg_info(mix.kernel, 4, &arg_info));
  assert_int_equal(arg_info.is_local, 1);
  refuse_everything(fixture, &mix);
  check_mix(&mix);
  release_mix(&mix);
  free(source);
}

static void null_buffers_and_structs(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char text[] =
      "typedef struct { float v[16]; } Table;\n"
      "__kernel void k(__global float *out, __global const float *maybe, Table table, float4 add,\n"
      "                short small, uchar tiny, ulong wide, float3 three) {\n"
      "  size_t i = get_global_id(0);\n"
      "  out[i] = table.v[i] + add.w + small + tiny + (float)wide + three.z\n"
      "           + (maybe ? maybe[i] : 100.0f);\n}\n";
  float table[16], add[4] = {0, 0, 0, 0.5f}, three[4] = {0, 0, 8.0f, 0}, values[16];
  const int16_t small = -3;
  const uint8_t tiny = 200;
  const uint64_t wide = 1000;
  for (int i = 0; i < 16; i++) table[i] = (float)i;
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k", text);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_F32, 16);
  netcl_tensor *in = counting_tensor(fixture->device, NETCL_F32, 16, 40.0);
  netcl_arg args[8] = {arg_tensor(out),         arg_null(),           arg_data(table, sizeof table),
                       arg_scalar(add, 16),     arg_scalar(&small, 2), arg_scalar(&tiny, 1),
                       arg_scalar(&wide, 8),    arg_data(three, 16)};
  for (int round = 0; round < 2; round++) {
    OK(launch_1d(kernel, 16, args, 8));
    memset(table, 0x7F, sizeof table); /* Arguments are taken during the call. */
    OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
    for (int i = 0; i < 16; i++) {
      float wanted = (float)i + 0.5f - 3 + 200 + 1000 + 8 + (round ? 40.0f + (float)i : 100.0f);
      CHECK(values[i] == wanted, "round %d element %d is %g, expected %g", round, i,
            (double)values[i], (double)wanted);
      table[i] = (float)i;
    }
    args[1] = arg_tensor(in);
  }
  args[3] = arg_scalar(add, 8);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, launch_1d(kernel, 16, args, 8));
  args[3] = arg_scalar(add, 16);
  args[5] = arg_scalar(&small, 2);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, launch_1d(kernel, 16, args, 8));
  netcl_tensor_release(out);
  netcl_tensor_release(in);
  netcl_kernel_release(kernel);
}

/* A view passes its memory from its first element on, where the device can address that. */
static void views_as_arguments(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char text[] =
      "__kernel void k(__global const int *a, __global int *out) {\n"
      "  size_t i = get_global_id(0); out[i] = a[i] + 1000; }\n";
  const int64_t align = (int64_t)fixture->capabilities.mem_base_align_bytes / 4;
  CHECK(align >= 1, "mem_base_align_bytes is %u", fixture->capabilities.mem_base_align_bytes);
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k", text);
  netcl_tensor *a = counting_tensor(fixture->device, NETCL_I32, 4 * align + 64, 0.0);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 16), *view = NULL;
  for (int64_t start = 0; start <= 3 * align; start += align) {
    const netcl_range range = {start, 16, 1};
    int32_t values[16];
    OK(netcl_tensor_slice(a, &range, 1, &view));
    const netcl_arg args[2] = {arg_read_only(view), arg_tensor(out)};
    OK(launch_1d(kernel, 16, args, 2));
    OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
    for (int i = 0; i < 16; i++) {
      CHECK(values[i] == start + i + 1000, "view at %d: element %d is %d", (int)start, i,
            values[i]);
    }
    netcl_tensor_release(view);
  }
  if (align > 1) {
    const netcl_range range = {1, 16, 1};
    OK(netcl_tensor_slice(a, &range, 1, &view));
    const netcl_arg args[2] = {arg_read_only(view), arg_tensor(out)};
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "4", launch_1d(kernel, 16, args, 2));
    netcl_tensor_release(view);
  }
  netcl_tensor_release(a);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

/* An empty tensor has no memory; it may be passed, as a NULL buffer. */
static void empty_tensors(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t zero = 0;
  netcl_tensor *empty = NULL;
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 4);
  int32_t values[4];
  netcl_kernel *kernel = fresh_kernel(fixture->device, "k",
      "__kernel void k(__global const int *a, __global int *out) {\n"
      "  out[get_global_id(0)] = a ? 1 : 2; }\n");
  OK(netcl_tensor_create(fixture->device, NETCL_I32, 1, &zero, NULL, NULL, &empty));
  const netcl_arg args[2] = {arg_tensor(empty), arg_tensor(out)};
  OK(launch_1d(kernel, 4, args, 2));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 4; i++) assert_true(values[i] == 1 || values[i] == 2);
  netcl_tensor_release(empty);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(mismatches),
      DEVICE_TEST(other_dtypes),
      DEVICE_TEST(stored_dtypes),
      DEVICE_TEST(mismatches_with_a_cached_kernel),
      DEVICE_TEST(null_buffers_and_structs),
      DEVICE_TEST(views_as_arguments),
      DEVICE_TEST(empty_tensors),
  };
  return cmocka_run_group_tests_name("kernel_args", tests, NULL, NULL);
}
