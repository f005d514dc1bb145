/*
 * Every function of the library on a stack as small as that of a thread with 64 KB: loaded by
 * LD_PRELOAD, it stands before the library. It changes stacks and not threads, because the library
 * knows its callers by their threads. Callbacks run on the small stack too, and what they call.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "small_stack.h"

/* The C library keeps about 4 KB of a thread's 64 for itself. */
#define STACK_BYTES ((size_t)60 << 10)
/* No frame is so large that it would step over this. */
#define GUARD_BYTES ((size_t)1 << 20)

typedef struct Stack {
  ucontext_t caller, callee;
  void (*call)(void *packed);
  void *packed;
  int inside;
  char *memory;
} Stack;

static __thread Stack *stack;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void stop(const char *what) {
  fprintf(stderr, "small_stack: %s\n", what);
  _exit(3);
}

static void release(void *kept) {
  munmap(((Stack *)kept)->memory, GUARD_BYTES + STACK_BYTES);
  free(kept);
  stack = NULL;
}

static void make_key(void) {
  if (pthread_key_create(&key, release) != 0) stop("no key");
}

static void make_stack(void) {
  pthread_once(&once, make_key);
  stack = calloc(1, sizeof *stack);
  if (stack == NULL) stop("no memory");
  stack->memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack->memory == MAP_FAILED ||
      mprotect(stack->memory + GUARD_BYTES, STACK_BYTES, PROT_READ | PROT_WRITE) != 0) {
    stop("no stack");
  }
  pthread_setspecific(key, stack);
}

static void enter(void) { stack->call(stack->packed); }

void small_stack_run(void (*call)(void *packed), void *packed) {
  if (stack == NULL) make_stack();
  if (stack->inside) {
    call(packed);
    return;
  }
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  stack->call = call;
  stack->packed = packed;
  stack->inside = 1;
  getcontext(&stack->callee);
  stack->callee.uc_stack.ss_sp = stack->memory + GUARD_BYTES;
  stack->callee.uc_stack.ss_size = STACK_BYTES;
  stack->callee.uc_link = &stack->caller;
  makecontext(&stack->callee, enter, 0);
  swapcontext(&stack->caller, &stack->callee);
  stack->inside = 0;
}

void *small_stack_function(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) stop(name);
  return found;
}

/* A program that uses the library and never came by here would prove nothing. */
__attribute__((destructor)) static void check(void) {
  if (dlsym(RTLD_NEXT, "netcl_version_number") != NULL && calls == 0) stop("no call came by");
}
