// Sequences and optional values, where the file itself says what is in them: their nodes become
// Identity, Concat, Split and the like of the tensors. What takes a value that is not settled is
// left as it is, and told of as an op that netcl cannot run.
#include <unordered_map>

#include "core/number.hpp"
#include "model/host_value.hpp"
#include "model/node_facts.hpp"
#include "model/onnx_tensor.hpp"

namespace netcl::model {

namespace {

// Nodes that are put in are of this opset, whatever the file has: axes are attributes in it.
constexpr int64_t kSequenceOpset = 11;
// Names in all sequences together, each begun 64 bytes: each node that changes one makes another.
constexpr size_t kSequenceItemsMost = 1 << 20;
constexpr size_t kNameBytes = 64;
constexpr int32_t kOnnxBool = 9;

struct SequenceItems {
  enum class Kind { sequence, nothing, tensor } kind = Kind::sequence;
  std::vector<std::string> items;  // tensors; of an optional tensor, one
};

// What is known of the names of a graph, and of those around it.
struct NameScope {
  const NameScope* outer = nullptr;
  std::unordered_map<std::string, SequenceItems> known;
  std::unordered_map<std::string, const Constant*> constants;
  std::unordered_map<std::string, const FileValue*> inputs;
  std::unordered_map<std::string, int64_t> numbers;  // of nodes that give one
  std::unordered_map<std::string, char> unsettled;   // what may be no tensor

  template <class Map>
  const typename Map::mapped_type* find(Map NameScope::*map, const std::string& name) const {
    for (const NameScope* scope = this; scope != nullptr; scope = scope->outer) {
      const auto found = (scope->*map).find(name);
      if (found != (scope->*map).end()) return &found->second;
    }
    return nullptr;
  }
};

Attribute integer_attribute(const char* name, int64_t number) {
  Attribute made;
  made.name = name;
  made.kind = Attribute::Kind::integer;
  made.integer = number;
  return made;
}

Attribute integers_attribute(const char* name, std::vector<int64_t> numbers) {
  Attribute made;
  made.name = name;
  made.kind = Attribute::Kind::integers;
  made.integers = std::move(numbers);
  return made;
}

class SequenceResolver {
 public:
  explicit SequenceResolver(const OnnxFile& file) : opset_(file.opset) {}

  void resolve(FileGraph* graph, const NameScope* outer) {
    NameScope scope;
    scope.outer = outer;
    for (const Constant& weight : graph->weights) scope.constants.emplace(weight.name, &weight);
    for (const FileValue& input : graph->inputs) {
      scope.inputs.emplace(input.name, &input);
      const bool told = input.is_tensor && (outer == nullptr || input.onnx_type != 0);
      if (!told) scope.unsettled.emplace(input.name, 1);
    }
    std::vector<FileNode> nodes;
    nodes.swap(graph->nodes);
    for (size_t i = 0; i < nodes.size(); ++i) {
      FileNode& node = nodes[i];
      for (Attribute& attribute : node.attributes) {
        if (attribute.graph != nullptr) resolve(attribute.graph.get(), &scope);
      }
      note_constant(node, &scope);
      std::vector<FileNode> made;
      try {
        if (node.domain.empty()) replace(node, &scope, &made);
      } catch (const Error& error) {
        throw Error(error.status(), node_text(node, i) + ": " + error.message());
      }
      if (made.empty()) note_unsettled(node, &scope);
      // One that gives a sequence stays for those that take it as it is; else nothing needs it.
      bool gone = false;
      for (const FileNode& one : made) gone = gone || one.outputs[0] == output_of(node);
      if (!gone) graph->nodes.push_back(std::move(node));
      for (FileNode& one : made) graph->nodes.push_back(std::move(one));
    }
  }

 private:
  static const std::string& output_of(const FileNode& node) {
    static const std::string none;
    return node.outputs.empty() ? none : node.outputs[0];
  }
  static std::string input_of(const FileNode& node, size_t input) {
    return input < node.inputs.size() ? node.inputs[input] : std::string();
  }

