// Commands that are held back: a test says which of them runs next, of those that an OpenCL driver
// may run. So it can try every order that the wait lists, the queues and the flushes allow.
//
// It loads the functions below from the library. While commands are held
//   - each stays in its queue until fake_let runs it, or a host that waits for it does;
//   - kernels named model_* do what held_kernel_value says, and fake_ran tells what they came to.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fake_hold_mode {
  FAKE_HOLD_NONE = 0,    // whatever is held runs, and later commands when they are enqueued
  FAKE_HOLD_EAGER = 1,   // commands may run before their queue is flushed
  FAKE_HOLD_FLUSHED = 2  // only flushed ones run
};
void fake_hold(int mode);
// The numbers of the kernels and copies that may run now, as they were enqueued. Markers and
// barriers run by themselves as soon as they may.
int fake_runnable(uint64_t* numbers, int capacity);
void fake_let(uint64_t number);
// How many kernels are held.
int fake_held(void);
// From here on the driver gets on with its work when a host asks for the state of an event:
// commands run, in an order drawn by the seed, until that one has. 0: asking changes nothing.
void fake_wait_runs(uint64_t seed);
// How often a host has asked to be told of the end of a command that could not run, which it would
// never be, since fake_hold. What that waits for runs then all the same.
int fake_stuck(void);
// True when a held kernel uses the memory object.
int fake_busy(const void* mem);
// Writes to a memory object behind everybody's back.
void fake_set(const void* mem, uint64_t value);
// Pairs of the number that a model_* kernel was given and what it came to, in the order in which
// they ran since fake_hold.
int fake_ran(uint64_t* pairs, int capacity);
// The n-th wait from here on, from 1, is left out of its list: what a driver sees of a library that
// has forgotten it. 0: none.
void fake_lose_wait(int nth);

// A model_* kernel has buffers that it reads, then buffers that it writes, its number, and a mask
// of those inputs that count. It comes to a value of all that it has read, and writes others made
// of that.
static inline uint64_t held_kernel_value(uint64_t value, uint64_t more) {
  value = (value ^ more) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

#ifdef __cplusplus
}
#endif
