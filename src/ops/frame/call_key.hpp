// One call of an op as a text of bytes, by which a later call is recognised. It is made of the very
// arguments that the op is called with, whatever they are: there is no list of options that could
// miss one.
//
// Tensors go in by dtype, layout and shared memory, which is all that checks and choices look at;
// everything else by its value.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/members.hpp"
#include "expression/trees.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

template <class T>
inline constexpr bool kIsList = false;
template <class T, size_t N>
inline constexpr bool kIsList<std::array<T, N>> = true;
template <class T>
inline constexpr bool kIsList<std::span<T>> = true;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

class CallKey {
 public:
  static constexpr size_t kTensorsMax = 12;

  explicit CallKey(std::string_view op) { text(op); }
  CallKey(const CallKey&) = delete;
  CallKey& operator=(const CallKey&) = delete;

  // An argument of an op: a tensor, a number, a list or a struct of those.
  template <class T>
  void add(const T& argument) {
    if constexpr (std::is_same_v<T, Tensor>) {
      tensor(&argument);
    } else if constexpr (std::is_same_v<T, TensorRef>) {
      tensor(argument.get());
    } else if constexpr (std::is_same_v<T, expression::Tree> ||
                         std::is_same_v<T, expression::Trees>) {
      text(argument.text());
    } else if constexpr (requires { argument.key_text(); }) {
      text(argument.key_text());
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes(&argument, sizeof argument);
    } else if constexpr (kIsList<T>) {
      list(argument);
    } else {
      static_assert(std::is_aggregate_v<T> && !std::is_array_v<T>);
      for_each_member(argument, [this](const auto& member) { this->add(member); });
    }
  }

  // False when it is too long to be one.
  bool fits() const noexcept { return fits_; }
  // Adds what changes the answer from outside of the call; false when this call is not to be kept.
  bool complete(const Run& run);

  std::span<const unsigned char> text() const { return {bytes_.data(), size_}; }
  std::span<const Tensor* const> tensors() const { return {tensors_.data(), tensor_count_}; }

 private:
  void tensor(const Tensor* tensor);
  void text(std::string_view value) {
    add(value.size());
    bytes(value.data(), value.size());
  }
  // A list that is not there has another meaning than an empty one.
  template <class List>
  void list(const List& each) {
    add(each.size());
    add(each.data() == nullptr);
    if (each.data() == nullptr || each.size() > bytes_.size()) {
      fits_ = fits_ && each.size() == 0;
      return;
    }
    for (const auto& element : each) add(element);
  }
  void bytes(const void* data, size_t size) {
    fits_ = fits_ && size <= bytes_.size() - size_;
    if (!fits_) return;
    std::memcpy(bytes_.data() + size_, data, size);
    size_ += size;
  }

  std::array<unsigned char, 1536> bytes_;
  std::array<const Tensor*, kTensorsMax> tensors_;
  size_t size_ = 0;
  size_t tensor_count_ = 0;
  bool fits_ = true;
};

}  // namespace netcl::ops
