// Ops that read images between their elements.
#include <algorithm>

#include "core/number.hpp"
#include "model/op_table.hpp"
#include "model/sampling.hpp"
#include "model/window.hpp"
#include "ops/conv2d/roi_pool.hpp"
#include "ops/matmul/matmul.hpp"

namespace netcl::model {

namespace {

// Coordinates are worked out in f32, or in f64 where they are f64.
netcl_dtype wide_of(const Tensor& tensor) {
  return tensor.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
}

// [N, C, ...] as [N, C, S].
TensorRef as_rows(const Call& call, const TensorRef& x) {
  int64_t rows[3] = {x->layout().shape[0], x->layout().shape[1], 1};
  for (uint32_t d = 2; d < x->layout().rank; ++d) rows[2] *= x->layout().shape[d];
  return call.reshaped(x, rows);
}

// Fails for an image without elements, of which nothing can be made.
void require_image(const Tensor& x) {
  if (!x.empty()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "an image has shape %s, which is no elements",
       shape_text(x).c_str());
}

// The result where it has no elements.
TensorRef nothing(const Call& call, const Tensor& x, const std::vector<int64_t>& shape) {
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return empty ? call.constant(x.dtype(), shape, {}) : nullptr;
}

// ---- Grids -------------------------------------------------------------------------------------

struct GridMode {
  Sampling sampling = Sampling::linear;
  Outside outside = Outside::zeros;
};

GridMode grid_mode_of(const Call& call) {
  const std::string mode = call.text("mode", "linear");
  const std::string padding = call.text("padding_mode", "zeros");
  GridMode made;
  if (mode == "nearest") made.sampling = Sampling::nearest;
  if (mode == "cubic" || mode == "bicubic") made.sampling = Sampling::cubic;
  if (padding == "border") made.outside = Outside::border;
  if (padding == "reflection") made.outside = Outside::reflection;
  return made;
}

std::string refuse_grid(const NodeFacts& node) {
  const std::string mode = node.text("mode", "linear");
  const std::string padding = node.text("padding_mode", "zeros");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear" && mode != "cubic" &&
      mode != "bicubic") {
    return "mode " + shown(mode);
  }
  if (padding != "zeros" && padding != "border" && padding != "reflection") {
    return "padding_mode " + shown(padding);
  }
  return "";
}

void build_grid_sample(Call& call) {
  const TensorRef x = call.tensor(0), grid = call.tensor(1);
  const Layout &from = x->layout(), &to = grid->layout();
  const bool fits = from.rank >= 3 && to.rank == from.rank && to.shape[0] == from.shape[0] &&
                    to.shape[to.rank - 1] == int64_t{from.rank} - 2;
  if (!fits || !is_float(grid->dtype())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a grid of %s of shape %s meets an input of shape %s",
         dtype_facts(grid->dtype()).name, shape_text(to).c_str(), shape_text(from).c_str());
  }
  const GridMode mode = grid_mode_of(call);
  const bool corners = call.integer("align_corners", 0) != 0;
  const uint32_t sides = from.rank - 2;
  std::vector<int64_t> shape = {from.shape[0], from.shape[1]};
  int64_t results = 1;
  for (uint32_t d = 1; d + 1 < to.rank; ++d) {
    shape.push_back(to.shape[d]);
    results *= to.shape[d];
  }
  if (TensorRef empty = nothing(call, *x, shape)) return call.give(std::move(empty));
  require_image(*x);
  const int64_t listed[4] = {from.shape[0], 1, results, sides};
  const int64_t plane[3] = {from.shape[0], 1, results};
  const TensorRef list = call.reshaped(grid, listed);
  std::vector<Taps> axes;
  int64_t stride = 1;
  for (uint32_t side = 0; side < sides; ++side) {
    // The first number of a grid belongs to the last side.
    const int64_t extent = from.shape[from.rank - 1 - side];
    const TensorRef given =
        call.cast(call.reshaped(graph::part_of(*list, 3, side, 1), plane), wide_of(*grid));
    const std::string text =
        corners ? "(v0 + 1.0) / 2.0 * " + graph::literal(double(extent - 1))
                : "((v0 + 1.0) * " + graph::literal(double(extent)) + " - 1.0) / 2.0";
    axes.push_back(taps_at(call, call.formula(text, {given}), {extent, stride, corners},
                           mode.sampling, mode.outside));
    stride *= extent;
  }
  const TensorRef made = sampled_at(call, as_rows(call, x), axes);
  call.give(call.reshaped(call.cast(made, x->dtype()), shape));
}

// Where the centres of elements, or of the outermost ones, lie between -1 and 1.
std::vector<double> base_coordinates(int64_t count, bool corners) {
  std::vector<double> places = counting(count);
  const double n = static_cast<double>(count);
  for (double& place : places) {
    if (corners) {
      place = count == 1 ? 0 : 2 * place / (n - 1) - 1;
    } else {
      place = (2 * place + 1) / n - 1;
    }
  }
  return places;
}

