/* How elements of a reduction are read, mapped and joined; the reduce_*.cl files bring the loops.
 *
 *   X, OUT      names of the dtypes in memory
 *   ACC         the type of accumulators: float, double, int, uint, long, ulong
 *   REAL        1: ACC is a float type
 *   FOLD        0 sum, 1 product, 2 largest, 3 smallest, 4 place of the largest, 5 of the smallest
 *   MAP         0 as it is, 1 square, 2 absolute value, 3 truth, 4 exp(x - shift)
 *   LAST        1: the last of equal extremes
 *   FINISH      0 nothing, 1 mean, 2 square root, 3 log, 4 shift + log, 5 the value or, when it is
 *               not finite, 0 */
#include "prelude.cl"

#define PLACE (FOLD >= 4)
#define COMPENSATED (REAL && FOLD == 0)
#define LARGEST (FOLD == 2 || FOLD == 4)

typedef const __global STORAGE(X)* Source;

#if FOLD == 0
#define NEUTRAL ((ACC)0)
#define JOIN(a, b) ((a) + (b))
#define JOIN_VECTOR(a, b) ((a) + (b))
#elif FOLD == 1
#define NEUTRAL ((ACC)1)
#define JOIN(a, b) ((a) * (b))
#define JOIN_VECTOR(a, b) ((a) * (b))
#elif REAL /* a NaN on either side wins */
#if LARGEST
#define NEUTRAL ((ACC)(-INFINITY))
#define AHEAD(a, b) ((a) > (b))
#else
#define NEUTRAL ((ACC)INFINITY)
#define AHEAD(a, b) ((a) < (b))
#endif
#define JOIN(a, b) (AHEAD(b, a) || (b) != (b) ? (b) : (a))
#define JOIN_VECTOR(a, b) select((a), (b), AHEAD(b, a) | ((b) != (b)))
#elif LARGEST
#define NEUTRAL LOWEST
#define JOIN(a, b) max((a), (b))
#define JOIN_VECTOR(a, b) max((a), (b))
#else
#define NEUTRAL HIGHEST
#define JOIN(a, b) min((a), (b))
#define JOIN_VECTOR(a, b) min((a), (b))
#endif

/* What is known of one output. Sums of floats keep what rounding took away in `extra`, so that the
 * number of blocks does not show in the error. */
typedef struct {
  ACC value;
  ACC extra;
  long place;
} State;

inline State state_start(void) {
  State s;
  s.value = NEUTRAL;
  s.extra = (ACC)0;
  s.place = -1;
  return s;
}

/* Adds the value of a block. */
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

#if PLACE
inline bool state_better(ACC a, long place_a, ACC b, long place_b) {
#if REAL
  const bool nan_a = isnan(a), nan_b = isnan(b);
  if (nan_a != nan_b) return nan_a;
  if (nan_a) return LAST ? place_a > place_b : place_a < place_b;
#endif
  if (a != b) return LARGEST ? a > b : a < b;
  return LAST ? place_a > place_b : place_a < place_b;
}
inline State state_take(State s, ACC value, long place) {
  if (s.place < 0 || state_better(value, place, s.value, s.place)) {
    s.value = value;
    s.place = place;
  }
  return s;
}
#endif

inline State state_join(State a, State b) {
#if PLACE
  return b.place < 0 ? a : state_take(a, b.value, b.place);
#else
  a = state_add(a, b.value);
  a.extra += b.extra;
  return a;
#endif
}

/* ---- Elements ---------------------------------------------------------------------------------*/

inline ACC element(Source x, long at, ACC shift) {
  const COMPUTE(X) v = LOAD(X, x, at);
#if MAP == 1
  return (ACC)v * (ACC)v;
#elif MAP == 2 && REAL
  return fabs((ACC)v);
#elif MAP == 2
  return (ACC)abs(v);
#elif MAP == 3
  return v != 0;
#elif MAP == 4
  return exp((ACC)v - shift);
#else
  return (ACC)v;
#endif
}

/* Four elements as they are computed in, from four in memory. A pointer to a vector is used where
 * the elements are aligned like one. */
#define PLAIN_VECTOR(X_, STORED, COMPUTED)   \
  typedef STORED##4 stored4_##X_;            \
  inline COMPUTED##4 widen4_##X_(STORED##4 v) { return convert_##COMPUTED##4(v); }
