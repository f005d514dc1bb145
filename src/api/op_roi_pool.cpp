#include "api/call_op.hpp"
#include "ops/conv2d/roi_pool.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_roi_pool(netcl_tensor* x, netcl_tensor* rois, netcl_tensor* images,
                               netcl_roi_pooling kind, const netcl_roi_pool_options* options,
                               const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto input = pin(x, "x");
    const auto regions = pin(rois, "rois");
    const auto numbers = pin(images, "images");
    const netcl_roi_pool_options checked = read_options(options, "options");
    require_flag(checked.half_pixel, "options->half_pixel");
    require_zero(checked.reserved, "options->reserved");
    ops::RoiPoolSettings settings;
    settings.kind = kind;
    if (checked.bins[0] != 0) settings.rows = checked.bins[0];
    if (checked.bins[1] != 0) settings.columns = checked.bins[1];
    settings.samples = checked.samples;
    if (checked.scale != 0) settings.scale = checked.scale;
    settings.half_pixel = checked.half_pixel != 0;
    call_op<ops::roi_pool>("roi_pool", run, result, *input, *regions, *numbers, settings);
  });
}

}  // extern "C"
