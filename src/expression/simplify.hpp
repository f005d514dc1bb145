// Makes nodes of derivatives, small ones: what multiplies by 1 or adds 0 makes no node.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "expression/tree.hpp"

namespace netcl::expression {

// A value of which only the place in the builder is known; no value is 0.
using Term = std::optional<uint32_t>;

class Terms {
 public:
  explicit Terms(TreeBuilder* builder) : builder_(*builder) {}

  uint32_t number(double value);
  uint32_t boolean(bool value) { return builder_.boolean(value); }
  // A function of nodes as it is.
  uint32_t apply(Op op, std::initializer_list<uint32_t> args);

  uint32_t neg(uint32_t a);
  uint32_t add(uint32_t a, uint32_t b);
  uint32_t sub(uint32_t a, uint32_t b);
  // A factor may be where(c, x, 0). Then it is 0 where c is false whatever the other one is, also
  // infinity and NaN: a branch that was not taken has no gradient.
  uint32_t mul(uint32_t a, uint32_t b);
  uint32_t div(uint32_t a, uint32_t b);
  uint32_t pow(uint32_t base, uint32_t exponent);
  uint32_t where(uint32_t condition, uint32_t a, uint32_t b);

  bool is_number(uint32_t node, double value) const noexcept;
  // True for a literal, or one that is negated.
  bool is_constant(uint32_t node, double* value) const noexcept;

 private:
  // A condition, which value of it lets something through, and what there is for the other one.
  struct Guard {
    uint32_t condition;
    uint32_t other;
    bool when;
  };
  using Guards = std::vector<Guard>;
  bool is_guarded(uint32_t node) const noexcept;
  uint32_t strip(uint32_t node, Guards* guards, bool* negative) const;
  uint32_t wrap(uint32_t node, const Guards& guards);
  uint32_t plain_sum(uint32_t a, uint32_t b);

  TreeBuilder& builder_;
};

}  // namespace netcl::expression
