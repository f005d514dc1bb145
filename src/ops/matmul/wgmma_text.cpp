#include "ops/matmul/wgmma_text.hpp"

#include <algorithm>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "ops/matmul/wgmma_writer.hpp"

namespace netcl::ops {

WgmmaWriter::WgmmaWriter(const WgmmaKernel& kernel)
    : k_(kernel),
      element_(static_cast<uint32_t>(dtype_size(kernel.dtype))),
      groups_(kernel.tile_m / 64),
      a_bytes_(kernel.tile_m * kernel.row_bytes),
      b_bytes_(kernel.tile_n * kernel.row_bytes),
      boxes_(kernel.tile_n / 64) {
  const uint32_t after = boxed() ? groups_ * kWgmmaStoreBoxes * kWgmmaBoxBytes : 0;
  const uint32_t rest = after + kWgmmaScratch + 16 * kWgmmaStagesMost;
  stages_ = std::min((kWgmmaLocalBytes - rest) / (a_bytes_ + b_bytes_), kWgmmaStagesMost);
  at_b_ = stages_ * a_bytes_;
  at_store_ = at_b_ + stages_ * b_bytes_;
  at_maps_ = at_store_ + after;
  at_barriers_ = at_maps_ + kWgmmaScratch;
  local_bytes_ = at_barriers_ + 16 * kWgmmaStagesMost;
}

std::string WgmmaWriter::text() {
  head();
  setup();
  producer();
  consumers();
  add("END:\n ret;\n}\n");
  return take();
}

void WgmmaWriter::parameters() {
  add(" .param .u64 .ptr .global .align 16 a, .param .u64 .ptr .global .align 16 b,");
  add(" .param .u64 .ptr .global .align 128 scratch, .param .u64 .ptr .global .align 2 c,");
  if (k_.bias_dtype != 0) add(" .param .u64 .ptr .global .align 2 bias,");
  for (const char* name : {"a", "b", "c", "bias"}) {
    if (name[1] != 0 && k_.bias_dtype == 0) continue;
    for (const char* what : {"first", "row", "matrix", "stack"}) {
      add(" .param .u64 %s_%s,", name, what);
    }
  }
  add(" .param .u64 c_piece, .param .u64 scratch_first,");
  for (const char* name : {"m", "n", "k", "matrices", "stacks", "a_matrices", "a_stacks",
                           "b_matrices", "b_stacks", "pieces", "depth"}) {
    add(" .param .u32 p_%s,", name);
  }
  if (k_.windows) window_parameters();
  const char* const real = k_.whole() ? "u32" : "f32";
  add(" .param .%s p_alpha, .param .%s p_slope, .param .%s p_shift", real, real, real);
}

void WgmmaWriter::head() {
  // Integers of two signs came with 8.4.
  begin(wgmma_name(k_), k_.b_dtype == k_.dtype ? "8.3" : "8.4");
  parameters();
  add(")\n.reqntid %u, 1, 1\n.minnctapersm 1\n{", wgmma_items(k_));
  add(" .shared .align 1024 .b8 local_memory[%u];", local_bytes_);
  add(" .reg .pred over, ready, is_first, is_one, fits, high, low;");
  add(" .reg .b32 item, local, barriers, tile, tiles, tile_step, tiles_m, tiles_n, per_matrix;");
  add(" .reg .b32 m, n, k, matrices, pieces, depth, all_stages;");
  add(" .reg .b32 row, column, matrix, stack, piece;");
  add(" .reg .b32 first_stage, stage_count, at, stage, parity, full, empty, x, y, z, place;");
  add(" .reg .b32 in_a, in_b, warpgroup, warp, lane, before, old_row, old_column, old_matrix;");
  add(" .reg .b32 old_stack, store, store_lane, swizzle, h0, h1;");
  add(" .reg .b64 map_a, map_b, map_c, u, v, desc_a, desc_b, base_a, base_b, top, bottom;");
  const uint32_t sums = k_.strict ? 8 * fma_shape(k_).columns : k_.tile_n / 2;
  add(" .reg .%s sum<%u>, alpha, slope, shift, f0, f1, f2, f3;", sum_type(), sums);
  add(" .reg .f32 t0, t1, t2, t3, t4, t5;");
  add(" .reg .b16 p0, p1;");
  if (boxed()) add(" .reg .pred pending;\n .reg .b32 held<%u>;", k_.tile_n / 4);
  if (k_.windows) window_registers();
  if (k_.bias_dtype != 0) {
    add(" .reg .b16 s0, s1;\n .reg .%s bias0, bias1;\n .reg .b64 bias_p, bias_step;", sum_type());
    add(" .reg .b32 bias_column;");
  }
}

// The tensor map of an operand as documented instructions build it, in local memory: where it is,
// a dimension, and the bytes from one of its elements to the next.
void WgmmaWriter::begin_map(const char* map, char name) {
  add(" ld.param.u64 u, [%c];\n cvta.global.u64 u, u;\n ld.param.u64 v, [%c_first];", name, name);
  add(" add.u64 u, u, v;");
  set_map(map, "global_address", "b64", "u");
  set_map(map, "rank", "b32", format("%u", 1 + k_.batch_rank).c_str());
}

void WgmmaWriter::map_dimension(const char* map, uint32_t d, const char* extent, const char* box,
                                const char* element_stride) {
  set_map(map, "global_dim", "b32", format("%u, %s", d, extent).c_str());
  set_map(map, "box_dim", "b32", format("%u, %s", d, box).c_str());
  set_map(map, "element_stride", "b32", format("%u, %s", d, element_stride).c_str());
}

void WgmmaWriter::map_step(const char* map, char name, uint32_t d) {
  static constexpr const char* kSteps[] = {"", "row", "matrix", "stack"};
  add(" ld.param.u64 u, [%c_%s];", name, kSteps[d]);
  set_map(map, "global_stride", "b64", format("%u, u", d - 1).c_str());
}

void WgmmaWriter::tensor_map(uint32_t number, char name, bool along, const char* row,
                             const char* column, uint32_t box_rows) {
  const uint32_t wide = kWgmmaRowBytes / element_;
  const uint32_t rank = 2 + k_.batch_rank;
  const std::string map = format("[x+%u]", kTensorMapBytes * number);
  begin_map(map.c_str(), name);
  const char* const extents[2] = {along ? row : column, along ? column : row};
  const uint32_t boxes[2] = {along ? wide_across() : wide, along ? wide : box_rows};
  for (uint32_t d = 0; d < rank; ++d) {
    if (d >= 2) {
      const char* const what = d == 2 ? "matrices" : "stacks";
      if (name == 'c') {
        add(" ld.param.u32 y, [p_%s];", what);
      } else {
        add(" ld.param.u32 y, [p_%c_%s];", name, what);
      }
    }
    map_dimension(map.c_str(), d, d < 2 ? extents[d] : "y",
                  format("%u", d < 2 ? boxes[d] : 1).c_str(), "1");
    if (d != 0) map_step(map.c_str(), name, d);
  }
  finish_map(map.c_str(), k_.dtype, k_.strict && along ? 0 : kWgmmaRowBytes, k_.strict);
}

// Parameters, the group's tensor maps, and the barriers of the pipeline.
void WgmmaWriter::setup() {
  add(" mov.u32 item, %%tid.x;\n mov.u32 local, local_memory;");
  add(" add.u32 barriers, local, %u;", at_barriers_);
  for (const char* name : {"m", "n", "k", "matrices", "pieces", "depth"}) {
    add(" ld.param.u32 %s, [p_%s];", name, name);
  }
  for (const char* name : {"alpha", "slope", "shift"}) {
    add(" ld.param.%s %s, [p_%s];", sum_type(), name, name);
  }
  add(" ld.param.u64 map_a, [scratch];\n cvta.global.u64 map_a, map_a;");
  add(" ld.param.u64 u, [scratch_first];\n add.u64 map_a, map_a, u;");
  add(" mov.u32 x, %%ctaid.x;\n mul.wide.u32 u, x, %u;\n add.u64 map_a, map_a, u;", kWgmmaScratch);
  add(" add.u64 map_b, map_a, 128;\n add.u64 map_c, map_a, 256;");
  add(" setp.ge.u32 over, item, 32;\n @over bra MAPPED;");
  add(" add.u32 x, local, %u;\n shl.b32 y, item, 2;\n add.u32 y, x, y;\n mov.u32 z, 0;", at_maps_);
  for (int i = 0; i < 3; ++i) add(" st.shared.b32 [y+%d], z;", 128 * i);
  add(" bar.warp.sync 0xffffffff;\n setp.ne.u32 over, item, 0;\n @over bra WRITTEN;");
  if (k_.windows) {
    window_maps();
  } else {
    tensor_map(0, 'a', k_.a_along_m, "m", "k", k_.tile_m);
    tensor_map(1, 'b', k_.b_along_n, "n", "k", k_.tile_n);
    if (boxed()) tensor_map(2, 'c', false, "m", "n", 64);
  }
  add("WRITTEN:\n bar.warp.sync 0xffffffff;\n add.u32 x, local, %u;", at_maps_);
  static constexpr const char* kMaps[] = {"map_a", "map_b", "map_c"};
  const int maps = boxed() ? 3 : 2;
  for (int i = 0; i < maps; ++i) {
    add(" tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
        "[%s], [x+%d], 128;",
        kMaps[i], 128 * i);
  }
  add("MAPPED:\n barrier.sync 0;");
  for (int i = 0; i < maps; ++i) {
    add(" fence.proxy.tensormap::generic.acquire.gpu [%s], 128;", kMaps[i]);
  }
  add(" add.u32 tiles_m, m, %u;\n div.u32 tiles_m, tiles_m, %u;", k_.tile_m - 1, k_.tile_m);
  add(" add.u32 tiles_n, n, %u;\n div.u32 tiles_n, tiles_n, %u;", k_.tile_n - 1, k_.tile_n);
  add(" mul.lo.u32 per_matrix, tiles_m, tiles_n;\n mul.lo.u32 tiles, per_matrix, matrices;");
  add(" ld.param.u32 x, [p_stacks];\n mul.lo.u32 tiles, tiles, x;");
  add(" mul.lo.u32 tiles, tiles, pieces;");
  add(" add.u32 all_stages, k, %u;\n div.u32 all_stages, all_stages, %u;", deep() - 1, deep());
  // The first steps of a tile write the results of the one before, and depths beyond k are zeros.
  if (boxed()) add(" max.u32 all_stages, all_stages, %u;", boxes_);
  add(" mov.u32 tile, %%ctaid.x;\n mov.u32 tile_step, %%nctaid.x;");
  add(" setp.ne.u32 over, item, 0;\n @over bra READY;");
  for (uint32_t s = 0; s < stages_; ++s) {
    add(" mbarrier.init.shared::cta.b64 [barriers+%u], 1;", 8 * s);
    add(" mbarrier.init.shared::cta.b64 [barriers+%u], %u;", 8 * (kWgmmaStagesMost + s), takers());
  }
  add(" fence.mbarrier_init.release.cluster;");
  add("READY:\n barrier.sync 0;\n shr.u32 warpgroup, item, 7;\n mov.u32 stage, 0;");
  add(" setp.ge.u32 over, item, %u;\n @over bra CONSUMER;", copying());
}

// From the number of a tile its row, column, matrix, stack, and the stages of its piece.
void WgmmaWriter::place_of_tile() {
  add(" div.u32 z, tile, per_matrix;\n mul.lo.u32 x, z, per_matrix;\n sub.u32 place, tile, x;");
  add(" div.u32 x, z, pieces;\n mul.lo.u32 y, x, pieces;\n sub.u32 piece, z, y;");
  add(" div.u32 stack, x, matrices;\n mul.lo.u32 y, stack, matrices;\n sub.u32 matrix, x, y;");
  add(" mul.lo.u32 x, tiles_n, %u;\n div.u32 y, place, x;\n mul.lo.u32 x, y, x;", kWgmmaRaster);
  add(" sub.u32 place, place, x;\n mul.lo.u32 row, y, %u;", kWgmmaRaster);
  add(" sub.u32 y, tiles_m, row;");
  add(" min.u32 y, y, %u;\n div.u32 column, place, y;\n mul.lo.u32 x, column, y;", kWgmmaRaster);
  add(" sub.u32 x, place, x;\n add.u32 row, row, x;");
  add(" mul.lo.u32 row, row, %u;\n mul.lo.u32 column, column, %u;", k_.tile_m, k_.tile_n);
  add(" mul.lo.u32 first_stage, piece, depth;\n sub.u32 stage_count, all_stages, first_stage;");
  add(" min.u32 stage_count, stage_count, depth;");
}

void WgmmaWriter::next_stage() {
  add(" add.u32 stage, stage, 1;\n setp.eq.u32 over, stage, %u;", stages_);
  add(" @over mov.u32 stage, 0;\n @over xor.b32 parity, parity, 1;");
}

// Copies the part of an operand that a stage holds: `tile` rows or columns from `first` on.
void WgmmaWriter::load(char name, bool along, const char* first, uint32_t tile, uint32_t bytes) {
  const uint32_t wide = wide_across();
  add(" mad.lo.u32 x, stage, %u, local;\n add.u32 x, x, %u;", bytes, name == 'a' ? 0 : at_b_);
  std::string batch;
  static constexpr const char* kNames[] = {"matrix", "stack"};
  static constexpr const char* kExtents[] = {"matrices", "stacks"};
  static constexpr const char* kPlaces[] = {"y", "z"};
  for (uint32_t d = 0; d < k_.batch_rank; ++d) {
    // An operand with one matrix for all has an extent of 1.
    add(" ld.param.u32 %s, [p_%c_%s];\n sub.u32 %s, %s, 1;\n min.u32 %s, %s, %s;", kPlaces[d], name,
        kExtents[d], kPlaces[d], kPlaces[d], kPlaces[d], kPlaces[d], kNames[d]);
    batch += format(", %s", kPlaces[d]);
  }
  const uint32_t copies = along ? tile / wide : 1;
  for (uint32_t i = 0; i < copies; ++i) {
    add(" add.u32 before, %s, %u;", first, i * wide);
    add(" cp.async.bulk.tensor.%ud.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[x+%u], [map_%c, {%s, %s%s}], [full];",
        2 + k_.batch_rank, i * wide * kWgmmaRowBytes, name, along ? "before" : "at",
        along ? "at" : "before", batch.c_str());
  }
}

// The first item fills the stages.
void WgmmaWriter::producer() {
  if (!k_.strict) add(" setmaxnreg.dec.sync.aligned.u32 40;");
  if (k_.strict && fma_shape(k_).moves_registers) add(" setmaxnreg.dec.sync.aligned.u32 24;");
  add(" setp.ne.u32 over, item, 0;\n @over bra END;");
  add(" mov.u32 parity, 1;");
  add("FILL_TILE:\n setp.ge.u32 over, tile, tiles;\n @over bra END;");
  place_of_tile();
  if (k_.windows) {
    first_window();
  } else {
    add(" mul.lo.u32 at, first_stage, %u;", deep());
  }
  add("FILL_STAGE:\n shl.b32 x, stage, 3;\n add.u32 full, barriers, x;");
  add(" add.u32 empty, full, %u;", 8 * kWgmmaStagesMost);
  wait_for("empty", "parity");
  if (k_.windows) {
    load_windows();
    next_window();
  } else {
    add(" mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], %u;", a_bytes_ + b_bytes_);
    load('a', k_.a_along_m, "row", k_.tile_m, a_bytes_);
    load('b', k_.b_along_n, "column", k_.tile_n, b_bytes_);
    add(" add.u32 at, at, %u;", deep());
  }
  next_stage();
  add(" sub.u32 stage_count, stage_count, 1;");
  add(" setp.ne.u32 over, stage_count, 0;\n @over bra FILL_STAGE;");
  add(" add.u32 tile, tile, tile_step;\n bra FILL_TILE;");
}

void WgmmaWriter::consumers() {
  add("CONSUMER:\n setmaxnreg.inc.sync.aligned.u32 %u;\n mov.u32 parity, 0;",
      groups_ == 2 ? 232 : 240);
  add(" sub.u32 warpgroup, warpgroup, 1;\n and.b32 place, item, 127;\n and.b32 lane, item, 31;");
  add(" shr.u32 warp, place, 5;\n setp.eq.u32 is_one, place, 0;");
  add(" mad.lo.u32 y, warpgroup, %u, local;", 64 * k_.row_bytes);
  descriptor("y", k_.a_along_m ? kWgmmaBoxBytes : 16, "base_a", k_.row_bytes);
  add(" add.u32 y, local, %u;", at_b_);
  descriptor("y", k_.b_along_n ? kWgmmaBoxBytes : 16, "base_b", k_.row_bytes);
  if (boxed()) {
    add(" mad.lo.u32 store, warpgroup, %u, local;\n add.u32 store, store, %u;",
        kWgmmaStoreBoxes * kWgmmaBoxBytes, at_store_);
    // Where a lane puts a row of eight results: rows of 128 bytes, swizzled.
    add(" and.b32 x, lane, 15;\n shl.b32 y, warp, 4;\n add.u32 x, x, y;\n shl.b32 x, x, 7;");
    add(" add.u32 store_lane, store, x;\n and.b32 swizzle, lane, 7;\n shr.u32 x, lane, 4;");
    add(" xor.b32 swizzle, swizzle, x;\n shl.b32 swizzle, swizzle, 4;");
    add(" setp.ne.u32 pending, item, item;");
  }
  tile_loop();
}

// Waits for a stage and starts its products.
void WgmmaWriter::multiply(bool fresh) {
  add(" shl.b32 x, stage, 3;\n add.u32 full, barriers, x;");
  wait_for("full", "parity");
  add(" mul.wide.u32 u, stage, %u;\n add.u64 desc_a, base_a, u;", a_bytes_ >> 4);
  add(" mul.wide.u32 u, stage, %u;\n add.u64 desc_b, base_b, u;", b_bytes_ >> 4);
  add(" wgmma.fence.sync.aligned;");
  // Signs of operands, and orders of 16-bit ones. Integers have neither.
  std::string modes = k_.whole() ? "" : ", 1, 1";
  if (element_ == 2) modes += format(", %d, %d", k_.a_along_m ? 1 : 0, k_.b_along_n ? 1 : 0);
  const uint32_t steps = k_.row_bytes / 32;
  for (uint32_t step = 0; step < steps; ++step) {
    add(" wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s {", k_.tile_n, 32 / element_,
        k_.whole() ? "s32" : "f32", wgmma_element(k_.dtype), wgmma_element(k_.b_dtype));
    for (uint32_t i = 0; i < k_.tile_n / 2; ++i) add("%ssum%u", i == 0 ? "  " : "  ,", i);
    add("  }, desc_a, desc_b, %s%s;", step == 0 && fresh ? "0" : "1", modes.c_str());
    if (step + 1 == steps) break;
    add(" add.u64 desc_a, desc_a, %u;", k_.a_along_m ? 16 * kWgmmaRowBytes >> 4 : 2);
    add(" add.u64 desc_b, desc_b, %u;", k_.b_along_n ? 16 * kWgmmaRowBytes >> 4 : 2);
  }
  add(" wgmma.commit_group.sync.aligned;");
}

void WgmmaWriter::hand_back(const char* stage) {
  add(" shl.b32 x, %s, 3;\n add.u32 x, barriers, x;", stage);
  add(" @is_one mbarrier.arrive.shared::cta.b64 _, [x+%u];", 8 * kWgmmaStagesMost);
}

void WgmmaWriter::tile_loop() {
  const auto step = [&](bool fresh, int box) {
    multiply(fresh);
    if (box >= 0) {
      const std::string none = label("NO_BOX");
      add(" @!pending bra %s;", none.c_str());
      store_box(static_cast<uint32_t>(box));
      add("%s:", none.c_str());
    }
    add(" wgmma.wait_group.sync.aligned 1;");
    if (!fresh) hand_back("before");
    add(" mov.u32 before, stage;");
    next_stage();
  };
  add("TILE:\n setp.ge.u32 over, tile, tiles;\n @over bra FLUSH;");
  place_of_tile();
  if (k_.bias_dtype != 0) read_bias();
  const uint32_t first = boxed() ? boxes_ : 1;
  for (uint32_t i = 0; i < first; ++i) step(i == 0, boxed() ? static_cast<int>(i) : -1);
  add(" sub.u32 stage_count, stage_count, %u;", first);
  add("STEP:\n setp.eq.u32 over, stage_count, 0;\n @over bra SUMMED;");
  step(false, -1);
  add(" sub.u32 stage_count, stage_count, 1;\n bra STEP;");
  add("SUMMED:\n wgmma.wait_group.sync.aligned 0;");
  hand_back("before");
  if (boxed()) {
    pack();
  } else {
    store_pairs();
  }
  add(" add.u32 tile, tile, tile_step;\n bra TILE;\nFLUSH:");
  if (!boxed()) return;
  add(" @!pending bra END;");
  for (uint32_t i = 0; i < boxes_; ++i) store_box(i);
  add(" @is_one cp.async.bulk.wait_group 0;");
}

uint32_t wgmma_depth(netcl_dtype dtype) {
  return kWgmmaRowBytes / static_cast<uint32_t>(dtype_size(dtype));
}

uint32_t wgmma_items(const WgmmaKernel& kernel) {
  if (!kernel.strict) return 128 * (1 + kernel.tile_m / 64);
  const FmaShape shape = fma_shape(kernel);
  return shape.copying + 32 * shape.warps;
}

std::string wgmma_name(const WgmmaKernel& k) {
  static constexpr const char* kStores[] = {"sums", "pairs", "boxes"};
  std::string name =
      format("netcl_%s_matrix_units_%s%s_%s%s_%ux%u_%s", k.windows ? "conv2d" : "matmul",
             wgmma_element(k.dtype), k.b_dtype == k.dtype ? "" : wgmma_element(k.b_dtype),
             k.a_along_m ? "t" : "n", k.b_along_n ? "n" : "t", k.tile_m, k.tile_n,
             kStores[static_cast<int>(k.store)]);
  if (k.strict) {
    name =
        format("netcl_matmul_fma_%ux%u_%s", k.tile_m, k.tile_n, kStores[static_cast<int>(k.store)]);
  }
  if (k.wide_pairs) name += "_wide";
  if (k.row_bytes != kWgmmaRowBytes) name += format("_rows%u", k.row_bytes);
  if (k.batch_rank != 0 && !k.windows) name += format("_batch%u", k.batch_rank);
  if (k.store == WgmmaStore::sums) return name;
  name += format("_%s", dtype_facts(k.out_dtype).name);
  if (k.bias_dtype != 0) {
    name += format("_%s_%s", k.bias_by_rows ? "rows" : "columns", dtype_facts(k.bias_dtype).name);
  }
  if (k.activation != 0) name += format("_activation%d", static_cast<int>(k.activation));
  return name;
}

std::string wgmma_text(const WgmmaKernel& kernel) {
  return kernel.strict ? fma_text(kernel) : WgmmaWriter(kernel).text();
}

// Two operands of a multiply-add that are read from one half of the registers take a cycle more.
// fma_text.cpp writes them in an order that avoids it, which further optimization takes apart.
const char* wgmma_options(const WgmmaKernel& kernel) {
  return kernel.strict ? "-cl-nv-opt-level=1" : "";
}

}  // namespace netcl::ops
