// The arguments of a command: flags, options with a value, and what is left.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_OPTIONS_HPP
#define NETCL_TOOL_OPTIONS_HPP

#include <cstdint>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.hpp"

namespace netcl::tool {

/// What is wrong with the arguments; `argument` is the one that is.
struct UsageProblem : std::runtime_error {
  UsageProblem(const char* problem, std::string which)
      : std::runtime_error(problem), argument(std::move(which)) {}
  std::string argument;
};

class Options {
 public:
  /// Names are "--json"; what begins with no '-' goes to words(). Throws UsageProblem.
  Options(int argc, char** argv, std::initializer_list<const char*> flags,
          std::initializer_list<const char*> with_value);

  bool has(const char* name) const { return values_.count(name) != 0; }
  /// The value of an option, or `fallback`. Throws UsageProblem when it was given more than once.
  std::string text(const char* name, const char* fallback = "") const;
  /// All values of an option that may be given several times, in their order.
  const std::vector<std::string>& all(const char* name) const;
  double number(const char* name, double fallback, double low, double high) const;
  /// The same for whole numbers, up to 2^53.
  uint64_t whole(const char* name, uint64_t fallback, uint64_t low,
                 uint64_t high = kWholeMost) const;
  static constexpr uint64_t kWholeMost = uint64_t{1} << 53;
  const std::vector<std::string>& words() const { return words_; }

  /// Throws UsageProblem for one of `names` that was given; `where` begins the message.
  void refuse(const char* where, std::initializer_list<const char*> names) const;
  void refuse_words(const char* where) const;
  /// The same for every option but `names`.
  void refuse_others(const char* where, std::initializer_list<const char*> names) const;

 private:
  using Values = std::map<std::string, std::vector<std::string>>;
  static const std::string& only(const Values::value_type& option);

  Values values_;
  std::vector<std::string> words_;
};

/// Runs a command and turns a UsageProblem into a message and kExitUsage.
int with_usage(const Command& self, int (*body)(int argc, char** argv), int argc, char** argv);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_OPTIONS_HPP
