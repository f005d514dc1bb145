/* Helpers of tests that need several GPUs of CUDA. */
#ifndef NETCL_TESTS_SUPPORT_GPUS_H
#define NETCL_TESTS_SUPPORT_GPUS_H

#include "support.h"

enum { GPUS_MOST = 8 };
extern netcl_device* gpus[GPUS_MOST];
extern uint32_t gpus_count;

/* 1 on stand-ins for the drivers (tests/fake_cl), which run no kernels of netcl. */
int gpus_scripted(void);

/* Group set-up and tear-down: opens the GPUs whose memory CUDA shares. Ends the program with 77 and
 * a reason where there are fewer than two. */
int open_gpus(void** state);
int close_gpus(void** state);

#endif
