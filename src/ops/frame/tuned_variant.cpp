#include "ops/frame/tuned_variant.hpp"

#include <algorithm>
#include <cstring>

#include "core/dtype.hpp"
#include "kernel/embedded.hpp"
#include "store/record.hpp"

namespace netcl::ops {

namespace {

// Plain data: nothing has to be destroyed when a thread ends.
thread_local const TunedVariant* t_forced = nullptr;

store::Key key_of(const VariantTarget& target, const char* op, netcl_dtype dtype) {
  store::Key key;
  key.kernel = op;
  key.source = kCodegenVersion;
  key.dtypes = dtype_facts(dtype).name;
  key.part = device_part(target.info, target.capabilities);
  key.driver = device_driver(target.info);
  // Kernels are not what the built-in loops are.
  key.flags = runs_native(target) ? "" : "gpu";
  return key;
}

}  // namespace

const TunedVariant* force_variant(const TunedVariant* forced) noexcept {
  const TunedVariant* before = t_forced;
  t_forced = forced;
  return before;
}

const TunedVariant* forced_variant() noexcept { return t_forced; }

store::Key matmul_key(const VariantTarget& target, const MatmulCase& what) {
  store::Key key = key_of(target, "op.matmul", what.dtype);
  key.dtypes += std::string(",") + dtype_facts(what.out_dtype).name;
  // One product and many fill a device in different ways, and neither tells of the other.
  key.layout = format("%d%d%s", static_cast<int>(what.a), static_cast<int>(what.b),
                      what.batch > 1 ? "b" : "");
  key.shape = {what.m, what.n, what.k, what.batch};
  return key;
}

store::Key conv2d_key(const VariantTarget& target, const netcl_conv2d_shape& s, netcl_dtype dtype) {
  store::Key key = key_of(target, "op.conv2d", dtype);
  // What a result does not carry over to other values of stands with the layout.
  key.layout = format("k%lldx%lld s%lldx%lld d%lldx%lld p%lld,%lld,%lld,%lld g%lld",
                      static_cast<long long>(s.kernel_height),
                      static_cast<long long>(s.kernel_width), static_cast<long long>(s.strides[0]),
                      static_cast<long long>(s.strides[1]), static_cast<long long>(s.dilations[0]),
                      static_cast<long long>(s.dilations[1]), static_cast<long long>(s.padding[0]),
                      static_cast<long long>(s.padding[1]), static_cast<long long>(s.padding[2]),
                      static_cast<long long>(s.padding[3]), static_cast<long long>(s.groups));
  key.shape = {s.batch, s.channels, s.height, s.width, s.filters};
  return key;
}

store::Key reduction_key(const VariantTarget& target, int64_t outputs, int64_t count,
                         netcl_dtype dtype, bool columns) {
  store::Key key = key_of(target, "op.reduction", dtype);
  if (columns) key.layout = "columns";
  key.shape = {outputs, count};
  return key;
}

TunedVariant tuned_variant(const store::Record& record) {
  TunedVariant tuned;
  const auto name = record.config.find("variant");
  if (name != record.config.end() && name->is_string()) {
    const std::string wanted = name->get<std::string>();
    for (netcl_variant v = 1; v < 96; ++v) {
      if (wanted == variant_name(v)) tuned.variant = v;
    }
  }
  const auto number = [&](const char* member) {
    return static_cast<uint32_t>(
        std::clamp<int64_t>(record.integer(member).value_or(0), 0, UINT32_MAX));
  };
  tuned.tile = number("tile");
  tuned.rows = number("rows");
  tuned.step = number("step");
  tuned.split_k = number("split_k");
  tuned.groups = number("groups");
  tuned.winograd_tile = number("winograd_tile");
  return tuned;
}

void apply_tuned(const TunedVariant& tuned, VariantConfig* config) {
  if (config->variant == NETCL_VARIANT_MATMUL_MATRIX_UNITS) {
    // A tile of the units has a warpgroup for each 64 rows, and one that copies. Records may come
    // from anywhere.
    if (tuned.tile != 0 && tuned.tile % 64 == 0 && tuned.tile <= 256) config->tile_n = tuned.tile;
    if (tuned.rows == 64 || tuned.rows == 128) config->tile_m = tuned.rows;
    config->local_size_1d = config->local_size_2d[0] = 128 + 2 * config->tile_m;
    if (tuned.split_k != 0) config->split_k = tuned.split_k;
    return;
  }
  if (variant_rules::is_thin_kernel(*config) || variant_rules::is_fma_kernel(*config)) return;
  if (tuned.tile != 0) {
    variant_rules::set_group_tile(tuned.rows != 0 ? tuned.rows : tuned.tile, tuned.tile,
                                  config->tile_k, config);
  }
  if (tuned.step != 0) config->tile_k = tuned.step;
  if (tuned.split_k != 0) config->split_k = tuned.split_k;
  if (tuned.groups != 0) config->groups = tuned.groups;
}

}  // namespace netcl::ops
