/* Einsum, the op and that of models: random equations with letters, diagonals, ellipses and extents
 * that broadcast, against sums over all places in double precision; gradients, and mistakes. */
#include <math.h>
#include <stdio.h>

#include "support_gradients.h"
#include "support_graph.h"
#include "support_onnx.h"
#include "support_strided.h"

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

/* A random equation without its result's term: what it has is known, and extents are the widest. */
typedef struct Problem {
  Term terms[INPUTS_MOST], result;
  int count;
  int64_t extents[LETTERS];
  char text[128];
} Problem;

static void make_result(Problem *p) {
  int most_digits = 0, known[LETTERS] = {0};
  for (int l = 0; l < LETTERS; ++l) {
    int64_t widest = 1;
    for (int t = 0; t < p->count; ++t) {
      for (int d = 0; d < p->terms[t].rank; ++d) {
        if (p->terms[t].letters[d] != l) continue;
        known[l] = 1;
        if (p->terms[t].shape[d] > widest) widest = p->terms[t].shape[d];
      }
    }
    p->extents[l] = widest;
    if (known[l] && l >= FIRST_DIGIT && LETTERS - l > most_digits) most_digits = LETTERS - l;
  }
  Term *result = &p->result;
  result->rank = 0;
  for (int d = 0; d < most_digits; ++d) {
    result->letters[result->rank++] = LETTERS - most_digits + d;
  }
  for (int l = FIRST_DIGIT - 1; l >= 0; --l) {
    if (known[l] && random_in(0, 1) && result->rank < RANK_MOST) {
      result->letters[result->rank++] = l;
    }
  }
  for (int d = 0; d < result->rank; ++d) result->shape[d] = p->extents[result->letters[d]];
}

static void make_problem(Problem *p, int64_t low, int64_t high) {
  const int digits = (int)random_in(0, 2);
  p->count = (int)random_in(1, INPUTS_MOST);
  p->text[0] = '\0';
  for (int l = 0; l < LETTERS; ++l) p->extents[l] = random_in(1, 4);
  for (int t = 0; t < p->count; ++t) {
    make_term(&p->terms[t], p->extents, (int)random_in(0, digits), random_in(0, 2) == 0);
  }
  make_result(p);
  for (int t = 0; t < p->count; ++t) {
    if (t > 0) strcat(p->text, random_in(0, 1) ? "," : " , ");
    append_term(p->text, &p->terms[t], 0);
    const int64_t elements = product((uint32_t)p->terms[t].rank, p->terms[t].shape);
    for (int64_t i = 0; i < elements; ++i) p->terms[t].values[i] = (double)random_in(low, high);
  }
  strcat(p->text, "->");
  append_term(p->text, &p->result, 0);
  sum_all(p->terms, p->count, &p->result, p->extents);
}

/* Sums of integers wrap around. */
static double wrapped(netcl_dtype dtype, double sum) {
  if (dtype == NETCL_I8) return (double)(int8_t)(int64_t)sum;
  return dtype == NETCL_U8 ? (double)(uint8_t)(int64_t)sum : sum;
}

