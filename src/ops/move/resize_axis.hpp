// What resizing does along one axis: where results lie in the source, and what they are made of.
#pragma once

#include <vector>

#include "ops/move/resize.hpp"

namespace netcl::ops {

struct ResizeAxis {
  int64_t in = 0;  // extents of the source and of the result
  int64_t out = 0;
  double scale = 1;
  bool exact = true;  // the scale is out / in
  double start = 0;   // of the region, as parts of in - 1
  double end = 1;
};

// Each result is a sum of elements that stand beside each other, with weights.
struct ResizeFilter {
  // As kernels read it.
  struct Sum {
    int64_t first;  // element of the source
    int64_t begin;  // in the list of weights
    int64_t count;
  };
  std::vector<Sum> sums;
  std::vector<double> weights;
};

// The results that lie inside of the source.
struct ResizeRange {
  int64_t first = 0;
  int64_t count = 0;
};

// An axis of x whose result has `extent` elements; -1: as many as the scale says.
ResizeAxis resize_axis(const ResizeSettings& settings, uint32_t d, int64_t in, int64_t extent);
// True when every element stays where it is.
bool resize_keeps(const ResizeSettings& settings, const ResizeAxis& axis);
// Where result i lies among the elements.
double resize_coordinate(const ResizeSettings& settings, const ResizeAxis& axis, int64_t i);
// The element that NEAREST takes for a coordinate.
int64_t resize_nearest(const ResizeSettings& settings, const ResizeAxis& axis, double coordinate);
ResizeRange resize_range(const ResizeSettings& settings, const ResizeAxis& axis);
// Of LINEAR or CUBIC, for these results of an axis that has elements.
ResizeFilter resize_filter(const ResizeSettings& settings, const ResizeAxis& axis,
                           const ResizeRange& range);

}  // namespace netcl::ops
