/* What is refused of what somebody sends: each by its name and value. */
#include "support_sharing.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
enum { BYTES = 8192 };

static Fixture *fixture;

/* The import is refused with both texts in the message, takes no descriptor and closes none. */
static void refused(netcl_status status, const netcl_shared_memory *memory, const char *what,
                    const char *value) {
  const int before = open_descriptors(NULL);
  netcl_buffer *buffer = NULL;
  FAILS_WITH(status, what, netcl_buffer_import(fixture->device, memory, &buffer));
  check_message(value, "netcl_buffer_import", __FILE__, __LINE__);
  assert_null(buffer);
  assert_int_equal(open_descriptors(NULL), before);
}

/* The same of a descriptor, which is closed. */
static void refused_file(int descriptor, const char *why) {
  char named[64];
  const netcl_shared_memory memory = of_file(descriptor, 0, BYTES, BYTES);
  snprintf(named, sizeof named, "memory->descriptor is %d, which", descriptor);
  refused(NETCL_ERROR_INVALID_ARGUMENT, &memory, named, why);
  if (descriptor >= 0) close(descriptor);
}

static void no_files(void **state) {
  char disk[] = "/tmp/netcl-sharing-XXXXXX", memory[] = "/dev/shm/netcl-sharing-XXXXXX";
  int pair[2];
  fixture = *state;
  require_files(fixture);
  refused_file(-1, "is none");
  const int closed = memory_file(BYTES, F_SEAL_SHRINK);
  close(closed);
  const netcl_shared_memory gone = of_file(closed, 0, BYTES, BYTES);
  refused(NETCL_ERROR_INVALID_ARGUMENT, &gone, "memory->descriptor", "is none");
  assert_int_equal(pipe(pair), 0);
  refused_file(pair[0], "is no memory file");
  refused_file(pair[1], "is no memory file");
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  refused_file(pair[0], "is no memory file");
  close(pair[1]);
  refused_file(open("/dev/null", O_RDWR), "is no memory file");
  refused_file(open("/dev/zero", O_RDWR), "is no memory file");
  refused_file(open("/", O_RDONLY | O_DIRECTORY), "is no memory file");
  const int file = mkstemp(disk), named = mkstemp(memory);
  assert_int_equal(ftruncate(file, BYTES), 0);
  refused_file(file, ", which ");
  unlink(disk);
  if (named < 0) return;
  assert_int_equal(ftruncate(named, BYTES), 0);
  refused_file(named, "has no F_SEAL_SHRINK");
  unlink(memory);
}

static void other_seals(void **state) {
  char path[64];
  fixture = *state;
  require_files(fixture);
  const int plain = memfd_create("test", MFD_CLOEXEC);
  assert_int_equal(ftruncate(plain, BYTES), 0);
  refused_file(plain, "has no F_SEAL_SHRINK");
  refused_file(memory_file(BYTES, 0), "has no F_SEAL_SHRINK");
  refused_file(memory_file(BYTES, F_SEAL_GROW), "has no F_SEAL_SHRINK");
  refused_file(memory_file(BYTES, F_SEAL_SHRINK | F_SEAL_WRITE), "is sealed against writing");
  refused_file(memory_file(BYTES, F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE),
               "is sealed against writing");
  const int good = memory_file(BYTES, F_SEAL_SHRINK);
  snprintf(path, sizeof path, "/proc/self/fd/%d", good);
  refused_file(open(path, O_RDONLY), "is not open for reading and writing");
  refused_file(open(path, O_WRONLY), "is not open for reading and writing");
  refused_file(open(path, O_PATH), "is no");
  const int huge = memfd_create("huge", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB);
  if (huge >= 0 && fcntl(huge, F_ADD_SEALS, F_SEAL_SHRINK) == 0) {
    refused_file(huge, "is no memory file");
  }
  /* Refusing leaves it as it was. */
  const netcl_shared_memory memory = of_file(good, 0, BYTES, BYTES);
  netcl_buffer *buffer = NULL;
  OK(netcl_buffer_import(fixture->device, &memory, &buffer));
  netcl_buffer_release(buffer);
  close(good);
}

