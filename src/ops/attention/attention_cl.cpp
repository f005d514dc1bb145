// The launches of kernels/attention; which of them, choose_form says.
#include <algorithm>
#include <bit>

#include "core/integer.hpp"
#include "ops/attention/attention.hpp"
#include "ops/attention/attention_units.hpp"
#include "ops/frame/enqueue.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::AttentionShape;

// So few queries of a unit read each key once in one group (attention_split.cl).
constexpr int64_t kSplitQueries = 8;
// Keys of a chunk at least, and groups for each compute unit that keys are cut for.
constexpr int64_t kChunkKeys = 256;
constexpr int64_t kChunksPerUnit = 4;
constexpr int64_t kOddGroupsPerUnit = 4;
constexpr int64_t kLocalBytes = 32768;
constexpr int64_t kTileItems = 128;
// Items of a tile for each of its queries, and SLICE of attention_tile.cl.
constexpr int64_t kTileItemsPerQuery = 2;
constexpr int64_t kTileSlice = 32;
// Its local memory for what lies between arrays, flags of the group and what a driver takes.
constexpr int64_t kTileRest = 256;

enum class AttentionForm : uint8_t { tile, split };

// A kernel with its sizes.
struct Choice {
  AttentionForm form;
  int64_t items;    // of a group
  int64_t queries;  // of a group
  int64_t tiles;    // groups for the queries of a unit
  int64_t chunks;   // groups for its keys
  int64_t chunk;    // keys of each

  bool joins() const { return form == AttentionForm::split || chunks > 1; }
};

// Tiles as large as registers hold, but not larger than what there is to do.
void choose_tile(const AttentionShape& shape, int64_t largest_group, Choice* choice) {
  const int64_t together = shape.group() * shape.rows;
  const int64_t half = kTileItems / 2;
  choice->form = AttentionForm::tile;
  choice->items =
      std::min(together * kTileItemsPerQuery <= half ? half : kTileItems, largest_group);
  choice->queries = choice->items / kTileItemsPerQuery;
}

// Sizes of attention_tile.cl that go by the bytes of a real: KEY_PACKS, VALUE_KEYS, MOST_COLUMNS.
struct TileSizes {
  int64_t key_packs, value_keys, most_columns;
};
constexpr TileSizes tile_sizes(int64_t real) {
  return real == 4 ? TileSizes{2, 16, 256} : TileSizes{1, 8, 64};
}

// Bytes of its local memory with all elements of the queries. The kernel checks that it has no
// more.
int64_t whole_tile_bytes(const AttentionShape& shape, int64_t queries, int64_t real) {
  const TileSizes sizes = tile_sizes(real);
  const int64_t columns = std::min(round_up(shape.value_size, kTileSlice), sizes.most_columns);
  const int64_t keys = kTileSlice * (kTileSlice * sizes.key_packs + 4);
  const int64_t values = sizes.value_keys * (queries + 4 + columns + 8);
  const int64_t query = round_up(shape.size, kTileSlice) * queries;
  return (query + std::max(keys, values) + 2 * queries) * real + 3 * queries * 8;
}

Choice choose_form(const AttentionShape& shape, int64_t largest_group, int64_t compute_units) {
  const int64_t together = shape.group() * shape.rows;
  const int64_t real = shape.dtype == NETCL_F64 ? 8 : 4;
  Choice choice{};
  choice.form = together <= kSplitQueries ? AttentionForm::split : AttentionForm::tile;
  // The split kernel has blocks of keys in local memory, which doubles halve.
  choice.items = std::min(kTileItems * 4 / real, largest_group);
  choice.queries = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(together)));
  if (choice.form == AttentionForm::tile) choose_tile(shape, largest_group, &choice);
  choice.tiles = ceil_div(together, choice.queries);
  const int64_t units = shape.batch * shape.kv_heads * choice.tiles;
  const int64_t chunks = std::clamp<int64_t>(kChunksPerUnit * compute_units / units, 1,
                                             std::max<int64_t>(1, shape.keys / kChunkKeys));
  choice.chunk = std::max<int64_t>(1, ceil_div(shape.keys, chunks));
  choice.chunks = std::max<int64_t>(1, ceil_div(shape.keys, choice.chunk));
  return choice;
}

// The same by tiles alone, without pieces that are joined.
Choice one_pass(Choice choice, const AttentionShape& shape, int64_t largest_group) {
  choose_tile(shape, largest_group, &choice);
  choice.tiles = ceil_div(shape.group() * shape.rows, choice.queries);
  choice.chunks = 1;
  choice.chunk = std::max<int64_t>(1, shape.keys);
  return choice;
}

