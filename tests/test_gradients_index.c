/* Gradients of ops that work with indices, of padding and of resizing. */
#include <math.h>

#include "support_gradients.h"

static int64_t extent(void) { return random_in(1, 5); }

typedef struct Places {
  netcl_tensor* indices;
  int32_t axis;
  int flag;
} Places;

/* Indices below `limit`, from the end too, and some out of range. */
static netcl_tensor* random_indices(Fixture* fixture, uint32_t rank, const int64_t* shape,
                                    int64_t limit) {
  int64_t data[256];
  for (int64_t i = 0; i < product(rank, shape); ++i) data[i] = random_in(-limit, limit);
  return make_tensor(fixture->device, NETCL_I64, rank, shape, data);
}

static netcl_status gather_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Places* places = context;
  return places->flag ? netcl_op_gather_elements(x[0], places->indices, places->axis, run, y)
                      : netcl_op_gather(x[0], places->indices, places->axis, run, y);
}
static netcl_status embedding_call(void* context, netcl_tensor* const* x,
                                   const netcl_run_options* run, netcl_tensor** y) {
  return netcl_op_embedding(x[0], ((Places*)context)->indices, run, y);
}
static netcl_status scatter_call(void* context, netcl_tensor* const* x,
                                 const netcl_run_options* run, netcl_tensor** y) {
  const Places* places = context;
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = places->flag;
  return netcl_op_scatter(x[0], places->indices, x[1], places->axis, &options, run, y);
}

static void gathers(void** state) {
  Fixture* fixture = *state;
  for (int32_t axis = -3; axis < 3; ++axis) {
    const GradientInput input = {3, {extent(), extent(), extent()}, 0, 0, 0, NULL};
    const int64_t limit = input.shape[(axis + 3) % 3];
    for (uint32_t rank = 0; rank < 3; ++rank) {
      const int64_t shape[] = {extent(), extent()};
      Places places = {random_indices(fixture, rank, shape, limit), axis, 0};
      CHECK_GRADIENTS(fixture, "gather", gather_call, &places, &input, 1);
      netcl_tensor_release(places.indices);
    }
    int64_t shape[3];
    for (int d = 0; d < 3; ++d) shape[d] = random_in(1, input.shape[d]);
    Places places = {random_indices(fixture, 3, shape, limit), axis, 1};
    CHECK_GRADIENTS(fixture, "gather_elements", gather_call, &places, &input, 1);
    netcl_tensor_release(places.indices);
  }
  const int64_t tokens[] = {2, 4};
  const GradientInput table = {2, {5, 3}, 0, 0, 0, NULL};
  Places places = {random_indices(fixture, 2, tokens, 5), 0, 0};
  CHECK_GRADIENTS(fixture, "embedding", embedding_call, &places, &table, 1);
  netcl_tensor_release(places.indices);
}

/* Some of the factors are 0, also two that meet. */
static void with_zeros(GradientInput* inputs, double values[2][64]) {
  for (int i = 0; i < 2; ++i) {
    inputs[i].data = values[i];
    for (int64_t k = 0; k < product(2, inputs[i].shape); ++k) {
      values[i][k] = random_in(0, 3) == 0 ? 0 : random_real(-2, 2);
    }
  }
}

static void scatters(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 20; ++form) {
    const int32_t axis = (int32_t)random_in(-2, 1);
    GradientInput inputs[] = {{2, {extent(), extent()}, 0, 0, 0, NULL}, {2, {0, 0}, 0, 0, 0, NULL}};
    for (int d = 0; d < 2; ++d) inputs[1].shape[d] = random_in(1, inputs[0].shape[d]);
    const int along = (axis + 2) % 2;
    inputs[1].shape[along] = random_in(1, 7); /* more than there is room for: some meet */
    Places places = {random_indices(fixture, 2, inputs[1].shape, inputs[0].shape[along]), axis,
                     form % 5};
    double zeros[2][64];
    if (places.flag == NETCL_SCATTER_MUL) with_zeros(inputs, zeros);
    if (places.flag > NETCL_SCATTER_MUL) inputs[0].apart = inputs[1].apart = 1;
    CHECK_GRADIENTS(fixture, "scatter", scatter_call, &places, inputs, 2);
    netcl_tensor_release(places.indices);
  }
}

