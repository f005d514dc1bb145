// Functions of a file, which are put where they are called: the program has nodes of ops alone.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/number.hpp"
#include "model/onnx_file.hpp"
#include "model/onnx_tensor.hpp"

namespace netcl::model {

namespace {

// Functions that call functions: the one who goes through them calls itself.
constexpr size_t kCallsMost = 16;
// Names and numbers of so many bytes count as a node.
constexpr size_t kNodeBytes = 1024;

// Of nodes that the file has not, which needs no opset for them.
constexpr int64_t kIdentityOpset = 13;

using FunctionKey = std::tuple<std::string, std::string, std::string>;

// One call: what names and attributes of the function stand for.
struct FunctionCall {
  const FileFunction* function;
  const FileNode* node;
  std::string text;    // of the node
  std::string prefix;  // of names that only the function has
  std::unordered_map<std::string, std::string> names;

  std::string name_of(const std::string& name) const {
    if (name.empty()) return name;
    const auto known = names.find(name);
    return known != names.end() ? known->second : prefix + name;
  }
};

const Attribute* find_attribute(const std::vector<Attribute>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Attribute& a) { return a.name == name; });
  return found == list.end() ? nullptr : &*found;
}

size_t bytes_of(const Attribute& attribute) {
  size_t bytes = attribute.text.size() + 8 * (attribute.reals.size() + attribute.integers.size());
  for (const std::string& text : attribute.texts) bytes += text.size();
  return bytes;
}

size_t bytes_of_node(const FileNode& node, const FunctionCall& call) {
  size_t bytes = node.name.size() + call.prefix.size();
  for (const auto* names : {&node.inputs, &node.outputs}) {
    for (const std::string& name : *names) bytes += call.name_of(name).size();
  }
  for (const Attribute& attribute : node.attributes) bytes += bytes_of(attribute);
  return bytes;
}

// Outside of functions nothing stands for an attribute of a call.
void refuse_references(const FileGraph& graph) {
  for (const FileNode& node : graph.nodes) {
    for (const Attribute& attribute : node.attributes) {
      if (attribute.graph != nullptr) refuse_references(*attribute.graph);
      if (attribute.reference.empty()) continue;
      fail_corrupt("attribute %s of node %s (%s) refers to one of a function, and it is in none",
                   quoted(attribute.name.c_str()).c_str(), quoted(node.name.c_str(), 200).c_str(),
                   shown(node.op).c_str());
    }
  }
}

class Inliner {
 public:
  Inliner(OnnxFile* file, size_t nodes_most) : file_(*file), nodes_most_(nodes_most) {
    for (const FileFunction& function : file_.functions) {
      const FunctionKey key{function.domain, function.name, function.overload};
      if (functions_.emplace(key, &function).second) continue;
      fail_corrupt("two functions have the name %s", quoted(function.name.c_str(), 200).c_str());
    }
  }

  void run() {
    note_names(file_);
    expand(&file_);
  }

 private:
  // Names of the file, so that those of functions become others.
  void note_names(const FileGraph& graph) {
    for (const Constant& weight : graph.weights) taken_.insert(weight.name);
    for (const FileValue& input : graph.inputs) taken_.insert(input.name);
    for (const FileNode& node : graph.nodes) {
      taken_.insert(node.outputs.begin(), node.outputs.end());
      for (const Attribute& attribute : node.attributes) {
        if (attribute.graph != nullptr) note_names(*attribute.graph);
      }
    }
  }

  const FileFunction* called(const FileNode& node) const {
    const auto found = functions_.find({node.domain, node.op, node.overload});
    return found == functions_.end() ? nullptr : found->second;
  }

