/* One work-item computes WORK_M x WORK_N elements of c in vectors of its own: for CPUs. */
#define CHUNKS (WORK_N / WIDTH)

__kernel __attribute__((reqd_work_group_size(LOCAL_X, LOCAL_Y, 1))) void NETCL_KERNEL(
    __global const T *a, __global const T *b, __global T *c) {
  const INDEX row_first = (INDEX)get_global_id(1) * WORK_M;
  const INDEX column_first = (INDEX)get_global_id(0) * WORK_N;
  VECTOR sums[WORK_M][CHUNKS];
  for (int i = 0; i < WORK_M; ++i) {
    for (int j = 0; j < CHUNKS; ++j) sums[i][j] = 0;
  }
  if (row_first >= M || column_first >= N) return;
  /* Rows and columns beyond the matrices repeat the last ones, and are not written. */
  for (INDEX p = 0; p < K; ++p) {
    VECTOR y[CHUNKS];
    ACC line[WORK_N];
    for (int j = 0; j < WORK_N; ++j) {
      line[j] = READ(b, p * N + min(column_first + j, (INDEX)(N - 1)));
    }
    for (int j = 0; j < CHUNKS; ++j) y[j] = VLOAD(j, line);
    for (int i = 0; i < WORK_M; ++i) {
      const VECTOR x = (VECTOR)(READ(a, min(row_first + i, (INDEX)(M - 1)) * K + p));
      for (int j = 0; j < CHUNKS; ++j) sums[i][j] = fma(x, y[j], sums[i][j]);
    }
  }
  for (int i = 0; i < WORK_M && row_first + i < M; ++i) {
    ACC line[WORK_N];
    for (int j = 0; j < CHUNKS; ++j) VSTORE(sums[i][j], j, line);
    for (int j = 0; j < WORK_N && column_first + j < N; ++j) {
      WRITE(c, (row_first + i) * N + column_first + j, line[j]);
    }
  }
}
