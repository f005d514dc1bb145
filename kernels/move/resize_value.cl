/* How what resizing weighs becomes an element: rounded to nearest even, and bounded by what
 * integers hold.
 * Flags: Y the dtype of the result, COMPUTE_TYPE what it is weighed in, ROUNDED of integers. */

typedef COMPUTE_TYPE value_t;

#define NETCL_LEAST_i8 CHAR_MIN
#define NETCL_LEAST_i16 SHRT_MIN
#define NETCL_LEAST_i32 INT_MIN
#define NETCL_LEAST_i64 LONG_MIN
#define NETCL_LEAST_u8 0
#define NETCL_LEAST_u16 0
#define NETCL_LEAST_u32 0
#define NETCL_LEAST_u64 0
#define NETCL_LEAST_bool 0
#define NETCL_MOST_i8 CHAR_MAX
#define NETCL_MOST_i16 SHRT_MAX
#define NETCL_MOST_i32 INT_MAX
#define NETCL_MOST_i64 LONG_MAX
#define NETCL_MOST_u8 UCHAR_MAX
#define NETCL_MOST_u16 USHRT_MAX
#define NETCL_MOST_u32 UINT_MAX
#define NETCL_MOST_u64 ULONG_MAX
#define NETCL_MOST_bool 1
#define LEAST(X) NETCL_JOIN(NETCL_LEAST_, X)
#define MOST(X) NETCL_JOIN(NETCL_MOST_, X)

inline void store_weighed(value_t value, __global STORAGE(Y) * y, long i) {
#ifdef ROUNDED
  const value_t whole = rint(value);
  STORAGE(Y) element = (STORAGE(Y))LEAST(Y);
  if (whole >= (value_t)MOST(Y)) {
    element = (STORAGE(Y))MOST(Y);
  } else if (whole > (value_t)LEAST(Y)) {
    element = (STORAGE(Y))whole;
  }
  y[i] = element;
#else
  STORE(Y, value, y, i);
#endif
}
