/* Memory with share = 1: what the mapping of another sees, imports, pools, lifetimes. */
#include "support_sharing.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COUNT = 5000 };

static float values[COUNT];

static int fresh_values(void **state) {
  for (int i = 0; i < COUNT; ++i) values[i] = (float)random_in(-1000, 1000);
  return setup_device(state);
}
#define SHARING_TEST(function) \
  cmocka_unit_test_setup_teardown(function, fresh_values, teardown_device)

static void multiply(netcl_tensor *tensor, const char *formula) {
  const netcl_run_options run = run_into(tensor);
  OK(netcl_op_expression_text(formula, &tensor, 1, NULL, &run, NULL));
}

/* What the device writes a mapping sees, and the other way. */
static void one_memory(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  const netcl_shared_memory memory = export_of(tensor);
  void *whole = NULL;
  float *mapped = map_memory(&memory, &whole), *got = NULL;
  assert_int_equal(memory.kind, NETCL_SHARE_FILE);
  assert_int_equal(memory.bytes, sizeof values);
  assert_true(memory.total_bytes >= memory.offset_bytes + memory.bytes);
  for (int i = 0; i < 16; ++i) assert_int_equal(memory.device_uuid[i], 0);
  assert_memory_equal(mapped, values, sizeof values);
  multiply(tensor, "v0 * 2");
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  for (int i = 0; i < COUNT; ++i) {
    CHECK(mapped[i] == 2 * values[i], "element %d is %g, not %g", i, mapped[i], 2 * values[i]);
    mapped[i] = values[i] - 1;
  }
  multiply(tensor, "v0 + 1");
  got = read_tensor(tensor);
  assert_memory_equal(got, values, sizeof values);
  free(got);
  munmap(whole, memory.total_bytes);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
}

static void facts(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  const int64_t nothing = 0;
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT), *plain, *empty = NULL;
  netcl_buffer *buffer = NULL;
  netcl_buffer_info info = NETCL_BUFFER_INFO_INIT;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  uint64_t address = 7;
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_get_info(buffer, &info));
  assert_int_equal(info.exportable, 1);
  assert_int_equal(info.zero_copy, 1);
  assert_memory_equal(info.host_pointer, values, sizeof values);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "none of CUDA",
             netcl_buffer_get_cuda_address(buffer, &address));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "address",
             netcl_buffer_get_cuda_address(buffer, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "memory is NULL", netcl_buffer_export(buffer, NULL));
  const int before = open_descriptors(NULL);
  memory.struct_size -= 8;  /* a caller who could not find the descriptor */
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "memory->struct_size",
             netcl_buffer_export(buffer, &memory));
  memory.struct_size += 8;
  netcl_buffer_release(buffer);
  netcl_tensor_release(tensor);

  const int64_t count = COUNT;
  plain = make_tensor(fixture->device, NETCL_F32, 1, &count, values);
  OK(netcl_tensor_get_buffer(plain, &buffer));
  OK(netcl_buffer_get_info(buffer, &info));
  assert_int_equal(info.exportable, 0);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "share = 1", netcl_buffer_export(buffer, &memory));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "none of CUDA",
             netcl_buffer_get_cuda_address(buffer, &address));
  netcl_buffer_release(buffer);
  netcl_tensor_release(plain);

  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  options.share = 1;
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, &nothing, NULL, &options, &empty));
  OK(netcl_tensor_get_buffer(empty, &buffer));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "0 bytes", netcl_buffer_export(buffer, &memory));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "0 bytes", netcl_buffer_get_cuda_address(buffer, &address));
  netcl_buffer_release(buffer);
  netcl_tensor_release(empty);
  assert_int_equal(memory.kind, 0);
  assert_int_equal(address, 7);
  assert_int_equal(open_descriptors(NULL), before);
}

/* Every way of making a tensor takes share = 1, where it makes the memory. */
static void every_way(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  static const char kFile[] =
      "\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, 'shape': (), }"
      "                                                              \n\x05";
  const int64_t shape[2] = {3, 50}, strides[2] = {1, 4};
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor *made[5] = {NULL};
  const float one = 1;
  netcl_device *d = fixture->device;
  options.share = 1;
  OK(netcl_tensor_create(d, NETCL_F16, 2, shape, strides, &options, &made[0]));
  OK(netcl_tensor_create_zeros(d, NETCL_I64, 2, shape, NULL, &options, &made[1]));
  OK(netcl_tensor_create_full(d, NETCL_F32, 2, shape, strides, &one, &options, &made[2]));
  OK(netcl_tensor_create_random(d, NETCL_F32, 2, shape, NULL, NULL, &options, &made[3]));
  OK(netcl_tensor_create_from_npy(d, kFile, 129, &options, &made[4]));
  for (int i = 0; i < 5; ++i) {
    const netcl_shared_memory memory = export_of(made[i]);
    CHECK(memory.kind == NETCL_SHARE_FILE, "tensor %d is of kind %d", i, memory.kind);
    close(memory.descriptor);
    netcl_tensor_release(made[i]);
  }
  made[0] = NULL;
  options.borrow = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->share is 1",
             netcl_tensor_create_from_host(d, NETCL_F32, 2, shape, NULL, values, sizeof values,
                                           &options, &made[0]));
  options.borrow = 0;
  options.share = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->share is 2",
             netcl_tensor_create(d, NETCL_F32, 2, shape, NULL, &options, &made[0]));
  assert_null(made[0]);
}

