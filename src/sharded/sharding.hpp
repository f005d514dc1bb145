// How a tensor lies on the ranks of a group: a mesh, and what each of its dimensions splits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/layout.hpp"
#include "tensor/tensor.hpp"

namespace netcl::sharded {

inline constexpr uint32_t kMeshRankMax = NETCL_MESH_RANK_MAX;

// A part of a whole tensor.
struct Box {
  std::array<int64_t, kRankMax> first{};
  std::array<int64_t, kRankMax> shape{};

  bool operator==(const Box&) const = default;
};
// What two boxes of `rank` dimensions share; false where that is nothing.
bool intersect(const Box& a, const Box& b, uint32_t rank, Box* shared) noexcept;
int64_t box_elements(const Box& box, uint32_t rank) noexcept;
Box whole_box(const Layout& whole) noexcept;
// The part of a tensor whose first element is at `origin` in the whole.
TensorRef slice_box(const Tensor& tensor, const Box& box,
                    const std::array<int64_t, kRankMax>& origin);

// The first entry of part `index` of `parts` along an axis.
int64_t part_begin(int64_t extent, uint32_t index, uint32_t parts) noexcept;

struct Sharding {
  uint32_t mesh_rank = 1;
  std::array<uint32_t, kMeshRankMax> mesh{};
  std::array<int32_t, kMeshRankMax> axes{};  // NETCL_REPLICATED beyond the mesh

  bool operator==(const Sharding&) const = default;
  // Checks a mesh and axes for so many ranks; none of either is the default.
  static Sharding make(std::span<const uint32_t> mesh, std::span<const int32_t> axes,
                       uint32_t ranks);
  // Fails where a tensor cannot lie so.
  void check(const Layout& whole) const;

  uint32_t ranks() const noexcept;
  // Where along a dimension of the mesh a rank is.
  uint32_t place(uint32_t rank, uint32_t dimension) const noexcept;
  // Whether a dimension of the mesh parts anything.
  bool splits(uint32_t dimension) const noexcept {
    return axes[dimension] != NETCL_REPLICATED && mesh[dimension] > 1;
  }
  bool splits_any() const noexcept;
  // The dimension that splits an axis, -1 where none does.
  int dimension_of(uint32_t axis) const noexcept;
  Box block(uint32_t rank, const Layout& whole) const noexcept;
  // Colours of the parts of the group whose ranks lie along these dimensions (a bit each).
  std::vector<uint32_t> colors(uint32_t dimensions) const;
  // How many ranks such a part has.
  uint32_t ranks_along(uint32_t dimensions) const noexcept;
  // The same mesh with nothing split.
  Sharding replicated() const noexcept;
  // "mesh [2, 2], axes [0, whole]"
  std::string text() const;
};

}  // namespace netcl::sharded
