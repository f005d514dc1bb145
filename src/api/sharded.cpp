#include "sharded/sharded.hpp"

#include <optional>

#include "api/read_options.hpp"
#include "ops/matmul/matmul.hpp"

using namespace netcl;
using namespace netcl::api;
using sharded::Sharding;

namespace {

Sharding read_sharding(const netcl_sharding_options* options, uint32_t ranks) {
  const netcl_sharding_options checked = read_options(options, "options");
  require_array(checked.mesh, checked.mesh_count, "options->mesh");
  require_array(checked.axes, checked.axes_count, "options->axes");
  return Sharding::make({checked.mesh, checked.mesh_count}, {checked.axes, checked.axes_count},
                        ranks);
}

Layout read_whole(uint32_t rank, const int64_t* shape, netcl_dtype dtype) {
  return make_layout(rank, shape, nullptr, dtype_size(dtype));
}

// How a call runs. It is resolved where what it refuses is told to the other ranks.
class LateRun {
 public:
  explicit LateRun(const netcl_run_options* given) : given_(given) {}
  ops::Run resolve(const group::Group& group, bool takes_into = false) {
    resolved_.emplace(given_, *group.device());
    if (!takes_into) resolved_->refuse_into();
    resolved_->refuse_graph();
    return resolved_->run();
  }
  ResolvedRun& operator*() { return *resolved_; }
  void give(sharded::ShardedRef made, netcl_sharded** result) {
    netcl_event* const event = resolved_->event_handle();
    try {
      *result = make_handle<netcl_sharded>(std::move(made));
    } catch (...) {
      release_handle(event);
      throw;
    }
    resolved_->store_event(event);
  }

 private:
  const netcl_run_options* given_;
  std::optional<ResolvedRun> resolved_;
};

netcl_status run_sharded_norm(netcl_sharded* x, int32_t axis, bool centred,
                              const netcl_norm_options* options, const netcl_run_options* run,
                              netcl_sharded** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    require(result, "result");
    const netcl_norm_options checked = read_options(options, "options");
    ops::NormSettings settings;
    require_zero(checked.reserved, "options->reserved");
    settings.epsilon = read_epsilon(checked, "options");
    settings.centred = centred;
    if (!centred && checked.bias != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->bias is set; rmsnorm has none");
    }
    for (const bool mean : {true, false}) {
      if ((mean ? checked.mean_into : checked.inverse_deviation_into) == nullptr) continue;
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->%s is set; blocks give no statistics",
           mean ? "mean_into" : "inverse_deviation_into");
    }
    settings.scale = optional_tensor(checked.scale, "options->scale");
    settings.bias = optional_tensor(checked.bias, "options->bias");
    LateRun late(run);
    const ops::Run resolved = late.resolve(*pinned->group());
    late.give(sharded::norm(*pinned, axis, settings, resolved), result);
  });
}

ops::MatmulParameters read_factors(const netcl_matmul_options* options) {
  const netcl_matmul_options checked = read_options(options, "options");
  const auto refuse = [](bool set, const char* member) {
    if (set) fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is set; this takes none", member);
  };
  refuse(checked.epilogue != nullptr, "options->epilogue");
  refuse(checked.has_scale != 0, "options->has_scale");
  refuse(checked.alpha != 0.0, "options->alpha");
  refuse(checked.beta != 0.0, "options->beta");
  refuse(checked.a_zero_point != nullptr, "options->a_zero_point");
  refuse(checked.b_zero_point != nullptr, "options->b_zero_point");
  if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
  ops::MatmulParameters parameters;
  parameters.dtype = checked.dtype;
  parameters.variant = checked.variant;
  parameters.precision = checked.precision;
  return parameters;
}

}  // namespace

extern "C" {

netcl_status netcl_group_describe_block(const netcl_group* group, uint32_t index, uint32_t rank,
                                        const int64_t* shape, const netcl_sharding_options* options,
                                        netcl_block_info* info) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    check_info(info, "info");
    if (index >= pinned->size()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "index is %u; the group has %u ranks", index,
           pinned->size());
    }
    const Sharding sharding = read_sharding(options, pinned->size());
    const Layout whole = read_whole(rank, shape, NETCL_U8);
    sharding.check(whole);
    const sharded::Box box = sharding.block(index, whole);
    netcl_block_info full = NETCL_BLOCK_INFO_INIT;
    std::copy_n(box.first.begin(), rank, full.first);
    std::copy_n(box.shape.begin(), rank, full.shape);
    write_info(info, full);
  });
}

