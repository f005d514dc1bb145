/*
 * Functions of the program that the library calls: any callable object becomes a function of C with
 * a pointer. What it throws ends in the call that it was called in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_CALLBACK_HPP
#define NETCL_CALLBACK_HPP

#include <netcl/generated/handles.hpp>

namespace netcl {

/* The same in files that are compiled in different ways. */
namespace shared {
/** What operators of this thread record into. */
inline thread_local netcl_graph* recorder = nullptr;
}  // namespace shared

inline namespace NETCL_HPP_MODE {
namespace detail {

/** While the library calls a function, its operators record where calls with that call's options
 * do: not where those of its caller did. */
class recorded_by {
 public:
  explicit recorded_by(const netcl_run_options* run) noexcept
      : before_(std::exchange(shared::recorder, run ? run->graph : nullptr)) {}
  recorded_by(const recorded_by&) = delete;
  recorded_by& operator=(const recorded_by&) = delete;
  ~recorded_by() { shared::recorder = before_; }

 private:
  netcl_graph* before_;
};


/** Tells the library why a function of the program failed. */
inline netcl_status told(const error& failed) noexcept {
  const auto status = static_cast<netcl_status>(failed.status());
  netcl_last_error_set(status, failed.native_code(), failed.what());
  return status;
}

/** Runs work that gives a status, and turns what it throws into one. */
template <class F>
netcl_status answered(F&& work) noexcept {
#ifdef __cpp_exceptions
  try {
    return work();
  } catch (const error& failed) {
    return told(failed);
  } catch (const std::bad_alloc&) {
    return refuse(NETCL_ERROR_OUT_OF_HOST_MEMORY, "the function ran out of memory");
  } catch (const std::exception& failed) {
    return refuse(NETCL_ERROR_CANCELLED, failed.what());
  } catch (...) {
    return refuse(NETCL_ERROR_CANCELLED, "the function threw what is no std::exception");
  }
#else
  return work();
#endif
}

/** The status of what a function returned: nothing, a status, or a result<void>. */
template <class F>
netcl_status status_of(F&& call) {
  using R = decltype(call());
  if constexpr (std::is_void_v<R>) {
    call();
    return NETCL_OK;
  } else if constexpr (std::is_same_v<R, result<void>>) {
    const result<void> answer = call();
    return answer ? NETCL_OK : told(answer.error());
  } else {
    return static_cast<netcl_status>(call());
  }
}

/** Gives tensors that a function made to the library, which has room for `count`. */
inline netcl_status give(tensor* made, size_t size, netcl_tensor** into, uint32_t count) noexcept {
  if (size > count) {
    return refuse(NETCL_ERROR_INVALID_ARGUMENT, "the function gives too many tensors");
  }
  for (size_t i = 0; i < size; i++) into[i] = made[i].release();
  return NETCL_OK;
}

template <class T>
netcl_status give_any(T&& made, netcl_tensor** into, uint32_t count) {
  using made_type = std::decay_t<T>;
  if constexpr (std::is_same_v<made_type, tensor>) {
    return give(&made, 1, into, count);
  } else {
    return give(std::data(made), std::size(made), into, count);
  }
}

/** Likewise of a function that returns a tensor, a list of them, or a result of these. */
template <class T>
netcl_status give_any(result<T>&& made, netcl_tensor** into, uint32_t count) {
  if (!made) return told(made.error());
  return give_any(*std::move(made), into, count);
}

/** A function during one call, out of which what it throws comes. */
template <class F>
struct scoped {
  F& function;
#ifdef __cpp_exceptions
  std::exception_ptr thrown = nullptr;

  template <class Call>
  netcl_status run(Call&& call) noexcept {
    if (thrown) return NETCL_ERROR_CANCELLED;
    try {
      return status_of(call);
    } catch (const error& failed) {
      thrown = std::current_exception();
      return told(failed);
    } catch (...) {
      thrown = std::current_exception();
      return NETCL_ERROR_CANCELLED;
    }
  }
  void rethrow() const {
    if (thrown) std::rethrow_exception(thrown);
  }
#else
  template <class Call>
  netcl_status run(Call&& call) noexcept {
    return status_of(call);
  }
  void rethrow() const noexcept {}
#endif
};

/** A function that the library keeps, and frees. */
template <class F>
struct kept {
  using function = std::decay_t<F>;

  static function* make(F&& from) { return new (std::nothrow) function(std::forward<F>(from)); }
  static void destroy(void* user_data) noexcept { delete static_cast<function*>(user_data); }
};

inline netcl_status no_room() noexcept {
  return refuse(NETCL_ERROR_OUT_OF_HOST_MEMORY, "there is no memory for the function");
}

}  // namespace detail
}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_CALLBACK_HPP */