  void expand(FileGraph* graph) {
    std::vector<FileNode> nodes;
    nodes.swap(graph->nodes);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const std::string text = node_text(nodes[i], i);
      add(std::move(nodes[i]), text, &graph->nodes);
    }
  }

  // Adds a node, or what it calls.
  void add(FileNode node, const std::string& text, std::vector<FileNode>* to) {
    const FileFunction* const function = called(node);
    if (function != nullptr) return inline_call(*function, node, text, to);
    count(0);
    for (Attribute& attribute : node.attributes) {
      if (attribute.graph != nullptr) expand(attribute.graph.get());
    }
    to->push_back(std::move(node));
  }

  void inline_call(const FileFunction& function, const FileNode& node, const std::string& text,
                   std::vector<FileNode>* to) {
    const bool again = std::find(stack_.begin(), stack_.end(), &function) != stack_.end();
    if (again || stack_.size() == kCallsMost) {
      fail(NETCL_ERROR_UNSUPPORTED,
           again ? "%s: the function %s calls itself" : "%s: the function %s is called too deep",
           text.c_str(), quoted(function.name.c_str(), 200).c_str());
    }
    if (node.inputs.size() > function.inputs.size() ||
        node.outputs.size() > function.outputs.size()) {
      fail_corrupt("%s has %zu inputs and %zu outputs; its function has %zu and %zu", text.c_str(),
                   node.inputs.size(), node.outputs.size(), function.inputs.size(),
                   function.outputs.size());
    }
    count(0);
    FunctionCall call{&function, &node, text, new_prefix(node), {}};
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      const std::string given = i < node.inputs.size() ? node.inputs[i] : std::string();
      if (call.names.emplace(function.inputs[i], given).second) continue;
      fail_corrupt("%s: its function has two inputs of the name %s", text.c_str(),
                   quoted(function.inputs[i].c_str(), 200).c_str());
    }
    std::vector<FileNode> ends;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const std::string& name = function.outputs[i];
      if (node.outputs[i].empty()) continue;
      // What is an input, or an output already, is given as a copy.
      if (call.names.emplace(name, node.outputs[i]).second) continue;
      FileNode copy;
      copy.op = "Identity";
      copy.opset = kIdentityOpset;
      copy.name = call.prefix + name;
      copy.inputs = {call.name_of(name)};
      copy.outputs = {node.outputs[i]};
      ends.push_back(std::move(copy));
    }
    stack_.push_back(&function);
    for (size_t i = 0; i < function.nodes.size(); ++i) {
      FileNode body = bound(function.nodes[i], call);
      const std::string where = node_text(function.nodes[i], i) + " of the function of " + text;
      add(std::move(body), where, to);
    }
    stack_.pop_back();
    for (FileNode& end : ends) add(std::move(end), text, to);
  }

  std::string new_prefix(const FileNode& node) {
    const std::string begin = node.name.empty() ? node.op : node.name;
    for (;;) {
      const std::string prefix = begin + "#" + number_text(++prefixes_) + "/";
      // A name of the file that begins so is found with one look: all names are in order.
      const auto next = taken_.lower_bound(prefix);
      if (next == taken_.end() || next->compare(0, prefix.size(), prefix) != 0) return prefix;
    }
  }

  // What is copied counts, so that a small file does not become a large network.
  void count(size_t bytes) {
    nodes_ += 1 + bytes / kNodeBytes;
    if (nodes_ <= nodes_most_) return;
    fail(NETCL_ERROR_UNSUPPORTED, "with its functions the model has more than %zu nodes",
         nodes_most_);
  }

  void count_graph(const FileGraph& graph) {
    for (const FileNode& node : graph.nodes) {
      size_t bytes = node.attributes.size() * sizeof(Attribute);
      for (const Attribute& attribute : node.attributes) bytes += bytes_of(attribute);
      count(bytes);
    }
    for (const Constant& weight : graph.weights) count(sizeof weight + weight.name.size());
  }

  // A node of a function as it is in a call.
  FileNode bound(const FileNode& node, const FunctionCall& call) {
    count(bytes_of_node(node, call));
    FileNode made = node;
    made.name = call.prefix + (node.name.empty() ? node.op : node.name);
    if (call.function->opset != 0 && call.function->opset != file_.opset) {
      made.opset = call.function->opset;
    }
    for (std::string& name : made.inputs) name = call.name_of(name);
    for (std::string& name : made.outputs) name = call.name_of(name);
    made.attributes.clear();
    for (const Attribute& attribute : node.attributes) {
      const Attribute* given = &attribute;
      if (!attribute.reference.empty()) {
        given = find_attribute(call.node->attributes, attribute.reference);
        if (given == nullptr) given = find_attribute(call.function->defaults, attribute.reference);
        // One that neither has is left out.
        if (given == nullptr) continue;
        count(bytes_of(*given));
      }
      Attribute& copy = made.attributes.emplace_back(*given);
      copy.name = attribute.name;
      // The graph of a call's attribute has the caller's names.
      if (copy.graph == nullptr) continue;
      if (attribute.reference.empty()) {
        copy.graph = bound_graph(*copy.graph, call);
      } else {
        count_graph(*copy.graph);
        copy.graph = std::make_shared<FileGraph>(*copy.graph);
      }
    }
    return made;
  }

  std::shared_ptr<FileGraph> bound_graph(const FileGraph& graph, const FunctionCall& call) {
    auto made = std::make_shared<FileGraph>(graph);
    for (Constant& weight : made->weights) weight.name = call.name_of(weight.name);
    for (FileValue& input : made->inputs) input.name = call.name_of(input.name);
    for (FileValue& output : made->outputs) output.name = call.name_of(output.name);
    for (FileNode& node : made->nodes) node = bound(node, call);
    return made;
  }

  OnnxFile& file_;
  const size_t nodes_most_;
  size_t nodes_ = 0;
  size_t prefixes_ = 0;
  std::map<FunctionKey, const FileFunction*> functions_;
  std::set<std::string> taken_;
  std::vector<const FileFunction*> stack_;
};

}  // namespace

void inline_functions(OnnxFile* file, size_t nodes_most) {
  refuse_references(*file);
  if (!file->functions.empty()) Inliner(file, nodes_most).run();
  file->functions.clear();
}

}  // namespace netcl::model