netcl_status netcl_sharded_create(netcl_group* group, netcl_tensor* block, uint32_t rank,
                                  const int64_t* shape, const netcl_sharding_options* options,
                                  netcl_sharded** sharded) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    auto made = sharded::create(pinned.shared(), [&] {
      require(sharded, "sharded");
      sharded::NewShards shards;
      shards.tensor = pin(block, "block").shared();
      require_own_elements(*shards.tensor, "block");
      require_content(*shards.tensor, "block");
      shards.dtype = shards.tensor->dtype();
      shards.whole = read_whole(rank, shape, shards.dtype);
      shards.sharding = read_sharding(options, pinned->size());
      return shards;
    });
    *sharded = make_handle<netcl_sharded>(std::move(made));
  });
}

netcl_status netcl_sharded_create_from_root(netcl_group* group, netcl_tensor* whole, uint32_t root,
                                            const netcl_sharding_options* options,
                                            const netcl_run_options* run, netcl_sharded** sharded) {
  return guarded([&] {
    const auto pinned = pin(group, "group");
    LateRun late(run);
    auto made = sharded::create_from_root(
        pinned.shared(), root,
        [&] {
          require(sharded, "sharded");
          sharded::NewShards shards;
          shards.sharding = read_sharding(options, pinned->size());
          (void)late.resolve(*pinned);
          if (pinned->rank() != root) return shards;
          shards.tensor = pin(whole, "whole").shared();
          require_content(*shards.tensor, "whole");
          shards.dtype = shards.tensor->dtype();
          shards.whole = shards.tensor->layout();
          return shards;
        },
        [&] { return (*late).run(); });
    late.give(std::move(made), sharded);
  });
}

netcl_status netcl_sharded_retain(netcl_sharded* sharded) {
  return retain_handle(sharded, "sharded");
}
void netcl_sharded_release(netcl_sharded* sharded) { release_handle(sharded); }

netcl_status netcl_sharded_get_info(const netcl_sharded* sharded, netcl_sharded_info* info) {
  return guarded([&] {
    const auto pinned = pin(sharded, "sharded");
    check_info(info, "info");
    netcl_sharded_info full = NETCL_SHARDED_INFO_INIT;
    const Sharding& sharding = pinned->sharding();
    full.dtype = pinned->dtype();
    full.rank = pinned->whole().rank;
    std::copy_n(pinned->whole().shape.begin(), full.rank, full.shape);
    full.mesh_rank = sharding.mesh_rank;
    std::copy_n(sharding.mesh.begin(), full.mesh_rank, full.mesh);
    std::copy_n(sharding.axes.begin(), full.mesh_rank, full.axes);
    write_info(info, full);
  });
}

netcl_status netcl_sharded_get_block(const netcl_sharded* sharded, netcl_tensor** block) {
  return guarded([&] {
    const auto pinned = pin(sharded, "sharded");
    require(block, "block");
    *block = make_handle<netcl_tensor>(pinned->block());
  });
}

netcl_status netcl_sharded_explain(const netcl_sharded* sharded, char* buffer, size_t capacity,
                                   size_t* length) {
  return guarded([&] {
    const auto pinned = pin(sharded, "sharded");
    write_text(pinned->explain(), buffer, capacity, length);
  });
}

netcl_status netcl_sharded_redistribute(netcl_sharded* x, const netcl_sharding_options* options,
                                        const netcl_run_options* run, netcl_sharded** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    const group::Group& group = *pinned->group();
    LateRun late(run);
    auto made = sharded::redistribute(
        *pinned,
        [&] {
          require(result, "result");
          return read_sharding(options, group.size());
        },
        [&] { return late.resolve(group); });
    late.give(std::move(made), result);
  });
}

