// A block interpreter: every op runs over a block of values that stays in the first-level cache.
// Contiguous operands are used in place, others are gathered into a block first.
#include "backend/cpu/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "backend/cpu/evaluate_kernels.hpp"
#include "backend/cpu/evaluate_walk.hpp"
#include "core/dtype.hpp"
#include "core/error.hpp"
#include "expression/iteration.hpp"

namespace netcl::cpu {

namespace {

using expression::Op;
using expression::TypedNode;
using expression::TypedTree;
using Access = expression::OperandShape::Access;

constexpr int64_t kBlock = 1024;            // values; 4 KiB of f32
constexpr int64_t kGrain = 32 * kBlock;     // values of one piece of parallel work
constexpr size_t kSlotBytes = kBlock * 8;

// Where values of a block are: in a slot of the worker's scratch memory, or right in an operand.
struct Place {
  enum Kind : uint8_t { slot, input, output };
  Kind kind = slot;
  uint32_t index = 0;
};

struct Step {
  BlockFunction function;
  uint32_t out;      // indexes of places
  uint32_t in[3];
  uint32_t node;     // that it computes; kNoNode when it is not one node's op alone
};

constexpr uint32_t kNoNode = UINT32_MAX;

// A block that is the same throughout: a literal, or an input with one element.
struct Constant {
  uint32_t slot;
  uint32_t size;
  uint64_t bits;
};

struct Gather {
  uint32_t input;
  uint32_t slot;
};

class Program {
 public:
  Program(const TypedTree& tree, const EvaluateOperand* inputs, uint32_t count,
          const EvaluateOperand& output);
  void run(int64_t first, int64_t last) const;
  int64_t total() const noexcept { return total_; }

 private:
  void arrange(uint32_t count);
  void compile();
  void compile_inputs();
  void compile_nodes();
  void fuse(Step* step, const std::vector<uint32_t>& uses);
  void compile_output();
  uint32_t add_place(Place::Kind kind, uint32_t index);
  uint32_t take_slot();
  void release(uint32_t place);
  std::byte* address(const EvaluateOperand& operand, int64_t element) const;
  void fill_constants(std::byte* scratch) const;
  void run_block(std::byte* scratch, void** places, int64_t first, int64_t n, bool more) const;
  void prefetch(void* const* places, size_t step) const;

