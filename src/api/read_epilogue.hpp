// Reads the options of an epilogue.
#pragma once

#include "api/call_op.hpp"
#include "ops/elementwise/epilogue.hpp"

namespace netcl::api {

inline ops::Epilogue read_epilogue(const netcl_epilogue* given) {
  const netcl_epilogue checked = read_options(given, "options->epilogue");
  require_zero(checked.reserved, "options->epilogue->reserved");
  if (checked.activation < NETCL_ACTIVATION_NONE || checked.activation > NETCL_ACTIVATION_CLIP) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->epilogue->activation is %d; it is 0 to %d",
         checked.activation, NETCL_ACTIVATION_CLIP);
  }
  ops::Epilogue epilogue{optional_tensor(checked.bias, "options->epilogue->bias"),
                         optional_tensor(checked.residual, "options->epilogue->residual"),
                         checked.activation, checked.alpha, checked.beta};
  ops::set_activation_defaults(epilogue.activation, "options->epilogue", &epilogue.alpha,
                               &epilogue.beta);
  return epilogue;
}

}  // namespace netcl::api
