/*
 * What a C programmer would write instead: plain loops over arrays. bench_elementwise compiles this
 * file at its start with -O3 -march=native -ffast-math and loads it; it is no part of the library.
 */
#include <math.h>
#include <stddef.h>

void plain_add(const float* a, const float* b, const float* c, float* y, size_t n) {
  (void)c;
  for (size_t i = 0; i < n; ++i) y[i] = a[i] + b[i];
}

void plain_fused(const float* a, const float* b, const float* c, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float sum = a[i] * b[i] + c[i];
    y[i] = (sum > 0 ? sum : 0) * 0.5f - a[i];
  }
}

void plain_gelu(const float* a, const float* b, const float* c, float* y, size_t n) {
  (void)b, (void)c;
  for (size_t i = 0; i < n; ++i) y[i] = 0.5f * a[i] * (1.0f + erff(a[i] * 0.70710678f));
}

void plain_exp(const float* a, const float* b, const float* c, float* y, size_t n) {
  (void)b, (void)c;
  for (size_t i = 0; i < n; ++i) y[i] = expf(a[i]);
}

void plain_transpose(const float* a, const float* b, const float* c, float* y, size_t n) {
  const size_t edge = (size_t)sqrt((double)n);
  (void)b, (void)c;
  for (size_t i0 = 0; i0 < edge; i0 += 32) {
    for (size_t j0 = 0; j0 < edge; j0 += 32) {
      for (size_t i = i0; i < i0 + 32 && i < edge; ++i) {
        for (size_t j = j0; j < j0 + 32 && j < edge; ++j) y[i * edge + j] = a[j * edge + i];
      }
    }
  }
}
