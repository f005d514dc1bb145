// What each rank does with its block alone.
#include "core/error.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/rows/norm.hpp"
#include "ops/rows/softmax.hpp"
#include "sharded/sharded.hpp"

namespace netcl::sharded {

namespace {

Layout shape_they_broadcast_to(std::span<const ShardedRef> inputs) {
  Layout shape{};
  for (const ShardedRef& input : inputs) shape.rank = std::max(shape.rank, input->whole().rank);
  std::fill_n(shape.shape.begin(), shape.rank, 1);
  for (const ShardedRef& input : inputs) {
    const Layout& own = input->whole();
    for (uint32_t d = 0; d < own.rank; ++d) {
      int64_t& extent = shape.shape[shape.rank - own.rank + d];
      if (extent == 1) extent = own.shape[d];
    }
  }
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    (void)broadcast_layout(inputs[i]->whole(), shape.rank, shape.shape.data(), "inputs",
                           static_cast<int>(i));
  }
  // Of empty tensors that broadcast, no memory bounds the extents.
  std::string shapes;
  for (const ShardedRef& input : inputs) shapes += " " + shape_text(input->whole());
  return result_shape(shape, NETCL_U8, "inputs of" + shapes);
}

// The one sharding of the result that suits all inputs.
Sharding common_sharding(std::span<const ShardedRef> inputs, uint32_t rank) {
  Sharding common = inputs[0]->sharding().replicated();
  uint32_t first = 0;
  bool found = false;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const Sharding& own = inputs[i]->sharding();
    if (!own.splits_any()) continue;
    if (!found) common = own.replicated();
    if (!found) first = i;
    found = true;
    Sharding aligned = own;
    for (uint32_t m = 0; m < own.mesh_rank; ++m) {
      if (!own.splits(m)) continue;
      aligned.axes[m] = own.axes[m] + static_cast<int32_t>(rank - inputs[i]->whole().rank);
      if (aligned.mesh == common.mesh && common.axes[m] == NETCL_REPLICATED) {
        common.axes[m] = aligned.axes[m];
      }
    }
    bool fits = aligned.mesh == common.mesh;
    for (uint32_t m = 0; fits && m < own.mesh_rank; ++m) {
      fits = !own.splits(m) || aligned.axes[m] == common.axes[m];
      // Two dimensions would split one axis.
      for (uint32_t other = 0; other < m; ++other) {
        fits = fits && (common.axes[m] == NETCL_REPLICATED || common.axes[m] != common.axes[other]);
      }
    }
    if (fits) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "inputs[%u] has %s, inputs[%u] has %s: they split a result of rank %u differently", i,
         own.text().c_str(), first, inputs[first]->sharding().text().c_str(), rank);
  }
  return common;
}

// What a rank needs of an input for its block of the result.
TensorRef part_for(const Sharded& input, const Layout& shape, const Box& block) {
  const uint32_t shift = shape.rank - input.whole().rank;
  Box box = input.place();
  for (uint32_t d = 0; d < input.whole().rank; ++d) {
    if (input.whole().shape[d] == 1 && shape.shape[shift + d] != 1) continue;
    box.first[d] = block.first[shift + d];
    box.shape[d] = block.shape[shift + d];
  }
  return slice_box(*input.block(), box, input.place().first);
}

ShardedRef like(const Sharded& x, TensorRef block, const char* name) {
  return std::make_shared<Sharded>(x.group(), x.whole(), x.sharding(), std::move(block),
                                   std::string(name) + ": nothing is sent\n");
}

void require_unsplit(const Sharded& x, uint32_t axis) {
  if (x.sharding().dimension_of(axis) < 0) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "x is split along axis %u (%s); netcl_sharded_redistribute gives one that is not", axis,
       x.sharding().text().c_str());
}

}  // namespace

ShardedRef expression(const char* text, std::span<const ShardedRef> inputs, netcl_dtype dtype,
                      netcl_variant variant, const ops::Run& run) {
  const auto tree = ops::ExpressionCache::instance().get(text);
  for (uint32_t i = 1; i < inputs.size(); ++i) {
    require_one_group(*inputs[0], *inputs[i], "inputs[0]", format("inputs[%u]", i).c_str());
  }
  const Layout shape = shape_they_broadcast_to(inputs);
  const Sharding sharding = common_sharding(inputs, shape.rank);
  const GroupRef& group = inputs[0]->group();
  const Box block = sharding.block(group->rank(), shape);
  std::vector<TensorRef> parts;
  for (const ShardedRef& input : inputs) parts.push_back(part_for(*input, shape, block));
  TensorRef made = ops::expression(*tree, parts, dtype, variant, nullptr, run);
  return std::make_shared<Sharded>(group, shape, sharding, std::move(made),
                                   "expression: nothing is sent\n");
}

ShardedRef softmax(const Sharded& x, int32_t axis, const ops::Run& run) {
  require_unsplit(x, ops::checked_axis(axis, x.whole().rank, "axis"));
  return like(x, ops::softmax(*x.block(), axis, false, nullptr, run), "softmax");
}

ShardedRef norm(const Sharded& x, int32_t axis, const ops::NormSettings& settings,
                const ops::Run& run) {
  for (uint32_t d = ops::checked_axis(axis, x.whole().rank, "axis"); d < x.whole().rank; ++d) {
    require_unsplit(x, d);
  }
  return like(x, ops::norm(*x.block(), axis, settings, false, false, {}, run).y,
              settings.centred ? "layernorm" : "rmsnorm");
}

}  // namespace netcl::sharded
