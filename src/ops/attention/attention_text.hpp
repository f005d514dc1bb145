// Writes attention for the matrix units of Hopper (sm_90a) as PTX: docs/matrix-units.md.
#pragma once

#include <cstdint>
#include <string>

#include "netcl.h"

namespace netcl::ops {

// One kernel. Neighbours lie along the elements of a head; everything else is 16-byte aligned in q,
// k and v.
struct AttentionUnits {
  netcl_dtype dtype = NETCL_F16;  // f16 or bf16
  uint32_t size = 64;             // of queries and keys, rounded up to whole boxes of 64
  uint32_t value_size = 64;       // of values, likewise
  // That multiply, each with 64 queries: 1 to 3, and 3 where both sizes are 64. With 1 the queries
  // of a tile are those of all heads that share keys, and its sums go to attention_join.cl.
  uint32_t warpgroups = 2;

  bool joins() const { return warpgroups == 1; }
  uint32_t queries() const { return 64 * warpgroups; }
  // Keys of a block.
  uint32_t keys() const { return size <= 128 && value_size <= 128 ? 128 : 64; }
  uint32_t items() const { return 128 * (1 + warpgroups); }
};

// What lies in `scratch`: the number of the next tile and whether the results are to be made again
// by the portable kernel; then of each sequence three tensor maps, and its numbers of queries and
// keys, the key at which query 0 stands and whether lengths are in range.
inline constexpr uint32_t kAttentionScratchHead = 128;
inline constexpr uint32_t kAttentionScratchOdd = 4;
inline constexpr uint32_t kAttentionScratchEach = 512;

std::string attention_setup_name(const AttentionUnits& kernel);
// The program that fills `scratch`, with 32 items for each sequence. Parameters, in order: q, k, v,
// scratch, query_lengths, key_lengths. Then 64-bit ones: for q, k and v each the first byte and the
// bytes from sequence to sequence, head to head, row to row; for q those from one set of heads to
// the next; for both lengths the first byte and those from one to the next. Then 32-bit ones: heads
// of a set, sets, kv_heads, rows, rows of a tile, keys, elements of a query and of a value; whether
// there are query_lengths, key_lengths, a position; the position. A set are the heads that share
// keys where the kernel joins, else it is one head.
std::string attention_setup_text(const AttentionUnits& kernel);

std::string attention_units_name(const AttentionUnits& kernel);
// The program, one group for each compute unit. Parameters, in order: scratch; q, k and v, which it
// reads by the maps in scratch; where it joins, the sums, else the result and lse, and 64-bit ones:
// of both the first byte and the bytes from sequence to sequence, head to head, row to row; those
// from column to column of the result. Then 32-bit ones: sets, heads that share keys, sets in all,
// sets that are gone through together, rows, tiles of rows, elements of a value, keys before and
// after a query's own that it sees, whether lse is wanted, whether two neighbours of the result are
// 4 aligned bytes; rows of a tile, chunks of keys, blocks of a chunk. Then as f32 the scale times
// log2(e).
std::string attention_units_text(const AttentionUnits& kernel);

}  // namespace netcl::ops
