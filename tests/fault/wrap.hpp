// One function per function of OpenCL that counts the call, fails where the plan says so, and calls
// the real one else. What a call gives is told by its type: a function that returns an object has a
// code as its last argument, one that enqueues has an event.
#pragma once

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "ledger.hpp"

namespace fault {

// The real functions.
extern void* next[kFunctions];
// Finds them where no loader has given them.
void find_next();

inline void block(uint64_t ns) {
  timespec left{static_cast<time_t>(ns / 1000000000), static_cast<long>(ns % 1000000000)};
  nanosleep(&left, nullptr);
}

// Memory that is used, and that nobody has any more.
inline void leak(size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) return;
  std::memset(memory, 1, bytes);
  asm volatile("" : : "r"(memory) : "memory");  // else the compiler leaves all of it out
}

template <Function function>
cl_int call_queue(const void* queue) {
  return reinterpret_cast<cl_int (*)(cl_command_queue)>(next[function])(
      static_cast<cl_command_queue>(const_cast<void*>(queue)));
}

// Other threads may give queues back meanwhile.
inline void finish_all() {
  const auto retain = [](const void* queue) { call_queue<k_clRetainCommandQueue>(queue); };
  for (const void* const queue : ledger().retained_objects(FAULT_QUEUE, retain)) {
    call_queue<k_clFinish>(queue);
    call_queue<k_clReleaseCommandQueue>(queue);
  }
}

// An event of no command, in the context of a queue, that has ended with a code or, with one above
// CL_COMPLETE, never does.
inline cl_event lone_event(cl_command_queue queue, int code) {
  const auto ask =
      reinterpret_cast<decltype(&::clGetCommandQueueInfo)>(next[k_clGetCommandQueueInfo]);
  const auto make = reinterpret_cast<decltype(&::clCreateUserEvent)>(next[k_clCreateUserEvent]);
  const auto end =
      reinterpret_cast<decltype(&::clSetUserEventStatus)>(next[k_clSetUserEventStatus]);
  cl_context context = nullptr;
  ask(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, nullptr);
  const cl_event event = make(context, nullptr);
  if (code <= CL_COMPLETE) end(event, code);
  return event;
}
template <class... Others>
cl_command_queue queue_of(cl_command_queue queue, Others...) {
  return queue;
}
template <class... Others>
cl_command_queue queue_of(Others...) {
  return nullptr;
}

// What the arguments of one call have of a kind, null without.
template <class Wanted>
struct Last {
  Wanted* found = nullptr;
  template <class Other>
  void look(Other&) {}
  void look(Wanted& argument) { found = &argument; }
};

template <class Wanted, class... Arguments>
Wanted* last_of(Arguments&... arguments) {
  Last<Wanted> last;
  (last.look(arguments), ...);
  return last.found;
}

template <class Result>
constexpr bool is_object() {
  if constexpr (std::is_pointer_v<Result>) return kind_of(Result{}) != kNoKind;
  return false;
}

template <class First, class... Others>
void note_retained(First object, Others...) {
  constexpr FaultKind kKind = kind_of(First{});
  if constexpr (kKind != kNoKind) ledger().retained(kKind, object);
}
inline void note_retained() {}
template <class First, class... Others>
bool note_released(First object, Others...) {
  constexpr FaultKind kKind = kind_of(First{});
  if constexpr (kKind != kNoKind) return ledger().released(kKind, object);
  return false;
}
inline bool note_released() { return false; }

// While a call that enqueues is under way.
class Enqueuing {
 public:
  explicit Enqueuing(bool counts) : counts_(counts) {
    if (counts_) plan().begin_enqueue();
  }
  ~Enqueuing() { end(); }
  Enqueuing(const Enqueuing&) = delete;
  Enqueuing& operator=(const Enqueuing&) = delete;
  void end() {
    if (counts_) plan().end_enqueue();
    counts_ = false;
  }

 private:
  bool counts_;
};

template <Function function, class Type>
struct Wrapped;

