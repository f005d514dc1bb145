#include "drive.hpp"

#include <dlfcn.h>
#include <netcl.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "../fake_cl/hold.hpp"

namespace model {

namespace {

constexpr uint64_t kWait = 20'000'000'000;

void check(netcl_status status, const char* call) {
  if (status == NETCL_OK) return;
  throw std::runtime_error(std::string(call) + ": " + netcl_status_name(status) + ": " +
                           netcl_last_error_message());
}
#define CHECK(call) check((call), #call)

bool has(Mask mask, int index) { return (mask >> index & 1) != 0; }

// What a tensor holds before anything runs.
uint64_t initial(uint64_t first_number, int tensor) {
  return held_kernel_value(first_number, 100 + static_cast<uint64_t>(tensor));
}

}  // namespace

// What the commands come to in the order of the program. A tensor that was leased later and not
// written since holds nothing that counts.
struct Expected {
  std::vector<uint64_t> values;  // of each command
  std::vector<uint64_t> counts;  // which of its inputs count
  std::array<bool, kTensors> known{};
  std::array<uint64_t, kTensors> contents{};
};

namespace {

Expected in_order(const Trace& trace, uint64_t first_number) {
  Expected all;
  all.known.fill(true);
  for (int t = 0; t < kTensors; ++t) all.contents[t] = initial(first_number, t);
  for (const Step& step : trace) {
    if (step.kind == Kind::lease) all.known[step.tensor] = false;
    if (step.kind != Kind::command) continue;
    uint64_t value = held_kernel_value(0, first_number + all.values.size());
    uint64_t counts = 0, reads = 0, writes = 0;
    for (int t = 0; t < kTensors; ++t) {
      if (!has(step.reads, t)) continue;
      if (all.known[t]) {
        counts |= uint64_t{1} << reads;
        value = held_kernel_value(value, all.contents[t]);
      }
      ++reads;
    }
    for (int t = 0; t < kTensors; ++t) {
      if (!has(step.writes, t)) continue;
      all.known[t] = true;
      all.contents[t] = held_kernel_value(value, ++writes);
    }
    all.values.push_back(value);
    all.counts.push_back(counts);
  }
  return all;
}

}  // namespace

size_t Systematic::choose(size_t count) {
  if (at_ == path_.size()) path_.push_back({0, count});
  // Or the orders that are left cannot be told from those that were tried.
  if (path_[at_].count != count) throw std::logic_error("a run does not repeat itself");
  return path_[at_++].taken;
}

bool Systematic::next() {
  at_ = 0;
  while (!path_.empty() && path_.back().taken + 1 == path_.back().count) path_.pop_back();
  if (path_.empty()) return false;
  ++path_.back().taken;
  return true;
}

struct Driver::Fake {
  decltype(&::fake_hold) hold;
  decltype(&::fake_runnable) runnable;
  decltype(&::fake_let) let;
  decltype(&::fake_held) held;
  decltype(&::fake_wait_runs) wait_runs;
  decltype(&::fake_stuck) stuck;
  decltype(&::fake_busy) busy;
  decltype(&::fake_set) set;
  decltype(&::fake_ran) ran;
  decltype(&::fake_lose_wait) lose_wait;

  Fake() {
    const char* path = std::getenv("NETCL_OPENCL_LIBRARY");
    void* library = path == nullptr ? nullptr : ::dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) throw std::runtime_error("NETCL_OPENCL_LIBRARY has to name fake_cl");
    const auto load = [&](auto* function, const char* name) {
      void* const address = ::dlsym(library, name);
      if (address == nullptr) throw std::runtime_error(std::string(name) + " is not there");
      std::memcpy(function, &address, sizeof address);
    };
    load(&hold, "fake_hold");
    load(&runnable, "fake_runnable");
    load(&let, "fake_let");
    load(&held, "fake_held");
    load(&wait_runs, "fake_wait_runs");
    load(&stuck, "fake_stuck");
    load(&busy, "fake_busy");
    load(&set, "fake_set");
    load(&ran, "fake_ran");
    load(&lose_wait, "fake_lose_wait");
    ::dlclose(library);
  }
};

struct Driver::Handles {
  netcl_device* device = nullptr;
  netcl_queue* queue = nullptr;
  netcl_kernel* kernels[3][3] = {};  // by what is read and what is written