static void places(void **state) {
  static const struct {
    uint64_t offset, bytes, total;
    const char *what, *value;
  } kWrong[] = {
      {0, BYTES, BYTES + 1, "memory->total_bytes is 8193", "has 8192 bytes"},
      {0, BYTES, BYTES - 1, "memory->total_bytes is 8191", "has 8192 bytes"},
      {0, BYTES, 0, "memory->total_bytes is 0", "has 8192 bytes"},
      {0, UINT64_MAX, UINT64_MAX, "memory->total_bytes is 18446744073709551615", "has 8192 bytes"},
      {0, 0, BYTES, "memory->bytes is 0", ""},
      {0, BYTES + 1, BYTES, "memory->bytes is 8193", "memory->offset_bytes 0"},
      {0, UINT64_MAX, BYTES, "memory->bytes is 18446744073709551615", "memory->offset_bytes 0"},
      {4096, 4097, BYTES, "memory->bytes is 4097", "memory->offset_bytes 4096"},
      {BYTES, 64, BYTES, "memory->bytes is 64", "memory->offset_bytes 8192"},
      {BYTES + 64, 64, BYTES, "memory->bytes is 64", "memory->offset_bytes 8256"},
      /* Sums that wrap around to a place inside. */
      {UINT64_MAX - 63, 128, BYTES, "memory->bytes is 128", "offset_bytes 18446744073709551552"},
      {UINT64_MAX - 63, UINT64_MAX, BYTES, "memory->bytes is 18446744073709551615", ""},
      {(uint64_t)1 << 63, 64, BYTES, "memory->bytes is 64", "offset_bytes 9223372036854775808"},
      {1, 64, BYTES, "memory->offset_bytes is 1", "multiple of 64"},
      {32, 64, BYTES, "memory->offset_bytes is 32", "multiple of 64"},
  };
  fixture = *state;
  require_files(fixture);
  const int descriptor = memory_file(BYTES, F_SEAL_SHRINK);
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    const netcl_shared_memory memory =
        of_file(descriptor, kWrong[i].offset, kWrong[i].bytes, kWrong[i].total);
    refused(NETCL_ERROR_INVALID_ARGUMENT, &memory, kWrong[i].what, kWrong[i].value);
  }
  netcl_shared_memory memory = of_file(descriptor, 0, BYTES, BYTES);
  static const netcl_share_kind kKinds[] = {0, 3, -1, INT32_MAX};
  for (size_t i = 0; i < COUNT_OF(kKinds); ++i) {
    char text[64];
    snprintf(text, sizeof text, "memory->kind is %d", kKinds[i]);
    memory.kind = kKinds[i];
    refused(NETCL_ERROR_INVALID_ARGUMENT, &memory, text, "netcl_share_kind");
  }
  memory.kind = NETCL_SHARE_CUDA;
  refused(NETCL_ERROR_UNSUPPORTED, &memory, "memory->kind is 2", "opens 1");
  refused(NETCL_ERROR_INVALID_ARGUMENT, NULL, "memory is NULL", "");
  memory.kind = NETCL_SHARE_FILE;
  memory.struct_size = 16;
  refused(NETCL_ERROR_INVALID_ARGUMENT, &memory, "memory->struct_size is 16", "");
  memory.struct_size = sizeof memory;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "buffer is NULL",
             netcl_buffer_import(fixture->device, &memory, NULL));
  close(descriptor);
}

/* An empty file, and one of which more is said than is there. */
static void sizes(void **state) {
  fixture = *state;
  require_files(fixture);
  const int empty = memory_file(0, F_SEAL_SHRINK);
  netcl_shared_memory memory = of_file(empty, 0, 64, 0);
  refused(NETCL_ERROR_INVALID_ARGUMENT, &memory, "memory->bytes is 64", "has 0 bytes");
  close(empty);
  /* What grows after it was sent. */
  const int grown = memory_file(BYTES, F_SEAL_SHRINK);
  assert_int_equal(ftruncate(grown, 2 * BYTES), 0);
  memory = of_file(grown, 0, BYTES, BYTES);
  refused(NETCL_ERROR_INVALID_ARGUMENT, &memory, "memory->total_bytes is 8192", "has 16384 bytes");
  close(grown);
}

/* Nobody takes away what was exported. */
static void exports_keep_their_size(void **state) {
  const float values[16] = {1};
  fixture = *state;
  require_files(fixture);
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, 16);
  const netcl_shared_memory memory = export_of(tensor);
  assert_int_not_equal(ftruncate(memory.descriptor, 0), 0);
  assert_int_not_equal(ftruncate(memory.descriptor, (off_t)memory.total_bytes + 4096), 0);
  assert_int_not_equal(fcntl(memory.descriptor, F_ADD_SEALS, F_SEAL_WRITE), 0);
  CHECK_TENSOR(tensor, values);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
}

/* Without a further descriptor. */
static void no_descriptor(void **state) {
  const float values[64] = {1};
  const int64_t count = 1 << 20;
  struct rlimit limit, none;
  netcl_shared_memory memory = NETCL_SHARED_MEMORY_INIT, second = NETCL_SHARED_MEMORY_INIT;
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_buffer *buffer = NULL, *opened = NULL;
  netcl_tensor *more = NULL;
  fixture = *state;
  require_files(fixture);
  options.share = 1;
  netcl_tensor *tensor = shared_tensor(fixture->device, NULL, values, 64);
  OK(netcl_tensor_get_buffer(tensor, &buffer));
  OK(netcl_buffer_export(buffer, &memory));
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
  none = limit;
  none.rlim_cur = 3;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  FAILS_WITH(NETCL_ERROR_IO, "descriptor", netcl_buffer_export(buffer, &second));
  FAILS_WITH(NETCL_ERROR_IO, "memory->descriptor",
             netcl_buffer_import(fixture->device, &memory, &opened));
  FAILS_WITH(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "memfd_create",
             netcl_tensor_create(fixture->device, NETCL_F32, 1, &count, NULL, &options, &more));
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
  assert_int_equal(second.kind, 0);
  assert_null(opened);
  assert_null(more);
  OK(netcl_buffer_import(fixture->device, &memory, &opened));
  netcl_buffer_release(opened);
  netcl_buffer_release(buffer);
  close(memory.descriptor);
  netcl_tensor_release(tensor);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(no_files), DEVICE_TEST(other_seals),
      DEVICE_TEST(places),   DEVICE_TEST(sizes),
      DEVICE_TEST(exports_keep_their_size), DEVICE_TEST(no_descriptor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