/* Imports are more of the same memory; commands on all of them are ordered. */
static void imports(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  for (int round = 0; round < rounds(fixture, 200); ++round) {
    const netcl_shared_memory memory = export_of(tensor);
    netcl_tensor *again = import_of(fixture->device, &memory);
    multiply(tensor, "v0 + 3");  /* Nobody waits. */
    multiply(again, "v0 * 2");
    multiply(tensor, "v0 - 6");
    multiply(again, "v0 * 0.5");
    float *got = read_tensor(round % 2 == 0 ? tensor : again);
    assert_memory_equal(got, values, sizeof values);
    free(got);
    /* Each lies where the other does, and the library knows. */
    const netcl_run_options run = run_into(again);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shares its memory",
               netcl_op_softmax(tensor, 0, &run, NULL));
    netcl_tensor_release(again);
  }
  netcl_tensor_release(tensor);
}

/* The same between two devices of one process. */
static void two_devices(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  netcl_device *other = NULL;
  OK(netcl_device_open("builtin", NULL, &other));
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  const netcl_shared_memory memory = export_of(tensor);
  netcl_tensor *there = import_of(other, &memory);
  multiply(tensor, "v0 * 4");
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  multiply(there, "v0 * 0.25");
  float *got = read_tensor(tensor);
  assert_memory_equal(got, values, sizeof values);
  free(got);
  netcl_tensor_release(tensor);  /* The exporter goes first. */
  CHECK_TENSOR(there, values);
  netcl_tensor_release(there);
  netcl_device_release(other);
}

/* A part of a file that somebody else has made. */
static void parts(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  static const uint64_t kParts[][2] = {
      {0, 16384}, {64, 4}, {4096, 4096}, {4160, 12000}, {16320, 64}};
  const int descriptor = memory_file(16384, F_SEAL_SHRINK);
  for (size_t i = 0; i < COUNT_OF(kParts); ++i) {
    const uint64_t offset = kParts[i][0], bytes = kParts[i][1];
    const int64_t count = (int64_t)bytes;
    const netcl_shared_memory memory = of_file(descriptor, offset, bytes, 16384);
    netcl_buffer *buffer = NULL;
    netcl_tensor *tensor = NULL, *past = NULL;
    netcl_buffer_info info = NETCL_BUFFER_INFO_INIT;
    OK(netcl_buffer_import(fixture->device, &memory, &buffer));
    OK(netcl_buffer_get_info(buffer, &info));
    assert_int_equal(info.bytes, bytes);
    FAILS(NETCL_ERROR_INVALID_ARGUMENT,
          netcl_tensor_create_from_buffer(buffer, 1, NETCL_U8, 1, &count, NULL, &past));
    OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_U8, 1, &count, NULL, &tensor));
    unsigned char *got = read_tensor(tensor), last = 0;
    for (uint64_t k = 0; k < bytes; ++k) {
      CHECK(got[k] == (offset + k) % 251, "part %zu: byte %llu is %d", i, (unsigned long long)k,
            got[k]);
    }
    free(got);
    /* Where it was exported again it is the same place. */
    netcl_shared_memory again = export_of(tensor);
    assert_int_equal(again.offset_bytes, offset);
    assert_int_equal(again.bytes, bytes);
    assert_int_equal(again.total_bytes, 16384);
    assert_int_equal(pread(again.descriptor, &last, 1, (off_t)(offset + bytes - 1)), 1);
    assert_int_equal(last, (offset + bytes - 1) % 251);
    close(again.descriptor);
    netcl_buffer_release(buffer);
    netcl_tensor_release(tensor);
  }
  close(descriptor);
}

