/*
 * Expressions over tensors: integer arithmetic, broadcasting, strides, results in place, and random
 * expressions that must be right to the bit (integers, and single + - * of floats).
 */
#include <math.h>
#include <stdio.h>

#include "support.h"

static uint64_t width_mask(netcl_dtype dtype) {
  return UINT64_MAX >> (64 - 8 * netcl_dtype_size(dtype));
}

/* The bits of an integer, as 64-bit two's complement of its dtype. */
static uint64_t wrap(netcl_dtype dtype, uint64_t bits) {
  const unsigned unused = 64 - 8 * (unsigned)netcl_dtype_size(dtype);
  bits <<= unused;
  return is_signed_dtype(dtype) ? (uint64_t)((int64_t)bits >> unused) : bits >> unused;
}

static uint64_t integer_op(int op, netcl_dtype dtype, uint64_t a, uint64_t b) {
  const int is_signed = is_signed_dtype(dtype);
  const unsigned width = 8 * (unsigned)netcl_dtype_size(dtype);
  const int64_t x = (int64_t)a, y = (int64_t)b;
  const uint64_t least = (uint64_t)1 << (width - 1);
  const int overflows = is_signed && (a & width_mask(dtype)) == least && y == -1;
  switch (op) {
    case 0: return wrap(dtype, a + b);
    case 1: return wrap(dtype, a - b);
    case 2: return wrap(dtype, a * b);
    case 3: return b == 0 ? 0 : overflows ? a : is_signed ? (uint64_t)(x / y) : a / b;
    case 4: return b == 0 || overflows ? 0 : is_signed ? (uint64_t)(x % y) : a % b;
    case 5: return a & b;
    case 6: return a | b;
    case 7: return a ^ b;
    /* A negative count is a large one as an unsigned number. */
    case 8: return b < width ? wrap(dtype, a << b) : 0;
    case 9:
      if (b >= width) return is_signed && x < 0 ? UINT64_MAX : 0;
      return is_signed ? (uint64_t)(x >> b) : a >> b;
    case 10: return is_signed ? (x < y ? a : b) : a < b ? a : b;
    case 11: return is_signed ? (x > y ? a : b) : a > b ? a : b;
    case 12: return wrap(dtype, 0 - a);
    case 13: return wrap(dtype, is_signed && x < 0 ? 0 - a : a);
    default: return wrap(dtype, ~a);
  }
}

/* Limits of limits with 0 among them, which an assembler got wrong (see print_cl_helpers.cpp). */
static void limits_within_limits(void **state) {
  Fixture *fixture = *state;
  static const char *const kTexts[] = {
      "min(min((v0 - v0) - 3, v2 * v1), max(max(v1, v2) * (v0 + v1), max(v0 - v0, v0 * v2)))",
      "max(max(v0 - v0 + 3, v0), min(min(v1, v2), min(v0 - v0, v1 * v0)))",
      "min(min(v0 - 3, v1), max(v2, max(v0 - v0, v0 * v2)))",
      "clamp(min(v0, v1), v0 - 3, max(v0 - v0, v2))"};
  for (netcl_dtype dtype = NETCL_I8; dtype <= NETCL_I64; ++dtype) {
    if (rounds(fixture, 5) < 5 && dtype != NETCL_I32) continue;
    int64_t shape[] = {1}, v[3];
    unsigned char data[3][8];
    netcl_tensor *inputs[3];
    for (int i = 0; i < 3; ++i) {
      /* Products stay within i8. */
      v[i] = i == 0 ? -random_in(2, 10) : random_in(2, 10);
      store_double(dtype, data[i], 0, (double)v[i]);
      inputs[i] = make_tensor(fixture->device, dtype, 1, shape, data[i]);
    }
#define LESS(x, y) ((x) < (y) ? (x) : (y))
#define MORE(x, y) ((x) > (y) ? (x) : (y))
    const int64_t wanted[] = {
        LESS(LESS(-3, v[2] * v[1]), MORE(MORE(v[1], v[2]) * (v[0] + v[1]), MORE(0, v[0] * v[2]))),
        MORE(MORE(3, v[0]), LESS(LESS(v[1], v[2]), LESS(0, v[1] * v[0]))),
        LESS(LESS(v[0] - 3, v[1]), MORE(v[2], MORE(0, v[0] * v[2]))),
        LESS(MORE(LESS(v[0], v[1]), v[0] - 3), MORE(0, v[2]))};
    for (size_t i = 0; i < COUNT_OF(kTexts); ++i) {
      netcl_tensor *result = NULL;
      OK(netcl_op_expression_text(kTexts[i], inputs, 3, NULL, NULL, &result));
      check_and_release(&result, 1, (const double[]){(double)wanted[i]}, 0, __LINE__);
    }
    for (int i = 0; i < 3; ++i) netcl_tensor_release(inputs[i]);
  }
}

