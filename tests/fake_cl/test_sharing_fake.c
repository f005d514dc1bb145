/* Memory shared with CUDA, on stand-ins for both drivers: places, lifetimes, failures, refusals. */
#include "support_fake.h"
#include "support_sharing.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { COUNT = 3000, SLAB = 64 << 20, CUDA_DEVICE = 1, UUID_BYTE = 0x5a, GRANULARITY = 2 << 20 };

/* The stand-in for CUDA's driver. */
static struct {
  int (*push)(void *);
  int (*pop)(void **);
  int (*read)(void *, uint64_t, size_t);
  int (*write)(uint64_t, const void *, size_t);
  int (*live)(int);
} cuda;

static void find_cuda(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  CHECK(library != NULL, "%s", dlerror());
#define FIND(member, name) \
  *(void **)&cuda.member = dlsym(library, name); \
  assert_non_null(*(void **)&cuda.member)
  FIND(push, "cuCtxPushCurrent_v2");
  FIND(pop, "cuCtxPopCurrent_v2");
  FIND(read, "cuMemcpyDtoH_v2");
  FIND(write, "cuMemcpyHtoD_v2");
  FIND(live, "fake_cuda_live");
}

static void in_cuda(int reads, uint64_t address, void *host, size_t bytes) {
  void *context = NULL;
  assert_int_equal(cuda.push((void *)(uintptr_t)CUDA_DEVICE), 0);
  assert_int_equal(reads ? cuda.read(host, address, bytes) : cuda.write(address, host, bytes), 0);
  assert_int_equal(cuda.pop(&context), 0);
}

static uint64_t address_of(netcl_tensor *tensor) {
  netcl_buffer *buffer = NULL;
  uint64_t address = 0;
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_get_cuda_address(buffer, &address));
  netcl_buffer_release(buffer);
  return address;
}

/* No program that this one starts gets a descriptor, CUDA's driver's own among them. */
static void check_close_on_exec(void) {
  for (int fd = 3; fd < 256; ++fd) {
    char path[64], target[64] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (readlink(path, target, sizeof target - 1) < 0) continue;
    if (strstr(target, "fake-cuda") == NULL) continue;
    CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "descriptor %d is inherited", fd);
  }
}

static float values[COUNT];
static void fresh_values(void) {
  for (int i = 0; i < COUNT; ++i) values[i] = (float)random_in(-1000, 1000);
}

/* What one writes the other reads, in every part of one piece of memory. */
static void one_memory(void **state) {
  Fixture *fixture = *state;
  netcl_tensor *tensors[5];
  float got[COUNT];
  int differ = 0;
  const int before = cuda.live(0), files = open_descriptors(NULL);
  for (int t = 0; t < 5; ++t) {
    fresh_values();
    tensors[t] = shared_tensor(fixture->device, NULL, values, COUNT);
    in_cuda(1, address_of(tensors[t]), got, sizeof got);
    assert_memory_equal(got, values, sizeof got);
  }
  assert_int_equal(cuda.live(0), before + 2);  /* one address range, mapped */
  check_close_on_exec();
  for (int t = 0; t < 5; ++t) {
    for (int i = 0; i < COUNT; ++i) values[i] = (float)(t * COUNT + i);
    in_cuda(0, address_of(tensors[t]), values, sizeof values);
    for (int other = 0; other < 5; ++other) {
      float *seen = read_tensor(tensors[other]);
      differ += memcmp(seen, values, sizeof values) != 0;
      free(seen);
    }
  }
  assert_int_equal(differ, 5 * 4);
  const uint64_t begin = address_of(tensors[0]);
  for (int t = 0; t < 5; ++t) {
    const netcl_shared_memory memory = export_of(tensors[t]);
    assert_int_equal(memory.kind, NETCL_SHARE_CUDA);
    assert_int_equal(memory.total_bytes, SLAB);
    assert_int_equal(memory.bytes, sizeof values);
    assert_int_equal(memory.offset_bytes % 512, 0);
    assert_int_equal(memory.offset_bytes, address_of(tensors[t]) - begin);
    assert_int_equal(memory.device_uuid[0], UUID_BYTE);
    assert_int_equal(fcntl(memory.descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    close(memory.descriptor);
    netcl_tensor_release(tensors[t]);
  }
  /* All were exported, so that none is kept. */
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(cuda.live(0), before);
  assert_int_equal(open_descriptors(NULL), files);
}

static uint64_t hits_of(netcl_pool *pool) {
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  OK(netcl_pool_get_info(pool, &info));
  return info.hits;
}

/* Parts of a slab are given once; what is larger than one has its own. */
static void places(void **state) {
  Fixture *fixture = *state;
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  netcl_pool *pool = NULL;
  const int before = cuda.live(0), files = open_descriptors(NULL);
  options.share = 1;
  options.kind = NETCL_POOL_POWER_OF_TWO;
  OK(netcl_pool_create(fixture->device, &options, &pool));
  netcl_tensor *first = shared_tensor(fixture->device, pool, values, 3);
  netcl_tensor *second = shared_tensor(fixture->device, pool, values, COUNT);
  const uint64_t at = address_of(first);
  assert_int_equal(address_of(second) - at, 512);
  /* What others were told of is leased to nobody again, what was kept is. */
  netcl_tensor_release(first);
  first = shared_tensor(fixture->device, pool, values, 3);
  assert_int_equal(hits_of(pool), 0);
  close(export_of(first).descriptor);
  netcl_tensor_release(first);
  netcl_tensor_release(shared_tensor(fixture->device, pool, values, 3));
  assert_int_equal(hits_of(pool), 0);
  first = shared_tensor(fixture->device, pool, values, 3);
  assert_int_equal(hits_of(pool), 1);
  assert_true(address_of(first) > address_of(second));
  /* 80 MiB, and after it what still fits into the slab in front. */
  netcl_tensor_options wanted = NETCL_TENSOR_OPTIONS_INIT;
  const int64_t large = 20 << 20;
  netcl_tensor *whole = NULL;
  wanted.share = 1;
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, &large, NULL, &wanted, &whole));
  const netcl_shared_memory memory = export_of(whole);
  assert_int_equal(memory.offset_bytes, 0);
  assert_true(memory.total_bytes > SLAB && memory.total_bytes % GRANULARITY == 0);
  close(memory.descriptor);
  netcl_tensor *third = shared_tensor(fixture->device, pool, values, 3);
  assert_true(address_of(third) > address_of(first) && address_of(third) < at + SLAB);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_tensor_release(third);
  netcl_tensor_release(whole);
  netcl_pool_release(pool);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(cuda.live(0), before);
  assert_int_equal(open_descriptors(NULL), files);
}

