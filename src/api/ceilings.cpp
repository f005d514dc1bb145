#include "roofline/ceilings.hpp"

#include "api/handles.hpp"
#include "api/structs.hpp"
#include "api/tuning.hpp"
#include "core/file.hpp"

using namespace netcl;
using namespace netcl::api;

using roofline::Ceilings;
using roofline::CeilingTable;

netcl_work netcl::api::read_work(const netcl_work* work, const char* argument) {
  const netcl_work checked = read_struct(work, argument);
  const auto name = [&](const char* member) { return format("%s->%s", argument, member); };
  // Launches come here: names are made for those that fail.
  if (checked.matrix_units > 1) require_flag(checked.matrix_units, name("matrix_units").c_str());
  if (checked.cold_cache > 1) require_flag(checked.cold_cache, name("cold_cache").c_str());
  if (checked.reserved != 0) require_zero(checked.reserved, name("reserved").c_str());
  roofline::check_work(checked, argument);
  return checked;
}

namespace {

constexpr uint64_t kFileBytesMost = uint64_t{16} << 20;

// The work of one iteration, as its ops declared it.
netcl_work work_of(const netcl_statistics& statistics) {
  netcl_work work = NETCL_WORK_INIT;
  work.operations = statistics.operations;
  work.bytes = statistics.bytes;
  work.bytes_written = statistics.bytes_written;
  work.dtype = statistics.dtype;
  work.matrix_units = statistics.matrix_units != 0 ? 1 : 0;
  work.cold_cache = statistics.cold_cache != 0 ? 1 : 0;
  return work;
}

}  // namespace

extern "C" {

const char* netcl_ceiling_kind_name(netcl_ceiling_kind kind) {
  return roofline::ceiling_kind_name(kind);
}

netcl_status netcl_ceilings_create(netcl_ceilings** ceilings) {
  return guarded([&] {
    require(ceilings, "ceilings");
    *ceilings = make_handle<netcl_ceilings>(std::make_shared<Ceilings>());
  });
}

netcl_status netcl_ceilings_measure(netcl_device* device, const netcl_ceilings_options* options,
                                    netcl_ceilings** ceilings) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(ceilings, "ceilings");
    const netcl_ceilings_options checked = read_options(options, "options");
    require_flag(checked.remeasure, "options->remeasure");
    require_flag(checked.no_store, "options->no_store");
    *ceilings = make_handle<netcl_ceilings>(roofline::measure_ceilings(*pinned, checked));
  });
}

netcl_status netcl_ceilings_load(const char* path, netcl_ceilings** ceilings) {
  return guarded([&] {
    require(path, "path");
    require(ceilings, "ceilings");
    const FileBytes file = read_file(path, kFileBytesMost);
    CeilingTable table = roofline::from_json(file.view(), quoted(path, 256).c_str());
    *ceilings = make_handle<netcl_ceilings>(
        std::make_shared<Ceilings>(std::move(table), std::make_shared<std::atomic<bool>>(false)));
  });
}

netcl_status netcl_ceilings_retain(netcl_ceilings* ceilings) {
  return retain_handle(ceilings, "ceilings");
}
void netcl_ceilings_release(netcl_ceilings* ceilings) { release_handle(ceilings); }

netcl_status netcl_ceilings_get_info(const netcl_ceilings* ceilings, netcl_ceilings_info* info) {
  return guarded([&] {
    const auto pinned = pin(ceilings, "ceilings");
    check_info(info, "info");
    const CeilingTable table = pinned->table();
    netcl_ceilings_info full = NETCL_CEILINGS_INFO_INIT;
    full.time_ns = table.time_ns;
    full.spent_ns = table.spent_ns;
    full.rows_count = static_cast<uint32_t>(table.rows.size());
    full.from_store = table.from_store ? 1 : 0;
    copy_line(full.device, sizeof full.device, table.device.c_str());
    copy_line(full.driver_version, sizeof full.driver_version, table.driver.c_str());
    write_info(info, full);
  });
}

netcl_status netcl_ceilings_get(const netcl_ceilings* ceilings, netcl_ceiling* rows,
                                uint32_t capacity, uint32_t* count) {
  return guarded([&] {
    const auto pinned = pin(ceilings, "ceilings");
    require(count, "count");
    if (capacity > 0) require(rows, "rows");
    const std::vector<netcl_ceiling> all = pinned->table().rows;
    std::copy_n(all.begin(), std::min<size_t>(all.size(), capacity), rows);
    *count = static_cast<uint32_t>(all.size());
  });
}

netcl_status netcl_ceilings_set(netcl_ceilings* ceilings, const netcl_ceiling* row) {
  return guarded([&] {
    const auto pinned = pin(ceilings, "ceilings");
    require(row, "row");
    pinned->set(*row);
  });
}

netcl_status netcl_ceilings_save(const netcl_ceilings* ceilings, const char* path) {
  return guarded([&] {
    const auto pinned = pin(ceilings, "ceilings");
    require(path, "path");
    write_file_atomically(path, {roofline::to_json(pinned->table())});
  });
}

netcl_status netcl_roofline_analyze_time(const netcl_roofline* roofline, netcl_ceilings* ceilings,
                                         double time_ns, const netcl_work* work,
                                         netcl_roofline_result* result) {
  return guarded([&] {
    const auto analyzer = pin(roofline, "roofline");
    const auto pinned = pin(ceilings, "ceilings");
    const netcl_work checked = read_work(work, "work");
    check_info(result, "result");
    netcl_roofline_result full = NETCL_ROOFLINE_RESULT_INIT;
    analyzer->analyze_time(*pinned, time_ns, checked, &full);
    write_info(result, full);
  });
}

netcl_status netcl_roofline_analyze_statistics(const netcl_roofline* roofline,
                                               netcl_ceilings* ceilings,
                                               const netcl_statistics* statistics,
                                               netcl_roofline_result* result) {
  return guarded([&] {
    const auto analyzer = pin(roofline, "roofline");
    const auto pinned = pin(ceilings, "ceilings");
    const netcl_statistics known = read_struct(statistics, "statistics");
    check_info(result, "result");
    if (!(known.median > 0.0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "statistics->median is %g; nothing was measured",
           known.median);
    }
    netcl_roofline_result full = NETCL_ROOFLINE_RESULT_INIT;
    analyzer->analyze_time(*pinned, known.median, work_of(known), &full);
    write_info(result, full);
  });
}

}  // extern "C"
