// What the convolutions for CPUs share.
#pragma once

#include "ops/conv2d/conv2d_cl.hpp"

namespace netcl::ops::conv2d_cl {

// The register tile: `rows` filters by three vectors of `width` elements.
struct Tile {
  int64_t width;
  int64_t rows;
};

Tile tile_of(const Job& job);
std::string cpu_flags(const Job& job, bool epilogue);

}  // namespace netcl::ops::conv2d_cl
