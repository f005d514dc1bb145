/* Einsum of models: random equations with letters, diagonals, ellipses and extents that broadcast,
 * against sums over all places in double precision. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { LETTERS = 5, INPUTS_MOST = 3, RANK_MOST = 4, ELEMENTS = 4096 };

/* Letters of a term by number; those from LETTERS - 2 on are the axes of its ellipsis. */
typedef struct Term {
  int rank;
  int letters[RANK_MOST];
  int64_t shape[RANK_MOST];
  double values[ELEMENTS];
} Term;

enum { FIRST_DIGIT = LETTERS - 2 };

static int has(const Term *term, int letter) {
  for (int d = 0; d < term->rank; ++d) {
    if (term->letters[d] == letter) return 1;
  }
  return 0;
}

static double element_at(const Term *term, const int64_t *place) {
  int64_t at = 0;
  for (int d = 0; d < term->rank; ++d) {
    const int64_t p = term->shape[d] == 1 ? 0 : place[term->letters[d]];
    at = at * term->shape[d] + p;
  }
  return term->values[at];
}

/* Letters in front of the ellipsis, or behind it. */
static void append_term(char *text, const Term *term, int dots) {
  char *end = text + strlen(text);
  int written = 0;
  for (int d = 0; d < term->rank; ++d) {
    if (term->letters[d] < FIRST_DIGIT) {
      *end++ = (char)("aBcde"[term->letters[d]]);
    } else if (!written) {
      end += sprintf(end, "...");
      written = 1;
    }
  }
  if (dots && !written) end += sprintf(end, "...");
  *end = '\0';
}

/* A term of letters, with axes of the ellipsis somewhere between them when there are some. */
static void make_term(Term *term, const int64_t *extents, int digits, int may_repeat) {
  const int letters = (int)random_in(digits ? 0 : 1, 2), before = (int)random_in(0, letters);
  term->rank = 0;
  for (int d = 0; d < letters + digits; ++d) {
    int letter = d - before + FIRST_DIGIT + 2 - digits;
    if (d < before || d >= before + digits) {
      do {
        letter = (int)random_in(0, FIRST_DIGIT - 1);
      } while (!may_repeat && has(term, letter));
    }
    term->letters[term->rank] = letter;
    term->shape[term->rank++] = extents[letter];
  }
  /* One extent may be 1, where no letter is twice. */
  if (!may_repeat && random_in(0, 3) == 0) term->shape[random_in(0, term->rank - 1)] = 1;
}

static void sum_all(const Term *terms, int count, Term *result, const int64_t *extents) {
  int64_t all = 1;
  for (int l = 0; l < LETTERS; ++l) all *= extents[l];
  memset(result->values, 0, sizeof result->values);
  for (int64_t i = 0; i < all; ++i) {
    int64_t place[LETTERS], rest = i, at = 0;
    int there = 1;
    for (int l = 0; l < LETTERS; ++l) {
      place[l] = rest % extents[l];
      rest /= extents[l];
      int known = has(result, l);
      for (int t = 0; t < count; ++t) known |= has(&terms[t], l);
      /* A letter that nothing has is gone over once. */
      there = there && (known || place[l] == 0);
    }
    if (!there) continue;
    double product_of = 1;
    for (int t = 0; t < count; ++t) product_of *= element_at(&terms[t], place);
    for (int d = 0; d < result->rank; ++d) at = at * result->shape[d] + place[result->letters[d]];
    result->values[at] += product_of;
  }
}

