// Gradients that a capture gives to a reducer in each run.
#pragma once

#include <vector>

#include "group/reducer.hpp"
#include "tensor/tensor.hpp"

namespace netcl::graph {

struct GradientReduction {
  struct Gradient {
    TensorRef tensor;
    size_t behind;  // calls from this number on do not work with it
  };
  group::ReducerRef reducer;        // null: none
  std::vector<Gradient> gradients;  // in the order in which they are given
};

}  // namespace netcl::graph
