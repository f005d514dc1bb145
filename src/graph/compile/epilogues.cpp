// Elementwise calls and normalisations that are done by the product or the convolution whose result
// they take.
#include <algorithm>
#include <unordered_set>

#include "graph/compile/joined.hpp"
#include "graph/compile/lifetimes.hpp"

namespace netcl::graph {

namespace {

using expression::Op;
using expression::TypedNode;

bool is_plain_float(netcl_dtype dtype) { return dtype == NETCL_F32 || dtype == NETCL_F64; }
bool is_short_float(netcl_dtype dtype) { return dtype == NETCL_F16 || dtype == NETCL_BF16; }

// An activation that has the bits of the expression. A kernel's own compiler may take a division
// otherwise than that of an expression, so those without one are all there are for kernels.
netcl_activation activation_of(Op op, bool native) {
  if (op == Op::relu) return NETCL_ACTIVATION_RELU;
  if (op == Op::leaky_relu) return NETCL_ACTIVATION_LEAKY_RELU;
  if (!native) return NETCL_ACTIVATION_NONE;
  switch (op) {
    case Op::sigmoid:
      return NETCL_ACTIVATION_SIGMOID;
    case Op::tanh:
      return NETCL_ACTIVATION_TANH;
    case Op::silu:
      return NETCL_ACTIVATION_SILU;
    case Op::gelu:
      return NETCL_ACTIVATION_GELU;
    case Op::gelu_tanh:
      return NETCL_ACTIVATION_GELU_TANH;
    case Op::softplus:
      return NETCL_ACTIVATION_SOFTPLUS;
    default:
      return NETCL_ACTIVATION_NONE;
  }
}

// The bias of a convolution, whose only dimension is that of the filters, as it lies in what is
// added to the result; null where that differs along other dimensions too.
TensorRef per_filter(const Tensor& added, const Layout& result) {
  const Layout wide = broadcast_layout(added.layout(), result.rank, result.shape.data(), "inputs");
  for (uint32_t d = 0; d < result.rank; ++d) {
    if (d != 1 && result.shape[d] > 1 && wide.strides[d] != 0) return nullptr;
  }
  Layout line;
  line.rank = 1;
  line.shape[0] = result.shape[1];
  line.strides[0] = wide.strides[1];
  line.offset = wide.offset;
  return std::make_shared<Tensor>(added.buffer(), added.dtype(), line);
}

// Reads activation(product + bias + residual) out of a formula. The sums are those of the call as
// it is, one after the other, so nothing is rounded otherwise, but for 16-bit floats the product:
// it is not rounded to them in between. Formulas with other roundings in between are none of these.
class EpilogueReader {
 public:
  EpilogueReader(const Formula& formula, const Tensor& made, const EpilogueFacts& facts,
                 bool native)
      : formula_(formula), made_(made), facts_(facts), native_(native) {}

  // Nothing where the formula is no such thing, or the call has no place left.
  std::optional<ops::Epilogue> read() {
    ops::Epilogue& epilogue = facts_.epilogue;
    if (epilogue.activation != NETCL_ACTIVATION_NONE) return std::nullopt;
    uint32_t at = formula_.tree.root();
    const TypedNode& root = formula_.tree.nodes[at];
    epilogue.activation = activation_of(root.op, native_);
    if (epilogue.activation != NETCL_ACTIVATION_NONE) {
      at = root.args[0];
      if (root.op == Op::leaky_relu && !read_slope(root.args[1])) return std::nullopt;
      // It makes no difference whether relu comes before a rounding or behind it.
      if (root.op == Op::relu && is_rounding(at)) at = formula_.tree.nodes[at].args[0];
    }
    if (!read_sum(at) || products_ != 1) return std::nullopt;
    return epilogue;
  }

 private:
  bool read_slope(uint32_t at) {
    const TypedNode& slope = formula_.tree.nodes[at];
    if (slope.op != Op::literal) return false;
    facts_.epilogue.alpha = slope.real;
    facts_.epilogue.beta = 0;
    return slope.real != 0;  // both 0 mean the defaults
  }

