/* Files that are not what they should be: each gets a status and a message that names the place,
 * and nothing is given. */
#include <stdio.h>

#include "support_weights.h"

#define CORRUPT NETCL_ERROR_CORRUPT_DATA

/* More pairs of metadata than are read. */
static void many_pairs(void **state) {
  Fixture *fixture = *state;
  enum { PAIRS = (1 << 20) + 1 };
  char *const pairs = malloc(sizeof "{\"__metadata__\":{}}" + (size_t)PAIRS * 6);
  assert_non_null(pairs);
  char *at = pairs + sprintf(pairs, "{\"__metadata__\":{");
  for (int i = 0; i < PAIRS; ++i, at += 6) memcpy(at, i == 0 ? "\"\" :\"\"" : ",\"\":\"\"", 6);
  strcpy(at, "}}");
  refuse_bytes(fixture, safetensors_file(pairs, NULL, 0), NETCL_ERROR_UNSUPPORTED,
               "1048577 values of metadata; at most 1048576");
  free(pairs);
}

static void hostile_safetensors(void **state) {
  Fixture *fixture = *state;
#define T(dtype, shape, offsets) \
  "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
  static const struct {
    const char *header, *message;
    netcl_status status;
  } kFiles[] = {
      {"{\"a\":" T("F32", "[2]", "[0,4]") "}", "\"a\" has 4 bytes; its shape and dtype F32 need 8",
       CORRUPT},
      {"{\"a\":" T("F32", "[1]", "[4,8]") "}", "bytes 0 to 4", CORRUPT},
      {"{\"a\":" T("U8", "[4]", "[0,4]") ",\"b\":" T("U8", "[4]", "[3,7]") "}", "overlap", CORRUPT},
      {"{\"a\":" T("U8", "[3]", "[0,3]") ",\"b\":" T("U8", "[4]", "[4,8]") "}",
       "bytes 3 to 4 of the data are of no tensor: \"b\"", CORRUPT},
      {"{\"a\":" T("U8", "[7]", "[0,7]") "}", "8 bytes of data, its tensors 7", CORRUPT},
      {"{\"a\":" T("U8", "[9]", "[0,9]") "}", "\"a\" ends at byte 9", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "[8,0]") "}", "no beginning and end", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "[0,8,8]") "}", "more than two", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "[8]") "}", "no beginning and end", CORRUPT},
      {"{\"a\":" T("U8", "[-8]", "[0,8]") "}", "list of natural numbers", CORRUPT},
      {"{\"a\":" T("U8", "[8.0]", "[0,8]") "}", "list of natural numbers", CORRUPT},
      {"{\"a\":" T("U8", "[[8]]", "[0,8]") "}", "list of natural numbers", CORRUPT},
      {"{\"a\":" T("U8", "8", "[0,8]") "}", "its shape is no list", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "\"0,8\"") "}", "its data_offsets is no list", CORRUPT},
      {"{\"a\":" T("F64", "[9223372036854775807,9223372036854775807]", "[0,8]") "}",
       "more than 2^63 - 1 bytes", CORRUPT},
      {"{\"a\":" T("F64", "[0,9223372036854775807,9]", "[0,0]") "}", "more than 2^63", CORRUPT},
      {"{\"a\":" T("U8", "[18446744073709551616]", "[0,8]") "}", "list of natural", CORRUPT},
      {"{\"a\":" T("U8", "[1,1,1,1,1,1,1,1,8]", "[0,8]") "}", "9 dimensions",
       NETCL_ERROR_UNSUPPORTED},
      {"{\"a\":" T("U8", "[4]", "[0,4]") ",\"a\":" T("U8", "[4]", "[4,8]") "}",
       "two tensors have the name \"a\"", CORRUPT},
      {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}}",
       "\"dtype\" twice", CORRUPT},
      {"{\"a\":{\"shape\":[8],\"data_offsets\":[0,8]}}", "\"a\" has no dtype", CORRUPT},
      {"{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,8]}}", "\"a\" has no shape", CORRUPT},
      {"{\"a\":{\"dtype\":\"U8\",\"shape\":[8]}}", "\"a\" has no data_offsets", CORRUPT},
      {"{\"a\":{\"dtype\":8,\"shape\":[8],\"data_offsets\":[0,8]}}", "its dtype is no text",
       CORRUPT},
      {"{\"a\":8}", "\"a\" is no object", CORRUPT},
      {"{\"a\":[8]}", "\"a\" is no object", CORRUPT},
      {"{\"__metadata__\":{\"k\":1}}", "key \"k\" is no text", CORRUPT},
      {"{\"__metadata__\":{\"k\":[\"a\"]}}", "key \"k\" is no text", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "[0,8]") ",\"__metadata__\":{\"k\":[1]}}", "key \"k\" is no text",
       CORRUPT},
      {"{\"__metadata__\":{\"k\":\"a\",\"k\":\"b\"}}", "8 bytes of data", CORRUPT},
      {"{\"__metadata__\":{},\"__metadata__\":{}}", "\"__metadata__\" twice", CORRUPT},
      {"{\"a\\n\":" T("U8", "[8]", "[0,8]") "}", "text of one line", CORRUPT},
      {"{\"a\xff\":" T("U8", "[8]", "[0,8]") "}", "JSON", CORRUPT},
      {"{\"\\ud800\":" T("U8", "[8]", "[0,8]") "}", "surrogate", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "[0,8]"), "JSON", CORRUPT},
      {"{\"a\":" T("U8", "[8]", "[0,8]") "} x", "JSON", CORRUPT},
      {"{\"a\":{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
       "nested", CORRUPT},
      {"{}", "8 bytes of data, its tensors 0", CORRUPT},
  };
  for (size_t i = 0; i < COUNT_OF(kFiles); ++i) {
    refuse_bytes(fixture, safetensors_file(kFiles[i].header, "01234567", 8), kFiles[i].status,
                 kFiles[i].message);
  }
  char name[400];
  memset(name, 'n', sizeof name);
  memcpy(name, "{\"", 2);
  strcpy(name + 260, "\":" T("U8", "[8]", "[0,8]") "}");
  refuse_bytes(fixture, safetensors_file(name, "01234567", 8), NETCL_ERROR_UNSUPPORTED,
               "258 bytes, of which at most 255");
  refuse_bytes(fixture, safetensors_file("{\"__metadata__\":{\"k\":\"a\",\"k\":\"b\"}}", NULL, 0),
               CORRUPT, "two values of metadata have the name \"k\"");
  static const uint64_t kLengths[] = {12, 100000001, UINT32_MAX, UINT64_C(1) << 40, UINT64_MAX};
  for (size_t i = 0; i < COUNT_OF(kLengths); ++i) {
    Bytes file = safetensors_file("{}", "01234567", 8);
    set_number(&file, 0, 8, kLengths[i]);
    char text[64];
    snprintf(text, sizeof text, "header has %llu bytes", (unsigned long long)kLengths[i]);
    refuse_bytes(fixture, file, CORRUPT, text);
  }
}

