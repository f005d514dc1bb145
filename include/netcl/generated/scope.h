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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_device(netcl_device **handle, netcl_device *made) {
  netcl_device *before = *handle;
  *handle = made;
  netcl_device_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_device(netcl_device **handles, size_t count) {
  while (count-- > 0) netcl_replace_device(&handles[count], NULL);
}
typedef struct netcl_device_array {
  netcl_device **handles;
  size_t count;
} netcl_device_array;
/** What NETCL_SCOPED_ARRAY(device, name, count) does at the end of the block. */
static inline void netcl_leave_device_array(netcl_device_array *array) {
  netcl_clear_device(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_queue(netcl_queue **handle, netcl_queue *made) {
  netcl_queue *before = *handle;
  *handle = made;
  netcl_queue_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_queue(netcl_queue **handles, size_t count) {
  while (count-- > 0) netcl_replace_queue(&handles[count], NULL);
}
typedef struct netcl_queue_array {
  netcl_queue **handles;
  size_t count;
} netcl_queue_array;
/** What NETCL_SCOPED_ARRAY(queue, name, count) does at the end of the block. */
static inline void netcl_leave_queue_array(netcl_queue_array *array) {
  netcl_clear_queue(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_event(netcl_event **handle, netcl_event *made) {
  netcl_event *before = *handle;
  *handle = made;
  netcl_event_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_event(netcl_event **handles, size_t count) {
  while (count-- > 0) netcl_replace_event(&handles[count], NULL);
}
typedef struct netcl_event_array {
  netcl_event **handles;
  size_t count;
} netcl_event_array;
/** What NETCL_SCOPED_ARRAY(event, name, count) does at the end of the block. */
static inline void netcl_leave_event_array(netcl_event_array *array) {
  netcl_clear_event(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_pool(netcl_pool **handle, netcl_pool *made) {
  netcl_pool *before = *handle;
  *handle = made;
  netcl_pool_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_pool(netcl_pool **handles, size_t count) {
  while (count-- > 0) netcl_replace_pool(&handles[count], NULL);
}
typedef struct netcl_pool_array {
  netcl_pool **handles;
  size_t count;
} netcl_pool_array;
/** What NETCL_SCOPED_ARRAY(pool, name, count) does at the end of the block. */
static inline void netcl_leave_pool_array(netcl_pool_array *array) {
  netcl_clear_pool(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_buffer(netcl_buffer **handle, netcl_buffer *made) {
  netcl_buffer *before = *handle;
  *handle = made;
  netcl_buffer_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_buffer(netcl_buffer **handles, size_t count) {
  while (count-- > 0) netcl_replace_buffer(&handles[count], NULL);
}
typedef struct netcl_buffer_array {
  netcl_buffer **handles;
  size_t count;
} netcl_buffer_array;
/** What NETCL_SCOPED_ARRAY(buffer, name, count) does at the end of the block. */
static inline void netcl_leave_buffer_array(netcl_buffer_array *array) {
  netcl_clear_buffer(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_tensor(netcl_tensor **handle, netcl_tensor *made) {
  netcl_tensor *before = *handle;
  *handle = made;
  netcl_tensor_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_tensor(netcl_tensor **handles, size_t count) {
  while (count-- > 0) netcl_replace_tensor(&handles[count], NULL);
}
typedef struct netcl_tensor_array {
  netcl_tensor **handles;
  size_t count;
} netcl_tensor_array;
/** What NETCL_SCOPED_ARRAY(tensor, name, count) does at the end of the block. */
static inline void netcl_leave_tensor_array(netcl_tensor_array *array) {
  netcl_clear_tensor(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_kernel(netcl_kernel **handle, netcl_kernel *made) {
  netcl_kernel *before = *handle;
  *handle = made;
  netcl_kernel_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_kernel(netcl_kernel **handles, size_t count) {
  while (count-- > 0) netcl_replace_kernel(&handles[count], NULL);
}
typedef struct netcl_kernel_array {
  netcl_kernel **handles;
  size_t count;
} netcl_kernel_array;
/** What NETCL_SCOPED_ARRAY(kernel, name, count) does at the end of the block. */
static inline void netcl_leave_kernel_array(netcl_kernel_array *array) {
  netcl_clear_kernel(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_expression(netcl_expression **handle, netcl_expression *made) {
  netcl_expression *before = *handle;
  *handle = made;
  netcl_expression_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_expression(netcl_expression **handles, size_t count) {
  while (count-- > 0) netcl_replace_expression(&handles[count], NULL);
}
typedef struct netcl_expression_array {
  netcl_expression **handles;
  size_t count;
} netcl_expression_array;
/** What NETCL_SCOPED_ARRAY(expression, name, count) does at the end of the block. */
static inline void netcl_leave_expression_array(netcl_expression_array *array) {
  netcl_clear_expression(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_measurement(netcl_measurement **handle, netcl_measurement *made) {
  netcl_measurement *before = *handle;
  *handle = made;
  netcl_measurement_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_measurement(netcl_measurement **handles, size_t count) {
  while (count-- > 0) netcl_replace_measurement(&handles[count], NULL);
}
typedef struct netcl_measurement_array {
  netcl_measurement **handles;
  size_t count;
} netcl_measurement_array;
/** What NETCL_SCOPED_ARRAY(measurement, name, count) does at the end of the block. */
static inline void netcl_leave_measurement_array(netcl_measurement_array *array) {
  netcl_clear_measurement(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_timer(netcl_timer **handle, netcl_timer *made) {
  netcl_timer *before = *handle;
  *handle = made;
  netcl_timer_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_timer(netcl_timer **handles, size_t count) {
  while (count-- > 0) netcl_replace_timer(&handles[count], NULL);
}
typedef struct netcl_timer_array {
  netcl_timer **handles;
  size_t count;
} netcl_timer_array;
/** What NETCL_SCOPED_ARRAY(timer, name, count) does at the end of the block. */
static inline void netcl_leave_timer_array(netcl_timer_array *array) {
  netcl_clear_timer(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_region(netcl_region **handle, netcl_region *made) {
  netcl_region *before = *handle;
  *handle = made;
  netcl_region_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_region(netcl_region **handles, size_t count) {
  while (count-- > 0) netcl_replace_region(&handles[count], NULL);
}
typedef struct netcl_region_array {
  netcl_region **handles;
  size_t count;
} netcl_region_array;
/** What NETCL_SCOPED_ARRAY(region, name, count) does at the end of the block. */
static inline void netcl_leave_region_array(netcl_region_array *array) {
  netcl_clear_region(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_roofline(netcl_roofline **handle, netcl_roofline *made) {
  netcl_roofline *before = *handle;
  *handle = made;
  netcl_roofline_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_roofline(netcl_roofline **handles, size_t count) {
  while (count-- > 0) netcl_replace_roofline(&handles[count], NULL);
}
typedef struct netcl_roofline_array {
  netcl_roofline **handles;
  size_t count;
} netcl_roofline_array;
/** What NETCL_SCOPED_ARRAY(roofline, name, count) does at the end of the block. */
static inline void netcl_leave_roofline_array(netcl_roofline_array *array) {
  netcl_clear_roofline(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_ceilings(netcl_ceilings **handle, netcl_ceilings *made) {
  netcl_ceilings *before = *handle;
  *handle = made;
  netcl_ceilings_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_ceilings(netcl_ceilings **handles, size_t count) {
  while (count-- > 0) netcl_replace_ceilings(&handles[count], NULL);
}
typedef struct netcl_ceilings_array {
  netcl_ceilings **handles;
  size_t count;
} netcl_ceilings_array;
/** What NETCL_SCOPED_ARRAY(ceilings, name, count) does at the end of the block. */
static inline void netcl_leave_ceilings_array(netcl_ceilings_array *array) {
  netcl_clear_ceilings(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_space(netcl_space **handle, netcl_space *made) {
  netcl_space *before = *handle;
  *handle = made;
  netcl_space_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_space(netcl_space **handles, size_t count) {
  while (count-- > 0) netcl_replace_space(&handles[count], NULL);
}
typedef struct netcl_space_array {
  netcl_space **handles;
  size_t count;
} netcl_space_array;
/** What NETCL_SCOPED_ARRAY(space, name, count) does at the end of the block. */
static inline void netcl_leave_space_array(netcl_space_array *array) {
  netcl_clear_space(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_config(netcl_config **handle, netcl_config *made) {
  netcl_config *before = *handle;
  *handle = made;
  netcl_config_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_config(netcl_config **handles, size_t count) {
  while (count-- > 0) netcl_replace_config(&handles[count], NULL);
}
typedef struct netcl_config_array {
  netcl_config **handles;
  size_t count;
} netcl_config_array;
/** What NETCL_SCOPED_ARRAY(config, name, count) does at the end of the block. */
static inline void netcl_leave_config_array(netcl_config_array *array) {
  netcl_clear_config(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_tuning_database(netcl_tuning_database **handle, netcl_tuning_database *made) {
  netcl_tuning_database *before = *handle;
  *handle = made;
  netcl_tuning_database_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_tuning_database(netcl_tuning_database **handles, size_t count) {
  while (count-- > 0) netcl_replace_tuning_database(&handles[count], NULL);
}
typedef struct netcl_tuning_database_array {
  netcl_tuning_database **handles;
  size_t count;
} netcl_tuning_database_array;
/** What NETCL_SCOPED_ARRAY(tuning_database, name, count) does at the end of the block. */
static inline void netcl_leave_tuning_database_array(netcl_tuning_database_array *array) {
  netcl_clear_tuning_database(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_search(netcl_search **handle, netcl_search *made) {
  netcl_search *before = *handle;
  *handle = made;
  netcl_search_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_search(netcl_search **handles, size_t count) {
  while (count-- > 0) netcl_replace_search(&handles[count], NULL);
}
typedef struct netcl_search_array {
  netcl_search **handles;
  size_t count;
} netcl_search_array;
/** What NETCL_SCOPED_ARRAY(search, name, count) does at the end of the block. */
static inline void netcl_leave_search_array(netcl_search_array *array) {
  netcl_clear_search(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_tuner(netcl_tuner **handle, netcl_tuner *made) {
  netcl_tuner *before = *handle;
  *handle = made;
  netcl_tuner_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_tuner(netcl_tuner **handles, size_t count) {
  while (count-- > 0) netcl_replace_tuner(&handles[count], NULL);
}
typedef struct netcl_tuner_array {
  netcl_tuner **handles;
  size_t count;
} netcl_tuner_array;
/** What NETCL_SCOPED_ARRAY(tuner, name, count) does at the end of the block. */
static inline void netcl_leave_tuner_array(netcl_tuner_array *array) {
  netcl_clear_tuner(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_benchmark(netcl_benchmark **handle, netcl_benchmark *made) {
  netcl_benchmark *before = *handle;
  *handle = made;
  netcl_benchmark_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_benchmark(netcl_benchmark **handles, size_t count) {
  while (count-- > 0) netcl_replace_benchmark(&handles[count], NULL);
}
typedef struct netcl_benchmark_array {
  netcl_benchmark **handles;
  size_t count;
} netcl_benchmark_array;
/** What NETCL_SCOPED_ARRAY(benchmark, name, count) does at the end of the block. */
static inline void netcl_leave_benchmark_array(netcl_benchmark_array *array) {
  netcl_clear_benchmark(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_graph(netcl_graph **handle, netcl_graph *made) {
  netcl_graph *before = *handle;
  *handle = made;
  netcl_graph_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_graph(netcl_graph **handles, size_t count) {
  while (count-- > 0) netcl_replace_graph(&handles[count], NULL);
}
typedef struct netcl_graph_array {
  netcl_graph **handles;
  size_t count;
} netcl_graph_array;
/** What NETCL_SCOPED_ARRAY(graph, name, count) does at the end of the block. */
static inline void netcl_leave_graph_array(netcl_graph_array *array) {
  netcl_clear_graph(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_group(netcl_group **handle, netcl_group *made) {
  netcl_group *before = *handle;
  *handle = made;
  netcl_group_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_group(netcl_group **handles, size_t count) {
  while (count-- > 0) netcl_replace_group(&handles[count], NULL);
}
typedef struct netcl_group_array {
  netcl_group **handles;
  size_t count;
} netcl_group_array;
/** What NETCL_SCOPED_ARRAY(group, name, count) does at the end of the block. */
static inline void netcl_leave_group_array(netcl_group_array *array) {
  netcl_clear_group(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_reducer(netcl_reducer **handle, netcl_reducer *made) {
  netcl_reducer *before = *handle;
  *handle = made;
  netcl_reducer_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_reducer(netcl_reducer **handles, size_t count) {
  while (count-- > 0) netcl_replace_reducer(&handles[count], NULL);
}
typedef struct netcl_reducer_array {
  netcl_reducer **handles;
  size_t count;
} netcl_reducer_array;
/** What NETCL_SCOPED_ARRAY(reducer, name, count) does at the end of the block. */
static inline void netcl_leave_reducer_array(netcl_reducer_array *array) {
  netcl_clear_reducer(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_sharded(netcl_sharded **handle, netcl_sharded *made) {
  netcl_sharded *before = *handle;
  *handle = made;
  netcl_sharded_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_sharded(netcl_sharded **handles, size_t count) {
  while (count-- > 0) netcl_replace_sharded(&handles[count], NULL);
}
typedef struct netcl_sharded_array {
  netcl_sharded **handles;
  size_t count;
} netcl_sharded_array;
/** What NETCL_SCOPED_ARRAY(sharded, name, count) does at the end of the block. */
static inline void netcl_leave_sharded_array(netcl_sharded_array *array) {
  netcl_clear_sharded(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_model(netcl_model **handle, netcl_model *made) {
  netcl_model *before = *handle;
  *handle = made;
  netcl_model_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_model(netcl_model **handles, size_t count) {
  while (count-- > 0) netcl_replace_model(&handles[count], NULL);
}
typedef struct netcl_model_array {
  netcl_model **handles;
  size_t count;
} netcl_model_array;
/** What NETCL_SCOPED_ARRAY(model, name, count) does at the end of the block. */
static inline void netcl_leave_model_array(netcl_model_array *array) {
  netcl_clear_model(array->handles, array->count);
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
/** Gives back what a handle holds; from then on it holds the reference `made`. */
static inline void netcl_replace_weights(netcl_weights **handle, netcl_weights *made) {
  netcl_weights *before = *handle;
  *handle = made;
  netcl_weights_release(before);
}
/** Gives back what `count` handles hold, the last one first; from then on they hold none. */
static inline void netcl_clear_weights(netcl_weights **handles, size_t count) {
  while (count-- > 0) netcl_replace_weights(&handles[count], NULL);
}
typedef struct netcl_weights_array {
  netcl_weights **handles;
  size_t count;
} netcl_weights_array;
/** What NETCL_SCOPED_ARRAY(weights, name, count) does at the end of the block. */
static inline void netcl_leave_weights_array(netcl_weights_array *array) {
  netcl_clear_weights(array->handles, array->count);
}

#ifdef __cplusplus
}
#endif

#endif
