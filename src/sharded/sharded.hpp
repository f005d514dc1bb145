// A tensor over a group, as one of its ranks has it.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "group/rank_group.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/rows/norm.hpp"
#include "sharded/move_boxes.hpp"

namespace netcl::ops {
struct MatmulParameters;
}

namespace netcl::sharded {

using GroupRef = std::shared_ptr<group::Group>;
// Gives how a call runs; what it refuses the other ranks get to know.
using Prepare = FunctionRef<ops::Run()>;

class Sharded {
 public:
  // `made` tells what went between the ranks for it.
  Sharded(GroupRef group, Layout whole, const Sharding& sharding, TensorRef block, std::string made)
      : group_(std::move(group)),
        whole_(whole),
        sharding_(sharding),
        block_(std::move(block)),
        made_(std::move(made)) {}

  const GroupRef& group() const noexcept { return group_; }
  // Shape alone.
  const Layout& whole() const noexcept { return whole_; }
  const Sharding& sharding() const noexcept { return sharding_; }
  const TensorRef& block() const noexcept { return block_; }
  netcl_dtype dtype() const noexcept { return block_->dtype(); }
  // Where the block of this rank lies.
  Box place() const noexcept { return sharding_.block(group_->rank(), whole_); }
  std::string explain() const;
  void note_halo(std::string text);

 private:
  const GroupRef group_;
  const Layout whole_;
  const Sharding sharding_;
  const TensorRef block_;
  const std::string made_;
  mutable std::mutex mutex_;
  std::string halo_;
};
using ShardedRef = std::shared_ptr<Sharded>;

// What `prepare` gives for a new tensor over a group.
struct NewShards {
  Layout whole;
  netcl_dtype dtype = 0;
  Sharding sharding;
  TensorRef tensor;  // the block, or on the root the whole
};
ShardedRef create(const GroupRef& group, FunctionRef<NewShards()> prepare);
// The whole is known on the root alone; `prepare_run` follows when all know it.
ShardedRef create_from_root(const GroupRef& group, uint32_t root, FunctionRef<NewShards()> prepare,
                            Prepare prepare_run);

ShardedRef redistribute(const Sharded& x, FunctionRef<Sharding()> target, Prepare prepare);
// `prepare` gives where the root takes it.
void gather(const Sharded& x, uint32_t root, FunctionRef<MoveInto()> prepare);

struct Halo {
  std::span<const int64_t> pads;
  double value = 0.0;
  bool periodic = false;
  TensorRef into;
};
TensorRef exchange_halo(Sharded& x, FunctionRef<ops::Run(Halo*)> prepare);

// Each rank works on its block: nothing goes between them.
ShardedRef expression(const char* text, std::span<const ShardedRef> inputs, netcl_dtype dtype,
                      netcl_variant variant, const ops::Run& run);
ShardedRef softmax(const Sharded& x, int32_t axis, const ops::Run& run);
ShardedRef norm(const Sharded& x, int32_t axis, const ops::NormSettings& settings,
                const ops::Run& run);

ShardedRef reduce(const Sharded& x, FunctionRef<ops::Run(ops::ReduceRequest*)> prepare);
ShardedRef matmul(const Sharded& a, const Sharded& b,
                  FunctionRef<ops::Run(ops::MatmulParameters*)> prepare);

// The boxes that a tensor is parted in, with the ranks that have each.
std::vector<Source> sources_of(const Sharded& x);
// Fails unless both are of one group, naming the arguments.
void require_one_group(const Sharded& first, const Sharded& other, const char* first_name,
                       const char* other_name);
// The ranks that lie along these dimensions of a mesh (a bit each).
GroupRef ranks_along(const GroupRef& group, const Sharding& sharding, uint32_t dimensions);
// A layout that is no more than a shape.
Layout shape_of(std::span<const int64_t> extents, netcl_dtype dtype);
// The same for a result of `inputs`, which the message tells where it is too large to be addressed.
Layout result_shape(const Layout& shape, netcl_dtype dtype, const std::string& inputs);

}  // namespace netcl::sharded