static void check_equation(Fixture *fixture) {
  static Term terms[INPUTS_MOST], result;
  static const netcl_dtype dtypes[] = {NETCL_F32, NETCL_F32, NETCL_I64, NETCL_I32, NETCL_I8};
  static unsigned char values[ELEMENTS * 8];
  const netcl_dtype dtype = dtypes[random_in(0, 4)];
  int64_t extents[LETTERS];
  char equation[128] = "equation:";
  OnnxBytes graph = {0};
  netcl_tensor *inputs[INPUTS_MOST];
  const int count = (int)random_in(1, INPUTS_MOST), digits = (int)random_in(0, 2);
  const char *const names[INPUTS_MOST] = {"x", "y", "z"};
  for (int l = 0; l < LETTERS; ++l) extents[l] = random_in(1, 4);
  for (int t = 0; t < count; ++t) {
    make_term(&terms[t], extents, (int)random_in(0, digits), random_in(0, 2) == 0);
  }
  /* What all inputs broadcast to, of the letters that are there. */
  int most_digits = 0, known[LETTERS] = {0};
  for (int l = 0; l < LETTERS; ++l) {
    int64_t widest = 1;
    for (int t = 0; t < count; ++t) {
      for (int d = 0; d < terms[t].rank; ++d) {
        if (terms[t].letters[d] != l) continue;
        known[l] = 1;
        if (terms[t].shape[d] > widest) widest = terms[t].shape[d];
      }
    }
    extents[l] = widest;
    if (known[l] && l >= FIRST_DIGIT && LETTERS - l > most_digits) most_digits = LETTERS - l;
  }
  result.rank = 0;
  for (int d = 0; d < most_digits; ++d) result.letters[result.rank++] = LETTERS - most_digits + d;
  for (int l = FIRST_DIGIT - 1; l >= 0; --l) {
    if (known[l] && random_in(0, 1) && result.rank < RANK_MOST) result.letters[result.rank++] = l;
  }
  for (int d = 0; d < result.rank; ++d) result.shape[d] = extents[result.letters[d]];
  for (int t = 0; t < count; ++t) {
    if (t > 0) strcat(equation, ",");
    append_term(equation, &terms[t], 0);
    const int64_t elements = product((uint32_t)terms[t].rank, terms[t].shape);
    for (int64_t i = 0; i < elements; ++i) {
      terms[t].values[i] = (double)random_in(-2, 2);
      store_double(dtype, values, i, terms[t].values[i]);
    }
    onnx_input(&graph, names[t], dtype, NULL);
    inputs[t] = make_tensor(fixture->device, dtype, (uint32_t)terms[t].rank, terms[t].shape,
                            values);
  }
  strcat(equation, "->");
  append_term(equation, &result, 0);
  sum_all(terms, count, &result, extents);
  onnx_output(&graph, "r", dtype, NULL);
  onnx_node(&graph, "Einsum", "e", count == 1 ? "x" : count == 2 ? "x y" : "x y z", "r", equation);
  netcl_model *model = onnx_load(fixture, &graph, 12);
  netcl_tensor *y = onnx_run(model, inputs, (uint32_t)count);
  const netcl_tensor_info info = tensor_info(y);
  CHECK(info.rank == (uint32_t)result.rank, "%s: the result has %u dimensions", equation,
        info.rank);
  assert_int_equal(info.dtype, dtype);
  void *got = read_tensor(y);
  for (int d = 0; d < result.rank; ++d) assert_int_equal(info.shape[d], result.shape[d]);
  for (int64_t i = 0; i < info.element_count; ++i) {
    /* Sums of integers wrap around. */
    const double wanted = dtype == NETCL_I8 ? (double)(int8_t)(int64_t)result.values[i]
                                            : result.values[i];
    CHECK(load_double(dtype, got, i) == wanted, "%s of dtype %d: element %d is %g, expected %g",
          equation, (int)dtype, (int)i, load_double(dtype, got, i), wanted);
  }
  free(got);
  netcl_tensor_release(y);
  release_tensors(inputs, (size_t)count);
  netcl_model_release(model);
}

static void equations(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < sanitized_rounds(300); ++i) check_equation(fixture);
}

static void check_one(Fixture *fixture, const char *equation, int64_t rank, double first) {
  const float values[4] = {1, 2, 3, 4};
  const int64_t shape[2] = {2, 2};
  char attribute[64];
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_output(&graph, "r", NETCL_F32, NULL);
  sprintf(attribute, "equation:%s", equation);
  onnx_node(&graph, "Einsum", "e", "x", "r", attribute);
  netcl_model *model = onnx_load(fixture, &graph, 12);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 2, shape, values);
  netcl_tensor *y = onnx_run(model, &x, 1);
  assert_int_equal(tensor_info(y).rank, rank);
  float *got = read_tensor(y);
  CHECK((double)got[rank ? 1 : 0] == first, "%s gives %g", equation, (double)got[rank ? 1 : 0]);
  free(got);
  RELEASE(x, y);
  netcl_model_release(model);
}

/* Without a result it has the letters that stand once, in alphabetical order. */
static void implied(void **state) {
  Fixture *fixture = *state;
  check_one(fixture, "ba", 2, 3);
  check_one(fixture, "aB", 2, 3);
  check_one(fixture, "Ba", 2, 2);
  check_one(fixture, "aa", 0, 5);
  check_one(fixture, "...", 2, 2);
  check_one(fixture, "b...", 2, 3);
  check_one(fixture, "...a->", 0, 10);
}

static void refused(void **state) {
  Fixture *fixture = *state;
  const char *const wrong[] = {"ij->i->j", "ij-i", "ij>i", "i..j->i", "i.......->i",
                               "ij->ii", "i1->i", "ij->i,j"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char attribute[64];
    OnnxBytes graph = {0};
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_output(&graph, "r", NETCL_F32, NULL);
    sprintf(attribute, "equation:%s", wrong[i]);
    onnx_node(&graph, "Einsum", "e", "x", "r", attribute);
    OnnxBytes file = onnx_file(&graph, 12);
    netcl_model *model = NULL;
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, wrong[i],
               netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
    assert_null(model);
    onnx_free(&file);
  }
  /* These depend on shapes. */
  const char *const late[] = {"iii->i", "ii->i", "i->k", "ij,j->i"};
  for (size_t i = 0; i < 4; ++i) {
    const int64_t shape[2] = {2, 3};
    char attribute[64];
    OnnxBytes graph = {0};
    onnx_input(&graph, "x", NETCL_F32, NULL);
    onnx_output(&graph, "r", NETCL_F32, NULL);
    sprintf(attribute, "equation:%s", late[i]);
    onnx_node(&graph, "Einsum", "e", "x", "r", attribute);
    netcl_model *model = onnx_load(fixture, &graph, 12);
    netcl_tensor *x = NULL, *y = NULL;
    uint32_t count = 0;
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &x));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "(Einsum)",
               netcl_model_evaluate(model, &x, 1, NULL, &y, 1, &count));
    assert_null(y);
    netcl_tensor_release(x);
    netcl_model_release(model);
  }
}

int main(void) {
  seed_random("model_einsum");
  const struct CMUnitTest tests[] = {DEVICE_TEST(equations), DEVICE_TEST(implied),
                                     DEVICE_TEST(refused)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