  Handles() {
    CHECK(netcl_device_open("gpu", nullptr, &device));
    CHECK(netcl_device_get_queue(device, &queue));
    for (int reads = 0; reads <= 2; ++reads) {
      for (int writes = 0; reads + writes <= 2; ++writes) {
        if (reads + writes == 0) continue;
        const std::string name = "model_" + std::to_string(reads) + std::to_string(writes);
        std::string source = "__kernel void " + name + "(";
        for (int i = 0; i < reads; ++i) {
          source += "__global const ulong *r" + std::to_string(i) + ", ";
        }
        for (int i = 0; i < writes; ++i) source += "__global ulong *w" + std::to_string(i) + ", ";
        source += "ulong number, ulong counts) {}\n";
        netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
        options.source = source.c_str();
        CHECK(netcl_kernel_create(device, name.c_str(), &options, &kernels[reads][writes]));
      }
    }
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
  ~Handles() {
    for (auto& row : kernels) {
      for (netcl_kernel* kernel : row) netcl_kernel_release(kernel);
    }
    netcl_queue_release(queue);
    netcl_device_release(device);
  }
};

// One run of a trace.
struct Driver::Run {
  Fake& fake;
  Handles& handles;
  Chooser& chooser;
  Expected expected{};
  uint64_t first_number = 0;
  size_t commands = 0;
  netcl_pool* pool = nullptr;
  std::array<netcl_tensor*, kTensors> tensors{};
  std::array<netcl_queue*, kQueues> queues{};

  Run(Fake& fake_driver, Handles& all, Chooser& choices)
      : fake(fake_driver), handles(all), chooser(choices) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    fake.hold(FAKE_HOLD_NONE);
    for (netcl_tensor* tensor : tensors) netcl_tensor_release(tensor);
    for (int q = 1; q < kQueues; ++q) netcl_queue_release(queues[q]);
    netcl_pool_release(pool);
    (void)netcl_device_finish(handles.device, kWait);
  }

  void prepare() {
    netcl_pool_options options = NETCL_POOL_OPTIONS_INIT;
    options.kind = NETCL_POOL_POWER_OF_TWO;
    CHECK(netcl_pool_create(handles.device, &options, &pool));
    queues[0] = handles.queue;
    for (int t = 0; t < kTensors; ++t) {
      lease(t);
      fake.set(memory_of(t), initial(first_number, t));
    }
  }

  const void* memory_of(int tensor) {
    netcl_buffer* buffer = nullptr;
    struct _cl_mem* mem = nullptr;
    CHECK(netcl_tensor_get_buffer(tensors[tensor], &buffer));
    CHECK(netcl_buffer_get_cl_mem(buffer, &mem));
    netcl_buffer_release(buffer);
    return mem;
  }

  void lease(int tensor) {
    const int64_t shape[1] = {1};
    netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
    options.pool = pool;
    CHECK(netcl_tensor_create(handles.device, NETCL_U64, 1, shape, nullptr, &options,
                              &tensors[tensor]));
  }

  // With the device's own queue alone later commands come behind those that use the block.
  std::string check_lease(int tensor) {
    if (queues[1] == nullptr && queues[2] == nullptr) return {};
    return fake.busy(memory_of(tensor)) != 0 ? "a block was leased while a command used it" : "";
  }

  void launch(const Step& step) {
    std::vector<netcl_arg> args;
    netcl_arg arg = NETCL_ARG_INIT;
    int reads = 0, writes = 0;
    arg.kind = NETCL_ARG_TENSOR;
    for (int t = 0; t < kTensors; ++t) {
      if (!has(step.reads, t)) continue;
      arg.tensor = tensors[t];
      args.push_back(arg);
      ++reads;
    }
    for (int t = 0; t < kTensors; ++t) {
      if (!has(step.writes, t)) continue;
      arg.tensor = tensors[t];
      args.push_back(arg);
      ++writes;
    }
    const uint64_t last[2] = {first_number + commands, expected.counts[commands]};
    for (const uint64_t& number : last) {
      netcl_arg scalar = NETCL_ARG_INIT;
      scalar.kind = NETCL_ARG_SCALAR;
      scalar.size = sizeof number;
      std::memcpy(scalar.value, &number, sizeof number);
      args.push_back(scalar);
    }
    ++commands;
    const uint64_t global = 1;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    run.queue = queues[step.queue];
    CHECK(netcl_kernel_launch(handles.kernels[reads][writes], &global, 1, nullptr, 0, args.data(),
                              static_cast<uint32_t>(args.size()), nullptr, &run));
  }

