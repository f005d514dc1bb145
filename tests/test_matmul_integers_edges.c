/* Products of 8-bit integers: whole tiles, stacks of several dimensions, and what graphs make of
 * them. */
#include "support_graph.h"
#include "support_integers.h"

/* Packed operands that fill tiles, whose kernels do not ask for ends. */
static void whole_tiles(void** state) {
  Fixture* fixture = *state;
  static const struct {
    netcl_variant variant;
    int64_t m, n, k;
  } kCases[] = {{NETCL_VARIANT_MATMUL_VECTORIZED, 68, 64, 64},
                {NETCL_VARIANT_MATMUL_VECTORIZED, 3, 64, 512},
                {NETCL_VARIANT_MATMUL_VECTORIZED, 64, 3, 512},
                {NETCL_VARIANT_MATMUL_REGISTER_TILED, 16, 132, 512},
                {NETCL_VARIANT_MATMUL_REGISTER_TILED, 128, 128, 64},
                {NETCL_VARIANT_MATMUL_TILED, 64, 64, 64}};
  static const int kForms[] = {ZERO_NONE, ZERO_VECTOR, ZERO_STACK};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    for (size_t form = 0; form < COUNT_OF(kForms); ++form) {
      ByteCase what = random_byte_case(8);
      what.variant = kCases[i].variant;
      what.m = kCases[i].m;
      what.n = kCases[i].n;
      what.k = kCases[i].k;
      what.plain = 1;
      what.zero_a = kForms[form];
      what.zero_b = kForms[(form + i) % COUNT_OF(kForms)];
      assert_true(check_byte_product(fixture, &what));
    }
  }
}

/* a, b, a_zero_point and b_zero_point, with four extents each; the first `missing` are left out. */
typedef struct Stacks {
  int64_t shape[4][4];
  uint32_t missing[4];
} Stacks;

static int64_t at_place(const int64_t* shape, const int64_t* place) {
  int64_t offset = 0;
  for (int d = 0; d < 4; ++d) offset = offset * shape[d] + (shape[d] == 1 ? 0 : place[d]);
  return offset;
}

static int64_t wanted_sum(const Stacks* stacks, signed char bytes[4][256], const int64_t* place) {
  int64_t sum = 0;
  for (int64_t p = 0; p < stacks->shape[0][3]; ++p) {
    const int64_t of_a[4] = {place[0], place[1], place[2], p};
    const int64_t of_b[4] = {place[0], place[1], p, place[3]};
    int64_t values[4];
    for (int t = 0; t < 4; ++t) {
      values[t] = bytes[t][at_place(stacks->shape[t], t % 2 == 0 ? of_a : of_b)];
    }
    sum += (values[0] - values[2]) * (values[1] - values[3]);
  }
  return sum;
}

static void check_stacks(Fixture* fixture, const Stacks* stacks, netcl_variant variant) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  signed char bytes[4][256];
  netcl_tensor *given[4], *made = NULL;
  for (int t = 0; t < 4; ++t) {
    const int64_t* const shape = stacks->shape[t];
    const uint32_t missing = stacks->missing[t];
    fill_bits(NETCL_I8, bytes[t], (size_t)product(4, shape));
    given[t] = make_tensor(fixture->device, NETCL_I8, 4 - missing, shape + missing, bytes[t]);
  }
  options.variant = variant;
  options.a_zero_point = given[2];
  options.b_zero_point = given[3];
  OK(netcl_op_matmul(given[0], given[1], &options, NULL, &made));
  const netcl_tensor_info info = tensor_info(made);
  int32_t* const got = read_tensor(made);
  assert_int_equal(info.rank, 4);
  const int64_t n = info.shape[3], m = info.shape[2], inner = info.shape[1];
  for (int64_t i = 0; i < product(4, info.shape); ++i) {
    const int64_t place[4] = {i / (n * m * inner), i / (n * m) % inner, i / n % m, i % n};
    const int64_t wanted = wanted_sum(stacks, bytes, place);
    CHECK(got[i] == wanted, "%s: element %lld is %d, not %lld", netcl_variant_name(variant),
          (long long)i, got[i], (long long)wanted);
  }
  free(got);
  netcl_tensor_release(made);
  release_tensors(given, 4);
}

/* Two leading dimensions, along which each of the four may be the same. */
static void two_leading(void** state) {
  static const netcl_variant kVariants[] = {0, NETCL_VARIANT_MATMUL_NAIVE,
                                            NETCL_VARIANT_MATMUL_TILED,
                                            NETCL_VARIANT_MATMUL_REGISTER_TILED};
  static const Stacks kStacks[] = {
      {{{2, 3, 5, 7}, {1, 1, 7, 4}, {2, 1, 5, 1}, {1, 3, 1, 4}}, {0, 2, 0, 1}},
      {{{2, 3, 5, 7}, {1, 3, 7, 4}, {1, 3, 5, 1}, {1, 1, 1, 4}}, {0, 1, 0, 2}},
      {{{2, 1, 5, 7}, {1, 3, 7, 4}, {2, 3, 5, 1}, {2, 1, 1, 4}}, {0, 0, 0, 0}},
      {{{2, 3, 5, 7}, {2, 3, 7, 4}, {1, 1, 5, 1}, {2, 3, 1, 4}}, {0, 0, 2, 0}},
      {{{2, 3, 1, 7}, {1, 1, 7, 4}, {2, 3, 1, 1}, {1, 1, 1, 4}}, {0, 2, 0, 3}}};
  for (size_t i = 0; i < COUNT_OF(kStacks); ++i) {
    for (size_t v = 0; v < COUNT_OF(kVariants); ++v) {
      check_stacks(*state, &kStacks[i], kVariants[v]);
    }
  }
}

