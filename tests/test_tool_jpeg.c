/* `netcl run` with JPEGs: the samples that Pillow reads of them; files that are cut, that claim
 * much, and that are none. */
#include <stdio.h>

#include "support_graph.h"
#include "support_jpeg.h"
#include "support_onnx.h"
#include "support_tool.h"

enum { HEIGHT = 6, WIDTH = 7, ROOM = 4096 };

static void write_bytes(const char *name, const void *data, size_t size) {
  FILE *file = fopen(tool_path(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* Models that give what they get. */
static void write_models(void) {
  for (int channels = 1; channels <= 3; channels += 2) {
    OnnxBytes graph = {0};
    const char *const extents = channels == 1 ? "n 1 h w" : "n 3 h w";
    onnx_input(&graph, "x", NETCL_F32, extents);
    onnx_output(&graph, "y", NETCL_F32, extents);
    onnx_node(&graph, "Identity", "node", "x", "y", NULL);
    OnnxBytes bytes = onnx_file(&graph, 13);
    write_bytes(channels == 1 ? "grey.onnx" : "any.onnx", bytes.data, bytes.size);
    onnx_free(&bytes);
  }
}

static int run_picture(const char *model, const void *data, size_t size) {
  write_bytes("p.jpg", data, size);
  return tool_run(NETCL_TOOL_FILE,
                  "run %s --device %s --input x=%s --output y=%s/y.npy --scale 1 --mean 0 --std 1 "
                  "--layout nchw --resize none --crop none",
                  tool_path(model), test_selector(), tool_path("p.jpg"), tool_folder);
}

#if NETCL_TOOL_JPEG
/* `samples` has the channels of a pixel beside each other. */
static void check_samples(Fixture *fixture, const char *what, int channels,
                          const unsigned char *samples, int height, int width) {
  netcl_tensor *y = NULL;
  OK(netcl_tensor_load_npy(fixture->device, tool_path("y.npy"), NULL, &y));
  const netcl_tensor_info info = tensor_info(y);
  assert_int_equal(info.shape[1], channels);
  assert_int_equal(info.shape[2], height);
  assert_int_equal(info.shape[3], width);
  float *got = read_tensor(y);
  for (int i = 0; i < channels * height * width; ++i) {
    const int c = i / (height * width), at = i % (height * width);
    CHECK(got[i] == (float)samples[at * channels + c], "%s: sample %d is %g, not %d", what, i,
          (double)got[i], samples[at * channels + c]);
  }
  free(got);
  RELEASE(y);
}

static void samples(void **state) {
  Fixture *fixture = *state;
  tool_make_folder(NULL);
  write_models();
  assert_int_equal(run_picture("any.onnx", kColourJpeg, sizeof kColourJpeg), 0);
  SAYS("6 x 7 (height x width), in colour");
  check_samples(fixture, "colour", 3, kColourSamples, HEIGHT, WIDTH);
  assert_int_equal(run_picture("any.onnx", kProgressiveJpeg, sizeof kProgressiveJpeg), 0);
  check_samples(fixture, "progressive", 3, kProgressiveSamples, HEIGHT, WIDTH);
  assert_int_equal(run_picture("grey.onnx", kGreyJpeg, sizeof kGreyJpeg), 0);
  check_samples(fixture, "grey", 1, kGreySamples, HEIGHT, WIDTH);
  tool_remove_folder(NULL);
}

#define REFUSED(data, size, text)                                 \
  do {                                                            \
    assert_int_equal(run_picture("any.onnx", (data), (size)), 1); \
    SAYS(text);                                                   \
  } while (0)

/* 8 x 8 pixels of grey: three components of one block each, with the shortest codes, each in
 * `scans` passes of its own. Gives its bytes. */
static size_t put_scans(unsigned char *to, int scans) {
  static const unsigned char kFrame[] = {0xff, 0xc0, 0, 17, 8, 0, 8, 0,    8, 3,
                                         1,    0x11, 0, 2,  0x11, 0, 3, 0x11, 0};
  size_t at = 0;
  memcpy(to, "\xff\xd8\xff\xdb\0\x43\0", 7);
  memset(to + 7, 1, 64);
  at = 71;
  memcpy(to + at, kFrame, sizeof kFrame);
  at += sizeof kFrame;
  for (int table = 0; table < 2; ++table) {
    memset(to + at, 0, 22);
    memcpy(to + at, "\xff\xc4\0\x14", 4);
    to[at + 4] = (unsigned char)(table << 4);
    to[at + 5] = 1;
    at += 22;
  }
  for (int i = 0; i < 3 * scans; ++i) {
    const unsigned char scan[11] = {0xff, 0xda, 0, 8, 1, (unsigned char)(i % 3 + 1),
                                    0,    0,    63, 0, 0x3f};
    memcpy(to + at, scan, sizeof scan);
    at += sizeof scan;
  }
  memcpy(to + at, "\xff\xd9", 2);
  return at + 2;
}

static void hostile(void **state) {
  Fixture *fixture = *state;
  unsigned char bytes[ROOM], grey[192];
  tool_make_folder(NULL);
  write_models();
  for (size_t size = 3; size < sizeof kColourJpeg; size += size + 8 < sizeof kColourJpeg ? 8 : 1) {
    REFUSED(kColourJpeg, size, "p.jpg is no JPEG that can be read");
  }
  /* A header that claims more pixels than so many bytes can hold, than can be read, and none. */
  size_t frame = 0;
  while (memcmp(kColourJpeg + frame, "\xff\xc0", 2) != 0) ++frame;
  memcpy(bytes, kColourJpeg, sizeof kColourJpeg);
  memcpy(bytes + frame + 5, "\x10\0\x10\0", 4);
  REFUSED(bytes, sizeof kColourJpeg, "p.jpg ends before its last pixel");
  memcpy(bytes + frame + 5, "\xff\xdc\xff\xdc", 4);
  REFUSED(bytes, sizeof kColourJpeg, "p.jpg has 65500 x 65500 pixels");
  memcpy(bytes + frame + 5, "\0\x06\0\0", 4);
  REFUSED(bytes, sizeof kColourJpeg, "p.jpg is no JPEG that can be read");
  REFUSED(kInksJpeg, sizeof kInksJpeg, "p.jpg is a JPEG of 4 channels");
  memcpy(bytes, kColourJpeg, sizeof kColourJpeg);
  bytes[frame + 1] = 0xc9;
  REFUSED(bytes, sizeof kColourJpeg, "p.jpg is a JPEG with arithmetic coding");
  /* Passes. */
  size_t size = put_scans(bytes, 1);
  assert_int_equal(run_picture("any.onnx", bytes, size), 0);
  memset(grey, 128, sizeof grey);
  check_samples(fixture, "passes", 3, grey, 8, 8);
  size = put_scans(bytes, 100);
  REFUSED(bytes, size, "it has more than 100 passes");
  /* Anything may be wrong. */
  for (int i = 0; i < 60; ++i) {
    const int progressive = i % 2;
    size = progressive ? sizeof kProgressiveJpeg : sizeof kColourJpeg;
    memcpy(bytes, progressive ? kProgressiveJpeg : kColourJpeg, size);
    for (int k = 0; k < 3; ++k) {
      bytes[random_in(3, (int64_t)size - 1)] = (unsigned char)random_in(0, 255);
    }
    const int code = run_picture("any.onnx", bytes, size);
    CHECK(code == 0 || code == 1, "exit code %d:\n%s", code, tool_output);
  }
  tool_remove_folder(NULL);
}
#else
static void refused(void **state) {
  (void)state;
  tool_make_folder(NULL);
  write_models();
  assert_int_equal(run_picture("any.onnx", kColourJpeg, sizeof kColourJpeg), 1);
  SAYS("it was built without libjpeg");
  tool_remove_folder(NULL);
}
#endif

int main(void) {
  seed_random("tool_jpeg");
  const struct CMUnitTest tests[] = {
#if NETCL_TOOL_JPEG
      DEVICE_TEST(samples),
      DEVICE_TEST(hostile),
#else
      DEVICE_TEST(refused),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
