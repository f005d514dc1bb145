/* A model of a few bytes, for the tests of handles and of failing allocations. */
#ifndef NETCL_TESTS_SUPPORT_MODEL_H
#define NETCL_TESTS_SUPPORT_MODEL_H

#include "support.h"

/* Loads it, through a function of netcl_model_load_memory. */
netcl_status load_model(__typeof__(&netcl_model_load_memory) load, netcl_device *device,
                        netcl_model **model);

#endif
