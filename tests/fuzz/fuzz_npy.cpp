// Any bytes given as a .npy file: an error with a message, or a tensor whose facts fit the bytes
// and whose elements can be read back. Works through the public header alone.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "netcl.h"

// A broken promise stops the fuzzer, which keeps the input.
static void require(bool held, const char* what) {
  if (held) return;
  std::fprintf(stderr, "%s; last error: %s\n", what, netcl_last_error_message());
  std::abort();
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
  require(info.byte_count == static_cast<uint64_t>(info.element_count) *
                                 netcl_dtype_size(info.dtype), "sizes do not fit");
  std::vector<unsigned char> out(static_cast<size_t>(info.byte_count) + 1);
  require(netcl_tensor_read(tensor, out.data(), static_cast<size_t>(info.byte_count), nullptr,
                            NETCL_WAIT_FOREVER) == NETCL_OK, "the elements cannot be read");
  netcl_tensor_release(tensor);
  uint64_t live = 1;
  require(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &live) == NETCL_OK && live == 0,
          "a tensor is left");
  return 0;
}
