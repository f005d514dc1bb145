/* Files of safetensors and what all files of named tensors have in common: tensors that look into
 * the file, copies, names, metadata, and how long all of it stays. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support_weights.h"

static const char *const kTypes[DTYPES] = {"F16", "BF16", "F32", "F64", "I8",  "I16", "I32",
                                           "I64", "U8",   "U16", "U32", "U64", "BOOL"};

/* Whether tensors of this device look into files. */
static int maps(const Fixture *fixture) {
  return fixture->info.type == NETCL_DEVICE_CPU && fixture->capabilities.integrated != 0;
}

static void map_is(const Fixture *fixture, const netcl_tensor *tensor, int wanted) {
  const netcl_tensor_info info = tensor_info(tensor);
  assert_int_equal(info.mapped, wanted && maps(fixture));
  if (info.mapped != 0) {
    assert_int_equal(info.zero_copy, 1);
    assert_int_equal(info.pooled, 0);
    assert_int_equal(info.borrowed, 0);
  }
}

static void every_dtype(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 4, 5};
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    const size_t size = 60 * netcl_dtype_size(dtype);
    unsigned char data[480];
    char header[200];
    fill_random(dtype, data, 60, 100);
    snprintf(header, sizeof header,
             "{\"a\":{\"dtype\":\"%s\",\"shape\":[3,4,5],\"data_offsets\":[0,%zu]}}", kTypes[t],
             size);
    while (strlen(header) % 8 != 0) strcat(header, " ");
    Bytes file = safetensors_file(header, data, size);
    netcl_weights *weights = NULL;
    OK(open_bytes(fixture->device, &file, &weights));
    bytes_free(&file);
    const netcl_weights_entry entry = named_entry(weights, "a");
    assert_int_equal(entry.dtype, dtype);
    assert_int_equal(entry.rank, 3);
    assert_int_equal(entry.byte_count, size);
    assert_int_equal(entry.quantization, 0);
    assert_string_equal(entry.type, kTypes[t]);
    for (int d = 0; d < 3; ++d) assert_int_equal(entry.shape[d], shape[d]);
    netcl_tensor *tensor = named_tensor(weights, "a");
    netcl_weights_release(weights); /* the tensor stays */
    assert_int_equal(tensor_info(tensor).dtype, dtype);
    map_is(fixture, tensor, dtype != NETCL_BOOL);
    CHECK_TENSOR(tensor, data);
    netcl_tensor_release(tensor);
  }
}

/* Elements at no multiple of their size are copied, and so are bools, which are 0 or 1 then. */
static void copies(void **state) {
  Fixture *fixture = *state;
  char header[400] =
      "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[1,9]},"
      "\"c\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[9,11]},"
      "\"e\":{\"dtype\":\"F64\",\"shape\":[0,7],\"data_offsets\":[11,11]},"
      "\"s\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[11,12]}}";
  unsigned char data[12] = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200, 9};
  const float two[2] = {1.5f, -2.5f};
  const unsigned char bools[2] = {0, 1}, seven = 7, nine = 9;
  memcpy(data + 1, two, sizeof two);
  while (strlen(header) % 8 != 0) strcat(header, " ");
  Bytes file = safetensors_file(header, data, sizeof data);
  netcl_weights *weights = NULL;
  OK(open_bytes(fixture->device, &file, &weights));
  bytes_free(&file);
  netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
  OK(netcl_weights_get_info(weights, &info));
  assert_int_equal(info.format, NETCL_WEIGHTS_SAFETENSORS);
  assert_int_equal(info.tensor_count, 5);
  assert_int_equal(info.metadata_count, 0);
  assert_int_equal(info.version, 0);
  assert_int_equal(info.file_bytes, 8 + strlen(header) + sizeof data);
  static const char *const kNames[] = {"a", "b", "c", "e", "s"};
  const void *const wanted[] = {&seven, two, bools, NULL, &nine};
  for (int i = 0; i < 5; ++i) {
    netcl_tensor *tensor = named_tensor(weights, kNames[i]);
    const int aligned = i == 0 || i == 4;
    map_is(fixture, tensor, aligned);
    if (i == 3) {
      assert_int_equal(tensor_info(tensor).shape[1], 7);
      assert_int_equal(tensor_info(tensor).element_count, 0);
    } else {
      CHECK_TENSOR(tensor, wanted[i]);
    }
    netcl_tensor_release(tensor);
  }
  netcl_weights_release(weights);
}

