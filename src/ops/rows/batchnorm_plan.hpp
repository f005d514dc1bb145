// A batch normalisation after its arguments were checked: what both kinds of devices work from.
#pragma once

#include "ops/rows/batchnorm.hpp"
#include "ops/rows/norm_rows.hpp"

namespace netcl::ops {

// One value per channel, spread from the tensor that holds them.
struct ChannelValues {
  const Tensor* tensor = nullptr;
  int64_t at = 0;
  int64_t step = 0;
};

struct BatchnormPlan {
  const Tensor& x;
  const BatchnormSettings& settings;
  const Tensor* y = nullptr;
  ChannelValues mean{};
  ChannelValues variance{};
  ChannelValues scale{};
  ChannelValues bias{};
  int64_t channels = 0;
  int64_t positions = 0;  // elements per channel
  // The positions; with `plane` they are the beginnings of runs of `length` elements, else `length`
  // is 1 and channels may be neighbours.
  Layout x_outer{};
  Layout y_outer{};
  int64_t x_step = 0;  // between channels
  int64_t y_step = 0;
  int64_t length = 1;
  bool plane = false;
  bool fused = false;

  int64_t planes() const { return positions / length; }
  bool activates() const { return settings.activation != NETCL_ACTIVATION_NONE; }
};

void batchnorm_natively(const BatchnormPlan& plan, const Run& run);
void batchnorm_on_device(const BatchnormPlan& plan, const Run& run);

}  // namespace netcl::ops
