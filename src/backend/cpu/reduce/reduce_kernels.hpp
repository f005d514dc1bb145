// Loops of the reductions, one table of functions for each way of folding and type of accumulators.
// They are compiled for several instruction sets; the lookup gives the best one of this machine.
#pragma once

#include <cstdint>

namespace netcl::cpu {

enum class ReduceFold : uint8_t {
  sum,
  sum_square,
  sum_absolute,
  product,
  largest,
  smallest,
  arg_largest,
  arg_largest_last,
  arg_smallest,
  arg_smallest_last
};

// What is known of one output. Sums of floats keep in `extra` what rounding took from `value`, so
// that the number of blocks does not show in the error; see reduce_total.
template <class T>
struct ReduceState {
  T value;
  T extra = 0;
  int64_t index = -1;  // of arg_...: where `value` was found; -1 before the first element
};

// The same for neighbouring outputs. Each pointer may be null where the fold does not use it.
template <class T>
struct ReduceColumns {
  T* value;
  T* extra;
  int64_t* index;
  T* pending;  // sums of the rows since the last settle()
};

// Rows that may be added before settle(): a bound on the length of a chain of roundings.
inline constexpr int64_t kReduceRowsMax = 64;
// Rows of one add_rows().
inline constexpr int64_t kReduceRowsStep = 4;

template <class T>
struct ReduceKernels {
  T neutral;
  bool uses_extra;
  bool uses_index;
  // Adds x[0 .. n) to a state; `index` counts x[0] among the elements of the output.
  void (*add)(ReduceState<T>* state, const T* x, int64_t n, int64_t index);
  // The same, one element after the other.
  void (*add_plain)(ReduceState<T>* state, const T* x, int64_t n, int64_t index);
  // Adds up to kReduceRowsStep rows, one element of each to each column.
  void (*add_rows)(const ReduceColumns<T>& columns, const T* const* rows, int64_t count,
                   int64_t width, int64_t row);
  // Adds `pending` to the state and makes it neutral again.
  void (*settle)(const ReduceColumns<T>& columns, int64_t width);
  // Adds states that come later in the order of the elements.
  void (*merge)(const ReduceColumns<T>& columns, const ReduceColumns<T>& later, int64_t width);
};

// T is float, double, int32_t or int64_t, and for the folds from `largest` on also uint32_t,
// uint64_t and uint8_t.
template <class T>
const ReduceKernels<T>& reduce_kernels(ReduceFold fold);

// The sum that a state stands for. An infinity or NaN leaves no remainder that could be used.
template <class T>
T reduce_total(T value, T extra) {
  const T total = value + extra;
  return extra - extra == 0 ? total : value;
}

}  // namespace netcl::cpu