typedef struct Top {
  int64_t k;
  int32_t axis;
  int smallest, indices;
} Top;
static netcl_status topk_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                              netcl_tensor** y) {
  const Top* top = context;
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  netcl_tensor* indices = NULL;
  options.smallest = (uint32_t)top->smallest;
  const netcl_status status =
      netcl_op_topk(x[0], top->k, top->axis, &options, run, y, top->indices ? &indices : NULL);
  netcl_tensor_release(indices);
  return status;
}

static void tops(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 4; ++form) {
    const int32_t axis = (int32_t)random_in(-2, 1);
    const GradientInput input = {2, {extent(), extent()}, -2, 2, 1, NULL};
    Top top = {random_in(1, input.shape[(axis + 2) % 2]), axis, form % 2, form / 2};
    CHECK_GRADIENTS(fixture, "topk", topk_call, &top, &input, 1);
  }
}

typedef struct Frame {
  int64_t pads[6];
  netcl_pad_mode mode;
} Frame;
static netcl_status pad_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                             netcl_tensor** y) {
  const Frame* frame = context;
  const double value = 3;
  netcl_pad_options options = NETCL_PAD_OPTIONS_INIT;
  options.mode = frame->mode;
  options.value = &value;
  return netcl_op_pad(x[0], frame->pads, 6, &options, run, y);
}

static void pads(void** state) {
  Fixture* fixture = *state;
  for (netcl_pad_mode mode = NETCL_PAD_CONSTANT; mode <= NETCL_PAD_WRAP; ++mode) {
    for (int form = 0; form < 4; ++form) {
      const GradientInput input = {
          3, {random_in(3, 5), random_in(3, 5), random_in(3, 5)}, 0, 0, 0, NULL};
      Frame frame = {{0}, mode};
      for (int i = 0; i < 6; ++i) frame.pads[i] = random_in(form < 2 ? -1 : 0, 6);
      frame.pads[random_in(0, 2)] = 0;
      CHECK_GRADIENTS(fixture, "pad", pad_call, &frame, &input, 1);
    }
  }
}

typedef struct Size {
  int64_t shape[3];
  netcl_resize_options options;
  double scales[3], roi[6];
} Size;
static netcl_status resize_call(void* context, netcl_tensor* const* x, const netcl_run_options* run,
                                netcl_tensor** y) {
  const Size* size = context;
  netcl_resize_options options = size->options;
  options.scales = size->scales;
  options.roi = size->roi;
  return netcl_op_resize(x[0], 3, size->shape, &options, run, y);
}

static void resizes(void** state) {
  Fixture* fixture = *state;
  for (int form = 0; form < 18; ++form) {
    const GradientInput input = {3, {extent(), extent(), extent()}, 0, 0, 0, NULL};
    Size size = {.shape = {input.shape[0], extent() + 2, extent()},
                 .options = NETCL_RESIZE_OPTIONS_INIT};
    netcl_resize_options* const o = &size.options;
    o->mode = form % 3;
    o->coordinates = form / 3;
    o->rounding = (netcl_resize_rounding)random_in(0, 3);
    o->antialias = random_in(0, 1);
    o->exclude_outside = random_in(0, 1);
    o->cubic_coeff = -0.5;
    o->extrapolation_value = 3;
    o->scales_count = random_in(0, 1) ? 3 : 0;
    o->roi_count = random_in(0, 2) ? 6 : 0;
    for (int d = 0; d < 3; ++d) {
      size.scales[d] = d == 0 ? 1 : (double)random_in(3, 14) / 8;
      size.roi[d] = d == 0 ? 0 : -0.125;
      size.roi[3 + d] = d == 2 ? 1.25 : 1;
      if (d == 1 && o->scales_count != 0) size.shape[1] = -1;
    }
    CHECK_GRADIENTS(fixture, "resize", resize_call, &size, &input, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(gathers), DEVICE_TEST(scatters), DEVICE_TEST(tops),
      DEVICE_TEST(pads),    DEVICE_TEST(resizes),
  };
  seed_random("gradients_index");
  return cmocka_run_group_tests_name("gradients_index", tests, NULL, NULL);
}
