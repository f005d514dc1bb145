/* Every exported function as a caller that takes its handles from an array. */
#ifndef NETCL_TESTS_SUPPORT_HANDLES_H
#define NETCL_TESTS_SUPPORT_HANDLES_H

#include "support.h"

/*
 * One exported function. `roles` has a letter for each handle that it takes, directly, in an array
 * or in a struct: d device, q queue, e event, p pool, b buffer, t tensor, k kernel, x expression; a
 * capital letter where NULL is allowed. "" for functions without handles. Releases return nothing.
 */
typedef struct HandleCase {
  const char *name;
  const char *roles;
  int releases;
  netcl_status (*call)(void *const *handles);
} HandleCase;

extern const HandleCase kHandleCases[];
extern const size_t kHandleCasesCount;

/* Fills the memory that the callers pass for outputs with POISON. */
void poison_outputs(void);
/* 1 when the outputs of the last call hold POISON or zeros only, their struct_size apart. */
int outputs_are_untouched(void);

#endif
