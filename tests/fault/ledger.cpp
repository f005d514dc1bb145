#include "ledger.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace fault {

void Ledger::change(FaultKind kind, const void* object, int64_t by, bool is_new) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_new) ++made_[kind];
  references_[kind][object] += by;
}

bool Ledger::released(FaultKind kind, const void* object) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto at = references_[kind].find(object);
  if (at == references_[kind].end()) {
    ++over_released_;
    return false;
  }
  if (--at->second == 0) references_[kind].erase(at);
  return true;
}

int64_t Ledger::live(FaultKind kind) {
  const std::lock_guard<std::mutex> lock(mutex_);
  int64_t sum = 0;
  for (const auto& [object, count] : references_[kind]) sum += count;
  return sum;
}

std::vector<const void*> Ledger::retained_objects(FaultKind kind, void (*retain)(const void*)) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<const void*> all;
  for (const auto& [object, count] : references_[kind]) {
    retain(object);
    all.push_back(object);
  }
  return all;
}

void Plan::arm(int function, uint64_t nth, FaultAction action, int value) {
  disarm();
  hits_ = 0;
  seen_ = 0;
  nth_ = nth;
  fault_ = {action, value, 1};
  function_ = function;
}

int Plan::disarm() {
  function_ = -1;
  lost_ = false;
  hung_ = nullptr;
  return hits_;
}

bool Plan::take(int function, bool gives_result, bool releases, Fault* fault) {
  ++calls_[function];
  if (lost_ && !releases) {
    *fault = fault_;
    return true;
  }
  if (function_ != function) return false;
  const bool needs = fault_.action == FAULT_NO_RESULT || fault_.action == FAULT_LATE ||
                     fault_.action == FAULT_HANG;
  if (needs && !gives_result) return false;
  const uint64_t seen = ++seen_;
  const bool goes_on = fault_.action == FAULT_LEAK || fault_.action == FAULT_SLOWER;
  if (goes_on ? seen < nth_ : seen != nth_) return false;
  ++hits_;
  if (fault_.action == FAULT_LOSE) {
    const std::lock_guard<std::mutex> lock(finish_mutex_);
    unfinished_ = lost_ = true;
  }
  *fault = fault_;
  fault->times = seen - nth_ + 1;
  return true;
}

static thread_local bool t_enqueues = false;

void Plan::begin_enqueue() noexcept {
  t_enqueues = true;
  ++enqueuing_;
}

void Plan::finish_once(void (*finish)()) noexcept {
  if (!t_enqueues) return;
  const std::lock_guard<std::mutex> lock(finish_mutex_);
  if (!unfinished_) return;
  while (enqueuing_ != 0) std::this_thread::yield();
  finish();
  unfinished_ = false;
}

void Plan::reset_calls() {
  for (auto& count : calls_) count = 0;
}

// Neither is ever destroyed: drivers call until the process has ended.
Ledger& ledger() {
  static Ledger* const only = new Ledger;
  return *only;
}
Plan& plan() {
  static Plan* const only = new Plan;
  return *only;
}

static void arm_by_text(const char* text) {
  static const char* const kActions[] = FAULT_ACTION_NAMES;
  char name[64] = "";
  char action[16] = "";
  unsigned long long nth = 0;
  int value = 0;
  if (std::sscanf(text, "%63s %llu %15s %d", name, &nth, action, &value) < 3) {
    std::fprintf(stderr, "NETCL_FAULT is not understood: %s\n", text);
    return;
  }
  for (int function = 0; function < kFunctions; ++function) {
    for (size_t i = 0; i < sizeof kActions / sizeof kActions[0]; ++i) {
      if (std::strcmp(name_of(function), name) != 0 || std::strcmp(kActions[i], action) != 0) {
        continue;
      }
      plan().arm(function, nth, static_cast<FaultAction>(i), value);
      return;
    }
  }
  std::fprintf(stderr, "NETCL_FAULT names no function and action that there are: %s\n", text);
}

static void report() {
  static const char* const kNames[] = FAULT_KIND_NAMES;
  const char* const path = std::getenv("NETCL_FAULT_REPORT");
  std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
  if (file == nullptr) return;
  for (int kind = 0; kind < FAULT_KINDS; ++kind) {
    std::fprintf(file, "%s: %llu made, %lld references left\n", kNames[kind],
                 static_cast<unsigned long long>(ledger().made_of(static_cast<FaultKind>(kind))),
                 static_cast<long long>(ledger().live(static_cast<FaultKind>(kind))));
  }
  std::fprintf(file, "%llu releases too many, %d calls failed on request\n",
               static_cast<unsigned long long>(ledger().over_released()), plan().disarm());
  std::fclose(file);
}

void read_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const char* const text = std::getenv("NETCL_FAULT")) arm_by_text(text);
    if (std::getenv("NETCL_FAULT_REPORT") != nullptr) std::atexit(report);
  });
}

}  // namespace fault
