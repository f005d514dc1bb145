#include "ops/frame/call_key.hpp"

#include "core/environment.hpp"
#include "store/database.hpp"

namespace netcl::ops {

namespace {

constexpr uint8_t kNoTensor = 0xff;
constexpr uint8_t kOwnMemory = 0xff;

}  // namespace

void CallKey::tensor(const Tensor* tensor) {
  if (tensor == nullptr) return add(kNoTensor);
  if (tensor_count_ == kTensorsMax) {
    fits_ = false;
    return;
  }
  const Layout& layout = tensor->layout();
  uint8_t same = kOwnMemory;
  for (size_t i = 0; i < tensor_count_ && same == kOwnMemory; ++i) {
    if (tensors_[i]->memory() == tensor->memory()) same = static_cast<uint8_t>(i);
  }
  tensors_[tensor_count_++] = tensor;
  add(static_cast<uint8_t>(layout.rank));
  add(same);
  add(tensor->dtype());
  add(layout.offset);
  bytes(layout.shape.data(), layout.rank * sizeof(int64_t));
  bytes(layout.strides.data(), layout.rank * sizeof(int64_t));
}

bool CallKey::complete(const Run& run) {
  const Device& device = run.device();
  if (!fits_) return false;
  for (size_t i = 0; i < tensor_count_; ++i) {
    if (&tensors_[i]->device() != &device) return false;
    const MemoryObject* const memory = tensors_[i]->memory();
    for (size_t k = 0; k < i && memory != nullptr; ++k) {
      const MemoryObject* const other = tensors_[k]->memory();
      // Two wraps of one memory: where each lies in it is not known.
      if (other != memory && other != nullptr && memory->may_be(*other)) return false;
    }
  }
  // What is stored may change while a process runs.
  if (environment().tune != TunePolicy::off) add(store::Database::shared().generation());
  return fits_;
}

}  // namespace netcl::ops
