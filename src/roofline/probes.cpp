#include "roofline/probes.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/log.hpp"
#include "kernel/op_kernels.hpp"
#include "queue/queue.hpp"
#include "tensor/transfer.hpp"
#include "timing/statistics.hpp"

namespace netcl::roofline {

namespace {

constexpr uint64_t kMemoryCpu = uint64_t{256} << 20;
constexpr uint64_t kMemoryMost = uint64_t{2} << 30;
// Making the pages of more memory takes longer than a small budget.
constexpr uint64_t kBudgetForMore = 250000000;
constexpr uint64_t kMemoryLeast = uint64_t{1} << 20;
// A run of this length is long for every clock and short for a budget.
constexpr double kRunNs = 3e6;
constexpr uint64_t kPassesMost = uint64_t{1} << 24;
constexpr size_t kSamplesMost = 64;
// Of fewer runs nobody can say how they spread.
constexpr size_t kSamplesLeast = 5;

uint64_t memory_size(const Device& device, uint64_t budget_ns) {
  const netcl_device_capabilities& caps = device.capabilities();
  const uint64_t share = std::min(caps.global_memory_bytes / 8, caps.max_allocation_bytes);
  uint64_t wanted = kMemoryMost;
  if (budget_ns < kBudgetForMore) {
    wanted = kMemoryCpu;
  } else if (device.info().type == NETCL_DEVICE_CPU) {
    // Far beyond the caches, but the pages of more memory take longer to make than to measure.
    wanted = std::clamp(std::bit_ceil(std::min(2 * caps.global_cache_bytes, kMemoryMost)),
                        kMemoryCpu, kMemoryMost / 2);
  }
  return std::bit_floor(std::max(std::min(wanted, share), kMemoryLeast));
}

struct Outcome {
  bool works = false;
  uint64_t passes = 1;
  Timed best;
  std::vector<double> rates;

  void add(const Timed& run) {
    if (!(run.ns > 0.0) || !(run.amount > 0.0)) return;
    rates.push_back(run.amount / run.ns * 1e9);
  }
  double rate() const {
    return rates.empty() ? 0.0 : *std::max_element(rates.begin(), rates.end());
  }
};

// Finds how many passes make a run long enough, which also warms up. Errors that say that the way
// does not exist on this device leave it out.
Outcome try_way(const Limit& limit, const Way& way, double budget_ns, std::string* problem) {
  Outcome outcome;
  try {
    const double goal = std::min(kRunNs, std::max(budget_ns / 4.0, 1e5));
    // By the clock of the host: on a device that others use as well, a run waits for its turn.
    const uint64_t begin = monotonic_ns();
    const auto left = [&] { return budget_ns - static_cast<double>(monotonic_ns() - begin); };
    Timed run = way.run(1);
    while (limit.repeats && run.ns < goal / 2.0 && outcome.passes < kPassesMost && left() > 0.0) {
      const double factor = run.ns > 0.0 ? std::clamp(goal / run.ns, 2.0, 64.0) : 64.0;
      outcome.passes = std::min(static_cast<uint64_t>(static_cast<double>(outcome.passes) * factor),
                                kPassesMost);
      run = way.run(outcome.passes);
    }
    // What came before warmed up: first runs find pages that nobody touched yet.
    outcome.add(way.run(outcome.passes));
    outcome.works = true;
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_CANCELLED || error.status() == NETCL_ERROR_DEVICE_LOST) {
      throw;
    }
    *problem = error.what();
    log_message(NETCL_LOG_INFO, "ceilings: the probe %s does not work here: %s", way.name.c_str(),
                error.what());
  }
  return outcome;
}

}  // namespace

// ---- The device ---------------------------------------------------------------------------------

ProbeDevice::ProbeDevice(Device& device, uint64_t budget_ns) : device_(device) {
  backend::Device& backend = device.backend();
  plain_ = backend.create_stream(false, false);
  profiled_ = backend.create_stream(false, true);
  for (uint64_t bytes = memory_size(device, budget_ns); memory_ == nullptr; bytes /= 2) {
    try {
      memory_ = backend.allocate(bytes, backend::MemoryKind::device);
      const uint32_t pattern = 0x3f9d70a4;  // 1.23f: no probe is to work on zeros
      time_on_device([&](backend::Stream& stream, backend::EventRef* event) {
        stream.fill(*memory_, 0, bytes, &pattern, sizeof pattern, {}, event);
      });
    } catch (const Error& error) {
      memory_ = nullptr;
      if (error.status() != NETCL_ERROR_OUT_OF_DEVICE_MEMORY || bytes <= kMemoryLeast) throw;
    }
  }
}

