#include "model/model_program.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/number.hpp"
#include "model/onnx_tensor.hpp"

namespace netcl::model {

static void own_bytes(std::string_view bytes, Constant* constant) {
  std::shared_ptr<unsigned char[]> own(new unsigned char[std::max<size_t>(bytes.size(), 1)]);
  if (!bytes.empty()) std::memcpy(own.get(), bytes.data(), bytes.size());
  constant->data = {reinterpret_cast<const char*>(own.get()), bytes.size()};
  constant->own = std::move(own);
}

static Constant owned(Constant constant) {
  own_bytes(std::string(constant.data), &constant);
  return constant;
}

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

class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program* program) : program_(*program), file_(program->file_) {}

  void build() {
    add_weights();
    add_inputs();
    for (size_t i = 0; i < file_.nodes.size(); ++i) add_node(file_.nodes[i], i);
    add_outputs();
    keep_needed();
    for (size_t i = program_.nodes_.size(); i-- > 0;) place(&program_.nodes_[i]);
    for (ProgramNode& node : program_.nodes_) check(node);
    check_types();
  }

 private:
  using Value = ProgramValue;
  std::vector<Value>& values() { return program_.values_; }

  uint32_t define(const std::string& name, const std::string& who) {
    const auto [place, fresh] = numbers_.try_emplace(name, static_cast<uint32_t>(values().size()));
    if (!fresh) {
      fail_corrupt("%s gives %s, which is given already", who.c_str(),
                   quoted(name.c_str(), 200).c_str());
    }
    values().emplace_back();
    values().back().name = name;
    return place->second;
  }

  void add_weights() {
    for (const Constant& weight : file_.weights) {
      values()[define(weight.name, "a weight")].constant = &weight;
    }
  }

  void add_inputs() {
    for (const FileValue& input : file_.inputs) {
      const auto known = numbers_.find(input.name);
      // A weight that may be given another value is taken as it is.
      if (known != numbers_.end() && values()[known->second].constant != nullptr) continue;
      const uint32_t number = define(input.name, "an input");
      values()[number].input = static_cast<int64_t>(program_.inputs_.size());
      program_.inputs_.push_back(&input);
      program_.input_values_.push_back(number);
    }
  }

  void add_node(const FileNode& file, size_t number) {
    ProgramNode node;
    node.file = &file;
    node.number = number;
    node.row = find_op(file.domain, file.op);
    const std::string text = node.text();
    for (const std::string& name : file.inputs) {
      const auto known = numbers_.find(name);
      if (!name.empty() && known == numbers_.end()) {
        fail_corrupt("%s reads %s, which no input, weight or earlier node gives", text.c_str(),
                     quoted(name.c_str(), 200).c_str());
      }
      node.inputs.push_back(name.empty() ? kNone : static_cast<int64_t>(known->second));
    }
    for (const std::string& name : file.outputs) {
      if (name.empty()) {
        node.outputs.push_back(kNone);
        continue;
      }
      const uint32_t value = define(name, text);
      node.outputs.push_back(value);
      values()[value].producer = static_cast<int64_t>(program_.nodes_.size());
    }
    if (file.domain.empty() && file.op == "Constant" && node.outputs.size() == 1 &&
        node.outputs[0] != kNone) {
      Constant constant;
      if (constant_of(file, &constant)) {
        program_.constants_.push_back(std::move(constant));
        Value& value = values()[static_cast<size_t>(node.outputs[0])];
        value.constant = &program_.constants_.back();
        value.producer = kNone;
        return;
      }
    }
    program_.nodes_.push_back(std::move(node));
  }

  void add_outputs() {
    for (const FileValue& output : file_.outputs) {
      const auto known = numbers_.find(output.name);
      if (known == numbers_.end()) {
        fail_corrupt("the output %s is nothing that the model gives",
                     quoted(output.name.c_str(), 200).c_str());
      }
      program_.outputs_.push_back(known->second);
    }
    if (program_.outputs_.empty()) fail_corrupt("the model has no outputs");
  }

  // Nodes that no output depends on go.
  void keep_needed() {
    std::vector<char> needed(program_.nodes_.size());
    std::vector<char> wanted(values().size());
    for (const uint32_t output : program_.outputs_) wanted[output] = 1;
    for (size_t i = program_.nodes_.size(); i-- > 0;) {
      const ProgramNode& node = program_.nodes_[i];
      for (const int64_t value : node.outputs) {
        if (value != kNone && wanted[static_cast<size_t>(value)]) needed[i] = 1;
      }
      if (!needed[i]) continue;
      for (const int64_t value : node.inputs) {
        if (value != kNone) wanted[static_cast<size_t>(value)] = 1;
      }
    }
    std::vector<ProgramNode> kept;
    for (size_t i = 0; i < program_.nodes_.size(); ++i) {
      if (needed[i]) kept.push_back(std::move(program_.nodes_[i]));
    }
    program_.nodes_ = std::move(kept);
    for (size_t i = 0; i < program_.nodes_.size(); ++i) {
      for (const int64_t value : program_.nodes_[i].outputs) {
        if (value != kNone) values()[static_cast<size_t>(value)].producer = static_cast<int64_t>(i);
      }
    }
    for (const uint32_t output : program_.outputs_) values()[output].on_device = true;
  }

  // Says where a node is worked out, and so where its inputs are needed. Whoever reads what it
  // gives has said so before.
  void place(ProgramNode* node) {
    bool asked = false;
    for (const int64_t value : node->outputs) {
      asked = asked || (value != kNone && values()[static_cast<size_t>(value)].on_host);
    }
    const HostOp* const host = find_host_op(node->file->domain, node->file->op);
    if (host != nullptr && (asked || host->always)) node->host = host;
    if (asked && host == nullptr) {
      miss("shapes or other arguments that the device works out", node->text());
    }
    for (size_t i = 0; i < node->inputs.size(); ++i) {
      if (node->inputs[i] == kNone) continue;
      Value& value = values()[static_cast<size_t>(node->inputs[i])];
      if (node->host != nullptr) {
        if (!node->host->shape_alone) value.on_host = true;
      } else if (node->row != nullptr && needs_host(*node->row, i)) {
        value.on_host = true;
      } else {
        value.on_device = true;
      }
    }
  }

  static bool needs_host(const OpRow& row, size_t input) {
    return input < 10 && std::strchr(row.host_inputs, static_cast<int>('0' + input)) != nullptr;
  }

  void miss(const std::string& what, const std::string& node) {
    const auto [place, fresh] = missing_.try_emplace(what, program_.missing_.size());
    if (fresh) program_.missing_.push_back({what, {}});
    program_.missing_[place->second].nodes.push_back(node);
  }

  void check(const ProgramNode& node) {
    const FileNode& file = *node.file;
    const std::string op = (file.domain.empty() ? "" : shown(file.domain) + ".") + shown(file.op);
    if (node.row == nullptr) return miss("op " + op, node.text());
    if (file_.opset < node.row->since) {
      return miss(op + format(" of opset %lld", static_cast<long long>(file_.opset)), node.text());
    }
    const std::string known = std::string(" ") + node.row->attributes + " ";
    for (const Attribute& attribute : file.attributes) {
      const bool listed = !attribute.name.empty() &&
                          attribute.name.find(' ') == std::string::npos &&
                          known.find(" " + attribute.name + " ") != std::string::npos;
      if (!listed) miss("attribute " + shown(attribute.name) + " of " + op, node.text());
    }
    if (node.row->refusal == nullptr) return;
    try {
      const std::string why = node.row->refusal(NodeFacts(file, file_.opset));
      if (!why.empty()) miss(op + " with " + why, node.text());
    } catch (const Error& error) {
      throw Error(error.status(), node.text() + ": " + error.message());
    }
  }

  // Types that netcl does not have, of what is used.
  void check_types() {
    for (const FileValue* input : program_.inputs_) {
      const std::string what = "input " + quoted(input->name.c_str(), 200);
      if (!input->is_tensor) {
        miss("values that are no tensors", what);
      } else if (input->onnx_type != 0 && dtype_of(input->onnx_type) == 0) {
        miss("elements of " + type_name(input->onnx_type), what);
      }
      if (input->shape.size() > kRankMax) miss("tensors of more than 8 dimensions", what);
    }
    for (const Value& value : values()) {
      if (value.constant == nullptr || (!value.on_host && !value.on_device)) continue;
      if (value.constant->dtype == 0) {
        miss("elements of " + type_name(value.constant->onnx_type),
             "weight " + quoted(value.name.c_str(), 200));
      }
    }
  }

  Program& program_;
  OnnxFile& file_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::unordered_map<std::string, size_t> missing_;
};

