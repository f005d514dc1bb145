#include "support_attention.h"

#include <math.h>

static int has(const Attention *a, int part) { return (a->parts & part) != 0; }

int64_t attention_k_count(const Attention *a) {
  const int64_t lines = has(a, ATTENTION_PAGES) ? a->pages * a->page_size : a->batch * a->keys;
  return lines * a->kv_heads * a->size;
}
int64_t attention_v_count(const Attention *a) {
  return attention_k_count(a) / a->size * a->value_size;
}

static void *random_floats(netcl_dtype dtype, int64_t count, double spread) {
  void *data = malloc((size_t)count * 8 + 8);
  for (int64_t i = 0; i < count; ++i) {
    store_double(dtype, data, i, random_real(-spread, spread));
  }
  return data;
}

/* A shape that broadcasts to the scores. */
static uint32_t random_spread(const Attention *a, int64_t *shape) {
  const int64_t full[4] = {a->batch, a->heads, a->rows, a->keys};
  const uint32_t rank = (uint32_t)random_in(1, 4);
  for (uint32_t d = 0; d < rank; ++d) {
    shape[d] = random_in(0, 2) == 0 ? 1 : full[4 - rank + d];
  }
  return rank;
}

static void fill_table(Attention *a) {
  const int64_t count = a->batch * a->entries;
  a->table = malloc((size_t)count * sizeof *a->table + 4);
  for (int64_t i = 0; i < count; ++i) a->table[i] = (int32_t)random_in(0, a->pages - 1);
  /* What lies behind the keys is not looked at. */
  for (int64_t b = 0; b < a->batch; ++b) {
    for (int64_t e = 0; e < a->entries; ++e) {
      if (e * a->page_size < a->key_lengths[b]) continue;
      a->table[b * a->entries + e] = random_in(0, 1) ? -1 : 1 << 30;
    }
  }
}

void attention_fill(Attention *a, double spread) {
  if (has(a, ATTENTION_PAGES)) a->keys = a->entries * a->page_size;
  a->q = random_floats(a->dtype, a->batch * a->heads * a->rows * a->size, spread);
  a->k = random_floats(a->dtype, attention_k_count(a), spread);
  a->v = random_floats(a->dtype, attention_v_count(a), spread);
  if (has(a, ATTENTION_BIAS)) {
    a->bias_rank = random_spread(a, a->bias_shape);
    const int64_t count = product(a->bias_rank, a->bias_shape);
    a->bias = random_floats(a->bias_dtype, count, 2.0);
    for (int64_t i = 0; i < count; ++i) {
      if (random_in(0, 5) == 0) store_double(a->bias_dtype, a->bias, i, -INFINITY);
    }
  }
  if (has(a, ATTENTION_MASK)) {
    a->mask_rank = random_spread(a, a->mask_shape);
    const int64_t count = product(a->mask_rank, a->mask_shape);
    a->mask = malloc((size_t)count + 1);
    for (int64_t i = 0; i < count; ++i) a->mask[i] = random_in(0, 3) != 0;
  }
  if (has(a, ATTENTION_QUERY_LENGTHS)) {
    a->query_lengths = malloc((size_t)a->batch * 4 + 4);
    for (int64_t b = 0; b < a->batch; ++b) {
      a->query_lengths[b] = (int32_t)(random_in(0, 2) ? random_in(0, a->rows) : a->rows);
    }
  }
  if (has(a, ATTENTION_KEY_LENGTHS)) {
    a->key_lengths = malloc((size_t)a->batch * 4 + 4);
    for (int64_t b = 0; b < a->batch; ++b) {
      a->key_lengths[b] = (int32_t)(random_in(0, 3) ? random_in(0, a->keys) : a->keys);
      if (a->uneven) a->key_lengths[b] = (int32_t)(b == 0 ? a->keys : random_in(0, 20));
    }
  }
  if (has(a, ATTENTION_PAGES)) fill_table(a);
}

void attention_free(Attention *a) {
  void *const all[] = {a->q, a->k, a->v, a->bias, a->mask, a->query_lengths, a->key_lengths,
                       a->table};
  for (size_t i = 0; i < COUNT_OF(all); ++i) free(all[i]);
}

int64_t attention_key(const Attention *a, int64_t b, int64_t g, int64_t n, int64_t size) {
  if (!has(a, ATTENTION_PAGES)) return ((b * a->kv_heads + g) * a->keys + n) * size;
  const int64_t page = a->table[b * a->entries + n / a->page_size];
  if (page < 0 || page >= a->pages) return -1;
  return ((page * a->kv_heads + g) * a->page_size + n % a->page_size) * size;
}