/* What is written to a tensor stays in it: neither the file nor another tensor has it. */
static void own_pages(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {5000};
  float *const data = malloc(20000), *const ones = malloc(20000);
  for (int i = 0; i < 5000; ++i) {
    data[i] = (float)i;
    ones[i] = 1;
  }
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, data), *made[2];
  const char *const path = weights_path("own"), *const name = "w";
  OK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, &name, 1, &tensor, 1, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  netcl_weights *weights = NULL;
  OK(netcl_weights_open(fixture->device, path, NULL, &weights));
  for (int i = 0; i < 2; ++i) {
    made[i] = named_tensor(weights, name);
    map_is(fixture, made[i], 1);
  }
  OK(netcl_tensor_write(made[0], ones, 20000, NULL, LONG_WAIT));
  CHECK_TENSOR(made[0], ones);
  CHECK_TENSOR(made[1], data);
  netcl_run_options into = run_into(made[1]);
  OK(netcl_op_copy(made[0], &into, NULL));
  CHECK_TENSOR(made[1], ones);
  netcl_weights *again = NULL;
  OK(netcl_weights_open(fixture->device, path, NULL, &again));
  tensor = named_tensor(again, name);
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
  netcl_tensor_release(made[0]);
  netcl_tensor_release(made[1]);
  netcl_weights_release(again);
  netcl_weights_release(weights);
  free(data);
  free(ones);
}

/* What stands in the file in front of a tensor is none of its memory. */
static void in_front(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2}, one[] = {1}, strides[] = {-1};
  const float data[] = {1, 2};
  netcl_tensor *tensors[2], *view = NULL;
  for (int i = 0; i < 2; ++i) {
    tensors[i] = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
  }
  const char *const path = weights_path("front"), *const names[] = {"a", "b"};
  OK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, names, 2, tensors, 2, NULL, LONG_WAIT));
  netcl_tensor_release(tensors[0]);
  netcl_tensor_release(tensors[1]);
  netcl_weights *weights = NULL;
  OK(netcl_weights_open(fixture->device, path, NULL, &weights));
  netcl_tensor *tensor = named_tensor(weights, "b");
  map_is(fixture, tensor, 1);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_view(tensor, 1, one, NULL, -1, &view));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tensor_view(tensor, 1, shape, strides, 0, &view));
  assert_null(view);
  OK(netcl_tensor_view(tensor, 1, shape, strides, 1, &view));
  CHECK_TENSOR(view, ((const float[]){2, 1}));
  netcl_tensor_release(view);
  netcl_tensor_release(tensor);
  netcl_weights_release(weights);
}

