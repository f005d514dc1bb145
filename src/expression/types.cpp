#include "expression/types.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "expression/fold.hpp"

namespace netcl::expression {

int32_t copied_input(const TypedTree& tree, size_t result) noexcept {
  const TypedNode& node = tree.nodes[tree.results[result].node];
  const bool same = node.op == Op::input && tree.inputs[node.input] == tree.results[result].dtype;
  return same ? static_cast<int32_t>(node.input) : -1;
}

namespace {

DtypeClass class_of(netcl_dtype dtype) { return dtype_facts(dtype).kind; }

netcl_dtype signed_of_size(size_t size) {
  return size == 1 ? NETCL_I8 : size == 2 ? NETCL_I16 : size == 4 ? NETCL_I32 : NETCL_I64;
}

}  // namespace

netcl_dtype promote(netcl_dtype a, netcl_dtype b) noexcept {
  if (a == b) return a;
  if (a == NETCL_BOOL) return b;
  if (b == NETCL_BOOL) return a;
  const DtypeClass ka = class_of(a);
  const DtypeClass kb = class_of(b);
  const size_t size_a = dtype_facts(a).size;
  const size_t size_b = dtype_facts(b).size;
  if (ka == DtypeClass::floating || kb == DtypeClass::floating) {
    if (kb != DtypeClass::floating) return a;
    if (ka != DtypeClass::floating) return b;
    if (size_a == size_b) return NETCL_F32;  // f16 with bf16
    return size_a > size_b ? a : b;
  }
  if (ka == kb) return size_a > size_b ? a : b;
  const size_t size_signed = ka == DtypeClass::signed_integer ? size_a : size_b;
  const size_t size_unsigned = ka == DtypeClass::signed_integer ? size_b : size_a;
  if (size_signed > size_unsigned) return signed_of_size(size_signed);
  return signed_of_size(size_unsigned >= 4 ? 8 : size_unsigned * 2);
}

uint64_t literal_bits(const TypedNode& literal) noexcept {
  if (literal.dtype == NETCL_F32) {
    if (std::isnan(literal.real)) return 0x7fc00000u;
    return std::bit_cast<uint32_t>(static_cast<float>(literal.real));
  }
  if (literal.dtype == NETCL_F64) {
    if (std::isnan(literal.real)) return 0x7ff8000000000000u;
    return std::bit_cast<uint64_t>(literal.real);
  }
  return literal.integer;
}

namespace {

// What is known about a node of the untyped tree. Weak values have no dtype yet: literals, what is
// computed from literals alone, and a choice between two weak values.
struct Value {
  enum Kind : uint8_t { strong, weak_integer, weak_floating };
  Kind kind = strong;
  netcl_dtype dtype = 0;   // strong: the dtype for promotion, f16 and bf16 included
  uint32_t node = 0;       // strong: where its value is; weak choice: the typed condition
  bool constant = false;   // `value` is known
  Constant value;
  uint32_t if_true = 0;    // weak choice: values of the untyped tree
  uint32_t if_false = 0;
};

class Inference {
 public:
  Inference(const Tree& tree, const netcl_dtype* inputs, uint32_t count)
      : tree_(tree), inputs_(inputs, inputs + count) {}
  TypedTree run(netcl_dtype result);

 private:
  TypedTree prune(TypedTree typed) const;
  Value visit(const TreeNode& node);
  Value apply(const TreeNode& node);
  Value strong(netcl_dtype dtype, uint32_t node) const;
  Value constant(const Constant& value);
  Value choose(const TreeNode& node, netcl_dtype common);
  netcl_dtype common_dtype(const TreeNode& node, uint32_t first) const;
  netcl_dtype default_dtype(uint32_t value) const;
  // The typed node of a value in the compute type of `dtype`.
  uint32_t coerce(uint32_t value, netcl_dtype dtype);
  uint32_t truth(uint32_t value);
  uint32_t convert(uint32_t node, netcl_dtype dtype);
  uint32_t cast(uint32_t value, netcl_dtype dtype);
  uint32_t cast_constant(Constant value, netcl_dtype dtype);
  uint32_t round_to(uint32_t node, netcl_dtype storage);
  uint32_t literal(const Constant& value, netcl_dtype dtype);
  uint32_t make(Op op, netcl_dtype dtype, uint32_t a, uint32_t b = 0, uint32_t c = 0);
  uint32_t intern(const TypedNode& node);

