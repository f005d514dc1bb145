#include "tune/space.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl::tune {

namespace {

const Value* find_in(const std::vector<std::pair<std::string, Value>>& values,
                     const std::string& name) noexcept {
  for (const auto& [known, value] : values) {
    if (known == name) return &value;
  }
  return nullptr;
}

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && name.size() < 64 && letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
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

// Walks the product of the values depth first.
class Walk {
 public:
  Walk(const std::vector<Space::Parameter>& parameters, const std::vector<Formula>& constraints,
       const Limits& limits, const std::function<bool(Config&&)>& visit)
      : parameters_(parameters), limits_(limits), visit_(visit), due_(parameters.size() + 1) {
    for (const Formula& constraint : constraints) due_[depth_of(constraint)].push_back(&constraint);
  }
  void run() {
    if (parameters_.empty() || !holds(0)) return;
    descend(0);
  }

 private:
  // The number of parameters that must have values before the constraint can be tried.
  size_t depth_of(const Formula& constraint) const {
    size_t depth = 0;
    for (const std::string& name : constraint.names()) {
      for (size_t i = 0; i < parameters_.size(); ++i) {
        if (parameters_[i].name == name) depth = std::max(depth, i + 1);
      }
    }
    return depth;
  }
  bool holds(size_t depth) const {
    const Formula::Lookup lookup = [this](const std::string& name) {
      const Value* value = config_.find(name);
      return value != nullptr ? value : limits_.find(name);
    };
    return std::all_of(due_[depth].begin(), due_[depth].end(),
                       [&](const Formula* constraint) { return constraint->holds(lookup); });
  }
  bool descend(size_t depth) {
    if (depth == parameters_.size()) return visit_(Config(config_));
    for (const Value& value : parameters_[depth].values) {
      config_.values.emplace_back(parameters_[depth].name, value);
      const bool go_on = !holds(depth + 1) || descend(depth + 1);
      config_.values.pop_back();
      if (!go_on) return false;
    }
    return true;
  }

  const std::vector<Space::Parameter>& parameters_;
  const Limits& limits_;
  const std::function<bool(Config&&)>& visit_;
  std::vector<std::vector<const Formula*>> due_;
  Config config_;
};

}  // namespace

const Value* Config::find(const std::string& name) const noexcept { return find_in(values, name); }

std::string Config::json() const {
  std::string out = "{";
  for (const auto& [name, value] : values) {
    out += (out.size() > 1 ? ", \"" : "\"") + name + "\": " + json_value(value);
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

void Space::add(const std::string& name, std::vector<Value> values) {
  if (!is_identifier(name)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "name is %s, which is no identifier of up to 63 letters",
         quoted(name.c_str()).c_str());
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
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[i]) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%zu] of %s is no number", i, name.c_str());
    }
    for (size_t k = 0; k < i && values.size() <= 4096; ++k) {
      if (same_value(values[i], values[k])) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "values[%zu] of %s is %s, as values[%zu]", i,
             name.c_str(), value_text(values[i]).c_str(), k);
      }
    }
  }
  parameters_.push_back({name, std::move(values)});
}

void Space::constrain(const std::string& formula) { constraints_.emplace_back(formula); }

void Space::visit(const Limits& limits, const std::function<bool(Config&&)>& visit) const {
  Walk(parameters_, constraints_, limits, visit).run();
}

uint64_t Space::count(const Limits& limits) const {
  uint64_t count = 0;
  visit(limits, [&](Config&&) {
    ++count;
    return true;
  });
  return count;
}

Config Space::at(const Limits& limits, uint64_t index) const {
  Config found;
  uint64_t seen = 0;
  visit(limits, [&](Config&& config) {
    if (seen++ != index) return true;
    found = std::move(config);
    return false;
  });
  if (seen <= index) {
    fail(NETCL_ERROR_NOT_FOUND, "index is %llu; the space has %llu valid configurations",
         static_cast<unsigned long long>(index), static_cast<unsigned long long>(seen));
  }
  return found;
}

std::string Space::explain(const Limits& limits, const Config& config) const {
  for (const Parameter& parameter : parameters_) {
    const Value* value = config.find(parameter.name);
    if (value == nullptr) return "parameter " + parameter.name + " has no value";
    const auto same = [&](const Value& known) { return same_value(known, *value); };
    if (std::none_of(parameter.values.begin(), parameter.values.end(), same)) {
      return parameter.name + " = " + value_text(*value) + " is none of its values";
    }
  }
  const Formula::Lookup lookup = [&](const std::string& name) {
    const Value* value = config.find(name);
    return value != nullptr ? value : limits.find(name);
  };
  for (const Formula& constraint : constraints_) {
    if (constraint.holds(lookup)) continue;
    std::string text = "constraint " + quoted(constraint.text().c_str()) + " does not hold with ";
    for (const std::string& name : constraint.names()) {
      if (const Value* value = lookup(name)) {
        text += (text.back() == ' ' ? "" : ", ") + name + " = " + value_text(*value);
      }
    }
    return text;
  }
  return std::string();
}

}  // namespace netcl::tune