  void note_constant(const FileNode& node, NameScope* scope) {
    if (!node.domain.empty() || node.op != "Constant" || node.attributes.size() != 1) return;
    const Attribute& value = node.attributes[0];
    if (value.name == "value" && value.tensor != nullptr) {
      // The node may move; its tensor does not.
      scope->constants.emplace(output_of(node), value.tensor.get());
    } else if (value.name == "value_int") {
      scope->numbers.emplace(output_of(node), value.integer);
    }
  }

  // What graphs give may be anything, and so may what sequences have to do with.
  static void note_unsettled(const FileNode& node, NameScope* scope) {
    const bool same =
        node.op == "Identity" && scope->find(&NameScope::unsettled, input_of(node, 0)) != nullptr;
    bool any =
        same || node.op.find("Sequence") != std::string::npos || node.op.starts_with("Optional");
    for (const Attribute& attribute : node.attributes) any = any || attribute.graph != nullptr;
    for (const std::string& output : node.outputs) {
      if (any && scope->known.count(output) == 0) scope->unsettled.emplace(output, 1);
    }
  }

  // The numbers of an integer constant; false where a name is none.
  static bool numbers_of(const NameScope& scope, const std::string& name,
                         std::vector<int64_t>* numbers, bool* scalar) {
    if (const int64_t* const number = scope.find(&NameScope::numbers, name)) {
      *numbers = {*number};
      *scalar = true;
      return true;
    }
    const Constant* const* const found = scope.find(&NameScope::constants, name);
    if (found == nullptr) return false;
    const Constant& constant = **found;
    if (constant.dtype != NETCL_I32 && constant.dtype != NETCL_I64) return false;
    const HostRef value = host_value(constant.dtype, constant.shape, constant.data);
    for (size_t i = 0; i < value->count(); ++i) numbers->push_back(value->integer(i));
    *scalar = constant.shape.empty();
    return true;
  }

  // A position among `count`, which counts from the end where it is negative; false where the file
  // does not settle it.
  static bool position_of(const NameScope& scope, const std::string& name, size_t count,
                          size_t* place) {
    std::vector<int64_t> numbers;
    bool scalar = false;
    if (!numbers_of(scope, name, &numbers, &scalar) || numbers.size() != 1) return false;
    const auto most = static_cast<int64_t>(count);
    const int64_t number = numbers[0] < 0 ? numbers[0] + most : numbers[0];
    if (number < 0 || number >= most) {
      fail_corrupt("position %lld is not among %zu", static_cast<long long>(numbers[0]), count);
    }
    *place = static_cast<size_t>(number);
    return true;
  }

  void count(size_t items) {
    items_ += items;
    if (items_ <= kSequenceItemsMost) return;
    fail(NETCL_ERROR_UNSUPPORTED, "sequences have more than %zu items", kSequenceItemsMost);
  }

  void know(const FileNode& node, NameScope* scope, SequenceItems known) {
    // Long names count as several.
    size_t names = 0;
    for (const std::string& item : known.items) names += 1 + item.size() / kNameBytes;
    count(names);
    scope->known.emplace(output_of(node), std::move(known));
  }

  static FileNode made_node(const FileNode& node, const char* op, std::vector<std::string> inputs,
                            std::string output, std::vector<Attribute> attributes = {}) {
    FileNode made;
    made.name = node.name.empty() ? node.op : node.name;
    made.op = op;
    made.opset = kSequenceOpset;
    made.inputs = std::move(inputs);
    made.outputs = {std::move(output)};
    made.attributes = std::move(attributes);
    return made;
  }

