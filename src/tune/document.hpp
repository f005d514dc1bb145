// Members and values of JSON documents of other tools; KIND names such a document in messages.
#pragma once

#include <string>

#include "core/json.hpp"
#include "tune/formula.hpp"

namespace netcl::tune {

// Both fail with CORRUPT_DATA; WHERE says what of the document is at fault.
const Json& member_of(const Json& object, const char* name, const char* kind, const char* where);
Value value_of(const Json& item, const char* kind, const std::string& where);

}  // namespace netcl::tune
