// An array whose length is known at run time and usually small: on the stack up to N elements, on
// the heap beyond. Only the elements that exist are constructed, which is what a launch needs: its
// limits are an order of magnitude above its usual size.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace netcl {

template <class T, size_t N>
class SmallArray {
 public:
  explicit SmallArray(size_t size) : size_(size) {
    if (size > N) heap_.reset(new unsigned char[size * sizeof(T)]);
    data_ = reinterpret_cast<T*>(size > N ? heap_.get() : stack_);
    std::uninitialized_value_construct_n(data_, size);
  }
  ~SmallArray() { std::destroy_n(data_, size_); }
  SmallArray(const SmallArray&) = delete;
  SmallArray& operator=(const SmallArray&) = delete;

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](size_t index) noexcept { return data_[index]; }
  size_t size() const noexcept { return size_; }

 private:
  static_assert(alignof(T) <= alignof(std::max_align_t));
  size_t size_;
  T* data_;
  std::unique_ptr<unsigned char[]> heap_;
  alignas(T) unsigned char stack_[N * sizeof(T)];
};

}  // namespace netcl
