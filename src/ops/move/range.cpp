#include "ops/move/range.hpp"

#include <algorithm>
#include <cmath>

#include "backend/cpu/element.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/trilu.hpp"

namespace netcl::ops {

namespace {

// What elements of a dtype are counted in: integers modulo 2^64.
template <class E>
using Counted = std::conditional_t<std::is_floating_point_v<typename E::Compute>,
                                   typename E::Compute, uint64_t>;

template <class E>
Counted<E> counted(const Element& element) {
  typename E::Storage stored;
  std::memcpy(&stored, element.data(), sizeof stored);
  return static_cast<Counted<E>>(E::load(&stored));
}

uint64_t element_of_range(int64_t i, uint64_t start, uint64_t step) {
  return start + static_cast<uint64_t>(i) * step;
}
double element_of_range(int64_t i, double start, double step) {
  return std::fma(static_cast<double>(i), step, start);
}
// Both parts of i are exact in f32.
float element_of_range(int64_t i, float start, float step) {
  const int64_t high = i >> 24;
  if (high > 0) start = std::fma(static_cast<float>(high), step * 0x1p24f, start);
  return std::fma(static_cast<float>(i & 0xffffff), step, start);
}

template <class E>
void count_up(const Layout& to, Counted<E> start, Counted<E> step, typename E::Storage* y,
              int64_t first, int64_t last) {
  y += to.offset;
  for (int64_t i = first; i < last; ++i) {
    const Counted<E> value = element_of_range(i, start, step);
    typename E::Storage* const place = y + element_at(to, i);
    if constexpr (std::is_same_v<Counted<E>, uint64_t>) {
      *place = static_cast<typename E::Storage>(value);
    } else {
      E::store(value, place);
    }
  }
}

void range_natively(const Layout& to, const Element& start, const Element& step,
                    const Tensor& target, const Run& run) {
  enqueue_native(
      {writing(target)}, run, [to, start, step, dtype = target.dtype()](const NativeCall& call) {
        cpu::with_dtype(dtype, [&](auto element) {
          using E = decltype(element);
          auto* const y = call.at<typename E::Storage>(0);
          call.threads.parallel_for(to.element_count(), 1 << 14, [&](int64_t first, int64_t last) {
            count_up<E>(to, counted<E>(start), counted<E>(step), y, first, last);
          });
        });
      });
}

void launch_range(const Layout& to, const Element& start, const Element& step, const Tensor& target,
                  const Run& run) {
  const uint32_t last = to.rank - 1;
  const int64_t columns = to.shape[last];
  const int64_t rows = to.element_count() / columns;
  Layout y_rows = layout_part(to, 0, last);
  y_rows.offset = to.offset;
  Arguments arguments;
  arguments.memory(writing(target));
  arguments.layout(y_rows);
  arguments.scalar(rows);
  arguments.scalar(columns);
  arguments.scalar(to.strides[last]);
  cpu::with_dtype(target.dtype(), [&](auto element) {
    using E = decltype(element);
    arguments.scalar(counted<E>(start));
    arguments.scalar(counted<E>(step));
  });
  const DtypeFacts& facts = dtype_facts(target.dtype());
  std::string flags = std::string("-DY=") + facts.name;
  if (facts.kind == DtypeClass::floating) {
    flags += target.dtype() == NETCL_F64 ? " -DREAL=double" : " -DREAL=float";
  }
  launch_rows("range.cl", "netcl_range", flags, rows, columns,
              !fits_32_bits({&to}, target.element_count()), arguments, run);
}

}  // namespace

TensorRef range(const Element& start, const Element& step, const TensorRef& into, const Run& run) {
  if (into->dtype() == NETCL_BOOL) {
    fail(NETCL_ERROR_UNSUPPORTED, "tensor is bool, which has no ranges");
  }
  require_f64(run, into->dtype(), "tensor");
  if (into->empty()) return into;
  Layout to = coalesced(into->layout());
  // A row needs a dimension to lie along.
  if (to.rank == 0) {
    to.rank = 1;
    to.shape[0] = 1;
    to.strides[0] = 1;
  }
  const Run declared = with_work(run, [&] {
    return work_of("range", into->dtype(), 2.0 * static_cast<double>(into->element_count()), {},
                   {into.get()});
  });
  if (runs_native(run.device())) {
    range_natively(to, start, step, *into, declared);
  } else {
    launch_range(to, start, step, *into, declared);
  }
  return into;
}

TensorRef eye(int64_t k, const TensorRef& into, const Run& run) {
  require_matrices(*into, "tensor");
  if (into->empty()) return into;
  const Run declared =
      with_work(run, [&] { return work_of("eye", into->dtype(), 0.0, {}, {into.get()}); });
  Run last = declared;
  last.declared = true;
  Layout diagonal = into->layout();
  const uint32_t row = --diagonal.rank - 1;
  const int64_t rows = diagonal.shape[row], columns = diagonal.shape[row + 1];
  const bool crosses = k > -rows && k < columns;
  Element none{}, one{};
  fill(*into, none.data(), crosses ? declared.part() : last);
  if (!crosses) return into;
  diagonal.offset += k > 0 ? k * diagonal.strides[row + 1] : -k * diagonal.strides[row];
  diagonal.shape[row] = k > 0 ? std::min(rows, columns - k) : std::min(rows + k, columns);
  diagonal.strides[row] += diagonal.strides[row + 1];
  cpu::with_dtype(into->dtype(), [&](auto element) {
    using E = decltype(element);
    typename E::Storage stored;
    E::store(static_cast<typename E::Compute>(1), &stored);
    std::memcpy(one.data(), &stored, sizeof stored);
  });
  fill(Tensor(into->buffer(), into->dtype(), diagonal), one.data(), last);
  return into;
}

}  // namespace netcl::ops
