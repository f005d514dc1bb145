// The measured limits of a device, as rows that callers can look at, set, save and load.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "netcl.h"

namespace netcl::roofline {

const char* ceiling_kind_name(netcl_ceiling_kind kind) noexcept;

// What one measurement found, and where.
struct CeilingTable {
  std::vector<netcl_ceiling> rows;  // sorted by kind, dtype and working set, each of them once
  uint64_t time_ns = 0;             // CLOCK_REALTIME; 0: not measured
  uint64_t spent_ns = 0;
  uint32_t units = 0;  // that the measuring process had; 0: not known
  bool from_store = false;
  std::string device;
  std::string driver;

  // Replaces the row of the same kind, dtype and working set, or adds one in its place.
  void put(const netcl_ceiling& row);
};

std::string to_json(const CeilingTable& table);
// Fails with CORRUPT_DATA naming `what` and the member that is wrong.
CeilingTable from_json(std::string_view text, const char* what);

// Fails with INVALID_ARGUMENT naming the member of `row` that is wrong.
void check_row(const netcl_ceiling& row);

// A ceiling as an analysis uses it.
struct FoundCeiling {
  double value = 0;
  netcl_ceiling_kind kind = 0;
  netcl_dtype dtype = 0;
  uint64_t working_set = 0;
};

// Any number of threads may use one object.
class Ceilings {
 public:
  Ceilings() : disproved_(std::make_shared<std::atomic<bool>>(false)) {}
  // `disproved` tells the device that it has to measure again.
  Ceilings(CeilingTable table, std::shared_ptr<std::atomic<bool>> disproved)
      : table_(std::move(table)), disproved_(std::move(disproved)) {}

  CeilingTable table() const;
  void set(const netcl_ceiling& row);

  // The ceiling of a kind of access (MEMORY_READ, MEMORY_WRITE or MEMORY_COPY) to `bytes`: of a
  // cache that holds them unless `cold`, else of the memory.
  std::optional<FoundCeiling> memory(netcl_ceiling_kind access, double bytes, bool cold) const;
  // The ceiling of operations in a dtype, which may stand in for one that has no row of its own.
  std::optional<FoundCeiling> compute(netcl_dtype dtype, bool matrix_units) const;
  // A time has shown that the ceiling is higher.
  void disprove(const FoundCeiling& ceiling);

 private:
  const netcl_ceiling* find(netcl_ceiling_kind kind, netcl_dtype dtype) const;

  mutable std::mutex mutex_;
  CeilingTable table_;  // guarded by mutex_
  std::shared_ptr<std::atomic<bool>> disproved_;
};

// Measures a device or gives what was measured before, as netcl_ceilings_measure says.
std::shared_ptr<Ceilings> measure_ceilings(Device& device, const netcl_ceilings_options& options);

// What was measured before, in this process or in one that kept it; null when nothing was, or when
// a time has disproved it since. Never measures.
std::shared_ptr<Ceilings> known_ceilings(Device& device);

// Fails with INVALID_ARGUMENT naming the member of `work` that is wrong.
void check_work(const netcl_work& work, const char* argument = "work");

// The shortest time in which a device with these ceilings could do the work; 0 when no ceiling
// says. Checks `work` first.
double shortest_time_ns(const Ceilings& ceilings, const netcl_work& work);

}  // namespace netcl::roofline
