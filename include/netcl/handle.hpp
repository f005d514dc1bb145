/*
 * Owned handles, structs with their sizes, and the places that C writes to.
 *
 * A handle comes in two types. netcl::tensor owns one reference and gives it back when it ends; it
 * moves and does not copy. netcl::tensor_ref is the handle alone: it has the methods, costs no more
 * than C's pointer, and is valid as long as somebody owns a reference. Functions take refs, which
 * owned handles are too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_HANDLE_HPP
#define NETCL_HANDLE_HPP

#include <netcl/error.hpp>

#include <array>
#include <memory>
#include <tuple>

namespace netcl {
inline namespace NETCL_HPP_MODE {

/** One reference to an object of the library, or none. */
template <class Ref>
class owned : public Ref {
 public:
  using raw_type = typename Ref::raw_type;

  constexpr owned() noexcept = default;
  /** Takes over a reference that the caller has. */
  explicit owned(raw_type* reference) noexcept : Ref(reference) {}
  owned(owned&& other) noexcept : Ref(other.release()) {}
  owned& operator=(owned&& other) noexcept {
    reset(other.release());
    return *this;
  }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  ~owned() {
    if (this->raw_) Ref::release_raw(this->raw_);
  }

  /** Gives the reference to the caller, who has to release it. */
  raw_type* release() noexcept { return std::exchange(this->raw_, nullptr); }
  /** Gives the reference back, and takes over another one. */
  void reset(raw_type* reference = nullptr) noexcept {
    raw_type* before = std::exchange(this->raw_, reference);
    if (before) Ref::release_raw(before);
  }
  /** Where C writes a reference to: what was there is given back first. */
  raw_type** place() noexcept {
    reset();
    return &this->raw_;
  }
};

namespace detail {

/** A handle without a reference of its own: the base of all refs. */
template <class C>
class handle {
 public:
  using raw_type = C;

  constexpr handle() noexcept = default;
  constexpr explicit handle(C* raw) noexcept : raw_(raw) {}
  /** The handle as the functions of netcl.h take it. */
  constexpr C* raw() const noexcept { return raw_; }
  constexpr explicit operator bool() const noexcept { return raw_ != nullptr; }

 protected:
  C* raw_ = nullptr;
};

/** A struct of netcl.h that begins with its size. */
template <class C>
class sized {
 public:
  sized() noexcept { raw_.struct_size = sizeof(C); }
  explicit sized(const C& from) noexcept : raw_(from) {}
  operator const C*() const noexcept { return &raw_; }
  C& raw() noexcept { return raw_; }
  const C& raw() const noexcept { return raw_; }

 protected:
  C raw_{};
};

/** What C writes as another type than the one that it becomes. */
template <class C, class T>
class converted {
 public:
  explicit converted(T& into) noexcept : into_(into) {}
  converted(const converted&) = delete;
  converted& operator=(const converted&) = delete;
  ~converted() { into_ = static_cast<T>(raw_); }
  operator C*() noexcept { return &raw_; }

 private:
  T& into_;
  C raw_{};
};

template <class Ref>
typename Ref::raw_type** place(owned<Ref>& out) noexcept {
  return out.place();
}
/** Owned handles that hold nothing yet, as the array of C's that they are. */
template <class Ref>
typename Ref::raw_type** places(owned<Ref>* first) noexcept {
  static_assert(sizeof(owned<Ref>) == sizeof(void*) && std::is_standard_layout_v<owned<Ref>>);
  return reinterpret_cast<typename Ref::raw_type**>(first);
}
template <class T>
T* places(T* first) noexcept {
  return first;
}
template <class T>
auto place(std::vector<T>& out) noexcept {
  return places(out.data());
}
template <class C>
C* place(sized<C>& out) noexcept {
  return &out.raw();
}
template <class T, size_t N>
T* place(std::array<T, N>& out) noexcept {
  return out.data();
}
inline converted<uint32_t, bool> place(bool& out) noexcept {
  return converted<uint32_t, bool>(out);
}
template <class T, class = std::enable_if_t<std::is_enum_v<T>>>
converted<int32_t, T> place(T& out) noexcept {
  return converted<int32_t, T>(out);
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_pointer_v<T>>,
          class = void>
T* place(T& out) noexcept {
  return &out;
}

/** A list that C gives through (list, capacity, count): it may grow between two calls. */
template <class T, class Count, class Call>
returns<T> read_list(Call&& call) {
  returns<T> out{};
  Count capacity = 0, length = 0;
  using entries = decltype(places(value(out).data()));
  netcl_status status = call(static_cast<entries>(nullptr), capacity, &length);
  while (status == NETCL_OK && length > capacity) {
    T& list = value(out);
    list.resize(length);
    capacity = length;
    status = call(places(list.data()), capacity, &length);
  }
  value(out).resize(status == NETCL_OK ? length : 0);
  settle(out, status);
  return out;
}

template <class Call>
returns<std::string> read_text(Call&& call) {
  returns<std::string> out{};
  size_t capacity = 0, length = 0;
  netcl_status status = call(static_cast<char*>(nullptr), capacity, &length);
  /* A string has room for the NUL behind its end. */
  while (status == NETCL_OK && length >= capacity && length > 0) {
    value(out).resize(length);
    capacity = length + 1;
    status = call(value(out).data(), capacity, &length);
  }
  value(out).resize(status == NETCL_OK ? length : 0);
  settle(out, status);
  return out;
}

}  // namespace detail
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_HANDLE_HPP */
