// What happens to scores and results: masks, weights, and the way to memory. An item has two rows
// of its warpgroup's 64, eight apart: of each eight columns two neighbours of both.
#include "ops/attention/attention_writer.hpp"

namespace netcl::ops {

// What exponents of weights are larger by, as f32: 8 and 0.
const char* AttentionWriter::shift() const {
  return k_.dtype == NETCL_F16 ? "0f41000000" : "0f00000000";
}

// Scores of keys that a row does not see become -inf, in blocks that have such.
void AttentionWriter::mask() {
  // The first row sees the fewest keys behind, the last the fewest in front.
  const std::string all = label("ALL_SEEN");
  add(" mul.lo.u32 at, block, %u;\n add.s32 y, own_first, position;", keys_);
  add(" add.s32 y, y, after;\n add.s32 y, y, 1;\n min.s32 y, y, keys;\n add.s32 z, at, %u;", keys_);
  add(" setp.le.s32 p0, z, y;\n add.s32 x, own_last, position;\n sub.s32 x, x, before;");
  add(" setp.ge.and.s32 p0, at, x, p0;\n @p0 bra %s;\n setp.eq.u32 masked, item, item;",
      all.c_str());
  add(" and.b32 y, lane, 3;\n mad.lo.u32 at, y, 2, at;");
  for (int half = 0; half < 2; ++half) {
    add(" add.s32 x, own%d, position;\n sub.s32 low%d, x, before;", half, half);
    add(" sub.s32 low%d, low%d, at;", half, half);
    add(" add.s32 high%d, x, after;\n add.s32 high%d, high%d, 1;", half, half, half);
    add(" min.s32 high%d, high%d, keys;\n sub.s32 high%d, high%d, at;", half, half, half, half);
  }
  for (uint32_t i = 0; i < keys_ / 2; ++i) {
    const uint32_t column = i / 4 * 8 + i % 2, half = i % 4 / 2;
    add(" setp.gt.s32 p0, high%u, %u;\n setp.le.and.s32 p0, low%u, %u, p0;", half, column, half,
        column);
    add(" selp.f32 score%u, score%u, 0fFF800000, p0;", i, i);
  }
  add("%s:", all.c_str());
}

// Scores become 2^(score scale + shifted0 or 1), and are added to the weights.
void AttentionWriter::exponentials() {
  for (uint32_t i = 0; i < keys_ / 2; ++i) {
    add(" fma.rn.f32 score%u, score%u, scale, shifted%u;", i, i, i % 4 / 2);
    add(" ex2.approx.ftz.f32 score%u, score%u;", i, i);
  }
  for (uint32_t i = 0; i < keys_ / 2; ++i) {
    add(" add.f32 weights%u, weights%u, score%u;", i % 4 / 2, i % 4 / 2, i);
  }
}

// f1: the largest score of a row so far, or 0 where no key was seen yet, whose weights are e^-inf.
void AttentionWriter::largest(uint32_t half) {
  add(" setp.eq.f32 p0, most%u, 0fFF800000;\n selp.f32 f1, 0f00000000, most%u, p0;", half, half);
}

// most: the largest score so far; factor: what the weights before it take; shifted: the product of
// f1 and the scale.
void AttentionWriter::find_largest(uint32_t half) {
  const uint32_t first = 2 * half;
  // Two chains each, so that one does not wait for the other.
  add(" max.f32 f0, score%u, score%u;\n max.f32 f1, score%u, score%u;", first, first + 4, first + 1,
      first + 5);
  for (uint32_t i = first + 8; i < keys_ / 2; i += 4) {
    add(" max.f32 f0, f0, score%u;\n max.f32 f1, f1, score%u;", i, i + 1);
  }
  add(" max.f32 f0, f0, f1;");
  for (const int other : {1, 2}) {
    add(" mov.b32 x, f0;\n shfl.sync.bfly.b32 x, x, %d, 31, -1;\n mov.b32 f1, x;", other);
    add(" max.f32 f0, f0, f1;");
  }
  add(" mov.f32 f2, most%u;\n max.f32 most%u, f0, f2;", half, half);
  largest(half);
  add(" sub.f32 f2, f2, f1;\n mul.f32 f2, f2, scale;\n ex2.approx.ftz.f32 factor%u, f2;", half);
  add(" mul.f32 weights%u, weights%u, factor%u;\n mul.f32 shifted%u, f1, scale;", half, half, half,
      half);
}

// Scores become weights 2^((score - largest) scale), of f16 256 times that: it has those down to
// 2^-33 of the largest. Where the product of the largest and the scale is large, its rounding would
// be one of the weights.
void AttentionWriter::weigh() {
  const std::string large = label("LARGE"), done = label("WEIGHED");
  find_largest(0);
  find_largest(1);
  add(" abs.f32 f0, shifted0;\n abs.f32 f1, shifted1;\n max.f32 f0, f0, f1;");
  add(" setp.gt.f32 p0, f0, 0f47000000;\n vote.sync.any.pred p0, p0, 0xffffffff;");
  add(" @p0 bra.uni %s;", large.c_str());
  for (int half = 0; half < 2; ++half) {
    add(" sub.f32 shifted%d, %s, shifted%d;", half, shift(), half);
  }
  exponentials();
  add(" bra.uni %s;\n%s:", done.c_str(), large.c_str());
  for (uint32_t half = 0; half < 2; ++half) {
    largest(half);
    for (uint32_t i = 2 * half; i < keys_ / 2; i += 4) {
      add(" sub.f32 score%u, score%u, f1;\n sub.f32 score%u, score%u, f1;", i, i, i + 1, i + 1);
    }
    add(" mov.f32 shifted%u, %s;", half, shift());
  }
  exponentials();
  add("%s:", done.c_str());
}

// Weights of 16 bits, as a factor of the next products.
void AttentionWriter::round() {
  const char* const name = wgmma_element(k_.dtype);
  for (uint32_t i = 0; i < keys_ / 4; ++i) {
    add(" cvt.rn.%sx2.f32 part%u, score%u, score%u;", name, i, 2 * i + 1, 2 * i);
  }
}

// x: two results of a row, of eight columns; f1 is one by its weights, p1 where it has none.
void AttentionWriter::finish(uint32_t group, uint32_t half) {
  const uint32_t first = 4 * group + 2 * half;
  add(" mul.f32 f2, sum%u, f1;\n mul.f32 f3, sum%u, f1;", first, first + 1);
  add(" selp.f32 f2, 0f00000000, f2, p1;\n selp.f32 f3, 0f00000000, f3, p1;");
  add(" cvt.rn.%sx2.f32 x, f3, f2;", wgmma_element(k_.dtype));
}

// Values that are not finite, with a weight of 0, are NaN in a row that does not see them.
void AttentionWriter::look(uint32_t half) {
  const std::string sound = label("FINITE");
  add(" @!masked bra %s;\n mov.f32 f0, 0f00000000;", sound.c_str());
  for (uint32_t i = 0; i < k_.value_size / 4; ++i) {
    add(" add.f32 f0, f0, sum%u;", i / 2 * 4 + 2 * half + i % 2);
  }
  add(" setp.nan.f32 p1, f0, f0;\n mov.u32 x, 1;");
  add(" @p1 st.global.u32 [counter+%u], x;\n%s:", kAttentionScratchOdd, sound.c_str());
}

// Of one of an item's rows what attention_join.cl takes: sums, the largest score, the weights.
void AttentionWriter::store_sums(uint32_t half) {
  const std::string next = label("NEXT_ROW");
  add(" shr.u32 x, lane, 2;\n mad.lo.u32 x, warp, 16, x;\n add.u32 x, x, %u;", 8 * half);
  add(" mul.lo.u32 y, tile_rows, shared;\n setp.lt.u32 p0, x, y;\n mul.lo.u32 z, rows, shared;");
  add(" setp.lt.and.u32 p0, own%u, rows, p0;\n @!p0 bra %s;", half, next.c_str());
  add(" mad.lo.u32 at, row, shared, x;");
  look(half);
  add(" mad.lo.u32 y, batch, sets, set;");
  add(" mad.lo.u32 y, y, chunks, chunk;\n mul.wide.u32 u, y, z;\n cvt.u64.u32 v, at;");
  add(" add.u64 u, u, v;\n ld.param.u32 y, [p_value_size];\n add.u32 x, y, 2;");
  add(" shl.b32 x, x, 2;\n cvt.u64.u32 v, x;\n mul.lo.u64 u, u, v;\n ld.param.u64 v, [sums];");
  add(" cvta.to.global.u64 v, v;\n add.u64 u, u, v;\n and.b32 z, lane, 3;\n mul.wide.u32 v, y, 4;");
  add(" add.u64 v, u, v;\n setp.eq.u32 p0, z, 0;\n mul.f32 f0, most%u, scale;", half);
  add(" sub.f32 f0, f0, %s;\n mul.f32 f0, f0, 0f3F317218;", shift());
  add(" setp.eq.f32 p1, weights%u, 0f00000000;", half);
  add(" @p1 mov.f32 f0, 0fFF800000;\n @p0 st.global.v2.f32 [v], {f0, weights%u};", half);
  add(" mul.wide.u32 v, z, 8;\n add.u64 u, u, v;");
  for (uint32_t group = 0; group < k_.value_size / 8; ++group) {
    const uint32_t first = 4 * group + 2 * half;
    add(" setp.gt.u32 p0, y, %u;\n @p0 st.global.v2.f32 [u+%u], {sum%u, sum%u};", 8 * group,
        32 * group, first, first + 1);
  }
  add("%s:", next.c_str());
}

// The results of one of an item's rows.
void AttentionWriter::store_row(uint32_t half) {
  const std::string next = label("NEXT_ROW");
  add(" setp.ge.u32 over, own%u, rows;\n @over bra %s;", half, next.c_str());
  look(half);
  add(" ld.param.u64 u, [result];\n cvta.to.global.u64 u, u;\n ld.param.u64 v, [result_first];");
  add(" add.u64 u, u, v;\n ld.param.u64 v, [lse];\n cvta.to.global.u64 info, v;");
  add(" ld.param.u64 v, [lse_first];\n add.u64 info, info, v;");
  const char* const places[][2] = {
      {"batch", "batch"}, {"head", "set"}, {"row", half == 0 ? "own0" : "own1"}};
  for (const auto& [what, place] : places) {
    add(" cvt.u64.u32 w64, %s;\n ld.param.u64 v, [result_%s];\n mul.lo.u64 v, v, w64;",
        place, what);
    add(" add.u64 u, u, v;\n ld.param.u64 v, [lse_%s];\n mul.lo.u64 v, v, w64;", what);
    add(" add.u64 info, info, v;");
  }
  add(" and.b32 y, lane, 3;\n setp.eq.u32 p0, y, 0;\n ld.param.u32 x, [p_wants_lse];");
  add(" setp.ne.and.u32 p0, x, 0, p0;");
  add(" lg2.approx.f32 f0, weights%u;\n sub.f32 f0, f0, %s;", half, shift());
  add(" fma.rn.f32 f0, most%u, scale, f0;", half);
  add(" mul.f32 f0, f0, 0f3F317218;\n setp.eq.f32 p1, weights%u, 0f00000000;", half);
  add(" @p1 mov.f32 f0, 0fFF800000;\n @p0 st.global.f32 [info], f0;");
  add(" rcp.rn.f32 f1, weights%u;\n ld.param.u64 v, [result_column];", half);
  add(" cvt.u64.u32 w64, y;\n mul.lo.u64 w64, w64, v;\n shl.b64 w64, w64, 1;");
  add(" add.u64 u, u, w64;\n shl.b64 info, v, 3;\n ld.param.u32 y, [p_value_size];");
  // Straight through where all columns are there in pairs, as most of the time.
  const std::string odd = label("ODD_ROW");
  add(" setp.eq.and.u32 p0, y, %u, pairs;\n @!p0 bra %s;", k_.value_size, odd.c_str());
  for (uint32_t group = 0; group < k_.value_size / 8; ++group) {
    finish(group, half);
    add(" st.global.b32 [u+%u], x;", 16 * group);
  }
  add(" bra %s;\n%s:", next.c_str(), odd.c_str());
  for (uint32_t group = 0; group < k_.value_size / 8; ++group) {
    finish(group, half);
    add(" setp.le.u32 over, y, %u;\n @over bra %s;", 8 * group, next.c_str());
    add(" mov.b32 {h0, h1}, x;\n st.global.b16 [u], h0;\n add.u64 w64, u, v;");
    add(" st.global.b16 [w64], h1;\n add.u64 u, u, info;");
  }
  add("%s:", next.c_str());
}

void AttentionWriter::results() {
  for (const uint32_t half : {0u, 1u}) {
    for (const int other : {1, 2}) {
      add(" mov.b32 x, weights%u;\n shfl.sync.bfly.b32 x, x, %d, 31, -1;\n mov.b32 f0, x;", half,
          other);
      add(" add.f32 weights%u, weights%u, f0;", half, half);
    }
  }
  if (!k_.joins()) add(" ld.param.u32 x, [p_pairs];\n setp.ne.u32 pairs, x, 0;");
  for (const uint32_t half : {0u, 1u}) {
    // Rows behind the sequence have seen no key; of a sequence whose lengths are wrong all is NaN.
    add(" setp.ge.s32 over, own%u, queries;\n @over mov.f32 weights%u, 0f00000000;", half, half);
    add(" @!sound mov.f32 weights%u, 0f7FFFFFFF;\n @!sound mov.f32 most%u, weights%u;", half, half,
        half);
    if (k_.joins()) {
      store_sums(half);
    } else {
      store_row(half);
    }
  }
}

}  // namespace netcl::ops