PLAIN_VECTOR(f32, float, float)
#ifdef NETCL_F64
PLAIN_VECTOR(f64, double, double)
#endif
PLAIN_VECTOR(i8, char, int)
PLAIN_VECTOR(i16, short, int)
PLAIN_VECTOR(i32, int, int)
PLAIN_VECTOR(i64, long, long)
PLAIN_VECTOR(u8, uchar, uint)
PLAIN_VECTOR(u16, ushort, uint)
PLAIN_VECTOR(u32, uint, uint)
PLAIN_VECTOR(u64, ulong, ulong)
typedef uchar4 stored4_bool;
inline int4 widen4_bool(uchar4 v) { return min(convert_int4(v), (int4)1); }
typedef ushort4 stored4_bf16;
inline float4 widen4_bf16(ushort4 v) { return as_float4(convert_uint4(v) << 16); }
typedef ushort4 stored4_f16;
inline float4 widen4_f16(ushort4 v) {
  /* By integers, so that no device needs half vectors and denormals stay. */
  const uint4 sign = (convert_uint4(v) & 0x8000u) << 16;
  const uint4 a = (convert_uint4(v) & 0x7fffu) << 13;
  const uint4 tiny = as_uint4(as_float4(a + (113u << 23)) - as_float4((uint4)(113u << 23)));
  uint4 m = select(a + (112u << 23), tiny, a < (uint4)(1u << 23));
  m = select(m, a | 0x7f800000u, a >= (uint4)(31u << 23));
  return as_float4(m | sign);
}

#define ACC4 NETCL_JOIN(ACC, 4)
#define STORED4 NETCL_JOIN(stored4_, X)
#define WIDEN4 NETCL_JOIN(widen4_, X)
#define CONVERT4 NETCL_JOIN(convert_, ACC4)

#if MAP == 1
#define MAPPED4(v, shift) (CONVERT4(v) * CONVERT4(v))
#elif MAP == 2 && REAL
#define MAPPED4(v, shift) fabs(CONVERT4(v))
#elif MAP == 2
#define MAPPED4(v, shift) CONVERT4(abs(v))
#elif MAP == 3
#define MAPPED4(v, shift) (CONVERT4((v) != 0) & 1)
#elif MAP == 4
#define MAPPED4(v, shift) exp(CONVERT4(v) - (shift))
#else
#define MAPPED4(v, shift) CONVERT4(v)
#endif

inline ACC joined4(ACC4 v) {
  const NETCL_JOIN(ACC, 2) two = JOIN_VECTOR(v.lo, v.hi);
  return JOIN(two.x, two.y);
}

/* ---- Results ----------------------------------------------------------------------------------*/

inline void state_write(State s, long output, long count, const __global ACC* shift,
                        __global STORAGE(OUT)* out, const Layout* out_layout) {
  const long at = netcl_at(out_layout, output);
#if PLACE
  STORE(OUT, s.place, out, at);
#else
  ACC total = s.value;
#if COMPENSATED
  /* An infinity or NaN leaves no remainder that could be used. */
  if (s.extra - s.extra == 0) total += s.extra;
#endif
#if FINISH == 1
  total /= (ACC)count;
#elif FINISH == 2
  total = sqrt(total);
#elif FINISH == 3
  total = log(total);
#elif FINISH == 4
  total = shift[output] + log(total);
#elif FINISH == 5
  total = total - total == 0 ? total : (ACC)0;
#endif
  STORE(OUT, (COMPUTE(OUT))total, out, at);
#endif
}

#if MAP == 4
#define SHIFT_OF(output) shift[output]
#else
#define SHIFT_OF(output) ((ACC)0)
#endif

/* Where the states of a first stage are: one row of outputs for each piece. */
inline void state_keep(State s, long slot, __global ACC* values, __global ACC* extras,
                       __global long* places) {
  values[slot] = s.value;
#if COMPENSATED
  extras[slot] = s.extra;
#endif
#if PLACE
  places[slot] = s.place;
#endif
}
inline State state_kept(long slot, const __global ACC* values, const __global ACC* extras,
                        const __global long* places) {
  State s = state_start();
  s.value = values[slot];
#if COMPENSATED
  s.extra = extras[slot];
#endif
#if PLACE
  s.place = places[slot];
#endif
  return s;
}

/* ---- One element after the other --------------------------------------------------------------*/

/* Elements [index, index + n) of an output, which lie `stride` apart from x[at] on. */
inline State add_strided(State s, Source x, long at, long stride, long n, long index, ACC shift) {
#if PLACE
  for (long i = 0; i < n; ++i) s = state_take(s, element(x, at + i * stride, shift), index + i);
#else
  for (long i = 0; i < n; i += 32) {
    const long end = min(n, i + 32);
    ACC block = element(x, at + i * stride, shift);
    for (long k = i + 1; k < end; ++k) {
      const ACC next = element(x, at + k * stride, shift);
      block = JOIN(block, next);
    }
    s = state_add(s, block);
  }
#endif
  return s;
}
