// What resizing does along one axis, as ONNX Resize 19 says.
#pragma once

#include <string>
#include <vector>

#include "model/node_facts.hpp"

namespace netcl::model {

struct ResizeMode {
  std::string mode;         // nearest, linear, cubic
  std::string coordinates;  // half_pixel, ...
  std::string nearest;      // round_prefer_floor, ...
  double cubic_a = -0.75;
  double outside = 0;  // the value of what lies outside with tf_crop_and_resize
  bool exclude_outside = false;
  bool antialias = false;
};

struct ResizeAxis {
  int64_t from = 0;  // extents
  int64_t to = 0;
  double scale = 1;
  double start = 0;  // of the region of interest, as parts of the extent
  double end = 1;
};

// Each result is a sum of elements with weights: tap t of result i is element places[t][i].
struct ResizeTaps {
  std::vector<std::vector<double>> places;
  std::vector<std::vector<double>> weights;
  std::vector<double> inside;  // 0 where a result is outside of the axis; none: all are inside
};

// Where result i lies among the elements.
double resize_coordinate(const ResizeMode& mode, const ResizeAxis& axis, int64_t i);
ResizeTaps resize_taps(const ResizeMode& mode, const ResizeAxis& axis);

}  // namespace netcl::model