/* As another process opens it, after the exporter has let go. */
static void imports(void **state) {
  Fixture *fixture = *state;
  float got[COUNT];
  const int before = cuda.live(0), files = open_descriptors(NULL);
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  netcl_shared_memory memory = export_of(tensor);
  netcl_tensor_release(tensor);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  static const struct {
    uint64_t offset, bytes, total;
    const char *text;
  } kWrong[] = {{0, 0, SLAB, "memory->bytes is 0"},
                {0, SLAB + 1, SLAB, "memory->bytes is 67108865"},
                {512, UINT64_MAX, SLAB, "memory->bytes is 18446744073709551615"},
                {UINT64_MAX - 511, 1024, SLAB, "memory->bytes is 1024"},
                {256, 512, SLAB, "memory->offset_bytes is 256"},
                {0, 512, SLAB / 2, "memory->total_bytes 33554432, which CUDA refuses"},
                {0, 512, 2 * SLAB, "cuMemMap"}};
  netcl_buffer *buffer = NULL;
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    netcl_shared_memory wrong = memory;
    wrong.offset_bytes = kWrong[i].offset;
    wrong.bytes = kWrong[i].bytes;
    wrong.total_bytes = kWrong[i].total;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kWrong[i].text,
               netcl_buffer_import(fixture->device, &wrong, &buffer));
  }
  netcl_shared_memory other = memory;
  other.device_uuid[7] = 1;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "memory->device_uuid",
             netcl_buffer_import(fixture->device, &other, &buffer));
  other = memory;
  other.total_bytes = (uint64_t)511 << 20;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "memory->total_bytes is 535822336",
             netcl_buffer_import(fixture->device, &other, &buffer));
  other = memory;
  other.descriptor = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "memory->descriptor is -1",
             netcl_buffer_import(fixture->device, &other, &buffer));
  other = of_file(memory_file(SLAB, F_SEAL_SHRINK), 0, 512, SLAB);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "memory->kind is 1",
             netcl_buffer_import(fixture->device, &other, &buffer));
  other.kind = NETCL_SHARE_CUDA;
  memset(other.device_uuid, UUID_BYTE, 16);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "cuMemImportFromShareableHandle",
             netcl_buffer_import(fixture->device, &other, &buffer));
  close(other.descriptor);
  assert_null(buffer);
  assert_int_equal(open_descriptors(NULL), files + 1);

  netcl_tensor *again = import_of(fixture->device, &memory);
  CHECK_TENSOR(again, values);
  in_cuda(1, address_of(again), got, sizeof got);
  assert_memory_equal(got, values, sizeof got);
  memory = export_of(again);
  assert_int_equal(memory.bytes, sizeof values);
  assert_int_equal(memory.total_bytes, SLAB);
  close(memory.descriptor);
  netcl_tensor_release(again);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(cuda.live(0), before);
  assert_int_equal(open_descriptors(NULL), files);
}

