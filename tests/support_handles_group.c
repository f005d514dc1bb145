/* Groups, of one rank; see support_handles.h. */
#include "support_handle_calls.h"

#define GROUP(i) ((netcl_group *)h[i])

static const uint32_t kColors[1] = {0};
static const int64_t kCounts[1] = {2};

#define CASES(C, R, N)                                                                         \
  C(netcl_group_join, "d", DEVICE(0), "meet", 0, 1, NULL, out())                               \
  C(netcl_group_create_local, "d", handle_array(h[0], NULL), 1, NULL, out())                \
  C(netcl_group_create_mpi, "d", DEVICE(0), NETCL_MPI_WORLD, NULL, out())                      \
  C(netcl_group_retain, "l", GROUP(0))                                                         \
  R(netcl_group_release, "l", GROUP(0))                                                        \
  C(netcl_group_split, "l", GROUP(0), kColors, 1, out())                                       \
  C(netcl_group_get_info, "l", GROUP(0), info(sizeof(netcl_group_info)))                       \
  C(netcl_group_get_device, "l", GROUP(0), out())                                              \
  C(netcl_group_describe_device, "l", GROUP(0), 0, info(sizeof(netcl_device_info)))            \
  C(netcl_group_get_error, "l", GROUP(0), info(sizeof(netcl_error_info)))                      \
  C(netcl_group_barrier, "lQe", GROUP(0), run_options(h[1], NULL, h[2]))                       \
  C(netcl_group_all_reduce, "lttQe", GROUP(0), TENSOR(1), TENSOR(2), NETCL_REDUCTION_SUM,      \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_reduce, "lttQe", GROUP(0), TENSOR(1), TENSOR(2), NETCL_REDUCTION_SUM, 0,       \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_broadcast, "ltQe", GROUP(0), TENSOR(1), 0, run_options(h[2], NULL, h[3]))      \
  C(netcl_group_all_gather, "lttQe", GROUP(0), TENSOR(1), TENSOR(2),                           \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_gather, "lttQe", GROUP(0), TENSOR(1), TENSOR(2), 0,                            \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_scatter, "lttQe", GROUP(0), TENSOR(1), TENSOR(2), 0,                           \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_reduce_scatter, "lttQe", GROUP(0), TENSOR(1), TENSOR(2), NETCL_REDUCTION_SUM,  \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_all_to_all, "lttQe", GROUP(0), TENSOR(1), kCounts, 1, TENSOR(2),               \
    run_options(h[3], NULL, h[4]))                                                             \
  C(netcl_group_send, "lt", GROUP(0), TENSOR(1), 1, NULL)                                      \
  C(netcl_group_receive, "lt", GROUP(0), TENSOR(1), 1, NULL)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleGroupCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleGroupCasesCount = COUNT_OF(kHandleGroupCases);