static void selected(void** state) {
  Fixture* fixture = *state;
  netcl_variant_options options = NETCL_VARIANT_OPTIONS_INIT;
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  for (int i = 0; i < 2; ++i) {
    options.dtype = i == 0 ? NETCL_I8 : NETCL_U8;
    OK(netcl_variant_select_matmul(fixture->device, 512, 512, 512, &options, &config));
    assert_true(config.variant >= NETCL_VARIANT_MATMUL_NAIVE &&
                config.variant <= NETCL_VARIANT_MATMUL_VECTORIZED);
  }
}

/* Zero points that are inputs of a graph, and what follows a product in i32. */
static void inputs_of_graphs(void** state) {
  Fixture* fixture = *state;
  const int64_t shape_a[2] = {5, 7}, shape_b[2] = {7, 3}, shape[2] = {5, 3};
  signed char bytes[2][35], other[21], zeros[2] = {-9, 100};
  int32_t words[15];
  fill_bits(NETCL_I8, bytes, 70);
  fill_bits(NETCL_I8, other, 21);
  for (int i = 0; i < 15; ++i) words[i] = (int32_t)random_in(-20000, 20000);
  netcl_tensor *a[2], *zero[2];
  for (int i = 0; i < 2; ++i) {
    a[i] = make_tensor(fixture->device, NETCL_I8, 2, shape_a, bytes[i]);
    zero[i] = make_tensor(fixture->device, NETCL_I8, 0, NULL, &zeros[i]);
  }
  netcl_tensor* b = make_tensor(fixture->device, NETCL_I8, 2, shape_b, other);
  netcl_tensor* more = make_tensor(fixture->device, NETCL_I32, 2, shape, words);
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_run_options run = captured_calls(fixture);
  netcl_tensor* made = NULL;
  options.a_zero_point = zero[0];
  OK(netcl_op_matmul(a[0], b, &options, &run, &made));
  netcl_tensor* added = formula("v0 + v1", made, more, &run);
  netcl_tensor* relu = formula("max(v0, 0)", added, NULL, &run);
  netcl_tensor* inputs[2] = {a[0], zero[0]};
  OK(netcl_graph_compile(run.graph, inputs, 2, &relu, 1, NULL));
  for (int i = 1; i >= 0; --i) {
    netcl_tensor *given[2] = {a[i], zero[i]}, *out = poisoned_like(fixture, relu), *sums = NULL;
    options.a_zero_point = zero[i];
    OK(netcl_op_matmul(a[i], b, &options, NULL, &sums));
    int32_t* const wanted = read_tensor(sums);
    for (int j = 0; j < 15; ++j) {
      wanted[j] += words[j];
      if (wanted[j] < 0) wanted[j] = 0;
    }
    OK(netcl_graph_run(run.graph, given, 2, &out, 1, NULL));
    CHECK_TENSOR(out, wanted);
    free(wanted);
    RELEASE(out, sums);
  }
  netcl_graph_release(run.graph);
  RELEASE(made, added, relu, b, more, a[0], a[1], zero[0], zero[1]);
}

/* What goes through integers has no gradient; what goes beside them has. */
static void beside_integers(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {3, 3};
  float values[9], twos[9];
  for (int i = 0; i < 9; ++i) values[i] = (float)random_in(-9, 9), twos[i] = 2;
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values), *bytes = NULL;
  netcl_tensor *made = NULL, *wide = NULL, *grad = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_graph_create(fixture->device, NULL, &run.graph));
  OK(netcl_op_cast(x, NETCL_I8, &run, &bytes));
  OK(netcl_op_matmul(bytes, bytes, NULL, &run, &made));
  OK(netcl_op_cast(made, NETCL_F32, &run, &wide));
  netcl_tensor* both = formula("2 * v0 + v1", x, wide, &run);
  netcl_tensor* sum = sum_of(both, &run);
  OK(netcl_graph_add_gradients(run.graph, &sum, 1, &x, 1, NULL, &grad));
  CHECK_TENSOR(grad, twos);
  netcl_graph_release(run.graph);
  RELEASE(x, bytes, made, wide, both, sum, grad);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(whole_tiles), DEVICE_TEST(two_leading),
                                     DEVICE_TEST(selected),
                                     DEVICE_TEST(inputs_of_graphs),
                                     DEVICE_TEST(beside_integers), DEVICE_TEST(as_kernels)};
  seed_random("matmul_integers_edges");
  return cmocka_run_group_tests_name("matmul_integers_edges", tests, NULL, NULL);
}