static void integers(void **state) {
  Fixture *fixture = *state;
  static const char *const kTexts[] = {"v0 + v1", "v0 - v1", "v0 * v1", "v0 / v1", "v0 % v1",
                                       "v0 & v1", "v0 | v1", "v0 ^ v1", "v0 << v1", "v0 >> v1",
                                       "min(v0, v1)", "max(v0, v1)", "-v0", "abs(v0)", "~v0"};
  enum { COUNT = 2000 };
  const int64_t shape[] = {COUNT};
  for (netcl_dtype dtype = NETCL_I8; dtype <= NETCL_U64; ++dtype) {
    const size_t size = netcl_dtype_size(dtype);
    const uint64_t least = (uint64_t)1 << (8 * size - 1);
    const uint64_t special[] = {0, 1, 2, 7, UINT64_MAX, UINT64_MAX - 1, least, least - 1,
                                least + 1};
    unsigned char a[COUNT * 8], b[COUNT * 8];
    for (int i = 0; i < COUNT; ++i) {
      uint64_t x = random_bits(), y = random_bits() >> random_in(0, 63);
      if (i < 81) {
        x = special[i / 9];
        y = special[i % 9];
      }
      memcpy(a + (size_t)i * size, &x, size);
      memcpy(b + (size_t)i * size, &y, size);
    }
    netcl_tensor *const inputs[] = {make_tensor(fixture->device, dtype, 1, shape, a),
                                    make_tensor(fixture->device, dtype, 1, shape, b)};
    for (int op = 0; op < (int)COUNT_OF(kTexts); ++op) {
      /* Every operator and every dtype, but not every pair where each costs a compilation. */
      if (rounds(fixture, 5) < 5 && (op + dtype) % 3 != 0) continue;
      netcl_tensor *result = NULL;
      OK(netcl_op_expression_text(kTexts[op], inputs, 2, NULL, NULL, &result));
      assert_int_equal(tensor_info(result).dtype, dtype);
      unsigned char *got = read_tensor(result);
      for (int i = 0; i < COUNT; ++i) {
        const Value x = load_value(dtype, a, i), y = load_value(dtype, b, i);
        const Value z = load_value(dtype, got, i);
        const uint64_t p = x.kind == VALUE_SIGNED ? (uint64_t)x.integer : x.natural;
        const uint64_t q = y.kind == VALUE_SIGNED ? (uint64_t)y.integer : y.natural;
        const uint64_t r = z.kind == VALUE_SIGNED ? (uint64_t)z.integer : z.natural;
        const uint64_t wanted = integer_op(op, dtype, p, q);
        CHECK(r == wanted, "%s %s of %lld and %lld is %lld, not %lld", netcl_dtype_name(dtype),
              kTexts[op], (long long)p, (long long)q, (long long)r, (long long)wanted);
      }
      free(got);
      netcl_tensor_release(result);
    }
    netcl_tensor_release(inputs[0]);
    netcl_tensor_release(inputs[1]);
  }
}

