// The ops of ONNX that netcl runs: one row each, in the file of its family.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/host_op.hpp"
#include "model/node_call.hpp"

namespace netcl::model {

// Nodes that have graphs, and say which of them runs how often.
enum class Flow { none, branch, loop, scan };

struct OpRow {
  const char* op;
  // All that it takes, with blanks between.
  const char* attributes;
  // Records the calls that the node stands for; null for ops that the host works out.
  void (*build)(Call& call);
  // The inputs whose values that needs, by their digits; '*' stands for all.
  const char* host_inputs = "";
  // Why a node cannot be run; empty where it can. Null: nothing is refused.
  std::string (*refusal)(const NodeFacts& node) = nullptr;
  // The first opset whose form of the op is known.
  int since = 7;
  const char* domain = "";
  Flow flow = Flow::none;
};

std::span<const OpRow> elementwise_rows();
std::span<const OpRow> product_rows();
std::span<const OpRow> einsum_rows();
std::span<const OpRow> conv_rows();
std::span<const OpRow> pool_rows();
std::span<const OpRow> norm_rows();
std::span<const OpRow> reduce_rows();
std::span<const OpRow> shape_rows();
std::span<const OpRow> index_rows();
std::span<const OpRow> loss_rows();
std::span<const OpRow> recurrent_rows();
std::span<const OpRow> flow_rows();
std::span<const OpRow> sequence_rows();
std::span<const OpRow> resize_rows();
std::span<const OpRow> random_rows();
std::span<const OpRow> sample_rows();
std::span<const OpRow> signal_rows();
std::span<const OpRow> unpool_rows();
std::span<const OpRow> quantization_rows();
std::span<const OpRow> attention_rows();

// Null where there is none.
const OpRow* find_op(std::string_view domain, std::string_view op) noexcept;
// The same of nodes that were joined.
const OpRow* find_pattern(std::string_view op) noexcept;
// All rows, by the names of their families.
struct OpFamily {
  const char* name;
  std::span<const OpRow> rows;
};
std::span<const OpFamily> op_families();

}  // namespace netcl::model
