#include "sharded/sharded.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "ops/frame/result.hpp"
#include "sharded/move_boxes.hpp"

namespace netcl::sharded {

std::string Sharded::explain() const {
  const Box own = place();
  std::string text = format("%s %s, %s: rank %u of %u has %s from %s\n", dtype_facts(dtype()).name,
                            shape_text(whole_).c_str(), sharding_.text().c_str(), group_->rank(),
                            group_->size(), shape_text(whole_.rank, own.shape.data()).c_str(),
                            shape_text(whole_.rank, own.first.data()).c_str());
  text += made_;
  const std::lock_guard<std::mutex> lock(mutex_);
  return text + halo_;
}

void Sharded::note_halo(std::string text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  halo_ = std::move(text);
}

void require_one_group(const Sharded& first, const Sharded& other, const char* first_name,
                       const char* other_name) {
  if (first.group() == other.group()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is of another group than %s", other_name, first_name);
}

GroupRef ranks_along(const GroupRef& group, const Sharding& sharding, uint32_t dimensions) {
  if (sharding.ranks_along(dimensions) == group->size()) return group;
  return group->kept_part(sharding.colors(dimensions));
}

Layout shape_of(std::span<const int64_t> extents, netcl_dtype dtype) {
  return make_layout(static_cast<uint32_t>(extents.size()), extents.data(), nullptr,
                     dtype_size(dtype));
}

Layout result_shape(const Layout& shape, netcl_dtype dtype, const std::string& inputs) {
  auto bytes = static_cast<int64_t>(dtype_size(dtype));
  for (uint32_t d = 0; d < shape.rank; ++d) {
    if (!__builtin_mul_overflow(bytes, std::max<int64_t>(shape.shape[d], 1), &bytes)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s give a result of shape %s, which needs more than 2^63 - 1 bytes", inputs.c_str(),
         shape_text(shape).c_str());
  }
  return shape_of({shape.shape.data(), shape.rank}, dtype);
}

namespace {

group::Header header_of(const NewShards& shards) {
  group::Header header;
  header.dtype = shards.dtype;
  header.rank = shards.whole.rank;
  header.shape = shards.whole.shape;
  header.mark = hash128(&shards.sharding, sizeof shards.sharding).low;
  return header;
}

}  // namespace

ShardedRef create(const GroupRef& group, FunctionRef<NewShards()> prepare) {
  NewShards shards;
  (void)group->agree(group::Op::sharded_create, 0, [&] {
    shards = prepare();
    shards.sharding.check(shards.whole);
    const Box place = shards.sharding.block(group->rank(), shards.whole);
    const Layout& layout = shards.tensor->layout();
    if (layout.rank != shards.whole.rank ||
        !std::equal(place.shape.begin(), place.shape.begin() + layout.rank, layout.shape.begin())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "block has shape %s; that of rank %u of %s has %s",
           shape_text(layout).c_str(), group->rank(), shape_text(shards.whole).c_str(),
           shape_text(shards.whole.rank, place.shape.data()).c_str());
    }
    if (shards.tensor->device_ref() != group->device()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "block lives on device %s; this rank has %s",
           shards.tensor->device().text().c_str(), group->device()->text().c_str());
    }
    return header_of(shards);
  });
  return std::make_shared<Sharded>(group, shards.whole, shards.sharding, std::move(shards.tensor),
                                   "made of the ranks' blocks\n");
}

ShardedRef create_from_root(const GroupRef& group, uint32_t root, FunctionRef<NewShards()> prepare,
                            Prepare prepare_run) {
  NewShards shards;
  const group::Header told = group->agree(group::Op::sharded_from_root, root, [&] {
    shards = prepare();
    if (shards.tensor != nullptr) {
      if (shards.tensor->device_ref() != group->device()) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "whole lives on device %s; this rank has %s",
             shards.tensor->device().text().c_str(), group->device()->text().c_str());
      }
      shards.sharding.check(shards.tensor->layout());
    }
    return header_of(shards);
  });
  const Layout whole = shape_of({told.shape.data(), told.rank}, told.dtype);
  const Source source{whole_box(whole), {root}};
  MoveBoxes move(group::MessageOf::create_from_root, *group, whole.rank, {&source, 1},
                 [&](uint32_t rank) {
    return std::vector<Want>{{shards.sharding.block(rank, whole), {}}};
  });
  TensorRef block;
  move.run(shards.tensor, {}, [&]() -> MoveInto {
    const ops::Run run = prepare_run();
    const Box place = shards.sharding.block(group->rank(), whole);
    block = ops::new_tensor(told.dtype, whole.rank, place.shape.data(), run);
    return {block, run};
  });
  return std::make_shared<Sharded>(group, whole, shards.sharding, std::move(block),
                                   move.text(format("from the whole of rank %u", root).c_str()));
}

std::vector<Source> sources_of(const Sharded& x) {
  std::vector<Source> sources;
  for (uint32_t r = 0; r < x.group()->size(); ++r) {
    const Box box = x.sharding().block(r, x.whole());
    const auto known = std::find_if(sources.begin(), sources.end(),
                                    [&](const Source& source) { return source.box == box; });
    if (known == sources.end()) {
      sources.push_back({box, {r}});
    } else {
      known->holders.push_back(r);
    }
  }
  return sources;
}

ShardedRef redistribute(const Sharded& x, FunctionRef<Sharding()> target, Prepare prepare) {
  const Layout& whole = x.whole();
  Sharding sharding;
  TensorRef block;
  std::string made;
  const std::vector<Source> sources = sources_of(x);
  MoveBoxes move(group::MessageOf::redistribute, *x.group(), whole.rank, sources,
                 [&](uint32_t rank) {
    return std::vector<Want>{{sharding.block(rank, whole), {}}};
  });
  move.run(x.block(), x.place().first, [&]() -> MoveInto {
    sharding = target();
    sharding.check(whole);
    const ops::Run run = prepare();
    const Box place = sharding.block(x.group()->rank(), whole);
    block = ops::new_tensor(x.dtype(), whole.rank, place.shape.data(), run);
    return {block, run, mark_of('r', whole, x.sharding(), &sharding, sizeof sharding)};
  });
  return std::make_shared<Sharded>(x.group(), whole, sharding, std::move(block),
                                   move.text("redistribute"));
}

void gather(const Sharded& x, uint32_t root, FunctionRef<MoveInto()> prepare) {
  const Layout& whole = x.whole();
  const std::vector<Source> sources = sources_of(x);
  MoveBoxes move(group::MessageOf::gather, *x.group(), whole.rank, sources,
                 [&](uint32_t rank) {
    if (rank != root) return std::vector<Want>{};
    return std::vector<Want>{{whole_box(whole), {}}};
  });
  move.run(x.block(), x.place().first, [&]() -> MoveInto {
    if (root >= x.group()->size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "root is %u; the group has %u ranks", root,
           x.group()->size());
    }
    MoveInto into = prepare();
    into.mark = mark_of('g', whole, x.sharding(), &root, sizeof root);
    if (root != x.group()->rank()) return {nullptr, into.run, into.mark};
    const Tensor& target = *into.target;
    ops::require_device(target, into.run, "output");
    if (target.dtype() != x.dtype() || !target.layout().same_shape(whole)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "output is %s %s; x is %s %s",
           dtype_facts(target.dtype()).name, shape_text(target).c_str(),
           dtype_facts(x.dtype()).name, shape_text(whole).c_str());
    }
    if (ops::may_share(target, *x.block())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "output shares its memory with x");
    }
    return into;
  });
}

}  // namespace netcl::sharded
