#include "support_copies.h"

#include <sys/wait.h>
#include <unistd.h>

netcl_device* copy_devices[COPY_DEVICES];

int open_copy_devices(void** state) {
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  separate.separate = 1;
  if (setup_device(state) != 0) return 1;
  copy_devices[0] = ((Fixture*)*state)->device;
  OK(netcl_device_open("builtin", &separate, &copy_devices[1]));
  OK(netcl_device_open(test_selector(), &separate, &copy_devices[2]));
  return 0;
}

int close_copy_devices(void** state) {
  netcl_device_release(copy_devices[1]);
  netcl_device_release(copy_devices[2]);
  return teardown_device(state);
}

int runs_functions(const Fixture* fixture) {
  if (!fixture->opencl) return 1;
  if (fixture->info.type != NETCL_DEVICE_CPU || getenv("NETCL_TEST_TRANSFERS") != NULL) return 0;
  return strstr(fixture->info.platform_name, "Portable Computing Language") != NULL ? 1 : -1;
}

int64_t first_other(const int32_t* data, int64_t count) {
  if (count < 2 || memcmp(data, data + 1, (size_t)(count - 1) * sizeof *data) == 0) return count;
  int64_t at = 1;
  while (data[at] == data[0]) ++at;
  return at;
}

void run_by_transfers(const Fixture* fixture, const char* variable, const char* library) {
  int status = 0;
  if (!fixture->opencl || runs_functions(fixture) != 1) SKIP("there is one way only");
  const pid_t child = fork();
  if (child == 0) {
    setenv(variable, library, 1);
    setenv("NETCL_TEST_TRANSFERS", "1", 1);
    execl("/proc/self/exe", "test", (char*)NULL);
    _exit(127);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the run ended with status 0x%x", status);
}
