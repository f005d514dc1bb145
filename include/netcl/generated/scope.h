/* Written by bindings/generator/generate.py from include/netcl.h; do not edit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_GENERATED_SCOPE_H
#define NETCL_GENERATED_SCOPE_H

#include <netcl.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What NETCL_SCOPED(device) does at the end of the block. */
static inline void netcl_leave_device(netcl_device **handle) {
  netcl_device_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_device *netcl_keep_device(netcl_device **handle) {
  netcl_device *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(queue) does at the end of the block. */
static inline void netcl_leave_queue(netcl_queue **handle) {
  netcl_queue_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_queue *netcl_keep_queue(netcl_queue **handle) {
  netcl_queue *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(event) does at the end of the block. */
static inline void netcl_leave_event(netcl_event **handle) {
  netcl_event_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_event *netcl_keep_event(netcl_event **handle) {
  netcl_event *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(pool) does at the end of the block. */
static inline void netcl_leave_pool(netcl_pool **handle) {
  netcl_pool_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_pool *netcl_keep_pool(netcl_pool **handle) {
  netcl_pool *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(buffer) does at the end of the block. */
static inline void netcl_leave_buffer(netcl_buffer **handle) {
  netcl_buffer_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_buffer *netcl_keep_buffer(netcl_buffer **handle) {
  netcl_buffer *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(tensor) does at the end of the block. */
static inline void netcl_leave_tensor(netcl_tensor **handle) {
  netcl_tensor_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_tensor *netcl_keep_tensor(netcl_tensor **handle) {
  netcl_tensor *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(kernel) does at the end of the block. */
static inline void netcl_leave_kernel(netcl_kernel **handle) {
  netcl_kernel_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_kernel *netcl_keep_kernel(netcl_kernel **handle) {
  netcl_kernel *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(expression) does at the end of the block. */
static inline void netcl_leave_expression(netcl_expression **handle) {
  netcl_expression_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_expression *netcl_keep_expression(netcl_expression **handle) {
  netcl_expression *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(measurement) does at the end of the block. */
static inline void netcl_leave_measurement(netcl_measurement **handle) {
  netcl_measurement_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_measurement *netcl_keep_measurement(netcl_measurement **handle) {
  netcl_measurement *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(timer) does at the end of the block. */
static inline void netcl_leave_timer(netcl_timer **handle) {
  netcl_timer_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_timer *netcl_keep_timer(netcl_timer **handle) {
  netcl_timer *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(region) does at the end of the block. */
static inline void netcl_leave_region(netcl_region **handle) {
  netcl_region_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_region *netcl_keep_region(netcl_region **handle) {
  netcl_region *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(roofline) does at the end of the block. */
static inline void netcl_leave_roofline(netcl_roofline **handle) {
  netcl_roofline_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_roofline *netcl_keep_roofline(netcl_roofline **handle) {
  netcl_roofline *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(ceilings) does at the end of the block. */
static inline void netcl_leave_ceilings(netcl_ceilings **handle) {
  netcl_ceilings_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_ceilings *netcl_keep_ceilings(netcl_ceilings **handle) {
  netcl_ceilings *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(space) does at the end of the block. */
static inline void netcl_leave_space(netcl_space **handle) {
  netcl_space_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_space *netcl_keep_space(netcl_space **handle) {
  netcl_space *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(config) does at the end of the block. */
static inline void netcl_leave_config(netcl_config **handle) {
  netcl_config_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_config *netcl_keep_config(netcl_config **handle) {
  netcl_config *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(tuning_database) does at the end of the block. */
static inline void netcl_leave_tuning_database(netcl_tuning_database **handle) {
  netcl_tuning_database_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_tuning_database *netcl_keep_tuning_database(netcl_tuning_database **handle) {
  netcl_tuning_database *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(search) does at the end of the block. */
static inline void netcl_leave_search(netcl_search **handle) {
  netcl_search_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_search *netcl_keep_search(netcl_search **handle) {
  netcl_search *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(tuner) does at the end of the block. */
static inline void netcl_leave_tuner(netcl_tuner **handle) {
  netcl_tuner_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_tuner *netcl_keep_tuner(netcl_tuner **handle) {
  netcl_tuner *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(benchmark) does at the end of the block. */
static inline void netcl_leave_benchmark(netcl_benchmark **handle) {
  netcl_benchmark_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_benchmark *netcl_keep_benchmark(netcl_benchmark **handle) {
  netcl_benchmark *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(graph) does at the end of the block. */
static inline void netcl_leave_graph(netcl_graph **handle) {
  netcl_graph_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_graph *netcl_keep_graph(netcl_graph **handle) {
  netcl_graph *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(group) does at the end of the block. */
static inline void netcl_leave_group(netcl_group **handle) {
  netcl_group_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_group *netcl_keep_group(netcl_group **handle) {
  netcl_group *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(reducer) does at the end of the block. */
static inline void netcl_leave_reducer(netcl_reducer **handle) {
  netcl_reducer_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_reducer *netcl_keep_reducer(netcl_reducer **handle) {
  netcl_reducer *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(sharded) does at the end of the block. */
static inline void netcl_leave_sharded(netcl_sharded **handle) {
  netcl_sharded_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_sharded *netcl_keep_sharded(netcl_sharded **handle) {
  netcl_sharded *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(model) does at the end of the block. */
static inline void netcl_leave_model(netcl_model **handle) {
  netcl_model_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_model *netcl_keep_model(netcl_model **handle) {
  netcl_model *kept = *handle;
  *handle = NULL;
  return kept;
}

/** What NETCL_SCOPED(weights) does at the end of the block. */
static inline void netcl_leave_weights(netcl_weights **handle) {
  netcl_weights_release(*handle);
}
/** Takes the reference out of a scoped handle, which holds none from then on. */
static inline netcl_weights *netcl_keep_weights(netcl_weights **handle) {
  netcl_weights *kept = *handle;
  *handle = NULL;
  return kept;
}

#ifdef __cplusplus
}
#endif

#endif
