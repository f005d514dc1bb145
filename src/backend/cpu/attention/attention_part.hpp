// A part of attention: some queries of one sequence, which share their keys, and a run of the keys.
#pragma once

#include "backend/cpu/attention/attention_kernels.hpp"
#include "backend/cpu/attention/attention_loops.hpp"
#include "backend/cpu/matmul/gemm_kernels.hpp"

namespace netcl::cpu {

// How a call is cut. Nothing here depends on the number of threads.
struct AttentionCut {
  bool direct = false;     // few queries: keys and values are read where they lie, by row
  int64_t rows_all = 0;    // queries that share their keys: all heads of a group
  int64_t rows = 1;        // of a part
  int64_t tiles = 1;       // parts of rows_all
  int64_t block = 0;       // keys at a time
  int64_t chunk = 0;       // keys of a part
  int64_t chunks = 1;

  int64_t units(const AttentionShape& shape) const { return shape.batch * shape.kv_heads * tiles; }
};
AttentionCut cut_attention(const AttentionShape& shape);

// Which queries and keys. Query r of a group is row r / group of head r % group, so that
// neighbours see nearly the same keys.
struct PartPlace {
  int64_t batch;
  int64_t kv_head;
  int64_t row;   // the first query
  int64_t rows;
  int64_t first_key;
  int64_t last_key;
};

// What is left of a part: for each query its largest score, the sum of weights exp(score - most),
// and the sum of values by weight, value_size numbers.
template <class T>
struct PartSums {
  T* most;
  T* sum;
  T* values;
};

template <class T>
class AttentionPart {
 public:
  // `memory` has scratch_count(task, cut) numbers, and is for this object alone.
  AttentionPart(const AttentionTask& task, const AttentionCut& cut, T* memory);
  static int64_t scratch_count(const AttentionTask& task, const AttentionCut& cut) {
    return AttentionPart(task, cut, nullptr).used_;
  }

  void run(const PartPlace& place, const AttentionSequence& sequence, const PartSums<T>& sums);

 private:
  // Keys or values that follow each other in memory.
  struct Piece {
    const void* data;
    int64_t count;
  };
  // Queries that are columns of one register tile, and what they see of a block.
  struct Strip {
    int64_t first;    // query of the part
    int64_t queries;
    int64_t width;    // the same in whole vectors
    int64_t from;     // keys of the block: from a multiple of the tile's rows on
    int64_t to;
    bool hides;       // keys in between are not seen by all
  };

  int64_t head_of(int64_t r) const {
    return place_->kv_head * shape_.group() + (place_->row + r) % shape_.group();
  }
  int64_t row_of(int64_t r) const { return (place_->row + r) / shape_.group(); }
  // Where what query r reads of q, a bias or a mask begins.
  int64_t start_of(const Layout& layout, int64_t r) const {
    return layout.offset + place_->batch * layout.strides[0] + head_of(r) * layout.strides[1] +
           row_of(r) * layout.strides[2];
  }
  Piece piece(bool values, int64_t key, int64_t limit) const;
  // A block of keys or values in panels; by `copy_` when pages cut it.
  void pack_block(bool values, int64_t key, int64_t count, T* target);
  void find_ranges();
  void load_query(int64_t r, T* out) const;
  void read_bias(int64_t r, int64_t key, int64_t count, T* out) const;
  // Takes what the mask hides from query r out of scores.
  void apply_mask(int64_t r, int64_t key, int64_t count, T* scores, int64_t step) const;

  void run_tile(const PartSums<T>& sums);
  void run_block(int64_t key, int64_t count);
  Strip strip_of(int64_t first, int64_t key, int64_t count) const;
  void multiply_scores(const Strip& strip);
  void add_bias(const Strip& strip, int64_t key);
  void hide(const Strip& strip, int64_t key);
  void add_values(const Strip& strip, int64_t count, bool careful);
  void add_seen_values(const Strip& strip, int64_t count);

  void run_direct(const PartSums<T>& sums);
  void run_row(int64_t r, int64_t key, int64_t last, const PartSums<T>& sums);

  const AttentionTask& task_;
  const AttentionShape& shape_;
  const gemm_detail::KernelSet<T>& set_;
  const AttentionKernels<T>& kernels_;
  const AttentionCut cut_;
  const int64_t columns_;  // of a strip
  const int64_t width_;    // queries of a part, in whole strips
  const PartPlace* place_ = nullptr;
  const AttentionSequence* sequence_ = nullptr;

  T* rows_ = nullptr;     // queries x size
  T* queries_ = nullptr;  // of each strip: size x columns
  T* sums_ = nullptr;     // of each strip: values x columns
  T* scores_ = nullptr;   // of one strip: keys x columns
  T* bias_ = nullptr;     // the same
  T* keys_ = nullptr;     // panels
  T* values_ = nullptr;   // panels
  T* copy_ = nullptr;
  T *most_ = nullptr, *sum_ = nullptr, *factor_ = nullptr;
  KeyRange* ranges_ = nullptr;  // of each query
  int64_t used_ = 0;            // numbers of the scratch memory
};

}  // namespace netcl::cpu
