#include "ops/frame/variant.hpp"


#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/lru.hpp"
#include "core/process.hpp"
#include "device/manager.hpp"
#include "ops/frame/native.hpp"
#include "ops/frame/replay.hpp"
#include "ops/frame/tuned_variant.hpp"
#include "store/database.hpp"

namespace netcl::ops {
namespace {

// ---- Device classes

// True when `text` holds `word` as a word of its own, in any case; a word that ends with '*' may
// go on.
bool has_word(std::string_view text, std::string_view word) {
  const bool open = !word.empty() && word.back() == '*';
  if (open) word.remove_suffix(1);
  for (size_t at = find_ignoring_case(text, word); at != std::string_view::npos;
       at = find_ignoring_case(text, word, at + 1)) {
    if (at > 0 && is_alphanumeric(text[at - 1])) continue;
    const size_t end = at + word.size();
    if (open || end == text.size() || !is_alphanumeric(text[end])) return true;
  }
  return false;
}

bool has_any(const char* text, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (has_word(text, word)) return true;
  }
  return false;
}

DeviceClass nvidia_class(const char* name) {
  if (has_any(name, {"H20", "H100", "H200", "H800", "GH200", "B100", "B200", "B300", "GB200",
                     "GB300", "RTX 50*", "Blackwell"})) {
    return DeviceClass::hopper;
  }
  if (has_any(name, {"RTX 20*", "GTX 16*", "Quadro RTX", "TITAN RTX", "T4", "T4G", "T400", "T600",
                     "T1000", "T2000"})) {
    return DeviceClass::turing;
  }
  if (has_any(name, {"GTX*", "GT*", "TITAN*", "V100*", "P100*", "P40", "P4", "P6", "K80", "K40*",
                     "K20*", "M40", "M60", "Quadro*"})) {
    return DeviceClass::nvidia;
  }
  return DeviceClass::ampere;
}

// ---- The kept answers

struct Key {
  uint8_t op = 0;
  uint8_t shape_of_a = 0;
  uint8_t shape_of_b = 0;
  uint8_t backend_and_type = 0;
  netcl_variant request = 0;
  netcl_dtype dtype = 0;
  netcl_dtype out_dtype = 0;
  Hash128 device{};
  int64_t sizes[19] = {};
  int64_t generation = 0;  // of the tuning database

  bool operator==(const Key& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};
static_assert(sizeof(Key) == 4 + 3 * 4 + 16 + 20 * 8, "no padding: keys are compared as bytes");

struct Cache {
  std::mutex mutex;
  LruCache<Key, VariantConfig> answers{4096};
};

Cache& cache() {
  return process().services.get<Cache>(Slot::variant_cache,
                                       [] { return std::make_unique<Cache>(); });
}

// What the rules look at: neither the driver nor the platform.
Hash128 facts_hash(const VariantTarget& target) {
  const Hash128 parts[2] = {
      hash128(std::string_view(target.info.name), std::string_view(target.info.vendor)),
      hash128(&target.capabilities, sizeof target.capabilities)};
  return hash128(parts, sizeof parts);
}

// The facts of an open device never change, and hashing them takes as long as all else.
Hash128 device_hash(const VariantTarget& target) {
  if (target.device == nullptr) return facts_hash(target);
  return target.device->services().get<Hash128>(
      Slot::variant_device, [&] { return std::make_unique<Hash128>(facts_hash(target)); });
}

const char* const kOps[] = {"matmul", "conv2d", "elementwise", "reduction", "batchnorm"};

// What stands in the message about a variant of another op.
std::string names_of(int op) {
  std::string names;
  for (netcl_variant v = op * 16 + 1; v < op * 16 + 16; ++v) {
    if (std::strcmp(variant_name(v), "invalid") == 0) break;
    names += (names.empty() ? "" : ", ") + std::string(variant_name(v));
  }
  return names;
}

variant_rules::Wanted wanted_variant(netcl_variant request, int op) {
  if (request != 0) {
    const bool known = std::strcmp(variant_name(request), "invalid") != 0;
    if (!known || request / 16 != op) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->variant is %s (%d); %s takes %s",
           variant_name(request), request, kOps[op], names_of(op).c_str());
    }
    return {request, "options->variant"};
  }
  return {environment().variants[op], "NETCL_VARIANT"};
}

