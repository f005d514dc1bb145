// Any numbers in a DLPack struct: an error with a message that leaves the struct to its owner, or a
// tensor with the elements that the struct describes, whose export describes the same. The pointers
// are sound, as a caller has to see to; on the built-in device and on the scripted driver.
#include <cstdint>
#include <vector>

#include "netcl.h"
#include "structured.hpp"
#include "tensor/dlpack_abi.hpp"

using netcl::fuzz::Chance;
using netcl::fuzz::require;

namespace {

constexpr size_t kMost = 10;     // dimensions of an input; more than a tensor may have
constexpr int kBytes = 1 << 14;  // of memory, with the data in its middle
constexpr unsigned kOnDriver = 1, kNoStrides = 2, kNoShape = 4, kNoData = 8, kOdd = 16,
                   kNoDeleter = 32;

// An input as bytes.
struct Facts {
  int32_t device_type, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  uint32_t flags;
  uint64_t byte_offset;
  int64_t shape[kMost], strides[kMost];
};

int g_deleted = 0;

void count_deletion(DLManagedTensor*) { ++g_deleted; }

netcl_device* open_device(const char* selector) {
  netcl_device* device = nullptr;
  require(netcl_device_open(selector, nullptr, &device) == NETCL_OK, "no device",
          netcl_last_error_message());
  return device;
}

netcl_device* device_of(bool on_driver) {
  static netcl_device* devices[2] = {};
  if (devices[0] == nullptr) {
    setenv("NETCL_BACKEND", "auto", 1);
    setenv("NETCL_OPENCL_LIBRARY", NETCL_FAKE_OPENCL, 1);
    devices[0] = open_device("builtin");
    devices[1] = open_device("gpu");
  }
  return devices[on_driver];
}

// The bytes that the elements lie in, from the data on; false when they are not within the memory.
bool within_memory(const Facts& facts, size_t element) {
  if (facts.ndim < 0 || facts.ndim > static_cast<int32_t>(kMost)) return false;
  __int128 first = 0, last = 0, packed = 1;
  for (int d = facts.ndim - 1; d >= 0; --d) {
    if (facts.shape[d] <= 0) return facts.shape[d] == 0;
    const __int128 stride = facts.flags & kNoStrides ? packed : facts.strides[d];
    const __int128 reach = stride * (facts.shape[d] - 1);
    if (reach > kBytes || reach < -static_cast<__int128>(kBytes)) return false;
    (reach < 0 ? first : last) += reach;
    packed = std::min<__int128>(packed * facts.shape[d], INT64_MAX);
  }
  // Many elements may be one in memory.
  if (packed > kBytes) return false;
  const __int128 offset = facts.byte_offset, half = kBytes / 2;
  return first * element + offset >= -half && (last + 1) * element + offset <= half;
}

// What tensor_read has to give: the elements in C order.
std::vector<unsigned char> expected(const Facts& facts, const DLTensor& tensor, size_t element) {
  std::vector<unsigned char> out;
  int64_t index[kMost] = {};
  int64_t count = 1;
  for (int d = 0; d < facts.ndim; ++d) count *= facts.shape[d];
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = 0, packed = 1;
    for (int d = facts.ndim - 1; d >= 0; --d) {
      at += index[d] * (facts.flags & kNoStrides ? packed : facts.strides[d]);
      packed *= facts.shape[d];
    }
    const auto* from = static_cast<unsigned char*>(tensor.data) + facts.byte_offset +
                       at * static_cast<int64_t>(element);
    out.insert(out.end(), from, from + element);
    for (int d = facts.ndim - 1; d >= 0 && ++index[d] == facts.shape[d]; --d) index[d] = 0;
  }
  return out;
}

std::vector<unsigned char> elements_of(netcl_tensor* tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  require(netcl_tensor_get_info(tensor, &info) == NETCL_OK, "no facts");
  std::vector<unsigned char> out(static_cast<size_t>(info.byte_count) + 1);
  require(netcl_tensor_read(tensor, out.data(), info.byte_count, nullptr, NETCL_WAIT_FOREVER) ==
              NETCL_OK,
          "the elements cannot be read", netcl_last_error_message());
  out.pop_back();
  return out;
}

// What is exported is imported again, by the same device, and holds the same.
void check_export(netcl_device* device, netcl_tensor* tensor,
                  const std::vector<unsigned char>& held) {
  DLManagedTensor* out = nullptr;
  netcl_tensor* again = nullptr;
  require(netcl_tensor_to_dlpack(tensor, NETCL_WAIT_FOREVER, &out) == NETCL_OK, "no export",
          netcl_last_error_message());
  if (netcl_tensor_create_from_dlpack(device, out, nullptr, &again) != NETCL_OK) {
    require(held.empty(), "an export is refused", netcl_last_error_message());
    out->deleter(out);
    return;
  }
  require(elements_of(again) == held, "an export holds something else");
  netcl_tensor_release(again);
}

}  // namespace

