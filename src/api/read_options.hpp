// Reads members that the options of several ops have.
#pragma once

#include <cmath>

#include "api/call_op.hpp"
#include "ops/elementwise/epilogue.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::api {

// The epsilon of a normalisation; `options` is the struct it stands in.
template <class Options>
double read_epsilon(const Options& given, const char* options) {
  require_flag(given.has_epsilon, "has_epsilon", options);
  if (!(given.epsilon >= 0.0) || !std::isfinite(given.epsilon)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->epsilon is %g; it is a finite number from 0 on",
         options, given.epsilon);
  }
  return given.epsilon == 0.0 && given.has_epsilon == 0 ? 1e-5 : given.epsilon;
}

// An activation with its parameters, as members of `target`.
template <class Options, class Target>
void read_activation(const Options& given, const char* options, Target* target) {
  require_flag(given.has_parameters, "has_parameters", options);
  if (given.activation < NETCL_ACTIVATION_NONE || given.activation > NETCL_ACTIVATION_CLIP) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s->activation is %d; it is 0 to %d", options,
         given.activation, NETCL_ACTIVATION_CLIP);
  }
  target->activation = given.activation;
  target->alpha = given.alpha;
  target->beta = given.beta;
  ops::set_activation_defaults(given.activation, given.has_parameters != 0, options, &target->alpha,
                               &target->beta);
}

// The axes stay those of the caller.
inline ops::ReduceRequest read_reduction(netcl_reduction kind,
                                         const netcl_reduce_options* options) {
  const netcl_reduce_options checked = read_options(options, "options");
  require_flag(checked.keepdims, "options->keepdims");
  require_flag(checked.select_last, "options->select_last");
  require_zero(checked.reserved, "options->reserved");
  require_array(checked.axes, checked.axes_count, "options->axes");
  ops::ReduceRequest request;
  request.kind = kind;
  request.axes = {checked.axes, checked.axes_count};
  request.keepdims = checked.keepdims != 0;
  request.select_last = checked.select_last != 0;
  request.dtype = checked.dtype;
  request.variant = checked.variant;
  return request;
}

inline ops::Epilogue read_epilogue(const netcl_epilogue* given) {
  const netcl_epilogue checked = read_options(given, "options->epilogue");
  ops::Epilogue epilogue;
  epilogue.bias = optional_tensor(checked.bias, "options->epilogue->bias");
  epilogue.residual = optional_tensor(checked.residual, "options->epilogue->residual");
  read_activation(checked, "options->epilogue", &epilogue);
  return epilogue;
}

}  // namespace netcl::api
