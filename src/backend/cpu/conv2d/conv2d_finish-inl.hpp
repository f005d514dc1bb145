// What becomes of sums: factor, summand, residual, activation, rounding and storing. Included once
// for each instruction set.
#if defined(NETCL_CONV2D_FINISH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_CONV2D_FINISH_INL_HPP
#undef NETCL_CONV2D_FINISH_INL_HPP
#else
#define NETCL_CONV2D_FINISH_INL_HPP
#endif

#include "backend/cpu/conv2d/conv2d_columns-inl.hpp"
#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "backend/cpu/elementwise/activation.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace gd = netcl::cpu::gemm_detail::HWY_NAMESPACE;

template <class T>
inline constexpr netcl_dtype kDtype = sizeof(T) == 8 ? NETCL_F64 : NETCL_F32;

inline int64_t bytes_of(netcl_dtype dtype) {
  return dtype == NETCL_F64 ? 8 : dtype == NETCL_F32 ? 4 : 2;
}

template <bool kResidual, bool kRelu, class D, class V, class T>
HWY_INLINE V finished(D d, V sum, V scale, V shift, V residual) {
  V value = hn::MulAdd(sum, scale, shift);
  if constexpr (kResidual) value = hn::Add(value, residual);
  // NaN is not below zero, and stays.
  if constexpr (kRelu) value = hn::IfThenElse(hn::Le(value, hn::Zero(d)), hn::Zero(d), value);
  return value;
}

// Sums, residual and result lie along rows; residual and result are stored as S.
template <bool kResidual, bool kRelu, class T, class S>
void finish_rows(const Finish<T>& finish, S* result, const T* sums, int64_t step, int64_t filter,
                 int64_t rows, const OutRun* runs, int64_t count) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  using V = hn::Vec<decltype(d)>;
  using W = hn::Vec<decltype(one)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t row = 0; row < rows; ++row, sums += step) {
    const int64_t f = filter + row;
    const T scale_one = finish.scale != nullptr ? finish.scale[f] : T{1};
    const T shift_one = finish.shift != nullptr ? finish.shift[f] : T{0};
    const auto scale = hn::Set(d, scale_one);
    const auto shift = hn::Set(d, shift_one);
    for (int64_t r = 0; r < count; ++r) {
      const T* const from = sums + runs[r].column;
      S* const to = result + runs[r].result + f * finish.result_filter;
      const S* const add = kResidual ? static_cast<const S*>(finish.residual) + runs[r].residual +
                                           f * finish.residual_filter
                                     : nullptr;
      int64_t i = 0;
      if constexpr (gd::kStoresVectors<T, S>) {
        for (; i + lanes <= runs[r].count; i += lanes) {
          V more = shift;
          if constexpr (kResidual) more = gd::load_as(d, add + i);
          gd::store_vector(d,
                           finished<kResidual, kRelu, decltype(d), V, T>(d, hn::LoadU(d, from + i),
                                                                         scale, shift, more),
                           to + i);
        }
      }
      // Short rows of the 16-bit formats are common too, and converting one by one is slow.
      if constexpr (gd::kStoresVectors<T, S> && !std::is_same_v<T, S>) {
        const hn::CappedTag<T, 4> quad;
        using Q = hn::Vec<decltype(quad)>;
        const int64_t few = static_cast<int64_t>(hn::Lanes(quad));
        for (; i + few <= runs[r].count; i += few) {
          Q more = hn::Zero(quad);
          if constexpr (kResidual) more = gd::load_as(quad, add + i);
          gd::store_vector(quad,
                           finished<kResidual, kRelu, decltype(quad), Q, T>(
                               quad, hn::LoadU(quad, from + i), hn::Set(quad, scale_one),
                               hn::Set(quad, shift_one), more),
                           to + i);
        }
      }
#if NETCL_MASKED_LOADS
      if constexpr (std::is_same_v<T, S>) {
        const int64_t rest = runs[r].count - i;
        const auto mask = hn::FirstN(d, static_cast<size_t>(rest));
        const V more = kResidual ? hn::MaskedLoad(mask, d, add + i) : shift;
        store_first(d,
                    finished<kResidual, kRelu, decltype(d), V, T>(
                        d, hn::MaskedLoad(mask, d, from + i), scale, shift, more),
                    rest, to + i);
        continue;
      }
#endif
      for (; i < runs[r].count; ++i) {
        T more = 0;
        if constexpr (kResidual) more = gd::load_one(add + i);
        const W value = finished<kResidual, kRelu, decltype(one), W, T>(
            one, hn::Set(one, from[i]), hn::Set(one, scale_one), hn::Set(one, shift_one),
            hn::Set(one, more));
        gd::store_one(hn::GetLane(value), to + i);
      }
    }
  }
}

