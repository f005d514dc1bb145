// Attention and rotary embedding.
#include <cmath>

#include "model/op_table.hpp"
#include "ops/attention/attention.hpp"
#include "ops/attention/rotary_embedding.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/pad.hpp"

namespace netcl::model {

namespace {

// [B, S, heads D] as [B, heads, S, D]: a view.
TensorRef with_heads(const Call& call, const TensorRef& tensor, const char* name) {
  if (tensor->layout().rank == 4) return tensor;
  const int64_t heads = call.integer(name, 0);
  const auto& shape = tensor->layout().shape;
  if (tensor->layout().rank != 3 || heads < 1 || shape[2] % heads != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld and an input has shape %s", name,
         static_cast<long long>(heads), shape_text(*tensor).c_str());
  }
  const int64_t parts[4] = {shape[0], shape[1], heads, shape[2] / heads};
  const uint32_t order[4] = {0, 2, 1, 3};
  return graph::permuted(*call.reshaped(tensor, parts), order);
}

TensorRef after_past(const Call& call, size_t past, const TensorRef& present) {
  if (!call.has(past)) return present;
  const TensorRef both[2] = {call.tensor(past), present};
  return call.made<ops::concat>("concat", std::span<const TensorRef>(both), int32_t{2});
}

// A mask for fewer keys than there are hides the others.
void set_mask(const Call& call, int64_t keys, ops::AttentionSettings* settings) {
  TensorRef mask = call.tensor(3);
  const uint32_t rank = mask->layout().rank;
  const int64_t there = rank == 0 ? 1 : mask->layout().shape[rank - 1];
  const bool is_bool = mask->dtype() == NETCL_BOOL;
  if (rank > 0 && there < keys && there != 1) {
    std::vector<int64_t> pads(2 * size_t{rank}, 0);
    pads.back() = keys - there;
    HostValue hidden;
    hidden.dtype = NETCL_F64;
    hidden.reals = {is_bool ? 0.0 : -HUGE_VAL};
    const std::string bytes = bytes_of(converted(hidden, mask->dtype()));
    mask = call.made<ops::pad>("pad", *mask, std::span<const int64_t>(pads),
                               netcl_pad_mode{NETCL_PAD_CONSTANT},
                               ops::make_element(bytes.data(), bytes.size()));
  }
  (is_bool ? settings->mask : settings->bias) = mask;
}

void build_attention(Call& call) {
  const bool flat = call.tensor(0)->layout().rank == 3;
  const TensorRef q = with_heads(call, call.tensor(0), "q_num_heads");
  const TensorRef k = after_past(call, 4, with_heads(call, call.tensor(1), "kv_num_heads"));
  const TensorRef v = after_past(call, 5, with_heads(call, call.tensor(2), "kv_num_heads"));
  ops::AttentionSettings settings;
  settings.has_scale = call.find("scale") != nullptr;
  settings.scale = call.real("scale", 0.0);
  settings.softcap = call.real("softcap", 0.0);
  if (call.has(3)) set_mask(call, k->layout().shape[2], &settings);
  // Where sequences have lengths, the last query of each stands at its last key.
  settings.has_position = !call.has(6);
  settings.position = call.has(4) ? call.tensor(4)->layout().shape[2] : 0;
  settings.before = call.integer("left_window_size", -1);
  settings.after = call.integer("right_window_size", -1);
  if (call.integer("is_causal", 0) != 0) settings.after = 0;
  if (const TensorRef lengths = call.optional(6)) {
    settings.key_lengths = call.cast(lengths, NETCL_I32);
  }
  TensorRef made = call.made_into<ops::attention>("attention", ops::AttentionResult{}, *q, *k, *v,
                                                  settings, false)
                       .result;
  if (flat) {
    const uint32_t order[4] = {0, 2, 1, 3};
    const auto& shape = made->layout().shape;
    const int64_t whole[3] = {shape[0], shape[2], shape[1] * shape[3]};
    made = call.reshaped(graph::permuted(*made, order), whole);
  }
  call.give(0, made);
  call.give(1, k);
  call.give(2, v);
}

std::string refuse_attention(const NodeFacts& node) {
  if (node.wants(3)) return "the output qk_matmul_output";
  return "";
}

void build_rotary(Call& call) {
  ops::RotarySettings settings;
  settings.position_ids = call.optional(3);
  settings.heads = call.integer("num_heads", 0);
  settings.rotated = call.integer("rotary_embedding_dim", 0);
  settings.interleaved = call.integer("interleaved", 0) != 0;
  call.give(call.made<ops::rotary_embedding>("rotary_embedding", *call.tensor(0), *call.tensor(1),
                                             *call.tensor(2), settings));
}

constexpr OpRow kAttentionRows[] = {
    {"Attention",
     "is_causal kv_num_heads left_window_size q_num_heads qk_matmul_output_mode right_window_size "
     "scale softcap softmax_precision",
     build_attention, "", refuse_attention},
    {"RotaryEmbedding", "interleaved num_heads rotary_embedding_dim", build_rotary},
};

}  // namespace

std::span<const OpRow> attention_rows() { return kAttentionRows; }

}  // namespace netcl::model
