// The argument list of one of the library's own kernels, built up in order.
#pragma once

#include <array>
#include <cstring>
#include <memory>

#include "tensor/tensor.hpp"

namespace netcl::ops {

// This is on the path of every op, and the limit is far above what kernels have. So a few arguments
// are held here, more on the heap, and nothing is set to zero beforehand.
class Arguments {
 public:
  static constexpr size_t kMax = (NETCL_ARGS_MAX + 1) * (2 + NETCL_RANK_MAX) + NETCL_RANK_MAX + 8;

  Arguments() noexcept
      : list_(few_.list), scalars_(few_.scalars), accesses_(few_.accesses) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // A memory object from its first byte on; kernels get element offsets beside it.
  void memory(const Access& access) {
    backend::KernelArgument& arg = next();
    if (access.memory == nullptr) return;  // an empty tensor: a NULL buffer that is never followed
    arg.kind = backend::KernelArgument::Kind::buffer;
    arg.buffer = access.memory->buffer.get();
    accesses_[access_count_++] = access;
  }
  void memory(MemoryObject* object, bool write) { memory({object, write}); }
  void bytes(const void* data, size_t size) {
    backend::KernelArgument& arg = next();
    void* const kept = &scalars_[count_ - 1];
    std::memcpy(kept, data, size);
    set_bytes(&arg, kept, size);
  }
  // The same where they are, which is for as long as this.
  void bytes_in_place(const void* data, size_t size) { set_bytes(&next(), data, size); }
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
    set_bytes(&next(), &kept, sizeof kept);
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

  std::span<const backend::KernelArgument> list() const { return {&list_[0].argument, count_}; }
  std::span<const Access> accesses() const { return {accesses_, access_count_}; }

 private:
  static constexpr size_t kLayoutsMax = 8;
  struct KernelLayout {
    int64_t offset;
    int64_t shape[NETCL_RANK_MAX];
    int64_t strides[NETCL_RANK_MAX];
    int32_t rank;
    int32_t reserved;
  };

  // Not constructed before it is used.
  union Place {
    Place() noexcept {}
    backend::KernelArgument argument;
  };
  static_assert(std::is_trivially_copyable_v<backend::KernelArgument> &&
                sizeof(Place) == sizeof(backend::KernelArgument));
  template <size_t N>
  struct Room {
    Place list[N];
    uint64_t scalars[N];
    Access accesses[N];  // each is that of an argument
  };
  static constexpr size_t kFew = 64;

  backend::KernelArgument& next() {
    if (count_ == kFew && many_ == nullptr) move_to_heap();
    return *new (&list_[count_++].argument) backend::KernelArgument;
  }
  void move_to_heap() {
    many_.reset(new Room<kMax>);
    std::memcpy(static_cast<void*>(many_->list), few_.list, sizeof few_.list);
    std::memcpy(many_->scalars, few_.scalars, sizeof few_.scalars);
    std::memcpy(many_->accesses, few_.accesses, sizeof few_.accesses);
    list_ = many_->list;
    scalars_ = many_->scalars;
    accesses_ = many_->accesses;
    for (size_t i = 0; i < kFew; ++i) {
      backend::KernelArgument& arg = list_[i].argument;
      if (arg.data == &few_.scalars[i]) arg.data = &scalars_[i];
    }
  }
  static void set_bytes(backend::KernelArgument* arg, const void* data, size_t size) {
    arg->kind = backend::KernelArgument::Kind::bytes;
    arg->data = data;
    arg->size = size;
  }

  size_t count_ = 0;
  size_t access_count_ = 0;
  size_t layout_count_ = 0;
  Place* list_;
  uint64_t* scalars_;
  Access* accesses_;
  std::unique_ptr<Room<kMax>> many_;
  std::array<KernelLayout, kLayoutsMax> layouts_;
  Room<kFew> few_;
};

}  // namespace netcl::ops