/* A file of one tensor of 8 floats, with one key-value in front. `at` receives where the number of
 * tensors, the value, the description and its rank begin. */
static Bytes sound_gguf(size_t at[4]) {
  const uint64_t extents[] = {4, 2};
  Bytes file = gguf_begin(3, 1, 1);
  at[0] = 8;
  gguf_key(&file, "key", 8);
  at[1] = file.size;
  gguf_string(&file, "text");
  at[2] = file.size;
  at[3] = file.size + 8 + 1;
  gguf_tensor(&file, "t", 2, extents, 0, 0);
  gguf_align(&file, 32);
  put_zeros(&file, 32);
  return file;
}

static void hostile_gguf(void **state) {
  Fixture *fixture = *state;
  size_t at[4];
  Bytes sound = sound_gguf(at);
  netcl_weights *weights = NULL;
  OK(open_bytes(fixture->device, &sound, &weights));
  netcl_weights_release(weights);
  weights = NULL;
  const struct {
    size_t place;
    int size;
    uint64_t value;
    netcl_status status;
    const char *message;
  } kChanges[] = {
      {4, 4, 1, NETCL_ERROR_UNSUPPORTED, "version of GGUF is 1"},
      {4, 4, 4, NETCL_ERROR_UNSUPPORTED, "version of GGUF is 4"},
      {4, 4, 0x03000000, NETCL_ERROR_UNSUPPORTED, "big-endian"},
      {8, 8, UINT64_MAX, CORRUPT, "18446744073709551615 tensors"},
      {8, 8, 1000000, CORRUPT, "1000000 tensors"},
      {16, 8, UINT64_MAX, CORRUPT, "18446744073709551615 key-values"},
      {24, 8, UINT64_MAX, CORRUPT, "a key has 18446744073709551615 bytes"},
      {24, 8, 100, CORRUPT, "a key ends at byte"},
      {32, 1, 0xff, CORRUPT, "text of one line"},
      {at[1] - 4, 4, 13, CORRUPT, "\"key\" has type 13"},
      {at[1] - 4, 4, 9, CORRUPT, "elements of an array"},
      {at[1], 8, UINT64_C(1) << 60, CORRUPT, "\"key\" has"},
      {at[1], 8, 4000, CORRUPT, "\"key\" ends at byte"},
      {at[2], 8, 200, CORRUPT, "the name of a tensor ends"},
      {at[2], 8, UINT64_MAX, CORRUPT, "the name of a tensor has"},
      {at[2] + 8, 1, '\n', CORRUPT, "text of one line"},
      {at[3], 4, 9, NETCL_ERROR_UNSUPPORTED, "\"t\" has 9 dimensions"},
      {at[3], 4, UINT32_MAX, NETCL_ERROR_UNSUPPORTED, "4294967295 dimensions"},
      {at[3] + 4, 8, UINT64_MAX, CORRUPT, "\"t\": shape[1] is"},
      {at[3] + 4, 8, INT64_MAX, CORRUPT, "more than 2^63 - 1 bytes"},
      {at[3] + 4, 8, 5, CORRUPT, "\"t\" has 40 bytes from byte 0"},
      {at[3] + 20, 4, 2, CORRUPT, "shape[1] is 4, no multiple of the 32 in a block of Q4_0"},
      {at[3] + 24, 8, 4, CORRUPT, "no multiple of the alignment 32"},
      {at[3] + 24, 8, 32, CORRUPT, "\"t\" has 32 bytes from byte 32"},
      {at[3] + 24, 8, UINT64_MAX - 31, CORRUPT, "\"t\" has 32 bytes"},
  };
  for (size_t i = 0; i < COUNT_OF(kChanges); ++i) {
    Bytes file = {0};
    put_bytes(&file, sound.data, sound.size);
    set_number(&file, kChanges[i].place, kChanges[i].size, kChanges[i].value);
    refuse_bytes(fixture, file, kChanges[i].status, kChanges[i].message);
  }
  for (size_t size = 9; size < sound.size; ++size) {
    Bytes file = {0};
    put_bytes(&file, sound.data, size);
    refuse_bytes(fixture, file, CORRUPT, "");
  }
  bytes_free(&sound);
}

