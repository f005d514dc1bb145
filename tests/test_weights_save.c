/* Writing files of named tensors: what was written is read again, byte for byte where it matters,
 * and a file is replaced as a whole or not at all. */
#include <stdio.h>
#include <unistd.h>

#include "support_weights.h"

static const netcl_weights_format kFormats[] = {NETCL_WEIGHTS_SAFETENSORS, NETCL_WEIGHTS_NPZ};

static int is_cpu(const Fixture *fixture) {
  return fixture->info.type == NETCL_DEVICE_CPU && fixture->capabilities.integrated != 0;
}

/* Tensors of all dtypes and several shapes come back, and can be looked into. */
static void every_dtype(void **state) {
  Fixture *fixture = *state;
  static const int64_t kShapes[][3] = {{0, 0, 0}, {7, 0, 0}, {3, 5, 0}, {2, 0, 3}};
  char names[4 * DTYPES][16];
  const char *list[4 * DTYPES];
  netcl_tensor *tensors[4 * DTYPES];
  unsigned char data[4 * DTYPES][15 * 8];
  uint32_t count = 0;
  for (int t = 0; t < DTYPES; ++t) {
    for (uint32_t rank = 0; rank < 4; ++rank, ++count) {
      snprintf(names[count], sizeof names[0], "t%u \xc3\xa9.%u", count * 7 % 52, rank);
      list[count] = names[count];
      fill_random(kDtypes[t], data[count], product(rank, kShapes[rank]), 100);
      tensors[count] = make_tensor(fixture->device, kDtypes[t], rank, kShapes[rank], data[count]);
    }
  }
  for (int f = 0; f < 2; ++f) {
    const char *const path = weights_path("all");
    netcl_weights *weights = NULL;
    OK(netcl_weights_save(path, kFormats[f], list, count, tensors, count, NULL, LONG_WAIT));
    OK(netcl_weights_open(fixture->device, path, NULL, &weights));
    netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
    OK(netcl_weights_get_info(weights, &info));
    assert_int_equal(info.format, kFormats[f]);
    assert_int_equal(info.tensor_count, count);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t rank = i % 4;
      const netcl_dtype dtype = kDtypes[i / 4];
      const netcl_weights_entry entry = named_entry(weights, list[i]);
      assert_int_equal(entry.dtype, dtype);
      assert_int_equal(entry.rank, rank);
      netcl_tensor *tensor = named_tensor(weights, list[i]);
      const netcl_tensor_info facts = tensor_info(tensor);
      for (uint32_t d = 0; d < rank; ++d) assert_int_equal(facts.shape[d], kShapes[rank][d]);
      const int has_pages = rank != 3 && dtype != NETCL_BOOL;
      assert_int_equal(facts.mapped, has_pages && is_cpu(fixture));
      CHECK_TENSOR(tensor, data[i]);
      netcl_tensor_release(tensor);
    }
    netcl_weights_release(weights);
  }
  for (uint32_t i = 0; i < count; ++i) netcl_tensor_release(tensors[i]);
}

/* Views in any strides are written in C order. */
static void views(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {6, 8}, wide[] = {4, 8};
  int32_t data[48];
  for (int i = 0; i < 48; ++i) data[i] = i;
  Model model = model_packed(NETCL_I32, 2, shape, data);
  const netcl_range ranges[] = {{5, 3, -2}, {1, 4, 2}}, row[] = {{2, 1, 1}, {0, 8, 1}};
  const uint32_t axes[] = {1, 0};
  netcl_tensor *base = make_tensor(fixture->device, NETCL_I32, 2, shape, data), *made[3];
  OK(netcl_tensor_slice(base, ranges, 2, &made[0]));
  OK(netcl_tensor_permute(base, axes, 2, &made[1]));
  netcl_tensor *line = NULL;
  OK(netcl_tensor_slice(base, row, 2, &line));
  OK(netcl_tensor_broadcast(line, 2, wide, &made[2]));
  netcl_tensor_release(line);
  const Model sliced = model_slice(&model, ranges), turned = model_permute(&model, axes),
              one = model_slice(&model, row), repeated = model_broadcast(&one, 2, wide);
  void *wanted[] = {model_gather(&sliced), model_gather(&turned), model_gather(&repeated)};
  const char *const names[] = {"slice", "turn", "repeat"};
  for (int f = 0; f < 2; ++f) {
    const char *const path = weights_path("views");
    netcl_weights *weights = NULL;
    OK(netcl_weights_save(path, kFormats[f], names, 3, made, 3, NULL, LONG_WAIT));
    OK(netcl_weights_open(fixture->device, path, NULL, &weights));
    for (int i = 0; i < 3; ++i) {
      netcl_tensor *tensor = named_tensor(weights, names[i]);
      CHECK_TENSOR(tensor, wanted[i]);
      netcl_tensor_release(tensor);
    }
    netcl_weights_release(weights);
  }
  for (int i = 0; i < 3; ++i) {
    netcl_tensor_release(made[i]);
    free(wanted[i]);
  }
  netcl_tensor_release(base);
}

