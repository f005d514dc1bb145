// Scaled dot-product attention: see netcl_op_attention.
#pragma once

#include "backend/cpu/attention/attention_loops.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct AttentionSettings {
  TensorRef bias;
  TensorRef mask;
  TensorRef query_lengths;
  TensorRef key_lengths;
  TensorRef block_table;
  double scale = 0.0;
  double softcap = 0.0;
  int64_t position = 0;
  int64_t before = -1;  // keys seen before a query's own; -1: all
  int64_t after = -1;   // and behind it
  bool has_scale = false;
  bool has_position = false;
  netcl_variant variant = NETCL_VARIANT_AUTO;
};

struct AttentionResult {
  TensorRef result;
  TensorRef lse;  // null when it is not wanted
};

AttentionResult attention(const Tensor& q, const Tensor& k, const Tensor& v,
                          const AttentionSettings& settings, bool wants_lse,
                          const AttentionResult& into, const Run& run);

// The tensors of a call that is checked, for those who launch it. Options that are not there are
// null.
struct AttentionCall {
  cpu::AttentionShape shape;
  const Tensor& q;
  const Tensor& k;
  const Tensor& v;
  const AttentionSettings& settings;
  const AttentionResult& result;
};
}  // namespace netcl::ops
