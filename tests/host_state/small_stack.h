/* What the generated functions call; see small_stack.c. */
#ifndef NETCL_TESTS_SMALL_STACK_H
#define NETCL_TESTS_SMALL_STACK_H

#include <stddef.h>

/* The library's own function of this name. */
void *small_stack_function(const char *name);
/* Calls call(packed) on the small stack of this thread. */
void small_stack_run(void (*call)(void *packed), void *packed);

#endif