/* Where (b, h, m, n) lies in what broadcasts. */
static int64_t spread_at(uint32_t rank, const int64_t *shape, const int64_t *at) {
  int64_t index = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    index = index * shape[d] + (shape[d] == 1 ? 0 : at[4 - rank + d]);
  }
  return index;
}

static int is_sound(const Attention *a, int64_t b, int64_t queries, int64_t keys) {
  if (queries < 0 || queries > a->rows || keys < 0 || keys > a->keys) return 0;
  for (int64_t n = 0; n < keys; ++n) {
    if (attention_key(a, b, 0, n, 1) < 0) return 0;
  }
  return 1;
}

/* The operands as doubles. */
typedef struct Operands {
  double *q, *k, *v;
} Operands;

static double *doubles(netcl_dtype dtype, const void *data, int64_t count) {
  double *const all = malloc((size_t)count * sizeof *all + 8);
  for (int64_t i = 0; i < count; ++i) all[i] = load_double(dtype, data, i);
  return all;
}

/* One row; `out` has value_size numbers. */
static void reference_row(const Attention *a, const Operands *x, int64_t b, int64_t h, int64_t m,
                          int64_t queries, int64_t keys, AttentionWanted *wanted, int64_t row) {
  const int64_t g = h / (a->heads / a->kv_heads), q = ((b * a->heads + h) * a->rows + m) * a->size;
  const int64_t own = (has(a, ATTENTION_POSITION) ? a->position : keys - queries) + m;
  const double scale = has(a, ATTENTION_SCALE) ? a->scale : 1.0 / sqrt((double)a->size);
  const double eps = a->dtype == NETCL_F64 ? 0x1p-53 : 0x1p-24;
  double *const scores = malloc((size_t)a->keys * sizeof *scores + 8);
  double most = -INFINITY, sum = 0, largest = 1, highest = 0;
  int nan = 0;
  for (int64_t n = 0; n < keys; ++n) {
    const int64_t at[4] = {b, h, m, n}, k = attention_key(a, b, g, n, a->size);
    double size = 0, dot = 0;
    scores[n] = -INFINITY;
    if (has(a, ATTENTION_CAUSAL) && n > own) continue;
    if (has(a, ATTENTION_WINDOW) && a->before >= 0 && n < own - a->before) continue;
    if (has(a, ATTENTION_WINDOW) && a->after >= 0 && n > own + a->after) continue;
    if (a->mask != NULL && !a->mask[spread_at(a->mask_rank, a->mask_shape, at)]) continue;
    for (int64_t d = 0; d < a->size; ++d) {
      const double part = x->q[q + d] * x->k[k + d];
      dot += part;
      size += fabs(part);
    }
    dot *= scale;
    if (has(a, ATTENTION_SOFTCAP)) dot = a->softcap * tanh(dot / a->softcap);
    if (a->bias != NULL) {
      const double bias =
          load_double(a->bias_dtype, a->bias, spread_at(a->bias_rank, a->bias_shape, at));
      dot += bias;
      if (isfinite(bias)) size += fabs(bias) / fabs(scale == 0 ? 1 : scale);
    }
    scores[n] = dot;
    nan = nan || isnan(dot) || dot == INFINITY;
    if (dot > most) most = dot;
    if (isfinite(size) && fabs(scale) * size + 1 > largest) largest = fabs(scale) * size + 1;
  }
  for (int64_t n = 0; n < keys; ++n) {
    if (scores[n] != -INFINITY) sum += exp(scores[n] - most);
  }
  double *const out = wanted->result + row * a->value_size;
  for (int64_t e = 0; e < a->value_size; ++e) out[e] = 0;
  for (int64_t n = 0; n < keys; ++n) {
    if (scores[n] == -INFINITY) continue;
    const int64_t v = attention_key(a, b, g, n, a->value_size);
    const double weight = exp(scores[n] - most) / sum;
    for (int64_t e = 0; e < a->value_size; ++e) {
      const double value = x->v[v + e];
      out[e] += weight * value;
      if (isfinite(value) && fabs(value) > highest) highest = fabs(value);
    }
  }
  if (nan) {
    for (int64_t e = 0; e < a->value_size; ++e) out[e] = NAN;
  }
  const double bound = ((4.0 * (double)a->size + 32) * largest + 2.0 * (double)keys + 32) * eps;
  /* Of weights, which matrix units take in the dtype. */
  const double rounded =
      !a->units || (a->dtype != NETCL_F16 && a->dtype != NETCL_BF16)
          ? 0.0
          : unit_roundoff(a->dtype) + (a->dtype == NETCL_F16 ? 0x1p-33 * (double)a->keys : 0.0);
  wanted->lse[row] = nan ? NAN : most == -INFINITY ? -INFINITY : most + log(sum);
  wanted->lse_bound[row] = bound;
  for (int64_t e = 0; e < a->value_size; ++e) {
    /* Denormals of f16 have the distance of its least one. */
    const double least = a->dtype == NETCL_F16 ? 0x1p-25 : 0x1p-140;
    wanted->result_bound[row * a->value_size + e] =
        (bound + rounded) * highest + fabs(out[e]) * 1.01 * unit_roundoff(a->dtype) + least;
  }
  free(scores);
}

