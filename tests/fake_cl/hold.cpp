#include "hold.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "fake.hpp"

namespace fake {

namespace {

struct Holder {
  int mode = FAKE_HOLD_NONE;
  std::vector<Held> list;
  std::vector<std::pair<uint64_t, uint64_t>> ran;
  uint64_t next = 1;
  int stuck = 0;
  int lose = 0;
  bool wait_runs = false;
  std::mt19937_64 order;
};
Holder& holder() {
  static auto* const holder = new Holder();
  return *holder;
}

// Markers and barriers have no work.
bool in_between(const Held& held) { return !held.work; }

// With `any` as if its queue had been flushed.
bool may_run(const Held& held, bool any) {
  if (!any && holder().mode == FAKE_HOLD_FLUSHED && !held.flushed) return false;
  for (const cl_event wait : held.waits) {
    if (wait->status != CL_COMPLETE) return false;
  }
  const bool unordered = (held.queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
  for (const Held& other : holder().list) {
    if (other.number == held.number) break;
    if (other.queue != held.queue) continue;
    if (!unordered || other.barrier) return false;
    if (in_between(held) && held.waits_for_all) return false;
  }
  return true;
}

template <class T>
void give_up(T* object) {
  if (--object->references == 0) delete object;
}

void run(size_t index) {
  const Held held = holder().list[index];
  if (held.work) held.work();
  held.event->status = CL_COMPLETE;
  holder().list.erase(holder().list.begin() + static_cast<ptrdiff_t>(index));
  give_up(held.event);
  for (const cl_event wait : held.waits) give_up(wait);
  for (const cl_mem mem : held.uses) release_locked(mem);
  give_up(held.queue);
}

// Runs the first command that may run and for which `wanted` holds.
template <class Wanted>
bool run_one(Wanted wanted, bool any = false) {
  for (size_t i = 0; i < holder().list.size(); ++i) {
    if (!wanted(holder().list[i]) || !may_run(holder().list[i], any)) continue;
    run(i);
    return true;
  }
  return false;
}

void run_in_between() {
  while (run_one(in_between)) {
  }
}

bool run_drawn() {
  std::vector<size_t> may;
  for (size_t i = 0; i < holder().list.size(); ++i) {
    if (may_run(holder().list[i], false)) may.push_back(i);
  }
  if (may.empty()) return false;
  run(may[holder().order() % may.size()]);
  return true;
}

uint64_t number_of(const _cl_kernel& kernel, size_t index) {
  uint64_t number = 0;
  std::memcpy(&number, kernel.arguments.at(index).data(), sizeof number);
  return number;
}

}  // namespace

bool holding() { return holder().mode != FAKE_HOLD_NONE; }
bool waiting() { return holding() && holder().wait_runs; }

void hold(Held held, cl_event* event) {
  Holder& all = holder();
  held.number = all.next++;
  std::erase_if(held.waits, [&](cl_event) { return all.lose > 0 && --all.lose == 0; });
  for (const cl_event wait : held.waits) ++wait->references;
  for (const cl_mem mem : held.uses) ++mem->references;
  ++held.queue->references;
  held.event = new _cl_event();
  held.event->queue = held.queue;
  held.event->context = held.queue->context;
  held.event->status = CL_QUEUED;
  if (event != nullptr) {
    ++held.event->references;
    *event = held.event;
  }
  all.list.push_back(std::move(held));
  run_in_between();
}

void flush_held(cl_command_queue queue) {
  for (Held& held : holder().list) held.flushed = held.flushed || held.queue == queue;
  run_in_between();
}

void progress_until(const _cl_event* event) {
  while (event->status > CL_COMPLETE && run_drawn()) {
  }
}

void wait_ends(const _cl_event* event) {
  progress_until(event);
  if (event->status <= CL_COMPLETE) return;
  ++holder().stuck;
  while (event->status > CL_COMPLETE && run_one([](const Held&) { return true; }, true)) {
  }
}

void run_held_kernel(const _cl_kernel& kernel) {
  const size_t number_at = kernel.function.parameters.size() - 2;
  const uint64_t counts = number_of(kernel, number_at + 1);
  uint64_t value = held_kernel_value(0, number_of(kernel, number_at));
  uint64_t reads = 0, writes = 0;
  for (size_t i = 0; i < number_at; ++i) {
    cl_mem mem = nullptr;
    std::memcpy(&mem, kernel.arguments[i].data(), sizeof mem);
    if (kernel.function.parameters[i].is_const) {
      uint64_t read = 0;
      std::memcpy(&read, mem->data, sizeof read);
      if ((counts >> reads++ & 1) != 0) value = held_kernel_value(value, read);
    } else {
      const uint64_t written = held_kernel_value(value, ++writes);
      std::memcpy(mem->data, &written, sizeof written);
    }
  }
  holder().ran.emplace_back(number_of(kernel, number_at), value);
}

}  // namespace fake

extern "C" {

void fake_hold(int mode) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  fake::Holder& all = fake::holder();
  while (!all.list.empty() && fake::run_one([](const fake::Held&) { return true; }, true)) {
  }
  all.mode = mode;
  all.ran.clear();
  all.stuck = 0;
  all.lose = 0;
  all.wait_runs = false;
}

int fake_runnable(uint64_t* numbers, int capacity) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  int count = 0;
  for (const fake::Held& held : fake::holder().list) {
    if (fake::in_between(held) || count == capacity || !fake::may_run(held, false)) continue;
    numbers[count++] = held.number;
  }
  return count;
}

void fake_let(uint64_t number) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  (void)fake::run_one([&](const fake::Held& held) { return held.number == number; });
  fake::run_in_between();
}

int fake_held(void) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  return static_cast<int>(std::count_if(fake::holder().list.begin(), fake::holder().list.end(),
                                        [](const fake::Held& held) { return held.kernel; }));
}

void fake_wait_runs(uint64_t seed) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  fake::holder().wait_runs = seed != 0;
  fake::holder().order.seed(seed);
}

int fake_stuck(void) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  return fake::holder().stuck;
}

int fake_busy(const void* mem) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  return std::any_of(
      fake::holder().list.begin(), fake::holder().list.end(), [&](const fake::Held& held) {
        return held.kernel && std::find(held.uses.begin(), held.uses.end(), mem) != held.uses.end();
      });
}

void fake_set(const void* mem, uint64_t value) {
  std::memcpy(static_cast<const _cl_mem*>(mem)->data, &value, sizeof value);
}

int fake_ran(uint64_t* pairs, int capacity) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  int count = 0;
  for (const auto& [number, value] : fake::holder().ran) {
    if (count == capacity) break;
    pairs[2 * count] = number;
    pairs[2 * count++ + 1] = value;
  }
  return count;
}

void fake_lose_wait(int nth) {
  const std::lock_guard<std::mutex> lock(fake::mutex());
  fake::holder().lose = nth;
}

}  // extern "C"
