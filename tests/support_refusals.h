/* Allocations of the library that fail: functions of the host, which OpenCL devices of type CPU run
 * as commands, throw. For the one file of a program that includes it; sanitizers have allocators of
 * their own, and none fails there. */
#ifndef NETCL_TESTS_SUPPORT_REFUSALS_H
#define NETCL_TESTS_SUPPORT_REFUSALS_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sanitizers.h"

static atomic_int refusals;     /* on other threads than the test's */
static atomic_int own_refusals; /* on the test's thread */
static pthread_t test_thread;

#if !HAS_ASAN && !HAS_TSAN
extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static int refused(const void *caller) {
  Dl_info info;
  const int own = pthread_equal(pthread_self(), test_thread);
  if (atomic_load(own ? &own_refusals : &refusals) <= 0) return 0;
  if (dladdr(caller, &info) == 0 || strstr(info.dli_fname, "libnetcl") == NULL) return 0;
  errno = ENOMEM;
  return atomic_fetch_sub(own ? &own_refusals : &refusals, 1) > 0;
}

void *malloc(size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = refused(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}
#endif

#endif