static void hostile_gguf_lists(void **state) {
  Fixture *fixture = *state;
  const uint64_t extents[] = {8};
  Bytes file = gguf_begin(3, 2, 0);
  gguf_tensor(&file, "a", 1, extents, 0, 0);
  gguf_tensor(&file, "a", 1, extents, 0, 32);
  gguf_align(&file, 32);
  put_zeros(&file, 64);
  refuse_bytes(fixture, file, CORRUPT, "two tensors have the name \"a\"");
  file = gguf_begin(3, 2, 0);
  gguf_tensor(&file, "a", 1, extents, 28, 0);
  gguf_tensor(&file, "b", 1, extents, 0, 32);
  gguf_align(&file, 32);
  put_zeros(&file, 64);
  refuse_bytes(fixture, file, CORRUPT, "\"a\" and \"b\" overlap");
  file = gguf_begin(3, 0, 2);
  for (int i = 0; i < 2; ++i) {
    gguf_key(&file, "k", 0);
    put_number(&file, 1, 1);
  }
  refuse_bytes(fixture, file, CORRUPT, "two values of metadata have the name \"k\"");
  static const uint64_t kAlignments[] = {0, 3, UINT64_C(1) << 31};
  for (size_t i = 0; i < COUNT_OF(kAlignments); ++i) {
    file = gguf_begin(3, 0, 1);
    gguf_key(&file, "general.alignment", 4);
    put_number(&file, 4, kAlignments[i]);
    refuse_bytes(fixture, file, CORRUPT, "general.alignment");
  }
  file = gguf_begin(3, 0, 1);
  gguf_key(&file, "deep", 9);
  for (int i = 0; i < 40; ++i) {
    put_number(&file, 4, 9);
    put_number(&file, 8, 1);
  }
  refuse_bytes(fixture, file, CORRUPT, "\"deep\" is nested");
  file = gguf_begin(3, 0, 1);
  gguf_key(&file, "long", 9);
  put_number(&file, 4, 10);
  put_number(&file, 8, UINT64_C(1) << 62);
  put_zeros(&file, 64);
  refuse_bytes(fixture, file, CORRUPT, "elements of an array");
  /* In blocks the tensor has a dimension more. */
  const uint64_t eight[] = {32, 1, 1, 1, 1, 1, 1, 1};
  file = gguf_begin(3, 1, 0);
  gguf_tensor(&file, "q", 8, eight, 8, 0);
  gguf_align(&file, 32);
  put_zeros(&file, 64);
  refuse_bytes(fixture, file, NETCL_ERROR_UNSUPPORTED, "9 dimensions");
  file = gguf_begin(3, 1, 0);
  gguf_tensor(&file, "q", 0, NULL, 8, 0);
  gguf_align(&file, 32);
  put_zeros(&file, 64);
  refuse_bytes(fixture, file, CORRUPT, "of no dimensions");
}

