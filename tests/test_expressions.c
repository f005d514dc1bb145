/* Several expressions in one call: what each gives is what a call of its own gives, bit for bit,
 * and what double precision gives; dtypes, shapes and strides of all kinds. */
#include <stdio.h>

#include "support_expressions.h"

static void release_all(netcl_tensor** tensors, int count) {
  for (int k = 0; k < count; ++k) netcl_tensor_release(tensors[k]);
}

/* Results of random layouts, in memory that is poisoned. */
static void make_places(Fixture* fixture, const Operands* o, int count, const netcl_dtype* dtypes,
                        Strided* places, netcl_tensor** into) {
  for (int k = 0; k < count; ++k) {
    places[k] = make_strided(fixture->device, dtypes[k], o->rank, o->shape, NULL);
    into[k] = places[k].view;
  }
}

static void check_values(const Operands* o, const Formula* formula, netcl_dtype dtype,
                         const Strided* place) {
  const int64_t count = product(o->rank, o->shape);
  unsigned char* const wanted = malloc((size_t)count * 8 + 8);
  for (int64_t i = 0; i < count; ++i) {
    double values[FORMULA_INPUTS];
    operand_values(o, i, values);
    const double value = formula_value(formula, values);
    store_double(dtype, wanted, i, dtype == NETCL_BOOL ? value != 0 : value);
  }
  CHECK_STRIDED(place, wanted);
  free(wanted);
}

/* Whole numbers, which every step has exactly, against the same worked out in double precision. */
static void whole_numbers(void** state) {
  Fixture* fixture = *state;
  static const netcl_dtype kKinds[] = {NETCL_F32, NETCL_I32, NETCL_F64, NETCL_I64};
  static const netcl_dtype kStored[] = {NETCL_F32, NETCL_F64, NETCL_I32,  NETCL_I64,
                                        NETCL_F16, NETCL_I16, NETCL_BOOL, NETCL_BF16};
  for (int round = 0; round < rounds(fixture, 120); ++round) {
    Operands o = make_operands(fixture, (int)random_in(1, FORMULA_INPUTS), kKinds, 4, 40000);
    const int count = (int)(random_in(0, 7) == 0 ? NETCL_RESULTS_MAX : random_in(1, 5));
    static Formula formulas[NETCL_RESULTS_MAX];
    const char* texts[NETCL_RESULTS_MAX];
    netcl_dtype dtypes[NETCL_RESULTS_MAX];
    Strided places[NETCL_RESULTS_MAX];
    netcl_tensor* into[NETCL_RESULTS_MAX];
    for (int k = 0; k < count; ++k) {
      formulas[k] = random_formula(o.count);
      texts[k] = formulas[k].text;
      do {
        dtypes[k] = kStored[random_in(0, (int64_t)COUNT_OF(kStored) - 1)];
      } while (dtypes[k] == NETCL_F64 && !fixture->capabilities.fp64);
    }
    make_places(fixture, &o, count, dtypes, places, into);
    netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
    options.results_into = into;
    options.results_into_count = (uint32_t)count;
    if (random_in(0, 1)) options.dtypes = dtypes, options.dtypes_count = (uint32_t)count;
    if (random_in(0, 3) == 0) options.variant = NETCL_VARIANT_ELEMENTWISE_SCALAR;
    const netcl_status status = netcl_op_expressions(texts, (uint32_t)count, o.views,
                                                     (uint32_t)o.count, &options, NULL, NULL);
    CHECK(status == NETCL_OK, "%s, ...: %s", texts[0], netcl_last_error_message());
    for (int k = 0; k < count; ++k) {
      check_values(&o, &formulas[k], dtypes[k], &places[k]);
      release_strided(&places[k]);
    }
    release_operands(&o);
  }
}

static const char* const kTexts[] = {"v0 + v1",
                                     "v0 * v1 - v0",
                                     "max(v0, v1)",
                                     "v0 > v1 ? v0 : v1",
                                     "v0 * 2 + v1",
                                     "v0",
                                     "v1",
                                     "sqrt(abs(v0)) + v1",
                                     "f16(v0 * 0.3)",
                                     "bf16(v1) / 3",
                                     "v0 * v1 - v0 > 1",
                                     "exp(v0 * 0.25) - v1",
                                     "tanh(v0) * v1",
                                     "3",
                                     "i32(v0) % 7",
                                     "v0 / v1",
                                     "v0 > 300 ? 1 : 0",
                                     "silu(v0) + v1",
                                     "v0 == v1",
                                     "exp(v0 * 0.25) + v1",
                                     "isnan(v0 / v1)",
                                     "u8(v1) + 200"};

