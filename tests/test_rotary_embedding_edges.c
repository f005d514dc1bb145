/* Rotary position embeddings: messages, sharing, what is empty, gradients. */
#include "support_gradients.h"
#include "support_graph.h"

#include <math.h>

static netcl_tensor *zeros(Fixture *fixture, netcl_dtype dtype, uint32_t rank, int64_t a, int64_t b,
                           int64_t c, int64_t d) {
  const int64_t shape[4] = {a, b, c, d};
  netcl_tensor *made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &made));
  return made;
}

/* A call that is to be refused, and has one thing wrong: x [2, 4, 3, 8] or [2, 3, 32], caches
 * [2, 3, 4] or [5, 4], positions [2, 3]. */
typedef struct Call {
  netcl_tensor *x, *cosines, *sines;
  netcl_rotary_embedding_options options;
} Call;

static Call make_call(Fixture *fixture, int flat, int listed) {
  const netcl_rotary_embedding_options init = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  Call call = {.options = init};
  call.x = flat ? zeros(fixture, NETCL_F32, 3, 2, 3, 32, 0)
                : zeros(fixture, NETCL_F32, 4, 2, 4, 3, 8);
  if (flat) call.options.num_heads = 4;
  if (listed) call.options.position_ids = zeros(fixture, NETCL_I32, 2, 2, 3, 0, 0);
  netcl_tensor **const caches[2] = {&call.cosines, &call.sines};
  for (int i = 0; i < 2; ++i) {
    *caches[i] = listed ? zeros(fixture, NETCL_F32, 2, 5, 4, 0, 0)
                        : zeros(fixture, NETCL_F32, 3, 2, 3, 4, 0);
  }
  return call;
}
static void release_call(Call *call) {
  RELEASE(call->x, call->cosines, call->sines, call->options.position_ids);
}
static netcl_status run_call(const Call *call, const netcl_run_options *run,
                             netcl_tensor **result) {
  return netcl_op_rotary_embedding(call->x, call->cosines, call->sines, &call->options, run,
                                   result);
}
#define REFUSED(call, status, text)                      \
  do {                                                   \
    netcl_tensor *none_ = NULL;                          \
    FAILS_WITH(status, text, run_call(call, NULL, &none_)); \
    assert_null(none_);                                  \
  } while (0)

static void numbers(void **state) {
  Fixture *fixture = *state;
  for (int flat = 0; flat < 2; ++flat) {
    Call call = make_call(fixture, flat, 0);
    netcl_tensor *result = NULL;
    OK(run_call(&call, NULL, &result));
    RELEASE(result);
    const struct {
      int64_t heads, rotated;
      const char *text[2]; /* of rank 4 and 3; NULL: fine */
    } kCases[] = {
        {3, 0, {"options->num_heads is 3 and x has shape [2, 4, 3, 8]; of rank 4",
                "options->num_heads is 3 and x has shape [2, 3, 32]; of rank 3"}},
        {-4, 0, {"options->num_heads is -4", "options->num_heads is -4"}},
        {INT64_MIN, 0, {"options->num_heads is -9", "options->num_heads is -9"}},
        {INT64_MAX, 0, {"options->num_heads is 9", "options->num_heads is 9"}},
        {0, 0, {NULL, "options->num_heads is 0 and x has shape [2, 3, 32]"}},
        {4, 7, {"options->rotary_embedding_dim is 7 and heads have 8 elements",
                "options->rotary_embedding_dim is 7"}},
        {4, 10, {"options->rotary_embedding_dim is 10", "options->rotary_embedding_dim is 10"}},
        {4, -2, {"options->rotary_embedding_dim is -2", "options->rotary_embedding_dim is -2"}},
        {4, 6, {"cos_cache has shape [2, 3, 4]; without options->position_ids it is [2, 3, 3]",
                "cos_cache has shape [2, 3, 4]"}},
        {4, 8, {NULL, NULL}},
        {32, 0, {"options->num_heads is 32", "heads of x have 1 elements; without"}}};
    for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
      call.options.num_heads = kCases[i].heads;
      call.options.rotary_embedding_dim = kCases[i].rotated;
      if (kCases[i].text[flat] != NULL) {
        REFUSED(&call, NETCL_ERROR_INVALID_ARGUMENT, kCases[i].text[flat]);
      } else {
        OK(run_call(&call, NULL, &result));
        RELEASE(result);
      }
    }
    call.options.num_heads = 4;
    call.options.rotary_embedding_dim = 0;
    call.options.interleaved = 2;
    REFUSED(&call, NETCL_ERROR_INVALID_ARGUMENT, "options->interleaved");
    call.options.interleaved = 0;
    call.options.inverse = 2;
    REFUSED(&call, NETCL_ERROR_INVALID_ARGUMENT, "options->inverse");
    release_call(&call);
  }
}