/* ---- DLPack, as its ABI has it -------------------------------------------------------------- */

struct DLManagedTensor {
  struct {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
  } tensor;
  void *manager;
  void (*deleter)(struct DLManagedTensor *self);
};
enum { ON_CUDA = 2, CODE_FLOAT = 2 };

static int deleted;
static void count_deletion(struct DLManagedTensor *self) {
  (void)self;
  ++deleted;
}

static void dlpack(void **state) {
  Fixture *fixture = *state;
  int64_t shape[] = {2, 300};
  struct DLManagedTensor *given = NULL, theirs;
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT), *part = NULL;
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  OK(netcl_tensor_to_dlpack(tensor, LONG_WAIT, &given));
  const uint64_t address = (uint64_t)(uintptr_t)given->tensor.data;
  assert_int_equal(given->tensor.device_type, ON_CUDA);
  assert_int_equal(given->tensor.device_id, CUDA_DEVICE);
  assert_int_equal(address, address_of(tensor));
  /* What another library has cut out of it. */
  memset(&theirs, 0, sizeof theirs);
  theirs.tensor.data = (void *)(uintptr_t)(address + 400);
  theirs.tensor.device_type = ON_CUDA;
  theirs.tensor.device_id = CUDA_DEVICE;
  theirs.tensor.ndim = 2;
  theirs.tensor.code = CODE_FLOAT;
  theirs.tensor.bits = 32;
  theirs.tensor.lanes = 1;
  theirs.tensor.shape = shape;
  theirs.tensor.byte_offset = 40;
  theirs.deleter = count_deletion;
  deleted = 0;
  OK(netcl_tensor_create_from_dlpack(fixture->device, &theirs, NULL, &part));
  CHECK_TENSOR(part, values + 110);
  OK(netcl_tensor_get_info(part, &info));
  assert_int_equal(info.offset, 110);
  const float zero = 0;
  OK(netcl_op_fill(part, &zero, NULL));  /* ordered with what reads the other tensor */
  float *seen = read_tensor(tensor);
  assert_true(seen[109] == values[109] && seen[110] == 0 && seen[709] == 0 &&
              seen[710] == values[710]);
  free(seen);
  assert_int_equal(deleted, 0);
  netcl_tensor_release(part);
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  assert_int_equal(deleted, 1);

  part = NULL;
#define REFUSED(status, text, change)                                                           \
  {                                                                                             \
    struct DLManagedTensor wrong = theirs;                                                      \
    change;                                                                                     \
    FAILS_WITH(status, text,                                                                    \
               netcl_tensor_create_from_dlpack(fixture->device, &wrong, &options, &part));      \
  }
  REFUSED(NETCL_ERROR_UNSUPPORTED, "kDLCUDA device 1, which",
          wrong.tensor.data = (void *)(uintptr_t)(address - 4));
  REFUSED(NETCL_ERROR_UNSUPPORTED, "kDLCUDA device 1, which",
          wrong.tensor.data = (void *)(uintptr_t)(address + 16384));
  REFUSED(NETCL_ERROR_UNSUPPORTED, "kDLCUDA device 0", wrong.tensor.device_id = 0);
  REFUSED(NETCL_ERROR_INVALID_ARGUMENT, "aligned",
          wrong.tensor.data = (void *)(uintptr_t)(address + 2));
  REFUSED(NETCL_ERROR_INVALID_ARGUMENT, "", wrong.tensor.byte_offset = 16384);
  REFUSED(NETCL_ERROR_INVALID_ARGUMENT, "", wrong.tensor.byte_offset = INT64_MAX - 1203);
  REFUSED(NETCL_ERROR_INVALID_ARGUMENT, "managed->dl_tensor.data", wrong.tensor.data = NULL);
  options.share = 1;
  REFUSED(NETCL_ERROR_INVALID_ARGUMENT, "options->share", );
  assert_null(part);
  assert_int_equal(deleted, 1);
  /* The export keeps the memory. */
  netcl_tensor_release(tensor);
  float got[COUNT];
  in_cuda(1, address, got, sizeof got);
  assert_true(got[0] == values[0] && got[110] == 0);
  given->deleter(given);
}