  std::string take(const Step& step) {
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    switch (step.kind) {
      case Kind::command:
        launch(step);
        break;
      case Kind::add_queue:
        options.out_of_order = step.out_of_order ? 1 : 0;
        CHECK(netcl_queue_create(handles.device, &options, &queues[step.queue]));
        break;
      case Kind::drop_queue:
        netcl_queue_release(queues[step.queue]);
        queues[step.queue] = nullptr;
        break;
      case Kind::release:
        netcl_tensor_release(tensors[step.tensor]);
        tensors[step.tensor] = nullptr;
        break;
      case Kind::lease:
        lease(step.tensor);
        return check_lease(step.tensor);
      case Kind::complete:
        break;  // the driver's own
    }
    return {};
  }

  // The driver ends any commands that it may, in any order, or leaves them.
  void let_some() {
    // Beside the commands of the trace the library reads new memory once.
    uint64_t runnable[2 * kCommands];
    while (const auto count = static_cast<size_t>(fake.runnable(runnable, 2 * kCommands))) {
      const size_t choice = chooser.choose(count + 1);
      if (choice == 0) return;
      fake.let(runnable[choice - 1]);
    }
  }

  // Whoever waits for a queue comes to an end, whichever queue is waited for first.
  std::string finish() {
    fake.wait_runs(1 + chooser.choose(2));
    const size_t first = chooser.choose(kQueues);
    for (size_t i = 0; i < kQueues; ++i) {
      netcl_queue* const queue = queues[(first + i) % kQueues];
      if (queue != nullptr) CHECK(netcl_queue_finish(queue, kWait));
    }
    CHECK(netcl_device_finish(handles.device, kWait));
    if (fake.stuck() != 0) return "a wait has no end: what it is for was not flushed";
    return fake.held() != 0 ? "the device is done while commands still run" : "";
  }

  std::string compare() {
    std::array<uint64_t, 2 * (kCommands + 1)> pairs{};
    const int count = fake.ran(pairs.data(), kCommands + 1);
    if (static_cast<size_t>(count) != commands) return "not every command ran once";
    std::array<bool, kCommands + 1> seen{};
    for (size_t i = 0; i < commands; ++i) {
      const uint64_t number = pairs[2 * i] - first_number;
      if (number < commands && std::exchange(seen[number], true)) return "a command ran twice";
      if (number >= commands || pairs[2 * i + 1] != expected.values[number]) {
        return "command " + std::to_string(number) + " read something else than in the model";
      }
    }
    for (int t = 0; t < kTensors; ++t) {
      if (tensors[t] == nullptr || !expected.known[t]) continue;
      uint64_t value = 0;
      CHECK(netcl_tensor_read(tensors[t], &value, sizeof value, nullptr, kWait));
      if (value != expected.contents[t]) {
        return "tensor " + std::to_string(t) + " ends with something else than in the model";
      }
    }
    return {};
  }
};

Driver::Driver() : handles_(std::make_unique<Handles>()) { fake_ = std::make_unique<Fake>(); }
Driver::~Driver() = default;

std::string Driver::run(const Trace& trace, bool flushed_only, int lost_wait, Chooser& chooser) {
  static uint64_t numbers = 1;
  Run run(*fake_, *handles_, chooser);
  run.first_number = numbers;
  numbers += kCommands;
  run.expected = in_order(trace, run.first_number);
  run.prepare();
  fake_->hold(flushed_only ? FAKE_HOLD_FLUSHED : FAKE_HOLD_EAGER);
  fake_->lose_wait(lost_wait);
  std::string problem;
  for (const Step& step : trace) {
    problem = run.take(step);
    if (!problem.empty()) return problem;
    run.let_some();
  }
  problem = run.finish();
  return problem.empty() ? run.compare() : problem;
}

}  // namespace model
