// Moving parts of a tensor from the ranks that have them to those that want them, as one
// all_to_all: new shardings, gathering and rims are all this.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "group/rank_group.hpp"
#include "sharded/sharding.hpp"

namespace netcl::sharded {

// A part of the whole, and the ranks that have it.
struct Source {
  Box box;
  std::vector<uint32_t> holders;
};
// A part of the whole that a rank wants, and the place of its first element in the rank's target.
struct Want {
  Box box;
  std::array<int64_t, kRankMax> at{};
};
// Where this rank takes what it wants; no target where it wants nothing. The mark is of what was
// asked for, see mark_of; `agreed` is called when all ranks have asked alike.
struct MoveInto {
  TensorRef target;
  ops::Run run;
  uint64_t mark = 0;
  std::function<void(const ops::Run&)> agreed{};
};
// What all ranks have to ask alike: the kind of call, the tensor, and the bytes of what else.
uint64_t mark_of(char kind, const Layout& whole, const Sharding& sharding, const void* asked,
                 size_t bytes);

class MoveBoxes {
 public:
  // `wants` tells of each rank what it wants, on all ranks alike.
  MoveBoxes(group::MessageOf call, group::Group& group, uint32_t rank,
            std::span<const Source> sources, std::function<std::vector<Want>(uint32_t)> wants)
      : call_(call), group_(group), rank_(rank), sources_(sources), wants_(std::move(wants)) {}

  // `own` is what this rank has, from `origin` on in the whole; null for nothing. What `prepare`
  // refuses, the other ranks get to know.
  void run(const TensorRef& own, const std::array<int64_t, kRankMax>& origin,
           FunctionRef<MoveInto()> prepare);
  // What went between the ranks, as a line.
  std::string text(const char* name) const;

 private:
  struct Piece {
    Box box;
    uint32_t peer;
    std::array<int64_t, kRankMax> at;
  };
  void plan();
  void pack(const Tensor& own, const std::array<int64_t, kRankMax>& origin, const Tensor& flat,
            const ops::Run& run) const;
  void unpack(const TensorRef& own, const std::array<int64_t, kRankMax>& origin, const Tensor& flat,
              const MoveInto& into) const;
  TensorRef flat_piece(const Tensor& flat, const Piece& piece, int64_t offset) const;

  const group::MessageOf call_;
  group::Group& group_;
  const uint32_t rank_;
  const std::span<const Source> sources_;
  const std::function<std::vector<Want>(uint32_t)> wants_;
  std::vector<Piece> sends_, receives_, stays_;
  std::vector<int64_t> counts_;  // elements for each rank
  int64_t sent_ = 0, received_ = 0;
  size_t element_size_ = 0;
};

}  // namespace netcl::sharded