// What chunks of keys gave, for attention_join.cl.
BufferRef partial_memory(const AttentionShape& shape, int64_t chunks, int64_t real,
                         const Run& run) {
  const int64_t rows = shape.batch * shape.heads * shape.rows * chunks;
  return new_memory(static_cast<uint64_t>(rows * (shape.value_size + 2) * real), run);
}

class AttentionLauncher {
 public:
  // With `units`, the scratch of a kernel for matrix units, it does nothing unless that says so.
  AttentionLauncher(const AttentionCall& call, const Buffer* units, const Run& run)
      : call_(call),
        shape_(call.shape),
        units_(units),
        run_(run),
        real_(shape_.dtype == NETCL_F64 ? 8 : 4),
        compute_units_(std::max<int64_t>(run.device().capabilities().compute_units, 1)) {
    const netcl_device_capabilities& caps = run.device().capabilities();
    const int64_t largest =
        static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(caps.max_work_group_size)));
    choice_ = choose_form(shape_, largest, compute_units_);
    if (units_ != nullptr) choice_ = one_pass(choice_, shape_, largest);
    if (choice_.items < 16 || choice_.items < choice_.queries) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "device %s has work-groups of %lld items at most; attention needs 16",
           run.device().info().name, static_cast<long long>(largest));
    }
    if (caps.local_memory_bytes < static_cast<uint64_t>(kLocalBytes)) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "device %s has %llu bytes of local memory; attention takes up to %lld",
           run.device().info().name, static_cast<unsigned long long>(caps.local_memory_bytes),
           static_cast<long long>(kLocalBytes));
    }
  }

  void launch() {
    BufferRef partial;
    if (choice_.joins()) partial = partial_memory(shape_, choice_.chunks, real_, run_);
    launch_sums(partial.get());
    if (partial != nullptr) launch_join(partial.get(), choice_.chunks);
  }

  void launch_join(const Buffer* partial, int64_t chunks) const;

 private:
  std::string flags() const;
  void add_layout(const Layout& layout, Arguments* list) const {
    list->scalar(layout.offset);
    for (uint32_t d = 0; d < layout.rank; ++d) list->scalar(layout.strides[d]);
  }
  void add_operand(const Tensor* tensor, const Layout& layout, Arguments* list) const {
    list->memory(reading(*tensor));
    add_layout(layout, list);
  }
  void add_optional(const TensorRef& tensor, const Layout& layout, Arguments* list) const {
    if (tensor != nullptr) add_operand(tensor.get(), layout, list);
  }
  void add_real(double value, Arguments* list) const {
    if (real_ == 8) {
      list->scalar(value);
    } else {
      list->scalar(static_cast<float>(value));
    }
  }
  void add_result(Arguments* list) const;
  void launch_sums(const Buffer* partial) const;

  const AttentionCall& call_;
  const AttentionShape& shape_;
  const Buffer* const units_;
  const Run& run_;
  const int64_t real_;
  const int64_t compute_units_;
  Choice choice_{};
};

// Those that all kernels have.
std::string AttentionLauncher::flags() const {
  return format("-DX=%s -DREAL=%s -DSIZE=%lld -DVALUE_SIZE=%lld", dtype_facts(shape_.dtype).name,
                real_ == 8 ? "double" : "float", static_cast<long long>(shape_.size),
                static_cast<long long>(shape_.value_size));
}

void AttentionLauncher::add_result(Arguments* list) const {
  list->memory(writing(*call_.result.result));
  add_layout(shape_.result, list);
  if (!shape_.wants_lse) return;
  list->memory(writing(*call_.result.lse));
  add_layout(shape_.lse, list);
}

