// Loops of the scans. A line is cut into chunks; the running value of an element is that of the
// chunks before, of the blocks of its chunk before, and of a few elements of its block. Sums of
// chunks and blocks are kept with what rounding took from them, so the error does not grow with the
// length of the line.
#pragma once

#include <cstdint>

namespace netcl::cpu {

template <class T>
struct ScanState {
  T value;
  T extra = 0;
};

// States of neighbouring lines.
template <class T>
struct ScanColumns {
  T* value;
  T* extra;
};

template <class T>
struct ScanKernels {
  T neutral;
  // The state of n elements.
  void (*total)(const T* x, int64_t n, ScanState<T>* state);
  // out[i] = running value after x[i] (or before it), with `before` of what precedes x[0]. `state`
  // goes on from what the elements of the chunk before x[0] left, and ends as total() would.
  void (*run)(const T* x, T* out, int64_t n, bool exclusive, const ScanState<T>& before,
              ScanState<T>* state);
  // The same for rows of `width` lines; a block has up to kScanRows rows. `out` rows may be null
  // for totals alone.
  void (*run_rows)(const T* const* x, T* const* out, int64_t rows, int64_t width, bool exclusive,
                   const ScanColumns<T>& before, const ScanColumns<T>& state, T* scratch);
  // a = a and then b.
  void (*merge)(ScanState<T>* a, const ScanState<T>& b);
};

inline constexpr int64_t kScanBlock = 128;
inline constexpr int64_t kScanRows = 16;

// kSum, kProduct, ... as in netcl_reduction. T is float, double, int32_t, int64_t, and for MAX and
// MIN also uint32_t and uint64_t.
template <class T>
const ScanKernels<T>& scan_kernels(int32_t kind);

}  // namespace netcl::cpu
