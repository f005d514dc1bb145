#include "model/program_builder.hpp"

#include <algorithm>
#include <iterator>

#include "model/flow.hpp"
#include "model/onnx_tensor.hpp"

namespace netcl::model {

// A weight as an attribute of Constant gives it.
static bool constant_of(const FileNode& node, Constant* constant) {
  if (node.attributes.size() != 1) return false;
  const Attribute& given = node.attributes[0];
  if (given.name == "value" && given.tensor != nullptr) {
    *constant = *given.tensor;
    return true;
  }
  HostValue value;
  value.dtype = given.name.starts_with("value_float") ? NETCL_F32 : NETCL_I64;
  if (given.name == "value_float") {
    value.reals = {given.real};
  } else if (given.name == "value_floats") {
    value.reals = given.reals;
  } else if (given.name == "value_int") {
    value.integers = {given.integer};
  } else if (given.name == "value_ints") {
    value.integers = given.integers;
  } else {
    return false;
  }
  if (given.name.back() == 's') value.shape = {static_cast<int64_t>(value.count())};
  constant->dtype = value.dtype;
  constant->onnx_type = static_cast<int32_t>(value.is_real() ? OnnxType::f32 : OnnxType::i64);
  constant->shape = value.shape;
  own_bytes(bytes_of(value), constant);
  return true;
}

void ProgramBuilder::build() {
  add_block(file_, "");
  if (program_.outputs().empty()) fail_corrupt("the model has no outputs");
  std::vector<char> wanted(values().size());
  keep_needed(&program_.blocks_[0], &wanted);
  note_captures(0);
  for (const ProgramBlock& block : program_.blocks_) {
    for (const ProgramNode& node : block.nodes) check(node, block.where);
  }
  ProgramPlaces(&program_).build();
  check_types();
}

// ---- Names ----

const uint32_t* ProgramBuilder::find(const std::string& name) const {
  for (size_t i = scopes_.size(); i-- > 0;) {
    const auto known = scopes_[i].find(name);
    if (known != scopes_[i].end()) return &known->second;
  }
  return nullptr;
}

uint32_t ProgramBuilder::new_value(const std::string& name) {
  values().emplace_back();
  values().back().name = name;
  values().back().block = block_;
  return static_cast<uint32_t>(values().size() - 1);
}

// A graph within another gives none of the names that it sees there.
uint32_t ProgramBuilder::define(const std::string& name, const std::string& who) {
  if (find(name) != nullptr) {
    fail_corrupt("%s gives %s, which is given already", who.c_str(),
                 quoted(name.c_str(), 200).c_str());
  }
  const uint32_t number = new_value(name);
  scopes_.back().emplace(name, number);
  return number;
}

uint32_t ProgramBuilder::add_block(const FileGraph& file, std::string where) {
  const uint32_t outer = block_;
  const auto number = static_cast<uint32_t>(program_.blocks_.size());
  ProgramBlock& block = program_.blocks_.emplace_back();
  block.file = &file;
  block.where = std::move(where);
  block_ = number;
  scopes_.emplace_back();
  add_weights(block);
  add_inputs(&block);
  for (size_t i = 0; i < file.nodes.size(); ++i) add_node(&block, file.nodes[i], i);
  add_outputs(&block);
  scopes_.pop_back();
  block_ = outer;
  return number;
}

void ProgramBuilder::add_weights(const ProgramBlock& block) {
  for (const Constant& weight : block.file->weights) {
    values()[define(weight.name, "a weight" + block.where)].constant = &weight;
  }
}

void ProgramBuilder::add_inputs(ProgramBlock* block) {
  for (const FileValue& input : block->file->inputs) {
    if (block_ != 0) {
      block->inputs.push_back(input.name.empty() ? new_value("")
                                                 : define(input.name, "an input" + block->where));
      continue;
    }
    const uint32_t* const known = find(input.name);
    // A weight that may be given another value is taken as it is.
    if (known != nullptr && values()[*known].constant != nullptr) continue;
    const uint32_t number = define(input.name, "an input");
    values()[number].input = static_cast<int64_t>(program_.inputs_.size());
    program_.inputs_.push_back(&input);
    block->inputs.push_back(number);
  }
}

void ProgramBuilder::add_node(ProgramBlock* block, const FileNode& file, size_t number) {
  ProgramNode node;
  node.file = &file;
  node.number = number;
  node.row = file.joined ? find_pattern(file.op) : find_op(file.domain, file.op);
  const std::string text = node.text() + block->where;
  for (const std::string& name : file.inputs) {
    const uint32_t* const known = find(name);
    if (!name.empty() && known == nullptr) {
      fail_corrupt("%s reads %s, which no input, weight or earlier node gives", text.c_str(),
                   quoted(name.c_str(), 200).c_str());
    }
    node.inputs.push_back(name.empty() ? kNone : static_cast<int64_t>(*known));
  }
  if (node.decides()) add_inner(&node, text);
  for (const std::string& name : file.outputs) {
    node.outputs.push_back(name.empty() ? kNone : static_cast<int64_t>(define(name, text)));
  }
  if (!add_constant(node)) block->nodes.push_back(std::move(node));
}

bool ProgramBuilder::add_constant(const ProgramNode& node) {
  const FileNode& file = *node.file;
  Constant constant;
  if (!file.domain.empty() || file.op != "Constant" || node.outputs.size() != 1 ||
      node.outputs[0] == kNone || !constant_of(file, &constant)) {
    return false;
  }
  program_.constants_.push_back(std::move(constant));
  values()[static_cast<size_t>(node.outputs[0])].constant = &program_.constants_.back();
  return true;
}

void ProgramBuilder::add_outputs(ProgramBlock* block) {
  for (const FileValue& output : block->file->outputs) {
    const uint32_t* const known = find(output.name);
    if (known == nullptr) {
      fail_corrupt("the output %s%s is nothing that %s gives",
                   quoted(output.name.c_str(), 200).c_str(), block->where.c_str(),
                   block_ == 0 ? "the model" : "the graph");
    }
    block->outputs.push_back(*known);
  }
}

// ---- Graphs of nodes ----

void ProgramBuilder::add_inner(ProgramNode* node, const std::string& text) {
  const bool branches = node->row->flow == Flow::branch;
  for (const char* const name : {"then_branch", "else_branch", "body"}) {
    if (branches == (name == std::string_view("body"))) continue;
    const Attribute* const graph = NodeFacts(*node->file, file_.opset).find(name);
    if (graph == nullptr || graph->graph == nullptr) {
      fail_corrupt("%s has no graph %s", text.c_str(), name);
    }
    node->blocks.push_back(add_block(*graph->graph, format(" of the %s of ", name) + text));
  }
  check_graphs(*node, text);
  if (node->row->flow == Flow::loop)
    node->inputs.resize(std::max<size_t>(2, node->inputs.size()), kNone);
}

// Whatever goes in and out has its counterpart.
void ProgramBuilder::check_graphs(const ProgramNode& node, const std::string& text) {
  const bool branches = node.row->flow == Flow::branch;
  size_t inputs = 0, outputs = node.file->outputs.size();
  if (!branches) {
    std::unique_ptr<const Rounds> rounds;
    try {
      rounds = std::make_unique<const Rounds>(node, file_.opset);
    } catch (const Error& error) {
      throw Error(error.status(), text + ": " + error.message());
    }
    inputs = rounds->body_first + rounds->count + rounds->slices;
    outputs = std::max(outputs, rounds->count) + rounds->result_first;
    for (size_t i = rounds->node_first; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == kNone) fail_corrupt("%s: input %zu is left out", text.c_str(), i);
    }
  } else if (node.inputs.empty() || node.inputs[0] == kNone) {
    fail_corrupt("%s: input 0 is left out", text.c_str());
  }
  for (const uint32_t inner : node.blocks) {
    const ProgramBlock& block = program_.blocks_[inner];
    const char* const name = !branches                 ? "body"
                             : inner == node.blocks[0] ? "then_branch"
                                                       : "else_branch";
    if (block.inputs.size() != inputs) {
      fail_corrupt("%s: its %s has %zu inputs; it takes %zu", text.c_str(), name,
                   block.inputs.size(), inputs);
    }
    if (block.outputs.size() < outputs) {
      fail_corrupt("%s: its %s gives %zu values; it needs %zu", text.c_str(), name,
                   block.outputs.size(), outputs);
    }
  }
  if (branches) check_branch_types(node, text);
}

