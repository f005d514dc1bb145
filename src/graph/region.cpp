#include "graph/region.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

// The strides of both, falling, each once; 0 of them when one has no order of that kind.
uint32_t joint_strides(const Layout& a, const Layout& b, int64_t* strides) {
  uint32_t count = 0;
  for (const Layout* layout : {&a, &b}) {
    for (uint32_t d = 0; d < layout->rank; ++d) {
      if (layout->strides[d] <= 0) return 0;
      if (d > 0 && layout->strides[d] == layout->strides[d - 1]) return 0;
      strides[count++] = layout->strides[d];
    }
  }
  std::sort(strides, strides + count, std::greater<>());
  count = static_cast<uint32_t>(std::unique(strides, strides + count) - strides);
  for (uint32_t i = 1; i < count; ++i) {
    if (strides[i - 1] % strides[i] != 0) return 0;
  }
  return count;
}

struct Box {
  std::array<int64_t, 2 * NETCL_RANK_MAX> first{};
  std::array<int64_t, 2 * NETCL_RANK_MAX> last{};
};

// The indexes between which a layout lies in a packed tensor of these strides; false when it wraps
// around in one of them.
bool as_box(const Layout& layout, const int64_t* strides, uint32_t count, Box* box) {
  int64_t rest = layout.offset;
  for (uint32_t i = 0, d = 0; i < count; ++i) {
    const bool own = d < layout.rank && layout.strides[d] == strides[i];
    box->first[i] = rest / strides[i];
    box->last[i] = box->first[i] + (own ? layout.shape[d++] : 1);
    rest %= strides[i];
    if (i > 0 && box->last[i] > strides[i - 1] / strides[i]) return false;
  }
  return rest == 0;
}

// Elements of both lie whole multiples of this from the first element of their layout; 0 where each
// has one element.
int64_t common_step(const Layout& a, const Layout& b) {
  int64_t step = 0;
  for (const Layout* layout : {&a, &b}) {
    for (uint32_t d = 0; d < layout->rank; ++d) {
      if (layout->shape[d] > 1) step = std::gcd(step, layout->strides[d]);
    }
  }
  return step;
}

}  // namespace

bool disjoint(const Tensor& a, const Tensor& b) {
  if (a.empty() || b.empty() || !ops::may_share(a, b)) return true;
  if (a.memory() != b.memory() || a.dtype() != b.dtype()) return false;
  return disjoint(a.layout(), b.layout());
}

bool disjoint(const Layout& a, const Layout& b) {
  const Span one = touched_span(a);
  const Span other = touched_span(b);
  if (one.last <= other.first || other.last <= one.first) return true;
  const int64_t step = common_step(a, b);
  if (step != 0 && (a.offset - b.offset) % step != 0) return true;
  const Layout left = region_of(a).layout;
  const Layout right = region_of(b).layout;
  int64_t strides[2 * NETCL_RANK_MAX];
  const uint32_t count = joint_strides(left, right, strides);
  Box x;
  Box y;
  if (count == 0 || !as_box(left, strides, count, &x) || !as_box(right, strides, count, &y)) {
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (x.last[i] <= y.first[i] || y.last[i] <= x.first[i]) return true;
  }
  return false;
}

// Packed layouts have all that lies between their ends; of others slices are known as parts.
bool is_part_of(const Layout& part, const Layout& whole) {
  const Span inner = touched_span(part);
  const Span outer = touched_span(whole);
  if (inner.first < outer.first || inner.last > outer.last) return false;
  if (outer.last - outer.first == whole.element_count()) return true;
  const Layout from = region_of(whole).layout;
  int64_t reach[NETCL_RANK_MAX] = {};
  int64_t rest = inner.first - outer.first;
  // Where the first element stands, and how far each dimension of the part goes on from there.
  for (uint32_t i = 0; i < from.rank; ++i) {
    const int64_t stride = std::abs(from.strides[i]);
    reach[i] = rest / stride;
    rest %= stride;
  }
  if (rest != 0) return false;
  for (uint32_t d = 0; d < part.rank; ++d) {
    const int64_t step = std::abs(part.strides[d]);
    if (part.shape[d] < 2 || step == 0) continue;
    uint32_t i = 0;
    while (i < from.rank && (step % from.strides[i] != 0 || step < std::abs(from.strides[i]))) ++i;
    if (i == from.rank) return false;
    reach[i] += step / std::abs(from.strides[i]) * (part.shape[d] - 1);
  }
  for (uint32_t i = 0; i < from.rank; ++i) {
    if (reach[i] >= from.shape[i]) return false;
  }
  return true;
}

Region region_of(const Layout& layout) {
  Region region;
  uint32_t& rank = region.layout.rank;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.shape[d] != 1) region.axes[rank++] = d;
  }
  std::stable_sort(region.axes.begin(), region.axes.begin() + rank, [&](uint32_t a, uint32_t b) {
    return std::abs(layout.strides[a]) > std::abs(layout.strides[b]);
  });
  for (uint32_t i = 0; i < rank; ++i) {
    region.layout.shape[i] = layout.shape[region.axes[i]];
    region.layout.strides[i] = layout.strides[region.axes[i]];
  }
  region.layout.offset = layout.offset;
  return region;
}

bool same_region(const Layout& a, const Layout& b) {
  Layout left = region_of(a).layout;
  Layout right = region_of(b).layout;
  coalesce(&left, 1);
  coalesce(&right, 1);
  return left.offset == right.offset && left.same_shape(right) &&
         std::equal(left.strides.begin(), left.strides.begin() + left.rank, right.strides.begin());
}

}  // namespace netcl::graph
