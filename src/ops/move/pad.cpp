#include "ops/move/pad.hpp"

#include <algorithm>
#include <cstring>

#include "core/number.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

// A padding after the elements that it takes away are gone.
struct Padding {
  Layout from;    // of the source, a part of x
  Layout to;      // of the result
  Layout before;  // its strides: elements added before the source
  netcl_pad_mode mode = NETCL_PAD_CONSTANT;
};

// The coordinate in the source of one that begins at the source; -1 outside of it.
int64_t source_coordinate(int64_t i, int64_t extent, netcl_pad_mode mode) {
  if (i >= 0 && i < extent) return i;
  if (mode == NETCL_PAD_EDGE) return i < 0 ? 0 : extent - 1;
  if (mode == NETCL_PAD_CONSTANT) return -1;
  if (extent == 1) return 0;
  const int64_t period = mode == NETCL_PAD_WRAP ? extent : 2 * (extent - 1);
  i %= period;
  if (i < 0) i += period;
  return i < extent ? i : period - i;
}

// Leaves out dimensions of extent 1, and joins neighbours to which nothing is added.
void simplify(Padding* padding) {
  Layout* const layouts[3] = {&padding->from, &padding->to, &padding->before};
  uint32_t rank = 0;
  for (uint32_t d = 0; d < padding->to.rank; ++d) {
    const bool plain = padding->from.shape[d] == padding->to.shape[d];
    if (plain && padding->to.shape[d] == 1) continue;
    bool joins = rank > 0 && plain && padding->from.shape[rank - 1] == padding->to.shape[rank - 1];
    for (int i = 0; joins && i < 2; ++i) {
      joins = layouts[i]->strides[rank - 1] == layouts[i]->strides[d] * layouts[i]->shape[d];
    }
    for (Layout* layout : layouts) {
      const int64_t extent = layout->shape[d];
      const int64_t stride = layout->strides[d];
      if (joins) {
        layout->shape[rank - 1] *= extent;
        layout->strides[rank - 1] = stride;
      } else {
        layout->shape[rank] = extent;
        layout->strides[rank] = stride;
      }
    }
    if (!joins) ++rank;
  }
  // A row needs a dimension to lie along.
  if (rank == 0) {
    for (Layout* layout : layouts) {
      layout->shape[0] = 1;
      layout->strides[0] = 0;
    }
    rank = 1;
  }
  for (Layout* layout : layouts) layout->rank = rank;
}

// One row: what comes before the source, the source, what comes after it.
template <class T>
void pad_row(const Padding& padding, const T* x, bool inside, T* y, T value) {
  const uint32_t last = padding.to.rank - 1;
  const int64_t columns = padding.to.shape[last];
  const int64_t extent = padding.from.shape[last];
  const int64_t lead = padding.before.strides[last];
  const int64_t x_step = padding.from.strides[last];
  const int64_t y_step = padding.to.strides[last];
  const auto outside = [&](int64_t first, int64_t end) {
    for (int64_t c = first; c < end; ++c) {
      const int64_t i = inside ? source_coordinate(c - lead, extent, padding.mode) : -1;
      y[c * y_step] = i < 0 ? value : x[i * x_step];
    }
  };
  if (!inside) return outside(0, columns);
  outside(0, lead);
  if (x_step == 1 && y_step == 1) {
    std::memcpy(y + lead, x, static_cast<size_t>(extent) * sizeof(T));
  } else {
    for (int64_t i = 0; i < extent; ++i) y[(lead + i) * y_step] = x[i * x_step];
  }
  outside(lead + extent, columns);
}

template <class T>
void pad_rows(const Padding& padding, const T* x, T* y, T value, int64_t first, int64_t last_row) {
  const uint32_t last = padding.to.rank - 1;
  for (int64_t row = first; row < last_row; ++row) {
    int64_t rest = row;
    int64_t source = padding.from.offset;
    int64_t target = padding.to.offset;
    bool inside = true;
    for (uint32_t d = last; d-- > 0;) {
      const int64_t coordinate = rest % padding.to.shape[d];
      rest /= padding.to.shape[d];
      const int64_t i = source_coordinate(coordinate - padding.before.strides[d],
                                          padding.from.shape[d], padding.mode);
      inside = inside && i >= 0;
      source += i * padding.from.strides[d];
      target += coordinate * padding.to.strides[d];
    }
    pad_row(padding, x + (inside ? source : 0), inside, y + target, value);
  }
}