/* A tensor outlives its handle, its file's name, and another file that gets the name. */
static void lifetimes(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3};
  const int32_t first[] = {1, 2, 3}, second[] = {4, 5, 6};
  const char *const path = weights_path("life"), *const name = "w";
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_I32, 1, shape, first), *kept = NULL;
  netcl_weights *weights = NULL;
  OK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, &name, 1, &tensor, 1, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  OK(netcl_weights_open(fixture->device, path, NULL, &weights));
  kept = named_tensor(weights, name);
  tensor = make_tensor(fixture->device, NETCL_I32, 1, shape, second);
  OK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, &name, 1, &tensor, 1, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  CHECK_TENSOR(kept, first);
  tensor = named_tensor(weights, name); /* the handle has the file that it opened */
  CHECK_TENSOR(tensor, first);
  netcl_tensor_release(tensor);
  OK(netcl_weights_retain(weights));
  netcl_weights_release(weights);
  netcl_weights_release(weights);
  assert_int_equal(unlink(path), 0);
  CHECK_TENSOR(kept, first);
  /* A view of it, and work on it that may not be over. */
  netcl_tensor *view = NULL, *sum = NULL;
  const netcl_range back = {2, 3, -1};
  OK(netcl_tensor_slice(kept, &back, 1, &view));
  netcl_tensor *both[] = {kept, view};
  OK(netcl_op_expression_text("v0 + v1", both, 2, NULL, NULL, &sum));
  netcl_tensor_release(view);
  netcl_tensor_release(kept);
  const int32_t fours[] = {4, 4, 4};
  CHECK_TENSOR(sum, fours);
  netcl_tensor_release(sum);
}

/* Options that ask for memory, or for no looking into files. */
static void asked_for_copies(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {8};
  double data[8];
  fill_random(NETCL_F64, data, 8, 10);
  const char *const path = weights_path("asked"), *const name = "w";
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F64, 1, shape, data);
  OK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, &name, 1, &tensor, 1, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  netcl_weights_options options = NETCL_WEIGHTS_OPTIONS_INIT;
  netcl_weights *weights = NULL, *copied = NULL;
  OK(netcl_weights_open(fixture->device, path, NULL, &weights));
  options.map = NETCL_OFF;
  OK(netcl_weights_open(fixture->device, path, &options, &copied));
  tensor = named_tensor(copied, name);
  map_is(fixture, tensor, 0);
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
  options.map = 7;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->map",
             netcl_weights_open(fixture->device, path, &options, &copied));
  netcl_pool *pool = NULL;
  OK(netcl_pool_create(fixture->device, NULL, &pool));
  netcl_tensor_options create = NETCL_TENSOR_OPTIONS_INIT;
  netcl_event *event = NULL;
  create.pool = pool;
  create.event = &event;
  OK(netcl_weights_get_tensor(weights, 0, &create, &tensor));
  assert_int_equal(tensor_info(tensor).mapped, 0);
  assert_int_equal(tensor_info(tensor).pooled, 1);
  OK(netcl_event_wait(event, LONG_WAIT));
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
  netcl_event_release(event);
  netcl_pool_release(pool);
  create = (netcl_tensor_options)NETCL_TENSOR_OPTIONS_INIT;
  create.borrow = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->borrow",
             netcl_weights_get_tensor(weights, 0, &create, &tensor));
  create.borrow = 0;
  create.take_ownership = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->take_ownership",
             netcl_weights_get_tensor(weights, 0, &create, &tensor));
  if (maps(fixture)) {
    create.take_ownership = 0;
    create.share = 1;
    OK(netcl_weights_get_tensor(weights, 0, &create, &tensor));
    assert_int_equal(tensor_info(tensor).mapped, 0);
    CHECK_TENSOR(tensor, data);
    netcl_tensor_release(tensor);
  }
  netcl_weights_release(copied);
  netcl_weights_release(weights);
}

static netcl_status first_key(void *weights, char *buffer, size_t capacity, size_t *length) {
  return netcl_weights_get_metadata_key(weights, 0, buffer, capacity, length);
}
static netcl_status its_value(void *weights, char *buffer, size_t capacity, size_t *length) {
  return netcl_weights_get_metadata(weights, "format", buffer, capacity, length);
}

