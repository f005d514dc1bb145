/* Files of GGUF: tensors of plain types, weights in blocks as the ops on them take them, other
 * types by their names, and key-values of every type as text. */
#include <math.h>
#include <stdio.h>

#include "support_weights.h"

enum { GGUF_U8, GGUF_I8, GGUF_U16, GGUF_I16, GGUF_U32, GGUF_I32, GGUF_F32, GGUF_BOOL, GGUF_TEXT,
       GGUF_ARRAY, GGUF_U64, GGUF_I64, GGUF_F64 };

static int is_cpu(const Fixture *fixture) {
  return fixture->info.type == NETCL_DEVICE_CPU && fixture->capabilities.integrated != 0;
}

static uint64_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static netcl_weights *open_sound(Fixture *fixture, Bytes *file) {
  netcl_weights *weights = NULL;
  OK(open_bytes(fixture->device, file, &weights));
  bytes_free(file);
  return weights;
}

static void key_values(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *key;
    uint32_t type;
    int size;
    int64_t value;
    const char *text;
  } kNumbers[] = {
      {"u8", GGUF_U8, 1, 255, "255"},           {"i8", GGUF_I8, 1, -128, "-128"},
      {"u16", GGUF_U16, 2, 65535, "65535"},     {"i16", GGUF_I16, 2, -2, "-2"},
      {"u32", GGUF_U32, 4, 4294967295, "4294967295"},
      {"i32", GGUF_I32, 4, -7, "-7"},           {"yes", GGUF_BOOL, 1, 1, "true"},
      {"no", GGUF_BOOL, 1, 0, "false"},         {"u64", GGUF_U64, 8, -1, "18446744073709551615"},
      {"i64", GGUF_I64, 8, INT64_MIN, "-9223372036854775808"},
  };
  for (uint32_t version = 2; version <= 3; ++version) {
    Bytes file = gguf_begin(version, 0, COUNT_OF(kNumbers) + 8);
    for (size_t i = 0; i < COUNT_OF(kNumbers); ++i) {
      gguf_key(&file, kNumbers[i].key, kNumbers[i].type);
      put_number(&file, kNumbers[i].size, (uint64_t)kNumbers[i].value);
    }
    gguf_key(&file, "f32", GGUF_F32);
    put_number(&file, 4, bits_of_float(0.1f));
    gguf_key(&file, "f64", GGUF_F64);
    put_number(&file, 8, bits_of_double(-1e300));
    gguf_key(&file, "inf", GGUF_F32);
    put_number(&file, 4, bits_of_float(-INFINITY));
    gguf_key(&file, "general.name", GGUF_TEXT);
    gguf_string(&file, "a \"model\"\n\xff.");
    gguf_key(&file, "tokens", GGUF_ARRAY);
    put_number(&file, 4, GGUF_TEXT);
    put_number(&file, 8, 3);
    gguf_string(&file, "a");
    gguf_string(&file, "\"\n");
    gguf_string(&file, "");
    gguf_key(&file, "scores", GGUF_ARRAY);
    put_number(&file, 4, GGUF_F32);
    put_number(&file, 8, 2);
    put_number(&file, 4, bits_of_float(1.5f));
    put_number(&file, 4, bits_of_float(NAN));
    gguf_key(&file, "nested", GGUF_ARRAY);
    put_number(&file, 4, GGUF_ARRAY);
    put_number(&file, 8, 2);
    put_number(&file, 4, GGUF_I16);
    put_number(&file, 8, 2);
    put_number(&file, 4, 0x0001ffff);
    put_number(&file, 4, GGUF_BOOL);
    put_number(&file, 8, 0);
    gguf_key(&file, "last", GGUF_U8);
    put_number(&file, 1, 3);
    netcl_weights *weights = open_sound(fixture, &file);
    netcl_weights_info info = NETCL_WEIGHTS_INFO_INIT;
    OK(netcl_weights_get_info(weights, &info));
    assert_int_equal(info.format, NETCL_WEIGHTS_GGUF);
    assert_int_equal(info.version, version);
    assert_int_equal(info.metadata_count, COUNT_OF(kNumbers) + 8);
    for (size_t i = 0; i < COUNT_OF(kNumbers); ++i) {
      check_metadata(weights, kNumbers[i].key, kNumbers[i].text);
    }
    check_metadata(weights, "f32", "0.1");
    check_metadata(weights, "f64", "-1e+300");
    check_metadata(weights, "inf", "-inf");
    check_metadata(weights, "general.name", "a \"model\"\n\xef\xbf\xbd.");
    check_metadata(weights, "tokens", "[\"a\", \"\\\"\\n\", \"\"]");
    check_metadata(weights, "scores", "[1.5, null]");
    check_metadata(weights, "nested", "[[-1, 1], []]");
    check_metadata(weights, "last", "3");
    netcl_weights_release(weights);
  }
}

