// The SIMD loops of attention between its two products, one table of functions per instruction set.
//
// A block of scores is transposed: keys x queries, so that queries are lanes of vectors, and
// nothing is added up across a vector. `width` is a multiple of `lanes`.
#pragma once

#include <cstdint>

namespace netcl::cpu {

// What is known of the queries of a block, each an array with an element for each of them: the
// largest score so far, the sum of exp(score - most), and what older sums are multiplied by.
template <class T>
struct SoftmaxState {
  T* most;
  T* sum;
  T* factor;
};

template <class T>
struct AttentionKernels {
  int64_t lanes;
  // scores = cap tanh(scores), in place.
  void (*cap)(T* scores, int64_t step, int64_t keys, int64_t width, T cap);
  // scores[i] += bias[i].
  void (*add)(const T* bias, int64_t count, T* scores);
  // Turns scores into their weights exp(score - most), and brings the state up to date. A score of
  // -inf has the weight 0, also where there is no other. True when a factor is not 1.
  bool (*weigh)(T* scores, int64_t step, int64_t keys, int64_t width, const SoftmaxState<T>& state);
  // sums[i] *= factor, for rows x width sums.
  void (*rescale)(T* sums, int64_t step, int64_t rows, int64_t width, const T* factor);
  // The same for one query whose scores follow each other; count is a multiple of `lanes`, with
  // -inf at the end. Gives the factor.
  T (*weigh_row)(T* scores, int64_t count, T* most, T* sum);
  // True when all numbers are finite.
  bool (*finite)(const T* numbers, int64_t count);
};

// The best table for this machine.
template <class T>
const AttentionKernels<T>& attention_kernels();

}  // namespace netcl::cpu