static void metadata(void **state) {
  Fixture *fixture = *state;
  Bytes file = safetensors_file(
      "{\"__metadata__\":{\"format\":\"pt\",\"empty\":\"\",\"k\\u00e9y\":\"two\\nlines \\u20ac\"}}",
      NULL, 0);
  netcl_weights *weights = NULL;
  OK(open_bytes(fixture->device, &file, &weights));
  bytes_free(&file);
  netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
  OK(netcl_weights_get_info(weights, &info));
  assert_int_equal(info.metadata_count, 3);
  assert_int_equal(info.tensor_count, 0);
  check_metadata(weights, "format", "pt");
  check_metadata(weights, "empty", "");
  check_metadata(weights, "k\xc3\xa9y", "two\nlines \xe2\x82\xac");
  char *text = check_text_rules("netcl_weights_get_metadata_key", first_key, weights);
  assert_string_equal(text, "format");
  free(text);
  text = check_text_rules("netcl_weights_get_metadata", its_value, weights);
  assert_string_equal(text, "pt");
  free(text);
  char buffer[8];
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index is 3",
             netcl_weights_get_metadata_key(weights, 3, buffer, sizeof buffer, NULL));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "none",
             netcl_weights_get_metadata(weights, "other", buffer, sizeof buffer, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "key is NULL",
             netcl_weights_get_metadata(weights, NULL, buffer, sizeof buffer, NULL));
  netcl_weights_release(weights);
}

static netcl_status entry_info(void *weights, void *info) {
  return netcl_weights_get_entry(weights, 0, info);
}
static netcl_status file_info(void *weights, void *info) {
  return netcl_weights_get_info(weights, info);
}

/* Types that netcl lacks are described; what is asked for wrongly is refused. */
static void refusals(void **state) {
  Fixture *fixture = *state;
  Bytes file = safetensors_file(
      "{\"x\":{\"dtype\":\"F8_E4M3\",\"shape\":[4],\"data_offsets\":[0,4],\"more\":[1,{\"a\":2}]},"
      "\"y\":{\"dtype\":\"F4_NEW\",\"shape\":[8,1],\"data_offsets\":[4,8]}}",
      "12345678", 8);
  netcl_weights *weights = NULL;
  OK(open_bytes(fixture->device, &file, &weights));
  bytes_free(&file);
  const netcl_weights_entry x = named_entry(weights, "x"), y = named_entry(weights, "y");
  assert_string_equal(x.type, "F8_E4M3");
  assert_string_equal(y.type, "F4_NEW");
  assert_int_equal(x.dtype, 0);
  assert_int_equal(y.byte_count, 4);
  assert_int_equal(y.shape[0], 8);
  netcl_tensor *tensor = NULL;
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "F8_E4M3",
             netcl_weights_get_tensor(weights, 0, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "\"y\"",
             netcl_weights_get_tensor(weights, 1, NULL, &tensor));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index is 2",
             netcl_weights_get_tensor(weights, 2, NULL, &tensor));
  assert_null(tensor);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "tensor is NULL",
             netcl_weights_get_tensor(weights, 0, NULL, NULL));
  netcl_weights_entry entry = NETCL_WEIGHTS_ENTRY_INIT;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index is 9",
             netcl_weights_get_entry(weights, 9, &entry));
  check_info_rules("netcl_weights_get_entry", entry_info, weights, sizeof entry, 0, 0);
  check_info_rules("netcl_weights_get_info", file_info, weights, sizeof(netcl_weights_info), 0, 0);
  uint32_t index = 5;
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "\"xx\"", netcl_weights_find(weights, "xx", &index));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name", netcl_weights_find(weights, "a\n", &index));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "index", netcl_weights_find(weights, "x", NULL));
  assert_int_equal(index, 5);
  netcl_weights_release(weights);
  const char *const missing = weights_path("missing");
  FAILS_WITH(NETCL_ERROR_IO, "missing",
             netcl_weights_open(fixture->device, missing, NULL, &weights));
  FAILS_WITH(NETCL_ERROR_IO, "a directory",
             netcl_weights_open(fixture->device, "/tmp", NULL, &weights));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is NULL",
             netcl_weights_open(fixture->device, NULL, NULL, &weights));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "weights is NULL",
             netcl_weights_open(fixture->device, missing, NULL, NULL));
}

