// From a typed tree to a list of loops over blocks.
#include <algorithm>
#include <cstring>

#include "backend/cpu/elementwise/evaluate.hpp"
#include "core/dtype.hpp"
#include "core/error.hpp"

namespace netcl::cpu {

using expression::Op;
using expression::TypedNode;
using expression::TypedTree;

namespace {

// Of the widest values. A block this short is computed while the loads of the next one are under
// way already: memory-bound work was 1.4 times as fast with 1 KiB as with 4, and calls cost little.
constexpr int64_t kBlockBytes = 1024;

BlockFunction node_function(const TypedTree& tree, const TypedNode& node) {
  const uint32_t last = expression::op_facts(node.op).arity - 1u;
  const netcl_dtype argument = tree.nodes[node.args[last]].dtype;
  BlockFunction function = nullptr;
  if (expression::op_facts(node.op).rule == expression::Rule::internal) {
    function = convert_kernel(node.op, argument, node.dtype);
  } else if (is_float(argument)) {
    function = float_kernel(node.op, argument);
    if (function == nullptr) function = math_kernel(node.op, argument);
  } else {
    function = integer_kernel(node.op, argument);
  }
  if (function == nullptr) {
    fail(NETCL_ERROR_INTERNAL, "no host function for %s of %s", expression::op_facts(node.op).name,
         dtype_facts(argument).name);
  }
  return function;
}

template <size_t kSize>
void copy_block(void* out, const void* const* in, size_t n) {
  std::memcpy(out, in[0], n * kSize);
}
BlockFunction copy_kernel(uint32_t size) {
  return size == 1   ? copy_block<1>
         : size == 2 ? copy_block<2>
         : size == 4 ? copy_block<4>
                     : copy_block<8>;
}

}  // namespace

Evaluation::Evaluation(const TypedTree& tree, const Access* inputs, const Access* outputs) {
  for (const netcl_dtype dtype : tree.inputs) {
    input_sizes_.push_back(static_cast<uint8_t>(dtype_size(dtype)));
  }
  for (size_t k = 0; k < tree.results.size(); ++k) {
    const auto size = static_cast<uint32_t>(dtype_size(tree.results[k].dtype));
    outputs_.push_back({outputs[k], size, 0});
    largest_size_ = std::max(largest_size_, size);
  }
  for (const TypedNode& node : tree.nodes) {
    largest_size_ = std::max(largest_size_, static_cast<uint32_t>(dtype_size(node.dtype)));
  }
  compile_inputs(tree, inputs);
  compile_nodes(tree);
  if (tree.results.size() > 1) compile_copies(tree);
  compile_outputs(tree);
  block_ = kBlockBytes / largest_size_;
  raw_place_ = input_place_ = node_place_ = free_slots_ = {};
  reusable_ = {};
}

uint32_t Evaluation::add_place(Place::Kind kind, uint32_t index) {
  places_.push_back({kind, index});
  reusable_.push_back(0);
  return static_cast<uint32_t>(places_.size()) - 1;
}

uint32_t Evaluation::take_slot() {
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

void Evaluation::release(uint32_t place) {
  if (!reusable_[place]) return;
  reusable_[place] = 0;
  free_slots_.push_back(places_[place].index);
}

// Blocks of inputs live as long as the block is worked on, so their slots are never reused.
void Evaluation::compile_inputs(const TypedTree& tree, const Access* inputs) {
  raw_place_.assign(tree.inputs.size(), 0);
  input_place_.assign(tree.inputs.size(), 0);
  const bool copy = tree.copied_input >= 0;
  for (uint32_t k = 0; k < tree.inputs.size(); ++k) {
    if (!tree.used[k]) continue;
    uint32_t place;
    if (inputs[k] == Access::contiguous) {
      place = add_place(Place::input, k);
    } else {
      place = take_slot();
      reusable_[place] = 0;
      const uint32_t slot = places_[place].index;
      if (inputs[k] == Access::scalar) {
        constants_.push_back({slot, input_sizes_[k], 0, k});
      } else {
        gathers_.push_back({k, place});
      }
    }
    raw_place_[k] = place;
    const BlockFunction load = copy ? nullptr : load_kernel(tree.inputs[k]);
    if (load != nullptr) {
      const uint32_t loaded = take_slot();
      reusable_[loaded] = 0;
      instructions_.push_back({load, loaded, {place, 0, 0}, kNoNode});
      place = loaded;
    }
    input_place_[k] = place;
  }
}

// Joins an instruction with the one right before it, when nothing else needs that one's values:
// they stay in registers then. Both keep their own rounding. The new output may already have the
// slot of an operand of the earlier instruction, which is sound, because all of them have one
// dtype.
void Evaluation::fuse(const TypedTree& tree, const std::vector<uint32_t>& uses,
                      Instruction* instruction) const {
  if (instructions_.empty() || instructions_.back().node == kNoNode) return;
  const Instruction before = instructions_.back();
  const TypedNode& node = tree.nodes[instruction->node];
  const TypedNode& first = tree.nodes[before.node];
  const uint32_t arity = expression::op_facts(node.op).arity;
  const bool left = node.args[0] == before.node;
  if (uses[before.node] != 1 || first.dtype != node.dtype) return;
  if (!left && (arity < 2 || node.args[1] != before.node)) return;
  const BlockFunction fused = fused_kernel(first.op, node.op, left, node.dtype);
  if (fused == nullptr) return;
  const uint32_t third = arity == 2 ? instruction->in[left ? 1 : 0] : before.in[0];
  *instruction = {fused, instruction->out, {before.in[0], before.in[1], third}, kNoNode};
}

// The output that the last node writes to by itself; kNoNode where it goes to a slot. Nothing reads
// an input after that node, so this holds where the output shares memory with one; results of
// earlier nodes wait in slots. A result that is an input is read after it, so there is none then.
uint32_t Evaluation::direct_output(const TypedTree& tree) const {
  for (const expression::TypedResult& result : tree.results) {
    if (tree.results.size() > 1 && tree.nodes[result.node].op == Op::input) return kNoNode;
  }
  for (uint32_t k = 0; k < outputs_.size(); ++k) {
    const bool last = tree.results[k].node + 1 == tree.nodes.size();
    if (last && outputs_[k].access == Access::contiguous &&
        store_kernel(tree.results[k].dtype) == nullptr) {
      return k;
    }
  }
  return kNoNode;
}

void Evaluation::compile_nodes(const TypedTree& tree) {
  const std::vector<TypedNode>& nodes = tree.nodes;
  std::vector<uint32_t> last_use(nodes.size(), 0);
  std::vector<uint32_t> uses(nodes.size(), 0);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (uint32_t a = 0; a < expression::op_facts(nodes[i].op).arity; ++a) {
      last_use[nodes[i].args[a]] = i;
      ++uses[nodes[i].args[a]];
    }
  }
  // Results are needed until the end.
  for (const expression::TypedResult& result : tree.results) {
    last_use[result.node] = static_cast<uint32_t>(nodes.size());
    ++uses[result.node];
  }
  const uint32_t direct = direct_output(tree);
  node_place_.assign(nodes.size(), 0);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const TypedNode& node = nodes[i];
    if (node.op == Op::input) {
      node_place_[i] = input_place_[node.input];
      continue;
    }
    const uint32_t arity = expression::op_facts(node.op).arity;
    if (node.op == Op::literal) {
      // Literals are written once for many blocks, so no instruction may ever have had their slot.
      node_place_[i] = add_place(Place::slot, slots_);
      constants_.push_back({slots_++, static_cast<uint32_t>(dtype_size(node.dtype)),
                            expression::literal_bits(node), kNoNode});
      continue;
    }
    const bool to_output = direct != kNoNode && i + 1 == nodes.size();
    const uint32_t out = to_output ? add_place(Place::output, direct) : take_slot();
    node_place_[i] = out;
    Instruction instruction{node_function(tree, node), out, {0, 0, 0}, i};
    for (uint32_t a = 0; a < arity; ++a) instruction.in[a] = node_place_[node.args[a]];
    if (arity <= 2) fuse(tree, uses, &instruction);
    if (instruction.node == kNoNode) instructions_.pop_back();
    instructions_.push_back(instruction);
    // A slot is free again only after the instruction, whose element sizes may differ.
    for (uint32_t a = 0; a < arity; ++a) {
      if (last_use[node.args[a]] == i) release(node_place_[node.args[a]]);
    }
  }
}

