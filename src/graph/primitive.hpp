// Elementwise ops that callers register by name: formulas of the result and of the gradients, as
// trees. See "Primitives" in netcl.h.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/lru.hpp"
#include "expression/tree.hpp"

namespace netcl::graph {

using TreeRef = std::shared_ptr<const expression::Tree>;

class PrimitiveWork;

// What a caller gives to register a primitive, copied.
struct PrimitiveDefinition {
  std::string name;
  std::shared_ptr<const PrimitiveWork> work;  // in the place of formulas
  uint32_t arity = 0;
  std::string forward;
  std::vector<std::string> backward;
  std::vector<std::string> attributes;
  std::vector<double> defaults;
};

class Primitive {
 public:
  // Parses the formulas. Fails with INVALID_ARGUMENT naming the member and the column.
  explicit Primitive(PrimitiveDefinition definition);

  const std::string& name() const noexcept { return definition_.name; }
  // Null for one of formulas, which the functions below are about.
  const std::shared_ptr<const PrimitiveWork>& work() const noexcept { return definition_.work; }

  // A value for each attribute: those that a call gives, else the defaults.
  std::vector<double> values(std::span<const char* const> names,
                             std::span<const double> values) const;
  void check_inputs(uint32_t count) const;

  // The result for `count` inputs, over v0 ... v(count-1).
  TreeRef forward(uint32_t count, std::span<const double> values);
  // The gradient of one input. vcount is that of the result, and with `has_out` the result itself
  // is v(count+1).
  TreeRef gradient(uint32_t count, uint32_t input, bool has_out, std::span<const double> values);

 private:
  void parse_formulas();
  void check_attributes() const;
  TreeRef make_forward(uint32_t count, std::span<const double> values) const;
  TreeRef make_gradient(uint32_t count, uint32_t input, bool has_out,
                        std::span<const double> values);
  template <class Make>
  TreeRef kept(uint32_t count, uint32_t which, std::span<const double> values, Make make);

  const PrimitiveDefinition definition_;
  TreeRef forward_;
  std::vector<TreeRef> backward_;  // null where netcl differentiates the forward formula

  static constexpr size_t kTreesMax = 256;
  std::mutex mutex_;
  LruCache<std::string, TreeRef> trees_{kTreesMax};
};
using PrimitiveRef = std::shared_ptr<Primitive>;

class PrimitiveRegistry {
 public:
  static PrimitiveRegistry& instance();
  void add(PrimitiveRef primitive);
  void remove(const std::string& name);
  PrimitiveRef find(const std::string& name);

 private:
  [[noreturn]] void fail_unknown(const std::string& name) const;

  std::mutex mutex_;
  std::map<std::string, PrimitiveRef> primitives_;
};

}  // namespace netcl::graph
