/* Models in files: weights in files of their own, and what netcl_model_describe tells. */
#include <stdio.h>
#include <unistd.h>

#include "support_graph.h"
#include "support_onnx.h"

static void write_whole(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static char *folder_of_test(void) {
  char *folder = strdup("/tmp/netcl_model_XXXXXX");
  assert_non_null(mkdtemp(folder));
  return folder;
}

/* A weight of f32 that lies in a file. */
static void add_external(OnnxBytes *graph, const char *name, int64_t count, const char *location,
                         int64_t offset, int64_t length) {
  OnnxBytes tensor = {0};
  char number[32];
  onnx_number(&tensor, 1, count);
  onnx_number(&tensor, 2, onnx_type(NETCL_F32));
  onnx_text(&tensor, 8, name);
  onnx_number(&tensor, 14, 1);
  for (int i = 0; i < 3; ++i) {
    OnnxBytes entry = {0};
    static const char *const kKeys[] = {"location", "offset", "length"};
    snprintf(number, sizeof number, "%lld", (long long)(i == 1 ? offset : length));
    onnx_text(&entry, 1, kKeys[i]);
    onnx_text(&entry, 2, i == 0 ? location : number);
    onnx_message(&tensor, 13, &entry);
  }
  onnx_message(graph, 5, &tensor);
}

/* A graph y = x + w whose weight lies in a file. */
static OnnxBytes external_graph(const char *location, int64_t offset, int64_t length) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "3");
  onnx_output(&graph, "y", NETCL_F32, "3");
  add_external(&graph, "w", 3, location, offset, length);
  onnx_node(&graph, "Add", "add", "x w", "y", NULL);
  return graph;
}

static void try_external(Fixture *fixture, const char *folder, const char *location,
                         int64_t offset, int64_t length, netcl_status status, const char *text) {
  char path[256];
  OnnxBytes graph = external_graph(location, offset, length);
  OnnxBytes file = onnx_file(&graph, 13);
  netcl_model *model = NULL;
  snprintf(path, sizeof path, "%s/in/model.onnx", folder);
  write_whole(path, file.data, file.size);
  if (status == NETCL_OK) {
    OK(netcl_model_load(fixture->device, path, NULL, &model));
    netcl_tensor *x = counting_vector(fixture, 3, 0);
    netcl_tensor *y = onnx_run(model, &x, 1);
    GIVES(y, 10, 21, 32);
    RELEASE(x, y);
    netcl_model_release(model);
    model = NULL;
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "weight \"w\" lies in a file of its own",
               netcl_model_load_memory(fixture->device, file.data, file.size, NULL, &model));
  } else {
    FAILS_WITH(status, text, netcl_model_load(fixture->device, path, NULL, &model));
  }
  assert_null(model);
  unlink(path);
  onnx_free(&file);
}

/* Many weights may share what a file holds, but not take many times its size, by whatever name. */
static void shared_data(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 1 << 20 };
  char *folder = folder_of_test();
  char path[256];
  float *data = calloc(COUNT, sizeof *data);
  data[COUNT - 1] = 1;
  snprintf(path, sizeof path, "%s/w.bin", folder);
  write_whole(path, data, COUNT * sizeof *data);
  /* 4 MiB, four times of that, and 64 MiB: 20 weights are as many as there may be. */
  for (int many = 20; many <= 21; ++many) {
    OnnxBytes graph = {0};
    netcl_model *model = NULL;
    onnx_output(&graph, "y", NETCL_F32, NULL);
    for (int i = 0; i < many; ++i) {
      char name[32];
      snprintf(name, sizeof name, "w%d", i);
      add_external(&graph, name, COUNT, i % 2 ? "./w.bin" : "w.bin", 0, COUNT * sizeof *data);
    }
    onnx_node(&graph, "Add", "add", "w0 w19", "y", NULL);
    OnnxBytes file = onnx_file(&graph, 13);
    snprintf(path, sizeof path, "%s/model.onnx", folder);
    write_whole(path, file.data, file.size);
    onnx_free(&file);
    if (many == 21) {
      FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "\"w20\" weights take over 88080384 bytes of \"w.bin\"",
                 netcl_model_load(fixture->device, path, NULL, &model));
      assert_null(model);
      continue;
    }
    OK(netcl_model_load(fixture->device, path, NULL, &model));
    netcl_tensor *y = onnx_run(model, NULL, 0);
    float *got = read_tensor(y);
    CHECK(got[0] == 0 && got[COUNT - 1] == 2, "the sum ends in %g", (double)got[COUNT - 1]);
    free(got);
    netcl_tensor_release(y);
    netcl_model_release(model);
  }
  free(data);
  snprintf(path, sizeof path, "rm -r %s", folder);
  assert_int_equal(system(path), 0);
  free(folder);
}

