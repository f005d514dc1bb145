/* Makes and releases one object of each handle type, in this library or in another copy of it. */
#include "support_handles.h"

#include <dlfcn.h>
#include <stdio.h>

#include "support_model.h"
#include "support_process.h"
#include "support_weights.h"

#define FUNCTIONS(F)                                                                            \
  F(device_open) F(queue_create) F(queue_enqueue_marker) F(pool_create) F(pool_allocate)        \
  F(tensor_create_zeros) F(kernel_create) F(expression_create) F(measurement_create)            \
  F(timer_create) F(region_begin) F(roofline_create) F(space_create)                            \
  F(config_create_from_json) F(tuning_database_open) F(ceilings_create) F(benchmark_create)    \
  F(space_add_bool) F(search_create) F(tuner_create) F(graph_create) F(search_release)          \
  F(tuner_release) F(graph_release) F(group_join) F(group_release)                              \
  F(model_load_memory) F(model_release) F(sharded_create) F(sharded_release)                    \
  F(weights_open) F(weights_release) F(reducer_create) F(reducer_release)                       \
  F(device_release) F(queue_release) F(event_release) F(pool_release) F(buffer_release)         \
  F(tensor_release) F(kernel_release) F(expression_release) F(measurement_release)              \
  F(timer_release) F(region_release) F(roofline_release) F(space_release) F(config_release)     \
  F(tuning_database_release) F(ceilings_release) F(benchmark_release)

struct HandleMaker {
#define MEMBER(name) __typeof__(&netcl_##name) name;
  FUNCTIONS(MEMBER)
};

HandleMaker *handle_maker(void *library) {
  HandleMaker *maker = malloc(sizeof *maker);
  assert_non_null(maker);
  if (library == NULL) {
#define OWN(name) maker->name = netcl_##name;
    FUNCTIONS(OWN)
    return maker;
  }
#define FOREIGN(name)                                  \
  {                                                    \
    void *symbol = dlsym(library, "netcl_" #name);     \
    assert_non_null(symbol);                           \
    memcpy((void *)&maker->name, &symbol, sizeof symbol); \
  }
  FUNCTIONS(FOREIGN)
  return maker;
}

netcl_status join_alone(__typeof__(&netcl_group_join) join, void *device, netcl_group **group) {
  char folder[200], path[256];
  process_make_folder(folder, sizeof folder);
  snprintf(path, sizeof path, "%s/meet", folder);
  const netcl_status status = join(device, path, 0, 1, NULL, group);
  process_remove_folder(folder);
  return status;
}

void make_handles_of(const HandleMaker *maker, const Fixture *fixture, void *of[HANDLE_TYPES]) {
  static const int64_t shape[2] = {2, 2};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  memset(of, 0, HANDLE_TYPES * sizeof *of);
  OK(maker->device_open(test_selector(), NULL, (netcl_device **)&of[0]));
  OK(maker->queue_create(of[0], NULL, (netcl_queue **)&of[1]));
  OK(maker->queue_enqueue_marker(of[1], NULL, 0, (netcl_event **)&of[2]));
  OK(maker->pool_create(of[0], NULL, (netcl_pool **)&of[3]));
  OK(maker->pool_allocate(of[3], 64, (netcl_buffer **)&of[4]));
  OK(maker->tensor_create_zeros(of[0], NETCL_F32, 2, shape, NULL, NULL, (netcl_tensor **)&of[5]));
  options.source = "__kernel void k(__global float *a) { a[0] = 1; }";
  if (fixture->opencl) OK(maker->kernel_create(of[0], "k", &options, (netcl_kernel **)&of[6]));
  OK(maker->expression_create("v0 + v1", (netcl_expression **)&of[7]));
  OK(maker->measurement_create(of[1], NULL, (netcl_measurement **)&of[8]));
  OK(maker->timer_create(of[1], (netcl_timer **)&of[9]));
  OK(maker->region_begin(of[1], NULL, "region", (netcl_region **)&of[10]));
  OK(maker->roofline_create(NULL, (netcl_roofline **)&of[11]));
  OK(maker->space_create((netcl_space **)&of[12]));
  OK(maker->config_create_from_json("{}", 2, (netcl_config **)&of[13]));
  OK(maker->tuning_database_open(":memory:", (netcl_tuning_database **)&of[14]));
  OK(maker->ceilings_create((netcl_ceilings **)&of[16]));
  /* Another copy of the library may lie where no worker is; one is started by a candidate only. */
  netcl_benchmark_options worker = NETCL_BENCHMARK_OPTIONS_INIT;
  worker.worker_path = NETCL_WORKER_FILE;
  if (fixture->opencl) {
    OK(maker->benchmark_create(of[0], &worker, (netcl_benchmark **)&of[17]));
  }
  OK(maker->space_add_bool(of[12], "FLAG"));
  OK(maker->search_create(of[12], NULL, NULL, NULL, (netcl_search **)&of[15]));
  OK(maker->tuner_create(of[0], NULL, (netcl_tuner **)&of[18]));
  OK(maker->graph_create(of[0], NULL, (netcl_graph **)&of[19]));
  OK(join_alone(maker->group_join, of[0], (netcl_group **)&of[20]));
  OK(load_model(maker->model_load_memory, of[0], (netcl_model **)&of[21]));
  OK(maker->sharded_create(of[20], of[5], 2, shape, NULL, (netcl_sharded **)&of[22]));
  OK(open_some_weights(maker->weights_open, of[0], (netcl_weights **)&of[23]));
  OK(maker->reducer_create(of[20], NULL, (netcl_reducer **)&of[24]));
}

void release_handle_of(const HandleMaker *maker, int type, void *handle) {
  switch (type) {
    case 0: maker->device_release(handle); break;
    case 1: maker->queue_release(handle); break;
    case 2: maker->event_release(handle); break;
    case 3: maker->pool_release(handle); break;
    case 4: maker->buffer_release(handle); break;
    case 5: maker->tensor_release(handle); break;
    case 6: maker->kernel_release(handle); break;
    case 7: maker->expression_release(handle); break;
    case 8: maker->measurement_release(handle); break;
    case 9: maker->timer_release(handle); break;
    case 10: maker->region_release(handle); break;
    case 11: maker->roofline_release(handle); break;
    case 12: maker->space_release(handle); break;
    case 13: maker->config_release(handle); break;
    case 14: maker->tuning_database_release(handle); break;
    case 16: maker->ceilings_release(handle); break;
    case 15: maker->search_release(handle); break;
    case 17: maker->benchmark_release(handle); break;
    case 18: maker->tuner_release(handle); break;
    case 19: maker->graph_release(handle); break;
    case 20: maker->group_release(handle); break;
    case 21: maker->model_release(handle); break;
    case 22: maker->sharded_release(handle); break;
    case 23: maker->weights_release(handle); break;
    default: maker->reducer_release(handle); break;
  }
}
