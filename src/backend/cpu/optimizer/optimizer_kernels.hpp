// The formulas of optimisers on packed runs of numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace netcl::cpu {

enum class OptimizerRule : int32_t { sgd, adam, rmsprop, adagrad };

struct OptimizerKind {
  OptimizerRule rule = OptimizerRule::sgd;
  bool nesterov = false;   // sgd
  bool decoupled = false;  // adam: the decay of weights takes no part in the gradient
};

// What the numbers of an optimiser come to in one step.
template <class T>
struct OptimizerFactors {
  T learning_rate = 0;  // with adam's and adagrad's corrections
  T gradient = 1;       // gradients are multiplied by it
  T decay = 0;          // of weights, by the gradient
  T shrink = 1;         // parameters are multiplied by it before all else
  T momentum = 0;
  T kept = 0;   // of the momentum buffer
  T share = 1;  // of the gradient that goes into the first average or the buffer
  T square_kept = 0;
  T square_share = 0;
  T root = 1;  // of the root of squares
  T epsilon = 0;
};

// States: sgd: buffer; adam: average, square average, its maximum; rmsprop: square average, buffer,
// average; adagrad: sum. Null where there is none.
template <class T>
struct OptimizerRun {
  T* parameter;
  const T* gradient;
  T* states[3];
  size_t count;
};

void optimizer_update(OptimizerKind kind, const OptimizerFactors<float>& factors,
                      const OptimizerRun<float>& run);
void optimizer_update(OptimizerKind kind, const OptimizerFactors<double>& factors,
                      const OptimizerRun<double>& run);

}  // namespace netcl::cpu
