#include "support_integers.h"

typedef struct Operand {
  netcl_dtype dtype;
  int64_t batch, rows, columns;
  unsigned char *data; /* in C order */
  Strided tensor;
  unsigned char *zero_data;
  int64_t zero_batch, zero_count; /* 0: there is none */
  Strided zero;
} Operand;

static int64_t as_number(netcl_dtype dtype, unsigned char bits) {
  return dtype == NETCL_I8 ? (int64_t)(signed char)bits : (int64_t)bits;
}

static unsigned char random_byte(const ByteCase *what, netcl_dtype dtype) {
  static const unsigned char ends[2][3] = {{0x80, 0x7f, 0xff}, {0, 255, 127}};
  if (what->extremes) return ends[dtype == NETCL_U8][random_in(0, 2)];
  return (unsigned char)random_in(0, 255);
}

static Strided strided(Fixture *fixture, const ByteCase *what, netcl_dtype dtype, uint32_t rank,
                       const int64_t *shape, const void *data) {
  Strided made = {NULL, NULL};
  if (!what->plain) return make_strided(fixture->device, dtype, rank, shape, data);
  made.base = make_tensor(fixture->device, dtype, rank, shape, data);
  OK(netcl_tensor_retain(made.base));
  made.view = made.base;
  return made;
}

/* A zero point of one of the forms, of `count` rows or columns. */
static void make_zero(Fixture *fixture, const ByteCase *what, Operand *x, int form, int of_rows) {
  const int64_t lines = of_rows ? x->rows : x->columns;
  /* A stack is as high as the result, whose matrices may share the operand. */
  const int64_t batch = what->batch_a > what->batch_b ? what->batch_a : what->batch_b;
  int64_t shape[3] = {batch, of_rows ? lines : 1, of_rows ? 1 : lines};
  const int64_t all = form >= ZERO_VECTOR ? lines : 1;
  uint32_t rank = 0;
  x->zero_batch = form == ZERO_STACK ? batch : 1;
  x->zero_count = all;
  x->zero_data = malloc((size_t)(x->zero_batch * all) + 1);
  for (int64_t i = 0; i < x->zero_batch * all; ++i) x->zero_data[i] = random_byte(what, x->dtype);
  const int64_t *from = shape;
  if (form == ZERO_STACK) rank = 3;
  if (form == ZERO_MATRIX) rank = 2, from = shape + 1;
  if (form == ZERO_VECTOR) rank = 1, from = &lines;
  if (form == ZERO_ONE) rank = 2, shape[1] = shape[2] = 1, from = shape + 1;
  x->zero = strided(fixture, what, x->dtype, rank, from, x->zero_data);
}

static Operand make_operand(Fixture *fixture, const ByteCase *what, int is_a) {
  Operand x;
  memset(&x, 0, sizeof x);
  x.dtype = is_a ? what->a : what->b;
  x.batch = is_a ? what->batch_a : what->batch_b;
  x.rows = is_a ? what->m : what->k;
  x.columns = is_a ? what->k : what->n;
  const int64_t shape[3] = {x.batch, x.rows, x.columns}, count = product(3, shape);
  x.data = malloc((size_t)count + 1);
  for (int64_t i = 0; i < count; ++i) x.data[i] = random_byte(what, x.dtype);
  x.tensor = strided(fixture, what, x.dtype, 3, shape, x.data);
  const int form = is_a ? what->zero_a : what->zero_b;
  if (form != ZERO_NONE) make_zero(fixture, what, &x, form, is_a);
  return x;
}

static void free_operand(Operand *x) {
  free(x->data);
  release_strided(&x->tensor);
  if (x->zero_count == 0 && x->zero_data == NULL) return;
  free(x->zero_data);
  release_strided(&x->zero);
}

