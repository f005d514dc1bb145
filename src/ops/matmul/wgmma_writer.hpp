// Writes one kernel; wgmma_text.cpp has the tiles and products, wgmma_results.cpp what becomes of
// the sums.
#pragma once

#include <cstdint>
#include <string>

#include "ops/matmul/wgmma_text.hpp"

namespace netcl::ops {

// Bytes of a row of a stage: what the swizzle of 128 bytes repeats after.
inline constexpr uint32_t kWgmmaRowBytes = 128;
// A box of 64 rows.
inline constexpr uint32_t kWgmmaBoxBytes = 64 * kWgmmaRowBytes;
// Local memory of a group on sm_90, of which the driver takes 1 KB.
inline constexpr uint32_t kWgmmaLocalBytes = 232448 - 1024;
// Rows of tiles that are gone through together, so that what they share stays in the cache.
inline constexpr uint32_t kWgmmaRaster = 16;
// Boxes of results that a warpgroup writes in turn.
inline constexpr uint32_t kWgmmaStoreBoxes = 2;
inline constexpr uint32_t kWgmmaStagesMost = 8;

// As instructions name it.
const char* wgmma_element(netcl_dtype dtype);

class WgmmaWriter {
 public:
  explicit WgmmaWriter(const WgmmaKernel& kernel);

  std::string text();

 private:
  bool boxed() const { return k_.store == WgmmaStore::boxes; }
  void add(const char* pattern, ...) __attribute__((format(printf, 2, 3)));
  std::string label(const char* name) { return format("%s%u", name, ++labels_); }

  void head();
  void parameters();
  void setup();
  void tensor_map(uint32_t number, char name, bool along, const char* row, const char* column,
                  uint32_t box_rows);
  void place_of_tile();
  void wait_for(const char* barrier, const char* parity);
  void next_stage();
  void producer();
  void load(char name, bool along, const char* first, uint32_t tile, uint32_t bytes);
  void consumers();
  void descriptor(char name, bool along, const char* first);
  void multiply(bool fresh);
  void hand_back(const char* stage);
  void tile_loop();
  void read_bias();
  void read_bias_value(const char* index, const char* end, const char* into);
  void finish(uint32_t group);
  void pack();
  void store_box(uint32_t box);
  void store_pairs();
  void store_group(uint32_t group, bool sums, uint32_t bytes);

  const WgmmaKernel& k_;
  const uint32_t element_, groups_, a_bytes_, b_bytes_, boxes_;
  uint32_t stages_, at_b_, at_store_, at_maps_, at_barriers_, local_bytes_;
  uint32_t labels_ = 0;
  std::string text_;
};

}  // namespace netcl::ops
