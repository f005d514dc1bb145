/* Every exported function as a caller that takes its handles from an array. */
#ifndef NETCL_TESTS_SUPPORT_HANDLES_H
#define NETCL_TESTS_SUPPORT_HANDLES_H

#include "support.h"

/*
 * One exported function. `roles` has a letter for each handle that it takes, directly, in an array
 * or in a struct: d device, q queue, e event, p pool, b buffer, t tensor, k kernel, x expression,
 * m measurement, i timer, r region, o roofline, s space, c config, y tuning database, g ceilings,
 * n benchmark, h search, u tuner, a graph, l group, 5 model, 6 sharded, 7 weights, j reducer; a
 * capital letter where NULL is allowed. "" for functions without handles. Releases return nothing.
 */
typedef struct HandleCase {
  const char *name;
  const char *roles;
  int releases;
  netcl_status (*call)(void *const *handles);
} HandleCase;

size_t handle_cases_count(void);
const HandleCase *handle_case(size_t index);

/* In the order of netcl_handle_type; a blank for a number without a type. */
#define HANDLE_ROLES "dqepbtkxmiroscyhgnual567j"

/* The library's functions that make and release one object of each type. */
typedef struct HandleMaker HandleMaker;
/* Of this library, or of a second copy opened with dlopen; from malloc. */
HandleMaker *handle_maker(void *library);
/* One handle per type into `of`, NULL where there is none (kernels without OpenCL). */
void make_handles_of(const HandleMaker *maker, const Fixture *fixture, void *of[HANDLE_TYPES]);
/* Joins a group of one rank, through a function of netcl_group_join. */
netcl_status join_alone(__typeof__(&netcl_group_join) join, void *device, netcl_group **group);
void release_handle_of(const HandleMaker *maker, int type, void *handle);

/* Fills the memory that the callers pass for outputs with POISON. */
void poison_outputs(void);
/* 1 when the outputs of the last call hold POISON or zeros only, their struct_size apart. */
int outputs_are_untouched(void);

#endif
