// Scaled dot-product attention, blocked: the problem as the built-in loops and the kernels take it,
// and the loops.
#pragma once

#include <algorithm>

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

// The geometry of a call. All but `result` and `lse` are read. Layouts of bias and mask are
// broadcast to [batch, heads, rows, keys]; those that are not there have rank 0.
struct AttentionShape {
  netcl_dtype dtype = NETCL_F32;
  netcl_dtype bias_dtype = 0;  // 0: there is no bias
  bool has_mask = false;
  bool has_query_lengths = false;
  bool has_key_lengths = false;
  bool wants_lse = false;
  int64_t batch = 1;
  int64_t heads = 1;
  int64_t kv_heads = 1;
  int64_t rows = 1;
  int64_t keys = 0;
  int64_t size = 1;        // of q and k
  int64_t value_size = 1;  // of v and the result
  int64_t page_size = 0;   // keys of a page; 0: k and v are no pages
  int64_t pages = 0;
  Layout q, k, v, result, lse, bias, mask, query_lengths, key_lengths, table;

  double scale = 1.0;
  double softcap = 0.0;  // 0: none
  int64_t position = 0;
  bool has_position = false;
  int64_t before = -1;  // keys that a query sees before and behind its own; -1: all
  int64_t after = -1;

  int64_t group() const { return heads / kv_heads; }  // heads that share keys and values
};

// Keys [first, last) that a query sees, as far as masks do not say more.
struct KeyRange {
  int64_t first;
  int64_t last;
};

// One sequence of the batch.
struct AttentionSequence {
  int64_t queries;
  int64_t keys;
  bool sound;  // lengths and pages are in range

  KeyRange seen(const AttentionShape& shape, int64_t query) const {
    const int64_t own = (shape.has_position ? shape.position : keys - queries) + query;
    const int64_t first = shape.before < 0 ? 0 : std::max<int64_t>(0, own - shape.before);
    const int64_t last = shape.after < 0 ? keys : std::min(keys, own + shape.after + 1);
    return {std::min(first, keys), std::max<int64_t>(last, 0)};
  }
};

struct AttentionTask {
  AttentionShape shape;
  const void* q = nullptr;
  const void* k = nullptr;
  const void* v = nullptr;
  const void* bias = nullptr;
  const void* mask = nullptr;
  const void* query_lengths = nullptr;
  const void* key_lengths = nullptr;
  const void* table = nullptr;
  void* result = nullptr;
  void* lse = nullptr;  // may be null
};

void attention(const AttentionTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
