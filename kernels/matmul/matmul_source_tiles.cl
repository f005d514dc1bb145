/* A work-group computes TILE_M x TILE_N elements of c from tiles of a and b in local memory, and
 * each of its work-items WORK_M x WORK_N of them in registers. The columns of an item lie in runs
 * of WIDTH. With BUFFERS 2 the next tiles are loaded while the current ones are multiplied. */
#define LOCAL_X (TILE_N / WORK_N)
#define LOCAL_Y (TILE_M / WORK_M)
#define ITEMS (LOCAL_X * LOCAL_Y)
#define COLUMN(j) ((j) / WIDTH * (LOCAL_X * WIDTH) + x * WIDTH + (j) % WIDTH)
#define ROW(i) (y + LOCAL_Y * (i))

/* Zeros stand for what lies beyond the matrices. WIDTH divides K and N when it is not 1. */
#define LOAD_TILES(into, first)                                                                  \
  for (int e = item * WIDTH; e < TILE_M * TILE_K; e += ITEMS * WIDTH) {                          \
    const int line = e / TILE_K;                                                                 \
    const int step = e % TILE_K;                                                                 \
    const bool inside = row_first + line < M && (first) + step < K;                              \
    for (int v = 0; v < WIDTH; ++v) {                                                            \
      tile_a[into][step + v][line] =                                                             \
          inside ? READ(a, (row_first + line) * K + (first) + step + v) : (ACC)0;                \
    }                                                                                            \
  }                                                                                              \
  for (int e = item * WIDTH; e < TILE_K * TILE_N; e += ITEMS * WIDTH) {                          \
    const int step = e / TILE_N;                                                                 \
    const int line = e % TILE_N;                                                                 \
    const bool inside = (first) + step < K && column_first + line < N;                           \
    for (int v = 0; v < WIDTH; ++v) {                                                            \
      tile_b[into][step][line + v] =                                                             \
          inside ? READ(b, ((first) + step) * N + column_first + line + v) : (ACC)0;             \
    }                                                                                            \
  }

__kernel __attribute__((reqd_work_group_size(LOCAL_X, LOCAL_Y, 1))) void NETCL_KERNEL(
    __global const T *a, __global const T *b, __global T *c) {
  __local ACC tile_a[BUFFERS][TILE_K][TILE_M + 1];
  __local ACC tile_b[BUFFERS][TILE_K][TILE_N];
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const int item = y * LOCAL_X + x;
  const INDEX row_first = (INDEX)get_group_id(1) * TILE_M;
  const INDEX column_first = (INDEX)get_group_id(0) * TILE_N;
  ACC sums[WORK_M][WORK_N];
  int now = 0;
  for (int i = 0; i < WORK_M; ++i) {
    for (int j = 0; j < WORK_N; ++j) sums[i][j] = 0;
  }
#if BUFFERS == 2
  LOAD_TILES(0, 0)
#endif
  for (INDEX first = 0; first < K; first += TILE_K) {
#if BUFFERS == 2
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + TILE_K < K) {
      LOAD_TILES(1 - now, first + TILE_K)
    }
#else
    LOAD_TILES(0, first)
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int p = 0; p < TILE_K; ++p) {
      ACC u[WORK_M];
      ACC v[WORK_N];
      for (int i = 0; i < WORK_M; ++i) u[i] = tile_a[now][p][ROW(i)];
      for (int j = 0; j < WORK_N; ++j) v[j] = tile_b[now][p][COLUMN(j)];
      for (int i = 0; i < WORK_M; ++i) {
        for (int j = 0; j < WORK_N; ++j) sums[i][j] = fma(u[i], v[j], sums[i][j]);
      }
    }
#if BUFFERS == 2
    now = 1 - now;
#else
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  for (int i = 0; i < WORK_M; ++i) {
    for (int j = 0; j < WORK_N; ++j) {
      const INDEX row = row_first + ROW(i);
      const INDEX column = column_first + COLUMN(j);
      if (row < M && column < N) WRITE(c, row * N + column, sums[i][j]);
    }
  }
}
