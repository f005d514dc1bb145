#include "support_quantized.h"

#include <math.h>
#include <stdio.h>

const char *quantized_text(const Quantized *q) {
  static char text[160];
  static const char *const kNames[] = {"?", "NBITS", "Q4_0", "Q8_0", "Q4_K"};
  snprintf(text, sizeof text, "%s of %d bits, blocks of %d, scales %s, zero points %d, %lld x %lld",
           kNames[q->format], q->bits, q->block,
           q->scale_dtype ? netcl_dtype_name(q->scale_dtype) : "inside", q->zeros, (long long)q->n,
           (long long)q->k);
  return text;
}

void quantized_random(Quantized *q, int64_t n, int64_t k) {
  static const netcl_dtype kScales[] = {NETCL_F32, NETCL_F16, NETCL_BF16};
  memset(q, 0, sizeof *q);
  q->n = n;
  q->format = (netcl_quantization)random_in(1, 4);
  /* Half of the cases are of the format that has most forms. */
  if (random_in(0, 2) == 0) q->format = NETCL_QUANTIZATION_NBITS;
  q->views = random_in(0, 3) == 0;
  if (q->format == NETCL_QUANTIZATION_NBITS) {
    q->bits = random_in(0, 2) ? 4 : 8;
    q->block = 16 << random_in(0, 4);
    q->zeros = (int)random_in(0, 2);
    q->scale_dtype = kScales[random_in(0, 2)];
    q->k = k;
  } else {
    const int64_t whole = q->format == NETCL_QUANTIZATION_Q4_K ? 256 : 32;
    q->k = (k + whole - 1) / whole * whole;
  }
}

static double half_at(const unsigned char *bytes) {
  uint16_t bits;
  memcpy(&bits, bytes, sizeof bits);
  return load_double(NETCL_F16, &bits, 0);
}

/* The numbers of 6 bits, put together as the header says. */
static void sixes(const unsigned char *s, int j, int *step, int *least) {
  if (j < 4) {
    *step = s[j] % 64;
    *least = s[j + 4] % 64;
  } else {
    *step = s[j + 4] % 16 + 16 * (s[j - 4] / 64);
    *least = s[j + 4] / 16 + 16 * (s[j] / 64);
  }
}

static double weight_of_nbits(const Quantized *q, const unsigned char *codes, const void *scales,
                              const void *zeros, int64_t row, int64_t column) {
  const int64_t block = column / q->block, index = row * q->blocks + block;
  const int per_byte = 8 / q->bits, most = 1 << q->bits;
  const int64_t at = column % q->block;
  const unsigned char byte = codes[index * q->block_bytes + at / per_byte];
  const int code = byte / (at % per_byte ? 16 : 1) % most;
  double zero = most / 2;
  if (q->zeros == 1) {
    const int64_t row_bytes = (q->blocks * q->bits + 7) / 8;
    const unsigned char packed =
        ((const unsigned char *)zeros)[row * row_bytes + block / per_byte];
    zero = packed / (block % per_byte ? 16 : 1) % most;
  } else if (q->zeros == 2) {
    zero = load_double(q->scale_dtype, zeros, index);
  }
  return (code - zero) * load_double(q->scale_dtype, scales, index);
}

static double weight_of_block(const Quantized *q, const unsigned char *b, int at) {
  if (q->format == NETCL_QUANTIZATION_Q8_0) return (signed char)b[2 + at] * half_at(b);
  if (q->format == NETCL_QUANTIZATION_Q4_0) {
    const int code = at < 16 ? b[2 + at] % 16 : b[2 + at - 16] / 16;
    return (code - 8) * half_at(b);
  }
  int step, least;
  sixes(b + 4, at / 32, &step, &least);
  const unsigned char byte = b[16 + at / 64 * 32 + at % 32];
  const int code = at % 64 < 32 ? byte % 16 : byte / 16;
  return half_at(b) * step * code - half_at(b + 2) * least;
}

void quantized_decode(const Quantized *q, const unsigned char *codes, const void *scales,
                      const void *zeros, double *w) {
  for (int64_t i = 0; i < q->n * q->k; ++i) {
    const int64_t row = i / q->k, column = i % q->k;
    if (q->format == NETCL_QUANTIZATION_NBITS) {
      w[i] = weight_of_nbits(q, codes, scales, zeros, row, column);
      continue;
    }
    const int block = q->format == NETCL_QUANTIZATION_Q4_K ? 256 : 32;
    w[i] = weight_of_block(q, codes + (row * q->blocks + column / block) * q->block_bytes,
                           (int)(column % block));
  }
}