// What is stored for a case; nothing when there is no match, or nobody wants it.
std::optional<TunedVariant> stored_variant(const std::function<store::Key()>& make_key) {
  if (environment().tune == TunePolicy::off) return std::nullopt;
  const store::Answer found = store::Database::shared().lookup(make_key());
  if (found.record == nullptr) return std::nullopt;
  TunedVariant tuned = tuned_variant(*found.record);
  // How many groups share a tile goes with how many tiles there are.
  if (found.match == NETCL_MATCH_NEAREST_SHAPE) tuned.split_k = 0;
  return tuned.variant == 0 ? std::nullopt : std::optional<TunedVariant>(tuned);
}

// What tuning chose, as long as it can do the case; else what the rules say.
template <class Rule>
VariantConfig tuned_answer(const variant_rules::Wanted& wanted, const Rule& rule,
                           const std::function<store::Key()>& make_key) {
  if (const auto tuned = stored_variant(make_key)) {
    try {
      const variant_rules::Wanted by_tuning{tuned->variant, "the tuning database"};
      VariantConfig config = rule(by_tuning, tuned->winograd_tile);
      apply_tuned(*tuned, &config);
      std::snprintf(config.reason, sizeof config.reason, "tuned: the fastest of those measured");
      return config;
    } catch (const Error&) {
      // It was tuned for a shape near this one, and cannot do this one.
    }
  }
  return rule(wanted, 0);
}

template <class Rule>
VariantConfig answer(Key& key, const VariantTarget& target, netcl_variant request, Rule rule,
                     const std::function<store::Key()>& make_key) {
  const variant_rules::Wanted wanted = wanted_variant(request, key.op);
  const bool open = wanted.variant == 0;
  if (const TunedVariant* forced = forced_variant(); forced != nullptr && open) {
    VariantConfig config = rule({forced->variant, "the tuner"}, forced->winograd_tile);
    apply_tuned(*forced, &config);
    return config;
  }
  // What is stored may change while a process runs.
  const bool asks = open && make_key != nullptr && environment().tune != TunePolicy::off;
  if (asks) key.generation = static_cast<int64_t>(store::Database::shared().generation());
  key.request = request;
  key.backend_and_type = static_cast<uint8_t>(target.info.backend * 16 + (target.info.type & 15));
  key.device = device_hash(target);
  Cache& kept = cache();
  {
    std::lock_guard<std::mutex> lock(kept.mutex);
    if (const VariantConfig* known = kept.answers.find(key)) {
      VariantConfig config = *known;
      config.from_cache = 1;
      return config;
    }
  }
  VariantConfig config = asks ? tuned_answer(wanted, rule, make_key) : rule(wanted, 0);
  std::lock_guard<std::mutex> lock(kept.mutex);
  kept.answers.insert(key, config);
  return config;
}

}  // namespace

// ---- Device classes -----------------------------------------------------------------------------

DeviceClass device_class(const VariantTarget& target) {
  const netcl_device_info& info = target.info;
  if (runs_native(target)) return DeviceClass::native;
  if (info.type == NETCL_DEVICE_CPU) return DeviceClass::gpu;
  if (has_word(info.vendor, "NVIDIA")) return nvidia_class(info.name);
  if (has_any(info.vendor, {"AMD", "Advanced Micro Devices"})) {
    if (has_any(info.name, {"gfx103*", "RX 6*"})) return DeviceClass::rdna2;
    if (has_any(info.name, {"gfx11*", "gfx12*", "RX 7*", "RX 9*"})) return DeviceClass::rdna3;
    return DeviceClass::amd;
  }
  return has_word(info.vendor, "Intel*") ? DeviceClass::intel : DeviceClass::gpu;
}

const char* device_class_name(DeviceClass value) {
  static constexpr const char* kNames[] = {"a CPU",
                                           "an NVIDIA GPU before Turing",
                                           "an NVIDIA GPU of the Turing generation",
                                           "an NVIDIA GPU of the Ampere generation",
                                           "an NVIDIA GPU of the Hopper generation",
                                           "an RDNA2 GPU",
                                           "an RDNA3 GPU",
                                           "an AMD GPU",
                                           "an Intel GPU",
                                           "a GPU"};
  return kNames[static_cast<size_t>(value)];
}

