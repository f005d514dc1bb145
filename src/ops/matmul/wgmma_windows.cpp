// Windows of images as the rows of a product. A box of up to 64 results, of a few elements of a few
// lines of a few images, is what a warpgroup has; for each place of the filter, and each part of
// the channels, one copy brings what that place lies over: the same box of the image, shifted, with
// zeros for what lies outside of it. The filter's part comes beside it.
#include "ops/matmul/wgmma_writer.hpp"

namespace netcl::ops {

void WgmmaWriter::window_parameters() {
  for (const char* name : {"channels", "in_width", "out_width", "out_height", "stages", "box_w",
                           "box_h", "box_n", "boxes_w", "boxes_h", "stride_w", "stride_h",
                           "dilation_w", "dilation_h", "padding_w", "padding_h", "kernel_w"}) {
    add(" .param .u32 p_%s,", name);
  }
}

void WgmmaWriter::window_registers() {
  add(" .reg .b32 win_w<2>, win_h<2>, win_n<2>, tap, tap_column, shift_w, shift_h, tap_count;");
  add(" .reg .b32 box_bytes, box;");
}

// Dimensions are channels, elements of a line, lines and images; of filters channels, filters and
// places.
void WgmmaWriter::window_maps() {
  const std::string wide = format("%u", deep());
  const auto number = [&](const char* name, const char* into) {
    add(" ld.param.u32 %s, [p_%s];", into, name);
  };
  begin_map("[x]", 'a');
  number("channels", "y");
  map_dimension("[x]", 0, "y", wide.c_str(), "1");
  static constexpr const char* kIn[] = {"in_width", "a_matrices", "a_stacks"};
  static constexpr const char* kBoxes[] = {"box_w", "box_h", "box_n"};
  static constexpr const char* kStrides[] = {"stride_w", "stride_h"};
  for (uint32_t d = 1; d < 4; ++d) {
    number(kIn[d - 1], "y");
    number(kBoxes[d - 1], "z");
    if (d < 3) {
      // The box is what its elements lie in.
      number(kStrides[d - 1], "place");
      add(" mul.lo.u32 z, z, place;");
    }
    map_dimension("[x]", d, "y", "z", d < 3 ? "place" : "1");
    map_step("[x]", 'a', d);
  }
  finish_map("[x]", k_.dtype, k_.row_bytes);
  begin_map("[x+128]", 'b');
  number("channels", "y");
  map_dimension("[x+128]", 0, "y", wide.c_str(), "1");
  map_dimension("[x+128]", 1, "n", format("%u", k_.tile_n).c_str(), "1");
  number("b_matrices", "y");
  map_dimension("[x+128]", 2, "y", "1", "1");
  map_dimension("[x+128]", 3, "1", "1", "1");
  for (uint32_t d = 1; d < 4; ++d) map_step("[x+128]", 'b', d);
  finish_map("[x+128]", k_.dtype, k_.row_bytes);
  if (!boxed()) return;
  begin_map("[x+256]", 'c');
  map_dimension("[x+256]", 0, "n", "64", "1");
  static constexpr const char* kOut[] = {"out_width", "out_height", "a_stacks"};
  for (uint32_t d = 1; d < 4; ++d) {
    number(kOut[d - 1], "y");
    number(kBoxes[d - 1], "z");
    map_dimension("[x+256]", d, "y", "z", "1");
    map_step("[x+256]", 'c', d);
  }
  finish_map("[x+256]", k_.dtype);
}

// The first result of a box. x and y are lost.
void WgmmaWriter::window_of_box(const char* number, const char* w, const char* h, const char* n) {
  add(" ld.param.u32 x, [p_boxes_w];\n div.u32 y, %s, x;\n mul.lo.u32 x, y, x;", number);
  add(" sub.u32 %s, %s, x;\n ld.param.u32 x, [p_boxes_h];\n div.u32 %s, y, x;", w, number, n);
  add(" mul.lo.u32 x, %s, x;\n sub.u32 %s, y, x;", n, h);
  const char* const places[] = {w, h, n};
  static constexpr const char* kBoxes[] = {"box_w", "box_h", "box_n"};
  for (int i = 0; i < 3; ++i) {
    add(" ld.param.u32 x, [p_%s];\n mul.lo.u32 %s, %s, x;", kBoxes[i], places[i], places[i]);
  }
}

// For a tile: where its windows begin, and the place of the filter and the channel that its first
// stage has.
void WgmmaWriter::first_window() {
  for (uint32_t group = 0; group < groups_; ++group) {
    const std::string w = format("win_w%u", group), h = format("win_h%u", group);
    add(" shr.u32 box, row, 6;\n add.u32 box, box, %u;", group);
    window_of_box("box", w.c_str(), h.c_str(), format("win_n%u", group).c_str());
    for (const auto& [place, side] : {std::pair{w, 'w'}, std::pair{h, 'h'}}) {
      add(" ld.param.u32 x, [p_stride_%c];\n ld.param.u32 y, [p_padding_%c];", side, side);
      add(" mul.lo.u32 %s, %s, x;\n sub.u32 %s, %s, y;", place.c_str(), place.c_str(),
          place.c_str(), place.c_str());
    }
  }
  add(" ld.param.u32 x, [p_stages];\n div.u32 tap, first_stage, x;\n mul.lo.u32 x, tap, x;");
  add(" sub.u32 at, first_stage, x;\n mul.lo.u32 at, at, %u;", deep());
  add(" ld.param.u32 x, [p_kernel_w];\n div.u32 y, tap, x;\n mul.lo.u32 x, y, x;");
  add(" sub.u32 tap_column, tap, x;\n ld.param.u32 x, [p_dilation_h];\n mul.lo.u32 shift_h, y, x;");
  add(" ld.param.u32 x, [p_dilation_w];\n mul.lo.u32 shift_w, tap_column, x;");
  add(" ld.param.u32 tap_count, [p_b_matrices];\n mov.u32 box_bytes, %u;", groups_ * k_.row_bytes);
  for (const char* name : {"box_w", "box_h", "box_n"}) {
    add(" ld.param.u32 x, [p_%s];\n mul.lo.u32 box_bytes, box_bytes, x;", name);
  }
  add(" add.u32 box_bytes, box_bytes, %u;", b_bytes_);
}

// Beyond the last place of a filter both sides are zeros, whatever the image holds: stages that
// only write results of the tile before.
void WgmmaWriter::load_windows() {
  add(" mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], box_bytes;");
  add(" mad.lo.u32 x, stage, %u, local;\n ld.param.u32 y, [p_channels];", a_bytes_);
  add(" setp.ge.u32 over, tap, tap_count;\n selp.b32 z, y, at, over;");
  const char* const copy =
      " cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes ";
  for (uint32_t group = 0; group < groups_; ++group) {
    add(" add.u32 before, win_w%u, shift_w;\n add.u32 y, win_h%u, shift_h;", group, group);
    add("%s[x+%u], [map_a, {z, before, y, win_n%u}], [full];", copy, group * 64 * k_.row_bytes,
        group);
  }
  add(" mad.lo.u32 x, stage, %u, local;\n add.u32 x, x, %u;\n mov.u32 y, 0;", b_bytes_, at_b_);
  add("%s[x], [map_b, {at, column, tap, y}], [full];", copy);
}

// The next channels, or else the next place of the filter.
void WgmmaWriter::next_window() {
  add(" add.u32 at, at, %u;\n ld.param.u32 x, [p_channels];\n setp.lt.u32 over, at, x;", deep());
  add(" @over bra SAME_PLACE;\n mov.u32 at, 0;\n add.u32 tap, tap, 1;");
  add(" add.u32 tap_column, tap_column, 1;\n ld.param.u32 x, [p_dilation_w];");
  add(" add.u32 shift_w, shift_w, x;\n ld.param.u32 x, [p_kernel_w];");
  add(" setp.lt.u32 over, tap_column, x;\n @over bra SAME_PLACE;\n mov.u32 tap_column, 0;");
  add(" mov.u32 shift_w, 0;\n ld.param.u32 x, [p_dilation_h];\n add.u32 shift_h, shift_h, x;");
  add("SAME_PLACE:");
}

// Where the copies of a warpgroup's results go.
void WgmmaWriter::window_of_results() {
  add(" shr.u32 box, row, 6;\n add.u32 box, box, warpgroup;");
  window_of_box("box", "old_row", "old_matrix", "old_stack");
}

// Where an item's two rows of sums go, and whether they are results.
void WgmmaWriter::window_pairs() {
  window_of_results();
  add(" shl.b32 box, warp, 4;\n shr.u32 y, lane, 2;\n add.u32 box, box, y;\n mov.u64 bottom, top;");
  for (const char* half : {"top", "bottom"}) {
    const char* const there = half[0] == 't' ? "high" : "low";
    add(" ld.param.u32 x, [p_box_w];\n div.u32 y, box, x;\n mul.lo.u32 z, y, x;");
    add(" sub.u32 z, box, z;\n add.u32 z, z, old_row;\n ld.param.u32 x, [p_out_width];");
    add(" setp.lt.u32 %s, z, x;\n ld.param.u64 u, [c_row];\n cvt.u64.u32 v, z;", there);
    add(" mul.lo.u64 v, v, u;\n add.u64 %s, %s, v;", half, half);
    add(" ld.param.u32 x, [p_box_h];\n div.u32 place, y, x;\n mul.lo.u32 z, place, x;");
    add(" sub.u32 z, y, z;\n add.u32 z, z, old_matrix;\n ld.param.u32 x, [p_out_height];");
    add(" setp.lt.and.u32 %s, z, x, %s;\n ld.param.u64 u, [c_matrix];\n cvt.u64.u32 v, z;", there,
        there);
    add(" mul.lo.u64 v, v, u;\n add.u64 %s, %s, v;", half, half);
    add(" ld.param.u32 x, [p_box_n];\n setp.lt.and.u32 %s, place, x, %s;", there, there);
    add(" add.u32 place, place, old_stack;\n ld.param.u32 x, [p_a_stacks];");
    add(" setp.lt.and.u32 %s, place, x, %s;\n ld.param.u64 u, [c_stack];", there, there);
    add(" cvt.u64.u32 v, place;\n mul.lo.u64 v, v, u;\n add.u64 %s, %s, v;", half, half);
    add(" add.u32 box, box, 8;");
  }
}

}  // namespace netcl::ops
