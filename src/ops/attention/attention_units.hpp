// Attention by matrix units: which calls, and their launches.
#pragma once

#include <optional>

#include "ops/attention/attention.hpp"
#include "ops/attention/attention_text.hpp"

namespace netcl::ops {

// The kernel for a call; none where the portable ones take it.
std::optional<AttentionUnits> attention_units(const AttentionCall& call, const Run& run);

// Whether a key that is not seen can stand beside one that is: then the results may have to be made
// again, where its value is not finite.
inline bool has_window(const cpu::AttentionShape& shape) {
  return shape.before >= 0 || shape.after >= 0;
}

// Launches it. What it returns is its scratch, in which it says whether the results are to be made
// again (kAttentionScratchOdd).
BufferRef launch_attention_units(const AttentionUnits& kernel, const AttentionCall& call,
                                 const Run& run);

}  // namespace netcl::ops