void ProbeDevice::wait(backend::Event& event) {
  event.wait(Deadline(NETCL_WAIT_FOREVER));
  if (const int32_t code = event.failure(); code != 0) {
    throw Error(NETCL_ERROR_LAUNCH_FAILURE, format("a probe failed with OpenCL code %d", code),
                code);
  }
}

double ProbeDevice::time_on_device(const Enqueue& enqueue) {
  backend::EventRef event;
  const uint64_t begin = monotonic_ns();
  {
    const std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    enqueue(*profiled_, &event);
    profiled_->flush();
  }
  wait(*event);
  const uint64_t end = monotonic_ns();
  backend::Timing timing;
  // Some drivers give no times now and then.
  const bool timed = event->timing(&timing) == 0 && timing.ended_ns > timing.started_ns;
  return static_cast<double>(timed ? timing.ended_ns - timing.started_ns : end - begin);
}

double ProbeDevice::time_on_host(const std::function<void(backend::Stream&)>& enqueue) {
  backend::EventRef event;
  const uint64_t begin = monotonic_ns();
  {
    const std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    enqueue(*plain_);
    plain_->marker({}, &event);
    plain_->flush();
  }
  wait(*event);
  return static_cast<double>(monotonic_ns() - begin);
}

// ---- Launches and transfers ---------------------------------------------------------------------

namespace {

constexpr uint64_t kTransferMost = uint64_t{64} << 20;

Limit transfer_limit(netcl_ceiling_kind kind, const char* name, uint64_t bytes,
                     const std::function<void()>& move) {
  Limit limit{kind};
  limit.repeats = false;
  limit.weight = 1.5;
  limit.ways.push_back(
      {name, [bytes, move](uint64_t) {
         const uint64_t begin = monotonic_ns();
         move();
         return Timed{static_cast<double>(bytes), static_cast<double>(monotonic_ns() - begin)};
       }});
  return limit;
}

// From and to ordinary memory data goes as that of tensors does; page-locked memory is the driver's
// to read and write.
std::vector<Limit> transfer_limits(ProbeDevice& probes) {
  Device& device = probes.device();
  const uint64_t bytes = std::min(probes.memory().bytes(), kTransferMost);
  const auto ordinary = std::make_shared<std::vector<unsigned char>>(bytes, 1);
  const QueueRef queue = QueueSet::of(device).create(false, false);
  const BufferRef target = Buffer::over(device.shared_from_this(), probes.shared_memory());
  const auto plan = [queue] {
    TransferPlan made;
    made.queue = queue.get();
    made.async_copy = false;
    return made;
  };
  // Made by the first run of it, which leaves these rows out where there is none.
  const auto pinned = std::make_shared<backend::BufferRef>();
  const auto page_locked = [pinned, bytes, &device] {
    if (*pinned == nullptr) {
      *pinned = device.backend().allocate(bytes, backend::MemoryKind::pinned);
    }
    return (*pinned)->host_pointer();
  };
  std::vector<Limit> limits;
  limits.push_back(transfer_limit(NETCL_CEILING_HOST_TO_DEVICE, "host_to_device", bytes, [=] {
    write_bytes({target.get(), 0, bytes}, ordinary->data(), plan());
  }));
  limits.push_back(transfer_limit(NETCL_CEILING_DEVICE_TO_HOST, "device_to_host", bytes, [=] {
    read_bytes({target.get(), 0, bytes}, ordinary->data(), plan());
  }));
  limits.push_back(transfer_limit(
      NETCL_CEILING_HOST_TO_DEVICE_PINNED, "host_to_device_pinned", bytes, [=, &probes] {
        void* const host = page_locked();
        probes.time_on_host([&](backend::Stream& stream) {
          stream.write(probes.memory(), 0, bytes, host, {}, nullptr);
        });
      }));
  limits.push_back(transfer_limit(
      NETCL_CEILING_DEVICE_TO_HOST_PINNED, "device_to_host_pinned", bytes, [=, &probes] {
        void* const host = page_locked();
        probes.time_on_host([&](backend::Stream& stream) {
          stream.read(probes.memory(), 0, bytes, host, {}, nullptr);
        });
      }));
  return limits;
}

}  // namespace