/* A random operand that broadcasts to the shape, under a random layout. */
static netcl_tensor *random_operand(Fixture *fixture, netcl_dtype dtype, uint32_t rank,
                                    const int64_t *shape, Model *model) {
  const uint32_t own = (uint32_t)random_in(0, rank);
  int64_t extents[NETCL_RANK_MAX], stored[NETCL_RANK_MAX];
  netcl_range ranges[NETCL_RANK_MAX];
  uint32_t axes[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < own; ++d) {
    extents[d] = random_in(0, 3) == 0 ? 1 : shape[rank - own + d];
    axes[d] = d;
  }
  for (uint32_t d = own; d > 1; --d) {
    const uint32_t other = (uint32_t)random_in(0, d - 1), kept = axes[d - 1];
    if (random_in(0, 1)) continue;
    axes[d - 1] = axes[other];
    axes[other] = kept;
  }
  for (uint32_t d = 0; d < own; ++d) {
    /* Dimension axes[d] of the stored array becomes dimension d. */
    const int64_t extent = extents[d], step = random_in(0, 4) == 0 ? 2 : 1;
    stored[axes[d]] = extent * step;
    ranges[axes[d]] = (netcl_range){0, extent, step};
    if (extent > 0 && random_in(0, 4) == 0) {
      ranges[axes[d]] = (netcl_range){(extent - 1) * step, extent, -step};
    }
  }
  const int64_t count = product(own, stored);
  unsigned char *data = malloc((size_t)count * netcl_dtype_size(dtype) + 1);
  fill_random(dtype, data, count, 100);
  netcl_tensor *base = make_tensor(fixture->device, dtype, own, stored, data), *part = NULL,
               *view = NULL;
  OK(netcl_tensor_slice(base, ranges, own, &part));
  OK(netcl_tensor_permute(part, axes, own, &view));
  netcl_tensor_release(base);
  netcl_tensor_release(part);
  Model packed = model_packed(dtype, own, stored, data);
  packed = model_slice(&packed, ranges);
  packed = model_permute(&packed, axes);
  *model = model_broadcast(&packed, rank, shape);
  return view;
}

/* Grows a random expression of + - * min max over v0, v1, v2, in f32, f64 or i32. */
typedef struct Tree {
  char text[2000];
  double values[3];  /* the inputs at one element */
  netcl_dtype dtype;
} Tree;

static double exact(netcl_dtype dtype, int op, double a, double b) {
  if (dtype == NETCL_I32) {
    const uint32_t x = (uint32_t)(int32_t)a, y = (uint32_t)(int32_t)b;
    const uint32_t r = op == 0 ? x + y : op == 1 ? x - y : x * y;
    return (double)(int32_t)r;
  }
  if (dtype == NETCL_F32) {
    const volatile float x = (float)a, y = (float)b;
    const volatile float r = op == 0 ? x + y : op == 1 ? x - y : x * y;
    return r;
  }
  const volatile double r = op == 0 ? a + b : op == 1 ? a - b : a * b;
  return r;
}

/* Writes the expression, or, given values, evaluates it: both walk the same seeds. */
static double grow(Tree *tree, uint64_t *seed, int depth, int write) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  const unsigned pick = (unsigned)(*seed >> 60), op = (unsigned)(*seed >> 40) % 5;
  if (depth == 0 || pick < 3) {
    if (write) {
      char name[8];
      snprintf(name, sizeof name, "v%u", (unsigned)(*seed >> 50) % 3);
      strcat(tree->text, name);
    }
    return tree->values[(unsigned)(*seed >> 50) % 3];
  }
  static const char *const kOpen[] = {"(", "(", "(", "min(", "max("};
  static const char *const kMiddle[] = {" + ", " - ", " * ", ", ", ", "};
  if (write) strcat(tree->text, kOpen[op]);
  const double a = grow(tree, seed, depth - 1, write);
  if (write) strcat(tree->text, kMiddle[op]);
  double b;
  if (pick == 15) {
    /* Exact in every type here. */
    b = tree->dtype == NETCL_I32 ? 3 : 0.75;
    if (write) strcat(tree->text, tree->dtype == NETCL_I32 ? "3" : "0.75");
  } else {
    b = grow(tree, seed, depth - 1, write);
  }
  if (write) strcat(tree->text, ")");
  if (op == 3) return a < b ? a : b;
  if (op == 4) return a > b ? a : b;
  return exact(tree->dtype, (int)op, a, b);
}