  const TypedTree& tree_;
  std::vector<EvaluateOperand> inputs_;
  EvaluateOperand output_;
  Access output_access_ = Access::contiguous;
  int64_t total_ = 0;
  std::vector<Place> places_;
  std::vector<Step> steps_;
  std::vector<Constant> constants_;
  std::vector<Gather> gathers_;
  std::vector<uint32_t> input_place_;   // of each used input, in its compute dtype
  std::vector<uint32_t> node_place_;
  std::vector<uint32_t> free_slots_;
  std::vector<uint8_t> reusable_;       // per place: its slot may be taken again
  uint32_t slots_ = 0;
  uint32_t result_place_ = 0;           // what is scattered when the output is strided
};

Program::Program(const TypedTree& tree, const EvaluateOperand* inputs, uint32_t count,
                 const EvaluateOperand& output)
    : tree_(tree), inputs_(inputs, inputs + count), output_(output) {
  total_ = output.layout.element_count();
  if (total_ == 0) return;
  arrange(count);
  compile();
}

void Program::arrange(uint32_t count) {
  std::vector<Layout> layouts;
  for (uint32_t i = 0; i < count; ++i) {
    // An input that no node reads must not keep dimensions apart.
    layouts.push_back(tree_.used[i] ? inputs_[i].layout : output_.layout);
  }
  layouts.push_back(output_.layout);
  expression::arrange(layouts.data(), layouts.size());
  for (uint32_t i = 0; i < count; ++i) inputs_[i].layout = layouts[i];
  output_.layout = layouts.back();
  output_access_ = expression::access_of(output_.layout);
}

std::byte* Program::address(const EvaluateOperand& operand, int64_t element) const {
  return static_cast<std::byte*>(operand.base) +
         element * static_cast<int64_t>(dtype_size(operand.dtype));
}

uint32_t Program::add_place(Place::Kind kind, uint32_t index) {
  places_.push_back({kind, index});
  reusable_.push_back(0);
  return static_cast<uint32_t>(places_.size()) - 1;
}

uint32_t Program::take_slot() {
  uint32_t slot = slots_;
  if (free_slots_.empty()) {
    ++slots_;
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  const uint32_t place = add_place(Place::slot, slot);
  reusable_[place] = 1;
  return place;
}

void Program::release(uint32_t place) {
  if (!reusable_[place]) return;
  reusable_[place] = 0;
  free_slots_.push_back(places_[place].index);
}

// Blocks of inputs live as long as the program, so their slots are never reused.
void Program::compile_inputs() {
  input_place_.assign(inputs_.size(), 0);
  const bool copy = tree_.copied_input >= 0;
  for (uint32_t k = 0; k < inputs_.size(); ++k) {
    if (!tree_.used[k]) continue;
    const EvaluateOperand& input = inputs_[k];
    const Access access = expression::access_of(input.layout);
    uint32_t place;
    if (access == Access::contiguous) {
      place = add_place(Place::input, k);
    } else {
      place = take_slot();
      reusable_[place] = 0;
      if (access == Access::scalar) {
        Constant constant{places_[place].index, static_cast<uint32_t>(dtype_size(input.dtype)), 0};
        std::memcpy(&constant.bits, address(input, input.layout.offset), constant.size);
        constants_.push_back(constant);
      } else {
        gathers_.push_back({k, places_[place].index});
      }
    }
    const BlockFunction load = copy ? nullptr : load_kernel(input.dtype);
    if (load != nullptr) {
      const uint32_t loaded = take_slot();
      reusable_[loaded] = 0;
      steps_.push_back({load, loaded, {place, 0, 0}, kNoNode});
      place = loaded;
    }
    input_place_[k] = place;
  }
}

BlockFunction node_function(const TypedTree& tree, const TypedNode& node) {
  const uint32_t last = expression::op_facts(node.op).arity - 1u;
  const netcl_dtype argument = tree.nodes[node.args[last]].dtype;
  BlockFunction function = nullptr;
  if (expression::op_facts(node.op).rule == expression::Rule::internal) {
    function = convert_kernel(node.op, argument, node.dtype);
  } else {
    function = arithmetic_kernel(node.op, argument);
    if (function == nullptr) function = math_kernel(node.op, argument);
  }
  if (function == nullptr) {
    fail(NETCL_ERROR_INTERNAL, "no host function for %s of %s", expression::op_facts(node.op).name,
         dtype_facts(argument).name);
  }
  return function;
}

uint64_t literal_bits(const TypedNode& node) {
  uint64_t bits = node.integer;
  if (node.dtype == NETCL_F64) std::memcpy(&bits, &node.real, sizeof node.real);
  if (node.dtype == NETCL_F32) {
    const float narrow = static_cast<float>(node.real);
    bits = 0;
    std::memcpy(&bits, &narrow, sizeof narrow);
  }
  return bits;
}

// Joins a step with the one right before it, when nothing else needs that one's values: they stay
// in registers then. Both keep their own rounding. The new output may already have the slot of an
// operand of the earlier step, which is sound, because all of them have one dtype.
void Program::fuse(Step* step, const std::vector<uint32_t>& uses) {
  if (steps_.empty() || steps_.back().node == kNoNode) return;
  const Step before = steps_.back();
  const TypedNode& node = tree_.nodes[step->node];
  const bool left = node.args[0] == before.node;
  if ((!left && node.args[1] != before.node) || uses[before.node] != 1) return;
  const BlockFunction fused =
      fused_kernel(tree_.nodes[before.node].op, node.op, left, node.dtype);
  if (fused == nullptr || tree_.nodes[before.node].dtype != node.dtype) return;
  *step = {fused, step->out, {before.in[0], before.in[1], step->in[left ? 1 : 0]}, kNoNode};
  steps_.pop_back();
}

void Program::compile_nodes() {
  const std::vector<TypedNode>& nodes = tree_.nodes;
  std::vector<uint32_t> last_use(nodes.size(), 0);
  std::vector<uint32_t> uses(nodes.size(), 0);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (uint32_t a = 0; a < expression::op_facts(nodes[i].op).arity; ++a) {
      last_use[nodes[i].args[a]] = i;
      ++uses[nodes[i].args[a]];
    }
  }
  const bool direct = output_access_ == Access::contiguous &&
                      store_kernel(output_.dtype) == nullptr;
  node_place_.assign(nodes.size(), 0);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const TypedNode& node = nodes[i];
    if (node.op == Op::input) {
      node_place_[i] = input_place_[node.input];
      continue;
    }
    const uint32_t arity = expression::op_facts(node.op).arity;
    if (node.op == Op::literal) {
      // Literals are written once for many blocks, so no step may ever have had their slot.
      node_place_[i] = add_place(Place::slot, slots_);
      constants_.push_back({slots_++, static_cast<uint32_t>(dtype_size(node.dtype)),
                            literal_bits(node)});
      continue;
    }
    const bool to_output = direct && i == tree_.root();
    const uint32_t out = to_output ? add_place(Place::output, 0) : take_slot();
    node_place_[i] = out;
    Step step{node_function(tree_, node), out, {0, 0, 0}, i};
    for (uint32_t a = 0; a < arity; ++a) step.in[a] = node_place_[node.args[a]];
    if (arity == 2) fuse(&step, uses);
    steps_.push_back(step);
    // A slot is free again only after the step, whose element sizes may differ.
    for (uint32_t a = 0; a < arity; ++a) {
      if (last_use[node.args[a]] == i) release(node_place_[node.args[a]]);
    }
  }
}

void Program::compile_output() {
  result_place_ = node_place_[tree_.root()];
  const BlockFunction store = tree_.copied_input >= 0 ? nullptr : store_kernel(output_.dtype);
  if (store == nullptr) return;
  const bool direct = output_access_ == Access::contiguous;
  const uint32_t out = direct ? add_place(Place::output, 0) : take_slot();
  steps_.push_back({store, out, {result_place_, 0, 0}, kNoNode});
  result_place_ = out;
}

void Program::compile() {
  compile_inputs();
  compile_nodes();
  compile_output();
}

template <class T>
void fill_block(std::byte* slot, uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  std::fill_n(reinterpret_cast<T*>(slot), kBlock, value);
}

void Program::fill_constants(std::byte* scratch) const {
  for (const Constant& constant : constants_) {
    std::byte* const slot = scratch + constant.slot * kSlotBytes;
    switch (constant.size) {
      case 1: fill_block<uint8_t>(slot, constant.bits); break;
      case 2: fill_block<uint16_t>(slot, constant.bits); break;
      case 4: fill_block<uint32_t>(slot, constant.bits); break;
      default: fill_block<uint64_t>(slot, constant.bits);
    }
  }
}

// Asks for a part of what the next block reads and writes in place. Only some steps of a block
// touch memory; without this it would idle during the others. With few steps the hardware does
// better.
void Program::prefetch(void* const* places, size_t step) const {
  constexpr size_t kLine = 64;
  for (size_t p = 0; p < places_.size(); ++p) {
    if (places_[p].kind == Place::slot) continue;
    const bool reads = places_[p].kind == Place::input;
    const EvaluateOperand& operand = reads ? inputs_[places_[p].index] : output_;
    const size_t bytes = kBlock * dtype_size(operand.dtype);
    const char* const next = static_cast<const char*>(places[p]) + bytes;
    const size_t lines = bytes / kLine;
    const size_t last = lines * (step + 1) / steps_.size();
    for (size_t i = lines * step / steps_.size(); i < last; ++i) {
      if (reads) {
        __builtin_prefetch(next + i * kLine, 0);
      } else {
        __builtin_prefetch(next + i * kLine, 1);
      }
    }
  }
}

void Program::run_block(std::byte* scratch, void** places, int64_t first, int64_t n,
                        bool more) const {
  for (size_t p = 0; p < places_.size(); ++p) {
    if (places_[p].kind == Place::slot) continue;
    const EvaluateOperand& operand =
        places_[p].kind == Place::input ? inputs_[places_[p].index] : output_;
    places[p] = address(operand, operand.layout.offset + first);
  }
  for (const Gather& gather : gathers_) {
    const EvaluateOperand& input = inputs_[gather.input];
    const size_t size = dtype_size(input.dtype);
    std::byte* const slot = scratch + gather.slot * kSlotBytes;
    const int64_t stride = input.layout.strides[input.layout.rank - 1];
    walk(input.layout, first, n, [&](int64_t position, int64_t done, int64_t count) {
      copy_run(slot + static_cast<size_t>(done) * size, 1, address(input, position), stride, count,
               size);
    });
  }
  for (size_t s = 0; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const void* const in[3] = {places[step.in[0]], places[step.in[1]], places[step.in[2]]};
    step.function(places[step.out], in, static_cast<size_t>(n));
    if (more && steps_.size() > 2) prefetch(places, s);
  }
  const size_t size = dtype_size(output_.dtype);
  const std::byte* const result = static_cast<const std::byte*>(places[result_place_]);
  if (output_access_ == Access::contiguous) {
    if (places_[result_place_].kind == Place::output) return;
    std::memmove(address(output_, output_.layout.offset + first), result,
                 static_cast<size_t>(n) * size);
    return;
  }
  const int64_t stride = output_.layout.strides[output_.layout.rank - 1];
  walk(output_.layout, first, n, [&](int64_t position, int64_t done, int64_t count) {
    copy_run(address(output_, position), stride, result + static_cast<size_t>(done) * size, 1,
             count, size);
  });
}

void Program::run(int64_t first, int64_t last) const {
  const std::unique_ptr<std::byte[]> memory(new std::byte[slots_ * kSlotBytes + 64]);
  // Vector loads and stores of a whole cache line are fastest when they do not straddle two.
  const uintptr_t start = (reinterpret_cast<uintptr_t>(memory.get()) + 63) & ~uintptr_t{63};
  std::byte* const scratch = reinterpret_cast<std::byte*>(start);
  std::vector<void*> places(places_.size(), nullptr);
  for (size_t p = 0; p < places_.size(); ++p) {
    if (places_[p].kind == Place::slot) places[p] = scratch + places_[p].index * kSlotBytes;
  }
  fill_constants(scratch);
  for (int64_t at = first; at < last; at += kBlock) {
    run_block(scratch, places.data(), at, std::min(kBlock, last - at), last - at >= 2 * kBlock);
  }
}

}  // namespace

void evaluate(const TypedTree& tree, const EvaluateOperand* inputs, uint32_t count,
              const EvaluateOperand& output, const ParallelFor& parallel) {
  if (count < tree.inputs.size()) {
    fail(NETCL_ERROR_INTERNAL, "an expression of %zu inputs is evaluated with %u",
         tree.inputs.size(), count);
  }
  const Program program(tree, inputs, static_cast<uint32_t>(tree.inputs.size()), output);
  if (program.total() == 0) return;
  if (!parallel) {
    program.run(0, program.total());
    return;
  }
  // Nothing is thrown through the threads of others.
  std::atomic<bool> out_of_memory{false};
  parallel(program.total(), kGrain, [&](int64_t first, int64_t last) {
    try {
      program.run(first, last);
    } catch (const std::bad_alloc&) {
      out_of_memory.store(true, std::memory_order_relaxed);
    }
  });
  if (out_of_memory.load()) {
    fail(NETCL_ERROR_OUT_OF_HOST_MEMORY, "no memory for the blocks of an expression");
  }
}

}  // namespace netcl::cpu
