#include <array>
#include <optional>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"
#include "sharded/sharded.hpp"

namespace netcl::sharded {

namespace {

// How blocks are reduced, joined, and what is done with that in the end.
struct Joining {
  netcl_reduction block;
  netcl_reduction ranks;
  std::string finish{};
};

Joining joining_of(netcl_reduction kind, int64_t count) {
  switch (kind) {
    case NETCL_REDUCTION_SUM:
    case NETCL_REDUCTION_L1:
    case NETCL_REDUCTION_SUM_SQUARE:
      return {kind, NETCL_REDUCTION_SUM};
    case NETCL_REDUCTION_PROD:
    case NETCL_REDUCTION_MAX:
    case NETCL_REDUCTION_MIN:
      return {kind, kind};
    case NETCL_REDUCTION_ANY:
      return {kind, NETCL_REDUCTION_MAX};
    case NETCL_REDUCTION_ALL:
      return {kind, NETCL_REDUCTION_MIN};
    case NETCL_REDUCTION_MEAN:
      return {NETCL_REDUCTION_SUM, NETCL_REDUCTION_SUM,
              format("v0 / %lld.0", static_cast<long long>(count))};
    case NETCL_REDUCTION_L2:
      return {NETCL_REDUCTION_SUM_SQUARE, NETCL_REDUCTION_SUM, "sqrt(v0)"};
    case NETCL_REDUCTION_LOG_SUM:
      return {NETCL_REDUCTION_SUM, NETCL_REDUCTION_SUM, "log(v0)"};
    default:
      fail(NETCL_ERROR_UNSUPPORTED,
           "kind is %d; along axes that are split there are SUM, MEAN, PROD, MAX, MIN, L1, L2, "
           "SUM_SQUARE, LOG_SUM, ANY and ALL",
           kind);
  }
}

bool is_extreme(netcl_reduction kind) {
  return kind == NETCL_REDUCTION_MAX || kind == NETCL_REDUCTION_MIN;
}

// What a call comes to: the shape and sharding of the result, and the dimensions to join along.
struct Plan {
  ops::ReduceRequest request;
  Layout whole{};
  Sharding sharding;
  uint32_t joined = 0;  // dimensions of the mesh, a bit each
  int64_t count = 1;    // elements that make one
  netcl_dtype dtype = 0;

  Plan(const Sharded& x, const ops::ReduceRequest& asked) : request(asked) {
    const Layout& from = x.whole();
    std::array<bool, kRankMax> reduced{};
    for (uint32_t i = 0; i < request.axes.size(); ++i) {
      reduced[ops::checked_axis(request.axes[i], from.rank, "options->axes")] = true;
    }
    if (request.axes.empty()) reduced.fill(true);
    std::array<int32_t, kRankMax> new_axis{};
    for (uint32_t d = 0; d < from.rank; ++d) {
      new_axis[d] = static_cast<int32_t>(whole.rank);
      if (reduced[d]) count *= from.shape[d];
      if (!reduced[d] || request.keepdims)
        whole.shape[whole.rank++] = reduced[d] ? 1 : from.shape[d];
    }
    sharding = x.sharding();
    for (uint32_t m = 0; m < sharding.mesh_rank; ++m) {
      const int32_t axis = sharding.axes[m];
      if (axis == NETCL_REPLICATED) continue;
      if (reduced[static_cast<uint32_t>(axis)]) {
        if (sharding.splits(m)) joined |= 1u << m;
        sharding.axes[m] = NETCL_REPLICATED;
      } else {
        sharding.axes[m] = new_axis[static_cast<uint32_t>(axis)];
      }
    }
    dtype = ops::reduced_dtype(x.dtype(), request);
  }

  group::Header header(const Sharded& x) const {
    group::Header header;
    header.dtype = x.dtype();
    header.rank = x.whole().rank;
    header.shape = x.whole().shape;
    struct {
      Sharding from, to;
      int64_t shape[kRankMax];
      netcl_reduction kind;
      netcl_dtype dtype;
    } asked{x.sharding(), sharding, {}, request.kind, dtype};
    std::copy(whole.shape.begin(), whole.shape.end(), asked.shape);
    header.mark = hash128(&asked, sizeof asked).low;
    return header;
  }
};

}  // namespace

ShardedRef reduce(const Sharded& x, FunctionRef<ops::Run(ops::ReduceRequest*)> prepare) {
  std::optional<Plan> plan;
  std::optional<ops::Run> run;
  Joining joining{};
  const auto ask = [&] {
    ops::ReduceRequest request;
    run.emplace(prepare(&request));
    plan.emplace(x, request);
    if (plan->joined != 0) joining = joining_of(request.kind, plan->count);
    return plan->header(x);
  };
  (void)x.group()->agree(group::Op::sharded_reduce, 0, ask);
  TensorRef block;
  std::string made = "reduce: nothing is sent\n";
  if (plan->joined == 0) {
    block = ops::reduce(*x.block(), plan->request, nullptr, *run);
  } else {
    const GroupRef ranks = ranks_along(x.group(), x.sharding(), plan->joined);
    ops::ReduceRequest request = plan->request;
    request.kind = joining.block;
    // Extremes are exact in the dtype of x; what is added up is rounded to a short one in the end.
    const bool extreme = is_extreme(request.kind);
    const bool is_short = is_float(plan->dtype) && dtype_size(plan->dtype) == 2;
    request.dtype = extreme ? 0 : is_short ? NETCL_F32 : plan->dtype;
    if (plan->dtype == NETCL_BOOL) request.dtype = 0;
    group::Call call{group::Op::all_reduce};
    call.kind = joining.ranks;
    bool finishes = false;
    ranks->call(&call, [&] {
      const ops::Run part = run->without_event();
      call.input = ops::reduce(*x.block(), request, nullptr, part);
      call.output = call.input;
      finishes = !joining.finish.empty() || call.input->dtype() != plan->dtype;
      return finishes ? part : *run;
    });
    made = format("reduce: all_reduce of %u ranks, %llu bytes of %s\n", ranks->size(),
                  static_cast<unsigned long long>(call.output->byte_count()),
                  dtype_facts(call.output->dtype()).name);
    block = call.output;
    if (finishes) {
      const auto tree = ops::ExpressionCache::instance().get(
          joining.finish.empty() ? "v0" : joining.finish.c_str());
      block =
          ops::expression(*tree, {&call.output, 1}, plan->dtype, NETCL_VARIANT_AUTO, nullptr, *run);
    }
  }
  return std::make_shared<Sharded>(x.group(), plan->whole, plan->sharding, std::move(block),
                                   std::move(made));
}

}  // namespace netcl::sharded
