#include "model/program_builder.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "core/number.hpp"

namespace netcl::model {

void own_bytes(std::string_view bytes, Constant* constant) {
  std::shared_ptr<unsigned char[]> own(new unsigned char[std::max<size_t>(bytes.size(), 1)]);
  if (!bytes.empty()) std::memcpy(own.get(), bytes.data(), bytes.size());
  constant->data = {reinterpret_cast<const char*>(own.get()), bytes.size()};
  constant->own = std::move(own);
}

static Constant owned(Constant constant) {
  own_bytes(std::string(constant.data), &constant);
  return constant;
}

Program::Program(OnnxFile file) : file_(std::move(file)) { ProgramBuilder(this).build(); }

size_t Program::node_count() const noexcept {
  size_t count = 0;
  for (const ProgramBlock& block : blocks_) count += block.nodes.size();
  return count;
}

static void drop_from(FileGraph* graph) {
  graph->weights.clear();
  for (FileNode& node : graph->nodes) {
    for (Attribute& attribute : node.attributes) {
      if (attribute.graph != nullptr) drop_from(attribute.graph.get());
      // Numbers are read while nodes are recorded; what is larger was a weight.
      if (attribute.tensor == nullptr) continue;
      attribute.tensor = attribute.tensor->data.size() <= sizeof(double)
                             ? std::make_shared<Constant>(owned(*attribute.tensor))
                             : nullptr;
    }
  }
}

void Program::give_before_steps(const std::vector<char>& values) {
  const auto drop = [&](std::vector<uint32_t>* list) {
    std::erase_if(*list, [&](uint32_t value) { return values[value] != 0; });
  };
  for (ProgramBlock& block : blocks_) {
    for (std::vector<ProgramStep>& steps : block.steps) {
      for (ProgramStep& step : steps) {
        drop(&step.inputs);
        // The last one gives what the graph does.
        if (&step != &steps.back()) drop(&step.outputs);
      }
    }
  }
}

void Program::drop_weights() {
  for (ProgramValue& value : values_) value.constant = nullptr;
  drop_from(&file_);
  constants_.clear();
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

// Why the file's opset of ONNX does not do; empty where it does, or no node is of it: nodes of
// functions have their own.
static std::string strange_opset(const Program& program) {
  const int64_t opset = program.file().opset;
  if (opset >= kOpsetLeast && opset <= kOpsetMost) return "";
  for (const ProgramBlock& block : program.blocks()) {
    for (const ProgramNode& node : block.nodes) {
      if (node.file->opset != 0 || !node.file->domain.empty()) continue;
      const std::string needs = ", which " + node.text() + block.where + " is of";
      const std::string runs =
          format("; netcl runs %lld to %lld", static_cast<long long>(kOpsetLeast),
                 static_cast<long long>(kOpsetMost));
      if (opset == 0) return "the model names no opset of ONNX" + needs + runs;
      return format("the model is of opset %lld", static_cast<long long>(opset)) + needs + runs;
    }
  }
  return "";
}

void require_nothing_missing(const Program& program) {
  const std::string strange = strange_opset(program);
  if (!strange.empty()) fail(NETCL_ERROR_UNSUPPORTED, "%s", strange.c_str());
  if (program.missing().empty()) return;
  // Of several things, what is missing stands before where: a message may be cut.
  std::string kinds;
  for (const Missing& missing : program.missing()) {
    kinds += (kinds.empty() ? "" : ", ") + missing.what;
  }
  kinds = program.missing().size() == 1 ? "" : kinds + "; ";
  fail(NETCL_ERROR_UNSUPPORTED,
       "the model needs what netcl cannot run: " + kinds + missing_text(program, "; ", ""));
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

namespace {
struct FileCounts {
  size_t nodes = 0, weights = 0;
  uint64_t weight_bytes = 0;
  std::map<std::string, size_t> ops;
};
}  // namespace

static void count_graph(const FileGraph& graph, FileCounts* counts) {
  counts->nodes += graph.nodes.size();
  counts->weights += graph.weights.size();
  for (const Constant& weight : graph.weights) counts->weight_bytes += weight.data.size();
  for (const FileNode& node : graph.nodes) {
    ++counts->ops[(node.domain.empty() ? "" : shown(node.domain) + ".") + shown(node.op)];
    for (const Attribute& attribute : node.attributes) {
      if (attribute.graph != nullptr) count_graph(*attribute.graph, counts);
    }
  }
}

std::string describe(const Program& program) {
  const OnnxFile& file = program.file();
  FileCounts counts;
  count_graph(file, &counts);
  const std::string opset =
      file.opset == 0 ? "no opset" : format("opset %lld", static_cast<long long>(file.opset));
  std::string text =
      format("model %s, by %s: ir version %lld, %s, %zu nodes, %zu weights of %llu bytes\n",
             quoted(file.name.c_str()).c_str(), quoted(file.producer.c_str()).c_str(),
             static_cast<long long>(file.ir_version), opset.c_str(), counts.nodes, counts.weights,
             static_cast<unsigned long long>(counts.weight_bytes));
  for (const FileValue* input : program.inputs()) text += value_line("input", *input);
  for (const FileValue& output : file.outputs) text += value_line("output", output);
  for (const auto& [op, count] : counts.ops) text += format("op %s: %zu\n", op.c_str(), count);
  const std::string strange = strange_opset(program);
  if (!strange.empty()) text += strange + "\n";
  if (!program.missing().empty()) {
    text += missing_text(program, "\nmissing ", "missing ") + "\n";
  } else if (strange.empty()) {
    text += "nothing is missing\n";
  }
  return text;
}

}  // namespace netcl::model
