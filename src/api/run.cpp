#include "api/run.hpp"

namespace netcl::api {

std::vector<backend::EventRef> resolve_waits(netcl_event* const* waits, uint32_t waits_count,
                                             const Device& device) {
  std::vector<backend::EventRef> resolved;
  if (waits_count > 0) require(waits, "waits");
  for (uint32_t i = 0; i < waits_count; ++i) {
    const auto event = pin_at(waits[i], "waits", i);
    if (event->device.get() == &device) {
      resolved.push_back(event->event);
    } else {
      event->event->wait(Deadline(UINT64_MAX));
    }
  }
  return resolved;
}

QueueRef resolve_queue(netcl_queue* queue, Device& device, const char* argument) {
  if (queue == nullptr) return QueueSet::of(device).default_queue();
  const auto pinned = pin(queue, argument);
  if (&pinned->device() != &device) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is a queue of device %s; the work is on device %s",
         argument, pinned->device().info().name, device.info().name);
  }
  return pinned.shared();
}

ResolvedRun::ResolvedRun(const netcl_run_options* run, Device& device)
    : device_(device.shared_from_this()) {
  const netcl_run_options options = read_options(run, "run");
  require_zero(options.reserved, "run->reserved");
  queue_ = resolve_queue(options.queue, device, "run->queue");
  if (options.into != nullptr) {
    into_ = pin(options.into, "run->into").shared();
    if (&into_->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into lives on device %s; the inputs on device %s",
           into_->device().info().name, device.info().name);
    }
    if (may_overlap_itself(into_->layout())) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "run->into has strides %s with shape %s, so that elements "
           "share memory; results need memory of their own",
           shape_text(into_->layout().rank, into_->layout().strides.data()).c_str(),
           shape_text(into_->layout().rank, into_->layout().shape.data()).c_str());
    }
  }
  event_ = options.event;
  waits_ = resolve_waits(options.waits, options.waits_count, device);
}

void ResolvedRun::refuse_into() const {
  if (into_ != nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into is set; this call has no result to write there");
  }
}

void ResolvedRun::give_event() {
  if (event_ == nullptr) return;
  // An op that had nothing to enqueue (an empty tensor) is complete with what came before it.
  if (result_ == nullptr) result_ = queue_->marker({waits_.data(), waits_.size()});
  *event_ = make_handle<netcl_event>(
      std::make_shared<EventObject>(EventObject{std::move(result_), device_}));
}

void require_result(const netcl_run_options* run, netcl_tensor** result) {
  if (result == nullptr && (run == nullptr || run->into == nullptr)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "result is NULL and run->into is not set");
  }
}

void give_result(const ResolvedRun& run, TensorRef made, netcl_tensor** result) {
  if (result == nullptr) return;
  *result = make_handle<netcl_tensor>(run.into() != nullptr ? run.into() : std::move(made));
}

}  // namespace netcl::api