  const Tree& tree_;
  std::vector<netcl_dtype> inputs_;
  std::vector<Value> values_;
  std::vector<TypedNode> nodes_;
  std::map<std::array<uint64_t, 6>, uint32_t> known_;
};

uint32_t Inference::intern(const TypedNode& node) {
  uint64_t real;
  std::memcpy(&real, &node.real, sizeof real);
  const std::array<uint64_t, 6> key{
      static_cast<uint64_t>(node.op) << 8 | static_cast<uint64_t>(node.dtype),
      static_cast<uint64_t>(node.input) << 32 | node.args[0], node.args[1], node.args[2],
      node.integer, real};
  const auto [place, fresh] = known_.emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return place->second;
}

uint32_t Inference::make(Op op, netcl_dtype dtype, uint32_t a, uint32_t b, uint32_t c) {
  TypedNode node;
  node.op = op;
  node.dtype = dtype;
  node.args = {a, b, c};
  return intern(node);
}

Value Inference::strong(netcl_dtype dtype, uint32_t node) const {
  Value value;
  value.dtype = dtype;
  value.node = node;
  return value;
}

// Booleans are typed at once; numbers stay weak.
Value Inference::constant(const Constant& constant) {
  if (constant.kind == ConstantKind::boolean) {
    Value value = strong(NETCL_BOOL, literal(constant, NETCL_BOOL));
    value.constant = true;
    value.value = constant;
    return value;
  }
  Value value;
  value.kind = constant.kind == ConstantKind::integer ? Value::weak_integer : Value::weak_floating;
  value.constant = true;
  value.value = constant;
  return value;
}

uint32_t Inference::literal(const Constant& value, netcl_dtype dtype) {
  TypedNode node;
  node.dtype = compute_dtype(dtype);
  if (class_of(dtype) == DtypeClass::floating) {
    node.real = value.as_real();
    // A wide integer goes to f32 in one rounding, not by way of double.
    if (node.dtype == NETCL_F32) {
      node.real = static_cast<double>(value.kind == ConstantKind::floating
                                          ? static_cast<float>(value.real)
                                          : static_cast<float>(value.integer));
    }
    return intern(node);
  }
  if (dtype == NETCL_BOOL) {
    node.integer = value.truth();
    return intern(node);
  }
  const uint32_t bits = static_cast<uint32_t>(dtype_size(dtype)) * 8;
  const bool is_signed = class_of(dtype) == DtypeClass::signed_integer;
  const Wide one = 1;
  const Wide low = is_signed ? -(one << (bits - 1)) : 0;
  const Wide high = (one << (is_signed ? bits - 1 : bits)) - 1;
  if (value.integer < low || value.integer > high) {
    const bool negative = value.integer < 0;
    const Wide magnitude = negative ? -value.integer : value.integer;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "expression: the literal %s%llu does not fit %s, the dtype "
         "of what it meets", negative ? "-" : "", static_cast<unsigned long long>(magnitude),
         dtype_facts(dtype).name);
  }
  node.integer = static_cast<uint64_t>(value.integer);
  return intern(node);
}

netcl_dtype Inference::default_dtype(uint32_t index) const {
  const Value& value = values_[index];
  if (value.kind == Value::strong) return value.dtype;
  if (value.kind == Value::weak_floating) return NETCL_F32;
  if (!value.constant) return promote(default_dtype(value.if_true), default_dtype(value.if_false));
  if (value.value.integer > static_cast<Wide>(INT64_MAX)) return NETCL_U64;
  const bool small = value.value.integer >= INT32_MIN && value.value.integer <= INT32_MAX;
  return small ? NETCL_I32 : NETCL_I64;
}

uint32_t Inference::convert(uint32_t node, netcl_dtype dtype) {
  const netcl_dtype target = compute_dtype(dtype);
  return nodes_[node].dtype == target ? node : make(Op::convert, target, node);
}

uint32_t Inference::round_to(uint32_t node, netcl_dtype storage) {
  if (storage == NETCL_F16) return make(Op::round_f16, NETCL_F32, node);
  if (storage == NETCL_BF16) return make(Op::round_bf16, NETCL_F32, node);
  return convert(node, storage);
}

// The recursion follows choices nested in choices, which kDepthMax bounds.
uint32_t Inference::coerce(uint32_t index, netcl_dtype dtype) {
  const Value value = values_[index];
  if (value.kind == Value::strong) return convert(value.node, dtype);
  const bool to_float = class_of(dtype) == DtypeClass::floating;
  const bool fits = value.kind == Value::weak_integer ? dtype != NETCL_BOOL : to_float;
  if (!fits) return convert(coerce(index, default_dtype(index)), dtype);
  if (value.constant) return literal(value.value, dtype);
  const uint32_t if_true = coerce(value.if_true, dtype);
  const uint32_t if_false = coerce(value.if_false, dtype);
  return make(Op::where, compute_dtype(dtype), value.node, if_true, if_false);
}

uint32_t Inference::truth(uint32_t index) {
  if (values_[index].kind != Value::strong && values_[index].constant) {
    return literal(values_[index].value, NETCL_BOOL);
  }
  return convert(coerce(index, default_dtype(index)), NETCL_BOOL);
}

// The value that a cast of this literal has on every device, worked out here.
uint32_t Inference::cast_constant(Constant value, netcl_dtype dtype) {
  const bool real = value.kind == ConstantKind::floating;
  if (dtype_size(dtype) == 2 && is_float(dtype)) {
    const double x = value.as_real();
    value.kind = ConstantKind::floating;
    value.real = static_cast<double>(dtype == NETCL_F16 ? f32_from_f16(f16_from_f64(x))
                                                        : f32_from_bf16(bf16_from_f64(x)));
  } else if (!is_float(dtype) && dtype != NETCL_BOOL) {
    const uint32_t bits = static_cast<uint32_t>(dtype_size(dtype)) * 8;
    const bool is_signed = class_of(dtype) == DtypeClass::signed_integer;
    const Wide one = 1;
    const Wide low = is_signed ? -(one << (bits - 1)) : 0;
    const Wide high = (one << (is_signed ? bits - 1 : bits)) - 1;
    if (!real) {
      value.integer &= (one << bits) - 1;
      if (value.integer > high) value.integer -= one << bits;
    } else if (std::isnan(value.real)) {
      value.integer = 0;
    } else if (std::fabs(value.real) >= 0x1p65) {
      value.integer = value.real < 0 ? low : high;
    } else {
      value.integer = static_cast<Wide>(value.real);
      value.integer = value.integer < low ? low : value.integer > high ? high : value.integer;
    }
    value.kind = ConstantKind::integer;
  }
  return literal(value, dtype);
}

// An explicit conversion: unlike a meeting of types it may narrow, and it rounds to 16 bits.
uint32_t Inference::cast(uint32_t index, netcl_dtype dtype) {
  const Value value = values_[index];
  if (value.kind != Value::strong && value.constant) return cast_constant(value.value, dtype);
  if (value.kind == Value::weak_floating && class_of(dtype) == DtypeClass::floating) {
    return round_to(coerce(index, dtype), dtype);
  }
  const netcl_dtype from = default_dtype(index);
  const uint32_t node = coerce(index, from);
  if (from == dtype && value.kind == Value::strong) {
    // A value that only claims to be 16 bits wide is rounded; an input already is.
    return nodes_[node].op == Op::input ? node : round_to(node, dtype);
  }
  return round_to(node, dtype);
}

netcl_dtype Inference::common_dtype(const TreeNode& node, uint32_t first) const {
  const uint32_t arity = op_facts(node.op).arity;
  netcl_dtype common = 0;
  bool weak_float = false;
  bool weak_integer = false;
  for (uint32_t i = first; i < arity; ++i) {
    const Value& value = values_[node.args[i]];
    weak_float = weak_float || value.kind == Value::weak_floating;
    weak_integer = weak_integer || value.kind == Value::weak_integer;
    if (value.kind != Value::strong) continue;
    common = common == 0 ? value.dtype : promote(common, value.dtype);
  }
  if (common == 0) {
    for (uint32_t i = first; i < arity; ++i) {
      const netcl_dtype dtype = default_dtype(node.args[i]);
      common = common == 0 ? dtype : promote(common, dtype);
    }
    return common;
  }
  const DtypeClass kind = class_of(common);
  if (weak_float && kind != DtypeClass::floating) return NETCL_F32;
  if (weak_integer && kind == DtypeClass::boolean) return NETCL_I32;
  return common;
}

Value Inference::choose(const TreeNode& node, netcl_dtype common) {
  const Value& a = values_[node.args[1]];
  const Value& b = values_[node.args[2]];
  const uint32_t condition = truth(node.args[0]);
  if (a.kind != Value::strong && b.kind != Value::strong) {
    Value value;
    const bool floating = a.kind == Value::weak_floating || b.kind == Value::weak_floating;
    value.kind = floating ? Value::weak_floating : Value::weak_integer;
    value.node = condition;
    value.if_true = node.args[1];
    value.if_false = node.args[2];
    return value;
  }
  const uint32_t if_true = coerce(node.args[1], common);
  const uint32_t if_false = coerce(node.args[2], common);
  return strong(common, make(Op::where, compute_dtype(common), condition, if_true, if_false));
}

Value Inference::apply(const TreeNode& node) {
  const OpFacts& facts = op_facts(node.op);
  bool constant_args = true;
  Constant constants[3];
  for (uint32_t i = 0; i < 3 && i < facts.arity; ++i) {
    constant_args = constant_args && values_[node.args[i]].constant;
    constants[i] = values_[node.args[i]].value;
  }
  if (constant_args) return constant(fold(node.op, constants));
  if (facts.rule == Rule::logical) {
    const uint32_t a = truth(node.args[0]);
    const uint32_t b = facts.arity > 1 ? truth(node.args[1]) : 0;
    return strong(NETCL_BOOL, make(node.op, NETCL_BOOL, a, b));
  }
  netcl_dtype common = common_dtype(node, facts.rule == Rule::choose ? 1 : 0);
  if (facts.rule == Rule::choose) return choose(node, common);
  const bool is_bool = common == NETCL_BOOL;
  const bool floating = class_of(common) == DtypeClass::floating;
  if (facts.rule == Rule::bits || facts.rule == Rule::shift) {
    if (floating) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "expression: operator %s needs integers; it got %s%s",
           facts.infix != nullptr ? facts.infix : facts.name, dtype_facts(common).name,
           node.op == Op::bit_xor ? "; a power is pow(x, y)" : "");
    }
    if (is_bool && (facts.rule == Rule::shift || node.op == Op::bit_not)) common = NETCL_I32;
  }
  if (facts.rule == Rule::arithmetic && is_bool) common = NETCL_I32;
  if (facts.rule == Rule::real && !floating) common = NETCL_F32;
  uint32_t args[3] = {0, 0, 0};
  for (uint32_t i = 0; i < 3 && i < facts.arity; ++i) args[i] = coerce(node.args[i], common);
  const bool truth_result = facts.rule == Rule::compare || facts.rule == Rule::classify;
  const netcl_dtype dtype = truth_result ? NETCL_BOOL : common;
  return strong(dtype, make(node.op, compute_dtype(dtype), args[0], args[1], args[2]));
}

