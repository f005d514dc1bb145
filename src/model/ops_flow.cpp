// Nodes that have graphs; flow.cpp runs them.
#include "model/op_table.hpp"

namespace netcl::model {

namespace {

// Before opset 9 a Scan has a batch and the lengths of its sequences.
std::string refuse_scan(const NodeFacts& node) {
  return node.opset() < 9 && node.has(0) ? "lengths of sequences" : "";
}

constexpr OpRow kFlowRows[] = {
    {"If", "then_branch else_branch", nullptr, "0", nullptr, 7, "", Flow::branch},
    {"Loop", "body", nullptr, "01", nullptr, 7, "", Flow::loop},
    {"Scan",
     "body num_scan_inputs directions scan_input_directions scan_output_directions "
     "scan_input_axes scan_output_axes",
     nullptr, "", refuse_scan, 8, "", Flow::scan},
};

}  // namespace

std::span<const OpRow> flow_rows() { return kFlowRows; }

}  // namespace netcl::model