  bool is_rounding(uint32_t at) const {
    const Op op = formula_.tree.nodes[at].op;
    return (op == Op::round_f16 && made_.dtype() == NETCL_F16) ||
           (op == Op::round_bf16 && made_.dtype() == NETCL_BF16);
  }
  const Tensor* input_at(uint32_t at) const {
    const TypedNode& node = formula_.tree.nodes[at];
    if (node.op != Op::input) return nullptr;
    const Tensor& input = *formula_.inputs[node.input];
    const bool wider = is_short_float(made_.dtype()) && input.dtype() == NETCL_F32;
    return input.dtype() == made_.dtype() || wider ? &input : nullptr;
  }
  bool is_product(uint32_t at) const {
    const Tensor* const input = input_at(at);
    return input != nullptr && !input->empty() && input->memory() == made_.memory() &&
           input->dtype() == made_.dtype();
  }

  bool read_sum(uint32_t at) {
    if (is_product(at)) {
      ++products_;
      return true;
    }
    const TypedNode& node = formula_.tree.nodes[at];
    if (node.op != Op::add || node.dtype != expression::compute_dtype(made_.dtype())) return false;
    const bool second = input_at(node.args[1]) != nullptr && !is_product(node.args[1]);
    const uint32_t added = node.args[second ? 1 : 0];
    if (is_product(added) || input_at(added) == nullptr) return false;
    return read_sum(node.args[second ? 0 : 1]) &&
           add(*formula_.inputs[formula_.tree.nodes[added].input]);
  }

  bool add(const Tensor& added) {
    ops::Epilogue& epilogue = facts_.epilogue;
    if (added.empty() || added.memory() == made_.memory() || epilogue.residual != nullptr) {
      return false;
    }
    // Products take a bias of their own dtype alone, convolutions one of f32 too.
    if (added.dtype() != made_.dtype() && !facts_.per_filter) return false;
    const TensorRef own = std::make_shared<Tensor>(added);
    if (epilogue.bias == nullptr && !facts_.normalizes) {
      epilogue.bias = facts_.per_filter ? per_filter(added, made_.layout()) : own;
      if (epilogue.bias != nullptr) return true;
    }
    if (!added.layout().same_shape(made_.layout()) || added.dtype() != made_.dtype()) return false;
    epilogue.residual = own;
    return true;
  }

  const Formula& formula_;
  const Tensor& made_;
  EpilogueFacts facts_;
  const bool native_;
  int products_ = 0;
};

class EpilogueJoiner {
 public:
  EpilogueJoiner(Steps* steps, const Interface& interface, const MemoryLimit& limit, bool native)
      : steps_(*steps),
        native_(native),
        uses_(uses_of(*steps)),
        lifetimes_(*steps, interface, limit) {
    for (const TensorRef& output : interface.outputs) {
      if (!output->empty()) outputs_.insert(output->memory());
    }
  }

