/*
 * An OpenCL that fails on request, and counts what is made and given back: it stands between a
 * program and the real one, which does all else. A test reaches it through this table.
 *
 * As a loader: NETCL_OPENCL_LIBRARY names libfault_cl.so, which opens libOpenCL.so.1, or what
 * NETCL_FAULT_OPENCL names. As a layer of the loader's, for any program: OPENCL_LAYERS names it.
 * The environment may say what fails, and where the counts go when the process ends:
 *   NETCL_FAULT="clEnqueueReadBuffer 2 fail -5"     function, which call, action, value
 *   NETCL_FAULT_REPORT=/path
 */
#ifndef NETCL_TESTS_FAULT_CL_H
#define NETCL_TESTS_FAULT_CL_H

#include <stdint.h>

typedef enum FaultAction {
  FAULT_FAIL,      /* the call gives the code and does nothing, but for releases, which release */
  FAULT_NO_RESULT, /* it succeeds without its event or object */
  FAULT_BLOCK,     /* it takes so many milliseconds longer */
  FAULT_LOSE,      /* it and all later ones give the code until disarm(), but for releases */
  FAULT_LATE,      /* it succeeds and does nothing, and its event ends with the code */
  FAULT_DEAF,      /* it is done without waiting for its wait list */
  FAULT_HANG,      /* it and what its queue gets until disarm(), where an event is given, succeeds,
                      does nothing and never ends */
  FAULT_LEAK,      /* it and all later ones leave so many KiB of memory behind */
  FAULT_SLOWER     /* it and all later ones take longer, each by so many ns more than the last */
} FaultAction;
#define FAULT_ACTION_NAMES \
  { "fail", "no-result", "block", "lose", "late", "deaf", "hang", "leak", "slower" }

typedef enum FaultKind {
  FAULT_DEVICE, /* retained, of which the driver counts sub-devices alone */
  FAULT_CONTEXT,
  FAULT_QUEUE,
  FAULT_MEMORY,
  FAULT_PROGRAM,
  FAULT_KERNEL,
  FAULT_EVENT,
  FAULT_SAMPLER,
  FAULT_COMMAND_BUFFER,
  FAULT_KINDS
} FaultKind;
#define FAULT_KIND_NAMES                                                                    \
  {                                                                                         \
    "device", "context", "queue", "memory object", "program", "kernel", "event", "sampler", \
        "command buffer"                                                                    \
  }

typedef struct FaultControl {
  int functions_count;
  const char* (*function_name)(int function);
  /* A blank-separated list: "error" the call gives codes, "object" it makes one, "event" it can
   * give an event. */
  const char* (*function_gives)(int function);
  uint64_t (*calls)(int function); /* since reset_calls() */
  void (*reset_calls)(void);
  /* From here on call number `nth` of a function, counted from 1, acts; `value` is the code,
   * milliseconds, KiB or ns. */
  void (*arm)(int function, uint64_t nth, FaultAction action, int value);
  /* None fails any more. Returns how many calls did. */
  int (*disarm)(void);
  int64_t (*live)(FaultKind kind); /* references that were made or retained and not released */
  uint64_t (*made)(FaultKind kind);
  uint64_t (*over_released)(void); /* releases of what had no reference left */
} FaultControl;

/* Exported: const FaultControl *fault_cl_control(void). */
typedef const FaultControl* FaultControlFunction(void);

#endif
