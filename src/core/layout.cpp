#include "core/layout.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl {

int64_t Layout::element_count() const noexcept {
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= shape[d];
  return count;
}

bool Layout::is_c_contiguous() const noexcept {
  if (element_count() == 0) return true;
  int64_t expected = 1;
  for (uint32_t d = rank; d-- > 0;) {
    if (shape[d] != 1 && strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

bool Layout::same_shape(const Layout& other) const noexcept {
  return rank == other.rank && std::equal(shape.begin(), shape.begin() + rank, other.shape.begin());
}

std::string shape_text(uint32_t rank, const int64_t* extents) {
  std::string text = "[";
  for (uint32_t d = 0; d < rank; ++d) {
    text += format(d == 0 ? "%lld" : ", %lld", static_cast<long long>(extents[d]));
  }
  return text + "]";
}

Layout packed_layout(uint32_t rank, const int64_t* shape) {
  Layout layout;
  layout.rank = rank;
  int64_t stride = 1;
  for (uint32_t d = rank; d-- > 0;) {
    layout.shape[d] = shape[d];
    layout.strides[d] = stride;
    stride *= std::max<int64_t>(shape[d], 1);
  }
  return layout;
}

// The product of the extents with zeros counted as one: the strides of an empty tensor are still
// products of its other extents, so they must not overflow either.
static void check_extents(uint32_t rank, const int64_t* shape, size_t element_size) {
  int64_t bytes = static_cast<int64_t>(element_size);
  for (uint32_t d = 0; d < rank; ++d) {
    if (shape[d] < 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "shape[%u] is %lld; an extent must not be negative", d,
           static_cast<long long>(shape[d]));
    }
    const int64_t extent = std::max<int64_t>(shape[d], 1);
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "shape %s of %zu-byte elements needs more than 2^63 - 1 bytes",
           shape_text(rank, shape).c_str(), element_size);
    }
  }
}

static void check_strides(const Layout& layout, size_t element_size) {
  int64_t low = 0;
  int64_t high = 0;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    const int64_t steps = std::max<int64_t>(layout.shape[d], 1) - 1;
    int64_t reach;
    int64_t& end = layout.strides[d] < 0 ? low : high;
    int64_t bytes;
    if (__builtin_mul_overflow(steps, layout.strides[d], &reach) ||
        __builtin_add_overflow(end, reach, &end) ||
        __builtin_mul_overflow(end, static_cast<int64_t>(element_size), &bytes) ||
        high > INT64_MAX / 2 || low < -(INT64_MAX / 2)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "strides[%u] is %lld; with shape[%u] = %lld the address "
           "leaves 64 bits",
           d, static_cast<long long>(layout.strides[d]), d,
           static_cast<long long>(layout.shape[d]));
    }
  }
}

Layout make_layout(uint32_t rank, const int64_t* shape, const int64_t* strides,
                   size_t element_size) {
  if (rank > kRankMax) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "rank is %u; the largest rank is %u", rank, kRankMax);
  }
  if (rank > 0 && shape == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "shape is NULL while rank is %u", rank);
  }
  check_extents(rank, shape, element_size);
  Layout layout = packed_layout(rank, shape);
  if (strides != nullptr) {
    std::copy(strides, strides + rank, layout.strides.begin());
    check_strides(layout, element_size);
  }
  return layout;
}

Layout with_dimension(Layout layout) {
  if (layout.rank > 0) return layout;
  layout.rank = 1;
  layout.shape[0] = 1;
  layout.strides[0] = 1;
  return layout;
}

Span touched_span(const Layout& layout) {
  Span span{layout.offset, layout.offset};
  if (layout.element_count() == 0) return span;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    const int64_t reach = (layout.shape[d] - 1) * layout.strides[d];
    (reach < 0 ? span.first : span.last) += reach;
  }
  span.last += 1;
  return span;
}

void coalesce(Layout* layouts, size_t count) {
  const Layout source = layouts[0];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < source.rank; ++d) {
    const int64_t extent = source.shape[d];
    if (extent == 1) continue;
    bool joins = rank > 0;
    for (size_t i = 0; joins && i < count; ++i) {
      joins = layouts[i].strides[rank - 1] == layouts[i].strides[d] * extent;
    }
    for (size_t i = 0; i < count; ++i) {
      // Writing at `rank` or below is safe: those dimensions have been read already.
      Layout& layout = layouts[i];
      const int64_t stride = layout.strides[d];
      if (joins) {
        layout.shape[rank - 1] *= extent;
        layout.strides[rank - 1] = stride;
      } else {
        layout.shape[rank] = extent;
        layout.strides[rank] = stride;
      }
    }
    if (!joins) ++rank;
  }
  for (size_t i = 0; i < count; ++i) layouts[i].rank = rank;
}

Layout broadcast_layout(const Layout& layout, uint32_t rank, const int64_t* shape,
                        const char* argument, int index) {
  Layout out;
  out.rank = rank;
  out.offset = layout.offset;
  const auto name = [&] {
    return index < 0 ? std::string(argument) : format("%s[%d]", argument, index);
  };
  if (layout.rank > rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s, which does not broadcast to %s",
         name().c_str(), shape_text(layout).c_str(), shape_text(rank, shape).c_str());
  }
  const uint32_t lead = rank - layout.rank;
  for (uint32_t d = 0; d < rank; ++d) {
    out.shape[d] = shape[d];
    if (d < lead) continue;
    const int64_t extent = layout.shape[d - lead];
    if (extent == shape[d]) {
      out.strides[d] = layout.strides[d - lead];
    } else if (extent != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "%s has shape %s, which does not broadcast to %s: extent %lld against %lld in "
           "dimension %u",
           name().c_str(), shape_text(layout).c_str(), shape_text(rank, shape).c_str(),
           static_cast<long long>(extent), static_cast<long long>(shape[d]), d);
    }
  }
  return out;
}

bool may_overlap_itself(const Layout& layout) {
  return overlapping_dimension(layout) != NETCL_RANK_MAX;
}

uint32_t overlapping_dimension(const Layout& layout) {
  if (layout.element_count() <= 1) return NETCL_RANK_MAX;
  // Sorted by distance, each stride must step over everything the smaller ones reach. Layouts that
  // interleave without overlapping are reported as overlapping, which is the safe answer.
  std::array<uint32_t, kRankMax> order{};
  uint32_t used = 0;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] > 1) order[used++] = d;
  }
  const auto distance = [&](uint32_t d) {
    return layout.strides[d] < 0 ? -layout.strides[d] : layout.strides[d];
  };
  for (uint32_t i = 1; i < used; ++i) {
    for (uint32_t k = i; k > 0 && distance(order[k]) < distance(order[k - 1]); --k) {
      std::swap(order[k], order[k - 1]);
    }
  }
  int64_t reach = 0;
  for (uint32_t i = 0; i < used; ++i) {
    if (distance(order[i]) <= reach || distance(order[i]) == 0) {
      return *std::min_element(order.begin(), order.begin() + i + 1, [&](uint32_t a, uint32_t b) {
        return layout.shape[a] < layout.shape[b];
      });
    }
    reach += distance(order[i]) * (layout.shape[order[i]] - 1);
  }
  return NETCL_RANK_MAX;
}

}  // namespace netcl
