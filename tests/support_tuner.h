/* A kernel for tests of tuning, with its arguments. */
#ifndef NETCL_TESTS_SUPPORT_TUNER_H
#define NETCL_TESTS_SUPPORT_TUNER_H

#include "support_kernel.h"
#include "support_tuning.h"

enum { kTunedItems = 8192 };

typedef struct TunedCase {
  netcl_kernel *kernel;
  netcl_tensor *a, *out;
  netcl_arg args[4];
  uint64_t global;
} TunedCase;

/* Macros: WORK makes it slow, MODE 1 wrong, 2 no program, 3 write out of bounds. With its fourth
 * argument 1 it writes its local size * 1000 + WORK instead of a[i] * f. */
extern const char kTunedSource[];
TunedCase tuned_case(netcl_device *device, const char *source);
void free_tuned_case(TunedCase *made);

#endif
