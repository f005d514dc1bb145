#include "ops/attention/attention_units.hpp"

#include <algorithm>
#include <cfloat>
#include <numbers>

#include "core/dtype.hpp"
#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/native.hpp"
#include "ops/matmul/matrix_units.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::AttentionShape;

// Of attention: its variants are numbers from 16 times this on.
constexpr int kVariantOp = NETCL_VARIANT_ATTENTION_PORTABLE / 16;
// Half a block of keys; what fewer would take was not measured.
constexpr int64_t kLeastKeys = 64;
// Under a causal mask tiles of 128 queries are faster with 1024 keys; 192 have 1.13 of PyTorch with
// 16384. Where one overtakes the other was not measured.
constexpr int64_t kLongKeys = 4096;
// Numbers of rows and keys, of which the kernel makes sums of 32 bits.
constexpr int64_t kExtentMost = int64_t{1} << 28;
// How far a query sees where there is no window.
constexpr int64_t kWithout = int64_t{1} << 30;
// Elements that tensor maps count in, and pairs of results.
constexpr int64_t kHeadGrain = 8, kPair = 2;
constexpr int64_t kBytes = 2;
// Where tiles of keys are few, tiles for each compute unit that they are cut for, and blocks of a
// chunk at least, unless even that leaves compute units idle.
constexpr int64_t kTilesPerUnit = 2, kChunkBlocks = 4;
// Queries of a warpgroup.
constexpr int64_t kTileQueries = 64;
// What the keys and values of heads that are gone through together may take of the cache.
constexpr int64_t kCacheBytes = int64_t{16} << 20;

bool every(const Layout& layout, int64_t grain) {
  const auto fits = [&](int64_t value) { return value % grain == 0; };
  if (!fits(layout.offset) || (layout.strides[3] != 1 && layout.shape[3] != 1)) return false;
  for (uint32_t d = 0; d < 3; ++d) {
    if (layout.shape[d] != 1 && !fits(layout.strides[d])) return false;
  }
  return true;
}

// As a tensor map has it: rows and heads go forward.
bool mapped(const Layout& layout) {
  const auto forward = [&](uint32_t d) { return layout.shape[d] == 1 || layout.strides[d] > 0; };
  return every(layout, kHeadGrain) && layout.shape[3] % kHeadGrain == 0 && forward(1) && forward(2);
}

// First byte, and bytes from sequence to sequence, head to head, row to row. A dimension of extent
// 1 has no stride, and any that fits will do.
void add_place(const Layout& layout, int64_t size, Arguments* list) {
  list->scalar(layout.offset * size);
  for (uint32_t d = 0; d < 3; ++d) {
    const bool one = d >= layout.rank || layout.shape[d] == 1;
    list->scalar((one ? kHeadGrain : layout.strides[d]) * size);
  }
}

void add_length(const Layout& layout, Arguments* list) {
  const bool there = layout.rank != 0;
  list->scalar(there ? layout.offset * 4 : int64_t{0});
  list->scalar(there ? layout.strides[0] * 4 : int64_t{0});
}

void words(Arguments* list, std::initializer_list<int64_t> values) {
  for (const int64_t value : values) list->scalar(static_cast<int32_t>(value));
}

KernelCall call_of(const std::string& name, FunctionRef<std::string()>* text, int64_t items,
                   int64_t groups) {
  KernelCall call{nullptr, name.c_str(), ""};
  call.assembled = text;
  call.local[0] = static_cast<uint64_t>(items);
  call.global[0] = static_cast<uint64_t>(items * groups);
  return call;
}

