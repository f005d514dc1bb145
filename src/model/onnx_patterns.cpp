// Nodes that together are a normalisation or attention become one, as programs write them that have
// no such op: the last node of each pattern, for which the others are needed no more. What else
// reads a value within a pattern keeps it apart. Whether the tensors fit the op shows when the node
// is recorded (ops_patterns.cpp); where they do not, it is what the file says.
#include <cmath>
#include <unordered_map>

#include "model/host_value.hpp"
#include "model/node_facts.hpp"

namespace netcl::model {

namespace {

Attribute pattern_number(const char* name, int64_t number) {
  Attribute made;
  made.name = name;
  made.kind = Attribute::Kind::integer;
  made.integer = number;
  return made;
}
Attribute pattern_real(const char* name, double number) {
  Attribute made;
  made.name = name;
  made.kind = Attribute::Kind::real;
  made.real = number;
  return made;
}

constexpr int64_t kAxesMost = 8;

class PatternJoiner {
 public:
  explicit PatternJoiner(OnnxFile* file) : opset_(file->opset) {
    count_uses(*file);
    join(file);
  }

 private:
  using Names = std::vector<std::string>;

  void count_uses(const FileGraph& graph) {
    for (const FileValue& output : graph.outputs) ++uses_[output.name];
    for (const FileNode& node : graph.nodes) {
      for (const std::string& input : node.inputs) ++uses_[input];
      for (const Attribute& attribute : node.attributes) {
        if (attribute.graph != nullptr) count_uses(*attribute.graph);
      }
    }
  }

  // Nodes know those of their own graph, and the constants of the graphs around it.
  void join(FileGraph* graph) {
    Names own;
    const auto know = [&](const std::string& name, const Constant* constant) {
      if (constants_.emplace(name, constant).second) own.push_back(name);
    };
    for (const Constant& weight : graph->weights) know(weight.name, &weight);
    std::unordered_map<std::string, FileNode*> makers, readers;
    for (FileNode& node : graph->nodes) {
      for (const std::string& output : node.outputs) makers[output] = &node;
      for (const std::string& input : node.inputs) readers[input] = &node;
      if (node.op == "Constant" && node.domain.empty() && node.attributes.size() == 1 &&
          node.attributes[0].tensor != nullptr && node.outputs.size() == 1) {
        know(node.outputs[0], node.attributes[0].tensor.get());
      }
    }
    for (FileNode& node : graph->nodes) {
      for (Attribute& attribute : node.attributes) {
        if (attribute.graph != nullptr) join(attribute.graph.get());
      }
      makers_ = &makers;
      readers_ = &readers;
      if (!join_norm(&node)) join_attention(&node);
    }
    for (const std::string& name : own) constants_.erase(name);
  }

  // ---- What is at a name ----

  // The node of this op that gives a value which so many inputs take, with so many inputs itself.
  const FileNode* made_by(const std::string& name, const char* op, size_t inputs,
                          size_t uses = 1) const {
    const auto found = makers_->find(name);
    if (name.empty() || found == makers_->end() || uses_.at(name) != uses) return nullptr;
    return is_plain(*found->second, op, inputs) ? found->second : nullptr;
  }
  static bool is_plain(const FileNode& node, const char* op, size_t inputs) {
    return node.op == op && node.domain.empty() && !node.joined && node.inputs.size() == inputs &&
           node.outputs.size() == 1;
  }
  // Whether an attribute is this number; one that is left out counts as `left_out`.
  bool says(const FileNode& node, const char* name, int64_t number, int64_t left_out) const {
    const Attribute* const given = NodeFacts(node, opset_).find(name);
    if (given == nullptr) return left_out == number;
    return given->kind == Attribute::Kind::integer && given->integer == number;
  }
  const Constant* constant(const std::string& name) const {
    const auto found = constants_.find(name);
    return found == constants_.end() ? nullptr : found->second;
  }
  // A constant of one element.
  bool is_number(const std::string& name, double* number) const {
    const Constant* const known = constant(name);
    if (known == nullptr || known->dtype == 0 || known->dtype == NETCL_BOOL ||
        known->count() != 1) {
      return false;
    }
    const HostRef value = host_value(known->dtype, known->shape, known->data);
    *number = value->is_real() ? value->real(0) : static_cast<double>(value->integer(0));
    return true;
  }
  bool is_number_of(const std::string& name, double wanted) const {
    double number = 0;
    return is_number(name, &number) && number == wanted;
  }
  // The other input of a sum or a product that has a number as one.
  const std::string* beside_number(const FileNode& node, double* number) const {
    for (size_t i = 0; i < 2; ++i) {
      if (is_number(node.inputs[i], number)) return &node.inputs[1 - i];
    }
    return nullptr;
  }