void pad_natively(const Padding& padding, const Tensor& x, const Tensor& result, const void* value,
                  int64_t rows, const Run& run) {
  const int64_t columns = padding.to.shape[padding.to.rank - 1];
  uint64_t filler = 0;
  std::memcpy(&filler, value, x.element_size());
  native_rows({reading(x), writing(result)}, x.element_size(), rows, columns, run,
              [padding, filler](const NativeCall& call, auto zero, int64_t first, int64_t last) {
                using T = decltype(zero);
                T bits;
                std::memcpy(&bits, &filler, sizeof bits);
                pad_rows(padding, call.at<const T>(0), call.at<T>(1), bits, first, last);
              });
}

void launch_pad(const Padding& padding, const Tensor& x, const Tensor& result, const void* value,
                int64_t rows, const Run& run) {
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(writing(result));
  arguments.layout(padding.from);
  arguments.layout(padding.to);
  arguments.layout(padding.before);
  arguments.scalar(rows);
  arguments.bytes(value, x.element_size());
  int64_t most = result.element_count();
  for (uint32_t d = 0; d < padding.to.rank; ++d) most = std::max(most, padding.before.strides[d]);
  const std::string flags =
      std::string("-DT=") + bits_type(x.element_size()) + " -DMODE=" + number_text(padding.mode);
  launch_rows("pad.cl", "netcl_pad", flags, rows, padding.to.shape[padding.to.rank - 1],
              !fits_32_bits({&padding.from, &padding.to}, most), arguments, run);
}

// Takes away what negative pads say and works out the result's shape.
Padding make_padding(const Tensor& x, std::span<const int64_t> pads, netcl_pad_mode mode) {
  const Layout& source = x.layout();
  if (pads.size() != 2 * source.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads_count is %zu; a tensor of rank %u needs %u",
         pads.size(), source.rank, 2 * source.rank);
  }
  if (mode < NETCL_PAD_CONSTANT || mode > NETCL_PAD_WRAP) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mode is %d; it is 0 to %d", mode, NETCL_PAD_WRAP);
  }
  Padding padding;
  padding.mode = mode;
  padding.from = padding.to = source;
  padding.before.rank = source.rank;
  for (uint32_t d = 0; d < source.rank; ++d) {
    const int64_t extent = source.shape[d];
    const int64_t begin = pads[d];
    const int64_t end = pads[source.rank + d];
    constexpr int64_t kMost = int64_t{1} << 62;
    const int64_t kept = begin < -kMost || end < -kMost
                             ? -1
                             : extent + std::min<int64_t>(begin, 0) + std::min<int64_t>(end, 0);
    if (kept < 0 || begin > kMost - kept || end > kMost - kept - std::max<int64_t>(begin, 0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "pads[%u] is %lld and pads[%u] is %lld; axis %u has extent %lld", d,
           static_cast<long long>(begin), source.rank + d, static_cast<long long>(end), d,
           static_cast<long long>(extent));
    }
    if (kept == 0 && mode != NETCL_PAD_CONSTANT && std::max(begin, end) > 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "pads[%u] is %lld and pads[%u] is %lld; axis %u has no element left to repeat", d,
           static_cast<long long>(begin), source.rank + d, static_cast<long long>(end), d);
    }
    padding.from.shape[d] = kept;
    if (begin < 0 && kept > 0) padding.from.offset += -begin * source.strides[d];
    padding.before.shape[d] = 1;
    padding.before.strides[d] = std::max<int64_t>(begin, 0);
    padding.to.shape[d] = kept + std::max<int64_t>(begin, 0) + std::max<int64_t>(end, 0);
  }
  return padding;
}

}  // namespace

TensorRef pad(const Tensor& x, std::span<const int64_t> pads, netcl_pad_mode mode,
              const Element& value, const TensorRef& into, const Run& run) {
  if (pads.data() == nullptr && !pads.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads is NULL while pads_count is %zu", pads.size());
  }
  Padding padding = make_padding(x, pads, mode);
  refuse_sharing(into, x, "x");
  const TensorRef result =
      result_tensor(into, padding.to.rank, padding.to.shape.data(), x.dtype(), run);
  if (result->empty()) return result;
  if (padding.from.element_count() == 0) {
    fill(*result, value.data(), run);
    return result;
  }
  if (padding.from.same_shape(padding.to)) {
    copy_into(Tensor(x.buffer(), x.dtype(), padding.from), *result, run);
    return result;
  }
  padding.to = result->layout();
  simplify(&padding);
  const int64_t rows = padding.to.element_count() / padding.to.shape[padding.to.rank - 1];
  const Run declared =
      with_work(run, [&] { return work_of("pad", x.dtype(), 0.0, {&x}, {result.get()}); });
  if (runs_native(run.device())) {
    pad_natively(padding, x, *result, value.data(), rows, declared);
  } else {
    launch_pad(padding, x, *result, value.data(), rows, declared);
  }
  return result;
}

}  // namespace netcl::ops
