/* How many tensors of a group one launch takes, as far as the driver says what arguments it takes.
 * Clipping has kernels that this driver finds by their names. */
#include "support_fake.h"
#include "support_graph.h"

enum { TENSORS_MOST = 65 };

/* On a device of its own, of a driver that takes so many bytes; 0: it tells nothing. */
static void check_launches(int argument_bytes, int tensors, int launches) {
  Fixture own;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_tensor *list[TENSORS_MOST], *norm = NULL;
  memset(&own, 0, sizeof own);
  options.separate = 1;
  if (argument_bytes != 0) {
    fake_script("arguments %d", argument_bytes);
  } else {
    fake_script(" ");
  }
  OK(netcl_device_open("gpu", &options, &own.device));
  for (int i = 0; i < tensors; ++i) list[i] = counting_vector(&own, 3, i);
  netcl_run_options run = captured_calls(&own);
  OK(netcl_op_clip_by_norm(list, (uint32_t)tensors, 1, &run, &norm));
  OK(netcl_graph_compile(run.graph, NULL, 0, &norm, 1, NULL));
  OK(netcl_graph_get_info(run.graph, &info));
  /* The squares and the products are launches over the group, the factor is one between them. */
  const int found = ((int)info.command_count - 1) / 2;
  CHECK((int)info.command_count == 2 * launches + 1,
        "%d tensors, %d bytes of arguments: %d launches, not %d", tensors, argument_bytes, found,
        launches);
  release_tensors(list, (size_t)tensors);
  RELEASE(norm);
  netcl_graph_release(run.graph);
  netcl_device_release(own.device);
}

static void launches(void** state) {
  (void)state;
  /* 20 bytes for each: a pointer and three numbers. */
  check_launches(0, 32, 1);
  check_launches(0, 33, 2);
  check_launches(16, 32, 1);
  check_launches(4352, 64, 1);
  check_launches(4352, 65, 2);
  check_launches(32764, 64, 1);
}

int main(void) {
  seed_random("optimizer_fake");
  const struct CMUnitTest tests[] = {cmocka_unit_test(launches)};
  return cmocka_run_group_tests_name("optimizer_fake", tests, NULL, NULL);
}
