// Gives every node of a tree its dtype, for inputs of given dtypes. The outcome is a typed tree in
// which every conversion is a node of its own and every literal has a type, so that the printer and
// the CPU backend need no rules of their own and cannot disagree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "expression/tree.hpp"
#include "netcl.h"

namespace netcl::expression {

// Values are computed in `dtype`, which is never f16 or bf16: those are computed in f32. The args
// of a node have its dtype, except: compare and classify ops (result bool) take args of one dtype,
// where takes a bool first, convert and round_* take any dtype. round_f16 and round_bf16 give the
// f32 that is the argument rounded once to the 16-bit format. Booleans are 0 or 1.
struct TypedNode {
  Op op = Op::literal;
  netcl_dtype dtype = 0;
  uint32_t input = 0;
  std::array<uint32_t, 3> args{};
  uint64_t integer = 0;  // a literal of integer or bool dtype, as two's complement
  double real = 0;       // a literal of f32 (already rounded to it) or f64
};

// A value that is stored.
struct TypedResult {
  uint32_t node = 0;
  netcl_dtype dtype = 0;  // in storage; that of the node is compute_dtype of it
};

// Inference gives one result, which is the last node; joined trees may have several.
struct TypedTree {
  std::vector<TypedNode> nodes;     // topological order, all reachable from the results
  std::vector<netcl_dtype> inputs;  // storage dtype of each operand, used or not
  std::vector<bool> used;           // per input: some node reads it
  std::vector<TypedResult> results;
  bool needs_f64 = false;           // some node is computed in f64
  int32_t copied_input = -1;        // of the only result, see below; -1 where there are several

  // The first result, and the dtype that it is stored in.
  uint32_t root() const noexcept { return results.front().node; }
  netcl_dtype result() const noexcept { return results.front().dtype; }
};

// The input that a result is, in the same dtype: its bits are copied. -1 where there is work.
int32_t copied_input(const TypedTree& tree, size_t result) noexcept;

// The bits of a literal's value in its dtype, in the low bytes. There is one NaN, on all devices.
uint64_t literal_bits(const TypedNode& literal) noexcept;

// The dtype that values of a storage dtype are computed in.
inline netcl_dtype compute_dtype(netcl_dtype dtype) noexcept {
  return dtype == NETCL_F16 || dtype == NETCL_BF16 ? NETCL_F32 : dtype;
}

// The dtype two dtypes meet in.
netcl_dtype promote(netcl_dtype a, netcl_dtype b) noexcept;

// Infers all types. `result` is the dtype of the result, 0 for the one that promotion gives. Fails
// with INVALID_ARGUMENT when there are fewer inputs than the tree uses, an operator does not take a
// dtype, or a literal does not fit the dtype it meets.
TypedTree infer(const Tree& tree, const netcl_dtype* inputs, uint32_t count, netcl_dtype result);

}  // namespace netcl::expression
