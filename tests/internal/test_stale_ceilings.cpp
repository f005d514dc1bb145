// The store of ceilings on disk keeps one file per device: what other drivers and earlier versions
// wrote goes when the device is measured anew, and what belongs to others stays.
#include <string>

#include "kernel/disk_cache.hpp"

extern "C" {
#include "support.h"
#include "support_process.h"
}

#undef fail

using namespace netcl;

namespace {

char folder[512];

void old_files_go(void** state) {
  auto* const fixture = static_cast<Fixture*>(*state);
  if (fixture->opencl != 0) SKIP("nothing in it asks for the device, and this one compiles");
  char part[256];
  const netcl_device_info& info = fixture->info;
  OK(netcl_device_get_part(fixture->device, part, sizeof part, nullptr));
  kernel::DiskCache store((std::string(folder) + "/ceilings").c_str());
  const std::string line = "\n";
  const std::string rest = line + info.vendor + line + info.platform_name + line + info.version +
                           line + info.driver_version + line + "2 units, 3000000000 bytes\n";
  const std::string driver = line + "platform " + info.platform_name + line + "driver older\n";
  store.store("netcl ceilings, probes 2\n" + std::string(info.name) + rest, "x");
  store.store("netcl ceilings, probes 3\npart " + std::string(part) + driver, "x");
  store.store("netcl ceilings, probes 2\nanother device" + rest, "keep");
  store.store("netcl ceilings, probes 3\npart a|b|3" + driver, "keep");
  assert_int_equal(store.names().size(), 4);
  netcl_ceilings_options options = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceilings* ceilings = nullptr;
  options.budget_ns = SECOND / 20;
  OK(netcl_ceilings_measure(fixture->device, &options, &ceilings));
  netcl_ceilings_release(ceilings);
  int kept = 0;
  for (const std::string& name : store.names()) {
    kept += store.inspect(name).reply.payload == "keep" ? 1 : 0;
  }
  assert_int_equal(kept, 2);
  assert_int_equal(store.names().size(), 3);
}

}  // namespace

int main() {
  const struct CMUnitTest tests[] = {DEVICE_TEST(old_files_go)};
  // The library reads the environment when it is first used.
  process_make_folder(folder, sizeof folder);
  setenv("NETCL_CACHE_DIR", folder, 1);
  const int failed = cmocka_run_group_tests_name("stale_ceilings", tests, nullptr, nullptr);
  process_remove_folder(folder);
  return failed;
}
