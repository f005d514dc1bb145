/* Reducers, of one rank; see support_handles.h. */
#include "support_handle_calls.h"

#define GROUP(i) ((netcl_group *)h[i])
#define REDUCER(i) ((netcl_reducer *)h[i])

#define CASES(C, R, N)                                                              \
  C(netcl_reducer_create, "l", GROUP(0), NULL, out())                               \
  C(netcl_reducer_retain, "j", REDUCER(0))                                          \
  R(netcl_reducer_release, "j", REDUCER(0))                                         \
  C(netcl_reducer_get_info, "j", REDUCER(0), info(sizeof(netcl_reducer_info)))      \
  C(netcl_reducer_wait, "j", REDUCER(0), 0)

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleReducerCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleReducerCasesCount = COUNT_OF(kHandleReducerCases);