void build_affine_grid(Call& call) {
  const TensorRef theta = call.tensor(0);
  const std::vector<int64_t> size = call.numbers(1);
  const Layout& from = theta->layout();
  const int64_t sides = static_cast<int64_t>(size.size()) - 2;
  if ((sides != 2 && sides != 3) || from.rank != 3 || from.shape[0] != size[0] ||
      from.shape[1] != sides || from.shape[2] != sides + 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "theta of shape %s and size %s make no grid",
         shape_text(from).c_str(),
         shape_text(static_cast<uint32_t>(size.size()), size.data()).c_str());
  }
  const bool corners = call.integer("align_corners", 0) != 0;
  const uint32_t rank = static_cast<uint32_t>(sides) + 2;
  std::vector<int64_t> column(rank, 1);
  column[0] = from.shape[0];
  column[rank - 1] = sides;
  const auto part = [&](int64_t j) {
    return call.reshaped(graph::part_of(*theta, 2, j, 1), column);
  };
  TensorRef made = part(sides);
  for (int64_t side = 0; side < sides; ++side) {
    const uint32_t axis = rank - 2 - static_cast<uint32_t>(side);
    const TensorRef base =
        numbers_along(call, rank, axis, theta->dtype(), base_coordinates(size[axis + 1], corners));
    made = call.formula("v0 + v1 * v2", {made, part(side), base}, theta->dtype());
  }
  call.give(made);
}

// ---- Regions -----------------------------------------------------------------------------------

void require_between(const char* name, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is %lld to %lld", name,
       static_cast<long long>(value), static_cast<long long>(least), static_cast<long long>(most));
}

// What both ops have in common: x, regions [R, 4] in f32 or f64, and the images that they are of.
void give_regions(Call& call, const TensorRef& rois, const TensorRef& images,
                  const ops::RoiPoolSettings& settings) {
  require_between("sampling_ratio", settings.samples, 0, ops::kRoiSamplesMost);
  require_between("the height of the result", settings.rows, 1, 1 << 16);
  require_between("the width of the result", settings.columns, 1, 1 << 16);
  const TensorRef x = call.tensor(0);
  const int64_t line[1] = {images->element_count()};
  const netcl_dtype index = images->dtype() == NETCL_I32 ? NETCL_I32 : NETCL_I64;
  const TensorRef numbers = call.reshaped(call.cast(images, index), line);
  call.give(call.made<ops::roi_pool>("roi_pool", *x, *call.cast(rois, wide_of(*rois)), *numbers,
                                     settings));
}

void build_roi_align(Call& call) {
  ops::RoiPoolSettings settings;
  const bool largest = call.text("mode", "avg") == "max";
  settings.kind = largest ? NETCL_ROI_POOLING_MAX_SAMPLE : NETCL_ROI_POOLING_AVERAGE;
  settings.rows = call.integer("output_height", 1);
  settings.columns = call.integer("output_width", 1);
  settings.samples = call.integer("sampling_ratio", 0);
  settings.scale = call.real("spatial_scale", 1.0);
  settings.half_pixel =
      call.text("coordinate_transformation_mode",
                call.opset() < 16 ? "output_half_pixel" : "half_pixel") == "half_pixel";
  give_regions(call, call.tensor(1), call.tensor(2), settings);
}

std::string refuse_roi_align(const NodeFacts& node) {
  const std::string mode = node.text("mode", "avg");
  if (mode != "avg" && mode != "max") return "mode " + shown(mode);
  const std::string how = node.text("coordinate_transformation_mode", "half_pixel");
  if (how == "half_pixel" || how == "output_half_pixel") return "";
  return "coordinate_transformation_mode " + shown(how);
}

// Regions have the number of their image before their ends.
void build_max_roi_pool(Call& call) {
  const TensorRef rois = call.tensor(1);
  const std::vector<int64_t> shape = call.integers("pooled_shape");
  if (shape.size() != 2 || rois->layout().rank != 2 || rois->layout().shape[1] != 5) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "rois of shape %s and a pooled_shape of %zu numbers",
         shape_text(*rois).c_str(), shape.size());
  }
  ops::RoiPoolSettings settings;
  settings.kind = NETCL_ROI_POOLING_MAX;
  settings.rows = shape[0];
  settings.columns = shape[1];
  settings.scale = call.real("spatial_scale", 1.0);
  give_regions(call, graph::part_of(*rois, 1, 1, 4), graph::part_of(*rois, 1, 0, 1), settings);
}

// ---- Deformed windows --------------------------------------------------------------------------

struct Deformed {
  Window window;
  int64_t groups = 1;         // of channels and filters
  int64_t offset_groups = 1;  // of channels that share offsets
  int64_t results[2] = {1, 1};
};

