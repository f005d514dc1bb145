// The rule for reductions.
#include <algorithm>

#include "ops/frame/enqueue.hpp"
#include "ops/frame/variant.hpp"

namespace netcl::ops::variant_rules {
namespace {

// Up to here one item adds up a row faster than a group meets at barriers. The built-in loops have
// no barriers, only the cost of filling their vectors.
constexpr int64_t kSequentialCount = 256;
constexpr int64_t kSequentialCountNative = 8;
// From here on a single group leaves the device idle, and several stages pay; the second is for few
// outputs of kernels, whose groups are more and smaller then.
constexpr int64_t kWorkgroupCount = 65536;
constexpr int64_t kFewCount = 8192;
constexpr int64_t kFewOutputs = 64;
// Elements of a group, and of a piece of the built-in loops, in the first of several stages.
constexpr int64_t kGroupElements = 16384;
constexpr int64_t kFewElements = 4096;
constexpr int64_t kPieceElements = 65536;
constexpr int64_t kGroupsMost = 1024;
// Where outputs lie side by side a group has a tile of them, so pieces keep the device
// busy much earlier: rows of a piece, and from how many outputs on their tiles are enough groups.
constexpr int64_t kPieceRows = 1024;
constexpr int64_t kColumnsMost = 65536;

}  // namespace

VariantConfig reduction(const VariantTarget& target, int64_t outputs, int64_t count, netcl_dtype,
                        bool columns, const Wanted& wanted) {
  require_size(outputs, 0, "outputs");
  require_size(count, 0, "count");
  const netcl_device_capabilities& caps = target.capabilities;
  const bool native = runs_native(target);
  const int64_t sequential_count = native ? kSequentialCountNative : kSequentialCount;
  const int64_t units = std::max<int64_t>(caps.compute_units, 1);
  const auto number = [](int64_t value) { return static_cast<long long>(value); };
  const bool tall = wanted.variant == 0 && !native && columns && outputs <= kColumnsMost &&
                    count >= 2 * kPieceRows;
  VariantConfig config;
  if (wanted.variant != 0) {
    config = requested(wanted);
  } else if (tall) {
    config = make(NETCL_VARIANT_REDUCTION_WORKGROUP,
                  "count = %lld is not below %lld and outputs = %lld lie side by side: a group has "
                  "a piece of a tile of them and a second stage joins these",
                  number(count), number(2 * kPieceRows), number(outputs));
    config.groups = static_cast<uint32_t>(std::min(count / kPieceRows, kGroupsMost));
  } else if (count < sequential_count) {
    config = make(NETCL_VARIANT_REDUCTION_SEQUENTIAL,
                  "count = %lld is below %lld: one item per output is enough", number(count),
                  number(sequential_count));
  } else if (!native && outputs <= kFewOutputs && count >= kFewCount && count < kWorkgroupCount) {
    config = make(NETCL_VARIANT_REDUCTION_WORKGROUP,
                  "count = %lld is not below %lld and outputs = %lld are up to %lld: several "
                  "groups share an output and a second stage joins them",
                  number(count), number(kFewCount), number(outputs), number(kFewOutputs));
    config.groups = static_cast<uint32_t>(count / kFewElements);
  } else if (count < kWorkgroupCount) {
    config = make(NETCL_VARIANT_REDUCTION_PARALLEL,
                  "count = %lld is from %lld to below %lld: one group per output", number(count),
                  number(sequential_count), number(kWorkgroupCount));
  } else if (outputs >= 4 * units) {
    config = make(NETCL_VARIANT_REDUCTION_PARALLEL,
                  "outputs = %lld keep %lld compute units busy with one group each",
                  number(outputs), number(units));
  } else {
    config = make(NETCL_VARIANT_REDUCTION_WORKGROUP,
                  "count = %lld is not below %lld and outputs = %lld are below %lld: several "
                  "groups share an output and a second stage joins them",
                  number(count), number(kWorkgroupCount), number(outputs), number(4 * units));
  }
  const bool sequential = config.variant == NETCL_VARIANT_REDUCTION_SEQUENTIAL;
  const auto most = [&](uint64_t items) {
    return static_cast<uint32_t>(std::min<uint64_t>(items, caps.max_work_group_size));
  };
  config.local_size_1d = native ? 1 : most(sequential ? 64 : static_cast<uint32_t>(kGroupItems));
  config.use_local_memory = !native && !sequential ? 1 : 0;
  config.use_vectorization = sequential ? 0 : 1;
  config.vector_width = sequential ? 1 : native ? 16 : 4;
  if (config.variant == NETCL_VARIANT_REDUCTION_WORKGROUP && config.groups == 0) {
    // By the count alone, so that the bits of a result do not depend on the size of the device.
    const int64_t each = native ? kPieceElements : kGroupElements;
    config.groups = static_cast<uint32_t>(std::clamp<int64_t>(count / each, 1, kGroupsMost));
  }
  set_kernel(&config, variant_kernel(config.variant));
  return config;
}

}  // namespace netcl::ops::variant_rules
