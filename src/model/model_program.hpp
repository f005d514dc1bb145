// A network that is sound and that netcl can run: the nodes that outputs depend on, with numbers
// for names, and where each value is needed.
#pragma once

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
  int64_t producer = kNone;            // the node that gives it
  bool on_host = false;                // the host needs its elements
  bool on_device = false;
};

struct ProgramNode {
  const FileNode* file = nullptr;
  size_t number = 0;  // in the file
  const OpRow* row = nullptr;
  const HostOp* host = nullptr;  // set where the host works it out
  std::vector<int64_t> inputs;   // numbers of values; kNone for one that is left out
  std::vector<int64_t> outputs;

  std::string text() const { return node_text(*file, number); }
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
  const std::vector<ProgramNode>& nodes() const noexcept { return nodes_; }
  // What the file calls an input, without those that have a weight.
  const std::vector<const FileValue*>& inputs() const noexcept { return inputs_; }
  const std::vector<uint32_t>& input_values() const noexcept { return input_values_; }
  const std::vector<uint32_t>& outputs() const noexcept { return outputs_; }
  const std::vector<Missing>& missing() const noexcept { return missing_; }
  // The bytes of weights go, once the device has them.
  void drop_weights();

 private:
  friend class ProgramBuilder;

  OnnxFile file_;
  std::deque<Constant> constants_;  // of nodes
  std::vector<ProgramValue> values_;
  std::vector<ProgramNode> nodes_;
  std::vector<const FileValue*> inputs_;
  std::vector<uint32_t> input_values_;
  std::vector<uint32_t> outputs_;
  std::vector<Missing> missing_;
};

// Fails with UNSUPPORTED and all of it where something is missing.
void require_nothing_missing(const Program& program);
// Lines about a file, for people.
std::string describe(const Program& program);
// "[batch, 3, 224, 224]"
std::string dimensions_text(const FileValue& value);

}  // namespace netcl::model
