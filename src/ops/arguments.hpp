// The argument list of one of the library's own kernels, built up in order.
#pragma once

#include <array>
#include <cstring>

#include "tensor/tensor.hpp"

namespace netcl::ops {

class Arguments {
 public:
  static constexpr size_t kMax = (NETCL_ARGS_MAX + 1) * (2 + NETCL_RANK_MAX) + NETCL_RANK_MAX + 8;

  // A memory object from its first byte on; kernels get element offsets beside it.
  void memory(MemoryObject* object, bool write) {
    backend::KernelArgument& arg = list_[count_++];
    if (object == nullptr) return;  // an empty tensor: a NULL buffer that is never followed
    arg.kind = backend::KernelArgument::Kind::buffer;
    arg.buffer = object->buffer.get();
    accesses_[access_count_++] = {object, write};
  }
  void bytes(const void* data, size_t size) {
    std::memcpy(&scalars_[count_], data, size);
    backend::KernelArgument& arg = list_[count_];
    arg.kind = backend::KernelArgument::Kind::bytes;
    arg.data = &scalars_[count_];
    arg.size = size;
    ++count_;
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

  std::span<const backend::KernelArgument> list() const { return {list_.data(), count_}; }
  std::span<const Access> accesses() const { return {accesses_.data(), access_count_}; }

 private:
  std::array<backend::KernelArgument, kMax> list_;
  std::array<uint64_t, kMax> scalars_;
  std::array<Access, NETCL_ARGS_MAX + 8> accesses_;
  size_t count_ = 0;
  size_t access_count_ = 0;
};

}  // namespace netcl::ops
