/* Tensors with strides of every kind, for tests of ops. */
#ifndef NETCL_TESTS_SUPPORT_STRIDED_H
#define NETCL_TESTS_SUPPORT_STRIDED_H

#include "support.h"

/* A view with holes around its elements, in memory that was poisoned. */
typedef struct Strided {
  netcl_tensor* base;
  netcl_tensor* view;
} Strided;

/* Makes a view of this shape: packed, or permuted, reversed and with steps, as chance has it. With
 * data (C order) the view holds it. */
Strided make_strided(netcl_device* device, netcl_dtype dtype, uint32_t rank, const int64_t* shape,
                     const void* data);
void release_strided(Strided* strided);
/* Checks the elements against C-order data, and that nothing was written beside them. */
#define CHECK_STRIDED(strided, data) check_strided((strided), (data), __FILE__, __LINE__)
void check_strided(const Strided* strided, const void* data, const char* file, int line);

/* Random bits of any dtype; bool gets 0 and 1. */
void fill_bits(netcl_dtype dtype, void* data, int64_t count);

/* Index in C order and coordinates. */
void unravel(uint32_t rank, const int64_t* shape, int64_t flat, int64_t* at);
int64_t ravel(uint32_t rank, const int64_t* shape, const int64_t* at);

#endif
