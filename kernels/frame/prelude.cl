/* What all op kernels share: element types by name, and layouts. A file takes it in with an
 * #include line, which the library resolves before the compiler sees the text.
 *
 * For a dtype name X (f16, bf16, f32, f64, i8 ... u64, bool):
 *   STORAGE(X)         the type of one element in memory
 *   COMPUTE(X)         the type it is computed in: float for f16 and bf16, int and uint for the
 *                      small integers and bool
 *   LOAD(X, p, i)      element i of p as COMPUTE(X)
 *   STORE(X, v, p, i)  the other way, rounded to nearest even
 * X may be a macro that stands for the name. With NETCL_F64 the device has doubles. */

#ifdef NETCL_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define NETCL_JOIN_(a, b) a##b
#define NETCL_JOIN(a, b) NETCL_JOIN_(a, b)
#define STORAGE(X) NETCL_JOIN(netcl_storage_, X)
#define COMPUTE(X) NETCL_JOIN(netcl_compute_, X)
#define LOAD(X, p, i) NETCL_JOIN(netcl_load_, X)(p, i)
#define STORE(X, v, p, i) NETCL_JOIN(netcl_store_, X)(v, p, i)

typedef ushort netcl_storage_f16;
typedef ushort netcl_storage_bf16;
typedef float netcl_compute_f16;
typedef float netcl_compute_bf16;

#define NETCL_DEFINE_TYPE(X, STORED, COMPUTED)                                       \
  typedef STORED netcl_storage_##X;                                                  \
  typedef COMPUTED netcl_compute_##X;                                                \
  inline COMPUTED netcl_load_##X(const __global STORED* p, long i) { return p[i]; }  \
  inline void netcl_store_##X(COMPUTED v, __global STORED* p, long i) { p[i] = (STORED)v; }

NETCL_DEFINE_TYPE(f32, float, float)
#ifdef NETCL_F64
NETCL_DEFINE_TYPE(f64, double, double)
#endif
NETCL_DEFINE_TYPE(i8, char, int)
NETCL_DEFINE_TYPE(i16, short, int)
NETCL_DEFINE_TYPE(i32, int, int)
NETCL_DEFINE_TYPE(i64, long, long)
NETCL_DEFINE_TYPE(u8, uchar, uint)
NETCL_DEFINE_TYPE(u16, ushort, uint)
NETCL_DEFINE_TYPE(u32, uint, uint)
NETCL_DEFINE_TYPE(u64, ulong, ulong)

typedef uchar netcl_storage_bool;
typedef int netcl_compute_bool;
inline int netcl_load_bool(const __global uchar* p, long i) { return p[i] != 0; }
inline void netcl_store_bool(int v, __global uchar* p, long i) { p[i] = v != 0; }

inline float netcl_load_f16(const __global ushort* p, long i) {
  return vload_half(i, (const __global half*)p);
}
inline void netcl_store_f16(float v, __global ushort* p, long i) {
  vstore_half_rte(v, i, (__global half*)p);
}
inline float netcl_load_bf16(const __global ushort* p, long i) {
  return as_float((uint)p[i] << 16);
}
inline void netcl_store_bf16(float v, __global ushort* p, long i) {
  const uint bits = as_uint(v);
  const uint rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  p[i] = (ushort)((bits & 0x7fffffffu) > 0x7f800000u ? (bits >> 16) | 0x40u : rounded);
}

/* A strided view: ops/frame/arguments.hpp fills it. Extents beyond rank are 1, their strides 0. */
typedef struct {
  long offset;
  long shape[8];
  long strides[8];
  int rank;
  int reserved;
} Layout;

/* Where element `index`, counted in C order, lies in memory. */
inline long netcl_at(const Layout* layout, long index) {
  long at = layout->offset;
  for (int d = layout->rank - 1; d > 0; --d) {
    const long extent = layout->shape[d];
    at += index % extent * layout->strides[d];
    index /= extent;
  }
  return layout->rank > 0 ? at + index * layout->strides[0] : at;
}
