// Ops on small tensors that the host works out while a network is recorded.
#pragma once

#include <string_view>
#include <vector>

#include "model/host_value.hpp"
#include "model/node_facts.hpp"

namespace netcl::model {

// A node whose inputs the host knows; of Shape and Size only their shapes.
struct HostCall {
  NodeFacts node;
  std::vector<HostRef> inputs;  // null for one that is left out
  std::vector<int64_t> shape;   // of the first input

  const HostValue& input(size_t i) const;
  bool has(size_t i) const { return i < inputs.size() && inputs[i] != nullptr; }
};

struct HostOp {
  const char* op;
  std::vector<HostRef> (*evaluate)(const HostCall& call);
  bool always = false;       // whoever needs the result
  bool shape_alone = false;  // of the input
};

// Null where the host has no such op of ONNX.
const HostOp* find_host_op(std::string_view domain, std::string_view op) noexcept;

}  // namespace netcl::model
