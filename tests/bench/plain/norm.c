/*
 * What a C programmer would write instead: plain loops over rows. bench_norm compiles this file at
 * its start with -O3 -march=native -ffast-math and loads it; it is no part of the library. Each
 * function does `rows` rows of `n` elements; with HAS_DNNL it also holds oneDNN's softmax.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sums with 8 accumulators of a vector each: -ffast-math lets the compiler make them. */
static float row_max(const float* x, size_t n) {
  float m = x[0];
  for (size_t i = 0; i < n; ++i) m = x[i] > m ? x[i] : m;
  return m;
}

void plain_softmax(const float* x, const float* scale, const float* bias, float* y, size_t rows,
                   size_t n) {
  (void)scale, (void)bias;
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    const float m = row_max(x, n);
    float sum = 0;
    for (size_t i = 0; i < n; ++i) {
      y[i] = expf(x[i] - m);
      sum += y[i];
    }
    const float factor = 1 / sum;
    for (size_t i = 0; i < n; ++i) y[i] *= factor;
  }
}

/* exp by a polynomial, which the compiler turns into vectors. */
static inline float poly_exp(float x) {
  const float k = rintf(x * 1.44269504f);
  const float r = x - k * 0.693147180f;
  float p = 0.00138145173f * r + 0.00836875569f;
  p = p * r + 0.0416683927f;
  p = p * r + 0.166665196f;
  p = p * r + 0.49999994f;
  p = p * r * r + r + 1;
  const int32_t bits = ((int32_t)k + 127) << 23;
  float power;
  memcpy(&power, &bits, 4);
  return x < -87.0f ? 0 : p * power;
}

void plain_softmax_poly(const float* x, const float* scale, const float* bias, float* y,
                        size_t rows, size_t n) {
  (void)scale, (void)bias;
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    const float m = row_max(x, n);
    float sum = 0;
    for (size_t i = 0; i < n; ++i) {
      y[i] = poly_exp(x[i] - m);
      sum += y[i];
    }
    const float factor = 1 / sum;
    for (size_t i = 0; i < n; ++i) y[i] *= factor;
  }
}

void plain_layernorm(const float* x, const float* scale, const float* bias, float* y, size_t rows,
                     size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    float s[8][16] = {{0}}, q[8][16] = {{0}}, sum = 0, squares = 0;
    size_t i = 0;
    for (; i + 128 <= n; i += 128) {
      for (int a = 0; a < 8; ++a) {
        for (int k = 0; k < 16; ++k) s[a][k] += x[i + (size_t)(a * 16 + k)];
      }
    }
    for (; i < n; ++i) sum += x[i];
    for (int a = 0; a < 8; ++a) {
      for (int k = 0; k < 16; ++k) sum += s[a][k];
    }
    const float mean = sum / (float)n;
    for (i = 0; i + 128 <= n; i += 128) {
      for (int a = 0; a < 8; ++a) {
        for (int k = 0; k < 16; ++k) {
          const float d = x[i + (size_t)(a * 16 + k)] - mean;
          q[a][k] += d * d;
        }
      }
    }
    for (; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    for (int a = 0; a < 8; ++a) {
      for (int k = 0; k < 16; ++k) squares += q[a][k];
    }
    const float factor = 1 / sqrtf(squares / (float)n + 1e-5f);
    for (i = 0; i < n; ++i) y[i] = (x[i] - mean) * factor * scale[i] + bias[i];
  }
}

/* Simple sums instead: the compiler chooses how many accumulators there are. */
void plain_layernorm_simple(const float* x, const float* scale, const float* bias, float* y,
                            size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    float sum = 0, squares = 0;
    for (size_t i = 0; i < n; ++i) sum += x[i];
    const float mean = sum / (float)n;
    for (size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float factor = 1 / sqrtf(squares / (float)n + 1e-5f);
    for (size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * factor * scale[i] + bias[i];
  }
}

/* A row is a plane here, and the row's number tells its channel of 64. */
void plain_batchnorm_relu(const float* x, const float* scale, const float* bias, float* y,
                          size_t rows, size_t n) {
  for (size_t r = 0; r < rows; ++r, x += n, y += n) {
    const float a = scale[r % 64], b = bias[r % 64];
    for (size_t i = 0; i < n; ++i) {
      const float v = x[i] * a + b;
      y[i] = v > 0 ? v : 0;
    }
  }
}

#ifdef HAS_DNNL
#include <oneapi/dnnl/dnnl.h>

static dnnl_primitive_t primitive;
static dnnl_stream_t stream;
static dnnl_memory_t source, target;

/* Makes oneDNN's primitive for a whole matrix; 0 when that went well. */
int dnnl_prepare(float* x, float* y, size_t rows, size_t n) {
  const dnnl_dims_t dims = {(dnnl_dim_t)rows, (dnnl_dim_t)n};
  dnnl_engine_t engine;
  dnnl_memory_desc_t memory;
  dnnl_softmax_desc_t desc;
  dnnl_primitive_desc_t made;
  return dnnl_engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
         dnnl_stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success ||
         dnnl_memory_desc_init_by_tag(&memory, 2, dims, dnnl_f32, dnnl_ab) != dnnl_success ||
         dnnl_softmax_forward_desc_init(&desc, dnnl_forward_inference, &memory, 1) !=
             dnnl_success ||
         dnnl_primitive_desc_create(&made, &desc, NULL, engine, NULL) != dnnl_success ||
         dnnl_primitive_create(&primitive, made) != dnnl_success ||
         dnnl_memory_create(&source, &memory, engine, x) != dnnl_success ||
         dnnl_memory_create(&target, &memory, engine, y) != dnnl_success;
}

void dnnl_run(void) {
  const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}};
  dnnl_primitive_execute(primitive, stream, 2, args);
  dnnl_stream_wait(stream);
}
#endif