netcl_status netcl_sharded_gather(netcl_sharded* x, netcl_tensor* output, uint32_t root,
                                  const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    LateRun late(run);
    sharded::gather(*pinned, root, [&]() -> sharded::MoveInto {
      const bool is_root = pinned->group()->rank() == root;
      TensorRef target;
      if (is_root || output != nullptr) target = pin(output, "output").shared();
      if (is_root) require_own_elements(*target, "output");
      return {target, late.resolve(*pinned->group())};
    });
    (*late).give_event();
  });
}

netcl_status netcl_sharded_expression_text(const char* text, netcl_sharded* const* inputs,
                                           uint32_t inputs_count,
                                           const netcl_expression_options* options,
                                           const netcl_run_options* run, netcl_sharded** result) {
  return guarded([&] {
    require(text, "text");
    require(result, "result");
    require_array(inputs, inputs_count, "inputs", NETCL_ARGS_MAX);
    if (inputs_count == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 0; no input names a group");
    }
    const netcl_expression_options checked = read_options(options, "options");
    if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
    std::vector<sharded::ShardedRef> list;
    for (uint32_t i = 0; i < inputs_count; ++i) {
      list.push_back(pin_at(inputs[i], "inputs", i).shared());
    }
    LateRun late(run);
    const ops::Run resolved = late.resolve(*list[0]->group());
    late.give(sharded::expression(text, list, checked.dtype, checked.variant, resolved), result);
  });
}

netcl_status netcl_sharded_reduce(netcl_sharded* x, netcl_reduction kind,
                                  const netcl_reduce_options* options, const netcl_run_options* run,
                                  netcl_sharded** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    LateRun late(run);
    auto made = sharded::reduce(*pinned, [&](ops::ReduceRequest* request) {
      require(result, "result");
      *request = read_reduction(kind, options);
      return late.resolve(*pinned->group());
    });
    late.give(std::move(made), result);
  });
}

netcl_status netcl_sharded_softmax(netcl_sharded* x, int32_t axis, const netcl_run_options* run,
                                   netcl_sharded** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    require(result, "result");
    LateRun late(run);
    const ops::Run resolved = late.resolve(*pinned->group());
    late.give(sharded::softmax(*pinned, axis, resolved), result);
  });
}

netcl_status netcl_sharded_layernorm(netcl_sharded* x, int32_t axis,
                                     const netcl_norm_options* options,
                                     const netcl_run_options* run, netcl_sharded** result) {
  return run_sharded_norm(x, axis, true, options, run, result);
}

netcl_status netcl_sharded_rmsnorm(netcl_sharded* x, int32_t axis,
                                   const netcl_norm_options* options, const netcl_run_options* run,
                                   netcl_sharded** result) {
  return run_sharded_norm(x, axis, false, options, run, result);
}

netcl_status netcl_sharded_matmul(netcl_sharded* a, netcl_sharded* b,
                                  const netcl_matmul_options* options, const netcl_run_options* run,
                                  netcl_sharded** result) {
  return guarded([&] {
    const auto left = pin(a, "a");
    const auto right = pin(b, "b");
    LateRun late(run);
    auto made = sharded::matmul(*left, *right, [&](ops::MatmulParameters* parameters) {
      require(result, "result");
      *parameters = read_factors(options);
      return late.resolve(*left->group());
    });
    late.give(std::move(made), result);
  });
}

netcl_status netcl_sharded_exchange_halo(netcl_sharded* x, const int64_t* pads, uint32_t pads_count,
                                         const netcl_halo_options* options,
                                         const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    LateRun late(run);
    TensorRef made = sharded::exchange_halo(*pinned, [&](sharded::Halo* halo) {
      require_result(run, result);
      require_array(pads, pads_count, "pads");
      const netcl_halo_options checked = read_options(options, "options");
      require_zero(checked.reserved, "options->reserved");
      require_flag(checked.periodic, "options->periodic");
      halo->pads = {pads, pads_count};
      halo->value = checked.value;
      halo->periodic = checked.periodic != 0;
      const ops::Run resolved = late.resolve(*pinned->group(), true);
      halo->into = (*late).into();
      return resolved;
    });
    give_result(*late, std::move(made), result);
  });
}

}  // extern "C"
