// The tensor maps of each sequence, with its lengths as their extents: what lies behind them is
// read as zeros.
#include <cstring>
#include <initializer_list>

#include "core/dtype.hpp"
#include "ops/attention/attention_text.hpp"
#include "ops/matmul/ptx_writer.hpp"

namespace netcl::ops {
namespace {

class SetupWriter : PtxWriter {
 public:
  explicit SetupWriter(const AttentionUnits& kernel) : k_(kernel) {}
  std::string text();

 private:
  void head();
  void lengths();
  void length(const char* name, const char* rest, const char* into);
  // A dimension: its extent, the bytes of a step along it (none of the first), what a box has of
  // it. Names of parameters, registers or numbers.
  struct Axis {
    const char* extent;
    const char* step;
    const char* box;
  };
  void map(uint32_t number, char name, std::initializer_list<Axis> axes);
  void read(const char* name, const char* into);

  const AttentionUnits& k_;
};

void SetupWriter::head() {
  begin(attention_setup_name(k_));
  for (const char* name : {"q", "k", "v"}) add(" .param .u64 .ptr .global .align 16 %s,", name);
  add(" .param .u64 .ptr .global .align 128 scratch,");
  add(" .param .u64 .ptr .global .align 4 query_lengths,");
  add(" .param .u64 .ptr .global .align 4 key_lengths,");
  for (const char* name : {"q", "k", "v"}) {
    for (const char* what : {"first", "batch", "head", "row"}) {
      add(" .param .u64 %s_%s,", name, what);
    }
  }
  add(" .param .u64 q_set,");
  for (const char* name : {"query", "key"}) {
    add(" .param .u64 %s_first,\n .param .u64 %s_step,", name, name);
  }
  for (const char* name : {"set", "sets", "kv_heads", "rows", "tile_rows", "keys", "size",
                           "value_size", "has_query_lengths", "has_key_lengths", "has_position"}) {
    add(" .param .u32 p_%s,", name);
  }
  add(" .param .u32 p_position\n)\n.reqntid 32, 1, 1\n{");
  add(" .shared .align 128 .b8 maps[%u];", 3 * kTensorMapBytes);
  add(" .reg .pred over, sound;\n .reg .b32 item, local, batch, x, y, z, queries, keys, rows;");
  add(" .reg .b32 all;");
  add(" .reg .b64 own, from, step;");
}

// The length of this sequence, where there are lengths; it is sound from 0 to `into`.
void SetupWriter::length(const char* name, const char* rest, const char* into) {
  const std::string none = label("NONE");
  add(" ld.param.u32 x, [p_has_%s_lengths];\n setp.eq.u32 over, x, 0;\n @over bra %s;", name,
      none.c_str());
  add(" ld.param.u64 from, [%s_lengths];\n cvta.to.global.u64 from, from;", name);
  add(" ld.param.u64 step, [%s_first];\n add.u64 from, from, step;", name);
  add(" ld.param.u64 step, [%s_step];", name);
  add(" cvt.u64.u32 own, batch;\n mul.lo.u64 step, step, own;\n add.u64 from, from, step;");
  add(" ld.global.u32 x, [from];\n setp.le.and.u32 sound, x, %s, sound;", rest);
  add(" mov.u32 %s, x;\n%s:", into, none.c_str());
}

void SetupWriter::lengths() {
  add(" ld.param.u32 rows, [p_rows];\n ld.param.u32 all, [p_keys];");
  add(" mov.u32 queries, rows;\n mov.u32 keys, all;\n setp.eq.u32 sound, item, item;");
  length("query", "rows", "queries");
  length("key", "all", "keys");
  add(" @!sound mov.u32 queries, 0;\n @!sound mov.u32 keys, 0;");
}

// A 32-bit parameter, or what stands in a register or is a number. An extent of 0 is none, and
// nothing is read of such a map.
void SetupWriter::read(const char* name, const char* into) {
  if (std::strncmp(name, "p_", 2) == 0) {
    add(" ld.param.u32 %s, [%s];", into, name);
  } else {
    add(" max.u32 %s, %s, 1;", into, name);
  }
}

void SetupWriter::map(uint32_t number, char name, std::initializer_list<Axis> axes) {
  const std::string at = format("[local+%u]", number * kTensorMapBytes);
  const auto set = [&](const char* field, const char* type, const char* value) {
    set_map(at.c_str(), field, type, value);
  };
  add(" ld.param.u64 from, [%c];\n cvta.to.global.u64 from, from;", name);
  add(" ld.param.u64 step, [%c_first];\n add.u64 from, from, step;", name);
  add(" ld.param.u64 step, [%c_batch];\n cvt.u64.u32 own, batch;", name);
  add(" mul.lo.u64 step, step, own;\n add.u64 from, from, step;\n cvta.global.u64 from, from;");
  set("global_address", "b64", "from");
  set("rank", "b32", format("%zu", axes.size() - 1).c_str());
  uint32_t d = 0;
  for (const Axis& axis : axes) {
    read(axis.extent, "x");
    set("global_dim", "b32", format("%u, x", d).c_str());
    read(axis.box, "x");
    set("box_dim", "b32", format("%u, x", d).c_str());
    set("element_stride", "b32", format("%u, 1", d).c_str());
    if (d > 0) {
      add(" ld.param.u64 from, [%c_%s];", name, axis.step);
      set("global_stride", "b64", format("%u, from", d - 1).c_str());
    }
    ++d;
  }
  finish_map(at.c_str(), k_.dtype);
}

std::string SetupWriter::text() {
  head();
  add(" mov.u32 item, %%tid.x;\n mov.u32 local, maps;\n mov.u32 batch, %%ctaid.x;");
  add(" shl.b32 x, item, 2;\n add.u32 x, x, local;\n mov.u32 z, 0;");
  for (uint32_t i = 0; i < 3; ++i) add(" st.shared.b32 [x+%u], z;", i * kTensorMapBytes);
  add(" bar.warp.sync 0xffffffff;\n setp.ne.u32 over, item, 0;\n @over bra WRITTEN;");
  lengths();
  map(0, 'q', {{"p_size", "", "64"}, {"p_set", "head", "p_set"},
               {"queries", "row", "p_tile_rows"}, {"p_sets", "set", "1"}});
  const std::string box = format("%u", k_.keys());
  map(1, 'k', {{"p_size", "", "64"}, {"keys", "row", box.c_str()}, {"p_kv_heads", "head", "1"}});
  map(2, 'v', {{"p_value_size", "", "64"}, {"keys", "row", box.c_str()},
               {"p_kv_heads", "head", "1"}});
  add(" ld.param.u64 step, [scratch];\n cvta.to.global.u64 step, step;");
  add(" mul.wide.u32 from, batch, %u;\n add.u64 from, from, step;", kAttentionScratchEach);
  // Where query 0 stands.
  add(" ld.param.u32 x, [p_position];\n ld.param.u32 y, [p_has_position];");
  add(" setp.eq.u32 over, y, 0;\n @over sub.u32 x, keys, queries;\n selp.u32 y, 1, 0, sound;");
  add(" st.global.v4.b32 [from+%u], {queries, keys, x, y};",
      kAttentionScratchHead + 3 * kTensorMapBytes);
  add(" setp.eq.u32 over, batch, 0;\n @over st.global.v2.b32 [step], {z, z};");
  add("WRITTEN:\n bar.warp.sync 0xffffffff;\n ld.param.u64 step, [scratch];");
  add(" cvta.global.u64 step, step;");
  add(" mul.wide.u32 from, batch, %u;\n add.u64 from, from, step;", kAttentionScratchEach);
  for (uint32_t i = 0; i < 3; ++i) {
    add(" tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
        "[from+%u], [local+%u], %u;", kAttentionScratchHead + i * kTensorMapBytes,
        i * kTensorMapBytes, kTensorMapBytes);
  }
  add(" ret;\n}\n");
  return take();
}

}  // namespace

std::string attention_setup_name(const AttentionUnits& k) {
  return format("netcl_attention_setup_%s_%u", wgmma_element(k.dtype), k.keys());
}

std::string attention_setup_text(const AttentionUnits& kernel) {
  return SetupWriter(kernel).text();
}

}  // namespace netcl::ops
