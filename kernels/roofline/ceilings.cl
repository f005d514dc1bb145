/* Probes of what a device can do, for CPUs and GPUs. Every kernel writes what it computes.
 *
 *   T, WIDTH   the elements, and how many of them a vector holds (1, 2, 4, 8, 16)
 *   BLOCKED    1: an item does a block of its own with one vector after the other, which suits
 *              CPUs; 0: neighbouring items have neighbouring vectors
 *   MEMORY     1: the kernels that work on memory are wanted, too
 *   FUSED      1: multiply-adds by fma(), 0: by an expression that the compiler may fuse
 *
 * Counts of vectors are powers of two below 2^32, so that places are 32-bit numbers. */
#pragma OPENCL FP_CONTRACT ON
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if WIDTH == 1
typedef T VEC;
#else
typedef JOIN(T, WIDTH) VEC;
#endif

#if BLOCKED && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define PUT_PAST_CACHES(v, p) __builtin_nontemporal_store(v, p)
#endif
#endif
#ifndef PUT_PAST_CACHES
#define PUT_PAST_CACHES(v, p) (*(p) = (v))
#endif
#define PUT(v, p) (*(p) = (v))

/* Four vectors at a time. `step` is from one of them to the next, `stride` from one four to the
 * next; from pass to pass an item of a GPU moves on by `shift`, or its group would find what it
 * needs in a cache that no other kernel shares with it. */
#if BLOCKED
#define WALK(BODY)                                             \
  const uint step = 1, stride = 4;                             \
  const uint first = get_global_id(0) * 4 * rounds;            \
  for (uint pass = 0; pass < passes; ++pass) {                 \
    for (uint i = 0, at = first; i < rounds; ++i) {            \
      BODY                                                     \
      at += stride;                                            \
    }                                                          \
  }
#else
#define WALK(BODY)                                                      \
  const uint step = get_local_size(0), stride = 4 * get_global_size(0); \
  uint first = get_group_id(0) * 4 * step + get_local_id(0);            \
  for (uint pass = 0; pass < passes; ++pass) {                          \
    for (uint i = 0, at = first; i < rounds; ++i) {                     \
      BODY                                                              \
      at += stride;                                                     \
    }                                                                   \
    first += shift;                                                     \
  }
#endif
#define AT(k) ((at + (k) * step) & mask)

#if MEMORY

#if WIDTH == 1
#define TOTAL(v) (v)
#elif WIDTH == 2
#define TOTAL(v) ((v).s0 + (v).s1)
#elif WIDTH == 4
#define TOTAL(v) (((v).s0 + (v).s1) + ((v).s2 + (v).s3))
#else
/* One item of a CPU reads a great deal: a few additions more do not show. */
#define TOTAL(v) netcl_total(v)
inline T netcl_total(VEC v) {
  T sum = 0;
  for (int i = 0; i < WIDTH; ++i) sum += ((const T *)&v)[i];
  return sum;
}
#endif

__kernel void netcl_ceiling_read(__global const VEC *restrict x, __global T *restrict out,
                                 uint mask, uint rounds, uint passes, uint shift) {
  VEC a = (VEC)(0), b = a, c = a, d = a;
  WALK({
    a += x[AT(0)];
    b += x[AT(1)];
    c += x[AT(2)];
    d += x[AT(3)];
  })
  a = (a + b) + (c + d);
  out[get_global_id(0)] = TOTAL(a);
}

#define NETCL_WRITE(NAME, PUT_ONE)                                                          \
  __kernel void NAME(__global VEC *restrict y, uint mask, uint rounds, uint passes,         \
                     uint shift) {                                                          \
    WALK({                                                                                  \
      const VEC v = (VEC)((T)(first + pass));                                               \
      PUT_ONE(v, y + AT(0));                                                                \
      PUT_ONE(v, y + AT(1));                                                                \
      PUT_ONE(v, y + AT(2));                                                                \
      PUT_ONE(v, y + AT(3));                                                                \
    })                                                                                      \
  }
NETCL_WRITE(netcl_ceiling_write, PUT)
NETCL_WRITE(netcl_ceiling_write_past, PUT_PAST_CACHES)

#define NETCL_COPY(NAME, PUT_ONE)                                                           \
  __kernel void NAME(__global const VEC *restrict x, __global VEC *restrict y, uint mask,   \
                     uint rounds, uint passes, uint shift) {                                \
    WALK({                                                                                  \
      const VEC a = x[AT(0)];                                                               \
      const VEC b = x[AT(1)];                                                               \
      const VEC c = x[AT(2)];                                                               \
      const VEC d = x[AT(3)];                                                               \
      PUT_ONE(a, y + AT(0));                                                                \
      PUT_ONE(b, y + AT(1));                                                                \
      PUT_ONE(c, y + AT(2));                                                                \
      PUT_ONE(d, y + AT(3));                                                                \
    })                                                                                      \
  }
NETCL_COPY(netcl_ceiling_copy, PUT)
NETCL_COPY(netcl_ceiling_copy_past, PUT_PAST_CACHES)

#endif  /* MEMORY */

/* NVIDIA's compiler has the arithmetic of halves and not their functions. */
#if FUSED && !(defined(HALF) && defined(__NV_CL_C_VERSION))
#define MULTIPLY_ADD(a) a = fma(a, m, c);
#else
#define MULTIPLY_ADD(a) a = a * m + c;
#endif
#define CHAINS(F) F(a0) F(a1) F(a2) F(a3) F(a4) F(a5) F(a6) F(a7) F(a8) F(a9)

/* Ten chains of multiply-adds, eight links in each round. */
__kernel void netcl_ceiling_compute(__global VEC *out, float factor, float summand, uint rounds) {
  const VEC m = (VEC)((T)factor), c = (VEC)((T)summand);
  VEC a0 = (VEC)((T)(get_local_id(0) + 1)), a1 = a0 + c, a2 = a1 + c, a3 = a2 + c, a4 = a3 + c,
      a5 = a4 + c, a6 = a5 + c, a7 = a6 + c, a8 = a7 + c, a9 = a8 + c;
  for (uint i = 0; i < rounds; ++i) {
    CHAINS(MULTIPLY_ADD) CHAINS(MULTIPLY_ADD) CHAINS(MULTIPLY_ADD) CHAINS(MULTIPLY_ADD)
    CHAINS(MULTIPLY_ADD) CHAINS(MULTIPLY_ADD) CHAINS(MULTIPLY_ADD) CHAINS(MULTIPLY_ADD)
  }
  out[get_global_id(0)] = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)) + (a8 + a9);
}

__kernel void netcl_ceiling_nothing(__global float *out, float value) {
  if (value != 0.0f) out[0] = value;
}