/* Element (row, column) of a matrix of the stack less its zero point. */
static int64_t element(const Operand *x, int64_t batch, int64_t row, int64_t column, int64_t line) {
  const int64_t at = x->batch == 1 ? 0 : batch;
  const int64_t value =
      as_number(x->dtype, x->data[(at * x->rows + row) * x->columns + column]);
  if (x->zero_data == NULL) return value;
  const int64_t stack = x->zero_batch == 1 ? 0 : batch;
  const int64_t place = x->zero_count == 1 ? 0 : line;
  return value - as_number(x->dtype, x->zero_data[stack * x->zero_count + place]);
}

typedef struct Extras {
  int32_t *old, *bias, *residual;
  int64_t alpha, beta;
  int relu, in_place, bias_rows;
  Strided into, bias_tensor, residual_tensor;
  netcl_epilogue epilogue;
  netcl_matmul_options options;
} Extras;

static int32_t *random_words(int64_t count) {
  int32_t *words = malloc((size_t)count * sizeof *words + 1);
  for (int64_t i = 0; i < count; ++i) words[i] = (int32_t)random_bits();
  return words;
}

static Extras make_extras(Fixture *fixture, const ByteCase *what) {
  static const int64_t factors[] = {0, 1, -1, 3, INT32_MIN, INT32_MAX, -70000};
  const netcl_epilogue no_epilogue = NETCL_EPILOGUE_INIT;
  const netcl_matmul_options no_options = NETCL_MATMUL_OPTIONS_INIT;
  const int64_t batch = what->batch_a > what->batch_b ? what->batch_a : what->batch_b;
  const int64_t shape[3] = {batch, what->m, what->n}, count = product(3, shape);
  Extras x;
  memset(&x, 0, sizeof x);
  x.alpha = 1;
  x.epilogue = no_epilogue;
  x.options = no_options;
  x.options.variant = what->variant;
  x.options.dtype = random_in(0, 1) ? NETCL_I32 : 0;
  x.old = random_words(count);
  x.into = make_strided(fixture->device, NETCL_I32, 3, shape, x.old);
  if (!what->epilogue) return x;
  x.alpha = factors[random_in(0, COUNT_OF(factors) - 1)];
  x.beta = factors[random_in(0, COUNT_OF(factors) - 1)];
  x.options.has_scale = 1;
  x.options.alpha = (double)x.alpha;
  x.options.beta = (double)x.beta;
  x.options.epilogue = &x.epilogue;
  x.relu = (int)random_in(0, 1);
  if (x.relu) x.epilogue.activation = NETCL_ACTIVATION_RELU;
  if (random_in(0, 1)) {
    const int64_t rows = random_in(0, 1) ? what->m : 1, bias_shape[2] = {rows, what->n};
    x.bias_rows = (int)rows;
    x.bias = random_words(rows * what->n);
    x.bias_tensor = strided(fixture, what, NETCL_I32, 2, bias_shape, x.bias);
    x.epilogue.bias = x.bias_tensor.view;
  }
  if (random_in(0, 1)) {
    x.in_place = (int)random_in(0, 1);
    x.residual = random_words(count);
    if (x.in_place) memcpy(x.residual, x.old, (size_t)count * sizeof *x.old);
    x.residual_tensor = strided(fixture, what, NETCL_I32, 3, shape, x.residual);
    x.epilogue.residual = x.in_place ? x.into.view : x.residual_tensor.view;
  }
  return x;
}

static void free_extras(Extras *x) {
  free(x->old);
  release_strided(&x->into);
  if (x->bias != NULL) release_strided(&x->bias_tensor);
  if (x->residual != NULL) release_strided(&x->residual_tensor);
  free(x->bias);
  free(x->residual);
}

