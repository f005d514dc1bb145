/* Helpers of tests of sharded tensors: layouts, tensors of known values, and what they hold. */
#ifndef NETCL_TESTS_SUPPORT_SHARDED_H
#define NETCL_TESTS_SUPPORT_SHARDED_H

#include "support_group.h"

/* How a tensor lies, as tests write it down. */
typedef struct Lay {
  uint32_t mesh_rank;
  uint32_t mesh[NETCL_MESH_RANK_MAX];
  int32_t axes[NETCL_MESH_RANK_MAX];
} Lay;
netcl_sharding_options lay_options(const Lay* lay);

/* The value of the element at a C-order place of the whole. */
typedef double (*WholeValue)(int64_t place);
double counted_value(int64_t place); /* the place itself */
double small_whole(int64_t place);   /* -3 to 3, in halves */

/* In a body, NULL for failure: a sharded tensor of blocks that this rank fills. */
netcl_sharded* shard_values(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                            const Lay* lay, WholeValue value);
/* The same values as one tensor of this rank. */
netcl_tensor* whole_values(Rank* rank, netcl_dtype dtype, uint32_t dims, const int64_t* shape,
                           WholeValue value);
/* Whether the block is where it should be and has the elements of a whole, given as doubles, each
 * within `bound` of it. A bound of 0 wants them equal. */
int shard_holds(Rank* rank, const netcl_sharded* sharded, uint32_t dims, const int64_t* shape,
                const double* whole, double bound);
/* The same beside a tensor that this rank made of the wholes. */
int shard_is(Rank* rank, const netcl_sharded* sharded, const netcl_tensor* whole, double bound);
/* The elements of a tensor as doubles; NULL for failure. */
double* tensor_doubles(const netcl_tensor* tensor);
/* The number behind a text of the explanation, -1 where it is not there. */
long long explained(const netcl_sharded* sharded, const char* text);
int explains(const netcl_sharded* sharded, const char* text);

#endif