/* Memory that somebody has is leased to nobody else. */
static void pools(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  netcl_tensor_options wanted = NETCL_TENSOR_OPTIONS_INIT;
  netcl_pool *pool = NULL, *plain = NULL;
  netcl_tensor *tensor = NULL;
  const int64_t count = COUNT;
  options.share = 1;
  OK(netcl_pool_create(fixture->device, &options, &pool));
  netcl_tensor_release(shared_tensor(fixture->device, pool, values, COUNT));
  tensor = shared_tensor(fixture->device, pool, values, COUNT);
  OK(netcl_pool_get_info(pool, &info));
  assert_int_equal(info.hits, 1);
  const netcl_shared_memory memory = export_of(tensor);
  netcl_tensor_release(tensor);
  OK(netcl_pool_get_info(pool, &info));
  assert_int_equal(info.bytes_in_use + info.bytes_cached, 0);
  float zeros[COUNT] = {0};
  tensor = shared_tensor(fixture->device, pool, zeros, COUNT);
  netcl_tensor *kept = import_of(fixture->device, &memory);
  CHECK_TENSOR(kept, values);
  CHECK_TENSOR(tensor, zeros);
  netcl_tensor_release(kept);
  netcl_tensor_release(tensor);
  tensor = NULL;

  OK(netcl_pool_create(fixture->device, NULL, &plain));
  wanted.share = 1;
  wanted.pool = plain;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->pool",
             netcl_tensor_create(fixture->device, NETCL_F32, 1, &count, NULL, &wanted, &tensor));
  wanted.share = 0;  /* A pool that shares does so by itself. */
  wanted.pool = pool;
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, &count, NULL, &wanted, &tensor));
  close(export_of(tensor).descriptor);
  netcl_tensor_release(tensor);
  netcl_pool_release(plain);
  netcl_pool_release(pool);

  pool = NULL;
  options.kind = NETCL_POOL_PINNED;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->share is 1",
             netcl_pool_create(fixture->device, &options, &pool));
  options.kind = 0;
  options.share = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->share is 3",
             netcl_pool_create(fixture->device, &options, &pool));
  assert_null(pool);
}

/* The export outlives all that it was made from. */
static void outlives(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  const netcl_shared_memory memory = export_of(tensor);
  netcl_tensor_release(tensor);
  float other[COUNT];
  for (int i = 0; i < COUNT; ++i) other[i] = -1;
  netcl_tensor *later = shared_tensor(fixture->device, NULL, other, COUNT);
  void *whole = NULL;
  assert_memory_equal(map_memory(&memory, &whole), values, sizeof values);
  netcl_tensor *again = import_of(fixture->device, &memory);
  CHECK_TENSOR(again, values);
  /* So does the import outlive the descriptor and every other mapping. */
  munmap(whole, memory.total_bytes);
  CHECK_TENSOR(again, values);
  netcl_tensor_release(again);
  netcl_tensor_release(later);
}

/* All descriptors and mappings go with what they are for. */
static void nothing_stays(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  options.share = 1;
  const int files = open_descriptors("/memfd:netcl"), before = open_descriptors(NULL);
  const int mapped = open_mappings("/memfd:netcl");
  for (int round = 0; round < 50; ++round) {
    netcl_pool *pool = NULL;
    netcl_buffer *buffer = NULL;
    OK(netcl_pool_create(fixture->device, &options, &pool));
    netcl_tensor *tensor = shared_tensor(fixture->device, pool, values, COUNT);
    const netcl_shared_memory memory = export_of(tensor);
    assert_int_equal(fcntl(memory.descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    OK(netcl_buffer_import(fixture->device, &memory, &buffer));
    assert_int_equal(open_descriptors("/memfd:netcl"), files + 3);
    netcl_shared_memory wrong = memory;
    netcl_buffer *none = NULL;
    wrong.bytes = memory.total_bytes + 1;
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_buffer_import(fixture->device, &wrong, &none));
    close(memory.descriptor);
    netcl_buffer_release(buffer);
    netcl_tensor_release(tensor);
    netcl_pool_release(pool);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    assert_int_equal(open_descriptors(NULL), before);
    assert_int_equal(open_mappings("/memfd:netcl"), mapped);
  }
}

/* A host without standard streams writes to what has their numbers: no memory has. */
static void streams_closed(void **state) {
  Fixture *fixture = *state;
  require_files(fixture);
  const int kept = fcntl(0, F_DUPFD_CLOEXEC, 100);
  netcl_pool *pool = NULL;
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  options.share = 1;
  OK(netcl_pool_create(fixture->device, &options, &pool));
  close(0);
  netcl_tensor *tensor = shared_tensor(fixture->device, pool, values, COUNT);
  const int made = fcntl(0, F_GETFD);
  const netcl_shared_memory memory = export_of(tensor);
  netcl_tensor *again = import_of(fixture->device, &memory); /* closes the descriptor */
  const int after = fcntl(0, F_GETFD);
  if (kept >= 0) dup2(kept, 0);
  if (kept >= 0) close(kept);
  assert_int_equal(made, -1);
  assert_int_equal(after, -1);
  assert_true(memory.descriptor > 2);
  netcl_tensor_release(again);
  netcl_tensor_release(tensor);
  netcl_pool_release(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      SHARING_TEST(one_memory), SHARING_TEST(facts),    SHARING_TEST(every_way),
      SHARING_TEST(imports),    SHARING_TEST(parts),    SHARING_TEST(two_devices),
      SHARING_TEST(pools),      SHARING_TEST(outlives), SHARING_TEST(nothing_stays),
      SHARING_TEST(streams_closed),
  };
  seed_random("sharing");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