/* Puts another tensor in a member's place for one refused call. */
static void replaced(Call *call, netcl_tensor **place, netcl_tensor *other, netcl_status status,
                     const char *text) {
  netcl_tensor *const kept = *place;
  *place = other;
  REFUSED(call, status, text);
  *place = kept;
  RELEASE(other);
}

static void tensors(void **state) {
  Fixture *fixture = *state;
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  Call call = make_call(fixture, 0, 0), listed = make_call(fixture, 0, 1);
  replaced(&call, &call.x, zeros(fixture, NETCL_I32, 4, 2, 4, 3, 8), NETCL_ERROR_UNSUPPORTED,
           "x is i32; a rotary embedding takes f16, bf16, f32 and f64");
  replaced(&call, &call.x, zeros(fixture, NETCL_F32, 2, 2, 4, 0, 0), invalid,
           "x has shape [2, 4]; a rotary embedding needs rank 3 or 4");
  replaced(&call, &call.x, zeros(fixture, NETCL_F32, 4, 2, 4, 3, 7), invalid,
           "heads of x have 7 elements");
  replaced(&call, &call.cosines, zeros(fixture, NETCL_F16, 3, 2, 3, 4, 0), invalid,
           "cos_cache is f16; it is f32 or as x, f32");
  replaced(&call, &call.sines, zeros(fixture, NETCL_I32, 3, 2, 3, 4, 0), invalid,
           "sin_cache is i32; it is f32 or as x, f32");
  replaced(&call, &call.cosines, zeros(fixture, NETCL_F32, 3, 2, 3, 8, 0), invalid,
           "cos_cache has shape [2, 3, 8]; without options->position_ids it is [2, 3, 4]");
  replaced(&call, &call.sines, zeros(fixture, NETCL_F32, 3, 1, 3, 4, 0), invalid,
           "sin_cache has shape [1, 3, 4]");
  replaced(&call, &call.sines, zeros(fixture, NETCL_F32, 2, 3, 4, 0, 0), invalid,
           "sin_cache has shape [3, 4]");
  replaced(&listed, &listed.cosines, zeros(fixture, NETCL_F32, 3, 2, 3, 4, 0), invalid,
           "cos_cache has shape [2, 3, 4]; with options->position_ids it is [P, 4]");
  replaced(&listed, &listed.sines, zeros(fixture, NETCL_F32, 2, 6, 4, 0, 0), invalid,
           "sin_cache is f32 [6, 4] and cos_cache is f32 [5, 4]; they are alike");
  replaced(&listed, &listed.options.position_ids, zeros(fixture, NETCL_F32, 2, 2, 3, 0, 0),
           NETCL_ERROR_UNSUPPORTED, "options->position_ids is f32; i32 and i64 are possible");
  replaced(&listed, &listed.options.position_ids, zeros(fixture, NETCL_I64, 2, 3, 2, 0, 0), invalid,
           "options->position_ids has shape [3, 2]; it is [2, 3]");
  replaced(&listed, &listed.options.position_ids, zeros(fixture, NETCL_I64, 1, 6, 0, 0, 0), invalid,
           "options->position_ids has shape [6]; it is [2, 3]");
  /* Of a narrow x, caches of two dtypes. */
  netcl_tensor *const wide = call.x;
  call.x = zeros(fixture, NETCL_F16, 4, 2, 4, 3, 8);
  replaced(&call, &call.sines, zeros(fixture, NETCL_F16, 3, 2, 3, 4, 0), invalid,
           "sin_cache is f16 [2, 3, 4] and cos_cache is f32 [2, 3, 4]; they are alike");
  replaced(&call, &call.sines, zeros(fixture, NETCL_BF16, 3, 2, 3, 4, 0), invalid,
           "sin_cache is bf16; it is f32 or as x, f16");
  RELEASE(call.x);
  call.x = wide;
  release_call(&call);
  release_call(&listed);
}

