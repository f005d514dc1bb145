// Any bytes given as a .npy file: an error with a message, or a tensor whose facts fit the bytes
// and whose elements can be read back.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "netcl.h"
#include "structured.hpp"
#include "tensor/npy.hpp"

using netcl::fuzz::Chance;
using netcl::fuzz::require;

static constexpr std::string_view kTypes[] = {
    "'<f4'",          "'>f4'", "'<f2'", "'<V2'", "'|u1'",   "'<i8'",
    "'|b1'",          "'>i2'", "'=f8'", "'<c8'", "'<U4'",   "'<M8[ns]'",
    "[('a', '<i4')]", "'f4'",  "''",    "'<f'",  "'<f16'",  "'<f1234567'",
    "'<q4'",          "'<f4",  "'|O'",  "7",     "\"<u4\"", "('<i4', 3)"};
static constexpr std::string_view kKeys[] = {"'descr'",   "'fortran_order'", "'shape'", "'extra'",
                                             "\"shape\"", "descr",           "'a\\b'"};
static constexpr std::string_view kBools[] = {"False", "True", "false", "1", "Tru"};
static constexpr std::string_view kExtents[] = {
    "0", "1", "2", "3", "7", "4L", "-1", "x", "4294967296", "99999999999999999999", ""};
static constexpr std::string_view kBlanks[] = {"", "", " ", "\n", "\t \r"};

static std::string new_shape(Chance& chance) {
  std::string text = chance.one_in(16) ? "[" : "(";
  const size_t rank = chance.one_in(16) ? 9 : chance.below(5);
  for (size_t d = 0; d < rank; ++d) {
    const bool plain = !chance.one_in(10);
    text += std::string(plain ? kExtents[1 + chance.below(4)] : chance.of(kExtents)) +
            std::string(chance.of(kBlanks));
    if (d + 1 < rank || rank == 1 || chance.one_in(4)) text += chance.one_in(24) ? "" : ",";
  }
  return text + (chance.one_in(24) ? "" : ")");
}

// A header made anew, mostly sound, with as many bytes of elements as it asks for or a few.
FUZZ_MUTATION(text, chance) {
  if (chance.one_in(4)) return netcl::fuzz::changed_bytes(text);
  std::string entries[3] = {
      std::string(chance.one_in(16) ? chance.of(kKeys) : kKeys[0]) + ":" +
          std::string(chance.of(kTypes)),
      std::string(chance.one_in(16) ? chance.of(kKeys) : kKeys[1]) + ": " +
          std::string(chance.one_in(8) ? chance.of(kBools) : kBools[chance.below(2)]),
      std::string(chance.one_in(16) ? chance.of(kKeys) : kKeys[2]) +
          (chance.one_in(16) ? "" : ":") + new_shape(chance)};
  std::swap(entries[0], entries[chance.below(3)]);
  std::string header = chance.one_in(24) ? "" : "{";
  for (const std::string& entry : entries) {
    if (chance.one_in(24)) continue;
    header += std::string(chance.of(kBlanks)) + entry + std::string(chance.of(kBlanks));
    if (!chance.one_in(24)) header += ",";
  }
  header += chance.one_in(24) ? "" : chance.one_in(24) ? "} x" : "}\n";
  if (chance.one_in(64)) header.resize(20000, ' ');
  const char version = chance.one_in(24) ? 4 : static_cast<char>(1 + chance.below(3));
  std::string out = "\x93NUMPY";
  out += {version, '\0', static_cast<char>(header.size()), static_cast<char>(header.size() >> 8)};
  if (version > 1) out.append(2, '\0');
  out += header;
  std::string elements;
  try {
    // How many bytes are missing is what the parser says of none.
    const netcl::npy::Header wanted = netcl::npy::parse(out.data(), out.size());
    elements.assign(wanted.data_bytes, 'x');
  } catch (const netcl::Error& error) {
    const size_t at = error.message().find("type need ");
    const long long need = at == std::string::npos ? 0 : atoll(error.message().c_str() + at + 10);
    if (need > 0 && need < 4096) elements.assign(static_cast<size_t>(need), 'x');
  }
  if (chance.one_in(16)) elements += 'x';
  return out + elements;
}

// The header of the tensor, as it would be saved, gives the same shape and type again.
static void write_and_read(const netcl_tensor_info& info) {
  std::string made = netcl::npy::write_header(info.dtype, info.rank, info.shape);
  const netcl::npy::Header again =
      netcl::npy::parse(made.data(), made.size(), made.size() + info.byte_count);
  require(again.dtype == info.dtype && again.rank == info.rank && again.data_offset % 64 == 0 &&
              std::equal(info.shape, info.shape + info.rank, again.shape),
          "a header does not come back");
}

static netcl_device* builtin_device() {
  static netcl_device* device = nullptr;
  if (device == nullptr) {
    require(netcl_device_open("builtin", nullptr, &device) == NETCL_OK, "no built-in device");
  }
  return device;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const uint8_t nothing = 0;
  netcl_tensor* tensor = nullptr;
  const netcl_status status = netcl_tensor_create_from_npy(
      builtin_device(), data != nullptr ? data : &nothing, size, nullptr, &tensor);
  if (status != NETCL_OK) {
    require(tensor == nullptr, "a tensor beside an error");
    require(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_UNSUPPORTED,
            "a damaged file is neither CORRUPT_DATA nor UNSUPPORTED");
    require(netcl_last_error_message()[0] != '\0', "an error without a message");
    return 0;
  }
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  require(netcl_tensor_get_info(tensor, &info) == NETCL_OK, "no facts");
  require(info.rank <= NETCL_RANK_MAX && info.byte_count < size, "more elements than bytes");
  require(
      info.byte_count == static_cast<uint64_t>(info.element_count) * netcl_dtype_size(info.dtype),
      "sizes do not fit");
  write_and_read(info);
  std::vector<unsigned char> out(static_cast<size_t>(info.byte_count) + 1);
  require(netcl_tensor_read(tensor, out.data(), static_cast<size_t>(info.byte_count), nullptr,
                            NETCL_WAIT_FOREVER) == NETCL_OK,
          "the elements cannot be read");
  netcl_tensor_release(tensor);
  uint64_t live = 1;
  require(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &live) == NETCL_OK && live == 0,
          "a tensor is left");
  return 0;
}