  void run() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].node != nullptr) join(i);
    }
    std::erase_if(steps_, [](const Step& step) { return step.node == nullptr; });
  }

 private:
  void join(size_t producer) {
    const NodeRef kept = steps_[producer].node;
    const Node& node = *kept;
    if (node.writes().size() != 1 || node.writes()[0] == nullptr || node.writes()[0]->empty()) {
      return;
    }
    const Tensor& made = *node.writes()[0];
    const std::optional<EpilogueFacts> facts = node.epilogue();
    if (!facts || !is_planned(made)) return;
    if (!is_plain_float(made.dtype()) && !is_short_float(made.dtype())) return;
    if (outputs_.count(made.memory()) != 0) return;
    const Uses& uses = uses_.at(memory_key(made));
    if (uses.writes.size() != 1 || uses.reads.size() != 1 || uses.reads[0] <= producer) return;
    const size_t consumer = uses.reads[0];
    Step& to = steps_[consumer];
    NodeRef both;
    if (const std::optional<Formula> formula = to.node->formula()) {
      if (formula->tree.results.size() != 1) return;
      if (!fits(node, producer, consumer, formula->inputs)) return;
      both = with_formula(node, *facts, *formula, to.node->writes()[0]);
    } else if (const std::optional<Normalization> norm = to.node->normalization()) {
      const TensorRef inputs[1] = {norm->x};
      if (norm->x->empty() || norm->x->memory() != made.memory()) return;
      if (!facts->per_filter || !fits(node, producer, consumer, inputs)) return;
      both = with_norm(node, *facts, *norm, to.node->writes()[0], &steps_[producer].apart);
    }
    if (both == nullptr) return;
    if (!lifetimes_.join(&uses_, {producer, consumer, consumer}, node, *to.node, *both)) {
      steps_[producer].apart = kMoreMemory;
      return;
    }
    to.node = both;
    to.numbers.insert(to.numbers.begin(), steps_[producer].numbers.begin(),
                      steps_[producer].numbers.end());
    std::sort(to.numbers.begin(), to.numbers.end());
    steps_[producer].node = nullptr;
  }

  NodeRef with_formula(const Node& node, const EpilogueFacts& facts, const Formula& formula,
                       const TensorRef& result) const {
    const std::optional<ops::Epilogue> epilogue =
        EpilogueReader(formula, *node.writes()[0], facts, native_).read();
    if (!epilogue) return nullptr;
    for (const TensorRef& added : {epilogue->bias, epilogue->residual}) {
      if (added != nullptr && added->memory()->may_be(*result->memory())) return nullptr;
    }
    return node.with_epilogue(*epilogue, result);
  }

  // A factor and a summand for each filter, as the call has them: only a plain convolution gives
  // the same bits, since behind a bias there would be one sum in place of two. Of 16-bit floats the
  // product is not rounded in between, so that bits are others anyway.
  NodeRef with_norm(const Node& node, const EpilogueFacts& facts, const Normalization& norm,
                    const TensorRef& result, std::string* apart) const {
    const ops::Epilogue& epilogue = facts.epilogue;
    const bool short_float = is_short_float(node.writes()[0]->dtype());
    const bool plain = (epilogue.bias == nullptr || short_float) && epilogue.residual == nullptr &&
                       epilogue.activation == NETCL_ACTIVATION_NONE && !facts.normalizes;
    const bool same_activation =
        norm.activation == NETCL_ACTIVATION_NONE || norm.activation == NETCL_ACTIVATION_RELU;
    const bool same_bits = native_ || short_float;
    if (!same_bits || !plain || !same_activation) {
      *apart = !same_bits ? "kernels may round batchnorm otherwise behind a convolution"
               : plain    ? "the activation of batchnorm might be rounded otherwise"
                          : "batchnorm would be rounded otherwise behind what it adds";
      return nullptr;
    }
    for (const TensorRef& parameter : {norm.scale, norm.bias, norm.mean, norm.variance}) {
      if (parameter == nullptr) continue;
      if (parameter->memory() == node.writes()[0]->memory() ||
          parameter->memory()->may_be(*result->memory())) {
        return nullptr;
      }
    }
    return node.with_normalization(norm, result);
  }

  // The product is read as it was made, and may be made where and when the consumer is.
  bool fits(const Node& node, size_t producer, size_t consumer,
            std::span<const TensorRef> inputs) const {
    const Tensor& made = *node.writes()[0];
    const Tensor& result = *steps_[consumer].node->writes()[0];
    if (result.dtype() != made.dtype() || !result.layout().same_shape(made.layout())) return false;
    for (const TensorRef& read : inputs) {
      if (read->empty() || read->memory() != made.memory()) continue;
      if (!read->layout().same_shape(made.layout()) || !same_view(*read, made, made.layout())) {
        return false;
      }
    }
    for (const TensorRef& read : node.reads()) {
      if (read->empty()) continue;
      if (read->memory() == made.memory() || read->memory()->may_be(*result.memory())) {
        return false;
      }
      for (const size_t write : uses_.at(memory_key(*read)).writes) {
        if (write > producer && write < consumer) return false;
      }
    }
    return true;
  }

  Steps& steps_;
  const bool native_;
  UseTable uses_;
  Lifetimes lifetimes_;
  std::unordered_set<const MemoryObject*> outputs_;
};

}  // namespace

void join_epilogues(Steps* steps, const Interface& interface, const MemoryLimit& limit,
                    bool native) {
  EpilogueJoiner(steps, interface, limit, native).run();
}

}  // namespace netcl::graph