/* The results are whole numbers that each dtype holds. */
static void check_equation(Fixture *fixture) {
  static const netcl_dtype dtypes[] = {NETCL_F32, NETCL_F16, NETCL_F64, NETCL_I64,
                                       NETCL_I32, NETCL_I8,  NETCL_U8};
  static unsigned char values[ELEMENTS * 8], wanted[ELEMENTS * 8];
  static Problem p;
  const netcl_dtype dtype = dtypes[random_in(0, 6)];
  if (dtype == NETCL_F64 && !fixture->capabilities.fp64) return;
  make_problem(&p, dtype == NETCL_U8 ? 0 : -2, 2);
  Strided inputs[INPUTS_MOST];
  netcl_tensor *views[INPUTS_MOST], *result = NULL;
  for (int t = 0; t < p.count; ++t) {
    const int64_t elements = product((uint32_t)p.terms[t].rank, p.terms[t].shape);
    for (int64_t i = 0; i < elements; ++i) store_double(dtype, values, i, p.terms[t].values[i]);
    inputs[t] = make_strided(fixture->device, dtype, (uint32_t)p.terms[t].rank, p.terms[t].shape,
                             values);
    views[t] = inputs[t].view;
  }
  const int64_t count = product((uint32_t)p.result.rank, p.result.shape);
  for (int64_t i = 0; i < count; ++i) {
    store_double(dtype, wanted, i, wrapped(dtype, p.result.values[i]));
  }
  OK(netcl_op_einsum(p.text, views, (uint32_t)p.count, NULL, &result));
  const netcl_tensor_info info = tensor_info(result);
  CHECK(info.rank == (uint32_t)p.result.rank && info.contiguous && info.dtype == dtype,
        "%s: rank %u, dtype %d, contiguous %u", p.text, info.rank, (int)info.dtype,
        info.contiguous);
  for (int d = 0; d < p.result.rank; ++d) assert_int_equal(info.shape[d], p.result.shape[d]);
  void *got = read_tensor(result);
  for (int64_t i = 0; i < count; ++i) {
    CHECK(load_double(dtype, got, i) == load_double(dtype, wanted, i),
          "%s of dtype %d: element %d is %g, expected %g", p.text, (int)dtype, (int)i,
          load_double(dtype, got, i), load_double(dtype, wanted, i));
  }
  free(got);
  Strided target =
      make_strided(fixture->device, dtype, (uint32_t)p.result.rank, p.result.shape, NULL);
  const netcl_run_options run = run_into(target.view);
  OK(netcl_op_einsum(p.text, views, (uint32_t)p.count, &run, NULL));
  CHECK_STRIDED(&target, wanted);
  release_strided(&target);
  netcl_tensor_release(result);
  for (int t = 0; t < p.count; ++t) release_strided(&inputs[t]);
}

static void equations(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < rounds(fixture, 300); ++i) check_equation(fixture);
}

/* The same of a model. */
static void check_model(Fixture *fixture) {
  static const netcl_dtype dtypes[] = {NETCL_F32, NETCL_I64, NETCL_I8};
  static const char *const names[INPUTS_MOST] = {"x", "y", "z"};
  static unsigned char values[ELEMENTS * 8];
  static Problem p;
  const netcl_dtype dtype = dtypes[random_in(0, 2)];
  char attribute[160] = "equation:";
  OnnxBytes graph = {0};
  netcl_tensor *inputs[INPUTS_MOST];
  make_problem(&p, -2, 2);
  for (int t = 0; t < p.count; ++t) {
    const int64_t elements = product((uint32_t)p.terms[t].rank, p.terms[t].shape);
    for (int64_t i = 0; i < elements; ++i) store_double(dtype, values, i, p.terms[t].values[i]);
    onnx_input(&graph, names[t], dtype, NULL);
    inputs[t] = make_tensor(fixture->device, dtype, (uint32_t)p.terms[t].rank, p.terms[t].shape,
                            values);
  }
  char *end = attribute + strlen(attribute);
  for (const char *from = p.text; *from != '\0'; ++from) {
    if (*from != ' ') *end++ = *from; /* a blank ends an attribute of these files */
  }
  *end = '\0';
  onnx_output(&graph, "r", dtype, NULL);
  onnx_node(&graph, "Einsum", "e", p.count == 1 ? "x" : p.count == 2 ? "x y" : "x y z", "r",
            attribute);
  netcl_model *model = onnx_load(fixture, &graph, 12);
  netcl_tensor *y = onnx_run(model, inputs, (uint32_t)p.count);
  void *got = read_tensor(y);
  for (int64_t i = 0; i < tensor_info(y).element_count; ++i) {
    CHECK(load_double(dtype, got, i) == wrapped(dtype, p.result.values[i]),
          "%s of dtype %d: element %d is %g, expected %g", p.text, (int)dtype, (int)i,
          load_double(dtype, got, i), p.result.values[i]);
  }
  free(got);
  netcl_tensor_release(y);
  release_tensors(inputs, (size_t)p.count);
  netcl_model_release(model);
}

static void models(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < sanitized_rounds(40); ++i) check_model(fixture);
}

