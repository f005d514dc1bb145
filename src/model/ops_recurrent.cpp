// LSTM, GRU and RNN: one product with W for all steps, then one product with R for each of them.
#include "core/ascii.hpp"
#include "model/op_table.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/move.hpp"

namespace netcl::model {

namespace {

// A step is a few recorded calls, which a graph keeps and compiles one by one.
constexpr int64_t kStepsMost = 1 << 16;

// $x, $a and $b stand for what a function gets and its parameters.
struct Activation {
  const char* name;
  const char* formula;
  bool has_alpha = false;
  bool has_beta = false;
  double alpha = 0;
  double beta = 0;
};
constexpr Activation kActivations[] = {
    {"Affine", "($a * $x + $b)", true, true, 1, 0},
    {"Elu", "($x < 0 ? $a * expm1($x) : $x)", true, false, 1},
    {"HardSigmoid", "clamp($a * $x + $b, 0, 1)", true, true, 0.2, 0.5},
    {"LeakyRelu", "($x < 0 ? $a * $x : $x)", true, false, 0.01},
    {"Relu", "relu($x)"},
    {"ScaledTanh", "($a * tanh($b * $x))", true, true, 1, 1},
    {"Sigmoid", "sigmoid($x)"},
    {"Softplus", "softplus($x)"},
    {"Softsign", "softsign($x)"},
    {"Tanh", "tanh($x)"},
    {"ThresholdedRelu", "($x > $a ? $x : 0)", true, false, 1},
};

const Activation* find_activation(const std::string& name) noexcept {
  for (const Activation& row : kActivations) {
    if (same_ignoring_case(row.name, name)) return &row;
  }
  return nullptr;
}

void replace_all(std::string* text, const char* mark, const std::string& by) {
  for (size_t at = text->find(mark); at != std::string::npos; at = text->find(mark, at)) {
    text->replace(at, 2, by);
    at += by.size();
  }
}

// What the ops differ in.
struct Cell {
  const char* op;
  int64_t gates;
  size_t functions;
  const char* defaults[3];
};
constexpr Cell kCells[] = {{"GRU", 3, 2, {"Sigmoid", "Tanh"}},
                           {"LSTM", 4, 3, {"Sigmoid", "Tanh", "Tanh"}},
                           {"RNN", 1, 1, {"Tanh"}}};

const Cell& cell_of(const NodeFacts& node) {
  const Cell* cell = kCells;
  while (node.op() != cell->op) ++cell;
  return *cell;
}

// The inputs of a formula as they are added to it.
struct Operands {
  std::vector<TensorRef> tensors;
  std::string add(const TensorRef& tensor) {
    tensors.push_back(tensor);
    return format("v%zu", tensors.size() - 1);
  }
  TensorRef formula(const Call& call, const std::string& text) const {
    return graph::recorded_formula(call.caller(), text.c_str(), std::span(tensors),
                                   tensors[0]->dtype());
  }
};

struct CellState {
  TensorRef hidden;
  TensorRef cell;  // of LSTM
};

// One direction of a node.
class Recurrence {
 public:
  Recurrence(const Call& call, const TensorRef& x, uint32_t direction, bool reverse)
      : call_(call), cell_(cell_of(call)), direction_(direction), reverse_(reverse) {
    steps_ = x->layout().shape[0];
    batch_ = x->layout().shape[1];
    const TensorRef r = call.tensor(2);
    hidden_ = r->layout().shape[2];
    r_ = graph::transposed(*row_of(r));
    read_functions();
    const bool apart = call.op() == std::string("GRU") && call.integer("linear_before_reset", 0);
    multiply_inputs(x, apart);
    if (call.has(4)) make_mask();
    if (call.has(7) && cell_.gates == 4) peepholes_ = row_of(call.tensor(7));
  }

  // What each step gives goes to `all`, in the order of the input.
  CellState run(std::vector<TensorRef>* all) const {
    CellState state{initial(5), cell_.gates == 4 ? initial(6) : nullptr};
    all->resize(static_cast<size_t>(steps_));
    for (int64_t i = 0; i < steps_; ++i) {
      const int64_t t = reverse_ ? steps_ - 1 - i : i;
      const TensorRef x = step_of(products_, t);
      state = cell_.gates == 4   ? lstm(x, state, t)
              : cell_.gates == 3 ? gru(x, state, t)
                                 : plain(x, state, t);
      (*all)[static_cast<size_t>(t)] = graph::with_unit(*state.hidden, 0);
    }
    return state;
  }
  const TensorRef& mask() const noexcept { return mask_; }

