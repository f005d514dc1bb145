#include "sharded/sharding.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl::sharded {

bool intersect(const Box& a, const Box& b, uint32_t rank, Box* shared) noexcept {
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t first = std::max(a.first[d], b.first[d]);
    const int64_t last = std::min(a.first[d] + a.shape[d], b.first[d] + b.shape[d]);
    if (first >= last) return false;
    shared->first[d] = first;
    shared->shape[d] = last - first;
  }
  return true;
}

int64_t box_elements(const Box& box, uint32_t rank) noexcept {
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= box.shape[d];
  return count;
}

Box whole_box(const Layout& whole) noexcept { return {{}, whole.shape}; }

TensorRef slice_box(const Tensor& tensor, const Box& box,
                    const std::array<int64_t, kRankMax>& origin) {
  std::array<netcl_range, kRankMax> ranges{};
  for (uint32_t d = 0; d < tensor.layout().rank; ++d) {
    ranges[d] = {box.first[d] - origin[d], box.shape[d], 1};
  }
  return slice(tensor, ranges.data(), tensor.layout().rank);
}

int64_t part_begin(int64_t extent, uint32_t index, uint32_t parts) noexcept {
  // As extent * index / parts, which might not fit.
  return extent / parts * index + extent % parts * index / parts;
}

Sharding Sharding::make(std::span<const uint32_t> mesh, std::span<const int32_t> axes,
                        uint32_t ranks) {
  Sharding made;
  made.axes.fill(NETCL_REPLICATED);
  made.mesh[0] = ranks;
  if (!mesh.empty()) {
    if (mesh.size() > kMeshRankMax) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mesh_count is %zu; the limit is %u", mesh.size(),
           kMeshRankMax);
    }
    made.mesh_rank = static_cast<uint32_t>(mesh.size());
    std::copy(mesh.begin(), mesh.end(), made.mesh.begin());
    uint64_t product = 1;
    for (const uint32_t extent : mesh) product = std::min<uint64_t>(product * extent, UINT32_MAX);
    if (product != ranks) {
      std::array<int64_t, kMeshRankMax> extents{};
      std::copy(mesh.begin(), mesh.end(), extents.begin());
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->mesh is %s; the group has %u ranks",
           shape_text(made.mesh_rank, extents.data()).c_str(), ranks);
    }
  }
  if (!axes.empty() && axes.size() != made.mesh_rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->axes_count is %zu; the mesh has %u dimensions",
         axes.size(), made.mesh_rank);
  }
  for (uint32_t m = 0; m < made.mesh_rank; ++m) {
    made.axes[m] = axes.empty() ? static_cast<int32_t>(m) : axes[m];
  }
  return made;
}

void Sharding::check(const Layout& whole) const {
  for (uint32_t m = 0; m < mesh_rank; ++m) {
    const int32_t axis = axes[m];
    if (axis == NETCL_REPLICATED) continue;
    if (axis < 0 || static_cast<uint32_t>(axis) >= whole.rank) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->axes[%u] is %d; the tensor has rank %u", m, axis,
           whole.rank);
    }
    if (whole.shape[axis] < mesh[m]) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "axis %d has %lld entries; dimension %u of the mesh splits it in %u", axis,
           static_cast<long long>(whole.shape[axis]), m, mesh[m]);
    }
    for (uint32_t before = 0; before < m; ++before) {
      if (axes[before] != axis) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->axes[%u] is %d, as options->axes[%u] is", m,
           axis, before);
    }
  }
}

uint32_t Sharding::ranks() const noexcept { return ranks_along((1u << mesh_rank) - 1); }

uint32_t Sharding::place(uint32_t rank, uint32_t dimension) const noexcept {
  for (uint32_t m = mesh_rank; m-- > dimension + 1;) rank /= mesh[m];
  return rank % mesh[dimension];
}

bool Sharding::splits_any() const noexcept {
  for (uint32_t m = 0; m < mesh_rank; ++m) {
    if (splits(m)) return true;
  }
  return false;
}

int Sharding::dimension_of(uint32_t axis) const noexcept {
  for (uint32_t m = 0; m < mesh_rank; ++m) {
    if (splits(m) && axes[m] == static_cast<int32_t>(axis)) return static_cast<int>(m);
  }
  return -1;
}

Box Sharding::block(uint32_t rank, const Layout& whole) const noexcept {
  Box box = whole_box(whole);
  for (uint32_t m = 0; m < mesh_rank; ++m) {
    if (!splits(m)) continue;
    const auto axis = static_cast<uint32_t>(axes[m]);
    const uint32_t index = place(rank, m);
    box.first[axis] = part_begin(whole.shape[axis], index, mesh[m]);
    box.shape[axis] = part_begin(whole.shape[axis], index + 1, mesh[m]) - box.first[axis];
  }
  return box;
}

std::vector<uint32_t> Sharding::colors(uint32_t dimensions) const {
  std::vector<uint32_t> colors(ranks());
  for (uint32_t r = 0; r < colors.size(); ++r) {
    for (uint32_t m = 0; m < mesh_rank; ++m) {
      if ((dimensions >> m & 1) == 0) colors[r] = colors[r] * mesh[m] + place(r, m);
    }
  }
  return colors;
}

uint32_t Sharding::ranks_along(uint32_t dimensions) const noexcept {
  uint32_t count = 1;
  for (uint32_t m = 0; m < mesh_rank; ++m) {
    if ((dimensions >> m & 1) != 0) count *= mesh[m];
  }
  return count;
}

Sharding Sharding::replicated() const noexcept {
  Sharding other = *this;
  other.axes.fill(NETCL_REPLICATED);
  return other;
}

std::string Sharding::text() const {
  std::string extents, split;
  for (uint32_t m = 0; m < mesh_rank; ++m) {
    const char* const comma = m == 0 ? "" : ", ";
    extents += format("%s%u", comma, mesh[m]);
    split += comma + (axes[m] == NETCL_REPLICATED ? std::string("whole") : format("%d", axes[m]));
  }
  return "mesh [" + extents + "], axes [" + split + "]";
}

}  // namespace netcl::sharded