/* Small products come first: from the left to the right this chain would need 4 TiB. */
static void chains(void **state) {
  enum { COUNT = 1 << 20 };
  const int64_t tall[] = {COUNT, 1}, wide[] = {1, COUNT}, column[] = {COUNT};
  const float one = 1;
  netcl_device *device = ((Fixture *)*state)->device;
  netcl_tensor *inputs[3] = {NULL, NULL, NULL}, *result = NULL;
  OK(netcl_tensor_create_full(device, NETCL_F32, 2, tall, NULL, &one, NULL, &inputs[0]));
  OK(netcl_tensor_create_full(device, NETCL_F32, 2, wide, NULL, &one, NULL, &inputs[1]));
  OK(netcl_tensor_create_full(device, NETCL_F32, 1, column, NULL, &one, NULL, &inputs[2]));
  OK(netcl_op_einsum("ik,kj,j->i", inputs, 3, NULL, &result));
  assert_int_equal(tensor_info(result).element_count, COUNT);
  float *got = read_tensor(result);
  for (int i = 0; i < COUNT; ++i) assert_true(got[i] == COUNT);
  free(got);
  RELEASE(inputs[0], inputs[1], inputs[2], result);
}

static netcl_status einsum_call(void *context, netcl_tensor *const *x,
                                const netcl_run_options *run, netcl_tensor **y) {
  return netcl_op_einsum(context, x, strchr(context, ',') != NULL ? 2 : 1, run, y);
}

/* An input of this rank and shape. */
#define SIZED(rank, ...) {rank, {__VA_ARGS__}, 0, 0, 0, NULL}
static void gradients(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *text;
    GradientInput inputs[2];
  } kCases[] = {{"ij,jk->ik", {SIZED(2, 2, 3), SIZED(2, 3, 4)}},
                {"ij,jk->ki", {SIZED(2, 2, 3), SIZED(2, 3, 2)}},
                {"bij,bkj->bik", {SIZED(3, 2, 2, 3), SIZED(3, 2, 3, 3)}},
                {"...i,i->...", {SIZED(3, 2, 2, 3), SIZED(1, 3)}},
                {"i,j->ij", {SIZED(1, 3), SIZED(1, 4)}},
                {"ij,ij->", {SIZED(2, 3, 4), SIZED(2, 3, 1)}},
                {"ii->i", {SIZED(2, 3, 3)}},
                {"ii->", {SIZED(2, 3, 3)}},
                {"ijk->kj", {SIZED(3, 2, 3, 2)}},
                {"ij->ij", {SIZED(2, 2, 3)}}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    CHECK_GRADIENTS(fixture, kCases[i].text, einsum_call, (void *)kCases[i].text, kCases[i].inputs,
                    strchr(kCases[i].text, ',') != NULL ? 2 : 1);
  }
}

static netcl_tensor *make_zeros(netcl_device *device, netcl_dtype dtype, uint32_t rank,
                                const int64_t *shape) {
  netcl_tensor *zeros = NULL;
  OK(netcl_tensor_create_zeros(device, dtype, rank, shape, NULL, NULL, &zeros));
  return zeros;
}

