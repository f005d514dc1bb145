#include "tune/t1.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/number.hpp"
#include "tune/document.hpp"

namespace netcl::tune {

namespace {

std::string text_of(const Json& object, const char* name, const std::string& where) {
  const Json& found = member_of(object, name, "T1", where.c_str());
  if (!found.is_string()) {
    fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.%s is no text", where.c_str(), name);
  }
  return found.get<std::string>();
}

// Values is a text that holds a list of Python, or a list of JSON.
std::vector<Value> values_of(const Json& parameter, const std::string& where) {
  const Json& given = member_of(parameter, "Values", "T1", where.c_str());
  std::vector<Value> values;
  if (given.is_array()) {
    for (const Json& item : given) {
      values.push_back(value_of(item, "T1", "a value of " + where + ".Values"));
    }
    return values;
  }
  const std::string text = text_of(parameter, "Values", where);
  try {
    const SpaceFormula::Lookup nothing = [](const std::string&) -> const Value* { return nullptr; };
    return SpaceFormula(text).list(nothing, Space::kValuesMost);
  } catch (const Error& error) {
    fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.Values: %s", where.c_str(), error.what());
  }
}

// The declared type decides what a number is: 1 of a parameter of floats is 1.0, and 16.0 of one of
// integers is 16. Writers call parameters of halves integers too; what is not whole stays a float.
void convert(const std::string& type, std::vector<Value>* values, const std::string& where) {
  const bool wants_float = type == "float" || type == "double";
  const bool wants_bool = type == "bool";
  const bool wants_text = type == "string";
  for (Value& value : *values) {
    if (wants_float && std::holds_alternative<int64_t>(value)) {
      value = static_cast<double>(std::get<int64_t>(value));
    }
    if (wants_bool && std::holds_alternative<int64_t>(value)) {
      value = std::get<int64_t>(value) != 0;
    }
    const auto* real = std::get_if<double>(&value);
    const bool wants_int = !wants_float && !wants_bool && !wants_text;
    if (wants_int && real != nullptr && *real == std::floor(*real) && std::fabs(*real) < 0x1p53) {
      value = static_cast<int64_t>(*real);
    }
    const bool fits = wants_text    ? std::holds_alternative<std::string>(value)
                      : wants_float ? std::holds_alternative<double>(value)
                      : wants_bool  ? std::holds_alternative<bool>(value)
                                    : std::holds_alternative<int64_t>(value) ||
                                         std::holds_alternative<double>(value);
    if (!fits) {
      fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.Values holds %s, which is no %s", where.c_str(),
           shown_value(value).c_str(), type.c_str());
    }
  }
}

// The default comes first, which is where a search begins.
void put_default_first(const Json& parameter, const std::string& type, const std::string& where,
                       std::vector<Value>* values) {
  if (!parameter.contains("Default") || parameter.at("Default").is_null()) return;
  const Json& given = parameter.at("Default");
  std::vector<Value> standard;
  if (given.is_string() && type != "string") {
    const std::string text = given.get<std::string>();
    try {
      const SpaceFormula::Lookup nothing = [](const std::string&) -> const Value* {
        return nullptr;
      };
      standard.push_back(SpaceFormula(text).evaluate(nothing));
    } catch (const Error& error) {
      fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.Default: %s", where.c_str(), error.what());
    }
  } else {
    standard.push_back(value_of(given, "T1", where + ".Default"));
  }
  convert(type, &standard, where);
  const auto found = std::find_if(values->begin(), values->end(), [&](const Value& value) {
    return same_value(value, standard[0]);
  });
  if (found == values->end()) {
    fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.Default is %s, which is none of its values",
         where.c_str(), shown_value(standard[0]).c_str());
  }
  std::rotate(values->begin(), found, found + 1);
}