  // ---- Normalisations ----

  // The axes of a mean that keeps its dimensions; empty for another one.
  std::vector<int64_t> axes_of_mean(const FileNode& mean) const {
    if (!says(mean, "keepdims", 1, 1)) return {};
    if (mean.inputs.size() == 1) {
      const Attribute* const axes = NodeFacts(mean, opset_).find("axes");
      return axes == nullptr ? std::vector<int64_t>() : axes->integers;
    }
    const Constant* const list = constant(mean.inputs[1]);
    if (list == nullptr || list->dtype != NETCL_I64 || list->count() > kAxesMost) return {};
    return host_value(list->dtype, list->shape, list->data)->integers;
  }
  const FileNode* mean_at(const std::string& name, size_t uses = 1) const {
    const FileNode* const old = made_by(name, "ReduceMean", 1, uses);
    return old != nullptr ? old : made_by(name, "ReduceMean", 2, uses);
  }

  // sqrt(mean(square) + epsilon), where it is to be had from a divisor or a factor.
  struct Deviation {
    const FileNode* mean = nullptr;
    std::string rooted;  // what is squared
    size_t squares = 0;  // how often it is read for that
    double epsilon = 0;
  };
  bool read_square(const std::string& name, Deviation* found) const {
    if (const FileNode* const power = made_by(name, "Pow", 2)) {
      found->rooted = power->inputs[0];
      found->squares = 1;
      return is_number_of(power->inputs[1], 2);
    }
    const FileNode* const product = made_by(name, "Mul", 2);
    if (product == nullptr || product->inputs[0] != product->inputs[1]) return false;
    found->rooted = product->inputs[0];
    found->squares = 2;
    return true;
  }
  bool read_deviation(const std::string& name, bool inverted, Deviation* found) const {
    const FileNode* root = made_by(name, "Pow", 2);
    if (root != nullptr) {
      if (!is_number_of(root->inputs[1], inverted ? -0.5 : 0.5)) return false;
    } else {
      const FileNode* const turned = inverted ? made_by(name, "Reciprocal", 1) : nullptr;
      if (inverted && turned == nullptr) return false;
      root = made_by(inverted ? turned->inputs[0] : name, "Sqrt", 1);
      if (root == nullptr) return false;
    }
    const FileNode* const sum = made_by(root->inputs[0], "Add", 2);
    const std::string* const variance =
        sum == nullptr ? nullptr : beside_number(*sum, &found->epsilon);
    if (variance == nullptr || !(found->epsilon >= 0)) return false;
    found->mean = mean_at(*variance);
    return found->mean != nullptr && read_square(found->mean->inputs[0], found);
  }

  // What is normalised: x, or x less its mean, which the square may have by a node of its own.
  bool read_centred(const std::string& above, const Deviation& below, std::string* x,
                    bool* centred) const {
    const bool same = above == below.rooted;
    const size_t uses = below.squares;
    const FileNode* const first = made_by(above, "Sub", 2, same ? uses + 1 : 1);
    const FileNode* const second = same ? first : made_by(below.rooted, "Sub", 2, uses);
    const std::vector<int64_t> axes = axes_of_mean(*below.mean);
    if (axes.empty()) return false;
    if (first != nullptr && second != nullptr && first->inputs == second->inputs) {
      const FileNode* const mean = mean_at(first->inputs[1], same ? 1 : 2);
      if (mean != nullptr && mean->inputs[0] == first->inputs[0] && axes_of_mean(*mean) == axes) {
        *x = first->inputs[0];
        *centred = true;
        return true;
      }
    }
    *x = above;
    *centred = false;
    return same;
  }

  // A sum or product with a weight, where it is all that reads a value.
  FileNode* applied(const std::string& name, const char* op, std::string* weight) const {
    const auto reader = readers_->find(name);
    if (reader == readers_->end() || uses_.at(name) != 1) return nullptr;
    FileNode& node = *reader->second;
    if (!is_plain(node, op, 2)) return nullptr;
    const std::string& other = node.inputs[node.inputs[0] == name ? 1 : 0];
    if (constant(other) == nullptr) return nullptr;
    *weight = other;
    return &node;
  }

