#include "api/resolved_run.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace netcl::api {

void require_own_elements(const Tensor& tensor, const char* argument) {
  if (!may_overlap_itself(tensor.layout())) return;
  const Layout& layout = tensor.layout();
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s has strides %s with shape %s, by which elements may share memory; elements that are "
       "written need places of their own",
       argument, shape_text(layout.rank, layout.strides.data()).c_str(),
       shape_text(layout).c_str());
}

void require_content(const Tensor& tensor, const char* argument) {
  if (!tensor.buffer()->planned()) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s is a value of a graph that is a capture; it has no content outside of that: it has some "
       "in tensors that a run of the graph gives",
       argument);
}

void refuse_forms(const graph::Graph& graph, const char* argument) {
  if (graph.forms() == nullptr) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s is made from a function: calls are recorded in the graph that the function is given",
       argument);
}

netcl_event* make_event_handle(backend::EventRef event, DeviceRef device) {
  return make_handle<netcl_event>(
      std::make_shared<EventObject>(EventObject{std::move(event), std::move(device)}));
}

std::vector<backend::EventRef> resolve_waits(netcl_event* const* waits, uint32_t waits_count,
                                             const char* argument, const Device& device,
                                             uint64_t timeout_ns) {
  std::vector<backend::EventRef> resolved;
  require_array(waits, waits_count, argument);
  const Deadline deadline(timeout_ns);
  for (uint32_t i = 0; i < waits_count; ++i) {
    const auto event = pin_at(waits[i], argument, i);
    const bool own = event->device.get() == &device;
    if (!own && !event->event->wait(deadline)) {
      fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and %s[%u], of another device, is not complete",
           static_cast<unsigned long long>(timeout_ns), argument, i);
    }
    // Some drivers never run a command that waits for one that failed before, nor what is behind.
    if (const int32_t code = event->event->failure(); code != 0) {
      throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                  format("%s[%u] failed with OpenCL code %d", argument, i, code), code);
    }
    if (own) resolved.push_back(event->event);
  }
  return resolved;
}

void wait_until_written(const Tensor& tensor, uint64_t timeout_ns, bool readers) {
  wait_until_written(tensor, Deadline(timeout_ns), timeout_ns, readers);
}

void wait_until_written(const Tensor& tensor, const Deadline& deadline, uint64_t timeout_ns,
                        bool readers) {
  if (tensor.memory() == nullptr) return;
  QueueSet& queues = QueueSet::of(tensor.device());
  int32_t failure = 0;
  if (!queues.wait_for(access_to(&tensor, readers), deadline, &failure)) {
    fail(NETCL_ERROR_TIMEOUT, "timeout_ns is %llu and the last write is not complete",
         static_cast<unsigned long long>(timeout_ns));
  }
  queues.require_written(reading(tensor), failure);
}

QueueRef resolve_queue(netcl_queue* queue, Device& device, const char* argument) {
  if (queue == nullptr) return QueueSet::of(device).default_queue();
  const auto pinned = pin(queue, argument);
  if (&pinned->device() != &device) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is a queue of device %s; the work is on device %s",
         argument, pinned->device().text().c_str(), device.text().c_str());
  }
  return pinned.shared();
}

ResolvedRun::ResolvedRun(const netcl_run_options* run, Device& device) : device_(device) {
  Queue::begin_op();
  if (run == nullptr) {
    queue_ = &QueueSet::of(device).default_queue_borrowed();
    return;
  }
  const netcl_run_options options = read_options(run, "run");
  require_zero(options.reserved, "run->reserved");
  queue_owner_ = resolve_queue(options.queue, device, "run->queue");
  queue_ = queue_owner_.get();
  if (options.into != nullptr) {
    into_ = pin(options.into, "run->into").shared();
    if (&into_->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into lives on device %s; the inputs on device %s",
           into_->device().text().c_str(), device.text().c_str());
    }
    require_own_elements(*into_, "run->into");
  }
  if (options.graph != nullptr) {
    graph_ = pin(options.graph, "run->graph").shared();
    refuse_forms(*graph_, "run->graph");
    if (&graph_->device() != &device) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "run->graph records calls on device %s; this one is on %s",
           graph_->device().text().c_str(), device.text().c_str());
    }
  }
  if (graph_ != nullptr && graph_->captures()) {
    const char* const set = options.event != nullptr  ? "event"
                            : options.waits_count > 0 ? "waits"
                                                      : nullptr;
    if (set != nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "run->%s is set; run->graph is a capture, whose calls run with netcl_graph_run", set);
    }
  }
  event_ = options.event;
  waits_ = resolve_waits(options.waits, options.waits_count, "run->waits", device);
}

namespace {

// Keys are never given twice.
constexpr size_t kCapturesKnown = 1024;
std::atomic<uint64_t> g_captures[kCapturesKnown];
std::atomic<size_t> g_next_capture{0};

bool was_capture(const netcl_graph* graph) noexcept {
  return graph != nullptr && std::find(std::begin(g_captures), std::end(g_captures),
                                       handle_key(graph)) != std::end(g_captures);
}

}  // namespace

void note_capture(const netcl_graph* graph) noexcept {
  g_captures[g_next_capture.fetch_add(1) % kCapturesKnown].store(handle_key(graph));
}

bool records_alone(const netcl_run_options* run) noexcept {
  const netcl_graph* graph = nullptr;
  try {
    graph = read_options(run, "run").graph;
    return graph != nullptr && pin(graph, "run->graph")->captures();
  } catch (...) {
    return was_capture(graph);
  }
}

void ResolvedRun::refuse_into() const {
  if (into_ != nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into is set; this call has no result to write there");
  }
}

void ResolvedRun::refuse_graph() const {
  if (graph_ != nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->graph is set; this call cannot be recorded");
  }
}

netcl_event* ResolvedRun::event_handle() {
  if (event_ == nullptr) return nullptr;
  // An op that had nothing to enqueue (an empty tensor) is complete with what came before it.
  if (result_ == nullptr) result_ = queue_->marker({waits_.data(), waits_.size()});
  return make_event_handle(std::move(result_), device_.shared_from_this());
}

void ResolvedRun::give_event() {
  if (netcl_event* handle = event_handle()) *event_ = handle;
}

void require_result(const netcl_run_options* run, netcl_tensor** result) {
  if (result == nullptr && (run == nullptr || run->into == nullptr)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "result is NULL and run->into is not set");
  }
}

void give_result(ResolvedRun& run, TensorRef made, netcl_tensor** result) {
  // Both handles are made before either output is written, so that a failure writes neither.
  netcl_event* const event = run.event_handle();
  if (result != nullptr) {
    try {
      *result = make_handle<netcl_tensor>(run.into() != nullptr ? run.into() : made);
    } catch (...) {
      release_handle(event);
      throw;
    }
  }
  run.store_event(event);
}

}  // namespace netcl::api