 private:
  // What belongs to this direction of a tensor that has all of them.
  TensorRef row_of(const TensorRef& tensor) const { return step_of(tensor, direction_); }
  static TensorRef step_of(const TensorRef& tensor, int64_t t) {
    Layout layout = graph::part_of(*tensor, 0, t, 1)->layout();
    for (uint32_t d = 1; d < layout.rank; ++d) {
      layout.shape[d - 1] = layout.shape[d];
      layout.strides[d - 1] = layout.strides[d];
    }
    --layout.rank;
    return graph::with_layout(*tensor, layout);
  }
  // Gate k of the last axis, or `count` of them.
  TensorRef gate(const TensorRef& tensor, int64_t k, int64_t count = 1) const {
    return graph::part_of(*tensor, tensor->layout().rank - 1, k * hidden_, count * hidden_);
  }

  void read_functions() {
    const std::vector<std::string> names = call_.texts("activations");
    std::vector<double> alphas = call_.reals("activation_alpha");
    std::vector<double> betas = call_.reals("activation_beta");
    size_t alpha = 0, beta = 0;
    for (size_t i = 0; i < (direction_ + 1) * cell_.functions; ++i) {
      const std::string name = names.empty() ? cell_.defaults[i % cell_.functions] : names[i];
      const Activation& row = *find_activation(name);
      std::string text = row.formula;
      // The lists are used up in the order of the functions by those that have such a parameter.
      const bool has_alpha = row.has_alpha && alpha < alphas.size();
      const bool has_beta = row.has_beta && beta < betas.size();
      replace_all(&text, "$a", "(" + graph::literal(has_alpha ? alphas[alpha++] : row.alpha) + ")");
      replace_all(&text, "$b", "(" + graph::literal(has_beta ? betas[beta++] : row.beta) + ")");
      if (i >= direction_ * cell_.functions) functions_.push_back(std::move(text));
    }
    clip_ = call_.real("clip", 0);
  }

  std::string applied(size_t k, const std::string& x) const {
    std::string text = functions_[k];
    replace_all(&text, "$x", x);
    return text;
  }
  // Function k of the sum of a gate, which is clipped first. onnxruntime leaves the cell of LSTM as
  // it is where it goes through a function, and so do models.
  std::string activated(size_t k, const std::string& sum) const {
    if (!(clip_ > 0)) return applied(k, "(" + sum + ")");
    const std::string most = graph::literal(clip_);
    return applied(k, "clamp(" + sum + ", -" + most + ", " + most + ")");
  }

  void multiply_inputs(const TensorRef& x, bool apart) {
    const int64_t width = x->layout().shape[2];
    const int64_t rows[2] = {steps_ * batch_, width};
    const int64_t steps[3] = {steps_, batch_, cell_.gates * hidden_};
    ops::MatmulParameters parameters;
    if (call_.has(3)) {
      const TensorRef bias = row_of(call_.tensor(3));
      const TensorRef first = gate(bias, 0, cell_.gates);
      const TensorRef second = gate(bias, cell_.gates, cell_.gates);
      if (apart) step_bias_ = second;
      parameters.epilogue.bias = apart ? first : call_.formula("v0 + v1", {first, second});
    }
    apart_ = apart;
    const TensorRef w = graph::transposed(*row_of(call_.tensor(1)));
    products_ = call_.reshaped(
        call_.made<ops::matmul>("matmul", *call_.reshaped(x, rows), *w, parameters), steps);
  }

  // True while a sequence has not ended: [steps, batch, 1].
  void make_mask() {
    const TensorRef steps = call_.counted(NETCL_I32, {steps_, 1, 1});
    const int64_t shape[3] = {1, batch_, 1};
    mask_ = call_.formula("v0 < v1", {steps, call_.reshaped(call_.tensor(4), shape)});
  }

  TensorRef initial(size_t input) const {
    if (!call_.has(input)) {
      const int64_t shape[2] = {batch_, hidden_};
      return broadcast(*call_.constant(products_->dtype(), {}, {0}), 2, shape);
    }
    const uint32_t order[3] = {1, 0, 2};
    const TensorRef given = call_.tensor(input);
    return row_of(call_.integer("layout", 0) != 0 ? graph::permuted(*given, order) : given);
  }

  TensorRef product(const TensorRef& state, const TensorRef& r, const TensorRef& residual) const {
    ops::MatmulParameters parameters;
    parameters.epilogue.residual = residual;
    if (residual == nullptr) parameters.epilogue.bias = step_bias_;
    return call_.made<ops::matmul>("matmul", *state, *r, parameters);
  }