void add_parameter(const Json& parameter, const std::string& where, Space* space) {
  const std::string name = text_of(parameter, "Name", where);
  const std::string type = text_of(parameter, "Type", where);
  bool known = false;
  for (const char* one : {"int", "uint", "long", "float", "double", "bool", "string"}) {
    known = known || type == one;
  }
  if (!known) {
    fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.Type is %s", where.c_str(),
         quoted(type.c_str()).c_str());
  }
  std::vector<Value> values = values_of(parameter, where);
  convert(type, &values, where);
  put_default_first(parameter, type, where, &values);
  space->add(name, std::move(values));
}

// The extents of a size, as texts or numbers, from X to the last that is given.
std::vector<std::string> extents_of(const Json& kernel, const char* name) {
  std::vector<std::string> extents;
  if (!kernel.contains(name)) return extents;
  const std::string where = std::string("KernelSpecification.") + name;
  const Json& size = kernel.at(name);
  (void)member_of(size, "X", "T1", where.c_str());
  for (const char* axis : {"X", "Y", "Z"}) {
    if (!size.contains(axis)) break;
    const Json& extent = size.at(axis);
    if (extent.is_string()) {
      extents.push_back(extent.get<std::string>());
    } else if (extent.is_number_integer()) {
      extents.push_back(number_text(extent.get<int64_t>()));
    } else {
      fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s.%s is neither a text nor an integer", where.c_str(),
           axis);
    }
  }
  return extents;
}

// In CUDA and Vulkan a global size counts groups.
bool counts_groups(const Json& kernel) {
  for (const char* name : {"GlobalSizeType", "Language"}) {
    if (!kernel.contains(name)) continue;
    const std::string type = text_of(kernel, name, "KernelSpecification");
    return type == "CUDA" || type == "Vulkan";
  }
  return false;
}

void read_work_size(const Json& kernel, Space* space) {
  std::vector<std::string> global = extents_of(kernel, "GlobalSize");
  const std::vector<std::string> local = extents_of(kernel, "LocalSize");
  std::string texts[2];
  for (size_t d = 0; d < global.size(); ++d) {
    if (counts_groups(kernel)) {
      if (local.empty()) {
        fail(NETCL_ERROR_CORRUPT_DATA,
             "T1: KernelSpecification.GlobalSize counts groups and there is no LocalSize");
      }
      if (d < local.size()) global[d] = "(" + global[d] + ") * (" + local[d] + ")";
    }
    texts[0] += (d == 0 ? "" : ", ") + global[d];
  }
  for (size_t d = 0; d < local.size(); ++d) texts[1] += (d == 0 ? "" : ", ") + local[d];
  space->set_work_size(texts[0], texts[1]);
}

}  // namespace

Space space_from_t1(std::string_view text) {
  const Json document = parse_json(text, "T1");
  const Json& configuration = member_of(document, "ConfigurationSpace", "T1", "the document");
  const Json& parameters = member_of(configuration, "TuningParameters", "T1", "ConfigurationSpace");
  Space space;
  try {
    if (!parameters.is_array()) fail(NETCL_ERROR_CORRUPT_DATA, "T1: TuningParameters is no list");
    for (size_t i = 0; i < parameters.size(); ++i) {
      add_parameter(parameters[i], format("TuningParameters[%zu]", i), &space);
    }
    if (configuration.contains("Conditions")) {
      const Json& conditions = configuration.at("Conditions");
      if (!conditions.is_array()) fail(NETCL_ERROR_CORRUPT_DATA, "T1: Conditions is no list");
      for (size_t i = 0; i < conditions.size(); ++i) {
        space.constrain(text_of(conditions[i], "Expression", format("Conditions[%zu]", i)));
      }
    }
    if (document.contains("KernelSpecification")) {
      const Json& kernel = document.at("KernelSpecification");
      if (!kernel.is_object()) {
        fail(NETCL_ERROR_CORRUPT_DATA, "T1: KernelSpecification is no object");
      }
      read_work_size(kernel, &space);
    }
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CORRUPT_DATA) throw;
    fail(NETCL_ERROR_CORRUPT_DATA, "T1: %s", error.what());
  }
  return space;
}

}  // namespace netcl::tune
