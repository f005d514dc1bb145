#include "graph/primitive.hpp"

#include <algorithm>
#include <cstring>

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/process.hpp"
#include "expression/differentiate.hpp"
#include "expression/graft.hpp"
#include "expression/parse.hpp"

namespace netcl::graph {

namespace {

using expression::NamedInput;
using expression::TreeBuilder;

// Where names stand among the inputs of a parsed formula, behind v0 ... v63.
constexpr uint32_t kGrad = NETCL_ARGS_MAX;
constexpr uint32_t kOut = kGrad + 1;
constexpr uint32_t kAttributes = kOut + 1;
constexpr size_t kAttributeNameMax = 31;

TreeRef parse_formula(const std::string& text, const char* member,
                      const expression::Vocabulary& vocabulary) {
  try {
    return expression::parse(text.c_str(), vocabulary);
  } catch (const Error& error) {
    fail(error.status(), format("%s: %s", member, error.what()));
  }
}

// A node for each input of a parsed formula; those of v0 ... are the caller's to fill in.
std::vector<uint32_t> formula_inputs(TreeBuilder* builder, std::span<const double> values) {
  std::vector<uint32_t> inputs(kAttributes, 0);
  for (const double value : values) inputs.push_back(expression::number_node(builder, value));
  return inputs;
}

}  // namespace

Primitive::Primitive(PrimitiveDefinition definition) : definition_(std::move(definition)) {
  check_attributes();
  if (definition_.work == nullptr) parse_formulas();
}

void Primitive::check_attributes() const {
  const std::vector<std::string>& names = definition_.attributes;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = quoted(names[i].c_str());
    if (!is_identifier(names[i], kAttributeNameMax)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->attributes[%zu] is %s; a name has 1 to %zu "
           "letters, digits and _, and no digit first",
           i, name.c_str(), kAttributeNameMax);
    }
    if (names[i] == "grad" || names[i] == "out" || expression::is_word_of_language(names[i])) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->attributes[%zu] is %s, which has a meaning in "
           "formulas already",
           i, name.c_str());
    }
    if (std::find(names.begin(), names.begin() + static_cast<ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<ptrdiff_t>(i)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes[%zu] is %s for the second time", i,
           name.c_str());
    }
  }
}

void Primitive::parse_formulas() {
  const uint32_t arity = definition_.arity;
  std::vector<NamedInput> names{{"grad", kGrad}, {"out", kOut}};
  for (const std::string& name : definition_.attributes) {
    names.push_back({name, kAttributes + static_cast<uint32_t>(names.size()) - 2});
  }
  const std::span<const NamedInput> all(names);
  forward_ = parse_formula(definition_.forward, "options->forward",
                           {arity == 0 ? 2 : arity, all.subspan(2)});
  for (size_t i = 0; i < definition_.backward.size(); ++i) {
    const std::string& text = definition_.backward[i];
    const std::string member = format("options->backward[%zu]", i);
    backward_.push_back(text.empty()
                            ? nullptr
                            : parse_formula(text, member.c_str(), {arity == 0 ? 1 : arity, all}));
  }
}

std::vector<double> Primitive::values(std::span<const char* const> names,
                                      std::span<const double> values) const {
  const std::vector<std::string>& known = definition_.attributes;
  std::vector<double> result = definition_.defaults;
  result.resize(known.size());
  std::vector<uint8_t> given(known.size(), 0);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = std::find(known.begin(), known.end(), names[i]);
    const size_t place = static_cast<size_t>(found - known.begin());
    if (found == known.end()) {
      std::string list;
      for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes[%zu] is %s; %s has %s%s", i,
           quoted(names[i]).c_str(), quoted(name().c_str()).c_str(),
           known.empty() ? "no attributes" : "the attributes ", list.c_str());
    }
    if (given[place]) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes[%zu] is %s for the second time", i,
           quoted(names[i]).c_str());
    }
    given[place] = 1;
    result[place] = values[i];
  }
  for (size_t i = 0; i < known.size() && definition_.defaults.empty(); ++i) {
    if (given[i]) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->attributes lacks %s, which has no default in %s",
         known[i].c_str(), quoted(name().c_str()).c_str());
  }
  return result;
}

void Primitive::check_inputs(uint32_t count) const {
  const uint32_t arity = definition_.arity;
  if (arity != 0 && count != arity) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; %s takes %u", count,
         quoted(name().c_str()).c_str(), arity);
  }
}