AttentionWanted attention_reference(const Attention *a) {
  const int64_t rows = a->batch * a->heads * a->rows;
  AttentionWanted wanted;
  wanted.result = calloc((size_t)(rows * a->value_size) + 1, sizeof(double));
  wanted.result_bound = calloc((size_t)(rows * a->value_size) + 1, sizeof(double));
  wanted.lse = calloc((size_t)rows + 1, sizeof(double));
  wanted.lse_bound = calloc((size_t)rows + 1, sizeof(double));
  const Operands x = {doubles(a->dtype, a->q, rows * a->size),
                      doubles(a->dtype, a->k, attention_k_count(a)),
                      doubles(a->dtype, a->v, attention_v_count(a))};
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t b = row / a->rows / a->heads, h = row / a->rows % a->heads, m = row % a->rows;
    const int64_t queries = a->query_lengths != NULL ? a->query_lengths[b] : a->rows;
    const int64_t keys = a->key_lengths != NULL ? a->key_lengths[b] : a->keys;
    const int sound = is_sound(a, b, queries, keys);
    if (sound && m < queries) {
      reference_row(a, &x, b, h, m, queries, keys, &wanted, row);
      continue;
    }
    wanted.lse[row] = sound ? -INFINITY : NAN;
    for (int64_t e = 0; e < a->value_size; ++e) {
      wanted.result[row * a->value_size + e] = sound ? 0 : NAN;
    }
  }
  free(x.q);
  free(x.k);
  free(x.v);
  return wanted;
}

void attention_wanted_free(AttentionWanted *wanted) {
  free(wanted->result);
  free(wanted->lse);
  free(wanted->result_bound);
  free(wanted->lse_bound);
}

/* [batch, heads, rows, size] in that order, or a transposed [batch, rows, heads, size]. */
static Strided make_packed(netcl_device *device, netcl_dtype dtype, const int64_t *shape,
                           const void *data) {
  const int64_t apart[4] = {shape[0], shape[2], shape[1], shape[3]};
  const uint32_t order[4] = {0, 2, 1, 3};
  Strided made = {NULL, NULL};
  if (random_in(0, 1) == 0) {
    made.base = make_tensor(device, dtype, 4, shape, data);
    made.view = made.base;
    OK(netcl_tensor_retain(made.view));
    return made;
  }
  OK(netcl_tensor_create(device, dtype, 4, apart, NULL, NULL, &made.base));
  OK(netcl_tensor_permute(made.base, order, 4, &made.view));
  OK(netcl_tensor_write(made.view, data, (size_t)tensor_info(made.view).byte_count, NULL,
                        LONG_WAIT));
  return made;
}

static Strided make_operand(netcl_device *device, const Attention *a, const int64_t *shape,
                            const void *data) {
  if (a->packed) return make_packed(device, a->dtype, shape, data);
  return make_strided(device, a->dtype, 4, shape, data);
}

AttentionTensors attention_tensors(Fixture *fixture, const Attention *a) {
  AttentionTensors t;
  memset(&t, 0, sizeof t);
  netcl_device *const device = fixture->device;
  const netcl_attention_options init = NETCL_ATTENTION_OPTIONS_INIT;
  const int pages = has(a, ATTENTION_PAGES);
  const int64_t q[4] = {a->batch, a->heads, a->rows, a->size};
  const int64_t k[4] = {pages ? a->pages : a->batch, a->kv_heads, pages ? a->page_size : a->keys,
                        a->size};
  const int64_t v[4] = {k[0], k[1], k[2], a->value_size}, table[2] = {a->batch, a->entries};
  t.options = init;
  t.options.variant = a->variant;
  t.q = make_operand(device, a, q, a->q);
  t.k = make_operand(device, a, k, a->k);
  t.v = make_operand(device, a, v, a->v);
  if (a->bias != NULL) {
    t.bias = make_strided(device, a->bias_dtype, a->bias_rank, a->bias_shape, a->bias);
  }
  if (a->mask != NULL) {
    t.mask = make_strided(device, NETCL_BOOL, a->mask_rank, a->mask_shape, a->mask);
  }
  if (a->query_lengths != NULL) {
    t.query_lengths = make_strided(device, NETCL_I32, 1, &a->batch, a->query_lengths);
  }
  if (a->key_lengths != NULL) {
    t.key_lengths = make_strided(device, NETCL_I32, 1, &a->batch, a->key_lengths);
  }
  if (a->table != NULL) t.table = make_strided(device, NETCL_I32, 2, table, a->table);
  t.options.bias = t.bias.view;
  t.options.mask = t.mask.view;
  t.options.query_lengths = t.query_lengths.view;
  t.options.key_lengths = t.key_lengths.view;
  t.options.block_table = t.table.view;
  if (has(a, ATTENTION_SCALE)) t.options.scale = a->scale;
  t.options.has_scale = has(a, ATTENTION_SCALE) ? 1 : 0;
  if (has(a, ATTENTION_SOFTCAP)) t.options.softcap = a->softcap;
  t.options.has_position = has(a, ATTENTION_POSITION) ? 1 : 0;
  t.options.position = a->position;
  t.options.has_window = has(a, ATTENTION_WINDOW) ? 1 : 0;
  t.options.window_before = a->before;
  t.options.window_after = has(a, ATTENTION_CAUSAL) && a->after > 0 ? -1 : a->after;
  t.options.causal = has(a, ATTENTION_CAUSAL) ? 1 : 0;
  return t;
}

