// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace netcl::tool {

Options::Options(int argc, char** argv, std::initializer_list<const char*> flags,
                 std::initializer_list<const char*> with_value) {
  const auto is_in = [](std::initializer_list<const char*> list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (int i = 0; i < argc; ++i) {
    std::string name = argv[i];
    if (name.size() < 2 || name[0] != '-') {
      words_.push_back(name);
      continue;
    }
    // Both "--name value" and "--name=value".
    const size_t equals = name.find('=');
    const bool joined = equals != std::string::npos;
    std::string value = joined ? name.substr(equals + 1) : "";
    name = name.substr(0, equals);
    if (is_in(flags, name)) {
      if (joined) throw UsageProblem("no value belongs to", name);
      if (has(name.c_str())) throw UsageProblem("given more than once:", name);
    } else if (!is_in(with_value, name)) {
      throw UsageProblem("unknown argument", argv[i]);
    } else if (!joined) {
      if (++i == argc) throw UsageProblem("a value is missing after", name);
      value = argv[i];
    }
    values_[name].push_back(value);
  }
}

const std::string& Options::only(const Values::value_type& option) {
  if (option.second.size() > 1) throw UsageProblem("given more than once:", option.first);
  return option.second.front();
}

std::string Options::text(const char* name, const char* fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? fallback : only(*found);
}

const std::vector<std::string>& Options::all(const char* name) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : found->second;
}

double Options::number(const char* name, double fallback, double low, double high) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return fallback;
  const std::string& text = only(*found);
  const char* hint = "";
  const std::optional<double> value = read_decimal(text, &hint);
  if (!value || !(*value >= low) || !(*value <= high)) {
    const std::string problem = format("the value of %s is not possible%s:", name, hint);
    throw UsageProblem(problem.c_str(), text);
  }
  return *value;
}

uint64_t Options::whole(const char* name, uint64_t fallback, uint64_t low, uint64_t high) const {
  if (!has(name)) return fallback;
  const double value = number(name, 0, static_cast<double>(low), static_cast<double>(high));
  if (value == std::trunc(value)) return static_cast<uint64_t>(value);
  throw UsageProblem(format("the value of %s is no whole number:", name).c_str(), text(name));
}

void Options::refuse(const char* where, std::initializer_list<const char*> names) const {
  for (const char* name : names) {
    if (has(name)) throw UsageProblem((std::string(where) + " there is no use for").c_str(), name);
  }
}

void Options::refuse_words(const char* where) const {
  if (words_.empty()) return;
  throw UsageProblem((std::string(where) + " there is no use for").c_str(), words_[0]);
}

void Options::refuse_others(const char* where, std::initializer_list<const char*> names) const {
  for (const auto& [name, values] : values_) {
    const auto is_this = [&name = name](const char* one) { return name == one; };
    if (std::none_of(names.begin(), names.end(), is_this)) refuse(where, {name.c_str()});
  }
}

int with_usage(const Command& self, int (*body)(int argc, char** argv), int argc, char** argv) {
  try {
    return body(argc, argv);
  } catch (const UsageProblem& problem) {
    return usage_error(self, problem.what(), problem.argument.c_str());
  }
}

}  // namespace netcl::tool