  void replace(const FileNode& node, NameScope* scope, std::vector<FileNode>* made) {
    const std::string& op = node.op;
    if (node.outputs.size() != 1 || output_of(node).empty()) return;
    if (op.starts_with("Optional")) return replace_optional(node, scope, made);
    if (op == "SequenceEmpty") return know(node, scope, {});
    if (op == "SequenceConstruct") {
      for (const std::string& input : node.inputs) {
        if (scope->find(&NameScope::known, input) != nullptr) return;
      }
      return know(node, scope, {SequenceItems::Kind::sequence, node.inputs});
    }
    if (op == "SplitToSequence") return split(node, scope, made);
    const SequenceItems* const given = scope->find(&NameScope::known, input_of(node, 0));
    if (given == nullptr) return;
    if (op == "Identity") return know(node, scope, *given);
    if (given->kind != SequenceItems::Kind::sequence) return;
    if (op == "SequenceLength") {
      const auto length = static_cast<int64_t>(given->items.size());
      scope->numbers.emplace(output_of(node), length);
      made->push_back(made_node(node, "Constant", {}, output_of(node),
                                {integer_attribute("value_int", length)}));
    } else if (op == "ConcatFromSequence") {
      concat(node, *given, made);
    } else {
      change(node, *given, scope, made);
    }
  }

  void change(const FileNode& node, const SequenceItems& given, NameScope* scope,
              std::vector<FileNode>* made) {
    const bool inserts = node.op == "SequenceInsert";
    const std::string position = input_of(node, inserts ? 2 : 1);
    const size_t count = given.items.size();
    size_t place = inserts ? count : count - 1;
    if (node.op == "SequenceAt") {
      if (!position_of(*scope, position, count, &place)) return;
      made->push_back(made_node(node, "Identity", {given.items[place]}, output_of(node)));
      return;
    }
    if (!inserts && node.op != "SequenceErase") return;
    if (inserts && scope->find(&NameScope::known, input_of(node, 1)) != nullptr) return;
    if (!position.empty()) {
      // What is put in may stand behind all.
      if (!position_of(*scope, position, count + (inserts ? 1 : 0), &place)) return;
      std::vector<int64_t> numbers;
      bool scalar = false;
      numbers_of(*scope, position, &numbers, &scalar);
      if (inserts && numbers[0] < 0 && place-- == 0) {
        fail_corrupt("position %lld is not among %zu", static_cast<long long>(numbers[0]), count);
      }
    } else if (!inserts && count == 0) {
      fail_corrupt("there is nothing in the sequence to erase");
    }
    SequenceItems changed = given;
    const auto at = changed.items.begin() + static_cast<ptrdiff_t>(place);
    if (inserts) {
      changed.items.insert(at, input_of(node, 1));
    } else {
      changed.items.erase(at);
    }
    know(node, scope, std::move(changed));
  }

  void concat(const FileNode& node, const SequenceItems& given, std::vector<FileNode>* made) {
    const NodeFacts facts(node, opset_);
    const int64_t axis = facts.integer("axis", 0);
    if (given.items.empty()) fail_corrupt("the sequence is empty");
    std::vector<std::string> parts = given.items;
    count(parts.size());
    if (facts.integer("new_axis", 0) != 0) {
      for (size_t i = 0; i < parts.size(); ++i) {
        const std::string name = output_of(node) + "#" + number_text(i);
        made->push_back(
            made_node(node, "Unsqueeze", {parts[i]}, name, {integers_attribute("axes", {axis})}));
        parts[i] = name;
      }
    }
    made->push_back(
        made_node(node, "Concat", parts, output_of(node), {integer_attribute("axis", axis)}));
  }

  // The extent of a graph's input or of a weight; -1 where it is open.
  static int64_t extent_of(const NameScope& scope, const std::string& name, int64_t axis) {
    std::vector<int64_t> shape;
    if (const Constant* const* const found = scope.find(&NameScope::constants, name)) {
      shape = (*found)->shape;
    } else if (const FileValue* const* const input = scope.find(&NameScope::inputs, name)) {
      for (const FileDimension& d : (*input)->shape) shape.push_back(d.extent);
    }
    const auto rank = static_cast<int64_t>(shape.size());
    if (axis < 0) axis += rank;
    return axis >= 0 && axis < rank ? shape[static_cast<size_t>(axis)] : -1;
  }

