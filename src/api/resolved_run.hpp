// Run options and waits of the interface, resolved to objects for the length of one call.
#pragma once

#include <vector>

#include "api/handles.hpp"
#include "api/structs.hpp"
#include "graph/graph.hpp"
#include "ops/frame/run.hpp"

namespace netcl::api {

// Checks an array of event handles, which messages call `argument`. Events of other devices cannot
// be handed to the driver, so they are waited for here, at most timeout_ns.
std::vector<backend::EventRef> resolve_waits(netcl_event* const* waits, uint32_t waits_count,
                                             const char* argument, const Device& device,
                                             uint64_t timeout_ns = NETCL_WAIT_FOREVER);

// Waits for the commands that write a tensor, with `readers` for those that read it too. Fails when
// the last one that wrote its memory failed.
void wait_until_written(const Tensor& tensor, uint64_t timeout_ns, bool readers = false);
// The same for one of several waits, which end together.
void wait_until_written(const Tensor& tensor, const Deadline& deadline, uint64_t timeout_ns,
                        bool readers = false);

// The queue of a handle, or the device's default queue for NULL; it must be one of the device's.
QueueRef resolve_queue(netcl_queue* queue, Device& device, const char* argument);

// Run options of a launch or op on `device`. Afterwards give_event() hands the event out.
class ResolvedRun {
 public:
  ResolvedRun(const netcl_run_options* run, Device& device);

  Queue& queue() const noexcept { return *queue_; }
  const TensorRef& into() const noexcept { return into_; }
  // Null when the call is not recorded.
  graph::Graph* graph() const noexcept { return graph_.get(); }
  ops::Run run() noexcept {
    return {*queue_, {waits_.data(), waits_.size()}, event_ == nullptr ? nullptr : &result_};
  }
  // Fails with INVALID_ARGUMENT when run->into is set.
  void refuse_into() const;
  // The same for run->graph.
  void refuse_graph() const;
  void give_event();
  // The event's handle when one was asked for, and where it goes.
  netcl_event* event_handle();
  void store_event(netcl_event* handle) noexcept {
    if (handle != nullptr) *event_ = handle;
  }

 private:
  Device& device_;  // kept alive by the handles of the call
  Queue* queue_ = nullptr;
  QueueRef queue_owner_;
  TensorRef into_;
  graph::GraphRef graph_;
  std::vector<backend::EventRef> waits_;
  netcl_event** event_ = nullptr;
  backend::EventRef result_;
};

// Whether run->graph is a capture, whose calls do nothing now, or was one until it was released.
// False for options that are refused otherwise.
bool records_alone(const netcl_run_options* run) noexcept;
// A new capture, which is known for one after its release while it is among the last 1024.
void note_capture(const netcl_graph* graph) noexcept;
// Fails with INVALID_ARGUMENT for a graph made from a function, which records nothing itself.
void refuse_forms(const graph::Graph& graph, const char* argument);
// Fails with INVALID_ARGUMENT for a value of a capture, which is there while that runs alone.
void require_content(const Tensor& tensor, const char* argument);
// Fails with INVALID_ARGUMENT when elements of a tensor that is written may share memory.
void require_own_elements(const Tensor& tensor, const char* argument);

// An event handle for a command on a device.
netcl_event* make_event_handle(backend::EventRef event, DeviceRef device);

// The result of an op: run->into when it was given, with `result` optional, else a new handle.
// The event that run->event asks for goes with it.
void give_result(ResolvedRun& run, TensorRef made, netcl_tensor** result);
// Fails before any work when a result has nowhere to go.
void require_result(const netcl_run_options* run, netcl_tensor** result);

}  // namespace netcl::api
