/* Node tests of the onnx package that are small: recordings/onnx_nodes.bin, written by
 * recordings/onnx_nodes.py. Whatever is recorded runs, and gives what the package expects. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"

enum { TENSORS_MOST = 16, NAME_MOST = 128 };

/* The file, and how far it is read. */
typedef struct Reader {
  unsigned char *data;
  size_t size;
  size_t at;
} Reader;

typedef struct Recorded {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  const void *data;
  size_t size;
} Recorded;

static const void *take(Reader *reader, size_t size) {
  CHECK(size <= reader->size - reader->at, "the recording ends at byte %zu", reader->size);
  reader->at += size;
  return reader->data + reader->at - size;
}

static uint32_t take_count(Reader *reader) {
  uint32_t count = 0;
  memcpy(&count, take(reader, sizeof count), sizeof count);
  return count;
}

static double take_real(Reader *reader) {
  double real = 0;
  memcpy(&real, take(reader, sizeof real), sizeof real);
  return real;
}

static Recorded take_tensor(Reader *reader) {
  Recorded tensor = {0};
  tensor.dtype = (netcl_dtype)take_count(reader);
  tensor.rank = take_count(reader);
  assert_true(tensor.rank <= NETCL_RANK_MAX);
  const size_t bytes = tensor.rank * sizeof *tensor.shape;
  memcpy(tensor.shape, take(reader, bytes), bytes);
  tensor.size = take_count(reader);
  tensor.data = take(reader, tensor.size);
  return tensor;
}

