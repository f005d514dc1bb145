// The elements of a strided tensor as blocks of an accumulator's type, for reductions and scans.
#pragma once

#include <type_traits>

#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/elementwise/evaluate_walk.hpp"
#include "core/dtype.hpp"

namespace netcl::cpu {

// Where element `index`, counted in C order, lies.
inline int64_t element_at(const Layout& layout, int64_t index) {
  int64_t at = layout.offset;
  for (uint32_t d = layout.rank; d-- > 1;) {
    at += index % layout.shape[d] * layout.strides[d];
    index /= layout.shape[d];
  }
  return layout.rank > 0 ? at + index * layout.strides[0] : at;
}

// The dtype in which elements are after load_kernel.
inline netcl_dtype loaded_dtype(netcl_dtype storage) {
  return storage == NETCL_F16 || storage == NETCL_BF16 ? NETCL_F32 : storage;
}

// Integers of one size have the same bits whatever their sign.
inline netcl_dtype without_sign(netcl_dtype dtype) {
  if (dtype == NETCL_U32) return NETCL_I32;
  return dtype == NETCL_U64 ? NETCL_I64 : dtype;
}

// The most values of a block.
inline constexpr int64_t kReduceBlock = 2048;

// Converts packed elements; blocks go through the buffers that the caller keeps.
class ReduceConverter {
 public:
  struct Buffers {
    alignas(64) float middle[kReduceBlock];
  };

  ReduceConverter(netcl_dtype from, netcl_dtype to) {
    const netcl_dtype middle = loaded_dtype(from);
    load_ = load_kernel(from);
    if (without_sign(middle) != without_sign(to)) {
      convert_ = convert_kernel(expression::Op::cast, middle, to);
    }
  }

  // True when elements in memory are values as they are.
  bool direct() const noexcept { return load_ == nullptr && convert_ == nullptr; }

  // The values of n <= kReduceBlock packed elements: `raw` itself or `target` filled.
  const void* values(const void* raw, int64_t n, void* target, Buffers* buffers) const {
    const auto count = static_cast<size_t>(n);
    if (load_ != nullptr && convert_ != nullptr) {
      load_(buffers->middle, &raw, count);
      const void* const middle = buffers->middle;
      convert_(target, &middle, count);
      return target;
    }
    if (direct()) return raw;
    (load_ != nullptr ? load_ : convert_)(target, &raw, count);
    return target;
  }

 private:
  BlockFunction load_ = nullptr;
  BlockFunction convert_ = nullptr;
};

// Brings values back to memory's dtype.
class ReduceWriter {
 public:
  struct Buffers {
    alignas(64) uint64_t converted[kReduceBlock];
    alignas(64) uint64_t stored[kReduceBlock];
  };

  ReduceWriter(netcl_dtype from, netcl_dtype to) {
    const netcl_dtype middle = loaded_dtype(to);
    store_ = store_kernel(to);
    if (without_sign(from) != without_sign(middle)) {
      convert_ = convert_kernel(expression::Op::cast, from, middle);
    }
  }

  // True when values are elements as they are.
  bool direct() const noexcept { return convert_ == nullptr && store_ == nullptr; }

  // n <= kReduceBlock values as elements: `values` itself or a buffer.
  const void* stored(const void* values, int64_t n, Buffers* buffers) const {
    if (convert_ != nullptr) {
      convert_(buffers->converted, &values, static_cast<size_t>(n));
      values = buffers->converted;
    }
    if (store_ != nullptr) {
      store_(buffers->stored, &values, static_cast<size_t>(n));
      values = buffers->stored;
    }
    return values;
  }

 private:
  BlockFunction convert_ = nullptr;
  BlockFunction store_ = nullptr;
};

}  // namespace netcl::cpu
