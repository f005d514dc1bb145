/* Ranks with GPUs in processes of their own, of which one is killed while it works
 * with another, by NCCL where NETCL_TEST_TRANSPORT says so. */
#include "support_gpus.h"
#include "support_group.h"
#include "support_process.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* A rank of its own process: sums until that fails; 0 when it failed by the death of another. */
static int run_worker(int argc, char** argv) {
  netcl_device* device = NULL;
  netcl_group* group = NULL;
  netcl_group_options options = NETCL_GROUP_OPTIONS_INIT;
  const int64_t count = 30000000;
  const float zero = 0;
  netcl_tensor* tensor = NULL;
  (void)argc;
  options.timeout_ns = 60 * SECOND;
  options.transport = group_transport();
  if (netcl_device_open(argv[3], NULL, &device) != NETCL_OK) return 2;
  if (netcl_group_join(device, argv[2], (uint32_t)atoi(argv[4]), 2, &options, &group) != NETCL_OK) {
    fprintf(stderr, "%s\n", netcl_last_error_message());
    return 3;
  }
  if (netcl_tensor_create_full(device, NETCL_F32, 1, &count, NULL, &zero, NULL, &tensor) !=
      NETCL_OK) {
    return 4;
  }
  netcl_status status = NETCL_OK;
  while (status == NETCL_OK) {
    status = netcl_group_all_reduce(group, tensor, tensor, NETCL_REDUCTION_SUM, NULL);
  }
  fprintf(stderr, "%s\n", netcl_last_error_message());
  netcl_tensor_release(tensor);
  netcl_group_release(group);
  netcl_device_release(device);
  return status == NETCL_ERROR_RANK_LOST ? 0 : 5;
}

static pid_t start_worker(const char* path, uint32_t rank) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  char selector[16], number[16], self[512] = "";
  OK(netcl_device_get_info(gpus[rank], &info));
  snprintf(selector, sizeof selector, "%u", info.index);
  snprintf(number, sizeof number, "%u", rank);
  assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  const pid_t child = fork();
  if (child == 0) {
    execl(self, self, "worker", path, selector, number, (char*)NULL);
    _exit(99);
  }
  return child;
}

static void killed(void** state) {
  (void)state;
  for (int turn = 0; turn < 3; ++turn) {
    const char* path = group_path();
    pid_t children[2];
    for (uint32_t r = 0; r < 2; ++r) children[r] = start_worker(path, r);
    process_sleep_ms(12000 + 731 * turn);
    kill(children[turn % 2], SIGKILL);
    int code = 0;
    assert_int_equal(waitpid(children[turn % 2], &code, 0), children[turn % 2]);
    CHECK(WIFSIGNALED(code), "the worker had ended: %d", WEXITSTATUS(code));
    assert_int_equal(waitpid(children[1 - turn % 2], &code, 0), children[1 - turn % 2]);
    CHECK(WIFEXITED(code) && WEXITSTATUS(code) == 0, "code %d", code);
    group_path_done();
  }
}

int main(int argc, char** argv) {
  if (argc == 5 && strcmp(argv[1], "worker") == 0) return run_worker(argc, argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(killed)};
  return cmocka_run_group_tests_name("group_gpus_killed", tests, open_gpus, close_gpus);
}
