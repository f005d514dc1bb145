// Which references to objects of OpenCL a program holds, and which call is to fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "fault_cl.h"
#include "functions.hpp"

namespace fault {

constexpr FaultKind kNoKind = FAULT_KINDS;
constexpr FaultKind kind_of(cl_device_id) { return FAULT_DEVICE; }
constexpr FaultKind kind_of(cl_context) { return FAULT_CONTEXT; }
constexpr FaultKind kind_of(cl_command_queue) { return FAULT_QUEUE; }
constexpr FaultKind kind_of(cl_mem) { return FAULT_MEMORY; }
constexpr FaultKind kind_of(cl_program) { return FAULT_PROGRAM; }
constexpr FaultKind kind_of(cl_kernel) { return FAULT_KERNEL; }
constexpr FaultKind kind_of(cl_event) { return FAULT_EVENT; }
constexpr FaultKind kind_of(cl_sampler) { return FAULT_SAMPLER; }
constexpr FaultKind kind_of(cl_command_buffer_khr) { return FAULT_COMMAND_BUFFER; }
template <class Other>
constexpr FaultKind kind_of(Other) {
  return kNoKind;
}

class Ledger {
 public:
  void made(FaultKind kind, const void* object) { change(kind, object, 1, true); }
  void retained(FaultKind kind, const void* object) { change(kind, object, 1, false); }
  // False, and noted, where there is no reference left.
  bool released(FaultKind kind, const void* object);
  int64_t live(FaultKind kind);
  // Those with references, each with one more, which `retain` takes.
  std::vector<const void*> retained_objects(FaultKind kind, void (*retain)(const void*));
  uint64_t made_of(FaultKind kind) { return made_[kind]; }
  uint64_t over_released() { return over_released_; }

 private:
  void change(FaultKind kind, const void* object, int64_t by, bool is_new);

  std::mutex mutex_;
  std::map<const void*, int64_t> references_[FAULT_KINDS];
  std::atomic<uint64_t> made_[FAULT_KINDS] = {};
  std::atomic<uint64_t> over_released_{0};
};

struct Fault {
  FaultAction action;
  int value;
  uint64_t times = 1;  // that it has acted, this one among them
};

// Counts calls, and says which of them are to fail.
class Plan {
 public:
  void arm(int function, uint64_t nth, FaultAction action, int value);
  int disarm();
  // Called once per call. `possible`: whether an action can be done there; others do not count.
  bool take(int function, bool gives_result, bool releases, Fault* fault);
  // The device is lost: a lost device runs nothing any more, so what was enqueued is to end before
  // anybody hears of it. `finish` is called once, while no thread is within a call that enqueues.
  // The driver's own threads, which enqueue nothing, cannot wait for that.
  void finish_once(void (*finish)()) noexcept;
  // Around a call that enqueues, which is not to fail.
  void begin_enqueue() noexcept;
  void end_enqueue() noexcept { --enqueuing_; }
  // The queue on which nothing ends any more.
  void hang(const void* queue) noexcept { hung_ = queue; }
  bool hangs(const void* queue) const noexcept { return queue != nullptr && hung_ == queue; }
  uint64_t calls(int function) { return calls_[function]; }
  void reset_calls();

 private:
  std::atomic<uint64_t> calls_[kFunctions] = {};
  std::atomic<int> function_{-1};
  std::atomic<bool> lost_{false};
  std::atomic<int> enqueuing_{0};
  std::mutex finish_mutex_;
  bool unfinished_ = false;  // guarded by that
  std::atomic<const void*> hung_{nullptr};
  std::atomic<uint64_t> seen_{0};
  std::atomic<int> hits_{0};
  uint64_t nth_ = 0;
  Fault fault_ = {FAULT_FAIL, 0, 1};
};

Ledger& ledger();
Plan& plan();
// Reads NETCL_FAULT, once.
void read_environment();
// The name of a function of OpenCL.
const char* name_of(int function);

}  // namespace fault
