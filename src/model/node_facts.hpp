// What a node of a file says, as those read it that run the node.
#pragma once

#include <string>
#include <vector>

#include "model/onnx_file.hpp"

namespace netcl::model {

class NodeFacts {
 public:
  NodeFacts(const FileNode& node, int64_t opset) : node_(node), opset_(opset_of(node, opset)) {}

  const std::string& op() const noexcept { return node_.op; }
  int64_t opset() const noexcept { return opset_; }
  size_t input_count() const noexcept { return node_.inputs.size(); }
  size_t output_count() const noexcept { return node_.outputs.size(); }
  bool has(size_t input) const {
    return input < node_.inputs.size() && !node_.inputs[input].empty();
  }
  bool wants(size_t output) const {
    return output < node_.outputs.size() && !node_.outputs[output].empty();
  }

  // Attributes, or what stands for one that is not there. One of another kind is CORRUPT_DATA.
  const Attribute* find(const char* name) const noexcept;
  int64_t integer(const char* name, int64_t fallback) const;
  double real(const char* name, double fallback) const;
  std::string text(const char* name, const char* fallback) const;
  std::vector<int64_t> integers(const char* name, std::vector<int64_t> fallback = {}) const;
  std::vector<double> reals(const char* name) const;
  std::vector<std::string> texts(const char* name) const;

 private:
  const Attribute* find_of(const char* name, Attribute::Kind kind, const char* what) const;

  const FileNode& node_;
  const int64_t opset_;
};

}  // namespace netcl::model