// Results that are inputs wait in slots: other results may be written where the inputs lie.
void Evaluation::compile_copies(const TypedTree& tree) {
  for (uint32_t k = 0; k < outputs_.size(); ++k) {
    const int32_t input = expression::copied_input(tree, k);
    if (input < 0) continue;
    const uint32_t slot = take_slot();
    instructions_.push_back(
        {copy_kernel(outputs_[k].size), slot, {raw_place_[input], 0, 0}, kNoNode});
    outputs_[k].place = slot;
  }
}

void Evaluation::compile_outputs(const TypedTree& tree) {
  for (uint32_t k = 0; k < outputs_.size(); ++k) {
    const expression::TypedResult& result = tree.results[k];
    if (outputs_.size() > 1 && expression::copied_input(tree, k) >= 0) continue;
    outputs_[k].place = node_place_[result.node];
    const BlockFunction store = tree.copied_input >= 0 ? nullptr : store_kernel(result.dtype);
    if (store == nullptr) continue;
    const bool direct = outputs_[k].access == Access::contiguous;
    const uint32_t out = direct ? add_place(Place::output, k) : take_slot();
    instructions_.push_back({store, out, {outputs_[k].place, 0, 0}, kNoNode});
    outputs_[k].place = out;
  }
}

}  // namespace netcl::cpu
