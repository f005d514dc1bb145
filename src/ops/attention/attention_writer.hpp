// Writes one attention kernel; attention_units_text.cpp has the blocks and products,
// attention_softmax_text.cpp what happens to scores and results.
#pragma once

#include "ops/attention/attention_text.hpp"
#include "ops/matmul/ptx_writer.hpp"

namespace netcl::ops {

class AttentionWriter : PtxWriter {
 public:
  explicit AttentionWriter(const AttentionUnits& kernel);
  std::string text();

 private:
  void head();
  void clear_queries();
  void setup();
  void place_of_tile();
  void next_stage();
  void next_queries();
  void producer();
  void load(char name, uint32_t size, uint32_t rows, const char* from);
  void load_queries();
  void load_block(char name, uint32_t size, uint32_t first, uint32_t bytes);
  void consumers();
  void own_rows();
  void block_loop();
  void barrier_of(const char* stage, uint32_t first, const char* into);
  void hand_back(const char* stage, uint32_t first);
  void score();
  void add_values();
  const char* shift() const;
  void mask();
  void weigh();
  void largest(uint32_t half);
  void find_largest(uint32_t half);
  void exponentials();
  void round();
  void results();
  void finish(uint32_t group, uint32_t half);
  void look(uint32_t half);
  void store_row(uint32_t half);
  void store_sums(uint32_t half);

  const AttentionUnits& k_;
  const uint32_t groups_, keys_, q_bytes_, k_bytes_, v_bytes_;
  uint32_t stages_, q_stages_, at_k_, at_v_, at_barriers_, local_bytes_;
};

}  // namespace netcl::ops
