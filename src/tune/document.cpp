#include "tune/document.hpp"

#include "core/error.hpp"

namespace netcl::tune {

const Json& member_of(const Json& object, const char* name, const char* kind, const char* where) {
  if (!object.is_object() || !object.contains(name)) {
    fail(NETCL_ERROR_CORRUPT_DATA, "%s: %s has no member \"%s\"", kind, where, name);
  }
  return object.at(name);
}

Value value_of(const Json& item, const char* kind, const std::string& where) {
  if (item.is_boolean()) return item.get<bool>();
  if (item.is_number_integer()) return item.get<int64_t>();
  if (item.is_number()) return item.get<double>();
  if (item.is_string()) return item.get<std::string>();
  fail(NETCL_ERROR_CORRUPT_DATA, "%s: %s is no number, text or truth value", kind, where.c_str());
}

}  // namespace netcl::tune
