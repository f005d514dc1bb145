/* .npy files: every dtype, both orders, both byte orders, all versions, and every corruption. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

static const char *const kDescr[] = {"<f2", "|V2", "<f4", "<f8", "|i1", "<i2", "<i4",
                                     "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"};

typedef struct File {
  unsigned char bytes[8192];
  size_t size;
} File;

/* Writes a file as numpy does, with the header given as text. */
static File make_file(int version, const char *header, const void *data, size_t data_size) {
  File file;
  const size_t prefix = version == 1 ? 10 : 12, text = strlen(header);
  const size_t padded = (prefix + text + 1 + 63) / 64 * 64 - prefix;
  memset(&file, 0, sizeof file);
  memcpy(file.bytes, "\x93NUMPY", 6);
  file.bytes[6] = (unsigned char)version;
  for (size_t i = 0; i < prefix - 8; ++i) file.bytes[8 + i] = (unsigned char)(padded >> (8 * i));
  memset(file.bytes + prefix, ' ', padded);
  memcpy(file.bytes + prefix, header, text);
  file.bytes[prefix + padded - 1] = '\n';
  if (data_size > 0) memcpy(file.bytes + prefix + padded, data, data_size);
  file.size = prefix + padded + data_size;
  return file;
}

static netcl_status load(Fixture *fixture, const File *file, netcl_tensor **tensor) {
  /* A copy of the exact size lets the address sanitizer see a read past the end. */
  unsigned char *bytes = malloc(file->size + 1);
  memcpy(bytes, file->bytes, file->size);
  const netcl_status status = netcl_tensor_create_from_npy(fixture->device, bytes, file->size, NULL,
                                                           tensor);
  free(bytes);
  return status;
}

static void swap_elements(unsigned char *data, size_t count, size_t size) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t b = 0; b < size / 2; ++b) {
      const unsigned char kept = data[i * size + b];
      data[i * size + b] = data[i * size + size - 1 - b];
      data[i * size + size - 1 - b] = kept;
    }
  }
}

static void every_dtype(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3, 4, 5};
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    const size_t size = netcl_dtype_size(dtype);
    unsigned char data[480], fortran[480];
    fill_random(dtype, data, 60, 100);
    for (int i = 0; i < 60; ++i) {
      const int at = i / 20 + i / 5 % 4 * 3 + i % 5 * 12;
      memcpy(fortran + (size_t)at * size, data + (size_t)i * size, size);
    }
    for (int version = 1; version <= 3; ++version) {
      for (int kind = 0; kind < 4; ++kind) {
        const int is_fortran = kind & 1, big = kind >> 1;
        unsigned char stored[480];
        char header[200], descr[8];
        memcpy(stored, is_fortran ? fortran : data, sizeof stored);
        snprintf(descr, sizeof descr, "%s", kDescr[t]);
        if (big && descr[0] == '<') {
          descr[0] = '>';
          swap_elements(stored, 60, size);
        }
        snprintf(header, sizeof header,
                 "{'descr': '%s', 'fortran_order': %s, 'shape': (3, 4, 5), }", descr,
                 is_fortran ? "True" : "False");
        const File file = make_file(version, header, stored, 60 * size);
        netcl_tensor *tensor = NULL;
        OK(load(fixture, &file, &tensor));
        const netcl_tensor_info info = tensor_info(tensor);
        assert_int_equal(info.dtype, dtype);
        assert_int_equal(info.rank, 3);
        for (int d = 0; d < 3; ++d) assert_int_equal(info.shape[d], shape[d]);
        CHECK_TENSOR(tensor, data);
        netcl_tensor_release(tensor);
      }
    }
  }
}

static void header_spellings(void **state) {
  Fixture *fixture = *state;
  const float data[6] = {1, 2, 3, 4, 5, 6};
  static const char *const kHeaders[] = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
      "{\"shape\": (2,3), \"fortran_order\":False,\"descr\":\"<f4\"}",
      "  { 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , 'descr' : '=f4' , } ",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }",
  };
  for (size_t i = 0; i < COUNT_OF(kHeaders); ++i) {
    netcl_tensor *tensor = NULL;
    const File file = make_file(1, kHeaders[i], data, sizeof data);
    OK(load(fixture, &file, &tensor));
    CHECK_TENSOR(tensor, data);
    netcl_tensor_release(tensor);
  }
  netcl_tensor *tensor = NULL;
  File file = make_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", data, 4);
  OK(load(fixture, &file, &tensor));
  assert_int_equal(tensor_info(tensor).rank, 0);
  CHECK_TENSOR(tensor, data);
  netcl_tensor_release(tensor);
  file = make_file(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (0, 7), }", data, 0);
  OK(load(fixture, &file, &tensor));
  assert_int_equal(tensor_info(tensor).element_count, 0);
  assert_int_equal(tensor_info(tensor).shape[1], 7);
  netcl_tensor_release(tensor);
}

