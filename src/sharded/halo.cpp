#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/number.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "sharded/sharded.hpp"

namespace netcl::sharded {

namespace {

// The entries of one axis that [first, last) of a periodic axis are: runs with where they go.
struct AxisRun {
  int64_t first, count, at;
};
std::vector<AxisRun> axis_runs(int64_t first, int64_t last, int64_t extent, bool periodic) {
  std::vector<AxisRun> runs;
  const int64_t begin = first;
  if (!periodic) {
    first = std::max<int64_t>(first, 0);
    last = std::min(last, extent);
  }
  while (first < last) {
    const int64_t rest = first % extent;
    const int64_t inside = rest < 0 ? rest + extent : rest;
    const int64_t count = std::min(last - first, extent - inside);
    runs.push_back({inside, count, first - begin});
    first += count;
  }
  return runs;
}

// What a block with its rims is made of.
std::vector<Want> wants_of(const Box& block, const Layout& whole, const Halo& halo) {
  std::vector<Want> wants(1);
  for (uint32_t d = 0; d < whole.rank; ++d) {
    const std::vector<AxisRun> runs = axis_runs(
        block.first[d] - halo.pads[d], block.first[d] + block.shape[d] + halo.pads[whole.rank + d],
        whole.shape[d], halo.periodic);
    std::vector<Want> more;
    for (const Want& want : wants) {
      for (const AxisRun& run : runs) {
        more.push_back(want);
        more.back().box.first[d] = run.first;
        more.back().box.shape[d] = run.count;
        more.back().at[d] = run.at;
      }
    }
    wants = std::move(more);
  }
  return wants;
}

uint64_t mark_of(const Sharded& x, const Halo& halo) {
  std::vector<int64_t> asked(halo.pads.begin(), halo.pads.end());
  asked.push_back(std::bit_cast<int64_t>(halo.value));
  asked.push_back(halo.periodic ? 1 : 0);
  return mark_of('h', x.whole(), x.sharding(), asked.data(), asked.size() * sizeof asked[0]);
}

void check_pads(const Halo& halo, const Layout& whole) {
  if (halo.pads.size() != size_t{2} * whole.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads_count is %zu; the tensor has rank %u",
         halo.pads.size(), whole.rank);
  }
  for (uint32_t i = 0; i < halo.pads.size(); ++i) {
    const int64_t extent = whole.shape[i % whole.rank];
    if (halo.pads[i] >= 0 && (!halo.periodic || halo.pads[i] <= extent)) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "pads[%u] is %lld; axis %u has %lld entries%s", i,
         static_cast<long long>(halo.pads[i]), i % whole.rank, static_cast<long long>(extent),
         halo.periodic ? " and is periodic" : "");
  }
  // With both rims an axis has to be one, so that places anywhere on it can be told.
  for (uint32_t d = 0; d < whole.rank; ++d) {
    int64_t end = whole.shape[d];
    for (const uint32_t i : {d, whole.rank + d}) {
      if (!__builtin_add_overflow(end, halo.pads[i], &end)) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "pads[%u] is %lld; axis %u has %lld entries, with its rims more than 2^63 - 1", i,
           static_cast<long long>(halo.pads[i]), d, static_cast<long long>(whole.shape[d]));
    }
  }
}

// Puts the value where a block with its rims is outside of the whole.
void fill_outside(const Tensor& target, const Box& own, const Layout& whole, const Halo& halo,
                  const ops::Run& run) {
  const auto tree = ops::ExpressionCache::instance().get(number_text(halo.value).c_str());
  const auto fill = [&](uint32_t axis, int64_t first, int64_t count) {
    if (count <= 0) return;
    Box rim{{}, target.layout().shape};
    rim.first[axis] = first;
    rim.shape[axis] = count;
    (void)ops::expression(*tree, {}, target.dtype(), NETCL_VARIANT_AUTO, slice_box(target, rim, {}),
                          run);
  };
  for (uint32_t d = 0; d < whole.rank; ++d) {
    const int64_t first = own.first[d] - halo.pads[d];
    const int64_t end = own.first[d] + own.shape[d] + halo.pads[whole.rank + d];
    fill(d, 0, -first);
    fill(d, whole.shape[d] - first, end - whole.shape[d]);
  }
}

}  // namespace

TensorRef exchange_halo(Sharded& x, FunctionRef<ops::Run(Halo*)> prepare) {
  const Layout& whole = x.whole();
  const Box own = x.place();
  Halo halo;
  TensorRef result;
  const std::vector<Source> sources = sources_of(x);
  MoveBoxes move(group::MessageOf::exchange_halo, *x.group(), whole.rank, sources,
                 [&](uint32_t rank) {
    return wants_of(x.sharding().block(rank, whole), whole, halo);
  });
  move.run(x.block(), own.first, [&]() -> MoveInto {
    const ops::Run run = prepare(&halo);
    check_pads(halo, whole);
    std::array<int64_t, kRankMax> shape = own.shape;
    for (uint32_t i = 0; i < halo.pads.size(); ++i) shape[i % whole.rank] += halo.pads[i];
    (void)make_layout(whole.rank, shape.data(), nullptr, dtype_size(x.dtype()));
    result = ops::result_tensor(halo.into, whole.rank, shape.data(), x.dtype(), run);
    ops::refuse_sharing(halo.into, *x.block(), "x");
    MoveInto into{result, run, mark_of(x, halo)};
    if (!halo.periodic) {
      into.agreed = [&](const ops::Run& part) { fill_outside(*result, own, whole, halo, part); };
    }
    return into;
  });
  x.note_halo(move.text("halo"));
  return result;
}

}  // namespace netcl::sharded