static Bytes sound_zip(int bit64) {
  Zip zip = {.bit64 = bit64};
  Bytes member = npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "01234567",
                          8);
  zip_stored(&zip, "a.npy", &member);
  zip_stored(&zip, "b.npy", &member);
  bytes_free(&member);
  return zip_end(&zip);
}

static void hostile_npz(void **state) {
  Fixture *fixture = *state;
  Bytes sound = sound_zip(0);
  enum { MEMBER = 30 + 5 + 136 };
  const size_t list = 2 * MEMBER, second = list + 51, end = sound.size - 22;
  const struct {
    size_t place;
    int size;
    uint64_t value;
    netcl_status status;
    const char *message;
  } kChanges[] = {
      {end, 4, 0, CORRUPT, "no end"},
      {end + 4, 2, 1, NETCL_ERROR_UNSUPPORTED, "split"},
      {end + 10, 2, 3, CORRUPT, "3 members"},
      {end + 12, 4, 0x7fffffff, CORRUPT, "list of members lies"},
      {end + 16, 4, 0x7fffffff, CORRUPT, "list of members lies"},
      {end + 20, 2, 1, CORRUPT, "no end"},
      {list, 4, 0, CORRUPT, "member 0: the list"},
      {second, 4, 0, CORRUPT, "member 1: the list"},
      {second + 28, 2, 60000, CORRUPT, "member 1: its entry ends"},
      {list + 46, 1, '\1', CORRUPT, "text of one line"},
      {second + 46, 1, 'a', CORRUPT, "at the member's beginning its name is \"b.npy\""},
      {list + 20, 4, 999999, CORRUPT, "\"a\" has 999999 bytes"},
      {list + 24, 4, 999999, CORRUPT, "\"a\" is said to have 999999 bytes, packed to 136"},
      {list + 42, 4, 999999, CORRUPT, "\"a\" is said to begin at byte 999999"},
      {list + 42, 4, 7, CORRUPT, "\"a\" does not begin at byte 7"},
      {second + 42, 4, 0, CORRUPT, "overlap"},
      {list + 8, 2, 1, NETCL_ERROR_UNSUPPORTED, "\"a\" is encrypted"},
      {26, 2, 60000, CORRUPT, "its name ends beyond"},
      {26, 2, 4, CORRUPT, "says bytes of a name 5, and the member's beginning 4"},
      {30, 1, 'z', CORRUPT, "at the member's beginning its name is \"z.npy\""},
      {6, 2, 1, CORRUPT, "\"a\": the list of members says encryption 0"},
      {8, 2, 8, CORRUPT, "\"a\": the list of members says method 0, and the member's beginning 8"},
      {14, 4, 1, CORRUPT, "and the member's beginning 1"},
      {18, 4, 135, CORRUPT, "says packed bytes 136, and the member's beginning 135"},
      {22, 4, 137, CORRUPT, "says bytes 136, and the member's beginning 137"},
      {35, 1, 0, CORRUPT, "\"a\": not an npy file"},
      {35 + 12, 1, '!', CORRUPT, "\"a\": npy header"},
  };
  for (size_t i = 0; i < COUNT_OF(kChanges); ++i) {
    Bytes file = {0};
    put_bytes(&file, sound.data, sound.size);
    set_number(&file, kChanges[i].place, kChanges[i].size, kChanges[i].value);
    refuse_bytes(fixture, file, kChanges[i].status, kChanges[i].message);
  }
  for (size_t size = 9; size < sound.size; ++size) {
    Bytes file = {0};
    put_bytes(&file, sound.data, size);
    refuse_bytes(fixture, file, CORRUPT, "");
  }
  bytes_free(&sound);
  sound = sound_zip(1);
  const size_t end64 = sound.size - 22 - 20 - 56;
  const struct {
    size_t place;
    int size;
    uint64_t value;
    const char *message;
  } kWide[] = {
      {30 + 5 + 4, 8, 135, "says bytes 136, and the member's beginning 135"},
      {30 + 5 + 12, 8, 135, "says packed bytes 136, and the member's beginning 135"},
      {end64, 4, 0, "does not lie at byte"},
      {end64 + 56 + 8, 8, UINT64_MAX, "the end of the archive is said to lie"},
      {end64 + 32, 8, UINT64_MAX, "18446744073709551615 members"},
      {end64 + 40, 8, UINT64_MAX, "list of members lies"},
      {end64 + 48, 8, UINT64_MAX, "list of members lies"},
  };
  for (size_t i = 0; i < COUNT_OF(kWide); ++i) {
    Bytes file = {0};
    put_bytes(&file, sound.data, sound.size);
    set_number(&file, kWide[i].place, kWide[i].size, kWide[i].value);
    refuse_bytes(fixture, file, CORRUPT, kWide[i].message);
  }
  bytes_free(&sound);
}

