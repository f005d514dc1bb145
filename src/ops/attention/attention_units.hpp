// Attention by matrix units: which calls, and their launches.
#pragma once

#include <optional>

#include "core/integer.hpp"
#include "ops/attention/attention.hpp"
#include "ops/attention/attention_text.hpp"

namespace netcl::ops {

// A kernel with its sizes.
struct UnitsPlan {
  AttentionUnits kernel;
  int64_t sets;       // of heads, of all sequences
  int64_t tile_rows;  // rows of a tile, of each head of a set
  int64_t chunks;     // of keys
  int64_t chunk_blocks;

  int64_t tiles(int64_t rows) const { return ceil_div(rows, tile_rows); }
};
// By the rule alone, for a device with so many compute units; none where portable kernels take the
// call.
std::optional<UnitsPlan> plan_units(const cpu::AttentionShape& shape, int64_t units);
// For an open device, which has to have matrix units and to build the kernels. `request` is
// options->variant: UNSUPPORTED with the reason for units that cannot take the call,
// INVALID_ARGUMENT for a variant of another op.
std::optional<UnitsPlan> choose_units(const cpu::AttentionShape& shape, netcl_variant request,
                                      const Run& run);

// Whether a key that is not seen can stand beside one that is: then the results may have to be made
// again, where its value is not finite.
bool may_be_odd(const cpu::AttentionShape& shape);

// Launches it and returns its scratch, in which it says whether the results are to be made again
// (kAttentionScratchOdd). `partial` takes the sums of a kernel that joins.
BufferRef launch_units(const UnitsPlan& plan, const AttentionCall& call, const Buffer* partial,
                       const Run& run);

// The OpenCL part, by matrix units where there is a plan.
void launch_attention(const AttentionCall& call, const std::optional<UnitsPlan>& units,
                      const Run& run);

}  // namespace netcl::ops
