#include "tune/config_json.hpp"

#include "core/error.hpp"

namespace netcl::tune {

static bool holds_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

Config config_of(const Json& object, const char* what) {
  if (!object.is_object()) fail(NETCL_ERROR_CORRUPT_DATA, "%s is JSON, but no object", what);
  Config config;
  for (const auto& [name, value] : object.items()) {
    const bool is_text = value.is_string();
    if (holds_nul(name) || (is_text && holds_nul(value.get<std::string>()))) {
      fail(NETCL_ERROR_CORRUPT_DATA, "member %s holds a NUL, which ends a text of C",
           quoted(name.c_str()).c_str());
    }
    if (value.is_boolean()) {
      config.values.emplace_back(name, value.get<bool>());
    } else if (value.is_number_integer()) {
      config.values.emplace_back(name, value.get<int64_t>());
    } else if (value.is_number()) {
      config.values.emplace_back(name, value.get<double>());
    } else if (is_text) {
      config.values.emplace_back(name, value.get<std::string>());
    } else {
      fail(NETCL_ERROR_CORRUPT_DATA, "member %s is no number, text or bool",
           quoted(name.c_str()).c_str());
    }
  }
  return config;
}

Json json_of(const Config& config) {
  Json object = Json::object();
  for (const auto& [name, value] : config.values) {
    std::visit([&, &name = name](const auto& held) { object[name] = held; }, value);
  }
  return object;
}

}  // namespace netcl::tune