// Any strides, dtypes and activations, a piece of a row at a time.
template <class T>
void finish_any(const Finish<T>& finish, const T* sums, int64_t step, int64_t filter, int64_t rows,
                const OutRun* runs, int64_t count) {
  constexpr int64_t kPiece = 64;
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN T values[kPiece];
  HWY_ALIGN T more[kPiece] = {};
  const int64_t size = bytes_of(finish.dtype);
  for (int64_t row = 0; row < rows; ++row, sums += step) {
    const int64_t f = filter + row;
    const auto scale = hn::Set(d, finish.scale != nullptr ? finish.scale[f] : T{1});
    const auto shift = hn::Set(d, finish.shift != nullptr ? finish.shift[f] : T{0});
    for (int64_t r = 0; r < count; ++r) {
      for (int64_t i = 0; i < runs[r].count; i += kPiece) {
        const int64_t n = runs[r].count - i < kPiece ? runs[r].count - i : kPiece;
        const int64_t result = runs[r].result + f * finish.result_filter + i * finish.result_column;
        const int64_t residual =
            runs[r].residual + f * finish.residual_filter + i * finish.residual_column;
        const T* const from = sums + runs[r].column + i;
        for (int64_t k = 0; k < n; ++k) values[k] = from[k];
        if (finish.residual != nullptr) {
          gd::pack<T>(finish.dtype, static_cast<const char*>(finish.residual) + residual * size,
                      finish.residual_column, 0, n, n, 1, more);
        }
        // The tail of the buffers is worked on too; nobody reads it.
        for (int64_t k = 0; k < n; k += lanes) {
          const auto value = hn::MulAdd(hn::Load(d, values + k), scale, shift);
          hn::Store(finish.residual == nullptr ? value : hn::Add(value, hn::Load(d, more + k)), d,
                    values + k);
        }
        activate(finish.activation, finish.alpha, finish.beta, values, static_cast<size_t>(n));
        gd::merge<T>(values, kPiece, 1, n, T{1}, T{0}, finish.dtype,
                     static_cast<char*>(finish.result) + result * size, 0, finish.result_column);
      }
    }
  }
}

// Neighbouring filters side by side in memory.
template <class T, class S>
void store_across(const T* block, int64_t wide, int64_t columns_count, int64_t rows, S* to,
                  int64_t column_stride) {
  const hn::CappedTag<T, 4> d;
  const int64_t few = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t k = 0; k < columns_count; ++k, block += wide, to += column_stride) {
    int64_t r = 0;
    if constexpr (gd::kStoresVectors<T, S>) {
      for (; r + few <= rows; r += few) gd::store_vector(d, hn::LoadU(d, block + r), to + r);
    }
    for (; r < rows; ++r) gd::store_one(block[r], to + r);
  }
}

// Results with the filters innermost: blocks of sums are turned, so that lanes are filters.
template <class T>
void finish_across(const Finish<T>& finish, const T* sums, int64_t step, int64_t filter,
                   int64_t rows, const OutRun* runs, int64_t count) {
  constexpr int64_t kWide = 16;
  constexpr int64_t kPiece = 32;
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN T block[kPiece * kWide];
  HWY_ALIGN T more[kPiece * kWide];
  HWY_ALIGN T scale[kWide] = {};
  HWY_ALIGN T shift[kWide] = {};
  const int64_t size = bytes_of(finish.dtype);
  for (int64_t row = 0; row < rows; row += kWide, sums += kWide * step) {
    const int64_t used = rows - row < kWide ? rows - row : kWide;
    const int64_t f = filter + row;
    for (int64_t i = 0; i < used; ++i) {
      scale[i] = finish.scale != nullptr ? finish.scale[f + i] : T{1};
      shift[i] = finish.shift != nullptr ? finish.shift[f + i] : T{0};
    }
    for (int64_t at = 0; at < count; ++at) {
      const OutRun& run = runs[at];
      for (int64_t i = 0; i < run.count; i += kPiece) {
        const int64_t n = run.count - i < kPiece ? run.count - i : kPiece;
        gd::pack<T>(kDtype<T>, sums + run.column + i, step, 1, used, kWide, n, block);
        if (finish.residual != nullptr) {
          const int64_t place =
              run.residual + f * finish.residual_filter + i * finish.residual_column;
          gd::pack<T>(finish.dtype, static_cast<const char*>(finish.residual) + place * size,
                      finish.residual_filter, finish.residual_column, used, kWide, n, more);
        }
        for (int64_t k = 0; k < n * kWide; k += lanes) {
          const auto value = hn::MulAdd(hn::Load(d, block + k), hn::Load(d, scale + k % kWide),
                                        hn::Load(d, shift + k % kWide));
          hn::Store(finish.residual == nullptr ? value : hn::Add(value, hn::Load(d, more + k)), d,
                    block + k);
        }
        activate(finish.activation, finish.alpha, finish.beta, block,
                 static_cast<size_t>(n * kWide));
        const int64_t place = run.result + f + i * finish.result_column;
        gd::with_type<T>(finish.dtype, finish.result, [&](auto* typed) HWY_ATTR {
          store_across(block, kWide, n, used, typed + place, finish.result_column);
        });
      }
    }
  }
}

template <class T>
void finish(const Finish<T>& finish, const T* sums, int64_t step, int64_t filter, int64_t rows,
            const OutRun* runs, int64_t count) {
  const bool residual = finish.residual != nullptr;
  const bool relu = finish.activation == NETCL_ACTIVATION_RELU;
  const bool along_rows = finish.result_column == 1 && (!residual || finish.residual_column == 1);
  if (finish.result_filter == 1 && finish.result_column != 1 && rows > 1) {
    return finish_across(finish, sums, step, filter, rows, runs, count);
  }
  if (!along_rows || (finish.activation != NETCL_ACTIVATION_NONE && !relu)) {
    return finish_any(finish, sums, step, filter, rows, runs, count);
  }
  gd::with_type<T>(finish.dtype, finish.result, [&](auto* result) HWY_ATTR {
    if (residual && relu) {
      finish_rows<true, true>(finish, result, sums, step, filter, rows, runs, count);
    } else if (residual) {
      finish_rows<true, false>(finish, result, sums, step, filter, rows, runs, count);
    } else if (relu) {
      finish_rows<false, true>(finish, result, sums, step, filter, rows, runs, count);
    } else {
      finish_rows<false, false>(finish, result, sums, step, filter, rows, runs, count);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#endif
