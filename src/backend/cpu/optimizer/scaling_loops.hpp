// Norms, scales and checks of the gradients of a group by the built-in loops. Entries have one
// operand.
#pragma once

#include "backend/cpu/optimizer/group_loops.hpp"

namespace netcl::cpu {

// Multiplies the group by min(1, max_norm / (norm + 1e-6)) and gives its norm.
double clip_by_norm(const std::vector<GroupEntry>& entries, double max_norm, void* const* memory,
                    ThreadPool& threads);

// True when an element is infinite or NaN. With a scale all elements are multiplied by 1 / scale.
bool unscale(const std::vector<GroupEntry>& entries, const float* scale, void* const* memory,
             ThreadPool& threads);

struct LossScaleRule {
  double growth_factor = 2;
  double backoff_factor = 0.5;
  int64_t growth_interval = 2000;
};
void update_loss_scale(const LossScaleRule& rule, float found_inf, float* scale, int64_t* tracker);

}  // namespace netcl::cpu
