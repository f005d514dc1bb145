/* Convolutions of models over one, two and three dimensions, and transposed ones, with every
 * attribute, against sums in double precision. */
#include <math.h>
#include <stdio.h>

#include "support_graph.h"
#include "support_onnx.h"

enum { SIDES = 3, ELEMENTS = 4096 };

/* Sides that are not there have the extent 1. */
typedef struct Case {
  int sides, transposed;
  int64_t batch, channels, filters, groups;
  int64_t image[SIDES], kernel[SIDES], stride[SIDES], dilation[SIDES];
  int64_t before[SIDES], after[SIDES], result[SIDES];
} Case;

static int64_t volume(const int64_t *sides) { return sides[0] * sides[1] * sides[2]; }

static Case random_case(void) {
  Case c = {0};
  c.sides = (int)random_in(1, 3);
  c.transposed = random_in(0, 2) == 0;
  c.batch = random_in(1, 2);
  c.groups = random_in(1, 2);
  c.channels = c.groups * random_in(1, 2);
  c.filters = c.groups * random_in(1, 3);
  for (int d = 0; d < SIDES; ++d) {
    const int there = d >= SIDES - c.sides;
    c.kernel[d] = there ? random_in(1, 3) : 1;
    c.stride[d] = there ? random_in(1, 3) : 1;
    c.dilation[d] = there ? random_in(1, 2) : 1;
    const int64_t reach = (c.kernel[d] - 1) * c.dilation[d] + 1;
    c.image[d] = there ? random_in(reach, reach + 3) : 1;
    c.before[d] = there ? random_in(0, reach - 1) : 0;
    c.after[d] = there ? random_in(0, reach - 1) : 0;
    const int64_t whole = (c.image[d] - 1) * c.stride[d] + reach;
    if (c.transposed) {
      while (whole - c.before[d] - c.after[d] < 1) c.before[d] = c.after[d] = 0;
      c.result[d] = whole - c.before[d] - c.after[d];
    } else {
      c.result[d] = (c.image[d] + c.before[d] + c.after[d] - reach) / c.stride[d] + 1;
    }
  }
  return c;
}

/* Place (d, h, w) of an index among sides. */
static void place_of(int64_t index, const int64_t *sides, int64_t *place) {
  for (int d = SIDES - 1; d >= 0; --d) {
    place[d] = index % sides[d];
    index /= sides[d];
  }
}

/* Adds x w to each result that they meet in: a convolution goes from results to the image, a
 * transposed one from the image to results, by the same places. */
static void reference(const Case *c, const float *x, const float *w, double *y) {
  const int64_t *wide = c->transposed ? c->result : c->image;
  const int64_t *narrow = c->transposed ? c->image : c->result;
  const int64_t inner = c->channels / c->groups, outer = c->filters / c->groups;
  for (int64_t i = 0; i < c->batch * c->filters * volume(c->result); ++i) y[i] = 0;
  for (int64_t n = 0; n < c->batch; ++n) {
    for (int64_t f = 0; f < c->filters; ++f) {
      for (int64_t k = 0; k < inner; ++k) {
        const int64_t channel = f / outer * inner + k;
        for (int64_t at = 0; at < volume(narrow); ++at) {
          for (int64_t tap = 0; tap < volume(c->kernel); ++tap) {
            int64_t from[SIDES], shift[SIDES], to = 0, inside = 1;
            place_of(at, narrow, from);
            place_of(tap, c->kernel, shift);
            for (int d = 0; d < SIDES; ++d) {
              const int64_t p = from[d] * c->stride[d] + shift[d] * c->dilation[d] - c->before[d];
              inside = inside && p >= 0 && p < wide[d];
              to = to * wide[d] + p;
            }
            if (!inside) continue;
            const int64_t weight = c->transposed
                                       ? (channel * outer + f % outer) * volume(c->kernel) + tap
                                       : (f * inner + k) * volume(c->kernel) + tap;
            const int64_t image = c->transposed ? at : to, result = c->transposed ? to : at;
            y[(n * c->filters + f) * volume(c->result) + result] +=
                (double)x[(n * c->channels + channel) * volume(c->image) + image] *
                (double)w[weight];
          }
        }
      }
    }
  }
}

static void append_list(char *text, const char *name, const Case *c, const int64_t *first,
                        const int64_t *second) {
  char *end = text + strlen(text);
  end += sprintf(end, " %s=", name);
  for (int k = 0; k < (second == NULL ? 1 : 2); ++k) {
    for (int d = SIDES - c->sides; d < SIDES; ++d) {
      end += sprintf(end, "%c%d", k == 0 && d == SIDES - c->sides ? '[' : ',',
                     (int)(k == 0 ? first : second)[d]);
    }
  }
  sprintf(end, "]");
}

static netcl_tensor *tensor_of(Fixture *fixture, const Case *c, int64_t first, int64_t second,
                               const int64_t *sides, float *values) {
  int64_t shape[2 + SIDES] = {first, second};
  for (int d = 0; d < c->sides; ++d) shape[2 + d] = sides[SIDES - c->sides + d];
  const int64_t count = product((uint32_t)(2 + c->sides), shape);
  assert_true(count <= ELEMENTS);
  for (int64_t i = 0; i < count; ++i) values[i] = (float)random_real(-1, 1);
  return make_tensor(fixture->device, NETCL_F32, (uint32_t)(2 + c->sides), shape, values);
}

