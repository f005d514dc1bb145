/* Calls for the sweep of failing driver calls, and the library that makes them fail. */
#ifndef NETCL_TESTS_FAULT_SUPPORT_H
#define NETCL_TESTS_FAULT_SUPPORT_H

#include <sys/types.h>

#include "fault_cl.h"
#include "support_sweep.h"

/* The functions of the API lock, each of which has a case: a test fails here that has none. Returns
 * how many there are. */
enum { LOCK_FUNCTIONS = 512 };
int read_lock(char names[LOCK_FUNCTIONS][64]);

/* The table of NETCL_OPENCL_LIBRARY, whose library the test's process has loaded by then. */
const FaultControl* fault_control(void);

/* How a call is to fail. */
typedef struct Fault {
  int entry; /* of the driver's functions */
  uint64_t nth;
  FaultAction action;
  int value;
} Fault;

/* A way that calls can fail. */
typedef struct Way {
  FaultAction action;
  int value;
  const char* where; /* in the names of functions; "": everywhere */
  int always;        /* at each call, others at the first few */
} Way;
extern const Way kWays[];
extern const int kWaysCount;
/* Whether something can go that way there, and at which calls it is tried: 1 to this number, of a
 * function that was called `calls` times. */
int way_possible(const Way* way, int entry);
uint64_t way_calls(const Way* way, int entry, uint64_t calls);

/* Whether a driver that fails may end a call that way, and whether its message names the driver's
 * call or the code. */
int status_is_plausible(netcl_status status);
int error_says(const netcl_error_info* error, const Fault* fault);

/* What a process holds beside objects of OpenCL. */
typedef struct Held {
  int64_t objects[FAULT_KINDS];
  uint64_t handles[HANDLE_TYPES + 1];
  int threads, files;
} Held;
void look_held(Held* held);
/* What `after` has more of than `before`: a name of it in text, of `size` bytes; NULL of nothing.
 */
const char* held_more(const Held* before, const Held* after, char* text, size_t size);

/* What is leased of the device's own pools. */
uint64_t bytes_in_use(netcl_device* device);

/* In a forked process that watch_child() watches, before all else. */
void be_watched(void);
/* Waits for the process for as long as *steps changes at least each limit_s seconds. Its exit code,
 * or -1 with the signal that ended it, or 0 where it hung: then its threads have written their
 * stacks to stderr, and it is killed. */
int watch_child(pid_t child, const uint64_t* steps, double limit_s, int* signal);

/* An FNV hash of the elements of a tensor; 0 and the status where it cannot be read. */
uint64_t hash_tensor(netcl_tensor* tensor, netcl_status* status);

#endif
