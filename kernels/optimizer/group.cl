/* Several tensors of a group in one kernel. Each slot has one entry of the group: up to six
 * operands of one shape, whose elements follow each other, and the work groups from `first` on.
 * Options: SLOTS, a power of two up to 64; OPERANDS, and O0 ... the dtypes of the operands; PLACE,
 * the type of numbers of elements. */
#include "prelude.cl"

/* Elements of a work group; ops/optimizer/group_cl.cpp has the same. */
#define ELEMENTS 1024
#define REAL COMPUTE(O0)
#ifndef PLACE
#define PLACE uint
#endif

/* All that is said of the slots in numbers. No work group is as far as the `first` of a slot that
 * has no entry. */
typedef struct {
  PLACE first[SLOTS];
  PLACE count[SLOTS];
  PLACE at[SLOTS][OPERANDS];
} Places;

/* Macros that stand in one another are joined by macros of their own. */
#define JOIN_SLOTS_(a, b) a##b
#define JOIN_SLOTS(a, b) JOIN_SLOTS_(a, b)
#define JOIN_OPERANDS_(a, b) a##b
#define JOIN_OPERANDS(a, b) JOIN_OPERANDS_(a, b)

#define MEMORY(o, s) , __global STORAGE(O##o) *memory##o##_##s
#define MEMORY_1(s) MEMORY(0, s)
#define MEMORY_2(s) MEMORY_1(s) MEMORY(1, s)
#define MEMORY_3(s) MEMORY_2(s) MEMORY(2, s)
#define MEMORY_4(s) MEMORY_3(s) MEMORY(3, s)
#define MEMORY_5(s) MEMORY_4(s) MEMORY(4, s)
#define MEMORY_6(s) MEMORY_5(s) MEMORY(5, s)
#define SLOT(s) JOIN_OPERANDS(MEMORY_, OPERANDS)(s)

#define DECLARE(o)                  \
  __global STORAGE(O##o) *m##o = 0; \
  long at##o = 0;
#define DECLARE_1 DECLARE(0)
#define DECLARE_2 DECLARE_1 DECLARE(1)
#define DECLARE_3 DECLARE_2 DECLARE(2)
#define DECLARE_4 DECLARE_3 DECLARE(3)
#define DECLARE_5 DECLARE_4 DECLARE(4)
#define DECLARE_6 DECLARE_5 DECLARE(5)

#define PICK(o, s)         \
  m##o = memory##o##_##s; \
  at##o = (long)places.at[s][o];
#define PICK_1(s) PICK(0, s)
#define PICK_2(s) PICK_1(s) PICK(1, s)
#define PICK_3(s) PICK_2(s) PICK(2, s)
#define PICK_4(s) PICK_3(s) PICK(3, s)
#define PICK_5(s) PICK_4(s) PICK(4, s)
#define PICK_6(s) PICK_5(s) PICK(5, s)
#define FIND(s) \
  if ((PLACE)group >= places.first[s]) slot = s;
#define TAKE(s)                       \
  case s:                             \
    first = (long)places.first[s];    \
    count = (long)places.count[s];    \
    JOIN_OPERANDS(PICK_, OPERANDS)(s) \
    break;

/* X of each slot. Slots have octal numbers, which grow by a digit: 0 begins them. */
#define SLOTS_1(X, n) X(n##0)
#define SLOTS_2(X, n) SLOTS_1(X, n) X(n##1)
#define SLOTS_4(X, n) SLOTS_2(X, n) X(n##2) X(n##3)
#define SLOTS_8(X, n) SLOTS_4(X, n) X(n##4) X(n##5) X(n##6) X(n##7)
#define SLOTS_16(X, n) SLOTS_8(X, n##0) SLOTS_8(X, n##1)
#define SLOTS_32(X, n) SLOTS_16(X, n) SLOTS_8(X, n##2) SLOTS_8(X, n##3)
#define SLOTS_64(X, n) \
  SLOTS_32(X, n) SLOTS_8(X, n##4) SLOTS_8(X, n##5) SLOTS_8(X, n##6) SLOTS_8(X, n##7)

/* The last parameters of a kernel. */
#define GROUP_ARGUMENTS JOIN_SLOTS(SLOTS_, SLOTS)(SLOT, 0), const Places places
/* Sets m0, at0 ... to the operands of this work group, and [begin, end) to its elements. Constant
 * indices alone keep `places` where arguments are. */
#define TAKE_GROUP                             \
  const long group = get_group_id(0);          \
  long first = 0, count = 0;                   \
  int slot = 0;                                \
  JOIN_OPERANDS(DECLARE_, OPERANDS)            \
  JOIN_SLOTS(SLOTS_, SLOTS)(FIND, 0)           \
  switch (slot) {                              \
    JOIN_SLOTS(SLOTS_, SLOTS)(TAKE, 0)         \
  }                                            \
  const long begin = (group - first) * ELEMENTS; \
  const long end = min(count, begin + (long)ELEMENTS);
#define FOR_ELEMENT(i) for (long i = begin + get_local_id(0); i < end; i += get_local_size(0))
/* Element i of operand o of dtype X. */
#define GET(X, o, i) LOAD(X, NETCL_JOIN(m, o), NETCL_JOIN(at, o) + i)
#define PUT(X, value, o, i) STORE(X, value, NETCL_JOIN(m, o), NETCL_JOIN(at, o) + i)
