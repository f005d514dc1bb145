// Functions of the host that the library keeps, and what they are given for a call.
#pragma once

#include <utility>
#include <vector>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "core/room.hpp"

namespace netcl::api {

// A function with its data, which is destroyed when no call can use it any more.
template <class Function>
class HostFunction {
 public:
  HostFunction(Function function, void* user_data, netcl_destroy_fn destroy) noexcept
      : function_(function), user_data_(user_data), destroy_(destroy) {}
  HostFunction(HostFunction&& other) noexcept
      : function_(other.function_),
        user_data_(other.user_data_),
        destroy_(std::exchange(other.destroy_, nullptr)) {}
  HostFunction& operator=(HostFunction&&) = delete;
  ~HostFunction() {
    if (destroy_ != nullptr) destroy_(user_data_);
  }

  void check() const {
    if (function_ == nullptr) fail(NETCL_ERROR_INVALID_ARGUMENT, "function is NULL");
  }
  // Fails as the function does.
  template <class Call>
  void call(const Call* call, netcl_tensor** tensors) const {
    const HostCall host("function");
    host.check(function_(call, tensors, user_data_));
  }

 private:
  const Function function_;
  void* const user_data_;
  netcl_destroy_fn destroy_;
};

// References that the library makes for one call of a function.
template <class Handle>
class Lent {
 public:
  Lent() = default;
  ~Lent() {
    for (Handle* handle : handles_) release_handle(handle);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  template <class Object>
  Handle* add(Object object) {
    make_room(&handles_);
    handles_.push_back(nullptr);
    Handle* const made = make_handle<Handle>(std::move(object));
    handles_[handles_.size() - 2] = made;
    return made;
  }
  // Behind the last one is a NULL, which is what a function that asks for one more gets.
  Handle* const* data() const noexcept { return handles_.data(); }

 private:
  std::vector<Handle*> handles_{nullptr};
};

// The tensors that a function gave, which are the library's from then on.
class GivenTensors {
 public:
  explicit GivenTensors(size_t count) : handles_(count) {}
  ~GivenTensors() {
    for (netcl_tensor* handle : handles_) release_handle(handle);
  }
  GivenTensors(const GivenTensors&) = delete;
  GivenTensors& operator=(const GivenTensors&) = delete;

  netcl_tensor** data() noexcept { return handles_.data(); }
  // Null where none was given. Messages call the array `array`.
  std::vector<TensorRef> tensors(const char* array) const {
    std::vector<TensorRef> found(handles_.size());
    for (uint32_t i = 0; i < found.size(); ++i) {
      if (handles_[i] != nullptr) found[i] = pin_at(handles_[i], array, i).shared();
    }
    return found;
  }

 private:
  std::vector<netcl_tensor*> handles_;
};

}  // namespace netcl::api