FUZZ_MUTATION(text, chance) {
  static constexpr uint8_t kCodes[][2] = {{2, 32}, {2, 16}, {4, 16}, {2, 64}, {0, 8},
                                          {0, 16}, {0, 32}, {0, 64}, {1, 8},  {1, 16},
                                          {1, 32}, {1, 64}, {6, 8},  {5, 64}, {2, 8}};
  Facts facts = {};
  std::memcpy(&facts, text.data(), std::min(text.size(), sizeof facts));
  if (text.empty() || chance.one_in(3)) {
    const auto& type = chance.of(kCodes);
    facts = {chance.one_in(16)  ? 2
             : chance.one_in(6) ? 4
                                : 1,
             static_cast<int32_t>(chance.below(5)),
             type[0],
             type[1],
             static_cast<uint16_t>(chance.one_in(16) ? 2 : 1),
             static_cast<uint32_t>(chance.one_in(3) ? chance.below(64) : chance.below(4)),
             0,
             {},
             {}};
  }
  const size_t at = chance.below(kMost / 2);
  switch (chance.below(6)) {
    case 0:
      facts.byte_offset = chance.below(64) * 8;
      break;
    case 1:
      facts.byte_offset = static_cast<uint64_t>(netcl::fuzz::edge_number(chance));
      break;
    case 2:
      facts.shape[at] = netcl::fuzz::edge_number(chance);
      break;
    case 3:
      facts.strides[at] = netcl::fuzz::edge_number(chance);
      break;
    case 4:
      facts.ndim = static_cast<int32_t>(chance.below(12)) - 1;
      break;
    default:
      for (int64_t& extent : facts.shape) extent = static_cast<int64_t>(chance.below(4));
      for (int64_t& stride : facts.strides) stride = static_cast<int64_t>(chance.below(40)) - 10;
  }
  return std::string(reinterpret_cast<const char*>(&facts), sizeof facts);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Facts facts = {};
  std::memcpy(&facts, data, size < sizeof facts ? size : sizeof facts);
  alignas(16) static unsigned char memory[kBytes];
  for (int i = 0; i < kBytes; ++i) memory[i] = static_cast<unsigned char>(i % 251 % 2);
  const size_t element = facts.bits / 8;
  const bool sound = element > 0 && within_memory(facts, element);
  // A driver copies what it is told to.
  const bool on_driver = (facts.flags & kOnDriver) != 0 && sound;
  netcl_device* const device = device_of(on_driver);
  // Whose memory object this is nobody can check, so it is never one that is not there.
  if (facts.device_type == kDLOpenCL && (!on_driver || (facts.flags & kNoData) == 0)) {
    facts.device_type = on_driver ? kDLCPU : kDLOpenCL;
  }
  DLManagedTensor managed = {};
  managed.deleter = facts.flags & kNoDeleter ? nullptr : count_deletion;
  managed.dl_tensor = {
      facts.flags & kNoData ? nullptr : memory + kBytes / 2 + (facts.flags & kOdd ? 1 : 0),
      {static_cast<DLDeviceType>(facts.device_type), 0},
      facts.ndim,
      {facts.code, facts.bits, facts.lanes},
      facts.flags & kNoShape ? nullptr : facts.shape,
      facts.flags & kNoStrides ? nullptr : facts.strides,
      facts.byte_offset};
  // More dimensions than the struct holds are refused before anything of them is read.
  netcl_tensor* tensor = nullptr;
  g_deleted = 0;
  const netcl_status status = netcl_tensor_create_from_dlpack(device, &managed, nullptr, &tensor);
  if (status != NETCL_OK) {
    require(status == NETCL_ERROR_INVALID_ARGUMENT || status == NETCL_ERROR_UNSUPPORTED,
            "a struct is refused for another reason", netcl_last_error_message());
    require(tensor == nullptr && g_deleted == 0, "a failure took something");
    return 0;
  }
  // The scripted driver runs no kernels, which elements that are not packed are gathered by.
  const bool readable = !on_driver || (facts.flags & kNoStrides) != 0;
  if (sound && readable && (facts.flags & (kOdd | kNoData)) == 0) {
    const std::vector<unsigned char> wanted = expected(facts, managed.dl_tensor, element);
    require(elements_of(tensor) == wanted, "the elements are not those of the struct");
    check_export(device, tensor, wanted);
  }
  netcl_tensor_release(tensor);
  require(g_deleted == (managed.deleter != nullptr), "the deleter was not called once");
  uint64_t live = 1;
  require(netcl_library_get_live_count(NETCL_HANDLE_TENSOR, &live) == NETCL_OK && live == 0,
          "a tensor is left");
  return 0;
}