/* A part of a piece is lent and wrapped as itself: commands on both are ordered. */
static void wrapped(void **state) {
  Fixture *fixture = *state;
  const int64_t count = COUNT;
  netcl_tensor *tensors[2], *wraps[2] = {NULL, NULL};
  struct _cl_mem *mem[2] = {NULL, NULL};
  for (int t = 0; t < 2; ++t) {
    netcl_buffer *buffer = NULL;
    tensors[t] = shared_tensor(fixture->device, NULL, values, COUNT);
    OK(netcl_tensor_get_buffer(tensors[t], &buffer));
    OK(netcl_buffer_get_cl_mem(buffer, &mem[t]));
    netcl_buffer_release(buffer);
  }
  for (int t = 0; t < 2; ++t) {
    OK(netcl_tensor_create_from_cl(fixture->device, mem[t], 0, NETCL_F32, 1, &count, NULL, NULL,
                                   &wraps[t]));
  }
  /* One memory may not be read and written by this op, two may. */
  const netcl_run_options same = run_into(wraps[0]);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shares its memory",
             netcl_op_softmax(tensors[0], 0, &same, NULL));
  const netcl_run_options other = run_into(wraps[1]);
  /* It goes on to the kernel, which the stand-in does not know. */
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_op_softmax(tensors[0], 0, &other, NULL));
  for (int t = 0; t < 2; ++t) {
    netcl_tensor_release(tensors[t]);
    netcl_tensor_release(wraps[t]);
  }
}

/* Each call of both drivers that takes part fails once; nothing stays. */
static void failures(void **state) {
  static const char *const kFails[] = {
      "CUDA cuCtxPushCurrent_v2 1 3",  "CUDA cuMemAddressReserve 1 2",
      "CUDA cuMemMap 1 1",             "CUDA cuMemSetAccess 1 1",
      "CUDA cuMemCreate 1 1",          "CUDA cuMemExportToShareableHandle 1 1",
      "CL clCreateBufferWithProperties 1 -6", "CL clCreateSubBuffer 1 -6"};
  Fixture *fixture = *state;
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  options.share = 1;
  const int64_t count = COUNT;
  const int before = cuda.live(0), files = open_descriptors(NULL);
  for (size_t i = 0; i < COUNT_OF(kFails); ++i) {
    const int in_cl = strncmp(kFails[i], "CL ", 3) == 0;
    netcl_pool *pool = NULL;
    netcl_tensor *tensor = NULL;
    netcl_tensor_options wanted = NETCL_TENSOR_OPTIONS_INIT;
    OK(netcl_pool_create(fixture->device, &options, &pool));
    wanted.share = 1;
    wanted.pool = pool;
    setenv(in_cl ? "NETCL_FAKE_CL_FAIL" : "NETCL_FAKE_CUDA_FAIL", kFails[i] + (in_cl ? 3 : 5), 1);
    const netcl_status status =
        netcl_tensor_create(fixture->device, NETCL_F32, 1, &count, NULL, &wanted, &tensor);
    unsetenv("NETCL_FAKE_CL_FAIL");
    unsetenv("NETCL_FAKE_CUDA_FAIL");
    /* A shortage is met by trying again. */
    CHECK((status == NETCL_OK) == (tensor != NULL), "%s: %d", kFails[i], status);
    if (status != NETCL_OK) CHECK(netcl_last_error_message()[0] != '\0', "%s", kFails[i]);
    netcl_tensor_release(tensor);
    netcl_pool_release(pool);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    CHECK(cuda.live(0) == before, "%s leaves %d", kFails[i], cuda.live(0) - before);
    CHECK(open_descriptors(NULL) == files, "%s leaves descriptors", kFails[i]);
  }
  /* Without room for a slab there may be some for the tensor. */
  netcl_pool *pool = NULL;
  OK(netcl_pool_create(fixture->device, &options, &pool));
  setenv("NETCL_FAKE_CUDA_FAIL", "cuMemCreate 1 2", 1);
  netcl_tensor *tensor = shared_tensor(fixture->device, pool, values, COUNT);
  unsetenv("NETCL_FAKE_CUDA_FAIL");
  const netcl_shared_memory memory = export_of(tensor);
  assert_int_equal(memory.total_bytes, GRANULARITY);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
  netcl_pool_release(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(one_memory), DEVICE_TEST(places),
                                     DEVICE_TEST(imports),    DEVICE_TEST(failures),
                                     DEVICE_TEST(dlpack),     DEVICE_TEST(wrapped)};
  fake_script("share");
  seed_random("sharing_fake");
  find_cuda();
  fresh_values();
  return cmocka_run_group_tests_name("sharing_fake", tests, NULL, NULL);
}