void ProgramBuilder::check_branch_types(const ProgramNode& node, const std::string& text) {
  const auto& first = program_.blocks_[node.blocks[0]].file->outputs;
  const auto& second = program_.blocks_[node.blocks[1]].file->outputs;
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const int32_t a = first[i].onnx_type, b = second[i].onnx_type;
    if (a == b || a == 0 || b == 0) continue;
    fail_corrupt("%s: output %zu is %s in its then_branch and %s in its else_branch", text.c_str(),
                 i, type_name(a).c_str(), type_name(b).c_str());
  }
}

// ---- What is needed ----

// Nodes that no output depends on go.
void ProgramBuilder::keep_needed(ProgramBlock* block, std::vector<char>* wanted) {
  for (const uint32_t output : block->outputs) (*wanted)[output] = 1;
  std::vector<ProgramNode> kept;
  for (size_t i = block->nodes.size(); i-- > 0;) {
    ProgramNode& node = block->nodes[i];
    bool needed = false;
    for (const int64_t value : node.outputs) {
      needed = needed || (value != kNone && (*wanted)[static_cast<size_t>(value)] != 0);
    }
    if (!needed) {
      for (const uint32_t inner : node.blocks) forget(inner);
      continue;
    }
    for (const int64_t value : node.inputs) {
      if (value != kNone) (*wanted)[static_cast<size_t>(value)] = 1;
    }
    for (const uint32_t inner : node.blocks) keep_needed(&program_.blocks_[inner], wanted);
    kept.push_back(std::move(node));
  }
  std::reverse(kept.begin(), kept.end());
  block->nodes = std::move(kept);
}