  bool join_norm(FileNode* node) {
    Deviation below;
    std::string above, x;
    bool centred = false, found = false;
    if (is_plain(*node, "Div", 2)) {
      above = node->inputs[0];
      found = read_deviation(node->inputs[1], false, &below) &&
              read_centred(above, below, &x, &centred);
    } else if (is_plain(*node, "Mul", 2)) {
      for (size_t i = 0; i < 2 && !found; ++i) {
        above = node->inputs[1 - i];
        below = {};
        found = read_deviation(node->inputs[i], true, &below) &&
                read_centred(above, below, &x, &centred);
      }
    }
    if (!found) return false;
    std::string scale, bias;
    FileNode* last = node;
    if (FileNode* const scaled = applied(last->outputs[0], "Mul", &scale)) last = scaled;
    if (FileNode* const moved = applied(last->outputs[0], "Add", &bias)) last = moved;
    Attribute axes;
    axes.name = "axes";
    axes.kind = Attribute::Kind::integers;
    axes.integers = axes_of_mean(*below.mean);
    become(last, "norm", {x, scale, bias},
           {std::move(axes), pattern_real("epsilon", below.epsilon),
            pattern_number("centred", centred ? 1 : 0)});
    return true;
  }

  // ---- Attention ----

  // Takes factors that are numbers away from a value, and puts them to the scale.
  std::string without_factors(std::string name, double* scale) const {
    for (int n = 0; n < 2; ++n) {
      double number = 0;
      if (const FileNode* const product = made_by(name, "Mul", 2)) {
        const std::string* const other = beside_number(*product, &number);
        if (other == nullptr) break;
        *scale *= number;
        name = *other;
      } else if (const FileNode* const quotient = made_by(name, "Div", 2)) {
        if (!is_number(quotient->inputs[1], &number)) break;
        *scale /= number;
        name = quotient->inputs[0];
      } else {
        break;
      }
    }
    return name;
  }

  struct Scores {
    std::string q, k, mask;  // k with the keys along its last axis
    double scale = 1;
  };
  bool read_scores(const std::string& name, Scores* scores) const {
    double scale = 1;
    const FileNode* const product = made_by(without_factors(name, &scale), "MatMul", 2);
    if (product == nullptr) return false;
    scores->q = without_factors(product->inputs[0], &scale);
    scores->k = without_factors(product->inputs[1], &scale);
    scores->scale = scale;
    return std::isfinite(scale) && scale != 0;
  }
  bool read_masked_scores(const std::string& name, Scores* scores) const {
    if (read_scores(name, scores)) return true;
    const FileNode* const sum = made_by(name, "Add", 2);
    for (size_t i = 0; sum != nullptr && i < 2; ++i) {
      if (!read_scores(sum->inputs[i], scores)) continue;
      scores->mask = sum->inputs[1 - i];
      return true;
    }
    return false;
  }

  // A softmax along the last axis; `guarded`: rows that are no numbers become zeros behind it.
  const FileNode* softmax_at(const std::string& name, bool* guarded) const {
    const FileNode* softmax = made_by(name, "Softmax", 1);
    if (const FileNode* const chosen = made_by(name, "Where", 3)) {
      const FileNode* const test = made_by(chosen->inputs[0], "IsNaN", 1);
      if (test == nullptr || test->inputs[0] != chosen->inputs[2] ||
          !is_number_of(chosen->inputs[1], 0)) {
        return nullptr;
      }
      softmax = made_by(chosen->inputs[2], "Softmax", 1, 2);
      *guarded = true;
    }
    if (softmax == nullptr) return nullptr;
    const int64_t left_out = opset_of(*softmax, opset_) < 13 ? 1 : -1;
    return says(*softmax, "axis", -1, left_out) ? softmax : nullptr;
  }

  bool join_attention(FileNode* node) {
    bool guarded = false;
    if (!is_plain(*node, "MatMul", 2)) return false;
    const FileNode* const softmax = softmax_at(node->inputs[0], &guarded);
    Scores scores;
    if (softmax == nullptr || !read_masked_scores(softmax->inputs[0], &scores)) return false;
    become(node, "attention", {scores.q, scores.k, node->inputs[1], scores.mask},
           {pattern_real("scale", scores.scale), pattern_number("guarded", guarded ? 1 : 0)});
    return true;
  }

  static void become(FileNode* node, const char* op, Names inputs,
                     std::vector<Attribute> attributes) {
    node->op = op;
    node->joined = true;
    node->inputs = std::move(inputs);
    node->attributes = std::move(attributes);
  }

  const int64_t opset_;
  std::unordered_map<std::string, size_t> uses_;  // in the whole file
  std::unordered_map<std::string, const Constant*> constants_;
  const std::unordered_map<std::string, FileNode*>* makers_ = nullptr;
  const std::unordered_map<std::string, FileNode*>* readers_ = nullptr;
};

}  // namespace

void join_patterns(OnnxFile* file) { PatternJoiner joiner(file); }

}  // namespace netcl::model
