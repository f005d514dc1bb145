/* Archives of NumPy: members stored and deflated, in 32 and 64 bits, in both orders of dimensions
 * and of bytes; members that netcl has no tensor for; damage that shows when one is asked for. */
#include <stdio.h>

#include "support_weights.h"

static int is_cpu(const Fixture *fixture) {
  return fixture->info.type == NETCL_DEVICE_CPU && fixture->capabilities.integrated != 0;
}

static netcl_weights *open_sound(Fixture *fixture, Bytes *file) {
  netcl_weights *weights = NULL;
  OK(open_bytes(fixture->device, file, &weights));
  bytes_free(file);
  return weights;
}

static Bytes matrix_file(const char *descr, const char *order, const void *data, size_t size) {
  char header[200];
  snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3), }", descr,
           order);
  return npy_file(header, data, size);
}

/* Members are looked into where their elements lie at a multiple of their size by chance; the name
 * in front moves them. */
static void members(void **state) {
  Fixture *fixture = *state;
  const float data[] = {1, 2, 3, 4, 5, 6}, turned[] = {1, 4, 2, 5, 3, 6};
  unsigned char swapped[24];
  for (int i = 0; i < 24; ++i) swapped[i] = ((const unsigned char *)data)[i / 4 * 4 + 3 - i % 4];
  int mapped = 0;
  for (int bit64 = 0; bit64 < 2; ++bit64) {
    for (int pad = 0; pad < 4; ++pad) {
      Zip zip = {.bit64 = bit64};
      Bytes plain = matrix_file("<f4", "False", data, 24),
            fortran = matrix_file("<f4", "True", turned, 24),
            big = matrix_file(">f4", "False", swapped, 24);
      char first[8] = "aaa";
      strcpy(first + pad, ".npy");
      zip_stored(&zip, first, &plain);
      zip_deflated(&zip, "deflated.npy", &plain);
      zip_stored(&zip, "fortran.npy", &fortran);
      zip_deflated(&zip, "big.npy", &big);
      zip_stored(&zip, "notes.txt", &plain);
      Bytes file = zip_end(&zip);
      bytes_free(&plain);
      bytes_free(&fortran);
      bytes_free(&big);
      netcl_weights *weights = open_sound(fixture, &file);
      netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
      OK(netcl_weights_get_info(weights, &info));
      assert_int_equal(info.format, NETCL_WEIGHTS_NPZ);
      assert_int_equal(info.tensor_count, 4); /* without the text */
      assert_int_equal(info.metadata_count, 0);
      first[pad] = '\0';
      const char *const names[] = {first, "deflated", "fortran", "big"};
      for (int i = 0; i < 4; ++i) {
        const netcl_weights_entry entry = named_entry(weights, names[i]);
        assert_int_equal(entry.dtype, NETCL_F32);
        assert_string_equal(entry.type, i == 3 ? ">f4" : "<f4");
        assert_int_equal(entry.rank, 2);
        assert_int_equal(entry.shape[0], 2);
        assert_int_equal(entry.shape[1], 3);
        assert_int_equal(entry.byte_count, 24);
        netcl_tensor *tensor = named_tensor(weights, names[i]);
        const netcl_tensor_info facts = tensor_info(tensor);
        if (i == 2) assert_int_equal(facts.strides[1], 2);
        if (i == 1 || i == 3) assert_int_equal(facts.mapped, 0);
        mapped += facts.mapped != 0;
        CHECK_TENSOR(tensor, data);
        netcl_tensor_release(tensor);
      }
      netcl_weights_release(weights);
    }
  }
  CHECK((mapped > 0) == is_cpu(fixture), "%d members were looked into", mapped);
}

/* Compressed by zlib with codes of its own: 20 x 30 floats, element i is i % 17. */
static const char kPacked[] =
    "9bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc29"
    "4e058a17672416a402f91a46063a0ac6069a3a0ab50a64022e063068b007120e4004c40d40bc00880f00f1032066"
    "706460100062052036006207200e00e204202e00e206c7513346cd183563d48c513346cd183563d48c5133106600"
    "00";