Value Inference::visit(const TreeNode& node) {
  if (node.op == Op::input) {
    TypedNode typed;
    typed.op = Op::input;
    typed.input = node.input;
    typed.dtype = compute_dtype(inputs_[node.input]);
    return strong(inputs_[node.input], intern(typed));
  }
  if (node.op == Op::literal) {
    Constant value;
    value.kind = node.kind == LiteralKind::boolean    ? ConstantKind::boolean
                 : node.kind == LiteralKind::integer ? ConstantKind::integer
                                                     : ConstantKind::floating;
    value.integer = node.integer;
    value.real = node.real;
    return constant(value);
  }
  if (node.op == Op::cast) return strong(node.dtype, cast(node.args[0], node.dtype));
  return apply(node);
}

TypedTree Inference::run(netcl_dtype result) {
  values_.reserve(tree_.nodes().size());
  for (const TreeNode& node : tree_.nodes()) values_.push_back(visit(node));
  const uint32_t last = tree_.root();
  TypedTree typed;
  typed.inputs = inputs_;
  const netcl_dtype stored = result != 0 ? result : default_dtype(last);
  const Value& value = values_[last];
  uint32_t root;
  if (value.kind == Value::strong && value.dtype == stored) {
    root = value.node;  // f16 and bf16 are rounded by the store
  } else if (value.kind == Value::weak_integer && value.constant && result != 0 &&
             !is_float(result)) {
    root = literal(value.value, result);
  } else {
    root = cast(last, stored);
  }
  // The store rounds f32 by itself, so a rounding right before it is left out.
  const TypedNode& rounding = nodes_[root];
  const bool same = (rounding.op == Op::round_f16 && stored == NETCL_F16) ||
                    (rounding.op == Op::round_bf16 && stored == NETCL_BF16);
  if (same && nodes_[rounding.args[0]].dtype == NETCL_F32) root = rounding.args[0];
  typed.results = {{root, stored}};
  return prune(std::move(typed));
}

