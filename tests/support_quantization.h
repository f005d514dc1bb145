/* References of quantisation in double precision, where every quotient and product of the dtypes is
 * rounded once to what the library computes in. */
#ifndef NETCL_TESTS_SUPPORT_QUANTIZATION_H
#define NETCL_TESTS_SUPPORT_QUANTIZATION_H

#include "support_strided.h"

/* A value rounded to a float dtype, to nearest even. */
double rounded_to(netcl_dtype dtype, double value);
int64_t lowest_of(netcl_dtype dtype);
int64_t highest_of(netcl_dtype dtype);
/* An element of an integer dtype. */
int64_t whole_number(netcl_dtype dtype, const void *data, int64_t index);
void store_whole(netcl_dtype dtype, void *data, int64_t index, int64_t value);
/* A rounded quotient with its zero point, saturated; NaN is the lowest number. */
int64_t quantised(double quotient, int64_t zero_point, netcl_dtype dtype);
/* i32 by i32 without any rounding before the last one. */
int64_t quantised_exactly(int64_t x, int64_t scale, int64_t zero_point, netcl_dtype dtype);
/* A sum of a product by its scales; each step is rounded to f32. */
int64_t requantised(int32_t sum, double left, double right, double y_scale, int64_t zero_point,
                    netcl_dtype dtype);

/* Scales between 2^-9 and 2, half of them powers of 2, so that quotients meet halves. */
double random_scale(netcl_dtype dtype);
/* One of a list of dtypes, by chance. */
#define ANY_OF(list) ((list)[random_in(0, (int64_t)COUNT_OF(list) - 1)])
extern const netcl_dtype kScaleDtypes[3];  /* f32, f16, bf16 */
extern const netcl_dtype kByteDtypes[2];   /* i8, u8 */

/* A tensor of one element, of rank 0 or with dimensions of 1. */
netcl_tensor *one_number(Fixture *fixture, netcl_dtype dtype, double value);
/* Random elements of any integer dtype; the ends of its range are among them. */
void fill_whole(netcl_dtype dtype, void *data, int64_t count);

#endif