void launch_setup(const UnitsPlan& plan, const AttentionCall& call, const Buffer& scratch,
                  const Run& run) {
  const AttentionShape& shape = call.shape;
  const auto make = [&] { return attention_setup_text(plan.kernel); };
  FunctionRef<std::string()> text = make;
  const std::string name = attention_setup_name(plan.kernel);
  const int64_t set = plan.kernel.joins() ? shape.group() : 1;
  Arguments list;
  for (const Tensor* tensor : {&call.q, &call.k, &call.v}) list.memory(reading(*tensor));
  list.memory(writing(scratch));
  list.memory(access_to(call.settings.query_lengths.get(), false));
  list.memory(access_to(call.settings.key_lengths.get(), false));
  for (const Layout* layout : {&shape.q, &shape.k, &shape.v}) add_place(*layout, kBytes, &list);
  list.scalar((shape.heads == 1 ? kHeadGrain : set * shape.q.strides[1]) * kBytes);
  add_length(shape.query_lengths, &list);
  add_length(shape.key_lengths, &list);
  words(&list, {set, shape.heads / set, shape.kv_heads, shape.rows, plan.tile_rows, shape.keys,
                shape.size, shape.value_size, shape.has_query_lengths ? 1 : 0,
                shape.has_key_lengths ? 1 : 0, shape.has_position ? 1 : 0, shape.position});
  enqueue_kernel(call_of(name, &text, 32, shape.batch), list, run);
}

int64_t section_of(const AttentionShape& shape, const UnitsPlan& plan) {
  const int64_t bytes = std::max<int64_t>(shape.keys * (shape.size + shape.value_size) * kBytes, 1);
  const int64_t kv_heads = std::max<int64_t>(kCacheBytes / bytes, 1);
  return std::min(plan.kernel.joins() ? kv_heads : kv_heads * shape.group(), plan.sets);
}

// Why matrix units do not take a call; null where they do.
const char* obstacle(const AttentionShape& shape) {
  if (shape.dtype != NETCL_F16 && shape.dtype != NETCL_BF16) return "q is neither f16 nor bf16";
  if (shape.bias_dtype != 0) return "there is a bias";
  if (shape.has_mask) return "there is a mask";
  if (shape.page_size != 0) return "keys and values are pages";
  if (shape.softcap != 0.0) return "there is a softcap";
  if (shape.keys < kLeastKeys) return "there are fewer than 64 keys";
  if (!(shape.scale > 0)) return "the scale is not above 0";
  if (shape.scale * std::numbers::log2e > FLT_MAX) return "the scale is beyond f32";
  if (std::max({shape.rows, shape.keys, shape.position}) >= kExtentMost ||
      shape.position <= -kExtentMost || shape.batch * shape.heads * shape.rows >= kWithout) {
    return "there are too many queries or keys";
  }
  if (!mapped(shape.q)) return "q does not lie at multiples of 16 bytes";
  if (!mapped(shape.k)) return "k does not lie at multiples of 16 bytes";
  if (!mapped(shape.v)) return "v does not lie at multiples of 16 bytes";
  return nullptr;
}

// Few rows: tiles are those of all heads that share keys, and keys are cut into chunks.
void cut_keys(const AttentionShape& shape, int64_t units, UnitsPlan* plan) {
  const int64_t blocks = ceil_div(shape.keys, plan->kernel.keys());
  plan->kernel.warpgroups = 1;
  plan->sets = shape.batch * shape.kv_heads;
  plan->tile_rows = std::min(kTileQueries / shape.group(), shape.rows);
  const int64_t tiles = plan->sets * plan->tiles(shape.rows);
  const int64_t wanted = ceil_div(kTilesPerUnit * units, tiles);
  const int64_t chunks = std::clamp<int64_t>(
      std::max(std::min(wanted, blocks / kChunkBlocks), ceil_div(units, tiles)), 1, blocks);
  plan->chunk_blocks = ceil_div(blocks, chunks);
  plan->chunks = ceil_div(blocks, plan->chunk_blocks);
}

}  // namespace

bool may_be_odd(const AttentionShape& shape) {
  // One row that stands at the last key sees all.
  const bool all = shape.rows == 1 && !shape.has_position && shape.before < 0;
  return (shape.before >= 0 || shape.after >= 0) && !all;
}