/* Weights in files of their own are read from the model's folder and below, and nowhere else. */
static void external_data(void **state) {
  Fixture *fixture = *state;
  char *folder = folder_of_test();
  char path[256], other[256];
  const float data[4] = {99, 10, 20, 30};
  snprintf(path, sizeof path, "mkdir -p %s/in/sub", folder);
  assert_int_equal(system(path), 0);
  snprintf(path, sizeof path, "%s/in/sub/w.bin", folder);
  write_whole(path, data, sizeof data);
  snprintf(other, sizeof other, "%s/out.bin", folder);
  write_whole(other, data, sizeof data);
  snprintf(path, sizeof path, "%s/in/link.bin", folder);
  assert_int_equal(symlink(other, path), 0);
  try_external(fixture, folder, "sub/w.bin", 4, 12, NETCL_OK, "");
  try_external(fixture, folder, "sub/w.bin", 8, 12, NETCL_ERROR_CORRUPT_DATA, "the file has 16");
  try_external(fixture, folder, "sub/w.bin", -4, 12, NETCL_ERROR_CORRUPT_DATA, "no number");
  try_external(fixture, folder, "sub/w.bin", INT64_MAX, 12, NETCL_ERROR_CORRUPT_DATA, "begins at");
  try_external(fixture, folder, "sub/w.bin", 0, 16, NETCL_ERROR_CORRUPT_DATA,
               "weight \"w\" has 16 bytes of external data; its shape and type need 12");
  try_external(fixture, folder, "../out.bin", 4, 12, NETCL_ERROR_CORRUPT_DATA,
               "outside of the model's folder");
  try_external(fixture, folder, other, 4, 12, NETCL_ERROR_IO, "not in the model's folder");
  try_external(fixture, folder, "link.bin", 4, 12, NETCL_ERROR_CORRUPT_DATA, "outside");
  try_external(fixture, folder, "none.bin", 4, 12, NETCL_ERROR_IO, "\"none.bin\"");
  try_external(fixture, folder, "sub", 0, 12, NETCL_ERROR_IO, "sub");
  snprintf(path, sizeof path, "rm -r %s", folder);
  assert_int_equal(system(path), 0);
  free(folder);
}

static netcl_status describe(void *path, char *buffer, size_t capacity, size_t *length) {
  return netcl_model_describe(path, buffer, capacity, length);
}

static void described(void **state) {
  (void)state;
  char *folder = folder_of_test();
  char path[256];
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, "n ? 4");
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, "Exp", "e", "x", "a", NULL);
  onnx_node(&graph, "Frobnicate", "first", "a", "b", NULL);
  onnx_node(&graph, "Frobnicate", "second", "b", "y", NULL);
  OnnxBytes file = onnx_file(&graph, 13);
  snprintf(path, sizeof path, "%s/model.onnx", folder);
  write_whole(path, file.data, file.size);
  onnx_free(&file);
  char *text = check_text_rules("netcl_model_describe", describe, path);
  static const char *const kParts[] = {
      "model \"tested\", by \"netcl tests 1.0\": ir version 10, opset 13, 3 nodes",
      "input \"x\": float [n, ?, 4]\n", "output \"y\": float of any shape\n", "op Exp: 1\n",
      "op Frobnicate: 2\n",
      "missing op Frobnicate: node \"first\" (Frobnicate), node \"second\" (Frobnicate)\n"};
  for (size_t i = 0; i < COUNT_OF(kParts); ++i) {
    CHECK(strstr(text, kParts[i]) != NULL, "\"%s\" is not in: %s", kParts[i], text);
  }
  free(text);
  /* An opset that netcl does not know matters where a node of the file is of it. */
  static const char *const kOps[2] = {"Neg", "local.F"};
  for (int i = 0; i < 2; ++i) {
    OnnxBytes nodes = {0};
    onnx_input(&graph, "x", NETCL_F32, "n");
    onnx_output(&graph, "y", NETCL_F32, "n");
    onnx_node(&graph, kOps[i], "e", "x", "y", NULL);
    onnx_node(&nodes, "Neg", "", "x", "y", NULL);
    file = onnx_file(&graph, i == 0 ? 99 : 0);
    onnx_function(&file, "local", "F", "x", "y", NULL, 13, &nodes);
    write_whole(path, file.data, file.size);
    onnx_free(&file);
    text = check_text_rules("netcl_model_describe", describe, path);
    const char *const part =
        i == 0 ? "the model is of opset 99, which node \"e\" (Neg) is of; netcl runs 7 to 28\n"
               : "no opset, 1 nodes";
    CHECK(strstr(text, part) != NULL, "\"%s\" is not in: %s", part, text);
    assert_int_equal(strstr(text, "nothing is missing") != NULL, i == 1);
    free(text);
  }
  unlink(path);
  FAILS_WITH(NETCL_ERROR_IO, "model.onnx", netcl_model_describe(path, NULL, 0, NULL));
  rmdir(folder);
  free(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(external_data), DEVICE_TEST(shared_data),
                                     DEVICE_TEST(described)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
