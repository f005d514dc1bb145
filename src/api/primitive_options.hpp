// The options of primitives, checked.
#pragma once

#include <cstring>

#include "api/handles.hpp"
#include "api/structs.hpp"
#include "graph/primitive.hpp"

namespace netcl::api {

inline constexpr size_t kPrimitiveNameMax = 127;

inline const char* checked_name(const char* name) {
  require_text(name, "name");
  require_name(name, "name");
  if (strnlen(name, kPrimitiveNameMax + 1) > kPrimitiveNameMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "name is %s, longer than %zu bytes",
         quoted(name, 40).c_str(), kPrimitiveNameMax);
  }
  return name;
}

// The texts of an array in an options struct.
inline std::span<const char* const> checked_texts(const char* const* texts, uint32_t count,
                                                  const char* member,
                                                  uint32_t most = NETCL_LIST_MAX) {
  require_array(texts, count, member, most);
  for (uint32_t i = 0; i < count; ++i) {
    if (texts[i] == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s[%u] is NULL", member, i);
  }
  return {texts, count};
}

inline void require_count(uint32_t count, uint32_t wanted, const char* member, const char* why) {
  if (count == wanted) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %u; it is %u, %s", member, count, wanted, why);
}

// Formulas and kernels say by themselves what gradients there are.
inline void require_no_gradients(const netcl_primitive_options& options) {
  const bool gives = options.gives_gradients != 0;
  if (!gives && options.checkpoint == 0) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "options->%s is %u; it is 0 but for netcl_primitive_register_function",
       gives ? "gives_gradients" : "checkpoint",
       gives ? options.gives_gradients : options.checkpoint);
}

// All but the formulas.
inline graph::PrimitiveDefinition read_definition(const char* name,
                                                  const netcl_primitive_options& options) {
  graph::PrimitiveDefinition definition;
  definition.name = name;
  definition.arity = options.arity;
  if (options.arity > NETCL_PRIMITIVE_INPUTS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->arity is %u; the limit is %d", options.arity,
         NETCL_PRIMITIVE_INPUTS_MAX);
  }
  for (const char* text : checked_texts(options.attributes, options.attributes_count,
                                        "options->attributes", NETCL_ARGS_MAX)) {
    definition.attributes.push_back(text);
  }
  if (options.defaults_count != 0) {
    require_array(options.defaults, options.defaults_count, "options->defaults");
    require_count(options.defaults_count, options.attributes_count, "options->defaults_count",
                  "a value for each attribute, or 0");
    definition.defaults.assign(options.defaults, options.defaults + options.defaults_count);
  }
  return definition;
}

}  // namespace netcl::api
