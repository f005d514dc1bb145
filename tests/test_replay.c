/* Ops that are called again and again with other tensors of the same layouts: what the library
 * keeps of a call gives the bits that the call gives when nothing is kept. */
#include "support.h"

enum { X_ELEMENTS = 4 * 6 * 8 * 8, SETS = 3 };

/* The tensors of one call. Each case uses some of them. */
typedef struct Set {
  netcl_tensor *image;    /* [4, 6, 8, 8] */
  netcl_tensor *filters;  /* [4, 6, 3, 3] */
  netcl_tensor *pointwise; /* [5, 6, 1, 1] */
  netcl_tensor *channels; /* [6] */
  netcl_tensor *mean;     /* [6], written in training */
  netcl_tensor *variance; /* [6], positive */
  netcl_tensor *square;   /* [16, 16] */
  netcl_tensor *other;    /* [16, 16] */
  netcl_tensor *row;      /* [16] */
  netcl_tensor *line;     /* [70000] */
  netcl_tensor *indices;  /* i64 [7, 16], below 16 */
  netcl_tensor *places;   /* i64 [7] */
  netcl_tensor *updates;  /* [7, 16] */
} Set;

typedef netcl_status (*Case)(const Set *set, const netcl_run_options *run, netcl_tensor **result);

static netcl_tensor *random_tensor(netcl_device *device, uint32_t rank, const int64_t *shape,
                                   double low, double high) {
  const int64_t count = product(rank, shape);
  float *data = malloc((size_t)count * sizeof *data);
  for (int64_t i = 0; i < count; ++i) data[i] = (float)random_real(low, high);
  netcl_tensor *tensor = make_tensor(device, NETCL_F32, rank, shape, data);
  free(data);
  return tensor;
}

static netcl_tensor *random_indices(netcl_device *device, uint32_t rank, const int64_t *shape) {
  int64_t data[7 * 16];
  const int64_t count = product(rank, shape);
  for (int64_t i = 0; i < count; ++i) data[i] = random_in(0, 15);
  return make_tensor(device, NETCL_I64, rank, shape, data);
}

static Set make_set(netcl_device *device) {
  static const int64_t image[4] = {4, 6, 8, 8}, filters[4] = {4, 6, 3, 3}, one[4] = {5, 6, 1, 1};
  static const int64_t channels[1] = {6}, square[2] = {16, 16}, row[1] = {16}, line[1] = {70000};
  static const int64_t indices[2] = {7, 16}, places[1] = {7};
  Set set;
  set.image = random_tensor(device, 4, image, -1, 1);
  set.filters = random_tensor(device, 4, filters, -1, 1);
  set.pointwise = random_tensor(device, 4, one, -1, 1);
  set.channels = random_tensor(device, 1, channels, -1, 1);
  set.mean = random_tensor(device, 1, channels, -1, 1);
  set.variance = random_tensor(device, 1, channels, 0.5, 2);
  set.square = random_tensor(device, 2, square, -1, 1);
  set.other = random_tensor(device, 2, square, -1, 1);
  set.row = random_tensor(device, 1, row, -1, 1);
  set.line = random_tensor(device, 1, line, -1, 1);
  set.indices = random_indices(device, 2, indices);
  set.places = random_indices(device, 1, places);
  set.updates = random_tensor(device, 2, indices, -1, 1);
  return set;
}

