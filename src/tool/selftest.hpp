// What the checks of `netcl selftest` share.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_SELFTEST_HPP
#define NETCL_TOOL_SELFTEST_HPP

#include <netcl.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "owned.hpp"

namespace netcl::tool {

/// A wait that is longer than any healthy device needs; a check that runs into it has failed.
inline constexpr uint64_t kPatienceNs = 120ull * 1000 * 1000 * 1000;

/// What a check found. A check that finds a wrong result throws ToolError instead.
struct Outcome {
  enum class Verdict { kPass, kFail, kSkip };
  struct Figure {
    const char* key;
    double value;
  };

  Verdict verdict = Verdict::kPass;
  std::string text;             ///< the figure for people, or the reason
  std::vector<Figure> figures;  ///< the same for programs
};

inline Outcome skip(std::string reason) { return {Outcome::Verdict::kSkip, std::move(reason), {}}; }

/// The device under test.
struct TestedDevice {
  netcl_device* device = nullptr;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  uint64_t seed = 0;

  bool is_builtin() const { return info.backend == NETCL_BACKEND_BUILTIN; }

  /// Returns `wanted` bytes, or less on a device whose largest allocation is small.
  uint64_t modest_bytes(uint64_t wanted) const;
};

struct SelftestCheck {
  const char* name;
  Outcome (*run)(const TestedDevice& tested);
};

Outcome check_allocation(const TestedDevice& tested);
Outcome check_blocking_transfer(const TestedDevice& tested);
Outcome check_async_transfer(const TestedDevice& tested);
Outcome check_pinned_transfer(const TestedDevice& tested);
Outcome check_pool_reuse(const TestedDevice& tested);
Outcome check_custom_kernel(const TestedDevice& tested);
Outcome check_expression(const TestedDevice& tested);
Outcome check_matmul(const TestedDevice& tested);
Outcome check_random(const TestedDevice& tested);
Outcome check_event_timing(const TestedDevice& tested);
Outcome check_error_path(const TestedDevice& tested);

/// Measures wall time from its construction on.
class Stopwatch {
 public:
  double nanoseconds() const {
    return std::chrono::duration<double, std::nano>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Random numbers of the tool's own (splitmix64): netcl's must not be checked by netcl's.
class RandomWords {
 public:
  explicit RandomWords(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t word = state_ += 0x9e3779b97f4a7c15ull;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
    return word ^ (word >> 31);
  }

  /// Returns a number in [-1, 1).
  float next_float() {
    return static_cast<float>(static_cast<int64_t>(next() >> 40) - (1 << 23)) / (1 << 23);
  }

  std::vector<uint64_t> words(size_t count) {
    std::vector<uint64_t> result(count);
    for (uint64_t& word : result) word = next();
    return result;
  }

  std::vector<float> floats(size_t count) {
    std::vector<float> result(count);
    for (float& value : result) value = next_float();
    return result;
  }

 private:
  uint64_t state_;
};

/// Makes a vector of `count` elements on the device from host values.
template <typename T>
Tensor upload(const TestedDevice& tested, netcl_dtype dtype, const std::vector<T>& values) {
  const auto count = static_cast<int64_t>(values.size());
  Tensor tensor;
  check(netcl_tensor_create_from_host(tested.device, dtype, 1, &count, nullptr, values.data(),
                                      values.size() * sizeof(T), nullptr, tensor.receive()),
        "netcl_tensor_create_from_host");
  return tensor;
}

/// Reads a whole tensor into `values`, whose size must be that of the tensor.
template <typename T>
void download(const Tensor& tensor, std::vector<T>& values) {
  check(netcl_tensor_read(tensor.get(), values.data(), values.size() * sizeof(T), nullptr,
                          kPatienceNs),
        "netcl_tensor_read");
}

}  // namespace netcl::tool

#endif  // NETCL_TOOL_SELFTEST_HPP
