/*
 * What makes netcl.h shorter to use from C99 and later: arguments of kernels, lists that are
 * written where they are passed, views of rows, and handles that are released at the end of their
 * block.
 * Programs of C++ have more of this in netcl.hpp.
 *
 *     netcl_tensor *multiplied(netcl_kernel *kernel, netcl_tensor *x, float factor) {
 *       NETCL_SCOPED(device) device = NULL;
 *       NETCL_SCOPED(tensor) y = NULL;
 *       if (netcl_tensor_get_device(x, &device) != NETCL_OK) return NULL;
 *       if (netcl_tensor_create_zeros(device, NETCL_F32, NETCL_SHAPE(4096), NULL, &y) ||
 *           netcl_kernel_launch(kernel, NETCL_LIST(uint64_t, 4096), NULL, 0,
 *                               NETCL_ARGS(netcl_arg_read_only(x), netcl_arg_tensor(y),
 *                                          netcl_arg_f32(factor)), NULL, NULL)) {
 *         return NULL;               // the device and y are released here
 *       }
 *       return netcl_keep_tensor(&y);  // and here the device alone
 *     }
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_HELPERS_H
#define NETCL_HELPERS_H

#include <netcl.h>
#include <string.h>

#include <netcl/generated/scope.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Blocks ---------------------------------------------------------------------------------- */

/**
 * Begins the declaration of a handle whose reference is given back when its block is left: at its
 * end, by return, break or goto, in the opposite order of the declarations, so children go before
 * their parents. It has to begin as NULL or as a reference that the block owns. Declare one per
 * line: of `NETCL_SCOPED(tensor) a = NULL, b = NULL;` b is no pointer, and does not compile.
 * netcl_keep_X(&handle) takes the reference out, to be returned or stored. An assignment would lose
 * what the handle holds: netcl_replace_X(&handle, made) gives that back first, as in a loop that
 * makes the next of something. It costs the call of netcl_X_release, holds on any thread and in
 * blocks within blocks, and changes no last error. longjmp past the block does not release. An
 * attribute of gcc and clang.
 */
#define NETCL_SCOPED(type) __attribute__((cleanup(netcl_leave_##type))) netcl_##type *

/**
 * Declares an array of handles, of NULLs to begin with, that gives back what it holds when its
 * block is left, the last one first: NETCL_SCOPED_ARRAY(tensor, gradients, 6). `count` is a
 * constant. netcl_clear_X(handles, count) does so at once, and leaves NULLs: before the array is
 * filled again.
 */
#define NETCL_SCOPED_ARRAY(type, name, count)                               \
  netcl_##type *name[count] = {NULL};                                       \
  __attribute__((cleanup(netcl_leave_##type##_array), unused))              \
      netcl_##type##_array name##_scope = {name, (count)}

/* ---- Lists ----------------------------------------------------------------------------------- */

#ifndef __cplusplus
/** A list and its count, two arguments of a call: NETCL_LIST(int32_t, 0, 1). It lives to the end of
 * the block. The entries are evaluated once. */
#define NETCL_LIST(type, ...) \
  ((type const[]){__VA_ARGS__}), ((uint32_t)(sizeof((type const[]){__VA_ARGS__}) / sizeof(type)))
/** Tensors with their count. */
#define NETCL_TENSORS(...) NETCL_LIST(netcl_tensor *, __VA_ARGS__)
/** Arguments of a kernel with their count. */
#define NETCL_ARGS(...) NETCL_LIST(netcl_arg, __VA_ARGS__)
/** Rank, shape and no strides, three arguments of a call: NETCL_SHAPE(2, 3). Not for rank 0. */
#define NETCL_SHAPE(...) \
  ((uint32_t)(sizeof((int64_t const[]){__VA_ARGS__}) / sizeof(int64_t))), \
      ((int64_t const[]){__VA_ARGS__}), NULL
#endif

/* ---- Views ----------------------------------------------------------------------------------- */

/** Views `count` entries of the first dimension from `start` on, and all of the others: a batch of
 * samples, some rows. INVALID_ARGUMENT as netcl_tensor_slice. @param[out] view one reference */
static inline netcl_status netcl_tensor_rows(netcl_tensor *tensor, int64_t start, int64_t count,
                                             netcl_tensor **view) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_range ranges[NETCL_RANK_MAX];
  netcl_status status = netcl_tensor_get_info(tensor, &info);
  if (status != NETCL_OK) return status;
  for (uint32_t i = 0; i < info.rank; i++) {
    ranges[i].start = 0;
    ranges[i].extent = info.shape[i];
    ranges[i].step = 1;
  }
  ranges[0].start = start;
  ranges[0].extent = count;
  ranges[0].step = 1;
  return netcl_tensor_slice(tensor, ranges, info.rank > 0 ? info.rank : 1, view);
}

/* ---- Arguments of kernels -------------------------------------------------------------------- */

/** A tensor, which the kernel writes unless its parameter is const. */
static inline netcl_arg netcl_arg_tensor(netcl_tensor *tensor) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = tensor;
  return arg;
}

/** A tensor that the kernel only reads. */
static inline netcl_arg netcl_arg_read_only(netcl_tensor *tensor) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_TENSOR_READ_ONLY;
  arg.tensor = tensor;
  return arg;
}