static void release_set(Set *set) {
  netcl_tensor *const all[] = {set->image, set->filters, set->pointwise, set->channels, set->mean,
                               set->variance, set->square, set->other, set->row, set->line,
                               set->indices, set->places, set->updates};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

/* ---- The calls ------------------------------------------------------------------------------- */

static netcl_status matmul(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  epilogue.bias = s->row;
  epilogue.residual = s->other;
  epilogue.activation = NETCL_ACTIVATION_LEAKY_RELU;
  epilogue.alpha = 0.25;
  options.epilogue = &epilogue;
  return netcl_op_matmul(s->square, s->other, &options, run, result);
}
static netcl_status matmul_packed(const Set *s, const netcl_run_options *run,
                                  netcl_tensor **result) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  options.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
  return netcl_op_matmul(s->square, s->other, &options, run, result);
}
static netcl_status convolve(const Set *s, netcl_tensor *w, int64_t padding, netcl_variant variant,
                             int normalise, const netcl_run_options *run, netcl_tensor **result) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_conv2d_batchnorm batchnorm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_range first[1] = {{0, 4, 1}};
  for (int i = 0; i < 4; ++i) options.padding[i] = padding;
  options.variant = variant;
  if (!normalise) return netcl_op_conv2d(s->image, w, &options, run, result);
  netcl_tensor *mean, *variance;
  OK(netcl_tensor_slice(s->mean, first, 1, &mean));
  OK(netcl_tensor_slice(s->variance, first, 1, &variance));
  batchnorm.mean = mean;
  batchnorm.variance = variance;
  options.batchnorm = &batchnorm;
  const netcl_status status = netcl_op_conv2d(s->image, w, &options, run, result);
  netcl_tensor_release(mean);
  netcl_tensor_release(variance);
  return status;
}
static netcl_status conv2d(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return convolve(s, s->filters, 1, 0, 0, run, result);
}
static netcl_status conv2d_normed(const Set *s, const netcl_run_options *run,
                                  netcl_tensor **result) {
  return convolve(s, s->filters, 1, 0, 1, run, result);
}
static netcl_status conv2d_im2col(const Set *s, const netcl_run_options *run,
                                  netcl_tensor **result) {
  return convolve(s, s->filters, 0, NETCL_VARIANT_CONV2D_IM2COL, 0, run, result);
}
static netcl_status conv2d_implicit(const Set *s, const netcl_run_options *run,
                                    netcl_tensor **result) {
  return convolve(s, s->pointwise, 0, NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, 0, run, result);
}
static netcl_status conv2d_winograd(const Set *s, const netcl_run_options *run,
                                    netcl_tensor **result) {
  return convolve(s, s->filters, 1, NETCL_VARIANT_CONV2D_WINOGRAD, 0, run, result);
}
static netcl_status reduce(netcl_tensor *x, netcl_reduction kind, int32_t axis,
                           netcl_variant variant, netcl_dtype dtype, const netcl_run_options *run,
                           netcl_tensor **result) {
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &axis;
  options.axes_count = 1;
  options.variant = variant;
  options.dtype = dtype;
  return netcl_op_reduce(x, kind, &options, run, result);
}
static netcl_status sum(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return reduce(s->line, NETCL_REDUCTION_SUM, 0, NETCL_VARIANT_REDUCTION_WORKGROUP, 0, run, result);
}
static netcl_status mean(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return reduce(s->image, NETCL_REDUCTION_MEAN, 1, 0, 0, run, result);
}
static netcl_status columns(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return reduce(s->square, NETCL_REDUCTION_L2, 0, NETCL_VARIANT_REDUCTION_PARALLEL, 0, run, result);
}
static netcl_status log_sum_exp(const Set *s, const netcl_run_options *run,
                                netcl_tensor **result) {
  return reduce(s->square, NETCL_REDUCTION_LOG_SUM_EXP, 1, 0, 0, run, result);
}
static netcl_status largest(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return reduce(s->square, NETCL_REDUCTION_MAX, 1, 0, NETCL_F64, run, result);
}
static netcl_status place(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return reduce(s->line, NETCL_REDUCTION_ARGMAX, 0, NETCL_VARIANT_REDUCTION_WORKGROUP, 0, run,
                result);
}
static netcl_status scan(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_scan(s->line, NETCL_REDUCTION_SUM, 0, NULL, run, result);
}
static netcl_status histogram(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_histogram(s->line, 10, NULL, run, result);
}
static netcl_status softmax(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_softmax(s->image, 1, run, result);
}
static netcl_status softmax_long(const Set *s, const netcl_run_options *run,
                                 netcl_tensor **result) {
  return netcl_op_softmax(s->line, 0, run, result);
}
static netcl_status log_softmax(const Set *s, const netcl_run_options *run,
                                netcl_tensor **result) {
  return netcl_op_log_softmax(s->square, -1, run, result);
}
static netcl_status layernorm(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  options.scale = s->row;
  options.bias = s->row;
  return netcl_op_layernorm(s->square, 1, &options, run, result);
}
static netcl_status rmsnorm(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_rmsnorm(s->image, 2, NULL, run, result);
}
static netcl_status batchnorm(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  options.scale = s->channels;
  options.activation = NETCL_ACTIVATION_RELU;
  return netcl_op_batchnorm(s->image, s->mean, s->variance, &options, run, result);
}
static netcl_status batchnorm_training(const Set *s, const netcl_run_options *run,
                                       netcl_tensor **result) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  options.training = 1;
  return netcl_op_batchnorm(s->image, s->mean, s->variance, &options, run, result);
}
static netcl_status pool2d(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  netcl_pool2d_options options = NETCL_POOL2D_OPTIONS_INIT;
  options.window[0] = options.window[1] = 2;
  options.strides[0] = options.strides[1] = 2;
  return netcl_op_pool2d(s->image, NETCL_POOLING_AVERAGE, &options, run, result);
}
static netcl_status transpose(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  static const uint32_t axes[4] = {0, 2, 3, 1};
  return netcl_op_transpose(s->image, axes, 4, run, result);
}
static netcl_status gather(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_gather(s->square, s->places, 1, run, result);
}
static netcl_status gather_elements(const Set *s, const netcl_run_options *run,
                                    netcl_tensor **result) {
  return netcl_op_gather_elements(s->square, s->indices, 0, run, result);
}
static netcl_status embedding(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_embedding(s->square, s->places, run, result);
}
static netcl_status scatter(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = NETCL_SCATTER_ADD;
  return netcl_op_scatter(s->square, s->indices, s->updates, 0, &options, run, result);
}
static netcl_status elementwise(const Set *s, const netcl_run_options *run,
                                netcl_tensor **result) {
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  netcl_tensor *inputs[1];
  inputs[0] = s->image;
  options.has_parameters = 1;
  options.alpha = 0.5;
  return netcl_op_elementwise(NETCL_ELEMENTWISE_LEAKY_RELU, inputs, 1, &options, run, result);
}
static netcl_status bias_add(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  return netcl_op_bias_add(s->image, s->channels, 1, run, result);
}
static netcl_status expression(const Set *s, const netcl_run_options *run, netcl_tensor **result) {
  netcl_tensor *inputs[3];
  inputs[0] = s->square;
  inputs[1] = s->row;
  inputs[2] = s->other;
  return netcl_op_expression_text("v0 * v1 - exp(v2)", inputs, 3, NULL, run, result);
}

