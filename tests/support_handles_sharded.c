/* Sharded tensors, of one rank; see support_handles.h. */
#include "support_handle_calls.h"

#define GROUP(i) ((netcl_group *)h[i])
#define SHARDED(i) ((netcl_sharded *)h[i])

static const int64_t kShape[2] = {2, 2};
static const int64_t kPads[4] = {1, 1, 1, 1};

static netcl_sharded *const *one_shard(void *sharded) {
  static netcl_sharded *list[1];
  list[0] = sharded;
  return list;
}

static const netcl_norm_options *scaled_by(void *scale) {
  static netcl_norm_options options;
  options = (netcl_norm_options)NETCL_NORM_OPTIONS_INIT;
  options.scale = scale;
  return &options;
}

#define CASES(C, R, N)                                                                          \
  C(netcl_group_describe_block, "l", GROUP(0), 0, 2, kShape, NULL, info(sizeof(netcl_block_info))) \
  C(netcl_sharded_create, "lt", GROUP(0), TENSOR(1), 2, kShape, NULL, out())                    \
  C(netcl_sharded_create_from_root, "ltQe", GROUP(0), TENSOR(1), 0, NULL,                       \
    run_options(h[2], NULL, h[3]), out())                                                       \
  C(netcl_sharded_retain, "6", SHARDED(0))                                                      \
  R(netcl_sharded_release, "6", SHARDED(0))                                                     \
  C(netcl_sharded_get_info, "6", SHARDED(0), info(sizeof(netcl_sharded_info)))                  \
  C(netcl_sharded_get_block, "6", SHARDED(0), out())                                            \
  C(netcl_sharded_explain, "6", SHARDED(0), out(), 16, NULL)                                    \
  C(netcl_sharded_redistribute, "6Qe", SHARDED(0), NULL, run_options(h[1], NULL, h[2]), out())  \
  C(netcl_sharded_gather, "6tQe", SHARDED(0), TENSOR(1), 0, run_options(h[2], NULL, h[3]))      \
  C(netcl_sharded_expression_text, "6Qe", "v0 + 1", one_shard(h[0]), 1, NULL,                   \
    run_options(h[1], NULL, h[2]), out())                                                       \
  C(netcl_sharded_reduce, "6Qe", SHARDED(0), NETCL_REDUCTION_SUM, NULL,                         \
    run_options(h[1], NULL, h[2]), out())                                                       \
  C(netcl_sharded_softmax, "6Qe", SHARDED(0), 1, run_options(h[1], NULL, h[2]), out())          \
  C(netcl_sharded_layernorm, "6TQe", SHARDED(0), 1, scaled_by(h[1]),                            \
    run_options(h[2], NULL, h[3]), out())                                                       \
  C(netcl_sharded_rmsnorm, "6TQe", SHARDED(0), 1, scaled_by(h[1]),                              \
    run_options(h[2], NULL, h[3]), out())                                                       \
  C(netcl_sharded_matmul, "66Qe", SHARDED(0), SHARDED(1), NULL, run_options(h[2], NULL, h[3]),  \
    out())                                                                                      \
  C(netcl_sharded_exchange_halo, "6QTe", SHARDED(0), kPads, 4, NULL,                            \
    run_options(h[1], h[2], h[3]), out())

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleShardedCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleShardedCasesCount = COUNT_OF(kHandleShardedCases);
