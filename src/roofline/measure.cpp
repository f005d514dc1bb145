// Measuring the ceilings of a device within a budget, and keeping them: for the process on the
// device, for later processes on disk.
#include <time.h>

#include <algorithm>
#include <memory>

#include "core/dtype.hpp"
#include "core/log.hpp"
#include "core/number.hpp"
#include "core/process.hpp"
#include "device/device_lock.hpp"
#include "kernel/disk_cache.hpp"
#include "kernel/program_cache.hpp"
#include "queue/queue.hpp"
#include "roofline/ceilings.hpp"
#include "roofline/probes.hpp"

namespace netcl::roofline {

namespace {

constexpr uint64_t kBudgetNs = 3000000000;
constexpr uint64_t kLockWaitNs = uint64_t{60} * 1000 * 1000 * 1000;
// An interquartile range of so much of the median says that something else was running.
constexpr double kNoisySpread = 0.25;
constexpr int kNoisyRepeats = 2;
constexpr uint64_t kBudgetMost = uint64_t{1} << 60;  // 36 years: sums of times cannot overflow
constexpr char kKeyBegin[] = "netcl ceilings";
// Part of the key on disk: another number makes earlier figures void.
constexpr int kProbesVersion = 3;

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

std::string platform_line(const Device& device) {
  return std::string("\nplatform ") + device.info().platform_name + "\n";
}

std::string key_of(const Device& device) {
  return format("%s, probes %d\npart ", kKeyBegin, kProbesVersion) + device.part() +
         platform_line(device) + "driver " + device.driver() + "\n";
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
      const uint32_t units = device.capabilities().compute_units;
      if (table->units != 0 && table->units != units) {
        log_message(NETCL_LOG_INFO,
                    "ceilings of %s were measured with %u compute units, of which this process "
                    "sees %u",
                    device.info().name, table->units, units);
      }
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

// Whether a key is about the same device, whatever version, driver or probes it names. Before
// version 3 name and vendor stood on lines of their own.
bool about_same_device(const std::string& key, const Device& device) {
  if (key.rfind(kKeyBegin, 0) != 0) return false;
  const netcl_device_info& info = device.info();
  const std::string own = "\npart " + device.part() + platform_line(device);
  const size_t line = key.find('\n');
  if (line == std::string::npos) return false;
  if (key.compare(line, 6, "\npart ") == 0) return key.compare(line, own.size(), own) == 0;
  const size_t name = line + 1, name_end = std::min(key.find('\n', name), key.size());
  const std::string rest =
      std::string("\n") + info.vendor + "\n" + info.platform_name + "\n";
  const std::string part = std::string(info.vendor) + "|" + key.substr(name, name_end - name);
  // As a part of that time, so that the number of threads in a name does not count.
  return key.compare(name_end, rest.size(), rest) == 0 &&
         part_family(current_part(part + "|0|0GiB")) == part_family(device.part());
}

// One file per device is enough: those of other drivers and earlier versions are not read again.
void remove_stale(const Device& device, const kernel::DiskCache& store) {
  const std::string own = key_of(device);
  for (const std::string& name : store.names()) {
    const std::string key = store.inspect(name).key;
    if (key == own || !about_same_device(key, device)) continue;
    const kernel::CacheReply reply = store.remove(key);
    if (!reply.reason.empty()) {
      log_message(NETCL_LOG_WARNING, "old ceilings are not removed: %s", reply.reason.c_str());
    }
  }
}

void keep(const Device& device, const CeilingTable& table) {
  kernel::DiskCache store = open_store();
  if (!store.enabled()) return;
  const kernel::CacheReply reply = store.store(key_of(device), to_json(table));
  if (!reply.reason.empty()) {
    log_message(NETCL_LOG_WARNING, "ceilings are not kept: %s", reply.reason.c_str());
  }
  remove_stale(device, store);
}

uint64_t real_time_ns() {
  struct timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

// Measures a limit again while its runs differ too much to mean anything, as they do when something
// else uses the device, and there is time. The best that was seen counts, and the spread of the
// calmest time.
netcl_ceiling measure_calmly(const Limit& limit, double budget_ns, uint64_t last_ns,
                             std::string* problem) {
  netcl_ceiling row = measure_limit(limit, budget_ns, problem);
  const auto noisy = [&] { return row.spread > kNoisySpread && monotonic_ns() < last_ns; };
  for (int again = 0; again < kNoisyRepeats && noisy(); ++again) {
    const netcl_ceiling other = measure_limit(limit, budget_ns / 2, problem);
    if (!(other.value > 0.0)) continue;
    row.value = std::max(row.value, other.value);
    row.spread = std::min(row.spread, other.spread);
  }
  return row;
}

void warn_of_noise(const CeilingTable& table) {
  std::string names;
  for (const netcl_ceiling& row : table.rows) {
    if (row.given != 0 || row.spread <= kNoisySpread) continue;
    names += (names.empty() ? "" : ", ") + std::string(ceiling_kind_name(row.kind));
    if (row.dtype != 0) names += std::string(" ") + dtype_facts(row.dtype).name;
    if (row.working_set != 0) names += format(" %llu KiB", row.working_set / 1024ull);
    names += " (" + fixed_text(row.spread * 100.0, 0) + " %)";
  }
  if (names.empty()) return;
  log_message(NETCL_LOG_WARNING,
              "ceilings of %s: the runs of these rows differ by more than %.0f %%, since something "
              "else was running; measure again when it is not: %s",
              table.device.c_str(), kNoisySpread * 100.0, names.c_str());
}

CeilingTable measure(Device& device, uint64_t budget_ns) {
  DeviceLock lock(device, "");
  lock.acquire(Deadline(kLockWaitNs), [] { return false; });
  QueueSet::of(device).finish(Deadline(NETCL_WAIT_FOREVER));
  const uint64_t begin = monotonic_ns();
  ProbeDevice probes(device, budget_ns);
  std::vector<Limit> limits = device.builtin() ? native_limits(probes) : kernel_limits(probes);
  for (Limit& limit : command_limits(probes)) limits.push_back(std::move(limit));
  for (const Limit& limit : limits) prepare(limit);
  const uint64_t prepared = monotonic_ns();
  // Noise may cost as much again as the budget.
  const uint64_t last_ns = prepared + 2 * std::min(budget_ns, kBudgetMost);
  double weights = 0.0;
  for (const Limit& limit : limits) weights += limit.weight;
  CeilingTable table;
  table.device = device.info().name;
  table.driver = device.info().driver_version;
  table.units = device.capabilities().compute_units;
  table.time_ns = real_time_ns();
  for (const Limit& limit : limits) {
    // What earlier limits left over, or took too much of, the later ones share.
    const double spent = static_cast<double>(monotonic_ns() - prepared);
    const double left = std::max(static_cast<double>(budget_ns) - spent, 0.0);
    std::string problem = "the clock of the device saw no time";
    const netcl_ceiling row =
        measure_calmly(limit, left * limit.weight / weights, last_ns, &problem);
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
  warn_of_noise(table);
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
