/*
 * How netcl.hpp tells what failed: netcl::error is thrown, or held by a netcl::result<T>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_ERROR_HPP
#define NETCL_ERROR_HPP

#include <netcl/base.hpp>
#include <netcl/generated/enums.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace netcl {
inline namespace NETCL_HPP_MODE {
namespace detail {

/** A status and, where it tells of a failure, its message, which copies share. */
class failure {
 public:
  failure() noexcept = default;
  /** A failure of the call that this thread made last. */
  explicit failure(netcl_status status) noexcept : status_(status), kept_(new (std::nothrow) kept) {
    if (kept_ && netcl_last_error_get_info(&kept_->info) != NETCL_OK) *kept_->info.message = '\0';
  }
  failure(const failure& other) noexcept : status_(other.status_), kept_(other.kept_) {
    if (kept_) kept_->uses.fetch_add(1, std::memory_order_relaxed);
  }
  failure(failure&& other) noexcept
      : status_(other.status_), kept_(std::exchange(other.kept_, nullptr)) {}
  failure& operator=(failure other) noexcept {
    std::swap(status_, other.status_);
    std::swap(kept_, other.kept_);
    return *this;
  }
  ~failure() {
    if (kept_ && kept_->uses.fetch_sub(1, std::memory_order_acq_rel) == 1) delete kept_;
  }

  netcl_status status() const noexcept { return status_; }
  int32_t native_code() const noexcept { return kept_ ? kept_->info.native_code : 0; }
  /* Where there was no memory for a message, the name of the status has to do. */
  const char* message() const noexcept {
    return kept_ && *kept_->info.message ? kept_->info.message : netcl_status_name(status_);
  }

 private:
  struct kept {
    std::atomic<int> uses{1};
    netcl_error_info info = NETCL_ERROR_INFO_INIT;
  };

  netcl_status status_ = NETCL_OK;
  kept* kept_ = nullptr;
};

}  // namespace detail

/** What failed: the status of a call and its message. Copies never throw. */
class error : public std::exception {
 public:
  error() noexcept = default;
  explicit error(detail::failure from) noexcept : failure_(std::move(from)) {}

  netcl::status status() const noexcept { return static_cast<netcl::status>(failure_.status()); }
  /** The code of OpenCL, 0 where no driver was involved. */
  int32_t native_code() const noexcept { return failure_.native_code(); }
  /** The message, which is valid as long as this error or a copy of it. */
  const char* what() const noexcept override { return failure_.message(); }
  const detail::failure& failure() const noexcept { return failure_; }

 private:
  detail::failure failure_;
};

/** Ends the program, or throws, because a result was taken that is not there. */
[[noreturn]] inline void raise(const detail::failure& failure) {
#ifdef __cpp_exceptions
  throw error(failure);
#else
  (void)failure;
  std::abort();
#endif
}

/**
 * A value, or the error that stands in its place. value(), * and -> of a result without a value
 * throw the error; where exceptions are off they end the program, as std::abort does.
 */
template <class T>
class [[nodiscard]] result {
 public:
  result() = default;
  result(T value) : value_(std::move(value)) {}
  result(const netcl::error& failed) noexcept : failure_(failed.failure()) {}
  explicit result(detail::failure failed) noexcept : failure_(std::move(failed)) {}

  bool has_value() const noexcept { return failure_.status() == NETCL_OK; }
  explicit operator bool() const noexcept { return has_value(); }
  netcl::status status() const noexcept { return static_cast<netcl::status>(failure_.status()); }
  netcl::error error() const noexcept { return netcl::error(failure_); }

  T& value() & { return checked(), value_; }
  const T& value() const& { return checked(), value_; }
  T&& value() && { return checked(), std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  template <class U>
  T value_or(U&& other) && {
    return has_value() ? std::move(value_) : static_cast<T>(std::forward<U>(other));
  }

  /* For the functions of netcl.hpp: where C writes the value, and what it returned. */
  T& place() noexcept { return value_; }
  void settle(netcl_status status) noexcept {
    if (status != NETCL_OK) failure_ = detail::failure(status);
  }

 private:
  void checked() const {
    if (!has_value()) raise(failure_);
  }

  T value_{};
  detail::failure failure_;
};

template <>
class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(const netcl::error& failed) noexcept : failure_(failed.failure()) {}
  explicit result(detail::failure failed) noexcept : failure_(std::move(failed)) {}

  bool has_value() const noexcept { return failure_.status() == NETCL_OK; }
  explicit operator bool() const noexcept { return has_value(); }
  netcl::status status() const noexcept { return static_cast<netcl::status>(failure_.status()); }
  netcl::error error() const noexcept { return netcl::error(failure_); }
  void value() const {
    if (!has_value()) raise(failure_);
  }

 private:
  detail::failure failure_;
};

/** What functions give: T where failures are thrown, else result<T>. */
#if NETCL_HPP_EXPECTED
template <class T>
using returns = result<T>;
#else
template <class T>
using returns = T;
#endif

#ifdef __cpp_exceptions
/** Calls a function and gives what it returns, or the netcl::error that it throws. */
template <class F>
auto attempt(F&& function) -> result<std::decay_t<decltype(function())>> {
  try {
    if constexpr (std::is_void_v<decltype(function())>) {
      function();
      return {};
    } else {
      return function();
    }
  } catch (const error& failed) {
    return failed;
  }
}
#endif

namespace detail {

/* Out of line and cold, so that a call has one comparison and one jump that is not taken. */
[[noreturn]] __attribute__((noinline, cold)) inline void raise_last(netcl_status status) {
  raise(failure(status));
}

/** Makes what is refused here the thread's last error, as the library does. */
inline netcl_status refuse(netcl_status status, const char* message) noexcept {
  netcl_last_error_set(status, 0, message);
  return status;
}

/** An entry of a call that it does not have. */
inline netcl_status refuse_entry(const char* list, uint32_t index, uint32_t count) noexcept {
  char message[128];
  std::snprintf(message, sizeof message, "the function asks for %s[%u], and was called with %u",
                list, static_cast<unsigned>(index), static_cast<unsigned>(count));
  return refuse(NETCL_ERROR_INVALID_ARGUMENT, message);
}

#if NETCL_HPP_EXPECTED
template <class T>
T& value(result<T>& out) noexcept {
  return out.place();
}
template <class T>
void settle(result<T>& out, netcl_status status) noexcept {
  out.settle(status);
}
inline result<void> done(netcl_status status) noexcept {
  return status == NETCL_OK ? result<void>() : result<void>(failure(status));
}
template <class T>
result<T> failed(netcl_status status) {
  return result<T>(failure(status));
}
#else
template <class T>
T& value(T& out) noexcept {
  return out;
}
template <class T>
void settle(T&, netcl_status status) {
  if (__builtin_expect(status != NETCL_OK, 0)) raise_last(status);
}
inline void done(netcl_status status) {
  if (__builtin_expect(status != NETCL_OK, 0)) raise_last(status);
}
template <class T>
[[noreturn]] T failed(netcl_status status) {
  raise_last(status);
}
#endif

}  // namespace detail
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_ERROR_HPP */
