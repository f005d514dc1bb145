/* Several loadings of one file have its weights together, as long as the file stays the same. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { COUNT = 1 << 20, WEIGHT_BYTES = COUNT * 4 };

/* A file's last change has to be two seconds ago before its times tell it from the next one. */
static void settle(void) { usleep(2100000); }

static uint64_t used(Fixture *fixture) {
  netcl_pool *pool;
  netcl_pool_info info = NETCL_POOL_INFO_INIT;
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  OK(netcl_pool_get_info(pool, &info));
  netcl_pool_release(pool);
  return info.bytes_in_use;
}

/* Over what is there, so that the file stays the one that it is. */
static void write_over(const char *path, const void *data, size_t size) {
  const int fd = open(path, O_WRONLY | O_CREAT, 0600);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, data, size), size);
  assert_int_equal(close(fd), 0);
}

/* Elements that are 0 but for the last. */
static float *ending_in(float last) {
  float *data = calloc(COUNT, sizeof *data);
  data[COUNT - 1] = last;
  return data;
}

static void add_external(OnnxBytes *graph, const char *name, int64_t rows) {
  OnnxBytes tensor = {0}, entry = {0};
  if (rows > 1) onnx_number(&tensor, 1, rows);
  onnx_number(&tensor, 1, COUNT / rows);
  onnx_number(&tensor, 2, onnx_type(NETCL_F32));
  onnx_text(&tensor, 8, name);
  onnx_number(&tensor, 14, 1);
  onnx_text(&entry, 1, "location");
  onnx_text(&entry, 2, "v.bin");
  onnx_message(&tensor, 13, &entry);
  onnx_message(graph, 5, &tensor);
}

/* y = x + w + v and z = x - u: w lies in the file; v and u, of two rows, are one other file. */
static void write_model(const char *folder, float w, float v) {
  char path[256];
  const int64_t shape = COUNT;
  float *const own = ending_in(w), *const other = ending_in(v);
  OnnxBytes graph = {0};
  onnx_weight(&graph, "w", NETCL_F32, 1, &shape, own);
  add_external(&graph, "v", 1);
  add_external(&graph, "u", 2);
  onnx_input(&graph, "x", NETCL_F32, "1");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "z", NETCL_F32, NULL);
  onnx_node(&graph, "Add", "add", "x w", "xw", NULL);
  onnx_node(&graph, "Add", "all", "xw v", "y", NULL);
  onnx_node(&graph, "Sub", "less", "x u", "z", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  snprintf(path, sizeof path, "%s/model.onnx", folder);
  write_over(path, file.data, file.size);
  snprintf(path, sizeof path, "%s/v.bin", folder);
  write_over(path, other, WEIGHT_BYTES);
  onnx_free(&file);
  free(own);
  free(other);
}

static netcl_model *load(Fixture *fixture, const char *folder, netcl_dtype dtype) {
  char path[256];
  netcl_model *model = NULL;
  netcl_model_options options = NETCL_MODEL_OPTIONS_INIT;
  options.dtype = dtype;
  snprintf(path, sizeof path, "%s/model.onnx", folder);
  OK(netcl_model_load(fixture->device, path, &options, &model));
  return model;
}

static void expect(Fixture *fixture, netcl_model *model, float w, float v) {
  netcl_tensor *x = counting_vector(fixture, 1, 0);
  netcl_tensor *results[2] = {NULL, NULL};
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  uint32_t count = 0;
  OK(netcl_model_evaluate(model, &x, 1, NULL, results, 2, &count));
  float *y = read_tensor(results[0]), *z = read_tensor(results[1]);
  CHECK(y[0] == 0 && y[COUNT - 1] == w + v, "y ends in %g, not %g", (double)y[COUNT - 1],
        (double)(w + v));
  CHECK(z[COUNT - 1] == -v, "z ends in %g, not %g", (double)z[COUNT - 1], (double)-v);
  OK(netcl_tensor_get_info(results[1], &info));
  CHECK(info.rank == 2 && info.shape[0] == 2, "z has rank %u", info.rank);
  free(y);
  free(z);
  RELEASE(results[0], results[1], x);
}

static void loadings_share(void **state) {
  Fixture *fixture = *state;
  char folder[] = "/tmp/netcl_model_XXXXXX", command[64];
  assert_non_null(mkdtemp(folder));
  write_model(folder, 3, 4);
  settle();
  const uint64_t before = used(fixture);
  netcl_model *first = load(fixture, folder, 0);
  const uint64_t alone = used(fixture) - before;
  assert_in_range(alone, 3 * WEIGHT_BYTES, 4 * WEIGHT_BYTES - 1);
  netcl_model *second = load(fixture, folder, 0);
  assert_int_equal(used(fixture) - before, alone);
  expect(fixture, first, 3, 4);
  netcl_model_release(first);
  expect(fixture, second, 3, 4);
  /* Other dtypes are other bytes. */
  netcl_model *half = load(fixture, folder, NETCL_F16);
  expect(fixture, half, 3, 4);
  netcl_model_release(half);
  /* A change of the file, of the same length, is seen at once; what was loaded keeps its own. */
  write_model(folder, 5, 4);
  const uint64_t held = used(fixture);
  netcl_model *third = load(fixture, folder, 0);
  assert_int_equal(used(fixture) - held, alone);
  expect(fixture, third, 5, 4);
  expect(fixture, second, 3, 4);
  netcl_model_release(third);
  write_model(folder, 5, 6);
  third = load(fixture, folder, 0);
  expect(fixture, third, 5, 6);
  expect(fixture, second, 3, 4);
  netcl_model_release(second);
  netcl_model_release(third);
  /* The last one has taken them along. */
  settle();
  netcl_model *fourth = load(fixture, folder, 0);
  expect(fixture, fourth, 5, 6);
  netcl_model_release(fourth);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(loadings_share)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
