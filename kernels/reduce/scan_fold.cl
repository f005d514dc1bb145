/* How elements of a scan are read, joined and written; the scan_*.cl files bring the loops.
 *
 *   X            name of the dtype of x and the result
 *   ACC          what it is computed in: float, double, int, uint, long, ulong
 *   REAL         1: ACC is a float type
 *   FOLD         0 sum, 1 product, 2 largest, 3 smallest
 *   LOWEST, HIGHEST  of an integer dtype
 *   EXCLUSIVE    1: the value before an element instead of the one after it
 *   STAGE        0 the totals of chunks, 1 what is before each, 2 the result
 *
 * A running value is that of the chunks before, the blocks of the chunk before, and a few elements.
 * Sums of floats keep what rounding took away in `extra`, for chunks and blocks. */
#include "prelude.cl"

#define COMPENSATED (REAL && FOLD == 0)

typedef const __global STORAGE(X)* Source;
typedef __global STORAGE(X)* Target;

#if FOLD == 0
#define NEUTRAL ((ACC)0)
#define JOIN(a, b) ((a) + (b))
#define JOIN_VECTOR(a, b) ((a) + (b))
#elif FOLD == 1
#define NEUTRAL ((ACC)1)
#define JOIN(a, b) ((a) * (b))
#define JOIN_VECTOR(a, b) ((a) * (b))
#elif REAL /* a NaN on either side wins */
#if FOLD == 2
#define NEUTRAL ((ACC)(-INFINITY))
#define AHEAD(a, b) ((a) >= (b))
#else
#define NEUTRAL ((ACC)INFINITY)
#define AHEAD(a, b) ((a) <= (b))
#endif
#define JOIN(a, b) (AHEAD(a, b) || (a) != (a) ? (a) : (b))
#define JOIN_VECTOR(a, b) select((b), (a), AHEAD(a, b) | ((a) != (a)))
#elif FOLD == 2
#define NEUTRAL LOWEST
#define JOIN(a, b) max((a), (b))
#define JOIN_VECTOR(a, b) max((a), (b))
#else
#define NEUTRAL HIGHEST
#define JOIN(a, b) min((a), (b))
#define JOIN_VECTOR(a, b) min((a), (b))
#endif

typedef struct {
  ACC value;
  ACC extra;
} State;

inline State state_start(void) {
  State s;
  s.value = NEUTRAL;
  s.extra = (ACC)0;
  return s;
}
inline State state_add(State s, ACC b) {
#if COMPENSATED
  const ACC total = s.value + b;
  const ACC taken = total - s.value;
  s.extra += (s.value - (total - taken)) + (b - taken);
  s.value = total;
#else
  s.value = JOIN(s.value, b);
#endif
  return s;
}
inline State state_join(State a, State b) {
  a = state_add(a, b.value);
  a.extra += b.extra;
  return a;
}
inline ACC state_total(State s) {
#if COMPENSATED
  /* An infinity or NaN leaves no remainder that could be used. */
  if (s.extra - s.extra == 0) return s.value + s.extra;
#endif
  return s.value;
}

inline State state_kept(const __global ACC* states, long slot, long slots) {
  State s = state_start();
  s.value = states[slot];
#if COMPENSATED
  s.extra = states[slots + slot];
#endif
  return s;
}
inline void state_keep(State s, __global ACC* states, long slot, long slots) {
  states[slot] = s.value;
#if COMPENSATED
  states[slots + slot] = s.extra;
#endif
}
