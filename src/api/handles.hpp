// From handles of the interface to objects and back.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "api/guard.hpp"
#include "expression/tree.hpp"
#include "graph/graph.hpp"
#include "kernel/kernel.hpp"
#include "roofline/analysis.hpp"
#include "roofline/ceilings.hpp"
#include "tensor/tensor.hpp"
#include "timing/measurement.hpp"
#include "timing/profile.hpp"
#include "timing/timer.hpp"
#include "tune/benchmark.hpp"
#include "tune/space.hpp"

// Only few files need to know more of these.
namespace netcl::store {
class Database;
}
namespace netcl::tune {
class Search;
class Tuner;
}  // namespace netcl::tune
namespace netcl::group {
class Group;
class Reducer;
}
namespace netcl::sharded {
class Sharded;
}
namespace netcl::model {
class Model;
}
namespace netcl::weights {
struct Weights;
}

namespace netcl::api {

// What an event handle stands for. It keeps the device, whose context the event belongs to.
struct EventObject {
  backend::EventRef event;
  DeviceRef device;
};

template <class Handle>
struct HandleTraits;

// Each type of handle: its name, its constant, and what it stands for.
#define NETCL_HANDLES(each)                                                    \
  each(netcl_device, NETCL_HANDLE_DEVICE, Device)                              \
  each(netcl_queue, NETCL_HANDLE_QUEUE, Queue)                                 \
  each(netcl_event, NETCL_HANDLE_EVENT, EventObject)                           \
  each(netcl_pool, NETCL_HANDLE_POOL, Pool)                                    \
  each(netcl_buffer, NETCL_HANDLE_BUFFER, Buffer)                              \
  each(netcl_tensor, NETCL_HANDLE_TENSOR, Tensor)                              \
  each(netcl_kernel, NETCL_HANDLE_KERNEL, Kernel)                              \
  each(netcl_expression, NETCL_HANDLE_EXPRESSION, const expression::Tree)      \
  each(netcl_graph, NETCL_HANDLE_GRAPH, graph::Graph)                          \
  each(netcl_measurement, NETCL_HANDLE_MEASUREMENT, timing::Measurement)       \
  each(netcl_timer, NETCL_HANDLE_TIMER, timing::Timer)                         \
  each(netcl_region, NETCL_HANDLE_REGION, timing::Region)                      \
  each(netcl_roofline, NETCL_HANDLE_ROOFLINE, roofline::Analyzer)              \
  each(netcl_space, NETCL_HANDLE_SPACE, tune::Space)                           \
  each(netcl_config, NETCL_HANDLE_CONFIG, const tune::Config)                  \
  each(netcl_tuning_database, NETCL_HANDLE_TUNING_DATABASE, store::Database)   \
  each(netcl_ceilings, NETCL_HANDLE_CEILINGS, roofline::Ceilings)              \
  each(netcl_benchmark, NETCL_HANDLE_BENCHMARK, tune::Benchmark)               \
  each(netcl_search, NETCL_HANDLE_SEARCH, tune::Search)                        \
  each(netcl_tuner, NETCL_HANDLE_TUNER, tune::Tuner)                           \
  each(netcl_group, NETCL_HANDLE_GROUP, group::Group)                          \
  each(netcl_reducer, NETCL_HANDLE_REDUCER, group::Reducer)                    \
  each(netcl_sharded, NETCL_HANDLE_SHARDED, sharded::Sharded)                  \
  each(netcl_model, NETCL_HANDLE_MODEL, model::Model)                          \
  each(netcl_weights, NETCL_HANDLE_WEIGHTS, const weights::Weights)

#define NETCL_HANDLE_TRAITS(handle, constant, object)    \
  template <>                                            \
  struct HandleTraits<handle> {                          \
    using Object = object;                               \
    static constexpr netcl_handle_type kType = constant; \
    static constexpr const char* kName = #handle;        \
  };
NETCL_HANDLES(NETCL_HANDLE_TRAITS)
#undef NETCL_HANDLE_TRAITS

template <class Handle>
uint64_t handle_key(const Handle* handle) noexcept {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(handle));
}

// `index` is the place in an array argument, or kNoIndex.
inline constexpr uint32_t kNoIndex = UINT32_MAX;
[[noreturn]] void fail_handle(uint64_t key, netcl_handle_type type, const char* type_name,
                              const char* argument, uint32_t index);

// Keeps the object of a handle alive for the length of a call, whatever other threads release.
template <class Handle>
class Pinned {
 public:
  using Object = typename HandleTraits<Handle>::Object;

  Pinned(const Handle* handle, const char* argument, uint32_t index) {
    using Traits = HandleTraits<Handle>;
    entry_ = process().handles.pin(handle_key(handle), Traits::kType);
    if (entry_ == nullptr) {
      fail_handle(handle_key(handle), Traits::kType, Traits::kName, argument, index);
    }
  }
  ~Pinned() {
    if (entry_ != nullptr) process().handles.unpin(entry_);
  }
  Pinned(Pinned&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  Pinned& operator=(Pinned&&) = delete;

  Object* get() const noexcept { return static_cast<Object*>(HandleTable::object(entry_).get()); }
  Object* operator->() const noexcept { return get(); }
  Object& operator*() const noexcept { return *get(); }
  std::shared_ptr<Object> shared() const {
    return std::static_pointer_cast<Object>(HandleTable::object(entry_));
  }

 private:
  HandleTable::Entry* entry_;
};

template <class Handle>
Pinned<Handle> pin(const Handle* handle, const char* argument) {
  return Pinned<Handle>(handle, argument, kNoIndex);
}

// An element of an array of handles; the message of a bad one names its index.
template <class Handle>
Pinned<Handle> pin_at(const Handle* handle, const char* array, uint32_t index) {
  return Pinned<Handle>(handle, array, index);
}

// A new handle with one reference.
template <class Handle>
Handle* make_handle(std::shared_ptr<typename HandleTraits<Handle>::Object> object) {
  using Traits = HandleTraits<Handle>;
  using Mutable = std::remove_const_t<typename Traits::Object>;
  const uint64_t key =
      process().handles.insert(Traits::kType, std::const_pointer_cast<Mutable>(std::move(object)));
  return reinterpret_cast<Handle*>(static_cast<uintptr_t>(key));
}

template <class Handle>
netcl_status retain_handle(Handle* handle, const char* argument) noexcept {
  return guarded([&] {
    using Traits = HandleTraits<Handle>;
    if (!process().handles.retain(handle_key(handle), Traits::kType)) {
      fail_handle(handle_key(handle), Traits::kType, Traits::kName, argument, kNoIndex);
    }
  });
}

void release_key(uint64_t key, netcl_handle_type type, const char* type_name) noexcept;

template <class Handle>
void release_handle(Handle* handle) noexcept {
  using Traits = HandleTraits<Handle>;
  if (handle != nullptr) release_key(handle_key(handle), Traits::kType, Traits::kName);
}

}  // namespace netcl::api
