/* Scans in which an item goes along a line, or a chunk of one. Items of neighbouring lines are
 * neighbours, which suits lines that lie side by side. */
#include "scan_fold.cl"

#define BLOCK 16

/* A chunk of a line with what is before it; gives the state of the chunk alone back. */
inline State scan_chunk(Source x, long x_stride, Target out, long out_stride, long n,
                        State before) {
  State chunk = state_start();
  for (long i = 0; i < n; i += BLOCK) {
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
