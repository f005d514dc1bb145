#include "api/resolved_run.hpp"

using namespace netcl;
using namespace netcl::api;

static std::string failure_message(int32_t code) {
  return format("the command failed with OpenCL code %d", code);
}

extern "C" {

netcl_status netcl_event_create_from_cl(netcl_device* device, struct _cl_event* cl_event,
                                        netcl_event** event) {
  return guarded([&] {
    const auto pinned = pin(device, "device");
    require(cl_event, "cl_event");
    require(event, "event");
    pinned->require_opencl("netcl_event_create_from_cl");
    *event = make_event_handle(pinned->backend().wrap_cl_event(cl_event), pinned.shared());
  });
}

netcl_status netcl_event_retain(netcl_event* event) { return retain_handle(event, "event"); }
void netcl_event_release(netcl_event* event) { release_handle(event); }

netcl_status netcl_event_wait(const netcl_event* event, uint64_t timeout_ns) {
  return guarded([&] {
    const auto pinned = pin(event, "event");
    if (!pinned->event->wait(Deadline(timeout_ns))) {
      fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and the command is not complete",
           static_cast<unsigned long long>(timeout_ns));
    }
    if (const int32_t code = pinned->event->failure(); code != 0) {
      throw Error(NETCL_ERROR_LAUNCH_FAILURE, failure_message(code), code);
    }
  });
}

netcl_status netcl_event_query(const netcl_event* event, netcl_event_state* state) {
  return guarded([&] {
    const auto pinned = pin(event, "event");
    require(state, "state");
    *state = pinned->event->state();
  });
}

netcl_status netcl_event_get_timing(const netcl_event* event, netcl_event_timing* timing) {
  return guarded([&] {
    const auto pinned = pin(event, "event");
    check_info(timing, "timing");
    const netcl_event_state state = pinned->event->state();
    if (state == NETCL_EVENT_FAILED) {
      throw Error(NETCL_ERROR_LAUNCH_FAILURE, failure_message(pinned->event->failure()),
                  pinned->event->failure());
    }
    if (state != NETCL_EVENT_COMPLETE) {
      fail(NETCL_ERROR_BUSY, "the command is not complete; wait for the event first");
    }
    backend::Timing times;
    const int32_t code = pinned->event->timing(&times);
    if (code == backend::kNoTimes) {
      fail(NETCL_ERROR_NOT_PROFILED,
           "there are no times: the command's queue recorded none (see netcl_queue_set_profiling)");
    }
    if (code != 0) {
      throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                  format("the times cannot be read: clGetEventProfilingInfo failed with OpenCL "
                         "code %d",
                         code),
                  code);
    }
    netcl_event_timing full = NETCL_EVENT_TIMING_INIT;
    full.queued_ns = times.queued_ns;
    full.submitted_ns = times.submitted_ns;
    full.started_ns = times.started_ns;
    full.ended_ns = times.ended_ns;
    write_info(timing, full);
  });
}

netcl_status netcl_event_get_error(const netcl_event* event, netcl_error_info* info) {
  return guarded([&] {
    const auto pinned = pin(event, "event");
    check_info(info, "info");
    netcl_error_info full = NETCL_ERROR_INFO_INIT;
    if (const int32_t code = pinned->event->failure(); code != 0) {
      full.status = NETCL_ERROR_LAUNCH_FAILURE;
      full.native_code = code;
      copy_line(full.message, sizeof full.message, failure_message(code).c_str());
    }
    write_info(info, full);
  });
}

netcl_status netcl_event_get_cl_event(const netcl_event* event, struct _cl_event** cl_event) {
  return guarded([&] {
    const auto pinned = pin(event, "event");
    require(cl_event, "cl_event");
    pinned->device->require_opencl("netcl_event_get_cl_event");
    *cl_event = pinned->event->cl_event();
  });
}

}  // extern "C"