/**
 * A vector or struct of `size` bytes, 1 to 32, which are copied. With another size the argument has
 * none, which launches refuse.
 */
static inline netcl_arg netcl_arg_value(const void *value, uint32_t size) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_SCALAR;
  if (size > sizeof arg.value) return arg;
  arg.size = size;
  memcpy(arg.value, value, size);
  return arg;
}

/** `size` bytes of any number at `data`, which have to stay until the launch has been made. */
static inline netcl_arg netcl_arg_data(const void *data, uint32_t size) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_DATA;
  arg.data = data;
  arg.size = size;
  return arg;
}

/** Local memory of `bytes` bytes. */
static inline netcl_arg netcl_arg_local(uint32_t bytes) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_LOCAL;
  arg.size = bytes;
  return arg;
}

/** A NULL buffer. */
static inline netcl_arg netcl_arg_null(void) {
  netcl_arg arg = NETCL_ARG_INIT;
  arg.kind = NETCL_ARG_NULL;
  return arg;
}

/** The same bytes, which the parameter takes for its own type. */
static inline netcl_arg netcl_arg_reinterpreted(netcl_arg arg) {
  arg.reinterpret = 1;
  return arg;
}

/* A number of each dtype: netcl_arg_f32(1.5f). f16 and bf16 take the bits, bool 0 or 1. */
#define NETCL_ARG_OF(name, type, of)                                  \
  static inline netcl_arg netcl_arg_##name(type value) {              \
    netcl_arg arg = netcl_arg_value(&value, (uint32_t)sizeof value);  \
    arg.dtype = of;                                                   \
    return arg;                                                       \
  }
NETCL_ARG_OF(f16, uint16_t, NETCL_F16)
NETCL_ARG_OF(bf16, uint16_t, NETCL_BF16)
NETCL_ARG_OF(f32, float, NETCL_F32)
NETCL_ARG_OF(f64, double, NETCL_F64)
NETCL_ARG_OF(i8, int8_t, NETCL_I8)
NETCL_ARG_OF(i16, int16_t, NETCL_I16)
NETCL_ARG_OF(i32, int32_t, NETCL_I32)
NETCL_ARG_OF(i64, int64_t, NETCL_I64)
NETCL_ARG_OF(u8, uint8_t, NETCL_U8)
NETCL_ARG_OF(u16, uint16_t, NETCL_U16)
NETCL_ARG_OF(u32, uint32_t, NETCL_U32)
NETCL_ARG_OF(u64, uint64_t, NETCL_U64)
NETCL_ARG_OF(bool, uint8_t, NETCL_BOOL)
#undef NETCL_ARG_OF

#ifdef __cplusplus
}
#endif

#endif /* NETCL_HELPERS_H */