static void check_case(Fixture *fixture, const Case *c) {
  static float x[ELEMENTS], w[ELEMENTS];
  static double wanted[64 * ELEMENTS];
  char attributes[512] = "";
  sprintf(attributes, "group=%d", (int)c->groups);
  append_list(attributes, "strides", c, c->stride, NULL);
  append_list(attributes, "dilations", c, c->dilation, NULL);
  append_list(attributes, "pads", c, c->before, c->after);
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_input(&graph, "w", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_node(&graph, c->transposed ? "ConvTranspose" : "Conv", "c", "x w", "y", attributes);
  netcl_model *model = onnx_load(fixture, &graph, 13);
  netcl_tensor *const inputs[2] = {
      tensor_of(fixture, c, c->batch, c->channels, c->image, x),
      c->transposed ? tensor_of(fixture, c, c->channels, c->filters / c->groups, c->kernel, w)
                    : tensor_of(fixture, c, c->filters, c->channels / c->groups, c->kernel, w)};
  netcl_tensor *output = onnx_run(model, inputs, 2);
  const netcl_tensor_info info = tensor_info(output);
  assert_int_equal(info.rank, 2 + c->sides);
  assert_int_equal(info.shape[0], c->batch);
  assert_int_equal(info.shape[1], c->filters);
  for (int d = 0; d < c->sides; ++d) {
    assert_int_equal(info.shape[2 + d], c->result[SIDES - c->sides + d]);
  }
  reference(c, x, w, wanted);
  float *got = read_tensor(output);
  for (int64_t i = 0; i < info.element_count; ++i) {
    CHECK(fabs((double)got[i] - wanted[i]) < 1e-4, "%d sides, transposed %d, %s: element %d is %g, "
          "expected %g", c->sides, c->transposed, attributes, (int)i, (double)got[i], wanted[i]);
  }
  free(got);
  RELEASE(inputs[0], inputs[1], output);
  netcl_model_release(model);
}

static void convolutions(void **state) {
  Fixture *fixture = *state;
  for (int i = 0; i < sanitized_rounds(120); ++i) {
    const Case c = random_case();
    check_case(fixture, &c);
  }
}

/* A sequence in two pieces, of which the second sees the end of the first. */
static void causal(void **state) {
  Fixture *fixture = *state;
  enum { CHANNELS = 2, LENGTH = 7, TAPS = 4, FIRST = 2 };
  float x[CHANNELS][LENGTH], w[CHANNELS][TAPS], piece[CHANNELS * LENGTH];
  float past[CHANNELS * (TAPS - 1)] = {0};
  const int64_t w_shape[3] = {CHANNELS, 1, TAPS}, past_shape[3] = {1, CHANNELS, TAPS - 1};
  for (int c = 0; c < CHANNELS; ++c) {
    for (int i = 0; i < LENGTH; ++i) x[c][i] = (float)random_in(-3, 3);
    for (int i = 0; i < TAPS; ++i) w[c][i] = (float)random_in(-3, 3);
  }
  OnnxBytes graph = {0};
  onnx_input(&graph, "x", NETCL_F32, NULL);
  onnx_input(&graph, "p", NETCL_F32, NULL);
  onnx_output(&graph, "y", NETCL_F32, NULL);
  onnx_output(&graph, "q", NETCL_F32, NULL);
  onnx_weight(&graph, "w", NETCL_F32, 3, w_shape, w);
  onnx_node(&graph, "CausalConvWithState", "c", "x w - p", "y q", NULL);
  netcl_model *model = onnx_load(fixture, &graph, 27);
  for (int from = 0; from < LENGTH; from += from == 0 ? FIRST : LENGTH) {
    const int count = from == 0 ? FIRST : LENGTH - FIRST;
    const int64_t shape[3] = {1, CHANNELS, count};
    netcl_tensor *inputs[2], *outputs[2];
    uint32_t made = 0;
    for (int k = 0; k < CHANNELS * count; ++k) piece[k] = x[k / count][from + k % count];
    inputs[0] = make_tensor(fixture->device, NETCL_F32, 3, shape, piece);
    inputs[1] = make_tensor(fixture->device, NETCL_F32, 3, past_shape, past);
    OK(netcl_model_evaluate(model, inputs, 2, NULL, outputs, 2, &made));
    float *y = read_tensor(outputs[0]), *present = read_tensor(outputs[1]);
    for (int k = 0; k < CHANNELS * count; ++k) {
      float wanted = 0;
      for (int t = 0; t < TAPS; ++t) {
        const int at = from + k % count - (TAPS - 1) + t;
        if (at >= 0) wanted += x[k / count][at] * w[k / count][t];
      }
      CHECK(y[k] == wanted, "piece from %d: element %d is %g, expected %g", from, k, (double)y[k],
            (double)wanted);
    }
    memcpy(past, present, sizeof past);
    free(y);
    free(present);
    RELEASE(inputs[0], inputs[1], outputs[0], outputs[1]);
  }
  netcl_model_release(model);
}

int main(void) {
  seed_random("model_conv");
  const struct CMUnitTest tests[] = {DEVICE_TEST(convolutions), DEVICE_TEST(causal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
