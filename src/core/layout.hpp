// Shapes and strides: pure arithmetic on extents, no memory and no device. All size maths of the
// library is here, so that every overflow check is in one place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "netcl.h"

namespace netcl {

inline constexpr uint32_t kRankMax = NETCL_RANK_MAX;

// The geometry of a tensor inside its buffer. Extents, strides and offset count elements.
struct Layout {
  uint32_t rank = 0;
  std::array<int64_t, kRankMax> shape{};
  std::array<int64_t, kRankMax> strides{};
  int64_t offset = 0;

  int64_t element_count() const noexcept;  // 1 for rank 0, 0 when any extent is 0
  bool is_c_contiguous() const noexcept;   // packed in C order; empty and 0-d tensors are
  bool same_shape(const Layout& other) const noexcept;
};

// The half-open range of element indexes that a layout touches; first == last when empty.
struct Span {
  int64_t first = 0;
  int64_t last = 0;
};

// Checks rank, extents and (unless NULL) strides from a caller; NULL strides give C order. Fails
// with INVALID_ARGUMENT naming the dimension. The byte size at `element_size` must fit int64_t.
Layout make_layout(uint32_t rank, const int64_t* shape, const int64_t* strides,
                   size_t element_size);

// C-order strides for a shape that is already known to be sound.
Layout packed_layout(uint32_t rank, const int64_t* shape);

// The layout with a dimension to walk along: one of extent 1 where it has none.
Layout with_dimension(Layout layout);

Span touched_span(const Layout& layout);

// Drops extents of 1 and joins neighbouring dimensions that are contiguous with each other in all
// `count` layouts at once, keeping the iteration order. All layouts have the same shape.
void coalesce(Layout* layouts, size_t count);
inline Layout coalesced(Layout layout) {
  coalesce(&layout, 1);
  return layout;
}

// The strides of `layout` when read with the (broadcast) shape of `target`: 0 along the broadcast
// dimensions. Fails with INVALID_ARGUMENT naming both extents when the shapes do not broadcast; an
// `index` from 0 on is the layout's place in an array argument.
Layout broadcast_layout(const Layout& layout, uint32_t rank, const int64_t* shape,
                        const char* argument, int index = -1);

// True when two different index tuples may address the same element (strides of 0 included).
bool may_overlap_itself(const Layout& layout);
// A dimension without which fewer of them do, the shortest of those that meet; NETCL_RANK_MAX where
// none do.
uint32_t overlapping_dimension(const Layout& layout);

std::string shape_text(uint32_t rank, const int64_t* extents);  // "[2, 3]"
inline std::string shape_text(const Layout& layout) {
  return shape_text(layout.rank, layout.shape.data());
}

}  // namespace netcl