std::vector<Limit> command_limits(ProbeDevice& probes) {
  Device& device = probes.device();
  std::vector<Limit> limits;
  Limit launch{NETCL_CEILING_LAUNCH};
  if (device.builtin()) {
    launch.ways.push_back({"launch", [&probes](uint64_t passes) {
                             backend::NativeFunctionOf nothing([](const backend::NativeCall&) {});
                             const double ns = probes.time_on_host([&](backend::Stream& stream) {
                               for (uint64_t i = 0; i < passes; ++i) {
                                 stream.run_native(nothing, {}, {}, nullptr, nullptr);
                               }
                             });
                             return Timed{static_cast<double>(passes), ns};
                           }});
  } else {
    launch.ways.push_back(
        {"launch", [&probes, &device](uint64_t passes) {
           const OpKernels::KernelPointer kernel = OpKernels::of(device).embedded(
               "ceilings.cl", "-DT=float -DWIDTH=1 -DBLOCKED=0 -DFUSED=0 -DMEMORY=0",
               "netcl_ceiling_nothing");
           const float value = 0.0f;
           backend::KernelArgument arguments[2];
           arguments[0].kind = backend::KernelArgument::Kind::buffer;
           arguments[0].buffer = &probes.memory();
           arguments[1] = {backend::KernelArgument::Kind::bytes, nullptr, 0, &value, sizeof value};
           backend::Launch empty;
           empty.kernel = kernel.get();
           empty.local[0] = 1;
           empty.arguments = arguments;
           // A queue of endless length is no use to anybody.
           passes = std::min<uint64_t>(passes, 4096);
           const double ns = probes.time_on_host([&](backend::Stream& stream) {
             for (uint64_t i = 0; i < passes; ++i) stream.launch(empty, {}, nullptr);
           });
           return Timed{static_cast<double>(passes), ns};
         }});
  }
  limits.push_back(std::move(launch));

  for (Limit& limit : transfer_limits(probes)) limits.push_back(std::move(limit));
  return limits;
}

// ---- From runs to a figure ----------------------------------------------------------------------

void prepare(const Limit& limit) {
  for (const Way& way : limit.ways) {
    try {
      if (limit.repeats) way.run(0);
    } catch (const Error& error) {
      // Whoever runs the way sees what is wrong with it.
      if (error.status() == NETCL_ERROR_CANCELLED) throw;
    }
  }
}

netcl_ceiling measure_limit(const Limit& limit, double budget_ns, std::string* problem) {
  netcl_ceiling row{};
  row.kind = limit.kind;
  row.dtype = limit.dtype;
  row.working_set = limit.working_set;
  const uint64_t begin = monotonic_ns();
  const auto left = [&] { return budget_ns - static_cast<double>(monotonic_ns() - begin); };
  std::vector<Outcome> outcomes;
  for (const Way& way : limit.ways) {
    // The ways that are still to come share half of the budget; the best one has the rest.
    const double share = budget_ns / (2.0 * static_cast<double>(limit.ways.size()));
    outcomes.push_back(try_way(limit, way, share, problem));
  }
  size_t best = 0;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].rate() > outcomes[best].rate()) best = i;
  }
  if (outcomes.empty() || !outcomes[best].works) return row;
  Outcome& winner = outcomes[best];
  for (size_t runs = 1; runs < kSamplesLeast || (left() > 0.0 && runs < kSamplesMost); ++runs) {
    winner.add(limit.ways[best].run(winner.passes));
  }
  if (winner.rates.empty()) return row;
  std::sort(winner.rates.begin(), winner.rates.end());
  row.value = winner.rates.back();
  row.spread = (timing::quantile(winner.rates, 0.75) - timing::quantile(winner.rates, 0.25)) /
               timing::quantile(winner.rates, 0.5);
  log_message(NETCL_LOG_DEBUG, "ceilings: %s: %.4g per second in %zu runs of %llu passes",
              limit.ways[best].name.c_str(), row.value, winner.rates.size(),
              static_cast<unsigned long long>(winner.passes));
  return row;
}

}  // namespace netcl::roofline
