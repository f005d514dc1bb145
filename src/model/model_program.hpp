// A network that is sound and that netcl can run: the nodes that outputs depend on, with numbers
// for names, where each value is needed, and the steps in which all of it runs.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "model/op_table.hpp"

namespace netcl::model {

inline constexpr int64_t kNone = -1;
// Opsets of ONNX that the table of ops was written for.
inline constexpr int64_t kOpsetLeast = 7, kOpsetMost = 28;

struct ProgramValue {
  std::string name;
  const Constant* constant = nullptr;  // of a weight
  int64_t input = kNone;               // which input of the network it is
  uint32_t block = 0;                  // that defines it
  bool known = false;                  // the host can work it out before the device does anything
  bool on_host = false;                // the host works it out, or reads it from an input
  bool on_device = false;
};

struct ProgramNode {
  const FileNode* file = nullptr;
  size_t number = 0;  // in its graph
  const OpRow* row = nullptr;
  const HostOp* host = nullptr;  // set where the host works it out
  std::vector<int64_t> inputs;   // numbers of values; kNone for one that is left out
  std::vector<int64_t> outputs;
  std::vector<uint32_t> blocks;    // then and else of If, the body of Loop and Scan
  std::vector<uint32_t> captures;  // what these read from outside

  std::string text() const { return node_text(*file, number); }
  bool decides() const noexcept { return row != nullptr && row->flow != Flow::none; }
};

// What runs at once: nodes that are recorded as one graph, or a node whose graphs the host runs
// step by step.
struct ProgramStep {
  size_t first = 0, last = 0;  // nodes
  bool by_host = false;
  std::vector<uint32_t> inputs;   // values that are there before
  std::vector<uint32_t> bound;    // of these, what the host has to read
  std::vector<uint32_t> outputs;  // values that are needed behind it
  std::vector<uint32_t> frees;    // values of the block that nothing reads any more
};
// One with loops recorded where the host knows how often they go round, one with all loops apart.
enum Plan : uint32_t { kUnrolled, kApart, kPlans };

// A graph: the network, or one that a node has.
struct ProgramBlock {
  const FileGraph* file = nullptr;
  std::string where;  // for messages: " in the body of node 7 (Loop)"
  std::vector<ProgramNode> nodes;
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  std::array<std::vector<ProgramStep>, kPlans> steps;
};

// Something that netcl cannot run, with the nodes that need it.
struct Missing {
  std::string what;
  std::vector<std::string> nodes;
};

class Program {
 public:
  // Fails with CORRUPT_DATA for a network that is not sound.
  explicit Program(OnnxFile file);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const OnnxFile& file() const noexcept { return file_; }
  const std::vector<ProgramValue>& values() const noexcept { return values_; }
  // The network is the first of them.
  const std::deque<ProgramBlock>& blocks() const noexcept { return blocks_; }
  size_t node_count() const noexcept;
  // What the file calls an input, without those that have a weight.
  const std::vector<const FileValue*>& inputs() const noexcept { return inputs_; }
  const std::vector<uint32_t>& input_values() const noexcept { return blocks_[0].inputs; }
  const std::vector<uint32_t>& outputs() const noexcept { return blocks_[0].outputs; }
  const std::vector<Missing>& missing() const noexcept { return missing_; }
  // The bytes of weights go, once the device has them.
  void drop_weights();
  // Values, by their numbers, that are there before anything runs: steps do not hand them on.
  void give_before_steps(const std::vector<char>& values);

 private:
  friend class ProgramBuilder;
  friend class ProgramPlaces;

  OnnxFile file_;
  std::deque<Constant> constants_;  // of nodes
  std::vector<ProgramValue> values_;
  std::deque<ProgramBlock> blocks_;
  std::vector<const FileValue*> inputs_;
  std::vector<Missing> missing_;
};

// The inputs of a node whose values the host needs.
bool host_needs(const ProgramNode& node, size_t input) noexcept;
// Fails with UNSUPPORTED and all of it where something is missing.
void require_nothing_missing(const Program& program);
// Lines about a file, for people.
std::string describe(const Program& program);
// "[batch, 3, 224, 224]"
std::string dimensions_text(const FileValue& value);

}  // namespace netcl::model