/* Plain types at each alignment. */
static void plain_types(void **state) {
  Fixture *fixture = *state;
  static const struct {
    uint32_t type;
    netcl_dtype dtype;
    const char *name;
  } kTypes[] = {{0, NETCL_F32, "F32"},  {1, NETCL_F16, "F16"},  {24, NETCL_I8, "I8"},
                {25, NETCL_I16, "I16"}, {26, NETCL_I32, "I32"}, {27, NETCL_I64, "I64"},
                {28, NETCL_F64, "F64"}, {30, NETCL_BF16, "BF16"}};
  static const uint32_t kAlignments[] = {0, 8, 64, 4096};
  const uint64_t extents[] = {3, 2};
  for (size_t a = 0; a < COUNT_OF(kAlignments); ++a) {
    const uint32_t set = kAlignments[a], alignment = set == 0 ? 32 : set;
    unsigned char data[COUNT_OF(kTypes)][48];
    Bytes file = gguf_begin(3, COUNT_OF(kTypes), set != 0);
    if (set != 0) {
      gguf_key(&file, "general.alignment", GGUF_U32);
      put_number(&file, 4, set);
    }
    for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
      gguf_tensor(&file, kTypes[t].name, 2, extents, kTypes[t].type, (t * 48 + alignment - 1) /
                  alignment * alignment + t * 4096);
    }
    gguf_align(&file, alignment);
    const size_t start = file.size;
    for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
      const size_t place = (t * 48 + alignment - 1) / alignment * alignment + t * 4096;
      put_zeros(&file, start + place - file.size);
      fill_random(kTypes[t].dtype, data[t], 6, 100);
      put_bytes(&file, data[t], 6 * netcl_dtype_size(kTypes[t].dtype));
    }
    netcl_weights *weights = open_sound(fixture, &file);
    for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
      const netcl_weights_entry entry = named_entry(weights, kTypes[t].name);
      assert_string_equal(entry.type, kTypes[t].name);
      assert_int_equal(entry.dtype, kTypes[t].dtype);
      assert_int_equal(entry.rank, 2);
      assert_int_equal(entry.shape[0], 2);
      assert_int_equal(entry.shape[1], 3);
      netcl_tensor *tensor = named_tensor(weights, kTypes[t].name);
      assert_int_equal(tensor_info(tensor).mapped, is_cpu(fixture));
      CHECK_TENSOR(tensor, data[t]);
      netcl_tensor_release(tensor);
    }
    netcl_weights_release(weights);
  }
}

/* Weights in blocks: what netcl_op_quantize_weights makes is what a file of GGUF has, and comes
 * back as what the ops take, in 2 and in 3 dimensions. */