static Bytes slurp(const char *path) {
  Bytes bytes = {0};
  unsigned char piece[4096];
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  for (size_t got; (got = fread(piece, 1, sizeof piece, stream)) > 0;) {
    put_bytes(&bytes, piece, got);
  }
  fclose(stream);
  return bytes;
}

/* The header of safetensors as the format says: metadata, offsets without gaps, wide types first,
 * blanks up to where the data begins. */
static void safetensors_bytes(void **state) {
  Fixture *fixture = *state;
  const int64_t three[] = {3}, two[] = {1, 2};
  const uint8_t bytes[] = {1, 2, 3};
  const double reals[] = {0.5, -2};
  netcl_tensor *tensors[] = {make_tensor(fixture->device, NETCL_U8, 1, three, bytes),
                             make_tensor(fixture->device, NETCL_F64, 2, two, reals)};
  const char *const names[] = {"a\"b", "w"}, *const keys[] = {"format", "note"},
             *const values[] = {"pt", "\xe2\x82\xac\n\\"};
  netcl_weights_save_options options = NETCL_WEIGHTS_SAVE_OPTIONS_INIT;
  options.keys = keys;
  options.values = values;
  options.keys_count = options.values_count = 2;
  const char *const path = weights_path("exact");
  OK(netcl_weights_save(path, NETCL_WEIGHTS_SAFETENSORS, names, 2, tensors, 2, &options,
                        LONG_WAIT));
  static const char kHeader[] =
      "{\"__metadata__\":{\"format\":\"pt\",\"note\":\"\xe2\x82\xac\\n\\\\\"},"
      "\"a\\\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[16,19]},"
      "\"w\":{\"dtype\":\"F64\",\"shape\":[1,2],\"data_offsets\":[0,16]}}";
  Bytes file = slurp(path);
  size_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | file.data[i];
  assert_int_equal((8 + length) % 64, 0);
  assert_int_equal(file.size, 8 + length + 19);
  assert_memory_equal(file.data + 8, kHeader, sizeof kHeader - 1);
  for (size_t i = sizeof kHeader - 1; i < length; ++i) assert_int_equal(file.data[8 + i], ' ');
  assert_memory_equal(file.data + 8 + length, reals, 16);
  assert_memory_equal(file.data + 8 + length + 16, bytes, 3);
  bytes_free(&file);
  netcl_weights *weights = NULL;
  OK(netcl_weights_open(fixture->device, path, NULL, &weights));
  check_metadata(weights, "format", "pt");
  check_metadata(weights, "note", "\xe2\x82\xac\n\\");
  netcl_weights_release(weights);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no metadata",
             netcl_weights_save(path, NETCL_WEIGHTS_NPZ, names, 2, tensors, 2, &options,
                                LONG_WAIT));
  for (int i = 0; i < 2; ++i) netcl_tensor_release(tensors[i]);
}

/* The records of an archive, each with the checksum, the sizes and the place that is right. */
static void npz_bytes(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3};
  const float data[] = {1, 2, 3};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
  const char *const path = weights_path("exact.npz"), *const name = "w";
  OK(netcl_weights_save(path, NETCL_WEIGHTS_NPZ, &name, 1, &tensor, 1, NULL, LONG_WAIT));
  netcl_tensor_release(tensor);
  Bytes file = slurp(path);
  Bytes member = npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", data, 12);
  assert_memory_equal(file.data, "PK\3\4", 4);
  const size_t extra = file.data[28] | (size_t)file.data[29] << 8, at = 30 + 5 + extra;
  assert_int_equal(at % 64, 0);
  assert_memory_equal(file.data + 30, "w.npy", 5);
  assert_memory_equal(file.data + at, member.data, member.size);
  Bytes crc = {0};
  put_number(&crc, 4, crc_of(member.data, member.size));
  put_number(&crc, 4, member.size);
  put_number(&crc, 4, member.size);
  assert_memory_equal(file.data + 14, crc.data, 12);
  const size_t list = at + member.size;
  assert_memory_equal(file.data + list, "PK\1\2", 4);
  assert_memory_equal(file.data + list + 16, crc.data, 12);
  assert_int_equal(file.size, list + 46 + 5 + 22);
  assert_memory_equal(file.data + list + 51, "PK\5\6", 4);
  bytes_free(&crc);
  bytes_free(&member);
  bytes_free(&file);
}

