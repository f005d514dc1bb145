/*
 * An allocator in front of the C library's, for one test program: it counts the bytes that are
 * allocated and makes chosen allocations fail. Whatever allocates in the process comes through
 * here: the library, its C++ runtime, and the C library on its behalf. To be included once.
 */
#ifndef NETCL_TESTS_SUPPORT_ALLOC_H
#define NETCL_TESTS_SUPPORT_ALLOC_H

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sanitizers.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_int alloc_armed;
static atomic_long alloc_count, alloc_target, alloc_live;
static int alloc_forever;

/* From here on allocation number n fails, counted from 0, or all from number n on. */
static void alloc_arm(long n, int forever) {
  atomic_store(&alloc_count, 0);
  atomic_store(&alloc_target, n);
  alloc_forever = forever;
  atomic_store(&alloc_armed, 1);
}

/* No allocation fails any more. Returns how many there were. */
static long alloc_disarm(void) {
  atomic_store(&alloc_armed, 0);
  return atomic_load(&alloc_count);
}

static long alloc_live_bytes(void) { return atomic_load(&alloc_live); }

#if HAS_ASAN || HAS_TSAN
#define ALLOC_INTERPOSED 0
#else
#define ALLOC_INTERPOSED 1
#endif
static const int alloc_interposed = ALLOC_INTERPOSED;

#if ALLOC_INTERPOSED
static int alloc_refused(void) {
  if (!atomic_load_explicit(&alloc_armed, memory_order_relaxed)) return 0;
  const long n = atomic_fetch_add(&alloc_count, 1), target = atomic_load(&alloc_target);
  if (n < target || (n > target && !alloc_forever)) return 0;
  errno = ENOMEM;
  return 1;
}

static void *alloc_counted(void *memory) {
  if (memory != NULL) atomic_fetch_add(&alloc_live, (long)malloc_usable_size(memory));
  return memory;
}

void *malloc(size_t size) { return alloc_refused() ? NULL : alloc_counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) {
  return alloc_refused() ? NULL : alloc_counted(__libc_calloc(count, size));
}

void *realloc(void *memory, size_t size) {
  const long before = memory == NULL ? 0 : (long)malloc_usable_size(memory);
  if (alloc_refused()) return NULL;
  void *const moved = __libc_realloc(memory, size);
  if (moved != NULL || size == 0) atomic_fetch_sub(&alloc_live, before);
  return alloc_counted(moved);
}

void *memalign(size_t alignment, size_t size) {
  return alloc_refused() ? NULL : alloc_counted(__libc_memalign(alignment, size));
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *const made = memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) atomic_fetch_sub(&alloc_live, (long)malloc_usable_size(memory));
  __libc_free(memory);
}

/* Large memory comes from the kernel. The C library's own maps do not pass through here. */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  const int memory = (flags & MAP_ANONYMOUS) != 0;
  if (memory && alloc_refused()) return MAP_FAILED;
  void *const made = (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
  if (memory && made != MAP_FAILED) atomic_fetch_add(&alloc_live, (long)size);
  return made;
}
int munmap(void *address, size_t size) {
  const int failed = (int)syscall(SYS_munmap, address, size);
  if (failed == 0) atomic_fetch_sub(&alloc_live, (long)size);
  return failed;
}
#endif

#endif