static Reader read_recording(void) {
  Reader reader = {0};
  FILE *file = fopen(NETCL_RECORDINGS "/onnx_nodes.bin", "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  reader.size = (size_t)ftell(file);
  rewind(file);
  reader.data = malloc(reader.size);
  assert_int_equal(fread(reader.data, 1, reader.size, file), reader.size);
  fclose(file);
  return reader;
}

static int is_near(netcl_dtype dtype, const void *got, const void *wanted, int64_t i, double rtol,
                   double atol) {
  const size_t size = netcl_dtype_size(dtype);
  if (!is_float_dtype(dtype)) {
    return memcmp((const char *)got + i * size, (const char *)wanted + i * size, size) == 0;
  }
  const double a = load_double(dtype, got, i), b = load_double(dtype, wanted, i);
  if (isnan(b)) return isnan(a);
  return a == b || fabs(a - b) <= atol + rtol * fabs(b);
}

/* With values of a short dtype: what is between is rounded, so that all elements together are near.
 */
static void check_short_output(const char *name, netcl_tensor *tensor, const Recorded *wanted,
                               netcl_dtype dtype) {
  const netcl_tensor_info info = tensor_info(tensor);
  CHECK(info.dtype == wanted->dtype, "%s: the output is %s, expected %s", name,
        netcl_dtype_name(info.dtype), netcl_dtype_name(wanted->dtype));
  CHECK(info.rank == wanted->rank, "%s: the output has another rank", name);
  /* These take ones off ten thousands, which are inputs. */
  if (!is_float_dtype(info.dtype) || strstr(name, "softmax_large_number") != NULL) return;
  void *got = read_tensor(tensor);
  double off = 0, largest = 1;
  for (int64_t i = 0; i < info.element_count; ++i) {
    const double a = load_double(info.dtype, got, i), b = load_double(info.dtype, wanted->data, i);
    CHECK(isnan(a) == isnan(b), "%s: element %d is %g, expected %g", name, (int)i, a, b);
    if (isnan(b) || a == b) continue;
    off += fabs(a - b) / (double)info.element_count;
    largest = fmax(largest, fabs(b));
  }
  const double most = (dtype == NETCL_F16 ? 0.004 : 0.03) * largest;
  CHECK(off <= most, "%s in %s: elements are off by %g, of at most %g", name,
        netcl_dtype_name(dtype), off, largest);
  free(got);
}

static void check_output(const char *name, netcl_tensor *tensor, const Recorded *wanted,
                         double rtol, double atol) {
  const netcl_tensor_info info = tensor_info(tensor);
  CHECK(info.dtype == wanted->dtype, "%s: the output is %s, expected %s", name,
        netcl_dtype_name(info.dtype), netcl_dtype_name(wanted->dtype));
  CHECK(info.rank == wanted->rank &&
            memcmp(info.shape, wanted->shape, info.rank * sizeof *info.shape) == 0,
        "%s: the output has another shape", name);
  void *got = read_tensor(tensor);
  for (int64_t i = 0; i < info.element_count; ++i) {
    CHECK(is_near(info.dtype, got, wanted->data, i, rtol, atol),
          "%s: element %d is %.9g, expected %.9g", name, (int)i, load_double(info.dtype, got, i),
          load_double(info.dtype, wanted->data, i));
  }
  free(got);
}

/* Returns how many bytes of results were compared. */
static size_t run_recorded(Fixture *fixture, Reader *reader, netcl_dtype dtype) {
  char name[NAME_MOST] = {0};
  netcl_tensor *inputs[TENSORS_MOST], *outputs[TENSORS_MOST] = {NULL};
  netcl_model *model = NULL;
  size_t compared = 0;
  const uint32_t length = take_count(reader);
  assert_true(length < NAME_MOST);
  memcpy(name, take(reader, length), length);
  const double rtol = take_real(reader), atol = take_real(reader);
  const uint32_t size = take_count(reader);
  const void *file = take(reader, size);
  const uint32_t inputs_count = take_count(reader);
  assert_true(inputs_count <= TENSORS_MOST);
  int has_f64 = 0;
  for (uint32_t i = 0; i < inputs_count; ++i) {
    const Recorded input = take_tensor(reader);
    has_f64 |= input.dtype == NETCL_F64;
    inputs[i] = make_tensor(fixture->device, input.dtype, input.rank, input.shape, input.data);
  }
  const uint32_t outputs_count = take_count(reader);
  assert_true(outputs_count <= TENSORS_MOST);
  Recorded wanted[TENSORS_MOST];
  for (uint32_t i = 0; i < outputs_count; ++i) wanted[i] = take_tensor(reader);
  for (uint32_t i = 0; i < outputs_count; ++i) has_f64 |= wanted[i].dtype == NETCL_F64;
  if (!has_f64 || fixture->capabilities.fp64) {
    uint32_t count = 0;
    netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
    options.dtype = dtype;
    netcl_status status = netcl_model_load_memory(fixture->device, file, size, &options, &model);
    CHECK(status == NETCL_OK, "%s: %s", name, netcl_last_error_message());
    status = netcl_model_evaluate(model, inputs, inputs_count, NULL, outputs, TENSORS_MOST, &count);
    CHECK(status == NETCL_OK, "%s: %s", name, netcl_last_error_message());
    CHECK(count == outputs_count, "%s: %u outputs", name, count);
    for (uint32_t i = 0; i < outputs_count; ++i) {
      if (dtype == 0) {
        check_output(name, outputs[i], &wanted[i], rtol, atol);
      } else {
        check_short_output(name, outputs[i], &wanted[i], dtype);
      }
      compared += wanted[i].size;
    }
    release_tensors(outputs, outputs_count);
    netcl_model_release(model);
  }
  release_tensors(inputs, inputs_count);
  return compared;
}

static void run_all(Fixture *fixture, netcl_dtype dtype) {
  Reader reader = read_recording();
  const uint32_t count = take_count(&reader);
  size_t compared = 0;
  assert_true(count > 300);
  for (uint32_t i = 0; i < count; ++i) compared += run_recorded(fixture, &reader, dtype);
  assert_int_equal(reader.at, reader.size);
  assert_true(compared > 10000);
  free(reader.data);
}

static void recorded_nodes(void **state) { run_all(*state, 0); }
static void nodes_of_f16(void **state) { run_all(*state, NETCL_F16); }
static void nodes_of_bf16(void **state) { run_all(*state, NETCL_BF16); }

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(recorded_nodes), DEVICE_TEST(nodes_of_f16),
                                     DEVICE_TEST(nodes_of_bf16)};
  compile_quickly();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