static void blocks(void **state) {
  Fixture *fixture = *state;
  static const struct {
    netcl_quantization format;
    uint32_t type;
    const char *name;
    int64_t block, bytes;
  } kTypes[] = {{NETCL_QUANTIZATION_Q4_0, 2, "Q4_0", 32, 18},
                {NETCL_QUANTIZATION_Q8_0, 8, "Q8_0", 32, 34},
                {NETCL_QUANTIZATION_Q4_K, 12, "Q4_K", 256, 144}};
  enum { N = 6, K = 512 };
  const int64_t shape[] = {N, K};
  float *const w = malloc(sizeof(float) * N * K);
  fill_random(NETCL_F32, w, N * K, 8);
  for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
    netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
    options.format = kTypes[t].format;
    netcl_tensor *plain = make_tensor(fixture->device, NETCL_F32, 2, shape, w);
    netcl_tensor *packed = NULL, *scales = NULL, *zeros = NULL, *wanted = NULL;
    OK(netcl_op_quantize_weights(plain, &options, NULL, &packed, &scales, &zeros));
    OK(netcl_op_dequantize_weights(packed, &options, NULL, &wanted));
    void *const bytes = read_tensor(packed), *const numbers = read_tensor(wanted);
    const size_t size = tensor_info(packed).byte_count;
    for (int experts = 0; experts < 2; ++experts) {
      const uint64_t extents[] = {K, experts ? N / 2 : N, 2};
      Bytes file = gguf_begin(3, 1, 0);
      gguf_tensor(&file, "blk.0.w", experts ? 3 : 2, extents, kTypes[t].type, 0);
      gguf_align(&file, 32);
      put_bytes(&file, bytes, size);
      netcl_weights *weights = open_sound(fixture, &file);
      const netcl_weights_entry entry = named_entry(weights, "blk.0.w");
      assert_string_equal(entry.type, kTypes[t].name);
      assert_int_equal(entry.dtype, NETCL_U8);
      assert_int_equal(entry.quantization, kTypes[t].format);
      assert_int_equal(entry.rank, experts ? 3 : 2);
      assert_int_equal(entry.shape[entry.rank - 1], K);
      assert_int_equal(entry.byte_count, size);
      netcl_tensor *tensor = named_tensor(weights, "blk.0.w");
      netcl_weights_release(weights);
      const netcl_tensor_info info = tensor_info(tensor);
      assert_int_equal(info.dtype, NETCL_U8);
      assert_int_equal(info.rank, experts ? 4 : 3);
      assert_int_equal(info.shape[info.rank - 2], K / kTypes[t].block);
      assert_int_equal(info.shape[info.rank - 1], kTypes[t].bytes);
      assert_int_equal(info.mapped, is_cpu(fixture));
      CHECK_TENSOR(tensor, bytes);
      if (!experts) {
        netcl_tensor *again = NULL;
        OK(netcl_op_dequantize_weights(tensor, &options, NULL, &again));
        CHECK_TENSOR(again, numbers);
        netcl_tensor_release(again);
      }
      netcl_tensor_release(tensor);
    }
    free(bytes);
    free(numbers);
    netcl_tensor_release(wanted);
    netcl_tensor_release(packed);
    netcl_tensor_release(plain);
  }
  free(w);
}

/* Types without a dtype here are told of, and refused by their names. */
static void other_types(void **state) {
  Fixture *fixture = *state;
  static const struct {
    uint32_t type;
    const char *name;
    int64_t bytes;
  } kTypes[] = {{3, "Q4_1", 160},    {6, "Q5_0", 176},     {7, "Q5_1", 192},    {10, "Q2_K", 84},
                {11, "Q3_K", 110},   {13, "Q5_K", 176},    {14, "Q6_K", 210},   {15, "Q8_K", 292},
                {16, "IQ2_XXS", 66}, {17, "IQ2_XS", 74},   {18, "IQ3_XXS", 98}, {19, "IQ1_S", 50},
                {20, "IQ4_NL", 144}, {21, "IQ3_S", 110},   {22, "IQ2_S", 82},   {23, "IQ4_XS", 136},
                {29, "IQ1_M", 56},   {34, "TQ1_0", 54},    {35, "TQ2_0", 66},   {39, "MXFP4", 136},
                {40, "NVFP4", 144},  {31, "Q4_0_4_4", 0},  {9, "Q8_1", 0},      {77, "type 77", 0}};
  const uint64_t extents[] = {256};
  Bytes file = gguf_begin(3, COUNT_OF(kTypes), 0);
  for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
    gguf_tensor(&file, kTypes[t].name, 1, extents, kTypes[t].type, t * 320);
  }
  gguf_align(&file, 32);
  put_zeros(&file, COUNT_OF(kTypes) * 320);
  netcl_weights *weights = open_sound(fixture, &file);
  for (size_t t = 0; t < COUNT_OF(kTypes); ++t) {
    const netcl_weights_entry entry = named_entry(weights, kTypes[t].name);
    assert_string_equal(entry.type, kTypes[t].name);
    assert_int_equal(entry.dtype, 0);
    assert_int_equal(entry.shape[0], 256);
    assert_int_equal(entry.byte_count, kTypes[t].bytes);
    netcl_tensor *tensor = NULL;
    FAILS_WITH(NETCL_ERROR_UNSUPPORTED, kTypes[t].name,
               netcl_weights_get_tensor(weights, (uint32_t)t, NULL, &tensor));
    assert_null(tensor);
  }
  netcl_weights_release(weights);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(key_values), DEVICE_TEST(plain_types), DEVICE_TEST(blocks),
      DEVICE_TEST(other_types),
  };
  seed_random("weights_gguf");
  return cmocka_run_group_tests_name("weights_gguf", tests, NULL, weights_remove_folder);
}
