/* `netcl run` with pictures: what becomes of them, and labels. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"
#include "support_tool.h"

enum { HEIGHT = 4, WIDTH = 5 };

/* A model of one node. */
static void write_node(const char *name, const char *op, netcl_dtype dtype, const char *extents) {
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", dtype, extents);
  onnx_output(&graph, "y", dtype, extents);
  onnx_node(&graph, op, "node", "x", "y", NULL);
  OnnxBytes bytes = onnx_file(&graph, 13);
  FILE *file = fopen(tool_path(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
  assert_int_equal(fclose(file), 0);
  onnx_free(&bytes);
}

static unsigned char sample(int y, int x, int c) {
  return (unsigned char)(y * 67 + x * 31 + c * 101);
}

static void write_bytes(const char *name, const void *data, size_t size) {
  FILE *file = fopen(tool_path(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_ppm(const char *name) {
  unsigned char bytes[128];
  size_t size = (size_t)sprintf((char *)bytes, "P6 # a picture\n%d %d\n255\n", WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      for (int c = 0; c < 3; ++c) bytes[size++] = sample(y, x, c);
    }
  }
  write_bytes(name, bytes, size);
}

static uint32_t crc_of(const unsigned char *data, size_t size) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

static size_t put_number(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; ++i) to[i] = (unsigned char)(value >> (24 - 8 * i));
  return 4;
}

static size_t put_chunk(unsigned char *to, const char *type, const unsigned char *data,
                        size_t size) {
  size_t at = put_number(to, (uint32_t)size);
  memcpy(to + at, type, 4);
  if (size > 0) memcpy(to + at + 4, data, size);
  at += 4 + size;
  return at + put_number(to + at, crc_of(to + 4, 4 + size));
}

/* The picture of write_ppm as PNG of samples of 8 or 16 bits, not deflated. With 4 channels the
 * transparency is 255, in the first pixel `alpha`; `linear` gives it a gamma of 1. Gives its bytes.
 */
static size_t put_png_of(unsigned char *to, int channels, unsigned char alpha, unsigned char bits,
                         int linear) {
  unsigned char header[13], rows[128], data[160] = {0x78, 0x01, 1};
  size_t size = 0;
  uint32_t low = 1, high = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    rows[size++] = 0;
    for (int x = 0; x < WIDTH; ++x) {
      for (int c = 0; c < 3 * bits / 8; ++c) rows[size++] = sample(y, x, c * 8 / bits);
      if (channels == 4) rows[size++] = x + y == 0 ? alpha : 255;
    }
  }
  for (size_t i = 0; i < size; ++i) {
    low = (low + rows[i]) % 65521;
    high = (high + low) % 65521;
  }
  data[3] = (unsigned char)size;
  data[5] = (unsigned char)~size;
  data[6] = 255;
  memcpy(data + 7, rows, size);
  const size_t end = 7 + size + put_number(data + 7 + size, high << 16 | low);
  put_number(header, WIDTH);
  put_number(header + 4, HEIGHT);
  memcpy(header + 8, (unsigned char[5]){bits, channels == 4 ? 6 : 2, 0, 0, 0}, 5);
  memcpy(to, "\x89PNG\r\n\x1a\n", 8);
  size_t at = 8 + put_chunk(to + 8, "IHDR", header, sizeof header);
  if (linear) at += put_chunk(to + at, "gAMA", (unsigned char[4]){0, 1, 0x86, 0xa0}, 4);
  at += put_chunk(to + at, "IDAT", data, end);
  return at + put_chunk(to + at, "IEND", NULL, 0);
}
static size_t put_png(unsigned char *to, int channels, unsigned char alpha) {
  return put_png_of(to, channels, alpha, 8, 0);
}

#define RAW "--scale 1 --mean 0 --std 1 --layout nchw"
#define PICTURE(model, file, options)                                                       \
  RUNS(0, "run %s --device %s --input x=%s --output y=%s/y.npy " options, tool_path(model), \
       test_selector(), tool_path(file), tool_folder)

/* The output of the last run. */
static netcl_tensor *result(Fixture *fixture) {
  netcl_tensor *y = NULL;
  OK(netcl_tensor_load_npy(fixture->device, tool_path("y.npy"), NULL, &y));
  return y;
}

#define RESULT(fixture, ...)                  \
  do {                                        \
    netcl_tensor *const y_ = result(fixture); \
    GIVES(y_, __VA_ARGS__);                   \
    RELEASE(y_);                              \
  } while (0)

/* The result has the samples of write_ppm, the first pixel laid on black. */
static void check_samples(Fixture *fixture, int alpha) {
  netcl_tensor *plain = result(fixture);
  float elements[3 * HEIGHT * WIDTH];
  OK(netcl_tensor_read(plain, elements, sizeof elements, NULL, LONG_WAIT));
  for (int i = 0; i < 3 * HEIGHT * WIDTH; ++i) {
    const int c = i / (HEIGHT * WIDTH), at = i % (HEIGHT * WIDTH);
    const int stored = sample(at / WIDTH, at % WIDTH, c);
    const int wanted = at == 0 ? (stored * alpha + 127) / 255 : stored;
    CHECK(elements[i] == (float)wanted, "sample %d is %g, not %d", i, elements[i], wanted);
  }
  RELEASE(plain);
}

#if NETCL_TOOL_PNG
/* Samples are what is stored, whatever a file says of light. */
static void stored_samples(void **state) {
  Fixture *fixture = *state;
  unsigned char png[512];
  tool_make_folder(NULL);
  write_node("any.onnx", "Identity", NETCL_F32, "n 3 h w");
  for (int bits = 8; bits <= 16; bits += 8) {
    for (int linear = 0; linear < 2; ++linear) {
      write_bytes("p.png", png, put_png_of(png, 3, 255, (unsigned char)bits, linear));
      PICTURE("any.onnx", "p.png", RAW " --resize none --crop none");
      check_samples(fixture, 255);
    }
  }
  write_bytes("p.png", png, put_png(png, 4, 100));
  PICTURE("any.onnx", "p.png", RAW " --resize none --crop none");
  check_samples(fixture, 100);
  /* A header that claims more pixels than so many bytes can hold. */
  const size_t size = put_png(png, 3, 255);
  put_number(png + 16, 8192);
  put_number(png + 20, 8192);
  put_number(png + 29, crc_of(png + 12, 17));
  write_bytes("p.png", png, size);
  RUNS(1, "run %s --device %s --input x=%s", tool_path("any.onnx"), test_selector(),
       tool_path("p.png"));
  SAYS("p.png ends before its last pixel");
  tool_remove_folder(NULL);
}
#endif

static void samples(void **state) {
  Fixture *fixture = *state;
  unsigned char png[512];
  tool_make_folder(NULL);
  write_ppm("p.ppm");
  write_node("any.onnx", "Identity", NETCL_F32, "n 3 h w");
  PICTURE("any.onnx", "p.ppm", RAW " --resize none --crop none");
  SAYS("4 x 5 (height x width), in colour\n  red, green, blue: (sample * 1 - 0, 0, 0) / 1, 1, 1\n"
       "  as f32 [1, 3, 4, 5]\n");
  check_samples(fixture, 255);
  /* As Pillow 13 makes them. */
  PICTURE("any.onnx", "p.ppm", RAW " --resize 2x3 --crop none");
  RESULT(fixture, 61, 110, 138, 166, 130, 91, 146, 150, 114, 111, 89, 109, 117, 80, 105, 112, 161,
         147);
  PICTURE("any.onnx", "p.ppm", RAW " --resize 3 --crop 1x2 --colors bgr");
  SAYS("resized to 3 x 3, the shorter side 3");
  SAYS("cropped to 1 x 2 in the middle\n  blue, green, red");
  write_node("gray.onnx", "Identity", NETCL_U8, "1 4 w 1");
  PICTURE("gray.onnx", "p.ppm", "--resize none --crop none");
  SAYS("grey: (sample * 1 - 0) / 1, to the nearest whole number\n  as u8 [1, 4, 5, 1]");
  write_node("last.onnx", "Identity", NETCL_F16, "2 2 3");
  PICTURE("last.onnx", "p.ppm", "--resize 2x2 --crop none --scale 1/51 --mean 1 --std 0.5,1,2");
  SAYS("(sample * 1/51 - 1, 1, 1) / 0.5, 1, 2\n  as f16 [2, 2, 3]");
#if NETCL_TOOL_PNG
  write_bytes("p.png", png, put_png(png, 3, 255));
  PICTURE("any.onnx", "p.png", RAW " --resize 2x3 --crop none");
  RESULT(fixture, 61, 110, 138, 166, 130, 91, 146, 150, 114, 111, 89, 109, 117, 80, 105, 112, 161,
         147);
  write_bytes("p.png", png, put_png(png, 4, 0));
  PICTURE("any.onnx", "p.png", RAW " --resize none --crop 2x2");
  SAYS("in colour, transparent parts laid on black");
  write_bytes("p.png", png, put_png(png, 3, 255) - 40);
  RUNS(1, "run %s --device %s --input x=%s", tool_path("any.onnx"), test_selector(),
       tool_path("p.png"));
  SAYS("p.png is no PNG that can be read");
#else
  write_bytes("p.png", png, put_png(png, 3, 255));
  RUNS(1, "run %s --device %s --input x=%s", tool_path("any.onnx"), test_selector(),
       tool_path("p.png"));
  SAYS("it was built without libpng");
#endif
  tool_remove_folder(NULL);
}

/* What is ImageNet's without options: 256, 224, mean and std. */
static void usual(void **state) {
  Fixture *fixture = *state;
  tool_make_folder(NULL);
  write_bytes("p.pgm", "P5 2 3 255\n\x80\x80\x80\x80\x80\x80", 17);
  write_node("any.onnx", "GlobalAveragePool", NETCL_F32, "n 3 h w");
  write_node("fixed.onnx", "GlobalAveragePool", NETCL_F32, "n 3 448 56");
  PICTURE("any.onnx", "p.pgm", "");
  SAYS("3 x 2 (height x width), grey\n  resized to 384 x 256, the shorter side 256");
  SAYS("  cropped to 224 x 224 in the middle\n");
  SAYS("(sample * 1/255 - 0.485, 0.456, 0.406) / 0.229, 0.224, 0.225\n"
       "  as f32 [1, 3, 224, 224]\n");
  const double gray = 128 / 255.0;
  RESULT(fixture, (gray - 0.485) / 0.229, (gray - 0.456) / 0.224, (gray - 0.406) / 0.225);
  PICTURE("fixed.onnx", "p.pgm", "");
  SAYS("resized to 768 x 512, the shorter side 512");
  SAYS("cropped to 448 x 56");
  PICTURE("fixed.onnx", "p.pgm", "--crop none");
  SAYS("resized to 448 x 56 (");
  tool_remove_folder(NULL);
}

#define REFUSED(code, model, file, options, text)                                          \
  do {                                                                                     \
    RUNS(code, "run %s --device %s --input x=%s " options, tool_path(model),               \
         test_selector(), tool_path(file));                                                \
    SAYS(text);                                                                            \
  } while (0)

static void refused(void **state) {
  (void)state;
  tool_make_folder(NULL);
  write_ppm("p.ppm");
  write_node("any.onnx", "Identity", NETCL_F32, "n 3 h w");
  write_node("two.onnx", "Identity", NETCL_F32, "2 3 h w");
  write_node("seven.onnx", "Identity", NETCL_F32, "1 7 h w");
  write_node("flat.onnx", "Identity", NETCL_F32, "3 h");
  write_node("bool.onnx", "Identity", NETCL_BOOL, "1 3 h w");
  write_node("fixed.onnx", "Identity", NETCL_F32, "1 3 8 w");
  REFUSED(2, "any.onnx", "p.ppm", "--resize 2x3x4", "--resize takes none, N or HEIGHTxWIDTH");
  REFUSED(2, "any.onnx", "p.ppm", "--crop 0", "unlike \"0\"");
  REFUSED(2, "any.onnx", "p.ppm", "--scale 1/0", "--scale takes a number or a fraction");
  REFUSED(2, "any.onnx", "p.ppm", "--mean 1,2", "--mean takes one number, or 3");
  REFUSED(2, "any.onnx", "p.ppm", "--std 1,0,1", "unlike \"1,0,1\"");
  REFUSED(2, "any.onnx", "p.ppm", "--layout chwn", "--layout takes nchw, nhwc, unlike \"chwn\"");
  REFUSED(2, "any.onnx", "p.ppm", "--colors=", "--colors takes rgb, bgr, gray, unlike \"\"");
  REFUSED(1, "any.onnx", "p.ppm", "--colors gray", "takes 3 channels; --colors gray gives 1");
  REFUSED(1, "any.onnx", "p.ppm", "--resize none", "224 x 224 pixels of a picture of 4 x 5");
  REFUSED(1, "any.onnx", "p.ppm", "--crop none --resize 65535",
          "would get a picture of 65535 x 81918 pixels; 67108864 at most");
  REFUSED(1, "any.onnx", "p.ppm", "--crop none --resize 20000x20000",
          "would get a picture of 20000 x 20000 pixels; 67108864 at most");
  REFUSED(1, "two.onnx", "p.ppm", "", "takes 2 pictures at once");
  REFUSED(1, "seven.onnx", "p.ppm", "", "has 7 channels as nchw");
  REFUSED(1, "flat.onnx", "p.ppm", "", "has 2 dimensions");
  REFUSED(1, "bool.onnx", "p.ppm", "", "is of bool");
  REFUSED(1, "fixed.onnx", "p.ppm", "--crop none --resize none",
          "takes 8 x any pixels; --resize and --crop leave 4 x 5");
  write_bytes("short.ppm", "P6 2 2 255\nabc", 14);
  REFUSED(1, "any.onnx", "short.ppm", "", "short.ppm ends before its last pixel");
  write_bytes("deep.pgm", "P5 1 1 65535\nab", 15);
  REFUSED(1, "any.onnx", "deep.pgm", "", "deep.pgm has samples up to 65535");
  write_bytes("none.pgm", "P5 0 1 255\nab", 13);
  REFUSED(1, "any.onnx", "none.pgm", "", "none.pgm has 1 x 0 pixels");
  write_bytes("head.pgm", "P5 # 1 1", 8);
  REFUSED(1, "any.onnx", "head.pgm", "", "head.pgm has no width");
  write_bytes("p.gif", "GIF89a and more", 15);
  REFUSED(1, "any.onnx", "p.gif", "", "the file is a GIF; .npy, .npz, PNG");
  REFUSED(1, "any.onnx", "nothing.png", "", "nothing.png cannot be read");
  RUNS(2, "run %s --device %s --crop 3 --dim h=3", tool_path("any.onnx"), test_selector());
  SAYS("without a picture there is no use for \"--crop\"");
  tool_remove_folder(NULL);
}

static void labels(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[4] = {2, 4, 1, 1};
  const float scores[8] = {0.125f, 0.5f, 0.25f, 0.125f, -1, 3, 0, 3};
  tool_make_folder(NULL);
  write_node("m.onnx", "Identity", NETCL_F32, "n 4 1 1");
  write_node("wide.onnx", "Identity", NETCL_F32, "1 2 4");
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 4, shape, scores);
  OK(netcl_tensor_save_npy(tensor, tool_path("x.npy"), LONG_WAIT));
  RELEASE(tensor);
  tool_write("labels.txt", "brick\r\ncamera\r\nastronaut\r\nlast\r\n");
  tool_write("short.txt", "brick\ncamera\n");
  RUNS(0, "run %s --device %s --input x=%s --top 3 --labels %s", tool_path("m.onnx"),
       test_selector(), tool_path("x.npy"), tool_path("labels.txt"));
  SAYS("  row 0:\n   50.00 %     1  camera\n   25.00 %     2  astronaut\n");
  SAYS("   12.50 %     0  brick\n");
  SAYS("  row 1:\n   48.35 %     1  camera  (3; % by softmax)\n   48.35 %     3  last  (3; ");
  RUNS(0, "run %s --device %s --input x=%s --top 99", tool_path("m.onnx"), test_selector(),
       tool_path("x.npy"));
  SAYS("   12.50 %     3  \n");
  const float odd[4] = {1, NAN, 3, INFINITY};
  const int64_t one_row[4] = {1, 4, 1, 1};
  tensor = make_tensor(fixture->device, NETCL_F32, 4, one_row, odd);
  OK(netcl_tensor_save_npy(tensor, tool_path("odd.npy"), LONG_WAIT));
  RELEASE(tensor);
  RUNS(0, "run %s --device %s --input x=%s --top 4", tool_path("m.onnx"), test_selector(),
       tool_path("odd.npy"));
  SAYS("         -     3    (inf; not all scores are finite)\n         -     2    (3;");
  SAYS("         -     1    (nan; not all scores are finite)\n");
  RUNS(1, "run %s --device %s --input x=%s --top 1 --labels %s", tool_path("m.onnx"),
       test_selector(), tool_path("x.npy"), tool_path("short.txt"));
  SAYS("short.txt has 2 lines; output \"y\" has 4 classes");
  CHECK(strstr(tool_output, "y: f32") == NULL, "it ran first: %s", tool_output);
  RUNS(1, "run %s --device %s --top 1", tool_path("wide.onnx"), test_selector());
  SAYS("--top: output \"y\" is f32 [1, 2, 4], not [classes] or [rows, classes]");
  RUNS(2, "run %s --device %s --labels %s", tool_path("m.onnx"), test_selector(),
       tool_path("labels.txt"));
  SAYS("without --top there is no use for \"--labels\"");
  RUNS(2, "run %s --device %s --top 0", tool_path("m.onnx"), test_selector());
  tool_remove_folder(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(samples),
#if NETCL_TOOL_PNG
      DEVICE_TEST(stored_samples),
#endif
      DEVICE_TEST(usual),
      DEVICE_TEST(refused),
      DEVICE_TEST(labels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
