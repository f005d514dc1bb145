/*
 * What a C programmer would write instead. bench_reduce compiles this file at its start with -O3
 * -march=native -ffast-math and loads it; it is no part of the library. Each function does part
 * `part` of `parts` of a vector of n elements or of a matrix of n = side * side, and leaves what
 * the parts have to be joined from in `own` (a float, or a row of them).
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float Vector __attribute__((vector_size(64), aligned(4)));

static float plain_sum_of(const float* x, size_t n) {
  Vector a[8] = {{0}};
  float sum = 0;
  size_t i = 0;
  for (; i + 128 <= n; i += 128) {
    const Vector* v = (const Vector*)(x + i);
    a[0] += v[0], a[1] += v[1], a[2] += v[2], a[3] += v[3];
    a[4] += v[4], a[5] += v[5], a[6] += v[6], a[7] += v[7];
  }
  for (; i < n; ++i) sum += x[i];
  for (int k = 1; k < 8; ++k) a[0] += a[k];
  for (int k = 0; k < 16; ++k) sum += a[0][k];
  return sum;
}

static void range_of(size_t n, size_t part, size_t parts, size_t* first, size_t* last) {
  *first = n * part / parts;
  *last = n * (part + 1) / parts;
}

void plain_sum(const float* x, float* y, size_t n, size_t side, size_t part, size_t parts,
               float* own) {
  size_t first, last;
  (void)y, (void)side;
  range_of(n, part, parts, &first, &last);
  own[0] = plain_sum_of(x + first, last - first);
}

void plain_max(const float* x, float* y, size_t n, size_t side, size_t part, size_t parts,
               float* own) {
  size_t first, last;
  float m;
  (void)y, (void)side;
  range_of(n, part, parts, &first, &last);
  m = x[first];
  for (size_t i = first; i < last; ++i) m = x[i] > m ? x[i] : m;
  own[0] = m;
}

void plain_argmax(const float* x, float* y, size_t n, size_t side, size_t part, size_t parts,
                  float* own) {
  size_t first, last, best;
  (void)y, (void)side;
  range_of(n, part, parts, &first, &last);
  best = first;
  for (size_t i = first; i < last; ++i) {
    if (x[i] > x[best]) best = i;
  }
  own[0] = (float)best;
}

void plain_rows(const float* x, float* y, size_t n, size_t side, size_t part, size_t parts,
                float* own) {
  size_t first, last;
  (void)n, (void)own;
  range_of(side, part, parts, &first, &last);
  for (size_t r = first; r < last; ++r) y[r] = plain_sum_of(x + r * side, side);
}

void plain_columns(const float* x, float* y, size_t n, size_t side, size_t part, size_t parts,
                   float* own) {
  size_t first, last;
  (void)n, (void)y;
  range_of(side, part, parts, &first, &last);
  memset(own, 0, side * sizeof *own);
  for (size_t r = first; r < last; ++r) {
    for (size_t c = 0; c < side; ++c) own[c] += x[r * side + c];
  }
}

/* The second of two passes when there are several parts; own[0] is what is before the part. */
void plain_cumsum(const float* x, float* y, size_t n, size_t side, size_t part, size_t parts,
                  float* own) {
  size_t first, last;
  float sum = parts > 1 ? own[0] : 0;
  (void)side;
  range_of(n, part, parts, &first, &last);
  for (size_t i = first; i < last; ++i) {
    sum += x[i];
    y[i] = sum;
  }
}
