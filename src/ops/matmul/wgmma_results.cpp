// What becomes of the sums of a tile: bias, activation, rounding, and the way to memory.
#include "core/dtype.hpp"
#include "ops/matmul/wgmma_writer.hpp"

namespace netcl::ops {

// A value of the bias, by its index along the rows or columns, whose end is m or n.
void WgmmaWriter::read_bias_value(const char* index, const char* end, const char* into) {
  add(" mov.b32 %s, 0;\n setp.lt.u32 fits, %s, %s;", into, index, end);
  add(" cvt.u64.u32 v, %s;\n mul.lo.u64 v, v, bias_step;\n add.u64 v, bias_p, v;", index);
  if (dtype_size(k_.bias_dtype) == 4) {
    add(" @fits ld.global.b32 %s, [v];", into);
    return;
  }
  add(" mov.b16 s0, 0;\n @fits ld.global.b16 s0, [v];");
  if (k_.bias_dtype == NETCL_F16) {
    add(" cvt.f32.f16 %s, s0;", into);
  } else {
    add(" mov.b16 s1, 0;\n mov.b32 %s, {s1, s0};", into);
  }
}

// Where the bias of this tile's matrix is.
void WgmmaWriter::place_of_bias() {
  add(" ld.param.u64 bias_p, [bias];\n cvta.to.global.u64 bias_p, bias_p;");
  add(" ld.param.u64 u, [bias_first];\n add.u64 bias_p, bias_p, u;");
  for (const char* what : {"matrix", "stack"}) {
    add(" ld.param.u64 u, [bias_%s];\n cvt.u64.u32 v, %s;\n mul.lo.u64 u, u, v;", what, what);
    add(" add.u64 bias_p, bias_p, u;");
  }
  add(" ld.param.u64 bias_step, [bias_row];");
}

// The same and, where it goes by rows, its two values.
void WgmmaWriter::read_bias() {
  place_of_bias();
  if (!k_.bias_by_rows) {
    add(" and.b32 x, lane, 3;\n shl.b32 x, x, 1;\n add.u32 bias_column, x, column;");
    return;
  }
  add(" shl.b32 x, warpgroup, 6;\n shl.b32 y, warp, 4;\n add.u32 x, x, y;\n shr.u32 y, lane, 2;");
  add(" add.u32 x, x, y;\n add.u32 x, x, row;");
  read_bias_value("x", "m", "bias0");
  add(" add.u32 x, x, 8;");
  read_bias_value("x", "m", "bias1");
}

// f0 to f3: the results that an item has of eight columns: two of its row, two of eight rows below.
// x and v are lost where the bias goes by columns.
void WgmmaWriter::finish(uint32_t group) {
  static constexpr const char* kOut[] = {"f0", "f1", "f2", "f3"};
  const bool columns = k_.bias_dtype != 0 && !k_.bias_by_rows;
  if (columns) {
    add(" add.u32 x, bias_column, %u;", 8 * group);
    read_bias_value("x", "n", "bias0");
    add(" add.u32 x, x, 1;");
    read_bias_value("x", "n", "bias1");
  }
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t sum = 4 * group + i;
    if (k_.whole()) {
      add(" mul.lo.s32 %s, sum%u, alpha;", kOut[i], sum);
      if (k_.bias_dtype != 0) {
        add(" add.s32 %s, %s, bias%u;", kOut[i], kOut[i], columns ? i % 2 : i / 2);
      }
      if (k_.activation == NETCL_ACTIVATION_RELU) add(" max.s32 %s, %s, 0;", kOut[i], kOut[i]);
      continue;
    }
    if (k_.bias_dtype != 0) {
      add(" fma.rn.f32 %s, sum%u, alpha, bias%u;", kOut[i], sum, columns ? i % 2 : i / 2);
    } else {
      add(" mul.rn.f32 %s, sum%u, alpha;", kOut[i], sum);
    }
    if (k_.activation != NETCL_ACTIVATION_NONE) {
      add("%s", wgmma_activation_text(k_.activation, kOut[i]).c_str());
    }
  }
}

// Results of 16 bits take half of the sums' place, so that the next tile's can begin.
void WgmmaWriter::pack() {
  const char* const name = wgmma_element(k_.out_dtype);
  for (uint32_t group = 0; group < k_.tile_n / 8; ++group) {
    finish(group);
    add(" cvt.rn.%sx2.f32 held%u, f1, f0;\n cvt.rn.%sx2.f32 held%u, f3, f2;", name, 2 * group, name,
        2 * group + 1);
  }
  add(" mov.u32 old_column, column;");
  if (k_.windows) {
    window_of_results();
  } else {
    add(" mad.lo.u32 old_row, warpgroup, 64, row;");
    add(" mov.u32 old_matrix, matrix;\n mov.u32 old_stack, stack;");
  }
  add(" setp.eq.u32 pending, item, item;");
}