static size_t unhex(const char *text, unsigned char *bytes) {
  size_t size = 0;
  for (; text[2 * size] != '\0'; ++size) {
    unsigned value = 0;
    assert_int_equal(sscanf(text + 2 * size, "%2x", &value), 1);
    bytes[size] = (unsigned char)value;
  }
  return size;
}

static Bytes packed_file(const char *name, size_t cut, size_t whole, uint32_t crc, int flip) {
  unsigned char bytes[200];
  const size_t size = unhex(kPacked, bytes);
  if (flip >= 0) bytes[flip] ^= 0x10;
  Zip zip = {0};
  zip_member(&zip, name, 8, bytes, size - cut, whole, crc);
  return zip_end(&zip);
}

static void compressed(void **state) {
  Fixture *fixture = *state;
  Bytes file = packed_file("w.npy", 0, 2528, 0x733a8460, -1);
  netcl_weights *weights = open_sound(fixture, &file);
  netcl_tensor *tensor = named_tensor(weights, "w");
  assert_int_equal(tensor_info(tensor).shape[1], 30);
  float wanted[600];
  for (int i = 0; i < 600; ++i) wanted[i] = (float)(i % 17);
  CHECK_TENSOR(tensor, wanted);
  netcl_tensor_release(tensor);
  netcl_weights_release(weights);
}

/* Fails when the tensor is asked for, with nothing given. */
static void damaged_tensor(Fixture *fixture, Bytes file, const char *text) {
  netcl_weights *weights = open_sound(fixture, &file);
  netcl_tensor *tensor = NULL;
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, text, netcl_weights_get_tensor(weights, 0, NULL, &tensor));
  assert_null(tensor);
  netcl_weights_release(weights);
}

static void damage(void **state) {
  Fixture *fixture = *state;
  damaged_tensor(fixture, packed_file("w.npy", 0, 2528, 0x733a8461, -1), "checksum is 733a8461");
  damaged_tensor(fixture, packed_file("w.npy", 8, 2528, 0x733a8460, -1), "cut short");
  refuse_bytes(fixture, packed_file("w.npy", 0, 2524, 0x733a8460, -1), NETCL_ERROR_CORRUPT_DATA,
               "2396 bytes of elements");
  refuse_bytes(fixture, packed_file("w.npy", 0, 200000, 0x733a8460, -1), NETCL_ERROR_CORRUPT_DATA,
               "200000 bytes, packed to 139");
  /* A stored member that is copied has its checksum looked at too. */
  const int16_t data[] = {1, 2, 3, 4, 5, 6};
  Bytes plain = matrix_file("<i2", "False", data, 12);
  Zip zip = {0};
  zip_member(&zip, "ab.npy", 0, plain.data, plain.size, plain.size, 1);
  Bytes file = zip_end(&zip);
  netcl_weights_options options = NETCL_WEIGHTS_OPTIONS_INIT;
  netcl_weights *weights = NULL;
  netcl_tensor *tensor = NULL;
  options.map = NETCL_OFF;
  const char *const path = weights_path("sum");
  write_weights(path, &file);
  OK(netcl_weights_open(fixture->device, path, &options, &weights));
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "checksum is 00000001",
             netcl_weights_get_tensor(weights, 0, NULL, &tensor));
  netcl_weights_release(weights);
  bytes_free(&plain);
  /* Any bit of what is deflated that is another one shows at once, or when it is read. */
  for (int at = 0; at < 138; ++at) { /* the last byte only fills up */
    file = packed_file("w.npy", 0, 2528, 0x733a8460, at);
    const netcl_status status = open_bytes(fixture->device, &file, &weights);
    bytes_free(&file);
    if (status == NETCL_OK) {
      CHECK(netcl_weights_get_tensor(weights, 0, NULL, &tensor) == NETCL_ERROR_CORRUPT_DATA,
            "byte %d may be another one", at);
      netcl_weights_release(weights);
    } else {
      assert_true(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_UNSUPPORTED);
    }
  }
  assert_null(tensor);
}