std::optional<UnitsPlan> plan_units(const AttentionShape& shape, int64_t units) {
  if (obstacle(shape) != nullptr) return {};
  UnitsPlan plan;
  AttentionUnits& kernel = plan.kernel;
  kernel.dtype = shape.dtype;
  kernel.size = static_cast<uint32_t>(round_up(shape.size, 64));
  kernel.value_size = static_cast<uint32_t>(round_up(shape.value_size, 64));
  // Blocks of 128 keys fit tiles of 128 queries better where each query sees another number.
  const bool few = may_be_odd(shape) && shape.keys < kLongKeys;
  kernel.warpgroups = kernel.size == 64 && kernel.value_size == 64 && !few ? 3 : 2;
  plan.sets = shape.batch * shape.heads;
  plan.tile_rows = kernel.queries();
  plan.chunks = 1;
  plan.chunk_blocks = kWithout;
  const bool idle = plan.sets * plan.tiles(shape.rows) < units;
  const bool together = shape.group() * shape.rows <= kTileQueries;
  if (shape.group() <= kTileQueries && (idle || together)) cut_keys(shape, units, &plan);
  return plan;
}

std::optional<UnitsPlan> choose_units(const AttentionShape& shape, netcl_variant request,
                                      const Run& run) {
  const variant_rules::Wanted wanted = variant_rules::wanted_variant(request, kVariantOp);
  if (wanted.variant == NETCL_VARIANT_ATTENTION_PORTABLE) return {};
  const auto without = [&](const char* why) -> std::optional<UnitsPlan> {
    if (wanted.variant != 0) variant_rules::refuse(wanted, "%s", why);
    return {};
  };
  Device& device = run.device();
  if (runs_native(device)) return without("the built-in loops use no matrix units");
  if (const char* const why = obstacle(shape)) return without(why);
  if (matrix_units(device) != NETCL_MATRIX_UNITS_WGMMA) {
    return without(no_matrix_units(device).c_str());
  }
  const int64_t units = std::max<int64_t>(device.capabilities().compute_units, 1);
  const std::optional<UnitsPlan> plan = plan_units(shape, units);
  const AttentionUnits& kernel = plan->kernel;
  const auto setup = [&] { return attention_setup_text(kernel); };
  const auto text = [&] { return attention_units_text(kernel); };
  if (!builds_units(device, attention_setup_name(kernel), setup) ||
      !builds_units(device, attention_units_name(kernel), text)) {
    return without("the driver does not build the kernels");
  }
  return plan;
}

BufferRef launch_units(const UnitsPlan& plan, const AttentionCall& call, const Buffer* partial,
                       const Run& run) {
  const AttentionShape& shape = call.shape;
  const AttentionUnits& kernel = plan.kernel;
  const BufferRef scratch = new_memory(
      kAttentionScratchHead + static_cast<uint64_t>(shape.batch) * kAttentionScratchEach, run);
  launch_setup(plan, call, *scratch, run.without_event());
  const auto make = [&] { return attention_units_text(kernel); };
  FunctionRef<std::string()> text = make;
  const std::string name = attention_units_name(kernel);
  const int64_t tiles = plan.tiles(shape.rows);
  const int64_t units = std::max<int64_t>(run.device().capabilities().compute_units, 1);
  const auto reach = [](int64_t seen) { return seen < 0 ? kWithout : std::min(seen, kWithout); };
  Arguments list;
  list.memory(writing(*scratch));
  for (const Tensor* tensor : {&call.q, &call.k, &call.v}) list.memory(reading(*tensor));
  if (partial != nullptr) {
    list.memory(writing(*partial));
  } else {
    list.memory(writing(*call.result.result));
    list.memory(access_to(call.result.lse.get(), true));
    add_place(shape.result, kBytes, &list);
    add_place(shape.lse, 4, &list);
    list.scalar(shape.result.strides[3] * kBytes);
  }
  words(&list,
        {plan.sets / shape.batch, shape.group(), plan.sets, section_of(shape, plan), shape.rows,
         tiles, shape.value_size, reach(shape.before), reach(shape.after), shape.wants_lse ? 1 : 0,
         every(shape.result, kPair) ? 1 : 0, plan.tile_rows, plan.chunks, plan.chunk_blocks});
  list.scalar(static_cast<float>(shape.scale * std::numbers::log2e));
  const bool last = partial == nullptr && !may_be_odd(shape);
  enqueue_kernel(
      call_of(name, &text, kernel.items(), std::min(units, plan.sets * tiles * plan.chunks)), list,
      last ? run : run.without_event());
  return scratch;
}

}  // namespace netcl::ops