static const struct {
  const char *name;
  Case call;
} kCases[] = {{"matmul", matmul},
              {"matmul, packed", matmul_packed},
              {"conv2d", conv2d},
              {"conv2d with batchnorm", conv2d_normed},
              {"conv2d, im2col", conv2d_im2col},
              {"conv2d, implicit GEMM", conv2d_implicit},
              {"conv2d, Winograd", conv2d_winograd},
              {"sum", sum},
              {"mean", mean},
              {"columns", columns},
              {"log_sum_exp", log_sum_exp},
              {"largest", largest},
              {"place", place},
              {"scan", scan},
              {"histogram", histogram},
              {"softmax", softmax},
              {"softmax of a long row", softmax_long},
              {"log_softmax", log_softmax},
              {"layernorm", layernorm},
              {"rmsnorm", rmsnorm},
              {"batchnorm", batchnorm},
              {"batchnorm, training", batchnorm_training},
              {"pool2d", pool2d},
              {"transpose", transpose},
              {"gather", gather},
              {"gather_elements", gather_elements},
              {"embedding", embedding},
              {"scatter", scatter},
              {"elementwise", elementwise},
              {"bias_add", bias_add},
              {"expression", expression}};

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Calls a case with new tensors of its own for what it writes beside its result, and gives the
 * bytes of result, mean and variance behind each other. */
static unsigned char *bytes_of_call(Fixture *fixture, size_t which, const Set *set, int how,
                                    size_t *size) {
  Set own = *set;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_tensor *result = NULL;
  OK(netcl_op_copy(set->mean, NULL, &own.mean));
  OK(netcl_op_copy(set->variance, NULL, &own.variance));
  if (how == 1) run.event = &event;
  if (how == 2) {
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    options.out_of_order = fixture->opencl ? 1 : 0;
    OK(netcl_queue_create(fixture->device, &options, &queue));
    run.queue = queue;
  }
  const netcl_status status = kCases[which].call(&own, &run, &result);
  check_status(status, NETCL_OK, kCases[which].name, __FILE__, __LINE__);
  if (event != NULL) {
    OK(netcl_event_wait(event, LONG_WAIT));
    netcl_event_release(event);
  }
  netcl_tensor *const parts[3] = {result, own.mean, own.variance};
  unsigned char *bytes = NULL;
  *size = 0;
  for (int i = 0; i < 3; ++i) {
    const netcl_tensor_info info = tensor_info(parts[i]);
    void *data = read_tensor(parts[i]);
    bytes = realloc(bytes, *size + (size_t)info.byte_count);
    memcpy(bytes + *size, data, (size_t)info.byte_count);
    *size += (size_t)info.byte_count;
    free(data);
    netcl_tensor_release(parts[i]);
  }
  netcl_queue_release(queue);
  return bytes;
}

