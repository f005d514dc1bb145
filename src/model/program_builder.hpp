// Makes a program of a file. program_builder.cpp gives numbers to names; program_places.cpp says
// where values are needed, and makes the steps.
#pragma once

#include <memory>
#include <unordered_map>

#include "model/model_program.hpp"

namespace netcl::model {

// Gives a constant bytes of its own.
void own_bytes(std::string_view bytes, Constant* constant);

class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program* program) : program_(*program), file_(program->file_) {}

  void build();

 private:
  using Value = ProgramValue;
  using Names = std::unordered_map<std::string, uint32_t>;

  std::vector<Value>& values() { return program_.values_; }
  const uint32_t* find(const std::string& name) const;
  uint32_t new_value(const std::string& name);
  uint32_t define(const std::string& name, const std::string& who);

  uint32_t add_block(const FileGraph& file, std::string where);
  void add_weights(const ProgramBlock& block);
  void add_inputs(ProgramBlock* block);
  void add_node(ProgramBlock* block, const FileNode& file, size_t number);
  bool add_constant(const ProgramNode& node);
  void add_inner(ProgramNode* node, const std::string& text);
  void check_graphs(const ProgramNode& node, const std::string& text);
  void check_branch_types(const ProgramNode& node, const std::string& text);
  void add_outputs(ProgramBlock* block);

  void keep_needed(ProgramBlock* block, std::vector<char>* wanted);
  void forget(uint32_t block);
  std::vector<uint32_t> note_captures(uint32_t block);

  void miss(const std::string& what, const std::string& node);
  void check(const ProgramNode& node, const std::string& where);
  void check_type(const FileValue& value, const std::string& what);
  void check_types();

  Program& program_;
  OnnxFile& file_;
  std::vector<Names> scopes_;  // of the graphs that lead to the one at hand
  uint32_t block_ = 0;         // the one at hand
  std::unordered_map<std::string, size_t> missing_;
};

class ProgramPlaces {
 public:
  explicit ProgramPlaces(Program* program)
      : program_(*program), values_(program->values_), refuted_(program->values_.size()) {}

  void build();

 private:
  ProgramBlock& block(uint32_t number) { return program_.blocks_[number]; }
  bool is_known(int64_t value) const {
    return value == kNone || values_[static_cast<size_t>(value)].known;
  }
  void set_known(int64_t value, bool known) {
    if (value != kNone) values_[static_cast<size_t>(value)].known = known;
  }

  void repeat(void (ProgramPlaces::*pass)(uint32_t));
  void know(uint32_t number);
  void know_branches(const ProgramNode& node);
  void know_rounds(const ProgramNode& node);

  void need(int64_t value, bool host);
  void need_as(int64_t value, int64_t other);
  void place(uint32_t number);
  void place_flow(const ProgramNode& node);

  // What the host reads of values from outside a block, among them its inputs.
  using Reads = std::vector<uint32_t>;
  Reads host_reads(const ProgramNode& node, Plan plan) const;
  bool goes_inline(const ProgramNode& node, Plan plan) const;
  void plan_block(uint32_t number, Plan plan);
  void fill_steps(ProgramBlock* block, Plan plan);

  Program& program_;
  std::vector<ProgramValue>& values_;
  std::vector<char> refuted_;  // values that go round a loop, which the host loses
  bool changed_ = false;
  std::array<std::vector<Reads>, kPlans> reads_;  // by block
  // By value: 0 for one of a graph that holds the block, 1 for one that is there when the step at
  // hand begins, 2 for one that it gives.
  std::array<std::vector<char>, kPlans> own_;
};

}  // namespace netcl::model