/* Any dtypes: each result is that of a call of its own, and what fails in one fails in all. */
static void as_single_calls(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 150); ++round) {
    Operands o = make_operands(fixture, 2, kDtypes, DTYPES, 20000);
    const int count = (int)random_in(1, 6), given = (int)random_in(0, 2);
    const char* texts[6];
    netcl_dtype dtypes[6];
    netcl_tensor *alone[6], *together[6] = {NULL};
    netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
    int bad = -1;
    for (int k = 0; k < count; ++k) {
      netcl_expression_options single = NETCL_EXPRESSION_OPTIONS_INIT;
      texts[k] = kTexts[random_in(0, (int64_t)COUNT_OF(kTexts) - 1)];
      do {
        dtypes[k] = random_in(0, 2) == 0 ? kDtypes[random_in(0, DTYPES - 1)] : 0;
      } while (dtypes[k] == NETCL_F64 && !fixture->capabilities.fp64);
      single.dtype = given > 0 ? dtypes[k] : 0;
      alone[k] = NULL;
      const netcl_status status =
          netcl_op_expression_text(texts[k], o.views, 2, &single, NULL, &alone[k]);
      if (status != NETCL_OK && bad < 0) bad = k;
    }
    if (given > 0) options.dtypes = dtypes, options.dtypes_count = (uint32_t)count;
    if (bad >= 0) {
      char place[32];
      snprintf(place, sizeof place, "texts[%d]: ", bad);
      FAILS_WITH(
          NETCL_ERROR_INVALID_ARGUMENT, place,
          netcl_op_expressions(texts, (uint32_t)count, o.views, 2, &options, NULL, together));
      CHECK(together[0] == NULL, "a result of a call that failed");
    } else {
      /* The third time it is one that is kept. */
      for (int again = 0; again < 3; ++again) {
        OK(netcl_op_expressions(texts, (uint32_t)count, o.views, 2, &options, NULL, together));
        for (int k = 0; k < count; ++k) {
          const netcl_tensor_info info = tensor_info(together[k]);
          CHECK(info.dtype == tensor_info(alone[k]).dtype && info.rank == o.rank,
                "%s has another dtype or rank", texts[k]);
          unsigned char *got = read_tensor(together[k]), *wanted = read_tensor(alone[k]);
          for (int64_t i = 0; i < product(o.rank, o.shape); ++i) {
            const size_t size = (size_t)(info.byte_count / (uint64_t)product(o.rank, o.shape));
            CHECK(same_element(info.dtype, got + (size_t)i * size, wanted + (size_t)i * size),
                  "%s (result %d of %d, dtype %d): element %lld is %g, alone %g", texts[k], k,
                  count, info.dtype, (long long)i, load_double(info.dtype, got, i),
                  load_double(info.dtype, wanted, i));
          }
          free(got);
          free(wanted);
        }
        release_all(together, count);
      }
    }
    release_all(alone, count);
    release_operands(&o);
  }
}

/* Inputs as results keep their bits, beside others and written over each other. */
static void copied_bits(void** state) {
  Fixture* fixture = *state;
  static const char* const kSwapped[] = {"v1", "v0", "v0"};
  for (int i = 0; i < DTYPES; ++i) {
    const netcl_dtype dtype = kDtypes[i];
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    const int64_t count = random_in(0, 1) ? random_in(1, 40) : random_in(1025, 5000);
    const int64_t shape[2] = {count, 3};
    void *a = malloc((size_t)count * 24), *b = malloc((size_t)count * 24);
    fill_bits(dtype, a, 3 * count);
    fill_bits(dtype, b, 3 * count);
    Strided x = make_strided(fixture->device, dtype, 2, shape, a);
    Strided y = make_strided(fixture->device, dtype, 2, shape, b);
    Strided more = make_strided(fixture->device, dtype, 2, shape, NULL);
    netcl_tensor *const inputs[] = {x.view, y.view}, *const into[] = {x.view, y.view, more.view};
    netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
    options.results_into = into;
    options.results_into_count = 3;
    OK(netcl_op_expressions(kSwapped, 3, inputs, 2, &options, NULL, NULL));
    CHECK_STRIDED(&x, b);
    CHECK_STRIDED(&y, a);
    CHECK_STRIDED(&more, a);
    release_strided(&x);
    release_strided(&y);
    release_strided(&more);
    free(a);
    free(b);
  }
}

