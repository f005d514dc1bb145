// Which kernel of a family an op uses, with its sizes and the reason in words. The rules are pure
// functions of what stands in their arguments; docs/variants.md explains them to users.
//
// Op code calls one of the choose_ functions below. Their rules live in one file per op,
// variant_<op>.cpp, which belongs to the op's owner.
#pragma once

#include <initializer_list>
#include <string>

#include "core/environment.hpp"
#include "device/device.hpp"
#include "netcl.h"

namespace netcl::ops {

using VariantConfig = netcl_variant_config;

// What kind of device the rules tell apart, from its recorded identity and capabilities.
enum class DeviceClass : uint8_t {
  native,  // ops are functions of the host: see native.hpp
  nvidia,  // before Turing
  turing,
  ampere,  // Ada too, and NVIDIA devices of unknown generation
  hopper,  // and later
  rdna2,
  rdna3,  // and later
  amd,    // other AMD GPUs
  intel,
  gpu  // any other device
};

// A device as the rules see it: an open one, or recorded capabilities.
struct VariantTarget {
  const netcl_device_info& info;
  const netcl_device_capabilities& capabilities;

  const Device* device = nullptr;  // null: a recorded one

  VariantTarget(const Device& open)  // NOLINT: an open device is a target
      : info(open.info()), capabilities(open.capabilities()), device(&open) {}
  VariantTarget(const netcl_device_info& given, const netcl_device_capabilities& what)
      : info(given), capabilities(what) {}
};

DeviceClass device_class(const VariantTarget& target);
// "Hopper", "CPU", ... as reasons name it.
const char* device_class_name(DeviceClass value);

// Where ops run on a target; see native.hpp.
bool runs_native(const VariantTarget& target);

// Bytes per element of the type that a dtype is computed in: 8 for f64, else 4.
inline int64_t compute_bytes(netcl_dtype dtype) { return dtype == NETCL_F64 ? 8 : 4; }

// How an operand of a matrix product lies in memory: where its unit stride is.
enum class UnitStride : uint8_t { none, columns, rows };

// A product after it has been brought into the form the kernels take (see matmul_case).
struct MatmulCase {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t batch = 1;
  UnitStride a = UnitStride::columns;
  UnitStride b = UnitStride::columns;
  netcl_dtype dtype = NETCL_F32;
  netcl_dtype out_dtype = NETCL_F32;
  netcl_precision precision = NETCL_PRECISION_STRICT;
  bool in_place = true;  // matrix units can take a and b where they lie
  bool units = true;     // false: a kernel as text is asked for, which has tiles
};

// The choice for one case. `request` is what the call asks for (options->variant); 0 leaves it to
// NETCL_VARIANT and then to the rules. INVALID_ARGUMENT for a variant of another op, UNSUPPORTED
// with the reason for one that cannot do the case. Answers are kept, so asking again is cheap.
VariantConfig choose_matmul(const VariantTarget& target, const MatmulCase& what,
                            netcl_variant request);
// `winograd_tile` is 2, 4 or 0 (by the rules).
VariantConfig choose_conv2d(const VariantTarget& target, const netcl_conv2d_shape& shape,
                            netcl_dtype dtype, netcl_variant request, uint32_t winograd_tile = 0);
VariantConfig choose_elementwise(const VariantTarget& target, int64_t count, netcl_dtype dtype,
                                 netcl_variant request);
// `columns`: outputs lie side by side, so that items take one each.
VariantConfig choose_reduction(const VariantTarget& target, int64_t outputs, int64_t count,
                               netcl_dtype dtype, netcl_variant request, bool columns = false);
VariantConfig choose_batchnorm(const VariantTarget& target, int64_t batch, int64_t channels,
                               int64_t spatial, bool training, bool activation, netcl_dtype dtype,
                               netcl_variant request);

// Forgets the kept answers.
void clear_variant_cache();

// The name of a variant's kernel, "netcl_matmul_naive", where it has one alone: always on the
// built-in device, whose functions traces show under it. Null for a value that is no variant.
const char* variant_kernel(netcl_variant variant);
// "matmul_naive", ...; "auto" for 0, "invalid" for other values.
const char* variant_name(netcl_variant variant);

// ---- For the rule files -------------------------------------------------------------------------

namespace variant_rules {

// What a rule gets beside the sizes: the variant that was asked for (0: choose) and by whom.
struct Wanted {
  netcl_variant variant = 0;
  const char* by = "";  // "options->variant" or "NETCL_VARIANT"
};

VariantConfig matmul(const VariantTarget& target, const MatmulCase& what, const Wanted& wanted);
VariantConfig conv2d(const VariantTarget& target, const netcl_conv2d_shape& shape,
                     netcl_dtype dtype, uint32_t winograd_tile, const Wanted& wanted,
                     const Environment& environment);
VariantConfig elementwise(const VariantTarget& target, int64_t count, netcl_dtype dtype,
                          const Wanted& wanted);
VariantConfig reduction(const VariantTarget& target, int64_t outputs, int64_t count,
                        netcl_dtype dtype, bool columns, const Wanted& wanted);
VariantConfig batchnorm(const VariantTarget& target, int64_t batch, int64_t channels,
                        int64_t spatial, bool training, bool activation, netcl_dtype dtype,
                        const Wanted& wanted);

// What the call asks for, else NETCL_VARIANT; `op` is a request divided by 16. INVALID_ARGUMENT for
// a variant of another op.
Wanted wanted_variant(netcl_variant request, int op);
// An empty configuration of a variant with its reason (printf).
VariantConfig make(netcl_variant variant, const char* reason, ...)
    __attribute__((format(printf, 2, 3)));
// The configuration of a requested variant: the reason says who asked for it.
VariantConfig requested(const Wanted& wanted);
// Fails with UNSUPPORTED: "matmul_tiled was asked for by options->variant: REASON".
[[noreturn]] void refuse(const Wanted& wanted, const char* reason, ...)
    __attribute__((format(printf, 2, 3)));
void set_kernel(VariantConfig* config, const char* name);
// Sets the tile of a group, what an item has of it, and the group: 128 x 128 by 8 x 8
// results per item, 64 x 64 by 8 x 4, thin tiles by 4 x 4, 32 x 32 and 16 x 16 (which the tiled
// variant takes) by 256 items.
void set_group_tile(uint32_t tile_m, uint32_t tile_n, uint32_t step, VariantConfig* config);
// Whether the kernel of a product reads a long operand once beside few lines of the other. It has
// no tiles that could be other ones.
bool is_thin_kernel(const VariantConfig& config);
// Whether it is the one in PTX that multiplies f32 by items; so NETCL_VARIANT_MATMUL_VECTORIZED may
// be where products by matrix units can be.
bool is_fma_kernel(const VariantConfig& config);
// Fails with INVALID_ARGUMENT when a size is below `least`.
void require_size(int64_t value, int64_t least, const char* name);

}  // namespace variant_rules

}  // namespace netcl::ops
