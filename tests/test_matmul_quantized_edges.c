/* Quantised weights: what is refused, gradients, graphs, and the same bits for any threads. */
#include "support_graph.h"
#include "support_process.h"
#include "support_quantized.h"

#include <math.h>
#include <stdio.h>

/* x of [3, 64] and weights of [4, 64] in blocks of 32 with 4 bits. */
typedef struct Small {
  netcl_tensor *x, *weights, *scales, *zeros;
  netcl_quantized_options options;
} Small;

static netcl_tensor *random_of(Fixture *fixture, netcl_dtype dtype, uint32_t rank,
                               const int64_t *shape) {
  unsigned char data[8192];
  fill_random(dtype, data, product(rank, shape), 1);
  return make_tensor(fixture->device, dtype, rank, shape, data);
}

static Small make_small(Fixture *fixture) {
  static const int64_t kX[2] = {3, 64}, kCodes[3] = {4, 2, 16}, kScales[2] = {4, 2};
  static const int64_t kZeros[2] = {4, 1};
  const netcl_quantized_options none = NETCL_QUANTIZED_OPTIONS_INIT;
  Small s = {random_of(fixture, NETCL_F32, 2, kX), random_of(fixture, NETCL_U8, 3, kCodes),
             random_of(fixture, NETCL_F32, 2, kScales), random_of(fixture, NETCL_U8, 2, kZeros),
             none};
  s.options.format = NETCL_QUANTIZATION_NBITS;
  s.options.scales = s.scales;
  return s;
}

/* Both ops that read weights refuse them in the same way, and leave their outputs alone. */
static void refused(netcl_status status, const char *text, netcl_tensor *x, netcl_tensor *weights,
                    const netcl_quantized_options *options) {
  netcl_tensor *const mark = (netcl_tensor *)(uintptr_t)POISON;
  netcl_tensor *made = mark;
  FAILS_WITH(status, text, netcl_op_matmul_quantized(x, weights, options, NULL, &made));
  assert_ptr_equal(made, mark);
  FAILS_WITH(status, text, netcl_op_dequantize_weights(weights, options, NULL, &made));
  assert_ptr_equal(made, mark);
}

#define REFUSED(status, text, member, value)                  \
  do {                                                        \
    netcl_quantized_options changed_ = s.options;             \
    changed_.member = (value);                                \
    refused((status), (text), s.x, s.weights, &changed_);     \
  } while (0)

static void nbits(void **state) {
  Fixture *fixture = *state;
  const Small s = make_small(fixture);
  const netcl_status wrong = NETCL_ERROR_INVALID_ARGUMENT;
  REFUSED(wrong, "options->format is 0", format, 0);
  REFUSED(wrong, "options->format is 5", format, 5);
  REFUSED(wrong, "options->format is -1", format, -1);
  REFUSED(NETCL_ERROR_UNSUPPORTED, "options->bits is 2", bits, 2);
  REFUSED(NETCL_ERROR_UNSUPPORTED, "options->bits is 3", bits, 3);
  REFUSED(NETCL_ERROR_UNSUPPORTED, "options->bits is 4294967295", bits, UINT32_MAX);
  static const uint32_t kBlocks[] = {1, 8, 24, 33, 48, 512, UINT32_MAX};
  for (size_t i = 0; i < COUNT_OF(kBlocks); ++i) {
    REFUSED(wrong, "options->block_size is ", block_size, kBlocks[i]);
  }
  REFUSED(wrong, "weights has shape [4, 2, 16]; with blocks of 32 bytes", bits, 8);
  REFUSED(wrong, "weights has shape [4, 2, 16]; with blocks of 64 bytes", block_size, 128);
  REFUSED(wrong, "options->k is 65", k, 65);
  REFUSED(wrong, "options->k is 32", k, 32);
  REFUSED(wrong, "options->k is -1", k, -1);
  REFUSED(wrong, "options->scales is NULL", scales, NULL);
  REFUSED(wrong, "options->has_zero_points is 1; it is for", has_zero_points, 1);
  RELEASE(s.x, s.weights, s.scales, s.zeros);
}

