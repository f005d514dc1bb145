/*
 * An allocator in front of the C library's, for one test program: it counts the bytes that are
 * allocated and makes chosen allocations fail. Whatever allocates in the process comes through
 * here: the library, its C++ runtime, and the C library on its behalf; where drivers are in the
 * process, which abort without memory, what the library asks for itself. To be included once.
 */
#ifndef NETCL_TESTS_SUPPORT_ALLOC_H
#define NETCL_TESTS_SUPPORT_ALLOC_H

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* Where the library lies; from 0 on when all that allocates counts. */
static uintptr_t alloc_from, alloc_to = UINTPTR_MAX;
static pthread_t alloc_thread;

static int alloc_look(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (strstr(object->dlpi_name, "libnetcl.so") == NULL) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    if (object->dlpi_phdr[i].p_type != PT_LOAD || !(object->dlpi_phdr[i].p_flags & PF_X)) continue;
    alloc_from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
    alloc_to = alloc_from + object->dlpi_phdr[i].p_memsz;
  }
  return 1;
}
/* From here on only what the library asks for counts, and what its thread asks for may fail. */
static inline void alloc_only_library(void) { dl_iterate_phdr(alloc_look, NULL); }

static inline int alloc_counts(const void *caller) {
  return (uintptr_t)caller >= alloc_from && (uintptr_t)caller < alloc_to;
}

/* From here on allocation number n fails, counted from 0, or all from number n on. */
static void alloc_arm(long n, int forever) {
  atomic_store(&alloc_count, 0);
  atomic_store(&alloc_target, n);
  alloc_forever = forever;
  alloc_thread = pthread_self();
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
static int alloc_refused(const void *caller) {
  if (!atomic_load_explicit(&alloc_armed, memory_order_relaxed) || !alloc_counts(caller)) return 0;
  if (alloc_from != 0 && !pthread_equal(alloc_thread, pthread_self())) return 0;
  const long n = atomic_fetch_add(&alloc_count, 1), target = atomic_load(&alloc_target);
  if (n < target || (n > target && !alloc_forever)) return 0;
  errno = ENOMEM;
  return 1;
}

/* What the library has asked for; who frees it cannot be told, since a call that ends a function
 * leaves no trace of it. In sets of a few places. */
enum { kAllocSets = 1 << 14, kAllocPlaces = 16 };
static _Atomic(uintptr_t) alloc_known[kAllocSets][kAllocPlaces];

/* Puts `to` in the place of `from` in the set of this memory; 0 when there is none. */
static int alloc_replace(const void *memory, uintptr_t from, uintptr_t to) {
  const uint64_t hash = ((uint64_t)(uintptr_t)memory >> 4) * UINT64_C(0x9E3779B97F4A7C15);
  _Atomic(uintptr_t) *const set = alloc_known[hash >> 50];
  for (int i = 0; i < kAllocPlaces; ++i) {
    uintptr_t seen = from;
    if (atomic_load_explicit(&set[i], memory_order_relaxed) == from &&
        atomic_compare_exchange_strong(&set[i], &seen, to)) {
      return 1;
    }
  }
  return 0;
}

static void *alloc_counted(void *memory, const void *caller) {
  if (memory == NULL || !alloc_counts(caller)) return memory;
  if (alloc_from != 0 && !alloc_replace(memory, 0, (uintptr_t)memory)) return memory;
  atomic_fetch_add(&alloc_live, (long)malloc_usable_size(memory));
  return memory;
}
static void alloc_gone(const void *memory, long bytes) {
  if (alloc_from != 0 && !alloc_replace(memory, (uintptr_t)memory, 0)) return;
  atomic_fetch_sub(&alloc_live, bytes);
}

#define ALLOC_CALLER __builtin_return_address(0)
#define ALLOC_BY(call) \
  (alloc_refused(ALLOC_CALLER) ? NULL : alloc_counted(call, ALLOC_CALLER))

void *malloc(size_t size) { return ALLOC_BY(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return ALLOC_BY(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  const long before = memory == NULL ? 0 : (long)malloc_usable_size(memory);
  if (alloc_refused(ALLOC_CALLER)) return NULL;
  void *const moved = __libc_realloc(memory, size);
  if (memory != NULL && (moved != NULL || size == 0)) alloc_gone(memory, before);
  return alloc_counted(moved, ALLOC_CALLER);
}

void *memalign(size_t alignment, size_t size) {
  return ALLOC_BY(__libc_memalign(alignment, size));
}
void *aligned_alloc(size_t alignment, size_t size) {
  return ALLOC_BY(__libc_memalign(alignment, size));
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *const made = ALLOC_BY(__libc_memalign(alignment, size));
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}

void free(void *memory) {
  if (memory != NULL) alloc_gone(memory, (long)malloc_usable_size(memory));
  __libc_free(memory);
}

/* Large memory comes from the kernel. The C library's own maps do not pass through here. */
void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  const int memory = (flags & MAP_ANONYMOUS) != 0 && alloc_counts(ALLOC_CALLER);
  if (memory && alloc_refused(ALLOC_CALLER)) return MAP_FAILED;
  void *const made = (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
  if (memory && made != MAP_FAILED) atomic_fetch_add(&alloc_live, (long)size);
  return made;
}
int munmap(void *address, size_t size) {
  const int failed = (int)syscall(SYS_munmap, address, size);
  if (failed == 0 && alloc_counts(ALLOC_CALLER)) atomic_fetch_sub(&alloc_live, (long)size);
  return failed;
}
#endif

#endif