static int32_t *wanted_results(const ByteCase *what, const Operand *a, const Operand *b,
                               const Extras *x) {
  const int64_t batch = a->batch > b->batch ? a->batch : b->batch;
  const int64_t count = batch * what->m * what->n;
  int32_t *wanted = malloc((size_t)count * sizeof *wanted + 1);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = i / (what->m * what->n), row = i / what->n % what->m, column = i % what->n;
    int64_t sum = 0;
    for (int64_t p = 0; p < what->k; ++p) {
      sum += element(a, at, row, p, row) * element(b, at, p, column, column);
    }
    uint64_t bits = (uint64_t)sum * (uint64_t)x->alpha;
    bits += (uint64_t)x->beta * (uint64_t)(int64_t)x->old[i];
    if (x->bias != NULL) {
      bits += (uint64_t)(int64_t)x->bias[(x->bias_rows == 1 ? 0 : row) * what->n + column];
    }
    if (x->residual != NULL) bits += (uint64_t)(int64_t)x->residual[i];
    const uint32_t word = (uint32_t)bits;
    memcpy(&wanted[i], &word, sizeof word);
    if (x->relu && wanted[i] < 0) wanted[i] = 0;
  }
  return wanted;
}

static int random_zero(void) { return random_in(0, 1) ? (int)random_in(0, ZERO_FORMS - 1) : 0; }

ByteCase random_byte_case(int64_t most) {
  ByteCase what;
  memset(&what, 0, sizeof what);
  const int64_t batch = random_in(0, 2) == 0 ? random_in(2, 4) : 1;
  what.batch_a = random_in(0, 1) ? batch : 1;
  what.batch_b = random_in(0, 1) ? batch : 1;
  what.m = random_in(1, most);
  what.n = random_in(1, most);
  what.k = random_in(1, most);
  what.a = random_in(0, 1) ? NETCL_I8 : NETCL_U8;
  what.b = random_in(0, 1) ? NETCL_I8 : NETCL_U8;
  what.zero_a = random_zero();
  what.zero_b = random_zero();
  what.extremes = (int)random_in(0, 1);
  what.plain = (int)random_in(0, 1);
  what.epilogue = random_in(0, 2) == 0;
  return what;
}

int check_byte_product(Fixture *fixture, const ByteCase *what) {
  Operand a = make_operand(fixture, what, 1), b = make_operand(fixture, what, 0);
  Extras x = make_extras(fixture, what);
  netcl_run_options run = run_into(x.into.view);
  netcl_tensor *result = NULL;
  x.options.a_zero_point = a.zero.view;
  x.options.b_zero_point = b.zero.view;
  const int fresh = x.beta == 0 && !x.in_place && random_in(0, 1);
  const netcl_status status = netcl_op_matmul(a.tensor.view, b.tensor.view, &x.options,
                                              fresh ? NULL : &run, &result);
  if (status == NETCL_ERROR_UNSUPPORTED && what->variant != 0) {
    check_message("was asked for by options->variant: ", "netcl_op_matmul", __FILE__, __LINE__);
    CHECK_STRIDED(&x.into, x.old);
  } else {
    check_status(status, NETCL_OK, "netcl_op_matmul", __FILE__, __LINE__);
    int32_t *wanted = wanted_results(what, &a, &b, &x);
    int32_t *got = read_tensor(result);
    const int64_t batch = a.batch > b.batch ? a.batch : b.batch;
    assert_int_equal(tensor_info(result).dtype, NETCL_I32);
    for (int64_t i = 0; i < batch * what->m * what->n; ++i) {
      CHECK(got[i] == wanted[i],
            "%s %s x %s, %lld and %lld matrices of %lld x %lld x %lld, zero points %d and %d, "
            "epilogue %d: element %lld is %d, not %d",
            netcl_variant_name(what->variant), netcl_dtype_name(what->a),
            netcl_dtype_name(what->b), (long long)a.batch, (long long)b.batch, (long long)what->m,
            (long long)what->k, (long long)what->n, what->zero_a, what->zero_b, what->epilogue,
            (long long)i, got[i], wanted[i]);
    }
    if (fresh) CHECK_STRIDED(&x.into, x.old);
    if (!fresh) CHECK_STRIDED(&x.into, wanted);
    free(wanted);
    free(got);
    netcl_tensor_release(result);
  }
  free_operand(&a);
  free_operand(&b);
  free_extras(&x);
  return status == NETCL_OK;
}