Deformed deformed_of(const Call& call, const Tensor& x, const Tensor& w, const Tensor& offsets) {
  const Layout &from = x.layout(), &filters = w.layout(), &moves = offsets.layout();
  Deformed made;
  made.groups = call.integer("group", 1);
  made.offset_groups = call.integer("offset_group", 1);
  bool fits = from.rank == 4 && filters.rank == 4 && moves.rank == 4 && made.groups >= 1 &&
              made.offset_groups >= 1 && from.shape[1] == filters.shape[1] * made.groups &&
              filters.shape[0] % made.groups == 0 && from.shape[1] % made.offset_groups == 0 &&
              moves.shape[0] == from.shape[0] &&
              moves.shape[1] == made.offset_groups * 2 * filters.shape[2] * filters.shape[3];
  if (fits) {
    const std::vector<int64_t> kernel = {filters.shape[2], filters.shape[3]};
    made.window = window_of(call, x, kernel);
    for (size_t side = 0; side < 2; ++side) {
      const int64_t room = from.shape[2 + side] + made.window.padding[side] +
                           made.window.padding[2 + side] - made.window.reach(side);
      made.results[side] = room < 0 ? -1 : room / made.window.strides[side] + 1;
      fits = fits && made.results[side] == moves.shape[2 + side];
    }
  }
  if (fits) return made;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "an image of shape %s, filters of shape %s and offsets of shape %s do not fit each other",
       shape_text(from).c_str(), shape_text(filters).c_str(), shape_text(moves).c_str());
}

// Coordinates along one side, [N offset_groups, K, OH, OW]: those of the window and the offsets.
TensorRef deformed_places(const Call& call, const TensorRef& offsets, const Deformed& deformed,
                          uint32_t side, netcl_dtype wide) {
  const Window& window = deformed.window;
  const std::array<int64_t, 2>& kernel = window.kernel;
  std::vector<double> taps, results = counting(deformed.results[side]);
  for (int64_t k = 0; k < kernel[0] * kernel[1]; ++k) {
    const int64_t at = side == 0 ? k / kernel[1] : k % kernel[1];
    taps.push_back(static_cast<double>(at * window.dilations[side] - window.padding[side]));
  }
  for (double& result : results) result *= static_cast<double>(window.strides[side]);
  const TensorRef moves = call.cast(graph::part_of(*offsets, 2, side, 1), wide);
  return call.formula("v0 + v1 + v2", {moves, numbers_along(call, 5, 1, wide, taps),
                                       numbers_along(call, 5, 3 + side, wide, results)});
}

void build_deform_conv(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1), offsets = call.tensor(2);
  const Deformed deformed = deformed_of(call, *x, *w, *offsets);
  const auto &from = x->layout().shape, &filters = w->layout().shape;
  const std::vector<int64_t> shape = {from[0], filters[0], deformed.results[0],
                                      deformed.results[1]};
  if (TensorRef empty = nothing(call, *x, shape)) return call.give(std::move(empty));
  require_image(*x);
  const int64_t stack = from[0] * deformed.offset_groups, taps = filters[2] * filters[3];
  const int64_t results = deformed.results[0] * deformed.results[1];
  const int64_t listed[5] = {stack, taps, 2, deformed.results[0], deformed.results[1]};
  const int64_t flat[3] = {stack, 1, taps * results};
  const TensorRef moves = call.reshaped(offsets, listed);
  std::vector<Taps> axes;
  for (uint32_t side = 0; side < 2; ++side) {
    const TensorRef places = deformed_places(call, moves, deformed, side, wide_of(*x));
    const SampledAxis axis = {from[2 + side], side == 0 ? from[3] : 1, false};
    axes.push_back(
        taps_at(call, call.reshaped(places, flat), axis, Sampling::linear, Outside::zeros));
  }
  const int64_t planes[3] = {stack, from[1] / deformed.offset_groups, from[2] * from[3]};
  TensorRef samples = sampled_at(call, call.reshaped(x, planes), axes);
  if (const TensorRef mask = call.optional(4)) {
    samples = call.formula("v0 * v1", {samples, call.reshaped(mask, flat)}, samples->dtype());
  }
  // A product of matrices for each image and group.
  const int64_t depth = filters[1] * taps, each = filters[0] / deformed.groups;
  const int64_t right[4] = {from[0], deformed.groups, depth, results};
  const int64_t left[4] = {1, deformed.groups, each, depth};
  const TensorRef wide = call.cast(call.reshaped(w, left), samples->dtype());
  const TensorRef made = call.made<ops::matmul>("matmul", *wide, *call.reshaped(samples, right),
                                                ops::MatmulParameters{});
  TensorRef image = call.reshaped(made, shape);
  if (const TensorRef bias = call.optional(3)) {
    const int64_t column[4] = {1, filters[0], 1, 1};
    image = call.formula("v0 + v1", {image, call.reshaped(bias, column)}, image->dtype());
  }
  call.give(call.cast(image, x->dtype()));
}

constexpr OpRow kSampleRows[] = {
    {"AffineGrid", "align_corners", build_affine_grid, "1"},
    {"DeformConv", "dilations group kernel_shape offset_group pads strides", build_deform_conv},
    {"GridSample", "align_corners mode padding_mode", build_grid_sample, "", refuse_grid},
    {"MaxRoiPool", "pooled_shape spatial_scale", build_max_roi_pool},
    {"RoiAlign",
     "coordinate_transformation_mode mode output_height output_width sampling_ratio spatial_scale",
     build_roi_align, "", refuse_roi_align},
};

}  // namespace

std::span<const OpRow> sample_rows() { return kSampleRows; }

}  // namespace netcl::model
