#include "model/shared_weights.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

#include "core/hash.hpp"

namespace netcl::model {
namespace {

struct WeightKey {
  const Device* device;
  FilePlace place;
  uint64_t file_dtype;
  uint64_t dtype;
  uint64_t rank;
  std::array<int64_t, kRankMax> shape;

  friend bool operator==(const WeightKey&, const WeightKey&) = default;
};

struct SharedWeight {
  std::weak_ptr<Tensor> tensor;  // which keeps its device, so that no other one has that address
  uint64_t writes;               // to its memory, by the time it was shared
};

struct SharedWeights {
  std::mutex mutex;
  std::unordered_map<WeightKey, SharedWeight, KeyHash> known;
  size_t look_at = 64;  // entries, when those without a tensor are dropped next
};

// Never destroyed: models may be released while the process ends.
SharedWeights& shared_weights() {
  static auto* const all = new SharedWeights;
  return *all;
}

WeightKey key_of(const Device& device, const Constant& constant, netcl_dtype dtype) {
  WeightKey key{&device,
                *constant.place,
                static_cast<uint64_t>(constant.dtype),
                static_cast<uint64_t>(dtype),
                constant.shape.size(),
                {}};
  std::copy(constant.shape.begin(), constant.shape.end(), key.shape.begin());
  return key;
}

uint64_t writes_of(const Tensor& tensor) {
  return tensor.memory()->uses->writes.load(std::memory_order_relaxed);
}

}  // namespace

TensorRef find_shared_weight(const Device& device, const Constant& constant, netcl_dtype dtype) {
  if (!constant.place || constant.data.empty()) return nullptr;
  SharedWeights& all = shared_weights();
  TensorRef tensor;
  uint64_t writes = 0;
  {
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.known.find(key_of(device, constant, dtype));
    if (found == all.known.end()) return nullptr;
    tensor = found->second.tensor.lock();
    writes = found->second.writes;
  }
  return tensor != nullptr && writes_of(*tensor) == writes ? tensor : nullptr;
}

void share_weight(const Constant& constant, const TensorRef& tensor) {
  if (!constant.place || constant.data.empty()) return;
  SharedWeights& all = shared_weights();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.known[key_of(tensor->device(), constant, tensor->dtype())] = {tensor, writes_of(*tensor)};
  if (all.known.size() < all.look_at) return;
  std::erase_if(all.known, [](const auto& entry) { return entry.second.tensor.expired(); });
  all.look_at = 2 * all.known.size() + 64;
}

}  // namespace netcl::model
