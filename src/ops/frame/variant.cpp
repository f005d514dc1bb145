#include "ops/frame/variant.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/ascii.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/lru.hpp"
#include "core/members.hpp"
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

// All that an answer depends on, as bytes: whatever a rule is given goes in, member by member.
class Key {
 public:
  static constexpr size_t kMost = 208;

  template <class T>
  void add(const T& part) {
    if constexpr (std::has_unique_object_representations_v<T>) {
      static_assert(sizeof part <= kMost);
      std::memcpy(bytes_ + size_, &part, sizeof part);
      size_ += sizeof part;
    } else {
      for_each_member(part, [this](const auto& member) { this->add(member); });
    }
  }

  bool operator==(const Key& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }

 private:
  uint64_t size_ = 0;
  unsigned char bytes_[kMost] = {};
};
static_assert(std::has_unique_object_representations_v<Key>, "keys are compared as bytes");

struct Cache {
  std::mutex mutex;
  LruCache<Key, VariantConfig> answers{4096};
};

Cache& cache() {
  return process().services.get<Cache>(Slot::variant_cache,
                                       [] { return std::make_unique<Cache>(); });
}

// What the rules look at, and the driver, with which goes what was tuned.
Hash128 facts_hash(const VariantTarget& target) {
  const Hash128 parts[3] = {
      hash128(std::string_view(target.info.name), std::string_view(target.info.vendor)),
      hash128(std::string_view(target.info.version), std::string_view(target.info.driver_version)),
      hash128(&target.capabilities, sizeof target.capabilities)};
  return hash128(parts, sizeof parts);
}

// The facts of an open device never change, and hashing them takes as long as all else.
Hash128 device_hash(const VariantTarget& target) {
  if (target.device == nullptr) return facts_hash(target);
  return target.device->services().get<Hash128>(
      Slot::variant_device, [&] { return std::make_unique<Hash128>(facts_hash(target)); });
}

const char* const kOps[] = {"matmul", "conv2d", "elementwise", "reduction", "batchnorm",
                            "attention"};

// What stands in the message about a variant of another op.
std::string names_of(int op) {
  std::string names;
  for (netcl_variant v = op * 16 + 1; v < op * 16 + 16; ++v) {
    if (std::strcmp(variant_name(v), "invalid") == 0) break;
    names += (names.empty() ? "" : ", ") + std::string(variant_name(v));
  }
  return names;
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

// rule(wanted, tuned tile, what...) of an op for a case. The key is made of the very arguments that
// the rule gets.
template <class Rule, class... Case>
VariantConfig answer(int op, const VariantTarget& target, netcl_variant request,
                     const std::function<store::Key()>& make_key, const Rule& case_rule,
                     const Case&... what) {
  const auto rule = [&](const variant_rules::Wanted& wanted, uint32_t tuned_tile) {
    return case_rule(wanted, tuned_tile, what...);
  };
  const variant_rules::Wanted wanted = variant_rules::wanted_variant(request, op);
  const bool open = wanted.variant == 0;
  if (const TunedVariant* forced = forced_variant(); forced != nullptr && open) {
    VariantConfig config = rule({forced->variant, "the tuner"}, forced->winograd_tile);
    apply_tuned(*forced, &config);
    return config;
  }
  // What is stored may change while a process runs.
  const bool asks = open && make_key != nullptr && environment().tune != TunePolicy::off;
  const uint64_t generation = asks ? store::Database::shared().generation() : 0;
  const Hash128 device = device_hash(target);
  Key key;
  constexpr size_t kBeside = sizeof op + sizeof request + sizeof target.info.backend +
                             sizeof target.info.type + sizeof device + sizeof generation;
  static_assert((kBeside + ... + sizeof what) <= Key::kMost);
  const auto add = [&](const auto&... parts) { (key.add(parts), ...); };
  add(op, request, target.info.backend, target.info.type, device, generation, what...);
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
    case NETCL_VARIANT_CONV2D_MATRIX_UNITS:
      return "netcl_conv2d_matrix_units";
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
    case NETCL_VARIANT_ATTENTION_PORTABLE:
      return "netcl_attention_portable";
    case NETCL_VARIANT_ATTENTION_MATRIX_UNITS:
      return "netcl_attention_matrix_units";
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
  return answer(
      0, target, request,
      // What was tuned is the strict product.
      what.precision == NETCL_PRECISION_STRICT
          ? std::function<store::Key()>([&] { return matmul_key(target, what); })
          : nullptr,
      [&](const variant_rules::Wanted& wanted, uint32_t, const MatmulCase& product) {
        return variant_rules::matmul(target, product, wanted);
      },
      what);
}

VariantConfig choose_conv2d(const VariantTarget& target, const netcl_conv2d_shape& shape,
                            netcl_dtype dtype, netcl_variant request, uint32_t winograd_tile) {
  // Zeros that mean 1 are made so here, for the rules and for the key.
  netcl_conv2d_shape full = shape;
  full.struct_size = sizeof full;
  for (int64_t* value :
       {&full.strides[0], &full.strides[1], &full.dilations[0], &full.dilations[1], &full.groups}) {
    if (*value == 0) *value = 1;
  }
  return answer(
      1, target, request, [&] { return conv2d_key(target, full, dtype); },
      [&](const variant_rules::Wanted& wanted, uint32_t tuned_tile, const netcl_conv2d_shape& sizes,
          netcl_dtype type, uint32_t asked_tile) {
        return variant_rules::conv2d(target, sizes, type, asked_tile != 0 ? asked_tile : tuned_tile,
                                     wanted, environment());
      },
      full, dtype, winograd_tile);
}

VariantConfig choose_elementwise(const VariantTarget& target, int64_t count, netcl_dtype dtype,
                                 netcl_variant request) {
  return answer(
      2, target, request, nullptr,
      [&](const variant_rules::Wanted& wanted, uint32_t, auto... what) {
        return variant_rules::elementwise(target, what..., wanted);
      },
      count, dtype);
}

VariantConfig choose_reduction(const VariantTarget& target, int64_t outputs, int64_t count,
                               netcl_dtype dtype, netcl_variant request, bool columns) {
  return answer(
      3, target, request, [&] { return reduction_key(target, outputs, count, dtype, columns); },
      [&](const variant_rules::Wanted& wanted, uint32_t, auto... what) {
        return variant_rules::reduction(target, what..., wanted);
      },
      outputs, count, dtype, columns);
}

VariantConfig choose_batchnorm(const VariantTarget& target, int64_t batch, int64_t channels,
                               int64_t spatial, bool training, bool activation, netcl_dtype dtype,
                               netcl_variant request) {
  return answer(
      4, target, request, nullptr,
      [&](const variant_rules::Wanted& wanted, uint32_t, auto... what) {
        return variant_rules::batchnorm(target, what..., wanted);
      },
      batch, channels, spatial, training, activation, dtype);
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

Wanted wanted_variant(netcl_variant request, int op) {
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

bool is_thin_kernel(const VariantConfig& config) {
  return std::strcmp(config.kernel, "netcl_matmul_thin") == 0;
}

bool is_fma_kernel(const VariantConfig& config) {
  return std::strcmp(config.kernel, "netcl_matmul_fma") == 0;
}

void require_size(int64_t value, int64_t least, const char* name) {
  if (value < least) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is at least %lld", name,
         static_cast<long long>(value), static_cast<long long>(least));
  }
}

}  // namespace variant_rules

}  // namespace netcl::ops