// Keeps what the result needs, in order.
TypedTree Inference::prune(TypedTree typed) const {
  const uint32_t root = typed.root();
  std::vector<uint32_t> moved(nodes_.size(), 0);
  std::vector<uint8_t> used(nodes_.size(), 0);
  used[root] = 1;
  for (uint32_t i = root + 1; i-- > 0;) {
    if (!used[i]) continue;
    for (uint32_t a = 0; a < op_facts(nodes_[i].op).arity; ++a) used[nodes_[i].args[a]] = 1;
  }
  typed.used.assign(inputs_.size(), false);
  for (uint32_t i = 0; i <= root; ++i) {
    if (!used[i]) continue;
    TypedNode node = nodes_[i];
    for (uint32_t a = 0; a < op_facts(node.op).arity; ++a) node.args[a] = moved[node.args[a]];
    if (node.op == Op::input) typed.used[node.input] = true;
    if (node.dtype == NETCL_F64) typed.needs_f64 = true;
    moved[i] = static_cast<uint32_t>(typed.nodes.size());
    typed.nodes.push_back(node);
  }
  typed.results[0].node = moved[root];
  typed.copied_input = copied_input(typed, 0);
  if (typed.copied_input >= 0) typed.needs_f64 = false;
  return typed;
}

}  // namespace

TypedTree infer(const Tree& tree, const netcl_dtype* inputs, uint32_t count, netcl_dtype result) {
  if (count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; at most %d are possible", count,
         NETCL_ARGS_MAX);
  }
  if (tree.arity() > count) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "inputs_count is %u; the expression uses v%u and so needs %u", count, tree.arity() - 1,
         tree.arity());
  }
  for (uint32_t i = 0; i < count; ++i) dtype_facts(inputs[i], "an input's dtype");
  if (result != 0) dtype_facts(result, "options->dtype");
  return Inference(tree, inputs, count).run(result);
}

}  // namespace netcl::expression
