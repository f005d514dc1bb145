#include "backend/cpu/rows/norm_gather.hpp"

#include <cstring>

#include "backend/cpu/element.hpp"
#include "backend/cpu/elementwise/evaluate_kernels.hpp"

namespace netcl::cpu {

template <class T>
void gather(netcl_dtype dtype, const void* data, int64_t base, const Layout& inner, int64_t first,
            int64_t count, T* out) {
  with_float(dtype, [&](auto element) {
    using Element = decltype(element);
    const auto* source = static_cast<const typename Element::Storage*>(data) + base;
    const int64_t step = inner.rank == 0 ? 1 : inner.strides[0];
    if (inner.rank <= 1 && step == 1) {
      const void* const from = source + inner.offset + first;
      const BlockFunction load = load_kernel(dtype);
      if (load != nullptr) {
        load(out, &from, static_cast<size_t>(count));
      } else {
        std::memcpy(out, from, static_cast<size_t>(count) * sizeof(T));
      }
    } else if (inner.rank <= 1) {
      const auto* from = source + inner.offset + first * step;
      for (int64_t i = 0; i < count; ++i) out[i] = static_cast<T>(Element::load(from + i * step));
    } else {
      for (int64_t i = 0; i < count; ++i) {
        out[i] = static_cast<T>(Element::load(source + element_place(inner, first + i)));
      }
    }
  });
}

template <class T>
void scatter(netcl_dtype dtype, void* data, int64_t base, const Layout& inner, int64_t first,
             int64_t count, const T* in) {
  with_float(dtype, [&](auto element) {
    using Element = decltype(element);
    auto* target = static_cast<typename Element::Storage*>(data) + base;
    const int64_t step = inner.rank == 0 ? 1 : inner.strides[0];
    const auto rounded = [](T value) { return static_cast<typename Element::Compute>(value); };
    if (inner.rank <= 1 && step == 1) {
      auto* const to = target + inner.offset + first;
      const BlockFunction store = store_kernel(dtype);
      const void* const from = in;
      if (store != nullptr) {
        store(to, &from, static_cast<size_t>(count));
      } else {
        std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
      }
    } else if (inner.rank <= 1) {
      auto* to = target + inner.offset + first * step;
      for (int64_t i = 0; i < count; ++i) Element::store(rounded(in[i]), to + i * step);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        Element::store(rounded(in[i]), target + element_place(inner, first + i));
      }
    }
  });
}

template <class T>
const T* packed_numbers(const RowNumbers& numbers, const void* data, int64_t count, T* values) {
  if (numbers.dtype == 0) return nullptr;
  if (numbers.layout.is_c_contiguous() && numbers.dtype == kRealDtype<T>) {
    return static_cast<const T*>(data) + numbers.layout.offset;
  }
  Layout layout = numbers.layout;
  coalesce(&layout, 1);
  if (numbers.dtype == NETCL_F32 && sizeof(T) == 8) {
    const auto* const source = static_cast<const float*>(data);
    for (int64_t i = 0; i < count; ++i) {
      values[i] = static_cast<T>(source[element_place(layout, i)]);
    }
  } else {
    gather(numbers.dtype, data, 0, layout, 0, count, values);
  }
  return values;
}

template void gather<float>(netcl_dtype, const void*, int64_t, const Layout&, int64_t, int64_t,
                            float*);
template void gather<double>(netcl_dtype, const void*, int64_t, const Layout&, int64_t, int64_t,
                             double*);
template void scatter<float>(netcl_dtype, void*, int64_t, const Layout&, int64_t, int64_t,
                             const float*);
template void scatter<double>(netcl_dtype, void*, int64_t, const Layout&, int64_t, int64_t,
                              const double*);
template const float* packed_numbers<float>(const RowNumbers&, const void*, int64_t, float*);
template const double* packed_numbers<double>(const RowNumbers&, const void*, int64_t, double*);

}  // namespace netcl::cpu