template <class Make>
TreeRef Primitive::kept(uint32_t count, uint32_t which, std::span<const double> values, Make make) {
  std::string key(sizeof count + sizeof which + values.size_bytes(), '\0');
  std::memcpy(key.data(), &count, sizeof count);
  std::memcpy(key.data() + sizeof count, &which, sizeof which);
  if (!values.empty()) {
    std::memcpy(key.data() + sizeof count + sizeof which, values.data(), values.size_bytes());
  }
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (const TreeRef* known = trees_.find(key)) return *known;
  }
  TreeRef tree = make();
  std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have come first; its tree has the compiled forms then.
  return trees_.insert(std::move(key), std::move(tree));
}

TreeRef Primitive::forward(uint32_t count, std::span<const double> values) {
  return kept(count, 0, values, [&] { return make_forward(count, values); });
}

TreeRef Primitive::gradient(uint32_t count, uint32_t input, bool has_out,
                            std::span<const double> values) {
  return kept(count, 1 + 2 * input + (has_out ? 1 : 0), values,
              [&] { return make_gradient(count, input, has_out, values); });
}

TreeRef Primitive::make_forward(uint32_t count, std::span<const double> values) const {
  TreeBuilder builder;
  std::vector<uint32_t> inputs = formula_inputs(&builder, values);
  if (definition_.arity != 0) {
    for (uint32_t i = 0; i < count; ++i) inputs[i] = builder.input(i);
    return builder.finish(graft(&builder, *forward_, inputs).back());
  }
  inputs[0] = builder.input(0);
  for (uint32_t i = 1; i < count; ++i) {
    inputs[1] = builder.input(i);
    inputs[0] = graft(&builder, *forward_, inputs).back();
  }
  return builder.finish(inputs[0]);
}

TreeRef Primitive::make_gradient(uint32_t count, uint32_t input, bool has_out,
                                 std::span<const double> values) {
  const TreeRef result = forward(count, values);
  const size_t place = definition_.arity == 0 ? 0 : input;
  const TreeRef formula = place < backward_.size() ? backward_[place] : nullptr;
  if (formula == nullptr) return expression::differentiate(*result, count, input);
  TreeBuilder builder;
  std::vector<uint32_t> inputs = formula_inputs(&builder, values);
  for (uint32_t i = 0; i < count; ++i) inputs[i] = builder.input(i);
  inputs[kGrad] = builder.input(count);
  inputs[kOut] = has_out ? builder.input(count + 1) : graft(&builder, *result, inputs).back();
  if (definition_.arity == 0) inputs[0] = builder.input(input);
  return builder.finish(graft(&builder, *formula, inputs).back());
}

PrimitiveRegistry& PrimitiveRegistry::instance() {
  return process().services.get<PrimitiveRegistry>(
      Slot::primitives, [] { return std::make_unique<PrimitiveRegistry>(); });
}

void PrimitiveRegistry::add(PrimitiveRef primitive) {
  const std::string name = primitive->name();
  std::lock_guard<std::mutex> lock(mutex_);
  // Leaves the primitive to the caller where the name is taken: what goes with it may call back.
  if (!primitives_.try_emplace(name, std::move(primitive)).second) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "name is %s, which is registered already; "
         "netcl_primitive_unregister removes it",
         quoted(name.c_str()).c_str());
  }
}

void PrimitiveRegistry::remove(const std::string& name) {
  PrimitiveRef removed;  // destroyed after the lock
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = primitives_.find(name);
  if (found == primitives_.end()) fail_unknown(name);
  removed = std::move(found->second);
  primitives_.erase(found);
}

PrimitiveRef PrimitiveRegistry::find(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = primitives_.find(name);
  if (found == primitives_.end()) fail_unknown(name);
  return found->second;
}

void PrimitiveRegistry::fail_unknown(const std::string& name) const {
  std::string known;
  for (const auto& entry : primitives_) {
    known += (known.empty() ? "" : ", ") + quoted(entry.first.c_str());
  }
  fail(NETCL_ERROR_NOT_FOUND, "name is %s; registered primitives are: %s",
       quoted(name.c_str()).c_str(), known.empty() ? "none" : known.c_str());
}

}  // namespace netcl::graph