bool runs_native(const VariantTarget& target) {
  return target.device != nullptr ? runs_native(*target.device)
                                  : runs_native(target.info, target.capabilities);
}

const char* variant_kernel(netcl_variant variant) {
  switch (variant) {
    case NETCL_VARIANT_MATMUL_NAIVE:
      return "netcl_matmul_naive";
    case NETCL_VARIANT_MATMUL_TILED:
      return "netcl_matmul_tiled";
    case NETCL_VARIANT_MATMUL_REGISTER_TILED:
      return "netcl_matmul_register_tiled";
    case NETCL_VARIANT_MATMUL_VECTORIZED:
      return "netcl_matmul_vectorized";
    case NETCL_VARIANT_MATMUL_MATRIX_UNITS:
      return "netcl_matmul_matrix_units";
    case NETCL_VARIANT_CONV2D_NAIVE:
      return "netcl_conv2d_naive";
    case NETCL_VARIANT_CONV2D_IM2COL:
      return "netcl_conv2d_im2col";
    case NETCL_VARIANT_CONV2D_IMPLICIT_GEMM:
      return "netcl_conv2d_implicit_gemm";
    case NETCL_VARIANT_CONV2D_TILED_LOCAL:
      return "netcl_conv2d_tiled_local";
    case NETCL_VARIANT_CONV2D_WINOGRAD:
      return "netcl_conv2d_winograd";
    case NETCL_VARIANT_ELEMENTWISE_SCALAR:
      return "netcl_elementwise_scalar";
    case NETCL_VARIANT_ELEMENTWISE_VECTORIZED:
      return "netcl_elementwise_vectorized";
    case NETCL_VARIANT_REDUCTION_SEQUENTIAL:
      return "netcl_reduction_sequential";
    case NETCL_VARIANT_REDUCTION_PARALLEL:
      return "netcl_reduction_parallel";
    case NETCL_VARIANT_REDUCTION_WORKGROUP:
      return "netcl_reduction_workgroup";
    case NETCL_VARIANT_BATCHNORM_NAIVE:
      return "netcl_batchnorm_naive";
    case NETCL_VARIANT_BATCHNORM_FUSED:
      return "netcl_batchnorm_fused";
    default:
      return nullptr;
  }
}

const char* variant_name(netcl_variant variant) {
  if (variant == NETCL_VARIANT_AUTO) return "auto";
  const char* const kernel = variant_kernel(variant);
  return kernel == nullptr ? "invalid" : kernel + std::strlen("netcl_");
}

// ---- Choices ------------------------------------------------------------------------------------

VariantConfig choose_matmul(const VariantTarget& target, const MatmulCase& what,
                            netcl_variant request) {
  Key key;
  key.op = 0;
  key.shape_of_a = static_cast<uint8_t>(what.a);
  key.shape_of_b = static_cast<uint8_t>(what.b);
  key.dtype = what.dtype;
  key.out_dtype = what.out_dtype;
  const int64_t sizes[] = {what.m, what.n, what.k, what.batch, what.in_place ? 1 : 0,
                           what.precision, what.units ? 1 : 0};
  std::memcpy(key.sizes, sizes, sizeof sizes);
  return answer(
      key, target, request,
      [&](const variant_rules::Wanted& wanted, uint32_t) {
        return variant_rules::matmul(target, what, wanted);
      },
      // What was tuned is the strict product.
      what.precision == NETCL_PRECISION_STRICT
          ? std::function<store::Key()>([&] { return matmul_key(target, what); })
          : nullptr);
}