static void refuse(Fixture *fixture, const File *file, netcl_status wanted, const char *what) {
  netcl_tensor *tensor = NULL;
  const netcl_status status = load(fixture, file, &tensor);
  CHECK(status == wanted, "%s: %s, not %s: %s", what, netcl_status_name(status),
        netcl_status_name(wanted), netcl_last_error_message());
  CHECK(tensor == NULL && netcl_last_error_message()[0] != '\0', "%s: output or message", what);
}

static void corruptions(void **state) {
  Fixture *fixture = *state;
  const float data[6] = {1, 2, 3, 4, 5, 6};
  static const char *const kCorrupt[] = {
      "", "{", "}", "{}", "[]", "nonsense", "{'descr': '<f4', 'fortran_order': False}",
      "{'descr': '<f4', 'shape': (2, 3)}", "{'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
      "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3.0)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551618, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} trailing",
      "{'descr': '', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': 4, 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f4, 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4)}",  /* wants more data */
  };
  for (size_t i = 0; i < COUNT_OF(kCorrupt); ++i) {
    const File file = make_file(1, kCorrupt[i], data, sizeof data);
    refuse(fixture, &file, NETCL_ERROR_CORRUPT_DATA, kCorrupt[i]);
  }
  static const char *const kUnsupported[] = {
      "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<U4', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '|S3', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': '<f16', 'fortran_order': False, 'shape': (2, 3)}",
      "{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (3,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 2, 3)}",
  };
  for (size_t i = 0; i < COUNT_OF(kUnsupported); ++i) {
    const File file = make_file(1, kUnsupported[i], data, sizeof data);
    refuse(fixture, &file, NETCL_ERROR_UNSUPPORTED, kUnsupported[i]);
  }
  const File good = make_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                              data, sizeof data);
  for (size_t size = 0; size < good.size; ++size) {
    File cut = good;
    cut.size = size;
    refuse(fixture, &cut, NETCL_ERROR_CORRUPT_DATA, "a truncated file");
  }
  File bad = good;
  for (int i = 0; i < 6; ++i) {
    bad = good;
    bad.bytes[i] ^= 0x20;
    refuse(fixture, &bad, NETCL_ERROR_CORRUPT_DATA, "a damaged magic");
  }
  bad = good;
  bad.bytes[6] = 9;
  refuse(fixture, &bad, NETCL_ERROR_CORRUPT_DATA, "version 9");
  bad = good;
  bad.bytes[8] = bad.bytes[9] = 0xFF;
  refuse(fixture, &bad, NETCL_ERROR_CORRUPT_DATA, "a header longer than the file");
  netcl_tensor *tensor = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "data",
             netcl_tensor_create_from_npy(fixture->device, NULL, 100, NULL, &tensor));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tensor_create_from_npy(fixture->device, good.bytes, good.size, NULL, NULL));
}

static void random_damage(void **state) {
  Fixture *fixture = *state;
  const float data[6] = {1, 2, 3, 4, 5, 6};
  const File good = make_file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                              data, sizeof data);
  int loaded = 0;
  for (int round = 0; round < 3000; ++round) {
    File file = good;
    netcl_tensor *tensor = NULL;
    for (int64_t n = random_in(1, 3); n > 0; --n) {
      file.bytes[random_in(0, (int64_t)good.size - 1)] = (unsigned char)random_bits();
    }
    const netcl_status status = load(fixture, &file, &tensor);
    CHECK(status == NETCL_OK || status == NETCL_ERROR_CORRUPT_DATA ||
              status == NETCL_ERROR_UNSUPPORTED,
          "%s: %s", netcl_status_name(status), netcl_last_error_message());
    CHECK((status == NETCL_OK) == (tensor != NULL), "output with %s", netcl_status_name(status));
    loaded += status == NETCL_OK;
    netcl_tensor_release(tensor);
  }
  CHECK(loaded > 0, "damage to the data alone is no damage to the file");
}

/* ---- Files --------------------------------------------------------------------------------- */

static char folder[64];

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/netcl-npy-XXXXXX");
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
  (void)state;
  return rmdir(folder);
}

static const char *path_of(const char *name) {
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static size_t slurp(const char *path, unsigned char *bytes, size_t capacity) {
  FILE *stream = fopen(path, "rb");
  if (stream == NULL) return 0;
  const size_t size = fread(bytes, 1, capacity, stream);
  fclose(stream);
  return size;
}

static void save_and_load(void **state) {
  Fixture *fixture = *state;
  const int64_t shapes[][3] = {{0, 0, 0}, {7, 0, 0}, {3, 5, 0}, {2, 3, 4}};
  for (int t = 0; t < DTYPES; ++t) {
    for (uint32_t rank = 0; rank <= 3; ++rank) {
      const netcl_dtype dtype = kDtypes[t];
      const int64_t count = product(rank, shapes[rank]);
      const size_t bytes = (size_t)count * netcl_dtype_size(dtype);
      unsigned char data[24 * 8], file[1024];
      char header[128];
      static const char *const kShapes[] = {"()", "(7,)", "(3, 5)", "(2, 3, 4)"};
      fill_random(dtype, data, count, 100);
      netcl_tensor *tensor = make_tensor(fixture->device, dtype, rank, shapes[rank], data);
      netcl_tensor *again = NULL;
      const char *path = path_of("a.npy");
      OK(netcl_tensor_save_npy(tensor, path, LONG_WAIT));
      netcl_tensor_release(tensor);
      /* The file is, byte for byte, what numpy writes. */
      snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
               dtype == NETCL_BF16 ? "<V2" : kDescr[t], kShapes[rank]);
      const File wanted = make_file(1, header, data, bytes);
      assert_int_equal(slurp(path, file, sizeof file), wanted.size);
      assert_memory_equal(file, wanted.bytes, wanted.size);
      OK(netcl_tensor_load_npy(fixture->device, path, NULL, &again));
      assert_int_equal(tensor_info(again).dtype, dtype);
      CHECK_TENSOR(again, data);
      netcl_tensor_release(again);
    }
  }
  assert_int_equal(unlink(path_of("a.npy")), 0);
}