void AttentionLauncher::launch_sums(const Buffer* partial) const {
  const bool tile = choice_.form == AttentionForm::tile;
  KernelCall call{tile ? "attention_tile.cl" : "attention_split.cl",
                  tile ? "netcl_attention_tile" : "netcl_attention_split",
                  flags() + format(" -DITEMS=%lld", static_cast<long long>(choice_.items))};
  if (tile) {
    const TileSizes sizes = tile_sizes(real_);
    call.flags +=
        format(" -DKEY_PACKS=%lld -DVALUE_KEYS=%lld -DMOST_COLUMNS=%lld -DPARTS=%d",
               static_cast<long long>(sizes.key_packs), static_cast<long long>(sizes.value_keys),
               static_cast<long long>(sizes.most_columns), partial != nullptr ? 1 : 0);
    const int64_t whole = whole_tile_bytes(shape_, choice_.queries, real_);
    if (static_cast<uint64_t>(whole + kTileRest) <=
        run_.device().capabilities().local_memory_bytes) {
      call.flags += format(" -DALL_QUERIES=%lld", static_cast<long long>(whole));
    }
    // The columns of all three lie beside each other.
    const auto packed = [](const Layout& layout) { return layout.strides[3] == 1; };
    if (packed(shape_.q) && packed(shape_.k) && packed(shape_.v)) call.flags += " -DUNIT";
    if (partial == nullptr && shape_.wants_lse) call.flags += " -DLSE";
  } else {
    const auto columns = std::bit_ceil(static_cast<uint64_t>(shape_.value_size));
    call.flags +=
        format(" -DQUERIES=%lld -DLANES=%lld", static_cast<long long>(choice_.queries),
               std::min(static_cast<long long>(columns), static_cast<long long>(choice_.items)));
  }
  const AttentionSettings& settings = call_.settings;
  if (shape_.bias_dtype != 0) {
    call.flags += format(" -DBIAS=%s", dtype_facts(shape_.bias_dtype).name);
  }
  if (shape_.has_mask) call.flags += " -DMASK";
  if (shape_.has_query_lengths) call.flags += " -DQUERY_LENGTHS";
  if (shape_.has_key_lengths) call.flags += " -DKEY_LENGTHS";
  if (shape_.page_size > 0) {
    call.flags += format(" -DPAGED=%lld", static_cast<long long>(shape_.page_size));
  }
  if (shape_.softcap > 0) call.flags += " -DSOFTCAP";
  if (shape_.has_position) call.flags += " -DPOSITION";
  if (units_ != nullptr) call.flags += format(" -DWHEN_ODD=%u", kAttentionScratchOdd / 4);
  call.local[0] = static_cast<uint64_t>(choice_.items);
  const int64_t tiles = shape_.batch * shape_.kv_heads * choice_.tiles * choice_.chunks;
  // Most of the time there is nothing to be made again.
  const int64_t groups =
      units_ == nullptr ? tiles : std::min(tiles, kOddGroupsPerUnit * compute_units_);
  call.global[0] = static_cast<uint64_t>(groups * choice_.items);
  Arguments list;
  add_operand(&call_.q, shape_.q, &list);
  add_operand(&call_.k, shape_.k, &list);
  add_operand(&call_.v, shape_.v, &list);
  for (const int64_t value :
       {shape_.kv_heads, shape_.group(), shape_.rows, shape_.keys, choice_.chunk, choice_.chunks}) {
    list.scalar(value);
  }
  add_real(shape_.softcap > 0 ? shape_.scale / shape_.softcap : shape_.scale, &list);
  add_real(shape_.softcap, &list);
  for (const int64_t value : {shape_.position, shape_.before, shape_.after}) list.scalar(value);
  add_optional(settings.bias, shape_.bias, &list);
  add_optional(settings.mask, shape_.mask, &list);
  add_optional(settings.query_lengths, shape_.query_lengths, &list);
  add_optional(settings.key_lengths, shape_.key_lengths, &list);
  add_optional(settings.block_table, shape_.table, &list);
  if (shape_.page_size > 0) list.scalar(shape_.pages);
  if (tile) {
    list.scalar(choice_.tiles);
    list.scalar(tiles);
  }
  if (partial != nullptr) {
    list.memory(writing(*partial));
  } else {
    add_result(&list);
  }
  if (units_ != nullptr) list.memory(reading(*units_));
  enqueue_kernel(call, list, partial != nullptr ? run_.without_event() : run_);
}

void AttentionLauncher::launch_join(const Buffer* partial, int64_t chunks) const {
  // Each has one column, or a few where groups are small.
  const auto columns = static_cast<int64_t>(
      std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(shape_.value_size, 64))));
  const int64_t items = std::min(choice_.items, columns);
  KernelCall call{"attention_join.cl", "netcl_attention_join",
                  flags() + format(" -DITEMS=%lld", static_cast<long long>(items))};
  if (shape_.wants_lse) call.flags += " -DLSE";
  call.local[0] = static_cast<uint64_t>(items);
  call.global[0] = static_cast<uint64_t>(shape_.batch * shape_.heads * shape_.rows * items);
  Arguments list;
  list.memory(reading(*partial));
  for (const int64_t value : {shape_.kv_heads, shape_.group(), shape_.rows, chunks}) {
    list.scalar(value);
  }
  add_result(&list);
  enqueue_kernel(call, list, run_);
}

}  // namespace

void launch_attention(const AttentionCall& call, const std::optional<UnitsPlan>& units,
                      const Run& run) {
  if (!units) return AttentionLauncher(call, nullptr, run).launch();
  const bool odd = may_be_odd(call.shape);
  const BufferRef partial =
      units->kernel.joins() ? partial_memory(call.shape, units->chunks, 4, run) : nullptr;
  const BufferRef scratch = launch_units(*units, call, partial.get(), run);
  if (partial != nullptr) {
    const Run joining = odd ? run.without_event() : run;
    AttentionLauncher(call, nullptr, joining).launch_join(partial.get(), units->chunks);
  }
  if (odd) AttentionLauncher(call, scratch.get(), run).launch();
}

}  // namespace netcl::ops
