/* Scans in which an item goes along a line, or a chunk of one. Items of neighbouring lines are
 * neighbours, which suits GPUs when the lines lie side by side, and CPUs always.
 *
 *   WIDE   1: elements of both lines are packed and are 16 at a time in registers (CPUs) */
#include "scan_fold.cl"

#define BLOCK 16

#if WIDE
#define ACC16 NETCL_JOIN(ACC, 16)
/* A vector that begins at any element: PoCL's vload16 is eight loads of pairs. */
typedef ACC16 Loose16 __attribute__((aligned(sizeof(ACC))));
#define SHIFTED1(first, v) (ACC16)((first), v.s0, v.s12, v.s3456, v.s789abcde)
/* The running values of 16 elements. */
inline ACC16 scan16(ACC16 v) {
  const NETCL_JOIN(ACC, 2) two = (NETCL_JOIN(ACC, 2))(NEUTRAL);
  const NETCL_JOIN(ACC, 4) four = (NETCL_JOIN(ACC, 4))(NEUTRAL);
  const NETCL_JOIN(ACC, 8) eight = (NETCL_JOIN(ACC, 8))(NEUTRAL);
  const ACC16 a = SHIFTED1(NEUTRAL, v);
  v = JOIN_VECTOR(a, v);
  const ACC16 b = (ACC16)(two, v.s01, v.s2345, v.s6789abcd);
  v = JOIN_VECTOR(b, v);
  const ACC16 c = (ACC16)(four, v.s0123, v.s456789ab);
  v = JOIN_VECTOR(c, v);
  const ACC16 d = (ACC16)(eight, v.s01234567);
  return JOIN_VECTOR(d, v);
}

/* 64 elements; gives their total back. */
inline ACC scan64(Source elements, Target results, ACC before) {
  const __global Loose16* const x = (const __global Loose16*)elements;
  ACC16 a = scan16(x[0]), b = scan16(x[1]), c = scan16(x[2]), d = scan16(x[3]);
  const ACC16 to_b = (ACC16)(a.sf);
  b = JOIN_VECTOR(to_b, b);
  const ACC16 to_d = (ACC16)(c.sf);
  d = JOIN_VECTOR(to_d, d);
  const ACC16 to_cd = (ACC16)(b.sf);
  c = JOIN_VECTOR(to_cd, c);
  d = JOIN_VECTOR(to_cd, d);
#if STAGE == 2
  const ACC16 start = (ACC16)(before);
#if EXCLUSIVE
  const ACC16 e = SHIFTED1(NEUTRAL, a), f = SHIFTED1(a.sf, b);
  const ACC16 g = SHIFTED1(b.sf, c), h = SHIFTED1(c.sf, d);
#else
  const ACC16 e = a, f = b, g = c, h = d;
#endif
  __global Loose16* const out = (__global Loose16*)results;
  out[0] = JOIN_VECTOR(start, e);
  out[1] = JOIN_VECTOR(start, f);
  out[2] = JOIN_VECTOR(start, g);
  out[3] = JOIN_VECTOR(start, h);
#endif
  return d.sf;
}
#endif

/* A chunk of a line with what is before it; gives the state of the chunk alone back. */
inline State scan_chunk(Source x, long x_stride, Target out, long out_stride, long n,
                        State before) {
  State chunk = state_start();
  long i = 0;
#if WIDE
  for (; i + 64 <= n; i += 64) {
    const ACC start = state_total(state_join(before, chunk));
    chunk = state_add(chunk, scan64(x + i, out + i, start));
  }
#endif
  for (; i < n; i += BLOCK) {
    const long end = min(n, i + BLOCK);
    ACC running = state_total(state_join(before, chunk));
    ACC block = NEUTRAL;
    for (long k = i; k < end; ++k) {
      const ACC element = (ACC)LOAD(X, x, k * x_stride);
      block = JOIN(block, element);
#if STAGE == 2
      const ACC next = JOIN(running, element);
      STORE(X, (COMPUTE(X))(EXCLUSIVE ? running : next), out, k * out_stride);
      running = next;
#endif
    }
    chunk = state_add(chunk, block);
  }
  return chunk;
}

__kernel void
#if STAGE == 0
netcl_scan_totals
#elif STAGE == 1
netcl_scan_offsets
#else
netcl_scan_lines
#endif
    (Source x, const Layout x_lines, long x_stride, Target out, const Layout out_lines,
     long out_stride, long count, long lines, long chunk, long chunks, __global ACC* states) {
  const long id = get_global_id(0);
#if STAGE == 1
  if (id >= lines) return;
  State before = state_start();
  for (long c = 0; c < chunks; ++c) {
    const State next = state_kept(states, c * lines + id, lines * chunks);
    state_keep(before, states, c * lines + id, lines * chunks);
    before = state_join(before, next);
  }
#else
  if (id >= lines * chunks) return;
  const long line = id % lines, begin = id / lines * chunk;
  const long n = min(chunk, count - begin);
  State before = state_start();
#if STAGE == 2
  if (chunks > 1) before = state_kept(states, id, lines * chunks);
#endif
  const State total = scan_chunk(x + netcl_at(&x_lines, line) + begin * x_stride, x_stride,
                                 out + netcl_at(&out_lines, line) + begin * out_stride,
                                 out_stride, n, before);
#if STAGE == 0
  state_keep(total, states, id, lines * chunks);
#endif
#endif
}