  // A new state, where the sequence has not ended.
  TensorRef made(Operands* operands, std::string text, const TensorRef& before, int64_t t) const {
    if (mask_ != nullptr) {
      const std::string mask = operands->add(step_of(mask_, t));
      text = mask + " ? " + text + " : " + operands->add(before);
    }
    return operands->formula(call_, text);
  }

  CellState plain(const TensorRef& x, const CellState& state, int64_t t) const {
    Operands operands;
    const std::string sum = operands.add(product(state.hidden, r_, x));
    return {made(&operands, activated(0, sum), state.hidden, t), nullptr};
  }

  CellState gru(const TensorRef& x, const CellState& state, int64_t t) const {
    Operands operands;
    std::string update, candidate;
    if (apart_) {
      const TensorRef h = product(state.hidden, r_, nullptr);
      const auto add = [&](const TensorRef& from, int64_t k) {
        return operands.add(gate(from, k));
      };
      update = activated(0, add(x, 0) + " + " + add(h, 0));
      const std::string reset = activated(0, add(x, 1) + " + " + add(h, 1));
      candidate = activated(1, add(x, 2) + " + " + reset + " * " + add(h, 2));
    } else {
      const TensorRef sums = product(state.hidden, gate(r_, 0, 2), gate(x, 0, 2));
      Operands kept;
      const std::string reset = activated(0, kept.add(gate(sums, 1)));
      const TensorRef h = kept.formula(call_, reset + " * " + kept.add(state.hidden));
      update = activated(0, operands.add(gate(sums, 0)));
      candidate = activated(1, operands.add(product(h, gate(r_, 2), gate(x, 2))));
    }
    const std::string text = "((1 - " + update + ") * " + candidate + " + " + update + " * " +
                             operands.add(state.hidden) + ")";
    return {made(&operands, text, state.hidden, t), nullptr};
  }

  // The sum of a gate, with what its peephole sees. Those are in the order input, output, forget.
  std::string seen(Operands* operands, const TensorRef& sums, int64_t k,
                   const std::string& cell) const {
    const std::string sum = operands->add(gate(sums, k));
    if (peepholes_ == nullptr) return sum;
    return sum + " + " + operands->add(gate(peepholes_, k)) + " * " + cell;
  }

  CellState lstm(const TensorRef& x, const CellState& state, int64_t t) const {
    const TensorRef sums = product(state.hidden, r_, x);
    Operands operands;
    const std::string before = operands.add(state.cell);
    const std::string input = activated(0, seen(&operands, sums, 0, before));
    const std::string forget = call_.integer("input_forget", 0) != 0
                                   ? "(1 - " + input + ")"
                                   : activated(0, seen(&operands, sums, 2, before));
    const std::string fresh = activated(1, operands.add(gate(sums, 3)));
    CellState next;
    next.cell = made(&operands, "(" + forget + " * " + before + " + " + input + " * " + fresh + ")",
                     state.cell, t);
    Operands outer;
    const std::string cell = outer.add(next.cell);
    const std::string output = activated(0, seen(&outer, sums, 1, cell));
    next.hidden = made(&outer, "(" + output + " * " + applied(2, cell) + ")", state.hidden, t);
    return next;
  }

  const Call& call_;
  const Cell& cell_;
  const uint32_t direction_;
  const bool reverse_;
  int64_t steps_ = 0, batch_ = 0, hidden_ = 0;
  std::vector<std::string> functions_;
  double clip_ = 0;
  bool apart_ = false;   // the reset gate comes behind the product
  TensorRef products_;   // of all steps with W, with bias: [steps, batch, gates * hidden]
  TensorRef r_;          // [hidden, gates * hidden]
  TensorRef step_bias_;  // of the product of a step
  TensorRef peepholes_;
  TensorRef mask_;
};

void require_shape(const Call& call, size_t input, std::initializer_list<int64_t> shape) {
  if (!call.has(input)) return;
  const TensorRef tensor = call.tensor(input);
  const std::vector<int64_t> wanted(shape);
  if (shape_of(*tensor) == wanted) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "input %zu has shape %s; it is %s", input,
       shape_text(*tensor).c_str(),
       shape_text(static_cast<uint32_t>(wanted.size()), wanted.data()).c_str());
}

// Fails unless all inputs fit each other. `x` is [steps, batch, width].
void check_shapes(const Call& call, const TensorRef& x, int64_t directions) {
  const TensorRef r = call.tensor(2);
  if (x->layout().rank != 3 || r->layout().rank != 3) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "X and R have shapes %s and %s; they have 3 dimensions",
         shape_text(*x).c_str(), shape_text(*r).c_str());
  }
  const int64_t steps = x->layout().shape[0], batch = x->layout().shape[1];
  const int64_t hidden = r->layout().shape[2], gates = cell_of(call).gates;
  if (call.integer("hidden_size", hidden) != hidden || hidden > (int64_t{1} << 40)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "hidden_size is %lld; R has shape %s",
         static_cast<long long>(call.integer("hidden_size", hidden)), shape_text(*r).c_str());
  }
  if (steps > kStepsMost) {
    fail(NETCL_ERROR_UNSUPPORTED, "a sequence has %lld steps; at most %lld are recorded",
         static_cast<long long>(steps), static_cast<long long>(kStepsMost));
  }
  require_shape(call, 1, {directions, gates * hidden, x->layout().shape[2]});
  require_shape(call, 2, {directions, gates * hidden, hidden});
  require_shape(call, 3, {directions, 2 * gates * hidden});
  require_shape(call, 4, {batch});
  const bool batch_first = call.integer("layout", 0) != 0;
  for (const size_t state : {5, 6}) {
    require_shape(call, state,
                  {batch_first ? batch : directions, batch_first ? directions : batch, hidden});
  }
  require_shape(call, 7, {directions, 3 * hidden});
}