VariantConfig choose_conv2d(const VariantTarget& target, const netcl_conv2d_shape& shape,
                            netcl_dtype dtype, netcl_variant request, uint32_t winograd_tile) {
  // Zeros that mean 1 are made so here, for the rules and for the key.
  netcl_conv2d_shape full = shape;
  for (int64_t* value :
       {&full.strides[0], &full.strides[1], &full.dilations[0], &full.dilations[1], &full.groups}) {
    if (*value == 0) *value = 1;
  }
  Key key;
  key.op = 1;
  key.dtype = dtype;
  const int64_t sizes[] = {full.batch,        full.channels,         full.height,
                           full.width,        full.filters,          full.kernel_height,
                           full.kernel_width, full.strides[0],       full.strides[1],
                           full.dilations[0], full.dilations[1],     full.padding[0],
                           full.padding[1],   full.padding[2],       full.padding[3],
                           full.groups,       int64_t{winograd_tile}};
  std::memcpy(key.sizes, sizes, sizeof sizes);
  const auto rule = [&](const variant_rules::Wanted& wanted, uint32_t tuned_tile) {
    return variant_rules::conv2d(target, full, dtype,
                                 winograd_tile != 0 ? winograd_tile : tuned_tile, wanted,
                                 environment());
  };
  return answer(key, target, request, rule, [&] { return conv2d_key(target, full, dtype); });
}

VariantConfig choose_elementwise(const VariantTarget& target, int64_t count, netcl_dtype dtype,
                                 netcl_variant request) {
  Key key;
  key.op = 2;
  key.dtype = dtype;
  key.sizes[0] = count;
  return answer(
      key, target, request,
      [&](const variant_rules::Wanted& wanted, uint32_t) {
        return variant_rules::elementwise(target, count, dtype, wanted);
      },
      nullptr);
}

VariantConfig choose_reduction(const VariantTarget& target, int64_t outputs, int64_t count,
                               netcl_dtype dtype, netcl_variant request, bool columns) {
  Key key;
  key.op = 3;
  key.dtype = dtype;
  key.sizes[0] = outputs;
  key.sizes[1] = count;
  key.sizes[2] = columns ? 1 : 0;
  return answer(
      key, target, request,
      [&](const variant_rules::Wanted& wanted, uint32_t) {
        return variant_rules::reduction(target, outputs, count, dtype, columns, wanted);
      },
      [&] { return reduction_key(target, outputs, count, dtype, columns); });
}

VariantConfig choose_batchnorm(const VariantTarget& target, int64_t batch, int64_t channels,
                               int64_t spatial, bool training, bool activation, netcl_dtype dtype,
                               netcl_variant request) {
  Key key;
  key.op = 4;
  key.dtype = dtype;
  const int64_t sizes[] = {batch, channels, spatial, training ? 1 : 0, activation ? 1 : 0};
  std::memcpy(key.sizes, sizes, sizeof sizes);
  return answer(
      key, target, request,
      [&](const variant_rules::Wanted& wanted, uint32_t) {
        return variant_rules::batchnorm(target, batch, channels, spatial, training, activation,
                                        dtype, wanted);
      },
      nullptr);
}

void clear_variant_cache() {
  Cache& kept = cache();
  {
    std::lock_guard<std::mutex> lock(kept.mutex);
    kept.answers.clear();
  }
  for (const DeviceRef& device : DeviceManager::instance().open_devices()) {
    Replays::of(*device).clear();
  }
}

// ---- For the rule files -------------------------------------------------------------------------

namespace variant_rules {

VariantConfig make(netcl_variant variant, const char* reason, ...) {
  VariantConfig config = NETCL_VARIANT_CONFIG_INIT;
  config.variant = variant;
  va_list list;
  va_start(list, reason);
  std::vsnprintf(config.reason, sizeof config.reason, reason, list);
  va_end(list);
  return config;
}

VariantConfig requested(const Wanted& wanted) {
  return make(wanted.variant, "asked for by %s", wanted.by);
}

void refuse(const Wanted& wanted, const char* reason, ...) {
  char text[512];
  va_list list;
  va_start(list, reason);
  std::vsnprintf(text, sizeof text, reason, list);
  va_end(list);
  fail(NETCL_ERROR_UNSUPPORTED, "%s was asked for by %s: %s", variant_name(wanted.variant),
       wanted.by, text);
}

void set_kernel(VariantConfig* config, const char* name) {
  std::snprintf(config->kernel, sizeof config->kernel, "%s", name);
}

void require_size(int64_t value, int64_t least, const char* name) {
  if (value < least) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is at least %lld", name,
         static_cast<long long>(value), static_cast<long long>(least));
  }
}

}  // namespace variant_rules

}  // namespace netcl::ops
