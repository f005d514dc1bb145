/* What the callers of tests/support_handles*.c share: memory for outputs, options with handles. */
#ifndef NETCL_TESTS_SUPPORT_HANDLE_CALLS_H
#define NETCL_TESTS_SUPPORT_HANDLE_CALLS_H

#include "support_handles.h"

#define DEVICE(i) ((netcl_device *)h[i])
#define QUEUE(i) ((netcl_queue *)h[i])
#define EVENT(i) ((netcl_event *)h[i])
#define POOL(i) ((netcl_pool *)h[i])
#define BUFFER(i) ((netcl_buffer *)h[i])
#define TENSOR(i) ((netcl_tensor *)h[i])
#define KERNEL(i) ((netcl_kernel *)h[i])
#define EXPRESSION(i) ((netcl_expression *)h[i])
#define GRAPH(i) ((netcl_graph*)h[i])

/* Memory for an output without a header: a handle, a number, a few of them, text. */
void *out(void);
/* Memory for a struct of information. */
void *info(size_t size);
const netcl_run_options *run_options(void *queue, void *into, void *wait);
void *handle_array(void *first, void *second);

/* C(function, roles, arguments): a call that gives a status. R: a release. N: takes no handle. */
#define CALL_STATUS(function, roles, ...) \
  static netcl_status call_##function(void *const *h) { return function(__VA_ARGS__); }
#define CALL_RELEASE(function, roles, argument)         \
  static netcl_status call_##function(void *const *h) { \
    function(argument);                                 \
    return NETCL_OK;                                    \
  }
#define CALL_NOTHING(function)
#define ROW_STATUS(function, roles, ...) {#function, roles, 0, call_##function},
#define ROW_RELEASE(function, roles, argument) {#function, roles, 1, call_##function},
#define ROW_NOTHING(function) {#function, "", 0, NULL},

#endif