static void test_same_bits(void **state) {
  Fixture *fixture = *state;
  Set sets[SETS];
  for (int i = 0; i < SETS; ++i) sets[i] = make_set(fixture->device);
  for (size_t which = 0; which < COUNT_OF(kCases); ++which) {
    unsigned char *kept[SETS][3];
    size_t size, again;
    /* The first calls are noted, and the later ones repeat what was noted. */
    for (int i = 0; i < 3; ++i) free(bytes_of_call(fixture, which, &sets[0], 0, &size));
    for (int i = 0; i < SETS; ++i) {
      for (int how = 0; how < 3; ++how) {
        kept[i][how] = bytes_of_call(fixture, which, &sets[i], how, &size);
      }
    }
    OK(netcl_program_cache_clear(0));
    for (int i = 0; i < SETS; ++i) {
      OK(netcl_variant_clear_cache());
      unsigned char *plain = bytes_of_call(fixture, which, &sets[i], 0, &again);
      assert_int_equal(size, again);
      for (int how = 0; how < 3; ++how) {
        CHECK(memcmp(plain, kept[i][how], size) == 0, "%s of set %d, called in way %d: other bits",
              kCases[which].name, i, how);
        free(kept[i][how]);
      }
      free(plain);
    }
  }
  for (int i = 0; i < SETS; ++i) release_set(&sets[i]);
}

/* With run->into: new memory each time, the input itself, and memory that must be refused although
 * its layout is that of the calls before. */
static void test_into(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {16, 16};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  Set set = make_set(fixture->device);
  netcl_tensor *product = NULL, *row = NULL;
  OK(netcl_op_matmul(set.square, set.other, NULL, NULL, &product));
  OK(netcl_op_softmax(set.square, -1, NULL, &row));
  void *wanted = read_tensor(product);
  void *wanted_row = read_tensor(row);
  for (int i = 0; i < 5; ++i) {
    OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, NULL, &run.into));
    OK(netcl_op_matmul(set.square, set.other, NULL, &run, NULL));
    CHECK_TENSOR(run.into, wanted);
    OK(netcl_op_softmax(set.square, -1, &run, NULL));
    CHECK_TENSOR(run.into, wanted_row);
    netcl_tensor_release(run.into);
    run.into = set.other;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "shares its memory with b",
               netcl_op_matmul(set.square, set.other, NULL, &run, NULL));
    run.into = set.row;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "[16, 16]",
               netcl_op_softmax(set.square, -1, &run, NULL));
  }
  for (int i = 0; i < 4; ++i) {
    OK(netcl_op_copy(set.square, NULL, &run.into));
    OK(netcl_op_softmax(run.into, -1, &run, NULL));
    CHECK_TENSOR(run.into, wanted_row);
    netcl_tensor_release(run.into);
  }
  free(wanted);
  free(wanted_row);
  netcl_tensor_release(product);
  netcl_tensor_release(row);
  release_set(&set);
}

/* Views of one tensor that differ in their offsets, strides or extents are different calls. */
static void test_views(void **state) {
  Fixture *fixture = *state;
  Set set = make_set(fixture->device);
  float *host = read_tensor(set.square);
  for (int round = 0; round < 4; ++round) {
    for (int64_t first = 0; first < 16; ++first) {
      const netcl_range ranges[2] = {{first, 1, 1}, {0, 16, 1}};
      netcl_tensor *view, *result = NULL;
      OK(netcl_tensor_slice(set.square, ranges, 2, &view));
      OK(reduce(view, NETCL_REDUCTION_MAX, 1, 0, 0, NULL, &result));
      float largest_one = host[first * 16], got;
      for (int64_t i = 1; i < 16; ++i) {
        if (host[first * 16 + i] > largest_one) largest_one = host[first * 16 + i];
      }
      OK(netcl_tensor_read(result, &got, sizeof got, NULL, LONG_WAIT));
      CHECK(got == largest_one, "row %lld: %g, not %g", (long long)first, got, largest_one);
      netcl_tensor_release(view);
      netcl_tensor_release(result);
    }
  }
  free(host);
  release_set(&set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(test_same_bits),
      DEVICE_TEST(test_into),
      DEVICE_TEST(test_views),
  };
  seed_random("replay");
  return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
