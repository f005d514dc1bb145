#include "api/resolved_run.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_queue_create(netcl_device* device, const netcl_queue_options* options,
                                netcl_queue** queue) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(queue, "queue");
    const netcl_queue_options checked = read_options(options, "options");
    require_flag(checked.out_of_order, "options->out_of_order");
    require_flag(checked.profiling, "options->profiling");
    pinned->check_usable();
    *queue = make_handle<netcl_queue>(
        QueueSet::of(*pinned).create(checked.out_of_order != 0, checked.profiling != 0));
  });
}

netcl_status netcl_queue_create_from_cl(netcl_device* device, struct _cl_command_queue* cl_queue,
                                        netcl_queue** queue) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(cl_queue, "cl_queue");
    require(queue, "queue");
    pinned->require_opencl("netcl_queue_create_from_cl");
    bool out_of_order = false;
    auto stream = pinned->backend().wrap_cl_queue(cl_queue, &out_of_order);
    *queue = make_handle<netcl_queue>(QueueSet::of(*pinned).adopt(std::move(stream), out_of_order));
  });
}

netcl_status netcl_queue_retain(netcl_queue* queue) { return retain_handle(queue, "queue"); }
void netcl_queue_release(netcl_queue* queue) { release_handle(queue); }

netcl_status netcl_queue_get_info(const netcl_queue* queue, netcl_queue_info* info) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    check_info(info, "info");
    netcl_queue_info full = NETCL_QUEUE_INFO_INIT;
    full.out_of_order = pinned->out_of_order() ? 1 : 0;
    full.profiling = pinned->profiling() ? 1 : 0;
    full.foreign = pinned->foreign() ? 1 : 0;
    full.commands = pinned->commands();
    write_info(info, full);
  });
}

netcl_status netcl_queue_get_device(const netcl_queue* queue, netcl_device** device) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require(device, "device");
    *device = make_handle<netcl_device>(pinned->device().shared_from_this());
  });
}

netcl_status netcl_queue_set_profiling(netcl_queue* queue, uint32_t enabled) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require_flag(enabled, "enabled");
    pinned->set_profiling(enabled != 0);
  });
}

netcl_status netcl_queue_flush(netcl_queue* queue) {
  return guarded([&] { pin(queue, "queue")->flush(); });
}

netcl_status netcl_queue_finish(netcl_queue* queue, uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    if (!pinned->finish(Deadline(timeout_ns))) {
      fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and the queue has work left",
           static_cast<unsigned long long>(timeout_ns));
    }
  });
}

netcl_status netcl_queue_enqueue_marker(netcl_queue* queue, netcl_event* const* waits,
                                        uint32_t waits_count, netcl_event** event) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require(event, "event");
    const auto resolved = resolve_waits(waits, waits_count, "waits", pinned->device());
    backend::EventRef marker = pinned->marker({resolved.data(), resolved.size()});
    *event = make_event_handle(std::move(marker), pinned->device().shared_from_this());
  });
}

netcl_status netcl_queue_get_cl_queue(netcl_queue* queue, struct _cl_command_queue** cl_queue) {
  return guarded([&] {
    const auto pinned = pin(queue, "queue");
    require(cl_queue, "cl_queue");
    pinned->device().require_opencl("netcl_queue_get_cl_queue");
    *cl_queue = pinned->cl_queue();
  });
}

}  // extern "C"
