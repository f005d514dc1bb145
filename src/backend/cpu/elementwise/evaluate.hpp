// Evaluates typed expression trees on the host, for the built-in CPU device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "core/layout.hpp"
#include "expression/iteration.hpp"
#include "expression/types.hpp"
#include "netcl.h"

namespace netcl::cpu {

class ThreadPool;

// Layouts are arranged (see expression::arrange): element 0 is at base + offset elements, and
// broadcast dimensions have stride 0.
struct EvaluateOperand {
  void* base = nullptr;  // of the buffer
  const Layout* layout = nullptr;
};

// A typed tree as a list of loops over blocks, for operands that are accessed in one way. It is
// made once and then runs over any operands of that kind, on any number of threads at once.
class Evaluation {
 public:
  using Access = expression::OperandShape::Access;

  // One access per input and one per result of the tree. The tree is not needed afterwards.
  Evaluation(const expression::TypedTree& tree, const Access* inputs, const Access* outputs);

  // outputs = tree(inputs), all of one shape. An output may share memory with inputs whose layouts
  // equal its own; it overlaps neither other inputs nor other outputs nor itself. `one_by_one`
  // takes blocks of a single element.
  void run(const EvaluateOperand* inputs, const EvaluateOperand* outputs, ThreadPool& threads,
           bool one_by_one) const;

 private:
  // Where values of a block are: in a slot of the worker's scratch memory, or right in an operand.
  struct Place {
    enum Kind : uint8_t { slot, input, output };
    Kind kind = slot;
    uint32_t index = 0;
  };
  struct Instruction {
    BlockFunction function;
    uint32_t out;  // indexes of places
    uint32_t in[3];
    uint32_t node;  // that it computes; kNoNode when it is not one node's op alone
  };
  // A block that is the same throughout: a literal, or an input with one element.
  struct Constant {
    uint32_t slot;
    uint32_t size;
    uint64_t bits;   // of a literal
    uint32_t input;  // that has the element, kNoNode for a literal
  };
  struct Gather {
    uint32_t input;
    uint32_t place;  // a slot
  };
  struct Output {
    Access access;
    uint32_t size;   // bytes of an element
    uint32_t place;  // what is stored
  };
  struct Work;
  struct Panels;
  static constexpr uint32_t kNoNode = UINT32_MAX;

  void compile_inputs(const expression::TypedTree& tree, const Access* inputs);
  void compile_nodes(const expression::TypedTree& tree);
  void compile_copies(const expression::TypedTree& tree);
  void compile_outputs(const expression::TypedTree& tree);
  uint32_t direct_output(const expression::TypedTree& tree) const;
  void fuse(const expression::TypedTree& tree, const std::vector<uint32_t>& uses,
            Instruction* instruction) const;
  uint32_t add_place(Place::Kind kind, uint32_t index);
  uint32_t take_slot();
  void release(uint32_t place);

  Panels choose_panels(const EvaluateOperand* inputs, const Layout& shape) const;
  bool streams(const Work& work, size_t output, const EvaluateOperand* inputs) const;
  void run_piece(const Work& work, int64_t first, int64_t last) const;
  void run_block(const Work& work, void** places, int64_t first, int64_t n) const;
  void run_panel(const Work& work, std::byte* gathered, void** places, int64_t index) const;
  void gather_panel(const Work& work, std::byte* gathered, const int64_t* at, int64_t height,
                    int64_t n) const;
  void run_row(const Work& work, std::byte* gathered, void** places, const int64_t* at,
               int64_t n) const;
  void run_instructions(void* const* places, int64_t n) const;
  void fill_constants(const Work& work, std::byte* scratch, size_t slot_bytes, int64_t block) const;
  void write_run(const Work& work, size_t output, const void* result, int64_t position, int64_t n,
                 std::span<const void* const> ahead) const;
  void write_block(const Work& work, size_t output, const void* result, int64_t first, int64_t n,
                   std::span<const void* const> ahead) const;

  std::vector<Place> places_;
  std::vector<Instruction> instructions_;
  std::vector<Constant> constants_;
  std::vector<Gather> gathers_;
  std::vector<uint8_t> input_sizes_;  // bytes of an element
  std::vector<Output> outputs_;
  uint32_t largest_size_ = 1;  // of any value in a slot
  uint32_t slots_ = 0;
  int64_t block_ = 0;  // values

  // Only while compiling.
  std::vector<uint32_t> raw_place_;    // of each used input, as it is stored
  std::vector<uint32_t> input_place_;  // the same in its compute dtype
  std::vector<uint32_t> node_place_;
  std::vector<uint32_t> free_slots_;
  std::vector<uint8_t> reusable_;  // per place: its slot may be taken again
};

}  // namespace netcl::cpu