// 64 columns of the last tile's results: to local memory, and from there with one copy.
void WgmmaWriter::store_box(uint32_t box) {
  const uint32_t at = box % kWgmmaStoreBoxes * kWgmmaBoxBytes;
  // The place is free when the copy before the last has read it; with an odd number of boxes the
  // first of a tile follows one in the same place.
  add(" @is_one cp.async.bulk.wait_group.read %u;", boxes_ % kWgmmaStoreBoxes == 0 ? 1 : 0);
  add(" add.u32 z, warpgroup, 1;\n barrier.sync z, 128;");
  for (uint32_t group = 0; group < 8; group += 2) {
    const uint32_t first = 2 * (8 * box + group);
    add(" xor.b32 x, swizzle, %u;\n add.u32 x, store_lane, x;", 16 * group);
    add(" stmatrix.sync.aligned.m8n8.x4.shared.b16 [x+%u], {held%u, held%u, held%u, held%u};", at,
        first, first + 1, first + 2, first + 3);
  }
  add(" fence.proxy.async.shared::cta;\n barrier.sync z, 128;");
  add(" add.u32 y, old_column, %u;\n add.u32 x, store, %u;", 64 * box, at);
  // A box outside of c is not copied at all.
  add(" @is_one cp.async.bulk.tensor.%ud.global.shared::cta.bulk_group [map_c, {y, old_row%s%s}], "
      "[x];",
      2 + k_.batch_rank, k_.batch_rank > 0 ? ", old_matrix" : "",
      k_.batch_rank > 1 ? ", old_stack" : "");
  add(" @is_one cp.async.bulk.commit_group;");
}

// top: the first result of this tile's matrix, or with windows of its piece.
void WgmmaWriter::place_of_results() {
  add(" ld.param.u64 top, [c];\n cvta.to.global.u64 top, top;\n ld.param.u64 u, [c_first];");
  add(" add.u64 top, top, u;");
  for (const char* what : {"piece", "matrix", "stack"}) {
    add(" ld.param.u64 u, [c_%s];\n cvt.u64.u32 v, %s;\n mul.lo.u64 u, u, v;", what, what);
    add(" add.u64 top, top, u;");
    if (k_.windows) break;
  }
}

void WgmmaWriter::store_pairs() {
  const bool sums = k_.store == WgmmaStore::sums;
  const uint32_t bytes = sums ? 4 : static_cast<uint32_t>(dtype_size(k_.out_dtype));
  place_of_results();
  if (k_.windows) {
    window_pairs();
  } else {
    add(" shl.b32 x, warpgroup, 6;\n shl.b32 y, warp, 4;\n add.u32 x, x, y;\n shr.u32 y, lane, 2;");
    add(" add.u32 x, x, y;\n add.u32 x, x, row;\n ld.param.u64 u, [c_row];\n cvt.u64.u32 v, x;");
    add(" mul.lo.u64 v, v, u;\n add.u64 top, top, v;\n setp.lt.u32 high, x, m;\n add.u32 x, x, 8;");
    add(" setp.lt.u32 low, x, m;\n shl.b64 u, u, 3;\n add.u64 bottom, top, u;");
  }
  add(" and.b32 y, lane, 3;\n shl.b32 y, y, 1;\n add.u32 y, y, column;\n mul.wide.u32 v, y, %u;",
      bytes);
  add(" add.u64 top, top, v;\n add.u64 bottom, bottom, v;");
  for (uint32_t group = 0; group < k_.tile_n / 8; ++group) store_group(group, sums, bytes);
}

// y: the first column of the item's pairs.
void WgmmaWriter::store_group(uint32_t group, bool sums, uint32_t bytes) {
  const uint32_t at = 8 * group * bytes;
  if (sums) {
    // The rows of sums are whole pairs.
    add(" add.u32 x, y, %u;\n setp.lt.u32 fits, x, n;", 8 * group);
    for (int half = 0; half < 2; ++half) {
      const uint32_t sum = 4 * group + 2 * static_cast<uint32_t>(half);
      add(" and.pred over, fits, %s;\n @over st.global.v2.b32 [%s+%u], {sum%u, sum%u};",
          half == 0 ? "high" : "low", half == 0 ? "top" : "bottom", at, sum, sum + 1);
    }
    return;
  }
  finish(group);
  if (bytes == 2) {
    const char* const name = wgmma_element(k_.out_dtype);
    add(" cvt.rn.%sx2.f32 h0, f1, f0;\n cvt.rn.%sx2.f32 h1, f3, f2;", name, name);
  }
  for (int half = 0; half < 2; ++half) {
    const char* const base = half == 0 ? "top" : "bottom";
    add(" add.u32 x, y, %u;\n setp.lt.and.u32 fits, x, n, %s;", 8 * group,
        half == 0 ? "high" : "low");
    add(" add.u32 x, x, 1;\n setp.lt.and.u32 over, x, n, fits;");
    if (bytes == 2) add(" mov.b32 {p0, p1}, h%d;", half);
    const char* const first = bytes == 2 ? "p0" : half == 0 ? "f0" : "f2";
    const char* const second = bytes == 2 ? "p1" : half == 0 ? "f1" : "f3";
    const char* const type = bytes == 2 ? "b16" : "b32";
    if (k_.wide_pairs) {
      add(" @over st.global.v2.%s [%s+%u], {%s, %s};", type, base, at, first, second);
      add(" not.pred over, over;\n and.pred over, over, fits;");
      add(" @over st.global.%s [%s+%u], %s;", type, base, at, first);
    } else {
      add(" @fits st.global.%s [%s+%u], %s;", type, base, at, first);
      add(" @over st.global.%s [%s+%u], %s;", type, base, at + bytes, second);
    }
  }
}

}  // namespace netcl::ops
