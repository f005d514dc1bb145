// Attention by matrix units. A group has two to four warpgroups: the first copies blocks of keys
// and values, each other has 64 queries and goes over the blocks, the last first.
#include <algorithm>

#include "core/dtype.hpp"
#include "ops/attention/attention_writer.hpp"

namespace netcl::ops {
namespace {

constexpr uint32_t kStagesMost = 4;
// Barriers of 8 bytes: of tiles of queries and of blocks of keys and of values, full and empty.
constexpr uint32_t kQueriesFull = 0, kQueriesEmpty = 2, kKeysFull = 4, kKeysEmpty = 8;
constexpr uint32_t kValuesFull = 12, kValuesEmpty = 16, kBarriers = 20;
// Named barriers: 1 to 3 are the turns of the warpgroups, from 4 on each has one for itself.
constexpr uint32_t kBarrierOfEmpty = 4;
// The numbers of the tiles lie behind the barriers; this one says that there are no more.
constexpr uint32_t kAtTiles = 8 * kBarriers, kNoTile = 0xffffffff;

}  // namespace

AttentionWriter::AttentionWriter(const AttentionUnits& kernel)
    : k_(kernel),
      groups_(kernel.warpgroups),
      keys_(kernel.keys()),
      q_bytes_(2 * kernel.queries() * kernel.size),
      k_bytes_(2 * keys_ * kernel.size),
      v_bytes_(2 * keys_ * kernel.value_size) {
  const uint32_t room = kWgmmaLocalBytes - kAtTiles - 16;
  q_stages_ = 2 * (q_bytes_ + k_bytes_ + v_bytes_) <= room ? 2 : 1;
  stages_ = std::min((room - q_stages_ * q_bytes_) / (k_bytes_ + v_bytes_), kStagesMost);
  at_k_ = q_stages_ * q_bytes_;
  at_v_ = at_k_ + stages_ * k_bytes_;
  at_barriers_ = at_v_ + stages_ * v_bytes_;
  local_bytes_ = at_barriers_ + kAtTiles + 16;
}

std::string AttentionWriter::text() {
  head();
  setup();
  producer();
  consumers();
  add("END:\n ret;\n}\n");
  return take();
}

void AttentionWriter::head() {
  begin(attention_units_name(k_));
  add(" .param .u64 .ptr .global .align 128 scratch,");
  for (const char* name : {"q", "k", "v"}) {
    add(" .param .u64 .ptr .global .align 16 %s_read,", name);
  }
  if (k_.joins()) {
    add(" .param .u64 .ptr .global .align 8 sums,");
  } else {
    add(" .param .u64 .ptr .global .align 2 result, .param .u64 .ptr .global .align 4 lse,");
    for (const char* name : {"result", "lse"}) {
      for (const char* what : {"first", "batch", "head", "row"}) {
        add(" .param .u64 %s_%s,", name, what);
      }
    }
    add(" .param .u64 result_column,");
  }
  for (const char* name : {"sets", "shared", "all_sets", "section", "rows", "tiles_m",
                           "value_size", "before", "after", "wants_lse", "pairs", "tile_rows",
                           "chunks", "chunk_blocks"}) {
    add(" .param .u32 p_%s,", name);
  }
  add(" .param .f32 p_scale\n)\n.reqntid %u, 1, 1\n.minnctapersm 1\n{", k_.items());
  add(" .shared .align 1024 .b8 local_memory[%u];", local_bytes_);
  add(" .reg .pred over, ready, is_one, sound, masked, pairs, p0, p1;");
  add(" .reg .b32 item, local, barriers, tile, tiles, tiles_m, tile_step, sets, shared, section;");
  add(" .reg .b32 all_sets, rows, before, after, set, kv_head, batch, row, queries, keys, chunk;");
  add(" .reg .b32 chunks, tile_rows, own0, own1, own_first, own_last;");
  add(" .reg .b32 position, block, first_block, stage, parity, turn, q_parity, last_stage;");
  add(" .reg .b32 last_parity, full, empty, warpgroup, warp, lane, x, y, z, w, at;");
  add(" .reg .b32 low0, high0, low1, high1, part<%u>;", keys_ / 2);
  add(" .reg .b64 info, map_q, map_k, map_v, counter, u, v, q_base, k_base, v_base, q_at, k_at;");
  add(" .reg .b64 v_at, w64;\n .reg .b16 h0, h1;");
  add(" .reg .f32 score<%u>, sum<%u>, scale, most0, most1, weights0, weights1, factor0, factor1;",
      keys_ / 2, k_.value_size / 2);
  add(" .reg .f32 shifted0, shifted1, f0, f1, f2, f3;");
}

// Rows that no tile has stay zeros: what they are must not change how those beside them are
// rounded.
void AttentionWriter::clear_queries() {
  add(" mov.u32 z, 0;\n mad.lo.u32 x, item, 16, local;");
  for (uint32_t at = 0; at < q_stages_ * q_bytes_; at += 16 * k_.items()) {
    add(" st.shared.v4.b32 [x+%u], {z, z, z, z};", at);
  }
  add(" fence.proxy.async.shared::cta;");
}

void AttentionWriter::setup() {
  add(" mov.u32 item, %%tid.x;\n mov.u32 local, local_memory;");
  add(" add.u32 barriers, local, %u;", at_barriers_);
  for (const char* name : {"sets", "shared", "all_sets", "section", "rows", "tiles_m", "before",
                           "after", "tile_rows", "chunks"}) {
    add(" ld.param.u32 %s, [p_%s];", name, name);
  }
  add(" mul.lo.u32 tiles, tiles_m, all_sets;\n mul.lo.u32 tiles, tiles, chunks;");
  add(" ld.param.u64 counter, [scratch];\n cvta.to.global.u64 counter, counter;");
  add(" mov.u32 tile, %%ctaid.x;\n mov.u32 tile_step, %%nctaid.x;");
  if (k_.joins()) clear_queries();
  add(" setp.ne.u32 over, item, 0;\n @over bra READY;");
  const auto init = [&](uint32_t first, uint32_t count, uint32_t arrivals) {
    for (uint32_t i = 0; i < count; ++i) {
      add(" mbarrier.init.shared::cta.b64 [barriers+%u], %u;", 8 * (first + i), arrivals);
    }
  };
  init(kQueriesFull, q_stages_, 1);
  init(kQueriesEmpty, q_stages_, groups_);
  for (const uint32_t full : {kKeysFull, kValuesFull}) {
    init(full, stages_, 1);
    init(full + kStagesMost, stages_, groups_);
  }
  add(" fence.mbarrier_init.release.cluster;");
  add("READY:\n barrier.sync 0;\n shr.u32 warpgroup, item, 7;");
  add(" mov.u32 stage, 0;\n mov.u32 turn, 0;");
  add(" setp.ne.u32 over, warpgroup, 0;\n @over bra CONSUMER;");
}

// From the number of a tile its sequence, set of heads, first row and chunk of keys, what is known
// of the sequence, and the blocks [first_block, block) of keys that its rows see. The last tiles of
// rows come first: where there is a causal mask they see most. Sets of a section are gone through
// together, so that their keys stay in the cache.
void AttentionWriter::place_of_tile() {
  add(" div.u32 y, tile, chunks;\n mul.lo.u32 x, y, chunks;\n sub.u32 chunk, tile, x;");
  add(" mov.u32 z, y;\n mul.lo.u32 x, section, tiles_m;\n div.u32 y, z, x;");
  add(" mul.lo.u32 x, y, x;\n sub.u32 x, z, x;\n mul.lo.u32 y, y, section;");
  add(" sub.u32 z, all_sets, y;\n min.u32 z, z, section;\n div.u32 w, x, z;");
  add(" mul.lo.u32 z, w, z;\n sub.u32 x, x, z;\n add.u32 set, y, x;");
  add(" sub.u32 row, tiles_m, w;\n sub.u32 row, row, 1;\n mul.lo.u32 row, row, tile_rows;");
  add(" div.u32 batch, set, sets;\n mul.lo.u32 x, batch, sets;\n sub.u32 set, set, x;");
  if (k_.joins()) {
    add(" mov.u32 kv_head, set;");
  } else {
    add(" div.u32 kv_head, set, shared;");
  }
  add(" mul.wide.u32 u, batch, %u;\n add.u64 info, counter, u;", kAttentionScratchEach);
  add(" add.u64 info, info, %u;", kAttentionScratchHead);
  add(" ld.global.v4.b32 {queries, keys, position, x}, [info+%u];", 3 * kTensorMapBytes);
  add(" setp.ne.u32 sound, x, 0;");
  // The last row that is there sees the last key.
  add(" add.u32 x, row, tile_rows;\n min.s32 x, x, queries;\n add.s32 x, x, position;");
  add(" add.s32 x, x, after;\n min.s32 x, x, keys;\n max.s32 x, x, 0;");
  add(" add.s32 y, row, position;\n sub.s32 y, y, before;\n max.s32 y, y, 0;");
  add(" setp.ge.s32 over, row, queries;\n @over mov.u32 x, 0;");
  const uint32_t digits = keys_ == 128 ? 7 : 6;
  add(" shr.u32 first_block, y, %u;\n add.u32 block, x, %u;\n shr.u32 block, block, %u;", digits,
      keys_ - 1, digits);
  if (!k_.joins()) return;
  add(" ld.param.u32 x, [p_chunk_blocks];\n mul.lo.u32 y, chunk, x;");
  add(" max.u32 first_block, first_block, y;\n add.u32 y, y, x;\n min.u32 block, block, y;");
}

void AttentionWriter::next_stage() {
  add(" add.u32 stage, stage, 1;\n setp.eq.u32 over, stage, %u;", stages_);
  add(" @over mov.u32 stage, 0;\n @over xor.b32 parity, parity, 1;");
}

void AttentionWriter::next_queries() {
  add(" add.u32 turn, turn, 1;\n setp.eq.u32 over, turn, %u;", q_stages_);
  add(" @over mov.u32 turn, 0;\n @over xor.b32 q_parity, q_parity, 1;");
}

void AttentionWriter::barrier_of(const char* stage, uint32_t first, const char* into) {
  add(" mad.lo.u32 %s, %s, 8, barriers;\n add.u32 %s, %s, %u;", into, stage, into, into, 8 * first);
}

// Copies rows in boxes of 64 elements, from x on; `from` are the further coordinates, `full` is the
// barrier.
void AttentionWriter::load(char name, uint32_t size, uint32_t rows, const char* from) {
  for (uint32_t i = 0; i < size / 64; ++i) {
    add(" mov.u32 y, %u;", 64 * i);
    add(" cp.async.bulk.tensor.%cd.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[x+%u], [map_%c, {y, %s}], [full];", name == 'q' ? '4' : '3', i * rows * kWgmmaRowBytes,
        name, from);
  }
}

void AttentionWriter::load_queries() {
  // A tile's rows may be fewer than there is room for.
  add(" mov.u32 x, tile_rows;");
  if (k_.joins()) add(" mul.lo.u32 x, x, shared;");
  add(" mul.lo.u32 x, x, %u;\n mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], x;",
      2 * k_.size);
  add(" mad.lo.u32 x, turn, %u, local;\n mov.u32 z, 0;", q_bytes_);
  load('q', k_.size, k_.queries(), "z, row, set");
}

void AttentionWriter::load_block(char name, uint32_t size, uint32_t first, uint32_t bytes) {
  barrier_of("stage", name == 'k' ? kKeysFull : kValuesFull, "full");
  add(" add.u32 empty, full, %u;", 8 * kStagesMost);
  wait_for("empty", "parity");
  add(" mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], %u;", bytes);
  add(" mad.lo.u32 x, stage, %u, local;\n add.u32 x, x, %u;", bytes, first);
  load(name, size, keys_, "at, kv_head");
}

// One item of the first warpgroup fills the stages.
void AttentionWriter::producer() {
  // Two warpgroups have registers enough.
  if (groups_ > 1) add(" setmaxnreg.dec.sync.aligned.u32 %u;", groups_ == 2 ? 40 : 32);
  add(" setp.ne.u32 over, item, 0;\n @over bra END;");
  add(" mov.u32 parity, 1;\n mov.u32 q_parity, 1;");
  add("FILL_TILE:");
  barrier_of("turn", kQueriesFull, "full");
  barrier_of("turn", kQueriesEmpty, "empty");
  wait_for("empty", "q_parity");
  add(" mad.lo.u32 z, turn, 4, barriers;\n setp.lt.u32 over, tile, tiles;\n @over bra FILL;");
  add(" mov.u32 x, 0x%x;\n st.shared.u32 [z+%u], x;", kNoTile, kAtTiles);
  add(" mbarrier.arrive.shared::cta.b64 _, [full];\n bra END;");
  add("FILL:\n st.shared.u32 [z+%u], tile;", kAtTiles);
  place_of_tile();
  add(" cvta.global.u64 map_q, info;\n add.u64 map_k, map_q, %u;\n add.u64 map_v, map_q, %u;",
      kTensorMapBytes, 2 * kTensorMapBytes);
  for (const char* map : {"map_q", "map_k", "map_v"}) {
    add(" fence.proxy.tensormap::generic.acquire.gpu [%s], %u;", map, kTensorMapBytes);
  }
  load_queries();
  next_queries();
  add("FILL_BLOCK:\n setp.le.u32 over, block, first_block;\n @over bra FILLED;");
  add(" sub.u32 block, block, 1;\n mul.lo.u32 at, block, %u;", keys_);
  load_block('k', k_.size, at_k_, k_bytes_);
  load_block('v', k_.value_size, at_v_, v_bytes_);
  next_stage();
  add(" bra FILL_BLOCK;");
  add("FILLED:\n atom.global.add.u32 tile, [counter], 1;\n add.u32 tile, tile, tile_step;");
  add(" bra FILL_TILE;");
}

void AttentionWriter::hand_back(const char* stage, uint32_t first) {
  barrier_of(stage, first, "x");
  add(" @is_one mbarrier.arrive.shared::cta.b64 _, [x];");
}

// Starts the products of the warpgroup's queries with the keys of the stage.
void AttentionWriter::score() {
  barrier_of("stage", kKeysFull, "full");
  wait_for("full", "parity");
  add(" mul.wide.u32 u, stage, %u;\n add.u64 k_at, k_base, u;", k_bytes_ >> 4);
  add(" mov.b64 v, q_at;\n wgmma.fence.sync.aligned;");
  const char* const name = wgmma_element(k_.dtype);
  for (uint32_t step = 0; step < k_.size / 16; ++step) {
    add(" wgmma.mma_async.sync.aligned.m64n%uk16.f32.%s.%s {", keys_, name, name);
    for (uint32_t i = 0; i < keys_ / 2; ++i) add("%sscore%u", i == 0 ? "  " : "  ,", i);
    add("  }, v, k_at, %d, 1, 1, 0, 0;", step == 0 ? 0 : 1);
    if (step + 1 == k_.size / 16) break;
    // 16 elements on in a box, or at the beginning of the next.
    const bool next = step % 4 == 3;
    const uint32_t back = 3 * 2;
    add(" add.u64 v, v, %u;", next ? (k_.queries() * kWgmmaRowBytes >> 4) - back : 2);
    add(" add.u64 k_at, k_at, %u;", next ? (keys_ * kWgmmaRowBytes >> 4) - back : 2);
  }
  add(" wgmma.commit_group.sync.aligned;");
}

// Starts the sum of the values of a stage by weight.
void AttentionWriter::add_values() {
  barrier_of("last_stage", kValuesFull, "full");
  wait_for("full", "last_parity");
  add(" mul.wide.u32 u, last_stage, %u;\n add.u64 v_at, v_base, u;", v_bytes_ >> 4);
  add(" wgmma.fence.sync.aligned;");
  const char* const name = wgmma_element(k_.dtype);
  for (uint32_t step = 0; step < keys_ / 16; ++step) {
    add(" wgmma.mma_async.sync.aligned.m64n%uk16.f32.%s.%s {", k_.value_size, name, name);
    for (uint32_t i = 0; i < k_.value_size / 2; ++i) add("%ssum%u", i == 0 ? "  " : "  ,", i);
    add("  }, {part%u, part%u, part%u, part%u}, v_at, 1, 1, 1, 1;", 4 * step, 4 * step + 1,
        4 * step + 2, 4 * step + 3);
    if (step + 1 < keys_ / 16) add(" add.u64 v_at, v_at, %u;", 16 * kWgmmaRowBytes >> 4);
  }
  add(" wgmma.commit_group.sync.aligned;");
}

// The rows of an item, eight apart in the tile, and the first and last of the warpgroup.
void AttentionWriter::own_rows() {
  add(" shr.u32 x, lane, 2;\n mad.lo.u32 own0, warp, 16, x;\n add.u32 own1, own0, 8;");
  if (k_.joins()) {
    add(" div.u32 own0, own0, shared;\n div.u32 own1, own1, shared;\n mov.u32 own_first, row;");
    add(" add.u32 own_last, row, tile_rows;\n sub.u32 own_last, own_last, 1;");
  } else {
    add(" mad.lo.u32 own_first, warpgroup, 64, row;\n add.u32 own_last, own_first, 63;");
  }
  add(" add.u32 own0, own0, own_first;\n add.u32 own1, own1, own_first;");
}

// Products of a block run while the weights of the one before are added up.
void AttentionWriter::block_loop() {
  add("BLOCK:\n mov.u32 last_stage, stage;\n mov.u32 last_parity, parity;");
  next_stage();
  add(" setp.le.u32 over, block, first_block;\n @over bra LAST;\n sub.u32 block, block, 1;");
  if (groups_ > 1) add(" add.u32 z, warpgroup, 1;\n barrier.sync z, 256;");
  score();
  add_values();
  if (groups_ > 1) {
    add(" add.u32 z, warpgroup, 2;\n setp.eq.u32 over, z, %u;\n @over mov.u32 z, 1;", groups_ + 1);
    add(" barrier.arrive z, 256;");
  }
  add(" wgmma.wait_group.sync.aligned 1;");
  hand_back("stage", kKeysEmpty);
  mask();
  weigh();
  add(" wgmma.wait_group.sync.aligned 0;");
  hand_back("last_stage", kValuesEmpty);
  for (uint32_t i = 0; i < k_.value_size / 2; ++i) {
    add(" mul.f32 sum%u, sum%u, factor%u;", i, i, i % 4 / 2);
  }
  round();
  add(" bra BLOCK;\nLAST:");
  hand_back("turn", kQueriesEmpty);
  next_queries();
  add_values();
  add(" wgmma.wait_group.sync.aligned 0;");
  hand_back("last_stage", kValuesEmpty);
}

void AttentionWriter::consumers() {
  add("CONSUMER:");
  if (groups_ > 1) add(" setmaxnreg.inc.sync.aligned.u32 %u;", groups_ == 2 ? 232 : 160);
  add(" mov.u32 parity, 0;\n mov.u32 q_parity, 0;\n ld.param.f32 scale, [p_scale];");
  add(" sub.u32 warpgroup, warpgroup, 1;\n and.b32 y, item, 127;\n and.b32 lane, item, 31;");
  add(" shr.u32 warp, y, 5;\n setp.eq.u32 is_one, y, 0;");
  add(" mad.lo.u32 y, warpgroup, %u, local;", 64 * kWgmmaRowBytes);
  descriptor("y", 16, "q_base");
  add(" add.u32 y, local, %u;", at_k_);
  descriptor("y", 16, "k_base");
  add(" add.u32 y, local, %u;", at_v_);
  descriptor("y", keys_ * kWgmmaRowBytes, "v_base");
  // The warpgroups start their products in turn, so that the weights of one are worked out while
  // the units have the products of another.
  if (groups_ > 1) {
    add(" setp.ne.u32 over, warpgroup, %u;\n @over bra TILE;\n barrier.arrive 1, 256;",
        groups_ - 1);
  }
  add("TILE:");
  barrier_of("turn", kQueriesFull, "full");
  wait_for("full", "q_parity");
  add(" mad.lo.u32 z, turn, 4, barriers;\n ld.shared.u32 tile, [z+%u];", kAtTiles);
  add(" setp.eq.u32 over, tile, 0x%x;\n @over bra END;", kNoTile);
  place_of_tile();
  add(" mul.wide.u32 u, turn, %u;\n add.u64 q_at, q_base, u;", q_bytes_ >> 4);
  own_rows();
  for (uint32_t i = 0; i < k_.value_size / 2; ++i) add(" mov.f32 sum%u, 0f00000000;", i);
  add(" mov.f32 most0, 0fFF800000;\n mov.f32 most1, most0;\n mov.f32 weights0, 0f00000000;");
  add(" mov.f32 weights1, weights0;\n setp.ne.u32 masked, item, item;");
  add(" setp.gt.u32 over, block, first_block;\n @over bra SOME;");
  // The number of the tile may be overwritten from here on: all have to have read it. Elsewhere
  // products that all take part in come before.
  add(" add.u32 z, warpgroup, %u;\n barrier.sync z, 128;", kBarrierOfEmpty);
  hand_back("turn", kQueriesEmpty);
  next_queries();
  add(" bra RESULTS;\nSOME:\n sub.u32 block, block, 1;");
  score();
  add(" wgmma.wait_group.sync.aligned 0;");
  hand_back("stage", kKeysEmpty);
  mask();
  weigh();
  round();
  block_loop();
  add("RESULTS:");
  results();
  add(" bra TILE;");
}

std::string attention_units_name(const AttentionUnits& k) {
  return format("netcl_attention_matrix_units_%s_%ux%u_%u", wgmma_element(k.dtype), k.size,
                k.value_size, k.queries());
}

std::string attention_units_text(const AttentionUnits& kernel) {
  return AttentionWriter(kernel).text();
}

}  // namespace netcl::ops