// Tensors that stand for directions, along a new axis.
TensorRef joined(const Call& call, const std::vector<TensorRef>& parts, uint32_t axis) {
  std::vector<TensorRef> wide;
  for (const TensorRef& part : parts) wide.push_back(graph::with_unit(*part, axis));
  if (wide.size() == 1) return wide[0];
  return call.made<ops::concat>("concat", std::span<const TensorRef>(wide),
                                static_cast<int32_t>(axis));
}

void build_recurrent(Call& call) {
  const bool batch_first = call.integer("layout", 0) != 0;
  const uint32_t swapped[3] = {1, 0, 2}, outer[4] = {2, 0, 1, 3};
  TensorRef x = call.tensor(0);
  if (batch_first && x->layout().rank == 3) x = graph::permuted(*x, swapped);
  const std::string direction = call.text("direction", "forward");
  const uint32_t directions = direction == "bidirectional" ? 2 : 1;
  check_shapes(call, x, directions);
  std::vector<TensorRef> all, hidden, cell;
  for (uint32_t d = 0; d < directions; ++d) {
    const Recurrence recurrence(call, x, d, d == 1 || direction == "reverse");
    std::vector<TensorRef> steps;
    const CellState last = recurrence.run(&steps);
    hidden.push_back(last.hidden);
    cell.push_back(last.cell);
    if (!call.wants(0)) continue;
    const int64_t none[3] = {0, x->layout().shape[1], last.hidden->layout().shape[1]};
    TensorRef y = steps.empty()
                      ? call.constant(x->dtype(), {none, none + 3}, {})
                      : call.made<ops::concat>("concat", std::span<const TensorRef>(steps), 0);
    if (recurrence.mask() != nullptr && !steps.empty()) {
      y = call.formula("v0 ? v1 : 0", {recurrence.mask(), y}, y->dtype());
    }
    all.push_back(y);
  }
  const auto give = [&](size_t output, TensorRef made, std::span<const uint32_t> order) {
    call.give(output, batch_first ? graph::permuted(*made, order) : made);
  };
  if (call.wants(0)) give(0, joined(call, all, 1), outer);
  if (call.wants(1)) give(1, joined(call, hidden, 0), swapped);
  if (call.wants(2)) give(2, joined(call, cell, 0), swapped);
}

std::string refuse_recurrent(const NodeFacts& node) {
  const std::string direction = node.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return "direction " + shown(direction);
  }
  const Cell& cell = cell_of(node);
  const std::vector<std::string> names = node.texts("activations");
  const size_t wanted = cell.functions * (direction == "bidirectional" ? 2 : 1);
  if (!names.empty() && names.size() != wanted) {
    return format("%zu activations; it takes %zu", names.size(), wanted);
  }
  for (const std::string& name : names) {
    if (find_activation(name) == nullptr) return "activation " + shown(name);
  }
  if (cell.gates != 4 && node.wants(2)) return "3 outputs";
  return "";
}

constexpr OpRow kRecurrentRows[] = {
    {"GRU",
     "activation_alpha activation_beta activations clip direction hidden_size layout "
     "linear_before_reset",
     build_recurrent, "", refuse_recurrent},
    {"LSTM",
     "activation_alpha activation_beta activations clip direction hidden_size input_forget layout",
     build_recurrent, "", refuse_recurrent},
    {"RNN", "activation_alpha activation_beta activations clip direction hidden_size layout",
     build_recurrent, "", refuse_recurrent},
};

}  // namespace

std::span<const OpRow> recurrent_rows() { return kRecurrentRows; }

}  // namespace netcl::model
