// An object that is made where it lies and never destroyed: what threads of a driver may touch
// while the process ends. It takes no memory, so it can be made inside a release too.
#pragma once

#include <new>

namespace netcl {

template <typename T>
class Immortal {
 public:
  Immortal() noexcept(noexcept(T())) { new (place_) T(); }
  Immortal(const Immortal&) = delete;
  Immortal& operator=(const Immortal&) = delete;
  T& operator*() noexcept { return *std::launder(reinterpret_cast<T*>(place_)); }

 private:
  alignas(T) unsigned char place_[sizeof(T)];
};

}  // namespace netcl