void attention_tensors_free(AttentionTensors *t) {
  Strided *const all[] = {&t->q,    &t->k,             &t->v,           &t->bias,
                          &t->mask, &t->query_lengths, &t->key_lengths, &t->table};
  for (size_t i = 0; i < COUNT_OF(all); ++i) {
    if (all[i]->view != NULL) release_strided(all[i]);
  }
}

static void compare(const Attention *a, const char *what, netcl_dtype dtype, const void *got,
                    int64_t count, int64_t width, const double *wanted, const double *bound) {
  for (int64_t i = 0; i < count; ++i) {
    const double x = load_double(dtype, got, i), y = wanted[i];
    const int same = isnan(y) ? isnan(x) : isinf(y) ? x == y : fabs(x - y) <= bound[i];
    CHECK(same,
          "%s %s: element %lld of row %lld is %.9g, not %.9g (%.3g allowed); batch %lld, heads "
          "%lld/%lld, rows %lld, keys %lld, sizes %lld and %lld, parts 0x%x, window %lld %lld, "
          "position %lld, pages of %lld",
          netcl_dtype_name(a->dtype), what, (long long)(i % width), (long long)(i / width), x, y,
          bound[i], (long long)a->batch, (long long)a->heads, (long long)a->kv_heads,
          (long long)a->rows, (long long)a->keys, (long long)a->size, (long long)a->value_size,
          (unsigned)a->parts, (long long)a->before, (long long)a->after, (long long)a->position,
          (long long)a->page_size);
  }
}

void check_attention(Fixture *fixture, const Attention *a) {
  AttentionTensors t = attention_tensors(fixture, a);
  Attention promised = *a;
  promised.units = fixture->capabilities.matrix_units != NETCL_MATRIX_UNITS_NONE &&
                   a->variant != NETCL_VARIANT_ATTENTION_PORTABLE;
  AttentionWanted wanted = attention_reference(&promised);
  const int64_t shape[4] = {a->batch, a->heads, a->rows, a->value_size};
  const int64_t rows = product(3, shape);
  const netcl_dtype sums = a->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  Strided target = make_strided(fixture->device, a->dtype, 4, shape, NULL);
  Strided lse = make_strided(fixture->device, sums, 3, shape, NULL);
  netcl_run_options run = run_into(target.view);
  t.options.lse_into = lse.view;
  OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, &run, NULL, NULL));
  void *const got = read_tensor(target.view), *const logs = read_tensor(lse.view);
  compare(a, "result", a->dtype, got, rows * a->value_size, a->value_size, wanted.result,
          wanted.result_bound);
  compare(a, "log-sum-exp", sums, logs, rows, 1, wanted.lse, wanted.lse_bound);
  CHECK_STRIDED(&target, got);
  CHECK_STRIDED(&lse, logs);
  /* The same bits again, in new tensors, with and without the second result. */
  netcl_tensor *result = NULL, *second = NULL;
  t.options.lse_into = NULL;
  OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &result, &second));
  CHECK_TENSOR(result, got);
  CHECK_TENSOR(second, logs);
  netcl_tensor_release(result);
  netcl_tensor_release(second);
  OK(netcl_op_attention(t.q.view, t.k.view, t.v.view, &t.options, NULL, &result, NULL));
  CHECK_TENSOR(result, got);
  netcl_tensor_release(result);
  free(got);
  free(logs);
  release_strided(&target);
  release_strided(&lse);
  attention_tensors_free(&t);
  attention_wanted_free(&wanted);
}
