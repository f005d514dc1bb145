#include "api/handles.hpp"
#include "api/structs.hpp"
#include "core/json.hpp"
#include "tune/config_json.hpp"
#include "tune/t1.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Capabilities come from the caller, who may have recorded them; their size says how much.
tune::Limits limits_of(const netcl_device_capabilities* capabilities) {
  if (capabilities == nullptr) return tune::Limits();
  return tune::Limits(read_options(capabilities, "capabilities"));
}

template <class Element>
std::vector<tune::Value> values_of(const Element* values, uint32_t values_count) {
  require_array(values, values_count, "values");
  return std::vector<tune::Value>(values, values + values_count);
}

const tune::Value& value_of(const tune::Config& config, const char* name) {
  require(name, "name");
  if (const tune::Value* value = config.find(name)) return *value;
  std::string known;
  for (const auto& [other, value] : config.values) known += (known.empty() ? "" : ", ") + other;
  fail(NETCL_ERROR_NOT_FOUND, "the configuration has no %s; it has %s", quoted(name).c_str(),
       known.empty() ? "nothing" : known.c_str());
}

[[noreturn]] void fail_type(const char* name, const tune::Value& value, const char* wanted) {
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s, which is no %s", name,
       tune::value_text(value).c_str(), wanted);
}

}  // namespace

extern "C" {

netcl_status netcl_space_create(netcl_space** space) {
  return guarded([&] {
    require(space, "space");
    *space = make_handle<netcl_space>(std::make_shared<tune::Space>());
  });
}

netcl_status netcl_space_create_from_t1(const char* text, size_t text_size, netcl_space** space) {
  return guarded([&] {
    require(text, "text");
    require(space, "space");
    *space = make_handle<netcl_space>(
        std::make_shared<tune::Space>(tune::space_from_t1(std::string_view(text, text_size))));
  });
}

netcl_status netcl_space_retain(netcl_space* space) { return retain_handle(space, "space"); }
void netcl_space_release(netcl_space* space) { release_handle(space); }

netcl_status netcl_space_add_ints(netcl_space* space, const char* name, const int64_t* values,
                                  uint32_t values_count) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(name, "name");
    pinned->add(name, values_of(values, values_count));
  });
}

netcl_status netcl_space_add_floats(netcl_space* space, const char* name, const double* values,
                                    uint32_t values_count) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(name, "name");
    pinned->add(name, values_of(values, values_count));
  });
}

netcl_status netcl_space_add_bool(netcl_space* space, const char* name) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(name, "name");
    pinned->add(name, {false, true});
  });
}

netcl_status netcl_space_add_texts(netcl_space* space, const char* name, const char* const* values,
                                   uint32_t values_count) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(name, "name");
    require_array(values, values_count, "values");
    std::vector<tune::Value> texts;
    for (uint32_t i = 0; i < values_count; ++i) {
      if (values[i] == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%u] is NULL", i);
      texts.emplace_back(std::string(values[i]));
    }
    pinned->add(name, std::move(texts));
  });
}

netcl_status netcl_space_add_constraint(netcl_space* space, const char* formula) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(formula, "formula");
    pinned->constrain(formula);
  });
}

netcl_status netcl_space_set_work_size(netcl_space* space, const char* global_size,
                                       const char* local_size) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    pinned->set_work_size(global_size == nullptr ? "" : global_size,
                          local_size == nullptr ? "" : local_size);
  });
}

netcl_status netcl_space_get_count(const netcl_space* space,
                                   const netcl_device_capabilities* capabilities, uint64_t* count) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(count, "count");
    *count = pinned->count(limits_of(capabilities));
  });
}

netcl_status netcl_space_get_config(const netcl_space* space,
                                    const netcl_device_capabilities* capabilities, uint64_t index,
                                    netcl_config** config) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    require(config, "config");
    *config = make_handle<netcl_config>(
        std::make_shared<const tune::Config>(pinned->at(limits_of(capabilities), index)));
  });
}

netcl_status netcl_space_explain(const netcl_space* space,
                                 const netcl_device_capabilities* capabilities,
                                 const netcl_config* config, char* buffer, size_t capacity,
                                 size_t* length) {
  return guarded([&] {
    const auto pinned = pin(space, "space");
    const auto pinned_config = pin(config, "config");
    write_text(pinned->explain(limits_of(capabilities), *pinned_config), buffer, capacity, length);
  });
}

netcl_status netcl_config_create_from_json(const char* text, size_t text_size,
                                           netcl_config** config) {
  return guarded([&] {
    require(text, "text");
    require(config, "config");
    *config = make_handle<netcl_config>(std::make_shared<const tune::Config>(
        tune::config_of(parse_json(std::string_view(text, text_size), "text"), "text")));
  });
}

netcl_status netcl_config_retain(netcl_config* config) { return retain_handle(config, "config"); }
void netcl_config_release(netcl_config* config) { release_handle(config); }

netcl_status netcl_config_get_int(const netcl_config* config, const char* name, int64_t* value) {
  return guarded([&] {
    const auto pinned = pin(config, "config");
    require(value, "value");
    const tune::Value& found = value_of(*pinned, name);
    if (const auto* flag = std::get_if<bool>(&found)) {
      *value = *flag ? 1 : 0;
    } else if (const auto* integer = std::get_if<int64_t>(&found)) {
      *value = *integer;
    } else {
      fail_type(name, found, "integer");
    }
  });
}

netcl_status netcl_config_get_float(const netcl_config* config, const char* name, double* value) {
  return guarded([&] {
    const auto pinned = pin(config, "config");
    require(value, "value");
    const tune::Value& found = value_of(*pinned, name);
    if (const auto* real = std::get_if<double>(&found)) {
      *value = *real;
    } else if (const auto* integer = std::get_if<int64_t>(&found)) {
      *value = static_cast<double>(*integer);
    } else {
      fail_type(name, found, "number");
    }
  });
}

netcl_status netcl_config_get_text(const netcl_config* config, const char* name, char* buffer,
                                   size_t capacity, size_t* length) {
  return guarded([&] {
    const auto pinned = pin(config, "config");
    const tune::Value& found = value_of(*pinned, name);
    const auto* text = std::get_if<std::string>(&found);
    if (text == nullptr) fail_type(name, found, "text");
    write_text(*text, buffer, capacity, length);
  });
}

netcl_status netcl_config_get_json(const netcl_config* config, char* buffer, size_t capacity,
                                   size_t* length) {
  return guarded([&] { write_text(pin(config, "config")->json(), buffer, capacity, length); });
}

}  // extern "C"
