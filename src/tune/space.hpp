// A parameter space: named parameters with their values, and constraints between them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "netcl.h"
#include "tune/formula.hpp"
#include "tune/work_size.hpp"

namespace netcl::tune {

// The values of the parameters of one space, in its order. Immutable.
struct Config {
  std::vector<std::pair<std::string, Value>> values;
  const Value* find(const std::string& name) const noexcept;
  std::string json() const;  // {"TILE": 16, "MODE": "fast"}
};
using ConfigRef = std::shared_ptr<const Config>;

// The limits of a device as formulas see them: max_local_size, local_memory_bytes and the like.
class Limits {
 public:
  Limits() = default;
  explicit Limits(const netcl_device_capabilities& capabilities);
  const Value* find(const std::string& name) const noexcept;
  // Numbers of the problem, in front of all limits.
  void put_first(std::vector<std::pair<std::string, Value>> numbers);
  std::string text() const;  // the names with ", " between them

 private:
  std::vector<std::pair<std::string, Value>> values_;
};

class Space {
 public:
  static constexpr size_t kParametersMost = 64;
  static constexpr size_t kValuesMost = 65536;

  // All of these fail with INVALID_ARGUMENT: a name that is none or taken, no values, a value
  // twice, numbers that are not finite and texts that are no UTF-8.
  void add(const std::string& name, std::vector<Value> values);
  void constrain(const std::string& formula);
  // Empty texts: there is none.
  void set_work_size(std::string_view global_size, std::string_view local_size);

  Space copy() const;

  struct Parameter {
    std::string name;
    std::vector<Value> values;
  };
  const std::vector<Parameter>& parameters() const noexcept { return parameters_; }
  const std::vector<SpaceFormula>& constraints() const noexcept { return constraints_; }
  const SizeFormulas& global_size() const noexcept { return global_size_; }
  const SizeFormulas& local_size() const noexcept { return local_size_; }

  // The values at these places in the lists.
  Config config(const std::vector<uint32_t>& digits) const;
  // Fail with INVALID_ARGUMENT when counting takes too long, see SpaceWalk.
  uint64_t count(const Limits& limits) const;
  // Fails with NOT_FOUND past the end.
  Config at(const Limits& limits, uint64_t index) const;

  // Empty when the configuration is valid, else what is wrong: a parameter without a value, a value
  // that is not in its list, or the constraint that fails with the values it depends on.
  std::string explain(const Limits& limits, const Config& config) const;

 private:
  std::vector<Parameter> parameters_;
  std::vector<SpaceFormula> constraints_;
  SizeFormulas global_size_, local_size_;
};

}  // namespace netcl::tune