Program::Program(OnnxFile file) : file_(std::move(file)) { ProgramBuilder(this).build(); }

void Program::drop_weights() {
  for (ProgramValue& value : values_) value.constant = nullptr;
  file_.weights.clear();
  constants_.clear();
  for (FileNode& node : file_.nodes) {
    for (Attribute& attribute : node.attributes) {
      // Numbers are read while nodes are recorded; what is larger was a weight.
      if (attribute.tensor == nullptr) continue;
      attribute.tensor = attribute.tensor->data.size() <= sizeof(double)
                             ? std::make_shared<Constant>(owned(*attribute.tensor))
                             : nullptr;
    }
  }
  // Last: the attributes were parts of it.
  file_.bytes = {};
}

static std::string missing_text(const Program& program, const char* between, const char* mark) {
  std::string text;
  for (const Missing& missing : program.missing()) {
    text += (text.empty() ? mark : between) + missing.what + ":";
    for (const std::string& node : missing.nodes) {
      text += (&node == missing.nodes.data() ? " " : ", ") + node;
    }
  }
  return text;
}

void require_nothing_missing(const Program& program) {
  const int64_t opset = program.file().opset;
  if (opset < kOpsetLeast || opset > kOpsetMost) {
    fail(NETCL_ERROR_UNSUPPORTED, "the model is of opset %lld; netcl runs %lld to %lld",
         static_cast<long long>(opset), static_cast<long long>(kOpsetLeast),
         static_cast<long long>(kOpsetMost));
  }
  if (program.missing().empty()) return;
  // What is missing stands before where: a message may be cut.
  std::string kinds;
  for (const Missing& missing : program.missing()) {
    kinds += (kinds.empty() ? "" : ", ") + missing.what;
  }
  fail(NETCL_ERROR_UNSUPPORTED,
       "the model needs what netcl cannot run: " + kinds + "; " + missing_text(program, "; ", ""));
}

