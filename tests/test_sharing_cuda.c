/* Memory that kernels of OpenCL and CUDA work on, on a GPU of NVIDIA: nothing is copied between
 * them. Elsewhere it says why not. */
#include "support_process.h"
#include "support_sharing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COUNT = 1 << 20 };

/* What of CUDA's driver the test needs. */
static struct {
  int (*retain)(void **, int);
  int (*release)(int);
  int (*push)(void *);
  int (*pop)(void **);
  int (*finish)(void);
  int (*read)(void *, uint64_t, size_t);
  int (*write)(uint64_t, const void *, size_t);
  int (*fill)(uint64_t, unsigned, size_t);
  int (*device_of)(int *, int, uint64_t);
} cuda;

static int find_cuda(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == NULL) return 0;
#define FIND(member, name) *(void **)&cuda.member = dlsym(library, name)
  FIND(retain, "cuDevicePrimaryCtxRetain");
  FIND(release, "cuDevicePrimaryCtxRelease_v2");
  FIND(push, "cuCtxPushCurrent_v2");
  FIND(pop, "cuCtxPopCurrent_v2");
  FIND(finish, "cuCtxSynchronize");
  FIND(read, "cuMemcpyDtoH_v2");
  FIND(write, "cuMemcpyHtoD_v2");
  FIND(fill, "cuMemsetD32_v2");
  FIND(device_of, "cuPointerGetAttribute");
  return cuda.retain && cuda.release && cuda.push && cuda.pop && cuda.finish && cuda.read &&
         cuda.write && cuda.fill && cuda.device_of;
}

static uint64_t address_of(netcl_tensor *tensor) {
  netcl_buffer *buffer = NULL;
  uint64_t address = 0;
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_get_cuda_address(buffer, &address));
  netcl_buffer_release(buffer);
  return address;
}

enum { ORDINAL = 9 };  /* CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL */

/* Makes CUDA's context of the GPU in which an address lies the thread's. */
static int enter(uint64_t address) {
  int number = -1;
  void *context = NULL;
  assert_int_equal(cuda.device_of(&number, ORDINAL, address), 0);
  assert_int_equal(cuda.retain(&context, number), 0);
  assert_int_equal(cuda.push(context), 0);
  return number;
}
static void leave(int number) {
  void *context = NULL;
  assert_int_equal(cuda.pop(&context), 0);
  assert_int_equal(cuda.release(number), 0);
}

/* Opens the way, or ends the test with the reason why there is none. */
static void require_cuda(Fixture *fixture) {
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  netcl_pool *pool = NULL;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  options.share = 1;
  const netcl_status status = netcl_pool_create(fixture->device, &options, &pool);
  if (status == NETCL_ERROR_UNSUPPORTED) {
    CHECK(strstr(fixture->info.vendor, "NVIDIA") == NULL || !find_cuda(), "%s",
          netcl_last_error_message());
    SKIP(netcl_last_error_message());
  }
  OK(status);
  const float one = 1;
  netcl_tensor *tensor = shared_tensor(fixture->device, pool, &one, 1);
  memory = export_of(tensor);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
  netcl_pool_release(pool);
  if (memory.kind != NETCL_SHARE_CUDA) SKIP("the device's memory is the host's");
  CHECK(find_cuda(), "%s", dlerror());
}

static float *make_values(void) {
  float *values = malloc(COUNT * sizeof *values);
  for (int i = 0; i < COUNT; ++i) values[i] = (float)random_in(-100000, 100000);
  return values;
}

static void into(netcl_tensor *tensor, const char *formula) {
  const netcl_run_options run = run_into(tensor);
  OK(netcl_op_expression_text(formula, &tensor, 1, NULL, &run, NULL));
}

/* Kernels of OpenCL write, CUDA reads, and the other way, many times. */
static void both_ways(void **state) {
  Fixture *fixture = *state;
  require_cuda(fixture);
  float *values = make_values(), *got = malloc(COUNT * sizeof *got);
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  const uint64_t address = address_of(tensor);
  const int gpu = enter(address);
  for (int round = 0; round < 20; ++round) {
    into(tensor, "v0 * 2 + 1");
    OK(netcl_tensor_wait(tensor, LONG_WAIT));
    assert_int_equal(cuda.read(got, address, COUNT * sizeof *got), 0);
    for (int i = 0; i < COUNT; ++i) {
      CHECK(got[i] == values[i] * 2 + 1, "round %d: CUDA reads %g at %d, not %g", round, got[i], i,
            values[i] * 2 + 1);
      values[i] = (float)(i % 1000 + round);
    }
    assert_int_equal(cuda.write(address, values, COUNT * sizeof *values), 0);
    assert_int_equal(cuda.finish(), 0);
    into(tensor, "v0 + 5");
    for (int i = 0; i < COUNT; ++i) values[i] += 5;
    CHECK_TENSOR(tensor, values);
  }
  /* What CUDA's compute engine writes. */
  float seven = 7;
  unsigned bits;
  memcpy(&bits, &seven, sizeof bits);
  assert_int_equal(cuda.fill(address, bits, COUNT), 0);
  assert_int_equal(cuda.finish(), 0);
  for (int i = 0; i < COUNT; ++i) values[i] = 7;
  CHECK_TENSOR(tensor, values);
  leave(gpu);
  netcl_tensor_release(tensor);
  free(values);
  free(got);
}