template <Function function, class Result, class... Arguments>
struct Wrapped<function, Result (*)(Arguments...)> {
  static constexpr bool kGivesCode = std::is_same_v<Result, cl_int>;
  static constexpr bool kMakes = is_object<Result>();
  static constexpr bool kEnqueues = (std::is_same_v<Arguments, cl_event*> || ...);

  static const char* gives() {
    if (kMakes) return "error object";
    if (kEnqueues) return "error event";
    // A mapping gives its code as functions do that make an object.
    return kGivesCode || (std::is_same_v<Arguments, cl_int*> || ...) ? "error" : "";
  }

  static Result failed(int code, Arguments&... arguments) {
    if constexpr (kGivesCode) return code;
    if (auto* const place = last_of<cl_int*>(arguments...); place && *place) **place = code;
    if constexpr (!std::is_void_v<Result>) return Result{};
  }

  static Result real(Arguments... arguments) {
    return reinterpret_cast<Result (*)(Arguments...)>(next[function])(arguments...);
  }

  static void note(bool without_event, cl_event* own, cl_event** given) {
    if (given == nullptr || *given == nullptr || **given == nullptr) return;
    ledger().made(FAULT_EVENT, **given);
    if (!without_event) return;
    // The command keeps its event for as long as it runs.
    ledger().released(FAULT_EVENT, *own);
    reinterpret_cast<cl_int (*)(cl_event)>(next[k_clReleaseEvent])(*own);
    *own = nullptr;
  }

  static Result call(Arguments... arguments) {
    find_next();
    Fault fault{FAULT_BLOCK, 0, 0};
    cl_event** const event = last_of<cl_event*>(arguments...);
    const bool has_event = event != nullptr && *event != nullptr;
    const bool releases = std::string_view(name_of(function)).starts_with("clRelease");
    Enqueuing enqueuing(kEnqueues);
    if (plan().take(function, kMakes || has_event, releases, &fault)) {
      const auto value = static_cast<uint64_t>(fault.value);
      if (fault.action == FAULT_BLOCK) block(value * 1000000);
      if (fault.action == FAULT_SLOWER) block(value * fault.times);
      if (fault.action == FAULT_LEAK) leak(value * 1024);
      if (fault.action == FAULT_LOSE) {
        enqueuing.end();
        plan().finish_once(finish_all);
      }
    }
    const bool empty = fault.action == FAULT_NO_RESULT;
    const bool fails = fault.action == FAULT_FAIL || fault.action == FAULT_LOSE;
    if (empty && kMakes) return failed(CL_SUCCESS, arguments...);
    if constexpr (kGivesCode && kEnqueues) {
      const cl_command_queue queue = queue_of(arguments...);
      if (fault.action == FAULT_HANG) plan().hang(queue);
      const bool never = plan().hangs(queue);
      if ((fault.action == FAULT_LATE || never) && queue != nullptr && has_event) {
        **event = lone_event(queue, never ? CL_QUEUED : fault.value);
        ledger().made(FAULT_EVENT, **event);
        return CL_SUCCESS;
      }
      const cl_event** const list = last_of<const cl_event*>(arguments...);
      if (fault.action == FAULT_DEAF && list != nullptr) {
        *last_of<cl_uint>(arguments...) = 0;
        *list = nullptr;
      }
    }
    if constexpr (std::is_void_v<Result>) {
      if (!fails) real(arguments...);
    } else {
      if (fails && !releases) return failed(fault.value, arguments...);
      if (has_event) **event = nullptr;
      // What is given back may be another's before the call returns.
      const bool released = releases && note_released(arguments...);
      const Result result = real(arguments...);
      note_result(result, released, arguments...);
      if (kEnqueues) note(empty, has_event ? *event : nullptr, event);
      if (fails) return failed(fault.value, arguments...);
      return result;
    }
  }

  template <class Given>
  static void note_result(Given result, bool released, Arguments... arguments) {
    if constexpr (kMakes) {
      if (result != nullptr) ledger().made(kind_of(result), result);
    } else if constexpr (kGivesCode) {
      const bool retains = std::string_view(name_of(function)).starts_with("clRetain");
      if (retains ? result == CL_SUCCESS : released && result != CL_SUCCESS) {
        note_retained(arguments...);
      }
    }
  }
};

}  // namespace fault
