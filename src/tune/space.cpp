#include "tune/space.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/utf8.hpp"
#include "tune/walk.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kParameterNameMost = 63;

const Value* find_in(const std::vector<std::pair<std::string, Value>>& values,
                     const std::string& name) noexcept {
  for (const auto& [known, value] : values) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::string json_value(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return value_text(value);
  std::string out = "\"";
  for (const char c : *text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += format("\\u%04x", c);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

bool has_twice(const std::vector<Value>& values, size_t* first, size_t* second) {
  std::map<std::string, size_t> seen;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto [found, fresh] = seen.emplace(value_key(values[i]), i);
    if (fresh) continue;
    *first = found->second;
    *second = i;
    return true;
  }
  return false;
}

void check_value(const Value& value, size_t place, const std::string& name) {
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && !std::isfinite(*real)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%zu] of %s is %g; only finite numbers are values",
         place, name.c_str(), *real);
  }
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && !is_utf8(*text)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%zu] of %s is %s, which is no UTF-8", place,
         name.c_str(), quoted(text->c_str()).c_str());
  }
}

}  // namespace

const Value* Config::find(const std::string& name) const noexcept { return find_in(values, name); }

std::string Config::json() const {
  std::string out = "{";
  for (const auto& [name, value] : values) {
    if (out.size() > 1) out += ", ";
    add_json_text(name, &out);
    out += ": " + json_value(value);
  }
  return out + "}";
}

Limits::Limits(const netcl_device_capabilities& capabilities) {
  const auto add = [this](const char* name, uint64_t value) {
    values_.emplace_back(name, static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX)));
  };
  add("max_local_size", capabilities.max_work_group_size);
  add("max_local_size_x", capabilities.max_work_item_sizes[0]);
  add("max_local_size_y", capabilities.max_work_item_sizes[1]);
  add("max_local_size_z", capabilities.max_work_item_sizes[2]);
  add("local_memory_bytes", capabilities.local_memory_bytes);
  add("global_memory_bytes", capabilities.global_memory_bytes);
  add("compute_units", capabilities.compute_units);
  add("subgroup_size", capabilities.subgroup_size);
  add("vector_width", capabilities.preferred_vector_width_f32);
  add("fp16", capabilities.fp16);
  add("fp64", capabilities.fp64);
}

const Value* Limits::find(const std::string& name) const noexcept { return find_in(values_, name); }

void Limits::put_first(std::vector<std::pair<std::string, Value>> numbers) {
  values_.insert(values_.begin(), std::make_move_iterator(numbers.begin()),
                 std::make_move_iterator(numbers.end()));
}

std::string Limits::text() const {
  std::string out;
  for (const auto& [name, value] : values_) out += (out.empty() ? "" : ", ") + name;
  return out;
}

void Space::set_work_size(std::string_view global_size, std::string_view local_size) {
  SizeFormulas global("global_size", global_size), local("local_size", local_size);
  global_size_ = std::move(global);
  local_size_ = std::move(local);
}

void Space::add(const std::string& name, std::vector<Value> values) {
  if (!is_identifier(name, kParameterNameMost)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "name is %s, which is no identifier of up to 63 letters",
         quoted(name.c_str()).c_str());
  }
  if (is_formula_word(name)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "name is \"%s\", which is a word of formulas", name.c_str());
  }
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the space has a parameter %s already", name.c_str());
    }
  }
  if (parameters_.size() >= kParametersMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "parameter %s would be one more than %zu", name.c_str(),
         kParametersMost);
  }
  if (values.empty() || values.size() > kValuesMost) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "parameter %s has %zu values; it takes 1 to %zu",
         name.c_str(), values.size(), kValuesMost);
  }
  for (size_t i = 0; i < values.size(); ++i) check_value(values[i], i, name);
  size_t first = 0, second = 0;
  if (has_twice(values, &first, &second)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%zu] of %s is %s, as values[%zu]", second,
         name.c_str(), shown_value(values[second]).c_str(), first);
  }
  parameters_.push_back({name, std::move(values)});
}

void Space::constrain(const std::string& formula) { constraints_.emplace_back(formula); }

Space Space::copy() const {
  Space space;
  space.parameters_ = parameters_;
  for (const SpaceFormula& constraint : constraints_) space.constrain(constraint.text());
  space.global_size_ = global_size_.copy();
  space.local_size_ = local_size_.copy();
  return space;
}

Config Space::config(const std::vector<uint32_t>& digits) const {
  Config config;
  for (size_t i = 0; i < digits.size(); ++i) {
    config.values.emplace_back(parameters_[i].name, parameters_[i].values[digits[i]]);
  }
  return config;
}

uint64_t Space::count(const Limits& limits) const { return SpaceWalk(*this, limits).count(); }

Config Space::at(const Limits& limits, uint64_t index) const {
  SpaceWalk walk(*this, limits);
  std::vector<uint32_t> digits;
  if (walk.at(index, &digits)) return config(digits);
  fail(NETCL_ERROR_NOT_FOUND, "index is %llu; the space has %llu valid configurations",
       static_cast<unsigned long long>(index), static_cast<unsigned long long>(walk.count()));
}

std::string Space::explain(const Limits& limits, const Config& config) const {
  for (const Parameter& parameter : parameters_) {
    const Value* value = config.find(parameter.name);
    if (value == nullptr) return "parameter " + parameter.name + " has no value";
    const auto same = [&](const Value& known) { return same_value(known, *value); };
    if (std::none_of(parameter.values.begin(), parameter.values.end(), same)) {
      return parameter.name + " = " + shown_value(*value) + " is none of its values";
    }
  }
  const SpaceFormula::Lookup lookup = [&](const std::string& name) {
    const Value* value = config.find(name);
    return value != nullptr ? value : limits.find(name);
  };
  for (const SpaceFormula& constraint : constraints_) {
    if (constraint.holds(lookup)) continue;
    std::string text = "constraint " + quoted(constraint.text().c_str()) + " does not hold with ";
    for (const std::string& name : constraint.names()) {
      if (const Value* value = lookup(name)) {
        text += (text.back() == ' ' ? "" : ", ") + name + " = " + shown_value(*value);
      }
    }
    return text;
  }
  return std::string();
}

}  // namespace netcl::tune