/* A tensor of these elements: packed, or a view of every second row behind a first one. */
static netcl_tensor *matrix_of(Fixture *fixture, const Quantized *q, netcl_dtype dtype,
                               uint32_t rank, const int64_t *shape, const void *data) {
  if (!q->views) return make_tensor(fixture->device, dtype, rank, shape, data);
  const size_t row = (size_t)product(rank - 1, shape + 1) * netcl_dtype_size(dtype);
  int64_t wide[3] = {2 * shape[0] + 1, shape[1], rank > 2 ? shape[2] : 0};
  netcl_range ranges[3] = {{1, shape[0], 2}, {0, shape[1], 1}, {0, wide[2], 1}};
  unsigned char *all = malloc((size_t)wide[0] * row + 1);
  memset(all, POISON, (size_t)wide[0] * row + 1);
  for (int64_t i = 0; i < shape[0]; ++i) {
    memcpy(all + (size_t)(2 * i + 1) * row, (const char *)data + (size_t)i * row, row);
  }
  netcl_tensor *base = make_tensor(fixture->device, dtype, rank, wide, all), *view = NULL;
  OK(netcl_tensor_slice(base, ranges, rank, &view));
  netcl_tensor_release(base);
  free(all);
  return view;
}

static void make_scales(Fixture *fixture, Quantized *q, void **scales, void **zeros) {
  const int64_t count = q->n * q->blocks, row = (q->blocks * q->bits + 7) / 8;
  const int64_t shape[2] = {q->n, q->blocks}, packed[2] = {q->n, row}, line[1] = {count};
  const int flat = !q->views && random_in(0, 2) == 0;
  *scales = malloc((size_t)count * 4 + 1);
  *zeros = malloc((size_t)count * 4 + 1);
  for (int64_t i = 0; i < count; ++i) {
    store_double(q->scale_dtype, *scales, i, random_real(-0.125, 0.125));
  }
  q->scales = flat ? make_tensor(fixture->device, q->scale_dtype, 1, line, *scales)
                   : matrix_of(fixture, q, q->scale_dtype, 2, shape, *scales);
  if (q->zeros == 1) {
    unsigned char *const bytes = *zeros;
    for (int64_t i = 0; i < q->n * row; ++i) bytes[i] = (unsigned char)random_bits();
    q->zero_points = matrix_of(fixture, q, NETCL_U8, 2, packed, *zeros);
  } else if (q->zeros == 2) {
    for (int64_t i = 0; i < count; ++i) {
      store_double(q->scale_dtype, *zeros, i, random_real(0, (1 << q->bits) - 1));
    }
    q->zero_points = matrix_of(fixture, q, q->scale_dtype, 2, shape, *zeros);
  }
}

void quantized_make(Fixture *fixture, Quantized *q) {
  const netcl_quantized_options none = NETCL_QUANTIZED_OPTIONS_INIT;
  const int large = q->format == NETCL_QUANTIZATION_Q4_K, nbits = q->bits != 0;
  const int64_t block = nbits ? q->block : large ? 256 : 32;
  q->blocks = (q->k + block - 1) / block;
  q->block_bytes = nbits                                  ? block * q->bits / 8
                   : large                                ? 144
                   : q->format == NETCL_QUANTIZATION_Q8_0 ? 34
                                                          : 18;
  const int64_t bytes = q->n * q->blocks * q->block_bytes;
  const int64_t cube[3] = {q->n, q->blocks, q->block_bytes};
  const int64_t rows[2] = {q->n, q->blocks * q->block_bytes};
  void *scales = NULL, *zeros = NULL;
  q->codes = malloc((size_t)bytes + 1);
  for (int64_t i = 0; i < bytes; ++i) q->codes[i] = (unsigned char)random_bits();
  for (int64_t i = 0; !nbits && i < q->n * q->blocks; ++i) {
    store_double(NETCL_F16, q->codes + i * q->block_bytes, 0, random_real(-0.02, 0.02));
    if (large) store_double(NETCL_F16, q->codes + i * q->block_bytes, 1, random_real(-0.02, 0.02));
  }
  if (nbits) make_scales(fixture, q, &scales, &zeros);
  q->weights = random_in(0, 1) ? matrix_of(fixture, q, NETCL_U8, 3, cube, q->codes)
                               : matrix_of(fixture, q, NETCL_U8, 2, rows, q->codes);
  q->w = malloc((size_t)(q->n * q->k) * sizeof *q->w + 1);
  quantized_decode(q, q->codes, scales, zeros, q->w);
  q->options = none;
  q->options.scales = q->scales;
  q->options.zero_points = q->zero_points;
  q->options.format = q->format;
  q->options.bits = (uint32_t)q->bits;
  q->options.block_size = (uint32_t)q->block;
  /* What is 0 stands for these. */
  if (q->bits == 4 && random_in(0, 1)) q->options.bits = 0;
  if (q->block == 32 && random_in(0, 1)) q->options.block_size = 0;
  if (q->k != q->blocks * block || random_in(0, 1)) q->options.k = q->k;
  free(scales);
  free(zeros);
}

void quantized_free(Quantized *q) {
  netcl_tensor_release(q->weights);
  netcl_tensor_release(q->scales);
  netcl_tensor_release(q->zero_points);
  free(q->codes);
  free(q->w);
}
