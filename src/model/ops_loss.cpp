// Losses.
#include "model/op_table.hpp"
#include "ops/rows/cross_entropy.hpp"
#include "ops/rows/softmax.hpp"

namespace netcl::model {

namespace {

void build_loss(Call& call) {
  const TensorRef x = call.tensor(0);
  const bool logarithms = call.op() == "NegativeLogLikelihoodLoss";
  const std::string reduction = call.text("reduction", "mean");
  ops::LossSettings settings;
  settings.weights = call.optional(2);
  settings.ignores = call.find("ignore_index") != nullptr;
  settings.ignored = call.integer("ignore_index", 0);
  settings.reduction = reduction == "none"  ? NETCL_LOSS_NONE
                       : reduction == "sum" ? NETCL_LOSS_SUM
                                            : NETCL_LOSS_MEAN;
  call.give(call.made<ops::cross_entropy>("cross_entropy", *x, *call.tensor(1), int32_t{1},
                                          logarithms, settings));
  if (call.wants(1)) call.give(1, call.made<ops::softmax>("log_softmax", *x, int32_t{1}, true));
}

constexpr OpRow kLossRows[] = {
    {"NegativeLogLikelihoodLoss", "ignore_index reduction", build_loss},
    {"SoftmaxCrossEntropyLoss", "ignore_index reduction", build_loss},
};

}  // namespace

std::span<const OpRow> loss_rows() { return kLossRows; }

}  // namespace netcl::model
