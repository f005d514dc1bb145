#include "api/exit.hpp"
#include "api/handles.hpp"
#include "api/structs.hpp"
#include "device/active.hpp"
#include "device/manager.hpp"
#include "kernel/launch.hpp"
#include "ops/matmul/matrix_units.hpp"
#include "ops/move/copy_between.hpp"

using namespace netcl;
using namespace netcl::api;

// NETCL_TRACE, with the first device. The end of the process writes the rest of it.
static void start_trace() {
  if (environment().trace_path.empty()) return;
  arm_exit_hook();
  timing::Profile::start_from_environment();
}

extern "C" {

netcl_status netcl_device_count(uint32_t* count) {
  return guarded([&] {
    require(count, "count");
    *count = static_cast<uint32_t>(DeviceManager::instance().list().size());
  });
}

netcl_status netcl_device_describe(uint32_t index, netcl_device_info* info) {
  return guarded([&] {
    check_info(info, "info");
    const auto& list = DeviceManager::instance().list();
    if (index >= list.size()) {
      fail(NETCL_ERROR_NOT_FOUND, "index is %u; there are %zu devices", index, list.size());
    }
    write_info(info, list[index]);
  });
}

netcl_status netcl_device_diagnose(char* buffer, size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(DeviceManager::instance().diagnosis(), buffer, capacity, length); });
}

netcl_status netcl_device_open(const char* selector, const netcl_device_options* options,
                               netcl_device** device) {
  return guarded([&] {
    require(device, "device");
    const netcl_device_options checked = read_options(options, "options");
    require_flag(checked.separate, "options->separate");
    require_zero(checked.reserved, "options->reserved");
    DeviceRef opened = DeviceManager::instance().open(selector, checked.separate != 0);
    if (!opened->builtin()) arm_exit_hook();
    start_trace();
    *device = make_handle<netcl_device>(std::move(opened));
  });
}

netcl_status netcl_device_open_from_cl(struct _cl_context* context, struct _cl_device_id* device_id,
                                       struct _cl_command_queue* queue,
                                       const netcl_device_options* options, netcl_device** device) {
  return guarded([&] {
    require(device, "device");
    require(context, "context");
    require(device_id, "device_id");
    const netcl_device_options checked = read_options(options, "options");
    require_flag(checked.separate, "options->separate");
    require_zero(checked.reserved, "options->reserved");
    if (checked.separate != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->separate is 1; the context is the one that is given; write 0");
    }
    DeviceRef opened = DeviceManager::instance().open_from_cl(context, device_id);
    if (queue != nullptr) {
      bool out_of_order = false;
      auto stream = opened->backend().wrap_cl_queue(queue, &out_of_order);
      QueueSet::of(*opened).set_default_stream(std::move(stream), out_of_order);
    }
    arm_exit_hook();
    start_trace();
    *device = make_handle<netcl_device>(std::move(opened));
  });
}

netcl_status netcl_device_retain(netcl_device* device) { return retain_handle(device, "device"); }
void netcl_device_release(netcl_device* device) { release_handle(device); }

netcl_status netcl_device_get_info(const netcl_device* device, netcl_device_info* info) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    check_info(info, "info");
    netcl_device_info full = pinned->info();
    if (pinned->builtin()) full.index = DeviceManager::instance().builtin_index();
    write_info(info, full);
  });
}

netcl_status netcl_device_get_capabilities(const netcl_device* device,
                                           netcl_device_capabilities* capabilities) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    check_info(capabilities, "capabilities");
    netcl_device_capabilities full = pinned->capabilities();
    full.matrix_units = ops::matrix_units(*pinned);
    write_info(capabilities, full);
  });
}

netcl_status netcl_device_finish(netcl_device* device, uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    if (!QueueSet::of(*pinned).finish(Deadline(timeout_ns))) {
      fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and device %s has work left",
           static_cast<unsigned long long>(timeout_ns), pinned->info().name);
    }
  });
}

netcl_status netcl_device_suggest_local_size(const netcl_device* device, const uint64_t* global,
                                             uint32_t global_count, uint64_t* local,
                                             uint64_t* rounded) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(global, "global");
    require(local, "local");
    require(rounded, "rounded");
    if (global_count < 1 || global_count > NETCL_LAUNCH_RANK_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "global_count is %u; a launch has 1 to %d dimensions",
           global_count, NETCL_LAUNCH_RANK_MAX);
    }
    uint64_t sizes[3];
    uint64_t padded[3];
    for (uint32_t d = 0; d < global_count; ++d) {
      if (global[d] == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "global[%u] is 0", d);
    }
    suggest_local_size(*pinned, UINT64_MAX, global_count, global, sizes);
    for (uint32_t d = 0; d < global_count; ++d) {
      const uint64_t rest = global[d] % sizes[d];
      const uint64_t missing = rest == 0 ? 0 : sizes[d] - rest;
      if (__builtin_add_overflow(global[d], missing, &padded[d])) {
        fail(NETCL_ERROR_INVALID_ARGUMENT, "global[%u] is %llu; rounded up it exceeds 64 bits", d,
             static_cast<unsigned long long>(global[d]));
      }
    }
    std::copy(sizes, sizes + global_count, local);
    std::copy(padded, padded + global_count, rounded);
  });
}

netcl_status netcl_device_explain_copy(const netcl_device* from, const netcl_device* to,
                                       netcl_copy_explanation* explanation) {
  return guarded([&] {
    const auto source = pin(from, "from");
    const auto target = pin(to, "to");
    check_info(explanation, "explanation");
    const ops::CopyRoad found = ops::copy_road(*source, *target);
    netcl_copy_explanation full = NETCL_COPY_EXPLANATION_INIT;
    full.road = found.road;
    full.packs = found.road >= NETCL_COPY_ROAD_TRANSFER;
    full.piece_bytes = found.piece_bytes;
    copy_line(full.reason, sizeof full.reason, found.reason.c_str());
    write_info(explanation, full);
  });
}

netcl_status netcl_device_get_cl_context(const netcl_device* device, struct _cl_context** context) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(context, "context");
    pinned->require_opencl("netcl_device_get_cl_context");
    *context = pinned->backend().cl_context();
  });
}

netcl_status netcl_device_get_cl_device(const netcl_device* device,
                                        struct _cl_device_id** device_id) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(device_id, "device_id");
    pinned->require_opencl("netcl_device_get_cl_device");
    *device_id = pinned->backend().cl_device();
  });
}

netcl_status netcl_device_get_queue(const netcl_device* device, netcl_queue** queue) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(queue, "queue");
    *queue = make_handle<netcl_queue>(QueueSet::of(*pinned).default_queue());
  });
}

netcl_status netcl_device_push(netcl_device* device) {
  return guarded([&] { ActiveDevices::instance().push(pin(device, "device").shared()); });
}

netcl_status netcl_device_pop(void) {
  return guarded([&] { ActiveDevices::instance().pop(); });
}

netcl_status netcl_device_current(netcl_device** device) {
  return guarded([&] {
    require(device, "device");
    *device = make_handle<netcl_device>(ActiveDevices::instance().current());
  });
}

}  // extern "C"
