#include <algorithm>
#include <cmath>

#include "api/call_op.hpp"
#include "ops/attention/attention.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Places of keys and windows are compared with extents, which are far below this.
constexpr int64_t kFar = int64_t{1} << 60;

int64_t read_window(int64_t value, const char* member) {
  if (value < -1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is -1 (all keys) or from 0 on", member,
         static_cast<long long>(value));
  }
  return std::min(value, kFar);
}

void read_reach(const netcl_attention_options& options, ops::AttentionSettings* settings) {
  require_flag(options.has_position, "options->has_position");
  require_flag(options.has_window, "options->has_window");
  require_flag(options.causal, "options->causal");
  if (options.has_position != 0) {
    settings->has_position = true;
    settings->position = std::clamp(options.position, -kFar, kFar);
  }
  if (options.has_window != 0) {
    settings->before = read_window(options.window_before, "options->window_before");
    settings->after = read_window(options.window_after, "options->window_after");
  }
  if (options.causal == 0) return;
  if (settings->after > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->window_after is %lld with causal, which is a window of 0; it is 0 or -1 then",
         static_cast<long long>(options.window_after));
  }
  settings->after = 0;
}

ops::AttentionSettings read_settings(const netcl_attention_options& options) {
  ops::AttentionSettings settings;
  require_flag(options.has_scale, "options->has_scale");
  require_zero(options.reserved, "options->reserved");
  if (!std::isfinite(options.scale)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->scale is %g; it is finite", options.scale);
  }
  if (!(options.softcap >= 0.0) || !std::isfinite(options.softcap)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->softcap is %g; it is finite and from 0 on",
         options.softcap);
  }
  settings.variant = options.variant;
  settings.has_scale = options.scale != 0.0 || options.has_scale != 0;
  settings.scale = options.scale;
  settings.softcap = options.softcap;
  read_reach(options, &settings);
  settings.bias = optional_tensor(options.bias, "options->bias");
  settings.mask = optional_tensor(options.mask, "options->mask");
  settings.query_lengths = optional_tensor(options.query_lengths, "options->query_lengths");
  settings.key_lengths = optional_tensor(options.key_lengths, "options->key_lengths");
  settings.block_table = optional_tensor(options.block_table, "options->block_table");
  return settings;
}

}  // namespace

extern "C" {

netcl_status netcl_op_attention(netcl_tensor* q, netcl_tensor* k, netcl_tensor* v,
                                const netcl_attention_options* options,
                                const netcl_run_options* run, netcl_tensor** result,
                                netcl_tensor** lse) {
  return guarded([&] {
    const auto queries = pin(q, "q");
    const auto keys = pin(k, "k");
    const auto values = pin(v, "v");
    const netcl_attention_options checked = read_options(options, "options");
    const ops::AttentionSettings settings = read_settings(checked);
    require_result(run, result);
    if (result != nullptr && result == lse) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "result and lse are the same address");
    }
    ops::AttentionResult into;
    into.lse = optional_tensor(checked.lse_into, "options->lse_into");
    if (into.lse != nullptr) require_own_elements(*into.lse, "options->lse_into");
    ResolvedRun resolved(run, queries->device());
    into.result = resolved.into();
    ops::AttentionResult made = call_into<ops::attention>(resolved, "attention", into, *queries,
                                                          *keys, *values, settings, lse != nullptr);
    // Both handles are made before either output is written.
    netcl_tensor* const sums =
        lse != nullptr ? make_handle<netcl_tensor>(std::move(made.lse)) : nullptr;
    try {
      give_result(resolved, std::move(made.result), result);
    } catch (...) {
      release_handle(sums);
      throw;
    }
    if (lse != nullptr) *lse = sums;
  });
}

}  // extern "C"