static void random_expressions(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  for (int round = 0; round < rounds(fixture, 60); ++round) {
    static const netcl_dtype kKinds[] = {NETCL_I32, NETCL_F32, NETCL_F64};
    Tree tree;
    netcl_tensor *inputs[3], *result = NULL;
    Model models[3];
    const uint32_t rank = (uint32_t)random_in(0, round % 4 == 0 ? 8 : 4);
    int64_t shape[NETCL_RANK_MAX];
    memset(&tree, 0, sizeof tree);
    tree.dtype = kKinds[random_in(0, 2)];
    if (tree.dtype == NETCL_F64 && !fixture->capabilities.fp64) tree.dtype = NETCL_F32;
    for (uint32_t d = 0; d < rank; ++d) shape[d] = random_in(1, rank > 4 ? 3 : 11);
    if (rank > 0 && round % 20 == 19) shape[0] = 0;
    for (int i = 0; i < 3; ++i) {
      inputs[i] = random_operand(fixture, tree.dtype, rank, shape, &models[i]);
    }
    /* Deep products of f32 would overflow, and min and max of NaN are another test's. */
    const int depth = tree.dtype == NETCL_F32 ? 3 : 5;
    const uint64_t seed = random_bits();
    uint64_t walk = seed;
    grow(&tree, &walk, depth, 1);
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.queue = random_in(0, 1) ? queue : NULL;
    const netcl_status status = netcl_op_expression_text(tree.text, inputs, 3, NULL, &run, &result);
    CHECK(status == NETCL_OK, "%s: %s", tree.text, netcl_last_error_message());
    const netcl_tensor_info info = tensor_info(result);
    CHECK(info.dtype == tree.dtype, "%s is %s", tree.text, netcl_dtype_name(info.dtype));
    unsigned char *got = read_tensor(result);
    /* The result has the shape that all three broadcast to, which may be smaller than `shape`. */
    Model out = model_packed(tree.dtype, info.rank, info.shape, got);
    for (int64_t i = 0; i < info.element_count; ++i) {
      int64_t flat = i, index[NETCL_RANK_MAX] = {0};
      for (uint32_t d = info.rank; d-- > 0;) {
        index[rank - info.rank + d] = flat % out.shape[d];
        flat /= out.shape[d];
      }
      for (int k = 0; k < 3; ++k) {
        int64_t at = models[k].offset;
        for (uint32_t d = 0; d < rank; ++d) at += index[d] * models[k].strides[d];
        tree.values[k] = load_double(tree.dtype, models[k].data, at);
      }
      walk = seed;
      const double wanted = grow(&tree, &walk, depth, 0), value = load_double(tree.dtype, got, i);
      CHECK(value == wanted || (isnan(value) && isnan(wanted)),
            "%s of %s v0 = %.17g, v1 = %.17g, v2 = %.17g is %.17g, not %.17g (element %lld)",
            tree.text, netcl_dtype_name(tree.dtype), tree.values[0], tree.values[1],
            tree.values[2], value, wanted, (long long)i);
    }
    free(got);
    netcl_tensor_release(result);
    for (int i = 0; i < 3; ++i) {
      netcl_tensor_release(inputs[i]);
      free(models[i].data);
    }
  }
  netcl_queue_release(queue);
}