static void save_view(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {6, 8}, none[] = {0, 2};
  int32_t data[48];
  for (int i = 0; i < 48; ++i) data[i] = i;
  Model model = model_packed(NETCL_I32, 2, shape, data);
  const netcl_range ranges[] = {{5, 3, -2}, {0, 4, 2}};
  netcl_tensor *base = make_tensor(fixture->device, NETCL_I32, 2, shape, data), *view = NULL,
               *again = NULL;
  model = model_slice(&model, ranges);
  void *wanted = model_gather(&model);
  OK(netcl_tensor_slice(base, ranges, 2, &view));
  OK(netcl_tensor_save_npy(view, path_of("v.npy"), LONG_WAIT));
  OK(netcl_tensor_load_npy(fixture->device, path_of("v.npy"), NULL, &again));
  CHECK_TENSOR(again, wanted);
  netcl_tensor_release(again);
  netcl_tensor_release(view);
  netcl_tensor_release(base);
  free(wanted);
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F64, 2, none, NULL, NULL, &base));
  OK(netcl_tensor_save_npy(base, path_of("v.npy"), LONG_WAIT));
  OK(netcl_tensor_load_npy(fixture->device, path_of("v.npy"), NULL, &again));
  assert_int_equal(tensor_info(again).shape[1], 2);
  netcl_tensor_release(again);
  netcl_tensor_release(base);
  assert_int_equal(unlink(path_of("v.npy")), 0);
}

static void file_errors(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {4};
  const float data[] = {1, 2, 3, 4};
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 1, shape, data), *again = NULL;
  FAILS_WITH(NETCL_ERROR_IO, "missing.npy",
             netcl_tensor_load_npy(fixture->device, path_of("missing.npy"), NULL, &again));
  FAILS(NETCL_ERROR_IO, netcl_tensor_load_npy(fixture->device, folder, NULL, &again));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path",
             netcl_tensor_load_npy(fixture->device, NULL, NULL, &again));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path",
             netcl_tensor_save_npy(tensor, NULL, LONG_WAIT));
  FAILS(NETCL_ERROR_IO, netcl_tensor_save_npy(tensor, path_of("no/such/folder.npy"), LONG_WAIT));
  FAILS(NETCL_ERROR_IO, netcl_tensor_save_npy(tensor, folder, LONG_WAIT));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "path", netcl_tensor_save_npy(tensor, "", LONG_WAIT));
  /* On failure the old file stays and no other is left in the folder (rmdir at the end checks). */
  netcl_tensor *slow = NULL;
  OK(netcl_tensor_save_npy(tensor, path_of("keep.npy"), LONG_WAIT));
  if (fixture->opencl) {
    start_slow_work(fixture, NULL, &slow, NULL);
    FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_save_npy(slow, path_of("keep.npy"), 0));
  }
  OK(netcl_tensor_load_npy(fixture->device, path_of("keep.npy"), NULL, &again));
  CHECK_TENSOR(again, data);
  netcl_tensor_release(again);
  netcl_tensor_release(slow);
  /* A second save replaces the file. */
  const int32_t five = 5;
  netcl_tensor *other = make_tensor(fixture->device, NETCL_I32, 0, NULL, &five);
  OK(netcl_tensor_save_npy(other, path_of("keep.npy"), LONG_WAIT));
  OK(netcl_tensor_load_npy(fixture->device, path_of("keep.npy"), NULL, &again));
  CHECK_TENSOR(again, &five);
  netcl_tensor_release(again);
  netcl_tensor_release(other);
  netcl_tensor_release(tensor);
  assert_int_equal(unlink(path_of("keep.npy")), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(every_dtype),   DEVICE_TEST(header_spellings), DEVICE_TEST(corruptions),
      DEVICE_TEST(random_damage), DEVICE_TEST(save_and_load),    DEVICE_TEST(save_view),
      DEVICE_TEST(file_errors),
  };
  seed_random("npy");
  return cmocka_run_group_tests_name("npy", tests, make_folder, remove_folder);
}