  // The lengths of the parts; none where the file does not settle them.
  std::vector<int64_t> lengths_of(const FileNode& node, const NameScope& scope, int64_t axis) {
    std::vector<int64_t> lengths;
    int64_t length = 1;
    if (!input_of(node, 1).empty()) {
      bool scalar = false;
      if (!numbers_of(scope, input_of(node, 1), &lengths, &scalar)) return {};
      if (!scalar) return lengths;
      length = lengths[0];
    }
    const int64_t extent = extent_of(scope, input_of(node, 0), axis);
    if (extent < 0) return {};
    if (length < 1) fail_corrupt("parts of %lld elements", static_cast<long long>(length));
    const int64_t parts = (extent + length - 1) / length;
    if (parts > static_cast<int64_t>(kSequenceItemsMost)) count(kSequenceItemsMost + 1);
    lengths.assign(static_cast<size_t>(parts), length);
    if (parts > 0) lengths.back() = extent - (parts - 1) * length;
    return lengths;
  }

  void split(const FileNode& node, NameScope* scope, std::vector<FileNode>* made) {
    const NodeFacts facts(node, opset_);
    const int64_t axis = facts.integer("axis", 0);
    const std::vector<int64_t> lengths = lengths_of(node, *scope, axis);
    if (lengths.empty()) return;
    count(lengths.size());
    SequenceItems parts;
    for (size_t i = 0; i < lengths.size(); ++i) {
      parts.items.push_back(output_of(node) + "#" + number_text(i));
    }
    FileNode cut =
        made_node(node, "Split", {input_of(node, 0)}, "",
                  {integer_attribute("axis", axis), integers_attribute("split", lengths)});
    // keepdims matters where no lengths are given alone.
    const bool keeps = !input_of(node, 1).empty() || facts.integer("keepdims", 1) != 0;
    cut.outputs = parts.items;
    for (std::string& name : cut.outputs) name += keeps ? "" : "#";
    const std::vector<std::string> whole = cut.outputs;
    made->push_back(std::move(cut));
    for (size_t i = 0; !keeps && i < whole.size(); ++i) {
      made->push_back(made_node(node, "Squeeze", {whole[i]}, parts.items[i],
                                {integers_attribute("axes", {axis})}));
    }
    know(node, scope, std::move(parts));
  }

  void replace_optional(const FileNode& node, NameScope* scope, std::vector<FileNode>* made) {
    const std::string input = input_of(node, 0);
    const SequenceItems* given = scope->find(&NameScope::known, input);
    if (scope->find(&NameScope::unsettled, input) != nullptr) return;
    const SequenceItems nothing{SequenceItems::Kind::nothing, {}},
        tensor{SequenceItems::Kind::tensor, {input}};
    if (given == nullptr) given = input.empty() ? &nothing : &tensor;
    if (node.op == "Optional") return know(node, scope, *given);
    if (node.op == "OptionalHasElement") {
      const std::string number = output_of(node) + "#";
      made->push_back(made_node(
          node, "Constant", {}, number,
          {integer_attribute("value_int", given->kind == SequenceItems::Kind::nothing ? 0 : 1)}));
      made->push_back(
          made_node(node, "Cast", {number}, output_of(node), {integer_attribute("to", kOnnxBool)}));
    } else if (node.op == "OptionalGetElement") {
      if (given->kind == SequenceItems::Kind::nothing)
        fail_corrupt("the optional value is not there");
      if (given->kind == SequenceItems::Kind::sequence) return know(node, scope, *given);
      made->push_back(made_node(node, "Identity", given->items, output_of(node)));
    }
  }

  const int64_t opset_;
  size_t items_ = 0;
};

}  // namespace

void resolve_sequences(OnnxFile* file) { SequenceResolver(*file).resolve(file, nullptr); }

}  // namespace netcl::model
