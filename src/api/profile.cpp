#include "api/exit.hpp"
#include "api/handles.hpp"
#include "api/structs.hpp"

using namespace netcl;
using namespace netcl::api;

using timing::Profile;

extern "C" {

netcl_status netcl_profile_start(const netcl_profile_options* options) {
  return guarded([&] {
    const netcl_profile_options checked = read_options(options, "options");
    arm_exit_hook();
    Profile::instance().start(checked.trace_path, checked.records_most);
  });
}

netcl_status netcl_profile_stop(uint64_t timeout_ns) {
  return guarded([&] { Profile::instance().stop(Deadline(timeout_ns)); });
}

netcl_status netcl_profile_reset(void) {
  return guarded([&] { Profile::instance().reset(); });
}

netcl_status netcl_profile_report(netcl_format format, char* buffer, size_t capacity,
                                  size_t* length) {
  return guarded([&] { write_text(Profile::instance().report(format), buffer, capacity, length); });
}

netcl_status netcl_region_begin(netcl_queue* queue, netcl_region* parent, const char* name,
                                netcl_region** region) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require_name(name, "name");
    require(region, "region");
    const timing::RegionRef above = parent == nullptr ? nullptr : pin(parent, "parent").shared();
    *region = make_handle<netcl_region>(Profile::instance().begin(*pinned, above.get(), name));
  });
}

netcl_status netcl_region_end(netcl_region* region) {
  return guarded([&] { pin(region, "region")->end(); });
}

netcl_status netcl_region_annotate(netcl_region* region, double bytes, double operations) {
  return guarded([&] { pin(region, "region")->annotate(bytes, operations); });
}

netcl_status netcl_region_retain(netcl_region* region) { return retain_handle(region, "region"); }
void netcl_region_release(netcl_region* region) { release_handle(region); }

netcl_status netcl_region_push(netcl_queue* queue, const char* name) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require_name(name, "name");
    Profile::instance().push(*pinned, name);
  });
}

netcl_status netcl_region_pop(void) {
  return guarded([&] { Profile::instance().pop(); });
}

}  // extern "C"