/* Into one of the inputs, with the same layout of any kind. */
static void in_place(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < rounds(fixture, 30); ++round) {
    const netcl_dtype dtype = kDtypes[random_in(0, DTYPES - 2)];
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    const int64_t shape[] = {random_in(1, 20), random_in(1, 20)}, count = product(2, shape);
    const netcl_range ranges[] = {{shape[0] - 1, shape[0], -1}, {0, shape[1], 1}};
    unsigned char *data = malloc((size_t)count * 8);
    for (int64_t i = 0; i < count; ++i) store_double(dtype, data, i, (double)random_in(0, 40));
    netcl_tensor *base = make_tensor(fixture->device, dtype, 2, shape, data), *view = NULL,
                 *same = NULL;
    OK(netcl_tensor_slice(base, ranges, 2, &view));
    netcl_tensor *const inputs[] = {view, view};
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.into = view;
    OK(netcl_op_expression_text("v0 * 2 + v1", inputs, 2, NULL, &run, &same));
    for (int64_t i = 0; i < count; ++i) {
      store_double(dtype, data, i, 3 * load_double(dtype, data, i));
    }
    CHECK_TENSOR(base, data);
    netcl_tensor_release(same);
    netcl_tensor_release(base);
    netcl_tensor_release(view);
    free(data);
  }
}

/* Into memory that an input reads under another layout: as if the input had been copied first. */
static void overlapping_output(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 5000 };
  const int64_t shape[] = {COUNT};
  const netcl_range front = {0, COUNT - 1, 1}, behind = {1, COUNT - 1, 1};
  int32_t values[COUNT];
  for (int i = 0; i < COUNT; ++i) values[i] = i;
  netcl_tensor *base = make_tensor(fixture->device, NETCL_I32, 1, shape, values), *from = NULL,
               *to = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_tensor_slice(base, &front, 1, &from));
  OK(netcl_tensor_slice(base, &behind, 1, &to));
  run.into = to;
  OK(netcl_op_expression_text("v0 + 1", &from, 1, NULL, &run, NULL));
  for (int i = COUNT - 1; i > 0; --i) values[i] = values[i - 1] + 1;
  CHECK_TENSOR(base, values);
  netcl_tensor_release(from);
  netcl_tensor_release(to);
  netcl_tensor_release(base);
}

/* Large enough for every vector width, thread split and grid, and ragged at the end. */
static void large(void **state) {
  Fixture *fixture = *state;
  const int64_t counts[] = {1, 3, 63, 64, 65, 1023, 65537, 3000001};
  for (size_t c = 0; c < COUNT_OF(counts); ++c) {
    const int64_t count = counts[c];
    float *x = malloc((size_t)count * 4);
    for (int64_t i = 0; i < count; ++i) x[i] = (float)(i % 4096);
    netcl_tensor *a = make_tensor(fixture->device, NETCL_F32, 1, &count, x), *result = NULL,
                 *scalar = make_tensor(fixture->device, NETCL_F32, 0, NULL, &(float){2});
    netcl_tensor *const inputs[] = {a, scalar};
    OK(netcl_op_expression_text("MUL(ADD(v0, v1), 2.0f)", inputs, 2, NULL, NULL, &result));
    for (int64_t i = 0; i < count; ++i) x[i] = (x[i] + 2) * 2;
    CHECK_TENSOR(result, x);
    netcl_tensor_release(a);
    netcl_tensor_release(scalar);
    netcl_tensor_release(result);
    free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(integers), DEVICE_TEST(limits_within_limits), DEVICE_TEST(random_expressions),
      DEVICE_TEST(in_place), DEVICE_TEST(overlapping_output), DEVICE_TEST(large),
      DEVICE_TEST(as_kernels),
  };
  seed_random("expression_values");
  return cmocka_run_group_tests_name("expression_values", tests, NULL, NULL);
}