/* Parts of one piece do not touch each other: kernels on all of them at once, views with offsets
 * among them, and releases while commands run. */
static void parts(void **state) {
  enum { TENSORS = 40, SMALL = 3001 };
  Fixture *fixture = *state;
  require_cuda(fixture);
  netcl_tensor *tensors[TENSORS], *views[TENSORS];
  float values[SMALL], got[SMALL];
  const netcl_range range = {1000, 2000, 1};
  for (int round = 0; round < 10; ++round) {
    for (int t = 0; t < TENSORS; ++t) {
      for (int i = 0; i < SMALL; ++i) values[i] = (float)(t * SMALL + i);
      tensors[t] = shared_tensor(fixture->device, NULL, values, SMALL);
      OK(netcl_tensor_slice(tensors[t], &range, 1, &views[t]));
    }
    for (int t = 0; t < TENSORS; ++t) into(views[t], "0 - v0");
    for (int t = 0; t < TENSORS; ++t) into(tensors[t], "v0 + 1");
    const int gpu = enter(address_of(tensors[0]));
    for (int t = 0; t < TENSORS; ++t) {
      OK(netcl_tensor_wait(tensors[t], LONG_WAIT));
      assert_int_equal(cuda.read(got, address_of(tensors[t]), sizeof got), 0);
      for (int i = 0; i < SMALL; ++i) {
        const float was = (float)(t * SMALL + i), wanted = (i < 1000 || i >= 3000 ? was : -was) + 1;
        CHECK(got[i] == wanted, "tensor %d: %g at %d, not %g", t, got[i], i, wanted);
      }
      into(views[t], "v0 * 3");  /* runs while both are released */
      netcl_tensor_release(tensors[t]);
      netcl_tensor_release(views[t]);
    }
    leave(gpu);
  }
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
}

/* Slabs come and go; whether each driver gives its descriptors back. */
static void nothing_stays(void **state) {
  Fixture *fixture = *state;
  require_cuda(fixture);
  netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
  const float value = 3;
  options.share = 1;
  int before = 0;
  for (int round = 0; round < 40; ++round) {
    netcl_pool *pool = NULL;
    OK(netcl_pool_create(fixture->device, &options, &pool));
    netcl_tensor *tensor = shared_tensor(fixture->device, pool, &value, 1);
    const netcl_shared_memory memory = export_of(tensor);
    netcl_tensor *again = import_of(fixture->device, &memory);
    CHECK_TENSOR(again, &value);
    into(again, "v0 + 1");
    OK(netcl_tensor_wait(again, LONG_WAIT));
    const float four = 4;
    CHECK_TENSOR(tensor, &four);
    netcl_tensor_release(again);
    netcl_tensor_release(tensor);
    netcl_pool_release(pool);
    OK(netcl_device_finish(fixture->device, LONG_WAIT));
    if (round == 4) before = open_descriptors(NULL);
  }
  CHECK(open_descriptors(NULL) <= before + 2, "%d descriptors after 35 rounds, %d before",
        open_descriptors(NULL), before);
}

/* Another process opens it, and writes by a kernel of its own. */
static int run_importer(void) {
  const int64_t count = COUNT;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT;
  netcl_device *device = NULL;
  netcl_buffer *buffer = NULL;
  netcl_tensor *tensor = NULL;
  CHILD_CHECK(receive_memory(atoi(getenv("NETCL_TEST_SOCKET")), &memory) == 0);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_buffer_import(device, &memory, &buffer));
  close(memory.descriptor);
  CHILD_OK(netcl_tensor_create_from_buffer(buffer, 0, NETCL_F32, 1, &count, NULL, &tensor));
  const netcl_run_options run = run_into(tensor);
  CHILD_OK(netcl_op_expression_text("v0 * 2", &tensor, 1, NULL, &run, NULL));
  CHILD_OK(netcl_tensor_wait(tensor, LONG_WAIT));
  return 0;
}

static void another_process(void **state) {
  static process_result result;
  Fixture *fixture = *state;
  char text[64];
  const char *const environment[] = {text, NULL};
  int pair[2];
  require_cuda(fixture);
  float *values = make_values();
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, COUNT);
  const netcl_shared_memory memory = export_of(tensor);
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  snprintf(text, sizeof text, "NETCL_TEST_SOCKET=%d", pair[1]);
  const process_ticket ticket = process_start_self("importer", environment);
  close(pair[1]);
  assert_int_equal(send_memory(pair[0], &memory), 0);
  process_finish(ticket, 120, &result);
  process_expect_exit(&result, 0);
  for (int i = 0; i < COUNT; ++i) values[i] *= 2;
  CHECK_TENSOR(tensor, values);
  close(pair[0]);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
  free(values);
}

int main(int argc, char **argv) {
  static const process_mode kModes[] = {{"importer", run_importer}};
  const int code = process_child_main(argc, argv, kModes, 1);
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {DEVICE_TEST(both_ways), DEVICE_TEST(parts),
                                     DEVICE_TEST(nothing_stays), DEVICE_TEST(another_process)};
  seed_random("sharing_cuda");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