std::string dimensions_text(const FileValue& value) {
  if (!value.has_shape) return "";
  std::string text = "[";
  for (const FileDimension& dimension : value.shape) {
    if (&dimension != value.shape.data()) text += ", ";
    text += dimension.extent >= 0      ? number_text(dimension.extent)
            : dimension.symbol.empty() ? "?"
                                       : shown(dimension.symbol);
  }
  return text + "]";
}

static std::string value_line(const char* what, const FileValue& value) {
  return format("%s %s: %s %s\n", what, quoted(value.name.c_str(), 200).c_str(),
                value.is_tensor ? type_name(value.onnx_type).c_str() : "no tensor",
                value.has_shape ? dimensions_text(value).c_str() : "of any shape");
}

std::string describe(const Program& program) {
  const OnnxFile& file = program.file();
  uint64_t weight_bytes = 0;
  for (const Constant& weight : file.weights) weight_bytes += weight.data.size();
  std::string text =
      format("model %s, by %s: ir version %lld, opset %lld, %zu nodes, %zu weights of %llu bytes\n",
             quoted(file.name.c_str()).c_str(), quoted(file.producer.c_str()).c_str(),
             static_cast<long long>(file.ir_version), static_cast<long long>(file.opset),
             file.nodes.size(), file.weights.size(), static_cast<unsigned long long>(weight_bytes));
  for (const FileValue* input : program.inputs()) text += value_line("input", *input);
  for (const FileValue& output : file.outputs) text += value_line("output", output);
  std::vector<std::pair<std::string, size_t>> ops;
  std::unordered_map<std::string, size_t> known;
  for (const FileNode& node : file.nodes) {
    const std::string op = (node.domain.empty() ? "" : shown(node.domain) + ".") + shown(node.op);
    const auto [place, fresh] = known.try_emplace(op, ops.size());
    if (fresh) ops.push_back({op, 0});
    ++ops[place->second].second;
  }
  std::sort(ops.begin(), ops.end());
  for (const auto& [op, count] : ops) text += format("op %s: %zu\n", op.c_str(), count);
  if (program.missing().empty()) return text + "nothing is missing\n";
  return text + missing_text(program, "\nmissing ", "missing ") + "\n";
}

}  // namespace netcl::model