static void gguf(void **state) {
  Fixture *fixture = *state;
  const Small all = make_small(fixture);
  const netcl_status wrong = NETCL_ERROR_INVALID_ARGUMENT;
  for (int format = NETCL_QUANTIZATION_Q4_0; format <= NETCL_QUANTIZATION_Q4_K; ++format) {
    const int64_t bytes = format == 2 ? 18 : format == 3 ? 34 : 144;
    const int64_t rows[2] = {4, format == 4 ? 144 : 2 * bytes}, odd[2] = {4, bytes + 1};
    netcl_tensor *off = random_of(fixture, NETCL_U8, 2, odd);
    Small s = all;
    s.weights = random_of(fixture, NETCL_U8, 2, rows);
    s.options.format = format;
    s.options.scales = NULL;
    REFUSED(wrong, "options->bits is 4", bits, 4);
    REFUSED(wrong, "block_size 32", block_size, 32);
    REFUSED(wrong, "options->scales is set", scales, s.x);
    REFUSED(wrong, "options->zero_points is set", zero_points, s.x);
    REFUSED(wrong, "options->has_zero_points is set", has_zero_points, 1);
    REFUSED(wrong, "options->k is 63", k, 63);
    refused(wrong, "weights has shape [4, ", s.x, off, &s.options);
    RELEASE(s.weights, off);
  }
  RELEASE(all.x, all.weights, all.scales, all.zeros);
}

static void tensors(void **state) {
  Fixture *fixture = *state;
  Small s = make_small(fixture);
  const netcl_status wrong = NETCL_ERROR_INVALID_ARGUMENT;
  static const int64_t kShapes[][2] = {{4, 3}, {2, 4}, {3, 2}, {4, 1}};
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    netcl_tensor *other = random_of(fixture, NETCL_F32, 2, kShapes[i]);
    netcl_tensor *bytes = random_of(fixture, NETCL_U8, 2, kShapes[i]);
    REFUSED(wrong, "options->scales has shape", scales, other);
    REFUSED(wrong, "options->zero_points has shape", zero_points, other);
    if (i < 3) REFUSED(wrong, "options->zero_points has shape", zero_points, bytes);
    RELEASE(other, bytes);
  }
  static const int64_t kScales[2] = {4, 2}, kCodes[3] = {4, 2, 16}, kX[2] = {3, 63}, kNone[1] = {0};
  netcl_tensor *whole = random_of(fixture, NETCL_I32, 2, kScales);
  netcl_tensor *half = random_of(fixture, NETCL_F16, 2, kScales);
  netcl_tensor *codes = random_of(fixture, NETCL_I8, 3, kCodes);
  netcl_tensor *x = random_of(fixture, NETCL_F32, 2, kX);
  netcl_tensor *columns = random_of(fixture, NETCL_F32, 1, kNone);
  netcl_tensor *scalar = random_of(fixture, NETCL_F32, 0, NULL);
  netcl_tensor *flat = NULL, *y = NULL;
  static const int64_t kFlat[1] = {128};
  REFUSED(wrong, "options->scales is i32", scales, whole);
  REFUSED(wrong, "options->zero_points is i32", zero_points, whole);
  REFUSED(wrong, "options->zero_points is f16 and options->scales f32", zero_points, half);
  refused(wrong, "weights is i8", s.x, codes, &s.options);
  OK(netcl_tensor_reshape(s.weights, 1, kFlat, NULL, &flat));
  refused(wrong, "weights has shape [128]", s.x, flat, &s.options);
  FAILS_WITH(wrong, "x has 63 columns; the weights have K = 64",
             netcl_op_matmul_quantized(x, s.weights, &s.options, NULL, &y));
  FAILS_WITH(wrong, "x has no columns",
             netcl_op_matmul_quantized(columns, s.weights, &s.options, NULL, &y));
  FAILS_WITH(wrong, "x has rank 0",
             netcl_op_matmul_quantized(scalar, s.weights, &s.options, NULL, &y));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i32",
             netcl_op_matmul_quantized(whole, s.weights, &s.options, NULL, &y));
  s.options.dtype = NETCL_F16;
  FAILS_WITH(wrong, "options->dtype is f16",
             netcl_op_matmul_quantized(s.x, s.weights, &s.options, NULL, &y));
  s.options.dtype = NETCL_I32;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->dtype is i32",
             netcl_op_dequantize_weights(s.weights, &s.options, NULL, &y));
  RELEASE(s.x, s.weights, s.scales, s.zeros, whole, half, codes, x, columns, scalar, flat);
}

