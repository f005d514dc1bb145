// Measuring the ceilings of a device within a budget, and keeping them: for the process on the
// device, for later processes on disk.
#include <time.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "core/log.hpp"
#include "core/process.hpp"
#include "kernel/disk_cache.hpp"
#include "kernel/program_cache.hpp"
#include "queue/queue.hpp"
#include "roofline/ceilings.hpp"
#include "roofline/probes.hpp"

namespace netcl::roofline {

namespace {

constexpr uint64_t kBudgetNs = 3000000000;
// Part of the key on disk: another number makes earlier figures void.
constexpr int kProbesVersion = 2;

// What a device remembers; used by one thread at a time, see Turn.
struct DeviceCeilings {
  bool known = false;
  CeilingTable table;
  std::shared_ptr<std::atomic<bool>> disproved;
};

// Two measurements at once would each see half a machine.
struct Turn {
  std::mutex mutex;
};

// The processor of the built-in device, whose name only tells the instruction set.
std::string processor_text() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/cpuinfo", "re"), std::fclose);
  std::string text;
  char line[4096];
  // The lines up to the first empty one are about the first processor.
  while (file != nullptr && std::fgets(line, sizeof line, file.get()) != nullptr) {
    if (line[0] == '\n') break;
    for (const char* name : {"model", "cpu family", "CPU implementer", "CPU part", "CPU variant",
                             "uarch", "cache size"}) {
      if (std::strncmp(line, name, std::strlen(name)) == 0) text += line;
    }
  }
  return text;
}

std::string key_of(const Device& device) {
  const netcl_device_info& info = device.info();
  const netcl_device_capabilities& caps = device.capabilities();
  std::string key = format("netcl ceilings, probes %d\n", kProbesVersion);
  for (const char* text :
       {info.name, info.vendor, info.platform_name, info.version, info.driver_version}) {
    key += std::string(text) + "\n";
  }
  key += format("%u units, %llu bytes\n", caps.compute_units,
                static_cast<unsigned long long>(caps.global_memory_bytes));
  return device.builtin() ? key + processor_text() : key;
}

// A folder of its own, so that clearing programs keeps the figures, which take longer to make.
kernel::DiskCache open_store() {
  const std::string programs = ProgramCache::disk_directory();
  if (programs.empty()) return kernel::DiskCache("off");
  return kernel::DiskCache((programs + "/ceilings").c_str());
}

bool load(const Device& device, CeilingTable* table) {
  const kernel::DiskCache store = open_store();
  if (!store.enabled()) return false;
  const std::string key = key_of(device);
  const kernel::CacheReply reply = store.load(key);
  try {
    if (reply.result == kernel::CacheResult::hit) {
      *table = from_json(reply.payload, "the stored ceilings");
      table->from_store = true;
      return true;
    }
  } catch (const Error& error) {
    log_message(NETCL_LOG_WARNING, "ceilings: %s; measuring again", error.what());
    return false;
  }
  if (!reply.reason.empty()) {
    log_message(NETCL_LOG_WARNING, "ceilings: %s; measuring again", reply.reason.c_str());
  }
  return false;
}

void keep(const Device& device, const CeilingTable& table) {
  kernel::DiskCache store = open_store();
  if (!store.enabled()) return;
  const kernel::CacheReply reply = store.store(key_of(device), to_json(table));
  if (!reply.reason.empty()) {
    log_message(NETCL_LOG_WARNING, "ceilings are not kept: %s", reply.reason.c_str());
  }
}

uint64_t real_time_ns() {
  struct timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

CeilingTable measure(Device& device, uint64_t budget_ns) {
  QueueSet::of(device).finish(Deadline(NETCL_WAIT_FOREVER));
  const uint64_t begin = monotonic_ns();
  ProbeDevice probes(device, budget_ns);
  std::vector<Limit> limits = device.builtin() ? native_limits(probes) : kernel_limits(probes);
  for (Limit& limit : command_limits(probes)) limits.push_back(std::move(limit));
  for (const Limit& limit : limits) prepare(limit);
  const uint64_t prepared = monotonic_ns();
  double weights = 0.0;
  for (const Limit& limit : limits) weights += limit.weight;
  CeilingTable table;
  table.device = device.info().name;
  table.driver = device.info().driver_version;
  table.time_ns = real_time_ns();
  for (const Limit& limit : limits) {
    // What earlier limits left over, or took too much of, the later ones share.
    const double spent = static_cast<double>(monotonic_ns() - prepared);
    const double left = std::max(static_cast<double>(budget_ns) - spent, 0.0);
    std::string problem = "the clock of the device saw no time";
    const netcl_ceiling row = measure_limit(limit, left * limit.weight / weights, &problem);
    weights -= limit.weight;
    if (row.value > 0.0) table.put(row);
    // Some devices lack a dtype, but none lacks memory.
    const bool needed = limit.kind <= NETCL_CEILING_MEMORY_COPY || limit.dtype == NETCL_F32;
    if (needed && !(row.value > 0.0)) {
      fail(NETCL_ERROR_LAUNCH_FAILURE, "the ceiling %s cannot be measured on %s: %s",
           ceiling_kind_name(limit.kind), device.info().name, problem.c_str());
    }
  }
  table.spent_ns = monotonic_ns() - begin;
  return table;
}

std::mutex& turns() {
  return process()
      .services.get<Turn>(Slot::ceilings_turn, [] { return std::make_unique<Turn>(); })
      .mutex;
}

DeviceCeilings& ceilings_of(Device& device) {
  return device.services().get<DeviceCeilings>(Slot::ceilings,
                                               [] { return std::make_unique<DeviceCeilings>(); });
}

}  // namespace

std::shared_ptr<Ceilings> known_ceilings(Device& device) {
  const std::lock_guard<std::mutex> lock(turns());
  const DeviceCeilings& kept = ceilings_of(device);
  if (kept.known) {
    if (kept.disproved->load(std::memory_order_relaxed)) return nullptr;
    return std::make_shared<Ceilings>(kept.table, kept.disproved);
  }
  // Not kept: whoever asks for a measurement without the store means it.
  CeilingTable table;
  if (!load(device, &table)) return nullptr;
  return std::make_shared<Ceilings>(std::move(table), std::make_shared<std::atomic<bool>>(false));
}

std::shared_ptr<Ceilings> measure_ceilings(Device& device, const netcl_ceilings_options& options) {
  device.check_usable();
  const std::lock_guard<std::mutex> lock(turns());
  DeviceCeilings& kept = ceilings_of(device);
  const bool disproved = kept.known && kept.disproved->load(std::memory_order_relaxed);
  const bool wanted = options.remeasure != 0 || disproved;
  if (!kept.known || wanted) {
    CeilingTable table;
    const bool stored = !wanted && options.no_store == 0 && load(device, &table);
    if (!stored) {
      table = measure(device, options.budget_ns != 0 ? options.budget_ns : kBudgetNs);
      if (options.no_store == 0) keep(device, table);
    }
    kept.table = std::move(table);
    kept.disproved = std::make_shared<std::atomic<bool>>(false);
    kept.known = true;
  }
  return std::make_shared<Ceilings>(kept.table, kept.disproved);
}

}  // namespace netcl::roofline
