#include "ops/matmul/ptx_writer.hpp"

#include <cstdarg>
#include <cstdio>

namespace netcl::ops {

const char* wgmma_element(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F16:
      return "f16";
    case NETCL_BF16:
      return "bf16";
    case NETCL_I8:
      return "s8";
    case NETCL_U8:
      return "u8";
    default:
      return "tf32";
  }
}

// The number of an element's type in a tensor map. Copies do not ask for the sign.
static const char* map_element(netcl_dtype dtype) {
  switch (dtype) {
    case NETCL_F16:
      return "6";
    case NETCL_BF16:
      return "10";
    case NETCL_I8:
    case NETCL_U8:
      return "0";
    default:
      return "11";
  }
}

void PtxWriter::add(const char* pattern, ...) {
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  const size_t before = text_.size();
  text_.resize(before + static_cast<size_t>(size) + 1);
  std::vsnprintf(text_.data() + before, static_cast<size_t>(size) + 1, pattern, again);
  va_end(again);
  text_.back() = '\n';
}

void PtxWriter::begin(const std::string& kernel, const char* version) {
  add(".version %s\n.target sm_90a, texmode_independent\n.address_size 64", version);
  add(".entry %s(", kernel.c_str());
}

void PtxWriter::set_map(const char* map, const char* field, const char* type, const char* value) {
  add(" tensormap.replace.tile.%s.shared::cta.b1024.%s %s, %s;", field, type, map, value);
}

void PtxWriter::finish_map(const char* map, netcl_dtype dtype, uint32_t row_bytes, bool strict) {
  set_map(map, "elemtype", "b32", strict ? "7" : map_element(dtype));
  set_map(map, "interleave_layout", "b32", "0");
  static constexpr const char* kSwizzles[] = {"0", "1", "2", nullptr, "3"};
  set_map(map, "swizzle_mode", "b32", kSwizzles[row_bytes / 32]);
  set_map(map, "fill_mode", "b32", "0");
}

void PtxWriter::wait_for(const char* barrier, const char* parity) {
  const std::string again = label("WAIT");
  add("%s:\n mbarrier.try_wait.parity.shared::cta.b64 ready, [%s], %s;\n @!ready bra %s;",
      again.c_str(), barrier, parity, again.c_str());
}

// Address and steps are in units of 16 bytes: address, lead, the step between groups of eight rows;
// 1 << 62 is the swizzle of 128 bytes, 2 << 62 and 3 << 62 are those of 64 and 32.
void PtxWriter::descriptor(const char* address, uint32_t lead, const char* into,
                           uint32_t row_bytes) {
  add(" and.b32 x, %s, 0x3ffff;\n shr.u32 x, x, 4;\n cvt.u64.u32 %s, x;", address, into);
  const uint64_t swizzle = row_bytes == 128 ? 1 : row_bytes == 64 ? 2 : 3;
  const uint64_t bits = swizzle << 62 | uint64_t{8 * row_bytes >> 4} << 32 |
                        uint64_t{lead >> 4} << 16;
  add(" or.b64 %s, %s, 0x%llx;", into, into, static_cast<unsigned long long>(bits));
}

}  // namespace netcl::ops
