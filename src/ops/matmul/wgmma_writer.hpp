// Writes one kernel; wgmma_text.cpp has the tiles and products, wgmma_windows.cpp what convolutions
// have beside, wgmma_results.cpp what becomes of the sums.
#pragma once

#include <cstdint>
#include <string>

#include "ops/matmul/ptx_writer.hpp"
#include "ops/matmul/wgmma_text.hpp"

namespace netcl::ops {

// A box of 64 rows.
inline constexpr uint32_t kWgmmaBoxBytes = 64 * kWgmmaRowBytes;
// Rows of tiles that are gone through together, so that what they share stays in the cache.
inline constexpr uint32_t kWgmmaRaster = 16;
// Boxes of results that a warpgroup writes in turn.
inline constexpr uint32_t kWgmmaStoreBoxes = 2;
inline constexpr uint32_t kWgmmaStagesMost = 8;

class WgmmaWriter : protected PtxWriter {
 public:
  explicit WgmmaWriter(const WgmmaKernel& kernel);

  std::string text();

 protected:
  bool boxed() const { return k_.store == WgmmaStore::boxes; }
  const char* sum_type() const { return k_.whole() ? "b32" : "f32"; }
  void head();
  void parameters();
  void setup();
  void tensor_map(uint32_t number, char name, bool along, const char* row, const char* column,
                  uint32_t box_rows);
  void begin_map(const char* map, char name);
  void map_dimension(const char* map, uint32_t d, const char* extent, const char* box,
                     const char* element_stride);
  void map_step(const char* map, char name, uint32_t d);
  // wgmma_windows.cpp
  void window_parameters();
  void window_registers();
  void window_maps();
  void window_of_box(const char* box, const char* w, const char* h, const char* n);
  void first_window();
  void load_windows();
  void next_window();
  void window_of_results();
  void window_pairs();
  void place_of_tile();
  void next_stage();
  void producer();
  void load(char name, bool along, const char* first, uint32_t tile, uint32_t bytes);
  void consumers();
  void multiply(bool fresh);
  void hand_back(const char* stage);
  void tile_loop();
  void place_of_bias();
  void read_bias();
  void read_bias_value(const char* index, const char* end, const char* into);
  void finish(uint32_t group);
  void pack();
  void store_box(uint32_t box);
  void place_of_results();
  void store_pairs();
  void store_group(uint32_t group, bool sums, uint32_t bytes);

  const WgmmaKernel& k_;
  // Items that copy, and how many give a stage back.
  uint32_t copying() const { return k_.strict ? fma_shape(k_).copying : 128; }
  uint32_t takers() const { return k_.strict ? fma_shape(k_).warps : groups_; }
  // Neighbours of a copy that lie across the depth.
  uint32_t wide_across() const { return k_.strict ? k_.tile_n : kWgmmaRowBytes / element_; }
  // Elements of the depth that a stage holds.
  uint32_t deep() const { return k_.row_bytes / element_; }
  const uint32_t element_, groups_, a_bytes_, b_bytes_, boxes_;
  uint32_t stages_, at_b_, at_store_, at_maps_, at_barriers_, local_bytes_;
};

}  // namespace netcl::ops