/* Results in the memory of caches, beside x in its memory, of another shape. */
static void places(void **state) {
  Fixture *fixture = *state;
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  const int64_t shape[4] = {2, 4, 3, 8}, strides[4] = {96, 24, 8, 1};
  Call call = make_call(fixture, 0, 0);
  netcl_tensor *memory = zeros(fixture, NETCL_F32, 1, 400, 0, 0, 0), *view = NULL, *cache = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  RELEASE(call.x);
  OK(netcl_tensor_view(memory, 4, shape, strides, 0, &call.x));
  OK(netcl_tensor_view(memory, 4, shape, strides, 8, &view));
  run.into = view;
  FAILS_WITH(invalid, "run->into shares its memory with x and is not the same elements",
             run_call(&call, &run, NULL));
  RELEASE(view);
  OK(netcl_tensor_view(memory, 4, shape, strides, 200, &view));
  OK(netcl_tensor_view(memory, 3, (const int64_t[]){2, 3, 4}, (const int64_t[]){12, 4, 1}, 190,
                       &cache));
  run.into = view;
  netcl_tensor *const kept = call.cosines;
  call.cosines = cache;
  FAILS_WITH(invalid, "run->into shares its memory with cos_cache", run_call(&call, &run, NULL));
  call.cosines = kept;
  netcl_tensor *const other = call.sines;
  call.sines = cache;
  FAILS_WITH(invalid, "run->into shares its memory with sin_cache", run_call(&call, &run, NULL));
  call.sines = other;
  run.into = zeros(fixture, NETCL_F32, 4, 2, 4, 3, 6);
  FAILS_WITH(invalid, "run->into has shape [2, 4, 3, 6]; the result has [2, 4, 3, 8]",
             run_call(&call, &run, NULL));
  RELEASE(run.into);
  run.into = zeros(fixture, NETCL_F16, 4, 2, 4, 3, 8);
  FAILS_WITH(invalid, "run->into is f16; the result is f32", run_call(&call, &run, NULL));
  FAILS_WITH(invalid, "result is NULL", run_call(&call, NULL, NULL));
  RELEASE(run.into, cache, view, memory);
  release_call(&call);
}

static void nothing(void **state) {
  Fixture *fixture = *state;
  const int64_t shapes[][4] = {{0, 4, 3, 8}, {2, 0, 3, 8}, {2, 4, 0, 8}, {2, 4, 3, 0}};
  for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
    const int64_t *const s = shapes[i];
    netcl_tensor *x = zeros(fixture, NETCL_F32, 4, s[0], s[1], s[2], s[3]), *result = NULL;
    netcl_tensor *cache = zeros(fixture, NETCL_F32, 3, s[0], s[2], s[3] / 2, 0);
    OK(netcl_op_rotary_embedding(x, cache, cache, NULL, NULL, &result));
    assert_int_equal(tensor_info(result).element_count, 0);
    RELEASE(x, cache, result);
  }
  /* Caches without rows: no position is in range. */
  netcl_rotary_embedding_options options = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  netcl_tensor *x = zeros(fixture, NETCL_F32, 4, 1, 1, 1, 4), *result = NULL;
  netcl_tensor *cache = zeros(fixture, NETCL_F32, 2, 0, 2, 0, 0);
  options.position_ids = zeros(fixture, NETCL_I32, 2, 1, 1, 0, 0);
  OK(netcl_op_rotary_embedding(x, cache, cache, &options, NULL, &result));
  float *const got = read_tensor(result);
  for (int i = 0; i < 4; ++i) assert_true(isnan(got[i]));
  free(got);
  RELEASE(x, cache, result, options.position_ids);
}

typedef struct Form {
  netcl_tensor *cosines, *sines;
  netcl_rotary_embedding_options options;
} Form;

static netcl_status rotary_call(void *context, netcl_tensor *const *x, const netcl_run_options *run,
                                netcl_tensor **y) {
  const Form *const form = context;
  return netcl_op_rotary_embedding(x[0], form->cosines, form->sines, &form->options, run, y);
}

