// The argument list of one of the library's own kernels, built up in order.
#pragma once

#include <array>
#include <cstring>
#include <new>

#include "tensor/tensor.hpp"

namespace netcl::ops {

// Nothing is set to zero beforehand: the limits are far above what kernels have, and this is on
// the path of every op.
class Arguments {
 public:
  static constexpr size_t kMax = (NETCL_ARGS_MAX + 1) * (2 + NETCL_RANK_MAX) + NETCL_RANK_MAX + 8;

  Arguments() noexcept {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // A memory object from its first byte on; kernels get element offsets beside it.
  void memory(MemoryObject* object, bool write) {
    backend::KernelArgument& arg = next();
    if (object == nullptr) return;  // an empty tensor: a NULL buffer that is never followed
    arg.kind = backend::KernelArgument::Kind::buffer;
    arg.buffer = object->buffer.get();
    accesses_[access_count_++] = {object, write};
  }
  void bytes(const void* data, size_t size) {
    void* const kept = &scalars_[count_];
    std::memcpy(kept, data, size);
    add_bytes(kept, size);
  }
  // A layout by value, as `Layout` of kernels/frame/prelude.cl.
  void layout(const Layout& value) {
    KernelLayout& kept = layouts_[layout_count_++];
    kept.offset = value.offset;
    kept.rank = static_cast<int32_t>(value.rank);
    kept.reserved = 0;
    for (uint32_t d = 0; d < kRankMax; ++d) {
      kept.shape[d] = d < value.rank ? value.shape[d] : 1;
      kept.strides[d] = d < value.rank ? value.strides[d] : 0;
    }
    add_bytes(&kept, sizeof kept);
  }
  template <class T>
  void scalar(T value) {
    static_assert(sizeof(T) <= 8);
    bytes(&value, sizeof value);
  }
  // An integer as 4 or 8 bytes.
  void integer(int64_t value, size_t size) {
    if (size == 4) {
      scalar(static_cast<int32_t>(value));
    } else {
      scalar(value);
    }
  }

  std::span<const backend::KernelArgument> list() const {
    return {std::launder(reinterpret_cast<const backend::KernelArgument*>(list_)), count_};
  }
  std::span<const Access> accesses() const { return {accesses_.data(), access_count_}; }

 private:
  static constexpr size_t kLayoutsMax = 8;
  struct KernelLayout {
    int64_t offset;
    int64_t shape[NETCL_RANK_MAX];
    int64_t strides[NETCL_RANK_MAX];
    int32_t rank;
    int32_t reserved;
  };

  backend::KernelArgument& next() {
    return *new (list_ + sizeof(backend::KernelArgument) * count_++) backend::KernelArgument;
  }
  void add_bytes(const void* data, size_t size) {
    backend::KernelArgument& arg = next();
    arg.kind = backend::KernelArgument::Kind::bytes;
    arg.data = data;
    arg.size = size;
  }

  size_t count_ = 0;
  size_t access_count_ = 0;
  size_t layout_count_ = 0;
  std::array<KernelLayout, kLayoutsMax> layouts_;
  std::array<uint64_t, kMax> scalars_;
  std::array<Access, NETCL_ARGS_MAX + 8> accesses_;
  static_assert(std::is_trivially_destructible_v<backend::KernelArgument>);
  alignas(backend::KernelArgument) unsigned char list_[kMax * sizeof(backend::KernelArgument)];
};

}  // namespace netcl::ops
