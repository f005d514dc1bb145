/* The register tile of the convolutions for CPUs that are matrix products: NETCL_ROWS filters by
 * one, two or three vectors. It follows conv2d_cpu.cl. */

#if NETCL_ROWS == 8
#define NETCL_EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#else
#define NETCL_EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3)
#endif

/* One, two or three vectors wide. */
#define NETCL_DECLARE_1(i) NETCL_V r##i = 0;
#define NETCL_DECLARE_2(i) NETCL_DECLARE_1(i) NETCL_V s##i = 0;
#define NETCL_DECLARE_3(i) NETCL_DECLARE_2(i) NETCL_V t##i = 0;
#define NETCL_FETCH_1(p) const NETCL_V b0 = NETCL_VLOAD(0, p);
#define NETCL_FETCH_2(p) NETCL_FETCH_1(p) const NETCL_V b1 = NETCL_VLOAD(0, (p) + NETCL_W);
#define NETCL_FETCH_3(p) NETCL_FETCH_2(p) const NETCL_V b2 = NETCL_VLOAD(0, (p) + 2 * NETCL_W);
#define NETCL_ADD_1(i) r##i = fma(v, b0, r##i);
#define NETCL_ADD_2(i) NETCL_ADD_1(i) s##i = fma(v, b1, s##i);
#define NETCL_ADD_3(i) NETCL_ADD_2(i) t##i = fma(v, b2, t##i);
#define NETCL_MULTIPLY_1(i) { const NETCL_V v = (NETCL_V)(a[i]); NETCL_ADD_1(i) }
#define NETCL_MULTIPLY_2(i) { const NETCL_V v = (NETCL_V)(a[i]); NETCL_ADD_2(i) }
#define NETCL_MULTIPLY_3(i) { const NETCL_V v = (NETCL_V)(a[i]); NETCL_ADD_3(i) }
#define NETCL_KEEP_1(i) NETCL_VSTORE(r##i, 0, sums + (i) * pitch);
#define NETCL_KEEP_2(i) NETCL_KEEP_1(i) NETCL_VSTORE(s##i, 0, sums + (i) * pitch + NETCL_W);
#define NETCL_KEEP_3(i) NETCL_KEEP_2(i) NETCL_VSTORE(t##i, 0, sums + (i) * pitch + 2 * NETCL_W);

/* netcl_tile: sums[i][j] = sum over p of a[p * NETCL_ROWS + i] * b[p * b_pitch + j].
 * netcl_taps: the same over c and t of a[(c * taps_count + t) * NETCL_ROWS + i] *
 * b[c * channel_pitch + taps[t] + j]. */
#define NETCL_DEFINE_TILES(K)                                                                   \
  inline void netcl_tile_##K(const __global NETCL_T *a, const __global NETCL_T *b, long depth,  \
                             long b_pitch, __global NETCL_T *sums, long pitch) {                \
    NETCL_EACH_ROW(NETCL_DECLARE_##K)                                                           \
    for (long p = 0; p < depth; ++p, a += NETCL_ROWS, b += b_pitch) {                           \
      NETCL_FETCH_##K(b) NETCL_EACH_ROW(NETCL_MULTIPLY_##K)                                     \
    }                                                                                           \
    NETCL_EACH_ROW(NETCL_KEEP_##K)                                                              \
  }                                                                                             \
  inline void netcl_taps_##K(const __global NETCL_T *a, const __global NETCL_T *b,              \
                             long channels, long channel_pitch, const __global int *taps,       \
                             int taps_count, __global NETCL_T *sums, long pitch) {              \
    NETCL_EACH_ROW(NETCL_DECLARE_##K)                                                           \
    for (long c = 0; c < channels; ++c, b += channel_pitch) {                                   \
      for (int t = 0; t < taps_count; ++t, a += NETCL_ROWS) {                                   \
        const __global NETCL_T *const at = b + taps[t];                                         \
        NETCL_FETCH_##K(at) NETCL_EACH_ROW(NETCL_MULTIPLY_##K)                                  \
      }                                                                                         \
    }                                                                                           \
    NETCL_EACH_ROW(NETCL_KEEP_##K)                                                              \
  }
NETCL_DEFINE_TILES(1)
NETCL_DEFINE_TILES(2)
NETCL_DEFINE_TILES(3)

/* Up to NETCL_COLUMNS columns; whole vectors are written. */
inline void netcl_tile(int columns, const __global NETCL_T *a, const __global NETCL_T *b,
                       long depth, long b_pitch, __global NETCL_T *sums, long pitch) {
  if (columns > 2 * NETCL_W) {
    netcl_tile_3(a, b, depth, b_pitch, sums, pitch);
  } else if (columns > NETCL_W) {
    netcl_tile_2(a, b, depth, b_pitch, sums, pitch);
  } else {
    netcl_tile_1(a, b, depth, b_pitch, sums, pitch);
  }
}

inline void netcl_taps(int columns, const __global NETCL_T *a, const __global NETCL_T *b,
                       long channels, long channel_pitch, const __global int *taps,
                       int taps_count, __global NETCL_T *sums, long pitch) {
  if (columns > 2 * NETCL_W) {
    netcl_taps_3(a, b, channels, channel_pitch, taps, taps_count, sums, pitch);
  } else if (columns > NETCL_W) {
    netcl_taps_2(a, b, channels, channel_pitch, taps, taps_count, sums, pitch);
  } else {
    netcl_taps_1(a, b, channels, channel_pitch, taps, taps_count, sums, pitch);
  }
}
