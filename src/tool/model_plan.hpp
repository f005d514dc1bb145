// What a model became on a device: what was joined, memory, and work.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_MODEL_PLAN_HPP
#define NETCL_TOOL_MODEL_PLAN_HPP

#include "loaded_model.hpp"

namespace netcl::tool {

/// Prints it for a model that has run; with all steps when asked for.
void print_model_plan(LoadedModel* loaded, bool steps);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_MODEL_PLAN_HPP
