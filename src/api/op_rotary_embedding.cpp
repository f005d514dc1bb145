#include "api/call_op.hpp"
#include "ops/attention/rotary_embedding.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_rotary_embedding(netcl_tensor* x, netcl_tensor* cos_cache,
                                       netcl_tensor* sin_cache,
                                       const netcl_rotary_embedding_options* options,
                                       const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto heads = pin(x, "x");
    const auto cosines = pin(cos_cache, "cos_cache");
    const auto sines = pin(sin_cache, "sin_cache");
    const netcl_rotary_embedding_options checked = read_options(options, "options");
    require_flag(checked.interleaved, "options->interleaved");
    require_flag(checked.inverse, "options->inverse");
    ops::RotarySettings settings;
    settings.position_ids = optional_tensor(checked.position_ids, "options->position_ids");
    settings.heads = checked.num_heads;
    settings.rotated = checked.rotary_embedding_dim;
    settings.interleaved = checked.interleaved != 0;
    settings.inverse = checked.inverse != 0;
    call_op<ops::rotary_embedding>("rotary_embedding", run, result, *heads, *cosines, *sines,
                                   settings);
  });
}

}  // extern "C"
