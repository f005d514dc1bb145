// c[M][N] = a[M][K] b[K][N]; BM x BN results a group, TM x TN an item, steps of BK, PAD columns
// beside the tiles, vectors of VW when they are loaded.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if VW == 1
typedef float V;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
typedef JOIN(float, VW) V;
#define LOAD(p) JOIN(vload, VW)(0, p)
#define STORE(v, p) JOIN(vstore, VW)(v, 0, p)
#endif
#define LX (BN / TN)
#define LY (BM / TM)
__kernel __attribute__((reqd_work_group_size(LX, LY, 1)))
void gemm(__global const float *a, __global const float *b, __global float *c, int m, int n,
          int k) {
  __local float as[BK][BM + PAD];
  __local float bs[BK][BN + PAD];
  const int lx = get_local_id(0), ly = get_local_id(1), item = ly * LX + lx;
  const int row = get_group_id(1) * BM, column = get_group_id(0) * BN;
  float acc[TM][TN];
  for (int i = 0; i < TM; ++i) {
    for (int j = 0; j < TN; ++j) acc[i][j] = 0;
  }
  for (int p = 0; p < k; p += BK) {
    for (int e = item * VW; e < BM * BK; e += LX * LY * VW) {
      const int r = e / BK, q = e % BK;
      const V v = LOAD(a + (long)(row + r) * k + p + q);
      const float *f = (const float *)&v;
      for (int s = 0; s < VW; ++s) as[q + s][r] = f[s];
    }
    for (int e = item * VW; e < BN * BK; e += LX * LY * VW) {
      const int q = e / BN, r = e % BN;
      STORE(LOAD(b + (long)(p + q) * n + column + r), &bs[q][r]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if UNROLL
#pragma unroll
#else
#pragma unroll 1
#endif
    for (int q = 0; q < BK; ++q) {
      float x[TM], y[TN];
      for (int i = 0; i < TM; ++i) x[i] = as[q][ly + i * LY];
      for (int j = 0; j < TN; ++j) y[j] = bs[q][lx + j * LX];
      for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) acc[i][j] = fma(x[i], y[j], acc[i][j]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < TM; ++i) {
    for (int j = 0; j < TN; ++j) {
      c[(long)(row + ly + i * LY) * n + column + lx + j * LX] = acc[i][j];
    }
  }
}
