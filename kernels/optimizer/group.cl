/* Several tensors of a group in one kernel. Each slot has one entry of the group: up to six
 * operands of one shape, whose elements follow each other, and the work groups from `first` on.
 * Options: SLOTS, OPERANDS, and O0 ... the dtypes of the operands. */
#include "prelude.cl"

/* Elements of a work group; ops/optimizer/group_cl.cpp has the same. */
#define ELEMENTS 1024
#define REAL COMPUTE(O0)

/* Macros that stand in one another are joined by macros of their own. */
#define JOIN_SLOTS_(a, b) a##b
#define JOIN_SLOTS(a, b) JOIN_SLOTS_(a, b)
#define JOIN_OPERANDS_(a, b) a##b
#define JOIN_OPERANDS(a, b) JOIN_OPERANDS_(a, b)

#define OPERAND(o, s) , __global STORAGE(O##o) *memory##o##_##s, const long offset##o##_##s
#define OPERANDS_1(s) OPERAND(0, s)
#define OPERANDS_2(s) OPERANDS_1(s) OPERAND(1, s)
#define OPERANDS_3(s) OPERANDS_2(s) OPERAND(2, s)
#define OPERANDS_4(s) OPERANDS_3(s) OPERAND(3, s)
#define OPERANDS_5(s) OPERANDS_4(s) OPERAND(4, s)
#define OPERANDS_6(s) OPERANDS_5(s) OPERAND(5, s)
#define SLOT(s) , const long first##s, const long count##s JOIN_OPERANDS(OPERANDS_, OPERANDS)(s)

#define DECLARE(o)               \
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
  at##o = offset##o##_##s;
#define PICK_1(s) PICK(0, s)
#define PICK_2(s) PICK_1(s) PICK(1, s)
#define PICK_3(s) PICK_2(s) PICK(2, s)
#define PICK_4(s) PICK_3(s) PICK(3, s)
#define PICK_5(s) PICK_4(s) PICK(4, s)
#define PICK_6(s) PICK_5(s) PICK(5, s)
#define TAKE(s)                          \
  if (group >= first##s) {               \
    first = first##s;                    \
    count = count##s;                    \
    JOIN_OPERANDS(PICK_, OPERANDS)(s)       \
  }

#define SLOTS_1(X) X(0)
#define SLOTS_2(X) SLOTS_1(X) X(1)
#define SLOTS_3(X) SLOTS_2(X) X(2)
#define SLOTS_4(X) SLOTS_3(X) X(3)
#define SLOTS_5(X) SLOTS_4(X) X(4)
#define SLOTS_6(X) SLOTS_5(X) X(5)
#define SLOTS_7(X) SLOTS_6(X) X(6)
#define SLOTS_8(X) SLOTS_7(X) X(7)

/* The last parameters of a kernel. */
#define GROUP_ARGUMENTS JOIN_SLOTS(SLOTS_, SLOTS)(SLOT)
/* Sets m0, at0 ... to the operands of this work group, and [begin, end) to its elements. */
#define TAKE_GROUP                                                  \
  const long group = get_group_id(0);                               \
  long first = 0, count = 0;                                        \
  JOIN_OPERANDS(DECLARE_, OPERANDS)                                    \
  JOIN_SLOTS(SLOTS_, SLOTS)(TAKE)                                   \
  const long begin = (group - first) * ELEMENTS;                    \
  const long end = min(count, begin + (long)ELEMENTS);
#define FOR_ELEMENT(i) for (long i = begin + get_local_id(0); i < end; i += get_local_size(0))
/* Element i of operand o of dtype X. */
#define GET(X, o, i) LOAD(X, NETCL_JOIN(m, o), NETCL_JOIN(at, o) + i)
#define PUT(X, value, o, i) STORE(X, value, NETCL_JOIN(m, o), NETCL_JOIN(at, o) + i)