static void mistakes(void **state) {
  const netcl_status bad = NETCL_ERROR_INVALID_ARGUMENT;
  const int64_t shape[] = {2, 3}, seven[] = {7};
  netcl_device *device = ((Fixture *)*state)->device;
  netcl_tensor *x = make_zeros(device, NETCL_F32, 2, shape), *result = NULL;
  netcl_tensor *other = make_zeros(device, NETCL_I32, 2, shape);
  netcl_tensor *flags = make_zeros(device, NETCL_BOOL, 2, shape);
  netcl_tensor *line = make_zeros(device, NETCL_F32, 1, seven);
  netcl_tensor *const two[] = {x, x}, *const mixed[] = {x, other}, *const missing[] = {x, NULL},
                      *const uneven[] = {x, line};
  const netcl_run_options into_x = run_into(x), into_line = run_into(line);
  FAILS_WITH(bad, "equation is NULL", netcl_op_einsum(NULL, &x, 1, NULL, &result));
  FAILS_WITH(bad, "inputs is NULL", netcl_op_einsum("ij", NULL, 1, NULL, &result));
  FAILS_WITH(NETCL_ERROR_INVALID_HANDLE, "inputs[1] is NULL",
             netcl_op_einsum("ij,jk", missing, 2, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 0", netcl_op_einsum("ij", &x, 0, NULL, &result));
  FAILS_WITH(bad, "inputs_count is 65; it is 1 to 64",
             netcl_op_einsum("ij", &x, 65, NULL, &result));
  FAILS_WITH(bad, "result is NULL", netcl_op_einsum("ij", &x, 1, NULL, NULL));
  FAILS_WITH(bad, "equation \"ij-k\" is none, at column 3",
             netcl_op_einsum("ij-k", &x, 1, NULL, &result));
  FAILS_WITH(bad, "has 1 terms for 2 inputs", netcl_op_einsum("ij->i", two, 2, NULL, &result));
  FAILS_WITH(bad, "inputs[0] has shape [2, 3]; the equation has \"ijk\" for it",
             netcl_op_einsum("ijk->i", &x, 1, NULL, &result));
  FAILS_WITH(bad, "inputs[0] has shape [2, 3], in which i is 2 and 3",
             netcl_op_einsum("ii->i", &x, 1, NULL, &result));
  FAILS_WITH(bad, "j is 3 in inputs[0] and 2 in inputs[1]",
             netcl_op_einsum("ij,jk->ik", two, 2, NULL, &result));
  FAILS_WITH(bad, "axis -1 of \"...\" is 3 in inputs[0] and 7 in inputs[1]",
             netcl_op_einsum("...,...->", uneven, 2, NULL, &result));
  FAILS_WITH(bad, "the result has k, which no input has",
             netcl_op_einsum("ij->k", &x, 1, NULL, &result));
  FAILS_WITH(bad, "inputs[1] is i32; inputs[0] is f32",
             netcl_op_einsum("ij,ij->", mixed, 2, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "inputs[0] is bool",
             netcl_op_einsum("ij->i", &flags, 1, NULL, &result));
  FAILS_WITH(bad, "run->into shares its memory with inputs[0]",
             netcl_op_einsum("ij->ij", &x, 1, &into_x, NULL));
  FAILS_WITH(bad, "run->into has shape [7]; the result has [3, 2]",
             netcl_op_einsum("ij->ji", &x, 1, &into_line, NULL));
  static const int64_t ones[] = {1, 1, 1, 1, 1};
  netcl_tensor *const five[] = {make_zeros(device, NETCL_F32, 5, ones),
                                make_zeros(device, NETCL_F32, 4, ones)};
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "the result has 9 dimensions",
             netcl_op_einsum("abcde,fghi->abcdefghi", five, 2, NULL, &result));
  assert_null(result);
  RELEASE(x, other, flags, line, five[0], five[1]);
}

/* Nothing to sum gives zeros, nothing to give an empty tensor. */
static void empty(void **state) {
  Fixture *fixture = *state;
  const int64_t none[] = {2, 0}, some[] = {0, 3};
  netcl_tensor *const inputs[] = {make_zeros(fixture->device, NETCL_F32, 2, none),
                                  make_zeros(fixture->device, NETCL_F32, 2, some)};
  netcl_tensor *zeros = NULL, *nothing = NULL;
  OK(netcl_op_einsum("ij,jk->ik", inputs, 2, NULL, &zeros));
  static const float kZeros[6];
  CHECK_TENSOR(zeros, kZeros);
  OK(netcl_op_einsum("ij,jk->ijk", inputs, 2, NULL, &nothing));
  assert_true(tensor_info(nothing).element_count == 0 && tensor_info(nothing).shape[2] == 3);
  RELEASE(inputs[0], inputs[1], zeros, nothing);
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
  seed_random("einsum");
  const struct CMUnitTest tests[] = {DEVICE_TEST(equations), DEVICE_TEST(models),
                                     DEVICE_TEST(chains),    DEVICE_TEST(gradients),
                                     DEVICE_TEST(mistakes),  DEVICE_TEST(empty),
                                     DEVICE_TEST(implied),   DEVICE_TEST(refused),
                                     DEVICE_TEST(as_kernels)};
  compile_quickly();
  return cmocka_run_group_tests_name("einsum", tests, NULL, NULL);
}