/* Results that share memory with what is read, and an epilogue where there is no product. */
static void results(void **state) {
  Fixture *fixture = *state;
  Small s = make_small(fixture);
  const netcl_status wrong = NETCL_ERROR_INVALID_ARGUMENT;
  static const int64_t kY[2] = {3, 4}, kRows[2] = {0, 0}, kFlat[1] = {64};
  const netcl_range four[2] = {{0, 3, 1}, {0, 4, 1}};
  const netcl_epilogue relu = {sizeof relu, NULL, NULL, 0, 0, NETCL_ACTIVATION_RELU, 0};
  netcl_tensor *in_x = NULL, *y = random_of(fixture, NETCL_F32, 2, kY), *made = NULL, *w = NULL;
  netcl_tensor *scales = NULL, *zeros = NULL, *line = random_of(fixture, NETCL_F32, 1, kFlat);
  netcl_tensor *none = random_of(fixture, NETCL_F32, 2, kRows);
  OK(netcl_tensor_slice(s.x, four, 2, &in_x));
  netcl_run_options run = run_into(in_x);
  FAILS_WITH(wrong, "run->into shares its memory with x",
             netcl_op_matmul_quantized(s.x, s.weights, &s.options, &run, NULL));
  run.into = s.zeros;
  FAILS_WITH(wrong, "run->into", netcl_op_matmul_quantized(s.x, s.weights, &s.options, &run, NULL));
  run.into = s.scales;
  FAILS_WITH(wrong, "run->into shares its memory with options->scales",
             netcl_op_dequantize_weights(s.weights, &s.options, &run, NULL));
  s.options.epilogue = &relu;
  FAILS_WITH(wrong, "options->epilogue is set",
             netcl_op_dequantize_weights(s.weights, &s.options, NULL, &made));
  FAILS_WITH(wrong, "options->epilogue is set",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, &zeros));
  s.options.epilogue = NULL;
  FAILS_WITH(wrong, "options->scales is set",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, &zeros));
  s.options.scales = NULL;
  FAILS_WITH(wrong, "scales is NULL",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, NULL, &zeros));
  FAILS_WITH(wrong, "scales is the address",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &w, &zeros));
  FAILS_WITH(wrong, "weights is NULL",
             netcl_op_quantize_weights(s.x, &s.options, NULL, NULL, &scales, &zeros));
  FAILS_WITH(wrong, "w has shape [64]",
             netcl_op_quantize_weights(line, &s.options, NULL, &w, &scales, &zeros));
  FAILS_WITH(wrong, "w has 0 columns",
             netcl_op_quantize_weights(none, &s.options, NULL, &w, &scales, &zeros));
  s.options.dtype = NETCL_F64;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "options->dtype is f64",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, &zeros));
  s.options.dtype = 0;
  s.options.has_zero_points = 1;
  FAILS_WITH(wrong, "zero_points is NULL",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, NULL));
  s.options.has_zero_points = 0;
  s.options.k = 63;
  FAILS_WITH(wrong, "options->k is 63",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, &zeros));
  s.options.k = 0;
  s.options.format = NETCL_QUANTIZATION_Q4_K;
  FAILS_WITH(wrong, "w has 64 columns; Q4_K takes multiples of 256",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, &zeros));
  s.options.format = NETCL_QUANTIZATION_Q4_0;
  s.options.dtype = NETCL_F32;
  FAILS_WITH(wrong, "options->dtype is f32",
             netcl_op_quantize_weights(s.x, &s.options, NULL, &w, &scales, &zeros));
  RELEASE(s.x, s.weights, s.scales, s.zeros, in_x, y, line, none);
}

