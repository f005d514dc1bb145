// Writes a matrix product for the matrix units of Hopper (sm_90a) as PTX, which NVIDIA's OpenCL
// driver takes as a program's binary. docs/matrix-units.md goes through one such kernel.
#pragma once

#include <cstdint>
#include <string>

#include "netcl.h"

namespace netcl::ops {

// What becomes of the sums of a tile, which are f32, or i32 where a and b are i8 or u8.
enum class WgmmaStore : uint8_t {
  sums,   // as they are, for matmul_join.cl: in pairs, one slab for each piece of the depth
  pairs,  // as results, by the items that have them
  boxes   // as 16-bit results through local memory, while the next tile's products are under way
};

// One kernel, by the units or, where it is strict, by items. Rows of a, b and c are `row_stride`
// apart and 16-byte aligned, as the first elements are (c: for boxes alone).
struct WgmmaKernel {
  netcl_dtype dtype = NETCL_F16;      // of a: f16, bf16, f32 read as tf32, i8 or u8
  netcl_dtype b_dtype = NETCL_F16;    // of b: the same, or i8 or u8 beside the other
  netcl_dtype out_dtype = NETCL_F16;  // of c unless it takes sums
  bool a_along_m = false;             // neighbours of a lie along m, else along k; 16 bits alone
  bool b_along_n = false;             // neighbours of b lie along n, else along k; 16 bits alone
  uint32_t tile_m = 128;              // 64 or 128
  uint32_t tile_n = 256;              // a multiple of 64 up to 256
  // f32 that the items multiply and add, without the units: fma_text.cpp. a along k, b along n,
  // tiles of 128 x 256, 64 x 128 or 192 x 96, and sums or pairs.
  bool strict = false;
  uint32_t batch_rank = 0;            // 0, 1 or 2; 2 with windows
  // a holds images, and each row of the product is a window of them that the filters, which are b,
  // lie over: a convolution. Neither along m nor along n, and sums or boxes.
  bool windows = false;
  uint32_t row_bytes = 128;  // of a stage: 32 or 64 with windows of few channels
  WgmmaStore store = WgmmaStore::boxes;
  bool wide_pairs = false;     // of pairs: two neighbours lie within 4 or 8 aligned bytes; not
                               // of a strict kernel
  netcl_dtype bias_dtype = 0;  // 0: none; not with sums
  bool bias_by_rows = false;   // one for each row, else for each column
  netcl_activation activation = NETCL_ACTIVATION_NONE;  // not with sums; of i32: RELU

  bool whole() const { return dtype == NETCL_I8 || dtype == NETCL_U8; }
};

// Activations that a kernel can do by itself, and how: instructions that change the value in an f32
// register. wgmma_activation.cpp
bool wgmma_activation(netcl_activation activation, netcl_dtype out_dtype);
std::string wgmma_activation_text(netcl_activation activation, const char* value);

// Elements of the depth that one stage of the pipeline holds, of rows of 128 bytes.
uint32_t wgmma_depth(netcl_dtype dtype);
uint32_t wgmma_items(const WgmmaKernel& kernel);
// The kernel's name, which says all of it.
std::string wgmma_name(const WgmmaKernel& kernel);
// The program. Parameters, in order: a, b, scratch of kWgmmaScratch bytes for each group, c, bias
// (where there is one). Then 64-bit ones: for a, b, c and bias each the first byte, and the bytes
// from row to row (along which neighbours lie), from matrix to matrix, from stack to stack; for c
// from piece to piece; and the first byte of scratch. Then 32-bit ones: m, n, k, the matrices and
// stacks of the result, of a and of b, pieces of the depth, stages of a piece. With windows, then,
// WgmmaWindows. Then alpha and the activation's two parameters, as f32, or 32-bit integers of 8-bit
// ones.
std::string wgmma_text(const WgmmaKernel& kernel);
// What the driver builds it with.
const char* wgmma_options(const WgmmaKernel& kernel);

// How the items of a strict kernel share a tile: each has 8 rows, 4 apart, and quads of columns, 32
// apart; the 32 items of a warp are 4 x 8.
struct FmaShape {
  uint32_t columns;      // of an item
  uint32_t warps_n;      // beside each other
  uint32_t warps;        // all that multiply
  uint32_t copying;      // items that come before them
  bool moves_registers;  // from those that copy to those that multiply
};
FmaShape fma_shape(const WgmmaKernel& kernel);
std::string fma_text(const WgmmaKernel& kernel);

// What a kernel with windows takes beside, as 32-bit numbers in this order. Rows of a and c are
// then elements of a line, matrices lines and stacks images; rows of b are filters, its matrices
// places of a filter. m is 64 for each box, k a whole number of stages for each place of a filter,
// and matrices and stacks are 1.
struct WgmmaWindows {
  uint32_t channels, in_width, out_width, out_height;
  uint32_t stages;               // of a place of a filter: its channels
  uint32_t box_w, box_h, box_n;  // 64 results at most
  uint32_t boxes_w, boxes_h;     // of a line, of an image
  uint32_t stride_w, stride_h, dilation_w, dilation_h, padding_w, padding_h, kernel_w;
};

// Where a group keeps how its operands lie in memory: three tensor maps of 128 bytes.
inline constexpr uint32_t kWgmmaScratch = 384;

}  // namespace netcl::ops