static void empty_and_single(void** state) {
  Fixture* fixture = *state;
  static const char* const kBoth[] = {"v0 + 1", "v0 > 0"};
  const int64_t shapes[][3] = {{0, 4, 2}, {3, 0, 2}};
  netcl_tensor* results[2];
  netcl_event* event = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.event = &event;
  for (int s = 0; s < 2; ++s) {
    netcl_tensor* x = NULL;
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F16, 3, shapes[s], NULL, NULL, &x));
    OK(netcl_op_expressions(kBoth, 2, &x, 1, NULL, &run, results));
    OK(netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(event);
    for (int k = 0; k < 2; ++k) {
      const netcl_tensor_info info = tensor_info(results[k]);
      CHECK(info.rank == 3 && info.shape[0] == shapes[s][0] && info.shape[1] == shapes[s][1] &&
                info.dtype == (k == 0 ? NETCL_F16 : NETCL_BOOL),
            "result %d", k);
    }
    release_all(results, 2);
    netcl_tensor_release(x);
  }
  const float value = -2;
  netcl_tensor* x = make_tensor(fixture->device, NETCL_F32, 0, NULL, &value);
  OK(netcl_op_expressions(kBoth, 2, &x, 1, NULL, NULL, results));
  CHECK_TENSOR(results[0], &(float){-1});
  CHECK_TENSOR(results[1], &(char){0});
  release_all(results, 2);
  /* Literals alone, on the device of the queue or of the results. */
  static const char* const kNumbers[] = {"2.5", "7"};
  netcl_run_options place = NETCL_RUN_OPTIONS_INIT;
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  OK(netcl_queue_create(fixture->device, NULL, &place.queue));
  OK(netcl_op_expressions(kNumbers, 2, NULL, 0, NULL, &place, results));
  CHECK_TENSOR(results[0], &(float){2.5f});
  CHECK_TENSOR(results[1], &(int32_t){7});
  options.results_into = results;
  options.results_into_count = 2;
  OK(netcl_op_expressions((const char* const[]){"4", "5"}, 2, NULL, 0, &options, NULL, NULL));
  CHECK_TENSOR(results[0], &(float){4});
  CHECK_TENSOR(results[1], &(int32_t){5});
  netcl_queue_release(place.queue);
  release_all(results, 2);
  netcl_tensor_release(x);
}

/* Results of what another queue still writes are there for whoever reads them next. */
static void ordering(void** state) {
  Fixture* fixture = *state;
  static const char* const kTwo[] = {"v0 * 2", "v0 - 1", "f32(v0) / 4"};
  NEEDS_WORK_IN_FLIGHT(fixture);
  netcl_queue *slow = NULL, *own = NULL;
  netcl_tensor *x = NULL, *plain, *results[3], *copies[3];
  OK(netcl_queue_create(fixture->device, NULL, &slow));
  OK(netcl_queue_create(fixture->device, NULL, &own));
  start_slow_work(fixture, slow, &x, NULL);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = own;
  OK(netcl_op_expressions(kTwo, 3, &x, 1, NULL, &run, results));
  for (int k = 0; k < 3; ++k) OK(netcl_op_copy(results[k], NULL, &copies[k]));
  for (int k = 0; k < 3; ++k) {
    OK(netcl_op_expression_text(kTwo[k], &x, 1, NULL, NULL, &plain));
    void *wanted = read_tensor(plain), *got = read_tensor(copies[k]);
    CHECK(memcmp(got, wanted, (size_t)tensor_info(plain).byte_count) == 0, "result %d", k);
    free(wanted);
    free(got);
    netcl_tensor_release(plain);
  }
  release_all(results, 3);
  release_all(copies, 3);
  netcl_tensor_release(x);
  netcl_queue_release(slow);
  netcl_queue_release(own);
}

/* An event of run->waits comes first; one of run->event comes last. */
static void waits(void** state) {
  Fixture* fixture = *state;
  static const char* const kTwo[] = {"v0 + 1", "v0 - 1"};
  NEEDS_WORK_IN_FLIGHT(fixture);
  netcl_queue* slow = NULL;
  netcl_event *first = NULL, *last = NULL;
  netcl_tensor *results[2], *x = NULL;
  const int64_t count = 8;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &x));
  OK(netcl_queue_create(fixture->device, NULL, &slow));
  start_slow_work(fixture, slow, NULL, &first);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.waits = &first;
  run.waits_count = 1;
  run.event = &last;
  OK(netcl_op_expressions(kTwo, 2, &x, 1, NULL, &run, results));
  /* What the call writes is written behind the event, which is over by then. */
  free(read_tensor(results[1]));
  OK(netcl_event_wait(first, 0));
  OK(netcl_event_wait(last, LONG_WAIT));
  netcl_event_release(first);
  netcl_event_release(last);
  release_all(results, 2);
  netcl_tensor_release(x);
  netcl_queue_release(slow);
}

int main(void) {
  seed_random("expressions");
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(whole_numbers),    DEVICE_TEST(as_single_calls), DEVICE_TEST(copied_bits),
      DEVICE_TEST(empty_and_single), DEVICE_TEST(ordering),        DEVICE_TEST(waits),
      DEVICE_TEST(as_kernels),
  };
  return cmocka_run_group_tests_name("expressions", tests, NULL, NULL);
}