/* Sizes that stand behind a member's bytes are zeros in front of them. */
static void sizes_behind(void **state) {
  Fixture *fixture = *state;
  Bytes file = sound_zip(0);
  netcl_weights *weights = NULL;
  set_number(&file, 6, 2, 8);
  for (size_t at = 14; at < 26; at += 4) set_number(&file, at, 4, 0);
  OK(open_bytes(fixture->device, &file, &weights));
  netcl_tensor_release(named_tensor(weights, "a"));
  netcl_weights_release(weights);
  set_number(&file, 6, 2, 0);
  refuse_bytes(fixture, file, CORRUPT, "says packed bytes 136, and the member's beginning 0");
}

static void twins(void **state) {
  Fixture *fixture = *state;
  Bytes file = sound_zip(0);
  set_number(&file, 30 + 5 + 136 + 30, 1, 'a');
  set_number(&file, 2 * (30 + 5 + 136) + 51 + 46, 1, 'a');
  refuse_bytes(fixture, file, CORRUPT, "two tensors have the name \"a\"");
}

/* Neither of them. */
static void other_files(void **state) {
  Fixture *fixture = *state;
  static const char *const kFiles[] = {"", "G", "PK\3", "not a file of weights", "\x93NUMPY\1"};
  for (size_t i = 0; i < COUNT_OF(kFiles); ++i) {
    Bytes file = {0};
    put_text(&file, kFiles[i]);
    refuse_bytes(fixture, file, CORRUPT, "none of safetensors, GGUF and .npz");
  }
}

/* Random damage to sound files: an error with a message, or weights whose tensors can be had. */
static void random_damage(void **state) {
  Fixture *fixture = *state;
  size_t at[4];
  int opened = 0;
  for (int round = 0; round < sanitized_rounds(1200); ++round) {
    Bytes file = round % 3 == 0   ? sound_gguf(at)
                 : round % 3 == 1 ? sound_zip(round % 2)
                                  : safetensors_file("{\"a\":" T("F32", "[2]", "[0,8]") "}",
                                                     "01234567", 8);
    for (int64_t n = random_in(1, 3); n > 0; --n) {
      file.data[random_in(0, (int64_t)file.size - 1)] = (unsigned char)random_bits();
    }
    netcl_weights *weights = NULL;
    const netcl_status status = open_bytes(fixture->device, &file, &weights);
    bytes_free(&file);
    CHECK((status == NETCL_OK) == (weights != NULL), "%s", netcl_status_name(status));
    CHECK(status == NETCL_OK || status == CORRUPT || status == NETCL_ERROR_UNSUPPORTED, "%s: %s",
          netcl_status_name(status), netcl_last_error_message());
    netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
    if (weights == NULL) continue;
    ++opened;
    OK(netcl_weights_get_info(weights, &info));
    for (uint32_t i = 0; i < info.tensor_count; ++i) {
      netcl_tensor *tensor = NULL;
      if (netcl_weights_get_tensor(weights, i, NULL, &tensor) == NETCL_OK) {
        free(read_tensor(tensor));
      }
      netcl_tensor_release(tensor);
    }
    netcl_weights_release(weights);
  }
  CHECK(opened > 0, "damage to the data alone is no damage to the file");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(many_pairs),         DEVICE_TEST(hostile_safetensors),
      DEVICE_TEST(hostile_gguf),       DEVICE_TEST(hostile_gguf_lists),
      DEVICE_TEST(hostile_npz),        DEVICE_TEST(sizes_behind),
      DEVICE_TEST(twins),              DEVICE_TEST(other_files),
      DEVICE_TEST(random_damage),
  };
  seed_random("weights_errors");
  return cmocka_run_group_tests_name("weights_errors", tests, NULL, weights_remove_folder);
}
