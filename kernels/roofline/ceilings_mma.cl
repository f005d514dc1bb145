/* What the matrix units of NVIDIA's GPUs can do, by instructions of PTX that Ampere and later have:
 * a warp multiplies 16 x 16 by 16 x 8 values of 16 bits and adds the products to f32.
 *
 *   MMA_TYPE   f16 or bf16 */

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define MMA(d)                                                                                  \
  __asm__ volatile("mma.sync.aligned.m16n8k16.row.col.f32." TEXT(MMA_TYPE) "." TEXT(MMA_TYPE)   \
                   ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"       \
                   : "+f"(d.s0), "+f"(d.s1), "+f"(d.s2), "+f"(d.s3)                             \
                   : "r"(a), "r"(a), "r"(a), "r"(a), "r"(b), "r"(b));

/* Eight products that do not wait for each other, in each round. `a` and `b` hold two values. */
__kernel void netcl_ceiling_mma(__global float *out, uint a, uint b, uint rounds) {
  float4 c0 = (float4)(0.0f), c1 = c0, c2 = c0, c3 = c0, c4 = c0, c5 = c0, c6 = c0, c7 = c0;
  for (uint i = 0; i < rounds; ++i) {
    MMA(c0) MMA(c1) MMA(c2) MMA(c3) MMA(c4) MMA(c5) MMA(c6) MMA(c7)
  }
  const float4 sum = ((c0 + c1) + (c2 + c3)) + ((c4 + c5) + (c6 + c7));
  out[get_global_id(0)] = (sum.s0 + sum.s1) + (sum.s2 + sum.s3);
}