/* A member that claims to be large is inflated before memory is taken for it. */
static void claims(void **state) {
  Fixture *fixture = *state;
  unsigned char *const zeros = calloc(1, 1 << 20);
  Bytes member = npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (80000000,), }",
                          zeros, 200000);
  Zip zip = {0};
  Bytes packed = {0};
  put_bytes(&packed, member.data, member.size);
  bytes_free(&member);
  Bytes blocks = {0};
  for (size_t at = 0; at < packed.size; at += 50000) {
    const size_t left = packed.size - at, size = left < 50000 ? left : 50000;
    put_number(&blocks, 1, size == left);
    put_number(&blocks, 2, size);
    put_number(&blocks, 2, ~size & 0xffff);
    put_bytes(&blocks, packed.data + at, size);
  }
  zip_member(&zip, "big.npy", 8, blocks.data, blocks.size, 80000128, 0);
  Bytes file = zip_end(&zip);
  damaged_tensor(fixture, file, "end too early");
  netcl_pool *pool = NULL;
  OK(netcl_device_get_pool(fixture->device, NETCL_POOL_PERSISTENT, &pool));
  netcl_pool_info stats = NETCL_POOL_INFO_INIT;
  OK(netcl_pool_get_info(pool, &stats));
  CHECK(stats.high_water_bytes < 80000000, "%llu bytes were allocated",
        (unsigned long long)stats.high_water_bytes);
  netcl_pool_release(pool);
  bytes_free(&blocks);
  bytes_free(&packed);
  free(zeros);
}

/* Members without a tensor are told of. */
static void other_members(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *header, *type;
    size_t size;
  } kMembers[] = {
      {"{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", "<c8", 16},
      {"{'descr': '<U3', 'fortran_order': False, 'shape': (), }", "<U3", 12},
      {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "|O", 5},
      {"{'descr': [('a', '<f4'), ('b', '<i4', (2,))], 'fortran_order': False, 'shape': (1,), }",
       "[('a', '<f4'), ('b', '<i4', (2", 12},
  };
  Zip zip = {0};
  for (size_t i = 0; i < COUNT_OF(kMembers); ++i) {
    char name[16];
    Bytes member = npy_file(kMembers[i].header, "0123456789abcdef", kMembers[i].size);
    snprintf(name, sizeof name, "%zu.npy", i);
    zip_stored(&zip, name, &member);
    bytes_free(&member);
  }
  zip_member(&zip, "lzma.npy", 14, "1234", 4, 100, 0);
  Bytes file = zip_end(&zip);
  netcl_weights *weights = open_sound(fixture, &file);
  netcl_tensor *tensor = NULL;
  for (uint32_t i = 0; i < COUNT_OF(kMembers); ++i) {
    netcl_weights_entry entry = NETCL_WEIGHTS_ENTRY_INIT;
    OK(netcl_weights_get_entry(weights, i, &entry));
    assert_int_equal(entry.dtype, 0);
    assert_int_equal(entry.byte_count, kMembers[i].size);
    CHECK(strncmp(entry.type, kMembers[i].type, 30) == 0, "type is %s", entry.type);
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "no dtype",
               netcl_weights_get_tensor(weights, i, NULL, &tensor));
  }
  const netcl_weights_entry lzma = named_entry(weights, "lzma");
  assert_int_equal(lzma.dtype, 0);
  assert_string_equal(lzma.type, "method 14");
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "method 14",
             netcl_weights_get_tensor(weights, COUNT_OF(kMembers), NULL, &tensor));
  netcl_weights_release(weights);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(members), DEVICE_TEST(compressed),    DEVICE_TEST(damage),
      DEVICE_TEST(claims),  DEVICE_TEST(other_members),
  };
  seed_random("weights_npz");
  return cmocka_run_group_tests_name("weights_npz", tests, NULL, weights_remove_folder);
}