static void gradients(void **state) {
  Fixture *fixture = *state;
  if (!fixture->capabilities.fp64) SKIP("differences need f64");
  for (int round = 0; round < rounds(fixture, 40); ++round) {
    const netcl_rotary_embedding_options init = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
    const int64_t batch = random_in(1, 2), heads = random_in(1, 3), tokens = random_in(1, 3);
    const int64_t size = random_in(2, 7), pairs = random_in(1, size / 2);
    const int flat = random_in(0, 1) == 1, listed = random_in(0, 1) == 1;
    const GradientInput input = {flat ? 3 : 4, {batch, flat ? tokens : heads,
                                 flat ? heads * size : tokens, size}, 0, 0, 0, NULL};
    const int64_t whole[3] = {batch, tokens, pairs}, rows[2] = {4, pairs};
    const int64_t id_shape[2] = {batch, tokens};
    const netcl_dtype dtype = random_in(0, 1) ? NETCL_F64 : NETCL_F32;
    Form form = {NULL, NULL, init};
    unsigned char data[1024];
    int32_t ids[8];
    netcl_tensor **const caches[2] = {&form.cosines, &form.sines};
    for (int i = 0; i < 2; ++i) {
      fill_random(dtype, data, 64, 1);
      *caches[i] = make_tensor(fixture->device, dtype, listed ? 2 : 3, listed ? rows : whole, data);
    }
    for (int i = 0; i < 8; ++i) ids[i] = (int32_t)random_in(0, 3);
    if (listed) form.options.position_ids = make_tensor(fixture->device, NETCL_I32, 2, id_shape,
                                                        ids);
    form.options.num_heads = heads;
    form.options.rotary_embedding_dim = 2 * pairs;
    form.options.interleaved = (uint32_t)random_in(0, 1);
    form.options.inverse = (uint32_t)random_in(0, 1);
    CHECK_GRADIENTS(fixture, "rotary_embedding", rotary_call, &form, &input, 1);
    RELEASE(form.cosines, form.sines, form.options.position_ids);
  }
}

/* The caches have none; what is behind the rotation in place has that of what was rotated. */
static void gradients_of_others(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[4] = {1, 1, 1, 2}, angles[3] = {1, 1, 1};
  const float data[2] = {3, 4}, c = 0.6f, s = 0.8f;
  for (int which = 0; which < 2; ++which) {
    netcl_run_options run = recorded(fixture);
    netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, shape, data), *y = NULL;
    netcl_tensor *cosines = make_tensor(fixture->device, NETCL_F32, 3, angles, &c);
    netcl_tensor *sines = make_tensor(fixture->device, NETCL_F32, 3, angles, &s), *grad = NULL;
    OK(netcl_op_rotary_embedding(x, cosines, sines, NULL, &run, &y));
    netcl_tensor *total = sum_of(y, &run);
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, which ? "sin_cache has none" : "cos_cache has none",
               netcl_graph_add_gradients(run.graph, &total, 1, which ? &sines : &cosines, 1, NULL,
                                         &grad));
    assert_null(grad);
    RELEASE(x, y, cosines, sines, total);
    netcl_graph_release(run.graph);
  }
  netcl_run_options run = recorded(fixture);
  netcl_tensor *x = make_tensor(fixture->device, NETCL_F32, 4, shape, data), *y = NULL;
  netcl_tensor *cosines = make_tensor(fixture->device, NETCL_F32, 3, angles, &c);
  netcl_tensor *sines = make_tensor(fixture->device, NETCL_F32, 3, angles, &s);
  OK(netcl_op_expression_text("v0 * 2", &x, 1, NULL, &run, &y));
  run.into = y;
  OK(netcl_op_rotary_embedding(y, cosines, sines, NULL, &run, NULL));
  run.into = NULL;
  netcl_tensor *total = sum_of(y, &run), *grad = gradient(&run, total, x);
  GIVES(grad, 2 * (0.6 + 0.8), 2 * (0.6 - 0.8));
  RELEASE(x, y, cosines, sines, total, grad);
  netcl_graph_release(run.graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(numbers),   DEVICE_TEST(tensors),
                                     DEVICE_TEST(places),    DEVICE_TEST(nothing),
                                     DEVICE_TEST(gradients), DEVICE_TEST(gradients_of_others),
                                     DEVICE_TEST(as_kernels)};
  seed_random("rotary_embedding_edges");
  return cmocka_run_group_tests_name("rotary_embedding_edges", tests, NULL, NULL);
}
