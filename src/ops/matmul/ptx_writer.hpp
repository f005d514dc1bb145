// What kernels in PTX for the matrix units of Hopper (sm_90a) are written with.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "netcl.h"

namespace netcl::ops {

// Bytes of a row of a tile in local memory: what the swizzle of 128 bytes repeats after.
inline constexpr uint32_t kWgmmaRowBytes = 128;
// Local memory of a group on sm_90, of which the driver takes 1 KB.
inline constexpr uint32_t kWgmmaLocalBytes = 232448 - 1024;
// Bytes of a tensor map.
inline constexpr uint32_t kTensorMapBytes = 128;

// As instructions name it.
const char* wgmma_element(netcl_dtype dtype);

class PtxWriter {
 protected:
  void add(const char* pattern, ...) __attribute__((format(printf, 2, 3)));
  // The head of a text up to the parameters of its only kernel.
  void begin(const std::string& kernel, const char* version = "8.3");
  std::string label(const char* name) { return format("%s%u", name, ++labels_); }

  // A field of the tensor map at `map`, in local memory, with documented instructions.
  void set_map(const char* map, const char* field, const char* type, const char* value);
  // What is the same in all maps here: zeros outside, and rows that are swizzled, of 128, 64 or 32
  // bytes; with 0 they are not. f32 is rounded to tf32 unless it is `strict`.
  void finish_map(const char* map, netcl_dtype dtype, uint32_t row_bytes = kWgmmaRowBytes,
                  bool strict = false);
  // Waits until the phase of this parity of a barrier is over. Predicate `ready`.
  void wait_for(const char* barrier, const char* parity);
  // The matrix descriptor of what lies at `address`, a 32-bit register: x is lost. `lead` is the
  // step in bytes between blocks of 64 neighbours, where these lie across the depth, else 16.
  void descriptor(const char* address, uint32_t lead, const char* into,
                  uint32_t row_bytes = kWgmmaRowBytes);

  std::string take() { return std::move(text_); }

 private:
  uint32_t labels_ = 0;
  std::string text_;
};

}  // namespace netcl::ops
