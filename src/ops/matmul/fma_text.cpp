// Products in f32 by the multiply-adds of items, with the copies, tiles and parameters of products
// by matrix units. What binds such a kernel is how it reads registers: they lie in two halves, of
// which each gives one operand in a cycle, and an instruction has three. The operand that the next
// instruction shares is kept; the other factor and the sum have to come from different halves. So a
// row's element stays while the columns pass, there and back in turn.
#include "core/dtype.hpp"
#include "ops/matmul/wgmma_writer.hpp"

namespace netcl::ops {
namespace {

// Rows of an item, and how far they and its quads of columns are apart.
constexpr uint32_t kFmaRows = 8, kRowStep = 4, kQuadStep = 32;
// Steps of the depth that a loop goes through: two times what a load of a has.
constexpr uint32_t kFmaSteps = 8;

class FmaWriter : WgmmaWriter {
 public:
  explicit FmaWriter(const WgmmaKernel& kernel) : WgmmaWriter(kernel), shape_(fma_shape(kernel)) {}

  std::string text();

 private:
  uint32_t quads() const { return shape_.columns / 4; }
  uint32_t step_bytes() const { return 4 * k_.tile_n; }
  void consumers();
  void load_a(uint32_t half, uint32_t row);
  void load_b(uint32_t step, uint32_t quad, const char* from, uint32_t bytes);
  void stage();
  void next_of_a(uint32_t half);
  void multiply_step(uint32_t step);
  void results();
  void quad_of_results(uint32_t quad);
  void finish_quad(uint32_t first);