static void refusals(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {2};
  const float data[] = {1, 2};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
  netcl_tensor *tensors[] = {tensor, tensor};
  const char *const path = weights_path("none");
  char longest[300];
  memset(longest, 'n', sizeof longest);
  longest[256] = '\0';
  const char *const twice[] = {"a", "a"}, *const control[] = {"a", "b\n"},
             *const missing[] = {"a", NULL}, *const lengthy[] = {"a", longest},
             *const reserved[] = {"a", "__metadata__"}, *const sound[] = {"a", ""};
#define SAVE(format, names, count, options) \
  netcl_weights_save(path, format, names, count, tensors, 2, options, LONG_WAIT)
  const netcl_weights_format st = NETCL_WEIGHTS_SAFETENSORS;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "\"a\" twice", SAVE(st, twice, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "names[1]", SAVE(st, control, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "names[1] is NULL", SAVE(st, missing, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "names[1] has 256 bytes", SAVE(st, lengthy, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "__metadata__", SAVE(st, reserved, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "names_count is 1", SAVE(st, sound, 1, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "names is NULL", SAVE(st, NULL, 2, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "format is 9", SAVE(9, sound, 2, NULL));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "GGUF", SAVE(NETCL_WEIGHTS_GGUF, sound, 2, NULL));
  netcl_weights_save_options options = NETCL_WEIGHTS_SAVE_OPTIONS_INIT;
  options.keys = twice;
  options.values = sound;
  options.keys_count = options.values_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->keys has \"a\" twice",
             SAVE(st, sound, 2, &options));
  const char *const wrong[] = {"a", "\xff"};
  options.keys = sound;
  options.values = wrong;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->values[1]", SAVE(st, sound, 2, &options));
  options.values = missing;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->values[1] is NULL",
             SAVE(st, sound, 2, &options));
  options.values_count = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->values_count 1",
             SAVE(st, sound, 2, &options));
  assert_int_not_equal(access(path, F_OK), 0);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path is NULL",
             netcl_weights_save(NULL, st, sound, 2, tensors, 2, NULL, LONG_WAIT));
  FAILS(NETCL_ERROR_IO, netcl_weights_save("/nowhere/a", st, sound, 2, tensors, 2, NULL,
                                           LONG_WAIT));
  OK(SAVE(st, sound, 2, NULL)); /* one tensor under two names, one of them empty */
  netcl_tensor_release(tensor);
}

/* A call that fails leaves the file that was there, and no other in its folder. */
static void whole_or_not(void **state) {
  Fixture *fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  const int32_t five = 5;
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_I32, 0, NULL, &five), *slow = NULL;
  const char *const path = weights_path("keep"), *const name = "w";
  for (int f = 0; f < 2; ++f) {
    OK(netcl_weights_save(path, kFormats[f], &name, 1, &tensor, 1, NULL, LONG_WAIT));
    start_slow_work(fixture, NULL, &slow, NULL);
    FAILS_WITH(NETCL_ERROR_TIMEOUT, "timeout_ns is 0",
               netcl_weights_save(path, kFormats[f], &name, 1, &slow, 1, NULL, 0));
    netcl_tensor_release(slow);
    netcl_weights *weights = NULL;
    OK(netcl_weights_open(fixture->device, path, NULL, &weights));
    netcl_tensor *again = named_tensor(weights, name);
    CHECK_TENSOR(again, &five);
    netcl_tensor_release(again);
    netcl_weights_release(weights);
  }
  netcl_tensor_release(tensor);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_dtype), DEVICE_TEST(views),    DEVICE_TEST(safetensors_bytes),
      DEVICE_TEST(npz_bytes),   DEVICE_TEST(refusals), DEVICE_TEST(whole_or_not),
  };
  seed_random("weights_save");
  return cmocka_run_group_tests_name("weights_save", tests, NULL, weights_remove_folder);
}
