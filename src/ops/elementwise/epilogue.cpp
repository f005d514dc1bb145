#include "ops/elementwise/epilogue.hpp"

#include "core/error.hpp"
#include "ops/elementwise/elementwise_op.hpp"

namespace netcl::ops {

void set_activation_defaults(netcl_activation activation, bool given, const char* argument,
                             double* alpha, double* beta) {
  if (given || *alpha != 0.0 || *beta != 0.0) return;
  netcl_elementwise op = 0;
  switch (activation) {
    case NETCL_ACTIVATION_LEAKY_RELU:
      op = NETCL_ELEMENTWISE_LEAKY_RELU;
      break;
    case NETCL_ACTIVATION_ELU:
      op = NETCL_ELEMENTWISE_ELU;
      break;
    case NETCL_ACTIVATION_HARD_SIGMOID:
      op = NETCL_ELEMENTWISE_HARD_SIGMOID;
      break;
    case NETCL_ACTIVATION_CLIP:
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s->alpha and %s->beta are 0 and %s->has_parameters too; clipping takes its bounds "
           "from them",
           argument, argument, argument);
    default:
      return;
  }
  const ElementwiseParameters defaults = elementwise_defaults(op);
  *alpha = defaults.alpha;
  *beta = defaults.beta;
}

}  // namespace netcl::ops
