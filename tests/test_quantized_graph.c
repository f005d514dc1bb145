/* Weights quantised in blocks, in compiled graphs: all results are written where a run has them,
 * and what stands behind making them whole is done. */
#include "support_graph.h"

enum { N = 4, K = 64, NUMBERS = N * K };
static const int64_t kShape[2] = {N, K};

static netcl_tensor* random_matrix(Fixture* fixture) {
  float numbers[NUMBERS];
  for (int i = 0; i < NUMBERS; ++i) numbers[i] = (float)random_in(-1000, 1000) / 300;
  return make_tensor(fixture->device, NETCL_F32, 2, kShape, numbers);
}

static netcl_quantized_options options_of(int has_zero_points) {
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  options.format = NETCL_QUANTIZATION_NBITS;
  options.has_zero_points = (uint32_t)has_zero_points;
  return options;
}

/* Quantises x, and multiplies x by what that gave, which is the last of the results. */
static int quantized(netcl_tensor* x, int zeros, const netcl_run_options* run,
                     netcl_tensor** made) {
  netcl_quantized_options options = options_of(zeros);
  OK(netcl_op_quantize_weights(x, &options, run, &made[0], &made[1], zeros ? &made[2] : NULL));
  options.has_zero_points = 0;
  options.scales = made[1];
  options.zero_points = zeros ? made[2] : NULL;
  OK(netcl_op_matmul_quantized(x, made[0], &options, run, &made[2 + zeros]));
  return 3 + zeros;
}

static void check_equal(netcl_tensor* got, netcl_tensor* wanted, const char* what, int number) {
  const netcl_tensor_info info = tensor_info(wanted);
  unsigned char *a = read_tensor(got), *b = read_tensor(wanted);
  CHECK(memcmp(a, b, (size_t)info.byte_count) == 0, "%s, result %d: other bits", what, number);
  free(a);
  free(b);
}

static void all_results(void** state) {
  Fixture* fixture = *state;
  for (int zeros = 0; zeros < 2; ++zeros) {
    netcl_tensor *x = random_matrix(fixture), *other = random_matrix(fixture);
    netcl_tensor *made[4] = {NULL}, *wanted[4] = {NULL}, *got[4] = {NULL};
    netcl_run_options run = captured_calls(fixture);
    const int count = quantized(x, zeros, &run, made);
    quantized(other, zeros, NULL, wanted);
    OK(netcl_graph_compile(run.graph, &x, 1, made, (uint32_t)count, NULL));
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < count; ++i) got[i] = poisoned_like(fixture, wanted[i]);
      OK(netcl_graph_run(run.graph, &other, 1, got, (uint32_t)count, NULL));
      for (int i = 0; i < count; ++i) check_equal(got[i], wanted[i], "quantised", i);
      release_tensors(got, (size_t)count);
    }
    release_tensors(made, (size_t)count);
    release_tensors(wanted, (size_t)count);
    RELEASE(x, other);
    netcl_graph_release(run.graph);
  }
}

static void behind_whole_weights(void** state) {
  static const char* const kTexts[] = {"relu(v0)", "v0 + v1", "tanh(v0)", "relu(v0 + v1)"};
  Fixture* fixture = *state;
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  options.format = NETCL_QUANTIZATION_Q4_0;
  const int64_t columns = K;
  netcl_tensor *x = random_matrix(fixture), *codes = NULL, *bias = NULL;
  OK(netcl_op_quantize_weights(x, &options, NULL, &codes, NULL, NULL));
  OK(netcl_tensor_create_random(fixture->device, NETCL_F32, 1, &columns, NULL, NULL, NULL, &bias));
  for (size_t i = 0; i < COUNT_OF(kTexts); ++i) {
    netcl_tensor *whole[2] = {NULL}, *made[2] = {NULL}, *got = NULL;
    netcl_run_options run = captured_calls(fixture);
    const netcl_run_options* const runs[2] = {&run, NULL};
    for (int k = 0; k < 2; ++k) {
      OK(netcl_op_dequantize_weights(codes, &options, runs[k], &whole[k]));
      netcl_tensor* const inputs[2] = {whole[k], bias};
      OK(netcl_op_expression_text(kTexts[i], inputs, 1 + (uint32_t)(i % 2), NULL, runs[k],
                                  &made[k]));
    }
    OK(netcl_graph_compile(run.graph, &codes, 1, &made[0], 1, NULL));
    got = poisoned_like(fixture, made[1]);
    OK(netcl_graph_run(run.graph, &codes, 1, &got, 1, NULL));
    check_equal(got, made[1], kTexts[i], 0);
    RELEASE(whole[0], whole[1], made[0], made[1], got);
    netcl_graph_release(run.graph);
  }
  RELEASE(x, codes, bias);
}

int main(void) {
  seed_random("quantized_graph");
  const struct CMUnitTest tests[] = {DEVICE_TEST(all_results), DEVICE_TEST(behind_whole_weights),
                                     DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("quantized_graph", tests, NULL, NULL);
}