void ProgramBuilder::forget(uint32_t number) {
  ProgramBlock& block = program_.blocks_[number];
  for (const ProgramNode& node : block.nodes) {
    for (const uint32_t inner : node.blocks) forget(inner);
  }
  block.nodes.clear();
  block.outputs.clear();
}

// The values from outside that a graph reads, and those within it.
std::vector<uint32_t> ProgramBuilder::note_captures(uint32_t number) {
  ProgramBlock& block = program_.blocks_[number];
  std::vector<uint32_t> outside;
  const auto note = [&](uint32_t value) {
    const Value& known = values()[value];
    if (known.block != number && known.constant == nullptr) outside.push_back(value);
  };
  for (ProgramNode& node : block.nodes) {
    for (const uint32_t inner : node.blocks) {
      const std::vector<uint32_t> captures = note_captures(inner);
      node.captures.insert(node.captures.end(), captures.begin(), captures.end());
    }
    for (const int64_t value : node.inputs) {
      if (value != kNone) note(static_cast<uint32_t>(value));
    }
    for (const uint32_t value : node.captures) note(value);
  }
  for (const uint32_t value : block.outputs) note(value);
  std::sort(outside.begin(), outside.end());
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  return outside;
}

// ---- What cannot be run ----

void ProgramBuilder::miss(const std::string& what, const std::string& node) {
  const auto [place, fresh] = missing_.try_emplace(what, program_.missing_.size());
  if (fresh) program_.missing_.push_back({what, {}});
  program_.missing_[place->second].nodes.push_back(node);
}

void ProgramBuilder::check(const ProgramNode& node, const std::string& where) {
  const FileNode& file = *node.file;
  const std::string text = node.text() + where;
  const std::string op = (file.domain.empty() ? "" : shown(file.domain) + ".") + shown(file.op);
  if (node.row == nullptr) return miss("op " + op, text);
  const int64_t opset = opset_of(file, file_.opset);
  const bool strange = node.file->opset != 0 && (opset < kOpsetLeast || opset > kOpsetMost);
  if (opset < node.row->since || strange) {
    return miss(op + format(" of opset %lld", static_cast<long long>(opset)), text);
  }
  const std::string known = std::string(" ") + node.row->attributes + " ";
  for (const Attribute& attribute : file.attributes) {
    const bool listed = !attribute.name.empty() && attribute.name.find(' ') == std::string::npos &&
                        known.find(" " + attribute.name + " ") != std::string::npos;
    if (!listed) miss("attribute " + shown(attribute.name) + " of " + op, text);
  }
  if (node.row->refusal == nullptr) return;
  try {
    const std::string why = node.row->refusal(NodeFacts(file, file_.opset));
    if (!why.empty()) miss(op + " with " + why, text);
  } catch (const Error& error) {
    throw Error(error.status(), text + ": " + error.message());
  }
}

void ProgramBuilder::check_type(const FileValue& value, const std::string& what) {
  if (!value.is_tensor) {
    miss("values that are no tensors", what);
  } else if (value.onnx_type != 0 && dtype_of(value.onnx_type) == 0) {
    miss("elements of " + type_name(value.onnx_type), what);
  }
  if (value.shape.size() > kRankMax) miss("tensors of more than 8 dimensions", what);
}

// Types that netcl does not have, of what is used.
void ProgramBuilder::check_types() {
  for (const FileValue* input : program_.inputs_) {
    check_type(*input, "input " + quoted(input->name.c_str(), 200));
  }
  for (const ProgramBlock& block : program_.blocks_) {
    for (const ProgramNode& node : block.nodes) {
      for (const uint32_t number : node.blocks) {
        const ProgramBlock& inner = program_.blocks_[number];
        for (const FileValue& input : inner.file->inputs) {
          check_type(input, "input " + quoted(input.name.c_str(), 200) + inner.where);
        }
      }
    }
  }
  for (const Value& value : values()) {
    if (value.constant == nullptr || (!value.on_host && !value.on_device)) continue;
    if (value.constant->dtype == 0) {
      miss("elements of " + type_name(value.constant->onnx_type),
           "weight " + quoted(value.name.c_str(), 200));
    }
  }
}

}  // namespace netcl::model
