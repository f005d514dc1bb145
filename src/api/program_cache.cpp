#include "kernel/program_cache.hpp"
#include "api/guard.hpp"
#include "api/structs.hpp"
#include "device/manager.hpp"
#include "kernel/op_kernels.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_program_cache_get_info(netcl_program_cache_info* info) {
  return guarded([&] {
    check_info(info, "info");
    const ProgramCounters& counters = program_counters();
    netcl_program_cache_info full = NETCL_PROGRAM_CACHE_INFO_INIT;
    full.memory_hits = counters.memory_hits.load();
    full.memory_misses = counters.memory_misses.load();
    full.disk_hits = counters.disk_hits.load();
    full.disk_misses = counters.disk_misses.load();
    full.disk_rejected = counters.disk_rejected.load();
    full.disk_writes = counters.disk_writes.load();
    full.source_builds = counters.source_builds.load();
    for (const DeviceRef& device : DeviceManager::instance().open_devices()) {
      full.programs_in_memory += ProgramCache::of(*device).size();
    }
    copy_text(full.directory, sizeof full.directory, ProgramCache::disk_directory().c_str());
    write_info(info, full);
  });
}

netcl_status netcl_program_cache_clear(uint32_t disk) {
  return guarded([&] {
    require_flag(disk, "disk");
    for (const DeviceRef& device : DeviceManager::instance().open_devices()) {
      ProgramCache::of(*device).clear();
      OpKernels::of(*device).clear();
    }
    if (disk != 0) ProgramCache::clear_disk();
  });
}

netcl_status netcl_program_cache_get_entry(uint32_t index, netcl_program_cache_entry* entry) {
  return guarded([&] {
    check_info(entry, "entry");
    netcl_program_cache_entry full = NETCL_PROGRAM_CACHE_ENTRY_INIT;
    if (!ProgramCache::disk_entry(index, &full)) {
      fail(NETCL_ERROR_NOT_FOUND, "index is %u; the disk cache has no entry of this number", index);
    }
    write_info(entry, full);
  });
}

}  // extern "C"
