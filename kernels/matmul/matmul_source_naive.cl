/* One work-item per element of c. */
__kernel __attribute__((reqd_work_group_size(LOCAL_X, LOCAL_Y, 1))) void NETCL_KERNEL(
    __global const T *a, __global const T *b, __global T *c) {
  const INDEX column = (INDEX)get_global_id(0);
  const INDEX row = (INDEX)get_global_id(1);
  if (row < M && column < N) {
    ACC sum = 0;
    for (INDEX p = 0; p < K; ++p) sum = fma(READ(a, row * K + p), READ(b, p * N + column), sum);
    WRITE(c, row * N + column, sum);
  }
}
