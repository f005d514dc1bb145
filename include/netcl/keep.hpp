/*
 * What options keep: lists, texts and bytes, which are copied when they are set, so that options
 * may be made in one place and used in another. A few entries have room within; more are on the
 * heap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_KEEP_HPP
#define NETCL_KEEP_HPP

#include <netcl/handle.hpp>
#include <netcl/scalar.hpp>

#include <cstring>
#include <optional>

namespace netcl {
inline namespace NETCL_HPP_MODE {
namespace detail {

/** A copy of a list of T, of which the struct of C has the address. */
template <class T>
class kept_list {
 public:
  kept_list() noexcept = default;
  kept_list(const kept_list& other) { put(other.data(), other.size_); }
  kept_list& operator=(const kept_list& other) {
    put(other.data(), other.size_);
    return *this;
  }
  ~kept_list() {
    if (__builtin_expect(more_ != nullptr, 0)) delete[] more_;
  }

  const T* data() const noexcept { return more_ ? more_ : room_; }

  /** Copies a list, which may be a part of this one, and gives where it is. NULL stays NULL. */
  const T* put(const void* from, size_t size) {
    T* before = more_;
    T* fresh = from && size > kRoom ? new T[size] : nullptr;
    if (from && size > 0) std::memmove(fresh ? fresh : room_, from, size * sizeof(T));
    more_ = fresh;
    size_ = from ? size : 0;
    delete[] before;
    return from ? data() : nullptr;
  }
  const T* text(const char* from) { return put(from, from ? std::strlen(from) + 1 : 0); }

 private:
  static_assert(std::is_trivially_copyable_v<T>);
  /* As many as a tensor has dimensions, or a short text. */
  static constexpr size_t kRoom = sizeof(T) == 1 ? 32 : NETCL_RANK_MAX;

  T* more_ = nullptr;
  size_t size_ = 0;
  alignas(sizeof(T) == 1 ? alignof(std::max_align_t) : alignof(T)) T room_[kRoom];
};

/** A copy of a list of texts: their addresses, and behind these the texts. */
class kept_texts {
 public:
  kept_texts() noexcept = default;
  kept_texts(const kept_texts& other) { put(other.data(), other.size()); }
  kept_texts& operator=(const kept_texts& other) {
    put(other.data(), other.size());
    return *this;
  }
  ~kept_texts() = default;

  const char* const* data() const noexcept { return list_.data(); }
  size_t size() const noexcept { return list_.size(); }

  const char* const* put(const char* const* from, size_t size) {
    std::vector<std::string> texts(size);
    std::vector<const char*> list(size);
    for (size_t i = 0; i < size; i++) {
      if (!from[i]) continue; /* which the library refuses by its place */
      texts[i] = from[i];
      list[i] = texts[i].c_str();
    }
    texts_.swap(texts); /* which moves no text */
    list_.swap(list);
    return list_.data();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<const char*> list_;
};

/** After a copy: what pointed to a kept value of the other points to the own one. */
template <class P, class Kept>
void follow(P& place, const Kept& own, const Kept& other) noexcept {
  if (place == other.data()) place = own.data();
}
template <class C, class Kept>
void follow(const C*& place, const std::optional<Kept>& own,
            const std::optional<Kept>& other) noexcept {
  if (!own || !other) return;
  if constexpr (std::is_same_v<C, Kept>) {
    if (place == &*other) place = &*own;
  } else {
    if (place == &other->raw()) place = &own->raw();
  }
}

}  // namespace detail
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_KEEP_HPP */