/* A file that gets shorter after it was opened. */
static void shorter_file(void **state) {
  Fixture *fixture = *state;
  for (int on = 0; on < 2; ++on) {
    char header[80] = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
    while (strlen(header) % 8 != 0) strcat(header, " ");
    Bytes file = safetensors_file(header, "01234567", 8);
    const char *const path = weights_path("shorter");
    const off_t size = (off_t)file.size;
    write_weights(path, &file);
    netcl_weights_options options = NETCL_WEIGHTS_OPTIONS_INIT;
    netcl_weights *weights = NULL;
    netcl_tensor *tensor = NULL;
    options.map = on ? NETCL_ON : NETCL_OFF;
    OK(netcl_weights_open(fixture->device, path, &options, &weights));
    assert_int_equal(truncate(path, size - 1), 0);
    FAILS_WITH(NETCL_ERROR_IO, "shorter", netcl_weights_get_tensor(weights, 0, NULL, &tensor));
    assert_null(tensor);
    netcl_weights_release(weights);
  }
}

static netcl_status open_with(Fixture *fixture, const void *options) {
  netcl_weights *weights = NULL;
  const netcl_status status =
      netcl_weights_open(fixture->device, weights_path("rules"), options, &weights);
  netcl_weights_release(weights);
  return status;
}
static netcl_status save_with(Fixture *fixture, const void *options) {
  (void)fixture;
  return netcl_weights_save(weights_path("saved"), NETCL_WEIGHTS_SAFETENSORS, NULL, 0, NULL, 0,
                            options, LONG_WAIT);
}

static void options_rules(void **state) {
  Fixture *fixture = *state;
  const size_t reserved[] = {offsetof(netcl_weights_options, reserved)};
  const netcl_weights_options options = NETCL_WEIGHTS_OPTIONS_INIT;
  const netcl_weights_save_options save = NETCL_WEIGHTS_SAVE_OPTIONS_INIT;
  Bytes file = safetensors_file("{}", NULL, 0);
  write_weights(weights_path("rules"), &file);
  check_options_rules(fixture, "netcl_weights_open", open_with, &options,
                      SIZES(netcl_weights_options), reserved, 1);
  check_options_rules(fixture, "netcl_weights_save", save_with, &save,
                      SIZES(netcl_weights_save_options), NULL, 0);
}

/* A process looks into files at so many places; what comes later is copied. */
static void many_mappings(void **state) {
  Fixture *fixture = *state;
  enum { MOST = 16384 };
  const float data[2] = {1, 2};
  Bytes file = safetensors_file(
      "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}  ", data, sizeof data);
  netcl_weights *weights = NULL;
  netcl_tensor **all = calloc(MOST + 1, sizeof *all);
  assert_non_null(all);
  OK(open_bytes(fixture->device, &file, &weights));
  bytes_free(&file);
  for (int i = 0; i <= MOST; ++i) OK(netcl_weights_get_tensor(weights, 0, NULL, &all[i]));
  map_is(fixture, all[MOST - 1], 1);
  map_is(fixture, all[MOST], 0);
  CHECK_TENSOR(all[MOST - 1], data);
  CHECK_TENSOR(all[MOST], data);
  for (int i = 0; i < MOST; ++i) netcl_tensor_release(all[i]);
  netcl_tensor *again = named_tensor(weights, "a");
  map_is(fixture, again, 1);
  netcl_tensor_release(again);
  netcl_tensor_release(all[MOST]);
  free(all);
  netcl_weights_release(weights);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_dtype),      DEVICE_TEST(copies),   DEVICE_TEST(own_pages),
      DEVICE_TEST(in_front),
      DEVICE_TEST(lifetimes),        DEVICE_TEST(metadata), DEVICE_TEST(refusals),
      DEVICE_TEST(asked_for_copies), DEVICE_TEST(shorter_file), DEVICE_TEST(options_rules),
      DEVICE_TEST(many_mappings),
  };
  seed_random("weights");
  return cmocka_run_group_tests_name("weights", tests, NULL, weights_remove_folder);
}