/* The gradients of x and of a bias: those of the product with whole weights. */
static void gradients(void **state) {
  Fixture *fixture = *state;
  for (int round = 0; round < 6; ++round) {
    Quantized q;
    quantized_random(&q, random_in(1, 9), random_in(1, 70));
    q.views = 0;
    quantized_make(fixture, &q);
    const int64_t m = round % 2 ? 20 : 3, shape[2] = {m, q.k}, line[1] = {q.n};
    const int64_t grad_shape[2] = {m, q.n};
    netcl_run_options run = recorded(fixture);
    netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
    Matrix x = make_matrix(fixture, NETCL_F32, 2, shape, 0);
    Matrix seed = make_matrix(fixture, NETCL_F32, 2, grad_shape, 1);
    Matrix bias = make_matrix(fixture, NETCL_F32, 1, line, 1);
    netcl_tensor *y = NULL, *found[2] = {NULL, NULL}, *inputs[2] = {x.tensor, bias.tensor};
    epilogue.bias = bias.tensor;
    if (round % 3 == 0) epilogue.activation = NETCL_ACTIVATION_RELU;
    q.options.epilogue = &epilogue;
    OK(netcl_op_matmul_quantized(x.tensor, q.weights, &q.options, &run, &y));
    netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
    options.seeds = &seed.tensor;
    options.seeds_count = 1;
    OK(netcl_graph_add_gradients(run.graph, &y, 1, inputs, 2, &options, found));
    float *got = read_tensor(found[0]), *result = read_tensor(y), *sums = read_tensor(found[1]);
    for (int64_t j = 0; j < q.n; ++j) {
      double sum = 0, size = 0;
      for (int64_t i = 0; i < m; ++i) {
        const int on = !epilogue.activation || result[i * q.n + j] > 0;
        sum += on ? (double)matrix_element(&seed.model, i * q.n + j) : 0;
        size += fabs((double)matrix_element(&seed.model, i * q.n + j));
      }
      CHECK(fabs(sums[j] - sum) <= 1e-5 * size, "bias %lld: %g, not %g", (long long)j,
            (double)sums[j], sum);
    }
    for (int64_t at = 0; at < m * q.k; ++at) {
      double sum = 0, size = 0;
      for (int64_t j = 0; j < q.n; ++j) {
        const int64_t i = at / q.k * q.n + j;
        if (epilogue.activation && !(result[i] > 0)) continue;
        const double term = (double)matrix_element(&seed.model, i) * q.w[j * q.k + at % q.k];
        sum += term;
        size += fabs(term);
      }
      CHECK(fabs(got[at] - sum) <= 1e-5 * size, "%s: gradient %lld is %g, not %g",
            quantized_text(&q), (long long)at, (double)got[at], sum);
    }
    free(got);
    free(result);
    free(sums);
    netcl_graph_release(run.graph);
    RELEASE(y, found[0], found[1]);
    free_matrix(&x);
    free_matrix(&seed);
    free_matrix(&bias);
    quantized_free(&q);
  }
}

/* Scales have no gradient, nor have weights that are made whole. */
static void without_derivative(void **state) {
  Fixture *fixture = *state;
  Small s = make_small(fixture);
  netcl_run_options run = recorded(fixture);
  netcl_tensor *y = NULL, *w = NULL, *found = NULL;
  OK(netcl_op_matmul_quantized(s.x, s.weights, &s.options, &run, &y));
  OK(netcl_op_dequantize_weights(s.weights, &s.options, &run, &w));
  netcl_tensor *const total = sum_of(y, &run), *const other = sum_of(w, &run);
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "scales and zero points of quantised weights have none",
             netcl_graph_add_gradients(run.graph, &total, 1, &s.scales, 1, NULL, &found));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "dequantize_weights",
             netcl_graph_add_gradients(run.graph, &other, 1, &s.scales, 1, NULL, &found));
  netcl_graph_release(run.graph);
  RELEASE(y, w, total, other, s.x, s.weights, s.scales, s.zeros);
}