  const FmaShape shape_;
};

std::string FmaWriter::text() {
  head();
  add(" .reg .f32 from_a<%u>, from_b<%u>, q0, q1, q2, q3;", 8 * kFmaRows, 2 * shape_.columns);
  add(" .reg .b32 lane_a, lane_b, even, odd, next_b, pair, own_row, own_column, quad, line;");
  add(" .reg .b64 at_line, line_step;\n .reg .pred edge;");
  setup();
  producer();
  consumers();
  add("END:\n ret;\n}\n");
  return take();
}

// Four elements of a along the depth, for the first or the second half of a loop's steps. The copy
// has put the 16-byte parts of row r in an order that depends on r mod 8, of which an item's rows
// have two.
void FmaWriter::load_a(uint32_t half, uint32_t row) {
  const uint32_t r = 4 * (half * kFmaRows + row);
  add(" ld.shared.v4.f32 {from_a%u, from_a%u, from_a%u, from_a%u}, [%s+%u];", r, r + 1, r + 2,
      r + 3, row % 2 == 0 ? "even" : "odd", row * kRowStep * kWgmmaRowBytes);
}

// Four neighbours of b, for an even or an odd step.
void FmaWriter::load_b(uint32_t step, uint32_t quad, const char* from, uint32_t bytes) {
  const uint32_t b = step % 2 * shape_.columns + 4 * quad;
  add(" ld.shared.v4.f32 {from_b%u, from_b%u, from_b%u, from_b%u}, [%s+%u];", b, b + 1, b + 2,
      b + 3, from, bytes + 4 * kQuadStep * quad);
}

void FmaWriter::consumers() {
  add("CONSUMER:\n mov.u32 parity, 0;");
  if (shape_.moves_registers) add(" setmaxnreg.inc.sync.aligned.u32 240;");
  add(" sub.u32 x, item, %u;\n shr.u32 warp, x, 5;\n and.b32 lane, item, 31;", shape_.copying);
  add(" setp.eq.u32 is_one, lane, 0;\n shr.u32 x, lane, 3;");
  add(" and.b32 y, lane, 7;\n and.b32 z, warp, %u;", shape_.warps_n - 1);
  add(" shr.u32 warp, warp, %u;\n mad.lo.u32 own_row, warp, %u, x;", shape_.warps_n / 2,
      kFmaRows * kRowStep);
  add(" shl.b32 own_column, y, 2;\n mad.lo.u32 own_column, z, %u, own_column;", 8 * shape_.columns);
  add(" mad.lo.u32 lane_a, own_row, %u, local;\n shl.b32 x, x, 4;\n add.u32 lane_a, lane_a, x;",
      kWgmmaRowBytes);
  add(" mad.lo.u32 lane_b, own_column, 4, local;\n add.u32 lane_b, lane_b, %u;", at_b_);
  add("TILE:\n setp.ge.u32 over, tile, tiles;\n @over bra END;");
  place_of_tile();
  for (uint32_t i = 0; i < kFmaRows * shape_.columns; ++i) add(" mov.f32 sum%u, 0f00000000;", i);
  add(" shl.b32 x, stage, 3;\n add.u32 full, barriers, x;");
  wait_for("full", "parity");
  add(" mad.lo.u32 in_a, stage, %u, lane_a;\n mad.lo.u32 in_b, stage, %u, lane_b;", a_bytes_,
      b_bytes_);
  add(" mov.u32 even, in_a;\n xor.b32 odd, even, 64;");
  for (uint32_t row = 0; row < kFmaRows; ++row) load_a(0, row);
  for (uint32_t quad = 0; quad < quads(); ++quad) load_b(0, quad, "in_b", 0);
  stage();
  place_of_tile();
  results();
  add(" add.u32 tile, tile, tile_step;\n bra TILE;");
}

// Where the next four elements of a begin: in this stage or, after its end, in the next one, which
// is waited for unless there is none; what is read from it then is not used.
void FmaWriter::next_of_a(uint32_t half) {
  if (half == 0) {
    add(" shl.b32 x, pair, 5;\n xor.b32 x, x, 16;\n xor.b32 even, in_a, x;\n xor.b32 odd, even, "
        "64;");
    return;
  }
  add(" add.u32 pair, pair, 1;\n setp.eq.u32 edge, pair, %u;", deep() / kFmaSteps);
  add(" shl.b32 x, pair, 5;\n xor.b32 even, in_a, x;\n add.u32 next_b, in_b, %u;",
      kFmaSteps * step_bytes());
  add(" @!edge bra READY_A;\n add.u32 empty, full, %u;", 8 * kWgmmaStagesMost);
  next_stage();
  add(" mad.lo.u32 in_a, stage, %u, lane_a;\n mad.lo.u32 next_b, stage, %u, lane_b;", a_bytes_,
      b_bytes_);
  add(" mov.u32 even, in_a;\n shl.b32 x, stage, 3;\n add.u32 full, barriers, x;");
  add(" setp.eq.u32 over, stage_count, 1;\n @over bra READY_A;");
  wait_for("full", "parity");
  add("READY_A:\n xor.b32 odd, even, 64;");
}

// One step of the depth, with the loads of b for the next one and a quarter of those of a for the
// next half. Behind which multiply-adds these stand, and the order of columns, is what left the
// fewest sums in the wrong half of the registers: loads of a bias behind the loop change that as
// well.
void FmaWriter::multiply_step(uint32_t step) {
  const bool last = step + 1 == kFmaSteps;
  const uint32_t half = step / 4, all = kFmaRows * shape_.columns;
  const uint32_t first_a = k_.bias_dtype == 0 ? 20 : 4, first_b = k_.bias_dtype == 0 ? 0 : 6;
  for (uint32_t done = 0; done < all; ++done) {
    const uint32_t row = done / shape_.columns, place = done % shape_.columns;
    const uint32_t column = (row % 2 == 0 ? place : shape_.columns - 1 - place) ^ 1;
    const uint32_t sum = row * shape_.columns + column;
    add(" fma.rn.f32 sum%u, from_a%u, from_b%u, sum%u;", sum,
        4 * (half * kFmaRows + row) + step % 4, step % 2 * shape_.columns + column, sum);
    if (done >= first_b && done < first_b + quads()) {
      load_b(step + 1, done - first_b, last ? "next_b" : "in_b",
             last ? 0 : (step + 1) * step_bytes());
    }
    if (done == first_a) load_a(1 - half, step % 4 * 2);
    if (done == first_a + all / 2) load_a(1 - half, step % 4 * 2 + 1);
  }
}

void FmaWriter::stage() {
  add("STAGE:\n mov.u32 pair, 0;\nPAIR:");
  for (uint32_t step = 0; step < kFmaSteps; ++step) {
    if (step % 4 == 0) next_of_a(step / 4);
    multiply_step(step);
  }
  add(" mov.u32 in_b, next_b;\n @!edge bra PAIR;");
  // One item speaks for its warp, whose others may have waited longer and still read the stage.
  add(" bar.warp.sync 0xffffffff;\n @is_one mbarrier.arrive.shared::cta.b64 _, [empty];");
  add(" sub.u32 stage_count, stage_count, 1;\n setp.ne.u32 over, stage_count, 0;");
  add(" @over bra STAGE;");
}

void FmaWriter::results() {
  place_of_results();
  if (k_.bias_dtype != 0) place_of_bias();
  add(" add.u32 row, row, own_row;\n add.u32 column, column, own_column;");
  add(" ld.param.u64 line_step, [c_row];\n cvt.u64.u32 v, row;\n mul.lo.u64 v, v, line_step;");
  add(" add.u64 top, top, v;\n mul.wide.u32 v, column, 4;\n add.u64 top, top, v;");
  add(" shl.b64 line_step, line_step, 2;");
  for (uint32_t quad = 0; quad < quads(); ++quad) quad_of_results(quad);
}

// f0 to f3: results of a row; q0 to q3: the bias of their columns.
void FmaWriter::finish_quad(uint32_t first) {
  const bool columns = k_.bias_dtype != 0 && !k_.bias_by_rows;
  if (k_.bias_by_rows) read_bias_value("line", "m", "bias0");
  for (uint32_t i = 0; i < 4; ++i) {
    const std::string out = format("f%u", i);
    add(" mul.rn.f32 %s, sum%u, alpha;", out.c_str(), first + i);
    // A multiply-add here would have a say in which half of the registers sums are.
    if (k_.bias_dtype != 0) {
      add(" add.rn.f32 %s, %s, %s;", out.c_str(), out.c_str(),
          columns ? format("q%u", i).c_str() : "bias0");
    }
    if (k_.activation != NETCL_ACTIVATION_NONE) {
      add("%s", wgmma_activation_text(k_.activation, out.c_str()).c_str());
    }
  }
}

void FmaWriter::quad_of_results(uint32_t quad) {
  const std::string done = label("QUAD_DONE");
  const uint32_t at = 4 * kQuadStep * quad;
  add(" add.u32 quad, column, %u;\n setp.ge.u32 over, quad, n;\n @over bra %s;", kQuadStep * quad,
      done.c_str());
  if (k_.bias_dtype != 0 && !k_.bias_by_rows) {
    for (uint32_t i = 0; i < 4; ++i) {
      add(" add.u32 x, quad, %u;", i);
      read_bias_value("x", "n", format("q%u", i).c_str());
    }
  }
  add(" mov.u32 line, row;\n mov.u64 at_line, top;");
  for (uint32_t row = 0; row < kFmaRows; ++row) {
    const uint32_t first = row * shape_.columns + 4 * quad;
    add(" setp.ge.u32 over, line, m;\n @over bra %s;", done.c_str());
    finish_quad(first);
    // Four at a time take registers beside each other, and the order of reading them suffers.
    for (uint32_t i = 0; i < 4; ++i) {
      add(" add.u32 x, quad, %u;\n setp.lt.u32 fits, x, n;", i);
      add(" @fits st.global.f32 [at_line+%u], f%u;", at + 4 * i, i);
    }
    add(" add.u32 line, line, %u;\n add.u64 at_line, at_line, line_step;", kRowStep);
  }
  add("%s:", done.c_str());
}

}  // namespace

FmaShape fma_shape(const WgmmaKernel& kernel) {
  FmaShape shape{};
  shape.warps_n = kernel.tile_n % 64 == 0 ? 2 : 1;
  shape.columns = kernel.tile_n / (8 * shape.warps_n);
  shape.warps = kernel.tile_m / (kFmaRows * kRowStep) * shape.warps_n;
  // Eight warps with 128 sums for each item take more registers than a group begins with.
  shape.moves_registers = shape.columns == 16;
  shape.copying = shape.moves_registers ? 128 : 32;
  return shape;
}

std::string fma_text(const WgmmaKernel& kernel) { return FmaWriter(kernel).text(); }

}  // namespace netcl::ops