/* Compiled, with a bias and an activation that are calls of their own, it gives what calls give. */
static void in_graphs(void **state) {
  Fixture *fixture = *state;
  for (int64_t m = 2; m <= 20; m += 18) {
    Small s = make_small(fixture);
    const int64_t shape[2] = {m, 64}, line[1] = {4};
    netcl_tensor *x = random_of(fixture, NETCL_F32, 2, shape);
    netcl_tensor *bias = random_of(fixture, NETCL_F32, 1, line);
    netcl_run_options run = captured_calls(fixture);
    netcl_tensor *inputs[5] = {x, s.weights, s.scales, bias, s.zeros};
    netcl_tensor *y[2] = {NULL, NULL}, *given;
    s.options.zero_points = s.zeros;
    OK(netcl_op_matmul_quantized(x, s.weights, &s.options, &run, &y[0]));
    OK(netcl_op_matmul_quantized(x, s.weights, &s.options, NULL, &y[1]));
    netcl_tensor *const made = formula("relu(v0 + v1)", y[0], bias, &run);
    netcl_tensor *const wanted = formula("relu(v0 + v1)", y[1], bias, NULL);
    OK(netcl_graph_compile(run.graph, inputs, 5, &made, 1, NULL));
    given = poisoned_like(fixture, wanted);
    OK(netcl_graph_run(run.graph, inputs, 5, &given, 1, NULL));
    check_same_bits(given, wanted, "compiled result", (int)m);
    netcl_graph_release(run.graph);
    RELEASE(x, bias, y[0], y[1], made, wanted, given, s.x, s.weights, s.scales, s.zeros);
  }
}

/* Prints products of few rows and of many. */
static int print_bits(void) {
  Fixture fixture = {0};
  if (netcl_device_open("builtin", NULL, &fixture.device) != NETCL_OK) return 1;
  for (int64_t m = 1; m <= 64; m *= 4) {
    const int64_t shape[2] = {m, 1024}, weights[2] = {700, 1024};
    netcl_tensor *x = NULL, *w = NULL, *codes = NULL, *scales = NULL, *zeros = NULL, *y = NULL;
    netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
    OK(netcl_tensor_create_random(fixture.device, NETCL_F32, 2, shape, NULL, NULL, NULL, &x));
    OK(netcl_tensor_create_random(fixture.device, NETCL_F32, 2, weights, NULL, NULL, NULL, &w));
    options.format = m == 4 ? NETCL_QUANTIZATION_Q4_K : NETCL_QUANTIZATION_NBITS;
    OK(netcl_op_quantize_weights(w, &options, NULL, &codes, &scales, &zeros));
    options.scales = scales;
    OK(netcl_op_matmul_quantized(x, codes, &options, NULL, &y));
    unsigned char *bytes = read_tensor(y);
    uint64_t hash = 1469598103934665603u;
    for (uint64_t i = 0; i < tensor_info(y).byte_count; ++i) {
      hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    printf("%016llx\n", (unsigned long long)hash);
    free(bytes);
    RELEASE(x, w, codes, scales, y);
  }
  netcl_device_release(fixture.device);
  return 0;
}

static void same_bits(void **state) {
  Fixture *fixture = *state;
  if (fixture->opencl) SKIP("threads are the built-in device's");
  process_expect_same_output("bits", 4 * 17);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"bits", print_bits}};
  const int code = process_child_main(argc, argv, modes, 1);
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(nbits),     DEVICE_TEST(gguf),      DEVICE_TEST(tensors),
      DEVICE_TEST(results),   DEVICE_TEST(gradients), DEVICE_TEST(without_derivative),
      DEVICE_TEST(in_graphs), DEVICE_TEST(same_bits), DEVICE_TEST(as_kernels)};
  seed_random("matmul_quantized_edges");
  return cmocka_run_group_tests_name("matmul_quantized_edges", tests, NULL, NULL);
}
